"""Writes the proof of an exact result: the search supplies the claims that the checker needs.

The writer asks the checker which guess of a state is still open, and an oracle, the exact search,
how much the buckets of that guess cost. It claims just enough to close the guess and proves those
claims first. What the oracle says is never written down without being checked: a wrong oracle ends
in an error and not in a wrong proof.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact.candidate_engine import CandidateEngine
from solver.exact.engine import Engine
from solver.exact.kernels.lemmas import UNLIMITED as SEARCHED_UNLIMITED
from solver.exact.kernels.score_table import HALF, REVEALED_WORDS
from solver.exact.limit_search import LimitSearch
from solver.exact.table_layout import score_table_of
from solver.exact.values import CheckTime
from solver.game.game import Game

from ..files.strategy_file import identity_of
from ..tree import Strategy
from .checker import board as boards
from .checker import bounds, check
from .checker.board import State
from .checker.proof_file import Claim, Proof, Refutation, Statement, Symmetry
from .codes import CanonicalForm, CodeForms, CodeOracle, composed
from .loss_sets import LEFT, LIMIT, LossSets

#: Where the table of known claims begins; it grows when it is full.
_CLAIMS, _MEMBERS = 1 << 12, 1 << 16
#: First guesses that are settled in one go.
_OPENERS = 64


class Oracle(Protocol):
    """The search, as far as a proof needs it."""

    def bound(
        self, members: NDArray[np.int32], left: int, revealed: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state; at least ``enough`` if the value is.

        ``members`` are positions among the secrets, ascending; ``left`` may be UNLIMITED;
        ``revealed`` is what hard mode requires, as ``board.reveal`` writes it. Values are as in
        ``bounds``: guesses at their price, and LOSS for each candidate beyond the limit.
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

    ``value`` is bounds.LOSS per loss plus the total; bounds.LOSS for ``worst``.
    """
    losses, total = divmod(value, bounds.LOSS)
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
    progress: check.ProofProgress = lambda new, whole: None,
    sets: LossSets | None = None,
) -> Proof:
    """The proof of a statement, every claim of it checked; ``progress`` counts first guesses.

    ``sets``: what is claimed of them comes first, and is not checked here. Raises
    check.WrongProofError if the oracle's bounds do not support the statement.
    """
    words = check.CheckedWords(game.guesses, game.secrets, game.spec)
    bare = Proof(statement, (), strategy)
    check.check_form(bare)
    check.check_strategy(bare, words)
    forms = None if game.code_space is None else CodeForms(game.code_space)
    writer = _Writer(words.pool(statement), statement, oracle, progress, forms)
    if sets is not None:
        writer.claim_losses(sets)
    writer.close_statement()
    return Proof(statement, tuple(writer.claims), strategy)


class _Writer:
    """Collects claims, each after those that it rests on."""

    def __init__(
        self,
        words: check.CheckedWords,
        statement: Statement,
        oracle: Oracle,
        progress: check.ProofProgress,
        forms: CodeForms | None = None,
    ) -> None:
        self.claims: list[Claim] = []
        self._forms = forms
        #: Claims by the form of their sets, with the symmetry that leads there.
        self._alike: dict[bytes, list[tuple[int, Symmetry]]] = {}
        self._words = words
        self._alphabet = words.alphabet
        self._oracle = oracle
        self._progress = progress
        self._checker = check.ProofChecker(words, statement, _CLAIMS, _MEMBERS)

    def close_statement(self) -> None:
        """Claim what the statement needs."""
        statement = self._checker.statement
        root = self._checker.whole()
        if statement.start:
            self._close(root, statement.value, self._checker.start_column())
            return
        count = len(self._words.guesses)
        spared = self._checker.spared_openers()
        for begin in range(0, count, _OPENERS):
            end = min(begin + _OPENERS, count)
            self._close_all(root, statement.value, begin, end, spared)
            self._progress(end - begin, count)

    def claim_losses(self, chosen: LossSets) -> None:
        """Claim what sets lose that exclude most openers; they are checked with the whole proof."""
        revealed = boards.nothing_revealed(self._checker.board)
        count = len(self._words.guesses)
        done = 0
        for members, lost in chosen:
            self._write_down(State(members, LEFT, revealed), lost * bounds.LOSS)
            self._progress(chosen.excluded - done, count)
            done = chosen.excluded

    def _claim(self, state: State, value: int) -> None:
        """Prove a claim and write it down, or an image of one that is written down."""
        board, checker = self._checker.board, self._checker
        if boards.known_bound(board, checker.known, state) >= value:
            return
        symmetries: tuple[Symmetry, ...] = ()
        if self._forms is not None:
            form = self._forms.form_of(state.members)
            if self._take_image(state, value, form):
                return
            symmetries = self._forms.symmetries_of(state.members)
        self._close_all(state, value, spared=checker.spared_by(symmetries))
        if self._forms is not None:
            self._alike.setdefault(form.key, []).append((len(self.claims), form.symmetry))
        self._write_down(state, value, symmetries)

    def _write_down(self, state: State, value: int, symmetries: tuple[Symmetry, ...] = ()) -> None:
        """Write a claim down, and rest on it from now on."""
        hard = self._checker.board.hard
        revealed = check.text_of_revealed(state.revealed, self._alphabet) if hard else ""
        members = tuple(int(member) for member in state.members)
        self._make_room(len(members))
        self.claims.append(Claim(members, state.left, revealed, value, symmetries))
        self._checker.note_claim(self.claims[-1])

    def _take_image(self, state: State, value: int, form: CanonicalForm) -> bool:
        """Rest on the image of a claim about a set of the same form, if there is one."""
        for number, symmetry in self._alike.get(form.key, ()):
            claim = self.claims[number]
            if claim.value >= value and claim.left >= state.left:
                image = composed(symmetry, form.symmetry)
                self._make_room(len(claim.members))
                self.claims[number] = replace(claim, images=tuple(sorted((*claim.images, image))))
                self._checker.note_image(claim, image)
                return True
        return False

    def _close_all(
        self,
        state: State,
        goal: int,
        begin: int = 0,
        end: int = check.EVERY_COLUMN,
        spared: bounds.Spared | None = None,
    ) -> None:
        """Make every guess of a state, or those of some columns, cost ``goal`` by claims."""
        column = self._checker.open_column(state, goal, begin, end, spared)
        while column >= 0:
            self._close(state, goal, column)
            before, column = column, self._checker.open_column(state, goal, column, end, spared)
            if before == column:
                raise RuntimeError("the checker does not accept the claims")

    def _close(self, state: State, goal: int, column: int) -> None:
        """Claim enough of the buckets of one guess, the smallest first."""
        missing = goal - self._checker.bound_of_column(state, column, goal)
        wanted = []
        for bucket, bound in reversed(self._buckets(state, column)):
            if missing <= 0:
                break
            if len(bucket.members) < 3:
                continue
            found = self._oracle.bound(*bucket, bound + missing)
            gain = min(found - bound, missing)
            if gain > 0:
                wanted.append((bucket, bound + gain))
                missing -= gain
        if missing > 0:
            guess = self._words.guesses[self._checker.board.guess[column]]
            raise check.WrongProofError(f"it cannot be proved: {guess!r} costs {missing} less")
        for bucket, value in wanted:
            self._claim(bucket, value)

    def _buckets(self, state: State, column: int) -> list[tuple[State, int]]:
        """The buckets that the checker has just split a state into, with their known bounds."""
        board, work = self._checker.board, self._checker.work
        then = bounds.after_guess(state.left)
        lost = bounds.LOSS if state.left == 1 else 0
        buckets: list[tuple[State, int]] = []
        top = 0
        while top < len(state.members):
            k = len(buckets)
            size = int(work.sizes[k])
            members = work.members[top : top + size].copy()
            revealed = boards.nothing_revealed(board)
            if board.hard:
                secret = board.letters[board.column[members[0]]]
                boards.reveal(board.letters[column], secret, state.revealed, revealed)
            left = bounds.UNLIMITED if then >= size else then  # n candidates never need more than n
            buckets.append((State(members, left, revealed), int(work.bounds[k]) - size * lost))
            top += size
        return buckets

    def _make_room(self, members: int) -> None:
        """Double the table of known claims before it is full."""
        checker = self._checker
        entries, used = checker.known.used
        if entries + 1 < len(checker.known.size) and used + members < len(checker.known.members):
            return
        checker.forget_claims(2 * len(checker.known.size), 2 * len(checker.known.members) + members)
        for claim in self.claims:
            checker.note_claim(claim)


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
        self._letters = boards.alphabet_of(game.guesses)
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
        guesses = SEARCHED_UNLIMITED if left == bounds.UNLIMITED else left
        value, _ = self._engine.value_of_state(members, guesses, self._packed(revealed), enough - 1)
        return int(value.bound)

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


class CandidateOracle:
    """The search among candidates only as the oracle of proofs."""

    def __init__(self, game: Game, price: int, check_time: CheckTime = lambda: None) -> None:
        engine = CandidateEngine(game, check_time=check_time)
        self._engine = engine if price else engine.content_with(bounds.LOSS - 1)
        self._price = price

    def bound(
        self, members: NDArray[np.int32], left: int, revealed: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state, at least ``enough`` if the value is."""
        value, _ = self._engine.value(members, left, enough - 1)
        return value.bound if self._price else value.bound // bounds.LOSS * bounds.LOSS


def _oracle_for(game: Game, statement: Statement, check_time: CheckTime) -> Oracle:
    """The search that knows what the states of a proof cost."""
    if statement.guess_from == "candidates":
        return CandidateOracle(game, statement.price, check_time)
    if statement.is_pegs:
        return CodeOracle(game, statement.price, check_time)
    played = _played(game, statement)
    return SearchOracle(played, statement.hard, statement.price, check_time)


def _played(game: Game, statement: Statement) -> Game:
    """The game with the guesses that a statement is about."""
    if statement.guess_from == "allowed" or statement.is_pegs:
        return game
    return replace(
        game, guesses=check.CheckedWords(game.guesses, game.secrets).pool(statement).guesses
    )


def prove_optimal(  # noqa: PLR0913 - 10, of which one call gives all, and no other more than 6
    game: Game,
    objective: str,
    within: int | None,
    hard: bool,
    strategy: Strategy | None,
    start: str = "",
    progress: check.ProofProgress = lambda new, whole: None,
    workers: int = 1,
    check_time: CheckTime = lambda: None,
    guess_from: str = "allowed",
) -> Proof:
    """A proof that no strategy (from ``start``, if given) is better than one that is given.

    Without a strategy: that none keeps to the limit. With the objective ``worst``: that none needs
    fewer guesses at worst. Whatever is returned has been checked; ``progress`` counts the steps of
    that, and ``workers`` share them where the proof consists of refutations. Raises
    check.WrongProofError if there is no such proof, and whatever ``check_time`` raises on the way.
    """

    def step(new: int, whole: int) -> None:
        check_time()
        progress(new, whole)

    state = partial(statement_of, game, start=start, hard=hard, guess_from=guess_from)

    if strategy is None or objective == "worst":
        limit = within if strategy is None else strategy.worst - 1
        statement = state("worst", limit or 0, bounds.LOSS)
        return _prove_impossible(game, statement, strategy, step, workers, check_time)
    limit = within or 0
    lost = len(strategy.beyond(limit)) if limit else 0
    value = lost * bounds.LOSS + strategy.total
    statement = state(objective, limit, value)
    plain = not (start or hard or statement.is_pegs or guess_from == "candidates")
    if lost and limit == LIMIT and plain:
        return _prove_losses(game, statement, strategy, step, workers, check_time)
    return prove(game, statement, strategy, _oracle_for(game, statement, check_time), step)


def _prove_losses(
    game: Game,
    statement: Statement,
    strategy: Strategy,
    progress: check.ProofProgress,
    workers: int,
    check_time: CheckTime,
) -> Proof:
    """By what sets lose that exclude most openers at once (``loss_sets``); the rest as ever."""
    oracle = _oracle_for(game, statement, check_time)
    sets = LossSets(_played(game, statement), statement.losses + 1, check_time)
    proof = prove(game, statement, strategy, oracle, progress, sets)
    check.check(proof, game.guesses, game.secrets, progress, workers)
    return proof


def _prove_impossible(
    game: Game,
    statement: Statement,
    strategy: Strategy | None,
    progress: check.ProofProgress,
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
    proof = Proof(statement, (), strategy, refutations)
    check.check(proof, game.guesses, game.secrets, progress, workers)
    return proof
