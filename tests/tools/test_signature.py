"""The signature: clocks and surroundings leave no trace in it, and a failing question is named."""

import json
from pathlib import Path

import pytest

from tools.benches import signature


def test_durations_are_left_out() -> None:
    report = {"total": 7, "seconds": {"all": 1.5}, "rows": [{"word": "a", "cpu_seconds": 2}]}
    kept = {"total": 7, "rows": [{"word": "a"}]}
    assert signature.without_durations(report) == kept
    assert json.loads(signature.cleaned("0.json", json.dumps(report).encode())) == kept
    text = b"every secret played: matrix 1.998 s, search 10 s"
    assert signature.cleaned("stdout", text) == b"every secret played: matrix # s, search # s"
    assert signature.cleaned("a.csv", text) == text


def test_surroundings_leave_no_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = signature.ask("lists")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LC_ALL", "C")
    after = signature.ask("lists")
    assert (before.digest, before.trouble) == (after.digest, "")
    assert not list(tmp_path.iterdir())


def test_every_bit_of_output_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = set()
    for question in ("lists", "lists --csv l.csv", "lists --quiet", "export --help"):
        monkeypatch.setitem(signature.QUESTIONS, "lists", question)
        digests.add(signature.ask("lists").digest)
    assert len(digests) == 4


def test_one_digest(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Unless a question fails, which is named."""
    assert signature.main(["--only", "lists", "--lines"]) == 0
    line, digest = capsys.readouterr().out.splitlines()
    assert line.split()[:2] == ["lists", signature.ask("lists").digest]
    assert len(digest) == signature.DIGITS
    monkeypatch.setitem(signature.QUESTIONS, "lists", "lists ; lists --nonsense")
    assert signature.main(["--only", "lists"]) == 1
    said = capsys.readouterr()
    assert said.out == "" and "lists FAILED: lists --nonsense: exit 2" in said.err
    assert "none, since these failed: lists" in said.err
