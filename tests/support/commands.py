"""Commands as people run them, and what they leave behind."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socketserver import TCPServer
from threading import Thread
from typing import Any, TypeVar

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
