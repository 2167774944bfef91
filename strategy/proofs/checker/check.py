"""The checker of proofs: takes lists of words and a proof, and believes nothing in it.

Everything that a proof lists is derived again (``checker``): first its refutations and claims, each
from those before it, then the statement, with all secrets as the set; and the strategy is played.
What is listed may be checked in any order and by several processes, as long as all of it is checked
and each piece rests on earlier ones alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from itertools import islice, takewhile
from operator import lt
from typing import Any, NamedTuple

from solver.machine.pool import Pool

from ... import referee
from ...checkers import word_lists
from ...errors import BadFileError, WrongStrategyError
from ...files.names import quoted, shown
from ...files.notation import counted
from .bounds import LOSS, UNLIMITED
from .proof_file import Proof, Statement
from .steps import CheckedWords, ProofChecker, WrongProofError, value_text

#: How much is checked in one go: refutations or claims, and columns of the statement's openers.
_LISTED, _OPENERS = 32, 256

#: Told how many more claims, refutations and openers are done, of how many.
Tell = Callable[[int, int], None]


def words_of_proof(
    statement: Statement, guesses: Sequence[str] | None = None, secrets: Sequence[str] | None = None
) -> CheckedWords:
    """For the checker of a proof, its words, given or shipped, compared with its digests."""
    if statement.game != "wordle":
        raise BadFileError("foreign", f"a proof about {statement.game} cannot be checked")
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


def _check_digest(what: str, words: Sequence[str], count: int, digest: str) -> None:
    found = word_lists.words_digest(words)
    if (len(words), found) != (count, digest):
        raise WrongProofError(
            f"it is about other {what}: {count:,} with digest {shown(digest[:12])}, "
            f"not {len(words):,} with {found[:12]}"
        )


def _check_names(statement: Statement) -> None:
    """Refuse a name that has a meaning for words that are not what is meant."""
    names = statement.list_name, statement.secrets_name
    if names[1] == "allowed" and statement.secrets_digest != statement.guesses_digest:
        raise WrongProofError("it calls its secrets all that is allowed, which they are not")
    for part, digest in (
        ("allowed", statement.guesses_digest),
        (names[1], statement.secrets_digest),
    ):
        meant = word_lists.shipped(names[0], part)
        if meant is not None and word_lists.words_digest(meant) != digest:
            raise WrongProofError(f"it calls words {names[0]} {part} that are not those")


def check(
    proof: Proof,
    guesses: Sequence[str] | None = None,
    secrets: Sequence[str] | None = None,
    tell: Tell = lambda new, whole: None,
    workers: int = 1,
) -> CheckedWords:
    """Check a whole proof; raise WrongProofError, of its first flaw, if it proves nothing."""
    words = words_of_proof(proof.statement, guesses, secrets)
    check_form(proof)
    check_numbers(proof)
    if proof.strategy is not None:
        check_strategy(proof, words)
    steps = _steps(proof, words)
    whole = sum(step.end - step.begin for step in steps)
    flaws: dict[Step, str] = {}

    def idle(step: Step) -> bool:
        return bool(flaws) and step > min(flaws)

    for step, flaw in _taken(steps, (proof, words), workers, idle):
        tell(step.end - step.begin, whole)
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


class _Until(Sequence[Step]):
    """Steps in order that are handed out until the next one, and so all others, are idle."""

    def __init__(self, steps: Sequence[Step], idle: Callable[[Step], bool]) -> None:
        self._steps = steps
        self._idle = idle

    def __len__(self) -> int:
        return len(self._steps)

    def __getitem__(self, at: Any) -> Any:
        return self._steps[at]

    def __iter__(self) -> Iterator[Step]:
        return takewhile(lambda step: not self._idle(step), self._steps)


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
    rest = _Until([step for step in steps if step not in mine], idle)
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
        members = sum(len(claim.members) for claim in proof.claims)
        self._proof = proof
        self._checker = ProofChecker(words, proof.statement, len(proof.claims), members)
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
    if proof.refutations and statement.objective != "worst":
        raise WrongProofError("refutations only show that a limit cannot be kept")
    if statement.objective == "worst":
        if not statement.limit or (statement.losses, statement.total) != (1, 0):
            raise WrongProofError("that a limit cannot be kept is one loss, within a limit")
    elif proof.strategy is None:
        raise WrongProofError("it has no strategy that attains its value")
    elif statement.losses and (statement.objective == "total" or not statement.limit):
        raise WrongProofError("secrets are lost only where the objective is losses, with a limit")


def check_numbers(proof: Proof) -> None:
    """Refuse a proof with numbers that compiled code must not see.

    One that was read from a file has none.
    """
    statement, secrets = proof.statement, proof.statement.secrets
    in_range = (
        0 <= statement.limit < UNLIMITED
        and 0 <= statement.losses <= secrets
        and 0 <= statement.total < LOSS
    )
    claims = all(
        _is_set(claim.members, secrets)
        and 1 <= claim.left <= UNLIMITED
        and 0 <= claim.value < (secrets + 1) * LOSS
        for claim in proof.claims
    )
    refutations = all(
        _is_set(one.members, secrets)
        and 1 <= one.left < UNLIMITED
        and (not one.cites or _is_set(one.cites, number))
        for number, one in enumerate(proof.refutations)
    )
    if not (in_range and claims and refutations):
        raise WrongProofError("some of its numbers are out of range")


def _is_set(numbers: Sequence[int], below: int) -> bool:
    """Whether there are numbers, from 0, ascending, all below a bound."""
    ascending = all(map(lt, numbers, numbers[1:]))
    return bool(numbers) and numbers[0] >= 0 and ascending and numbers[-1] < below


def check_strategy(proof: Proof, words: CheckedWords) -> None:
    """Refuse a proof whose strategy, played by letters, does not come to the statement."""
    statement, strategy = proof.statement, proof.strategy
    if strategy is None:
        return
    origin = strategy.origin
    if (origin.game, origin.hard) != (statement.game, statement.hard):
        raise WrongProofError("its strategy is for another game")
    if statement.start and origin.start[0] != statement.start:
        raise WrongProofError(f"its strategy does not open with {statement.start!r}")
    try:
        verdict = referee.verify(strategy, words.guesses, words.secrets)
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
            f"its strategy comes to {value_text(losses * LOSS + verdict.total)}, "
            f"not {value_text(statement.value)}"
        )


def summary(proof: Proof) -> str:
    """What a proof that was checked proves, in a line."""
    statement = proof.statement
    within = f" within {statement.limit}" if statement.limit else ""
    hard = " in hard mode" if statement.hard else ""
    who = f"no strategy from {statement.start}" if statement.start else "no strategy"
    secrets = counted(statement.secrets, "secret")
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
    if word_lists.shipped(list_name, "allowed") is None:
        return f"{quoted(list_name)} {quoted(secrets_name)}"
    known = secrets_name in ("allowed", "answers")
    return f"{list_name} {secrets_name if known else quoted(secrets_name)}"
