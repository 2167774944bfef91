"""A player as a process: it is asked a line and answers a line, in time, or it is a fault.

Three threads look after its pipes, so that nobody waits for ever: not for a line that does not
come, not for one that is not read. What it says beyond its answers is bounded. It is started
without a shell, in a session of its own, and ends with all that it has started.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO

from ...errors import StrategyError
from ...files.names import quoted, shown

#: The kinds of faults that end a process.
CRASH, SILENCE, GARBAGE, OUT_OF_TURN = "crash", "silence", "garbage", "out of turn"
#: Bytes of an answer, and of what is kept of stderr.
LONGEST_ANSWER = 400
_PIECE = 4096
_KEPT = 2000
#: Seconds that it may take to leave when there are no more questions.
_GRACE = 1.0


class PlayError(Exception):
    """What a player did wrong in a game, by name."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind, self.reason = kind, reason


class NoPlayerError(StrategyError):
    """A command that is no player: it cannot be started, or does not speak the protocol."""


class PlayerProcess:
    """A player as a process of its own, asked a line and answering a line."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            # no shell: the words of the command are its arguments as they are
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise NoPlayerError(f"{quoted(command[0])} cannot be started: {why}") from None
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.Queue[bytes] = queue.Queue(maxsize=2)
        self._said: deque[bytes] = deque(maxlen=_KEPT // 100)
        self._rest = b""
        self._over = False
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
                raise PlayError(GARBAGE, f"no line, but {quoted(self._shown(self._rest))} …")
            left = begun + timeout - time.perf_counter()
            try:
                piece = self._answers.get(timeout=max(left, 0))
            except queue.Empty:
                raise PlayError(SILENCE, f"no answer within {timeout:g} s") from None
            if not piece:
                self._answers.put(b"")  # there will be no more
                raise PlayError(CRASH, self._how_it_ended())
            self._rest += piece
        took = time.perf_counter() - begun
        answer, _, self._rest = self._rest.partition(b"\n")
        if len(answer) > LONGEST_ANSWER:
            raise PlayError(GARBAGE, f"{quoted(self._shown(answer[:100]))} …")
        self._check_turn()
        return self._shown(answer).strip(), took

    def _check_turn(self) -> None:
        """Refuse what it says without having been asked: answers would be for other questions."""
        with contextlib.suppress(queue.Empty):
            piece = self._answers.get_nowait()
            if not piece:
                self._answers.put(b"")
            self._rest += piece
        if self._rest:
            raise PlayError(OUT_OF_TURN, f"unasked it said {quoted(self._shown(self._rest[:100]))}")

    @staticmethod
    def _shown(said: bytes) -> str:
        return said.decode("utf-8", "backslashreplace")

    def _how_it_ended(self) -> str:
        """Its exit code or signal, and the last line that it left on stderr."""
        try:
            code = self._process.wait(timeout=_GRACE)
        except subprocess.TimeoutExpired:
            how = "it closed its output"
        else:
            how = f"it ended with exit code {code}"
            if code < 0:
                with contextlib.suppress(ValueError):
                    how = f"it was killed by {signal.Signals(-code).name}"
        self._threads[2].join(timeout=_GRACE)
        said = b"".join(self._said).decode("utf-8", "replace").strip()
        last = said.rpartition("\n")[2]
        return f"{how}; its last words: {shown(last, 200)}" if last else how

    # --- its end -------------------------------------------------------------------------------

    def end(self, *, kill: bool = False) -> None:
        """Let the player leave, or end it at once; then whatever it has started.

        To do so twice is no harm.
        """
        with self._ended:
            if self._over:
                return
            self._over = True
            self._questions.put(None)
            if not kill:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(timeout=_GRACE)
            self.kill()
            self._process.wait()
        self._drain()
        for thread in self._threads:
            thread.join(timeout=_GRACE)
        self._drain()

    def kill(self) -> None:
        """End the player and whatever it has started, without waiting."""
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)

    def _drain(self) -> None:
        """Take what the reading thread may be waiting to hand over, and tell who waits for more."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._answers.get_nowait()
        with contextlib.suppress(queue.Full):
            self._answers.put_nowait(b"")

    # --- its pipes, a thread each --------------------------------------------------------------

    def _write(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while (line := self._questions.get()) is not None:
                pipe.write(line)

    def _read(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while not self._over and (piece := pipe.read(_PIECE)):
                self._answers.put(piece)
        if not self._over:
            self._answers.put(b"")

    def _listen(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError), pipe:
            while piece := pipe.read(_PIECE):
                self._said.append(piece[-100:] if len(piece) > _KEPT else piece)
