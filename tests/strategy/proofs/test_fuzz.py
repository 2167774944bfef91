"""Proofs changed at random: refused, or what they then say is true; both checkers agree on it.

Whether a thing is true is decided by brute force.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from strategy.errors import BadFileError
from strategy.files import envelope
from strategy.proofs.checker import proof_file
from strategy.proofs.checker.bounds import UNLIMITED
from strategy.proofs.checker.check import check_form, check_strategy, words_of_proof
from strategy.proofs.checker.proof_file import Claim, Refutation
from strategy.proofs.checker.steps import WrongProofError
from strategy.proofs.writer.oracle import prove_optimal
from tests.support.naive_checker import NaiveChecker
from tests.support.naive_proof import LOSS, all_true, impossible
from tests.support.proof_worlds import alike, holds, proof_of

Body = dict[str, Any]


@cache
def small_world(seed: int, objective: str, hard: bool) -> tuple[Game, Body]:
    """A game and the body of a proof about it."""
    game = alike(seed, 12, 7)
    if objective != "worst":
        limit = 3 if objective == "losses" else 0
        return game, proof_file.to_body(proof_of(game, objective, limit, hard))
    limit = max(k for k in range(1, 9) if impossible(game, k, hard))
    return game, proof_file.to_body(prove_optimal(game, "worst", limit, hard, None))


@st.composite
def tampered_bodies(draw: st.DrawFn) -> tuple[Game, Body]:
    """A proof with one to three changes."""
    objective = draw(st.sampled_from(proof_file.OBJECTIVES))
    game, whole = small_world(draw(st.integers(0, 3)), objective, draw(st.booleans()))
    body = dict(whole)
    for _ in range(draw(st.integers(1, 3))):
        draw(st.sampled_from(TAMPERING))(body, game, draw)
    return game, body


def tamper_bytes(body: Body, game: Game, draw: st.DrawFn) -> None:
    """Change, drop or add a byte of what is listed."""
    key = draw(st.sampled_from(("claims", "refutations")))
    listed = bytearray(body[key])
    at = draw(st.integers(0, len(listed)))
    new = draw(st.binary(max_size=2))
    body[key] = bytes(listed[:at] + new + listed[at + draw(st.integers(0, 1)) :])


def tamper_statement(body: Body, game: Game, draw: st.DrawFn) -> None:
    """State something else."""
    field, values = draw(
        st.sampled_from(
            [
                ("limit", st.integers(0, 6)),
                ("losses", st.integers(0, 3)),
                ("total", st.integers(0, 30)),
                ("hard", st.booleans()),
                ("start", st.sampled_from(("", *game.guesses))),
                ("objective", st.sampled_from(proof_file.OBJECTIVES)),
                ("secrets", st.integers(1, 9)),
                ("guesses_digest", st.just(game.secrets_digest)),
            ]
        )
    )
    body["statement"] = body["statement"] | {field: draw(values)}


def tamper_strategy(body: Body, game: Game, draw: st.DrawFn) -> None:
    """Change a byte of a column of the strategy, or take it away."""
    if body["strategy"] is None or draw(st.integers(0, 9)) == 0:
        body["strategy"] = None
        return
    key = draw(st.sampled_from(("guess", "parent", "score", "hit")))
    width, column = body["strategy"][key]
    changed = bytearray(column)
    changed[draw(st.integers(0, len(changed) - 1))] = draw(st.integers(0, 12))
    body["strategy"] = body["strategy"] | {key: [width, bytes(changed)]}


def tamper_list(body: Body, game: Game, draw: st.DrawFn) -> None:
    """Drop, repeat, exchange or put in something that is listed."""
    try:
        proof = proof_file.from_body(body, "tampered")
    except BadFileError:
        return
    key = draw(st.sampled_from(("claims", "refutations")))
    listed: list[Any] = list(getattr(proof, key))
    at = draw(st.integers(0, len(listed)))
    new = [draw(claims(game) if key == "claims" else refutations(game, at))]
    listed[at : at + draw(st.integers(0, 1))] = draw(st.sampled_from([new, [], listed[:1]]))
    changes: Any = {key: tuple(listed)}
    body |= proof_file.to_body(replace(proof, **changes))


TAMPERING = (tamper_bytes, tamper_statement, tamper_strategy, tamper_list)


def members(game: Game) -> st.SearchStrategy[tuple[int, ...]]:
    """Some of the candidates."""
    drawn = st.sets(st.integers(0, len(game.secrets) - 1), min_size=1)
    return drawn.map(sorted).map(tuple)


@st.composite
def claims(draw: st.DrawFn, game: Game) -> Claim:
    """Often true, often not."""
    left = draw(st.sampled_from([1, 2, 3, UNLIMITED]))
    value = draw(st.integers(0, 22)) + LOSS * draw(st.sampled_from([0, 0, 1, 2]))
    return Claim(draw(members(game)), left, draw(st.sampled_from(["", "...|", "a..|a"])), value)


@st.composite
def refutations(draw: st.DrawFn, game: Game, at: int) -> Refutation:
    """Often true, often not."""
    cites = draw(st.sets(st.integers(0, at - 1), max_size=4)) if at else set()
    return Refutation(draw(members(game)), draw(st.integers(1, 4)), tuple(sorted(cites)))


def judge(game: Game, body: Body) -> bool:
    """Whether a body passes; if it does, all that it says is true.

    The other checker says the same, where the form is right and the strategy is.
    """
    try:
        content = envelope.pack(envelope.PROOF, body)
        proof = proof_file.from_body(envelope.unpack(content, "tampered")[1], "tampered")
        check_form(proof)
        check_strategy(proof, words_of_proof(proof.statement, game.guesses, game.secrets))
    except (WrongProofError, BadFileError):
        return False
    passes = holds(proof, game)
    assert NaiveChecker(body, game).accepts() == passes
    assert not passes or all_true(proof, game)
    return passes


@given(tampered_bodies())
@settings(max_examples=70, suppress_health_check=[HealthCheck.too_slow])
def test_no_random_change_proves_what_is_false(tampered: tuple[Game, Body]) -> None:
    judge(*tampered)


@given(st.integers(0, 1), st.booleans(), st.data())
@settings(max_examples=100)
def test_no_added_claim_proves_what_is_false(seed: int, hard: bool, data: st.DataObject) -> None:
    """Nearly true claims are the ones that could slip through."""
    game, body = small_world(seed, "losses", hard)
    proof = proof_file.from_body(body, "whole")
    more = list(proof.claims)
    for _ in range(data.draw(st.integers(1, 3))):
        claim = data.draw(claims(game))
        more.insert(data.draw(st.integers(0, len(more))), claim)
    if holds(replace(proof, claims=tuple(more)), game):
        assert all_true(replace(proof, claims=tuple(more)), game)


@given(st.data())
@settings(max_examples=100)
def test_a_changed_file_is_a_damaged_one(data: st.DataObject) -> None:
    _, body = small_world(0, "total", False)
    content = bytearray(envelope.pack(envelope.PROOF, body))
    content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(BadFileError):
        envelope.unpack(bytes(content), "changed")
