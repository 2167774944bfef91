"""The command ``referee``: any program plays every secret over its pipes; guesses are counted.

It is not the trusted checker of strategies, ``strategy.checkers.verify``, whose rules it plays by.

A player is a process, started without a shell and in a session of its own. It ends with all that is
in its process group; on Windows it ends alone.
Three threads look after its pipes, so that nobody waits for ever: not for a line that does not
come, not for one that is not read. How much it may write is limited. Guesses are graded by the
trusted checker's lines, and hard mode is held to by its rule. Several processes of a player share
the secrets; the result does not depend on how.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import IO, TYPE_CHECKING, Any, TextIO

from ..checkers.verify import check_hard, grade_pegs, grade_wordle
from ..errors import StrategyError, WrongStrategyError
from ..files.strategy_file import Taken
from ..files.text import is_pegs, is_word, plain, printable, quoted, score_text, solved_score

if TYPE_CHECKING:
    from .helper import Helper

#: The kinds of faults that end a process.
CRASH, SILENCE, GARBAGE, OUT_OF_TURN = "crash", "silence", "garbage", "out of turn"
#: Bytes of an answer, of what is read at a time, of what is kept of stderr; pieces that may wait.
LONGEST_ANSWER = 400
_PIECE, _KEPT, _MOST_WAITING = 4096, 2000, 1000
#: Seconds that it may take to leave when there are no more questions, and between two looks
#: whether it is there.
_GRACE, _LOOK = 1.0, 0.2


class PlayError(Exception):
    """What a player did wrong in a game, by name."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind, self.reason = kind, reason


class NoPlayerError(StrategyError):
    """A command that is no player: it cannot be started, or does not speak the protocol."""

    def __init__(self, reason: str, kind: str = CRASH) -> None:
        super().__init__(reason)
        self.kind = kind


class PlayerProcess:
    """A player as a process of its own, which answers each line with a line."""

    def __init__(self, command: Sequence[str]) -> None:
        own: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        try:
            # no shell: the words of the command are its arguments as they are
            self._process = subprocess.Popen(command, bufsize=0, start_new_session=True, **own)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise NoPlayerError(f"{quoted(command[0])} cannot be started: {why}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        self._said = self._rest = b""
        self._over = self._killed = False
        self._ended = threading.Lock()
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._threads = [
            threading.Thread(target=work, args=(pipe,), daemon=True)
            for work, pipe in zip((self._write, self._read, self._listen), pipes, strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def ask(self, line: str, timeout: float) -> tuple[str, float]:
        """The player's answer to a line, and the seconds that it took; or PlayError."""
        self._check_turn()
        begun = time.perf_counter()
        self._questions.put(f"{line}\n".encode())
        while b"\n" not in self._rest:
            if len(self._rest) > LONGEST_ANSWER:
                raise PlayError(GARBAGE, f"no end of line after {_shown(self._rest)} …")
            ended = self._process.poll() is not None
            left = begun + timeout - time.perf_counter()
            try:
                piece = self._answers.get(timeout=max(min(left, _GRACE if ended else _LOOK), 0))
            except queue.Empty:
                if ended:  # what it has started may hold its pipe open
                    raise PlayError(CRASH, self._how_it_ended()) from None
                if left > _LOOK:
                    continue
                raise PlayError(SILENCE, f"no answer within {timeout:g} s") from None
            if not piece:
                self._answers.put(b"")  # there will be no more
                raise PlayError(CRASH, self._how_it_ended())
            self._rest += piece
        took = time.perf_counter() - begun
        answer, _, self._rest = self._rest.partition(b"\n")
        if len(answer) > LONGEST_ANSWER:
            raise PlayError(GARBAGE, f"{_shown(answer[:100])} …")
        self._check_turn()
        return answer.decode("utf-8", "backslashreplace").strip(), took

    def _check_turn(self) -> None:
        """Refuse what it writes without a question: it would be taken for a later answer."""
        with contextlib.suppress(queue.Empty):
            piece = self._answers.get_nowait()
            if not piece:
                self._answers.put(b"")
            self._rest += piece
        if self._rest:
            raise PlayError(OUT_OF_TURN, f"it wrote out of turn: {_shown(self._rest[:100])}")

    def _how_it_ended(self) -> str:
        """Its exit code or signal, and the last line that it left on stderr."""
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            how = "it closed its output"
        else:
            how = f"it ended with exit code {code}"
            if self._killed:
                how = "the referee has ended it"
            elif code < 0:
                with contextlib.suppress(ValueError):
                    how = f"it was killed by {signal.Signals(-code).name}"
        self._threads[2].join(timeout=_GRACE)
        last = self._said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        return f"{how}; its last line on stderr: {printable(last, 200)}" if last else how

    def dismiss(self) -> None:
        """Close its input: there are no more questions."""
        self._questions.put(None)

    def end(self, *, kill: bool = False) -> None:
        """Let the player leave or end it at once, then its process group; twice is no harm."""
        with self._ended:
            if self._over:
                return
            self._over = True
            self.dismiss()
            if not kill:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_GRACE)
            self.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join(timeout=_GRACE)

    def kill(self) -> None:
        """End the player and its process group, without waiting."""
        self._killed = True
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while (line := self._questions.get()) is not None:
                pipe.write(line)

    def _read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, queue.Full), pipe:
            while piece := pipe.read(_PIECE):
                self._answers.put_nowait(piece)
        with contextlib.suppress(queue.Full):
            self._answers.put_nowait(b"")

    def _listen(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while piece := pipe.read(_PIECE):
                self._said = (self._said + piece)[-_KEPT:]


def _shown(said: bytes) -> str:
    return quoted(said.decode("utf-8", "backslashreplace"))


# ---- The protocol
#
# ``docs/referee.md`` has it on half a page. A player gets the whole game so far in every line, so
# it need not remember anything.

VERSION = 1
HELLO, READY, GO, UNKNOWN = "hello", "ready", "go", "?"
_NUMBER = re.compile("[0-9]{1,4}")

#: Guesses with their scores as texts.
Spoken = Sequence[tuple[str, str]]
#: The next guess after a history; None: it knows none.
Answerer = Callable[[Spoken], str | None]
#: The answer of a player to a line, within so many seconds, and how long it took.
Ask = Callable[[str, float], tuple[str, float]]


class ProtocolError(StrategyError):
    """A line that a player cannot understand, or a game that it does not play."""


def serve(
    answerer: Answerer,
    game: str,
    length: int,
    source: Iterable[str],
    sink: TextIO,
    *,
    hard: bool = False,
) -> None:
    """Answer the lines of a referee as a player, until they end.

    A game that is another than ``game``, or is in hard mode where the answers do not keep to it,
    is refused with a reason instead of a guess.
    """
    for line in source:
        words = line.split()
        if not words:
            continue
        if words[0] == HELLO:
            reason = _refused(words[1:], game, length, hard)
            answer = f"no {reason}" if reason else f"{READY} knuthle"
        elif words[0] == GO and len(words) % 2:
            steps = list(zip(words[1::2], words[2::2], strict=True))
            answer = answerer(steps) or UNKNOWN
        else:
            raise ProtocolError(f"{quoted(line.strip())} is not a line of the protocol")
        sink.write(f"{answer}\n")
        sink.flush()


def _refused(words: Sequence[str], game: str, length: int, hard: bool) -> str:
    """Why a game is not played; nothing if it is."""
    if len(words) < 3 or not _NUMBER.fullmatch(words[0]) or not _NUMBER.fullmatch(words[2]):
        return f"the line {quoted(' '.join([HELLO, *words]))} is not understood"
    if int(words[0]) != VERSION:
        return f"version {int(words[0])} of the protocol is not known; only version {VERSION} is"
    if (words[1], int(words[2])) != (game, length):
        return f"it plays {game} with {length} letters only"
    if "hard" in words[3:] and not hard:
        return "it does not play by hard mode"
    return ""


def answerer_by(helper: Helper) -> Answerer:
    """What a helper proposes after each history, as the answers of a player to a referee.

    No history is thought about twice; where clues make no sense there is no answer. Games share
    their beginnings, so what two of them have in common is passed to the helper once.
    """
    from solver.errors import WrongInputError

    here: list[tuple[str, str]] = []

    @cache
    def answer(history: tuple[tuple[str, str], ...]) -> str | None:
        while here != list(history[: len(here)]):
            helper.undo()
            here.pop()
        try:
            for word, score in history[len(here) :]:
                helper.tell(word, score)
                here.append((word, score))
            return helper.proposal().word
        except WrongInputError:
            return None

    return lambda history: answer(tuple(history))


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
    timeout: float = 10.0

    @cached_property
    def length(self) -> int:
        """How many letters a word of the game has."""
        return len(self.secrets[0])

    def grade(self, guess: str, secret: str) -> int:
        """The score of a guess against a secret, by the trusted checker's own rule."""
        return grade_pegs(guess, secret) if is_pegs(self.game) else grade_wordle(guess, secret)


@dataclass
class PlayedGame:
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
class Contest(Taken):
    """What a player made of all secrets: a game for each."""

    #: The games played, in the order of the secrets.
    games: list[PlayedGame] = field(default_factory=list)
    #: Secrets that were not played, since too many processes had to be replaced.
    n_left: int = 0
    #: What the player calls itself, if it does.
    player: str = ""
    n_restarts: int = 0
    #: Seconds from the start of a process to its readiness, for each.
    starts: list[float] = field(default_factory=list)

    @cached_property
    def taken(self) -> dict[str, int]:
        """How many guesses each secret took that was found."""
        return {game.secret: len(game.guesses) for game in self.games if game.solved}

    @property
    def faults(self) -> list[PlayedGame]:
        """The games that ended in a fault."""
        return [game for game in self.games if game.fault]


def sampled(secrets: Iterable[str], number: int, seed: int = 0) -> list[str]:
    """The secrets of a contest, a sample in alphabetical order; the seed says which."""
    lots = {word: hashlib.sha256(f"{seed} {word}".encode()).digest() for word in secrets}
    return sorted(sorted(lots, key=lots.__getitem__)[:number])


def contest(
    command: Sequence[str],
    terms: Terms,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda new, whole: None,
) -> Contest:
    """Let a program play every secret as a player.

    ``progress`` is called with how many more of how many are done. A player that crashes, is silent
    too long or says what it should not loses that game, and the next is played by a new process;
    after MOST_RESTARTS of these the rest is not played. A command that cannot be started or is
    never ready raises NoPlayerError. However this is left, every process that it started is ended.
    """
    arena, whole = _Arena(command, terms), len(terms.secrets)
    pool = ThreadPoolExecutor(min(workers, whole))
    tasks = [pool.submit(arena.play, secret) for secret in terms.secrets]
    open_tasks = {*tasks}
    try:
        while open_tasks:
            done, open_tasks = wait(open_tasks, _LOOK, FIRST_EXCEPTION)
            progress(sum(task.result() is not None for task in done), whole)
    finally:
        arena.close(kill=bool(open_tasks))
        pool.shutdown(cancel_futures=True)
    arena.found.games = [game for task in tasks if (game := task.result()) is not None]
    arena.found.n_left = whole - len(arena.found.games)
    return arena.found


class _Arena:
    """The processes of a player, each of which plays one secret after the other."""

    def __init__(self, command: Sequence[str], terms: Terms) -> None:
        self.found = Contest()
        self._command, self._terms = command, terms
        self._lock = threading.Lock()
        self._stopped = False
        self._players: set[PlayerProcess] = set()
        self._idle: list[PlayerProcess] = []

    def play(self, secret: str) -> PlayedGame | None:
        """A game with a process that is idle, or with a new one; None: no more is played."""
        try:
            player = self._ready_player()
        except NoPlayerError as error:
            if not self.found.starts:
                raise
            self._count_restart(MOST_RESTARTS)
            return PlayedGame(secret, fault=error.kind, reason=str(error))
        if player is None:
            return None
        game = play_game(player.ask, secret, self._terms)
        if game.fault in (CRASH, SILENCE, GARBAGE, OUT_OF_TURN):
            self._end(player)
            self._count_restart()
        else:
            self._idle.append(player)
        return game

    def close(self, *, kill: bool) -> None:
        """End every process, at once if one may be in the middle of a game."""
        with self._lock:
            self._stopped = True
            players = list(self._players)
        for player in players:  # all of them first: nothing that comes between may spare one
            if kill:
                player.kill()
            else:
                player.dismiss()
        for player in players:
            player.end(kill=kill)

    def _count_restart(self, number: int = 1) -> None:
        with self._lock:
            self.found.n_restarts += number
            self._stopped |= self.found.n_restarts >= MOST_RESTARTS

    def _ready_player(self) -> PlayerProcess | None:
        """A process that is idle, or a new one that is ready by now; None: no more is played."""
        with self._lock:
            if self._stopped:
                return None
            if self._idle:
                return self._idle.pop()
            begun = time.perf_counter()
            player = PlayerProcess(self._command)
            self._players.add(player)
        terms, name, reason, kind = self._terms, "", "", GARBAGE
        question = f"{HELLO} {VERSION} {terms.game} {terms.length}{' hard' * terms.hard}"
        try:
            answer, _ = player.ask(question, max(START, terms.timeout))
            ready, _, name = answer.partition(" ")
            if ready.lower() != READY:
                reason = f"it must answer {HELLO!r} with {READY!r}, not with {quoted(answer)}"
        except PlayError as fault:
            reason, kind = f"it does not answer {HELLO!r}: {fault.kind}: {fault.reason}", fault.kind
        if reason:
            self._end(player)
            raise NoPlayerError(f"{quoted(self._command[0])}: {reason}", kind)
        with self._lock:
            self.found.player = self.found.player or name.strip()
            self.found.starts.append(time.perf_counter() - begun)
        return player

    def _end(self, player: PlayerProcess) -> None:
        player.end(kill=True)
        with self._lock:
            self._players.discard(player)


def play_game(ask: Ask, secret: str, terms: Terms) -> PlayedGame:
    """One game, to its end or its first fault; ``ask`` has the answer to a line in time."""
    game, history, line = PlayedGame(secret), list[tuple[str, int]](), GO
    try:
        while not history or history[-1][1] != solved_score(terms.game, terms.length):
            if len(history) >= terms.most:
                raise PlayError(TOO_MANY, f"not found in {terms.most} guesses")
            answer, took = ask(line, terms.timeout)
            game.seconds.append(took)
            word = _word_of(answer, history, terms)
            game.guesses.append(word)
            history.append((word, terms.grade(word, secret)))
            line += f" {word} {score_text(terms.game, terms.length, history[-1][1])}"
    except PlayError as fault:
        game.fault, game.reason = fault.kind, fault.reason
    return game


def _word_of(answer: str, history: Sequence[tuple[str, int]], terms: Terms) -> str:
    """The guess that an answer is."""
    if answer == UNKNOWN:
        raise PlayError(GIVES_UP, "it has no guess")
    word = plain(answer)
    if not (is_word(word) and len(word) == terms.length):
        raise PlayError(GARBAGE, f"{quoted(answer)} is not a word of {terms.length} letters")
    if word not in terms.guesses:
        reason = f"{quoted(answer)} is not among the {len(terms.guesses):,} guesses"
        raise PlayError(UNKNOWN_WORD, reason)
    if terms.hard:
        try:
            check_hard(word, history)
        except WrongStrategyError as error:
            raise PlayError(HARD_MODE, str(error).removeprefix("hard mode: ")) from None
    return word


def games_within(answerer: Answerer, terms: Terms) -> Iterator[PlayedGame]:
    """Every game of a player that is built in, as ``contest`` has those of a program."""

    def ask(line: str, _: float) -> tuple[str, float]:
        words = line.split()[1:]
        return answerer(list(zip(words[::2], words[1::2], strict=True))) or UNKNOWN, 0.0

    return (play_game(ask, secret, terms) for secret in terms.secrets)
