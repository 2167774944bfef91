"""Triples: every third word, the best by bounds, small lists tried out, climbed triples."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.mastermind import mastermind_game
from solver.word_sets.triples import NO_WEIGHT, Thirds, TripleSearch, Two
from tests.support.worlds import game_of, joint_weight, real_games


def test_triples_of_real_words() -> None:
    game = load_game()
    found = TripleSearch(game).thirds("soare", "clint", 5)
    assert found.proved and found.evaluated == len(game.guesses) - 2
    for triple in found.triples:
        assert triple.weight == joint_weight(game, *triple.words)
    words = load_game().guesses[::60]
    game = game_of(list(words), list(words[::3]))
    found = TripleSearch(game).best()
    (best,) = found.triples
    assert not found.proved and best.weight == joint_weight(game, *best.words)
    for two in combinations(best.words, 2):
        assert TripleSearch(game).thirds(*two, 1).triples[0].weight >= best.weight
    game = load_game()
    two = game.guess_id("clint"), game.guess_id("soare")
    assert Thirds(game).best(two).counted < len(game.guesses) // 4


@settings(max_examples=8)
@given(real_games(8, 16))
def test_best_triple_of_a_small_list_is_proved(game: Game) -> None:
    truth = min((joint_weight(game, *three), three) for three in combinations(game.guesses, 3))
    found = TripleSearch(game).best()
    assert found.proved and (found.triples[0].weight, found.triples[0].words) == truth


def counted(thirds: Thirds, two: Two) -> tuple[int, int]:
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


@pytest.mark.slow
@pytest.mark.parametrize("game", [
    load_game(), load_game("nyt-2023", secrets="allowed"), mastermind_game("mastermind:4x4"),
])  # fmt: skip
def test_bounds_are_no_more_than_weights(game: Game) -> None:
    thirds = Thirds(game)
    for two in [(3, 200), (17, 18)]:
        partition = thirds._partition(two)
        assert (thirds._leasts(partition) <= thirds.weights(two)).all()
        assert thirds.best(two)[:2] == counted(thirds, two)
