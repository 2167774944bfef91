"""The whole strategy of every opener: computed on all cores or many machines, stored, reported.

``run`` fills a database with a row for each opener, and goes on where it was broken off; ``status``
says how far it is; ``merge`` makes one database of those of several machines; ``report`` says which
openers are best and worst.

Examples: knuthle sweep run --openers answers --out sweep.sqlite
          knuthle sweep report sweep.sqlite --top 5
"""

from __future__ import annotations

import argparse
import importlib
from typing import Any

#: What can be done, a module each.
ACTIONS = ("run", "status", "report", "merge")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add a parser for each action of ``sweep``."""
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="|".join(ACTIONS), title="actions"
    )
    for name in ACTIONS:
        module = _module_of(name)
        module.configure(
            actions.add_parser(
                name,
                help=module.HELP,
                description=module.__doc__,
                epilog=parser.epilog,
                formatter_class=parser.formatter_class,
            )
        )


def run(args: argparse.Namespace) -> int:
    """Run the action of ``sweep`` that was asked for."""
    return int(_module_of(args.action).run(args))


def _module_of(action: str) -> Any:
    return importlib.import_module(f".{action}", __package__)
