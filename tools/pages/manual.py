"""What ``--help`` says, as something to print elsewhere: pages of the site and man pages.

All comes from the command line's own parsers, so neither can be out of date. Standard library and
the commands, which load no numpy: a wheel is built with it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from strategy import cli
from strategy.cli.commands import COMMANDS, EXIT_CODES

#: A block of a description that stands as it is written: indented, or in columns.
_AS_IT_IS = re.compile(r"^ |\S {2,}\S|^(Examples?: )?knuthle |^\$ ", re.MULTILINE)


@dataclass(frozen=True)
class Option:
    """An option or an argument: how it is written, and what it is for."""

    #: All its spellings, the first being the shortest; an argument without a name has none.
    names: tuple[str, ...]
    #: What stands for its value; empty if it takes none.
    value: str
    about: str

    @property
    def written(self) -> str:
        """As the list of options shows it."""
        return " ".join(filter(None, [", ".join(self.names), self.value]))


@dataclass(frozen=True)
class Group:
    """Options that belong together."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class Manual:
    """All that is said of one command."""

    command: str
    #: One line: what the command does.
    summary: str
    usage: str
    #: Paragraphs; one that is to stand as it is written begins with four spaces.
    blocks: tuple[str, ...]
    groups: tuple[Group, ...]
    #: What follows the options, the line on exit codes left out: examples.
    epilog: tuple[str, ...]
    #: Its actions, if the first argument is one of several: ``sweep run``, ``sweep status``.
    actions: tuple[Manual, ...] = ()


def manual_of(command: str) -> Manual:
    """What is said of a command."""
    return _manual(command, COMMANDS[command].about, cli.parser_of(command))


def _manual(command: str, about: str, parser: argparse.ArgumentParser) -> Manual:
    groups = tuple(_groups(parser))
    arguments = [option.value for group in groups for option in group.options if not option.names]
    usage = " ".join([parser.prog, "[OPTIONS]", *arguments])
    if actions := tuple(_actions(command, parser)):
        usage = f"{parser.prog} ACTION [OPTIONS]"
    epilog = tuple(block for block in _blocks(parser.epilog or "") if block != EXIT_CODES)
    return Manual(
        command, about, usage, tuple(_blocks(parser.description or "")), groups, epilog, actions
    )


def _actions(command: str, parser: argparse.ArgumentParser) -> Iterator[Manual]:
    shared = tuple(_blocks(parser.epilog or ""))
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            abouts = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, own in action.choices.items():
                manual = _manual(f"{command} {name}", abouts.get(name, ""), own)
                rest = tuple(block for block in manual.epilog if block not in shared)
                yield replace(manual, epilog=rest)


def manuals() -> list[Manual]:
    """Those of all commands, in the order of ``knuthle --help``."""
    return [manual_of(command) for command in COMMANDS]


def _groups(parser: argparse.ArgumentParser) -> Iterator[Group]:
    formatter = parser._get_formatter()
    for group in parser._action_groups:
        options = [
            Option(
                tuple(action.option_strings),
                _value_of(action),
                " ".join(formatter._expand_help(action).split()) if action.help else "",
            )
            for action in group._group_actions
            if action.help is not argparse.SUPPRESS
            and not isinstance(action, argparse._SubParsersAction)
        ]
        if options:
            title = (group.title or "").replace("positional arguments", "arguments")
            yield Group(title, tuple(options))


def _value_of(action: argparse.Action) -> str:
    """What stands for the value of an option, or for an argument."""
    if action.option_strings and action.nargs == 0:
        return ""
    if isinstance(action.metavar, str):
        value = action.metavar
    elif action.choices is not None:
        value = "|".join(map(str, action.choices))
    else:
        value = action.dest.upper()
    if action.nargs in ("*", "+", argparse.REMAINDER):
        value = f"{value} …"
    return f"[{value}]" if action.nargs in ("*", "?") and not action.option_strings else value


def _blocks(text: str) -> Iterator[str]:
    """The paragraphs of a description, filled, or as they are with four spaces before each line."""
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if _AS_IT_IS.search(block):
            yield "\n".join(f"    {line}" for line in block.splitlines())
        else:
            yield " ".join(block.split())
