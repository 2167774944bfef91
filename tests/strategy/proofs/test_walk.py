"""How a proof is gone through: all of it, in order, each piece resting on earlier ones alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from strategy.proofs.checker import check
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.proof_file import Claim, Proof
from strategy.proofs.checker.steps import CheckedWords, WrongProofError
from strategy.proofs.writer.claims import statement_of
from tests.support.refuted_world import FEW, LIMIT, LISTED, is_proved, proof_with

pytestmark = pytest.mark.plain

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
        assert sum(new for new, _ in seen) == whole
        assert {told for _, told in seen} == {whole}
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


def test_workers_check_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "_LISTED", 2)
    monkeypatch.setattr(check, "_OPENERS", 2)
    seen: list[int] = []
    proof = proof_with(LISTED)
    check.check(proof, *LISTS, lambda new, whole: seen.append(new), 2)
    assert sum(seen) == len(LISTED) + len(FEW.guesses)
    for number in (3, len(LISTED) - 1):
        wrong = replace(LISTED[number], left=LIMIT + 3)
        with pytest.raises(WrongProofError, match=f"refutation {number} "):
            broken = (*LISTED[:number], wrong, *LISTED[number + 1 :])
            check.check(replace(proof, refutations=broken), *LISTS, workers=2)


class Backwards:
    """In place of the pool: in this process, the last step first, each by a worker of its own."""

    workers = 0

    def __init__(self, worker: Any, arguments: Any, workers: int) -> None:
        self._new = lambda: worker(*arguments)
        type(self).workers = workers

    def __enter__(self) -> Backwards:
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
