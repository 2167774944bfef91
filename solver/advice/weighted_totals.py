"""The expected guesses of a next guess to the end of the game, where secrets have chances.

Where few candidates are left, all that can follow is looked through: guesses that split them alike
are one, the most promising is tried first, and those that cannot be better are left out. A bound
serves for that: of a set of candidates one at most is found by the next guess, the likeliest, and
the others take two guesses at least.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..game.game import Game
    from ..machine.rows import Ids
    from ..splits.weighted_measures import Chances

#: Up to so many candidates it is a matter of moments.
FEW = 12
#: Differences of expectations below this are rounding.
_NOTHING = 1e-12


class _Kind(NamedTuple):
    """All guesses that split the candidates alike."""

    #: No strategy that begins with them is expected to take less.
    bound: float
    #: The buckets that the right guess does not end, as sets of places in binary.
    buckets: tuple[int, ...]
    guesses: tuple[int, ...]


class WeightedTotals:
    """Expected guesses from a state on: this one and all later ones, over the chances."""

    def __init__(self, game: Game, candidates: Ids, chances: Chances) -> None:
        """Chances are those of the candidates, in their order; any allowed word may follow."""
        self._chances: list[float] = chances.tolist()
        self._own = game.secret_ids[candidates]
        self._solved = game.solved
        #: How guesses split the candidates: ``[guess, place]``.
        self._rows: NDArray[np.int64] = game.score_rows(None, candidates).astype(np.int64)
        self._all = (1 << len(candidates)) - 1
        self._worth: dict[int, float] = {}
        self._kind_of: dict[int, _Kind] = {}
        self._kinds = self._kinds_of(self._all)
        for kind in self._kinds:
            self._kind_of.update(dict.fromkeys(kind.guesses, kind))

    def total(self, guess: int) -> float:
        """What a guess is expected to take."""
        return self._value(self._all, self._kind_of[guess])

    def best(self, top: int = 1) -> dict[int, float]:
        """The guesses expected to take least: so many, and whatever ties with the last."""
        found: dict[int, float] = {}
        last = float("inf")
        for kind in self._kinds:
            if kind.bound > last + _NOTHING:
                break
            value = self._value(self._all, kind)
            found.update(dict.fromkeys(kind.guesses, value))
            if len(found) >= top:
                last = sorted(found.values())[top - 1]
        return {guess: value for guess, value in found.items() if value <= last + _NOTHING}

    def _expected(self, members: int) -> float:
        """The least of all guesses in a state, times the chance of the state."""
        if members not in self._worth:
            least = float("inf")
            if members.bit_count() <= 2:
                least = self._least(members)
            for kind in self._kinds_of(members) if least == float("inf") else ():
                if kind.bound >= least - _NOTHING:
                    break
                if members not in kind.buckets:  # what tells nothing is never the best
                    least = min(least, self._value(members, kind))
            self._worth[members] = least
        return self._worth[members]

    def _value(self, members: int, kind: _Kind) -> float:
        """What a kind of guess is expected to take in a state, times the chance of the state."""
        if members in kind.buckets:  # it tells nothing
            return self._chance(members) + self._expected(members)
        return self._chance(members) + math.fsum(map(self._expected, kind.buckets))

    def _chance(self, members: int) -> float:
        return math.fsum(self._chances[place] for place in _places(members))

    def _least(self, members: int) -> float:
        """The bound: the likeliest by the next guess, the others by the one after it."""
        chances = [self._chances[place] for place in _places(members)]
        return 2 * math.fsum(chances) - max(chances)

    def _kinds_of(self, members: int) -> list[_Kind]:
        """The kinds of guesses in a state, those of the least bound first."""
        places = list(_places(members))
        rows = self._rows[:, places]
        # two guesses are of a kind if the same places are alike and the same one is solved
        first = (rows[:, :, None] == rows[:, None, :]).argmax(axis=2)
        first = np.where(rows == self._solved, -1, first)
        codes = (first + 1) @ (FEW + 1) ** np.arange(len(places), dtype=np.int64)
        _, some, inverse = np.unique(codes, return_index=True, return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        groups = np.split(order, np.cumsum(np.bincount(inverse))[:-1])
        kinds = []
        for label, guesses in zip(first[some].tolist(), groups, strict=True):
            buckets: dict[int, int] = {}
            for place, alike in zip(places, label, strict=True):
                if alike >= 0:
                    buckets[alike] = buckets.get(alike, 0) | 1 << place
            parts = tuple(buckets.values())
            bound = self._chance(members) + sum(map(self._least, parts))
            kinds.append(_Kind(bound, parts, tuple(guesses.tolist())))
        return sorted(kinds)


def _places(members: int) -> list[int]:
    """The places of a set in binary."""
    return [place for place in range(members.bit_length()) if members >> place & 1]
