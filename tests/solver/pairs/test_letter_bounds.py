"""Bounds by letters against exact joint weights, and W(A, f) by counting."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from solver.pairs.guesses_by_weight import letters_of, slack_of
from solver.pairs.letter_bounds import Questions, answer_questions, questions_about
from solver.pairs.pair_search import PairSearch
from solver.splits.joint_splits import (
    SEGMENTS,
    Partition,
    joint_measures,
    memory_for_blocks,
    partition_by,
    sort_by_bucket,
    weights_of_rest,
)
from solver.splits.logarithms import fixed_log_weights
from solver.splits.measures import split_measures
from tests.support.worlds import real_games


@pytest.fixture(scope="module")
def nyt_2022() -> PairSearch:
    return PairSearch(load_game("nyt-2022"))


def told_by(game: Game, row: np.ndarray) -> Questions:
    """The questions of all guesses, and what a guess with these scores tells about them."""
    n = len(game.secrets)
    questions = questions_about(*letters_of(game, np.arange(len(game.guesses), dtype=np.int32)))
    blocks = memory_for_blocks(game.n_scores, n)
    answer_questions(blocks, sort_by_bucket(row, blocks), questions, fixed_log_weights(n))
    return questions


def test_bounds_hold_on_a_sample_of_the_full_list(nyt_2022: PairSearch) -> None:
    """Subadditivity, (one), (all) and (least), with the stated slack, against the exact weight."""
    game = nyt_2022.game
    draw = np.random.default_rng(1)
    whole = fixed_log_weights(len(game.secrets))[-1]
    slack = slack_of(nyt_2022.field.secrets, game.length)
    own = split_measures(nyt_2022.scores, game.n_scores).weights
    close = 0
    for a in draw.choice(len(game.guesses), 12):
        row = nyt_2022.scores[a]
        joint = joint_measures(nyt_2022.scores, partition_by([row]), 243).weights
        questions = told_by(game, row)
        known, codes = questions.known[0][questions.codes], questions.codes
        one = own[:, None] + known - questions.alone[codes]
        assert (one <= joint[:, None] + slack).all()
        assert (joint[:, None] <= known + slack).all()
        assert (joint <= own[a]).all()
        assert (own + own[a] - whole <= joint + slack).all()
        distinct = [len(set(word)) == game.length for word in game.guesses]
        each_letter = questions.known[0][questions.asked]
        total = own[a] + (each_letter - own[a]).sum(axis=1) - questions.beyond
        assert (questions.distinct == distinct).all()
        assert (questions.beyond[distinct] == 0).all()
        assert (total <= joint + slack).all()
        close += int((one.max(axis=1) > 0.8 * joint).sum())
    assert close  # the bounds say something


@settings(max_examples=20)
@given(real_games(50, 100), st.data())
def test_questions_are_those_of_the_letters(game: Game, data: st.DataObject) -> None:
    """W(A, f) by counting, for every letter and place."""
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    row = game.score_rows(np.array([guess], dtype=np.int32))[0]
    length, logs = game.length, fixed_log_weights(len(game.secrets))
    questions = told_by(game, row)
    for code in range(26 * length):
        letter, place = chr(97 + code // length), code % length
        answers = [(secret[place] == letter, letter in secret) for secret in game.secrets]
        with_score = Counter(zip(row.tolist(), answers, strict=True)).values()
        assert questions.known[0, code] == sum(int(logs[size]) for size in with_score)
        assert questions.alone[code] == sum(int(logs[size]) for size in Counter(answers).values())


def test_bounds_of_the_blocks_to_come(nyt_2022: PairSearch) -> None:
    """(all) and (least) restricted to the blocks from a segment on, against exact weights."""
    game = nyt_2022.game
    draw = np.random.default_rng(2)
    n, logs = len(game.secrets), fixed_log_weights(len(game.secrets))
    others = np.sort(draw.choice(len(game.guesses), 300, replace=False))
    for a in draw.choice(len(game.guesses), 4):
        row = nyt_2022.scores[a]
        questions = questions_about(*letters_of(game, others))
        blocks = memory_for_blocks(game.n_scores, n)
        count = sort_by_bucket(row, blocks)
        answer_questions(blocks, count, questions, logs)
        rest = np.zeros(SEGMENTS + 1, dtype=np.int64)
        weights_of_rest(blocks, logs, rest)
        starts = blocks.starts[: count + 1]
        assert (blocks.cuts[0], blocks.cuts[-1]) == (0, count)
        for segment, first in enumerate(blocks.cuts[:-1]):
            if first == count:
                assert rest[segment] == 0
                continue
            members = blocks.members[starts[first] : starts[count]]
            part = Partition(members, starts[first:] - starts[first], 0)
            joint = joint_measures(nyt_2022.scores[others], part, 243).weights
            known = questions.known[segment][questions.codes]
            slack = slack_of(nyt_2022.field.secrets, game.length)
            assert rest[segment] == logs[np.diff(starts[first:])].sum()
            assert (joint[:, None] <= known + slack).all()
            each_letter = questions.known[segment][questions.asked]
            told = (rest[segment] - each_letter).sum(axis=1) + questions.beyond
            assert (rest[segment] - told <= joint + slack).all()
