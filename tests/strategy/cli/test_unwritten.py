"""Outputs that cannot be written: known before the work, or each told without losing another."""

import errno
import json
from pathlib import Path

import pytest

from strategy.tree import Strategy
from tests.support import raising
from tests.support.commands import Knuthle

FULL = "No space left on device"


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A disk on which no file finds room whose name has a word of this list in it."""
    words = [""]

    def give_permissions(new: Path, place: Path) -> None:
        if any(word in place.name for word in words):
            raise OSError(errno.ENOSPC, FULL)

    monkeypatch.setattr("strategy.files.output._give_permissions", give_permissions)
    return words


def are_named(text: str, *names: str) -> bool:
    places = [text.find(f"{name}: {FULL}") for name in names]
    return -1 not in places and places == sorted(places) and text.count(FULL) == len(names)


#: As the bar is drawn.
CTRL_C = raising(KeyboardInterrupt())
OUTPUTS = ("--out", "a.strategy", "--resume", "a.aside", "--json", "a.json", "--csv", "a.csv")


def test_an_interrupted_search_on_a_full_disk(
    knuthle: Knuthle, tiny: Path, full: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strategy.cli.progress.Progress.__call__", CTRL_C)
    asked = ("optimal", "--list", tiny, "--secrets", "allowed", *OUTPUTS)
    outcome = knuthle(*asked)
    assert outcome.code == 130
    assert are_named(outcome.err, "a.json", "a.csv", "a-bound.strategy", "a.aside")
    full[:] = ["aside"]
    outcome = knuthle(*asked)
    assert outcome.code == 130 and are_named(outcome.err, "a.aside")
    assert "worst 2 (bound)" in outcome.out and "written to a-bound.strategy" in outcome.out
    assert not Strategy.load("a-bound.strategy").origin.claim["proved"]
    full[:] = ["strategy"]
    outcome = knuthle(*asked)
    assert are_named(outcome.err, "a-bound.strategy") and "written to" not in outcome.out
    assert Path("a.aside").exists()


def test_a_time_limit_on_a_full_disk(knuthle: Knuthle, tiny: Path, full: list[str]) -> None:
    asked = ("optimal", "--list", tiny, "--secrets", "allowed", "--time-limit", "1e-9", *OUTPUTS)
    outcome = knuthle(*asked)
    assert outcome.code == 3
    assert are_named(outcome.err, "a.json", "a.csv", "a-bound.strategy", "a.aside")
    assert "no strategy file written" in outcome.out
    for room in ("strategy", "aside", "json", "csv"):
        full[:] = {"strategy", "aside", "json", "csv"} - {room}
        outcome = knuthle(*asked)
        assert outcome.code == 3
        (left,) = Path().glob("a[.-]*")
        assert left.suffix == f".{room}"
        left.unlink()


def test_a_result_on_a_full_disk(knuthle: Knuthle, tiny: Path, full: list[str]) -> None:
    asked = ("optimal", "--list", tiny, "--secrets", "allowed", "--proof", "a.proof", *OUTPUTS)
    outcome = knuthle(*asked)
    assert outcome.code == 3
    assert are_named(outcome.err, "a.json", "a.csv", "a.strategy", "a.proof", "a.aside")
    assert "total 13, mean 1.8571, worst 2 (proved)" in outcome.out
    full[:] = ["strategy"]
    outcome = knuthle(*asked)
    assert outcome.code == 3 and are_named(outcome.err, "a.strategy")
    assert {path.suffix for path in Path().glob("a.*")} == {".proof", ".aside", ".json", ".csv"}
    assert json.loads(Path("a.json").read_text())["file"] is None
    full[:] = ["proof"]
    outcome = knuthle(*asked)
    assert (outcome.code, Path("a.strategy").exists()) == (3, True)
    full[:] = ["nothing"]
    outcome = knuthle(*asked)
    assert (outcome.code, "a." in outcome.err, Path("a.aside").exists()) == (0, False, False)


def test_solve_all_on_a_full_disk(
    knuthle: Knuthle, tiny: Path, full: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("solve-all", "--list", tiny, *OUTPUTS)
    outcome = knuthle(*asked)
    assert outcome.code == 3 and are_named(outcome.err, "a.strategy", "a.json", "a.csv")
    assert "no file written" in outcome.out
    full[:] = ["strategy", "csv"]
    assert knuthle(*asked).code == 3
    assert Path("a.json").exists()
    full[:] = [""]
    monkeypatch.setattr("strategy.cli.progress.Progress.__call__", CTRL_C)
    outcome = knuthle(*asked)
    assert outcome.code == 130 and are_named(outcome.err, "a.aside")


@pytest.mark.parametrize("command", ["optimal", "solve-all"])
@pytest.mark.parametrize("start", ["auto", "crane"])
def test_an_impossible_default_name_is_refused_before_the_search(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch, command: str, start: str
) -> None:
    def search(*_: object, **__: object) -> None:
        pytest.fail("it has begun to search")

    monkeypatch.setattr("strategy.solving.optimal.optimal", search)
    monkeypatch.setattr("strategy.solving.by_rule.solve", search)
    rule = "optimal" if command == "optimal" else "minimax"
    asked = (command, "--list", tiny, "--secrets", "allowed", "--start", start)
    name = f"crane-{tiny.stem}-allowed-{rule}.strategy"
    Path(name).write_text("somebody's notes")
    outcome = knuthle(*asked)
    assert (outcome.code, outcome.out) == (2, "")
    assert f"{name}: holds something else already" in outcome.err
    Path(name).unlink()
    Path(name).mkdir()
    assert f"{name}: is a directory" in knuthle(*asked).err
    long = tiny.with_name("n" * 199 + ".txt")
    long.write_text(tiny.read_text())
    secrets = tiny.with_name("s" * 60 + ".txt")
    secrets.write_text("crane\n")
    outcome = knuthle(command, "--list", long, "--secrets", secrets, "--start", start)
    assert (outcome.code, outcome.out) == (2, "") and "too long for a file name" in outcome.err


def test_other_files_stand_in_nobodys_way(knuthle: Knuthle, tiny: Path) -> None:
    """Only words of the list begin the name of a strategy."""
    Path(f"zzzzz-{tiny.stem}-allowed-optimal.strategy").write_text("somebody's notes")
    assert knuthle("optimal", "--list", tiny, "--secrets", "allowed").code == 0
