"""Steps of the checker of proofs on small worlds, and how a whole proof is gone through."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from strategy.checkers import proof as core
from strategy.checkers.lemmas import LOSS, UNLIMITED
from strategy.checkers.proof import Claim, Proof, Refutation, Step, WrongProofError, check
from strategy.proofs.writer import statement_of
from tests.support import checker_twins as twins
from tests.support import naive, refused
from tests.support.naive_proof import legal_in, search_of
from tests.support.refuted_world import FEW, LIMIT, LISTED, is_proved, proof_with, small_steps

pytestmark = pytest.mark.plain

LISTS = FEW.guesses, FEW.secrets
EVERYONE = tuple(range(len(FEW.secrets)))
TRUE = Claim(EVERYONE, UNLIMITED, "", 0)


# --- claims ------------------------------------------------------------------------------------
@pytest.mark.parametrize("hard", [False, True])
def test_claims_follow_up_to_their_value(hard: bool) -> None:
    """Theorem 1: what the guess costs that costs least, and no more."""
    checker, draw = twins.checker_of(twins.WORLD, hard=hard), random.Random(7)
    for number in range(12):
        members, left = twins.some(draw, twins.WORLD, 1, 12), draw.choice(twins.LEFTS)
        text = draw.choice(["...|", "a..|a", "...|b"]) if hard else ""
        words, legal = twins.words_at(twins.WORLD, members), legal_in(text, twins.WORLD)

        def then(bucket: list[str], guess: str, legal: Sequence[str] = legal) -> list[str]:
            return [w for w in legal if not hard or naive.may_follow(w, guess, bucket[0])]

        value = min(
            max(
                twins.by_parts(1, words, guess, left),
                twins.lemma_6(1, words, guess, left, lambda part, guess=guess: then(part, guess)),
            )
            for guess in legal
        )
        checker.check_claim(number, Claim(members, left, text, value))
        if value < twins.INFINITE:
            more = Claim(members, left, text, value + 1)
            refused(
                WrongProofError, f"claim {number} does not f", checker.check_claim, number, more
            )
    assert checker.noted == 0


def test_a_claim_that_is_none_is_refused() -> None:
    """One that names what hard mode has shown; and in hard mode one that names nothing."""
    for hard, text in ((False, "a..|a"), (True, "")):
        checker = twins.checker_of(twins.WORLD, hard=hard)
        for take in (lambda it, to=checker: to.check_claim(0, it), checker.note_claim):
            refused(WrongProofError, "not what hard mode", take, Claim((0, 1), 3, text, 3))


# --- refutations -------------------------------------------------------------------------------
def test_refutations_hold() -> None:
    assert {refutation.left for refutation in LISTED} == set(range(1, LIMIT + 1))
    assert is_proved(proof_with(LISTED)) and is_proved(proof_with(LISTED, hard=True))
    assert is_proved(proof_with(LISTED, limit=LIMIT - 1))
    assert not is_proved(proof_with(LISTED, limit=LIMIT + 1))
    # With it a false proof would hold: one candidate, no guess that parts it, whatever is left.
    assert not is_proved(proof_with((Refutation((0,), LIMIT + 1, ()),), limit=LIMIT + 1))
    checker = twins.checker_of(FEW, "worst", 3)
    for left in (1, 2, 3):
        alone = Refutation((0,), left, ())
        refused(WrongProofError, "refutation 5 does not f", checker.check_refutation, 5, alone)
    checker.check_refutation(5, Refutation((0, 1), 1, ()))
    assert not checker.refuted


def cited(one: Refutation, before: Sequence[Refutation]) -> bool:
    """Theorem 2 by sets of words."""
    parts = [before[at] for at in one.cites]
    words = twins.words_at(FEW, one.members)
    lie = all({*part.members} <= {*one.members} and part.left >= one.left - 1 for part in parts)
    whole = [words, *(twins.words_at(FEW, part.members) for part in parts)]
    return lie and len(words) > 1 and all(
        one.left == 1
        or (one.left == 2 and len(naive.split(guess, words)) < len(words))
        or any(len(naive.split(guess, part)) == 1 for part in whole)
        for guess in FEW.guesses
    )  # fmt: skip


def test_every_part_of_a_refutation_counts() -> None:
    """Whatever is changed follows by Theorem 2, and is true by brute force; or it is refused."""
    search, verdicts = search_of(FEW.guesses, FEW.secrets, 0, False), []
    for number, one in enumerate(LISTED):
        checker = twins.checker_of(FEW, "worst", LIMIT)
        checker.refuted += LISTED[:number]
        changed = [one, *(one._replace(left=one.left + more) for more in (1, -1) if one.left > 1)]
        cites = one.cites
        changed += [one._replace(cites=cites[:at] + cites[at + 1 :]) for at in range(len(cites))]
        changed += [one._replace(members=one.members[1:]), one._replace(members=EVERYONE)]
        changed += [one._replace(cites=tuple(range(number))), Refutation(EVERYONE, 2, cites)]
        for other in changed:
            verdicts.append(cited(other, LISTED))
            if verdicts[-1]:
                checker.check_refutation(number, other)
                words = tuple(twins.words_at(FEW, other.members))
                assert search.value(words, other.left, FEW.guesses) >= LOSS
            else:
                named = f"refutation {number} "
                refused(WrongProofError, named, checker.check_refutation, number, other)
        assert [*checker.refuted] == [*LISTED[:number]]
    assert verdicts.count(True) > 20 and verdicts.count(False) > 20


# --- a whole proof -----------------------------------------------------------------------------
def test_the_whole_is_checked_in_steps() -> None:
    """Everything is gone through once, in order, and nothing behind the first flaw."""
    many = replace(proof_with(LISTED * 30), claims=(TRUE,) * 70)
    numbers = len(many.refutations), 70, 600
    steps = core.steps_of(many, 600)
    for kind, count in enumerate(numbers):
        own = [number for step in steps if step[0] == kind for number in range(*step[1:])]
        assert own == [*range(count)]
    assert steps == sorted(steps) and len(steps) > 6
    seen: list[tuple[int, int]] = []
    check(proof_with(LISTED), LISTS, lambda new, whole: seen.append((new, whole)))
    whole = len(LISTED) + len(FEW.guesses)
    assert sum(new for new, _ in seen) == whole and {count for _, count in seen} == {whole}
    seen.clear()
    start = next(word for word in FEW.guesses if is_proved(proof_with(LISTED, start=word)))
    proof = proof_with(LISTED, start=start)
    check(proof, LISTS, lambda new, whole: seen.append((new, whole)))
    assert sum(new for new, _ in seen) == len(LISTED) + 1
    with pytest.raises(WrongProofError, match="refutation 2 "):
        broken = (*LISTED[:2], LISTED[2]._replace(cites=(), left=3), *LISTED[3:-1])
        check(proof_with(broken), LISTS, lambda new, whole: seen.append((new, whole)))


def test_claims_are_checked_as_claims() -> None:
    """Whatever else a proof lists: as many refutations, or a statement that needs no claim."""
    wrong = Claim(EVERYONE, LIMIT + 1, "", LOSS)
    for count in (1, len(LISTED), 40):
        assert is_proved(replace(proof_with(LISTED), claims=(TRUE,) * count))
        flawed = replace(proof_with(LISTED), claims=(*(TRUE,) * count, wrong))
        refused(WrongProofError, f"claim {count} does not follow", check, flawed, LISTS)
    statement = statement_of(FEW, "worst", LIMIT + 1, LOSS)
    assert not is_proved(Proof(statement, None, (wrong,), ()))


def test_each_step_rests_on_all_earlier_ones_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    proof, made = replace(proof_with(LISTED), claims=(TRUE,) * 6), []
    kept = core.Checker
    monkeypatch.setattr(core, "Checker", lambda *it: made.append(kept(*it)) or made[-1])
    for kind in (0, 1):
        take = core.take_steps(proof, LISTS)
        for number in (0, 1, 2, 5):
            assert take((kind, number, number + 1)) == ""
            noted = (len(made[-1].refuted), made[-1].noted)
            assert noted == ((number + 1, 0) if kind == 0 else (len(LISTED), number + 1))
        assert take((2, 0, 1)) == ""
        assert (len(made[-1].refuted), made[-1].noted) == (len(LISTED), len(proof.claims))
        for earlier in ((kind, 0, 1), (2, 0, 1)):
            with pytest.raises(ValueError, match="ascending order, each once"):
                take(earlier)


class Backwards:
    """In place of the pool: in this process, the last step first, each by a worker of its own."""

    workers = lost = 0

    def __init__(self, worker: Any, arguments: Any, workers: int) -> None:
        self._new = lambda: worker(*arguments)
        type(self).workers = workers

    def __enter__(self) -> "Backwards":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def run(self, steps: Sequence[Step]) -> Iterator[tuple[int, str]]:
        for number in reversed(range(self.lost, len(steps))):
            yield number, self._new()(steps[number])


@pytest.mark.parametrize(("workers", "size"), [(2, 1), (3, 1), (500, 1), (2, 4), (2, 20)])
def test_the_first_flaw_is_named_in_whatever_order(
    workers: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(core, "Pool", Backwards)
    monkeypatch.setattr(core, "steps_of", lambda proof, few: small_steps(proof, few, size))
    check(proof_with(LISTED), LISTS, workers=workers)
    steps = small_steps(proof_with(LISTED), len(FEW.guesses), size)
    assert Backwards.workers == min(workers, len(steps))
    broken = list(LISTED)
    for number in (3, 5, 9):
        broken[number] = LISTED[number]._replace(left=LIMIT + 3)
    for first in (3, 5, 9):
        with pytest.raises(WrongProofError, match=f"refutation {first} "):
            check(proof_with(broken), LISTS, workers=workers)
        broken[first] = LISTED[first]
    monkeypatch.setattr(Backwards, "lost", 1)
    refused(WrongProofError, "", check, proof_with(LISTED), LISTS, workers=workers)
