"""What commands write: text, JSON and CSV; to stderr remarks, errors and that they compile."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import sys
from argparse import Namespace
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TextIO

from ..errors import OutputError
from ..files.output import Attempts, Kind, check_apart, check_target, is_file, write_whole
from ..files.text import is_pegs, printable
from . import tables
from .interrupts import check_interrupt
from .progress import Compiling, Progress, clear_line

if TYPE_CHECKING:
    from solver.game.game import Game

#: The command that runs, and what it was asked for, as lists of kernels name it.
command = ""
asked: Collection[str] = ()


#: What commands write, as their arguments name it, and of which kind it is.
_WRITTEN = {
    **{"json": Kind.JSON, "csv": Kind.CSV, "parquet": Kind.PARQUET, "record": Kind.JSON},
    **{"out": Kind.STRATEGY, "proof": Kind.PROOF, "page": Kind.PAGE},
    **dict.fromkeys(("resume", "database")),
}
#: What they read.
_READ = "list_name secrets weights used openers strategy games check file first second".split()


def check_outputs(args: Namespace) -> None:
    """Refuse, before a command works, outputs that cannot be written or overwrite one another.

    Nor may one overwrite an input.
    """
    if "json" not in args:  # what it writes is no result but a file in some form
        return
    if [args.json, getattr(args, "csv", None)].count("-") > 1:
        raise OutputError("only one of --json and --csv can have stdout")
    found = [(getattr(args, name, None), kind) for name, kind in _WRITTEN.items()]
    pictures = [getattr(args, name, None) for name in ("card", "plot")]
    found += [(picture, Kind.of_picture(picture)) for picture in pictures]
    inputs = [*(getattr(args, name, None) for name in _READ), *getattr(args, "files", [])]
    targets = [target for target, _ in found if target != "-"]
    check_apart(targets, [name for name in inputs if name and is_file(name)])
    for target, kind in found:
        check_target(target, kind, force=args.force)


def emit(
    args: Namespace,
    text: str | None,
    result: dict[str, Any],
    table: tuple[Sequence[str], str | Iterable[Mapping[str, Any]]] | None = None,
    game: Game | None = None,
) -> None:
    """Write the result of a command as JSON and CSV where wanted, and print its text, if any.

    Of an answer about a ``game`` the last line says which list it is about, and JSON ``list``.
    The table is its columns, and the rows as JSON has them, or their name in the result: a list
    becomes words with spaces between them, true and false become 1 and 0, and nothing stands for
    null.
    With ``-`` the machine's form owns stdout and the text is left out. Each is tried even if
    another fails, files first.
    """
    outputs: list[tuple[str, str]] = []
    if game is not None:
        result = result if "list" in result else {"list": game.list_name, **result}
        text = f"{text}\n\n{about_list(game)}"
    if args.json:
        outputs.append((args.json, json.dumps(result, allow_nan=False) + "\n"))
    if getattr(args, "csv", None) and table is not None:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        columns, rows = table
        rows = result[rows] if isinstance(rows, str) else rows
        writer.writerow(columns)
        writer.writerows([_cell(row[name]) for name in columns] for row in rows)
        outputs.append((args.csv, out.getvalue()))
    if text is not None and not args.quiet and "-" not in [args.json, getattr(args, "csv", None)]:
        outputs.append(("-", painted_codes(plain(text)) + "\n"))
    attempts = Attempts()
    for target, content in sorted(outputs, key=lambda output: output[0] == "-"):
        attempts.make(partial(write_text, target, content, args.force))
    attempts.conclude()


def about_list(game: Game) -> str:
    """The line that names the list of a game, or the game where it has none."""
    if is_pegs(game.spec):
        return f"game {game.spec}"
    return f"list {printable(game.list_name)} ({printable(game.secrets_name)})"


def _cell(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    return int(value) if isinstance(value, bool) else value


def write_text(target: str, text: str, force: bool = False) -> None:
    """Write a command's text to stdout (``-``) or, whole or not at all, to a file.

    Whoever reads stdout may have seen enough; that must not change what the command returns.
    """
    check_interrupt()
    if target == "-":
        flush(text)
    else:
        write_whole(target, text.encode(), force=force)


def plain(text: str) -> str:
    """Lines of a command as they may reach a terminal: whatever foreign is in them is escaped.

    What is foreign must be ``printable`` before it becomes part of a text, or it could begin a
    line.
    """
    return "\n".join(map(printable, text.split("\n")))


#: The terminal codes before a peg, colour after colour; more colours than these begin anew.
_PEGS = "97;41 30;42 30;43 97;44 97;45 30;46 30;47 97;100 30;103 30;106".split()
#: What stands before a code that is to be painted: a letter without width, in no word of a list.
CODE_MARK = "\u034f"
_MARKED = re.compile(f"{CODE_MARK}([0-9a-z]+)")


def painted_codes(text: str) -> str:
    """A text that is to reach a terminal, with the codes painted that are marked in it."""
    return _MARKED.sub(lambda found: "".join(peg(sign, sign) for sign in found[1]), text)


def peg(sign: str, text: str) -> str:
    """A text painted in the colour that a sign of a code stands for."""
    return painted(text, _PEGS[int(sign, 36) % len(_PEGS)])


def painted(text: str, codes: str) -> str:
    """A text between the terminal codes for its colours and those that end them."""
    return f"\x1b[{codes}m{text}\x1b[0m"


def say(text: str) -> None:
    """Say a line on stderr; if that is closed, the command goes on and ends as it would."""
    clear_line()
    try:
        print(plain(text), file=sys.stderr, flush=True)
    except OSError:
        abandon(sys.stderr)


def remarks(quiet: bool) -> Callable[[str], None]:
    """What says sentences of the library on stderr, or with ``--quiet`` nothing."""
    return (lambda _: None) if quiet else (lambda sentence: say(printable(sentence)))


def flush(text: str = "") -> None:
    """Write a text to stdout, and what waits there, unless nobody reads it any more."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        abandon(sys.stdout)


def abandon(stream: TextIO) -> None:
    """Give a stream up, so that the interpreter does not complain about it at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextlib.contextmanager
def at_work(quiet: bool) -> Iterator[Progress]:
    """A progress bar for the work of a command, after saying if it is the first run."""
    say_when_compiling(quiet)
    with Progress(quiet) as progress:
        yield progress


def say_memory_needed(game: Game, quiet: bool) -> None:
    """Have a command say on stderr, before it searches a large game, what memory it takes."""
    from solver.memory_limits import what_it_takes

    size = None if quiet else what_it_takes(game)
    if size is not None:
        say(size)


#: What hears, for the command that runs, when a kernel is compiled.
_listeners: list[Callable[[], None]] = []


def say_when_compiling(quiet: bool, typed: bool = False) -> None:
    """Say on stderr that a first run compiles, all it needs at once, if this is one.

    Where people have ``typed`` and may type more, there is no bar that would mix with it.
    """
    from solver.machine import dispatch

    from ..toolbox.machine_code import compile_for, is_plainly_ready, labels_of, notice

    told = None if quiet else (lambda text: say(tables.prose(text)))
    compiling = Compiling(told, partial(notice, command), typed)

    def compile_all(missing: Any, form: Any) -> None:
        wanted = {*asked, *compiling.labels} - {""}
        compiling.labels = labels = labels_of(command, missing, form, wanted)
        if labels and not is_plainly_ready(command):  # those are missing next: one sentence for all
            compiling.labels = list(dict.fromkeys(["", *labels]))
        with compiling:
            compile_for([command], None, compiling.next_of, labels)

    # the command before it in this process hears nothing any more
    dispatch.listeners[:] = [it for it in dispatch.listeners if it not in _listeners]
    _listeners[:] = [compiling.began]
    dispatch.listeners.extend(_listeners)
    dispatch.expect(compile_all)
