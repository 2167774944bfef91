"""Play every secret through a strategy file with the trusted checker.

The checker shares nothing with the search: it reads the file, grades by letters with its own few
lines, and imports neither numpy nor numba nor the solver. Exit 0: the strategy does what it says;
1: it is a strategy, but a wrong one; 2: it is no strategy file, or a damaged one.
"""

from __future__ import annotations

import argparse

from ... import audit
from ...errors import WrongStrategyError
from ...files import strategy_file
from ...files.names import shown
from ...files.notation import counted
from .. import options, output

HELP = "play every secret through a strategy file, by letters alone"


def configure(parser: argparse.ArgumentParser) -> None:
    """The file, lists to compare it with, a limit to hold it to."""
    parser.add_argument("file", metavar="FILE", help="a strategy file")
    parser.add_argument("--words", metavar="FILE", help="the guesses that it must be for")
    parser.add_argument(
        "--secrets", metavar="FILE", help="the secrets that it must solve (default: as --words)"
    )
    parser.add_argument(
        "--within", type=options.at_least_one, metavar="K", help="demand at most K guesses"
    )
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Check and print one line."""
    output.check_outputs(args, inputs=[args.file, args.words])
    contents = strategy_file.load(args.file)
    result = {"file": args.file, "ok": True, "reason": "", "digest": contents.digest}
    result |= dict.fromkeys(("n_secrets", "worst", "total", "mean", "compared"))
    try:
        verdict = audit.verify(contents, args.words, args.secrets, within=args.within)
    except WrongStrategyError as error:
        result |= {"ok": False, "reason": str(error)}
        output.emit(args, f"WRONG  {shown(args.file)}: {shown(error)}", result)
        return error.exit_code
    result |= {
        "n_secrets": len(verdict.taken),
        "worst": verdict.worst,
        "total": verdict.total,
        "mean": verdict.total / len(verdict.taken),
        "compared": verdict.lists,
    }
    # that no strategy does better is for check-proof to say, not for playing this one
    claims = "objective" in contents.origin.claim
    text = (
        f"OK  {shown(args.file)}: {counted(len(verdict.taken), 'secret')} played, "
        f"worst {verdict.worst}, total {verdict.total:,}, {verdict.lists}"
        f"{'; its claim to be best is not checked here' if claims else ''}"
    )
    output.emit(args, text, result)
    return 0
