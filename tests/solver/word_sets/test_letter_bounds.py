"""Bounds by letters against exact joint weights, and steps of the search against twins."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from solver.machine.jit import kernel
from solver.splits.joint_splits import (
    SEGMENTS,
    Partition,
    joint_measures,
    memory_for_blocks,
    partition_by,
    sort_by_bucket,
    weights_of_rest,
)
from solver.splits.measures import Places, fixed_log_weights, split_measures
from solver.word_sets.letter_bounds import (
    MOST_ROWS,
    TOGETHER,
    Answers,
    LetterBounds,
    Sums,
    answer_questions,
    fetch_row,
    fetch_row_plain,
    questions_about,
    sum_rows,
    sum_rows_plain,
)
from solver.word_sets.pairs import PairSearch, letters_of, slack_of
from tests.support.worlds import real_games


@pytest.fixture(scope="module")
def nyt_2022() -> PairSearch:
    return PairSearch(load_game("nyt-2022"))


def told_by(game: Game, row: np.ndarray) -> LetterBounds:
    """The questions of all guesses, and what a guess with these scores tells about them."""
    n = len(game.secrets)
    questions = questions_about(*letters_of(game, np.arange(len(game.guesses), dtype=np.int32)))
    blocks = memory_for_blocks(game.n_scores, n)
    answer_questions(blocks, sort_by_bucket(row, blocks), questions, fixed_log_weights(n))
    return questions


@pytest.mark.slow
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
        assert (one <= joint[:, None] + slack).all() and (joint[:, None] <= known + slack).all()
        assert (joint <= own[a]).all() and (own + own[a] - whole <= joint + slack).all()
        distinct = [len(set(word)) == game.length for word in game.guesses]
        each_letter = questions.known[0][questions.per_letter]
        total = own[a] + (each_letter - own[a]).sum(axis=1) - questions.beyond
        assert (questions.distinct == distinct).all() and (questions.beyond[distinct] == 0).all()
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
            each_letter = questions.known[segment][questions.per_letter]
            saved = (rest[segment] - each_letter).sum(axis=1) + questions.beyond
            assert (rest[segment] - saved <= joint + slack).all()


@kernel
def summed(shown: Answers, members: Places, begin: int, end: int, column: int, sums: Sums) -> None:
    sum_rows(shown, members, begin, end, column, sums)


@kernel
def fetched(scores: Answers, row: int) -> int:
    fetch_row(scores, row)
    return int(scores[row, scores.shape[1] - 1])


@pytest.mark.plain
@pytest.mark.parametrize(("begin", "end"), [(0, 0), (3, 4), (5, 5 + MOST_ROWS)])
def test_rows_are_summed_up(begin: int, end: int) -> None:
    draw = np.random.default_rng(end)
    shown = draw.integers(0, 2, (40, 3 * TOGETHER)).astype(np.uint8)
    shown[:, TOGETHER + 1] = 1  # the largest sum there is
    members = draw.integers(0, 40, 400).astype(np.uint32)
    sums, plain = (np.full(3 * TOGETHER, 7, dtype=np.uint8) for _ in range(2))
    for column in (0, TOGETHER):
        summed(shown, members, begin, end, column, sums)
        sum_rows_plain(shown, members, begin, end, column, plain)
    assert (sums == plain).all() and sums[TOGETHER + 1] == end - begin
    assert (sums[2 * TOGETHER :] == 7).all()  # nothing else is written


@pytest.mark.plain
def test_a_row_is_fetched_and_nothing_changes() -> None:
    scores = (np.arange(299) % 251).astype(np.uint8).reshape(13, 23)
    for view in (scores, scores[:, :20]):
        before = view.copy()
        assert fetched(view, 12) == before[12, -1]
        fetch_row_plain(view, 12)
        assert (view == before).all()
