"""Which candidates to give up, as few as can be, so that all others are solved in time.

Every core of a state must lose a member: no strategy solves them all. So a smallest set that hits
all cores found so far bounds the losses from below (docs/exact.md, lemma 9). If the state without
that set can be solved, the bound is attained; if not, the search has found another core, which the
set misses. Each core excludes the set that led to it, so this ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..feasibility.cores import Rows
from ..feasibility.limit_search import Possible

Core = frozenset[int]
#: Steps after which a smallest hitting set is no longer sought.
PATIENCE = 20_000


class LossesByCores:
    """Narrows the losses of one state down, a core at a time."""

    def __init__(self, search: Possible, left: int, members: Rows) -> None:
        self._search = search
        self._left = left
        self._members = members
        self._cores: list[Core] = []
        #: How often a candidate occurs in the roots of the refutations: whom to give up first.
        self._weight: Counter[int] = Counter()
        #: No strategy loses fewer.
        self.least = 0
        #: Candidates without which the state can be solved.
        self.given_up: Rows | None = None

    def least_after(self, cores: int) -> int:
        """The losses that no strategy of the state goes below, as far as so many cores tell."""
        for _ in range(cores):
            if not self.step():
                break
        return self.least

    def step(self) -> bool:
        """Take one more core into account, or find that none is left; whether to go on."""
        least, chosen = smallest_hitting_set(self._cores, self._weight)
        self.least = max(self.least, least)
        given_up = np.array(sorted(chosen), dtype=np.int32)
        others = np.setdiff1d(self._members, given_up).astype(np.int32)
        core = self._search.solve(self._left, others)
        if core is None:
            self.given_up = given_up
            return False
        self._cores.append(frozenset(self._search.rows_of(core).tolist()))
        self.least = max(self.least, 1)
        for refuted in self._search.refutation(core):
            if refuted.left <= 2:
                self._weight.update(refuted.rows)
        return True


def smallest_hitting_set(
    sets: Sequence[Core], weight: Counter[int], patience: int = PATIENCE
) -> tuple[int, list[int]]:
    """For losses by cores: a set that meets each of some sets, and how small it can be.

    Deepened from the number of disjoint sets on. When patience ends before a smallest one is
    found, a greedy one is returned, and the bound stays below its size.
    """
    tried = 0

    def hit(rest: list[Core], most: int) -> list[int] | None:
        nonlocal tried
        if not rest:
            return []
        tried += 1
        if tried > patience or count_disjoint(rest) > most:
            return None
        for member in by_use(min(rest, key=len), rest):
            found = hit([other for other in rest if member not in other], most - 1)
            if found is not None:
                return [member, *found]
        return None

    def by_use(some: Core, rest: list[Core]) -> list[int]:
        used = Counter(member for other in rest for member in other & some)
        return sorted(some, key=lambda member: (-used[member], -weight[member], member))

    least = count_disjoint(sets)
    while tried <= patience:
        found = hit(list(sets), least)
        if found is not None:
            return least, found
        if tried <= patience:
            least += 1
    return least, _greedy(sets, weight)


def count_disjoint(sets: Sequence[Core]) -> int:
    """For losses by cores, how many without a common member are easily found, smallest first."""
    seen: set[int] = set()
    count = 0
    for some in sorted(sets, key=len):
        if seen.isdisjoint(some):
            seen |= some
            count += 1
    return count


def _greedy(sets: Sequence[Core], weight: Counter[int]) -> list[int]:
    """A hitting set of the members that hit most."""
    rest, found = list(sets), []
    while rest:
        used = Counter(member for some in rest for member in some)
        best = min(used, key=lambda member: (-used[member], -weight[member], member))
        found.append(best)
        rest = [some for some in rest if best not in some]
    return found
