"""Several boards at once: sums of measures, and exact figures, beside the slow truth."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.boards import JointStates, OpenBoard, rank_over_boards
from solver.choices import MEASURES
from solver.errors import CouldNotFinishError
from solver.game.load import load_game
from solver.splits.ranking import rank_guesses
from tests.support import refused
from tests.support.naive_play import guesses_to_end, told_on_boards

WORDS = sorted("aab abc acb bac bca cab cba abb cca bcc dab bad".split())
GAME = load_game(WORDS)
POOL = np.arange(len(WORDS), dtype=np.int32)
SOME = st.sets(st.integers(0, len(WORDS) - 1), min_size=1, max_size=4).map(sorted)


def _boards(places: list[list[int]]) -> list[OpenBoard]:
    return [OpenBoard(np.array(some, dtype=np.int32)) for some in places]


@settings(max_examples=30)
@given(st.lists(SOME, min_size=1, max_size=4))
def test_entropies_are_summed(places: list[list[int]]) -> None:
    words = [[WORDS[at] for at in some] for some in places]
    ranking = rank_over_boards(GAME, _boards(places), POOL, POOL)
    sums = {WORDS[guess]: told_on_boards(WORDS[guess], words) for guess in POOL}
    assert ranking.entropy == pytest.approx([sums[WORDS[guess]] for guess in ranking.guesses])
    certain = {some[0] for some in words if len(some) == 1}

    def key(word: str) -> tuple[bool, float, float, str]:
        hits = sum((word in some) / len(some) for some in words)
        return word not in certain, -round(sums[word], 6), -round(hits, 6), word

    assert [WORDS[guess] for guess in ranking.guesses] == sorted(WORDS, key=key)


@pytest.mark.parametrize("by", MEASURES)
def test_on_one_board_the_best_are_those_of_the_measure(by: str) -> None:
    board = _boards([[0, 2, 3, 5, 7]])
    rows = rank_guesses(GAME, by, candidates=board[0].candidates).rows
    ranking = rank_over_boards(GAME, board, POOL, POOL, by)
    best = set(rows["guess"][rows["rank"] == 1].tolist())
    assert set(ranking.guesses[ranking.costs == ranking.costs[0]].tolist()) == best


@settings(max_examples=20)
@given(st.lists(SOME, min_size=1, max_size=3))
def test_least_guesses_beside_the_slow_truth(places: list[list[int]]) -> None:
    words = [[WORDS[at] for at in some] for some in places]
    worlds = JointStates.of(GAME, _boards(places), POOL)
    assert worlds is not None
    least, best = worlds.best()
    assert least == pytest.approx(float(guesses_to_end(words, WORDS)))
    assert worlds.mean(best[0]) == pytest.approx(least)
    for place in (best[-1], 0, 7):
        assert worlds.mean(place) == pytest.approx(
            float(guesses_to_end(words, WORDS, WORDS[place]))
        )
    certain = {some[0] for some in words if len(some) == 1}
    if certain:
        assert {WORDS[place] for place in best} >= certain


@settings(max_examples=15)
@given(st.lists(SOME, min_size=1, max_size=2), st.data())
def test_likelier_secrets_weigh_more(places: list[list[int]], data: st.DataObject) -> None:
    weight = st.integers(1, 9)
    weights = [[data.draw(weight) for _ in some] for some in places]
    boards = [
        OpenBoard(np.array(some, dtype=np.int32), np.array(own, dtype=np.float64))
        for some, own in zip(places, weights, strict=True)
    ]
    words = [[WORDS[at] for at in some] for some in places]
    chances = [
        {word: Fraction(each, sum(own)) for word, each in zip(some, own, strict=True)}
        for some, own in zip(words, weights, strict=True)
    ]
    worlds = JointStates.of(GAME, boards, POOL)
    assert worlds is not None
    assert worlds.best()[0] == pytest.approx(float(guesses_to_end(words, WORDS, None, chances)))


def test_too_much_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = [list(range(len(WORDS)))] * 3
    assert JointStates.of(GAME, _boards(everything), POOL) is None
    worlds = JointStates.of(GAME, _boards(everything[:2]), POOL)
    assert worlds is not None
    monkeypatch.setattr(worlds, "_left", 100)
    refused(CouldNotFinishError, "", worlds.best)
