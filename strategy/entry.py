"""Where the console scripts begin: an interrupt while things are still loading is quiet too."""

from __future__ import annotations

import os
import signal
import sys


def _leave(number: int, frame: object) -> None:
    os.write(2, b"\ninterrupted\n")
    os._exit(130)


def knuthle() -> int:
    """The script ``knuthle``."""
    signal.signal(signal.SIGINT, _leave)
    from .cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    return main(sys.argv[1:])


def solve_all() -> int:
    """The script ``solve-all``: the same as ``knuthle solve-all``."""
    signal.signal(signal.SIGINT, _leave)
    from .cli import run_command

    signal.signal(signal.SIGINT, signal.default_int_handler)
    return run_command("solve-all", sys.argv[1:], "solve-all")
