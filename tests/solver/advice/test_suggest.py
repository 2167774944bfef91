"""Advice in the middle of a game, on several boards too, and cheat sheets; by brute force."""

import contextlib
import random
import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import joint_worlds
from solver.advice.boards import JointStates, OpenBoard, rank_over_boards
from solver.advice.patterns import read_patterns
from solver.advice.suggest import candidates_after, suggest
from solver.advice.totals import ExactTotals
from solver.choices import GUESS_POOLS, MEASURES
from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.game import Game
from solver.game.wordle import WordleGame
from solver.splits.ranking import rank_guesses
from strategy import cheat_sheet, load_game
from strategy import suggest as asked
from tests.support import naive, naive_advice, naive_exact, published, refused
from tests.support.naive_play import guesses_to_end
from tests.support.worlds import game_of, made_up_games, measured, real_games


@pytest.mark.parametrize(("state", "left", "best"), published.ELIMINATED)
def test_published_clues(state: str, left: int, best: dict[str, float]) -> None:
    game = load_game()
    advice = suggest(game, game.parse_state(state), by="proportion", guess_from="secrets")
    assert len(advice.secrets) == left
    rows = list(advice.table.records())
    top = {row["word"]: row["proportion"] for row in rows[:3]}
    assert {word: top[word] for word in best} == pytest.approx(best, abs=5e-8)
    if len(best) == 1:
        assert [row["rank"] for row in rows[:4]] == [1, 1, 1, 4]
    end, secrets = published.WOVEN
    assert suggest(game, game.parse_state(end)).secrets == secrets


@pytest.mark.plain
def test_contradicting_clues_are_named() -> None:
    words = game_of(["crane", "slate", "abide", "stare", "sheep"])
    few, short = game_of(["crane", "slate", "abide"], ["slate"]), game_of(["aa", "ab", "ac"])
    for game, clues, reason in (
        (words, "crane bbgbg abide ybbbg sheep ggggg", "crane bbgbg contradicts sheep ggggg"),
        (words, "crane ggggb", "no secret of test .test. gives crane ggggb"),
        # Two of these three fit each other, all three do not.
        (short, "aa gb ab gb ac gb", "aa gb and ab gb contradict ac gb: no secret .* fits all"),
        (few, "abide ggggg", "other allowed words fit .abide.: try --secrets allowed"),
    ):
        refused(WrongInputError, reason, suggest, game, game.parse_state(clues))


def test_candidates_stand_first_among_equals() -> None:
    game = game_of(["aaa", "aab", "abb", "bbb", "zzz"], ["aab", "zzz"])
    rows = list(suggest(game, ()).table.records())
    assert [row["candidate"] for row in rows if row["rank"] == 1][:2] == [True, True]


@settings(max_examples=20)
@given(real_games(50, 120))
def test_hard_advice_follows_the_rule(game: WordleGame) -> None:
    secret, guess = game.secrets[0], game.guesses[-1]
    history = ((guess, naive.grade(guess, secret)),)
    words = {row["word"] for row in suggest(game, history, hard=True).table.records()}
    assert words == {word for word in game.guesses if naive.may_follow(word, guess, secret)}


GAME = load_game("nyt-2023")


def fitting(*patterns: str) -> list[str]:
    conditions = read_patterns(GAME, patterns)
    return [GAME.secrets[at] for at in candidates_after(GAME, (), conditions)]


@pytest.mark.parametrize(("pattern", "kept"), [
    ("c.a.e", lambda word: re.fullmatch("c.a.e", word)), ("CRANE", lambda word: word == "crane"),
    (".....", lambda word: True), ("b at 3", lambda word: word[2] == "b"),
    ("b at third", lambda word: word[2] == "b"), ("b not 3", lambda word: word[2] != "b"),
    ("e not 1 last", lambda word: word[0] != "e" != word[4]),
    ("contains ba", lambda word: "a" in word and "b" in word),
    ("contains b a", lambda word: "a" in word and "b" in word),
    ("contains ee", lambda word: word.count("e") >= 2),
    ("exactly 2 e", lambda word: word.count("e") == 2),
    ("contains exactly 1 e", lambda word: word.count("e") == 1),
    ("exactly 0 e", lambda word: "e" not in word),
    ("without aeo", lambda word: not {*"aeo"} & {*word}),
    ("..a.e, contains r ,t not 1", lambda word: re.fullmatch("[^t].a.e", word) and "r" in word),
])  # fmt: skip
def test_each_condition_means_what_it_says(pattern: str, kept: object) -> None:
    assert callable(kept)
    assert fitting(pattern) == [word for word in GAME.secrets if kept(word)] != []


def test_several_patterns_and_clues_hold_together() -> None:
    assert fitting("c....", "....e") == fitting("c...e") != []
    found = asked(GAME, "crane bybbg", patterns=["without st", "exactly 1 r"])
    alone = asked(GAME, "crane bybbg").secrets
    assert found.secrets == tuple(it for it in alone if not {*"st"} & {*it} and it.count("r") == 1)
    assert 0 < len(found.secrets) < len(alone)
    assert {row.word for row in found.words if row.candidate} <= {*found.secrets}


pools = st.sampled_from(GUESS_POOLS)
groups = st.sampled_from(["score", "hits", "colours"])


@settings(max_examples=12)
@given(
    real_games(30, 60), groups, st.sampled_from(["entropy", "minimax"]), pools, st.booleans(),
    st.sampled_from([2, 3]),
)  # fmt: skip
def test_rules(game: Game, group: str, rule: str, guess_from: str, hard: bool, depth: int) -> None:
    how: dict[str, Any] = {"group": group, "rule": rule, "depth": depth, "hard": hard}
    rows = cheat_sheet(game, game.guesses[7], guess_from=guess_from, **how).rows
    for row, states in naive_advice.checked_rows(game, group, game.guesses[7], rows, depth):
        pool = naive_advice.pool_of(game, row, states, guess_from, hard)
        if not pool:
            assert (row.word, row.joint_entropy, row.tied) == (None, None, 0)
            continue
        costs = {
            word: naive.RULES[rule](naive_advice.joint_sizes(word, states), False) for word in pool
        }
        naive_advice.chosen(game, row, costs, states)
        assert row.word is not None
        expected = naive.entropy(naive_advice.joint_sizes(row.word, states))
        assert row.joint_entropy == pytest.approx(expected, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    made_up_games(max_words=9, longest=5) | real_games(8, 12), groups, pools, st.booleans(),
    st.sampled_from([2, 3]),
)  # fmt: skip
def test_the_rule_optimal(game: Game, group: str, guess_from: str, hard: bool, depth: int) -> None:
    how: dict[str, Any] = {"group": group, "rule": "optimal", "depth": depth, "hard": hard}
    rows = cheat_sheet(game, game.guesses[0], guess_from=guess_from, **how).rows
    for row, states in naive_advice.checked_rows(game, group, game.guesses[0], rows, depth):
        pool = naive_advice.pool_of(game, row, states, guess_from, hard)
        if not pool:
            assert (row.word, row.total, row.claim) == (None, None, "none")
            continue
        left = 6 - len(row.before) if row.within else naive_exact.UNLIMITED
        totals = {word: naive_advice.total_of(game, row, word, states, hard, left) for word in pool}
        assert (row.claim, (0, row.total)) == ("proved", min(totals.values()))
        naive_advice.chosen(game, row, totals, states)


@settings(max_examples=6)
@given(real_games(30, 60), groups, st.sampled_from([2, 3]))
def test_the_rule_optimal_is_no_worse_than_entropy(game: Game, group: str, depth: int) -> None:
    """Of more words than brute force can take."""
    opener = game.guesses[0]
    others = {row.key: row.word for row in cheat_sheet(game, opener, group=group).rows}
    rows = cheat_sheet(game, opener, group=group, depth=depth, rule="optimal").rows
    for row, states in naive_advice.checked_rows(game, group, opener, rows, depth):
        assert row.claim == "proved" and row.total is not None
        assert row.answers > 1 or (row.total, row.tied) == (1, 1)
        if len(row.key) == 1:
            exact = ExactTotals(game, measured(game, states.values()), None)
            total = exact.total(game.guess_id(others[row.key]))
            assert total is not None and row.total <= total


def test_hard_mode_can_leave_no_word() -> None:
    """One hit of AB: an A or a B was seen, and only a word with both suits both."""
    game = game_of(["ab", "ca", "bc", "cc"])
    none, one = cheat_sheet(game, "ab", group="hits", hard=True).rows
    assert (none.key, none.word) == (("0",), "cc")
    assert (one.key, one.word, one.joint_entropy, one.answers) == (("1",), None, None, 2)
    assert cheat_sheet(game, "ab", group="hits", hard=True, depth=3).shares() == {"cc": 0.25}
    by_score = cheat_sheet(game, "ab", group="score", hard=True)
    assert [row.word for row in by_score.rows] == ["cc", "bc", "ca"]


def test_refusals() -> None:
    game, codes = game_of(["crane", "slate"]), load_game(spec="mastermind:3x4")
    refused(WrongInputError, "hard mode is a rule of Wordle", cheat_sheet, codes, "112", hard=True)
    refused(WrongInputError, "patterns are about letters", read_patterns, codes, ["1."])
    assert read_patterns(codes, []) == []
    for reason, wrong in (
        ("--guess-from is one of", {"guess_from": "dreams"}), ("must be 2–", {"depth": 1}),
        ("--group is one of", {"group": "vowels"}), ("rule for second words", {"rule": "parts"}),
    ):  # fmt: skip
        refused(WrongInputError, reason, cheat_sheet, game, "crane", **wrong)


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


WORDS = sorted("aab abc acb bac bca cab cba abb cca bcc dab bad".split())
SMALL = load_game(WORDS)
POOL = np.arange(len(WORDS), dtype=np.int32)
SOME = st.sets(st.integers(0, len(WORDS) - 1), min_size=1, max_size=4).map(sorted)


#: For each place of a board the weight of the secret that stands there, or none.
WEIGHTS = st.none() | st.lists(st.integers(1, 9), min_size=4, max_size=4)
Places, Weights = list[list[int]], list[int] | None


def _boards(places: Places, weights: Weights = None) -> list[OpenBoard]:
    likely = None if weights is None else np.array(weights, np.float64)
    return [
        OpenBoard(np.array(some, np.int32), None if likely is None else likely[: len(some)])
        for some in places
    ]


@pytest.mark.parametrize("weights", [None, np.array([3.0, 1, 1, 2, 2])])
@pytest.mark.parametrize("by", MEASURES)
def test_on_one_board_the_best_are_those_of_the_measure(by: str, weights: Any) -> None:
    candidates, likely = np.array([0, 2, 3, 5, 7], dtype=np.int32), None
    if weights is not None:
        likely = np.ones(len(WORDS))
        likely[candidates] = weights
    rows = rank_guesses(SMALL, by, candidates=candidates, weights=likely).rows
    ranking = rank_over_boards(SMALL, [OpenBoard(candidates, weights)], POOL, POOL, by)
    best = set(rows["guess"][rows["rank"] == 1].tolist())
    assert set(ranking.guesses[ranking.costs == ranking.costs[0]].tolist()) == best


@settings(max_examples=25)
@given(st.lists(SOME, min_size=1, max_size=3), WEIGHTS)
def test_least_guesses_beside_the_slow_truth(places: Places, weights: Weights) -> None:
    words = [[WORDS[at] for at in some] for some in places]
    shares = [(weights or [1] * 4)[: len(some)] for some in places]
    chances = [
        {word: Fraction(each, sum(own)) for word, each in zip(some, own, strict=True)}
        for some, own in zip(words, shares, strict=True)
    ]
    worlds = JointStates.of(SMALL, _boards(places, weights), POOL)
    assert worlds is not None
    slow = [float(guesses_to_end(words, WORDS, word, chances)) for word in (None, *WORDS)]
    assert worlds.mean(0) == pytest.approx(slow[1])  # asked first of all
    least, best = worlds.best()
    assert least == pytest.approx(slow[0])
    for place in (best[0], best[-1], 7):
        assert worlds.mean(place) == pytest.approx(slow[1 + place])
    certain = {some[0] for some in words if len(some) == 1}
    if certain:
        assert {WORDS[place] for place in best} >= certain


def test_too_much_is_given_up() -> None:
    everything = [list(range(len(WORDS)))] * 3
    assert JointStates.of(SMALL, _boards(everything), POOL) is None
    worlds = JointStates.of(SMALL, _boards(everything[:2]), POOL)
    assert worlds is not None
    worlds._search.memory.counts[0] = 100
    refused(CouldNotFinishError, "", worlds.best)


def _answers(states: JointStates | naive_advice.SlowStates, places: list[int]) -> list[object]:
    """What a search says to the last digit, as long as it does not take too long."""
    found: list[object] = []
    with contextlib.suppress(CouldNotFinishError):
        found.append(states.best())
        found += [states.mean(place) for place in places]
    return found


@settings(max_examples=20, deadline=None)
@given(
    st.lists(SOME, min_size=1, max_size=4),
    st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=3),
    WEIGHTS,
)
def test_the_search_of_plain_steps(places: Places, wanted: list[int], weights: Weights) -> None:
    boards = _boards(places, weights)
    fast = JointStates.of(SMALL, boards, POOL)
    assert fast is not None
    assert _answers(fast, wanted) == _answers(naive_advice.SlowStates(SMALL, boards, POOL), wanted)


@settings(max_examples=30, deadline=None)
@given(st.lists(SOME, min_size=1, max_size=4), st.sampled_from(MEASURES), SOME)
def test_the_ranking_is_that_of_plain_steps(places: Places, by: str, common: list[int]) -> None:
    known = np.array(common, dtype=np.int32)
    fast = rank_over_boards(SMALL, _boards(places), POOL, known, by)
    slow = naive_advice.slow_ranking(SMALL, _boards(places), POOL, known, by)
    mine = fast.guesses, fast.costs, fast.entropy, fast.hits
    assert [it.tolist() for it in mine] == [it.tolist() for it in slow]
    less = np.searchsorted(np.sort(fast.costs), fast.costs)
    assert fast.ranks.tolist() == (less + 1).tolist()


@pytest.mark.parametrize("n_clues", [2, 3, 4])
def test_words_and_codes_are_searched_as_by_plain_steps(n_clues: int) -> None:
    dice = random.Random(n_clues)
    for game in (load_game("nyt-2023", secrets="answers"), load_game(spec="mastermind:4x6")):
        pool, some = np.arange(len(game.guesses), dtype=np.int32), []
        for _ in range(3):
            guesses = np.array(dice.choices(range(len(pool)), k=n_clues), dtype=np.int32)
            rows = game.score_rows(guesses)
            secrets = [dice.randrange(len(game.secrets)) for _ in range(dice.choice([2, 3, 4]))]
            fits = [np.flatnonzero((rows[:, it] == rows.T).all(axis=1)) for it in secrets]
            some.append([OpenBoard(fit.astype(np.int32)) for fit in fits])
        for boards in some:
            if (fast := JointStates.of(game, boards, pool)) is not None:
                wanted = dice.choices(range(len(pool)), k=4)
                assert _answers(fast, wanted) == _answers(
                    naive_advice.SlowStates(game, boards, pool), wanted
                )


@pytest.mark.plain
def test_sums_are_in_the_order_of_numpy() -> None:
    dice = np.random.default_rng(1)
    for count in (*range(1, 30), 127, 128, 129, 255, 256, 263, 999, 1000):
        row = dice.random(count)
        boards = joint_worlds.JointBoards(
            np.array([0, count], np.int32), np.arange(count, dtype=np.int32), row
        )
        places, secrets = np.empty((2, count, 1), dtype=np.int32)
        worlds = joint_worlds.Worlds(places, secrets, np.empty(count))
        joint_worlds.list_worlds(boards, worlds, np.empty(16))
        assert worlds.chances.tolist() == (row / row.sum()).tolist()
