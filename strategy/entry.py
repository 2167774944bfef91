"""Where the console scripts begin: make the surroundings safe, then load the commands.

A stream may be missing (``>&-``) or unable to say every letter; an interrupt may come while things
are still loading. None of that may end in a traceback.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys


def knuthle() -> int:
    """The script ``knuthle``."""
    _prepare()
    from .cli import main

    return main(sys.argv[1:])


def solve_all() -> int:
    """The script ``solve-all``, another name for ``knuthle solve-all``."""
    _prepare()
    from .cli import run_command

    return run_command("solve-all", sys.argv[1:], "solve-all")


#: Objects that must pile up before garbage is looked for. To load compiled kernels makes hundreds
#: of thousands that stay, and to go through them again and again took a tenth of a short command.
_PILE = 500_000


def _prepare() -> None:
    gc.set_threshold(_PILE)
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as in a script's background
        with contextlib.suppress(ValueError):  # not in the main thread
            signal.signal(signal.SIGINT, _leave)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _leave(number: int, frame: object) -> None:
    """Nothing has begun yet: leave without a word about where the interpreter was."""
    with contextlib.suppress(OSError):
        os.write(2, b"\ninterrupted\n")
    os._exit(130)
