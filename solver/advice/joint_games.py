"""Kernels: whole games on several boards, played by a quick rule in worlds that are given.

``rollouts`` says what the rule is, and what the games are played for.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids
from ..machine.forms import record
from ..machine.jit import kernel, noalloc

Numbers = NDArray[np.float64]
#: What a guess costs, in units of ``UNIT`` guesses.
Costs = NDArray[np.int32]
UNIT = 2.0**-20


@record
class GameTables(NamedTuple):
    """What the rule works with: candidates of all boards, and the guesses that it chooses from."""

    #: A row for each candidate: its scores with all guesses.
    scores: NDArray[Any]
    #: The guess that a candidate is.
    solving: Ids
    #: Where the candidates of each board begin, and where those of the last one end.
    starts: Ids
    #: The candidates of all boards side by side, and how likely each is on its board.
    members: Ids
    chances: Numbers
    #: How many guesses a board takes that has so many candidates left.
    values: Numbers


@record
class GameMemory(NamedTuple):
    """Memory for a game."""

    #: Places in ``members`` of what is left on each board, and how many these are; 0: solved.
    left: Ids
    sizes: Ids
    #: For each guess: how many candidates have the same score, and what it costs.
    same: NDArray[np.uint16]
    costs: Costs
    #: What a candidate adds to the costs by the size of its bucket.
    table: Costs
    #: The costs on one board after the first guess, and for the first candidate left the row.
    kept: NDArray[np.int32]
    kept_at: Ids


@kernel
def play_worlds(
    tables: GameTables, memory: GameMemory, solved: int, first: int, worlds: Ids, taken: Ids
) -> None:
    """Play worlds that begin with one guess; write how many guesses each takes.

    A world is a row with the candidate of each board.
    """
    memory.kept_at[:] = -1
    n_kept = 0
    for world in range(len(worlds)):
        secrets = worlds[world]
        guess, count, n_open = first, 1, _begin(tables, memory)
        n_open -= _answer(tables, memory, solved, guess, secrets)
        while n_open > 0:
            guess = _certain(tables, memory)
            if guess < 0:
                memory.costs[:] = 0
                if count == 1:
                    n_kept = _add_kept(tables, memory, n_kept)
                else:
                    _add_all(tables, memory)
                guess = int(np.argmin(memory.costs))
            count += 1
            n_open -= _answer(tables, memory, solved, guess, secrets)
        taken[world] = count


@noalloc(inner=True)
def _begin(tables: GameTables, memory: GameMemory) -> int:
    """All candidates are left; how many boards there are."""
    n_boards = len(tables.starts) - 1
    for board in range(n_boards):
        begin, end = int(tables.starts[board]), int(tables.starts[board + 1])
        memory.sizes[board] = end - begin
        for at in range(begin, end):
            memory.left[at] = at
    return n_boards


@noalloc(inner=True)
def _answer(tables: GameTables, memory: GameMemory, solved: int, guess: int, secrets: Ids) -> int:
    """Keep what fits the score on each board; how many boards a guess has solved."""
    hits = 0
    for board in range(len(memory.sizes)):
        size = int(memory.sizes[board])
        if size == 0:
            continue
        score = tables.scores[secrets[board], guess]
        if score == solved:
            memory.sizes[board] = 0
            hits += 1
            continue
        begin = int(tables.starts[board])
        kept = begin
        for at in range(begin, begin + size):
            place = memory.left[at]
            if tables.scores[tables.members[place], guess] == score:
                memory.left[kept] = place
                kept += 1
        memory.sizes[board] = kept - begin
    return hits


@noalloc(inner=True)
def _certain(tables: GameTables, memory: GameMemory) -> int:
    """The guess that is certain to solve a board, the first of them; -1: there is none.

    Their order does not matter: all of them are guessed before anything else.
    """
    for board in range(len(memory.sizes)):
        if memory.sizes[board] == 1:
            return int(tables.solving[tables.members[memory.left[tables.starts[board]]]])
    return -1


@noalloc(inner=True)
def _chance(tables: GameTables, memory: GameMemory, board: int) -> float:
    begin, chance = int(tables.starts[board]), 0.0
    for at in range(begin, begin + int(memory.sizes[board])):
        chance += tables.chances[memory.left[at]]
    return chance


@noalloc(inner=True)
def _add_all(tables: GameTables, memory: GameMemory) -> None:
    """Add what all guesses cost on the boards that are open."""
    for board in range(len(memory.sizes)):
        if memory.sizes[board] > 0:
            _add_board(tables, memory, board, memory.costs)


@noalloc(inner=True)
def _add_kept(tables: GameTables, memory: GameMemory, n_kept: int) -> int:
    """The same after the first guess; what a board adds is kept for other worlds while room lasts.

    The first candidate that is left says what is left of a board. Returns how many rows are kept.
    """
    for board in range(len(memory.sizes)):
        if memory.sizes[board] == 0:
            continue
        first = memory.left[tables.starts[board]]
        row = int(memory.kept_at[first])
        if row < 0 and n_kept == len(memory.kept):
            _add_board(tables, memory, board, memory.costs)
            continue
        if row < 0:
            row = n_kept
            n_kept += 1
            memory.kept_at[first] = row
            memory.kept[row, :] = 0
            _add_board(tables, memory, board, memory.kept[row])
        costs, kept = memory.costs, memory.kept[row]
        for guess in range(len(costs)):
            costs[guess] += kept[guess]
    return n_kept


@noalloc(inner=True)
def _add_board(tables: GameTables, memory: GameMemory, board: int, costs: Costs) -> None:
    """Add what all guesses cost on a board: what its buckets are expected to take."""
    begin, size = int(tables.starts[board]), int(memory.sizes[board])
    whole = _chance(tables, memory, board)
    table = memory.table
    for one in range(begin, begin + size):
        place = memory.left[one]
        chance = tables.chances[place] / whole / UNIT
        for same in range(1, size + 1):
            table[same] = np.int32(np.rint(tables.values[same] * chance))
        _count_same(tables, memory, begin, begin + size, tables.members[place])
        same_as = memory.same
        for guess in range(len(costs)):
            costs[guess] += table[same_as[guess]]
        costs[tables.solving[tables.members[place]]] -= table[1]


@noalloc(inner=True)
def _count_same(tables: GameTables, memory: GameMemory, begin: int, end: int, member: int) -> None:
    """For each guess: how many of a board's candidates have the same score as one of them."""
    same, row = memory.same, tables.scores[member]
    same[:] = 0
    for other in range(begin, end):
        beside = tables.scores[tables.members[memory.left[other]]]
        for guess in range(len(same)):
            same[guess] += np.uint16(row[guess] == beside[guess])
