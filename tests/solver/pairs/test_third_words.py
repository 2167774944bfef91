"""The best third word by bounds is the best of all counted, and bounds are never too high."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.mastermind import mastermind_game
from solver.pairs.third_words import NO_WEIGHT, Thirds, Two
from tests.support.joint import joint_weight
from tests.support.worlds import real_games


def counted(thirds: Thirds, two: Two) -> tuple[int, int]:
    """Every guess counted."""
    weights = thirds.weights(two)
    weights[list(two)] = NO_WEIGHT
    return int(weights.min()), int(weights.argmin())


@settings(max_examples=30)
@given(real_games(3, 60), st.data())
def test_bounded_and_counted_agree(game: Game, data: st.DataObject) -> None:
    thirds = Thirds(game)
    guess = st.integers(0, len(game.guesses) - 1)
    one, other = sorted(data.draw(st.lists(guess, min_size=2, max_size=2, unique=True)))
    third = thirds.best((one, other))
    assert (third.weight, third.guess) == counted(thirds, (one, other))
    words = (game.guesses[at] for at in (one, other, third.guess))
    assert third.weight == joint_weight(game, *words)


@pytest.mark.parametrize(
    "game",
    [load_game(), load_game("nyt-2023", secrets="allowed"), mastermind_game("mastermind:4x4")],
)
def test_bounds_are_no_more_than_weights(game: Game) -> None:
    thirds = Thirds(game)
    for two in [(3, 200), (17, 18)]:
        partition = thirds._parted(two)
        assert (thirds._leasts(partition) <= thirds.weights(two)).all()
        assert thirds.best(two)[:2] == counted(thirds, two)


def test_few_have_to_be_counted() -> None:
    game = load_game()
    two = game.guess_id("clint"), game.guess_id("soare")
    assert Thirds(game).best(two).counted < len(game.guesses) // 4
