"""Patterns: conditions on letters beside clues, against plain Python; contradictions are named."""

import re

import pytest

from solver.advice.patterns import read_patterns
from solver.advice.suggest import candidates_after
from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy import suggest
from tests.support import refused

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
    found = suggest(GAME, "crane bybbg", patterns=["without st", "exactly 1 r"])
    alone = suggest(GAME, "crane bybbg").secrets
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
    refused(WrongInputError, re.escape(named), suggest, GAME, clues, patterns=patterns)


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
