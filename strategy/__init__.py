"""The whole game: strategies as objects, as files, and the commands people run.

``Strategy``, ``Settings`` and ``solve`` can be had from here; each loads only what it needs, so
that opening a strategy file never imports numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .build.by_rule import Settings, Solved, solve
    from .tree import Strategy

__all__ = ["Settings", "Solved", "Strategy", "solve"]

_HOME = {
    "Strategy": "tree",
    "Settings": "build.by_rule",
    "Solved": "build.by_rule",
    "solve": "build.by_rule",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
