"""Compile beforehand what commands need, by all cores: for images, classrooms, and the impatient.

The first run of a command compiles what it needs and keeps it in a folder of this user's (where
NUMBA_CACHE_DIR or XDG_CACHE_HOME says, else ~/.cache/knuthle). With this it is there already. A
wheel for Linux on x86-64 may have brought it: then nothing is left to compile.

Examples: knuthle compile
          knuthle compile solve-all suggest
          knuthle compile --clear
"""

from __future__ import annotations

import argparse

from . import options, output
from .progress import Compiling


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``compile``: commands, or --clear."""
    from ..toolbox.machine_code import commands_with_kernels

    known = commands_with_kernels()
    parser.add_argument(
        "commands",
        nargs="*",
        metavar="COMMAND",
        help=f"for these alone: {', '.join(known)}",
    )
    parser.add_argument(
        "--clear", action="store_true", help="take all that was compiled from the disk instead"
    )
    options.add_workers_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``compile``: compile kernels beforehand, or clear them from the disk."""
    from ..toolbox.machine_code import clear_cache, compile_for, wanted_commands

    output.check_outputs(args)
    commands = wanted_commands(args.commands)
    made = whole = removed = 0
    if args.clear:
        removed = clear_cache()
        text = f"removed {removed} compiled kernels"
    else:
        compiling = Compiling(output.say)
        report = (lambda *_: None) if args.quiet else compiling.next_of
        try:
            made, whole = compile_for(commands, args.workers, report)
        finally:
            compiling.finished()
        text = f"{made} kernels compiled, {whole - made} were there"
    output.emit(args, text, {"n_compiled": made, "n_kernels": whole, "n_removed": removed})
    return 0
