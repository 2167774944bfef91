"""What a question takes of memory is given back with its answer, not some time by the collector."""

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import strategy
from solver.exact.engine import Engine
from solver.exact.limit_search import LimitSearch
from solver.exact.problem import SearchContext
from solver.exact.widening import RankedBeam
from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from strategy.solving.optimal import next_words
from strategy.sweep import work
from tests.support.sweeps import some_words

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


@pytest.mark.parametrize("within", [3, 6])
def test_after_next_words(left_by: LeftBy, within: int) -> None:
    assert not left_by(lambda: next_words(GAME, [], top=2, within=within))


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
