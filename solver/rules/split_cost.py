"""A one-step rule as kernels see it: numbers that say what a split costs, and who is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..machine.argument_forms import record

if TYPE_CHECKING:
    from ..splits.logarithms import Costs

#: Above every cost that a rule can give.
NO_COST = 1 << 61
#: Kinds of sums over the buckets, for searches that know more of some: any, the number of
#: candidates less that of buckets, squares of sizes, sizes times their logarithms.
ANY, PARTS, SQUARES, LOGARITHMS = range(4)


@record
class Criterion(NamedTuple):
    """What one guess is preferred to another for; the fields are those of ``rules.Rule``."""

    #: What a bucket's growing from ``k`` to ``k + 1`` adds to the cost.
    steps: Costs
    #: What a bucket of ``k`` has added in all.
    weights: Costs
    #: The cost is the largest step instead of the sum of all.
    by_largest: bool
    #: A remaining candidate's cost is lowered by the number of candidates.
    candidate_bonus: bool
    #: Which kind of sum the cost is, if it is one.
    kind: int
    #: Whether guesses that are no candidates may be made.
    from_pool: bool
