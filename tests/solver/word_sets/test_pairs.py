"""Pairs and triples, sets with no letter twice: published figures, brute force, bounds."""

import io
import json
import multiprocessing
import os
import pickle
import random
import re
import signal
import string
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.mastermind import mastermind_game
from solver.game.wordle import WordleGame
from solver.machine import vectors
from solver.machine.jit import kernel
from solver.splits import joint_splits
from solver.splits.joint_splits import joint_measures, partition_by
from solver.splits.measures import Costs, Places, fixed_log_weights, split_measures
from solver.word_sets import disjoint_search, disjoint_words, letter_bounds, pairs
from solver.word_sets.count_tree import count_pairs
from solver.word_sets.disjoint_words import WordSets, find_sets, read_dictionaries
from solver.word_sets.letter_bounds import MOST_ROWS, TOGETHER, Answers, LetterBounds, Sums
from solver.word_sets.pairs import STRIDE, BestPairs, PairPool, PairSearch, Span, slack_of, strides
from solver.word_sets.triples import NO_WEIGHT, Thirds, TripleSearch, Two
from solver.words.lists import named_list
from tests.support import PLAIN, missing, published, refused, worlds
from tests.support.commands import Knuthle, report_of
from tests.support.naive import Sets, exact_cover, without_anagrams
from tests.support.worlds import EVERYTHING, game_of, made_up_games, real_games

MADE_UP = made_up_games(max_words=9)


@pytest.fixture(scope="module")
def nyt_2022() -> PairSearch:
    return PairSearch(load_game("nyt-2022"))


def test_published_pairs() -> None:
    found = PairSearch(load_game()).best(3)
    for pair, (words, entropy) in zip(found.pairs, published.PAIRS.items(), strict=True):
        assert pair.words == tuple(sorted(words))
        assert pair.joint_entropy == pytest.approx(entropy, abs=1e-9)
    assert found.evaluated < found.pairs_in_all // 100


def test_nyt_2022(nyt_2022: PairSearch) -> None:
    (best,) = nyt_2022.best(1).pairs
    assert best.words == ("clint", "soare")
    assert best.remaining_bits == pytest.approx(published.REMAINING["soare clint"], abs=1e-6)
    (named,) = nyt_2022.ranked("trace", "lions").pairs
    rank, remaining = published.TRACE_LIONS
    assert named.rank == rank and named.remaining_bits == pytest.approx(remaining, abs=5e-4)
    last = nyt_2022.best(published.TRACE_LIONS[0]).pairs[-1]
    assert last.words == ("lions", "trace")


@pytest.mark.plain
@settings(max_examples=12 if PLAIN else 22)
@given(MADE_UP if PLAIN else MADE_UP | real_games(40, 80), st.integers(1, 60))
@example(game_of(["ab", "ba", "bb"], ["ba"]), 1)  # the first pair tells everything
@example(load_game(spec="mastermind:3x3"), 40)  # no letters that could bound anything
def test_best_and_worst_are_those_of_brute_force(game: Game, count: int) -> None:
    """Of any length, with ties; counters of long words are slow without compilation."""
    count = count if game.n_scores <= 3**7 else 1
    truth, search = worlds.ranked_pairs(game, game.guesses), PairSearch(game)
    values = [weight for weight, _ in truth]
    for found, expected in (
        (search.best(count).pairs, truth[:count]),
        (search.worst(count).pairs, truth[-count:]),
    ):
        assert [(p.weight, p.words) for p in found] == expected
        assert [p.rank for p in found] == [values.index(p.weight) + 1 for p in found]
    for weight, words in (truth[-1], truth[len(truth) // 2]):
        assert search.ranked(*words).pairs[0].rank == values.index(weight) + 1


@settings(max_examples=6)
@given(real_games(40, 90))
def test_partners_and_pairs_of_secrets(game: Game) -> None:
    word = game.guesses[len(game.guesses) // 2]
    mine = [pair for pair in worlds.ranked_pairs(game, game.guesses) if word in pair[1]]
    assert [p.weight for p in PairSearch(game).partners(word).pairs] == [w for w, _ in mine]
    both = PairSearch(game, both_secrets=True).best(10).pairs
    assert [(p.weight, p.words) for p in both] == worlds.ranked_pairs(game, game.secrets)[:10]


def test_a_pair_is_two_words_that_take_part() -> None:
    search = PairSearch(game_of(["crane", "slate", "abide"], ["crane", "slate"]), both_secrets=True)
    refused(WrongInputError, "twice", search.ranked, "crane", "CRANE")
    refused(WrongInputError, "not among the secrets", search.partners, "abide")


def counted_by_the_tree(search: PairSearch, limit: int, spans: list[tuple[int, int]]) -> int:
    """Pairs up to a weight, the first guess from some spans of all, the best one first."""
    game = search.game
    assert isinstance(game, WordleGame) and search.field.has_tree
    tally = np.array([0, 0, limit], dtype=np.int64)
    field = search.field
    tree = field.tree(tally)
    logs, slack = fixed_log_weights(field.secrets), slack_of(field.secrets, 2 * game.length + 2)
    for span in spans:
        count_pairs(*span, field.scores, field.rows, field.weights, logs, tree, slack)
    return int(tally[1])


@pytest.mark.plain
@settings(max_examples=12 if PLAIN else 20)
@given(MADE_UP if PLAIN else MADE_UP | real_games(40, 80), st.data())
def test_the_tree_counts_as_brute_force(game: WordleGame, data: st.DataObject) -> None:
    truth = [weight for weight, _ in worlds.ranked_pairs(game, game.guesses)]
    search, whole = PairSearch(game), len(game.guesses)
    limits = sorted({*truth, *(weight - 1 for weight in truth)})
    if whole > 9:
        limits = data.draw(st.lists(st.sampled_from(limits), min_size=1, max_size=4))
    for limit in limits:
        strides = [(0, whole // 3), (whole // 3, whole)]
        assert counted_by_the_tree(search, limit, strides) == sum(w <= limit for w in truth)


def test_the_tree_counts_partners_on_the_full_list(nyt_2022: PairSearch) -> None:
    for words, at in ((("crane", "slate"), 700), (("fuzzy", "hello"), 9000)):
        limit = worlds.joint_weight(nyt_2022.game, *words)
        row, later = nyt_2022.field.rows[at], nyt_2022.field.rows[at + 1 :]
        partition = partition_by([nyt_2022.scores[row]])
        weights = joint_measures(nyt_2022.scores[later], partition, 243).weights
        found = counted_by_the_tree(nyt_2022, limit, [(at, at + 1)])
        assert 0 < found == int((weights <= limit).sum()) < len(later)


def test_the_tree_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second stride on, if the bounds leave more than no pair at all."""
    game = game_of(list(EVERYTHING[::65]))
    middle = PairSearch(game).best(9000).pairs[-1]
    monkeypatch.setattr("solver.word_sets.pairs._MANY", -1)
    assert PairSearch(game).ranked(*middle.words).pairs[0].rank == middle.rank


#: A list of 430 guesses and 33 secrets.
SOME = list(EVERYTHING[::30])


@pytest.fixture(scope="module")
def some() -> Game:
    return game_of(SOME, SOME[::13])


class Behind(BestPairs):
    """Each stride knows but what had been found some strides before."""

    def __init__(self, field: PairPool, count: int, lags: list[int]) -> None:
        super().__init__(field, count)
        self._lags, self._then = lags, [self.wanted.kept.copy()]

    def task(self, span: Span) -> tuple[Span, Costs]:
        self._then.append(self.wanted.kept.copy())
        lag = self._lags[len(self._then) % len(self._lags)]
        return span, self._then[max(0, len(self._then) - 1 - lag)].copy()


#: With few secrets there are thousands of equal pairs: of these the first ones are kept.
FEW_SECRETS = st.integers(2, 12).map(lambda count: game_of(SOME[::4], SOME[::4][:: 108 // count]))


@settings(max_examples=20)
@given(
    real_games(40, 90) | FEW_SECRETS, st.integers(1, 40),
    st.lists(st.integers(0, 5), min_size=1, max_size=4),
)  # fmt: skip
def test_who_knows_less_finds_the_same(game: Game, count: int, lags: list[int]) -> None:
    with patch.multiple("solver.word_sets.pairs", STRIDE=4, _PIECE=2):
        field = PairPool(game)
        wanted = BestPairs(field, count).search(pairs.no_progress, 1)
        behind = Behind(field, count, lags)
        behind.search_shared(pairs.no_progress, 1)
    assert (behind.wanted.kept == wanted.kept).all() and behind.wanted.tally[0] == wanted.tally[0]
    best = [pair for _, pair in worlds.ranked_pairs(game, game.guesses)[: len(wanted.kept)]]
    assert wanted.kept[:, 1:].tolist() == [[*map(game.guess_id, pair)] for pair in best]


def test_searches_travel_as_recipes(some: Game) -> None:
    search = BestPairs(PairPool(some, both_secrets=True), 4)
    most = 4_000 + len(pickle.dumps(some))
    assert all(len(pickle.dumps(it)) < most for it in (search, TripleSearch(some, 2)))
    kept = (
        it.search(pairs.no_progress, 1).kept for it in (search, pickle.loads(pickle.dumps(search)))
    )
    assert np.array_equal(*kept)


@pytest.mark.long
def test_any_number_of_workers(some: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = PairSearch(some)
    middle, good = (alone.best(count).pairs[-1].words for count in (20_000, 5))
    for _ in range(2):
        for ask in (
            lambda search: search.best(30),
            lambda search: search.ranked(*middle),
            lambda search: search.ranked(*good),
        ):
            assert {repr(ask(PairSearch(some, workers=w))) for w in (2, 3)} == {repr(ask(alone))}
        monkeypatch.setattr(pairs, "_MANY", -1)  # then the tree, from the second stride on
    assert TripleSearch(some, workers=2).best() == TripleSearch(some).best()


@pytest.mark.slow
def test_workers_may_be_spawned(some: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "elsewhere")
    assert PairSearch(some, workers=2).best(9) == PairSearch(some).best(9)
    assert TripleSearch(some, workers=2).best() == TripleSearch(some).best()


@pytest.mark.parametrize("workers", [1, 2])
def test_all_guesses_are_told_of_once(some: Game, workers: int) -> None:
    heard: list[tuple[int, int]] = []
    PairSearch(some, workers=workers).best(3, lambda *said: heard.append(said))
    assert sum(new for new, _ in heard) == len(SOME)
    assert {whole for _, whole in heard} == {len(SOME)}


class Counting:
    """Answers with the span, the task of its time, and the process."""

    def __init__(self, killed: int = -1) -> None:
        self.heard, self.killed = 0, killed

    def task(self, span: Span) -> tuple[Span, int]:
        return span, self.heard

    def take(self, task: tuple[Span, int]) -> tuple[Span, int, int]:
        span, heard = task
        if span[0] == self.killed:
            os.kill(os.getpid(), signal.SIGKILL)
        return span, heard, os.getpid()


@pytest.mark.parametrize("whole", [0, 1, STRIDE, STRIDE + 1, 5 * STRIDE + 3])
@pytest.mark.parametrize("workers", [1, 3])
def test_strides_come_in_order(whole: int, workers: int) -> None:
    searcher = Counting()
    taken = []
    for span, (answered, heard, process) in strides(searcher, 0, whole, workers):
        assert answered == span and heard <= searcher.heard
        assert (process == os.getpid()) == (workers == 1 or span[0] == 0)
        searcher.heard += 1
        taken.append(span)
    assert [first for first, _ in taken[:1]] == [0][:whole]
    assert [last for _, last in taken[-1:]] == [whole][:whole]
    assert all(one[1] == other[0] for one, other in pairwise(taken))
    assert {last for _, last in taken} >= set(range(STRIDE, whole, STRIDE))
    assert not multiprocessing.active_children()


def test_strides_that_end_early() -> None:
    for span, _ in strides(Counting(), 2 * STRIDE, 100 * STRIDE, 2):
        if span[1] >= 4 * STRIDE:
            break
    assert not multiprocessing.active_children()
    searcher = Counting(killed=2 * STRIDE)
    with pytest.raises(CouldNotFinishError, match="a worker process died in task .*SIGKILL"):
        list(strides(searcher, 0, 9 * STRIDE, 2))
    assert not multiprocessing.active_children()


def test_triples_of_real_words() -> None:
    game = load_game()
    found = TripleSearch(game).thirds("soare", "clint", 5)
    assert found.proved and found.evaluated == len(game.guesses) - 2
    for triple in found.triples:
        assert triple.weight == worlds.joint_weight(game, *triple.words)
    two = game.guess_id("clint"), game.guess_id("soare")
    assert Thirds(game).best(two).counted < len(game.guesses) // 4
    game = game_of(list(game.guesses[::60]), list(game.guesses[::180]))
    found = TripleSearch(game).best()
    (best,) = found.triples
    assert not found.proved and best.weight == worlds.joint_weight(game, *best.words)
    for words in combinations(best.words, 2):
        assert TripleSearch(game).thirds(*words, 1).triples[0].weight >= best.weight


@settings(max_examples=8)
@given(real_games(8, 16))
def test_best_triple_of_a_small_list_is_proved(game: Game) -> None:
    truth = min(
        (worlds.joint_weight(game, *three), three) for three in combinations(game.guesses, 3)
    )
    found = TripleSearch(game).best()
    assert found.proved and (found.triples[0].weight, found.triples[0].words) == truth


def counted(thirds: Thirds, two: Two) -> tuple[int, int]:
    weights = thirds.weights(two)
    weights[list(two)] = NO_WEIGHT
    return int(weights.min()), int(weights.argmin())


@settings(max_examples=30)
@given(real_games(3, 60), st.data())
def test_bounded_and_counted_agree(game: Game, data: st.DataObject) -> None:
    thirds = Thirds(game)
    guess = st.integers(0, len(game.guesses) - 1)
    one, other = sorted(data.draw(st.lists(guess, min_size=2, max_size=2, unique=True)))
    third = thirds.best((one, other))
    assert (third.weight, third.guess) == counted(thirds, (one, other))
    words = (game.guesses[at] for at in (one, other, third.guess))
    assert third.weight == worlds.joint_weight(game, *words)


@pytest.mark.slow
@pytest.mark.parametrize("game", [
    load_game(), load_game("nyt-2023", secrets="allowed"), mastermind_game("mastermind:4x4"),
])  # fmt: skip
def test_bounds_are_no_more_than_weights(game: Game) -> None:
    thirds = Thirds(game)
    for two in [(3, 200), (17, 18)]:
        partition = thirds._partition(two)
        assert (thirds._leasts(partition) <= thirds.weights(two)).all()
        assert thirds.best(two)[:2] == counted(thirds, two)


def told_by(game: Game, row: np.ndarray) -> LetterBounds:
    """The questions of all guesses, and what a guess with these scores tells about them."""
    n = len(game.secrets)
    questions = letter_bounds.questions_about(
        *pairs.letters_of(game, np.arange(len(game.guesses), dtype=np.int32))
    )
    blocks = joint_splits.memory_for_blocks(game.n_scores, n)
    letter_bounds.answer_questions(
        blocks, joint_splits.sort_by_bucket(row, blocks), questions, fixed_log_weights(n)
    )
    return questions


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


@pytest.mark.parametrize(("rows", "words"), [
    (4, 300), pytest.param(12, 12_947, marks=pytest.mark.slow),
])  # fmt: skip
def test_bounds_hold_also_for_the_blocks_to_come(
    nyt_2022: PairSearch, rows: int, words: int
) -> None:
    """Subadditivity, (one), (all) and (least), with the stated slack, from any segment on."""
    game, scores, draw = nyt_2022.game, nyt_2022.scores, np.random.default_rng(2)
    n, logs = len(game.secrets), fixed_log_weights(len(game.secrets))
    slack, own = slack_of(n, game.length), split_measures(scores, game.n_scores).weights
    others = np.sort(draw.choice(len(game.guesses), words, replace=False))
    distinct = np.array([len(set(game.guesses[at])) == game.length for at in others])
    close = 0
    for a in draw.choice(len(game.guesses), rows):
        questions = letter_bounds.questions_about(*pairs.letters_of(game, others))
        blocks = joint_splits.memory_for_blocks(game.n_scores, n)
        count = joint_splits.sort_by_bucket(scores[a], blocks)
        letter_bounds.answer_questions(blocks, count, questions, logs)
        rest = np.zeros(joint_splits.SEGMENTS + 1, dtype=np.int64)
        joint_splits.weights_of_rest(blocks, logs, rest)
        starts = blocks.starts[: count + 1]
        assert (blocks.cuts[0], blocks.cuts[-1]) == (0, count)
        assert (questions.distinct == distinct).all() and (questions.beyond[distinct] == 0).all()
        for segment, first in enumerate(blocks.cuts[:-1]):
            if first == count:
                assert rest[segment] == 0
                continue
            members = blocks.members[starts[first] : starts[count]]
            part = joint_splits.Partition(members, starts[first:] - starts[first], 0)
            joint = joint_measures(scores[others], part, 243).weights
            known = questions.known[segment][questions.codes]
            assert rest[segment] == logs[np.diff(starts[first:])].sum()
            assert (joint[:, None] <= known + slack).all()
            each_letter = questions.known[segment][questions.per_letter]
            saved = (rest[segment] - each_letter).sum(axis=1) + questions.beyond
            assert (rest[segment] - saved <= joint + slack).all()
            if segment == 0:  # all blocks
                one = own[others][:, None] + known - questions.alone[questions.codes]
                assert (one <= joint[:, None] + slack).all() and (joint <= own[a]).all()
                assert (own[others] + own[a] - logs[-1] <= joint + slack).all()
                close += int((one.max(axis=1) > 0.8 * joint).sum())
    assert close  # the bounds say something


@kernel
def summed(shown: Answers, members: Places, begin: int, end: int, column: int, sums: Sums) -> None:
    letter_bounds.sum_rows(shown, members, begin, end, column, sums)


@kernel
def fetched(scores: Answers, row: int) -> int:
    letter_bounds.fetch_row(scores, row)
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
        letter_bounds.sum_rows_plain(shown, members, begin, end, column, plain)
    assert (sums == plain).all() and sums[TOGETHER + 1] == end - begin
    assert (sums[2 * TOGETHER :] == 7).all()  # nothing else is written


@pytest.mark.plain
def test_a_row_is_fetched_and_nothing_changes() -> None:
    scores = (np.arange(299) % 251).astype(np.uint8).reshape(13, 23)
    for view in (scores, scores[:, :20]):
        before = view.copy()
        assert fetched(view, 12) == before[12, -1]
        letter_bounds.fetch_row_plain(view, 12)
        assert (view == before).all()


INSANE = Path("/usr/share/dict/american-english-insane")
ORIGINAL = named_list("original", "allowed").words


def as_sets(found: WordSets) -> Sets:
    sets = {frozenset(words) for words in found.sets}
    assert len(sets) == len(found.sets), "a set is there twice"
    return sets


def check_sets(words: Sequence[str], count: int) -> None:
    """What is found, with anagrams and without, is what the slow search finds."""
    slow = exact_cover(words, count)
    assert as_sets(find_sets(words, count, anagrams=True)) == slow
    assert as_sets(find_sets(words, count)) == without_anagrams(slow, words)


def large_list() -> tuple[str, ...]:
    """The lower-case words of the largest list that a Linux distribution carries."""
    if not INSANE.exists():
        raise missing(f"{INSANE} (Debian package wamerican-insane)")
    return tuple(re.findall(r"^[a-z]{5}$", INSANE.read_text(), re.MULTILINE))


@pytest.mark.parametrize("name", ["original", "nyt-2022"])
def test_published_counts(name: str) -> None:
    words = named_list(name, "allowed").words
    assert len(find_sets(words).sets) == 10 and len(find_sets(words, anagrams=True).sets) == 11


@pytest.mark.parametrize("words", [
    pytest.param(lambda: ORIGINAL, marks=pytest.mark.slow),
    pytest.param(large_list, marks=pytest.mark.long),
])  # fmt: skip
def test_whole_lists_against_exact_cover(words: Callable[[], Sequence[str]]) -> None:
    assert find_sets(named_list("original", "answers").words).sets == ()
    check_sets(words(), 5)


def test_large_list_counts() -> None:
    words = large_list()
    found = find_sets(words, anagrams=True)
    assert (len(words), len(find_sets(words).sets), len(found.sets)) == (17_458, 493, 682)
    assert all(len(set("".join(chosen))) == 25 for chosen in found.sets)


def test_the_hitting_set_is_found_not_given() -> None:
    """English words are hit by the vowels; with the letters renamed it is what they became."""
    assert set(find_sets(ORIGINAL).hitting_set) == set("aeiou")
    letters = list(string.ascii_lowercase)
    random.Random(5).shuffle(letters)
    rename = str.maketrans(string.ascii_lowercase, "".join(letters))
    renamed = find_sets([word.translate(rename) for word in ORIGINAL])
    assert set(renamed.hitting_set) == set("aeiou".translate(rename)) and len(renamed.sets) == 10


@st.composite
def lists_of_words(draw: st.DrawFn) -> list[str]:
    """Words of one length over a small alphabet: many sets, repeats, anagrams, repeated letters."""
    alphabet = draw(st.sampled_from(["abcdef", "abcdefgh", "etaoinshrd", "aàbßcдe日fغ", "ABcd"]))
    length = draw(st.integers(1, 4))
    word = st.text(alphabet, min_size=length, max_size=length)
    return draw(st.lists(word, min_size=1, max_size=30))


@pytest.mark.plain
@given(lists_of_words(), st.integers(1, 5))
def test_random_lists(words: list[str], count: int) -> None:
    check_sets(words, count)


@given(st.integers(0, 2**32), st.integers(100, 3000))
def test_random_parts_of_the_list(seed: int, size: int) -> None:
    """Sub-lists in random order, with a few sets planted so that there is something to find."""
    draw = random.Random(seed)
    words = draw.sample(ORIGINAL, size)
    for chosen in draw.sample(find_sets(ORIGINAL).sets, 2):
        words += [word for word in chosen if word not in words]
    draw.shuffle(words)
    check_sets(words, 5)


@pytest.mark.parametrize(("count", "length", "stems"), [(4, 6, 3000), (3, 8, 6000), (6, 4, 250)])
def test_other_shapes(count: int, length: int, stems: int) -> None:
    """Made-up words: pieces of the real ones, joined and cut to length."""
    draw = random.Random(count)
    words = {(draw.choice(ORIGINAL) + draw.choice(ORIGINAL))[:length] for _ in range(stems)}
    check_sets(sorted(words), count)


@pytest.mark.plain
@given(lists_of_words(), st.integers(1, 4), st.integers(0, 8), st.randoms())
def test_any_plan(words: list[str], count: int, n_hitting: int, draw: random.Random) -> None:
    """Order of letters and hitting set only steer: with random ones the result is the same."""
    text = disjoint_words._encode(words)
    places = list(range(len(text.letters)))
    draw.shuffle(places)
    bits = np.zeros(64, dtype=np.uint64)
    for code, place in zip(text.letters, places, strict=True):
        bits[code] = 1 << place
    n_hitting = min(n_hitting, len(places))
    masks, firsts = disjoint_search.collect_masks(*text[:3], bits)
    shelved = disjoint_search.shelve_masks(masks, firsts, len(places), n_hitting)
    shelves = disjoint_search.Shelves(*shelved)
    spare = len(places) - count * text.length
    found, _ = disjoint_words._find_all(shelves, len(places), n_hitting, count, spare)
    sets = {frozenset(words[at] for at in row) for row in found.tolist()}
    assert len(sets) == len(found) and sets == without_anagrams(exact_cover(words, count), words)


@pytest.mark.plain
def test_word_lengths_and_letters() -> None:
    """One bit a letter, to the last bit."""
    letters = [chr(0x4E00 + place) for place in range(64)]
    assert find_sets(letters, 64).sets == (tuple(letters),)
    halves = ["".join(letters[:32]), "".join(letters[32:]), letters[63] * 32]
    assert find_sets(halves, 2).sets == (tuple(halves[:2]),)
    refused(WrongInputError, "65 different letters", find_sets, [*letters, "a"], 2)
    for words in (["abc", "abcd"], ["ab", "c", "def"], [""], ["é", ""]):
        refused(WrongInputError, "the same length", find_sets, words)
    assert find_sets([]).sets == ()


def test_portions_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that stops after every set and goes on finds the same."""
    whole = find_sets(ORIGINAL)
    monkeypatch.setattr(disjoint_words, "_BATCH", 1)
    assert find_sets(ORIGINAL) == whole
    monkeypatch.undo()
    monkeypatch.setattr(disjoint_words, "MOST_SETS", 9)
    refused(CouldNotFinishError, "more than 9 sets", find_sets, ORIGINAL)


@kernel
def _vector_steps(masks: np.ndarray, start: int, taken: np.uint64) -> tuple[int, int, int]:  # type: ignore[type-arg]
    found = vectors.disjoint(masks, start, taken)
    return found, vectors.first_bit(taken), vectors.bit_count(taken)


NUMBERS = st.integers(0, 2**64 - 1)


@given(st.lists(NUMBERS, min_size=20, max_size=20), st.integers(0, 4), st.integers(0, 63), NUMBERS)
def test_vector_steps(values: list[int], start: int, place: int, others: int) -> None:
    masks = np.array(values, dtype=np.uint64)
    for taken in (np.uint64(1 << place), np.uint64(others | 1 << place)):
        plain = vectors.disjoint_plain(masks, start, taken)
        counted = vectors.first_bit_plain(taken), vectors.bit_count_plain(taken)
        assert _vector_steps(masks, start, taken) == (plain, *counted)


def test_reader(tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_bytes("\ufeffCrane\r\n\r\n  slate \r\ncafés\r\ncafe\u0301s\r\nit's!\r\n".encode())
    two = tmp_path / "two words.txt"
    two.write_bytes("CRANE\nfour\nnaïve\nab1de\n".encode() + b"caf\xe9s\nKnuth")
    read = read_dictionaries([one, two], 5)
    assert read.words == ("cafés", "crane", "knuth", "naïve", "slate")
    assert read.skipped == 4  # it's!  four  ab1de  and the line that is not UTF-8
    refused(WrongInputError, r"did you mean original\?", read_dictionaries, ["orignal"], 5)
    refused(WrongInputError, re.escape(str(tmp_path)), read_dictionaries, [tmp_path], 5)


def test_command_on_its_lists(knuthle: Knuthle) -> None:
    """Every printed line is checked by plain Python."""
    *lines, count, about, _, named = knuthle("five-words", "--anagrams").out.splitlines()
    assert named == "list original"
    assert len(lines) == 11 and lines == sorted(lines)
    for line in lines:
        words = line.split()
        assert len(words) == 5 and words == sorted(words) and len(set("".join(words))) == 25
        assert set(words) <= set(ORIGINAL)
    assert count == "11 sets of 5 words with 25 different letters"
    assert about.startswith("12,972 words of 5 letters, 0 lines skipped, 5,182 different sets")
    report = report_of(knuthle, "five-words", "--list", "nyt-2022")
    assert (report["count"], report["n_words"], report["n_letter_sets"]) == (10, 12947, 5176)
    assert len(report["sets"]) == 10 and all(value >= 0 for value in report["seconds"].values())


def test_command_on_files(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file has a set of its own; together they have one."""
    Path("a b.txt").write_text("Fjord\ngucks\n")
    Path("c.txt").write_text("NYMPH\nvibex\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"waltz\ntoo long\n")))
    outcome = knuthle("five-words", "a b.txt", "c.txt", "-", "--quiet", "--json", "-")
    report = json.loads(outcome.out)
    assert report["sets"] == [["fjord", "gucks", "nymph", "vibex", "waltz"]]
    assert report["n_skipped"] == 1 and (outcome.code, outcome.err) == (0, "")
