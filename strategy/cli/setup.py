"""The command ``compile``: kernels compiled beforehand."""

from __future__ import annotations

import argparse

from ..toolbox import machine_code
from . import options, output
from .interrupts import call_every
from .progress import Compiling

#: Seconds after which a line says how far it is, where there is no bar.
_INTERVAL = 10.0


def configure_compile(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compile``: commands, or --clear."""
    known = machine_code.commands_with_kernels()
    parser.add_argument(
        "commands", nargs="*", metavar="COMMAND", help=f"for these alone: {', '.join(known)}"
    )
    options.add(parser, "--clear", "--workers")
    options.add_output_options(parser)


def run_compile(args: argparse.Namespace) -> int:
    """Compile beforehand all that commands need, with any option, on all cores.

    The first run of a command compiles what it needs and keeps it in a folder of
    this user (where NUMBA_CACHE_DIR or XDG_CACHE_HOME says, else
    ~/.cache/knuthle; if none can be written, a temporary one). After this command
    the first run of each command starts at once, too. A wheel for
    Linux on x86-64 or 64-bit ARM may be compiled already; then nothing is left
    to do.

    Examples: knuthle compile
              knuthle compile solve-all suggest
              knuthle compile --clear
    """
    commands = machine_code.wanted_commands(args.commands)
    made = whole = removed = 0
    if args.clear:
        from solver.machine.cache import clear

        removed = clear()
        text = f"removed {removed} compiled kernels"
    else:
        compiling = Compiling(
            output.say, lambda _: machine_code.notice(kernels=compiling.whole // 2)
        )
        report = (lambda *_: None) if args.quiet else compiling.next_of
        try:
            with call_every(_INTERVAL, compiling.say_how_far):
                made, whole = machine_code.compile_for(commands, args.workers, report)
        finally:
            compiling.finished()
        text = f"{made} kernels compiled, {whole - made} were there"
    output.emit(args, text, {"n_compiled": made, "n_kernels": whole, "n_removed": removed})
    return 0
