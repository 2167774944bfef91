"""Writes the proof of an exact result: the search supplies the claims that the checker needs.

The writer asks the checker which guess of a state is still open, and an oracle, the exact search,
how much the buckets of that guess cost. It claims just enough to close the guess, what is quickest
to derive, and proves those claims first. What the oracle says is never written down without being
checked: a wrong oracle ends in an error and not in a wrong proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from heapq import heapify, heappop, heappush
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact.engine import Engine
from solver.exact.kernels.lemmas import UNLIMITED as SEARCHED_UNLIMITED
from solver.exact.kernels.score_table import HALF, REVEALED_WORDS
from solver.exact.limit_search import LimitSearch
from solver.exact.set_engine import CandidateEngine, ExactCodes, SetEngine
from solver.exact.table_layout import score_table_of
from solver.exact.values import CheckTime, state_of
from solver.game.game import Game

from ..checkers import lemmas
from ..checkers.lemmas import LOSS, UNLIMITED, Shown
from ..checkers.proof import (
    FEWEST,
    Checker,
    Claim,
    Proof,
    Refutation,
    State,
    Statement,
    Symmetry,
    WrongProofError,
    check,
    check_form,
    check_strategy,
)
from ..files.strategy_file import identity_of, tree_of
from ..tree import Strategy
from .codes import CanonicalForm, CodeForms, composed
from .loss_sets import LEFT, LIMIT, LossSets

#: First guesses that are settled in one go.
_OPENERS = 64
#: A symmetry is applied to all codes: in a set of so small a part of them guesses are looked at.
_FEW = 1 / 150
#: Called with how many more first guesses, or steps, are done, and of how many.
ProofProgress = Callable[[int, int], None]


class Oracle(Protocol):
    """The search, as far as a proof needs it."""

    def bound(
        self, members: NDArray[np.int32], left: int, revealed: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state; at least ``enough`` if the value is.

        ``members`` are positions among the secrets, ascending; ``left`` may be UNLIMITED;
        ``revealed`` is what hard mode has shown, as ``lemmas.show_more`` writes it. Values are
        as in ``lemmas``: guesses at their price, and LOSS for each candidate beyond the limit.
        """


def statement_of(
    game: Game,
    objective: str,
    limit: int,
    value: int,
    *,
    start: str = "",
    hard: bool = False,
    guess_from: str = "allowed",
) -> Statement:
    """The statement of a proof, from the game and the value that is to be proved.

    ``value`` is LOSS per loss plus the total; LOSS for ``worst``.
    """
    losses, total = divmod(value, LOSS)
    return Statement(
        **identity_of(game),
        hard=hard,
        start=start,
        objective=objective,
        limit=limit,
        losses=losses,
        total=total,
        guess_from=guess_from,
    )


def prove(
    game: Game,
    statement: Statement,
    strategy: Strategy | None,
    oracle: Oracle,
    progress: ProofProgress = lambda new, whole: None,
    sets: LossSets | None = None,
) -> Proof:
    """The proof of a statement, every claim of it checked; ``progress`` counts first guesses.

    ``sets``: what is claimed of them comes first, and is not checked here. Raises
    WrongProofError if the oracle's bounds do not support the statement.
    """
    bare = Proof(statement, None if strategy is None else tree_of(strategy), (), ())
    check_form(bare)
    check_strategy(bare, (game.guesses, game.secrets))
    writer = _Writer(game, statement, oracle, progress)
    if sets is not None:
        writer.claim_losses(sets)
    writer.close_statement()
    proof = replace(bare, claims=tuple(writer.claims))
    check_form(proof)  # now it may have more than can be checked
    return proof


class _Writer:
    """Collects claims, each after those that it rests on; the checker derives each of them."""

    def __init__(
        self, game: Game, statement: Statement, oracle: Oracle, progress: ProofProgress
    ) -> None:
        self.claims: list[Claim] = []
        self._forms = None if game.code_space is None else CodeForms(game.code_space)
        #: Claims by the form of their sets, with the symmetry that leads there.
        self._alike: dict[bytes, list[tuple[int, Symmetry]]] = {}
        self._oracle = oracle
        self._progress = progress
        self._checker = Checker(statement, (game.guesses, game.secrets))

    def close_statement(self) -> None:
        """Claim what the statement needs."""
        checker, statement = self._checker, self._checker.statement
        if statement.start:
            self._close(checker.root, statement.value, checker.guesses.index(statement.start))
            return
        openers = checker.openers()
        costs = lemmas.lemma_2(checker.board, checker.root.members, checker.root.left, openers)
        openers = openers[np.argsort(costs, kind="stable")]  # what is claimed for the best serves
        for begin in range(0, len(openers), _OPENERS):
            some = openers[begin : begin + _OPENERS]
            self._close_all(checker.root, statement.value, some)
            self._progress(len(some), len(openers))

    def claim_losses(self, chosen: LossSets) -> None:
        """Claim what sets lose that exclude most openers; they are checked with the whole proof."""
        shown, count = self._checker.root.shown, len(self._checker.guesses)
        done = 0
        for members, lost in chosen:
            self._write_down(State(members, LEFT, shown), lost * LOSS)
            self._progress(chosen.excluded - done, count)
            done = chosen.excluded

    def _claim(self, state: State, value: int) -> None:
        """Prove a claim and write it down, or an image of one that is written down."""
        checker = self._checker
        if checker.of_claims(state, *checker.claims_in(state, [state.members])) >= value:
            return
        guesses = checker.legal(state)
        symmetries: tuple[Symmetry, ...] = ()
        if self._forms is not None:
            form = self._forms.form_of(state.members)
            if self._take_image(state, value, form):
                return
            symmetries = self._forms.symmetries_of(state.members)
            guesses = guesses[np.isin(guesses, checker.lowest_alike(symmetries))]
        self._close_all(state, value, guesses)
        few = symmetries and len(state.members) <= _FEW * len(checker.guesses)
        if few and checker.open_guess(state, value, checker.legal(state)) is None:
            symmetries = ()
        if self._forms is not None:
            self._alike.setdefault(form.key, []).append((len(self.claims), form.symmetry))
        self._write_down(state, value, symmetries)

    def _write_down(self, state: State, value: int, symmetries: tuple[Symmetry, ...] = ()) -> None:
        """Write a claim down, and rest on it from now on."""
        checker = self._checker
        shown = _text_of(state.shown, checker.alphabet) if checker.statement.hard else ""
        members = tuple(state.members.tolist())
        self.claims.append(Claim(members, state.left, shown, value, symmetries))
        checker.note_claim(self.claims[-1])

    def _take_image(self, state: State, value: int, form: CanonicalForm) -> bool:
        """Rest on the image of a claim about a set of the same form, if there is one."""
        for number, symmetry in self._alike.get(form.key, ()):
            claim = self.claims[number]
            if claim.value >= value and claim.left >= state.left:
                image = composed(symmetry, form.symmetry)
                images = tuple(sorted((*claim.images, image)))
                self.claims[number] = claim._replace(images=images)
                self._checker.note_set(state._replace(left=claim.left), claim.value)
                return True
        return False

    def _close_all(self, state: State, goal: int, guesses: lemmas.Guesses) -> None:
        """Make all of some guesses cost ``goal`` by claims."""
        guess, before = self._checker.open_guess(state, goal, guesses), None
        while guess is not None:
            if guess == before:
                raise RuntimeError("the checker does not accept the claims")
            self._close(state, goal, guess)
            guesses = guesses[int(np.flatnonzero(guesses == guess)[0]) :]
            guess, before = self._checker.open_guess(state, goal, guesses), guess

    def _close(self, state: State, goal: int, guess: int) -> None:
        """Claim enough of one guess's buckets; with no limit if that does."""
        cost, buckets, bounds = self._checker.bounds(state, guess, goal)
        then = lemmas.after_guess(state.left)
        large = [
            (State(it, then, self._checker.shown_after(state, guess, it)), bound)
            for it, bound in zip(buckets, bounds, strict=True)
            if len(it) >= FEWEST
        ]
        for limit in (UNLIMITED, then) if goal < LOSS else (then,):
            step = 1 if goal < LOSS else goal - cost
            missing, wanted = self._cheapest(large, limit, goal - cost, step)
            if missing <= 0:
                break
        else:
            word = self._checker.guesses[guess]
            raise WrongProofError(f"it cannot be proved: {word!r} costs {missing} less")
        for bucket, value in wanted[::-1]:
            self._claim(bucket, value)

    def _cheapest(
        self, large: Sequence[tuple[State, int]], limit: int, missing: int, step: int
    ) -> tuple[int, list[tuple[State, int]]]:
        """What to claim of some buckets, whose bounds are known, and what is missing even so.

        Bounds are raised step by step, always the one that leaves the checker least to do: the
        guesses that Lemma 2 leaves open, times the candidates. Each guess that a value comes nearer
        to the truth costs more than the one before: a little of many buckets is soon enough.
        """
        checker = self._checker
        queue: list[tuple[int, int, NDArray[np.int64]]] = []
        wanted: list[tuple[State, int]] = []
        for at, (bucket, bound) in enumerate(large):
            left = UNLIMITED if bucket.left >= len(bucket.members) else limit  # more are not needed
            wanted.append((bucket._replace(left=left), bound))
            costs = lemmas.lemma_2(checker.board, bucket.members, left, checker.legal(bucket))
            queue.append((_work(costs, bound + step, bucket), at, costs))
        heapify(queue)
        while queue and missing > 0:
            _, at, costs = heappop(queue)
            bucket, value = wanted[at]
            enough = value + min(step, missing)
            gain = min(self._oracle.bound(*bucket, enough), enough) - value
            if gain > 0:
                value, missing = value + gain, missing - gain
                wanted[at] = bucket, value
                work = _work(costs, value + step, bucket) - _work(costs, value, bucket)
                heappush(queue, (work, at, costs))
        raised = zip(wanted, large, strict=True)
        return missing, [new for new, (_, bound) in raised if new[1] > bound]


def _work(costs: NDArray[np.int64], value: int, bucket: State) -> int:
    """What a claim leaves to do: a set is counted for each guess that may cost less, and once."""
    return (1 + int(np.count_nonzero(costs < value))) * len(bucket.members)


def _text_of(shown: Shown, alphabet: str) -> str:
    """What hard mode has shown, as a proof has it: ``s....|aes``."""
    length = len(shown) - len(alphabet)
    greens = "".join(f".{alphabet}"[number] for number in shown[:length])
    return f"{greens}|" + "".join(
        letter * int(times) for letter, times in zip(alphabet, shown[length:], strict=True)
    )


# --- refutations ----------------------------------------------------------------------------
#
# Hard mode only takes guesses away, so what is impossible without it is impossible in it: the
# search of limits always looks at all guesses, and what it refutes holds in both. In the same way
# candidates are some of the secrets: what is impossible with all these is so with candidates only.


def refutations_of(
    game: Game, limit: int, start: str = "", check_time: CheckTime = lambda: None
) -> tuple[Refutation, ...]:
    """The refutations that prove that no strategy keeps to a limit; none if some may.

    All strategies begin with ``start``, if given. A limit below 2 needs none: claims prove it.
    """
    if limit < 2:
        return ()
    search = LimitSearch(score_table_of(game, hard=False, price=0), check_time)
    everything = np.arange(len(game.secrets), dtype=np.int32)
    if start:
        column = int(np.flatnonzero(search.table.guess == game.guess_id(start))[0])
        core = search.find_core_after(limit, everything, column)
    else:
        core = search.find_core(limit, everything)
    if core is None:
        return ()
    return tuple(
        Refutation(tuple(sorted(rows)), left, tuple(sorted(set(reasons))))
        for left, rows, reasons in search.refutation(core)
    )


# --- the exact search as the oracle ---------------------------------------------------------

_MEMO_BITS = 19
#: The search packs numbers of copies in so many bits each.
_COPIES = 4


class SearchOracle:
    """The exact search as the oracle of proofs: it translates states for one engine."""

    def __init__(
        self, game: Game, hard: bool, price: int, check_time: CheckTime = lambda: None
    ) -> None:
        table = score_table_of(game, hard, None, price)
        self._engine = Engine(table, _MEMO_BITS, check_time)
        self._check_time = check_time
        self._length = game.length
        self._letters = lemmas.alphabet_of(game.guesses)
        self._numbers = [game.alphabet.find(letter) for letter in self._letters]
        self._spelled = {
            (place, game.guesses[guess][place]): int(spelling & places)
            for guess, spelling in zip(table.guess, table.spelling, strict=False)
            for place, places in enumerate(table.places)
            if guess >= 0
        }

    def bound(
        self, members: NDArray[np.int32], left: int, revealed: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state, at least ``enough`` if the value is."""
        self._check_time()
        guesses = SEARCHED_UNLIMITED if left == UNLIMITED else left
        state = state_of(members, guesses, self._packed(revealed))
        return int(self._engine.value_of_state(state, enough - 1).bound)

    def _packed(self, revealed: NDArray[np.uint8]) -> NDArray[np.uint64]:
        """What hard mode has revealed, as the search packs it: places, their letters, copies."""
        packed = [0] * REVEALED_WORDS
        places = self._engine.table.places
        for place in np.flatnonzero(revealed[: self._length]):
            packed[0] |= int(places[place])
            packed[1] |= self._spelled[int(place), self._letters[revealed[place] - 1]]
        for letter in np.flatnonzero(revealed[self._length :]):
            number, copies = self._numbers[letter], int(revealed[self._length + letter])
            packed[2 + number // HALF] |= copies << _COPIES * (number % HALF)
        return np.array(packed, dtype=np.uint64)


class SetOracle:
    """A search over sets as the oracle of proofs: that of candidates only, or of Mastermind."""

    def __init__(self, engine: SetEngine, price: int) -> None:
        self._engine, self._price = engine, price
        whole = state_of(engine.members, SEARCHED_UNLIMITED)
        engine.value_of_state(whole, 0)  # the scores of all, made once

    def bound(
        self, members: NDArray[np.int32], left: int, revealed: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state, at least ``enough`` if the value is."""
        guesses = SEARCHED_UNLIMITED if left == UNLIMITED else left
        value = self._engine.value_of_state(state_of(members, guesses), enough - 1).bound
        return value if self._price else value // LOSS * LOSS


def _oracle_for(game: Game, statement: Statement, check_time: CheckTime) -> Oracle:
    """The search that knows what the states of a proof cost."""
    if statement.guess_from == "candidates":
        engine = CandidateEngine(game, check_time=check_time)
        engine = engine if statement.price else engine.content_with(LOSS - 1)
        return SetOracle(engine, statement.price)
    if statement.is_pegs:
        codes = ExactCodes(game, check_time, statement.objective == "losses")
        return SetOracle(codes, statement.price)
    played = _played(game, statement)
    return SearchOracle(played, statement.hard, statement.price, check_time)


def _played(game: Game, statement: Statement) -> Game:
    """The game with the guesses that a statement is about."""
    if statement.guess_from == "allowed" or statement.is_pegs:
        return game
    pool = {statement.start, *game.secrets}
    return replace(game, guesses=tuple(word for word in game.guesses if word in pool))


def prove_optimal(  # noqa: PLR0913 - 10, of which one call gives all, and no other more than 6
    game: Game,
    objective: str,
    within: int | None,
    hard: bool,
    strategy: Strategy | None,
    start: str = "",
    progress: ProofProgress = lambda new, whole: None,
    workers: int = 1,
    check_time: CheckTime = lambda: None,
    guess_from: str = "allowed",
) -> Proof:
    """A proof that no strategy (from ``start``, if given) is better than one that is given.

    Without a strategy: that none keeps to the limit. With the objective ``worst``: that none needs
    fewer guesses at worst. Whatever is returned has been checked; ``progress`` counts the steps of
    that, and ``workers`` share them where the proof consists of refutations. Raises
    WrongProofError if there is no such proof, and whatever ``check_time`` raises on the way.
    """

    def step(new: int, whole: int) -> None:
        check_time()
        progress(new, whole)

    state = partial(statement_of, game, start=start, hard=hard, guess_from=guess_from)

    if strategy is None or objective == "worst":
        limit = within if strategy is None else strategy.worst - 1
        statement = state("worst", limit or 0, LOSS)
        return _prove_impossible(game, statement, strategy, step, workers, check_time)
    limit = within or 0
    lost = len(strategy.beyond(limit)) if limit else 0
    value = lost * LOSS + strategy.total
    statement = state(objective, limit, value)
    oracle = _oracle_for(game, statement, check_time)
    plain = not (start or hard or statement.is_pegs or guess_from == "candidates")
    if not (lost and limit == LIMIT and plain):
        return prove(game, statement, strategy, oracle, step)
    sets = LossSets(_played(game, statement), lost + 1, check_time)
    proof = prove(game, statement, strategy, oracle, step, sets)
    return _derived(proof, game, step, workers)


def _prove_impossible(
    game: Game,
    statement: Statement,
    strategy: Strategy | None,
    progress: ProofProgress,
    workers: int,
    check_time: CheckTime,
) -> Proof:
    """By refutations, or by claims where only hard mode makes it impossible, or the candidates."""
    if statement.limit < 1:
        raise WrongInputError("a proof cannot state that the first guess is needed")
    played = _played(game, statement)
    refutations: tuple[Refutation, ...] = ()
    if not statement.is_pegs:  # whose claims are short, by symmetry
        refutations = refutations_of(played, statement.limit, statement.start, check_time)
    if not refutations:
        oracle = _oracle_for(game, statement, check_time)
        return prove(game, statement, strategy, oracle, progress)
    tree = None if strategy is None else tree_of(strategy)
    return _derived(Proof(statement, tree, (), refutations), game, progress, workers)


def _derived(proof: Proof, game: Game, progress: ProofProgress, workers: int) -> Proof:
    """The proof, once the checker has derived all of it."""
    check(proof, (game.guesses, game.secrets), progress, workers)
    return proof
