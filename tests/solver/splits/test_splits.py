"""Splits: openers, letters, weights and joint splits, by published figures and plain Python."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.suggest import suggest
from solver.choices import MEASURES
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.splits.joint_splits import joint_measures, partition_by
from solver.splits.measures import MOST_CANDIDATES, fixed_log_weights, information, split_measures
from solver.splits.ranking import letter_statistics, measures_of, rank_guesses, split_by_score
from tests.support import PLAIN, naive, naive_review, published, refused
from tests.support.worlds import game_of, joint_weight, made_up_games, real_games


@pytest.fixture(scope="module")
def original() -> Game:
    return load_game()


def test_published_figures(original: Game) -> None:
    table = rank_guesses(original)
    best = list(table.records())[:5]
    assert [row["word"] for row in best] == list(published.ENTROPIES)
    for row in best:
        assert row["entropy"] == pytest.approx(published.ENTROPIES[row["word"]], abs=1e-9)
    (row,) = table.records(table.of_words(["qajaq"]))
    wrong, right = published.QAJAQ
    assert row["entropy"] == pytest.approx(right, abs=5e-5) and abs(row["entropy"] - wrong) > 0.1
    shares, spelled, neighbour = published.LETTERS
    found = letter_statistics(original)
    for (letter, place), share in shares.items():
        column = found.shares[int(place) - 1]
        assert column.argmax() == ord(letter) - ord("a")
        assert column.max() == pytest.approx(share, abs=5e-3)
    assert (found.spelled, found.allowed) == (spelled, True) and found.order == (4, 3, 1, 2, 0)
    assert neighbour in found.neighbours
    table = rank_guesses(load_game("nyt-2022"))
    (row,) = table.records(table.of_words(["soare"]))
    assert row["remaining_bits"] == pytest.approx(published.REMAINING["soare"], abs=5e-3)


@pytest.mark.plain
@settings(max_examples=6 if PLAIN else 15)
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


def test_equal_splits_have_bit_equal_values(original: Game) -> None:
    """The same multiset of bucket sizes, in whatever order the buckets come."""
    values: dict[tuple[int, ...], set[float]] = {}
    rows = original.score_rows()
    entropies = rank_guesses(original).rows
    by_guess = np.empty(len(rows))
    by_guess[entropies["guess"]] = entropies["entropy"]
    for guess, row in enumerate(rows):
        sizes = np.bincount(row)
        values.setdefault(tuple(np.sort(sizes[sizes > 0]).tolist()), set()).add(by_guess[guess])
    assert all(len(found) == 1 for found in values.values())


def test_one_bucket_tells_exactly_nothing() -> None:
    """No rounding error, and no minus before the zero; one more bucket tells something."""
    for n in (*range(1, 400), 2315, 12972, 14855, MOST_CANDIDATES):
        logs = fixed_log_weights(n)
        bits, left = information(np.array([logs[n], logs[n - 1], 0]), n)
        assert (bits[0], np.signbit(bits[0])) == (0.0, False)
        assert bits[1] > 0 or n == 1
        assert not np.signbit(left).any()
    words = ["aaaab", "aaaac", "aaaad", "eeeee"]
    rows = list(rank_guesses(game_of(words, words[:3])).records())
    assert (rows[-1]["word"], str(rows[-1]["entropy"])) == ("eeeee", "0.0")


SMALLER_IS_BETTER = {"remaining": "remaining_bits", "expected-size": "expected_size"}


def some_weights(draw: st.DrawFn, count: int) -> np.ndarray:
    """Weights of many sizes, often the same ones."""
    kind = st.sampled_from([1.0, 1.0, 2.0, 0.25, 1e-9, 1e6]) | st.floats(0.01, 100.0)
    return np.array(draw(st.lists(kind, min_size=count, max_size=count)))


@pytest.mark.plain
@settings(max_examples=8 if PLAIN else 12)
@given(made_up_games(max_words=12), st.data())
def test_weighted_measures_by_plain_python(game: WordleGame, data: st.DataObject) -> None:
    weights = some_weights(data.draw, len(game.secrets))
    by_word = dict(zip(game.secrets, weights.tolist(), strict=True))
    for by in MEASURES:
        rows = list(rank_guesses(game, by, weights=weights).records())
        keys = []
        for row in rows:
            expected = naive_review.measures(row["word"], by_word)
            for name, value in expected.items():
                assert row[name] == pytest.approx(float(value), abs=1e-8), (name, row)
            sign = 1 if by in (*SMALLER_IS_BETTER, "minimax") else -1
            name = {**SMALLER_IS_BETTER, "minimax": "largest"}.get(by, by)
            keys.append(sign * float(row[name]))
        assert keys == pytest.approx(sorted(keys), abs=1e-8)


@settings(max_examples=6)
@given(real_games(most=100))
def test_equal_weights_change_nothing(game: WordleGame) -> None:
    same = np.full(len(game.secrets), 0.7)
    for by in MEASURES:
        plain = {row["word"]: row for row in rank_guesses(game, by).records()}
        for row in rank_guesses(game, by, weights=same).records():
            for name, value in row.items():
                assert value == pytest.approx(plain[row["word"]][name], abs=1e-8)


@given(made_up_games(max_words=12), st.data())
def test_buckets_have_the_chances_of_their_secrets(game: WordleGame, data: st.DataObject) -> None:
    weights = some_weights(data.draw, len(game.secrets))
    likely = naive_review.chances(dict(zip(game.secrets, weights.tolist(), strict=True)))
    for word in game.guesses:
        split = split_by_score(game, word, weights)
        for bucket in split.buckets:
            exact = sum(likely[secret] for secret in bucket.secrets)
            assert bucket.chance == pytest.approx(float(exact), rel=1e-12)
        expected = naive_review.measures(word, {k: float(v) for k, v in likely.items()})
        assert split.entropy == pytest.approx(expected["entropy"], abs=1e-9)
        assert split.expected_size == pytest.approx(float(expected["expected_size"]))


def test_sums_of_weights() -> None:
    game = game_of(["crane", "slate", "abide", "fuzzy"])
    weights = np.array([1.7e308, 1.7e308, 1.7e308, 1.7e308])
    (row, *_) = rank_guesses(game, weights=weights).records()
    assert row["entropy"] == pytest.approx(2.0)
    tiny = rank_guesses(game, weights=np.array([5e-324, 5e-324, 5e-324, 5e-324])).records()
    assert next(tiny)["entropy"] == pytest.approx(2.0)
    lopsided = rank_guesses(game, weights=np.array([1.0, 1e-320, 1.0, 1e-320]))
    assert all(np.isfinite(lopsided.rows["entropy"]))
    assert lopsided.rows["entropy"].max() == pytest.approx(1.0)
    game = game_of(["crane", "crate", "slate"])
    state = game.parse_state("slate bbgbg")
    assert len(suggest(game_of(["crane", "slate"]), ()).secrets) == 2
    for weights, first in (([1.0, 2.0, 1.0], "crate"), ([2.0, 1.0, 1.0], "crane")):
        few = suggest(game, (), weights=np.array(weights))
        assert next(few.table.records())["word"] in ("crane", "crate", "slate")
        pair = suggest(game_of(["crane", "crate"]), (), weights=np.array(weights[:2]))
        assert next(pair.table.records())["word"] == first
    refused(WrongInputError, "", suggest, game, (*state, ("crane", 0)))


def test_unknown_measures() -> None:
    game = load_game(["crane", "slate"])
    refused(WrongInputError, "did you mean entropy", rank_guesses, game, "entropi")
    weights = np.ones(2)
    refused(WrongInputError, "no measure named 'luck'", rank_guesses, game, "luck", weights=weights)


def test_openers_are_measured_as_the_matrix_says(original: Game) -> None:
    every = np.arange(len(original.guesses), dtype=np.int32)
    rows = split_measures(original.score_rows(), original.n_scores)
    for mine, theirs in zip(measures_of(original, every), rows, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@settings(max_examples=20)
@given(made_up_games(max_words=14))
def test_joint_measures_by_plain_counting(game: Game) -> None:
    rows = game.score_rows()
    two = game.guesses[:2]
    measures = joint_measures(rows, partition_by([rows[0], rows[1]]), game.n_scores)
    for guess, word in enumerate(game.guesses):
        scores = (tuple(game.grade(w, secret) for w in (*two, word)) for secret in game.secrets)
        sizes = Counter(scores).values()
        assert measures.parts[guess] == len(sizes) and measures.largest[guess] == max(sizes)
        assert measures.squares[guess] == sum(size * size for size in sizes)
        assert measures.weights[guess] == joint_weight(game, *two, word)
