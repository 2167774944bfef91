"""Refutations: that a limit cannot be kept is found, checked, and never shown where it can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game import Game, load_game
from strategy.errors import BadFileError
from strategy.proofs.check import check
from strategy.proofs.checker import WrongProofError
from strategy.proofs.file import Proof, Refutation
from strategy.proofs.oracle import prove_optimal
from strategy.proofs.refute import refutations_of

from .naive_proof import LOSS, NaiveSearch
from .test_proof import alike, legal_of, made_up, through_a_file


def impossible(game: Game, limit: int, hard: bool, start: str = "") -> bool:
    """By brute force."""
    search = NaiveSearch(game.guesses, game.secrets, 0, hard)
    if start:
        return search.of_guess(game.secrets, limit, game.guesses, start) >= LOSS
    return search.value(game.secrets, limit, game.guesses)[0] >= LOSS


def proof_of(game: Game, limit: int, hard: bool = False, start: str = "") -> Proof:
    return prove_optimal(game, "worst", limit, hard, None, start)


def holds(proof: Proof, game: Game) -> bool:
    """Whether the checker accepts a proof, after it has been through a file."""
    try:
        check(through_a_file(proof), game.guesses, game.secrets)
    except (WrongProofError, BadFileError):
        return False
    return True


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5])
def test_what_is_impossible_is_refuted_and_nothing_else(limit: int, hard: bool) -> None:
    for seed in range(3):
        for game in (alike(seed, 16, 9), made_up(seed, 30, 20), made_up(seed, 25, 25, "abc", 4)):
            for start in ("", game.guesses[seed]):
                if impossible(game, limit, hard, start):
                    assert holds(proof_of(game, limit, hard, start), game)
                else:
                    with pytest.raises(WrongProofError, match="cannot be proved"):
                        proof_of(game, limit, hard, start)


@pytest.fixture(scope="module")
def game() -> Game:
    return alike(0, 22, 14)


LIMIT = 4


@pytest.fixture(scope="module")
def proof(game: Game) -> Proof:
    return proof_of(game, LIMIT)


def test_the_proof_to_be_tampered_with(proof: Proof, game: Game) -> None:
    assert holds(proof, game)
    lefts = {refutation.left for refutation in proof.refutations}
    assert lefts == {2, 3, 4}
    assert len(proof.refutations) >= 10


def changed(proof: Proof, number: int, **changes: object) -> Proof:
    listed = list(proof.refutations)
    listed[number] = replace(listed[number], **changes)  # type: ignore[arg-type]
    return replace(proof, refutations=tuple(listed))


def stated(proof: Proof, **changes: object) -> Proof:
    return replace(proof, statement=replace(proof.statement, **changes))  # type: ignore[arg-type]


def swapped(proof: Proof) -> Proof:
    """The last refutation comes first."""
    return replace(proof, refutations=(proof.refutations[-1], *proof.refutations[:-1]))


def renumbered(proof: Proof) -> Proof:
    """Every citation names the next one."""
    last = proof.refutations[-1]
    cites = tuple(min(cite + 1, len(proof.refutations) - 2) for cite in last.cites)
    return changed(proof, -1, cites=tuple(sorted(set(cites))))


LAST = -1
MUTATIONS: dict[str, Callable[[Proof], Proof]] = {
    "none": lambda p: replace(p, refutations=()),
    "the last is missing": lambda p: replace(p, refutations=p.refutations[:-1]),
    "the first is missing": lambda p: replace(p, refutations=p.refutations[1:]),
    "the last comes first": swapped,
    "no member but one": lambda p: changed(p, 0, members=p.refutations[0].members[:1]),
    "a member is missing": lambda p: changed(p, 0, members=p.refutations[0].members[1:]),
    "more guesses left": lambda p: changed(p, 0, left=3),
    "more guesses left at the end": lambda p: changed(p, LAST, left=5),
    "fewer guesses left at the end": lambda p: changed(p, LAST, left=3),
    "no citation": lambda p: changed(p, LAST, cites=()),
    "a citation is missing": lambda p: changed(p, LAST, cites=p.refutations[LAST].cites[1:]),
    "other citations": renumbered,
    "it cites itself": lambda p: changed(p, LAST, cites=(len(p.refutations) - 1,)),
    "hard mode in one": lambda p: changed(p, 0, shown="a..|a"),
    "a larger limit": lambda p: stated(p, limit=LIMIT + 1),
    "no limit": lambda p: stated(p, limit=0),
    "another objective": lambda p: stated(p, objective="losses"),
    "another list": lambda p: stated(p, guesses_digest="0" * 64),
    "losses": lambda p: stated(p, losses=2),
    "no opener": lambda p: stated(p, start="xyz"),
}


@pytest.mark.parametrize("name", MUTATIONS)
def test_tampered_refutations_are_refused(name: str, proof: Proof, game: Game) -> None:
    assert not holds(MUTATIONS[name](proof), game)


@cache
def small_world(seed: int, hard: bool) -> tuple[Game, NaiveSearch, Proof]:
    """A game, its truth, and the proof that the largest limit it cannot keep cannot be kept."""
    game = alike(seed, 14, 8)
    search = NaiveSearch(game.guesses, game.secrets, 0, hard)
    limit = 1
    while search.value(game.secrets, limit + 1, game.guesses)[0] >= LOSS:
        limit += 1
    return game, search, proof_of(game, limit, hard)


@given(st.data())
@settings(max_examples=60)
def test_no_random_change_shows_what_is_false(data: st.DataObject) -> None:
    """A changed proof may still hold, but every refutation in it is then true."""
    hard = data.draw(st.booleans())
    game, search, proof = small_world(data.draw(st.integers(0, 3)), hard)
    listed = list(proof.refutations)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(listed)))
        cites = data.draw(st.sets(st.integers(0, max(0, at - 1)), max_size=4)) if at else set()
        members = data.draw(st.sets(st.integers(0, 8), min_size=1))
        if cites and data.draw(st.booleans()):
            members = set().union(*(listed[cite].members for cite in cites))
        shown = "...|" if hard else ""
        left = data.draw(st.integers(1, 5))
        one = Refutation(tuple(sorted(members)), left, shown, tuple(sorted(cites)))
        if at < len(listed) and data.draw(st.booleans()):
            listed[at] = one
        else:
            listed.append(replace(one, cites=tuple(c for c in one.cites if c < len(listed))))
    if holds(replace(proof, refutations=tuple(listed)), game):
        for one in listed:
            state = tuple(game.secrets[member] for member in one.members)
            assert search.value(state, one.left, legal_of(one, game))[0] >= LOSS


def test_a_larger_refutation_serves_a_smaller_limit(proof: Proof, game: Game) -> None:
    assert holds(stated(proof, limit=LIMIT - 1), game)
    assert holds(stated(proof, start=game.guesses[0]), game) == impossible(
        game, LIMIT, False, game.guesses[0]
    )


def test_the_same_words_have_the_same_refutations(proof: Proof, game: Game) -> None:
    assert proof_of(game, LIMIT) == proof


def test_an_attained_worst_case_is_proved_with_its_strategy() -> None:
    from .test_proof import proof_of as with_strategy

    game = made_up(0, 30, 20)
    strategy = with_strategy(game).strategy
    assert strategy is not None
    least = min(k for k in range(1, 9) if not impossible(game, k, False))
    if strategy.worst == least:
        found = prove_optimal(game, "worst", None, False, strategy)
        assert found.statement.limit == least - 1
        assert holds(found, game)
    else:
        with pytest.raises(WrongProofError):
            prove_optimal(game, "worst", None, False, strategy)


@pytest.mark.parametrize("hard", [False, True])
def test_four_guesses_from_salet(hard: bool) -> None:
    game = load_game()
    assert holds(proof_of(game, 4, hard, "salet"), game)


def test_nothing_is_found_where_there_is_a_way() -> None:
    game = load_game()
    assert not refutations_of(game, 5, "salet")
