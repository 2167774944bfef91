"""What is true of small worlds is proved; what was tampered with is refused, or true."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from strategy.checkers import proof as core
from strategy.checkers.proof import Claim, Proof, Refutation, WrongProofError, check
from strategy.checkers.verify import GUESS_POOLS
from strategy.files import envelope
from strategy.proofs import proof_file
from strategy.proofs.writer import prove, prove_optimal, refutations_of
from tests.support import naive_proof as brute
from tests.support import raising, refused
from tests.support.checker_twins import ENDLESS, checker_of, small_steps
from tests.support.naive_checker import NaiveChecker
from tests.support.proof_worlds import (
    alike,
    claim_with,
    holds,
    inflated,
    judge,
    made_up,
    plan_of,
    proof_of,
    refutation_with,
    stated,
    strategy_of,
    through_a_file,
    told_apart,
)
from tests.support.worlds import game_of

Body = dict[str, Any]
Mutations = dict[str, Callable[[Proof], Proof]]

#: The world of the claims below, and that of the refutations: four guesses are too few.
CLAIMED, REFUTED = alike(0, 16, 9), alike(0, 22, 14)
WITHIN, TOO_FEW = 6, 4
LISTS = CLAIMED.guesses, CLAIMED.secrets


@pytest.fixture(scope="module")
def claimed() -> Proof:
    return proof_of(CLAIMED, "total", WITHIN)


@pytest.fixture(scope="module")
def refuted() -> Proof:
    return limit_proof(REFUTED, TOO_FEW)


def limit_proof(game: Game, limit: int, hard: bool = False, start: str = "") -> Proof:
    """That a limit cannot be kept, as the search proves it."""
    return prove_optimal(game, "worst", limit, hard, None, start)


def test_what_follows_and_what_does_not(claimed: Proof, refuted: Proof) -> None:
    assert holds(claimed, CLAIMED) and len(claimed.claims) >= 5 and holds(refuted, REFUTED)
    assert proof_of(CLAIMED, "total", WITHIN) == claimed
    assert {refutation.left for refutation in refuted.refutations} == {2, 3, 4}
    assert len(refuted.refutations) >= 10
    assert limit_proof(REFUTED, TOO_FEW) == refuted
    assert not refutations_of(load_game(), 5, "salet")
    # Fewer guesses, and hard mode.
    assert holds(stated(refuted, limit=TOO_FEW - 1), REFUTED)
    assert holds(stated(refuted, hard=True), REFUTED)
    everything = tuple(range(len(CLAIMED.secrets)))
    whole = Claim(everything, claimed.statement.limit, "", claimed.statement.value)
    assert not holds(replace(claimed, claims=(whole,)), CLAIMED)
    guesses, secrets = LISTS
    for other in (guesses[:-1], (*guesses, "xyz"), (*guesses[:-1], "xyz")):
        refused(WrongProofError, "about other lists", check, claimed, (other, secrets))
    refused(WrongProofError, "about other lists", check, claimed, (guesses, secrets[1:]))


# --- by name --------------------------------------------------------------------------------
LAST = -1
#: More of them, with what is said, stand in ``test_proof_file``.
OF_CLAIMS: Mutations = {
    "fewer guesses": lambda p: stated(p, guesses=p.statement.guesses - 1),
    "it forgets the first claim": lambda p: replace(p, claims=p.claims[1:]),
    "it forgets the last claim": lambda p: replace(p, claims=p.claims[:-1]),
    "a claim is too much": lambda p: claim_with(p, LAST, value=p.claims[LAST].value + 9),
    "a claim is enormous": lambda p: claim_with(p, 0, value=p.claims[0].value + brute.LOSS),
    "all claims are too much": inflated,
    "a claim is too little": lambda p: claim_with(p, LAST, value=p.claims[LAST].value - 1),
    "a claim is about fewer": lambda p: claim_with(p, LAST, members=p.claims[LAST].members[1:]),
    "a claim rests on later ones": lambda p: replace(p, claims=p.claims[::-1]),
    "no opener": lambda p: stated(p, start="xyz"),
    "another opener": lambda p: stated(p, start="bzz"), "hard mode": lambda p: stated(p, hard=True),
    "another limit": lambda p: stated(p, limit=2),
    "another objective": lambda p: stated(p, objective="worst"),
    "losses": lambda p: stated(p, losses=1),
    "hard mode in a claim": lambda p: claim_with(p, 0, shown="a..|a"),
    "refutations": lambda p: replace(p, refutations=(Refutation((0, 1), 1, ()),), claims=()),
}  # fmt: skip


def other_cites(proof: Proof) -> Proof:
    cites = {min(cite + 1, len(proof.refutations) - 2) for cite in proof.refutations[LAST].cites}
    return refutation_with(proof, LAST, cites=tuple(sorted(cites)))


OF_REFUTATIONS: Mutations = {
    "none": lambda p: replace(p, refutations=()),
    "the last is missing": lambda p: replace(p, refutations=p.refutations[:-1]),
    "the first is missing": lambda p: replace(p, refutations=p.refutations[1:]),
    "another order": lambda p: replace(p, refutations=(p.refutations[-1], *p.refutations[:-1])),
    "one member": lambda p: refutation_with(p, 0, members=p.refutations[0].members[:1], left=1),
    "a member is missing": lambda p: refutation_with(p, 0, members=p.refutations[0].members[1:]),
    "no part": lambda p: refutation_with(p, LAST, members=p.refutations[LAST].members[1:]),
    "more guesses left": lambda p: refutation_with(p, 0, left=3),
    "more guesses left at the end": lambda p: refutation_with(p, LAST, left=TOO_FEW + 1),
    "fewer guesses left at the end": lambda p: refutation_with(p, LAST, left=TOO_FEW - 1),
    "fewer guesses left where it is cited": lambda p: refutation_with(
        p, p.refutations[LAST].cites[0], left=2,
    ),
    "no citation": lambda p: refutation_with(p, LAST, cites=()),
    "a missing citation": lambda p: refutation_with(p, LAST, cites=p.refutations[LAST].cites[1:]),
    "other citations": other_cites,
    "it cites itself": lambda p: refutation_with(p, LAST, cites=(len(p.refutations) - 1,)),
    "it cites what does not exist": lambda p: refutation_with(p, LAST, cites=(len(p.refutations),)),
    "a cycle": lambda p: refutation_with(p, 0, cites=(len(p.refutations) - 1,)),
    "a larger limit": lambda p: stated(p, limit=TOO_FEW + 1),
    "no limit": lambda p: stated(p, limit=0),
    "another objective": lambda p: stated(p, objective="losses"),
    "losses": lambda p: stated(p, losses=2),
    "a total": lambda p: stated(p, total=1), "no opener": lambda p: stated(p, start="xyz"),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(OF_CLAIMS | OF_REFUTATIONS))
def test_what_was_tampered_with_is_refused(name: str, claimed: Proof, refuted: Proof) -> None:
    if name in OF_CLAIMS:
        assert not holds(OF_CLAIMS[name](claimed), CLAIMED)
    if name in OF_REFUTATIONS:
        assert not holds(OF_REFUTATIONS[name](refuted), REFUTED)


# --- which guesses may be made ---------------------------------------------------------------
POOLED = told_apart(11)


@cache
def pooled(guess_from: str, objective: str = "total") -> Proof:
    return proof_of(POOLED, objective, WITHIN, guess_from=guess_from)


def pool(proof: Proof, guess_from: str) -> Proof:
    """The same said of another pool, by the statement and by the strategy's own head."""
    proof = stated(proof, guess_from=guess_from)
    assert proof.strategy is not None
    head = proof.strategy.head | {"guess_from": guess_from}
    return replace(proof, strategy=proof.strategy._replace(head=head))


@pytest.mark.parametrize("guess_from", GUESS_POOLS[1:])
def test_proofs_about_some_guesses(guess_from: str) -> None:
    """They hold, and are not about more guesses than they say."""
    proof = pooled(guess_from)
    values = [pooled(other).statement.value for other in GUESS_POOLS]
    assert values == sorted(values) and len(set(values)) == 3, "a world in which it matters"
    assert holds(proof, POOLED) and (guess_from != "candidates" or len(proof.claims) >= 5)
    assert proof_file.to_body(proof)["statement"]["guess_from"] == guess_from
    assert "guess_from" not in proof_file.to_body(pooled("allowed"))["statement"]
    for other in GUESS_POOLS:
        if other != guess_from:
            assert not holds(stated(proof, guess_from=other), POOLED)
            assert not holds(pool(proof, other), POOLED)
    assert not proof.claims or not holds(inflated(proof), POOLED)
    assert not proof.claims or not holds(replace(proof, claims=()), POOLED)
    for change in (-1, 1):
        assert not holds(stated(proof, total=proof.statement.total + change), POOLED)


def test_a_strategy_of_other_guesses_proves_nothing() -> None:
    """A strategy that guesses more than the statement says, or says so."""
    for guess_from in GUESS_POOLS[1:]:
        proof = pooled(guess_from)
        other = replace(proof, strategy=pooled("allowed").strategy)
        words = POOLED.guesses, POOLED.secrets
        refused(WrongProofError, "its strategy guesses from", core.check_strategy, other, words)
        lying = pool(other, guess_from)
        refused(WrongProofError, "its strategy is wrong", core.check_strategy, lying, words)


def test_bounds_of_guesses() -> None:
    """One-step bounds of a bucket look at what may be guessed in it: after HZZ that is not ABC."""
    game = game_of([*(letter + "zz" for letter in "abcdefgh"), "abc"])
    found: dict[str, dict[str, int]] = {}
    for guess_from in GUESS_POOLS[1:]:
        proof = proof_of(game, "total", WITHIN, guess_from=guess_from)
        checker = checker_of(game, "total", WITHIN, guess_from=guess_from)
        other = NaiveChecker(proof_file.to_body(proof), game)
        whole = frozenset(game.secrets), WITHIN, ""
        bounds = found[guess_from] = {}
        for at, guess in enumerate(checker.guesses):
            bounds[guess], _, _ = checker.bounds(checker.root, at, ENDLESS)
            assert bounds[guess] == other._lemma_6(whole, guess)
    assert found["candidates"]["hzz"] > found["secrets"]["hzz"]


@pytest.mark.slow
@pytest.mark.parametrize("start", [pytest.param("", marks=pytest.mark.long), *POOLED.guesses[:8:2]])
@pytest.mark.parametrize("hard", [False, True])
def test_the_search_writes_such_proofs(start: str, hard: bool) -> None:
    """The total, the losses, the worst case; a start that is no secret; hard mode."""
    for guess_from in GUESS_POOLS[1:]:
        search = brute.search_of(POOLED, 1, hard, guess_from, start)
        for objective, limit in (("total", 0), ("losses", 3), ("total", WITHIN)):
            left = limit or brute.UNLIMITED
            strategy = strategy_of(POOLED, start, hard, left, guess_from=guess_from)
            value = search.of_all(left, start)
            if objective == "total" and value >= brute.LOSS:
                continue
            more = (hard, strategy, start)
            proof = prove_optimal(POOLED, objective, limit, *more, guess_from=guess_from)
            assert proof.statement.value == value and holds(proof, POOLED)
        no = [k for k in range(1, 13) if brute.impossible(POOLED, k, hard, start, guess_from)]
        proof = prove_optimal(POOLED, "worst", max(no), hard, None, start, guess_from=guess_from)
        assert holds(proof, POOLED)
        possible = stated(proof, limit=max(no) + 1)
        assert not holds(possible, POOLED)


# --- at random ------------------------------------------------------------------------------
@cache
def small_world(
    seed: int, objective: str, hard: bool, guess_from: str = "allowed"
) -> tuple[Game, Body]:
    game = alike(seed, 12, 7) if guess_from == "allowed" else told_apart(seed, 6, 2)
    if objective != "worst":
        limit = 3 if objective == "losses" else 0
        proof = proof_of(game, objective, limit, hard, guess_from=guess_from)
    else:
        some = range(1, 12)
        limit = max(k for k in some if brute.impossible(game, k, hard, guess_from=guess_from))
        proof = prove_optimal(game, "worst", limit, hard, None, guess_from=guess_from)
    return game, proof_file.to_body(proof)


def members(game: Game) -> st.SearchStrategy[tuple[int, ...]]:
    drawn = st.sets(st.integers(0, len(game.secrets) - 1), min_size=1)
    return drawn.map(sorted).map(tuple)


@st.composite
def claims(draw: st.DrawFn, game: Game) -> Claim:
    left = draw(st.sampled_from([1, 2, 3, brute.UNLIMITED]))
    value = draw(st.integers(0, 22)) + brute.LOSS * draw(st.sampled_from([0, 0, 1, 2]))
    return Claim(draw(members(game)), left, draw(st.sampled_from(["", "...|", "a..|a"])), value)


@pytest.mark.slow
@given(
    st.integers(0, 3), st.sampled_from(core.OBJECTIVES), st.booleans(),
    st.sampled_from(GUESS_POOLS), st.integers(0),
)  # fmt: skip
@settings(max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_no_random_change_proves_what_is_false(
    world: int, objective: str, hard: bool, pool: str, seed: int
) -> None:
    judge(*small_world(world, objective, hard, pool), seed, 10)


@given(st.integers(0, 1), st.booleans(), st.sampled_from(GUESS_POOLS), st.data())
@settings(max_examples=75)
def test_no_added_claim_proves_more(seed: int, hard: bool, pool: str, data: st.DataObject) -> None:
    """Nearly true claims are the ones that could slip through."""
    game, body = small_world(seed, "losses", hard, pool)
    proof = proof_file.from_bytes(envelope.pack(envelope.PROOF, body), "whole")
    more = list(proof.claims)
    for _ in range(data.draw(st.integers(1, 3))):
        claim = data.draw(claims(game))
        more.insert(data.draw(st.integers(0, len(more))), claim)
    if holds(replace(proof, claims=tuple(more)), game):
        assert brute.all_true(replace(proof, claims=tuple(more)), game)


# --- what is true can be proved -------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [0, 2, 3, 4, 6])
def test_small_worlds_are_proved(limit: int, hard: bool) -> None:
    for seed in range(2):
        game = alike(seed, 14, 8) if seed % 2 else made_up(10 * limit + seed, 30, 20)
        search = brute.search_of(game, 1, hard)
        lost = search.of_all(limit or brute.UNLIMITED) >= brute.LOSS
        objective = "losses" if lost else "total"
        assert holds(proof_of(game, objective, limit, hard), game)
        start = game.guesses[seed]
        assert holds(proof_of(game, "losses" if limit else "total", limit, hard, start), game)
        if lost:
            assert holds(proof_of(game, "worst", limit, hard), game)


@pytest.mark.parametrize("workers", [2, 3])
def test_the_first_flaw(workers: int, claimed: Proof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "steps_of", lambda proof, few: small_steps(proof, few, 1))
    seen: list[int] = []
    check(claimed, LISTS, lambda new, whole: seen.append(new), workers)
    assert sum(seen) == len(claimed.claims) + len(CLAIMED.guesses)
    empty = [claim._replace(value=0) for claim in claimed.claims]
    # the last claim is wrong, and so is the first block of openers
    wrong = (*empty, claimed.claims[-1]._replace(value=brute.LOSS))
    worst = stated(claimed, objective="worst", losses=1, total=0)
    for flawed in (
        inflated(claimed), replace(claimed, claims=claimed.claims[1:]),
        replace(worst, strategy=None, claims=wrong),
    ):  # fmt: skip
        reasons = set()
        for number in (1, workers):
            with pytest.raises(WrongProofError) as error:
                check(flawed, LISTS, workers=number)
            reasons.add(str(error.value))
        assert len(reasons) == 1


# --- what is false cannot -------------------------------------------------------------------
def test_a_wrong_oracle_or_no_time_ends_in_no_proof(claimed: Proof) -> None:
    class Liar:
        def bound(self, members: Any, left: int, revealed: Any, enough: int) -> int:
            return enough

    for false in (
        stated(claimed, total=claimed.statement.total - 1),
        stated(claimed, objective="worst", losses=1, total=0),
    ):
        refused(WrongProofError, "", prove, CLAIMED, false.statement, None, Liar())
    game, over = made_up(0, 30, 20), raising(OutOfTimeError("over"))
    strategy = plan_of(proof_of(game, "losses", 5))
    refused(OutOfTimeError, "", prove_optimal, game, "losses", 5, False, strategy, check_time=over)
    refused(OutOfTimeError, "", prove_optimal, game, "worst", 2, False, None, check_time=over)


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
    assert guess_from == "secrets" or any(claim.value % brute.LOSS == 0 for claim in chosen)
    assert holds(found, game) and not holds(replace(found, claims=()), game)
    assert brute.all_true(found, game) and NaiveChecker(proof_file.to_body(found), game).accepts()
    for at, claim in enumerate(chosen):
        more = claim_with(found, found.claims.index(claim), value=claim.value + brute.LOSS)
        assert not holds(more, game)
        if at % 4 == 0:  # the slow truth says it of some
            assert not NaiveChecker(proof_file.to_body(more), game).accepts()
    more = stated(found, losses=found.statement.losses + 1)
    refused(WrongProofError, "", check, more, (game.guesses, game.secrets))


WORLDS = [alike(0, 16, 9), made_up(0, 30, 20), made_up(0, 25, 25, "abc", 4)]


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_what_is_impossible_is_proved_and_nothing_else(limit: int, hard: bool) -> None:
    for number, game in enumerate(WORLDS):
        for start in ("", game.guesses[0])[: 1 + (number + limit) % 2]:
            if brute.impossible(game, limit, hard, start):
                found = limit_proof(game, limit, hard, start)
                assert holds(found, game)
                not_even_so = brute.impossible(game, limit, False, start)
                assert bool(found.refutations) == (limit > 1 and not_even_so)
            else:
                refused(WrongProofError, "cannot be proved", limit_proof, game, limit, hard, start)


@pytest.mark.parametrize("start", ["aba", "abb", "abc"])
def test_what_only_hard_mode_makes_impossible_is_proved_by_claims(start: str) -> None:
    """Refutations are about all guesses and cannot say it."""
    game = made_up(5, 30, 20)
    assert not brute.impossible(game, 3, False, start) and brute.impossible(game, 3, True, start)
    found = limit_proof(game, 3, True, start)
    assert not found.refutations and holds(found, game)


@pytest.mark.parametrize("seed", range(4))
def test_an_attained_worst_case_is_proved_with_its_strategy(seed: int) -> None:
    game = made_up(seed, 30, 20)
    least = next(k for k in range(1, 9) if not brute.impossible(game, k, False))
    strategy = plan_of(proof_of(game, "total", least))
    found = prove_optimal(game, "worst", None, False, strategy)
    assert found.statement.limit == least - 1 and holds(found, game)
    slower = plan_of(proof_of(game, "total", 0, start=game.guesses[0]))
    if slower.worst > least:
        refused(WrongProofError, "", prove_optimal, game, "worst", None, False, slower)
