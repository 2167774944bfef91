"""What ``solve-all`` and ``optimal`` both say of a strategy, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...exports import head_facts, results

if TYPE_CHECKING:
    from ...build.within import Outcome
    from ...files.origin import Origin
    from ...tree import Strategy

#: In this order; what only a strategy has is null where there is none.
_KEYS = (
    *("start", "list", "game", "guesses", "secrets", "secrets_name", "rule", "guess_from", "hard"),
    *("histogram", "worst", "total", "mean", "within", "beyond", "nodes", "digest", "file"),
)


def report_of(
    origin: Origin, strategy: Strategy | None, outcome: Outcome, path: str | None
) -> dict[str, Any]:
    """The JSON object, or the part of it that is the same for both commands."""
    facts = head_facts(origin) | {"within": outcome.facts(), "file": path}
    match origin.start:
        case ():
            facts["start"] = None
        case (word,):
            facts["start"] = word
    if strategy is not None:
        limit = outcome.limit
        facts |= results(strategy)
        facts["beyond"] = [] if limit is None else strategy.beyond(limit)
    return {key: facts.get(key) for key in _KEYS}


def rounded(seconds: dict[str, float]) -> dict[str, float]:
    """Where the time went, as JSON says it."""
    return {part: round(took, 4) for part, took in seconds.items()}
