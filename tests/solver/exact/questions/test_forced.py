"""Fixed first guesses in exact search: all of them are played, and none that cannot be."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from solver.exact.first_guesses.problem import Problem
from solver.exact.questions import best_strategy
from solver.tree import Tree
from tests.support.answers import least_worst_case
from tests.support.commands import Knuthle
from tests.support.worlds import game_of, some_world


@pytest.mark.parametrize("number", range(12))
def test_the_least_limit_after_two_guesses(number: int) -> None:
    dice = random.Random(f"two guesses {number}")
    game = some_world(dice, 4, 16)
    start = dice.sample(game.guesses, 2)
    answer = least_worst_case(Problem(game, hard=False, within=None), start)
    limits = range(1, len(game.secrets) + 3)
    totals = [
        best_strategy.best_strategy(Problem(game, False, limit), start).tree for limit in limits
    ]
    assert answer.within == 1 + next(at for at, tree in enumerate(totals) if tree is not None)
    assert answer.tree is not None
    assert max(answer.tree.depths()) == answer.within
    assert game.guesses[answer.tree.guess[0]] == start[0]
    assert {game.guesses[answer.tree.guess[at]] for at in second_nodes(answer.tree)} <= {start[1]}


def second_nodes(tree: Tree) -> list[int]:
    """The nodes of second guesses."""
    return [at for at, depth in enumerate(tree.depths()) if depth == 2]


def test_a_start_that_tells_nothing_needs_one_more() -> None:
    game = game_of(["bbb", "ccc"], ["ccc"])
    answer = least_worst_case(Problem(game, hard=False, within=None), ["bbb"])
    assert (answer.within, answer.proved) == (2, True)


@pytest.mark.parametrize("objective", ["total", "worst", "losses"])
def test_two_starts_on_the_command_line(knuthle: Knuthle, tiny: Path, objective: str) -> None:
    outcome = knuthle(
        *("optimal", "--list", tiny, "--secrets", "allowed", "--start", "slate,crane"),
        *("--objective", objective, "--json", "-"),
    )
    assert outcome.code == 0
    assert json.loads(outcome.out)["start"] == ["slate", "crane"]


def test_a_single_guess_needs_no_proof(knuthle: Knuthle, tiny: Path) -> None:
    Path("one.txt").write_text("crane\n")
    words = ("--list", tiny, "--secrets", "one.txt", "--objective", "worst")
    outcome = knuthle("optimal", *words, "--proof", "one.proof", "--json", "-")
    assert (outcome.code, json.loads(outcome.out)["worst"]) == (0, 1)
    assert "one guess is the least there is; one.proof is not written" in outcome.err
    assert not Path("one.proof").exists()


@pytest.mark.parametrize("command", [["optimal"], ["solve-all", "--rule", "optimal"]])
@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("slate,adieu", "hard mode forbids the fixed guess 'adieu' after slate."),
        ("slate,slate", "--start guesses 'slate' twice"),
    ],
)
def test_starts_that_cannot_be_played(
    knuthle: Knuthle, tiny: Path, command: list[str], start: str, reason: str
) -> None:
    outcome = knuthle(*command, "--list", tiny, "--secrets", "allowed", "--hard", "--start", start)
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in outcome.err
    assert not list(Path().iterdir())
