"""Openers and letters: published figures, plain Python, small and strange lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from solver.choices import MEASURES
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.splits.letter_counts import letter_statistics
from solver.splits.logarithms import MOST_CANDIDATES, fixed_log_weights, information
from solver.splits.measures import split_measures
from solver.splits.ranking import rank_guesses
from tests.support import naive, published
from tests.support.worlds import game_of, made_up_games, real_games


@pytest.fixture(scope="module")
def original() -> WordleGame:
    game = load_game()
    assert isinstance(game, WordleGame)
    return game


def test_published_entropies(original: WordleGame) -> None:
    best = list(rank_guesses(original).records())[:5]
    assert [row["word"] for row in best] == list(published.ENTROPIES)
    for row in best:
        assert row["entropy"] == pytest.approx(published.ENTROPIES[row["word"]], abs=1e-9)


def test_the_published_table_with_the_grading_error_is_not_followed(original: WordleGame) -> None:
    table = rank_guesses(original)
    (row,) = table.records(table.of_words(["qajaq"]))
    wrong, right = published.QAJAQ
    assert row["entropy"] == pytest.approx(right, abs=5e-5)
    assert abs(row["entropy"] - wrong) > 0.1


def test_remaining_information_after_soare() -> None:
    table = rank_guesses(load_game("nyt-2022"))
    (row,) = table.records(table.of_words(["soare"]))
    assert row["remaining_bits"] == pytest.approx(published.REMAINING["soare"], abs=5e-3)


def test_published_letters(original: WordleGame) -> None:
    shares, spelled, neighbour = published.LETTERS
    found = letter_statistics(original)
    for (letter, place), share in ((tuple(key), value) for key, value in shares.items()):
        column = found.shares[int(place) - 1]
        assert column.argmax() == ord(letter) - ord("a")
        assert column.max() == pytest.approx(share, abs=5e-3)
    assert (found.spelled, found.allowed) == (spelled, True)
    assert found.order == (4, 3, 1, 2, 0)
    assert neighbour in found.neighbours


@pytest.mark.plain
@settings(max_examples=15)
@given(made_up_games(max_words=12))
def test_measures_and_order_by_plain_python(game: WordleGame) -> None:
    for by in MEASURES:
        rows = list(rank_guesses(game, by).records())
        rule = {"entropy": "entropy", "remaining": "entropy"}.get(by, by)
        keys = []
        for row in rows:
            sizes = [len(b) for b in naive.split(row["word"], game.secrets).values()]
            assert row["entropy"] == pytest.approx(naive.entropy(sizes), abs=1e-9)
            assert (row["largest"], row["parts"]) == (max(sizes), len(sizes))
            assert row["candidate"] == (row["word"] in game.secrets)
            keys.append((naive.RULES[rule](sizes, row["candidate"]), row["word"]))
        assert keys == sorted(keys)
        values = [key for key, _ in keys]
        assert [row["rank"] for row in rows] == [values.index(value) + 1 for value in values]


@settings(max_examples=15)
@given(real_games(300, 600))
def test_long_rows_are_measured_as_short_ones(game: WordleGame) -> None:
    """Aligned rows of bytes take the fast way; a copy that is not aligned takes the other."""
    rows = game.score_rows()
    odd = np.empty((rows.shape[0], rows.shape[1] + 1), dtype=rows.dtype)[:, 1:]
    odd[:] = rows
    fast, slow = split_measures(rows, 243), split_measures(odd, 243)
    for one, other in zip(fast[1:], slow[1:], strict=True):
        assert (one == other).all()


def test_equal_splits_have_bit_equal_values(original: WordleGame) -> None:
    """The same multiset of bucket sizes, in whatever order the buckets come."""
    values: dict[tuple[int, ...], set[float]] = {}
    rows = original.score_rows()
    entropies = rank_guesses(original).rows
    by_guess = np.empty(len(rows))
    by_guess[entropies["guess"]] = entropies["entropy"]
    for guess, row in enumerate(rows):
        sizes = np.bincount(row)
        values.setdefault(tuple(np.sort(sizes[sizes > 0]).tolist()), set()).add(by_guess[guess])
    shared = [found for found in values.values() if len(found) > 1]
    assert not shared


def test_one_bucket_tells_exactly_nothing() -> None:
    """No rounding error, and no minus before the zero; one more bucket tells something."""
    for n in (*range(1, 400), 2315, 12972, 14855, MOST_CANDIDATES):
        logs = fixed_log_weights(n)
        told, left = information(np.array([logs[n], logs[n - 1], 0]), n)
        assert (told[0], np.signbit(told[0])) == (0.0, False)
        assert told[1] > 0 or n == 1
        assert not np.signbit(left).any()
    words = ["aaaab", "aaaac", "aaaad", "eeeee"]
    rows = list(rank_guesses(game_of(words, words[:3])).records())
    assert (rows[-1]["word"], str(rows[-1]["entropy"])) == ("eeeee", "0.0")


def test_unknown_measure_names_the_nearest(original: WordleGame) -> None:
    with pytest.raises(WrongInputError, match="did you mean entropy"):
        rank_guesses(original, "entropi")
