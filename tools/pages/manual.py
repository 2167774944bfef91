"""What ``--help`` says, as something to print elsewhere: pages of the site and man pages.

Only the command line's own parsers are asked, so neither can be out of date. Standard library and
the commands, which load no numpy: a wheel is built with it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass

from strategy import cli
from strategy.cli.commands import COMMANDS

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
    epilog: str


def manual_of(command: str) -> Manual:
    """What is said of a command."""
    parser = cli.parser_of(command)
    groups = tuple(_groups(parser))
    own = (group for group in groups if ": " not in group.title)  # the others are actions'
    arguments = [option.value for group in own for option in group.options if not option.names]
    usage = " ".join([parser.prog, "[OPTIONS]", *arguments])
    blocks = tuple(_blocks(parser.description or ""))
    return Manual(
        command,
        COMMANDS[command].about,
        usage,
        blocks,
        groups,
        "\n\n".join(_blocks(parser.epilog or "")),
    )


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
        ]
        if options:
            title = (group.title or "").replace("positional arguments", "arguments")
            yield Group(title, tuple(options))
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                for its in _groups(inner):
                    yield Group(f"{name}: {its.title}", its.options)


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
