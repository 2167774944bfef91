"""The checker of proofs: derives each step of a proof again and believes none of it.

Everything that a proof lists is derived again: the strategy is played, then refutations and claims
are derived, each from those before it, and the statement, with all secrets as the set. What is
listed may be checked in any order and by several processes, as long as all of it is checked and
each piece rests on earlier ones alone.

A claim is about a set of candidates: no strategy for these costs less than so much. The checker
takes every guess there is, splits the set by letters, and adds up what is known of the buckets: by
a claim before it, or by trying every guess once more. If a single guess may cost less, the claim is
refused. A refutation is refused if a single guess may keep to the limit.

It shares no code with the search. ``docs/proof-format.md`` has the lemmas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import islice, takewhile
from operator import lt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.pool import Pool

from ...checkers import lists as word_lists
from ...checkers import referee
from ...errors import BadFileError, StrategyError, WrongStrategyError
from ...files.text import counted, printable, quoted, terms_of
from ...tree import Strategy
from . import board, bounds
from .proof_file import Claim, Proof, Refutation, Statement, Symmetry
from .symmetry import CodeSymmetries, NoSymmetryError

#: Guesses times secrets; the table of their scores is held twice while it is made.
MOST_SCORES = 1 << 31
#: Candidates of all claims and their images together.
MOST_MEMBERS = 1 << 26
#: More columns than there are.
EVERY_COLUMN = 1 << 30


class WrongProofError(StrategyError):
    """A well-formed proof that does not prove what it states."""

    exit_code = 1


#: Forked workers inherit it.
_board = lru_cache(maxsize=1)(board.new_board)


@dataclass(frozen=True)
class CheckedWords:
    """The two lists that a proof is about, checked: fit for compiled code.

    Letters of any script, up to 64 different ones, one length from 2 to 11, in order, each word
    once, every secret a guess, and no more of them than a table of their scores can hold.
    """

    guesses: tuple[str, ...]
    secrets: tuple[str, ...]
    #: Of Mastermind both lists are all codes of the board.
    game: str = "wordle"

    def __post_init__(self) -> None:
        word_lists.check_words((*self.guesses, *self.secrets), self.game)
        for words in (self.guesses, self.secrets):
            if not words or list(words) != sorted(set(words)):
                raise BadFileError("lists", "a list is empty, not in order or has a word twice")
        if not set(self.secrets) <= set(self.guesses):
            raise WrongProofError("some of its secrets cannot be guessed")
        if len(self.guesses) * len(self.secrets) > MOST_SCORES:
            raise BadFileError("lists", f"its lists have more than {MOST_SCORES:,} scores")

    def pool(self, statement: Statement) -> CheckedWords:
        """These words with the guesses that a statement is about: all, or the secrets and a start.

        Where only candidates may be guessed, they are among these.
        """
        if statement.guess_from == "allowed" or statement.is_pegs:
            return self
        guesses = {*self.secrets, *({statement.start} & {*self.guesses})}
        return CheckedWords(tuple(sorted(guesses)), self.secrets)

    @property
    def alphabet(self) -> str:
        """The letters by their numbers on the board."""
        return board.alphabet_of(self.guesses)


class ProofChecker:
    """Checks the steps of a proof one by one, and knows those that were checked before."""

    def __init__(
        self, words: CheckedWords, statement: Statement, claims: int, members: int
    ) -> None:
        """``words``: with the guesses that the statement is about (``CheckedWords.pool``)."""
        self.words = words
        self.statement = statement
        consistent = statement.guess_from == "candidates"
        self.board: board.LetterBoard = _board(
            *(words.guesses, words.secrets, statement.price, statement.hard),
            *(consistent, statement.is_pegs),
        )
        #: By column, where no guess is spared.
        self._no_spared = np.zeros(len(self.board.guess), dtype=np.uint8)
        self._symmetries = (
            CodeSymmetries(self.board.letters[self.board.column]) if statement.is_pegs else None
        )
        self.work = bounds.new_workspace(self.board)
        self.known = board.new_known_bounds(self.board, claims + 1, members + 1)
        self.refuted: list[board.RefutedSet] = []
        self._noted_claims = 0

    @property
    def noted(self) -> tuple[int, int]:
        """How many refutations and claims the checker rests on by now."""
        return len(self.refuted), self._noted_claims

    # --- claims ---------------------------------------------------------------------------

    def open_column(
        self,
        state: board.State,
        goal: int,
        begin: int = 0,
        end: int = EVERY_COLUMN,
        spared: bounds.Spared | None = None,
    ) -> int:
        """The first guess that may cost less than ``goal``, as a column; -1 if none.

        Columns from ``begin`` to ``end`` are looked at, those that are not ``spared``.
        """
        spared = self._no_spared if spared is None else spared
        columns = begin, end
        return bounds.first_open(self.board, self.known, self.work, state, goal, columns, spared)

    def bound_of_column(self, state: board.State, column: int, goal: int) -> int:
        """What one guess costs at least in a state, counted until ``goal``."""
        return bounds.bound_of_guess(self.board, self.known, self.work, state, column, goal)

    def spared_by(self, symmetries: Sequence[Symmetry]) -> bounds.Spared:
        """The guesses that symmetries of a state map to lower ones: these are looked at."""
        if not symmetries or self._symmetries is None:
            return self._no_spared
        lowest = self._symmetries.lowest_alike(symmetries)
        spared = np.zeros_like(self._no_spared)
        spared[self.board.column] = lowest != np.arange(len(lowest))
        return spared

    def spared_openers(self) -> bounds.Spared:
        """The openers that need not be looked at: in Mastermind all but one of each pattern."""
        return self.spared_by(self._symmetries.of_all_codes() if self._symmetries else ())

    def check_claim(self, number: int, claim: Claim) -> None:
        """Refuse a claim that does not follow from those before it."""
        state = self._state_of(claim)
        if claim.symmetries:
            self._check_symmetries(number, claim, state.members)
        column = self.open_column(state, claim.value, spared=self.spared_by(claim.symmetries))
        if column >= 0:
            guess = self.words.guesses[self.board.guess[column]]
            first = self.words.secrets[claim.members[0]]
            raise WrongProofError(
                f"claim {number} does not follow: {guess!r} may cost less than "
                f"{value_text(claim.value)} for {len(claim.members)} candidates, {first!r} the "
                "first"
            )

    def _check_symmetries(self, number: int, claim: Claim, members: board.Members) -> None:
        if self._symmetries is None:
            raise WrongProofError(f"claim {number}: only Mastermind has symmetries")
        try:
            self._symmetries.check_fixed(claim.symmetries, members)
        except NoSymmetryError as error:
            raise WrongProofError(f"claim {number}: {error}") from None

    def note_claim(self, claim: Claim) -> None:
        """Rest on a claim of the proof from now on, and on its images."""
        state = self._state_of(claim)
        board.note_bound(self.known, state, claim.value)
        for symmetry in claim.images:
            self.note_image(claim, symmetry)
        self._noted_claims += 1

    def forget_claims(self, claims: int, members: int) -> None:
        """Rest on no claims any more, with room for so many sets and candidates of others."""
        self.known = board.new_known_bounds(self.board, claims, members)
        self._noted_claims = 0

    def note_image(self, claim: Claim, symmetry: Symmetry) -> None:
        """Rest on the image of a claim by a symmetry from now on."""
        state = self._state_of(claim)
        if self._symmetries is None:
            raise WrongProofError("only Mastermind has symmetries, and images of claims")
        try:
            image = self._symmetries.image(symmetry, state.members)
        except NoSymmetryError as error:
            raise WrongProofError(f"claim {self._noted_claims}: {error}") from None
        board.note_bound(self.known, board.State(image, *state[1:]), claim.value)

    def _state_of(self, claim: Claim) -> board.State:
        members = np.array(claim.members, dtype=np.int32)
        return board.State(members, claim.left, self.revealed_of(claim.revealed))

    # --- refutations ----------------------------------------------------------------------

    def check_refutation(self, number: int, refutation: Refutation) -> None:
        """Refuse a refutation that does not follow from those before it."""
        state = _refuted_of(refutation)
        marks = board.unrefuted_guesses(self.board, state)
        inside = np.zeros(len(self.words.secrets), dtype=np.bool_)
        inside[state.members] = True
        for cited in refutation.cites:
            if not board.holds_in(self.refuted[cited], inside, state.left - 1):
                raise WrongProofError(
                    f"refutation {number} cites {cited}, which is not a subset of it"
                )
            board.unmark_refuted(self.board, self.refuted[cited], marks)
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
        state, goal = self.whole(), statement.value
        if statement.start:
            column = self.start_column()
            if self.bound_of_column(state, column, goal) >= goal:
                return
        else:
            column = self.open_column(state, goal, begin, end, self.spared_openers())
            if column < 0:
                return
        guess = words.guesses[self.board.guess[column]]
        raise WrongProofError(f"the stated cost of the opener {guess!r} is not proved")

    def whole(self) -> board.State:
        """The state that the statement is about: all secrets, nothing revealed."""
        members = np.arange(len(self.words.secrets), dtype=np.int32)
        return board.State(members, self.statement.left, board.nothing_revealed(self.board))

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
            and board.leaves_whole(self.board, column, refuted.members)
            for refuted in self.refuted
        )

    def start_column(self) -> int:
        """The column of the opener that the statement is about."""
        if self.statement.start not in self.words.guesses:
            raise WrongProofError(f"{self.statement.start!r} is not a guess")
        place = self.words.guesses.index(self.statement.start)
        return int(np.flatnonzero(self.board.guess == place)[0])

    def revealed_of(self, text: str) -> NDArray[np.uint8]:
        """What hard mode requires in a state, from its text: ``s....|aes``."""
        length = len(self.words.guesses[0])
        revealed = board.nothing_revealed(self.board)
        if not text and not self.statement.hard:
            return revealed
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
            raise WrongProofError(f"{text[:40]!r} is not a record of hard mode")
        for place, letter in enumerate(greens):
            revealed[place] = 1 + alphabet.find(letter)
        for letter in letters:
            revealed[length + alphabet.index(letter)] += 1
        return revealed


def _refuted_of(refutation: Refutation) -> board.RefutedSet:
    return board.RefutedSet(np.array(refutation.members, dtype=np.int32), refutation.left)


def text_of_revealed(revealed: NDArray[np.uint8], alphabet: str) -> str:
    """What hard mode requires in a state, as text for ``revealed_of``: ``s....|aes``."""
    length = len(revealed) - len(alphabet)
    greens = "".join(f".{alphabet}"[x] for x in revealed[:length])
    letters = "".join(alphabet[at] * int(n) for at, n in enumerate(revealed[length:]))
    return f"{greens}|{letters}"


def value_text(value: int) -> str:
    """A value in words: losses, if there are any, and guesses."""
    losses, total = divmod(value, bounds.LOSS)
    return f"{losses:,} losses and {total:,} guesses" if losses else f"{total:,} guesses"


#: How much is checked in one go: refutations or claims, and columns of the statement's openers.
_LISTED, _OPENERS = 32, 256

#: Called with how many more claims, refutations and openers are done, and of how many.
ProofProgress = Callable[[int, int], None]


def words_of_proof(
    statement: Statement, guesses: Sequence[str] | None = None, secrets: Sequence[str] | None = None
) -> CheckedWords:
    """The words of a proof, given or shipped, compared with its digests."""
    if statement.is_pegs:
        return _codes_of_proof(statement, (guesses, secrets))
    names = statement.list_name, statement.secrets_name
    if guesses is None:
        guesses = word_lists.shipped(names[0], "allowed")
    if secrets is None:
        secrets = guesses if names[1] == "allowed" else word_lists.shipped(*names)
    if guesses is None or secrets is None:
        raise BadFileError(
            "lists",
            f"the lists {quoted(names[0])}, {quoted(names[1])} are not shipped; "
            "--words and --secrets give them",
        )
    for given in (guesses, secrets):
        word_lists.check_words(given)
    lists = tuple(sorted(set(guesses))), tuple(sorted(set(secrets)))
    _check_digest("guesses", lists[0], statement.guesses, statement.guesses_digest)
    _check_digest("secrets", lists[1], statement.secrets, statement.secrets_digest)
    _check_names(statement)
    return CheckedWords(*lists)


def _codes_of_proof(statement: Statement, given: tuple[Sequence[str] | None, ...]) -> CheckedWords:
    """The codes of a board of Mastermind; lists that were given must be these."""
    try:
        codes = word_lists.board_codes(statement.game, statement.secrets)
    except WrongStrategyError as error:
        raise WrongProofError(str(error)) from None
    for words in (codes, *(sorted(set(some)) for some in given if some is not None)):
        _check_digest("codes", words, statement.guesses, statement.guesses_digest)
        _check_digest("codes", words, statement.secrets, statement.secrets_digest)
    return CheckedWords(tuple(codes), tuple(codes), statement.game)


def _check_digest(what: str, words: Sequence[str], count: int, digest: str) -> None:
    found = word_lists.words_digest(words)
    if (len(words), found) != (count, digest):
        raise WrongProofError(
            f"it is about other {what}: {count:,} with digest {printable(digest[:12])}, "
            f"not {len(words):,} with {found[:12]}"
        )


def _check_names(statement: Statement) -> None:
    """Refuse a name that has a meaning for words that are not what is meant."""
    names = statement.list_name, statement.secrets_name
    if names[1] == "allowed" and statement.secrets_digest != statement.guesses_digest:
        raise WrongProofError("it says that its secrets are all allowed words; they are not")
    for part, digest in (
        ("allowed", statement.guesses_digest),
        (names[1], statement.secrets_digest),
    ):
        meant = word_lists.shipped(names[0], part)
        if meant is not None and word_lists.words_digest(meant) != digest:
            raise WrongProofError(
                f"it says that its words are the list {names[0]} {part}; they are not"
            )


def check(
    proof: Proof,
    guesses: Sequence[str] | None = None,
    secrets: Sequence[str] | None = None,
    progress: ProofProgress = lambda new, whole: None,
    workers: int = 1,
) -> CheckedWords:
    """Check a whole proof; raise WrongProofError, of its first flaw, if it proves nothing."""
    words = words_of_proof(proof.statement, guesses, secrets)
    check_form(proof)
    check_numbers(proof)
    if proof.strategy is not None:
        check_strategy(proof, words)
    pool = words.pool(proof.statement)
    steps = _steps(proof, pool)
    whole = sum(step.end - step.begin for step in steps)
    flaws: dict[Step, str] = {}

    def idle(step: Step) -> bool:
        return bool(flaws) and step > min(flaws)

    for step, flaw in _taken(steps, (proof, pool), workers, idle):
        progress(step.end - step.begin, whole)
        if flaw:
            flaws[step] = flaw
    if flaws:
        raise WrongProofError(flaws[min(flaws)])
    return words


class StepKind(IntEnum):
    """What kinds of steps a proof has to check, in this order."""

    REFUTATIONS = 0
    CLAIMS = 1
    OPENERS = 2


class Step(NamedTuple):
    """A step of a proof: some refutations, claims, or openers of the statement, by number."""

    kind: StepKind
    begin: int
    end: int


def _steps(proof: Proof, words: CheckedWords) -> list[Step]:
    """All that a proof consists of, in order."""
    openers = 1 if proof.statement.start else len(words.guesses)
    return [
        Step(kind, begin, min(begin + size, count))
        for kind, count, size in (
            (StepKind.REFUTATIONS, len(proof.refutations), _LISTED),
            (StepKind.CLAIMS, len(proof.claims), _LISTED),
            (StepKind.OPENERS, openers, _OPENERS),
        )
        for begin in range(0, count, size)
    ]


class _Until(list[Step]):
    """Steps in order that are handed out until the next one, and so all others, are idle."""

    def __init__(self, steps: Iterable[Step], idle: Callable[[Step], bool]) -> None:
        super().__init__(steps)
        self._idle = idle

    def __iter__(self) -> Iterator[Step]:
        return takewhile(lambda step: not self._idle(step), super().__iter__())


def _taken(
    steps: Sequence[Step],
    arguments: tuple[Proof, CheckedWords],
    workers: int,
    idle: Callable[[Step], bool],
) -> Iterator[tuple[Step, str]]:
    """The steps as they are done, with what is wrong there; those behind a flaw are idle.

    The first of each kind is done by this process: workers then find everything compiled.
    """
    answer = _worker(*arguments)
    first = {step.kind: step for step in reversed(steps)}
    mine = set(steps if workers == 1 else first.values())
    for step in _Until(sorted(mine), idle):
        yield step, answer(step)
    rest = _Until((step for step in steps if step not in mine), idle)
    if rest and not idle(rest[0]):
        with Pool(_worker, arguments, min(workers, len(rest))) as pool:
            for number, flaw in pool.run(rest):
                yield rest[number], flaw


def _worker(proof: Proof, words: CheckedWords) -> Callable[[Step], str]:
    """Takes the steps of each kind in ascending order; answers what is wrong, or nothing."""
    walk = _Walk(proof, words)

    def answer(step: Step) -> str:
        try:
            walk.take(step)
        except WrongProofError as error:
            return str(error)
        return ""

    return answer


class _Walk:
    """Goes through a proof, resting on all that comes before, whoever checks that."""

    def __init__(self, proof: Proof, words: CheckedWords) -> None:
        self._proof = proof
        self._checker = ProofChecker(words, proof.statement, *_size(proof))
        self._refutations = iter(proof.refutations)
        self._claims = iter(proof.claims)

    def take(self, step: Step) -> None:
        """Check what a step consists of."""
        proof, checker = self._proof, self._checker
        if step.kind == StepKind.OPENERS:
            self._rest_on(len(proof.refutations), len(proof.claims))
            checker.check_statement(step.begin, step.end)
            return
        for number in range(step.begin, step.end):
            if step.kind == StepKind.REFUTATIONS:
                self._rest_on(number, 0)
                checker.check_refutation(number, proof.refutations[number])
            else:
                self._rest_on(0, number)
                checker.check_claim(number, proof.claims[number])

    def _rest_on(self, refutations: int, claims: int) -> None:
        """Note so many, if they are not noted yet."""
        checker = self._checker
        for refutation in islice(self._refutations, max(0, refutations - checker.noted[0])):
            checker.note_refutation(refutation)
        for claim in islice(self._claims, max(0, claims - checker.noted[1])):
            checker.note_claim(claim)


def check_form(proof: Proof) -> None:
    """Refuse a proof whose statement cannot be meant."""
    statement = proof.statement
    if statement.is_pegs and statement.hard:
        raise WrongProofError("hard mode is a rule of Wordle; Mastermind has none")
    if proof.refutations and statement.objective != "worst":
        raise WrongProofError("refutations can only prove that a limit cannot be kept")
    if statement.objective == "worst":
        if not statement.limit or (statement.losses, statement.total) != (1, 0):
            raise WrongProofError("the objective worst needs a limit, one loss and no total")
    elif proof.strategy is None:
        raise WrongProofError("it has no strategy that attains its value")
    elif statement.losses and (statement.objective == "total" or not statement.limit):
        raise WrongProofError("only the objective losses, with a limit, allows losses")


def check_numbers(proof: Proof) -> None:
    """Refuse a proof with numbers that compiled code must not see.

    One that was read from a file has none.
    """
    statement, secrets = proof.statement, proof.statement.secrets
    in_range = (
        _is_within(statement.limit, 0, bounds.UNLIMITED - 1)
        and _is_within(statement.losses, 0, secrets)
        and _is_within(statement.total, 0, bounds.LOSS - 1)
    )
    claims = all(
        _is_set(claim.members, secrets)
        and _is_within(claim.left, 1, bounds.UNLIMITED)
        and _is_within(claim.value, 0, (secrets + 1) * bounds.LOSS - 1)
        for claim in proof.claims
    )
    refutations = all(
        _is_set(one.members, secrets)
        and _is_within(one.left, 1, bounds.UNLIMITED - 1)
        and (not one.cites or _is_set(one.cites, number))
        for number, one in enumerate(proof.refutations)
    )
    if not (in_range and claims and refutations):
        raise WrongProofError("some of its numbers are out of range")
    if _size(proof)[1] > MOST_MEMBERS:
        raise WrongProofError(f"its claims and their images have over {MOST_MEMBERS:,} candidates")


def _size(proof: Proof) -> tuple[int, int]:
    """How many sets its claims and their images are about, and the candidates in all of them."""
    sizes = [(len(claim.members), 1 + len(claim.images)) for claim in proof.claims]
    return sum(sets for _, sets in sizes), sum(count * sets for count, sets in sizes)


def _is_set(numbers: Sequence[int], below: int) -> bool:
    """Whether there are whole numbers, from 0, ascending, all below a bound."""
    whole = all(isinstance(number, int) for number in numbers)
    ascending = whole and all(map(lt, numbers, numbers[1:]))
    return bool(numbers) and ascending and numbers[0] >= 0 and numbers[-1] < below


def _is_within(number: int, least: int, most: int) -> bool:
    """Whether it is a whole number of a range: a part of one is none."""
    return isinstance(number, int) and least <= number <= most


def check_strategy(proof: Proof, words: CheckedWords) -> None:
    """Refuse a proof whose strategy, played by letters, does not come to the statement."""
    statement, strategy = proof.statement, proof.strategy
    if strategy is None:
        return
    origin = strategy.origin
    if (origin.game, origin.hard) != (statement.game, statement.hard):
        raise WrongProofError("its strategy is for another game")
    if statement.guess_from not in ("allowed", origin.guess_from):
        raise WrongProofError(f"its strategy guesses from {origin.guess_from}")
    if statement.start and origin.start[0] != statement.start:
        raise WrongProofError(f"its strategy does not begin with {statement.start!r}")
    try:
        verdict = referee.verify(strategy, words.guesses, words.secrets)
    except WrongStrategyError as error:
        raise WrongProofError(f"its strategy is wrong: {error}") from None
    if tuple(verdict.taken) != words.secrets or not set(strategy.words) <= set(words.guesses):
        raise WrongProofError("its strategy is for other lists")
    _check_guesses(statement, strategy)
    if statement.objective == "worst":
        if verdict.worst > statement.limit + 1:
            raise WrongProofError(f"its strategy needs {verdict.worst} guesses")
        return
    losses = len(verdict.beyond(statement.limit)) if statement.limit else 0
    if losses * bounds.LOSS + verdict.total != statement.value:
        raise WrongProofError(
            f"its strategy takes {value_text(losses * bounds.LOSS + verdict.total)}, "
            f"not {value_text(statement.value)}"
        )


def _check_guesses(statement: Statement, strategy: Strategy) -> None:
    """Refuse guesses that the statement forbids; its start is allowed as the first guess.

    What the strategy says of its own first guesses does not count.
    """
    if statement.guess_from == "allowed":
        return
    grade, secrets = referee.GRADERS[statement.is_pegs], set(strategy.secrets)
    for node, number in enumerate(strategy.guess):
        word = strategy.words[number]
        fits = word in secrets
        if fits and statement.guess_from == "candidates":
            fits = all(grade(guess, word) == score for guess, score in strategy.history_of(node))
        if not fits and not (node == 0 and word == statement.start):
            raise WrongProofError(
                f"its strategy guesses {word!r}, which is not from {statement.guess_from}"
            )


def summary(proof: Proof) -> str:
    """What a proof that was checked proves, in a line."""
    statement = proof.statement
    within = f" within {statement.limit}" if statement.limit else ""
    hard = " in hard mode" if statement.hard else ""
    who = f"no strategy from {statement.start}" if statement.start else "no strategy"
    if statement.guess_from != "allowed":
        who += f" that guesses {statement.guess_from} only"
    secrets = counted(statement.secrets, terms_of(statement.game).secret)
    game = f"{_named(statement)}, {secrets}{hard}"
    if statement.objective == "worst":
        attained = f"; {statement.limit + 1} are enough" if proof.strategy is not None else ""
        return f"{game}: {who} solves all{within} guesses{attained}"
    text = f"{game}: {who}{within} takes fewer than {value_text(statement.value)}"
    start = proof.strategy.origin.start[0] if proof.strategy is not None else ""
    return f"{text}; the one from {start} takes as many"


def _named(statement: Statement) -> str:
    """The names of the lists: of shipped ones as they are, anybody else's in quotes."""
    list_name, secrets_name = statement.list_name, statement.secrets_name
    if statement.is_pegs:
        return statement.game
    if word_lists.shipped(list_name, "allowed") is None:
        return f"{quoted(list_name)} {quoted(secrets_name)}"
    known = secrets_name in ("allowed", "answers")
    return f"{list_name} {secrets_name if known else quoted(secrets_name)}"
