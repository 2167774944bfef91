"""The command ``lists``: named word lists, and lists made of dictionaries."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from unicodedata import normalize

from solver.words.lists import load_lists

from ..columns import Column, attributes, names, records
from ..files.text import counted, printable, quoted
from ..toolbox.lists import NamedPart, add_list, named_lists, remove_list, words_from
from . import options, output, tables

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


def _configure_lists(parser: ArgumentParser) -> None:
    options.add_output_options(parser, csv_table=True)
    options.add_actions(parser, _ACTIONS, required=False)


def run_lists(args: Namespace) -> int | None:
    """Show the word lists; make, add, show or remove one.

    A digest is the sha256 of the sorted words: two lists with the same digest are
    the same list. A list that you add can be used by its name wherever --list is.
    Past answers are kept the same way, for --used: lists add past.txt --name past.
    It is stored in ~/.local/share/knuthle/lists (or in XDG_DATA_HOME) until you
    remove it.

    Examples: knuthle lists
              knuthle lists add spanish.txt --name spanish
    """
    if args.action:
        return _ACTIONS[args.action].run(args)
    _emit_rows(args, named_lists())
    return None


def _emit_rows(args: Namespace, rows: Sequence[NamedPart], text: str = "") -> None:
    text = text or tables.table_of(
        _LIST_COLUMNS, rows, short={"digest": _SHORT_DIGEST}, flow=True, spare=_SPARE
    )
    result = {"lists": records(_LIST_COLUMNS, rows)}
    output.emit(args, text, result, (names(_LIST_COLUMNS), "lists"))


def _configure_add(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="the words, one a line")
    options.add(parser, "--name")
    about = "the words of it that may be hidden, its answers"
    options.add(parser, "--secrets", metavar="FILE", help=about)


def _add(args: Namespace) -> None:
    """Keep a list of your own under a name, which then stands for it wherever --list is.

    Examples: knuthle lists add spanish.txt --name spanish
              knuthle lists add words.txt --secrets answers.txt
    """
    remark = output.remarks(args.quiet)
    rows = add_list(args.file, args.name, args.secrets, force=args.force, remark=remark)
    _emit_rows(args, rows)


def _configure_remove(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a list that was added")


def _remove(args: Namespace) -> None:
    """Remove a list that you have added.

    Examples: knuthle lists remove spanish
    """
    remove_list(args.name)
    _emit_rows(args, [], f"{printable(args.name)} is removed")


def _configure_show(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME|FILE", help="the list")
    options.add(parser, "--answers")


def _show(args: Namespace) -> None:
    """Print the words of a list, one a line.

    Examples: knuthle lists show original --answers
              knuthle lists show nyt-2023 | grep '^q'
    """
    short, allowed, answers = load_lists(args.name)
    found = answers if args.answers else allowed
    facts = {"count": len(found.words), "digest": found.digest, "words": found.words}
    output.emit(args, "\n".join(found.words), {"list": short, "part": found.name, **facts})


def _configure_make(parser: ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="dictionaries: a word a line")
    group = parser.add_argument_group("which words")
    options.add(group, "--length", "--fold", "--keep", "--only", "--names", "--encoding")
    options.add(parser, "--out", help="write the list there (default: to stdout)")


def _make(args: Namespace) -> int:
    """Make a word list from a dictionary, and say which lines are left out and why.

    A dictionary is a file with one word per line, such as /usr/share/dict/spanish,
    or the .dic file of a spelling checker (hunspell): its flags are removed, and
    the endings that they allow are not added. Lines with capitals (names),
    apostrophes, other characters than letters, or another length are left out.

    Examples: knuthle lists make /usr/share/dict/words --length 5 -o five.txt
              knuthle lists make /usr/share/dict/spanish --fold --keep ñ -o es.txt
    """
    found = words_from(args.files, args.length, **options.asked(words_from, args))
    out = None if args.out == "-" else args.out
    lines = "".join(f"{word}\n" for word in found.words)
    if out and lines:
        output.write_text(out, lines, args.force)
    result = {
        "count": len(found.words),
        "length": args.length,
        **attributes(found, "letters digest left_out words"),
    }
    output.emit(args, None if out or not lines else lines.rstrip("\n"), result)
    letters = f" of {counted(len(found.letters), 'letter')}: {found.letters}"
    about = [f"{counted(len(found.words), 'word')}{letters if found.words else ''}"]
    rows = []  # what was left out, for which reason
    for reason, count in found.left_out.items():
        rows.append((reason, f"{count:,}", ", ".join(map(quoted, found.examples[reason]))))
    if rows:
        about.append(tables.table(("left out", "lines", "such as"), rows))
    if "capital" in found.left_out:
        about.append("words with capitals were taken for names; --names takes them (German nouns)")
    if not args.fold and any(len(normalize("NFD", letter)) > 1 for letter in found.letters):
        about.append("letters with marks are letters of their own; --fold makes é an e")
    if any(name.lower().endswith(".dic") for name in args.files):
        about.append("flags of the spelling checker were removed; its endings were not added")
    if not args.quiet:
        output.say("\n".join(about))
    return 0 if found.words else 1


_ACTIONS = {
    "make": options.Action("make a list of a dictionary", _configure_make, _make),
    "add": options.Action(
        "keep a list of your own under a name", _configure_add, _add, csv_table=True
    ),
    "show": options.Action("print the words of a list", _configure_show, _show),
    "remove": options.Action("remove a list that you have added", _configure_remove, _remove),
}
