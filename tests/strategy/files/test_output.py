"""Files written whole and read with care: damage and bombs are named, what others named escaped."""

import json
import os
import random
import stat
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.words import lists
from strategy.checkers import verify
from strategy.cli.output import plain
from strategy.errors import BadFileError, OutputError, StrategyError, UnknownStateError
from strategy.exports import EXPORTS
from strategy.files import envelope, output, strategy_file
from strategy.files.output import Kind, check_apart, check_target, write_whole
from strategy.files.text import is_name, printable, quoted
from strategy.proofs import proof_file
from strategy.solving.by_rule import Solved
from strategy.tree import Step, Strategy, text_lines
from strategy.verification import verify as verify_file
from tests.support import naive, raising, refused, said_by, sealed
from tests.support.commands import Knuthle, Outcome, ran, report_of
from tests.support.proof_worlds import alike, proof_of, strategy_of

STRATEGY = b"KNUTHLE\n\x01S rest"
LIKE = {
    Kind.STRATEGY: STRATEGY, Kind.PARTIAL: b"KNUTHLE\n\x01P rest",
    Kind.PROOF: b"KNUTHLE\n\x01R rest", Kind.FINDINGS: b"KNUTHLE\n\x02F rest",
    Kind.JSON: b'{"word": 1}\n', Kind.CSV: b"rank,word,expected size\n1,a,2\n",
    Kind.TEXT: b"lares bgbgb nymph ggggg\n", Kind.TREE: b"crane BBBBG1 slate GGGGG2\n",
    Kind.DOT: b"digraph strategy {\n",
    Kind.SVG: b'<svg xmlns="http://www.w3.org/2000/svg">',
    Kind.PAGE: b'<!doctype html>\n<html lang="en" data-of="knuthle">\n<head>',
    Kind.HTML: b"<!DOCTYPE html>\n<html>", Kind.PDF: b"%PDF-1.4\n", Kind.PNG: b"\x89PNG\r\n",
    Kind.PARQUET: b"PAR1\x15\x04",
}  # fmt: skip
FOREIGN = [
    b"crane\nslate\n", b"crane\n", b"KNUTHLE\n", b"KNUTHLE\n\x01X rest", b"[1, 2]", b"{\n  1",
    b"# mine, all mine\ncrane\n", b"\x00\x01", b"import os\n",
]  # fmt: skip


def test_every_kind_is_told_from_every_other() -> None:
    """And whatever is exported is known again."""
    assert set(LIKE) == set(Kind)
    for kind, content in LIKE.items():
        assert Kind.of(content) == kind
    for content in (*FOREIGN, b""):
        assert Kind.of(content) is None
    strategy = strategy_of(alike(0, 12, 7))
    for form, written in EXPORTS.items():
        assert Kind.of(written(strategy).encode()) == Kind[form.upper()]


@pytest.mark.parametrize("kind", Kind)
def test_only_the_like_is_replaced(kind: Kind, tmp_path: Path) -> None:
    place = tmp_path / "place"
    for content in (*FOREIGN, *LIKE.values()):
        place.write_bytes(content)
        if Kind.of(content) == kind:
            check_target(place, kind)
            write_whole(place, LIKE[kind])
            assert place.read_bytes() == LIKE[kind]
            continue
        refused(OutputError, "--force", check_target, place, kind)
        refused(OutputError, "--force", write_whole, place, LIKE[kind])
        assert place.read_bytes() == content
        check_target(place, kind, force=True)
        write_whole(place, LIKE[kind], force=True)
        assert place.read_bytes() == LIKE[kind]


def test_a_shipped_list_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, by a link, by another name of the same file; with --force too."""
    path = lists.data_folder() / "original-answers.txt"
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    places = [path, tmp_path / "link", path.parent / "new.txt"]
    copy = tmp_path / "shipped"
    copy.mkdir()
    (copy / "list.txt").write_text("crane\n")
    (tmp_path / "twin").hardlink_to(copy / "list.txt")
    monkeypatch.setattr(output, "_SHIPPED", (*output._SHIPPED, copy))
    for place in (*places, copy / "list.txt", tmp_path / "twin"):
        refused(OutputError, "is shipped", check_target, place, Kind.STRATEGY, force=True)
        refused(OutputError, "is shipped", write_whole, place, STRATEGY, force=True)
    assert path.read_bytes() == before and not (path.parent / "new.txt").exists()


def test_commands_ask_before_they_work(knuthle: Knuthle, tiny: Path) -> None:
    mine = Path("mine.txt")
    mine.write_text("crane\nslate\n")
    shipped = lists.data_folder() / "original-answers.txt"
    work = ("solve-all", "--list", tiny)
    assert knuthle(*work, "--out", "a.strategy").code == 0
    for command in (
        (*work, "--out"), (*work, "--out", "b.strategy", "--json"),
        (*work, "--out", "b.strategy", "--csv"), ("export", "a.strategy", "--out"),
        ("lookup", "a.strategy", "--json"),
        ("optimal", "--list", tiny, "--out", "b.strategy", "--proof"),
    ):  # fmt: skip
        for place in (mine, shipped):
            outcome = knuthle(*command, place)
            assert (outcome.code, outcome.out) == (2, ""), command
            assert ("--force" if place == mine else "is shipped") in outcome.err
        assert knuthle(*command, shipped, "--force").code == 2
    for command in (("buckets", "crane", "--plot"), ("cheatsheet", "crane", "--card")):
        picture = mine.rename("mine.svg")
        outcome = knuthle(*command, picture, "--list", tiny)
        assert (outcome.code, "--force" in outcome.err) == (2, True)
        mine = picture.rename("mine.txt")
    assert mine.read_text() == "crane\nslate\n"
    assert not Path("b.strategy").exists()
    assert knuthle(*work, "--out", mine, "--force").code == 0
    assert knuthle("verify", mine).code == 0 and knuthle(*work, "--out", mine).code == 0


# --- permissions -----------------------------------------------------------------------------
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o666])
def test_a_replaced_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    place = tmp_path / "a.strategy"
    place.write_bytes(STRATEGY)
    place.chmod(mode)
    write_whole(place, STRATEGY + b"more")
    assert stat.S_IMODE(place.stat().st_mode) == mode


def test_a_new_file_has_the_usual_ones(tmp_path: Path) -> None:
    """And one that is empty is anybody's; but a read-only one is refused."""
    new, empty = tmp_path / "new", tmp_path / "empty"
    before = os.umask(0o027)
    write_whole(new, STRATEGY)
    os.umask(before)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    empty.touch()
    check_target(empty, Kind.PROOF)
    write_whole(empty, STRATEGY)
    assert empty.read_bytes() == STRATEGY
    new.chmod(0o444)
    for force in (False, True):
        for ask, what in ((check_target, Kind.STRATEGY), (write_whole, STRATEGY + b"more")):
            refused(OutputError, "cannot be written", ask, new, what, force=force)
    assert new.read_bytes() == STRATEGY


# --- devices and streams ---------------------------------------------------------------------
@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs /dev/shm")
def test_files_in_memory_are_files() -> None:
    place = Path("/dev/shm") / f"knuthle-test-{os.getpid()}"
    try:
        write_whole(place, STRATEGY)
        first = place.stat().st_ino
        write_whole(place, STRATEGY)
        assert place.stat().st_ino != first  # renamed, not overwritten
        refused(OutputError, "two things", check_apart, [place], [place])
    finally:
        place.unlink(missing_ok=True)


LIMITED = """
import resource, sys
from strategy.files.output import write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    write_whole(sys.argv[1], b"KNUTHLE\\n\\x01S" + bytes(20000))
except Exception as error:
    sys.exit(getattr(error, "exit_code", 9))
"""


@pytest.mark.parametrize("folder", ["", "/dev/shm"])
def test_nothing_is_cut_to_pieces(folder: str, tmp_path: Path) -> None:
    if folder and not os.access(folder, os.W_OK):
        pytest.skip("needs /dev/shm")
    place = Path(folder or tmp_path) / f"knuthle-cut-{os.getpid()}"
    place.write_bytes(STRATEGY)
    try:
        run = subprocess.run([sys.executable, "-c", LIMITED, place], check=False)
        assert run.returncode == 3
        assert place.read_bytes() == STRATEGY
    finally:
        place.unlink()
    assert not list(place.parent.glob(".knuthle-*"))


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@pytest.mark.parametrize(
    "name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "/dev/null"]
)
def test_streams_and_devices_are_written_to(name: str, tmp_path: Path) -> None:
    if name.startswith("/proc") and not Path(name).exists():
        pytest.skip("needs /proc")
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = "import sys; from strategy.files.output import *\ncheck_target(sys.argv[1], Kind.JSON)\n"
    code += "write_whole(sys.argv[1], b'{\"a\": 1}')"
    target = tmp_path / "target"
    target.write_text("something else, longer than that")
    with target.open("w") as out:
        place = tmp_path / name if name == "link" else name
        subprocess.run([sys.executable, "-c", code, place], check=True, stdout=out)
    assert target.read_bytes() == (b"" if name == "/dev/null" else b'{"a": 1}')
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, STRATEGY)
    assert os.read(reader, 100) == STRATEGY
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# --- names -----------------------------------------------------------------------------------
def test_names_too_long_are_wrong_input(knuthle: Knuthle, tiny: Path, tmp_path: Path) -> None:
    """So are links that lead nowhere."""
    (tmp_path / "loop").symlink_to("loop")
    for place in (tmp_path / "loop" / "a", tmp_path / "loop"):
        refused(StrategyError, "", write_whole, place, STRATEGY)
    long, path = "x" * 300, "/".join(["y" * 200] * 30)
    (tmp_path / "a.strategy").write_bytes(envelope.pack(envelope.STRATEGY, {}))
    for name in (long, f"{long}/a", path, f"{tmp_path}/{path}"):
        refused(OutputError, "", check_target, name, Kind.STRATEGY)
        for command in (
            ("solve-all", "--list", tiny, "--out", name),
            ("solve-all", "--list", tiny, "--json", name),
            ("solve-all", "--list", tiny, "--resume", name), ("solve-all", "--list", name),
            ("solve-all", "--list", tiny, "--secrets", name), ("verify", name),
            ("verify", tmp_path / "a.strategy", "--words", name),
            ("check-proof", name), ("export", name),
            ("export", tmp_path / "a.strategy", "--out", name),
            ("lookup", name),
        ):  # fmt: skip
            outcome = knuthle(*command)
            assert (outcome.code, outcome.out) == (2, ""), command


@pytest.mark.parametrize(("stem", "fits"), [
    ("my words, 2nd", True), ("\u00e4\u00f6\u00fc \u6f22\u5b57 \U0001f7e9", True),
    ("x" * 200, True), ("x" * 201, False), ("back\\slash", False), ("new\nline", False),
    ("esc\x1b[31m", False), ("turned\u202eround", False), ("hidden\u200bspace", False),
])  # fmt: skip
def test_what_is_written_is_read(knuthle: Knuthle, tmp_path: Path, stem: str, fits: bool) -> None:
    """One rule for names, where files are written; told before the work."""
    mine = tmp_path / f"{stem}.txt"
    mine.write_text("crane\nslate\nabide\n")
    for options in (("--list", mine), ("--list", mine, "--secrets", mine)):
        outcome = knuthle("solve-all", *options, "--out", "a.strategy", "--json", "-")
        assert outcome.code == (0 if fits else 2)
        if fits:
            assert json.loads(outcome.out)["list"] == stem
            assert knuthle("verify", "a.strategy").code == 0
            assert knuthle("lookup", "a.strategy").code == 0
            proved = knuthle("optimal", *options, "--out", "a.strategy", "--proof", "a.proof")
            assert proved.code == 0
            checked = knuthle("check-proof", "a.proof", "--words", mine, "--secrets", mine)
            assert (checked.code, f"PROVED  '{stem}' " in checked.out) == (0, True)
        else:
            assert "rename the list" in outcome.err and outcome.err.count("\n") == 1
            assert not Path("a.strategy").exists()


#: It would clear the screen, set the title, turn text red and round, and forge a line.
EVIL = "a\x1b[2J\x1b[31m\x1b]0;title\x07\u202e\u2028\x9b31m b\nPROVED c\r"


@given(st.text())
def test_whatever_is_shown_is_plainly_visible(text: str) -> None:
    """And names are one line."""
    assert printable(text).isprintable() and quoted(text).isprintable()
    assert len(printable(text, 5)) <= 5 * 10
    if text.isprintable():
        assert printable(text) == text
    if is_name(text):
        assert text and len(text.splitlines()) == 1
        assert not set(text) & set("/\\\x1b\x9b\u202e\u200b")


def test_what_is_shown_can_be_told_apart() -> None:
    """The last look leaves lines alone."""
    assert plain("a\nb\x1b\tc █▏ é") == "a\nb\\x1b\\tc █▏ é"
    assert printable("a\x1b[31m\u202e\udc80") == r"a\x1b[31m\u202e\udc80"
    assert printable("\u00e9t\u00e9 \U0001f7e9") == "\u00e9t\u00e9 \U0001f7e9"
    assert printable("abcdef", 4) == "abc\u2026" and printable("abcd", 4) == "abcd"
    assert quoted("x" * 1000) == f"'{'x' * 199}\u2026'"


def test_nothing_in_a_file_reaches_the_terminal_raw(knuthle: Knuthle, tmp_path: Path) -> None:
    game = alike(0, 12, 7)
    proof = proof_of(game)
    body = strategy_file.to_body(strategy_of(game))
    stated = proof_file.to_body(proof)
    keys = ("list_name", "secrets_name", "guesses_digest", "game", "rule", "guess_from")
    heads: list[dict[str, object]] = [{key: EVIL} for key in keys]
    heads += [{EVIL: 1}, {"claim": {EVIL: EVIL, "objective": [EVIL, {EVIL: 1}]}}, {"start": [EVIL]}]
    bodies = [(envelope.STRATEGY, body | {EVIL: 1}), (envelope.STRATEGY, body | {"digest": EVIL})]
    bodies += [(envelope.STRATEGY, body | {"origin": body["origin"] | head}) for head in heads]
    for key in stated["statement"]:
        changed = stated["statement"] | {key: EVIL}
        bodies.append((envelope.PROOF, stated | {"statement": changed}))
    bodies += [(envelope.PROOF, stated | {"shown": [EVIL]}), (envelope.FINDINGS, {EVIL: EVIL})]
    bodies += [(envelope.FINDINGS, {"found": [], EVIL: EVIL, "game": EVIL})]
    (tmp_path / "words").write_text("\n".join(game.guesses))
    for number, (kind, changed) in enumerate(bodies):
        path = tmp_path / f"{number}{EVIL}"
        path.write_bytes(envelope.pack(kind, changed))
        for command in (
            ("verify", path), ("check-proof", path, "--words", tmp_path / "words"),
            ("export", path, "--out", "x"), ("lookup", path),
        ):  # fmt: skip
            outcome = knuthle(*command)
            assert (outcome.out + outcome.err).replace("\n", "").isprintable(), (command, changed)
        path.unlink()
        Path("x").unlink(missing_ok=True)


def harmless(outcome: Outcome) -> bool:
    """Whether a terminal shows all of it as it is, with no line of somebody else's making."""
    lines = (outcome.out + outcome.err).split("\n")
    return all(line.isprintable() and not line.startswith("PROVED c") for line in lines)


@pytest.fixture
def evil_list(tiny: Path) -> Path:
    path = tiny.parent / f"{EVIL}.txt"
    path.write_text(tiny.read_text())
    return path


@pytest.mark.parametrize("arguments", [
    (EVIL,), ("help", EVIL), ("lookup", EVIL), ("lookup", f"--{EVIL}"),
    ("export", EVIL), ("explore", EVIL), ("explore", "--serve", EVIL), ("check-proof", EVIL),
    ("verify", EVIL), ("verify", EVIL, "--words", EVIL), ("verify", "--list", EVIL, "x"),
    ("verify", "-o", "x", EVIL), ("compare", EVIL, EVIL), ("referee", "--", EVIL),
    ("solve-all", "--list", EVIL), ("solve-all", "--secrets", EVIL), ("solve-all", "--rule", EVIL),
    ("solve-all", "--start", EVIL), ("solve-all", "--game", EVIL), ("solve-all", "--within", EVIL),
    ("solve-all", "--workers", EVIL), ("solve-all", f"--{EVIL}"), ("solve-all", f"--{EVIL}=1"),
    ("solve-all", "--out", f"{EVIL}/x"), ("solve-all", "--json", f"{EVIL}/x"),
    ("solve-all", "--out", f"none/{EVIL}"), ("five-words", EVIL), ("suggest", EVIL),
    ("optimal", "--state", EVIL), ("optimal", "--time-limit", EVIL), ("openers", EVIL),
    ("buckets", "crane", "--plot", EVIL), ("cheatsheet", "crane", "--card", EVIL),
    ("pairs", "--with", EVIL),
], ids=lambda arguments: " ".join(arguments[:-1]) or "command")  # fmt: skip
def test_errors_show_foreign_text_escaped(knuthle: Knuthle, arguments: tuple[str, ...]) -> None:
    outcome = knuthle(*arguments)
    assert outcome.code == 2 and harmless(outcome)


def test_names_of_files_and_lists_are_shown_escaped(knuthle: Knuthle, evil_list: Path) -> None:
    folder = Path("folder\x1b[2J\nPROVED c")
    folder.mkdir()
    out = folder / "out"
    for command in ("solve-all", "optimal"):
        assert harmless(knuthle(command, "--list", evil_list))
        assert harmless(knuthle(command, "--list", evil_list, "--secrets", evil_list))
    safe = evil_list.rename(evil_list.parent / "safe.txt")
    for command in ("solve-all", "optimal"):
        made = knuthle(command, "--list", safe, "--out", out, "--json", folder / "json")
        assert (made.code, harmless(made)) == (0, True)
        assert "written to folder\\x1b[2J\\nPROVED c/out" in made.out
        assert json.loads((folder / "json").read_text())["file"] == str(out)
        out.unlink()
        (folder / "json").unlink()


def test_machines_get_names_as_they_are(knuthle: Knuthle, tiny: Path, evil_list: Path) -> None:
    name = "folder\x1b[2J\nPROVED c"
    assert knuthle("solve-all", "--list", tiny, "--out", name).code == 0
    for asked in ("verify", "lookup", "export"):
        assert harmless(knuthle(asked, name))
    assert report_of(knuthle, "verify", name)["file"] == name
    evil_list.write_text("crane\ncrane\nslate\n")
    for command in (["suggest"], ["openers"], ["pairs"], ["buckets", "crane"]):
        outcome = knuthle(*command, "--list", evil_list)
        assert (outcome.code, harmless(outcome)) == (0, True)
        assert "repeated words count once" in outcome.err


Body = dict[str, Any]

TREE = ("guess", "parent", "score", "hit")


# --- round trip ---------------------------------------------------------------------------
def test_reading_gives_back_what_was_written(lares: Solved, lares_file: Path) -> None:
    strategy = Strategy.load(lares_file)
    assert strategy.origin == lares.strategy.origin
    assert strategy.words == lares.strategy.words
    for name in TREE:
        assert list(getattr(strategy, name)) == list(getattr(lares.strategy, name))
    assert strategy_file.to_bytes(strategy) == lares_file.read_bytes()
    assert verify_file(lares_file).taken == lares.verdict.taken
    # It is small and says nothing of the machine.
    content = lares_file.read_bytes()
    assert len(content) <= 200_000 and str(lares_file.parent).encode() not in content


@pytest.mark.parametrize(("code", "heavy"), [
    ("from strategy.tree import Strategy;"
     "Strategy.load(sys.argv[1]).next_guess([('lares', 'bbybb')])", {"numpy", "numba"}),
    ("from strategy.cli import main; assert main(['verify', sys.argv[1]]) == 0",
     {"numpy", "numba", "solver"}),
    ("import strategy; dir(strategy); strategy.Strategy;"
     "assert strategy.verify(sys.argv[1]).worst == 7", {"numpy", "numba", "solver"}),
    ("import knuthle; knuthle.Strategy", {"numpy"}), ("import strategy.pictures.page", {"numpy"}),
    ("from strategy.cli import main; assert main(['lists']) == 0", {"strategy.cli.checkout"}),
])  # fmt: skip
def test_readers_and_checkers_load_little(lares_file: Path, code: str, heavy: set[str]) -> None:
    said_by(f"import sys; {code}; assert not {heavy} & set(sys.modules)", lares_file)


# --- look-up ------------------------------------------------------------------------------
def test_the_file_plays_as_the_text_says(lares: Solved) -> None:
    strategy = lares.strategy
    draw = random.Random(1)
    for line in draw.sample(list(text_lines(strategy)), 300):
        parts = line.split()
        steps = list(zip(parts[::2], parts[1::2], strict=True))
        assert steps[-1][1] == "ggggg"
        for number, (word, score) in enumerate(steps):
            assert strategy.next_guess(steps[:number]) == word
            assert naive.marks(word, steps[-1][0]) == score
        assert steps[-1][0] in strategy.remaining(steps[:-1])
    left = [w for w in strategy.secrets if naive.marks("lares", w) == "bbybb"]
    assert strategy.remaining([("lares", "bbybb")]) == left
    second = strategy.next_guess([("lares", "bbybb")])
    left = [w for w in left if naive.marks(second, w) == "bybbb"]
    assert strategy.remaining([("lares", "bbybb"), (second, "bybbb")]) == left


@pytest.mark.parametrize(("history", "step"), [
    ([("crane", "bbbbb")], 1), ([("lares", "bbybb"), ("xylyl", "bbbbb")], 2),
])  # fmt: skip
def test_states_that_never_come_up(lares: Solved, history: list[Step], step: int) -> None:
    """What is said of them stands in the table of refusals."""
    with pytest.raises(UnknownStateError) as error:
        lares.strategy.next_guess(history)
    assert error.value.step == step and lares.strategy.get(history) is None
    assert lares.strategy.get(history, "none") == "none"


# --- damage to the bytes -------------------------------------------------------------------
def test_a_flipped_byte_anywhere_is_caught(lares_file: Path) -> None:
    content = lares_file.read_bytes()
    draw = random.Random(2)
    for place in draw.sample(range(len(content)), 1000):
        damaged = bytearray(content)
        damaged[place] ^= draw.randrange(1, 256)
        refused(BadFileError, "", envelope.unpack, bytes(damaged), "damaged")


@pytest.mark.parametrize(("change", "kind"), [
    (lambda c: b"", "empty"), (lambda c: c[:5], "truncated"), (lambda c: c[:-1], "truncated"),
    (lambda c: c[: len(c) // 2], "truncated"), (lambda c: c + b"\n", "length"),
    (lambda c: b"PK\x03\x04" + c, "foreign"), (lambda c: c[:8] + b"\x09" + c[9:], "newer"),
    (lambda c: c[:-1] + bytes([c[-1] ^ 1]), "checksum"),
])  # fmt: skip
def test_damage_is_named(
    lares_file: Path, tmp_path: Path, change: Callable[[bytes], bytes], kind: str
) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(change(lares_file.read_bytes()))
    with pytest.raises(BadFileError) as error:
        strategy_file.load_tree(path)
    assert error.value.kind == kind and str(path) in str(error.value)


JSONLIKE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["origin", "words", "guess", "nodes", "hit"]), JSONLIKE))
def test_any_body_is_read_or_refused(body: Body) -> None:
    refused(BadFileError, "", strategy_file.from_body, body, "any")


@given(key=st.sampled_from(sorted(["origin", "length", "words", *TREE, "nodes", "histogram"])))
def test_a_missing_key_is_refused(lares: Solved, key: str) -> None:
    body = strategy_file.to_body(lares.strategy)
    del body[key]
    refused(BadFileError, "", strategy_file.from_body, body, "missing")
    refused(BadFileError, r"x: it has too .* keys: \['claim', 'game', ", strategy_file.from_body,
            strategy_file.to_body(lares.strategy) | {"origin": {}}, "x")  # fmt: skip


# --- writing ------------------------------------------------------------------------------
def test_a_failed_write(lares: Solved, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.strategy"
    path.write_bytes(b"KNUTHLE\n\x01S, old")
    monkeypatch.setattr("os.fsync", raising(OSError(28, "No space left on device")))
    with pytest.raises(StrategyError, match="No space left on device") as error:
        lares.strategy.save(path)
    assert error.value.exit_code == 3
    assert [p.name for p in tmp_path.iterdir()] == ["a.strategy"]
    assert path.read_bytes() == b"KNUTHLE\n\x01S, old"
    refused(OutputError, "is a directory", lares.strategy.save, tmp_path)
    nowhere = tmp_path / "none" / "a.strategy"
    refused(OutputError, "there is no directory", lares.strategy.save, nowhere)


MEGA = 1 << 20
BOMBS = {
    "empty maps": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA) + b"\x80" * MEGA,
    "empty lists": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA) + b"\x90" * MEGA,
    "a map of maps": b"\xdf" + struct.pack(">I", MEGA // 6) + b"\xa4abcd\x80" * (MEGA // 6),
    "nested lists": b"\x81\xa1x" + b"\x91" * MEGA + b"\xc0",
    "nested maps": b"\x81\xa1x" * (MEGA // 3) + b"\xc0",
    "nested headers": b"\x81\xa1x" + b"\xdd\xff\xff\xff\xff" * (MEGA // 5),
    "one long header": b"\xdf\xff\xff\xff\xff",
    "numbers": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA // 3) + b"\xcd\xff\xff" * (MEGA // 3),
    "texts": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA // 2) + b"\xa1\x01" * (MEGA // 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_are_built(name: str) -> None:
    content = sealed(BOMBS[name])
    tracemalloc.start()
    refused(BadFileError, "exceeds max|StackError", envelope.unpack, content, name)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * MEGA  # a copy of the file; what is built would take many


def test_a_command_stays_small(tmp_path: Path) -> None:
    """Measured from outside, with a bomb of eight megabytes."""
    path = tmp_path / "bomb"
    path.write_bytes(sealed(b"\x81\xa1x\xdd" + struct.pack(">I", 8 * MEGA) + b"\x80" * (8 * MEGA)))
    code = (
        "import resource, sys; from strategy.cli import main\n"
        "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "main(['lookup', 'nothing']); before = most(); code = main(['lookup', sys.argv[1]])\n"
        "print(code, most() - before)"
    )
    code, grown = map(int, ran([sys.executable, "-c", code, path]).stdout.split())
    assert code == 2 and grown < 64 << (20 if sys.platform == "darwin" else 10)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=40)
    | st.binary(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(), inner, max_size=20),
    max_leaves=30,
)


@given(VALUES)
def test_whatever_is_written_is_read_again(value: Any) -> None:
    content = envelope.pack(envelope.FINDINGS, {"x": value})
    assert envelope.unpack(content, "some") == (envelope.FINDINGS, {"x": value})
    packed = msgpack.packb({"x": value})
    for wrong in (packed + b"\0", packed[:-1], packed[1:]):
        refused(BadFileError, "some: (no msgpack|its body)", envelope.unpack, sealed(wrong), "some")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_map_or_refused(packed: bytes) -> None:
    try:
        kind, body = envelope.unpack(sealed(packed), "some")
        assert kind == envelope.STRATEGY and isinstance(body, dict)
    except BadFileError as error:
        assert str(error).startswith("some: ") and str(error).isprintable()


def packed_map(*pairs: tuple[Any, Any]) -> bytes:
    """A map with these keys, one of them twice if it is said twice."""
    return bytes([0x80 + len(pairs)]) + b"".join(msgpack.packb(x) for pair in pairs for x in pair)


def test_a_key_stands_once_and_is_a_text(tmp_path: Path, knuthle: Knuthle) -> None:
    for pairs in ((("a", 1), ("a", 1)), (("a", 1), ("b", 2), ("a", 3))):
        twice = packed_map(*pairs)
        for packed in (twice, b"\x81\xa1x" + twice, b"\x81\xa1x\x91" + twice):
            refused(BadFileError, "x: a key stands twice", envelope.unpack, sealed(packed), "x")
    for key in (1, None, True, 2.5):
        packed = packed_map((key, 1))
        refused(BadFileError, "x: no msgpack of ours", envelope.unpack, sealed(packed), "x")
    for kind in (b"S", b"P", b"R", b"F"):
        (tmp_path / "file").write_bytes(sealed(packed_map((b"origin", {})), kind))
        said = knuthle("lookup", tmp_path / "file")
        assert said.code == 2 and "file" in said.err


def test_the_limits_are_just_where_they_are_stated() -> None:
    many = [None] * (verify.MOST_VALUES - 2)
    pairs = dict.fromkeys(map(str, range(verify.MOST_VALUES // 2 - 1)))
    lists = [[[None] * 99] * 99] * (verify.MOST_VALUES // 9999)
    for value in (many, pairs, lists[:-1]):
        content = envelope.pack(envelope.STRATEGY, {"x": value})
        assert envelope.unpack(content, "large") == (envelope.STRATEGY, {"x": value})
    for body in ({"x": [*many, None]}, {"x": pairs, "y": None}, {"x": [*lists, *lists]}):
        with pytest.raises(OutputError, match="too large for a file: more than 131,072 values"):
            envelope.pack(envelope.STRATEGY, body)
        content = sealed(msgpack.packb(body))
        refused(BadFileError, "larger: more than", envelope.unpack, content, "larger")


def test_files_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = envelope.pack(envelope.STRATEGY, {"x": "abc"})
    (tmp_path / "file").write_bytes(content)
    monkeypatch.setattr(envelope, "LARGEST", len(content))
    assert envelope.read(tmp_path / "file")[1] == {"x": "abc"}
    refused(OutputError, "too large for a file", envelope.pack, envelope.STRATEGY, {"x": "abcd"})
    (tmp_path / "file").write_bytes(content + b"x")
    refused(BadFileError, "is no knuthle file", envelope.read, tmp_path / "file")
