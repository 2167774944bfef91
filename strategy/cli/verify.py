"""The commands ``verify`` and ``check-proof``: files that are checked independently."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import Any

from .. import verification
from ..columns import attributes
from ..errors import BadFileError
from ..files import text_forms
from ..files.output import Kind
from ..files.text import counted, printable
from . import options, output, tables


def _configure_verify(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a strategy in any form, or a proof")
    options.add_requirement_options(parser)
    options.add(parser, "--within", help="no secret may take more than K guesses (none)")
    about = "add up its guesses by the weights of secrets, and check what it claims of that"
    options.add(parser, "--weights", help=about)
    options.add(parser, "--out", help="write it as a strategy file if right")


def run_verify(args: Namespace) -> int:
    """Check a strategy of any form: play a game for every secret, and list every
    fault.

    FILE is a strategy file of knuthle, an indented tree of text, nested JSON, or
    lines with one game each; the form is recognised. The checker is separate from
    the search: it reads the file, grades by letters with its own code, and loads
    neither numpy nor numba nor the solver. Exit 0: the strategy does what it says;
    1: it is a strategy, but a wrong one; 2: it cannot be read.

    --out turns a right strategy of any form into a strategy file; with --hard it
    must follow hard mode, and the file says so. A proof is checked as by
    'check-proof'.

    Examples: knuthle verify lares-original-allowed-minimax.strategy --within 7
              knuthle verify salet.tree --hard -o salet.strategy
    """
    content = text_forms.bytes_of(args.file)
    if Kind.of(content[:64]) is Kind.PROOF:
        if args.hard or args.game or args.out or args.weights or args.within is not None:
            raise BadFileError("proof", "a proof says its game and limit: only lists can be given")
        return _check_proof(args, content)
    asked = args.list_name, args.secrets, args.hard, args.within, args.game, args.weights
    found = verification.examine_bytes(content, args.file, verification.Requirements(*asked))
    facts = _examined_facts(args.file, found)
    if args.weights is not None:
        facts["weights"] = found.weighed
    text = _verified_text(args.file, found)
    if args.out is not None:
        facts["out"] = args.out if found.strategy else None
        if found.strategy is None:
            text += "; nothing is written"
        else:
            found.strategy.save(args.out, force=args.force)
            text += f"\nwritten to {printable(args.out)}"
    output.emit(args, text, facts)
    return 0 if found.ok else 1


def _examined_facts(file: str, found: verification.Examined) -> dict[str, Any]:
    """The JSON of a strategy's file that was examined: its figures and its faults."""
    result = found.result
    return {
        "file": file,
        **attributes(found, "form ok reason digest"),
        "n_secrets": result.n_secrets,
        "n_solved": len(result.taken),
        **attributes(result, "histogram worst total mean"),
        "compared": found.lists.how or None,
        "n_faults": len(result.faults),
        "faults": [
            {"fault": it.kind, "word": it.word, "line": it.line, "reason": it.text}
            for it in result.faults
        ],
    }


def _verified_text(file: str, found: verification.Examined) -> str:
    result = found.result
    figures = f"{counted(result.n_secrets, 'secret')} played"
    if result.n_secrets > len(result.taken):
        figures = f"{len(result.taken):,} of {counted(result.n_secrets, 'secret')} solved"
    if result.taken:
        figures += f", worst {result.worst}, total {result.total:,}, mean {result.mean:.4f}"
    else:
        figures += ", no worst, no total"
    kind = "" if found.form == verification.OWN_FORM else f"{found.form}, "
    if not found.ok:
        lines = [f"WRONG  {printable(file)}: {printable(found.reason)}"]
        if result.faults:
            how = f", {found.lists.how}" if found.lists.how else ""
            lines.append(f"       {kind}{figures}{how}")
        lines += tables.first_lines([f"  {printable(fault)}" for fault in result.faults])
        return tables.prose("\n".join(lines))
    # that no strategy does better is for check-proof to say, not for playing this one
    claims = "; its claim to be best is not checked here" if found.claims else ""
    weighed = found.weighed
    if weighed is not None:
        figures += ", by weight total {total:,}, mean {mean:.4f}".format(**weighed)
    elif found.strategy is not None and found.strategy.origin.weights:
        claims = "; its claim to be best by weight is not checked here"
    return tables.prose(f"OK  {printable(file)}: {kind}{figures}, {found.lists.how}{claims}")


def _configure_check_proof(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a proof that 'optimal --proof' wrote")
    options.add(parser, "--words", help="the guesses that it must be about")
    about = "the secrets that it must be about"
    options.add(parser, "--secrets", metavar="NAME|FILE", help=about)
    options.add(parser, "--plain", "--workers")


def run_check_proof(args: Namespace) -> int:
    """Check a proof that 'optimal --proof' has written, without the search.

    The checker proves every claim in the file again: it tries all guesses in every
    state of the proof (in Mastermind one of each kind that is equal by symmetry),
    grades from letters or pegs, trusts no number of the file, and plays the
    strategy in it. Exit 0: proved; 1: the check failed; 2: the file is
    not a proof, is damaged, or needs lists that are missing.

    Examples: knuthle check-proof salet.proof
              knuthle check-proof salet.proof --list words.txt --json -
    """
    return _check_proof(args, text_forms.bytes_of(args.file))


def _check_proof(args: Namespace, content: bytes) -> int:
    if getattr(args, "plain", False):  # read by the way to compile, which is not loaded yet
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    from ..checkers.proof import WrongProofError
    from ..proofs import proof_file

    proof = proof_file.from_bytes(content, args.file)
    result = {"file": args.file, "ok": True, "reason": ""} | verification.summary_of_proof(proof)
    try:
        with output.at_work(args.quiet) as progress:
            how: Any = {"progress": partial(progress, "checking")}
            how["workers"] = getattr(args, "workers", None)
            verification.derive(proof, args.list_name, args.secrets, **how)
    except WrongProofError as error:
        result |= {"ok": False, "reason": str(error)}
        output.emit(args, f"NOT PROVED  {printable(args.file)}: {printable(error)}", result)
        return error.exit_code
    stated = proof.statement
    lists = f"guesses {stated.guesses_digest[:16]}…, secrets {stated.secrets_digest[:16]}…"
    lists = f"codes {stated.secrets_digest[:16]}…" if stated.is_pegs else lists
    n_items = len(proof.claims) + len(proof.refutations)
    again = f"{n_items:,} claims and refutations derived again; {lists}"
    output.emit(args, f"PROVED  {proof_file.summary(proof)}\n        {again}", result)
    return 0
