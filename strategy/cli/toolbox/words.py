"""Make a list of words out of a dictionary that is installed, and say what is left out.

A dictionary is a file with a word a line, such as /usr/share/dict/spanish, or the .dic file of a
spelling checker (hunspell): its flags are stripped, and the endings that they allow are not made.
Lines with capitals (names), apostrophes, anything but letters, or another length are left out.

Examples: knuthle words /usr/share/dict/words --length 5 -o five.txt
          knuthle words /usr/share/dict/spanish --fold --keep ñ -o spanish.txt
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ...files.names import quoted
from ...files.notation import counted
from .. import options, output, render

if TYPE_CHECKING:
    from ...toolbox.dictionary import Gathered


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``words``: the dictionary, and which of its words are wanted."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="dictionaries: a word a line")
    group = parser.add_argument_group("which words")
    group.add_argument(
        "--length", type=options.at_least_one, default=5, metavar="N", help="letters in a word (5)"
    )
    group.add_argument(
        "--fold", action="store_true", help="take accents and other marks off letters: é is e"
    )
    group.add_argument(
        "--keep", default="", metavar="LETTERS", help="letters that --fold leaves alone, such as ñ"
    )
    group.add_argument(
        "--letters",
        default="",
        metavar="LETTERS",
        help="only words of these letters, such as a-zñ, or 0-9 (default: any letters, no digits)",
    )
    group.add_argument(
        "--names", action="store_true", help="words with capitals too, as German nouns have them"
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


def run(args: argparse.Namespace) -> int:
    """Run ``words``: read a dictionary, write the list, say what was left out."""
    output.check_outputs(args)
    from ...toolbox.dictionary import words_from

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
    if out and found.words:
        output.write_text(out, _lines(found), args.force)
    result = {
        "count": len(found.words),
        "length": args.length,
        "letters": found.letters,
        "digest": found.digest,
        "left_out": found.left_out,
        "words": found.words,
    }
    text = "" if out else _lines(found).rstrip("\n")
    if args.json or text:
        output.emit(args, text, result)
    if not args.quiet:
        output.say(_about(args, found))
    return 0 if found.words else 1


def _lines(found: Gathered) -> str:
    return "".join(f"{word}\n" for word in found.words)


def _about(args: argparse.Namespace, found: Gathered) -> str:
    """What was taken, and what was left out for which reason."""
    letters = f" of {counted(len(found.letters), 'letter')}: {found.letters}"
    lines = [f"{counted(len(found.words), 'word')}{letters if found.words else ''}"]
    rows = [
        (reason, f"{count:,}", ", ".join(map(quoted, found.examples[reason])))
        for reason, count in found.left_out.items()
    ]
    if rows:
        lines.append(render.table(("left out", "lines", "such as"), rows))
    if any(name.lower().endswith(".dic") for name in args.files):
        lines.append("flags of the spelling checker were stripped; its endings were not made")
    return "\n".join(lines)
