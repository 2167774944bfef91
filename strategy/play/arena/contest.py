"""The side that asks: any program plays every secret, and what it takes is counted.

Guesses are graded by the trusted checker's lines, and hard mode is held to by its rule. Several
processes of a player share the secrets; the result does not depend on how.
"""

from __future__ import annotations

import hashlib
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ...checkers.grading import grade_pegs, grade_wordle
from ...errors import WrongStrategyError
from ...files.letters import is_word, plain
from ...files.names import quoted
from ...files.notation import is_pegs, solved_score
from ...referee import check_hard
from . import protocol
from .player import CRASH, GARBAGE, OUT_OF_TURN, SILENCE, NoPlayerError, PlayerProcess, PlayError

UNKNOWN_WORD, HARD_MODE = "unknown word", "hard-mode breach"
TOO_MANY, GIVES_UP = "too many guesses", "gives up"
#: All faults by name; the first four end the process, and the next game gets a new one.
FAULTS = (CRASH, SILENCE, GARBAGE, OUT_OF_TURN, UNKNOWN_WORD, HARD_MODE, TOO_MANY, GIVES_UP)
#: Seconds that a player may take to say that it is ready: it may have much to load.
START = 120.0
#: After so many processes that had to be replaced the rest is not played.
MOST_RESTARTS = 10


@dataclass(frozen=True)
class Terms:
    """What is played against a referee: game, words, hard mode, limit, time for a guess."""

    game: str
    guesses: frozenset[str]
    secrets: Sequence[str]
    hard: bool = False
    #: Guesses of a game before it is stopped.
    most: int = 20
    #: Seconds for an answer.
    timeout: float = 10.0

    @cached_property
    def length(self) -> int:
        """How many letters a word of the game has."""
        return len(self.secrets[0])

    @cached_property
    def solved(self) -> int:
        """The score that ends a game."""
        return solved_score(self.game, self.length)

    def grade(self, guess: str, secret: str) -> int:
        """The score of a guess against a secret, by the trusted checker's own rule."""
        return grade_pegs(guess, secret) if is_pegs(self.game) else grade_wordle(guess, secret)


@dataclass
class Bout:
    """One game of a player: the guesses, how long each took, the fault that ended it, if any."""

    secret: str
    guesses: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    fault: str = ""
    reason: str = ""

    @property
    def solved(self) -> bool:
        """Whether the secret was found."""
        return not self.fault


@dataclass
class Contest:
    """What a player made of all secrets: a bout for each."""

    #: The games played, in the order of the secrets.
    bouts: list[Bout]
    #: Secrets that were not played, since too many processes had to be replaced.
    n_left: int
    #: What the player calls itself, if it does.
    player: str
    #: Processes that were started in place of others.
    n_restarts: int
    #: Seconds from the start of a process to its readiness, for each.
    starts: list[float]

    @cached_property
    def taken(self) -> dict[str, int]:
        """How many guesses each secret took that was found."""
        return {bout.secret: len(bout.guesses) for bout in self.bouts if bout.solved}

    @property
    def histogram(self) -> list[int]:
        """How many secrets took 1, 2, … guesses."""
        counts = Counter(self.taken.values())
        return [counts[number] for number in range(1, max(counts, default=0) + 1)]

    @property
    def faults(self) -> list[Bout]:
        """The games that ended in a fault."""
        return [bout for bout in self.bouts if bout.fault]

    @property
    def seconds(self) -> list[float]:
        """How long each guess of the player took, in all games."""
        return [took for bout in self.bouts for took in bout.seconds]


def sampled(secrets: Iterable[str], number: int, seed: int = 0) -> list[str]:
    """The secrets of a contest, a sample in alphabetical order; the seed says which."""

    def lot(word: str) -> bytes:
        return hashlib.sha256(f"{seed} {word}".encode()).digest()

    return sorted(sorted(secrets, key=lot)[:number])


def contest(
    command: Sequence[str],
    terms: Terms,
    workers: int = 1,
    told: Callable[[int, int], None] = lambda new, whole: None,
) -> Contest:
    """Let a program play every secret as a player.

    ``told`` hears how many more of how many are done. A player that crashes, is silent too long or
    says what it should not loses that game, and the next is played by a new process; after
    MOST_RESTARTS of these the rest is not played. A command that cannot be started or is never
    ready raises NoPlayerError. However this is left, no process that it started stays behind.
    """
    arena = _Arena(command, terms, min(workers, len(terms.secrets)))
    try:
        found = dict(arena.run(told))
    finally:
        arena.close()
    bouts = [found[number] for number in sorted(found)]
    return Contest(bouts, len(terms.secrets) - len(bouts), arena.name, arena.restarts, arena.starts)


class _Arena:
    """Several players, a thread each, that take one secret after the other."""

    def __init__(self, command: Sequence[str], terms: Terms, workers: int) -> None:
        self.name = ""
        self.restarts = 0
        self.starts: list[float] = []
        self._command, self._terms = command, terms
        self._waiting = iter(enumerate(terms.secrets))
        self._lock = threading.Lock()
        self._stopped = False
        self._players: set[PlayerProcess] = set()
        self._results: queue.SimpleQueue[tuple[int, Bout] | Exception | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]

    def run(self, told: Callable[[int, int], None]) -> Iterator[tuple[int, Bout]]:
        """The games as they end, with their places."""
        for thread in self._threads:
            thread.start()
        busy = len(self._threads)
        while busy:
            try:
                result = self._results.get(timeout=0.2)
            except queue.Empty:
                told(0, len(self._terms.secrets))
                continue
            if isinstance(result, Exception):
                raise result
            if result is None:
                busy -= 1
                continue
            told(1, len(self._terms.secrets))
            yield result

    def close(self) -> None:
        """End every process, at once if one is in the middle of a game."""
        with self._lock:
            self._stopped = True
            players = list(self._players)
        for player in players:  # all of them first: nothing that comes between may spare one
            player.kill()
        for player in players:
            player.end(kill=True)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(timeout=5)

    def _work(self) -> None:
        player: PlayerProcess | None = None
        try:
            for number, secret in iter(self._next, None):
                try:
                    player = player or self._start()
                except NoPlayerError as error:
                    if not self.starts:
                        raise
                    self._results.put((number, Bout(secret, fault=CRASH, reason=str(error))))
                    self._count_restart(MOST_RESTARTS)
                    break
                bout = self._play(player, secret)
                if bout.fault in (CRASH, SILENCE, GARBAGE, OUT_OF_TURN):
                    self._end(player, kill=True)
                    player = None
                    self._count_restart()
                self._results.put((number, bout))
            if player is not None:
                self._end(player)
        except Exception as error:
            if player is not None:
                self._end(player, kill=True)
            self._results.put(error)
        self._results.put(None)

    def _next(self) -> tuple[int, str] | None:
        with self._lock:
            return None if self._stopped else next(self._waiting, None)

    def _count_restart(self, number: int = 1) -> None:
        with self._lock:
            self.restarts += number
            self._stopped |= self.restarts >= MOST_RESTARTS

    def _start(self) -> PlayerProcess:
        """A new process that has said that it is ready."""
        begun = time.perf_counter()
        player = PlayerProcess(self._command)
        with self._lock:
            self._players.add(player)
            stopped = self._stopped
        if stopped:
            self._end(player, kill=True)
        terms = self._terms
        try:
            answer, _ = player.ask(
                protocol.hello(terms.game, terms.length, terms.hard), max(START, terms.timeout)
            )
        except PlayError as fault:
            self._end(player, kill=True)
            reason = f"it does not answer {protocol.HELLO!r}: {fault.kind}: {fault.reason}"
            raise NoPlayerError(f"{quoted(self._command[0])}: {reason}") from None
        ready, _, name = answer.partition(" ")
        if ready.lower() != protocol.READY:
            self._end(player, kill=True)
            reason = f"it answers {protocol.HELLO!r} with {quoted(answer)}, not {protocol.READY!r}"
            raise NoPlayerError(f"{quoted(self._command[0])}: {reason}")
        with self._lock:
            self.name = self.name or name.strip()
            self.starts.append(time.perf_counter() - begun)
        return player

    def _end(self, player: PlayerProcess, *, kill: bool = False) -> None:
        player.end(kill=kill)
        with self._lock:
            self._players.discard(player)

    def _play(self, player: PlayerProcess, secret: str) -> Bout:
        """One game, to its end or its first fault."""
        terms, bout = self._terms, Bout(secret)
        history: list[tuple[str, int]] = []
        try:
            while not history or history[-1][1] != terms.solved:
                if len(history) >= terms.most:
                    raise PlayError(TOO_MANY, f"not found in {terms.most} guesses")
                line = protocol.guess_request(terms.game, terms.length, history)
                answer, took = player.ask(line, terms.timeout)
                bout.seconds.append(took)
                word = self._word_of(answer, history)
                bout.guesses.append(word)
                history.append((word, terms.grade(word, secret)))
        except PlayError as fault:
            bout.fault, bout.reason = fault.kind, fault.reason
        return bout

    def _word_of(self, answer: str, history: Sequence[tuple[str, int]]) -> str:
        """The guess that an answer is."""
        terms = self._terms
        if answer == protocol.UNKNOWN:
            raise PlayError(GIVES_UP, "it knows no guess")
        word = plain(answer)
        if not (is_word(word) and len(word) == terms.length):
            raise PlayError(GARBAGE, f"{quoted(answer)} is no word of {terms.length} letters")
        if word not in terms.guesses:
            raise PlayError(
                UNKNOWN_WORD, f"{quoted(answer)} is not among the {len(terms.guesses):,} guesses"
            )
        if terms.hard:
            try:
                check_hard(word, history)
            except WrongStrategyError as error:
                raise PlayError(HARD_MODE, str(error).removeprefix("hard mode: ")) from None
        return word
