"""The adversary's replies: the same by the kernels, compiled or not, as from their definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.adversary import ReplyOrder
from solver.game.load import load_game
from solver.game.reply_order import best_reply, number_replies
from tests.support.naive_adversary import reply_of

pytestmark = pytest.mark.plain


@st.composite
def clues(draw: st.DrawFn) -> tuple[list[int], list[int], int, list[int]]:
    """Greens and yellows of a few scores, which of them solves, and what candidates give."""
    count = draw(st.integers(1, 30))
    numbers = st.lists(st.integers(0, 5), min_size=count, max_size=count)
    score = st.integers(0, count - 1)
    given_scores = draw(st.lists(score, min_size=1, max_size=40))
    return draw(numbers), draw(numbers), draw(score), given_scores


@given(clues())
def test_the_kernels_follow_the_order(world: tuple[list[int], list[int], int, list[int]]) -> None:
    greens, yellows, solved, scores = world
    every = range(len(greens))
    order = sorted(every, key=lambda it: (it == solved, greens[it], yellows[it], it))
    most = max(scores.count(score) for score in every)
    kept = next(score for score in order if scores.count(score) == most)
    row = np.array(scores, dtype=np.int32)
    kernels = number_replies, best_reply
    plain = (getattr(kernel, "py_func", kernel) for kernel in kernels)
    for numbered, reply in (kernels, plain):
        numbers = np.full(len(greens), -1, dtype=np.int32)
        given_clues = (np.array(each, dtype=np.int32) for each in (greens, yellows))
        numbered(*given_clues, solved, numbers)
        assert np.argsort(numbers).tolist() == order
        assert reply(row, numbers) == kept


@pytest.mark.parametrize("length", [2, 5, 6])
def test_the_reply_of_a_game(length: int) -> None:
    dice = np.random.default_rng(length)
    words = sorted({"".join(dice.choice(list("abc"), length)) for _ in range(40)})
    game = load_game(words)
    for guess in words:
        row = game.score_rows(np.array([game.guess_id(guess)], dtype=np.int32))[0]
        score, kept = ReplyOrder(game).reply_of(row)
        left = tuple(word for word, is_kept in zip(game.secrets, kept, strict=True) if is_kept)
        assert (score, left) == reply_of(guess, game.secrets)
