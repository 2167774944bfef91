"""Statements and steps of proofs on small worlds, and how a whole proof is gone through."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from strategy.checkers import proof as core
from strategy.checkers.lemmas import LOSS, UNLIMITED
from strategy.checkers.proof import Claim, Proof, Refutation, WrongProofError, check, check_form
from strategy.checkers.verify import Tree
from strategy.errors import StrategyError
from strategy.files.strategy_file import tree_of
from strategy.proofs.loss_sets import LossSets
from strategy.proofs.proof_file import summary, value_text
from strategy.proofs.writer import statement_of
from tests.support import checker_twins as twins
from tests.support import naive, refused
from tests.support.checker_twins import FEW, LIMIT, LISTED, is_proved, proof_with, small_steps
from tests.support.naive_proof import legal_in, search_of
from tests.support.proof_worlds import made_up, strategy_of
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

LISTS = FEW.guesses, FEW.secrets
EVERYONE = tuple(range(len(FEW.secrets)))
TRUE = Claim(EVERYONE, UNLIMITED, "", 0)


@pytest.mark.parametrize("hard", [False, True])
def test_claims_follow_up_to_their_value(hard: bool) -> None:
    """Theorem 1: what the guess costs that costs least, and no more.

    One that names what hard mode has shown is none, in hard mode one that names nothing.
    """
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
            more, said = Claim(members, left, text, value + 1), f"claim {number} does not f"
            refused(WrongProofError, said, checker.check_claim, number, more)
    assert checker.noted == 0
    none = Claim((0, 1), 3, "" if hard else "a..|a", 3)
    refused(WrongProofError, "not what hard mode", checker.check_claim, 0, none)
    refused(WrongProofError, "not what hard mode", checker.note_claim, none)


# --- refutations -------------------------------------------------------------------------------
def test_refutations_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {refutation.left for refutation in LISTED} == set(range(1, LIMIT + 1))
    cited = sum(len(LISTED[at].members) for one in LISTED for at in one.cites)
    for most in (cited - 1, cited):  # there are a few of them: what may be cited is limited
        monkeypatch.setattr("strategy.checkers.proof.MOST_MEMBERS", most)
        assert is_proved(proof_with(LISTED)) == (most == cited)
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
    search, verdicts = search_of(FEW, 0), []
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
    assert steps == sorted(steps) and {(0, 0, 32), (1, 0, 32), (2, 0, 256)} <= {*steps}
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
            refused(ValueError, "ascending order, each once", take, earlier)


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

    def run(self, steps: Sequence[core.Step]) -> Iterator[tuple[int, str]]:
        for number in reversed(range(self.lost, len(steps))):
            yield number, self._new()(steps[number])


@pytest.mark.parametrize(("workers", "size"), [(2, 1), (3, 1), (500, 1), (2, 4), (2, 20)])
def test_the_first_flaw_is_named(workers: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
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


# --- statements --------------------------------------------------------------------------------
SMALL = made_up(1, 14, 5)
OWN = SMALL.guesses, SMALL.secrets
BEST = strategy_of(SMALL)


@cache
def best(start: str = "", hard: bool = False) -> Tree:
    return tree_of(strategy_of(SMALL, start, hard))


def stated(
    objective: str, limit: int, value: int, plan: Tree | None, *listed: Refutation, **named: Any
) -> Proof:
    return Proof(statement_of(SMALL, objective, limit, value, **named), plan, (), listed)


def fits(proof: Proof, words: Any = OWN) -> bool:
    """Whether its strategy comes to what is stated."""
    try:
        core.check_strategy(proof, words)
    except WrongProofError:
        return False
    return True


@pytest.mark.parametrize("hard", [False, True])
def test_statements_about_small_worlds(hard: bool) -> None:
    """Proved without claims where one step is enough; never more than is true."""
    search, proved = search_of(SMALL, 1, hard), 0
    for start in ("", *SMALL.guesses[:6]):
        true = search.of_all(UNLIMITED, start)
        for total in (true - 1, true, true + 1):
            named = {"start": start, "hard": hard}
            found = is_proved(stated("total", 0, total, best(start, hard), **named), SMALL)
            assert not found or total == true
            assert found or total != true or start
            proved += found
    assert proved >= 5
    unknown = twins.checker_of(SMALL, start="zzz").check_statement
    refused(WrongProofError, "'zzz' is not a guess", unknown, 0, 1)


def test_what_a_start_refutes() -> None:
    """A set that the start leaves whole, refuted with one guess less than the limit."""

    def holds(limit: int, *refuted: Refutation, start: str = "", objective: str = "worst") -> bool:
        checker = twins.checker_of(FEW, objective, limit, value=8 * LOSS, start=start)
        checker.refuted += refuted
        try:
            checker.check_statement(0, 99)
        except WrongProofError:
            return False
        return True

    alone = []
    for start in FEW.guesses:
        for pair in combinations(range(len(FEW.secrets)), 2):
            whole = len(naive.split(start, twins.words_at(FEW, pair))) == 1
            for limit, left in ((3, 2), (2, 2), (2, 1), (1, 1)):
                found = holds(limit, Refutation(pair, left, ()), start=start)
                assert found == (whole or left >= limit)
            assert not holds(3, Refutation(pair, 1, ()), start=start)
            assert not holds(2, Refutation(pair, 3, ()), start=start, objective="losses")
            alone += [(start, pair)] * whole
    for left in (1, 2, 3):
        assert holds(2, Refutation((0, 1), left, ())) == (left >= 2)
    start, pair = alone[0]
    enough, useless = Refutation(pair, 2, ()), Refutation(pair, 1, ())
    for refuted in ([enough, useless], [useless, enough], [enough]):
        assert holds(2, *refuted) and holds(3, *refuted, start=start)
    assert not holds(2, useless, useless) and not holds(3, useless, useless, start=start)


def test_what_is_said() -> None:
    for objective, limit, value, numbers in (
        ("worst", 3, LOSS, (0, 3, LOSS)),
        ("losses", 2, 2 * LOSS + 7, (1, 2, 2 * LOSS + 7)),
        ("total", 0, 9, (1, UNLIMITED, 9)),
    ):
        statement = statement_of(SMALL, objective, limit, value)
        assert (statement.price, statement.left, statement.value) == numbers
    assert WrongProofError.exit_code == 1 and value_text(5) == "5 guesses"
    assert value_text(2 * LOSS + 1234) == "2 losses and 1,234 guesses"
    start = BEST.origin.start[0]
    assert summary(stated("total", 6, 9, best(), hard=True)) == (
        "'test' 'test', 5 secrets in hard mode: no strategy within 6 takes fewer than 9 guesses; "
        f"the one from {start} takes as many"
    )
    proof = stated("worst", 2, LOSS, best(), start="abc")
    assert summary(proof) == (
        "'test' 'test', 5 secrets: no strategy from abc solves all within 2 guesses; 3 are enough"
    )
    assert summary(replace(proof, strategy=None)).endswith("within 2 guesses")
    assert "no strategy that guesses secrets only" in summary(
        stated("total", 0, 9, best(), guess_from="secrets")
    )


def test_the_form_of_statements() -> None:
    plan, one = best(), (Refutation((0, 1), 1, ()),)
    for objective, limit, losses, total, strategy, listed, fine in (
        ("worst", 2, 1, 0, None, one, True), ("worst", 2, 1, 0, plan, (), True),
        ("worst", 0, 1, 0, None, (), False), ("worst", 2, 0, 0, None, (), False),
        ("worst", 2, 2, 0, None, (), False), ("worst", 2, 1, 1, None, (), False),
        ("total", 2, 0, 9, plan, (), True), ("total", 0, 0, 9, plan, (), True),
        ("total", 2, 0, 9, plan, one, False), ("total", 2, 0, 9, None, (), False),
        ("total", 2, 1, 9, plan, (), False), ("losses", 2, 1, 9, plan, (), True),
        ("losses", 2, 0, 9, plan, (), True), ("losses", 0, 1, 9, plan, (), False),
        ("losses", 0, 0, 9, plan, (), True), ("losses", 2, 1, 9, None, (), False),
    ):  # fmt: skip
        proof = stated(objective, limit, losses * LOSS + total, strategy, *listed)
        if fine:
            check_form(proof)
        else:
            refused(WrongProofError, "", check_form, proof)


def test_the_strategy_fits_the_statement() -> None:
    plan, total = best(), BEST.total
    for limit in range(1, BEST.worst + 2):
        value = len(BEST.beyond(limit)) * LOSS + total
        for other in (value - 1, value, value + 1, value + LOSS):
            assert fits(stated("losses", limit, other, plan)) == (other == value)
    assert fits(stated("total", 0, total, plan)) and fits(stated("worst", 2, LOSS, None))
    assert not fits(stated("total", 0, total, plan, hard=True))
    head, wrong = plan.head, plan.hit[:-1] + type(plan.hit)("B", [0])
    for other in (
        plan._replace(head=head | {"game": "mastermind:3x4"}), plan._replace(hit=wrong),
        plan._replace(head=head | {"guesses_digest": "0" * 64}),
        plan._replace(head=head | {"secrets": 4}), plan._replace(words=(*plan.words, "zzz")),
    ):  # fmt: skip
        assert not fits(stated("total", 0, total, other))
    others = (OWN[0][1:], OWN[1]), (OWN[0], OWN[1][1:]), (OWN[0], OWN[0][:5])
    assert not any(fits(stated("total", 0, total, plan), words) for words in others)
    few, slow = tree_of(strategy_of(FEW)), strategy_of(FEW).worst
    assert slow > 2
    for limit in range(1, slow + 2):
        proof = Proof(statement_of(FEW, "worst", limit, LOSS), few, (), ())
        assert fits(proof, LISTS) == (slow <= limit + 1)
    for words in (["abc"], ["abc", "abd"]):
        game, own = game_of(words), strategy_of(game_of(words))
        statement = statement_of(game, "total", 0, own.total)
        core.check_strategy(Proof(statement, tree_of(own), (), ()), (words, words))
    # It opens with the start of the statement, the first of its fixed guesses.
    for start in SMALL.guesses:
        proof = stated("total", 0, BEST.total, best(), start=start)
        assert fits(proof) == (start == BEST.origin.start[0])
    proof = stated("total", 0, BEST.total, best(), start="aaa")
    refused(WrongProofError, "does not begin with its start", core.check_strategy, proof, OWN)


def test_a_whole_proof_is_looked_at_before_it_is_gone_through() -> None:
    """Each is refused for what its lists, form, names and strategy are alone."""
    worst, free = proof_with(LISTED), stated("total", 0, 0, best())
    assert is_proved(worst)
    for proof, words, reason in (
        (proof_with(LISTED, game="mastermind:3x26"), LISTS, "mastermind:3x26 does not have"),
        (worst, (LISTS[0][:-1], LISTS[1]), "about other lists"),
        (worst, (LISTS[0], LISTS[1][:-1]), "about other lists"),
        (proof_with(LISTED, secrets_name="allowed"), LISTS, "all guesses are secrets, and"),
        (proof_with(LISTED, limit=0), LISTS, "needs a limit, one loss and no total"),
        (replace(free, strategy=None), OWN, "no strategy that attains"),
        (free, OWN, f"takes {BEST.total} guesses, {BEST.worst} at most, and loses 0"),
    ):  # fmt: skip
        refused(StrategyError, reason, check, proof, words)


def test_sets_lose_as_much_as_is_missing() -> None:
    """Of words that rhyme a guess finds one: eleven lose eight, whoever has three guesses left."""
    rhymes = game_of([f"{letter}ight" for letter in "bdefhklmnrst"])
    sets = {goal: [(len(it), lost) for it, lost in LossSets(rhymes, goal)] for goal in (3, 8, 9)}
    assert sets == {3: [(6, 3)] * 2, 8: [(11, 8)] * 12, 9: []}
