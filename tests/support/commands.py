"""Commands as people run them, on a terminal, too, and what they leave behind."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import TCPServer
from threading import Thread
from typing import Any, TypeVar

import pytest

from tests.support import ROOT

Knuthle = Callable[..., "Outcome"]
#: How a process of its own begins that is the command.
KNUTHLE = (sys.executable, "-m", "strategy")


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err

    @property
    def said(self) -> str:
        """What is said on stderr; that something is compiled first is left out."""
        return re.sub(r"(?m)^(compiling|Other commands)\b.*\n", "", self.err)


def report_of(knuthle: Knuthle, *arguments: object, code: int = 0) -> dict[str, Any]:
    """The JSON object of a command, which is all that it prints."""
    outcome = knuthle(*arguments, "--json", "-")
    assert outcome.code == code, outcome.err
    report: dict[str, Any] = json.loads(outcome.out)
    return report


def lives(process: int | str) -> bool:
    """Whether a process is there and no zombie, which waits for whoever may bury it."""
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] not in "ZX"


ServerLike = TypeVar("ServerLike", bound=TCPServer)


@contextmanager
def serving(server: ServerLike) -> Iterator[ServerLike]:
    """A server that answers while this lasts."""
    with server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def started(
    command: Iterable[object], folder: Path = ROOT, out: int = subprocess.PIPE, **environment: str
) -> subprocess.Popen[str]:
    """A program in a session of its own, which finds our packages; its streams are pipes."""
    return subprocess.Popen(
        list(map(str, command)), cwd=folder, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdin=subprocess.PIPE, stdout=out, stderr=subprocess.PIPE,
    )  # fmt: skip


def ran(
    command: Iterable[object], folder: Path = ROOT, timeout: float = 300, **environment: str
) -> subprocess.CompletedProcess[str]:
    """A program that has come to its end, which finds our packages, and what it wrote."""
    return subprocess.run(
        list(map(str, command)), cwd=folder, text=True, capture_output=True, timeout=timeout,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment}, stdin=subprocess.DEVNULL,
        check=False,
    )  # fmt: skip


def seen_on(patch: pytest.MonkeyPatch, columns: int) -> None:
    """What commands print in this process they take for shown on a terminal."""
    patch.setattr(sys.stdout, "isatty", lambda: True)
    patch.setattr("shutil.get_terminal_size", lambda **_: os.terminal_size((columns, 24)))


#: What a terminal is told and does not show.
_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
_PATIENCE = 120.0


class Terminal:
    """``python -m strategy …`` with the terminal as its stdin, stdout and stderr."""

    def __init__(
        self, *arguments: str, folder: Path, columns: int = 80, **environment: str
    ) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", **environment}
        env = {name: value for name, value in env.items() if name not in ("COLUMNS", "LINES")}
        if "NO_COLOR" not in environment:
            env.pop("NO_COLOR", None)
        self.pid, self._master = pty.fork()
        if self.pid == 0:  # pragma: no cover - the other process
            try:
                os.chdir(folder)
                os.execve(sys.executable, [sys.executable, "-m", "strategy", *arguments], env)
            except BaseException as error:  # it must not go on with the tests of its parent
                os.write(2, f"no program: {error!r}".encode())
            finally:
                os._exit(127)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        #: All that was written so far, with its codes.
        self.raw = ""
        self._seen = 0

    @property
    def text(self) -> str:
        """All that was written so far, as it is seen."""
        return _CODES.sub("", self.raw)

    def until(self, shown: str, patience: float = _PATIENCE) -> str:
        """Wait until this is shown, after what was waited for last; what was shown on the way."""
        end = time.monotonic() + patience
        while (at := self.text.find(shown, self._seen)) < 0:
            assert time.monotonic() < end, f"no {shown!r} in {self.text[self._seen :]!r}"
            assert self._read(patience), f"no {shown!r} in {self.text[self._seen :]!r}"
        passed, self._seen = self.text[self._seen : at], at + len(shown)
        return passed

    def type(self, keys: str) -> None:
        """Press keys; ``\\x03`` is Ctrl-C and ``\\x04`` Ctrl-D."""
        os.write(self._master, keys.encode())

    def end(self) -> int:
        while self._read():
            pass
        _, status = os.waitpid(self.pid, 0)
        os.close(self._master)
        return os.waitstatus_to_exitcode(status)

    def _read(self, patience: float = _PATIENCE) -> bool:
        if not select.select([self._master], [], [], patience)[0]:
            return False
        try:
            some = os.read(self._master, 1 << 16)
        except OSError:  # Linux says so at the end
            return False
        self.raw += some.decode(errors="replace")
        return bool(some)
