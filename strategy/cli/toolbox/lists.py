"""Show the shipped word lists: counts, digests, origin.

A digest is the sha256 of the sorted words: two lists with the same digest are the same list.

Examples: knuthle lists
          knuthle lists --json -
"""

from __future__ import annotations

import argparse

from .. import options, output, render

#: Characters of a digest on a narrow terminal: more than enough to tell lists apart.
_SHORT = 13


def configure(parser: argparse.ArgumentParser) -> None:
    """Only the output options."""
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from ...toolbox.lists import ShippedList, shipped_lists

    output.check_outputs(args)
    rows = shipped_lists()
    shown = [(*row[:2], f"{row.n_words:,}", *row[3:]) for row in rows]
    header = ("list", "part", "words", "digest", "origin")
    text = render.table(header, shown, short={"digest": _SHORT}, flow=True)
    public = [row._asdict() for row in rows]
    output.emit(args, text, {"lists": public}, (ShippedList._fields, public))
    return 0
