"""Check a proof that an exact search has written, without the search.

Every claim in the file is derived again: all guesses are tried in every state that the proof rests
on, scores come from letters, no number of the file is believed, and the strategy that it holds is
played. Exit 0: proved; 1: it is a proof, but it does not prove what it states; 2: it is no proof
file, a damaged one, or the lists are not at hand.

Examples: knuthle check-proof salet.proof
          knuthle check-proof salet.proof --words words.txt --json -
"""

from __future__ import annotations

import argparse
from functools import partial

from ... import verification
from ...files.names import shown
from .. import options, output
from ..progress import Progress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``check-proof``: the file, and the lists if they are not shipped."""
    parser.add_argument("file", metavar="FILE", help="a proof that 'optimal --proof' wrote")
    parser.add_argument("--words", metavar="FILE", help="the guesses that it must be about")
    parser.add_argument("--secrets", metavar="FILE", help="the secrets that it must be about")
    options.add_workers_option(parser)
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``check-proof``: check a proof and print one line."""
    from ...proofs.checker import check, proof_file
    from ...proofs.checker.steps import WrongProofError

    output.check_outputs(args, inputs=[args.file, args.words])
    proof = proof_file.load(args.file)
    output.say_when_compiling(args.quiet)
    result = {"file": args.file, "ok": True, "reason": ""} | verification.summary_of_proof(proof)
    try:
        with Progress(args.quiet) as progress:
            told = partial(progress, "checking")
            verification.check_proof(
                proof, args.words, args.secrets, workers=args.workers, told=told
            )
    except WrongProofError as error:
        result |= {"ok": False, "reason": str(error)}
        output.emit(args, f"NOT PROVED  {shown(args.file)}: {shown(error)}", result)
        return error.exit_code
    text = (
        f"PROVED  {check.summary(proof)}\n"
        f"        {len(proof.claims) + len(proof.refutations):,} claims and refutations derived "
        f"again; guesses {proof.statement.guesses_digest[:16]}…, "
        f"secrets {proof.statement.secrets_digest[:16]}…"
    )
    output.emit(args, text, result)
    return 0
