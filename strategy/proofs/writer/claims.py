"""Writing a proof: find the claims that the checker needs, by asking a search for bounds.

The writer asks the checker which guess of a state is still open, and an oracle, the exact search,
how much the buckets of that guess cost. It claims just enough to close the guess and proves those
claims first. What the oracle says is never written down without being checked: a wrong oracle ends
in an error and not in a wrong proof.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...files.origin import identity_of
from ...tree import Strategy
from ..checker.board import nothing_shown, show
from ..checker.bounds import LOSS, UNLIMITED, after_guess
from ..checker.check import Tell, check_form, check_strategy
from ..checker.facts import known_bound, new_facts, note_bound
from ..checker.proof_file import Claim, Proof, Statement
from ..checker.steps import EVERY_COLUMN, CheckedWords, ProofChecker, WrongProofError, text_of_shown

if TYPE_CHECKING:
    from solver.game.game import Game

#: Where the table of known claims begins; it grows when it is full.
_CLAIMS, _MEMBERS = 1 << 12, 1 << 16
#: First guesses that are settled in one go.
_OPENERS = 64


class Oracle(Protocol):
    """The search, as far as a proof needs it."""

    def bound(
        self, members: NDArray[np.int32], left: int, shown: NDArray[np.uint8], enough: int
    ) -> int:
        """A lower bound of the value of a state; at least ``enough`` if the value is.

        ``members`` are positions among the secrets, ascending; ``left`` may be UNLIMITED;
        ``shown`` is what hard mode asks for, as ``board.show`` writes it. Values are as in
        ``bounds``: guesses at their price, and LOSS for each candidate beyond the limit.
        """
        ...


class _State(NamedTuple):
    members: NDArray[np.int32]
    left: int
    shown: NDArray[np.uint8]


def statement_of(
    game: Game,
    objective: str,
    limit: int,
    value: int,
    *,
    start: str = "",
    hard: bool = False,
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
    )


def prove(
    game: Game,
    statement: Statement,
    strategy: Strategy | None,
    oracle: Oracle,
    tell: Tell = lambda new, whole: None,
) -> Proof:
    """The proof of a statement, every claim of it checked; ``tell`` counts first guesses.

    Raises WrongProofError if the oracle's bounds do not support the statement.
    """
    words = CheckedWords(game.guesses, game.secrets)
    bare = Proof(statement, (), strategy)
    check_form(bare)
    check_strategy(bare, words)
    writer = _Writer(words, statement, oracle, tell)
    writer.close_statement()
    return Proof(statement, tuple(writer.claims), strategy)


class _Writer:
    """Collects claims, each after those that it rests on."""

    def __init__(
        self, words: CheckedWords, statement: Statement, oracle: Oracle, tell: Tell
    ) -> None:
        self.claims: list[Claim] = []
        self._words = words
        self._alphabet = words.alphabet
        self._oracle = oracle
        self._tell = tell
        self._checker = ProofChecker(words, statement, _CLAIMS, _MEMBERS)

    def close_statement(self) -> None:
        """Claim what the statement needs."""
        statement, board = self._checker.statement, self._checker.board
        everything = np.arange(len(self._words.secrets), dtype=np.int32)
        root = _State(everything, statement.left, nothing_shown(board))
        if statement.start:
            self._close(root, statement.value, self._checker.start_column())
            return
        count = len(self._words.guesses)
        for begin in range(0, count, _OPENERS):
            end = min(begin + _OPENERS, count)
            self._close_all(root, statement.value, begin, end)
            self._tell(end - begin, count)

    def _claim(self, state: _State, value: int) -> None:
        """Prove a claim and write it down."""
        board = self._checker.board
        if known_bound(board, self._checker.facts, *state) >= value:
            return
        self._close_all(state, value)
        shown = text_of_shown(state.shown, self._alphabet) if board.hard else ""
        members = tuple(int(member) for member in state.members)
        self.claims.append(Claim(members, state.left, shown, value))
        self._make_room(len(members))
        note_bound(board, self._checker.facts, *state, value)

    def _close_all(self, state: _State, goal: int, begin: int = 0, end: int = EVERY_COLUMN) -> None:
        """Make every guess of a state, or those of some columns, cost ``goal`` by claims."""
        column = self._checker.open_column(*state, goal, begin, end)
        while column >= 0:
            self._close(state, goal, column)
            before, column = column, self._checker.open_column(*state, goal, column, end)
            if before == column:
                raise RuntimeError("the checker does not see what was claimed")

    def _close(self, state: _State, goal: int, column: int) -> None:
        """Claim enough of the buckets of one guess, the smallest first."""
        missing = goal - self._checker.bound_of_column(state.members, column, *state[1:], goal)
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
            raise WrongProofError(f"it cannot be proved: {guess!r} costs {missing} less")
        for bucket, value in wanted:
            self._claim(bucket, value)

    def _buckets(self, state: _State, column: int) -> list[tuple[_State, int]]:
        """The buckets that the checker has just split a state into, with their known bounds."""
        board, work = self._checker.board, self._checker.work
        then = after_guess(state.left)
        lost = LOSS if state.left == 1 else 0
        buckets: list[tuple[_State, int]] = []
        top = 0
        while top < len(state.members):
            k = len(buckets)
            size = int(work.sizes[k])
            members = work.members[top : top + size].copy()
            shown = nothing_shown(board)
            if board.hard:
                secret = board.letters[board.column[members[0]]]
                show(board.letters[column], secret, state.shown, shown)
            left = UNLIMITED if then >= size else then  # n candidates never need more than n
            buckets.append((_State(members, left, shown), int(work.bounds[k]) - size * lost))
            top += size
        return buckets

    def _make_room(self, members: int) -> None:
        """Double the table of known claims before it is full."""
        checker = self._checker
        entries, used = checker.facts.used
        if entries + 1 < len(checker.facts.size) and used + members < len(checker.facts.members):
            return
        checker.facts = new_facts(
            checker.board, 2 * len(checker.facts.size), 2 * len(checker.facts.members) + members
        )
        for claim in self.claims[:-1]:
            shown = checker.shown_of(claim.shown)
            own = np.array(claim.members, dtype=np.int32)
            note_bound(checker.board, checker.facts, own, claim.left, shown, claim.value)
