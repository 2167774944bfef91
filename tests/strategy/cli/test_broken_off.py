"""What a broken-off search of ``optimal`` tells and leaves: the best so far, as a bound."""

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
from tests.support import needs_compiler, raising
from tests.support.commands import Knuthle, report_of

RHYMES = "\n".join(f"{a}{b}zzz" for a in "abcdef" for b in "ijk")


def broken_off(knuthle: Knuthle, *options: object) -> dict[str, Any]:
    """The report of a search whose time is up at once, its file verified."""
    Path("rhymes.txt").write_text(RHYMES)
    game = () if "--game" in options else ("--list", "rhymes.txt", "--secrets", "allowed")
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
    knuthle: Knuthle, objective: str, more: tuple[str, ...]
) -> None:
    asked = (*more, "--within", "12", "--objective", objective)
    report = broken_off(knuthle, *asked)
    words = ("--list", "rhymes.txt", "--secrets", "allowed")
    best = report_of(knuthle, "optimal", *words, *asked)
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


def test_a_bound_never_takes_the_place_of_a_proved_strategy(knuthle: Knuthle) -> None:
    Path("rhymes.txt").write_text(RHYMES)
    asked = ("optimal", "--list", "rhymes.txt", "--secrets", "allowed", "--within", "none")
    for out, bound in ((), "*-optimal-bound.strategy"), (("--out", "a"), "a-bound.strategy"):
        knuthle(*asked, *out)
        (proved,) = Path().glob(out[1] if out else "*-optimal.strategy")
        before = proved.read_bytes()
        assert knuthle(*asked, *out, "--time-limit", "1e-9").code == 3
        assert proved.read_bytes() == before and len(list(Path().glob(bound))) == 1
    Path("b-bound.strategy").write_text("a word list")
    refused = knuthle(*asked, "--out", "b.strategy", "--time-limit", "1e-9")
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
    path.write_bytes(b"no strategy")
    assert better_bound(broken_result(bad), path) is None
    path.unlink()
    assert better_bound(broken_result(bad), path) is None


def test_a_bound_never_takes_the_place_of_a_better_one(knuthle: Knuthle) -> None:
    Path("rhymes.txt").write_text(RHYMES)
    asked = ("optimal", "--list", "rhymes.txt", "--secrets", "allowed", "--out", "a")
    broken = (*asked, "--time-limit", "1e-9")
    assert "written to a-bound.strategy" in knuthle(*broken).out
    place = Path("a-bound.strategy")
    bound = Strategy.load(place)
    as_bound(bound, lower_bound=1_000_000).save(place, force=True)
    before = place.read_bytes()
    kept = knuthle(*broken, "--json", "j", "--force")
    assert kept.code == 3 and "no strategy file written" in kept.out
    assert (
        "a-bound.strategy stays as it is: an earlier search has left a better bound there "
        f"(total {bound.total:,}, worst {bound.worst}, lower bound 1,000,000)\n"
    ) in kept.err
    assert place.read_bytes() == before and json.loads(Path("j").read_text())["file"] is None
    place.write_bytes(before[:-20])
    assert "written to a-bound.strategy" in knuthle(*broken).out, "a damaged one makes room"
    assert Strategy.load(place).origin == bound.origin


@pytest.mark.parametrize(
    "more", [(), ("--start", "aizzz"), ("--width", "3"), ("--objective", "worst")]
)
def test_an_interrupt_tells_and_keeps_as_a_time_limit_does(
    knuthle: Knuthle, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("rhymes.txt").write_text(RHYMES)
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        end = partial(signal.raise_signal, number)
        monkeypatch.setattr("strategy.solving.optimal.limit_clock", lambda _, end=end: end)
        asked = ("--list", "rhymes.txt", "--secrets", "allowed", "--out", "a", *more)
        outcome = knuthle("optimal", *asked, "--workers", "1", "--json", "j")
        report = json.loads(Path("j").read_text())
        assert (outcome.code, report["proved"], report["file"]) == (code, False, "a-bound.strategy")
        assert "(bound" in outcome.out and f"{report['lower_bound']:,}" in outcome.out
        assert knuthle("verify", "a-bound.strategy").code == 0
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
    with pytest.raises(OutOfTimeError):
        check()
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
