"""The folder, the package for npm, the kernels in WebAssembly: made of their sources, and right."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.exact.kernels import table_vectors
from solver.machine import vectors
from tests.support import ROOT, needs_compiler, refused, said_by
from tests.support.asked import MOST_BYTES, Question
from tests.support.commands import ran
from tests.support.node import SITE, Engine, require_node, require_packages
from tools.web import bundle, first, link, package, parts, typed
from tools.web.folder import FILES, copied, made_with, sources
from tools.web.kernels import exported

#: Packed, as a host sends it.
MOST_PACKED = 1_500_000
REBUILD = """
import sys
from pathlib import Path
from tools.web.folder import SITE, generated
for name, content in generated().items():
    if (SITE / name).read_bytes() != content:
        print(name)
"""
#: Kernels that are compiled in a few seconds: codes, vectors, memory.
SOME = ("fill_tallies", "measure_blocks", "put_in_order")
FEW = """
import hashlib
import sys
from tools.web import emit, kernels
some = [it for it in kernels.exported() if it.name in sys.argv[1:]]
print(len(some), hashlib.sha256(emit.emit(some).code).hexdigest())
"""


def described() -> str:
    """What the folder says of its module; skips where other versions have made it."""
    written = (SITE / "engine" / "kernels.js").read_text()
    if made_with() not in written:
        made = re.search(r"Made with .*\.", written)
        pytest.skip(f"the module was not made with these versions: {made and made[0]}")
    return written


def test_the_folder_was_made_of_these_sources() -> None:
    """Of each file that decides what the module is; and the module is what was made then.

    Small modules are cut out of it; the first proposals are those of the command.
    """
    module = (SITE / "engine.wasm").read_bytes()
    for name, content in (copied() | parts.generated(module) | first.generated()).items():
        assert (SITE / name).read_bytes() == content, f"{name}: run ./tools/build_web"
    written = described()
    assert f"the SHA-256 {sources()}." in written, "run ./tools/build_web"
    assert f"own is {hashlib.sha256(module).hexdigest()}." in written, "run ./tools/build_web"


@needs_compiler
@pytest.mark.slow(10)
def test_the_same_bytes_are_built_again() -> None:
    """A few kernels, twice: the SHA-256 of their object file."""
    described()
    made = said_by(FEW, *SOME)
    assert made.startswith(f"{len(SOME)} ") and said_by(FEW, *SOME) == made


@needs_compiler
@pytest.mark.long(300)
def test_the_whole_module_is_built_again() -> None:
    described()
    assert said_by(REBUILD) == "", "run ./tools/build_web"


def test_every_kernel_of_the_table_is_described_and_exported() -> None:
    text = (SITE / "engine" / "kernels.js").read_text()
    names = [it.name for it in exported()]
    assert re.findall(r"^  (\w+): \{args: ", text, re.MULTILINE) == names
    module = (SITE / "engine.wasm").read_bytes()
    assert all(name.encode() in module for name in names)
    # Those of long words and wide tables take larger items: the names of their arrays say so, and
    # one with another name would be left as it is.
    forms = {it.name: it.form for it in exported()}
    larger = [name for name in forms if name.endswith(("_long", "_wide"))]
    assert len(larger) > 40
    for name in larger:
        assert forms[name] != forms[name[: -len("_long")]], name


def test_an_unknown_instruction_is_refused() -> None:
    refused(parts.PartError, "0xfe 3", list, parts._calls(b"\0\xfe\x03"))


def test_scripts_are_made_of_the_modules(tmp_path: Path) -> None:
    """The same bytes again, by the bundler that ``./tools/build_web`` unpacks."""
    require_packages()
    shutil.copytree(SITE, tmp_path / "site")
    bundle.write(tmp_path / "site")
    made = sorted(it.name for it in (SITE / bundle.MADE).iterdir())
    assert made == sorted(it.name for it in (tmp_path / "site" / bundle.MADE).iterdir())
    for name in made:
        theirs = (tmp_path / "site" / bundle.MADE / name).read_bytes()
        assert (SITE / bundle.MADE / name).read_bytes() == theirs, "run ./tools/build_web"


@pytest.mark.parametrize(("part", "game", "method", "args"), [
    ("helper", {"list": "nyt-2023"}, "suggest", [[]]),
    ("helper", {"list": "nyt-2023"}, "suggest", ["crane bybbb"]),
    ("helper", {"list": "original", "secrets": "allowed"}, "suggest", ["lares bybbb sound bbbbb"]),
    ("helper", {"list": "original", "hard": True}, "suggest", ["crane bybbb"]),
    ("helper", {"list": "nyt-2022"}, "openers", [{"by": "minimax", "top": 5}]),
    ("helper", {"list": "nyt-2022"}, "adversary", [["crane", "sloth"]]),
    ("codes", {"kind": "mastermind", "holes": 4, "colours": 6}, "suggest", ["1122 1,1"]),
    ("codes", {"kind": "mastermind", "holes": 5, "colours": 6}, "suggest", [[]]),
])  # fmt: skip
def test_a_small_module_answers_as_the_whole_one(
    engine: Engine, part: str, game: dict[str, object], method: str, args: list[object]
) -> None:
    assert engine.ask("small", part, game, method, *args) == engine.ask(method, *args, game=game)


def test_the_page_reads_what_is_listed() -> None:
    """And no sources of its scripts."""
    listed = set(json.loads((SITE / FILES).read_bytes()))
    text = (SITE / "index.html").read_text() + (SITE / "explore.html").read_text()
    named = set(re.findall(r'(?:href|src)="([\w./-]+\.\w+)"', text))
    assert named <= listed
    assert not [name for name in listed if name.startswith(("page/", "engine/"))]


def test_the_folder_is_small_and_asks_nothing_of_anybody_else(tmp_path: Path) -> None:
    for path in SITE.rglob("*.js"):
        assert not re.search(r"https?://", path.read_text(encoding="utf-8")), path.name
    packed = tmp_path / "site.tar.gz"
    subprocess.run(["tar", "czf", str(packed), "-C", str(SITE), "."], check=True)
    assert packed.stat().st_size <= MOST_PACKED


# ---- the linker
def section(kind: int, content: bytes) -> bytes:
    return bytes([kind]) + link._sized(content)


def custom(name: str, content: bytes) -> bytes:
    return section(0, link._sized(name.encode()) + content)


@pytest.mark.parametrize(("content", "reason"), [
    (b"\x7fELF", "no object file"),
    (b"\0asm\1\0\0\0" + custom("linking", b"\x07"), "another version"),
    (b"\0asm\1\0\0\0" + section(10, b"\0") + custom("reloc.CODE", b"\x00\x01\x01\x00\x00"),
     "relocations of kind 1"),
    (b"\0asm\1\0\0\0" + section(2, b"\x01\x03env\x03log\x00\x00"), "functions are missing: log"),
])  # fmt: skip
def test_the_linker_names_what_it_does_not_know(content: bytes, reason: str) -> None:
    refused(link.LinkError, reason, link.link, content, [])


@pytest.mark.parametrize("number", [0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20, (1 << 31) - 1])
def test_numbers_are_written_as_they_are_read(number: int) -> None:
    assert link._Bytes(link._leb(number)).number() == number
    assert link._Bytes(link._sleb(number)).signed() == number
    assert link._Bytes(link._sleb(-number)).signed() == -number


def test_types_and_style() -> None:
    require_packages()
    assert typed.faults() == ""


WORDS: dict[str, Any] = {"list": "original", "secrets": "answers"}
CODES: dict[str, Any] = {"kind": "mastermind", "holes": 4, "colours": 6}
#: A game, a method, its arguments.
QUESTIONS: list[tuple[dict[str, Any], str, list[Any]]] = [
    (WORDS, "suggest", ["crane bybbb"]),
    (WORDS, "suggest", [["crane bybbb", "crane bbbyb"]]),
    (WORDS, "openers", [{"top": 3}]),
    (WORDS, "buckets", ["salet"]),
    (WORDS, "review", [["crane", "sloth", "ruddy"], "ruddy"]),
    (WORDS, "adversary", [["crane", "sloth"]]),
    ({"list": "nyt-2026", "secrets": "answers", "used": "exclude"}, "suggest", []),
    ({"guesses": "bad\ncad\ndad", "secrets": ["bad", "cad"]}, "openers", []),
    (CODES, "suggest", ["1122 1,1"]),
    (CODES, "buckets", ["1123"]),
]  # fmt: skip
ASK = """
import { open, EngineError } from "knuthle-engine";
const engine = await open();
const answers = JSON.parse(process.argv[2]).map(([game, method, args]) => {
  try { return engine.game(game)[method](...args); } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { error: error.message };
  }
});
console.log(JSON.stringify(answers));
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return package.write(tmp_path_factory.mktemp("packed"))


def test_an_installed_package_answers(packed: Path, tmp_path: Path, engine: Engine) -> None:
    subprocess.run(["tar", "-xzf", packed, "-C", tmp_path], check=True)  # as npm does: no scripts
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "package").rename(tmp_path / "node_modules" / "knuthle-engine")
    (tmp_path / "ask.mjs").write_text(ASK, encoding="utf-8")
    command = [require_node(), "ask.mjs", json.dumps(QUESTIONS)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    answers = json.loads(ended.stdout)
    assert len(answers) == 10 and not [it for it in answers if "error" in it]
    assert answers == [engine.ask(method, *args, game=of) for of, method, args in QUESTIONS]


def test_it_has_what_its_description_names(packed: Path, tmp_path: Path) -> None:
    """And equal sources give equal bytes."""
    assert package.write(tmp_path).read_bytes() == packed.read_bytes()
    with tarfile.open(packed) as archive:
        names = set(archive.getnames())
        read = archive.extractfile("package/package.json")
        assert read is not None
        described = json.load(read)
    entry = described["exports"]["."]
    wanted = {entry["types"], entry["default"], "./README.md", "./LICENSE", "./engine.wasm"}
    wanted.add("./engine/public.d.ts")  # from which the types import
    assert {f"package/{name[2:]}" for name in wanted} <= names
    assert f'version = "{described["version"]}"' in (ROOT / "pyproject.toml").read_text()


SCRIPT = Path(__file__).with_name("steps.mjs")
COLUMNS = table_vectors.BLOCK_COLUMNS


def _written(value: Any) -> Any:
    if isinstance(value, int):
        return value
    data = [str(item) for item in value.reshape(-1).tolist()]
    return {"type": str(value.dtype), "shape": list(value.shape), "data": data}


def _least_of(dice: np.random.Generator) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    width, needs = 5 * COLUMNS, np.array([5, 12, 9], dtype=np.int64)
    row, *tables = dice.integers(0, 20, (4, width), dtype=np.uint8)
    many, places = np.array(tables), dice.integers(-1, 3, (3, 2)).astype(np.int32)
    lanes, found = np.zeros(COLUMNS, dtype=np.uint8), np.zeros((3, width), dtype=np.uint8)
    given = (row, many, places, needs, lanes, found)
    right = found.copy()
    for at, need in enumerate(needs.tolist()):
        for column in range(0, width, COLUMNS):
            here = np.zeros(COLUMNS, dtype=np.uint8)
            table_vectors.plain_least_of(row, column, many, places[at], need, here)
            right[at, column : column + COLUMNS] = np.where(here >= need, here, 0)
    return given, (row, many, places, needs, here, right)


def _alike(dice: np.random.Generator) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    rows = dice.integers(8, 11, (4, 2, COLUMNS), dtype=np.uint8)
    found = np.zeros((2, 4), dtype=np.uint64)
    for block in range(4):
        found[0, block] = table_vectors.plain_alike(rows, block, 0, 1)
        found[1, block] = table_vectors.plain_at_least(rows[block, 0], 0, 9)
    return (rows, np.zeros_like(found)), (rows, found)


def _counted(dice: np.random.Generator) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    masks = dice.integers(0, 16, 4 * vectors.MASKS, dtype=np.uint64)
    counts = dice.integers(600, 800, 4 * COLUMNS, dtype=np.uint16)
    found = np.zeros((2, 4), dtype=np.uint64)
    for at in range(4):
        found[0, at] = vectors.disjoint_plain(masks, at * vectors.MASKS, np.uint64(5))
        found[1, at] = table_vectors.plain_at_least(counts, at * COLUMNS, 700)
    return (masks, counts, np.zeros_like(found)), (masks, counts, found)


@needs_compiler
@pytest.mark.slow
def test_steps_are_those_of_their_plain_twins(tmp_path: Path) -> None:
    module, question = tmp_path / "steps.wasm", tmp_path / "question.json"
    made = ran([sys.executable, "-m", "tests.support.web_steps", module])
    assert made.returncode == 0, made.stderr
    dice, calls, expected = np.random.default_rng(1), [], []
    for _ in range(30):
        for name, case in (("least_of", _least_of), ("alike", _alike), ("counted", _counted)):
            given, right = case(dice)
            calls.append([name, [_written(value) for value in given]])
            expected.append([it if isinstance(it, int) else _written(it)["data"] for it in right])
    question.write_text(json.dumps({"forms": json.loads(made.stdout), "calls": calls}))
    done = ran([require_node(), SCRIPT, module, SITE, question])
    for call, found, right in zip(calls, json.loads(done.stdout), expected, strict=True):
        assert found == right, call[0]


MEMORY = Path(__file__).with_name("memory.mjs")
ALL = {"list": "original", "secrets": "allowed"}
TODAY = {"list": "nyt-2023", "secrets": "allowed"}
BOARD = {"kind": "mastermind", "holes": 5, "colours": 8}
#: The question that takes most.
LARGEST: Question = (TODAY, "suggest", ["crane bybbb slate bbbbb"])
#: Questions as a page asks them, one after the other.
IN_TURN: list[Question] = [
    (ALL, "solve", [{"start": "lares"}]),
    (TODAY, "suggest", [""]),
    LARGEST,
    (WORDS, "solve", [{"start": "lares", "rule": "entropy"}]),
    (TODAY, "openers", [{"top": 5}]),
    (TODAY, "suggest", [["crane bybbb moist bbbbb", "crane bybbb moist bbbbb"]]),
    (TODAY, "buckets", ["crane"]),
    (BOARD, "suggest", ["11223 1,1"]),
    (WORDS, "solve", [{"start": "lares", "hard": True}]),
    (TODAY, "suggest", ["crane bybbb ruddy gybbb", {"hard": True}]),
]


def test_memory_is_reserved_released_and_never_overwritten() -> None:
    done = ran([require_node(), MEMORY, SITE])
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.slow
def test_one_question_after_the_other_takes_no_more_than_the_largest() -> None:
    def taken(questions: list[Question]) -> Any:
        with closing(Engine()) as engine:
            for game, method, args in questions:
                engine.ask(method, *args, game=game)
            return engine.ask("memory")

    together = taken(IN_TURN * 2)
    assert together <= taken([LARGEST]) + 4_000_000
    assert together <= MOST_BYTES
