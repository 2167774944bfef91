"""Programs that tests start beside themselves."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.commands import started

Start = Callable[..., subprocess.Popen[str]]
_HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts programs that hear all signals; with the test they end, and what they started."""
    begun: list[subprocess.Popen[str]] = []

    def run(*arguments: Any, **environment: str) -> subprocess.Popen[str]:
        before = {number: signal.signal(number, signal.SIG_DFL) for number in _HEARD}
        try:
            begun.append(started(*arguments, **environment))
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        return begun[-1]

    yield run
    for process in begun:
        with process, contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
