"""Say what a file is: its game, lists, rule and results."""

from __future__ import annotations

import argparse
from typing import Any

from ...exports import summary
from ...files import envelope, strategy_file
from ...tree import Strategy
from .. import options, output

HELP = "say what a file is"


def configure(parser: argparse.ArgumentParser) -> None:
    """The file."""
    parser.add_argument("file", metavar="FILE", help="a file that knuthle wrote")
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print the head and the results."""
    output.check_outputs(args, inputs=[args.file])
    kind, body = envelope.read(args.file)
    result: dict[str, Any] = {"kind": envelope.KINDS[kind].removeprefix("a ").removeprefix("an ")}
    if kind == envelope.STRATEGY:
        result |= summary(Strategy.of_file(strategy_file.from_body(body, args.file)))
    elif kind == envelope.PROOF:
        from dataclasses import asdict

        from ...proofs.checker import proof_file

        proof = proof_file.from_body(body, args.file)
        result |= asdict(proof.statement)
        result |= {"claims": len(proof.claims), "refutations": len(proof.refutations)}
    elif kind == envelope.FINDINGS:
        read = strategy_file.Reader(body, args.file)
        result |= {**body, "found": len(read.take("found", list))}
    else:
        read = strategy_file.Reader(body, args.file)
        result |= strategy_file.head_of(strategy_file.read_origin(read))
        result["nodes"] = read.whole("nodes", 0)
    width = max(map(len, result))
    text = "\n".join(f"{key:<{width}}  {_shown(value)}" for key, value in result.items())
    output.emit(args, text, result)
    return 0


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.8f}" if isinstance(value, float) else str(value)
