"""The package for npm: what an installation unpacks answers as the engine of the sources does."""

import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT
from tests.support.node import Engine, require_node
from tools.web import package

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
    with tarfile.open(packed) as archive:  # as npm does: without scripts, below node_modules
        archive.extractall(tmp_path, filter="data")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "package").rename(tmp_path / "node_modules" / "knuthle-engine")
    (tmp_path / "ask.mjs").write_text(ASK, encoding="utf-8")
    command = [require_node(), "ask.mjs", json.dumps(QUESTIONS)]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    answers = json.loads(ended.stdout)
    assert len(answers) == 10 and not [it for it in answers if "error" in it]
    assert answers == [engine.ask(method, *args, game=of) for of, method, args in QUESTIONS]


def test_equal_sources_give_equal_bytes(packed: Path, tmp_path: Path) -> None:
    assert package.write(tmp_path).read_bytes() == packed.read_bytes()


def test_it_has_what_its_description_names(packed: Path) -> None:
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
