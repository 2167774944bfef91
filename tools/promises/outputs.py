"""The commands and their options; the keys of JSON and the columns of CSV that they print.

The parsers say what commands there are. Keys and columns stand in ``docs/json.md``, and
``tests/strategy/cli/test_json.py`` compares that page with what the commands print.
"""

import argparse
import re
from collections.abc import Iterator

from strategy import cli
from strategy.cli.commands import COMMANDS

from .names import ROOT

PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
TABLES_PAGE = PAGE.partition("## CSV")[2]
#: How many words an argument takes, as argparse has it.
_COUNTS = {
    None: "one", 1: "one", "?": "one or none", "*": "any number", "+": "one or more",
    argparse.REMAINDER: "any number",
}  # fmt: skip
_KEYS = re.compile(r"^\| (`[^|]*`) \| `([^|]*)` \| ([^|]*) \| [^|]*\|$", re.MULTILINE)


def public_outputs() -> list[str]:
    """A line for each command, option and argument, each key of JSON and each table of CSV."""
    lines = [f"key {command}: {key}: {kind}" for command, key, kind in documented_keys()]
    lines += [f"columns {name}: {' '.join(columns_of(name))}" for name in tables()]
    for command in COMMANDS:
        lines += _options(command, cli.parser_of(command))
    return sorted(lines)


def documented_keys() -> Iterator[tuple[str, str, str]]:
    """The rows of the page about JSON: command, key, type."""
    for commands, key, kind in _KEYS.findall(PAGE):
        for command in re.findall(r"`([^`]+)`", commands):
            yield command, key, kind


def tables() -> list[str]:
    """The commands that the page about CSV has a row for."""
    return re.findall(r"^\| `([^`|]+)` \|[^|]*\|[^|]*\|$", TABLES_PAGE, re.MULTILINE)


def columns_of(command: str) -> list[str]:
    """The columns that the page names for a command, those of the one it refers to first."""
    row = re.search(
        rf"^\| `{re.escape(command)}` \| [^|]*\| ([^|]*) \|$", TABLES_PAGE, re.MULTILINE
    )
    assert row, command
    names = re.findall(r"`([^`]+)`", row[1])
    if row[1].startswith("the same"):
        return columns_of(command.partition(" ")[0]) + names
    return columns_of(names[0]) + names[1:] if row[1].startswith("as ") else names


def _options(command: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"command {command}: knuthle {command}"
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, own in action.choices.items():
                yield from _options(f"{command} {name}", own)
        elif not action.option_strings:
            many = _COUNTS[action.nargs]
            yield f"argument {command} {action.dest}: {_values(action)}, {many}"
        elif action.dest not in ("help", "version"):
            default = action.default if isinstance(action.default, int | float | str) else None
            parts = [_values(action) if action.nargs != 0 else "no value"]
            if action.required:
                parts.append("required")
            if default not in (None, False, argparse.SUPPRESS):
                parts.append(f"default {default!r}")
            for name in action.option_strings:
                yield f"option {command} {name}: {', '.join(parts)}"


def _values(action: argparse.Action) -> str:
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()
