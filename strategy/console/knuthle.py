"""What the console scripts load first: a module by itself, installed beside the packages.

Python may find a file called ``strategy.py`` before our package (where PYTHONPATH says so), and
a script that begins in the package would run it. This module bears the project's own name, and
looks before it loads: a stranger's code is not run. ``python -m knuthle`` works as well.
"""

import os
import sys

# what importlib.machinery calls PathFinder; to import that takes longer than all that is done here
from _frozen_importlib_external import PathFinder


def knuthle() -> int:
    """The console script ``knuthle``: refuse a stranger's package, then run a command."""
    _refuse_strangers()
    from strategy import entry

    return entry.run_knuthle()


def solve_all() -> int:
    """The console script ``solve-all``: refuse a stranger's package, then run it."""
    _refuse_strangers()
    from strategy import entry

    return entry.run_solve_all()


def _refuse_strangers() -> None:
    """End with one line where ``import strategy`` would run somebody else's file."""
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib takes time
    # beside the packages where they are installed; in a checkout within the package
    ours = [os.path.join(place, "__init__.py") for place in (f"{here}/strategy", f"{here}/..")]  # noqa: PTH118
    found = PathFinder.find_spec("strategy")
    origin = found.origin if found else None
    if origin and any(os.path.exists(it) and os.path.samefile(origin, it) for it in ours):  # noqa: PTH110, PTH121
        return
    shown = str(origin) if str(origin).isprintable() else ascii(origin)
    sys.stderr.write(
        f"knuthle: {shown} hides knuthle's own package strategy, since Python finds it first:"
        " rename it, or run knuthle elsewhere or without PYTHONPATH\n"
    )
    sys.exit(2)


if __name__ == "__main__":
    sys.exit(knuthle())
