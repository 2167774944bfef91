"""All faults of a strategy are found, each once, and named with where it stands."""

import re
from typing import Any

import pytest

from solver.rules.searcher import Searcher
from strategy.checkers import verify
from strategy.errors import BadFileError, WrongStrategyError
from strategy.files.draft import Draft, Spelling
from strategy.files.strategy_file import Origin
from strategy.foreign import faults
from strategy.foreign.faults import CheckResult, Rules, find_faults
from strategy.tree import Strategy
from strategy.verification import draft_of
from tests.support import refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of, small_game

pytestmark = pytest.mark.plain

#: Five that differ in a letter, and two that tell them apart.
ALIKE = ["abc", "abd", "abe", "abf", "abg", "cde", "fgh"]


def test_a_game_goes_on_as_far_as_the_file_leads() -> None:
    """Here a score leads back to the same node."""
    played = faults.play(["abc"], {(0, 8): 0}, verify.GRADERS[False], ["abd", "abc", "cab"])
    assert played == ({"abc": 1}, {"abc": 0}, {0})


def test_all_faults_are_named() -> None:
    """Of a strategy that is right, but for the rules that it is held to."""
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
    for guess, score, shown in (
        ("abc", 1, (1, "abc")),
        ("dae", 3, (1, "abc")),
        ("aab", 4, (2, "aab")),
    ):
        required = faults._more_required(required, guess, score)
        assert required == (("",) * 3, {"a": shown})


def test_hard_mode_is_the_same_for_all_strategies() -> None:
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
