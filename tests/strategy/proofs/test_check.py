"""Proofs: what is true of small worlds is proved, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from strategy.proofs.checker import board as boards
from strategy.proofs.checker import proof_file
from strategy.proofs.checker.check import check
from strategy.proofs.checker.proof_file import Proof
from strategy.proofs.checker.steps import WrongProofError
from strategy.proofs.writer.claims import prove
from tests.support import naive
from tests.support.naive_proof import LOSS, UNLIMITED, search_of
from tests.support.proof_worlds import alike, holds, made_up, proof_of

LIMIT = 6


@pytest.fixture(scope="module")
def game() -> Game:
    return alike(0, 16, 9)


@pytest.fixture(scope="module")
def proof(game: Game) -> Proof:
    return proof_of(game, "total", LIMIT)


# --- the board ------------------------------------------------------------------------------


@pytest.mark.plain
@given(st.integers(0, 1000), st.booleans())
@settings(max_examples=20)
def test_the_board_splits_as_the_rule_says(seed: int, long: bool) -> None:
    game = made_up(seed, 12, 7, "abc", 6 if long else 3)
    board = boards.new_board(game.guesses, game.secrets, 1, False)
    for column, guess in enumerate(board.guess):
        if guess >= 0:
            word = game.guesses[guess]
            rows: dict[int, list[str]] = {}
            for secret, code in zip(game.secrets, board.rows[:, column], strict=True):
                rows.setdefault(int(code), []).append(secret)
            assert sorted(rows.values()) == sorted(naive.split(word, game.secrets).values())
            assert board.parts[column] == len(rows)


# --- what is true can be proved -------------------------------------------------------------


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


def test_most_of_these_worlds_need_claims(proof: Proof, game: Game) -> None:
    assert len(proof.claims) >= 5
    assert not holds(replace(proof, claims=()), game)
    assert holds(proof, game)


@pytest.mark.parametrize("workers", [2, 3])
def test_workers_find_the_same_first_flaw(
    workers: int, proof: Proof, game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strategy.proofs.checker.check._LISTED", 1)
    monkeypatch.setattr("strategy.proofs.checker.check._OPENERS", 3)
    seen: list[int] = []
    check(proof, game.guesses, game.secrets, lambda new, whole: seen.append(new), workers)
    assert sum(seen) == len(proof.claims) + len(game.guesses)
    inflated = tuple(replace(claim, value=claim.value + 1) for claim in proof.claims)
    empty = [replace(claim, value=0) for claim in proof.claims]
    for flawed in (
        replace(proof, claims=inflated),
        replace(proof, claims=proof.claims[1:]),
        Proof(  # the last claim is wrong, and so is the first block of openers
            replace(proof.statement, objective="worst", losses=1, total=0),
            (*empty, replace(proof.claims[-1], value=LOSS)),
            None,
        ),
    ):
        reasons = set()
        for number in (1, workers):
            with pytest.raises(WrongProofError) as error:
                check(flawed, game.guesses, game.secrets, workers=number)
            reasons.add(str(error.value))
        assert len(reasons) == 1


def test_the_same_proof_has_the_same_bytes(proof: Proof, game: Game) -> None:
    assert proof_file.to_body(proof_of(game, "total", LIMIT)) == proof_file.to_body(proof)


# --- what is false cannot -------------------------------------------------------------------


def test_a_wrong_oracle_ends_in_no_proof(game: Game, proof: Proof) -> None:
    class Liar:
        def bound(self, members: Any, left: int, shown: Any, enough: int) -> int:
            return enough

    with pytest.raises(WrongProofError):
        prove(game, replace(proof.statement, total=proof.statement.total - 1), None, Liar())
    with pytest.raises(WrongProofError):
        statement = replace(proof.statement, objective="worst", losses=1, total=0, limit=6)
        prove(game, statement, None, Liar())
