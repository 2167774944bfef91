"""Advice in the middle of a game, and cheat sheets: published ones, pools, hard mode, patterns."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.cheatsheet import cheat_sheet
from solver.advice.patterns import read_patterns
from solver.advice.suggest import candidates_after, suggest
from solver.advice.totals import ExactTotals
from solver.choices import GUESS_POOLS
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from strategy import suggest as asked
from tests.support import naive, naive_exact, published, refused
from tests.support.naive_cheatsheet import checked_rows, chosen, joint_sizes, pool_of, total_of
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


@pytest.mark.parametrize(("clues", "patterns", "named"), [
    ("", ["contains b", "without bc"],
     "the pattern 'contains b' contradicts the pattern 'without bc': no secret of nyt-2023"),
    ("crane bybbg", ["without s", "r at 2"], "crane bybbg contradicts the pattern 'r at 2'"),
    ("crane bybbg slate bbbbg", ["contains xs"],
     "crane bybbg contradicts the pattern 'contains xs'"),
    ("crane bybbg slate bbbbg", ["contains s"], "slate bbbbg contradicts the pattern 'contains s'"),
    ("", ["zzzzz"], "fits the pattern 'zzzzz'"),
])  # fmt: skip
def test_what_contradicts_what_is_named(clues: str, patterns: list[str], named: str) -> None:
    refused(WrongInputError, re.escape(named), asked, GAME, clues, patterns=patterns)


@pytest.mark.parametrize(("pattern", "reason"), [
    ("c.a", "has 3 places; words have 5"), ("", "empty condition"), ("a..,, b", "3 places"),
    ("crane,,", "empty condition"), ("b at 6", "'6' is no place; places are 1 to 5"),
    ("b at 0", "is no place"), ("b at sixth", "is no place"), ("bc at 1", "needs one letter"),
    ("b near 3", "makes no sense; conditions are such as: c.a.e"), ("b at", "makes no sense"),
    ("contains abcdef", "has 6 letters; words have 5"), ("without", "has 7 places"),
    ("exactly e 2", "must be such as 'exactly 2 e'"), ("exactly 9 e", "words have 5 letters"),
    ("exactly 2 ee", "needs one letter"), ("contains a-b", "'-', which is no letter"),
    ("c?a?e", "which is no letter"), ("x" * 501, "at most 500 characters"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(pattern: str, reason: str) -> None:
    refused(WrongInputError, re.escape(reason), read_patterns, GAME, [pattern])


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
    for row, states in checked_rows(game, group, game.guesses[7], rows, depth):
        pool = pool_of(game, row, states, guess_from, hard)
        if not pool:
            assert (row.word, row.joint_entropy, row.tied) == (None, None, 0)
            continue
        costs = {word: naive.RULES[rule](joint_sizes(word, states), False) for word in pool}
        chosen(game, row, costs, states)
        assert row.word is not None
        expected = naive.entropy(joint_sizes(row.word, states))
        assert row.joint_entropy == pytest.approx(expected, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    made_up_games(max_words=9, longest=5) | real_games(8, 12), groups, pools, st.booleans(),
    st.sampled_from([2, 3]),
)  # fmt: skip
def test_the_rule_optimal(game: Game, group: str, guess_from: str, hard: bool, depth: int) -> None:
    how: dict[str, Any] = {"group": group, "rule": "optimal", "depth": depth, "hard": hard}
    rows = cheat_sheet(game, game.guesses[0], guess_from=guess_from, **how).rows
    for row, states in checked_rows(game, group, game.guesses[0], rows, depth):
        pool = pool_of(game, row, states, guess_from, hard)
        if not pool:
            assert (row.word, row.total, row.claim) == (None, None, "none")
            continue
        left = 6 - len(row.before) if row.within else naive_exact.UNLIMITED
        totals = {word: total_of(game, row, word, states, hard, left) for word in pool}
        assert (row.claim, (0, row.total)) == ("proved", min(totals.values()))
        chosen(game, row, totals, states)


@settings(max_examples=6)
@given(real_games(30, 60), groups, st.sampled_from([2, 3]))
def test_the_rule_optimal_is_no_worse_than_entropy(game: Game, group: str, depth: int) -> None:
    """Of more words than brute force can take."""
    opener = game.guesses[0]
    others = {row.key: row.word for row in cheat_sheet(game, opener, group=group).rows}
    rows = cheat_sheet(game, opener, group=group, depth=depth, rule="optimal").rows
    for row, states in checked_rows(game, group, opener, rows, depth):
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
