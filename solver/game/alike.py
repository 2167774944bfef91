"""Guesses of Mastermind that are one guess with other names: how many others a guess stands for.

In a state some colours and some orders of the holes cannot be told apart (``codes.Alike``). A guess
and what such a renaming makes of it split the candidates alike, so that advice names one of them
and says how many there are like it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import perm
from typing import TYPE_CHECKING

import numpy as np

from .codes import Alike, find_alike

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..machine.arrays import Ids
    from .game import Game


def count_alike(game: Game, candidates: Ids, guesses: Sequence[int]) -> list[int]:
    """For each of some guesses how many other codes are that guess renamed, in this state.

    Of a game without a space of codes, none. A colour that no candidate has tells nothing: two of
    these are as good as one.

    >>> import numpy as np
    >>> from solver.game.alike import count_alike
    >>> from solver.game.load import load_game
    >>> game = load_game(spec="mastermind:4x6")
    >>> every = np.arange(len(game.secrets), dtype=np.int32)
    >>> count_alike(game, every, [game.guess_id("1111"), game.guess_id("1234")])
    [5, 359]
    """
    space = game.code_space
    if space is None:
        return [0] * len(guesses)
    alike = find_alike(space, candidates, np.zeros(len(space.codes), dtype=np.uint8))
    absent = _absent(alike)
    return [_renamings(alike, absent, tuple(space.codes[guess].tolist())) - 1 for guess in guesses]


def _absent(alike: Alike) -> frozenset[int]:
    """The colours of the class in which no candidate has any, if it has several."""
    idle = np.flatnonzero(alike.idle)
    return frozenset(np.flatnonzero(np.isin(alike.leader, alike.leader[idle])).tolist())


def _renamings(alike: Alike, absent: frozenset[int], code: tuple[int, ...]) -> int:
    """How many codes a guess can become: by other names of colours, by other orders of holes."""
    turned = {_named(alike, absent, code)}
    for order, paint in zip(alike.holes.tolist(), alike.paint.tolist(), strict=True):
        turned.add(_named(alike, absent, tuple(paint[code[hole]] for hole in order)))
    sizes = Counter(alike.leader.tolist())
    used = Counter(int(alike.leader[colour]) for colour in {*code} - absent)
    several: int = len(absent) ** sum(colour in absent for colour in code)
    for leader, number in used.items():
        several *= perm(sizes[leader], number)
    return len(turned) * int(several)


def _named(alike: Alike, absent: frozenset[int], code: tuple[int, ...]) -> tuple[int, ...]:
    """The code with its colours named in the order of their first use, class by class."""
    numbers: dict[int, int] = {}
    met = Counter[int]()
    for colour in code:
        leader = int(alike.leader[colour])
        if colour not in numbers:
            numbers[colour] = 0 if colour in absent else met[leader]
            met[leader] += 1
    n_colours = len(alike.leader)
    return tuple(int(alike.leader[colour]) * n_colours + numbers[colour] for colour in code)


# ---- All guesses by their kinds


def kinds_of(game: Game, candidates: Ids) -> Ids:
    """For each guess the lowest guess that is the same with other names, in this state.

    Whatever is asked of a state has one answer for all guesses of a kind, if it looks at scores
    alone. Of a game without a space of codes each guess is a kind of its own.

    >>> from solver.game.alike import kinds_of
    >>> from solver.game.load import load_game
    >>> game = load_game(spec="mastermind:2x3")
    >>> kinds = kinds_of(game, np.arange(9, dtype=np.int32)).tolist()
    >>> [game.guesses[kind] for kind in kinds]
    ['11', '12', '12', '12', '11', '12', '12', '12', '11']
    """
    space = game.code_space
    everything = np.arange(len(game.guesses), dtype=np.int32)
    if space is None:
        return everything
    alike = find_alike(space, candidates, np.zeros(len(space.codes), dtype=np.uint8))
    codes = space.codes.astype(np.int64)
    while True:  # each turn of a guess is of its kind, and the lowest of these may have lower ones
        lowest = _lowest_names(alike, codes)
        for order, paint in zip(alike.holes, alike.paint, strict=True):
            turned = _lowest_names(alike, paint[codes[:, order]])
            lower = _numbers(turned, space.n_colours) < _numbers(lowest, space.n_colours)
            lowest[lower] = turned[lower]
        if np.array_equal(lowest, codes):
            break
        codes = lowest
    known = _numbers(space.codes.astype(np.int64), space.n_colours)
    return np.searchsorted(known, _numbers(codes, space.n_colours)).astype(np.int32)


def _numbers(codes: NDArray[np.int64], n_colours: int) -> NDArray[np.int64]:
    """A number for each code, in the order of the codes."""
    worth = n_colours ** np.arange(codes.shape[1] - 1, -1, -1)
    return np.asarray(codes @ worth, dtype=np.int64)


def _lowest_names(alike: Alike, codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """The codes with the colours of each class named from the lowest on, idle ones alike."""
    count, n_colours = len(codes), len(alike.leader)
    rows = np.arange(count)
    named = np.full((count, n_colours), -1)
    free = np.tile(alike.leader, (count, 1))
    lowest = np.empty_like(codes)
    for hole in range(codes.shape[1]):
        colours = codes[:, hole]
        new = np.flatnonzero(named[rows, colours] < 0)
        some = colours[new]
        leaders = alike.leader[some]
        names = free[new, leaders]
        named[new, some] = names
        further = alike.after[names]
        step = (further >= 0) & ~alike.idle[further]
        free[new[step], leaders[step]] = further[step]
        lowest[:, hole] = named[rows, colours]
    return lowest
