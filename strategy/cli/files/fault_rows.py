"""What ``verify``, ``import`` and ``referee`` say of faults and figures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...files.faults import Fault
from ...files.names import shown

if TYPE_CHECKING:
    from ...any_form import Examined
    from ...checkers.fault_finder import Judgement

#: So many faults are told on a terminal; JSON has them all.
_SHOWN = 20


def facts_of(found: Examined) -> dict[str, Any]:
    """The JSON of a command that examined a strategy's file: its figures and its faults."""
    judgement = found.judgement
    return {
        "ok": found.ok,
        "reason": found.reason,
        "digest": found.digest,
        "n_secrets": judgement.n_secrets,
        "n_solved": len(judgement.taken),
        "histogram": judgement.histogram,
        "worst": judgement.worst,
        "total": judgement.total,
        "mean": judgement.mean,
        "compared": found.lists.how or None,
        "n_faults": len(judgement.faults),
        "faults": [row_of(fault) for fault in judgement.faults],
    }


def row_of(fault: Fault) -> dict[str, Any]:
    """A fault of a strategy's file as a row of the JSON that a command prints."""
    return {"fault": fault.kind, "word": fault.word, "line": fault.line, "reason": fault.text}


def figures(judgement: Judgement) -> str:
    """Worst, total and mean of a strategy's file that was judged, as a command prints them."""
    if judgement.worst is None:
        return "no worst, no total"
    return f"worst {judgement.worst}, total {judgement.total:,}, mean {judgement.mean:.4f}"


def lines_of(faults: Sequence[Fault]) -> list[str]:
    """Rows of faults as lines for people: of many the first, and how many more there are."""
    lines = [f"  {shown(fault)}" for fault in faults[:_SHOWN]]
    if len(faults) > _SHOWN:
        lines.append(f"  … and {len(faults) - _SHOWN:,} more (--json has them all)")
    return lines
