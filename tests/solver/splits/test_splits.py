"""Splits and chances: openers, letters, weights, by published figures and plain Python."""

import math
import random
from collections import Counter
from decimal import Decimal, localcontext
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.suggest import suggest
from solver.choices import MEASURES
from solver.errors import WrongInputError
from solver.exact.kernels.lemmas import UNLIMITED
from solver.exact.problem import Problem, lengths_of
from solver.exact.table_layout import score_table_of
from solver.exact.values import Beam, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.rules.searcher import RULES
from solver.splits import measures, rank_rows, ranking
from solver.splits.fitting import count_fitting, count_words
from solver.splits.joint_splits import joint_measures, partition_by
from solver.splits.measures import fixed_log_weights, split_measures
from solver.splits.ranking import measures_of, rank_guesses
from tests.support import PLAIN, naive, naive_review, published, refused, worlds
from tests.support.worlds import all_secrets, game_of, made_up_games, real_games


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
    found = ranking.letter_statistics(original)
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
    rows, table = original.score_rows(), rank_guesses(original).rows
    for guess, entropy in zip(table["guess"], table["entropy"].tolist(), strict=True):
        sizes = np.bincount(rows[guess])
        values.setdefault(tuple(np.sort(sizes[sizes > 0]).tolist()), set()).add(entropy)
    assert all(len(found) == 1 for found in values.values())


def test_one_bucket_tells_exactly_nothing() -> None:
    """No rounding error, and no minus before the zero; one more bucket tells something."""
    for n in (*range(1, 400), 2315, 12972, 14855, measures.MOST_CANDIDATES):
        logs = fixed_log_weights(n)
        bits, left = measures.information(np.array([logs[n], logs[n - 1], 0]), n)
        assert (bits[0], np.signbit(bits[0])) == (0.0, False)
        assert bits[1] > 0 or n == 1
        assert not np.signbit(left).any()
    words = ["aaaab", "aaaac", "aaaad", "eeeee"]
    rows = list(rank_guesses(game_of(words, words[:3])).records())
    assert (rows[-1]["word"], str(rows[-1]["entropy"])) == ("eeeee", "0.0")


def some_weights(draw: st.DrawFn, count: int) -> np.ndarray:
    """Weights of many sizes, often the same ones."""
    kind = st.sampled_from([1.0, 1.0, 2.0, 0.25, 1e-9, 1e6]) | st.floats(0.01, 100.0)
    return np.array(draw(st.lists(kind, min_size=count, max_size=count)))


#: How a measure is named in rows, and whether more of it is better.
IN_ROWS = {
    "remaining": ("remaining_bits", 1), "expected-size": ("expected_size", 1),
    "minimax": ("largest", 1),
}  # fmt: skip


@pytest.mark.plain
@settings(max_examples=8 if PLAIN else 12)
@given(made_up_games(max_words=12), st.data())
def test_weighted_measures_by_plain_python(game: WordleGame, data: st.DataObject) -> None:
    weights = some_weights(data.draw, len(game.secrets))
    by_word = dict(zip(game.secrets, weights.tolist(), strict=True))
    for by in MEASURES:
        name, sign = IN_ROWS.get(by, (by, -1))
        keys = []
        for row in rank_guesses(game, by, weights=weights).records():
            for measure, value in naive_review.measures(row["word"], by_word).items():
                assert row[measure] == pytest.approx(float(value), abs=1e-8), (measure, row)
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
        split = ranking.split_by_score(game, word, weights)
        for bucket in split.buckets:
            exact = sum(likely[secret] for secret in bucket.secrets)
            assert bucket.chance == pytest.approx(float(exact), rel=1e-12)
        expected = naive_review.measures(word, {k: float(v) for k, v in likely.items()})
        assert split.entropy == pytest.approx(expected["entropy"], abs=1e-9)
        assert split.expected_size == pytest.approx(float(expected["expected_size"]))


@pytest.mark.parametrize(("weights", "most"), [
    ([1.7e308] * 4, 2.0), ([5e-324] * 4, 2.0), ([1.0, 1e-320] * 2, 1.0),
])  # fmt: skip
def test_sums_of_extreme_weights(weights: list[float], most: float) -> None:
    game = game_of(["crane", "slate", "abide", "fuzzy"])
    entropies = rank_guesses(game, weights=np.array(weights)).rows["entropy"]
    assert np.isfinite(entropies).all() and entropies.max() == pytest.approx(most)


def test_the_likelier_of_two_is_proposed() -> None:
    game = game_of(["crane", "crate"])
    for weights, first in (([1.0, 2.0], "crate"), ([2.0, 1.0], "crane")):
        pair = suggest(game, (), weights=np.array(weights))
        assert next(pair.table.records())["word"] == first
    refused(WrongInputError, "", suggest, game, (("crane", 0), ("crane", 242)))
    refused(WrongInputError, "did you mean entropy", rank_guesses, game, "entropi")
    refused(WrongInputError, "named 'luck'", rank_guesses, game, "luck", weights=np.ones(2))


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
    joint = joint_measures(rows, partition_by([rows[0], rows[1]]), game.n_scores)
    for guess, word in enumerate(game.guesses):
        scores = (tuple(game.grade(w, secret) for w in (*two, word)) for secret in game.secrets)
        sizes = Counter(scores).values()
        assert joint.parts[guess] == len(sizes) and joint.largest[guess] == max(sizes)
        assert joint.squares[guess] == sum(size * size for size in sizes)
        assert joint.weights[guess] == worlds.joint_weight(game, *two, word)


def plain(kernel: Any) -> Any:
    """The kernel as Python runs it, and the kernels that it calls as well."""
    function = getattr(kernel, "py_func", kernel)
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        if hasattr(names.get(name), "py_func"):
            names[name] = plain(names[name])
    return FunctionType(function.__code__, names)


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(20))
def test_weights_as_chances_and_their_bits(seed: int) -> None:
    dice = random.Random(seed)
    count = 1 + seed * 17
    weights = np.array([dice.choice((1.0, 1.0, dice.random(), 1e-9, 1e200)) for _ in range(count)])
    chances = measures.chances_of(weights)
    parts = (weights / weights.max()).tolist()
    assert chances == pytest.approx([part / math.fsum(parts) for part in parts])
    again, bits = np.empty((2, len(weights)))
    plain(measures.fill_chances)(weights, again)
    assert (again == chances).all()
    own = [p * math.log2(p) for p in chances.tolist()]
    entropy = measures.fill_own_bits(chances, bits)
    assert bits == pytest.approx(own, rel=1e-15, abs=1e-300)
    assert entropy == pytest.approx(max(0.0, -math.fsum(own)), abs=1e-15)
    assert measures.bits_of_split(chances) == pytest.approx(entropy, abs=1e-14)
    assert plain(measures.fill_own_bits)(chances, bits) == entropy


@pytest.mark.plain
def test_powers_of_two_have_whole_logarithms() -> None:
    powers = np.array([2.0**-k for k in range(1, 1075)])
    bits = np.empty(len(powers))
    measures.fill_own_bits(powers, bits)
    assert (bits == [-k * 2.0**-k for k in range(1, 1075)]).all()


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(20))
def test_classes_of_likely_words(seed: int) -> None:
    dice = random.Random(seed)
    weights = np.array([dice.choice([0.0, 0.5, 0.5, dice.random()]) for _ in range(30)])
    common = np.array([dice.randrange(2) for _ in weights], dtype=np.uint8)
    classes = np.empty(len(weights), dtype=np.int32)
    for kernel in (rank_rows.fill_classes, plain(rank_rows.fill_classes)):
        kernel(weights, common, classes)
        kinds = sorted(set((-weights).tolist()))
        expected = [2 * kinds.index(-w) + 1 - c for w, c in zip(weights, common, strict=True)]
        assert classes.tolist() == expected


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(12))
def test_lengths_of_a_beam_are_those_of_its_strategy(seed: int) -> None:
    dice = random.Random(seed)
    game = worlds.some_world(dice, 4, 14)
    table, rows = score_table_of(game, hard=seed % 2 == 1), all_secrets(game)
    column, state = -1 if seed < 4 else dice.randrange(len(game.guesses)), state_of(rows, UNLIMITED)
    first, lengths = Beam(table, 2).lengths(state, column)
    tree = Beam(table, 2).plan_of_forced(state, [] if column < 0 else [column])
    assert lengths.tolist() == lengths_of(game, Problem(game).graded(tree), rows).tolist()
    assert table.guess[first] == tree.guess[0]


@pytest.mark.plain
@pytest.mark.parametrize("kind", [np.uint8, np.uint32])
def test_words_that_fit_are_counted(kind: type) -> None:
    dice = np.random.default_rng(1)
    for guesses, secrets in ((1, 1), (5, 3), (9, 40)):
        grades: Any = dice.integers(0, 6, (guesses, secrets)).astype(kind)
        wanted = np.array([2, 5, 2], dtype=np.int32)
        possible = dice.integers(0, 2, secrets).astype(np.uint8)
        words, found = np.zeros((3, secrets), np.int32), np.zeros(3, np.int32)
        count_words(grades, wanted, words)
        count_fitting(grades, wanted, possible, found)
        for k, score in enumerate(wanted.tolist()):
            assert words[k].tolist() == (grades == score).sum(axis=0).tolist()
            some = (grades == score) & (possible == 1)
            assert found[k] == some.any(axis=1).sum()


@pytest.mark.plain
def test_bits_are_the_information_less_the_entropy() -> None:
    """Of equal parts they are whole numbers."""
    dice = random.Random(2)
    for size in (1, 2, 7, 8, 9, 130, 700):
        row = np.array([dice.choice((0, 0, 3, 5, dice.randrange(99))) for _ in range(size)])
        score = int(dice.choice(row.tolist()))
        weights = measures.chances_of(np.array([dice.random() + 1e-6 for _ in range(size)]))
        for chances in (measures.chances_of(np.ones(size)), weights):
            by_score = [math.fsum(chances[row == each]) for each in set(row.tolist())]
            entropy = -math.fsum(p * math.log2(p) for p in by_score)
            gained = -math.log2(math.fsum(chances[row == score]))
            found = measures.bits_beyond(row.astype(np.int32), score, chances)
            assert found == pytest.approx(gained - entropy, abs=1e-12)
    row, chances = np.arange(64, dtype=np.int32), measures.chances_of(np.ones(64))
    for parts, score in ((row // 8, 3), (row // 64, 0), (row % 2, 1)):
        assert measures.bits_beyond(parts, score, chances) == 0.0


@pytest.mark.plain
@given(st.data(), st.integers(2, 6), st.integers(1, 8))
def test_the_commonest_letters(data: st.DataObject, n_places: int, n_letters: int) -> None:
    letter = st.integers(0, n_letters - 1)
    words = data.draw(st.lists(st.lists(letter, min_size=n_places, max_size=n_places), min_size=1))
    counts, spelled, order = ranking.spell_commonest(np.array(words, dtype=np.uint8), n_letters)
    assert (counts.tolist(), spelled, order) == naive.spelt(words, n_letters)


@pytest.mark.plain
def test_logarithms_by_decimals() -> None:
    with localcontext() as context:
        context.prec = 40
        two = Decimal(2).ln()
        for number in (1, 2, 3, 5, 17, 243, 2315, 3158, 7957, 12972, 14855, (1 << 18) - 1, 1 << 18):
            log = Decimal(number).ln() / two
            assert measures.exact_log2(number) == float(log)
            if number in (2, 3, 5, 17):
                fixed = int((log * (1 << measures.LOG_BITS)).to_integral_value())
                assert fixed_log_weights(number)[number] == number * fixed
    weights = fixed_log_weights(20_000)
    assert weights[4] + 4 * weights[1] == 4 * weights[2]
    assert weights[6] == 2 * weights[3] + 3 * weights[2]
    for k in (2, 3, 97, 1024, 9_999, 12_972, 19_997):
        assert (
            abs(weights[k] / 2**measures.LOG_BITS - k * math.log2(k))
            <= k * math.log2(k) * 2.0**-41 + 1e-10
        )
    refused(WrongInputError, "too many", RULES["entropy"].steps, (1 << 18) + 1)
    refused(OverflowError, "", fixed_log_weights, (1 << 18) + 1)


@pytest.mark.plain
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_totals_are_ranked_as_plain_python_ranks_them(rows: list[tuple[int, int, int]]) -> None:
    totals, preferred, classes = (np.array([row[at] for row in rows], float) for at in range(3))
    guesses = np.array([7 * at % 13 for at in range(len(rows))], dtype=np.int32)
    order, rank = ranking.rank_totals(totals, preferred, classes.astype(np.int32), guesses)
    found = sorted(range(len(rows)), key=lambda at: (preferred[at], classes[at], guesses[at]))
    assert order.tolist() == found
    assert rank.tolist() == [1 + sum(total < totals[at] for total in totals) for at in found]
