"""What ``solve-all`` and ``optimal`` both say of a strategy, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...exports import head_facts, results

if TYPE_CHECKING:
    from ...build.within import Outcome
    from ...files.origin import Origin
    from ...tree import Strategy


def report_of(
    origin: Origin, strategy: Strategy | None, outcome: Outcome, path: str | None
) -> dict[str, Any]:
    """The JSON object, or the part of it that is the same for both commands.

    What only a strategy has is null where there is none.
    """
    limit = outcome.limit
    beyond = None
    if strategy is not None:
        beyond = [] if limit is None else strategy.beyond(limit)
    return {
        **head_facts(origin),
        **results(strategy),
        "within": outcome.facts(),
        "n_beyond": None if beyond is None else len(beyond),
        "beyond": beyond,
        "file": path,
    }


def rounded(seconds: dict[str, float]) -> dict[str, float]:
    """Where the time went, as JSON says it."""
    return {part: round(took, 4) for part, took in seconds.items()}
