"""Hard mode, compiled: greens stay in place, and what was shown is used again."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean

from .games import TreeColumns


@lean
def first_breach(words: NDArray[np.uint8], tree: TreeColumns) -> int:
    """The first node of a replayed strategy whose guess breaks hard mode; -1 if none does.

    It drops or moves what a score above it has shown.
    """
    for node in range(1, len(tree.guess)):
        word, at = words[tree.guess[node]], node
        while at > 0:
            above = tree.parent[at]
            if not _keeps(word, words[tree.guess[above]], tree.score[at]):
                return node
            at = above
    return -1


@lean(inner=True, inline=True)
def _keeps(word: NDArray[np.uint8], asked: NDArray[np.uint8], score: int) -> bool:
    """Whether a word keeps to what the score of another one has shown."""
    rest = score
    for place in range(len(asked)):
        colour = rest % 3
        rest //= 3
        if colour == 2 and word[place] != asked[place]:
            return False
        if colour > 0:  # as many copies as are shown up to here: at its last place, all of them
            others, shown, has = score, 0, 0
            for other in range(len(asked)):
                if other <= place and others % 3 > 0:
                    shown += asked[other] == asked[place]
                others //= 3
                has += word[other] == asked[place]
            if has < shown:
                return False
    return True
