"""Derives claims and refutations again, one after the other, and believes nothing in them.

A claim is about a set of candidates: no strategy for these costs less than so much. The checker
takes every guess there is, splits the set by letters, and adds up what is known of the buckets: by
a claim before it, or by what it can tell itself by trying every guess once more. If a single guess
may cost less, the claim is refused. A refutation is refused if a single guess may keep to the
limit (``refutations``).

It shares no code with the search. ``docs/proof-format.md`` has the lemmas.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...checkers.word_lists import check_words
from ...errors import BadFileError, StrategyError
from . import bounds, refutations
from .board import LetterBoard, alphabet_of, new_board, nothing_shown
from .bounds import LOSS
from .facts import new_facts, note_bound
from .proof_file import Claim, Refutation, Statement
from .refutations import KnownRefutations

#: Guesses times secrets; the table of their scores is held twice while it is made.
MOST_SCORES = 1 << 31
#: More columns than there are.
EVERY_COLUMN = 1 << 30


class WrongProofError(StrategyError):
    """A well-formed proof that does not prove what it states."""

    exit_code = 1


#: Forked workers inherit it.
_board = lru_cache(maxsize=1)(new_board)


@dataclass(frozen=True)
class CheckedWords:
    """The two lists that a proof is about, checked: fit for compiled code.

    Letters of any script, up to 64 different ones, one length from 2 to 11, in order, each word
    once, every secret a guess, and no more of them than a table of their scores can hold.
    """

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]

    def __post_init__(self) -> None:
        check_words((*self.guesses, *self.secrets))
        for words in (self.guesses, self.secrets):
            if not words or list(words) != sorted(set(words)):
                raise BadFileError("lists", "a list is empty, not in order or has a word twice")
        if not set(self.secrets) <= set(self.guesses):
            raise WrongProofError("some of its secrets cannot be guessed")
        if len(self.guesses) * len(self.secrets) > MOST_SCORES:
            raise BadFileError("lists", f"its lists have more than {MOST_SCORES:,} scores")

    @property
    def alphabet(self) -> str:
        """The letters by their numbers on the board."""
        return alphabet_of(self.guesses)


class ProofChecker:
    """Checks the steps of a proof one by one, and knows those that were checked before."""

    def __init__(
        self, words: CheckedWords, statement: Statement, claims: int, members: int
    ) -> None:
        self.words = words
        self.statement = statement
        self.board: LetterBoard = _board(
            words.guesses, words.secrets, statement.price, statement.hard
        )
        self.work = bounds.new_workspace(self.board)
        self.facts = new_facts(self.board, claims + 1, members + 1)
        self.refuted: list[KnownRefutations] = []

    @property
    def noted(self) -> tuple[int, int]:
        """How many refutations and claims the checker rests on by now."""
        return len(self.refuted), int(self.facts.used[0])

    # --- claims ---------------------------------------------------------------------------

    def open_column(
        self,
        members: NDArray[np.int32],
        left: int,
        shown: NDArray[np.uint8],
        goal: int,
        begin: int = 0,
        end: int = EVERY_COLUMN,
    ) -> int:
        """The first guess that may cost less than ``goal``, as a column; -1 if none.

        Columns from ``begin`` to ``end`` are looked at.
        """
        what = self.board, self.facts, self.work, members, left, shown, goal
        return bounds.first_open(*what, (begin, end))

    def bound_of_column(
        self,
        members: NDArray[np.int32],
        column: int,
        left: int,
        shown: NDArray[np.uint8],
        goal: int,
    ) -> int:
        """What one guess costs at least in a state, counted until ``goal``."""
        known = self.board, self.facts, self.work
        return bounds.bound_of_guess(*known, members, column, left, shown, goal)

    def check_claim(self, number: int, claim: Claim) -> None:
        """Refuse a claim that does not follow from those before it."""
        members = np.array(claim.members, dtype=np.int32)
        shown = self.shown_of(claim.shown)
        column = self.open_column(members, claim.left, shown, claim.value)
        if column >= 0:
            guess = self.words.guesses[self.board.guess[column]]
            first = self.words.secrets[claim.members[0]]
            raise WrongProofError(
                f"claim {number} does not follow: {guess!r} may cost less than "
                f"{value_text(claim.value)} for {len(members)} candidates, {first!r} the first"
            )

    def note_claim(self, claim: Claim) -> None:
        """Rest on a claim of the proof from now on."""
        members = np.array(claim.members, dtype=np.int32)
        note_bound(
            self.board, self.facts, members, claim.left, self.shown_of(claim.shown), claim.value
        )

    # --- refutations ----------------------------------------------------------------------

    def check_refutation(self, number: int, refutation: Refutation) -> None:
        """Refuse a refutation that does not follow from those before it."""
        state = _refuted_of(refutation)
        marks = refutations.promising(self.board, state)
        inside = np.zeros(len(self.words.secrets), dtype=np.bool_)
        inside[state.members] = True
        for cited in refutation.cites:
            if not refutations.holds_in(self.refuted[cited], inside, state.left - 1):
                raise WrongProofError(f"refutation {number} cites {cited}, which is no part of it")
            refutations.unmark_refuted(self.board, self.refuted[cited], marks)
        count, first = len(state.members), self.words.secrets[refutation.members[0]]
        if count < 2 or marks.any():
            guess = self.words.guesses[self.board.guess[int(marks.argmax())]]
            raise WrongProofError(
                f"refutation {number} does not follow: {guess!r} may solve {count} candidates, "
                f"{first!r} the first, within {state.left}"
            )

    def note_refutation(self, refutation: Refutation) -> None:
        """Rest on a refutation of the proof from now on."""
        self.refuted.append(_refuted_of(refutation))

    # --- the statement --------------------------------------------------------------------

    def check_statement(self, begin: int, end: int) -> None:
        """Refuse a statement that does not follow, for openers in some columns."""
        if self._is_refuted():
            return
        statement, words = self.statement, self.words
        everything = np.arange(len(words.secrets), dtype=np.int32)
        shown, goal = nothing_shown(self.board), statement.value
        if statement.start:
            column = self.start_column()
            if self.bound_of_column(everything, column, statement.left, shown, goal) >= goal:
                return
        else:
            column = self.open_column(everything, statement.left, shown, goal, begin, end)
            if column < 0:
                return
        guess = words.guesses[self.board.guess[column]]
        raise WrongProofError(f"the opener {guess!r} is not shown to cost what is stated")

    def _is_refuted(self) -> bool:
        """Whether a refutation shows that the limit of the statement cannot be kept."""
        statement = self.statement
        if statement.objective != "worst":
            return False
        if not statement.start:
            return any(refuted.left >= statement.left for refuted in self.refuted)
        column = self.start_column()
        return any(
            refuted.left >= statement.left - 1
            and refutations.leaves_whole(self.board, column, refuted.members)
            for refuted in self.refuted
        )

    def start_column(self) -> int:
        """The column of the opener that the statement is about."""
        if self.statement.start not in self.words.guesses:
            raise WrongProofError(f"{self.statement.start!r} is no guess")
        place = self.words.guesses.index(self.statement.start)
        return int(np.flatnonzero(self.board.guess == place)[0])

    def shown_of(self, text: str) -> NDArray[np.uint8]:
        """What hard mode asks for in a state, from its text: ``s....|aes``."""
        length = len(self.words.guesses[0])
        shown = nothing_shown(self.board)
        if not text and not self.statement.hard:
            return shown
        greens, bar, letters = text.partition("|")
        well_formed = len(greens) == length and bar and letters == "".join(sorted(letters))
        alphabet = self.words.alphabet
        if not (
            self.statement.hard
            and well_formed
            and set(greens) <= set(alphabet + ".")
            and set(letters) <= set(alphabet)
            and len(letters) <= length
        ):
            raise WrongProofError(f"{text[:40]!r} is nothing that hard mode shows")
        for place, letter in enumerate(greens):
            shown[place] = 1 + alphabet.find(letter)
        for letter in letters:
            shown[length + alphabet.index(letter)] += 1
        return shown


def _refuted_of(refutation: Refutation) -> KnownRefutations:
    return KnownRefutations(np.array(refutation.members, dtype=np.int32), refutation.left)


def text_of_shown(shown: NDArray[np.uint8], alphabet: str) -> str:
    """What hard mode asks for in a state of a proof, as text for ``shown_of``: ``s....|aes``."""
    length = len(shown) - len(alphabet)
    greens = "".join(f".{alphabet}"[x] for x in shown[:length])
    letters = "".join(alphabet[at] * int(n) for at, n in enumerate(shown[length:]))
    return f"{greens}|{letters}"


def value_text(value: int) -> str:
    """The value that a step of a proof states, in words: losses, if there are any, and guesses."""
    losses, total = divmod(value, LOSS)
    return f"{losses:,} losses and {total:,} guesses" if losses else f"{total:,} guesses"
