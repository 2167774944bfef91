"""What is deprecated: it works as before, and says what takes its place and when it will go.

``docs/stability.md`` has the rule, these tables what is deprecated at present. An entry stands here
from the minor version that announces it to the major version that removes it.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Successor(NamedTuple):
    """What takes the place of something deprecated, and the version from which that is gone."""

    name: str
    gone_in: str

    def sentence(self, old: str) -> str:
        """The one line that who uses the old thing gets to read."""
        return f"{old} is deprecated and will be gone in {self.gone_in}: use {self.name}"


#: Names of ``strategy``.
NAMES: dict[str, Successor] = {}
#: By function of ``strategy``, the arguments that have another name now.
ARGUMENTS: dict[str, dict[str, Successor]] = {}
#: By command (``suggest``, ``sweep run``), the long options that have another name now.
OPTIONS: dict[str, dict[str, Successor]] = {}
#: By command, the keys of JSON that have another name now: ``rows[].old`` → ``new``.
KEYS: dict[str, dict[str, Successor]] = {}


def successor_of(name: str) -> str:
    """The name in the place of a deprecated one, after a warning at the line that uses it."""
    _warn(f"strategy.{name}", NAMES[name], 4)
    return NAMES[name].name


def renamed_arguments(renamed: Mapping[str, Successor]) -> Callable[..., Any]:
    """Decorate a function so that arguments are also taken by the names that they had before."""

    def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def called(*args: Any, **named: Any) -> Any:
            for old in renamed.keys() & named.keys():
                if renamed[old].name in named:
                    raise TypeError(f"{old} and {renamed[old].name} are one argument")
                _warn(f"the argument {old} of {function.__name__}", renamed[old], 3)
                named[renamed[old].name] = named.pop(old)
            return function(*args, **named)

        return called

    return decorated


def with_new_options(
    command: str, arguments: Sequence[str], say: Callable[[str], None]
) -> list[str]:
    """The arguments of a command with the present names of its options; ``say`` gets the lines."""
    action = f"{command} {arguments[0]}" if arguments else command
    renamed = OPTIONS.get(command, {}) | OPTIONS.get(action, {})
    found = list(arguments)
    for at, argument in enumerate(found):
        if argument == "--":  # what follows is for another program
            break
        old, equals, value = argument.partition("=")
        if old in renamed:
            say(renamed[old].sentence(old))
            found[at] = f"{renamed[old].name}{equals}{value}"
    return found


def add_old_keys(command: str, result: dict[str, Any], say: Callable[[str], None]) -> None:
    """Give the JSON of a command the keys that it had before too; ``say`` gets the lines."""
    for path, successor in KEYS.get(command, {}).items():
        *above, old = path.split(".")
        found: list[Any] = [result]
        for step in above:
            inner = [each.get(step.removesuffix("[]")) or [] for each in found]
            found = [row for rows in inner for row in rows] if step.endswith("[]") else inner
        for each in found:
            if successor.name in each:
                each[old] = each[successor.name]
        say(successor.sentence(f"the key {path} of JSON"))


def _warn(old: str, successor: Successor, level: int) -> None:
    warnings.warn(successor.sentence(old), DeprecationWarning, stacklevel=level)
