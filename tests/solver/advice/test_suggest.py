"""Advice in the middle of a game: the published walk, contradictions, hard mode, patterns."""

import re

import pytest
from hypothesis import given, settings

from solver.advice.patterns import read_patterns
from solver.advice.suggest import candidates_after, suggest
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from strategy import suggest as asked
from tests.support import naive, published, refused
from tests.support.worlds import game_of, real_games


@pytest.mark.parametrize(("state", "left", "best"), published.ELIMINATED)
def test_published_clues(state: str, left: int, best: dict[str, float]) -> None:
    game = load_game()
    advice = suggest(game, game.parse_state(state), by="proportion", guess_from="secrets")
    assert len(advice.secrets) == left
    rows = list(advice.table.records())
    top = {row["word"]: row for row in rows[:3]}
    for word, share in best.items():
        assert top[word]["proportion"] == pytest.approx(share, abs=5e-8)
    if len(best) == 1:
        assert [row["rank"] for row in rows[:4]] == [1, 1, 1, 4]


def test_the_walk_ends() -> None:
    game, (state, left) = load_game(), published.WOVEN
    assert suggest(game, game.parse_state(state)).secrets == left


@pytest.mark.plain
def test_contradicting_clues_are_named() -> None:
    game = game_of(["crane", "slate", "abide", "stare", "sheep"])
    history = game.parse_state("crane bbgbg abide ybbbg sheep ggggg")
    refused(WrongInputError, "crane bbgbg contradicts sheep ggggg", suggest, game, history)
    reason, clue = "no secret of test .test. gives crane ggggb", naive.score_of("ggggb")
    refused(WrongInputError, reason, suggest, game, (("crane", clue),))
    # Two of these three fit each other, all three do not.
    game = game_of(["aa", "ab", "ac"])
    reason = "aa gb and ab gb contradict ac gb: no secret of test .test. fits all"
    refused(WrongInputError, reason, suggest, game, game.parse_state("aa gb ab gb ac gb"))


def test_answers_and_candidates() -> None:
    game = game_of(["crane", "slate", "abide"], ["slate"])
    reason = "other allowed words fit .abide.: try --secrets allowed"
    refused(WrongInputError, reason, suggest, game, game.parse_state("abide ggggg"))
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
CODES = load_game(spec="mastermind:2x3")


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
    ("crane bybbg", ["without s", "r at 2"],
     "crane bybbg contradicts the pattern 'r at 2'"),
    ("crane bybbg slate bbbbg", ["contains xs"],
     "crane bybbg contradicts the pattern 'contains xs'"),
    ("crane bybbg slate bbbbg", ["contains s"],
     "slate bbbbg contradicts the pattern 'contains s'"),
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


def test_codes_have_no_letters() -> None:
    assert read_patterns(CODES, []) == []
    refused(WrongInputError, "patterns are about letters", read_patterns, CODES, ["1."])
