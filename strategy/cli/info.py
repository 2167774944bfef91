"""Say what a file is: its game, lists, rule and results."""

from __future__ import annotations

import argparse
from typing import Any

from .. import container, lookup
from ..formats import summary
from . import common

HELP = "say what a file is"


def configure(parser: argparse.ArgumentParser) -> None:
    """The file."""
    parser.add_argument("file", metavar="FILE", help="a file that knuthle wrote")
    common.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print the head and the results."""
    common.check_outputs(args, inputs=[args.file])
    kind, body = container.read(args.file)
    result: dict[str, Any] = {"kind": container.KINDS[kind].removeprefix("a ").removeprefix("an ")}
    if kind == container.STRATEGY:
        result |= summary(lookup.from_body(body, args.file)[0])
    elif kind == container.PROOF:
        from dataclasses import asdict

        from ..proofs import file

        proof = file.from_body(body, args.file)
        result |= asdict(proof.statement)
        result |= {"claims": len(proof.claims), "refutations": len(proof.refutations)}
    elif kind == container.FINDINGS:
        read = lookup.Reader(body, args.file)
        result |= {**body, "found": len(read.take("found", list))}
    else:
        read = lookup.Reader(body, args.file)
        result |= lookup.head_of(lookup.read_origin(read)) | {"nodes": read.whole("nodes", 0)}
    width = max(map(len, result))
    text = "\n".join(f"{key:<{width}}  {_shown(value)}" for key, value in result.items())
    common.emit(args, text, result)
    return 0


def _shown(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key} {inner}" for key, inner in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.8f}" if isinstance(value, float) else str(value)
