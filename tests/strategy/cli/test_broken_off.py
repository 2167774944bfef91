"""What a broken-off search of ``optimal`` tells and leaves: the best so far, as a bound."""

import json
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from solver.machine import clock as clocks
from solver.machine.clock import OutOfTimeError, compile_time
from strategy.tree import Strategy
from tests.support import needs_compiler
from tests.support.commands import Knuthle

RHYMES = "\n".join(f"{a}{b}zzz" for a in "abcdefgh" for b in "ijkl")


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
    best = json.loads(knuthle("optimal", *words, *asked, "--json", "-").out)
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
    best = json.loads(knuthle("optimal", *asked, "--json", "-").out)
    assert best["proved"]
    totals = []
    for looks in (0, 1):
        left = iter(range(looks))

        def clock(seconds: float | None, left: Iterator[int] = left) -> Callable[[], None]:
            def look() -> None:
                if next(left, None) is None:
                    raise OutOfTimeError("undecided")

            return look

        monkeypatch.setattr("strategy.solving.optimal.limit_clock", clock)
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


@pytest.mark.parametrize(
    "more", [(), ("--start", "aizzz"), ("--width", "3"), ("--objective", "worst")]
)
def test_an_interrupt_tells_and_keeps_as_a_time_limit_does(
    knuthle: Knuthle, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("rhymes.txt").write_text(RHYMES)
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):

        def clock(seconds: float | None, number: int = number) -> Callable[[], None]:
            return lambda: signal.raise_signal(number)

        monkeypatch.setattr("strategy.solving.optimal.limit_clock", clock)
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
