"""Openers, letters, advice: published figures, plain Python, small and strange lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from solver.advice.suggest import advise
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.score_matrix import letter_shares
from solver.game.wordle import WordleGame
from solver.splits.letter_answers import marks
from solver.splits.letter_counts import letter_statistics
from solver.splits.letter_tree import tree_measures, tree_pays
from solver.splits.measures import Measures, split_measures
from solver.splits.ranking import ORDERS, measures_of, rank_guesses
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


@pytest.mark.parametrize(("state", "left", "best"), published.ELIMINATED)
def test_published_walk(
    original: WordleGame, state: str, left: int, best: dict[str, float]
) -> None:
    history = original.parse_state(state)
    advice = advise(original, history, by="proportion", guess_from="secrets")
    assert len(advice.secrets) == left
    rows = list(advice.table.records())
    top = {row["word"]: row for row in rows[:3]}
    for word, share in best.items():
        assert top[word]["proportion"] == pytest.approx(share, abs=5e-8)
    if len(best) == 1:
        assert [row["rank"] for row in rows[:4]] == [1, 1, 1, 4]


def test_the_walk_ends(original: WordleGame) -> None:
    state, left = published.WOVEN
    assert advise(original, original.parse_state(state)).secrets == left


@pytest.mark.plain
@settings(max_examples=15)
@given(made_up_games(max_words=12))
def test_measures_and_order_by_plain_python(game: WordleGame) -> None:
    for by in ORDERS:
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


@pytest.mark.plain
@settings(max_examples=15)
@given(made_up_games(max_words=12))
def test_the_letter_tree_measures_as_rows_do(game: WordleGame) -> None:
    if game.length <= 5:
        tree = tree_measures(game.letters, game.letters[game.secret_ids])
        _same_measures(tree, split_measures(game.score_rows(), game.n_scores))


@settings(max_examples=10)
@given(real_games(300, 600))
def test_the_letter_tree_on_real_words(game: WordleGame) -> None:
    tree = tree_measures(game.letters, game.letters[game.secret_ids])
    _same_measures(tree, split_measures(game.score_rows(), game.n_scores))


def test_openers_are_measured_by_the_letter_tree(original: WordleGame) -> None:
    assert tree_pays(5, len(original.guesses), len(original.secrets))
    every = np.arange(len(original.guesses), dtype=np.int32)
    rows = split_measures(original.score_rows(), original.n_scores)
    _same_measures(measures_of(original, every), rows)


@pytest.mark.plain
def test_states_are_what_a_score_says_about_a_letter() -> None:
    """Equal marks if and only if equal answers, and as many states as there are marks."""
    shares, known = letter_shares(5, np.uint8), marks(5)
    for places in range(1, 32):
        copies = places.bit_count()
        told: dict[int, set[tuple[bool, ...]]] = {}
        for own in range(32):
            answers = tuple(
                bool(own >> question & 1) if question < 5 else own.bit_count() > question - 5
                for question in known.asked[places, : 2 * copies].tolist()
            )
            told.setdefault(int(shares[places, own]), set()).add(answers)
        assert all(len(answers) == 1 for answers in told.values())
        states = {tuple(state == 0) for state in known.opposite[copies, :, : 2 * copies]}
        assert {answer for answers in told.values() for answer in answers} <= states
        assert len(told) == len(set.union(*told.values()))


def _same_measures(one: Measures, other: Measures) -> None:
    assert one.candidates == other.candidates
    for mine, theirs in zip(one[1:], other[1:], strict=True):
        assert (mine == theirs).all()


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


def test_unknown_measure_names_the_nearest(original: WordleGame) -> None:
    with pytest.raises(WrongInputError, match="did you mean entropy"):
        rank_guesses(original, "entropi")


@pytest.mark.plain
def test_contradicting_clues_are_named() -> None:
    game = game_of(["crane", "slate", "abide", "stare", "sheep"])
    history = game.parse_state("crane bbgbg abide ybbbg sheep ggggg")
    with pytest.raises(WrongInputError, match="crane bbgbg contradicts sheep ggggg"):
        advise(game, history)
    with pytest.raises(WrongInputError, match="no secret of test .test. gives crane ggggb"):
        advise(game, (("crane", naive.score_of("ggggb")),))


@pytest.mark.plain
def test_three_clues_may_contradict_only_together() -> None:
    game = game_of(["aab", "aba", "baa", "ccc", "abb", "bab", "bba"])
    fits = {}
    for secret in game.secrets:
        for guess in game.guesses:
            fits.setdefault((guess, naive.grade(guess, secret)), set()).add(secret)
    clues = list(fits)
    for a in clues:
        for b in clues:
            for c in clues:
                sets = [fits[a], fits[b], fits[c]]
                pairs = (sets[0] & sets[1], sets[0] & sets[2], sets[1] & sets[2])
                if all(pairs) and not set.intersection(*sets):
                    with pytest.raises(WrongInputError, match=" and .* contradict .* fits all"):
                        advise(game, (a, b, c))
                    return


def test_advice_when_only_allowed_words_fit() -> None:
    game = game_of(["crane", "slate", "abide"], ["slate"])
    with pytest.raises(WrongInputError, match="allowed guesses do .abide.: try --secrets allowed"):
        advise(game, game.parse_state("abide ggggg"))


@settings(max_examples=20)
@given(real_games(50, 120))
def test_hard_advice_follows_the_rule(game: WordleGame) -> None:
    secret, guess = game.secrets[0], game.guesses[-1]
    history = ((guess, naive.grade(guess, secret)),)
    words = {row["word"] for row in advise(game, history, hard=True).table.records()}
    assert words == {word for word in game.guesses if naive.may_follow(word, guess, secret)}


def test_advice_puts_candidates_first_among_equals() -> None:
    game = game_of(["aaa", "aab", "abb", "bbb", "zzz"], ["aab", "zzz"])
    rows = list(advise(game, ()).table.records())
    assert [row["candidate"] for row in rows if row["rank"] == 1][:2] == [True, True]
