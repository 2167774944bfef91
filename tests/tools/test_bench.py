"""Benchmarks: what is extrapolated, left out and refused, without a time; and the signature."""

import json
import sys
from pathlib import Path

import pytest

from tests.support import refused
from tests.support.commands import ran
from tools.benches import signature
from tools.benches.harness import Bench, duration


@pytest.fixture
def bench() -> Bench:
    return Bench(quick=True)


def test_rungs_take_turns_and_every_call_gets_a_fresh_memo(bench: Bench) -> None:
    calls, memos = list[str](), list[int]()

    def call(memo: dict[str, int], name: str) -> None:
        calls.append(name)
        memo["seen"] = memo.get("seen", 0) + 1
        memos.append(memo["seen"])

    with bench.ladder("turns") as ladder:
        for name in ("a", "b"):
            ladder.rung(name, lambda memo, name=name: call(memo, name), fresh=dict, repeat=9)
    assert calls == ["a", "b"] + ["a", "b"] * 3  # after a first call; --quick: three rounds at most
    assert memos == [1] * len(calls)


def test_a_part_is_scaled_and_labelled(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    with bench.ladder("parts", per=(1000, "word")) as ladder:
        part = ladder.rung("part", lambda: 7, part=(10, 1000, "words"), repeat=1, found=abs)
    assert part.wall == part.samples[0].wall * 100
    line = next(line for line in capsys.readouterr().out.splitlines() if "  part" in line)
    assert line.endswith("≈ extrapolated from 10 of 1,000 words.")
    assert (part.scale, part.facts) == (100, {"found": 7})


def test_commands_are_measured_as_processes(bench: Bench) -> None:
    """One that fails ends the run with its words."""
    with bench.ladder("commands") as ladder:
        rung = ladder.command("print", [sys.executable, "-c", "print('x' * 3)"], repeat=1)
    assert rung.result == "xxx\n" and rung.cpu > 0
    failing = "import sys; sys.exit(print('no such thing', file=sys.stderr) or 3)"
    with pytest.raises(SystemExit, match="ended 3:\nno such thing"), bench.ladder("bad") as ladder:
        ladder.command("bad", [sys.executable, "-c", failing])


def test_a_wrong_result_ends_the_run(bench: Bench) -> None:
    bench.check(True, "one is one")
    refused(SystemExit, "does not hold: one is two", bench.check, False, "one is two")


def test_durations_are_read_by_people() -> None:
    seconds = [0.0, 5e-9, 1.5e-6, 0.0006, 0.096, 1.0, 119, 120, 7200, 3.5e5]
    expected = "0.00 ns,5.00 ns,1.50 µs,600 µs,96.0 ms,1.00 s,119 s,2.00 min,2.00 h,4.05 days"
    assert ",".join(map(duration, seconds)) == expected


def test_topics_are_listed_and_checked() -> None:
    command = [sys.executable, "-m", "tools.benches"]
    assert "\nfive-words " in "\n" + ran([*command, "--list"]).stdout
    wrong = ran([*command, "nonsense"])
    assert wrong.returncode == 2 and "unknown topic: nonsense (there are:" in wrong.stderr


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
