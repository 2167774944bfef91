"""Pairs, triples, joint splits, cheat sheets: published figures, brute force on small lists."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.cheatsheet import cheat_sheet
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.game.words import named_list
from solver.pairs.count_tree import count_pairs, pair_tree, tree_counts
from solver.pairs.letter_bounds import Questions, questions_about, tell
from solver.pairs.pair_search import PairSearch, letters_of
from solver.pairs.triples import TripleSearch
from solver.splits.joint import (
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
from tests.support import naive, published
from tests.support.worlds import game_of, made_up_games, real_games


def joint_weight(game: Game, *words: str) -> int:
    """The joint weight of some words by plain counting."""
    weights = fixed_log_weights(len(game.secrets))
    sizes = Counter(tuple(game.grade(word, secret) for word in words) for secret in game.secrets)
    return sum(int(weights[size]) for size in sizes.values())


def brute(game: Game, words: tuple[str, ...]) -> list[tuple[int, tuple[str, str]]]:
    """All pairs, best first, ties in alphabetical order."""
    weights = fixed_log_weights(len(game.secrets)).tolist()
    rows = {word: [game.grade(word, secret) for secret in game.secrets] for word in words}

    def weight(a: str, b: str) -> int:
        return sum(weights[size] for size in Counter(zip(rows[a], rows[b], strict=True)).values())

    return sorted((weight(*pair), pair) for pair in combinations(words, 2))


@pytest.fixture(scope="module")
def nyt_2022() -> PairSearch:
    return PairSearch(load_game("nyt-2022"))


def test_published_pairs() -> None:
    found = PairSearch(load_game()).best(3)
    for pair, (words, entropy) in zip(found.pairs, published.PAIRS.items(), strict=True):
        assert pair.words == tuple(sorted(words))
        assert pair.joint_entropy == pytest.approx(entropy, abs=1e-9)
    assert found.evaluated < found.pairs_in_all // 100


def test_published_best_pair_and_rank_of_nyt_2022(nyt_2022: PairSearch) -> None:
    (best,) = nyt_2022.best(1).pairs
    assert best.words == ("clint", "soare")
    assert best.remaining_bits == pytest.approx(published.REMAINING["soare clint"], abs=1e-6)
    (named,) = nyt_2022.ranked("trace", "lions").pairs
    rank, remaining = published.TRACE_LIONS
    assert named.rank == rank
    assert named.remaining_bits == pytest.approx(remaining, abs=5e-4)


def test_the_best_list_goes_on_to_the_named_pair(nyt_2022: PairSearch) -> None:
    last = nyt_2022.best(published.TRACE_LIONS[0]).pairs[-1]
    assert last.words == ("lions", "trace")


@settings(max_examples=20)
@given(real_games(40, 80), st.integers(1, 60))
def test_best_and_worst_are_those_of_brute_force(game: Game, count: int) -> None:
    truth = brute(game, game.guesses)
    search = PairSearch(game)
    assert [(p.weight, p.words) for p in search.best(count).pairs] == truth[:count]
    worst = search.worst(count).pairs
    assert [(p.weight, p.words) for p in worst] == truth[-count:]
    values = [weight for weight, _ in truth]
    assert [p.rank for p in worst] == [values.index(p.weight) + 1 for p in worst]
    middle = truth[len(truth) // 2]
    assert search.ranked(*middle[1]).pairs[0].rank == values.index(middle[0]) + 1


@pytest.mark.plain
@settings(max_examples=12)
@given(made_up_games(max_words=9), st.integers(1, 40))
def test_pairs_of_any_length_ties_and_ranks(game: Game, count: int) -> None:
    if game.n_scores > 3**7:
        count = 1  # counters of long words are slow without compilation
    truth = brute(game, game.guesses)
    search = PairSearch(game)
    found = search.best(count).pairs
    assert [(p.weight, p.words) for p in found] == truth[:count]
    values = [weight for weight, _ in truth]
    assert [p.rank for p in found] == [values.index(p.weight) + 1 for p in found]
    for weight, words in (truth[-1], truth[len(truth) // 2]):
        assert search.ranked(*words).pairs[0].rank == values.index(weight) + 1
    worst = search.worst(count).pairs
    assert [(p.weight, p.words) for p in worst] == truth[-count:]
    assert [p.rank for p in worst] == [values.index(p.weight) + 1 for p in worst]


@settings(max_examples=15)
@given(real_games(40, 90))
def test_partners_and_pairs_of_secrets(game: Game) -> None:
    word = game.guesses[len(game.guesses) // 2]
    mine = [pair for pair in brute(game, game.guesses) if word in pair[1]]
    assert [p.weight for p in PairSearch(game).partners(word).pairs] == [w for w, _ in mine]
    both = PairSearch(game, both_secrets=True).best(10).pairs
    assert [(p.weight, p.words) for p in both] == brute(game, game.secrets)[:10]


def test_a_pair_is_two_words_that_take_part() -> None:
    search = PairSearch(game_of(["crane", "slate", "abide"], ["crane", "slate"]), both_secrets=True)
    with pytest.raises(WrongInputError, match="twice"):
        search.ranked("crane", "CRANE")
    with pytest.raises(WrongInputError, match="not among the secrets"):
        search.partners("abide")


def counted_by_the_tree(search: PairSearch, limit: int, spans: list[tuple[int, int]]) -> int:
    """Pairs up to a weight, the first guess from some spans of all, the best one first."""
    game = search.game
    assert isinstance(game, WordleGame)
    assert tree_counts(game.length, search.secrets)
    tally = np.array([0, 0, limit], dtype=np.int64)
    row = np.zeros(search.secrets, dtype=search.scores.dtype)
    blocks = memory_for_blocks(game.n_scores, search.secrets)
    letters = letters_of(game, search._ids)
    tree = pair_tree(*letters, row, blocks, tally)
    logs = fixed_log_weights(search.secrets)
    slack = search._slack(2 * search.game.length + 2)
    for span in spans:
        count_pairs(*span, search.scores, search._rows, search._weights, logs, tree, slack)
    return int(tally[1])


@settings(max_examples=20)
@given(real_games(40, 80), st.data())
def test_the_tree_counts_as_brute_force(game: WordleGame, data: st.DataObject) -> None:
    truth = [weight for weight, _ in brute(game, game.guesses)]
    search, whole = PairSearch(game), len(game.guesses)
    for limit in data.draw(st.lists(st.sampled_from(truth), min_size=1, max_size=4)):
        strides = [(0, whole // 3), (whole // 3, whole)]
        assert counted_by_the_tree(search, limit, strides) == sum(w <= limit for w in truth)


@pytest.mark.plain
@settings(max_examples=12)
@given(made_up_games(max_words=9))
def test_the_tree_counts_words_of_any_length(game: WordleGame) -> None:
    truth = [weight for weight, _ in brute(game, game.guesses)]
    search = PairSearch(game)
    for limit in {*truth, *(weight - 1 for weight in truth)}:
        found = counted_by_the_tree(search, limit, [(0, len(game.guesses))])
        assert found == sum(weight <= limit for weight in truth)


def test_the_tree_counts_partners_on_the_full_list(nyt_2022: PairSearch) -> None:
    for words, at in ((("crane", "slate"), 700), (("fuzzy", "hello"), 9000)):
        limit = joint_weight(nyt_2022.game, *words)
        row, later = nyt_2022._rows[at], nyt_2022._rows[at + 1 :]
        partition = partition_by([nyt_2022.scores[row]])
        weights = joint_measures(nyt_2022.scores[later], partition, 243).weights
        found = counted_by_the_tree(nyt_2022, limit, [(at, at + 1)])
        assert 0 < found == int((weights <= limit).sum()) < len(later)


def test_the_tree_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second stride on, if the bounds leave more than no pair at all."""
    game = game_of(list(named_list("original", "allowed").words[::65]))
    middle = PairSearch(game).best(9000).pairs[-1]
    monkeypatch.setattr("solver.pairs.pair_search._MANY", -1)
    assert PairSearch(game).ranked(*middle.words).pairs[0].rank == middle.rank


def told_by(game: Game, row: np.ndarray) -> Questions:
    """The questions of all guesses, and what a guess with these scores tells about them."""
    n = len(game.secrets)
    questions = questions_about(*letters_of(game, np.arange(len(game.guesses), dtype=np.int32)))
    blocks = memory_for_blocks(game.n_scores, n)
    tell(blocks, sort_by_bucket(row, blocks), questions, fixed_log_weights(n))
    assert not questions.counts.any()
    return questions


def test_bounds_hold_on_a_sample_of_the_full_list(nyt_2022: PairSearch) -> None:
    """Subadditivity, (one), (all) and (least), with the stated slack, against the exact weight."""
    game = nyt_2022.game
    draw = np.random.default_rng(1)
    whole = fixed_log_weights(len(game.secrets))[-1]
    slack = nyt_2022._slack(game.length)
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
        total = own[a] + (known - own[a]).sum(axis=1)
        assert (questions.distinct == distinct).all()
        assert (total[distinct] <= joint[distinct] + slack).all()
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
        tell(blocks, count, questions, logs)
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
            slack = nyt_2022._slack(game.length)
            assert rest[segment] == logs[np.diff(starts[first:])].sum()
            assert (joint[:, None] <= known + slack).all()
            least = rest[segment] - (rest[segment] - known).sum(axis=1)
            assert (least <= joint + slack)[questions.distinct].all()


@settings(max_examples=20)
@given(made_up_games(max_words=14))
def test_joint_measures_by_plain_counting(game: Game) -> None:
    rows = game.score_rows()
    two = game.guesses[:2]
    measures = joint_measures(rows, partition_by([rows[0], rows[1]]), game.n_scores)
    for guess, word in enumerate(game.guesses):
        sizes = Counter(
            tuple(game.grade(w, secret) for w in (*two, word)) for secret in game.secrets
        ).values()
        assert measures.parts[guess] == len(sizes)
        assert measures.largest[guess] == max(sizes)
        assert measures.squares[guess] == sum(size * size for size in sizes)
        assert measures.weights[guess] == joint_weight(game, *two, word)


def test_third_words() -> None:
    game = load_game()
    found = TripleSearch(game).thirds("soare", "clint", 5)
    assert found.proved
    assert found.evaluated == len(game.guesses) - 2
    for triple in found.triples:
        assert triple.weight == joint_weight(game, *triple.words)


@settings(max_examples=8)
@given(real_games(8, 16))
def test_best_triple_of_a_small_list_is_proved(game: Game) -> None:
    truth = min((joint_weight(game, *three), three) for three in combinations(game.guesses, 3))
    found = TripleSearch(game).best()
    assert found.proved
    assert (found.triples[0].weight, found.triples[0].words) == truth


def test_a_climbed_triple_is_a_bound_and_cannot_be_mended() -> None:
    words = load_game().guesses[::60]
    game = game_of(list(words), list(words[::3]))
    found = TripleSearch(game).best()
    (best,) = found.triples
    assert not found.proved
    assert best.weight == joint_weight(game, *best.words)
    for two in combinations(best.words, 2):
        assert TripleSearch(game).thirds(*two, 1).triples[0].weight >= best.weight


def test_published_cheat_sheets() -> None:
    game = load_game()
    for group, expected in (("hits", published.BY_HITS), ("colours", published.BY_COLOURS)):
        sheet = cheat_sheet(game, "soare", group=group)
        rows = {row.key[0]: row for row in sheet.rows}
        for key, (word, entropy, answers) in expected.items():
            assert (rows[key].word, rows[key].answers) == (word, answers)
            assert rows[key].joint_entropy == pytest.approx(entropy, abs=1e-9)
        assert sum(row.answers for row in sheet.rows) == 2315
        assert 100 * sheet.shares()["clint"] == pytest.approx(published.CLINT_SHARE, abs=5e-3)


@settings(max_examples=10)
@given(real_games(30, 60), st.sampled_from(["score", "hits", "colours"]), st.sampled_from([2, 3]))
def test_cheat_sheet_by_plain_counting(game: Game, group: str, depth: int) -> None:
    def seen(word: str, secret: str) -> str:
        marks = naive.marks(word, secret)
        hits, both = len(marks) - marks.count("b"), f"{marks.count('y')},{marks.count('g')}"
        return {"score": marks, "hits": str(hits), "colours": both}[group]

    sheet = cheat_sheet(game, game.guesses[0], group=group, depth=depth)
    for row in sheet.rows:
        left = [
            secret
            for secret in game.secrets
            if all(seen(w, secret) == k for w, k in zip(row.before, row.key, strict=True))
            and secret not in row.before
        ]
        assert row.answers == len(left)
        small = game_of(list(game.guesses), left)
        weights = {word: joint_weight(small, *row.before, word) for word in game.guesses}
        best = [word for word in game.guesses if weights[word] == min(weights.values())]
        assert row.tied == len(best)
        assert row.word == min(best, key=lambda word: (word not in left, word))


def test_cheat_sheet_refuses_what_it_cannot() -> None:
    game = game_of(["crane", "slate"])
    with pytest.raises(WrongInputError, match="grouped by"):
        cheat_sheet(game, "crane", group="vowels")
    with pytest.raises(WrongInputError, match="chosen by"):
        cheat_sheet(game, "crane", rule="parts")
    with pytest.raises(WrongInputError, match="from 2 to"):
        cheat_sheet(game, "crane", depth=1)
