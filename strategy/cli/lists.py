"""The commands ``lists`` and ``words``: named word lists, and lists made of dictionaries."""

from __future__ import annotations

import argparse

from solver.errors import WrongInputError

from ..columns import Column, names, records
from ..files.text import counted, printable, quoted
from ..toolbox.lists import Gathered, add_list, named_lists, remove_list, words_from
from . import options, output, tables

# ---- lists

#: Characters of a digest on a narrow terminal: more than enough to tell lists apart.
_SHORT_DIGEST = 13
#: What a terminal does without that has no room for it, the first one first.
_SPARE = ("origin", "digest")

_LIST_COLUMNS = (
    Column("list", "list", lambda row: printable(row.list)),
    Column("part", "part", lambda row: printable(row.part)),
    Column("n_words", "words", ",d"),
    Column("digest", "digest", lambda row: printable(row.digest)),
    Column("origin", "origin", lambda row: printable(row.origin)),
)


def configure_lists(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``lists``: what to do, with which list."""
    parser.add_argument(
        "action", nargs="?", choices=("add", "remove"), help="add a list, or remove one"
    )
    parser.add_argument(
        "what", nargs="?", metavar="FILE|NAME", help="the file to add, or the name to remove"
    )
    parser.add_argument("--name", default="", help="what to call it (default: the file's name)")
    parser.add_argument(
        "--secrets", metavar="FILE", help="the words of it that may be hidden, its answers"
    )
    options.add_output_options(parser, csv_table=True)


def run_lists(args: argparse.Namespace) -> int:
    """Show the word lists, add one of your own under a name, or remove it.

    A digest is the sha256 of the sorted words: two lists with the same digest are
    the same list. A list that you add can be used by its name wherever --list is.
    Past answers are kept the same way, for --used: lists add past.txt --name past.
    It is stored in ~/.local/share/knuthle/lists (or in XDG_DATA_HOME) until you
    remove it.

    Examples: knuthle lists
              knuthle lists add spanish.txt --name spanish
    """
    output.check_outputs(args)
    if args.action and args.what is None:
        missing = "which file?" if args.action == "add" else "which list?"
        raise WrongInputError(f"lists {args.action}: {missing}")
    if args.action != "add" and (args.name or args.secrets):
        raise WrongInputError("--name and --secrets belong to lists add")
    if args.action == "add":
        more = {} if args.quiet else {"remark": lambda sentence: output.say(printable(sentence))}
        rows = add_list(args.what, args.name, args.secrets, force=args.force, **more)
    elif args.action == "remove":
        remove_list(args.what)
        rows = []
    else:
        rows = named_lists()
    text = tables.table_of(
        _LIST_COLUMNS, rows, short={"digest": _SHORT_DIGEST}, flow=True, spare=_SPARE
    )
    if args.action == "remove":
        text = f"{args.what} is removed"
    public = records(_LIST_COLUMNS, rows)
    output.emit(args, text, {"lists": public}, (names(_LIST_COLUMNS), public))
    return 0


# ---- words


def configure_words(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``words``: the dictionary, and which of its words are wanted."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="dictionaries: a word a line")
    group = parser.add_argument_group("which words")
    group.add_argument("--length", **options.COUNT, default=5, help="letters in a word (5)")
    group.add_argument(
        "--fold", action="store_true", help="remove accents and other marks: é becomes e"
    )
    group.add_argument(
        "--keep",
        default="",
        metavar="LETTERS",
        help="letters that --fold does not change, such as ñ",
    )
    group.add_argument(
        "--letters",
        default="",
        metavar="LETTERS",
        help="only words of these letters, such as a-zñ, or 0-9 (default: any letters, no digits)",
    )
    group.add_argument(
        "--names", action="store_true", help="also words with capitals, e.g. German nouns"
    )
    group.add_argument(
        "--encoding",
        default="",
        metavar="NAME",
        help="how the files are written, such as latin-1 (default: as the .aff file beside a .dic "
        "says, else utf-8)",
    )
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="write the list there (default: to stdout)"
    )
    options.add_output_options(parser)


def run_words(args: argparse.Namespace) -> int:
    """Make a word list from a dictionary, and say which lines are left out and why.

    A dictionary is a file with one word per line, such as /usr/share/dict/spanish,
    or the .dic file of a spelling checker (hunspell): its flags are removed, and
    the endings that they allow are not added. Lines with capitals (names),
    apostrophes, other characters than letters, or another length are left out.

    Examples: knuthle words /usr/share/dict/words --length 5 -o five.txt
              knuthle words /usr/share/dict/spanish --fold --keep ñ -o spanish.txt
    """
    output.check_outputs(args)
    found = words_from(
        args.files,
        args.length,
        fold=args.fold,
        keep=args.keep,
        letters=args.letters,
        names=args.names,
        encoding=args.encoding,
    )
    out = None if args.out == "-" else args.out
    lines = "".join(f"{word}\n" for word in found.words)
    if out and lines:
        output.write_text(out, lines, args.force)
    result = {
        "count": len(found.words),
        "length": args.length,
        "letters": found.letters,
        "digest": found.digest,
        "left_out": found.left_out,
        "words": found.words,
    }
    text = "" if out else lines.rstrip("\n")
    if args.json or text:
        output.emit(args, text, result)
    if not args.quiet:
        output.say(_words_about(args, found))
    return 0 if found.words else 1


def _words_about(args: argparse.Namespace, found: Gathered) -> str:
    """What was taken, and what was left out for which reason."""
    letters = f" of {counted(len(found.letters), 'letter')}: {found.letters}"
    lines = [f"{counted(len(found.words), 'word')}{letters if found.words else ''}"]
    rows = [
        (reason, f"{count:,}", ", ".join(map(quoted, found.examples[reason])))
        for reason, count in found.left_out.items()
    ]
    if rows:
        lines.append(tables.table(("left out", "lines", "such as"), rows))
    if "capital" in found.left_out:
        lines.append("words with capitals were taken for names; --names takes them (German nouns)")
    if any(name.lower().endswith(".dic") for name in args.files):
        lines.append("flags of the spelling checker were removed; its endings were not added")
    return "\n".join(lines)
