"""A program that ends with whatever it has started, by a small process of ours above it.

A program can leave its process group and its session; what it starts then outlives it, and who
started it does not know of that. On Linux a process can ask for all orphans below it
(``PR_SET_CHILD_SUBREAPER``). Whoever asks becomes the parent of them, and could no longer tell them
from children of its own: so the asking is done by a process that has no others, the supervisor. It
starts the program, waits, and ends all that is below it at a word of its parent, or when that
parent is gone.

This file is run as a program too, by a Python that has loaded nothing: standard library alone.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

#: Whether this system has what a supervisor takes.
SUPERVISED = sys.platform == "linux" and bool(sys.executable) and os.path.isdir("/proc/self")  # noqa: PTH112 - see above
#: Seconds for a supervisor to end all that is below it, before it is ended itself.
_PATIENCE = 15.0
#: Rounds in which it does so, and the seconds between two.
_ROUNDS, _PAUSE = 1000, 0.01
_SET_CHILD_SUBREAPER = 36
_STARTED, _FAILED, _ENDED = "started", "failed", "ended"


class SupervisedProcess:
    """A program below a supervisor: its pipes are ours, its exit code comes from the supervisor."""

    def __init__(self, command: Sequence[str]) -> None:
        import subprocess  # the supervisor itself does without

        life, self._life = os.pipe()
        self._news, news = os.pipe()
        #: What the supervisor has said and nobody has read yet.
        self._told = b""
        self._lock = threading.Lock()
        self.returncode: int | None = None
        try:
            self._supervisor: subprocess.Popen[bytes] = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__, str(life), str(news), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                pass_fds=(life, news),
            )
        except BaseException:
            self._close()
            raise
        finally:
            os.close(life)
            os.close(news)
        self.stdin, self.stdout = self._supervisor.stdin, self._supervisor.stdout
        self.stderr = self._supervisor.stderr
        what, _, number = (self._line(_PATIENCE) or f"{_FAILED} 0").partition(" ")
        #: The process of the program, which leads a group of its own.
        self.pid = int(number)
        if what != _STARTED:
            for pipe in (self.stdin, self.stdout, self.stderr):
                if pipe is not None:
                    pipe.close()
            self.kill()
            self.end()
            raise OSError(self.pid, os.strerror(self.pid) if self.pid else "it does not start")

    def wait(self, timeout: float) -> int:
        """The exit code of the program, negative for a signal; TimeoutExpired if it goes on."""
        with self._lock:
            if self.returncode is None:
                line = self._line(timeout)
                if line is None:
                    from subprocess import TimeoutExpired

                    raise TimeoutExpired(self._supervisor.args, timeout)
                what, _, code = line.partition(" ")
                # a supervisor that is gone says nothing: then its own end is all that is known
                self.returncode = int(code) if what == _ENDED else self._supervisor.wait()
            return self.returncode

    def kill(self) -> None:
        """Have the supervisor end the program and whatever it has started, without waiting."""
        with contextlib.suppress(OSError):
            os.write(self._life, b".")

    def end(self) -> None:
        """Wait until all of it has been ended."""
        import subprocess

        try:
            self._supervisor.wait(timeout=_PATIENCE)
        except subprocess.TimeoutExpired:  # somebody has stopped it
            self._supervisor.kill()
            self._supervisor.wait()
        if self.pid:  # what is left if the supervisor was ended by somebody else
            with contextlib.suppress(OSError):
                os.killpg(self.pid, signal.SIGKILL)
        with self._lock:
            if self.returncode is None:
                self.returncode = -signal.SIGKILL
            self._close()

    def _close(self) -> None:
        for end in (self._life, self._news):
            with contextlib.suppress(OSError):
                os.close(end)
        self._life = self._news = -1

    def _line(self, timeout: float) -> str | None:
        """What the supervisor says next; empty if it is gone, None if it says nothing."""
        end = time.monotonic() + timeout
        waiting = select.poll()
        waiting.register(self._news, select.POLLIN)
        while b"\n" not in self._told:
            if not waiting.poll(max(0.0, end - time.monotonic()) * 1000):
                return None
            piece = os.read(self._news, 100)
            if not piece:
                return ""
            self._told += piece
        line, _, self._told = self._told.partition(b"\n")
        return line.decode()


# ---- The supervisor


def supervise(life: int, news: int, command: Sequence[str]) -> None:
    """Start a program, tell how it ends, and end all that it has started when ``life`` speaks."""
    _adopt_orphans()
    wake, waker = os.pipe()
    for end in (wake, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    program, error = _started(command, (life, news))
    _tell(news, f"{_FAILED} {error}" if error else f"{_STARTED} {program}")
    if error:
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # the pipes are the program's alone
        os.dup2(nothing, stream)
    waiting = select.poll()
    for end in (life, wake):
        waiting.register(end, select.POLLIN)
    while life not in [end for end, _ in waiting.poll()]:
        with contextlib.suppress(BlockingIOError):
            os.read(wake, 4096)
        _bury(program, news)
    for _ in range(_ROUNDS):
        if not _bury(program, news):
            return
        _end_below()
        time.sleep(_PAUSE)


def _adopt_orphans() -> None:
    import ctypes

    ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _started(command: Sequence[str], ours: Sequence[int]) -> tuple[int, int]:
    """The process of a program in a session of its own, and the number of the error, if any."""
    failed, fails = os.pipe()  # closed where the program begins
    program = os.fork()
    if program == 0:
        try:
            for end in ours:
                os.close(end)
            os.setsid()
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            os.execvp(command[0], list(command))
        except Exception as why:
            os.write(fails, str(getattr(why, "errno", None) or errno.EINVAL).encode())
        finally:
            os._exit(127)
    os.close(fails)
    said = os.read(failed, 20)
    os.close(failed)
    return program, int(said or 0)


def _bury(program: int, news: int) -> bool:
    """Take leave of all children that have ended; whether any are left."""
    with contextlib.suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == program:
                _tell(news, f"{_ENDED} {os.waitstatus_to_exitcode(status)}")
            if not child:
                return True
    return False


def _end_below() -> None:
    """Kill every process below this one, whatever group and session it is in."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - pathlib is not loaded here
        if name.isdecimal():
            with contextlib.suppress(OSError, ValueError, IndexError):
                with open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                    state = file.read().rpartition(b")")[2].split()
                children.setdefault(int(state[1]), []).append(int(name))
    below = children.get(os.getpid(), [])
    for process in below:  # it grows as it is walked through
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGKILL)
        below += children.get(process, [])


def _tell(news: int, line: str) -> None:
    with contextlib.suppress(OSError):  # nobody may be there any more
        os.write(news, f"{line}\n".encode())


if __name__ == "__main__":
    supervise(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
