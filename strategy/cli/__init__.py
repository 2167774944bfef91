"""The commands: ``knuthle COMMAND`` and ``solve-all``.

Each command is a line in ``commands`` and one thin module with ``configure(parser)`` and
``run(args)``, whose docstring is its help, the examples at the end; it imports what it needs inside
``run``, so that ``--help`` answers before numpy is even looked at. This file only finds the command
and turns every error into one line and an exit code.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from ..files.names import quoted, shown
from . import interrupt, options, output
from .commands import COMMANDS, EXIT_CODES, overview


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help whose lines end between words, never within one, nor at its hyphens."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        whole = " ".join(text.split())
        return textwrap.wrap(whole, width, break_long_words=False, break_on_hyphens=False)


class _Version(argparse.Action):
    """Print the version, which is looked for only then: that takes as long as a short command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(options.version())
        sys.exit(0)


class Parser(argparse.ArgumentParser):
    """The parser of commands: argparse with one-line errors that say what may have been meant.

    An option that takes a value may be given once: of two the first would be lost without a word.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)
        self._given: set[str] = set()

    def parse_known_args(self, *args: Any, **named: Any) -> Any:
        """Parse arguments as argparse does, begun anew with nothing given yet."""
        self._given.clear()
        return super().parse_known_args(*args, **named)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and action.nargs != 0:
            if action.dest in self._given:
                raise argparse.ArgumentError(action, "given twice; it takes one value")
            self._given.add(action.dest)
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments in one line, point to the help, exit 2."""
        output.say(f"{self.prog}: {shown(message)}{self._hint(message)}")
        output.say(f"Try '{self.prog} --help'.")
        sys.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or version; argparse itself takes no notice of a full disk."""
        print(message, end="", file=file)

    def _hint(self, message: str) -> str:
        value = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        if value:
            known = re.findall(r"[\w-]+", value[2])
            return _did_you_mean(value[1], known)
        if "unrecognized" in message:
            known = [text for action in self._actions for text in action.option_strings]
            words = [word.partition("=")[0] for word in message.split() if word.startswith("--")]
            return _did_you_mean(words[0], known) if words else ""
        return ""


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""


def module_of(command: str) -> Any:
    """The module of one command, imported."""
    return importlib.import_module(f".{COMMANDS[command].module}", __package__)


def parser_of(command: str, prog: str | None = None) -> Parser:
    """The parser of one command, complete with its options."""
    module = module_of(command)
    about, examples = _explained(module.__doc__)
    parser = Parser(
        prog=prog or f"knuthle {command}",
        description=about,
        epilog="\n\n".join([EXIT_CODES, *examples]),
        formatter_class=_HelpFormatter,
    )
    parser.add_argument(
        "--version",
        action=_Version,
        nargs=0,
        default=argparse.SUPPRESS,
        help="show program's version number and exit",
    )
    module.configure(parser)
    return parser


def _explained(docstring: str) -> tuple[str, list[str]]:
    """What a command says of itself; and its examples, which come last of all."""
    about, found, examples = docstring.rstrip().rpartition("\n\nExamples: ")
    return (about, [f"Examples: {examples}"]) if found else (examples, [])


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: run ``knuthle`` with these arguments; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        if len(arguments) > 1 and arguments[0] == "help":
            arguments = [arguments[1], "--help"]
        else:
            return _guard("knuthle", lambda: print(overview()) or 0)
    command = arguments[0]
    if command == "--version":
        return _guard("knuthle", lambda: print(options.version()) or 0)
    if command not in COMMANDS:
        hint = _did_you_mean(command, COMMANDS)
        output.say(f"knuthle: no command {quoted(command)}{hint}")
        output.say("Try 'knuthle --help'.")
        return 2
    return run_command(command, arguments[1:])


def run_command(command: str, arguments: Sequence[str], prog: str | None = None) -> int:
    """Parse the arguments of one command and run it; every way out is an exit code."""

    def work() -> int:
        try:
            args = parser_of(command, prog).parse_args(arguments)
        except SystemExit as leaving:  # --help, --version, a wrong option
            return int(leaving.code or 0)
        output.command = command
        return int(module_of(command).run(args))

    return _guard(prog or f"knuthle {command}", work)


def _guard(prog: str, work: Callable[[], Any]) -> int:
    """Run ``work``; turn errors, interrupts and closed pipes into exit codes."""
    try:
        with interrupt.remembered():
            code = int(work())
            interrupt.check()
        output.flush()
        return code
    except KeyboardInterrupt as error:
        _say_notes(prog, error)
        return _interrupted(prog)
    except Exception as error:
        _say_notes(prog, error)
        if interrupt.came():  # broken off within a compiler, it comes out as any error at all
            return _interrupted(prog)
        return _failed(prog, error)


def _say_notes(prog: str, error: BaseException) -> None:
    """What else went wrong: the outputs that could not be written."""
    for note in getattr(error, "__notes__", ()):
        output.say(f"{prog}: {shown(note)}")


def _interrupted(prog: str) -> int:
    words, code = interrupt.ending()
    output.say(f"\n{prog}: {words}")
    return code


def _failed(prog: str, error: Exception) -> int:
    """The exit code of an error that is no fault of this program, after its line on stderr."""
    if isinstance(error, OSError) and not output.stdout_works():
        output.abandon(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    # the errors of both rooms carry their exit code; the checker must not import the solver's
    exit_code = getattr(error, "exit_code", 3)
    message = str(error)
    if isinstance(error, OSError):
        name = f"{error.filename}: " if error.filename else ""
        message = f"{name}{error.strerror or error}"
    elif isinstance(error, MemoryError):
        message = f"out of memory: {message}" if message else "out of memory"
    elif not hasattr(error, "exit_code"):
        raise error
    output.say(f"{prog}: {shown(message)}")
    return int(exit_code)
