"""How far a sweep is, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.notation import counted
from . import exact_text

if TYPE_CHECKING:
    from ...sweep.optimal.view import ExactTable
    from ...sweep.view import SweepTable


def heading(table: SweepTable) -> str:
    """The line by which the command ``sweep`` says what a sweep by a rule is about."""
    asked = table.question
    hard = ", hard mode" if asked.hard else ""
    words = exact_text.words_swept(asked)
    return f"{counted(len(table), 'opener')} by {asked.rule}{hard}: {words}"


def any_state_text(table: SweepTable | ExactTable) -> str:
    """How far a sweep of whatever kind is, as the command prints it."""
    from ...sweep.view import SweepTable

    return state_text(table) if isinstance(table, SweepTable) else exact_text.state_text(table)


def state_text(table: SweepTable) -> str:
    """How far a sweep by a rule is, as the command prints it: the question, and what is done."""
    facts = table.state()
    missing = counted(facts["n_missing"], "opener")
    left = f"{missing} to do" if facts["n_missing"] else "nothing left to do"
    lines = [
        heading(table),
        f"{len(table):,} of {facts['n_asked']:,} done, {left}"
        + ("; a run is at work" if table.running else ""),
        f"every secret played; the trusted checker played {facts['n_replayed']:,} of them too",
    ]
    if len(table):
        mean = facts["seconds"] / len(table)
        lines.append(f"CPU time {facts['seconds']:,.1f} s, {1000 * mean:.1f} ms an opener")
    return "\n".join(lines)
