"""What is told and kept of a search that was broken off, or whose files find no room."""

import errno
import json
import os
import signal
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver.game.load import load_game
from solver.machine import clock as clocks
from solver.machine.clock import OutOfTimeError, compile_time
from strategy.solving.by_rule import Settings, solve
from strategy.solving.checks import Outcome
from strategy.solving.optimal import Optimal, better_bound, optimal
from strategy.tree import Strategy
from tests.strategy.conftest import Start
from tests.support import needs_compiler, raising, refused
from tests.support.commands import Knuthle, report_of

#: Options of a game of rhymes, which are in a file where the command runs.
OWN = ("--list", "rhymes.txt", "--secrets", "allowed")


@pytest.fixture
def rhymes(knuthle: Knuthle) -> Knuthle:
    Path("rhymes.txt").write_text("\n".join(f"{a}{b}zzz" for a in "abcdef" for b in "ijk"))
    return knuthle


def broken_off(knuthle: Knuthle, *options: object) -> dict[str, Any]:
    """The report of a search whose time is up at once, its file verified."""
    game = () if "--game" in options else OWN
    outcome = knuthle("optimal", *game, *options, "--time-limit", "1e-9", "--json", "j", "--force")
    report: dict[str, Any] = json.loads(Path("j").read_text())
    assert outcome.code == 3 and "what is reported is a bound" in outcome.err
    assert not report["proved"] and report["file"].endswith("-bound.strategy")
    assert f"written to {report['file']}" in outcome.out
    assert knuthle("verify", report["file"]).code == 0
    claim = Strategy.load(report["file"]).origin.claim
    assert (claim["proved"], claim["lower_bound"]) == (False, report["lower_bound"])
    if report["objective"] == "total":
        assert f"no strategy takes fewer than {report['lower_bound']:,}" in outcome.out
    elif report["objective"] == "worst":
        assert f"no strategy has a worst below {report['lower_bound']}" in outcome.out
    return report


@pytest.mark.parametrize("objective", ["total", "worst", "losses"])
@pytest.mark.parametrize("more", [(), ("--start", "aizzz"), ("--hard",), ("--width", "3")])
def test_whatever_is_broken_off_leaves_a_bound(
    rhymes: Knuthle, objective: str, more: tuple[str, ...]
) -> None:
    asked = (*more, "--within", "12", "--objective", objective)
    report, best = broken_off(rhymes, *asked), report_of(rhymes, "optimal", *OWN, *asked)
    figure = {"losses": "n_beyond"}.get(objective, objective)
    assert report["lower_bound"] <= best[figure] <= report[figure]


@pytest.mark.parametrize(
    ("objective", "start"), [("total", "auto"), ("total", "1122"), ("worst", "auto")]
)
def test_mastermind_broken_off_leaves_a_bound(
    knuthle: Knuthle, objective: str, start: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first look at the clock, and later, when parts of the best are known."""
    asked = ("--game", "mastermind:4x6", "--start", start, "--objective", objective)
    best = report_of(knuthle, "optimal", *asked)
    assert best["proved"]
    totals = []
    for looks in (0, 1):
        look = raising(OutOfTimeError("undecided"), looks)
        monkeypatch.setattr("strategy.solving.optimal.limit_clock", lambda _, look=look: look)
        report = broken_off(knuthle, *asked)
        assert report["lower_bound"] <= best[objective] <= report[objective]
        totals.append(report["total"])
    assert totals[1] <= totals[0] < 1.1 * best["total"]


def test_a_bound_never_takes_the_place_of_a_proved_strategy(rhymes: Knuthle) -> None:
    asked = ("optimal", *OWN, "--within", "none")
    for out, bound in ((), "*-optimal-bound.strategy"), (("--out", "a"), "a-bound.strategy"):
        rhymes(*asked, *out)
        (proved,) = Path().glob(out[1] if out else "*-optimal.strategy")
        before = proved.read_bytes()
        assert rhymes(*asked, *out, "--time-limit", "1e-9").code == 3
        assert proved.read_bytes() == before and len(list(Path().glob(bound))) == 1
    Path("b-bound.strategy").write_text("a word list")
    refused = rhymes(*asked, "--out", "b.strategy", "--time-limit", "1e-9")
    assert refused.code == 2 and "b-bound.strategy: holds something else already" in refused.err


def as_bound(strategy: Strategy, **claim: object) -> Strategy:
    """A strategy in a file of its own making: the search was broken off when it was found."""
    origin = strategy.origin
    return replace(strategy, origin=replace(origin, claim=origin.claim | {"proved": False} | claim))


def broken_result(strategy: Strategy) -> Optimal:
    outcome = Outcome(12, True, "exact", False)
    return Optimal(strategy, None, [], False, 0, outcome, {}, broken_off=True)


@pytest.mark.parametrize("objective", ["total", "worst", "losses"])
def test_which_of_two_bounds_stays(objective: str, tmp_path: Path) -> None:
    """The smaller figure, then the one that knows more; only where the question is the same."""
    words = "batch catch fatch hatch latch match natch patch ratch watch crumb blimp".split()
    game = load_game(words)
    path = tmp_path / "a-bound.strategy"

    def made(start: str, within: int = 12) -> Strategy:
        found = optimal(game, start=[start], objective=objective, within=within, workers=1)
        assert found.strategy is not None
        return as_bound(found.strategy, lower_bound=0)

    good = made("batch")
    other = Settings(("batch",), "minimax", guess_from="candidates")
    bad = as_bound(solve(game, other).strategy, **good.origin.claim)
    bad = replace(bad, origin=replace(good.origin, claim=bad.origin.claim))
    assert (bad.worst, bad.total) > (good.worst, good.total)

    def kept(old: Strategy, new: Strategy, any_start: bool = False) -> bool:
        old.save(path, force=True)
        stays = better_bound(broken_result(new), path, any_start=any_start)
        assert stays is None or stays.digest == old.digest
        return stays is not None

    assert kept(good, bad) and not kept(bad, good) and not kept(good, good)
    assert kept(as_bound(good, lower_bound=3), good)
    assert not kept(good, as_bound(good, lower_bound=3))
    assert not kept(bad, as_bound(bad, lower_bound=3)), "its figure is the same"
    assert kept(good, as_bound(bad, lower_bound=3)), "the figure counts before what is known"
    elsewhere = made("catch")
    worse = replace(bad, origin=replace(bad.origin, start=elsewhere.origin.start))
    assert not kept(good, worse) and kept(good, worse, any_start=True)
    assert kept(made("batch", within=11), bad) is (objective == "worst")
    assert not kept(replace(good, origin=replace(good.origin, hard=True)), bad)
    assert not kept(as_bound(good, objective="other"), bad)
    for then, better in (("fewest-of:3", -1), ("most-within:2", 1)):  # of equal totals
        best = optimal(game, workers=1, then=then).strategy
        assert best is not None
        told = [best.origin.then | {"value": best.origin.then["value"] + more, "proved": False}
                for more in (-better, 0, better)]  # fmt: skip
        worse, equal, nearer = (as_bound(best, then=it) for it in told)
        assert kept(nearer, equal) and not kept(worse, equal)
    path.write_bytes(b"no strategy")
    assert better_bound(broken_result(bad), path) is None
    path.unlink()
    assert better_bound(broken_result(bad), path) is None


def test_a_bound_never_takes_the_place_of_a_better_one(rhymes: Knuthle) -> None:
    broken = ("optimal", *OWN, "--out", "a", "--time-limit", "1e-9")
    assert "written to a-bound.strategy" in rhymes(*broken).out
    place = Path("a-bound.strategy")
    bound = Strategy.load(place)
    as_bound(bound, lower_bound=1_000_000).save(place, force=True)
    before = place.read_bytes()
    kept = rhymes(*broken, "--json", "j", "--force")
    assert kept.code == 3 and "no strategy file written" in kept.out
    assert (
        "a-bound.strategy stays as it is: an earlier search has left a better bound there "
        f"(total {bound.total:,}, worst {bound.worst}, lower bound 1,000,000)\n"
    ) in kept.err
    assert place.read_bytes() == before and json.loads(Path("j").read_text())["file"] is None
    place.write_bytes(before[:-20])
    assert "written to a-bound.strategy" in rhymes(*broken).out, "a damaged one makes room"
    assert Strategy.load(place).origin == bound.origin


@pytest.mark.parametrize(
    "more", [(), ("--start", "aizzz"), ("--width", "3"), ("--objective", "worst")]
)
def test_an_interrupt_tells_and_keeps_as_a_time_limit_does(
    rhymes: Knuthle, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        end = partial(signal.raise_signal, number)
        monkeypatch.setattr("strategy.solving.optimal.limit_clock", lambda _, end=end: end)
        outcome = rhymes("optimal", *OWN, "--out", "a", *more, "--workers", "1", "--json", "j")
        report = json.loads(Path("j").read_text())
        assert (outcome.code, report["proved"], report["file"]) == (code, False, "a-bound.strategy")
        assert "(bound" in outcome.out and f"{report['lower_bound']:,}" in outcome.out
        assert rhymes("verify", "a-bound.strategy").code == 0
        Path("a-bound.strategy").unlink()


@needs_compiler
def test_nobody_who_interrupts_the_compiler_waits_for_it(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        with compile_time.counted():
            raise KeyboardInterrupt

    monkeypatch.setattr("solver.exact.best_strategy.refuted", interrupted)
    asked = ("optimal", "--list", tiny, "--secrets", "allowed", "--out", "a")
    outcome = knuthle(*asked)
    assert outcome.code == 130 and "nothing is known yet, no strategy file written" in outcome.err
    assert not Path("a-bound.strategy").exists()


def test_the_time_limit_begins_after_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.perf_counter()
    monkeypatch.setattr(compile_time, "seconds", 1000.0)
    monkeypatch.setattr(clocks, "working_time", lambda: now - compile_time.seconds)
    check = clocks.limit_clock(100)
    now += 150
    refused(OutOfTimeError, "", check)
    compile_time.seconds += 60
    check()


#: ``knuthle`` as it is started; it prints a line when a search begins to report what it does.
SEARCHING = """
import sys
from strategy import entry
from strategy.cli.progress import Progress
shown = Progress.__call__
def tell(self, *report):
    print("searching", flush=True)
    Progress.__call__ = shown
    shown(self, *report)
Progress.__call__ = tell
sys.exit(entry.run_knuthle())
"""


@pytest.mark.slow(10)
@pytest.mark.parametrize(("number", "code", "word", "whole_group"), [
    ("SIGINT", 130, "interrupted", True), ("SIGTERM", 143, "terminated", False),
])  # fmt: skip
def test_a_process_that_is_ended_leaves_a_bound(
    start: Start, tmp_path: Path, number: str, code: int, word: str, whole_group: bool
) -> None:
    """In hard mode the search takes half a minute; Ctrl-C in a terminal reaches workers too."""
    asked = ("optimal", "--hard", "--workers", "2", "--out", "a", "--json", "j")
    process = start([sys.executable, "-c", SEARCHING, *asked], tmp_path)
    assert process.stdout and process.stdout.readline() == "searching\n"
    time.sleep(0.5)
    (os.killpg if whole_group else os.kill)(process.pid, getattr(signal, number))
    out, err = process.communicate(timeout=240)
    assert process.returncode == code, err
    assert err.endswith(f"knuthle optimal: {word}\n") and "Traceback" not in err
    report = json.loads((tmp_path / "j").read_text())
    bound = Strategy.load(tmp_path / "a-bound.strategy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-bound.strategy", "j"]
    assert (report["file"], report["proved"]) == ("a-bound.strategy", False)
    assert 2_315 < report["lower_bound"] <= 8_122 <= report["total"] == bound.total
    assert f"no strategy takes fewer than {report['lower_bound']:,}" in out


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
