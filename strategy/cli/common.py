"""Options and output that the commands share, so that a flag means the same everywhere."""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from .. import container
from ..errors import OutputError
from . import interrupt

if TYPE_CHECKING:
    from solver.game import Game

#: The rules and pools, named here so that --help need not load numba; a test compares them.
RULES = ("minimax", "entropy", "expected-size", "parts", "proportion")
GUESS_POOLS = ("allowed", "secrets", "candidates")


def version() -> str:
    """The name and version that ``--version`` prints."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        return f"knuthle {installed('knuthle')}"
    except PackageNotFoundError:
        return "knuthle (not installed)"


def add_game_options(
    parser: argparse.ArgumentParser, secrets: str = "answers", list_name: str = "original"
) -> None:
    """``--list``, ``--secrets``, ``--game``: which game it is."""
    from solver import words

    group = parser.add_argument_group("game")
    group.add_argument(
        "--list",
        dest="list_name",
        metavar="NAME|FILE",
        default=list_name,
        help=f"the guesses: {', '.join(words.NAMED_LISTS)} or a file (default: {list_name})",
    )
    group.add_argument(
        "--secrets",
        metavar="allowed|answers|FILE",
        default=secrets,
        help=f"the words that may be hidden (default: {secrets})",
    )
    group.add_argument(
        "--game",
        metavar="wordle|mastermind:HxC[:distinct]",
        default="wordle",
        help="the rule of grading (default: wordle)",
    )


def game_from(args: argparse.Namespace) -> Game:
    """The game that the options ask for."""
    from solver.game import load_game

    return load_game(args.list_name, args.secrets, args.game)


def starts_from(text: str, game: Game) -> tuple[str, ...]:
    """The words of ``--start``, or ``("auto",)``."""
    if text == "auto":
        return ("auto",)
    return tuple(game.guesses[game.guess_id(word.strip())] for word in text.split(","))


def add_choice_options(parser: argparse.ArgumentParser, rules: Sequence[str]) -> None:
    """``--rule``, ``--guess-from``, ``--hard``: how a guess is chosen."""
    group = parser.add_argument_group("choice of guesses")
    group.add_argument(
        "--rule", choices=rules, default=rules[0], help=f"how the next guess is chosen ({rules[0]})"
    )
    add_pool_options(group)


def add_pool_options(group: Any) -> None:
    """``--guess-from`` and ``--hard``: which words may be guessed."""
    group.add_argument(
        "--guess-from",
        choices=GUESS_POOLS,
        default=GUESS_POOLS[0],
        help="guess any allowed word, only secrets, or only what is still possible (allowed)",
    )
    group.add_argument(
        "--hard",
        action="store_true",
        help="hard mode: greens stay in place, yellows are used again",
    )


def add_output_options(parser: argparse.ArgumentParser, csv_table: bool = False) -> None:
    """``--json``, ``--csv`` where there is a table, ``--quiet``."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", metavar="FILE|-", help="write the result as one JSON object")
    if csv_table:
        group.add_argument("--csv", metavar="FILE|-", help="write the table as CSV")
    group.add_argument("--quiet", action="store_true", help="print nothing but errors")


def add_workers_option(parser: argparse.ArgumentParser, default: str = "all cores") -> None:
    """``--workers``."""
    parser.add_argument(
        "--workers",
        type=at_least_one,
        metavar="N",
        help=f"processes to share the work (default: {default}; 1: none but this one)",
    )


def add_time_limit_option(group: Any, then: str = "exit 3, no file") -> None:
    """``--time-limit``, and what follows if it is reached."""
    group.add_argument(
        "--time-limit", type=seconds, metavar="S", help=f"give up after S seconds: {then}"
    )


def seconds(text: str) -> float:
    """An argparse type: a time, more than none and less than for ever."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds") from None
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no time to wait")
    return number


def at_least_one(text: str) -> int:
    """An argparse type: a whole number from 1."""
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is too small: at least 1")
    return number


def at_least_zero(text: str) -> int:
    """An argparse type: a whole number from 0."""
    return 0 if text.strip() == "0" else at_least_one(text)


def limit_from(text: str) -> int | None:
    """An argparse type: a whole number from 1, or ``none``."""
    return None if text == "none" else at_least_one(text)


def check_outputs(
    args: argparse.Namespace, *more: str | None, inputs: Sequence[str | None] = ()
) -> None:
    """Refuse outputs that cannot work, or would overwrite each other or an input, before the work.

    ``more`` are outputs besides the usual ones; word lists are inputs without being named.
    """
    targets = [getattr(args, name, None) for name in ("json", "csv")]
    if targets.count("-") > 1:
        raise OutputError("only one of --json and --csv can have stdout")
    files = [target for target in targets if target != "-"]
    files += [getattr(args, name, None) for name in ("out", "card", "plot")]
    for target in files:
        container.check_target(target)
    lists = [getattr(args, name, None) for name in ("list_name", "secrets")]
    lists += getattr(args, "files", [])
    container.check_apart(
        [*files, *more], [*inputs, *(name for name in lists if name and Path(name).is_file())]
    )


def emit(
    args: argparse.Namespace,
    text: str,
    result: dict[str, Any],
    table: tuple[Sequence[str], Iterable[Sequence[Any]]] | None = None,
) -> None:
    """Write ``result`` as JSON and ``table`` as CSV where asked, and print ``text``.

    With ``-`` the machine's form owns stdout and the text is left out.
    """
    targets = [args.json, getattr(args, "csv", None)]
    if args.json:
        write_text(args.json, json.dumps(result, allow_nan=False) + "\n")
    if targets[1] and table is not None:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(table[0])
        writer.writerows(table[1])
        write_text(targets[1], out.getvalue())
    if not args.quiet and "-" not in targets:
        write_text("-", text + "\n")


def write_text(target: str, text: str) -> None:
    """Write to stdout (``-``) or, whole or not at all, to a file.

    Whoever reads stdout may have seen enough; that must not change what the command returns.
    """
    interrupt.check()
    if target != "-":
        container.write_whole(target, text.encode())
        return
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)


def say(text: str) -> None:
    """Talk on stderr; if nobody can hear it, what the command returns must stand all the same."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def flush() -> None:
    """Flush stdout, unless nobody reads it any more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)


def stdout_works() -> bool:
    """Whether what has been printed can also be written."""
    try:
        sys.stdout.flush()
    except OSError:
        return False
    return True


def abandon(stream: TextIO) -> None:
    """Keep the interpreter from complaining at its end that its output went nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


class Progress:
    """tqdm on stderr, only on a terminal; one bar for each thing that is being done."""

    def __init__(self, quiet: bool, unit: str = "secret") -> None:
        self._unit = unit
        self._shown = not quiet and sys.stderr.isatty()
        self._bar: Any = None
        self._what = ""

    def __call__(self, what: str, new: int, whole: int, more: str = "") -> None:
        """Add ``new`` to the bar of ``what``; ``more`` is shown behind it."""
        interrupt.check()
        if not self._shown:
            return
        if what != self._what:
            from tqdm import tqdm

            tqdm.monitor_interval = 0  # no thread, so that a pool may still fork
            self.close()
            self._what = what
            self._bar = tqdm(
                total=whole, desc=what, unit=self._unit, leave=False, delay=0.5, file=sys.stderr
            )
        if more:
            self._bar.set_postfix_str(more, refresh=False)
        self._bar.update(new)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def say_when_compiling(quiet: bool) -> None:
    """The first run compiles; say so, or it looks as if it hung."""
    from solver import jit

    if not quiet:
        jit.tell_when_compiling(lambda: say("compiling, once …"))
