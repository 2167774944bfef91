"""Refutations: that a limit cannot be kept is found, checked, and never shown where it can."""

from __future__ import annotations

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from strategy.proofs.checker.proof_file import Proof
from strategy.proofs.checker.steps import WrongProofError
from strategy.proofs.writer.oracle import prove_optimal
from strategy.proofs.writer.refute import refutations_of
from tests.support.naive_proof import impossible
from tests.support.proof_worlds import alike, holds, made_up
from tests.support.proof_worlds import proof_of as proof_by_claims

WORLDS = [
    world
    for seed in range(2)
    for world in (alike(seed, 16, 9), made_up(seed, 30, 20), made_up(seed, 25, 25, "abc", 4))
]


def proof_of(game: Game, limit: int, hard: bool = False, start: str = "") -> Proof:
    return prove_optimal(game, "worst", limit, hard, None, start)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_what_is_impossible_is_proved_and_nothing_else(limit: int, hard: bool) -> None:
    for game in WORLDS:
        for start in ("", game.guesses[0]):
            if impossible(game, limit, hard, start):
                found = proof_of(game, limit, hard, start)
                assert holds(found, game)
                assert bool(found.refutations) == (
                    limit > 1 and impossible(game, limit, False, start)
                )
            else:
                with pytest.raises(WrongProofError, match="cannot be proved"):
                    proof_of(game, limit, hard, start)


@pytest.mark.parametrize("start", ["aba", "abb", "abc"])
def test_what_only_hard_mode_makes_impossible_is_proved_by_claims(start: str) -> None:
    """Refutations are about all guesses and cannot say it."""
    game = made_up(5, 30, 20)
    assert not impossible(game, 3, False, start)
    assert impossible(game, 3, True, start)
    found = proof_of(game, 3, True, start)
    assert not found.refutations
    assert holds(found, game)


def test_the_same_words_have_the_same_refutations() -> None:
    game = alike(0, 22, 14)
    assert proof_of(game, 4) == proof_of(game, 4)


@pytest.mark.parametrize("seed", range(4))
def test_an_attained_worst_case_is_proved_with_its_strategy(seed: int) -> None:
    game = made_up(seed, 30, 20)
    least = next(k for k in range(1, 9) if not impossible(game, k, False))
    strategy = proof_by_claims(game, "total", least).strategy
    assert strategy is not None
    found = prove_optimal(game, "worst", None, False, strategy)
    assert found.statement.limit == least - 1
    assert holds(found, game)
    slower = proof_by_claims(game, "total", 0, start=game.guesses[0]).strategy
    assert slower is not None
    if slower.worst > least:
        with pytest.raises(WrongProofError):
            prove_optimal(game, "worst", None, False, slower)


def test_nothing_is_found_where_there_is_a_way() -> None:
    assert not refutations_of(load_game(), 5, "salet")
