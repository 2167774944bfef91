"""All games of a strategy, played from letters alone: node after node, and at each the games there.

A node stands behind the one above it. So all games that come to a node are there when its turn
comes: its guess is graded against the secret of each, and the game goes on to the node below that
the score leads to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean

from .letter_grading import colours_apart, colours_shown, pegs_of, repeats_letters

#: What can be wrong, by number; what it is about stands in the answer beside it.
FINE, NO_TREE, TWIN, NO_BRANCH, NOT_PASSED = range(5)


class WordBoard(NamedTuple):
    """A game as numbers for a replay: the guesses letter by letter, which of them are secrets."""

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
    """A strategy as a search hands it over: of each node the guess, the parent, the score."""

    guess: NDArray[np.int32]
    parent: NDArray[np.int32]
    score: NDArray[np.int32]


class GameTable(NamedTuple):
    """What is known while the games of a strategy are replayed, and what they came to."""

    #: Of each node the first one below it and the next one below the same node; 0 for none.
    first: NDArray[np.int32]
    following: NDArray[np.int32]
    #: Of each node where its games begin and end among all that are played, and its guess's number.
    begin: NDArray[np.int32]
    end: NDArray[np.int32]
    number: NDArray[np.int32]
    #: Of each score the node below the one whose turn it is; 0 for none.
    below: NDArray[np.int32]
    #: The secrets of the games, those at a node side by side; and memory to sort them.
    playing: NDArray[np.int32]
    moved: NDArray[np.int32]
    to: NDArray[np.int32]
    #: Of each secret the node where it is guessed, and the number of that guess.
    ended: NDArray[np.int32]
    taken: NDArray[np.int32]


@lean
def play_games(board: WordBoard, tree: TreeColumns, table: GameTable) -> tuple[int, int]:
    """Play every secret through a strategy; what is wrong, and with which node or secret.

    Every game must end with its secret, and every node be one that some game comes to.
    """
    nodes = len(tree.guess)
    node = _disorder(board, tree)
    if node >= 0:
        return NO_TREE, node
    _hang_up(tree, table)
    for at in range(len(board.secrets)):
        table.playing[at] = at
    table.begin[0], table.end[0], table.number[0] = 0, len(board.secrets), 1
    table.below[:] = 0
    for node in range(nodes):
        child = table.first[node]
        while child > 0:
            if table.below[tree.score[child]] > 0:
                return TWIN, int(child)
            table.below[tree.score[child]] = child
            table.end[child], table.number[child] = 0, table.number[node] + 1
            child = table.following[child]
        lost = _grade_games(board, tree, table, node)
        if lost >= 0:
            return NO_BRANCH, lost
        if table.first[node] > 0:
            _go_on(tree, table, node)
    for node in range(nodes):
        if table.begin[node] == table.end[node]:
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
def _hang_up(tree: TreeColumns, table: GameTable) -> None:
    """Find for each node those below it, the first one first."""
    table.first[: len(tree.guess)] = 0
    for node in range(len(tree.guess) - 1, 0, -1):
        table.following[node] = table.first[tree.parent[node]]
        table.first[tree.parent[node]] = node


@lean(inner=True, inline=True)
def _grade_games(board: WordBoard, tree: TreeColumns, table: GameTable, node: int) -> int:
    """Note to which node each game at a node goes on, 0 where it ends; count them in ``end``.

    A secret whose score leads nowhere, or -1.
    """
    guess, begin, end = tree.guess[node], table.begin[node], table.end[node]
    word = board.words[guess]
    apart = not board.pegs and end - begin > 1 and not repeats_letters(word)
    for at in range(begin, end):
        secret = table.playing[at]
        if guess == board.secrets[secret]:
            table.ended[secret], table.taken[secret] = node, table.number[node]
            table.to[at] = 0
            continue
        places = board.places[secret]
        if board.pegs:
            score = pegs_of(word, board.units, places)
        elif apart:
            score = colours_apart(word, board.units, places)
        else:
            score = colours_shown(word, board.units, places)
        child = table.below[score]
        if child == 0:
            return int(secret)
        table.to[at] = child
        table.end[child] += 1
    return -1


@lean(inner=True, inline=True)
def _go_on(tree: TreeColumns, table: GameTable, node: int) -> None:
    """Let the games at a node go on, those with the same score side by side."""
    begin, end = table.begin[node], table.end[node]
    start, child = begin, table.first[node]
    while child > 0:
        table.begin[child] = start
        start += table.end[child]
        table.end[child] = table.begin[child]
        table.below[tree.score[child]] = 0
        child = table.following[child]
    for at in range(begin, end):
        table.moved[at] = table.playing[at]
    for at in range(begin, end):
        child = table.to[at]
        if child > 0:
            table.playing[table.end[child]] = table.moved[at]
            table.end[child] += 1
