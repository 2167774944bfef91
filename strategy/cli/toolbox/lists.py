"""Show the word lists that have names, keep one of your own under a name, or forget it.

A digest is the sha256 of the sorted words: two lists with the same digest are the same list. A list
that is kept can be named wherever --list is, and lies in ~/.local/share/knuthle/lists (or in
XDG_DATA_HOME) until it is removed.

Examples: knuthle lists
          knuthle lists add spanish.txt --name spanish
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...files.names import shown
from .. import options, output, render

if TYPE_CHECKING:
    from ...toolbox.lists import NamedPart

#: Characters of a digest on a narrow terminal: more than enough to tell lists apart.
_SHORT = 13


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lists``: what to do, with which list."""
    parser.add_argument(
        "action", nargs="?", choices=("add", "remove"), help="keep a list, or forget one"
    )
    parser.add_argument(
        "what", nargs="?", metavar="FILE|NAME", help="the file to add, or the name to remove"
    )
    parser.add_argument("--name", default="", help="what to call it (default: the file's name)")
    parser.add_argument(
        "--secrets", metavar="FILE", help="the words of it that may be hidden, its answers"
    )
    options.add_output_options(parser, csv_table=True)


def run(args: argparse.Namespace) -> int:
    """Run ``lists``: keep or remove a list if that is asked for, and print the table."""
    from solver.errors import WrongInputError

    from ...toolbox.lists import NamedPart, add_list, named_lists, remove_list

    output.check_outputs(args)
    if args.action and args.what is None:
        missing = "which file?" if args.action == "add" else "which list?"
        raise WrongInputError(f"lists {args.action}: {missing}")
    if args.action != "add" and (args.name or args.secrets):
        raise WrongInputError("--name and --secrets belong to lists add")
    if args.action == "add":
        told = None if args.quiet else lambda sentence: output.say(shown(sentence))
        more = {"told": told} if told else {}
        rows = add_list(args.what, args.name, args.secrets, force=args.force, **more)
    elif args.action == "remove":
        remove_list(args.what)
        rows = []
    else:
        rows = named_lists()
    text = f"{args.what} is removed" if args.action == "remove" else _table(rows)
    public = [row._asdict() for row in rows]
    output.emit(args, text, {"lists": public}, (NamedPart._fields, public))
    return 0


def _table(rows: Sequence[NamedPart]) -> str:
    cells = [(*map(shown, row[:2]), f"{row.n_words:,}", *map(shown, row[3:])) for row in rows]
    header = ("list", "part", "words", "digest", "origin")
    return render.table(header, cells, short={"digest": _SHORT}, flow=True)
