"""Play every secret through a strategy of any form with the trusted checker, and name every fault.

FILE is a strategy file of ours, an indented tree of text, nested JSON, or lines with a game each;
which it is shows by looking. The checker shares nothing with the search: it reads the file, grades
by letters with its own few lines, and imports neither numpy nor numba nor the solver. Exit 0: the
strategy does what it says; 1: it is a strategy, but a wrong one; 2: it cannot be read.

Examples: knuthle verify lares-original-allowed-minimax.strategy --within 7
          knuthle verify salet.tree --list original --secrets answers --hard
"""

from __future__ import annotations

import argparse

from ... import any_form
from ...files.names import shown
from ...files.notation import counted
from .. import options, output, render
from . import fault_rows


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``verify``: the file, lists to compare with, a limit to hold it to."""
    parser.add_argument("file", metavar="FILE", help="a strategy, in any form that is read")
    options.add_judged_options(parser)
    parser.add_argument(
        "--within", type=options.at_least_one, metavar="K", help="demand at most K guesses"
    )
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``verify``: check a strategy and print one line, and the faults if there are any."""
    output.check_outputs(args, inputs=[args.file])
    found = any_form.examine(args.file, **options.held_to(args), within=args.within)
    result = {"file": args.file, "form": found.form} | fault_rows.facts_of(found)
    output.emit(args, _text(args.file, found), result)
    return 0 if found.ok else 1


def _text(file: str, found: any_form.Examined) -> str:
    judgement = found.judgement
    played = f"{counted(judgement.n_secrets, 'secret')} played"
    if judgement.n_secrets > len(judgement.taken):
        played = f"{len(judgement.taken):,} of {counted(judgement.n_secrets, 'secret')} solved"
    figures = f"{played}, {fault_rows.figures(judgement)}"
    kind = "" if found.form == any_form.OWN_FORM else f"{found.form}, "
    if not found.ok:
        lines = [f"WRONG  {shown(file)}: {shown(found.reason)}"]
        if judgement.faults:
            how = f", {found.lists.how}" if found.lists.how else ""
            lines.append(f"       {kind}{figures}{how}")
        return render.prose("\n".join([*lines, *fault_rows.lines_of(judgement.faults)]))
    # that no strategy does better is for check-proof to say, not for playing this one
    claims = "; its claim to be best is not checked here" if found.claims else ""
    return render.prose(f"OK  {shown(file)}: {kind}{figures}, {found.lists.how}{claims}")
