"""The calls for exact search: typed answers, what is left when broken off, memory given back."""

import doctest
import gc
import random
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import strategy
from solver.errors import WrongInputError
from solver.exact.engine import Engine
from solver.exact.limit_search import LimitSearch
from solver.exact.problem import Problem, SearchContext
from solver.exact.widening import BeamSearch, RankedBeam
from solver.game.load import load_game
from solver.machine.clock import Interrupted, OutOfTimeError
from strategy.errors import NoStrategyError, UnfinishedError
from strategy.solving import by_rule, optimal, search
from strategy.solving.by_rule import Settings, solve
from strategy.solving.checks import EXACT, REPAIR
from strategy.solving.optimal import next_words
from strategy.sweep import work
from strategy.verification import check_proof
from tests.support import raising, refused
from tests.support.naive_exact import values_of_guesses
from tests.support.sweeps import some_words
from tests.support.trees import beamed
from tests.support.worlds import alike, game_of

RHYMES = game_of([f"{letter}ight" for letter in "bdefhlmnrstw"] + ["blend", "forms", "would"])


@pytest.mark.parametrize("module", [by_rule, optimal], ids=lambda m: m.__name__)
def test_the_examples_of_the_docstrings(module: object) -> None:
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("hard", [False, True])
def test_answers_are_typed_and_proved(hard: bool) -> None:
    truth = values_of_guesses(RHYMES.guesses, RHYMES.secrets, 6, hard)
    best = min(truth.values())
    found = optimal.optimal(RHYMES, objective="losses", hard=hard, workers=1)
    assert found.strategy is not None and found.verdict is not None
    lost = len(found.strategy.beyond(6))
    assert (found.proved, lost) == (True, best[0])
    assert (found.outcome.limit, found.outcome.method) == (6, EXACT)
    assert (found.outcome.met, found.outcome.proved) == (lost == 0, True)
    assert found.verdict.total == found.strategy.total
    assert {"compile", "search", "verify", "all"} == set(found.seconds)


def test_ctrl_c_hands_over_the_best_so_far() -> None:
    """Broken off at the first report, the search has a strategy within the limit already.

    A beam looks at the clock in each state.
    """
    looks: list[None] = []
    beamed(Problem(RHYMES), 3, ("eight",), check_time=lambda: looks.append(None))
    assert len(looks) > 3
    ctrl_c = raising(KeyboardInterrupt())
    with pytest.raises(Interrupted) as broken:
        optimal.optimal(RHYMES, within=None, workers=1, progress=ctrl_c)
    best = broken.value.best
    assert (best.proved, best.outcome.met) == (False, True)
    assert best.strategy.total >= best.lower_bound


@pytest.mark.parametrize("objective", ["total", "losses"])
@pytest.mark.parametrize("again", [False, True])
def test_ctrl_c_leaves_what_is_made_at_once_and_again_ends_that(
    objective: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted = raising(KeyboardInterrupt())
    monkeypatch.setattr("strategy.solving.search.LeastLosses", interrupted)
    monkeypatch.setattr("solver.exact.best_strategy.best_strategy", interrupted)
    if again:
        monkeypatch.setattr("solver.exact.best_strategy.quick_strategy", interrupted)
    with pytest.raises(KeyboardInterrupt) as broken:
        optimal.optimal(RHYMES, start=("eight",), objective=objective, workers=1)
    assert isinstance(broken.value, Interrupted) != again
    if not again:
        best = broken.value.best
        assert best.broken_off and sorted(best.strategy.secrets) == sorted(RHYMES.secrets)


def test_the_result_is_kept_whatever_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = raising(UnfinishedError("no room"))
    monkeypatch.setattr("strategy.proofs.proof_file.save", full)
    kept: list[object] = []
    game = game_of(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    with pytest.raises(UnfinishedError, match="no room") as broken:
        optimal.optimal(game, workers=1, proof=tmp_path / "a.proof", keep=kept.append)
    best = broken.value.best
    assert (best.proved, best.proof_written) == (True, False)
    assert [found.strategy for found in kept] == [best.strategy]


def test_a_time_limit_hands_over_the_best_so_far(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    with pytest.raises(OutOfTimeError) as broken:
        optimal.optimal(RHYMES, within=None, workers=1, time_limit=1e-9, resume=aside)
    best = broken.value.best
    assert not best.proved and sorted(best.strategy.secrets) == sorted(RHYMES.secrets)
    whole = optimal.optimal(RHYMES, within=None, workers=1, resume=aside)
    assert whole.proved and whole.strategy is not None
    assert best.lower_bound <= whole.strategy.total <= best.strategy.total
    assert not aside.exists()
    history = RHYMES.parse_state("would.bbbbb")
    with pytest.raises(OutOfTimeError) as broken:
        optimal.next_words(RHYMES, history, top=2, time_limit=1e-9)
    late = broken.value.best
    exact = optimal.next_words(RHYMES, history, top=2)
    assert (late.proved, exact.proved) == (False, True)
    assert late.candidates == exact.candidates and exact.guesses_left == 5
    assert exact.words[0].total <= late.words[0].total or late.words[0].losses > 0


def test_the_rule_optimal_is_a_rule_like_any_other() -> None:
    best = solve(RHYMES, Settings(rule="optimal"), within=12)
    assert best.outcome.met and best.strategy.total == best.verdict.total
    rule = Settings(rule="optimal")
    refused(NoStrategyError, "no strategy keeps to 2 guesses", solve, RHYMES, rule, within=2)
    for wrong in ({"pure": True}, {"within": 4, "pure": True}, {"resume": "x"}):
        refused(WrongInputError, "", solve, RHYMES, Settings(rule="optimal"), **wrong)
    refused(WrongInputError, "", optimal.optimal, RHYMES, objective="most")


def test_a_repair_that_is_broken_off_hands_over_the_rules_strategy() -> None:
    others = "scram", "screw"
    secrets = (
        "berob carob lever qapik sarod scent scrag scran scrap scray scrim scrip scrob scrog scrum "
        "seron shrow shrub siroc sprod sprog strow zoons"
    ).split()
    game = game_of([*secrets, *others], secrets)
    settings = Settings(("berob",), "entropy")

    def ctrl_c(what: str, new: int, whole: int) -> None:
        if what == "repairing":
            raise KeyboardInterrupt

    plain = solve(game, settings)
    limit = plain.strategy.worst - 1
    assert solve(game, settings, within=limit).outcome.method == REPAIR
    with pytest.raises(Interrupted) as broken:
        solve(game, settings, within=limit, progress=ctrl_c)
    assert broken.value.best.strategy.digest == plain.strategy.digest


@pytest.mark.parametrize(("seed", "within"), [
    (1, None), (1, 5), pytest.param(0, None, marks=pytest.mark.slow),
    pytest.param(0, 4, marks=pytest.mark.slow),
])  # fmt: skip
def test_branches_settled_one_by_one_give_the_same(
    seed: int, within: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where many secrets are left a beam says first what the branches take."""
    game, dice = alike(seed, 100, 40), random.Random(seed)
    for start in [(dice.choice(game.guesses),), tuple(dice.sample(game.guesses, 2))]:
        plain = optimal.optimal(game, start=start, within=within)
        with monkeypatch.context() as patched:
            patched.setattr(search, "EXACT_TOTALS", 20)
            shared = optimal.optimal(game, start=start, within=within, workers=2)
            timed = optimal.optimal(game, start=start, within=within, time_limit=60, workers=1)
        for other in (shared, timed):
            assert (other.proved, other.outcome) == (True, plain.outcome)
            if plain.verdict is None:
                assert other.strategy is None
                continue
            assert other.verdict is not None and other.lower_bound == plain.lower_bound
            assert other.verdict.total == plain.verdict.total
            if len(start) == 1:
                assert other.verdict.worst == plain.verdict.worst


def test_branches_that_take_too_long_leave_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "EXACT_TOTALS", 50)
    monkeypatch.setattr(BeamSearch, "raise_bounds", raising(OutOfTimeError("out of time")))
    game = alike(1, 300, 120)
    with pytest.raises(OutOfTimeError) as broken:
        optimal.optimal(game, start=game.guesses[:1], within=None, time_limit=60)
    best = broken.value.best
    assert not best.proved and best.broken_off
    assert best.strategy.total >= best.lower_bound > 2 * 120


@pytest.mark.parametrize("objective", ["total", "worst", "losses"])
@pytest.mark.parametrize("hard", [False, True])
def test_whoever_guesses_secrets_only_may_begin_with_another_word(
    tmp_path: Path, objective: str, hard: bool
) -> None:
    """As where the list has the secrets and that word alone; its proof is derived again."""
    game = alike(3, 50, 30)
    secrets, first = list(game.secrets), min({*game.guesses} - {*game.secrets})
    small = game_of([*secrets, first], secrets)
    about: dict[str, Any] = {"start": (first,), "objective": objective, "hard": hard, "workers": 1}
    found = optimal.optimal(game, guess_from="secrets", proof=tmp_path / "p", **about)
    other = optimal.optimal(small, **about)
    assert found.strategy is not None and other.strategy is not None
    assert (found.proved, found.strategy.total) == (other.proved, other.strategy.total)
    assert found.strategy.words[found.strategy.guess[0]] == first
    for name, part in (("words", game.guesses), ("secrets", secrets)):
        (tmp_path / name).write_text("\n".join(part))
    assert check_proof(tmp_path / "p", tmp_path / "words", tmp_path / "secrets").statement


WORDS = some_words(60)
GAME = load_game(WORDS)

#: Asks a question; what it made that is left of it is handed over.
LeftBy = Callable[[Callable[[], object]], list[object]]


@pytest.fixture
def left_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[LeftBy]:
    """What a question makes that holds tables, and is still there once it is answered.

    It is asked once before: to compile a kernel leaves errors behind, caught and done with, that
    hold all that was being done, until the collector comes by.
    """
    made: list[weakref.ref[object]] = []

    def noted(init: Callable[..., None]) -> Callable[..., None]:
        def noting(self: object, *args: Any, **named: Any) -> None:
            made.append(weakref.ref(self))
            init(self, *args, **named)

        return noting

    for kind in (SearchContext, Engine, LimitSearch, RankedBeam):
        monkeypatch.setattr(kind, "__init__", noted(kind.__init__))

    def left(ask: Callable[[], object]) -> list[object]:
        ask()
        made.clear()
        gc.disable()
        ask()
        assert made, "nothing was made"
        return [thing for ref in made if (thing := ref()) is not None]

    yield left
    gc.enable()


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("settings", [
    {"objective": "total", "within": 6}, {"objective": "worst", "within": 6},
    {"objective": "losses", "within": 2}, {"objective": "losses", "within": 2, "start": WORDS[:1]},
    {"objective": "total", "within": 6, "width": 4},
], ids=str)  # fmt: skip
def test_after_optimal(left_by: LeftBy, settings: dict[str, Any], hard: bool) -> None:
    assert not left_by(lambda: strategy.optimal(GAME, workers=1, hard=hard, **settings))


def test_after_next_words(left_by: LeftBy) -> None:
    for within in (3, 6):
        assert not left_by(lambda within=within: next_words(GAME, [], top=2, within=within))  # type: ignore[misc]


@pytest.mark.slow
def test_after_a_search_that_was_broken_off(left_by: LeftBy) -> None:
    game = load_game("original", "answers")

    def ask() -> None:
        with suppress(OutOfTimeError):
            strategy.optimal(game, time_limit=0.01, workers=1)

    assert not left_by(ask)


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
def test_after_a_sweep(left_by: LeftBy, tmp_path: Path, objective: str) -> None:
    names = (tmp_path / f"sweep {number}" for number in count())

    def ask() -> None:
        work.WORKERS.clear()  # that of a test before
        strategy.sweep_optimal(GAME, next(names), WORDS[:3], objective=objective, workers=1)
        work.WORKERS.clear()

    assert not left_by(ask)
