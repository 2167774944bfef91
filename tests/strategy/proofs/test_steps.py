"""Steps of the checker of proofs on small worlds, and how a whole proof is gone through."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from strategy.proofs.checker import board as boards
from strategy.proofs.checker import check
from strategy.proofs.checker.board import RefutedSet
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.check import CheckedWords, WrongProofError
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from strategy.proofs.writer import statement_of
from tests.support import checker_twins as twins
from tests.support import naive, refused
from tests.support.naive_proof import search_of
from tests.support.refuted_world import FEW, LIMIT, LISTED, is_proved, proof_with

pytestmark = pytest.mark.plain


# --- claims ------------------------------------------------------------------------------------
@pytest.mark.parametrize("hard", [False, True])
def test_claims_follow_up_to_their_value(hard: bool) -> None:
    checker, draw = twins.checker_of(twins.WORLD, hard=hard), random.Random(7)
    text = "...|" if hard else ""
    for number in range(12):
        members, left = twins.some(draw, twins.WORLD, 1, 12), draw.choice(twins.LEFTS)
        words = twins.words_at(twins.WORLD, members)
        value = min(
            max(
                twins.lemma_6(twins.WORLD, 1, words, guess, left, twins.WORLD.guesses, hard),
                twins.lemma_2(1, len(words), len(naive.split(guess, words)), guess in words, left),
            )
            for guess in twins.WORLD.guesses
            if len(naive.split(guess, words)) > 1 or [guess] == words
        )
        checker.check_claim(number, Claim(members, left, text, value))
        with pytest.raises(WrongProofError, match=f"claim {number} does not follow"):
            checker.check_claim(number, Claim(members, left, text, value + 1))
    assert checker.noted == (0, 0)
    checker.note_claim(Claim((0, 1, 2), 3, text, 77))
    assert checker.noted == (0, 1)
    state = twins.state((0, 1, 2), 3, checker.revealed_of(text))
    assert boards.known_bound(checker.board, checker.known, state) == 77


# --- refutations -------------------------------------------------------------------------------
def test_refutations_hold() -> None:
    assert {refutation.left for refutation in LISTED} == set(range(1, LIMIT + 1))
    assert is_proved(proof_with(LISTED)) and is_proved(proof_with(LISTED, hard=True))
    assert is_proved(proof_with(LISTED, limit=LIMIT - 1))
    assert not is_proved(proof_with(LISTED, limit=LIMIT + 1))
    # With it a false proof would hold: one candidate, no guess that parts it, whatever is left.
    alone = Refutation((0,), LIMIT + 1, ())
    assert not is_proved(proof_with((alone,), limit=LIMIT + 1))
    checker = twins.checker_of(FEW, "worst", 3)
    for left in (1, 2, 3):
        with pytest.raises(WrongProofError, match="refutation 5 does not follow"):
            checker.check_refutation(5, Refutation((0,), left, ()))
        if left == 1:
            checker.check_refutation(5, Refutation((0, 1), left, ()))
    number, one = next((n, r) for n, r in enumerate(LISTED) if r.cites)
    for change in ({"left": one.left + 1}, {"members": one.members[:1]}):
        checker = twins.checker_of(FEW, "worst", LIMIT)
        for before in LISTED[:number]:
            checker.note_refutation(before)
        with pytest.raises(WrongProofError, match=f"refutation {number} "):
            checker.check_refutation(number, replace(one, **change))


def test_every_part_of_a_refutation_counts() -> None:
    """Whatever is changed is refused, or true by brute force."""
    search = search_of(FEW.guesses, FEW.secrets, 0, False)
    for number, one in list(enumerate(LISTED))[::3]:
        for at in range(len(one.cites)):
            less = replace(one, cites=one.cites[:at] + one.cites[at + 1 :])
            checker = twins.checker_of(FEW, "worst", LIMIT)
            for before in LISTED[:number]:
                checker.note_refutation(before)
            checker.check_refutation(number, one)
            state = RefutedSet(twins.ids(*one.members), one.left)
            marks = boards.unrefuted_guesses(checker.board, state)
            for cite in less.cites:
                boards.unmark_refuted(checker.board, checker.refuted[cite], marks)
            if marks.any():
                refused(WrongProofError, "does not follow", checker.check_refutation, number, less)
        for change in ({"left": one.left + 1}, {"members": one.members[1:]}):
            changed = (*LISTED[:number], replace(one, **change), *LISTED[number + 1 :])
            if one.left + 1 < 1 << 20 and is_proved(proof_with(changed)):
                words = tuple(twins.words_at(FEW, changed[number].members))
                assert search.value(words, changed[number].left, FEW.guesses)[0] >= LOSS
    assert checker.noted[0] == number


def test_lemmas_7_and_7a() -> None:
    checker, draw = twins.checker_of(twins.WORLD, "worst", 3), random.Random(8)
    board = checker.board
    width = board.rows.shape[1]
    for _ in range(40):
        members, left = twins.some(draw, twins.WORLD, 2, 5), draw.randint(1, 3)
        words = twins.words_at(twins.WORLD, members)
        marks = boards.unrefuted_guesses(board, RefutedSet(twins.ids(*members), left))
        other = twins.some(draw, twins.WORLD, 2, 3)
        struck = marks.copy()
        boards.unmark_refuted(board, RefutedSet(twins.ids(*other), 1), struck)
        for column in range(len(twins.WORLD.guesses)):
            guess = twins.word_of(twins.WORLD, board, column)
            count = len(naive.split(guess, words))
            wanted = left > 1 and count > 1 and (left > 2 or count == len(words))
            assert bool(marks[column]) == wanted
            whole = len(naive.split(guess, twins.words_at(twins.WORLD, other))) == 1
            assert bool(struck[column]) == (wanted and not whole)
            assert boards.leaves_whole(board, column, twins.ids(*other)) == whole
        assert not marks[len(twins.WORLD.guesses) :].any()
        inside = np.zeros(len(twins.WORLD.secrets), dtype=np.bool_)
        inside[list(members)] = True
        for more in (left - 1, left, left + 1):
            part = set(other) <= set(members)
            assert boards.holds_in(RefutedSet(twins.ids(*other), left), inside, more) == (
                part and left >= more
            )
            assert boards.holds_in(RefutedSet(twins.ids(*members), left), inside, more) == (
                left >= more
            )
    assert width == len(marks)


LISTS = FEW.guesses, FEW.secrets


def test_the_whole_is_checked_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is gone through once, in order, and nothing behind the first flaw."""
    seen: list[tuple[int, int]] = []

    def tell(new: int, whole: int) -> None:
        seen.append((new, whole))

    for block in (1, 3, 500):
        monkeypatch.setattr(check, "_LISTED", block)
        monkeypatch.setattr(check, "_OPENERS", block)
        seen.clear()
        check.check(proof_with(LISTED), FEW.guesses, FEW.secrets, tell)
        whole = len(LISTED) + len(FEW.guesses)
        assert sum(new for new, _ in seen) == whole and {count for _, count in seen} == {whole}
        assert max(new for new, _ in seen) <= block
        broken = (*LISTED[:2], replace(LISTED[2], cites=(), left=3), *LISTED[3:-1])
        with pytest.raises(WrongProofError, match="refutation 2 "):
            check.check(proof_with(broken), FEW.guesses, FEW.secrets)
    with_start = proof_with(LISTED, start=FEW.guesses[0])
    assert sum(
        step.end - step.begin for step in check._steps(with_start, CheckedWords(*LISTS))
    ) == (len(LISTED) + 1)


def test_claims_are_checked_as_claims() -> None:
    """Whatever else a proof lists: as many refutations, or a statement that needs no claim."""
    everyone = tuple(range(len(FEW.secrets)))
    true, wrong = Claim(everyone, UNLIMITED, "", 0), Claim(everyone, LIMIT + 1, "", LOSS)
    for claims in ((true,), (true,) * len(LISTED), (true,) * 40):
        assert is_proved(replace(proof_with(LISTED), claims=claims))
        flawed = replace(proof_with(LISTED), claims=(*claims, wrong))
        with pytest.raises(WrongProofError, match=f"claim {len(claims)} does not follow"):
            check.check(flawed, FEW.guesses, FEW.secrets)
    statement = statement_of(FEW, "worst", LIMIT + 1, LOSS)
    relying = Proof(statement, (wrong,), None, ())
    assert not is_proved(relying)


def test_each_piece_rests_on_all_earlier_ones_alone() -> None:
    true = Claim(tuple(range(len(FEW.secrets))), UNLIMITED, "", 0)
    proof = replace(proof_with(LISTED), claims=(true,) * 6)
    for kind in (check.StepKind.REFUTATIONS, check.StepKind.CLAIMS):
        walk = check._Walk(proof, CheckedWords(*LISTS))
        for number in (0, 1, 2, 3, 5):
            walk.take(check.Step(kind, number, number + 1))
            noted = walk._checker.noted
            assert noted == ((number, 0) if kind == check.StepKind.REFUTATIONS else (0, number))
        walk.take(check.Step(check.StepKind.OPENERS, 0, 1))
        assert walk._checker.noted == (len(LISTED), len(proof.claims))


class Backwards:
    """In place of the pool: in this process, the last step first, each by a worker of its own."""

    workers = 0

    def __init__(self, worker: Any, arguments: Any, workers: int) -> None:
        self._new = lambda: worker(*arguments)
        type(self).workers = workers

    def __enter__(self) -> "Backwards":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, steps: Sequence[check.Step]) -> Iterator[tuple[int, str]]:
        for number in reversed(range(len(steps))):
            yield number, self._new()(steps[number])


@pytest.mark.parametrize(("workers", "block"), [(2, 1), (3, 1), (500, 1), (2, 4), (2, 20)])
def test_the_first_flaw_is_named_in_whatever_order(
    workers: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "Pool", Backwards)
    monkeypatch.setattr(check, "_LISTED", block)
    check.check(proof_with(LISTED), *LISTS, workers=workers)
    assert Backwards.workers == min(workers, (len(LISTED) - 1) // block)
    broken = list(LISTED)
    for number in (3, 5, 9):
        broken[number] = replace(LISTED[number], left=LIMIT + 3)
    for first in (3, 5, 9):
        with pytest.raises(WrongProofError, match=f"refutation {first} "):
            check.check(proof_with(broken), *LISTS, workers=workers)
        broken[first] = LISTED[first]
