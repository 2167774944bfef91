"""Numbers that options take: each has bounds, and what lies beyond them is one plain line."""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.errors import WrongInputError
from solver.exact.problem import Problem
from solver.word_sets.disjoint_words import find_sets
from strategy import suggest
from strategy.cli import parser_of
from strategy.cli.commands import COMMANDS
from strategy.solving.optimal import optimal
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.worlds import game_of

#: What no number may be, in words and beyond every bound.
TOO_FAR = (str(2**63), str(2**64), "9" * 30, "9" * 5000, "1e300", "1e5000", "inf", "nan")
NO_NUMBERS = ("", "0x10", "1_000", "one", "-1", "-" + "9" * 5000, " 5 ", "+3", "5\n", "١٢", "１/２")


def parsers_of(command: str) -> list[argparse.ArgumentParser]:
    parsers = [parser_of(command)]
    for action in parsers[0]._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers += action.choices.values()
    return parsers


def number_options() -> Iterator[tuple[str, argparse.Action]]:
    """All options of all commands that read their value by a function of ours."""
    for command in COMMANDS:
        for parser in parsers_of(command):
            for action in parser._actions:
                if action.type is not None:
                    yield f"{parser.prog} {'/'.join(action.option_strings)}", action


NUMBERS = dict(number_options())


def test_the_number_options_are_found() -> None:
    names = {action.option_strings[0] for action in NUMBERS.values()}
    assert names >= {
        "--within", "--top", "--bottom", "--time-limit", "--workers", "--width", "--boards",
        "--sample", "--seed", "--timeout", "--stop-after", "--serve", "--depth", "--count",
        "--letters", "--length", "--shard",
    }  # fmt: skip


@pytest.mark.parametrize("option", NUMBERS)
def test_no_option_takes_a_number_beyond_its_bounds(option: str) -> None:
    action = NUMBERS[option]
    assert callable(action.type)
    for text in (*TOO_FAR, *NO_NUMBERS):
        try:
            value = action.type(text)
        except (argparse.ArgumentTypeError, ValueError) as error:
            assert len(str(error)) < 200 and "\n" not in str(error)
        else:  # an option that takes one of a few numbers
            assert action.choices is not None and value not in action.choices


def test_the_largest_number_of_an_option_is_taken(knuthle: Knuthle, tiny: Path) -> None:
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle("suggest", *words, "--within", 1_000_000, "--top", 1_000_000_000).code == 0
    assert knuthle("optimal", *words, "--within", 1_000_000, "--width", 1_000_000_000).code == 0


def test_calls_of_the_library_have_the_same_bounds() -> None:
    game = game_of(["crane", "slate", "stare", "raise"])
    for within in (2**63, 2**64, 1_000_001, -1):
        refused(WrongInputError, "a limit is a number of guesses", Problem, game, within=within)
        refused(WrongInputError, "a limit is a number", optimal, game, within=within, workers=1)
        if within > 0:
            refused(WrongInputError, "a limit is a number", suggest, game, within=within)
    for count in (0, 65, 2**64):
        refused(WrongInputError, "1–64 words", find_sets, ["crane"], count)
