"""The checker of proofs: takes lists of words and a proof, and believes nothing in it.

A proof is a list of claims, each about a set of candidates: no strategy for these costs less than
so much. The checker goes through them in order. For each it takes every guess there is, splits the
set by letters, and adds up what is known of the buckets: by a claim before it, or by what it can
tell itself by trying every guess once more. If a single guess may cost less, the proof is refused.
The statement is checked the same way, with all secrets as the set; then the strategy is played.

It shares no code with the search. ``docs/proof-format.md`` has the lemmas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import verify
from ..errors import BadFileError, StrategyError, WrongStrategyError
from . import bounds
from .board import Board, new_board, nothing_shown
from .bounds import LOSS
from .facts import new_facts, note
from .file import Claim, Proof, Statement

#: Bounds of one step that are remembered, and members of their sets.
_MEMO = (1 << 17, 1 << 22)

#: Told how many more claims are done, of how many.
Tell = Callable[[int, int], None]


class WrongProofError(StrategyError):
    """A well-formed proof that does not prove what it states."""

    exit_code = 1


@dataclass(frozen=True)
class Words:
    """The two lists that a proof is about."""

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]


def words_of(
    statement: Statement, guesses: Sequence[str] | None = None, secrets: Sequence[str] | None = None
) -> Words:
    """The lists as given or as shipped, compared with the digests of the statement."""
    if statement.game != "wordle":
        raise BadFileError("foreign", f"a proof about {statement.game} cannot be checked")
    if guesses is None:
        guesses = verify.shipped(statement.list_name, "allowed")
    if secrets is None:
        secrets = verify.shipped(statement.list_name, statement.secrets_name)
        secrets = guesses if statement.secrets_name == "allowed" else secrets
    if guesses is None or secrets is None:
        raise BadFileError(
            "lists",
            f"the lists {statement.list_name}, {statement.secrets_name} are not shipped; "
            "--words and --secrets give them",
        )
    words = Words(tuple(sorted(set(guesses))), tuple(sorted(set(secrets))))
    for what, given, count, digest in (
        ("guesses", words.guesses, statement.guesses, statement.guesses_digest),
        ("secrets", words.secrets, statement.secrets, statement.secrets_digest),
    ):
        if len(given) != count or verify.words_digest(given) != digest:
            raise WrongProofError(
                f"it is about other {what}: {count:,} with digest {digest[:12]}, "
                f"not {len(given):,} with {verify.words_digest(given)[:12]}"
            )
    if not set(words.secrets) <= set(words.guesses):
        raise WrongProofError("some of its secrets cannot be guessed")
    return words


class ProofChecker:
    """Checks claims one after the other; those that held are known from then on."""

    def __init__(self, words: Words, statement: Statement, claims: int, members: int) -> None:
        self.words = words
        self.statement = statement
        self.board: Board = new_board(words.guesses, words.secrets, statement.price, statement.hard)
        self.desk = bounds.new_desk(self.board)
        self.facts = new_facts(self.board, claims + 1, members + 1)
        self.memo = new_facts(self.board, *_MEMO)

    def open_column(
        self,
        members: NDArray[np.int32],
        left: int,
        shown: NDArray[np.uint8],
        goal: int,
        begin: int = 0,
    ) -> int:
        """The first guess, as a column from ``begin`` on, that may cost less; -1 if none."""
        board, facts, memo, desk = self.board, self.facts, self.memo, self.desk
        return bounds.first_open(board, facts, memo, desk, members, left, shown, goal, begin)

    def bound_of_column(
        self,
        members: NDArray[np.int32],
        column: int,
        left: int,
        shown: NDArray[np.uint8],
        goal: int,
    ) -> int:
        """What one guess costs at least, counted until ``goal`` is reached."""
        board, facts, memo, desk = self.board, self.facts, self.memo, self.desk
        return bounds.bound_of_guess(board, facts, memo, desk, members, column, left, shown, goal)

    def check_claim(self, number: int, claim: Claim) -> None:
        """Refuse a claim that does not follow; remember one that does."""
        members = np.array(claim.members, dtype=np.int32)
        shown = self.shown_of(claim.shown)
        column = self.open_column(members, claim.left, shown, claim.value)
        if column >= 0:
            guess = self.words.guesses[self.board.guess[column]]
            first = self.words.secrets[claim.members[0]]
            raise WrongProofError(
                f"claim {number} does not follow: {guess!r} may cost less than "
                f"{_value_text(claim.value)} for {len(members)} candidates, {first!r} the first"
            )
        note(self.board, self.facts, members, claim.left, shown, claim.value)

    def check_statement(self) -> None:
        """Refuse a statement that does not follow from the claims."""
        statement, words = self.statement, self.words
        everything = np.arange(len(words.secrets), dtype=np.int32)
        shown = nothing_shown(self.board)
        if statement.start:
            if statement.start not in words.guesses:
                raise WrongProofError(f"{statement.start!r} is no guess")
            place = words.guesses.index(statement.start)
            column = int(np.flatnonzero(self.board.guess == place)[0])
            goal = statement.value
            if self.bound_of_column(everything, column, statement.left, shown, goal) >= goal:
                return
        else:
            column = self.open_column(everything, statement.left, shown, statement.value)
            if column < 0:
                return
        guess = words.guesses[self.board.guess[column]]
        raise WrongProofError(f"the opener {guess!r} is not shown to cost what is stated")

    def shown_of(self, text: str) -> NDArray[np.uint8]:
        """What hard mode asks for, from its text: ``s....|aes``."""
        length = len(self.words.guesses[0])
        shown = nothing_shown(self.board)
        if not text and not self.statement.hard:
            return shown
        greens, bar, letters = text.partition("|")
        well_formed = len(greens) == length and bar and letters == "".join(sorted(letters))
        alphabet = "abcdefghijklmnopqrstuvwxyz"
        if not (
            self.statement.hard
            and well_formed
            and set(greens) <= set(alphabet + ".")
            and set(letters) <= set(alphabet)
            and len(letters) <= length
        ):
            raise WrongProofError(f"{text[:40]!r} is nothing that hard mode shows")
        for place, letter in enumerate(greens):
            shown[place] = 0 if letter == "." else ord(letter) - ord("a") + 1
        for letter in letters:
            shown[length + ord(letter) - ord("a")] += 1
        return shown


def text_of(shown: NDArray[np.uint8], length: int) -> str:
    """What ``shown_of`` reads."""
    greens = "".join("." if x == 0 else chr(ord("a") + int(x) - 1) for x in shown[:length])
    letters = "".join(chr(ord("a") + at) * int(n) for at, n in enumerate(shown[length:]))
    return f"{greens}|{letters}"


def check(
    proof: Proof,
    guesses: Sequence[str] | None = None,
    secrets: Sequence[str] | None = None,
    tell: Tell = lambda new, whole: None,
) -> Words:
    """Check a whole proof; raise WrongProofError if it proves nothing."""
    statement = proof.statement
    words = words_of(statement, guesses, secrets)
    check_form(proof)
    if proof.strategy is not None:
        check_strategy(proof, words)
    steps = len(proof.claims) + 1
    members = sum(len(claim.members) for claim in proof.claims)
    checker = ProofChecker(words, statement, len(proof.claims), members)
    for number, claim in enumerate(proof.claims):
        checker.check_claim(number, claim)
        tell(1, steps)
    checker.check_statement()
    tell(1, steps)
    return words


def check_form(proof: Proof) -> None:
    """Refuse a statement that cannot be meant."""
    statement = proof.statement
    if statement.objective == "worst":
        if not statement.limit or (statement.losses, statement.total) != (1, 0):
            raise WrongProofError("that a limit cannot be kept is one loss, within a limit")
    elif proof.strategy is None:
        raise WrongProofError("it has no strategy that attains its value")
    elif statement.losses and (statement.objective == "total" or not statement.limit):
        raise WrongProofError("secrets are lost only where the objective is losses, with a limit")


def check_strategy(proof: Proof, words: Words) -> None:
    """Play the strategy by letters and compare what it comes to with the statement."""
    statement, strategy = proof.statement, proof.strategy
    if strategy is None:
        return
    origin = strategy.origin
    if (origin.game, origin.hard) != (statement.game, statement.hard):
        raise WrongProofError("its strategy is for another game")
    if statement.start and origin.start[0] != statement.start:
        raise WrongProofError(f"its strategy does not open with {statement.start!r}")
    try:
        verdict = verify.verify(strategy, words.guesses, words.secrets)
    except WrongStrategyError as error:
        raise WrongProofError(f"its strategy is wrong: {error}") from None
    if tuple(verdict.taken) != words.secrets or not set(strategy.words) <= set(words.guesses):
        raise WrongProofError("its strategy is for other lists")
    if statement.objective == "worst":
        if verdict.worst > statement.limit + 1:
            raise WrongProofError(f"its strategy needs {verdict.worst} guesses")
        return
    losses = len(verdict.beyond(statement.limit)) if statement.limit else 0
    if losses * LOSS + verdict.total != statement.value:
        raise WrongProofError(
            f"its strategy comes to {_value_text(losses * LOSS + verdict.total)}, "
            f"not {_value_text(statement.value)}"
        )


def summary(proof: Proof) -> str:
    """What a proof that was checked proves, in a line."""
    statement = proof.statement
    within = f" within {statement.limit}" if statement.limit else ""
    hard = " in hard mode" if statement.hard else ""
    who = f"no strategy from {statement.start}" if statement.start else "no strategy"
    game = f"{statement.list_name} {statement.secrets_name}, {statement.secrets:,} secrets{hard}"
    if statement.objective == "worst":
        attained = f"; {statement.limit + 1} are enough" if proof.strategy is not None else ""
        return f"{game}: {who} solves all{within} guesses{attained}"
    text = f"{game}: {who}{within} takes fewer than {_value_text(statement.value)}"
    start = proof.strategy.origin.start[0] if proof.strategy is not None else ""
    return f"{text}; the one from {start} takes as many"


def _value_text(value: int) -> str:
    losses, total = divmod(value, LOSS)
    return f"{losses:,} losses and {total:,} guesses" if losses else f"{total:,} guesses"
