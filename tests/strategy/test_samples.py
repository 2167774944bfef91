"""Files of every earlier version stay readable: samples of each, and what it answered."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import msgpack
import pytest

from strategy.files import envelope
from strategy.sweep import store
from tests.support import ROOT
from tests.support.commands import Knuthle, report_of
from tests.support.sweeps import altered
from tools import samples

SAMPLES = ROOT / "tests" / "samples"
FOLDERS = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
LATEST = SAMPLES / FOLDERS[-1]
#: What an answer has besides results: times, and sentences for people.
_NO_RESULT = ("seconds", "sentence")
OWN = "--list words.txt --secrets allowed"


def lost(said: Any, says: Any, where: str = "") -> Iterator[str]:
    """What an answer had and has no more, or has otherwise; keys may come to it."""
    if isinstance(said, dict) and isinstance(says, dict):
        for key, value in said.items():
            if key not in _NO_RESULT:
                below = f"{where}.{key}"
                yield from lost(value, says[key], below) if key in says else [f"{below} is gone"]
    elif isinstance(said, list) and isinstance(says, list) and len(said) == len(says):
        for at, (old, new) in enumerate(zip(said, says, strict=True)):
            yield from lost(old, new, f"{where}[{at}]")
    elif said != says:
        yield f"{where} was {said!r}, is {says!r}"


@pytest.mark.parametrize("folder", FOLDERS)
def test_files_of_every_version_are_read_as_they_were(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(SAMPLES / folder, tmp_path / "copy"))
    wrong = []
    for answer in json.loads(Path("answers.json").read_text()):
        found = samples.asked(answer["run"])
        wrong += [f"{answer['run']}: {what}" for what in lost(answer, found)]
    assert not wrong, "\n".join(wrong)


def test_what_is_lost_of_an_answer_is_named() -> None:
    said = {"a": [1, {"b": 2}], "c": None, "seconds": 1}
    assert not [*lost(said, {**said, "seconds": 2, "new": 3})]
    assert [*lost(said, {"a": [1, {"b": 3}]})] == [".a[1].b was 2, is 3", ".c is gone"]
    assert [*lost([1, 2], [1])] == [" was [1, 2], is [1]"]


def test_each_format_has_a_sample_of_its_present_version() -> None:
    sealed, findings, databases = set(), set(), set()
    for path in SAMPLES.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if content.startswith(envelope.MAGIC):
            kind, body = envelope.unpack(content, path.name)
            sealed.add((content[len(envelope.MAGIC)], kind))
            if kind == envelope.FINDINGS:
                findings.add(body["version"])
        elif content.startswith(b"SQLite"):
            databases.add(int.from_bytes(content[60:64], "big"))
    assert sealed >= {(envelope.VERSION, kind) for kind in envelope.KINDS}
    assert envelope.FINDINGS_VERSION in findings and store._FORM in databases


def test_each_folder_is_in_the_readme() -> None:
    readme = (SAMPLES / "README.md").read_text(encoding="utf-8")
    for folder in FOLDERS:
        assert f"| `{folder}` | {folder}" in readme


def test_the_page_names_the_versions_of_the_formats() -> None:
    page = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")
    for what, version in (
        ("strategy, unfinished strategy, proof", envelope.VERSION),
        ("findings", f"{envelope.VERSION}, its body {envelope.FINDINGS_VERSION}"),
        ("database of a sweep", store._FORM),
    ):
        assert f"| {what} | {version} |" in page


# --- files of a version that is not known yet ----------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, knuthle: Knuthle) -> Path:
    """A copy of the latest samples, in which the command runs."""
    return Path(shutil.copytree(LATEST, Path.cwd(), dirs_exist_ok=True))


def renewed(path: Path) -> None:
    """Make a sealed file one of the next version, whatever that may be."""
    content = path.read_bytes()[:-32]
    at = len(envelope.MAGIC)
    content = content[:at] + bytes([envelope.VERSION + 1]) + content[at + 1 :]
    path.write_bytes(content + hashlib.sha256(content).digest())


def newer_findings(path: Path) -> None:
    """Make findings those of the next version, which has something new."""
    _, body = envelope.read(path)
    body["version"] = envelope.FINDINGS_VERSION + 1
    body["what nobody knows yet"] = msgpack.packb(1)
    path.write_bytes(envelope.pack(envelope.FINDINGS, body))


def newer_sweep(path: Path) -> None:
    altered(path, f"PRAGMA user_version={store._FORM + 1}")


SWEPT = f"sweep run {OWN} --openers bcc --workers 1 --out"
SEALED = f"format version {envelope.VERSION + 1}; this knuthle reads up to"
FOUND = f"findings of version {envelope.FINDINGS_VERSION + 1}; this knuthle reads"
FORM = f"a sweep of form {store._FORM + 1}; this program knows {store._FORM}"
#: What makes files newer, which ones, what is said of them, and by which commands.
NEWER: list[tuple[Callable[[Path], None], str, str, list[str]]] = [
    (renewed, "*.strategy *.proof *.findings", SEALED, [
        "lookup minimax.strategy", "verify minimax.strategy", "export minimax.strategy",
        "compare minimax.strategy optimal.strategy", "explore minimax.strategy",
        "export minimax.strategy -o a.svg", "verify minimax.strategy -o b.strategy",
        "play --strategy minimax.strategy", "lookup total.proof", "check-proof total.proof",
        "lookup unfinished.strategy", "lookup search.findings",
        f"solve-all {OWN} --start bcc --resume unfinished.strategy",
        f"optimal {OWN} --resume search.findings",
    ]),
    (newer_findings, "search.findings", FOUND,
     ["lookup search.findings", f"optimal {OWN} --resume search.findings"]),
    (newer_sweep, "rule.sqlite", FORM,
     ["sweep status rule.sqlite", "sweep report rule.sqlite", f"{SWEPT} rule.sqlite",
      "sweep merge rule.sqlite --out new.sqlite"]),
]  # fmt: skip


@pytest.mark.parametrize(("renew", "files", "said", "line"), [
    (*newer, line) for *newer, lines in NEWER for line in lines
])  # fmt: skip
def test_a_file_of_a_newer_version_is_refused(
    folder: Path, knuthle: Knuthle, renew: Callable[[Path], None], files: str, said: str, line: str
) -> None:
    for path in chain(*map(folder.glob, files.split())):
        renew(path)
    ran = knuthle(*line.split())
    assert ran.code == 2 and len(ran.err.splitlines()) == 1 and said in ran.err


@pytest.mark.parametrize("name", ["rule.sqlite", "exact.sqlite"])
def test_a_sweep_of_another_version_is_read_and_not_continued(
    folder: Path, knuthle: Knuthle, name: str
) -> None:
    """It stays readable; rows of two versions do not come into one table."""
    altered(folder / name, "UPDATE question SET text = json_set(text, '$.version', ?)", "0.0.9")
    assert report_of(knuthle, "sweep", "report", name)["version"] == "0.0.9"
    assert knuthle("sweep", "status", name).code == 0
    assert knuthle("sweep", "merge", name, "--out", "merged.sqlite").code == 0
    rule = "" if name == "rule.sqlite" else "--rule optimal"
    ran = knuthle(*f"{SWEPT} {name} {rule}".split())
    assert ran.code == 2 and "the version of knuthle" in ran.err
