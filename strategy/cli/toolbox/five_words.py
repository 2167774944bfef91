"""Find all sets of five words with twenty-five different letters (or N words of L letters).

Any files of words will do, one word a line; several are joined. Case is folded, any letters of
Unicode count, and lines with anything else or with another length are skipped and counted.
Without --anagrams, words with the same letters count as one, shown by the first of them.

Examples: knuthle five-words
          knuthle five-words words.txt --anagrams
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

from ...files.notation import counted
from .. import options, output

if TYPE_CHECKING:
    from ...toolbox.five_words import FoundSets


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``five-words``: the words, and what to make of them."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of words (-: stdin)")
    parser.add_argument(
        "--list",
        dest="list_name",
        metavar="NAME|FILE",
        help="a word list, joined with the files if there are any (default without: original)",
    )
    parser.add_argument(
        "--count", type=options.at_least_one, default=5, metavar="N", help="words in a set (5)"
    )
    parser.add_argument(
        "--letters", type=options.at_least_one, default=5, metavar="L", help="letters in a word (5)"
    )
    parser.add_argument(
        "--anagrams", action="store_true", help="count words with the same letters one by one"
    )
    options.add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Run ``five-words``: read words, search sets that share no letter, show them."""
    started = time.perf_counter()
    output.check_outputs(args)
    from ...toolbox.five_words import five_words

    output.say_when_compiling(args.quiet)
    imported = time.perf_counter()
    files = [*([args.list_name] if args.list_name else []), *args.files]
    found = five_words(files=files, count=args.count, letters=args.letters, anagrams=args.anagrams)
    done = time.perf_counter()
    seconds = {
        "read": found.seconds["read"],
        "imports": imported - started,
        "search": found.seconds["search"],
        "all": done - started,
    }
    result = {
        "sets": found.sets,
        "count": len(found.sets),
        "n_words": found.words_read,
        "n_skipped": found.skipped,
        "n_letter_sets": found.masks,
        "seconds": {name: round(value, 6) for name, value in seconds.items()},
    }
    output.emit(args, _text(args, found), result)
    if not args.quiet:
        parts = ", ".join(f"{name} {value:.4f}" for name, value in seconds.items())
        output.say(f"seconds: {parts}")
    return 0


def _text(args: argparse.Namespace, found: FoundSets) -> str:
    """The sets, one a line, then the count."""
    number, letters = len(found.sets), args.count * args.letters
    what = f"{args.count} word{'s'[: args.count > 1]} with {letters} different letters"
    lines = [" ".join(words) for words in found.sets]
    lines.append(f"{counted(number, 'set')} of {what}" if number else f"no {what}")
    lines.append(
        f"{found.words_read:,} words of {args.letters} letters, {found.skipped:,} lines skipped, "
        f"{found.masks:,} different sets of letters without a repeat"
    )
    return "\n".join(lines)
