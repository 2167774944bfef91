"""Proofs: what is true of small worlds is proved, by brute force and by the exact search."""

from dataclasses import replace
from typing import Any

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from strategy.checkers import proof as core
from strategy.checkers.proof import Proof, WrongProofError, check
from strategy.proofs import proof_file
from strategy.proofs.writer import prove, prove_optimal, refutations_of
from tests.support import raising, refused
from tests.support.naive_checker import NaiveChecker
from tests.support.naive_proof import LOSS, UNLIMITED, NaiveSearch, all_true, impossible, search_of
from tests.support.proof_worlds import (
    alike,
    claim_with,
    holds,
    inflated,
    made_up,
    plan_of,
    proof_of,
    stated,
    through_a_file,
)
from tests.support.refuted_world import small_steps

LIMIT = 6


@pytest.fixture(scope="module")
def game() -> Game:
    return alike(0, 16, 9)


@pytest.fixture(scope="module")
def proof(game: Game) -> Proof:
    return proof_of(game, "total", LIMIT)


# --- what is true can be proved -------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [0, 2, 3, 4, 6])
def test_small_worlds_are_proved(limit: int, hard: bool) -> None:
    for seed in range(2):
        game = alike(seed, 14, 8) if seed % 2 else made_up(10 * limit + seed, 30, 20)
        search = search_of(game.guesses, game.secrets, 1, hard)
        lost = search.of_all(limit or UNLIMITED) >= LOSS
        objective = "losses" if lost else "total"
        assert holds(proof_of(game, objective, limit, hard), game)
        start = game.guesses[seed]
        assert holds(proof_of(game, "losses" if limit else "total", limit, hard, start), game)
        if lost:
            assert holds(proof_of(game, "worst", limit, hard), game)


def test_these_worlds_need_claims(proof: Proof, game: Game) -> None:
    assert len(proof.claims) >= 5 and not holds(replace(proof, claims=()), game)
    assert holds(proof, game)
    assert proof_file.to_body(proof_of(game, "total", LIMIT)) == proof_file.to_body(proof)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_first_flaw_by_workers(
    workers: int, proof: Proof, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "steps_of", lambda proof, few: small_steps(proof, few, 1))
    seen: list[int] = []
    lists = game.guesses, game.secrets
    check(proof, lists, lambda new, whole: seen.append(new), workers)
    assert sum(seen) == len(proof.claims) + len(game.guesses)
    empty = [claim._replace(value=0) for claim in proof.claims]
    for flawed in (
        inflated(proof),
        replace(proof, claims=proof.claims[1:]),
        Proof(  # the last claim is wrong, and so is the first block of openers
            replace(proof.statement, objective="worst", losses=1, total=0),
            None,
            (*empty, proof.claims[-1]._replace(value=LOSS)),
            (),
        ),
    ):
        reasons = set()
        for number in (1, workers):
            with pytest.raises(WrongProofError) as error:
                check(flawed, lists, workers=number)
            reasons.add(str(error.value))
        assert len(reasons) == 1


# --- what is false cannot -------------------------------------------------------------------
def test_a_wrong_oracle_ends_in_no_proof(game: Game, proof: Proof) -> None:
    class Liar:
        def bound(self, members: Any, left: int, revealed: Any, enough: int) -> int:
            return enough

    with pytest.raises(WrongProofError):
        prove(game, replace(proof.statement, total=proof.statement.total - 1), None, Liar())
    with pytest.raises(WrongProofError):
        statement = replace(proof.statement, objective="worst", losses=1, total=0, limit=6)
        prove(game, statement, None, Liar())


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [0, 3, 5])
def test_the_search_serves_as_well_as_brute_force(limit: int, hard: bool) -> None:
    for seed in range(2):
        for game in (alike(seed, 14, 8), made_up(seed, 30, 20)):
            objective = "losses" if limit else "total"
            by_hand = proof_of(game, objective, limit, hard)
            found = prove_optimal(game, objective, limit or None, hard, plan_of(by_hand))
            assert found.statement == by_hand.statement
            check(through_a_file(found), (game.guesses, game.secrets))


@pytest.mark.parametrize(("guess_from", "world"), [
    pytest.param("allowed", (0, 18, 10), marks=pytest.mark.slow), ("secrets", (2, 16, 9)),
])  # fmt: skip
def test_what_four_guesses_lose_at_least(guess_from: str, world: tuple[int, int, int]) -> None:
    """Sets that lose much are claimed first; a few exclude most openers."""
    game = alike(*world)
    by_hand = proof_of(game, "losses", 4, guess_from=guess_from)
    assert by_hand.statement.losses > 1
    found = prove_optimal(game, "losses", 4, False, plan_of(by_hand), "", guess_from=guess_from)
    assert found.statement == by_hand.statement
    chosen = [claim for claim in found.claims if claim.left == 3]
    assert chosen and holds(found, game) and not holds(replace(found, claims=()), game)
    assert all_true(found, game) and NaiveChecker(proof_file.to_body(found), game).accepts()
    for at, claim in enumerate(chosen):
        more = claim_with(found, found.claims.index(claim), value=claim.value + LOSS)
        assert not holds(more, game)
        if at % 4 == 0:  # the slow truth says it of some
            assert not NaiveChecker(proof_file.to_body(more), game).accepts()
    more = stated(found, losses=found.statement.losses + 1)
    refused(WrongProofError, "", check, more, (game.guesses, game.secrets))


@pytest.mark.parametrize("hard", [False, True])
def test_that_a_limit_cannot_be_kept(hard: bool) -> None:
    game = alike(1, 14, 8)
    search = NaiveSearch(game.guesses, game.secrets, 0, hard)
    limit = 2
    while search.value(game.secrets, limit + 1, game.guesses) >= LOSS:
        limit += 1
    found = prove_optimal(game, "worst", limit, hard, None)
    check(through_a_file(found), (game.guesses, game.secrets))
    assert (found.statement.losses, found.statement.limit) == (1, limit)


def test_the_time_limit_holds_for_a_proof() -> None:
    game = made_up(0, 30, 20)
    strategy, over = plan_of(proof_of(game, "losses", 5)), raising(OutOfTimeError("over"))
    refused(OutOfTimeError, "", prove_optimal, game, "losses", 5, False, strategy, check_time=over)
    refused(OutOfTimeError, "", prove_optimal, game, "worst", 2, False, None, check_time=over)


WORLDS = [alike(0, 16, 9), made_up(0, 30, 20), made_up(0, 25, 25, "abc", 4)]


def limit_proof(game: Game, limit: int, hard: bool = False, start: str = "") -> Proof:
    return prove_optimal(game, "worst", limit, hard, None, start)


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_what_is_impossible_is_proved_and_nothing_else(limit: int, hard: bool) -> None:
    for number, game in enumerate(WORLDS):
        for start in ("", game.guesses[0])[: 1 + (number + limit) % 2]:
            if impossible(game, limit, hard, start):
                found = limit_proof(game, limit, hard, start)
                assert holds(found, game)
                assert bool(found.refutations) == (
                    limit > 1 and impossible(game, limit, False, start)
                )
            else:
                refused(WrongProofError, "cannot be proved", limit_proof, game, limit, hard, start)


@pytest.mark.parametrize("start", ["aba", "abb", "abc"])
def test_what_only_hard_mode_makes_impossible_is_proved_by_claims(start: str) -> None:
    """Refutations are about all guesses and cannot say it."""
    game = made_up(5, 30, 20)
    assert not impossible(game, 3, False, start) and impossible(game, 3, True, start)
    found = limit_proof(game, 3, True, start)
    assert not found.refutations and holds(found, game)


def test_refutations_are_repeatable() -> None:
    game = alike(0, 22, 14)
    assert limit_proof(game, 4) == limit_proof(game, 4)
    assert not refutations_of(load_game(), 5, "salet")


@pytest.mark.parametrize("seed", range(4))
def test_an_attained_worst_case_is_proved_with_its_strategy(seed: int) -> None:
    game = made_up(seed, 30, 20)
    least = next(k for k in range(1, 9) if not impossible(game, k, False))
    strategy = plan_of(proof_of(game, "total", least))
    found = prove_optimal(game, "worst", None, False, strategy)
    assert found.statement.limit == least - 1 and holds(found, game)
    slower = plan_of(proof_of(game, "total", 0, start=game.guesses[0]))
    if slower.worst > least:
        refused(WrongProofError, "", prove_optimal, game, "worst", None, False, slower)
