"""What a question takes of memory is given back with its answer, not some time by the collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import strategy
from solver.exact.feasibility.limit_search import Possible
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.guess_values.engine import Engine
from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from strategy.build.optimal_state import next_words
from strategy.sweep.optimal import tasks
from strategy.sweep.optimal.run import ExactSettings
from tests.support.sweeps import some_words

WORDS = some_words(60)
GAME = load_game(WORDS)


@pytest.fixture
def alive(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[object]]]:
    """What has been made that holds tables and is still there; nothing is collected meanwhile."""
    made: list[weakref.ref[object]] = []

    def noted(init: Callable[..., None]) -> Callable[..., None]:
        def noting(self: object, *args: Any, **named: Any) -> None:
            made.append(weakref.ref(self))
            init(self, *args, **named)

        return noting

    for kind in (Workbench, Engine, Possible):
        monkeypatch.setattr(kind, "__init__", noted(kind.__init__))

    def there() -> list[object]:
        assert made, "nothing was made"
        return [thing for ref in made if (thing := ref()) is not None]

    gc.disable()
    yield there
    gc.enable()


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize(("objective", "within"), [("total", 6), ("losses", 2), ("worst", 6)])
def test_after_optimal(
    alive: Callable[[], list[object]], objective: str, within: int, hard: bool
) -> None:
    strategy.optimal(GAME, objective=objective, within=within, hard=hard, workers=1)
    assert not alive()


@pytest.mark.parametrize("hard", [False, True])
def test_after_the_fewest_losses_of_a_guess(alive: Callable[[], list[object]], hard: bool) -> None:
    start = WORDS[:1]
    strategy.optimal(GAME, start=start, objective="losses", within=2, hard=hard, workers=1)
    assert not alive()


@pytest.mark.parametrize("within", [3, 6])
def test_after_next_words(alive: Callable[[], list[object]], within: int) -> None:
    next_words(GAME, [], top=2, within=within)
    assert not alive()


def test_after_a_search_that_was_broken_off(alive: Callable[[], list[object]]) -> None:
    game = load_game("original", "answers")
    with suppress(OutOfTimeError):
        strategy.optimal(game, time_limit=0.01, workers=1)
    assert not alive()


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
def test_after_a_sweep(alive: Callable[[], list[object]], tmp_path: Path, objective: str) -> None:
    settings = ExactSettings(objective)
    tasks.BENCH.forget()  # that of a test before
    strategy.sweep_optimal(GAME, tmp_path / "s", WORDS[:3], settings, workers=1)
    tasks.BENCH.forget()
    assert not alive()
