"""A limit on the guesses, and what becomes of a rule's strategy under it.

The rule's strategy is kept where it suffices and repaired where it does not, unless the rule is to
be taken as it is. The outcome says which of it happened, and whether ``met`` is the last word:
a strategy that meets the limit proves it by being played, and a search that excludes every
strategy proves the contrary; a rule's failure proves nothing about other strategies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.rules.searcher import Searcher
    from solver.tree import Tree

RULE, REPAIR, EXACT, BEAM = "rule", "repair", "exact", "beam"
#: The limit of the game as it is played.
LIMIT = 6


@dataclass(frozen=True)
class Outcome:
    """What became of a limit on the guesses: the object ``within`` of the reports."""

    limit: int | None
    met: bool
    method: str
    proved: bool

    def facts(self) -> dict[str, Any]:
        """The limit and what became of it, for the JSON object."""
        return asdict(self)

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no strategy at all meets the limit."""
        return self.proved and not self.met


def outcome_of_rule(worst: int, limit: int) -> Outcome:
    """What became of a limit where a strategy is built and left as the rule has made it."""
    met = worst <= limit
    return Outcome(limit, met, RULE, proved=met)


def repaired(
    tree: Tree,
    searcher: Searcher,
    within: int,
    forced: int,
    progress: Callable[[str, int, int], None],
    check_time: Callable[[], None],
) -> Tree | None:
    """Bring a rule's strategy within a limit; None if it is proved that none can be.

    No strategy can be that begins with the guesses which are ``forced``.
    """
    from solver.exact.repair.deciders import decider_for
    from solver.exact.repair.repairer import Repairer

    decide = decider_for(searcher.game, searcher.guess_from, searcher.hard, check_time)
    whole = len(searcher.game.secrets)
    repairer = Repairer(searcher, decide, lambda secrets: progress("repairing", secrets, whole))
    return repairer.within(within, tree.in_preorder(), forced)
