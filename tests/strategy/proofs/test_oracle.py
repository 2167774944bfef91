"""Proofs of what the exact search finds."""

from __future__ import annotations

import pytest

from solver.machine.clock import OutOfTimeError
from strategy.proofs.checker.check import check
from strategy.proofs.writer.oracle import prove_optimal
from tests.support.naive_proof import LOSS, NaiveSearch
from tests.support.proof_worlds import alike, made_up, proof_of, through_a_file


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [0, 3, 5])
def test_the_search_serves_as_well_as_brute_force(limit: int, hard: bool) -> None:
    for seed in range(3):
        for game in (alike(seed, 14, 8), made_up(seed, 30, 20)):
            objective = "losses" if limit else "total"
            by_hand = proof_of(game, objective, limit, hard)
            found = prove_optimal(game, objective, limit or None, hard, by_hand.strategy)
            assert found.statement == by_hand.statement
            check(through_a_file(found), game.guesses, game.secrets)


@pytest.mark.parametrize("hard", [False, True])
def test_that_a_limit_cannot_be_kept(hard: bool) -> None:
    game = alike(1, 14, 8)
    search = NaiveSearch(game.guesses, game.secrets, 0, hard)
    limit = 2
    while search.value(game.secrets, limit + 1, game.guesses)[0] >= LOSS:
        limit += 1
    found = prove_optimal(game, "worst", limit, hard, None)
    check(through_a_file(found), game.guesses, game.secrets)
    assert (found.statement.losses, found.statement.limit) == (1, limit)


def over() -> None:
    raise OutOfTimeError("over")


def test_the_time_limit_holds_for_a_proof() -> None:
    game = made_up(0, 30, 20)
    strategy = proof_of(game, "losses", 5, hard=False).strategy
    with pytest.raises(OutOfTimeError):
        prove_optimal(game, "losses", 5, False, strategy, check_time=over)
    with pytest.raises(OutOfTimeError):
        prove_optimal(game, "worst", 2, False, None, check_time=over)
