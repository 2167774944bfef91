"""Steps of the checker of proofs on small worlds: claims and refutations."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from strategy.proofs.checker import facts, refutations
from strategy.proofs.checker.bounds import LOSS
from strategy.proofs.checker.proof_file import Claim, Refutation
from strategy.proofs.checker.refutations import KnownRefutations
from strategy.proofs.checker.steps import WrongProofError
from tests.support import naive
from tests.support.checker_twins import (
    LEFTS,
    WORLD,
    checker_of,
    ids,
    lemma_2,
    lemma_4,
    some,
    word_of,
    words_at,
)
from tests.support.naive_proof import search_of
from tests.support.refuted_world import FEW, LIMIT, LISTED, is_proved, proof_with

pytestmark = pytest.mark.plain

# --- claims ------------------------------------------------------------------------------------


@pytest.mark.parametrize("hard", [False, True])
def test_claims_follow_up_to_their_value(hard: bool) -> None:
    checker, draw = checker_of(WORLD, hard=hard), random.Random(7)
    text = "...|" if hard else ""
    for number in range(12):
        members, left = some(draw, WORLD, 1, 12), draw.choice(LEFTS)
        words = words_at(WORLD, members)
        value = min(
            max(
                lemma_4(WORLD, 1, words, guess, left, WORLD.guesses, hard),
                lemma_2(1, len(words), len(naive.split(guess, words)), guess in words, left),
            )
            for guess in WORLD.guesses
            if len(naive.split(guess, words)) > 1 or [guess] == words
        )
        checker.check_claim(number, Claim(members, left, text, value))
        with pytest.raises(WrongProofError, match=f"claim {number} does not follow"):
            checker.check_claim(number, Claim(members, left, text, value + 1))
    assert checker.noted == (0, 0)
    checker.note_claim(Claim((0, 1, 2), 3, text, 77))
    assert checker.noted == (0, 1)
    known = facts.known_bound(checker.board, checker.facts, ids(0, 1, 2), 3, checker.shown_of(text))
    assert known == 77


# --- refutations -------------------------------------------------------------------------------


def test_refutations_hold() -> None:
    assert {refutation.left for refutation in LISTED} == set(range(1, LIMIT + 1))
    assert is_proved(proof_with(LISTED))
    assert is_proved(proof_with(LISTED, hard=True))
    assert is_proved(proof_with(LISTED, limit=LIMIT - 1))
    assert not is_proved(proof_with(LISTED, limit=LIMIT + 1))


def test_a_single_candidate_is_never_refuted() -> None:
    """With it a false proof would hold: one candidate, no guess that parts it, whatever is left."""
    alone = Refutation((0,), LIMIT + 1, ())
    assert not is_proved(proof_with((alone,), limit=LIMIT + 1))
    checker = checker_of(FEW, "worst", 3)
    for left in (1, 2, 3):
        with pytest.raises(WrongProofError, match="refutation 5 does not follow"):
            checker.check_refutation(5, Refutation((0,), left, ()))
        if left == 1:
            checker.check_refutation(5, Refutation((0, 1), left, ()))


def test_every_part_of_a_refutation_counts() -> None:
    """Whatever is changed is refused, or true by brute force."""
    search = search_of(FEW.guesses, FEW.secrets, 0, False)
    for number, one in list(enumerate(LISTED))[::3]:
        for at in range(len(one.cites)):
            less = replace(one, cites=one.cites[:at] + one.cites[at + 1 :])
            checker = checker_of(FEW, "worst", LIMIT)
            for before in LISTED[:number]:
                checker.note_refutation(before)
            checker.check_refutation(number, one)
            state = KnownRefutations(ids(*one.members), one.left)
            marks = refutations.promising(checker.board, state)
            for cite in less.cites:
                refutations.unmark_refuted(checker.board, checker.refuted[cite], marks)
            if marks.any():
                with pytest.raises(WrongProofError, match="does not follow"):
                    checker.check_refutation(number, less)
        for change in ({"left": one.left + 1}, {"members": one.members[1:]}):
            changed = (*LISTED[:number], replace(one, **change), *LISTED[number + 1 :])
            if one.left + 1 < 1 << 20 and is_proved(proof_with(changed)):
                words = tuple(words_at(FEW, changed[number].members))
                assert search.value(words, changed[number].left, FEW.guesses)[0] >= LOSS
    assert checker.noted[0] == number


def test_lemmas_6_and_7() -> None:
    checker, draw = checker_of(WORLD, "worst", 3), random.Random(8)
    board = checker.board
    width = board.rows.shape[1]
    for _ in range(40):
        members, left = some(draw, WORLD, 2, 5), draw.randint(1, 3)
        words = words_at(WORLD, members)
        marks = refutations.promising(board, KnownRefutations(ids(*members), left))
        other = some(draw, WORLD, 2, 3)
        struck = marks.copy()
        refutations.unmark_refuted(board, KnownRefutations(ids(*other), 1), struck)
        for column in range(len(WORLD.guesses)):
            guess = word_of(WORLD, board, column)
            count = len(naive.split(guess, words))
            wanted = left > 1 and count > 1 and (left > 2 or count == len(words))
            assert bool(marks[column]) == wanted
            whole = len(naive.split(guess, words_at(WORLD, other))) == 1
            assert bool(struck[column]) == (wanted and not whole)
            assert refutations.leaves_whole(board, column, ids(*other)) == whole
        assert not marks[len(WORLD.guesses) :].any()
        inside = np.zeros(len(WORLD.secrets), dtype=np.bool_)
        inside[list(members)] = True
        for more in (left - 1, left, left + 1):
            part = set(other) <= set(members)
            assert refutations.holds_in(KnownRefutations(ids(*other), left), inside, more) == (
                part and left >= more
            )
            assert refutations.holds_in(KnownRefutations(ids(*members), left), inside, more) == (
                left >= more
            )
    assert width == len(marks)


def test_a_citation_must_lie_within_and_leave_enough() -> None:
    number, one = next((n, r) for n, r in enumerate(LISTED) if r.cites)
    for change in ({"left": one.left + 1}, {"members": one.members[:1]}):
        checker = checker_of(FEW, "worst", LIMIT)
        for before in LISTED[:number]:
            checker.note_refutation(before)
        with pytest.raises(WrongProofError, match=f"refutation {number} "):
            checker.check_refutation(number, replace(one, **change))
