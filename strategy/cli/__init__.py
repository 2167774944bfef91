"""The command line: a command is found, parsed and run; an error ends in a line and a code.

Each command is a line in ``commands`` and two functions of the module that it names:
``_configure_NAME(parser)`` adds its arguments, and ``run_NAME(args)`` does its work; the docstring
is its help, the examples at the end. What needs numpy is imported inside ``run_NAME``, so that
``--help`` never loads it. This file only finds the command and turns every error into one line and
an exit code.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
import textwrap
from collections.abc import Callable, Collection, Sequence
from itertools import takewhile
from typing import Any, NoReturn

from ..files.text import printable, quoted
from . import options, output
from .commands import COMMANDS, OWN_OUTPUT, READING_SETTINGS, WITH_TABLE, overview
from .interrupts import check_interrupt, interrupt_came, interrupt_ending, interrupts_remembered


class _HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help whose lines end between words, never within one, nor at its hyphens."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        whole = " ".join(text.split())
        return textwrap.wrap(whole, width, break_long_words=False, break_on_hyphens=False)


class _Version(argparse.Action):
    """Print the version, which is looked for only then: that takes as long as a short command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        _print_version()
        sys.exit(0)


def _print_version() -> None:
    from .checkout import version

    print(version())


class Parser(argparse.ArgumentParser):
    """The parser of commands: argparse with one-line errors that say what may have been meant.

    An option that takes a value may be given once, since of two the first would be lost without a
    word; one whose default is a list takes several.
    """

    def __init__(self, **options: Any) -> None:
        options.setdefault("allow_abbrev", False)
        super().__init__(**options)
        self.suggest_on_error = False  # from Python 3.14 on argparse would say it in other words
        #: The options that were given with a value, as the parsed arguments name them.
        self.given: set[str] = set()

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        if action.option_strings and action.nargs != 0 and not isinstance(action.default, list):
            if action.dest in self.given:
                raise argparse.ArgumentError(action, "given twice; it takes one value")
            self.given.add(action.dest)
        return super()._get_values(action, arg_strings)

    def format_help(self) -> str:
        """The help, whose first line names what must be given; the options follow below it."""
        needed = [it for it in self._actions if it.required or not it.option_strings]
        formatter = self._get_formatter()
        formatter.add_usage(None, needed, [], prefix="")
        arguments = formatter.format_help().strip().removeprefix(self.prog)
        self.usage = f"{self.prog} [OPTIONS]{arguments}"
        return super().format_help()

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments in one line, point to the help, exit 2."""
        output.say(f"{self.prog}: {printable(message)}{self._hint(message)}")
        output.say(f"Try '{self.prog} --help'.")
        sys.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help or version; argparse itself takes no notice of a full disk."""
        print(message, end="", file=file)

    def _hint(self, message: str) -> str:
        from solver.words.lists import did_you_mean

        value = re.search(r"invalid choice: '(.*)' \(choose from (.*)\)", message)
        if value:
            return did_you_mean(value[1], re.findall(r"[\w-]+", value[2]), 1)
        if "unrecognized" in message:
            known = [text for action in self._actions for text in action.option_strings]
            words = [word.partition("=")[0] for word in message.split() if word.startswith("--")]
            return did_you_mean(words[0], known, 1) if words else ""
        return ""


def functions_of(command: str) -> options.Action:
    """What adds the arguments of a command and what does its work, its module imported."""
    found, name = COMMANDS[command], command.replace("-", "_")
    module = importlib.import_module(f".{found.module}", __package__)
    functions = getattr(module, f"_configure_{name}"), getattr(module, f"run_{name}")
    csv_table = None if command in OWN_OUTPUT else command in WITH_TABLE
    return options.Action(found.about, *functions, csv_table)


def parser_of(command: str, prog: str | None = None) -> Parser:
    """The parser of one command, complete with its options."""
    parser = Parser(prog=prog or f"knuthle {command}", formatter_class=_HelpFormatter)
    says = "show program's version number and exit"
    parser.add_argument("--version", action=_Version, nargs=0, help=says)
    functions_of(command).add_to(parser)
    if command in READING_SETTINGS:
        options.add(parser, "--no-hard")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """The command line: run ``knuthle`` with these arguments; returns the exit code."""
    command, *arguments = (sys.argv[1:] if argv is None else argv) or ["help"]
    if command in ("-h", "--help") or [command, *arguments] == ["help"]:
        return _guard("knuthle", lambda: print(overview()))
    if command == "help":
        command, arguments = arguments[0], ["--help"]
    if command == "--version":
        return _guard("knuthle", _print_version)
    if command not in COMMANDS:
        from solver.words.lists import did_you_mean

        output.say(f"knuthle: no command {quoted(command)}{did_you_mean(command, [*COMMANDS], 1)}")
        output.say("Try 'knuthle --help'.")
        return 2
    return run_command(command, arguments)


def run_command(command: str, arguments: Sequence[str], prog: str | None = None) -> int:
    """Parse the arguments of one command and run it; every way out is an exit code."""

    def work() -> int | None:
        try:
            parser = parser_of(command, prog)
            args = parser.parse_args(arguments)
        except SystemExit as leaving:  # --help, --version, a wrong option
            return int(leaving.code or 0)
        output.command, output.asked = command, _asked(arguments, args)
        if command in READING_SETTINGS:
            from .settings import apply_settings

            apply_settings(args, parser.given)
        output.check_outputs(args)
        return functions_of(command).run(args)

    return _guard(prog or f"knuthle {command}", work)


def _asked(arguments: Sequence[str], args: argparse.Namespace) -> Collection[str]:
    """What a call chooses of a command's machine code: by its options, or its kind of game."""
    before = takewhile(lambda it: it != "--", arguments)
    chosen = {it.partition("=")[0] for it in before if it.startswith("--")}
    if not chosen & {"--start", "--state"}:
        chosen.add("all first guesses")
    if str(getattr(args, "game", "")).lower().startswith("mastermind"):
        chosen.add("Mastermind")
    if getattr(args, "rule", "") == "optimal":
        chosen = chosen - {"--rule"} | {"--rule optimal"}
    return chosen


def _guard(prog: str, work: Callable[[], int | None]) -> int:
    """Run ``work``; turn errors, interrupts and closed pipes into exit codes."""
    try:
        with interrupts_remembered():
            code = work()
            check_interrupt()
        output.flush()
        return code or 0
    except (Exception, KeyboardInterrupt) as error:
        for note in getattr(error, "__notes__", ()):  # outputs that could not be written
            output.say(f"{prog}: {printable(note)}")
        # broken off within a compiler, an interrupt comes out as any error at all
        if isinstance(error, Exception) and not interrupt_came():
            return _failed(prog, error)
        words, code = interrupt_ending()
        output.say(f"\n{prog}: {words}")
        return code


def _failed(prog: str, error: Exception) -> int:
    """The exit code of an error that is no fault of this program, after its line on stderr."""
    # errors of solver and strategy carry their exit code; the checkers have none of the solver's
    exit_code = getattr(error, "exit_code", 3)
    message = str(error)
    if isinstance(error, OSError):
        try:
            sys.stdout.flush()
        except OSError:  # what was printed cannot be written
            output.abandon(sys.stdout)
        if isinstance(error, BrokenPipeError):
            return 0
        name = f"{error.filename}: " if error.filename else ""
        message = f"{name}{error.strerror or error}"
    elif isinstance(error, MemoryError):
        message = f"out of memory: {message}" if message else "out of memory"
    elif not hasattr(error, "exit_code"):
        raise error
    output.say(f"{prog}: {printable(message)}")
    return int(exit_code)
