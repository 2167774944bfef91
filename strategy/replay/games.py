"""All games of a strategy, played in step from letters alone: a guess of each at a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean

from .letters import colours_shown, pegs_of

#: What can be wrong, by number; what it is about stands in the answer beside it.
FINE, NO_TREE, TWIN, NO_BRANCH, NOT_PASSED = range(5)
#: A branch is one number: the node, the score, and the node that they lead to in the last bits.
CHILD_BITS = 22


class WordBoard(NamedTuple):
    """A game as numbers: the guesses, letter by letter, and which of them are secrets."""

    words: NDArray[np.uint8]
    #: What a mark at each place is worth. A tuple tells the compiler how many there are.
    units: Any
    #: Of each secret: its number as a guess, and where it has which letter.
    secrets: NDArray[np.int32]
    places: NDArray[Any]
    #: How many scores there are, and whether they are pegs.
    scores: int
    pegs: bool


class TreeColumns(NamedTuple):
    """A strategy as a search hands it over: of each node the guess, the one above, the score."""

    guess: NDArray[np.int32]
    parent: NDArray[np.int32]
    score: NDArray[np.int32]


class GameTable(NamedTuple):
    """What is known while games are played, and what they came to."""

    #: The branches of all nodes: slots, 0 where none is.
    branches: NDArray[np.int64]
    #: The games that go on: the secret and the node of each.
    playing: NDArray[np.int32]
    at: NDArray[np.int32]
    #: Of each secret the node where it is guessed, and the number of that guess.
    end: NDArray[np.int32]
    taken: NDArray[np.int32]
    #: Which nodes a game came to.
    passed: NDArray[np.uint8]


@lean
def play_games(board: WordBoard, tree: TreeColumns, table: GameTable) -> tuple[int, int]:
    """Play every secret. What is wrong, and with which node or secret.

    Every game must end with its secret, and every node be one that some game comes to.
    """
    nodes, secrets = len(tree.guess), len(board.secrets)
    node = _disorder(board, tree)
    if node >= 0:
        return NO_TREE, node
    node = _file_branches(board, tree, table.branches)
    if node >= 0:
        return TWIN, node
    table.passed[:nodes] = 0
    for at in range(secrets):
        table.playing[at] = at
        table.at[at] = 0
    going, made = secrets, 1
    while going > 0:
        left = 0
        for at in range(going):
            secret, node = table.playing[at], table.at[at]
            guess = tree.guess[node]
            table.passed[node] = 1
            if guess == board.secrets[secret]:
                table.end[secret], table.taken[secret] = node, made
                continue
            places = board.places[secret]
            if board.pegs:
                score = pegs_of(board.words[guess], board.units, places)
            else:
                score = colours_shown(board.words[guess], board.units, places)
            node = _child(table.branches, int(node) * board.scores + score)
            if node == 0:
                return NO_BRANCH, int(secret)
            table.playing[left], table.at[left] = secret, node
            left += 1
        going = left
        made += 1
    for node in range(nodes):
        if table.passed[node] == 0:
            return NOT_PASSED, node
    return FINE, 0


@lean(inner=True, inline=True)
def _disorder(board: WordBoard, tree: TreeColumns) -> int:
    """The first node that cannot be one: an unknown guess or score, not below an earlier node."""
    for node in range(len(tree.guess)):
        if not 0 <= tree.guess[node] < len(board.words):
            return node
        if node > 0 and not 0 <= tree.parent[node] < node:
            return node
        if node > 0 and not 0 <= tree.score[node] < board.scores:
            return node
    return -1


@lean(inner=True, inline=True)
def _file_branches(board: WordBoard, tree: TreeColumns, branches: NDArray[np.int64]) -> int:
    """Fill the table of branches; the first node that stands in the place of another, or -1."""
    mask = len(branches) - 1
    branches[:] = 0
    for node in range(1, len(tree.guess)):
        state = int(tree.parent[node]) * board.scores + int(tree.score[node])
        slot = _first_slot(state) & mask
        while branches[slot] != 0:
            if branches[slot] >> CHILD_BITS == state:
                return node
            slot = (slot + 1) & mask
        branches[slot] = state << CHILD_BITS | node
    return -1


@lean(inner=True, inline=True)
def _child(branches: NDArray[np.int64], state: int) -> int:
    """The node that a node and a score lead to; 0 if there is none."""
    mask = len(branches) - 1
    slot = _first_slot(state) & mask
    while branches[slot] != 0:
        if branches[slot] >> CHILD_BITS == state:
            return int(branches[slot] & ((1 << CHILD_BITS) - 1))
        slot = (slot + 1) & mask
    return 0


@lean(inner=True, inline=True)
def _first_slot(state: int) -> int:
    """Where a branch is looked for first, before it is cut to the size of the table."""
    return (state ^ state >> 9) * 40503 >> 3
