"""Alphabets of all sizes: every count by letters against the plain rule, with few letters and many.

The kernels number letters from 0 and take the size of the alphabet from their arrays; here it is
smaller than 26, just above, and as large as may be.
"""

from itertools import product

import numpy as np
import pytest

from solver.errors import WrongInputError
from solver.exact.best_strategy import best_strategy
from solver.exact.kernels.score_table import is_legal, reveal, revealed_by
from solver.exact.problem import Problem
from solver.exact.table_layout import score_table_of
from solver.game.wordle import WordleGame, legal_after
from solver.rules.searcher import Searcher
from solver.splits.measures import split_measures
from solver.splits.ranking import letter_statistics, measures_of
from solver.word_sets.pairs import PairSearch
from solver.words.text import LATIN, MOST_LETTERS
from strategy.checkers import lemmas
from strategy.solving.checks import grade_pairs
from tests.support import naive, refused
from tests.support.alphabets import MIXED, made_up
from tests.support.naive_exact import values_of_guesses
from tests.support.trees import described
from tests.support.worlds import all_secrets, game_of, ranked_pairs

SIZES = (2, 10, 27, 33, 64)


def game_with(letters: int, length: int = 5, words: int = 60, seed: int = 0) -> WordleGame:
    found = made_up(letters, min(length, 5) if letters > 2 else length, words, seed)
    return game_of(found, found[::2])


@pytest.mark.parametrize("letters", SIZES)
def test_scores_measures_and_choices(letters: int) -> None:
    game = game_with(letters, 5, 32 if letters == 2 else 60)
    assert game.alphabet == MIXED[:letters] and game.letters.dtype == np.uint8
    for word, row in zip(game.guesses, game.letters, strict=True):
        assert word == "".join(game.alphabet[at] for at in row)
    truth = [[naive.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    board = lemmas.new_board(game.guesses, game.secrets, 1, False)
    graded = [[game.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    at_once = [grade_pairs([guess] * len(game.secrets), game.secrets) for guess in game.guesses]
    by_row = game.row_source()(all_secrets(game)).T.tolist()
    for scores in (game.score_rows().tolist(), board.scores.T.tolist(), graded, at_once, by_row):
        assert scores == truth
    some = np.arange(0, len(game.guesses), 7, dtype=np.int32)
    assert game.score_rows(some).tolist() == truth[::7]
    rows = split_measures(game.score_rows(), game.n_scores)
    found = measures_of(game, np.arange(len(game.guesses), dtype=np.int32))
    assert all(map(np.array_equal, found, rows))
    for rule in ("minimax", "entropy"):
        grown = described(game, Searcher(game, rule).grow())
        assert grown == list(naive.nodes(game.guesses, game.secrets, rule, secrets=game.secrets))
    game = game_with(letters, 4, 14)
    best = [pair.words for pair in PairSearch(game).best(5).pairs]
    assert best == [words for _, words in ranked_pairs(game, game.guesses)[:5]]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("letters", SIZES)
def test_exact_search(letters: int, hard: bool) -> None:
    game = game_with(letters, 4, 16, seed=3)
    answer = best_strategy(Problem(game, hard, None))
    best = answer.first_guesses[0]
    values = values_of_guesses(game.guesses, game.secrets, hard=hard)
    assert answer.proved and (best.losses, best.total) == min(values.values())


def test_numbers_of_letters() -> None:
    game = game_of(["crane", "slate"])
    assert game.alphabet == LATIN and game.letters.tolist()[0] == [2, 17, 0, 13, 4]
    words = [chr(0x4E00 + 2 * at) + chr(0x4E01 + 2 * at) for at in range(MOST_LETTERS // 2)]
    assert len(game_of(words).alphabet) == MOST_LETTERS
    refused(WrongInputError, "65 different letters", lambda: game_of([*words, "aa"]).letters)
    # Eleven places, each with all of sixty-four letters.
    words = [(MIXED[at:] + MIXED[:at])[:11] for at in range(64)]
    refused(WrongInputError, "handle this many letters", score_table_of, game_of(words), True)
    assert score_table_of(game_of([word[:10] for word in words]), True).hard
    found = letter_statistics(game_of(["0100", "1101", "1110"]))
    assert found.alphabet == "01" and len(found.spelled) == 4 and set(found.spelled) == {"0", "1"}


@pytest.mark.parametrize(("letters", "length"), [(2, 5), *product(SIZES[1:], (5, 11))])
def test_hard_mode(letters: int, length: int) -> None:
    draw = np.random.default_rng(letters)
    pairs = zip(made_up(letters, 5, 24, 1), made_up(letters, 5, 24, 2), strict=True)
    words = [(one + other + one)[:length] for one, other in pairs]
    game = game_of(sorted(set(words)))
    table = score_table_of(game, True)
    column_of = {int(guess): column for column, guess in enumerate(table.guess) if guess >= 0}
    for _ in range(20):
        secret = int(draw.integers(len(game.secrets)))
        guesses = draw.integers(len(game.guesses), size=2).tolist()
        moves = [(g, naive.grade(game.guesses[g], game.secrets[secret])) for g in guesses]
        shown = revealed_by(table, (column_of[guess] for guess in guesses), secret)
        legal = [g for g in range(len(game.guesses)) if is_legal(table, column_of[g], shown)]
        assert legal == legal_after(game, moves).tolist()
        after = np.zeros_like(shown)
        reveal(table, column_of[guesses[0]], secret, shown, after)
        assert (after == shown).all()  # what was shown once is shown
