"""Strategies of others: which lists they are compared with, and all their faults by name."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.rules.searcher import Searcher
from strategy.checkers import verify
from strategy.checkers.lists import board_codes
from strategy.errors import BadFileError, WrongStrategyError
from strategy.files.draft import Draft, Spelling
from strategy.files.strategy_file import Origin
from strategy.foreign import faults
from strategy.foreign import reference_lists as by
from strategy.foreign.faults import CheckResult, Rules, find_faults
from strategy.tree import Strategy
from strategy.verification import draft_of
from tests.support import refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import GAME, GUESSES, SECRETS, WORDS, game_of, kept, small_game

__all__ = ["kept"]
pytestmark = pytest.mark.plain


def headed(**changes: Any) -> Strategy:
    """A strategy of the game with another head."""
    strategy = strategy_of(GAME)
    return replace(strategy, origin=replace(strategy.origin, **changes))


def drafted(words: Sequence[str], game: str = "wordle") -> Draft:
    """The same as a file of somebody else, which solves these words."""
    draft = Draft("games", Spelling("f", game))
    draft.spelling.length = len(words[0])
    for at, word in enumerate(words):
        draft.end(draft.add(0 if at else -1, at, word, 1), 1)
    return draft


@pytest.mark.parametrize(("game", "count"), [
    ("mastermind:2x3", 9), ("mastermind:2x3:distinct", 6), ("mastermind:1x10", 10),
])  # fmt: skip
def test_a_board_shows_by_what_is_solved(game: str, count: int) -> None:
    codes = board_codes(game, count)
    draft = drafted(codes, "mastermind")
    assert by.of_draft(draft).game == game
    draft.says_all_ends = False
    refused(BadFileError, "say --game", by.of_draft, draft)
    draft.says_all_ends = True
    draft.named.remove(codes[0])
    refused(BadFileError, "say --game", by.of_draft, draft)
    assert by.of_draft(draft, None, "allowed", game).secrets == codes


def test_boards_that_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = drafted(["1"], "mastermind")
    for asked in ((["1"],), (None, "answers")):
        refused(BadFileError, "all its codes", by.of_draft, draft, *asked, "mastermind:1x2")
    monkeypatch.setattr(by, "MOST_WORDS", 36)
    for board, count in (("1x36", 36), ("3x1", 1)):
        found = by.of_draft(draft, game=f"mastermind:{board}")
        assert len(found.secrets) == count
    for board in ("1x37", "6x2", "3x2:distinct"):
        refused(BadFileError, "1 to 36", by.of_draft, draft, game=f"mastermind:{board}")
    monkeypatch.setattr(by, "MOST_WORDS", 37)
    refused(BadFileError, "1 to 37", by.of_draft, draft, game="mastermind:1x37")
    refused(BadFileError, "is no peg", by.of_draft, drafted(["1", "\u00e4"], "mastermind"))


def test_lists_that_are_given(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("cd\nab\n")
    for asked, found in (
        ((None, None), (None, None)),
        ((None, "answers"), (None, by.shipped("original", "answers"))),
        ((["BA ", "ab", "ba"], None), (["ab", "ba"], None)),
        ((None, "allowed", "mine"), (None, GUESSES)), ((None, "answers", "mine"), (None, SECRETS)),
        ((None, "answers", "alone"), (None, ["ab", "cd"])),
        (("mine", "allowed"), (GUESSES, GUESSES)), (("mine", "answers"), (GUESSES, SECRETS)),
        ((WORDS, "answers"), (GUESSES, GUESSES)), ((WORDS, ["abc"]), (GUESSES, ["abc"])),
        ((tmp_path / "list", str(tmp_path / "list")), (["ab", "cd"], ["ab", "cd"])),
    ):  # fmt: skip
        assert by.given_lists(*asked) == found


def test_what_a_strategy_is_checked_by(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part, other = GUESSES[:9], [word.upper() for word in SECRETS]
    mine = {"list_name": "mine", "secrets_name": "answers"}
    lists = {("mine", "allowed"): part, ("mine", "answers"): other}
    for names, asked, found in (
        (mine, (None, None), (GUESSES, SECRETS)), (mine, (part, None), (part, SECRETS)),
        (mine, (part, other), (part, other)), (mine, ([], []), (None, SECRETS)),
        (mine, (["ab"], ["ab"]), (None, SECRETS)),
        (mine | {"secrets_name": "allowed"}, (part, None), (part, part)),
        (mine | {"secrets_name": "allowed"}, (part, other), (part, other)),
        (mine | {"guesses_digest": "0" * 64}, (None, None), (None, SECRETS)),
        ({"list_name": "original", "secrets_name": "answers"}, (None, None), (None, SECRETS)),
    ):  # fmt: skip
        reference = by.of_strategy(headed(**names), *asked)
        assert (reference.guesses, list(reference.secrets)) == found
    monkeypatch.setattr(by, "shipped", lambda *name: lists.get(name))
    reference = by.of_strategy(headed(**mine), None, None)
    assert (reference.guesses, reference.secrets) == (part, other)
    refused(AttributeError, "", setattr, reference, "name", "other")


def test_what_a_file_of_others_is_checked_by(kept: Path) -> None:
    (kept / "mine.2-allowed.txt").write_text("\n".join(GUESSES))
    draft = drafted(SECRETS)
    for asked, names in (
        (["mine"], ("mine", "answers")), (["mine.2"], ("mine.2", "allowed")),
        (["mine", "allowed"], ("mine", "allowed")), ([WORDS, SECRETS], ("words", "words")),
        ([kept / "mine-allowed.txt", SECRETS], ("mine-allowed", "words")),
    ):  # fmt: skip
        found = by.of_draft(draft, *asked)
        assert (found.name, found.part, found.guesses) == (*names, GUESSES)
    long = "a" * 12
    refused(BadFileError, "is no word of wordle", by.of_draft, drafted([long]), [long])
    (kept / "a\u200bb").write_text("abc")
    refused(BadFileError, "cannot be the name", by.of_draft, draft, kept / "a\u200bb")


def test_a_file_of_others_names_a_list_or_resembles_one(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {
        ("original", "allowed"): GUESSES, ("original", "answers"): SECRETS,
        ("mine", "allowed"): GUESSES, ("mine", "answers"): SECRETS[:2],
        ("half", "answers"): SECRETS, ("short", "allowed"): ["ab"], ("short", "answers"): ["ab"],
    }  # fmt: skip
    monkeypatch.setattr(by, "shipped", lambda *name: lists.get(name))
    usual, own = ("original", "answers"), ("words", "words")
    for words, solved, named, names in (
        (SECRETS, SECRETS, ("mine", "answers"), ("mine", "answers")),
        (SECRETS, SECRETS, ("mine", "other"), usual),
        (SECRETS, SECRETS, ("half", "answers"), usual),
        (SECRETS, SECRETS, ("short", "answers"), usual),
        (GUESSES, GUESSES, own, ("original", "allowed")),
        (["xxx", "yyy", "zzz"], SECRETS, own, usual), (SECRETS, ["xxx", "yyy", "zzz"], own, own),
        (SECRETS, [*SECRETS[:3], "xxx", "yyy"], own, usual),
        (SECRETS, [*SECRETS[:3], "xxx", "yyy", "zzz"], own, own),
    ):  # fmt: skip
        draft = drafted(words)
        draft.named, (draft.list_name, draft.secrets_name) = set(solved), named
        found = by.of_draft(draft)
        assert (found.name, found.part) == names


#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]


def test_all_faults_are_named() -> None:
    """Of a strategy that is right, but for the rules that it is held to.

    A game goes on as far as the file leads: here a score leads back to the same node.
    """
    played = faults.play(["abc"], {(0, 8): 0}, verify.GRADERS[False], ["abd", "abc", "cab"])
    assert played == ({"abc": 1}, {"abc": 0}, {0})
    game = game_of(ALIKE)
    draft = draft_of(strategy_of(game, start="abc"))
    rules = Rules("wordle", game.guesses, game.secrets)
    assert not find_faults(draft, rules).faults
    for broken, said in (
        (rules._replace(guesses=game.guesses[1:]), "'abc' at the beginning is on no list"),
        (rules._replace(hard=True), "'cde' after abc .* moves the green of 'abc'"),
        (rules._replace(secrets=ALIKE[:6]), "'fgh' after abc .* may not be hidden"),
    ):
        found = find_faults(draft, broken).faults
        assert len(found) == 1 and re.match(said, found[0].text) and found[0].line is None
    assert find_faults(draft, rules._replace(guesses=None)).taken
    refused(BadFileError, "letters", find_faults, draft, rules._replace(guesses=["ab"]))


def test_each_fault_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A word is guessed below itself, one that is on no list is guessed twice."""
    monkeypatch.setattr(faults, "_STEPS_SHOWN", 1)
    draft = Draft("games", Spelling("f", "wordle"))
    draft.spelling.length = 3
    for parent, score, word, line in (
        (-1, 0, "abc", 1), (0, 26, "abc", 2), (0, 8, "abe", 0), (2, 8, "abd", 4), (2, 0, "abd", 0),
    ):  # fmt: skip
        draft.end(draft.add(parent, score, word, line), line)
    rules = Rules("wordle", ["abc"], ["abc", "abe"])
    assert [(fault.line, fault.text) for fault in find_faults(draft, rules).faults] == [
        (None, "'abe' after abc ggb is on no list of guesses"),
        (4, "'abd' after … abe ggb is on no list of guesses"),
        (None, "'abd' answers 'abe' with ggb, not bbb"),
        (2, "'abc' is solved after abc ggg too; the first is in line 1"),
        (4, "'abd' after … abe ggb may not be hidden"),
    ]


def test_hard_mode_names_the_guess_that_showed_a_letter_first() -> None:
    required: Any = (("",) * 3, {})
    first, second = (1, "abc"), (2, "aab")
    for word, score, shown in (("abc", 1, first), ("dae", 3, first), ("aab", 4, second)):
        required = faults._more_required(required, word, score)
        assert required == (("",) * 3, {"a": shown})
    # It is the same for all strategies.
    game = small_game(1, 300, 300)
    origin = Origin.of(game, "minimax", (game.guesses[0],))
    strategy = Strategy.of_tree(game, origin, Searcher(game).grow(None, (0,)))
    said = []
    for node, guess in enumerate(strategy.guess):
        try:
            verify.check_hard(strategy.words[guess], strategy.history_of(node))
        except WrongStrategyError as error:
            said.append(str(error))
    rules = Rules("wordle", game.guesses, game.secrets, hard=True)
    found = find_faults(draft_of(strategy), rules).faults
    assert len(found) == len(said) > 5
    assert {word for text in said for word in ("moves", "drops") if word in text} == {
        word for fault in found for word in ("moves", "drops") if word in str(fault)
    }


def test_what_the_games_came_to() -> None:
    none = CheckResult({}, {}, 2, ())
    assert (none.histogram, none.worst, none.total, none.mean) == ([], None, None, None)
    some = CheckResult({"ab": 1, "cd": 4}, {"ab": 0, "cd": 3}, 2, ())
    assert (some.histogram, some.worst, some.total, some.mean) == ([1, 0, 0, 1], 4, 5, 2.5)
    refused(AttributeError, "", setattr, some, "n_secrets", 3)
