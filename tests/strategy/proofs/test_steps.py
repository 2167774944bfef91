"""Steps of the checker of proofs on small worlds: claims, refutations, statements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from solver.game.game import Game
from solver.tree import Tree
from strategy.files.origin import Origin
from strategy.proofs.checker import check, facts, refutations
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from strategy.proofs.checker.refutations import KnownRefutations
from strategy.proofs.checker.steps import CheckedWords, WrongProofError, value_text
from strategy.proofs.writer.claims import statement_of
from strategy.tree import Strategy
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
from tests.support.naive_proof import impossible, search_of
from tests.support.proof_worlds import alike, made_up

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
    known = facts.known(checker.board, checker.facts, ids(0, 1, 2), 3, checker.shown_of(text))
    assert known == 77


# --- refutations -------------------------------------------------------------------------------


def refuter(game: Game, members: tuple[int, ...], left: int, listed: list[Refutation]) -> int:
    """Write down why a set cannot be solved, if it cannot; the number of that, or -1."""
    words = words_at(game, members)
    if len(members) < 2:
        return -1
    cites: set[int] = set()
    if left > 1:
        for guess in game.guesses:
            split = naive.split(guess, words)
            if len(split) == 1:
                continue
            for bucket in split.values():
                inner = tuple(game.secrets.index(word) for word in bucket)
                number = refuter(game, inner, left - 1, listed)
                if number >= 0:
                    cites.add(number)
                    break
            else:
                return -1
    new = Refutation(members, left, tuple(sorted(cites)))
    if new not in listed:
        listed.append(new)
    return listed.index(new)


FEW = alike(0, 10, 6)
LIMIT = max(k for k in range(1, 9) if impossible(FEW, k, False))


@pytest.fixture(scope="module")
def listed() -> tuple[Refutation, ...]:
    found: list[Refutation] = []
    assert refuter(FEW, tuple(range(len(FEW.secrets))), LIMIT, found) == len(found) - 1
    assert {refutation.left for refutation in found} == set(range(1, LIMIT + 1))
    return tuple(found)


def proof_with(listed: Sequence[Refutation], **stated: Any) -> Proof:
    statement = statement_of(FEW, "worst", LIMIT, LOSS)
    return Proof(replace(statement, **stated), (), None, tuple(listed))


def holds(proof: Proof, game: Game = FEW) -> bool:
    try:
        check.check(proof, game.guesses, game.secrets)
    except WrongProofError:
        return False
    return True


def test_refutations_hold(listed: tuple[Refutation, ...]) -> None:
    assert holds(proof_with(listed))
    assert holds(proof_with(listed, hard=True))
    assert holds(proof_with(listed, limit=LIMIT - 1))
    assert not holds(proof_with(listed, limit=LIMIT + 1))


def test_a_single_candidate_is_never_refuted(listed: tuple[Refutation, ...]) -> None:
    """With it a false proof would hold: one candidate, no guess that parts it, whatever is left."""
    alone = Refutation((0,), LIMIT + 1, ())
    assert not holds(proof_with((alone,), limit=LIMIT + 1))
    checker = checker_of(FEW, "worst", 3)
    for left in (1, 2, 3):
        with pytest.raises(WrongProofError, match="refutation 5 does not follow"):
            checker.check_refutation(5, Refutation((0,), left, ()))
        if left == 1:
            checker.check_refutation(5, Refutation((0, 1), left, ()))


def test_every_part_of_a_refutation_counts(listed: tuple[Refutation, ...]) -> None:
    """Whatever is changed is refused, or true by brute force."""
    search = search_of(FEW.guesses, FEW.secrets, 0, False)
    for number, one in list(enumerate(listed))[::3]:
        for at in range(len(one.cites)):
            less = replace(one, cites=one.cites[:at] + one.cites[at + 1 :])
            checker = checker_of(FEW, "worst", LIMIT)
            for before in listed[:number]:
                checker.note_refutation(before)
            checker.check_refutation(number, one)
            state = KnownRefutations(ids(*one.members), one.left)
            marks = refutations.promising(checker.board, state)
            for cite in less.cites:
                refutations.strike(checker.board, checker.refuted[cite], marks)
            if marks.any():
                with pytest.raises(WrongProofError, match="does not follow"):
                    checker.check_refutation(number, less)
        for change in ({"left": one.left + 1}, {"members": one.members[1:]}):
            changed = (*listed[:number], replace(one, **change), *listed[number + 1 :])
            if one.left + 1 < 1 << 20 and holds(proof_with(changed)):
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
        refutations.strike(board, KnownRefutations(ids(*other), 1), struck)
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


def test_a_citation_must_lie_within_and_leave_enough(listed: tuple[Refutation, ...]) -> None:
    number, one = next((n, r) for n, r in enumerate(listed) if r.cites)
    for change in ({"left": one.left + 1}, {"members": one.members[:1]}):
        checker = checker_of(FEW, "worst", LIMIT)
        for before in listed[:number]:
            checker.note_refutation(before)
        with pytest.raises(WrongProofError, match=f"refutation {number} "):
            checker.check_refutation(number, replace(one, **change))


# --- statements --------------------------------------------------------------------------------


def strategy_of(game: Game, start: str = "", hard: bool = False) -> Strategy:
    columns = search_of(game.guesses, game.secrets, 1, hard).columns(UNLIMITED, start)
    origin = Origin.of(game, "optimal", (game.guesses[columns[0][0]],), hard=hard)
    return Strategy.of_tree(game, origin, Tree.of(*columns))


SMALL = made_up(1, 14, 5)


@pytest.mark.parametrize("hard", [False, True])
def test_statements_about_small_worlds(hard: bool) -> None:
    """Proved without claims where one step is enough; never more than is true."""
    search = search_of(SMALL.guesses, SMALL.secrets, 1, hard)
    proved = 0
    for start in ("", *SMALL.guesses[:6]):
        strategy = strategy_of(SMALL, start, hard)
        true = search.of_all(UNLIMITED, start)
        assert strategy.total == true
        for total in (true - 1, true, true + 1):
            statement = statement_of(SMALL, "total", 0, total, start=start, hard=hard)
            found = holds(Proof(statement, (), strategy), SMALL)
            assert not found or total == true
            proved += found
    assert proved >= 5
    with pytest.raises(WrongProofError, match="'zzz' is no guess"):
        checker_of(SMALL, start="zzz").start_column()


def test_what_a_start_refutes() -> None:
    """A set that the start leaves whole, refuted with one guess less than the limit."""
    start = next(w for w in FEW.guesses if w not in FEW.secrets)
    for first in FEW.guesses:
        checker = checker_of(FEW, "worst", 2, start=first)
        column = checker.start_column()
        assert word_of(FEW, checker.board, column) == first
        for members in combinations(range(len(FEW.secrets)), 2):
            whole = len(naive.split(first, words_at(FEW, members))) == 1
            for left in (1, 2):
                checker.refuted[:] = [KnownRefutations(ids(*members), left)]
                assert checker._is_refuted() == whole
            for limit in (3, 2, 1):
                other = checker_of(FEW, "worst", limit, start=first)
                other.refuted[:] = [KnownRefutations(ids(*members), 1)]
                assert other._is_refuted() == (whole and limit <= 2)
    free = checker_of(FEW, "worst", 2)
    for left in (1, 2, 3):
        free.refuted[:] = [KnownRefutations(ids(0, 1), left)]
        assert free._is_refuted() == (left >= 2)
    total = checker_of(FEW, "total", 2, start=start)
    total.refuted[:] = [KnownRefutations(ids(0, 1), 3)]
    assert not total._is_refuted()


def test_one_refutation_that_fits_is_enough() -> None:
    start, pair = next(
        (first, pair)
        for first in FEW.guesses
        for pair in combinations(range(len(FEW.secrets)), 2)
        if len(naive.split(first, words_at(FEW, pair))) == 1
    )
    fits, useless = KnownRefutations(ids(*pair), 2), KnownRefutations(ids(*pair), 1)
    for checker in (checker_of(FEW, "worst", 2), checker_of(FEW, "worst", 3, start=start)):
        for refuted in ([fits, useless], [useless, fits], [fits]):
            checker.refuted[:] = refuted
            assert checker._is_refuted()
        for refuted in ([useless, useless], []):
            checker.refuted[:] = refuted
            assert not checker._is_refuted()


def test_the_form_of_statements() -> None:
    strategy = strategy_of(SMALL)
    one = (Refutation((0, 1), 1, ()),)
    for objective, limit, losses, total, plan, listed_, fits in (
        ("worst", 2, 1, 0, None, one, True),
        ("worst", 2, 1, 0, strategy, (), True),
        ("worst", 0, 1, 0, None, (), False),
        ("worst", 2, 0, 0, None, (), False),
        ("worst", 2, 2, 0, None, (), False),
        ("worst", 2, 1, 1, None, (), False),
        ("total", 2, 0, 9, strategy, (), True),
        ("total", 0, 0, 9, strategy, (), True),
        ("total", 2, 0, 9, strategy, one, False),
        ("total", 2, 0, 9, None, (), False),
        ("total", 2, 1, 9, strategy, (), False),
        ("losses", 2, 1, 9, strategy, (), True),
        ("losses", 2, 0, 9, strategy, (), True),
        ("losses", 0, 1, 9, strategy, (), False),
        ("losses", 0, 0, 9, strategy, (), True),
        ("losses", 2, 1, 9, None, (), False),
    ):
        statement = statement_of(SMALL, objective, limit, losses * LOSS + total)
        proof = Proof(statement, (), plan, listed_)
        if fits:
            check.check_form(proof)
        else:
            with pytest.raises(WrongProofError):
                check.check_form(proof)


def test_the_strategy_is_held_to_the_statement() -> None:
    words = CheckedWords(SMALL.guesses, SMALL.secrets)
    strategy = strategy_of(SMALL)

    def fits(objective: str, limit: int, value: int, plan: Strategy, **more: Any) -> bool:
        statement = statement_of(SMALL, objective, limit, value, **more)
        try:
            check.check_strategy(Proof(statement, (), plan), words)
        except WrongProofError:
            return False
        return True

    for limit in range(1, strategy.worst + 2):
        lost = len(strategy.beyond(limit))
        value = lost * LOSS + strategy.total
        for other in (value - 1, value, value + 1, value + LOSS):
            assert fits("losses", limit, other, strategy) == (other == value)
    assert fits("total", 0, strategy.total, strategy)
    start = strategy.origin.start[0]
    assert fits("total", 0, strategy.total, strategy, start=start)
    assert not fits("total", 0, strategy.total, strategy, start=SMALL.guesses[0] + "x")
    assert not fits("total", 0, strategy.total, strategy, hard=True)
    pegs = replace(strategy, origin=replace(strategy.origin, game="mastermind:3x4"))
    assert not fits("total", 0, strategy.total, pegs)
    wrong = replace(strategy, hit=strategy.hit[:-1] + type(strategy.hit)("B", [0]))
    assert not fits("total", 0, strategy.total, wrong)
    check.check_strategy(Proof(statement_of(SMALL, "worst", 2, LOSS), (), None), words)


def test_a_strategy_takes_one_guess_more_than_cannot_be_kept() -> None:
    words, strategy = CheckedWords(FEW.guesses, FEW.secrets), strategy_of(FEW)
    assert strategy.worst > 2
    for limit in range(1, strategy.worst + 2):
        proof = Proof(statement_of(FEW, "worst", limit, LOSS), (), strategy)
        if strategy.worst <= limit + 1:
            check.check_strategy(proof, words)
        else:
            with pytest.raises(WrongProofError, match=f"needs {strategy.worst} guesses"):
                check.check_strategy(proof, words)


def test_what_is_said() -> None:
    assert WrongProofError.exit_code == 1
    assert value_text(5) == "5 guesses"
    assert value_text(2 * LOSS + 1234) == "2 losses and 1,234 guesses"
    strategy = strategy_of(SMALL)
    start = strategy.origin.start[0]
    proof = Proof(statement_of(SMALL, "total", 6, 9, hard=True), (), strategy)
    assert check.summary(proof) == (
        "'test' 'test', 5 secrets in hard mode: no strategy within 6 takes fewer than 9 guesses; "
        f"the one from {start} takes as many"
    )
    proof = Proof(statement_of(SMALL, "worst", 2, LOSS, start="abc"), (), strategy)
    assert check.summary(proof) == (
        "'test' 'test', 5 secrets: no strategy from abc solves all within 2 guesses; 3 are enough"
    )
    assert check.summary(replace(proof, strategy=None)).endswith("within 2 guesses")


def test_the_whole_is_checked_in_steps(
    listed: tuple[Refutation, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything is gone through once, in order, and nothing behind the first flaw."""
    seen: list[tuple[int, int]] = []

    def tell(new: int, whole: int) -> None:
        seen.append((new, whole))

    for block in (1, 3, 500):
        monkeypatch.setattr(check, "_LISTED", block)
        monkeypatch.setattr(check, "_OPENERS", block)
        seen.clear()
        check.check(proof_with(listed), FEW.guesses, FEW.secrets, tell)
        whole = len(listed) + len(FEW.guesses)
        assert sum(new for new, _ in seen) == whole
        assert {told for _, told in seen} == {whole}
        assert max(new for new, _ in seen) <= block
        broken = (*listed[:2], replace(listed[2], cites=(), left=3), *listed[3:-1])
        with pytest.raises(WrongProofError, match="refutation 2 "):
            check.check(proof_with(broken), FEW.guesses, FEW.secrets)
    with_start = proof_with(listed, start=FEW.guesses[0])
    assert sum(
        step.end - step.begin for step in check._steps(with_start, CheckedWords(*_lists()))
    ) == (len(listed) + 1)


def test_claims_are_checked_as_claims(listed: tuple[Refutation, ...]) -> None:
    """Whatever else a proof lists: as many refutations, or a statement that needs no claim."""
    everyone = tuple(range(len(FEW.secrets)))
    true, wrong = Claim(everyone, UNLIMITED, "", 0), Claim(everyone, LIMIT + 1, "", LOSS)
    for claims in ((true,), (true,) * len(listed), (true,) * 40):
        assert holds(replace(proof_with(listed), claims=claims))
        flawed = replace(proof_with(listed), claims=(*claims, wrong))
        with pytest.raises(WrongProofError, match=f"claim {len(claims)} does not follow"):
            check.check(flawed, FEW.guesses, FEW.secrets)
    statement = statement_of(FEW, "worst", LIMIT + 1, LOSS)
    relying = Proof(statement, (wrong,), None, ())
    assert not holds(relying)


def test_each_piece_rests_on_all_earlier_ones_alone(listed: tuple[Refutation, ...]) -> None:
    true = Claim(tuple(range(len(FEW.secrets))), UNLIMITED, "", 0)
    proof = replace(proof_with(listed), claims=(true,) * 6)
    for kind in (check.StepKind.REFUTATIONS, check.StepKind.CLAIMS):
        walk = check._Walk(proof, CheckedWords(*_lists()))
        for number in (0, 1, 2, 3, 5):
            walk.take(check.Step(kind, number, number + 1))
            noted = walk._checker.noted
            assert noted == ((number, 0) if kind == check.StepKind.REFUTATIONS else (0, number))


def test_workers_check_all_of_it(
    listed: tuple[Refutation, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "_LISTED", 2)
    monkeypatch.setattr(check, "_OPENERS", 2)
    seen: list[int] = []
    proof = proof_with(listed)
    check.check(proof, *_lists(), lambda new, whole: seen.append(new), 2)
    assert sum(seen) == len(listed) + len(FEW.guesses)
    for number in (3, len(listed) - 1):
        wrong = replace(listed[number], left=LIMIT + 3)
        with pytest.raises(WrongProofError, match=f"refutation {number} "):
            broken = (*listed[:number], wrong, *listed[number + 1 :])
            check.check(replace(proof, refutations=broken), *_lists(), workers=2)


def test_the_strategy_is_for_these_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared once more after the games, whatever the referee compares before them."""
    words, strategy = CheckedWords(SMALL.guesses, SMALL.secrets), strategy_of(SMALL)
    proof = Proof(statement_of(SMALL, "total", 0, strategy.total), (), strategy)
    taken = check.referee.verify(strategy).taken
    check.check_strategy(proof, words)
    last = SMALL.secrets[-1]
    fewer = {word: number for word, number in taken.items() if word != last}
    fewer[SMALL.secrets[0]] += taken[last]
    foreign = replace(strategy, words=(*strategy.words, "zzz"))
    for plan, games in ((strategy, fewer), (foreign, taken)):
        verdict = check.referee.Verdict(games)
        assert verdict.total == strategy.total
        monkeypatch.setattr(check.referee, "verify", lambda *_, verdict=verdict: verdict)
        with pytest.raises(WrongProofError, match="for other lists"):
            check.check_strategy(replace(proof, strategy=plan), words)


def _lists() -> tuple[tuple[str, ...], tuple[str, ...]]:
    return FEW.guesses, FEW.secrets
