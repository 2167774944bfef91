"""One-step rules: what makes one split of the candidates better than another.

Every rule gives a guess an integer *cost*, the smaller the better; equal costs are broken the same
way for all rules: a remaining candidate first, then alphabetical order. With one candidate left it
is guessed; with two, the first. Costs are exact integers, so no tie hangs on a summation order.

A cost is built up while the candidates are counted into buckets: a bucket that grows from ``k``
to ``k + 1`` adds ``steps[k]`` (minimax: the largest step counts alone). Steps never shrink a cost,
so a guess can be dropped as soon as its running cost reaches the best one known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import WrongInputError
from ..game.words import did_you_mean
from ..splits.logarithms import Costs, fixed_log_weight_steps
from ..splits.size_limits import require_countable
from .split_cost import ANY, LOGARITHMS, PARTS, SQUARES, Criterion


@dataclass(frozen=True)
class Rule:
    """A rule of choosing the next guess."""

    name: str
    summary: str
    #: ``steps(n)[k]``: what a bucket's growing from ``k`` to ``k + 1`` adds, for ``k < n``.
    steps: Callable[[int], Costs]
    #: The cost is the largest step instead of the sum of all.
    by_largest: bool = False
    #: A remaining candidate's cost is lowered by the number of candidates.
    candidate_bonus: bool = False
    #: The kind of sum that the costs are, if one that ``split_cost`` names.
    kind: int = ANY

    def criterion(self, candidates: int, from_pool: bool) -> Criterion:
        """The rule for states of up to so many candidates, as kernels see it."""
        steps = self.steps(candidates)
        weights = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(steps)])
        return Criterion(
            steps, weights, self.by_largest, self.candidate_bonus, self.kind, from_pool
        )


def _largest(n: int) -> Costs:
    return np.arange(1, n + 1, dtype=np.int64)


def _information_left(n: int) -> Costs:
    require_countable(n)
    return fixed_log_weight_steps(n)


def _squares_grown(n: int) -> Costs:
    return 2 * np.arange(n, dtype=np.int64) + 1


def _not_alone(n: int) -> Costs:
    return (np.arange(n) > 0).astype(np.int64)


#: All one-step rules, in the order in which they are offered.
RULES = {
    rule.name: rule
    for rule in (
        Rule("minimax", "the smallest largest bucket (Knuth)", _largest, by_largest=True),
        Rule("entropy", "the most information", _information_left, kind=LOGARITHMS),
        Rule("expected-size", "the smallest mean bucket", _squares_grown, kind=SQUARES),
        Rule("parts", "the most buckets", _not_alone, kind=PARTS),
        Rule(
            "proportion",
            "the largest mean share eliminated, plus 1/n for a candidate",
            _squares_grown,
            candidate_bonus=True,
            kind=SQUARES,
        ),
    )
}


def find_rule(name: str) -> Rule:
    """The rule of that name; an unknown one is refused with the nearest."""
    try:
        return RULES[name]
    except KeyError:
        hint = did_you_mean(name, list(RULES))
        if name == "optimal":
            hint = " looks one step ahead; strategy.optimal and solve-all --rule optimal search on"
        raise WrongInputError(
            f"no rule named {name!r}{hint}; one-step rules: {', '.join(RULES)}"
        ) from None
