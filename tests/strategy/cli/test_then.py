"""A second objective, ``--then``, as people use it: what is printed, written, checked, refused."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.exact.second_objective import BestSecond
from solver.machine.clock import OutOfTimeError
from strategy import load_game
from strategy.solving.checks import Outcome
from strategy.solving.optimal import Optimal, better_bound, optimal
from strategy.tree import Strategy
from tests.support import raising
from tests.support.commands import Knuthle, report_of
from tests.support.naive_then import Histograms, best_of

#: Many strategies of these have the least total, 33; one word of it need not be found by the third.
WORDS = "bcc beb bhd cbc cbg cfg dff ece ega egc egd ege fgg gab".split()
LATE = raising(OutOfTimeError("undecided after 1 s"))


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "w.txt"
    path.write_text("\n".join(WORDS))
    return path


def forced(knuthle: Knuthle, *arguments: object, code: int = 0) -> dict[str, Any]:
    return report_of(knuthle, *arguments, "--force", code=code)


@pytest.mark.parametrize("objective", ["worst", "most-within:2", "fewest-of:3"])
def test_strategy_and_report(knuthle: Knuthle, words: Path, objective: str) -> None:
    """The value is that of the strategy in the file, which verify plays; both commands agree."""
    whole = Histograms(WORDS).whole(WORDS)
    _, total, cost = best_of(whole, objective, 6)
    value = len(WORDS) - cost if objective.startswith("most-within") else cost
    asked = ("--list", words, "--secrets", "allowed", "--then", objective, "--out", "s")
    for command in (("optimal",), ("solve-all", "--rule", "optimal", "--start", "auto")):
        report = forced(knuthle, *command, *asked)
        assert report["total"] == total
        assert report["then"] == {"objective": objective, "value": value, "proved": True}
        counts = report["histogram"]
        attained = {
            "worst": len(counts),
            "most-within:2": sum(counts[:2]),
            "fewest-of:3": counts[2],
        }
        assert attained[objective] == value
        assert knuthle("verify", "s", "--list", words).code == 0
        claim = report_of(knuthle, "lookup", "s")["claim"]
        assert claim["then"] == report["then"]
        out = knuthle(*command, *asked, "--force").out
        assert f": {value} (proved)\n" in out and "among equal totals the " in out


def test_without_it_nothing_is_said(knuthle: Knuthle, words: Path) -> None:
    report = forced(knuthle, "optimal", "--list", words, "--secrets", "allowed", "--out", "s")
    assert "then" not in report and not Strategy.load("s").origin.then
    state = forced(knuthle, "optimal", "--list", words, "--state", "bcc.bbb")
    assert "then" not in state and "then" not in state["suggestions"][0]


def test_a_wrong_claim_is_found_out(knuthle: Knuthle, words: Path) -> None:
    """Playing shows what a strategy has; that nothing has more it does not show."""
    made = ("--list", words, "--secrets", "allowed", "--out", "s", "--then", "fewest-of:3")
    assert knuthle("optimal", *made).code == 0
    strategy = Strategy.load("s")
    right = strategy.origin.then["value"]
    for claimed in ({"value": right - 1}, {"value": None}, {"objective": "worst"},
                    {"objective": "most-within:2"}, {"objective": "fewest-of:99"}):  # fmt: skip
        claim = strategy.origin.claim | {"then": strategy.origin.then | claimed}
        replace(strategy, origin=replace(strategy.origin, claim=claim)).save("wrong", force=True)
        said = knuthle("verify", "wrong", "--list", words)
        assert said.code == 1 and "it claims" in said.out
    for other in ({"objective": "best", "value": 3}, {"objective": None}, {}, "worst", 4):
        claim = strategy.origin.claim | {"then": other}
        replace(strategy, origin=replace(strategy.origin, claim=claim)).save("new", force=True)
        assert knuthle("verify", "new", "--list", words).code == 1, "an objective nobody knows"


def test_impossible(knuthle: Knuthle, words: Path) -> None:
    asked = ("--list", words, "--secrets", "allowed", "--within", 2, "--then", "worst")
    assert forced(knuthle, "optimal", *asked, code=1)["then"] is None
    rule = ("solve-all", "--rule", "optimal", "--start", "auto")
    assert forced(knuthle, *rule, *asked, code=1)["then"] is None
    lost = forced(knuthle, "optimal", *asked, "--objective", "losses", "--out", "s")
    assert lost["then"]["proved"] and lost["then"]["value"] == lost["worst"]


def test_out_of_time(knuthle: Knuthle, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first objective is proved, and after: the value is a bound, the exit code 3."""
    asked = ("optimal", "--list", words, "--secrets", "allowed", "--then", "fewest-of:3")
    best = forced(knuthle, *asked)["then"]["value"]
    early = forced(knuthle, *asked, "--time-limit", "1e-9", code=3)
    assert not early["proved"] and not early["then"]["proved"]
    assert early["then"]["value"] == early["histogram"][2]
    with monkeypatch.context() as patch:
        patch.setattr(BestSecond, "settle", LATE)
        said = knuthle(*asked, "--json", "j", "--force")
        late = json.loads(Path("j").read_text())
        state = forced(knuthle, "optimal", "--list", words, "--state", "bcc.bbb", "--then", "worst")
    assert said.code == 3 and "what is reported is a bound" in said.err
    assert late["proved"] and late["then"]["value"] >= best and not late["then"]["proved"]
    assert late["file"].endswith("-bound.strategy")
    assert f"that take 3: {late['then']['value']} (bound)" in said.out
    assert knuthle("verify", late["file"], "--list", words).code == 0
    assert state["then"]["proved"]


def test_states(knuthle: Knuthle, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equally good next words are ordered by it; guesses already made count."""
    asked = ("optimal", "--list", words, "--secrets", "allowed", "--top", 5)
    said = knuthle(*asked, "--state", "bcc.bbb", "--then", "fewest-of:3")
    assert said.code == 0 and "exact, then by fewest-of:3" in said.out
    report = forced(knuthle, *asked, "--state", "bcc.bbb", "--then", "fewest-of:3")
    rows = [(it["n_beyond"], it["total"], it["then"]) for it in report["suggestions"]]
    assert rows == sorted(rows)
    assert report["then"] == {"objective": "fewest-of:3", "value": rows[0][2], "proved": True}
    solved = forced(knuthle, *asked, "--state", "bcc.ggg", "--then", "worst")
    assert solved["then"] is None
    monkeypatch.setattr("solver.exact.second_objective.NextSeconds.of", LATE)
    late = forced(knuthle, *asked, "--state", "bcc.bbb", "--then", "worst", code=3)
    assert late["then"] == {"objective": "worst", "value": None, "proved": False}
    assert late["proved"] and late["suggestions"][0]["then"] is None


@pytest.mark.parametrize("pool", ["allowed", "candidates"])
def test_deep_states(knuthle: Knuthle, tmp_path: Path, pool: str) -> None:
    """Words of which every guess excludes one: many states, one in the other."""
    path = tmp_path / "rhymes.txt"
    path.write_text("\n".join(f"{chr(0x4E00 + at)}zz" for at in range(30)))
    asked = ("--list", path, "--secrets", "allowed", "--within", "none", "--guess-from", pool)
    report = forced(knuthle, "optimal", *asked, "--then", "most-within:25", "--out", "s")
    assert report["total"] == 30 * 31 // 2
    assert report["then"] == {"objective": "most-within:25", "value": 25, "proved": True}


def test_which_of_two_bounds_stays(tmp_path: Path) -> None:
    """Of equal totals the one with the better second objective."""
    game = load_game(WORDS)
    path = tmp_path / "a-bound.strategy"
    for objective, better in (("fewest-of:3", -1), ("most-within:2", 1)):
        found = optimal(game, workers=1, then=objective)
        strategy = found.strategy
        assert strategy is not None
        value = strategy.origin.then["value"]

        def claiming(more: int, base: Strategy = strategy, value: int = value) -> Strategy:
            then = base.origin.then | {"value": value + more, "proved": False}
            claim = base.origin.claim | {"then": then}
            return replace(base, origin=replace(base.origin, claim=claim))

        outcome = Outcome(6, True, "exact", False)
        claiming(better).save(path, force=True)
        new = Optimal(claiming(0), None, [], True, 0, outcome, {}, broken_off=True)
        assert better_bound(new, path) is not None
        claiming(-better).save(path, force=True)
        assert better_bound(new, path) is None


def test_published_figure_of_mastermind() -> None:
    """4x6: nothing with a total of 5,625 does with five guesses."""
    found = optimal(load_game(spec="mastermind:4x6"), within=None, workers=1, then="worst")
    assert found.strategy is not None and found.then is not None and found.settled
    assert (found.strategy.total, found.then.value) == (5625, 6)
