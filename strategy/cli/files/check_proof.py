"""Check a proof that an exact search has written, without the search.

Every claim in the file is derived again: all guesses are tried in every state that the proof rests
on, scores come from letters, no number of the file is believed, and the strategy that it holds is
played. Exit 0: proved; 1: it is a proof, but it does not prove what it states; 2: it is no proof
file, a damaged one, or the lists are not at hand.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from .. import options, output

HELP = "check a proof of 'optimal' with separate code"


def configure(parser: argparse.ArgumentParser) -> None:
    """The file, and the lists if they are not shipped."""
    parser.add_argument("file", metavar="FILE", help="a proof that 'optimal --proof' wrote")
    parser.add_argument("--words", metavar="FILE", help="the guesses that it must be about")
    parser.add_argument("--secrets", metavar="FILE", help="the secrets that it must be about")
    options.add_workers_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Check and print one line."""
    from solver.machine.pool import available_cores

    from ... import referee
    from ...proofs.checker import check, proof_file
    from ...proofs.checker.steps import WrongProofError

    output.check_outputs(args, inputs=[args.file, args.words])
    words = referee.read_list(args.words) if args.words else None
    secrets = referee.read_list(args.secrets) if args.secrets else None
    proof = proof_file.load(args.file)
    output.say_when_compiling(args.quiet)
    listed = len(proof.claims) + len(proof.refutations)
    result = {"file": args.file, "ok": True, "reason": ""} | asdict(proof.statement)
    result |= {"claims": len(proof.claims), "refutations": len(proof.refutations)}
    try:
        with output.Progress(args.quiet, "step") as progress:
            check.check(
                proof,
                words,
                secrets,
                lambda new, whole: progress("checking", new, whole),
                args.workers or available_cores(),
            )
    except WrongProofError as error:
        result |= {"ok": False, "reason": str(error)}
        output.emit(args, f"NOT PROVED  {args.file}: {error}", result)
        return error.exit_code
    text = (
        f"PROVED  {check.summary(proof)}\n"
        f"        {listed:,} claims and refutations derived again; guesses "
        f"{proof.statement.guesses_digest[:16]}…, secrets {proof.statement.secrets_digest[:16]}…"
    )
    output.emit(args, text, result)
    return 0
