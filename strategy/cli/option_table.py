"""The options of the commands: what each takes, what holds without it, and a sentence of help.

What a command says of an option in words of its own stands with the command, on top of this. Names
to choose from are those of ``solver/choices``, which is looked into when such an option is added:
to check a file loads no solver.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from math import inf
from typing import Any

from ..files.text import COLOURS, MOST_LETTERS, printable

#: How a reply is written, on every help page that takes one.
MARKS = "b grey (or x, -), y yellow (or p), g green (or o)"
#: The limit that a game has unless an option says otherwise.
USUAL = "usual"
#: More than any table has rows, and far from what 64 bits cannot hold.
_MOST = 1_000_000_000
#: The highest limit on the guesses of a game; ``solver/choices`` has the same.
_HIGHEST_LIMIT = 1_000_000
#: More worker processes than any machine has cores.
_MOST_WORKERS = 1024
#: Three years, and a week: longer than anybody waits for a search, and for one answer.
_LONGEST, LONGEST_ANSWER = 100_000_000, 604_800
#: So many characters of a number are shown when it is refused.
_SHOWN = 40
#: What may be a whole number, and any number: no spaces, no +, no figures of other scripts.
_WHOLE, _FIGURES = re.compile("-?[0-9]+"), re.compile("[0-9a-z.-][0-9a-z.+-]*")


def seconds(text: str, most: int = _LONGEST) -> float:
    """The seconds of an option, as an argparse type: more than none and not for ever."""
    shown = printable(text, _SHOWN)
    try:
        number = float(text if _FIGURES.fullmatch(text) else "")
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{shown}' is not a number of seconds") from None
    if not 0 < number < inf:
        raise argparse.ArgumentTypeError(f"{shown} is no time to wait")
    if number > most:
        raise argparse.ArgumentTypeError(f"{shown} is too large: at most {most} seconds")
    return number


def whole(least: int, most: int = _MOST) -> Callable[[str], int]:
    """An argparse type: a whole number from ``least`` to ``most``, anything else refused."""

    def number_of(text: str) -> int:
        shown = printable(text, _SHOWN)
        if not _WHOLE.fullmatch(text):
            raise argparse.ArgumentTypeError(f"'{shown}' is not a whole number")
        # a number of so many digits is out of range, and Python would not read the longest
        number = int(text) if len(text) <= _SHOWN else most + 1
        if number < least or text.startswith("-"):
            raise argparse.ArgumentTypeError(f"{shown} is too small: at least {least}")
        if number > most:
            raise argparse.ArgumentTypeError(f"{shown} is too large: at most {most}")
        return number

    return number_of


def or_word(word: str, means: Any, number: Callable[[str], Any]) -> Callable[[str], Any]:
    """An argparse type: a number, or a word that ``means`` something else."""
    return lambda text: means if text == word else number(text)


def shard(text: str) -> tuple[int, int]:
    """An argparse type: one of so many parts."""
    found = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        shown = printable(text, _SHOWN)
        raise argparse.ArgumentTypeError(f"'{shown}' is no part such as 3/8, the third of eight")
    return int(found[1]), int(found[2])


#: A count, a count that may be 0, and a limit on the guesses of a game: whole numbers.
_COUNT, _FROM_ZERO, LIMIT_OF_GAME = whole(1), whole(0), whole(1, _HIGHEST_LIMIT)
_LETTERS, _PORT = whole(1, MOST_LETTERS), whole(1, 65_535)
#: Whole seconds, since a card says them.
SECONDS_OF_A_ROW = whole(1, _LONGEST)
#: The same limit, or none.
LIMIT_OR_NONE = or_word("none", None, LIMIT_OF_GAME)
#: What an option takes that is a whole number from 1, such as how many there are.
COUNT: Any = {"type": _COUNT, "metavar": "N"}


def _option(
    about: str = "", takes: str = "", kind: Any = None, default: Any = None, **more: Any
) -> dict[str, Any]:
    """What argparse is given for an option; one that takes nothing is on or off."""
    if not takes and "choices" not in more:
        return {"help": about, "action": "store_true", **more}
    return {"help": about, "metavar": takes or None, "type": kind, "default": default, **more}


def _choice(about: str, names: Any, **more: Any) -> dict[str, Any]:
    """What argparse is given for an option that takes one of some names, usually the first."""
    return _option(about, default=..., choices=names, **more)


_FILE, _PICTURE = "FILE", "FILE.svg|png|pdf"
#: The options by their names. Where other names are ``typed``, an option has a short form or means
#: something else with one command.
OPTIONS: dict[str, dict[str, Any]] = {
    # which game, and what is known of it
    "--list": _option(takes="NAME|FILE", dest="list_name"),
    "--words": _option(takes="NAME|FILE", dest="list_name", typed="--list --words"),
    "--secrets": _option(takes="allowed|answers|FILE"),
    "--game": _option(
        "the rule of grading (default: wordle)", "wordle|mastermind:HxC[:distinct]", None, "wordle"
    ),
    "--used": _option(
        "past answers are less likely, as measured: the newspaper's, or those of a file or kept "
        "list; 'exclude' alone, or before one as exclude:FILE, leaves them out",
        "[exclude:]FILE|NAME",
        nargs="?",
        const="weigh",
    ),
    "--weights": _option(
        "how likely each answer is, one line 'word weight' each; other words cannot be the answer",
        _FILE,
    ),
    "--boards": _option("boards that share their guesses, 1 to 32", "N", _COUNT, 1),
    "--pattern": _option(
        "what else is known, such as 'c.a.e' or 'contains ab, b not 3' (again for more)",
        "TEXT",
        action="append",
        default=[],
    ),
    "--secret": _option("the hidden word, one per board", "WORD[,WORD…]"),
    "--seed": _option(
        "draw the word by this number: the same N, the same word", "N", whole(0, 2**63 - 1)
    ),
    "--adversary": _option("no fixed word: replies keep the most words possible"),
    "--no-statistics": _option("neither count this game nor show figures"),
    "--games": _option("review many games, a line each", "FILE|-"),
    "--exact": _option("search the first guess to the end too (minutes)"),
    "--allow-unknown": _option("accept words that are not on the list"),
    "--protocol": _option("answer as a player of knuthle referee, on one board"),
    # how guesses are chosen
    "--start": _option(
        "the first guesses, whatever the replies", "WORD[,WORD…]|auto", default="auto"
    ),
    "--rule": _choice("how the next guess is chosen: {choices}", "RULES", metavar="RULE"),
    "--guess-from": _choice(
        "guess any allowed word, only secrets, or only words that are still possible", "GUESS_POOLS"
    ),
    "--hard": _option("hard mode: greens stay in place, yellow letters must be used again"),
    "--no-hard": _option("no hard mode, whatever the settings say"),
    "--common": _option("prefer common words where they cost at most 0.02 guesses more"),
    "--by": _option(
        "{choices} (exact guesses if they are known, else entropy)", "MEASURE", choices="MEASURES"
    ),
    "--strategy": _option("a strategy file", _FILE),
    # what is best, and how it is searched
    "--objective": _choice("what is made least", "OBJECTIVES"),
    "--swept": _option(
        "what is made least; possible: only find out if the limit can be met (total)",
        choices="SWEPT_OBJECTIVES",
        typed="--objective",
    ),
    "--then": _option(
        "among equal totals: the least worst case, the most secrets within K guesses, or the "
        "fewest that take exactly K",
        "worst|most-within:K|fewest-of:K",
    ),
    "--opponent": _choice(
        "secret: one word is hidden; adversary: none is, each reply keeps the most words "
        "possible, and what is found is the shortest win with all openers that have it",
        "OPPONENTS",
    ),
    "--within": _option(
        "no secret may take more guesses; none lifts the limit", "K|none", LIMIT_OR_NONE
    ),
    "--pure": _option(
        "with --within: use the rule alone, without repair; exit 1 and no file if it fails"
    ),
    "--state": _option(
        f"the best next guesses after words with their colours, crane.bybbg: {MARKS}", "STATE"
    ),
    "--time-limit": _option("give up after S seconds: exit 3, no file", "S", seconds),
    "--width": _option(
        "try only the N most promising guesses of each state: quick, but only a bound, which a "
        "wider search begins with and never makes worse; with --start and --time-limit the rest of "
        "the time raises the bound from below; auto: widen step by step, until the time limit "
        "(exit 0 then, with the best so far) or, without one, until two widths have bettered "
        "nothing; the same by any number of workers, as far as a width is searched whole",
        "N|auto",
        or_word("auto", "auto", _COUNT),
    ),
    "--resume": _option("continue from FILE; an interrupted run leaves it there", _FILE),
    "--recheck": _option(
        "do not trust --resume FILE: search all of it again, and report errors in it"
    ),
    "--proof": _option("write a proof that check-proof can check (takes minutes)", _FILE),
    "--plain": _option("compile nothing: slow, for who trusts no compiler"),
    "--openers": _option(
        "every guess, the answers of the list, or those named",
        "all|answers|FILE|WORD,…",
        default="all",
    ),
    "--shard": _option("do the I-th of N equal parts of the openers", "I/N", shard, (1, 1)),
    "--workers": _option(
        "processes that share the work (default: all cores)", "N", whole(1, _MOST_WORKERS)
    ),
    "--dask": _option("let the workers of this Dask scheduler do it", "tcp://HOST:PORT"),
    "--dask-ca": _option("TLS: certificate of the authority", _FILE),
    "--dask-cert": _option("TLS: certificate of this machine", _FILE),
    "--dask-key": _option("TLS: the key to that certificate", _FILE),
    # cheat sheets and sets of words
    "--group": _choice(
        "how replies are grouped: score, by the colour of each letter (bybbg: b grey, y yellow, g "
        "green); hits, by how many are not grey (2); colours, by how many are yellow and green, "
        "such as 1,1",
        "GROUPS",
    ),
    "--words-in-all": _option(
        "words in all, opener included", "", _COUNT, 2, choices=(2, 3, 4), typed="--depth"
    ),
    "--sheet-rule": _choice("how words are chosen", "SHEET_RULES", typed="--rule"),
    "--card": _option("write a card to print", "FILE.pdf|html|svg"),
    "--with": _option("pairs with this word only", "WORD", dest="partner"),
    "--both-answers": _option("both words can be the answer"),
    "--third": _option("the best third words after two words"),
    "--count": _option("words in a set", "N", _LETTERS, 5),
    "--letters": _option("letters in a word", "L", _LETTERS, 5),
    "--anagrams": _option("count words with the same letters one by one"),
    # lists
    "--name": _option("what to call it (default: the file's name)", "NAME", default=""),
    "--answers": _option("only the words that may be hidden"),
    "--length": _option("letters in a word", "N", _COUNT, 5),
    "--fold": _option("remove accents and other marks: é becomes e"),
    "--keep": _option("letters that --fold does not change, such as ñ", "LETTERS", default=""),
    "--only": _option(
        "only words of these letters, such as a-zñ, or 0-9 (default: any letters, no digits)",
        "LETTERS",
        default="",
        typed="--letters",
    ),
    "--names": _option("also words with capitals, e.g. German nouns"),
    "--encoding": _option(
        "how the files are written, such as latin-1 (default: as the .aff file beside a .dic says, "
        "else utf-8)",
        "NAME",
        default="",
    ),
    # what is shown, and where it goes
    "--top": _option("the best N", "N", _FROM_ZERO),
    "--bottom": _option("and the worst N", "N", _FROM_ZERO, 0),
    "--all": _option("show all measures of the words"),
    "--show-words": _option("list the answers too"),
    "--sort": _option(
        "by one of these alone; tables are in this order too (all three; A to Z). value: of --rule "
        "optimal, bounds after what is exact",
        choices=("worst", "beyond", "mean", "value"),
    ),
    "--times": _option("CPU times as well"),
    "--markdown": _option("print it as Markdown"),
    "--plot": _option("draw them by two measures", _PICTURE),
    "--against": _choice(
        "what is drawn against the entropy; guesses: expected, by a strategy",
        ("parts", "guesses", "expected-size"),
    ),
    "--parquet": _option("write the table as Parquet", _FILE),
    "--to": _option("the form (a picture if the name of --out is one's, else text)", choices=()),
    "--depth": _option(
        "with --to dot: so many guesses of every game (2)", "N|all", or_word("all", inf, _COUNT)
    ),
    "--kind": _option(
        "what a picture shows: guesses side by side, or the tree", choices=("guesses", "tree")
    ),
    "--serve": _option(
        "show it at http://127.0.0.1:PORT/ until Ctrl-C (PORT: any that is free)",
        "PORT",
        _PORT,
        nargs="?",
        const=0,
    ),
    "--port": _option("show it at http://127.0.0.1:N/", "N", _PORT),
    "--clear": _option("delete all compiled code instead"),
    "--out": _option(takes=_FILE, typed="-o --out"),
    "--database": _option(
        "the database: a new one, or one to go on with",
        _FILE,
        dest="database",
        required=True,
        typed="-o --out",
    ),
    "--colours": _option(
        "colours in a terminal: auto, always, never, or colourblind, which has blue and orange for "
        "yellow and green",
        choices=COLOURS,
        default=COLOURS[0],
    ),
    "--json": _option("write the result as one JSON object", "FILE|-"),
    "--csv": _option("write the table as CSV", "FILE|-"),
    "--force": _option("replace a file even if it holds something else"),
    "--quiet": _option("print nothing but errors"),
}
