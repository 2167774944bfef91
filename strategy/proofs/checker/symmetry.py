"""Symmetries of Mastermind: checked permutations of holes and colours, and the guesses they spare.

A symmetry is a permutation of the holes with one of the colours. It maps every code to a code and
changes no score, so whatever holds of a set of candidates and a guess holds of their images
(Lemma 5a of ``docs/proof-format.md``). Nothing here looks for symmetries: those that a proof names
are checked, code by code.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ...errors import StrategyError
from .proof_file import Symmetry

#: Positions of codes among all codes, in ascending order of the codes.
Positions = NDArray[np.int32]


class NoSymmetryError(StrategyError):
    """What a proof calls a symmetry is none, or does not do what the proof says."""


class CodeSymmetries:
    """All codes of a board, and what permutations of its holes and colours make of them."""

    def __init__(self, codes: NDArray[np.uint8]) -> None:
        """``codes``: all codes of the board, ascending; colours are numbers from 0."""
        self._codes = codes
        self._colours = int(codes.max()) + 1
        self._numbers = self._numbered(codes)
        self._all_images = lru_cache(maxsize=256)(self._images_of_all)

    def _numbered(self, codes: NDArray[np.uint8]) -> NDArray[np.int64]:
        """The codes as numbers with a digit for each hole: they ascend as the codes do."""
        numbers = np.zeros(len(codes), dtype=np.int64)
        for hole in range(codes.shape[1]):
            numbers = numbers * self._colours + codes[:, hole]
        return numbers

    def images(self, symmetry: Symmetry, members: Positions) -> Positions:
        """Where a symmetry maps some codes, in their order.

        Hole ``i`` of an image has the colour ``colours[c]``, where ``c`` is the colour in hole
        ``holes[i]`` of the code.
        """
        holes, colours = symmetry
        is_one = sorted(holes) == list(range(self._codes.shape[1]))
        if not is_one or sorted(colours) != list(range(self._colours)):
            raise NoSymmetryError("a symmetry is no permutation of the holes and of the colours")
        painted = np.array(colours, dtype=np.uint8)[self._codes[members][:, list(holes)]]
        wanted = self._numbered(painted)
        found = np.searchsorted(self._numbers, wanted)
        if found.max() == len(self._numbers) or (self._numbers[found] != wanted).any():
            raise NoSymmetryError("the image of a code is no code")  # it cannot be: all codes are
        return found.astype(np.int32)

    def image(self, symmetry: Symmetry, members: Positions) -> Positions:
        """The set that a symmetry makes of a set."""
        return np.sort(self.images(symmetry, members))

    def check_fixed(self, symmetries: Sequence[Symmetry], members: Positions) -> None:
        """Refuse symmetries that do not map a set onto itself."""
        for symmetry in symmetries:
            if not np.array_equal(self.image(symmetry, members), members):
                raise NoSymmetryError("a symmetry does not map its candidates onto themselves")

    def of_all_codes(self) -> list[Symmetry]:
        """Symmetries that generate all there are: exchanges of neighbouring holes, or colours."""
        holes, colours = (tuple(range(n)) for n in (self._codes.shape[1], self._colours))
        by_holes = [Symmetry(_exchanged(holes, at), colours) for at in holes[1:]]
        return by_holes + [Symmetry(holes, _exchanged(colours, at)) for at in colours[1:]]

    def lowest_alike(self, symmetries: Sequence[Symmetry]) -> Positions:
        """For each code a code that the symmetries, one after another, map it to or from.

        It is never a higher one. So the lowest of all codes that they map to each other has itself.
        """
        lowest = np.arange(len(self._codes), dtype=np.int32)
        while True:
            before = lowest
            for symmetry in symmetries:
                lowest = np.minimum(lowest, lowest[self._all_images(symmetry)])
            if np.array_equal(before, lowest):
                return lowest

    def _images_of_all(self, symmetry: Symmetry) -> Positions:
        return self.images(symmetry, np.arange(len(self._codes), dtype=np.int32))


def _exchanged(numbers: tuple[int, ...], at: int) -> tuple[int, ...]:
    """The numbers with that at a place and the one before it exchanged."""
    return (*numbers[: at - 1], numbers[at], numbers[at - 1], *numbers[at + 1 :])
