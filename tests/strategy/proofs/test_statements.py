"""What a proof states, and the strategy that attains it, on small worlds."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from strategy.checkers.lemmas import LOSS, UNLIMITED
from strategy.checkers.proof import (
    Proof,
    Refutation,
    WrongProofError,
    check,
    check_form,
    check_strategy,
)
from strategy.checkers.verify import Tree
from strategy.errors import StrategyError
from strategy.files.strategy_file import tree_of
from strategy.proofs.proof_file import summary, value_text
from strategy.proofs.writer import statement_of
from tests.support import naive, refused
from tests.support.checker_twins import checker_of, words_at
from tests.support.naive_proof import search_of
from tests.support.proof_worlds import made_up, strategy_of
from tests.support.refuted_world import FEW, LISTED, is_proved, proof_with
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

SMALL = made_up(1, 14, 5)
LISTS = SMALL.guesses, SMALL.secrets
BEST = strategy_of(SMALL)


@cache
def best(start: str = "", hard: bool = False) -> Tree:
    return tree_of(strategy_of(SMALL, start, hard))


def stated(
    objective: str, limit: int, value: int, plan: Tree | None, *listed: Refutation, **named: Any
) -> Proof:
    return Proof(statement_of(SMALL, objective, limit, value, **named), plan, (), listed)


def fits(proof: Proof, words: Any = LISTS) -> bool:
    """Whether its strategy comes to what is stated."""
    try:
        check_strategy(proof, words)
    except WrongProofError:
        return False
    return True


@pytest.mark.parametrize("hard", [False, True])
def test_statements_about_small_worlds(hard: bool) -> None:
    """Proved without claims where one step is enough; never more than is true."""
    search, proved = search_of(SMALL.guesses, SMALL.secrets, 1, hard), 0
    for start in ("", *SMALL.guesses[:6]):
        true = search.of_all(UNLIMITED, start)
        for total in (true - 1, true, true + 1):
            named = {"start": start, "hard": hard}
            found = is_proved(stated("total", 0, total, best(start, hard), **named), SMALL)
            assert not found or total == true
            assert found or total != true or start
            proved += found
    assert proved >= 5
    unknown = checker_of(SMALL, start="zzz").check_statement
    refused(WrongProofError, "'zzz' is not a guess", unknown, 0, 1)


def test_what_a_start_refutes() -> None:
    """A set that the start leaves whole, refuted with one guess less than the limit."""

    def holds(limit: int, *refuted: Refutation, start: str = "", objective: str = "worst") -> bool:
        checker = checker_of(FEW, objective, limit, value=8 * LOSS, start=start)
        checker.refuted += refuted
        try:
            checker.check_statement(0, 99)
        except WrongProofError:
            return False
        return True

    alone = []
    for start in FEW.guesses:
        for pair in combinations(range(len(FEW.secrets)), 2):
            whole = len(naive.split(start, words_at(FEW, pair))) == 1
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
    others = (LISTS[0][1:], LISTS[1]), (LISTS[0], LISTS[1][1:]), (LISTS[0], LISTS[0][:5])
    assert not any(fits(stated("total", 0, total, plan), words) for words in others)
    few, slow = tree_of(strategy_of(FEW)), strategy_of(FEW).worst
    assert slow > 2
    for limit in range(1, slow + 2):
        proof = Proof(statement_of(FEW, "worst", limit, LOSS), few, (), ())
        assert fits(proof, (FEW.guesses, FEW.secrets)) == (slow <= limit + 1)
    for words in (["abc"], ["abc", "abd"]):
        game, own = game_of(words), strategy_of(game_of(words))
        statement = statement_of(game, "total", 0, own.total)
        check_strategy(Proof(statement, tree_of(own), (), ()), (words, words))


def test_the_strategy_opens_with_the_start_of_the_statement() -> None:
    """By the first of its fixed guesses, which is the one that it makes first."""
    for start in SMALL.guesses:
        proof = stated("total", 0, BEST.total, best(), start=start)
        assert fits(proof) == (start == BEST.origin.start[0])
    proof = stated("total", 0, BEST.total, best(), start="aaa")
    refused(WrongProofError, "does not begin with its start", check_strategy, proof, LISTS)


def test_a_whole_proof_is_looked_at_before_it_is_gone_through() -> None:
    """Each is refused for what its lists, form, names and strategy are alone."""
    worst, free = proof_with(LISTED), stated("total", 0, 0, best())
    assert is_proved(worst)
    few = FEW.guesses, FEW.secrets
    for proof, words, reason in (
        (proof_with(LISTED, game="mastermind:3x26"), few, "mastermind:3x26 does not have"),
        (worst, (few[0][:-1], few[1]), "about other lists"),
        (worst, (few[0], few[1][:-1]), "about other lists"),
        (proof_with(LISTED, secrets_name="allowed"), few, "all guesses are secrets, and they are"),
        (proof_with(LISTED, limit=0), few, "needs a limit, one loss and no total"),
        (replace(free, strategy=None), LISTS, "no strategy that attains"),
        (free, LISTS, f"takes {BEST.total} guesses, {BEST.worst} at most, and loses 0"),
    ):  # fmt: skip
        refused(StrategyError, reason, check, proof, words)
