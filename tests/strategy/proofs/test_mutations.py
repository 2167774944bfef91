"""Proofs that were tampered with are refused.

Everything is changed in the body of the file and sealed with a right checksum, so that what refuses
it is the check and not the seal. ``test_proof_fuzz`` changes proofs at random.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from strategy.cli import main
from strategy.errors import BadFileError
from strategy.proofs.checker import proof_file
from strategy.proofs.checker.check import check
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from strategy.proofs.checker.steps import WrongProofError
from strategy.proofs.writer.oracle import prove_optimal
from tests.support.naive_proof import LOSS
from tests.support.proof_worlds import alike, holds, proof_of

Body = dict[str, Any]
Mutations = dict[str, Callable[[Proof], Proof]]

#: The world of the claims below, and that of the refutations: four guesses are too few.
CLAIMED, REFUTED = alike(0, 16, 9), alike(0, 22, 14)
WITHIN, TOO_FEW = 6, 4


@pytest.fixture(scope="module")
def claimed() -> Proof:
    return proof_of(CLAIMED, "total", WITHIN)


@pytest.fixture(scope="module")
def refuted() -> Proof:
    return prove_optimal(REFUTED, "worst", TOO_FEW, False, None)


def test_what_is_to_be_tampered_with(claimed: Proof, refuted: Proof) -> None:
    assert holds(claimed, CLAIMED)
    assert len(claimed.claims) >= 5
    assert holds(refuted, REFUTED)
    assert {refutation.left for refutation in refuted.refutations} == {2, 3, 4}
    assert len(refuted.refutations) >= 10


# --- by name --------------------------------------------------------------------------------


def claim_with(proof: Proof, number: int, **changes: Any) -> Proof:
    """With one claim changed."""
    claims = list(proof.claims)
    claims[number] = replace(claims[number], **changes)
    return replace(proof, claims=tuple(claims))


def refutation_with(proof: Proof, number: int, **changes: Any) -> Proof:
    """With one refutation changed."""
    listed = list(proof.refutations)
    listed[number] = replace(listed[number], **changes)
    return replace(proof, refutations=tuple(listed))


def stated(proof: Proof, **changes: Any) -> Proof:
    """With another statement."""
    return replace(proof, statement=replace(proof.statement, **changes))


def inflated(proof: Proof) -> Proof:
    """Every claim raised by one."""
    claims = tuple(replace(claim, value=claim.value + 1) for claim in proof.claims)
    return replace(proof, claims=claims)


def exchanged(proof: Proof) -> Proof:
    """The first and the last claim speak of each other's candidates."""
    first, last = proof.claims[0].members, proof.claims[-1].members
    return claim_with(claim_with(proof, 0, members=last), -1, members=first)


def swapped_guess(proof: Proof) -> Proof:
    """The strategy makes another guess somewhere."""
    strategy = proof.strategy
    assert strategy is not None
    guess = strategy.guess[:]
    guess[0] = (guess[0] + 1) % len(strategy.words)
    return replace(proof, strategy=replace(strategy, guess=guess))


def missing_bucket(proof: Proof) -> Proof:
    """The last node of the strategy is cut off."""
    strategy = proof.strategy
    assert strategy is not None
    columns = {name: getattr(strategy, name)[:-1] for name in ("guess", "parent", "score", "hit")}
    return replace(proof, strategy=replace(strategy, **columns))


def worse_strategy(proof: Proof) -> Proof:
    """A correct strategy, but of another opener and a larger total."""
    starts = (proof_of(CLAIMED, "losses", WITHIN, start=word) for word in CLAIMED.guesses)
    other = next(found for found in starts if found.statement.value > proof.statement.value)
    return replace(proof, strategy=other.strategy)


def swapped_digests(proof: Proof) -> Proof:
    """The guesses are called the secrets."""
    digests = proof.statement.guesses_digest, proof.statement.secrets_digest
    return stated(proof, guesses_digest=digests[1], secrets_digest=digests[0])


LAST = -1
OF_CLAIMS: Mutations = {
    "the total is lower": lambda p: stated(p, total=p.statement.total - 1),
    "the total is higher": lambda p: stated(p, total=p.statement.total + 1),
    "another list": lambda p: stated(p, guesses_digest="0" * 64),
    "other secrets": lambda p: stated(p, secrets_digest="0" * 64),
    "swapped digests": swapped_digests,
    "fewer guesses": lambda p: stated(p, guesses=p.statement.guesses - 1),
    "it forgets the claims": lambda p: replace(p, claims=()),
    "it forgets the first claim": lambda p: replace(p, claims=p.claims[1:]),
    "it forgets the last claim": lambda p: replace(p, claims=p.claims[:-1]),
    "a claim is too much": lambda p: claim_with(p, LAST, value=p.claims[LAST].value + 9),
    "a claim is enormous": lambda p: claim_with(p, 0, value=p.claims[0].value + LOSS),
    "all claims are too much": inflated,
    "a claim is too little": lambda p: claim_with(p, LAST, value=p.claims[LAST].value - 1),
    "a claim is about fewer": lambda p: claim_with(p, LAST, members=p.claims[LAST].members[1:]),
    "claims change places": exchanged,
    "a claim rests on later ones": lambda p: replace(p, claims=p.claims[::-1]),
    "the strategy guesses another word": swapped_guess,
    "the strategy misses a bucket": missing_bucket,
    "the strategy is worse": worse_strategy,
    "the strategy is missing": lambda p: replace(p, strategy=None),
    "no opener": lambda p: stated(p, start="xyz"),
    "another opener": lambda p: stated(p, start="bzz"),
    "hard mode": lambda p: stated(p, hard=True),
    "another limit": lambda p: stated(p, limit=2),
    "another objective": lambda p: stated(p, objective="worst"),
    "another game": lambda p: stated(p, game="mastermind:4x6"),
    "losses": lambda p: stated(p, losses=1),
    "hard mode in a claim": lambda p: claim_with(p, 0, shown="a..|a"),
    "refutations beside a total": lambda p: replace(
        p, refutations=(Refutation((0, 1), 1, ()),), claims=()
    ),
}


@pytest.mark.parametrize("name", OF_CLAIMS)
def test_tampered_claims_are_refused(name: str, claimed: Proof) -> None:
    assert not holds(OF_CLAIMS[name](claimed), CLAIMED)


def other_cites(proof: Proof) -> Proof:
    """Every citation of the last one names the next."""
    cites = {min(cite + 1, len(proof.refutations) - 2) for cite in proof.refutations[LAST].cites}
    return refutation_with(proof, LAST, cites=tuple(sorted(cites)))


def cited_with(proof: Proof, **changes: Any) -> Proof:
    """Whatever the last refutation cites first is changed."""
    return refutation_with(proof, proof.refutations[LAST].cites[0], **changes)


def cycle(proof: Proof) -> Proof:
    """The first refutation cites the last, which rests on it."""
    last = len(proof.refutations) - 1
    return refutation_with(proof, 0, cites=(last,))


OF_REFUTATIONS: Mutations = {
    "none": lambda p: replace(p, refutations=()),
    "the last is missing": lambda p: replace(p, refutations=p.refutations[:-1]),
    "the first is missing": lambda p: replace(p, refutations=p.refutations[1:]),
    "the last comes first": lambda p: replace(
        p, refutations=(p.refutations[-1], *p.refutations[:-1])
    ),
    "no member but one": lambda p: refutation_with(
        p, 0, members=p.refutations[0].members[:1], left=1
    ),
    "a member is missing": lambda p: refutation_with(p, 0, members=p.refutations[0].members[1:]),
    "what it cites is no part of it": lambda p: refutation_with(
        p, LAST, members=p.refutations[LAST].members[1:]
    ),
    "more guesses left": lambda p: refutation_with(p, 0, left=3),
    "more guesses left at the end": lambda p: refutation_with(p, LAST, left=TOO_FEW + 1),
    "fewer guesses left at the end": lambda p: refutation_with(p, LAST, left=TOO_FEW - 1),
    "fewer guesses left where it is cited": lambda p: cited_with(p, left=2),
    "no citation": lambda p: refutation_with(p, LAST, cites=()),
    "a citation is missing": lambda p: refutation_with(
        p, LAST, cites=p.refutations[LAST].cites[1:]
    ),
    "other citations": other_cites,
    "it cites itself": lambda p: refutation_with(p, LAST, cites=(len(p.refutations) - 1,)),
    "it cites what does not exist": lambda p: refutation_with(p, LAST, cites=(len(p.refutations),)),
    "a cycle": cycle,
    "a larger limit": lambda p: stated(p, limit=TOO_FEW + 1),
    "no limit": lambda p: stated(p, limit=0),
    "another objective": lambda p: stated(p, objective="losses"),
    "another list": lambda p: stated(p, guesses_digest="0" * 64),
    "swapped digests": swapped_digests,
    "losses": lambda p: stated(p, losses=2),
    "a total": lambda p: stated(p, total=1),
    "no opener": lambda p: stated(p, start="xyz"),
}


@pytest.mark.parametrize("name", OF_REFUTATIONS)
def test_tampered_refutations_are_refused(name: str, refuted: Proof) -> None:
    assert not holds(OF_REFUTATIONS[name](refuted), REFUTED)


def test_what_follows_from_the_same_refutations_holds(refuted: Proof) -> None:
    """Fewer guesses, and hard mode."""
    assert holds(stated(refuted, limit=TOO_FEW - 1), REFUTED)
    assert holds(stated(refuted, hard=True), REFUTED)


def test_a_claim_that_is_true_but_unsupported_is_refused(claimed: Proof) -> None:
    everything = tuple(range(len(CLAIMED.secrets)))
    whole = Claim(everything, claimed.statement.limit, "", claimed.statement.value)
    assert not holds(replace(claimed, claims=(whole,)), CLAIMED)


def test_lists_with_a_word_more_or_less_are_refused(claimed: Proof) -> None:
    guesses, secrets = CLAIMED.guesses, CLAIMED.secrets
    for other in (guesses[:-1], (*guesses, "xyz"), (*guesses[:-1], "xyz")):
        with pytest.raises(WrongProofError, match="about other guesses"):
            check(claimed, other, secrets)
    with pytest.raises(WrongProofError, match="about other secrets"):
        check(claimed, guesses, secrets[1:])


# --- the file --------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", ["cut", "longer", "empty", "foreign"])
def test_damaged_files_are_named(damage: str, claimed: Proof, tmp_path: Path) -> None:
    path = tmp_path / "small.proof"
    proof_file.save(claimed, path)
    whole = path.read_bytes()
    damaged = {"cut": whole[:-1], "longer": whole + b"\0", "empty": b"", "foreign": b"x" + whole}
    path.write_bytes(damaged[damage])
    assert main(["check-proof", str(path), "--quiet"]) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"claims": b"\x80"},
        {"claims": b"\xff" * 12},
        {"claims": b""},
        {"refutations": b"\x02"},
        {"refutation_count": 1},
        {"count": 0},
        {"count": -1},
        {"count": 1 << 60},
        {"shown": [1]},
        {"shown": []},
        {"shown": ["", "a..|a"]},
        {"statement": {}},
        {"strategy": {}},
        {"more": 1},
    ],
    ids=str,
)
def test_malformed_bodies_are_refused(change: Body, claimed: Proof) -> None:
    with pytest.raises(BadFileError):
        proof_file.from_body(proof_file.to_body(claimed) | change, "proof")
