"""Triples: every third word, small lists tried out, climbed triples as bounds."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings

from solver.game.game import Game
from solver.game.load import load_game
from solver.pairs.triples import TripleSearch
from tests.support.joint import joint_weight
from tests.support.worlds import game_of, real_games


def test_third_words() -> None:
    game = load_game()
    found = TripleSearch(game).thirds("soare", "clint", 5)
    assert found.proved
    assert found.evaluated == len(game.guesses) - 2
    for triple in found.triples:
        assert triple.weight == joint_weight(game, *triple.words)


@settings(max_examples=8)
@given(real_games(8, 16))
def test_best_triple_of_a_small_list_is_proved(game: Game) -> None:
    truth = min((joint_weight(game, *three), three) for three in combinations(game.guesses, 3))
    found = TripleSearch(game).best()
    assert found.proved
    assert (found.triples[0].weight, found.triples[0].words) == truth


def test_a_climbed_triple_is_a_bound_and_cannot_be_mended() -> None:
    words = load_game().guesses[::60]
    game = game_of(list(words), list(words[::3]))
    found = TripleSearch(game).best()
    (best,) = found.triples
    assert not found.proved
    assert best.weight == joint_weight(game, *best.words)
    for two in combinations(best.words, 2):
        assert TripleSearch(game).thirds(*two, 1).triples[0].weight >= best.weight
