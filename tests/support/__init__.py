"""What tests share: the slow truth, small worlds, published figures."""

import hashlib
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

#: The checkout.
ROOT = Path(__file__).parents[2]
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"
needs_compiler = pytest.mark.skipif(PLAIN, reason="nothing is compiled")


def missing(what: str) -> BaseException:
    """What to raise where a test needs what is not here: it skips, but fails where CI runs."""
    outcome = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
    return outcome.Exception(f"needs {what}")


def refused(error: type, reason: str, ask: Callable[..., object], *args: Any, **named: Any) -> None:
    """A call raises an error whose text matches a pattern."""
    with pytest.raises(error, match=reason or None):
        ask(*args, **named)


def raising(error: BaseException, calls: int = 0) -> Callable[..., None]:
    """Does nothing so many times; then it raises an error, whatever it is called with."""
    left = iter(range(calls))

    def call(*_: object, **__: object) -> None:
        if next(left, None) is None:
            raise error

    return call


def said_by(code: str, *arguments: object, **environment: str) -> str:
    """What a program prints in a Python that has imported nothing yet."""
    command, around = [sys.executable, "-c", code, *map(str, arguments)], os.environ | environment
    done = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, check=True)
    return done.stdout


def sealed(packed: bytes, kind: bytes = b"S") -> bytes:
    """A body in the envelope of our files, with the right checksum."""
    content = struct.pack("<8sBcI", b"KNUTHLE\n", 1, kind, len(packed)) + packed
    return content + hashlib.sha256(content).digest()
