"""A limit on the guesses, and what becomes of a rule's strategy under it.

The rule's strategy is kept where it suffices and repaired where it does not, unless the rule is to
be taken as it is. The outcome says which of it happened, and whether ``met`` is the last word:
a strategy that meets the limit proves it by being played, and a search that excludes every
strategy proves the contrary; a rule's failure proves nothing about other strategies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..tree import Strategy

if TYPE_CHECKING:
    from solver.rules.searcher import Searcher

RULE, REPAIR, EXACT = "rule", "repair", "exact"


@dataclass(frozen=True)
class Outcome:
    """What the limit came to: the object ``within`` of the reports."""

    limit: int
    met: bool
    method: str
    proved: bool

    def facts(self) -> dict[str, Any]:
        """For the JSON object."""
        return {
            "limit": self.limit,
            "met": self.met,
            "method": self.method,
            "proved": self.proved,
        }

    @property
    def impossible(self) -> bool:
        """Whether no strategy at all meets the limit."""
        return self.proved and not self.met


def outcome_of_rule(strategy: Strategy, limit: int) -> Outcome:
    """Of a strategy that is left as the rule has made it."""
    met = strategy.worst <= limit
    return Outcome(limit, met, RULE, proved=met)


@dataclass(frozen=True)
class Limit:
    """A demand: every secret within so many guesses."""

    within: int
    #: Leave the rule's strategy as it is.
    pure: bool = False
    check_time: Callable[[], None] = lambda: None

    def applied(
        self,
        strategy: Strategy,
        searcher: Searcher,
        start: Sequence[str],
        progress: Callable[[str, int, int], None] = lambda what, new, whole: None,
    ) -> tuple[Strategy, Outcome]:
        """The strategy within the limit, or, if there is none, the one given.

        ``start`` are the words that must be guessed first, or ``auto``.
        """
        outcome = outcome_of_rule(strategy, self.within)
        if outcome.met or self.pure:
            return strategy, outcome
        repaired = self._repaired(strategy, searcher, start, progress)
        if repaired is None:
            return strategy, Outcome(self.within, False, EXACT, proved=True)
        return repaired, Outcome(self.within, True, REPAIR, proved=True)

    def _repaired(
        self,
        strategy: Strategy,
        searcher: Searcher,
        start: Sequence[str],
        progress: Callable[[str, int, int], None],
    ) -> Strategy | None:
        from solver.exact.repair.branches import branch_of, columns_of
        from solver.exact.repair.deciders import decider_for
        from solver.exact.repair.repairer import Repairer

        game = searcher.game
        decide = decider_for(game, searcher.guess_from, searcher.hard, self.check_time)
        whole = len(game.secrets)
        repairer = Repairer(searcher, decide, lambda secrets: progress("repairing", secrets, whole))
        guess = [game.guess_id(strategy.words[word]) for word in strategy.guess]
        forced = 0 if tuple(start) == ("auto",) else len(start)
        found = repairer.within(
            self.within, branch_of(guess, strategy.parent, strategy.score), forced
        )
        if found is None:
            return None
        first = strategy.origin.start if forced else (game.guesses[found.guess],)
        claim = {"repaired": True, "within": self.within}
        origin = replace(strategy.origin, start=first, claim=claim)
        return Strategy.from_columns(game, origin, *columns_of(found))
