"""Mastermind for the writer of proofs: sets that are alike.

The writer looks for symmetries, and the checker checks each that it names. A set of candidates is
brought into a form of its own: its holes in an order, its colours named anew, so that sets which a
symmetry maps to each other mostly come to the same form. Where they do not, a proof is longer than
it need be, and no less right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby, islice, permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.game.codes import CodeSpace, find_alike

from ..checkers.proof import Symmetry

#: Orders of the holes that are tried for a form.
_MOST_ORDERS = 24


class CanonicalForm(NamedTuple):
    """A set of codes with its holes reordered and its colours renamed, and the symmetry to it."""

    key: bytes
    symmetry: Symmetry


class CodeForms:
    """The symmetries of sets of codes, as far as the writer looks for them."""

    def __init__(self, space: CodeSpace) -> None:
        self._space = space._replace(turns_from=0)
        self._marks = np.zeros(len(space.codes), dtype=np.uint8)

    def symmetries_of(self, members: NDArray[np.int32]) -> tuple[Symmetry, ...]:
        """Symmetries that map a set onto itself: exchanges of colours, turns of the holes."""
        alike = find_alike(self._space, members, self._marks)
        colours = list(range(len(alike.leader)))
        holes = tuple(range(self._space.codes.shape[1]))
        found = []
        for colour in colours:
            other = int(alike.before[colour])
            if other >= 0:
                paint = colours.copy()
                paint[colour], paint[other] = other, colour
                found.append(Symmetry(holes, tuple(paint)))
        turns = zip(alike.holes.tolist(), alike.paint.tolist(), strict=True)
        found += [Symmetry(tuple(turn), tuple(paint)) for turn, paint in turns]
        return tuple(sorted(found))

    def form_of(self, members: NDArray[np.int32]) -> CanonicalForm:
        """The form of a set: the least that some order of its holes leads to."""
        codes = self._space.codes[members]
        return min(self._forms(codes), key=lambda form: form.key)

    def _forms(self, codes: NDArray[np.uint8]) -> list[CanonicalForm]:
        n_colours = self._space.n_colours
        pegs = np.stack([np.bincount(hole, minlength=n_colours) for hole in codes.T])
        kinds = [tuple(sorted(row)) for row in pegs.tolist()]
        ranked = sorted(range(len(kinds)), key=lambda hole: kinds[hole])
        classes = [list(group) for _, group in groupby(ranked, key=lambda hole: kinds[hole])]
        forms = []
        for parts in islice(product(*map(permutations, classes)), _MOST_ORDERS):
            holes = tuple(hole for part in parts for hole in part)
            turned = codes[:, list(holes)]
            ranks = _ranked_colours(turned, pegs[list(holes)])
            painted = np.array(ranks, dtype=np.uint8)[turned]
            key = painted[np.lexsort(painted.T[::-1])].tobytes()
            forms.append(CanonicalForm(key, Symmetry(holes, tuple(ranks))))
        return forms


def _ranked_colours(codes: NDArray[np.uint8], pegs: NDArray[np.int64]) -> list[int]:
    """The colours numbered by what they do in a set of codes; arbitrarily where they do the same.

    Classes of colours are refined by the codes that they occur in, and these by their colours. Of a
    class that stays together some colour is made a class of its own.
    """
    colours = range(pegs.shape[1])
    uses = pegs.T.tolist()
    ranks = _classes([(*uses[at], 0 if any(uses[at]) else at) for at in colours])
    while True:
        ranks = _refined(codes, ranks)
        tied = [rank for rank, count in Counter(ranks).items() if count > 1]
        if not tied:
            return ranks
        first = ranks.index(min(tied))
        ranks = _classes([(ranks[colour], colour != first) for colour in colours])


def _refined(codes: NDArray[np.uint8], ranks: list[int]) -> list[int]:
    """Classes of colours, refined as long as they become more."""
    while True:
        before = max(ranks)
        if before == len(ranks) - 1:
            return ranks
        rows = np.array(ranks, dtype=np.int64)[codes] @ (37 ** np.arange(codes.shape[1]))
        mixed = rows * 2_654_435_761 % 2_147_483_647  # sums of these tell rows apart
        sums = [np.bincount(hole, mixed, len(ranks)).tolist() for hole in codes.T]
        ranks = _classes(list(zip(ranks, *sums, strict=True)))
        if max(ranks) == before:
            return ranks


def _classes(keys: Sequence[tuple[float, ...]]) -> list[int]:
    """The keys by their rank among the different ones."""
    number = {key: at for at, key in enumerate(sorted(set(keys)))}
    return [number[key] for key in keys]


def composed(first: Symmetry, last: Symmetry) -> Symmetry:
    """The symmetry that maps as the first does and then undoes the last."""
    # code -> form by first: f[i] = first.colours[c[first.holes[i]]]; undo last: d with
    # last.colours[d[last.holes[i]]] = f[i]
    back_holes = [0] * len(last.holes)
    for at, hole in enumerate(last.holes):
        back_holes[hole] = at
    back_colours = [0] * len(last.colours)
    for colour, number in enumerate(last.colours):
        back_colours[number] = colour
    holes = tuple(first.holes[at] for at in back_holes)
    return Symmetry(holes, tuple(back_colours[number] for number in first.colours))
