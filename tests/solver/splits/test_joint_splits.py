"""Joint splits against plain counting."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings

from solver.game.game import Game
from solver.splits.joint_splits import (
    joint_measures,
    partition_by,
)
from tests.support.joint import joint_weight
from tests.support.worlds import made_up_games


@settings(max_examples=20)
@given(made_up_games(max_words=14))
def test_joint_measures_by_plain_counting(game: Game) -> None:
    rows = game.score_rows()
    two = game.guesses[:2]
    measures = joint_measures(rows, partition_by([rows[0], rows[1]]), game.n_scores)
    for guess, word in enumerate(game.guesses):
        sizes = Counter(
            tuple(game.grade(w, secret) for w in (*two, word)) for secret in game.secrets
        ).values()
        assert measures.parts[guess] == len(sizes)
        assert measures.largest[guess] == max(sizes)
        assert measures.squares[guess] == sum(size * size for size in sizes)
        assert measures.weights[guess] == joint_weight(game, *two, word)
