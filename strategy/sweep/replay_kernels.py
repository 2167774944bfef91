"""All games of a strategy played from letters alone, compiled: grading and hard mode.

A node stands behind the one above it. So all games that come to a node are there when its turn
comes: its guess is graded against the secret of each, and the game goes on to the node below that
the score leads to.

Of a secret it is known where each letter stands in it: sets of places, as bits. A guess takes its
letters from left to right, and each of them takes a place of the secret that is free. Letters, and
the pegs of codes, are numbers from 0. Nothing of this is shared with any search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import noalloc

# --- grading ------------------------------------------------------------------------------


@noalloc
def fill_places(words: NDArray[np.uint8], places: NDArray[Any]) -> None:
    """Fill ``places[word, letter]``: bits for where the letter stands."""
    places[:] = 0
    for word in range(words.shape[0]):
        for place in range(words.shape[1]):
            places[word, words[word, place]] |= 1 << place


@noalloc(inner=True, inline=True)
def wordle_score(guess: NDArray[np.uint8], units: Any, places: NDArray[Any]) -> int:
    """The Wordle score of a guess, from the places of the secret's letters.

    2 for green, 1 for yellow, 0 for grey, digits of base 3 from the first place on. The greens take
    their places first.
    """
    green = 0
    for place in range(len(units)):
        green |= int(places[guess[place]]) & 1 << place
    taken, score = green, 0
    for place in range(len(units)):
        is_green = green >> place & 1
        # where it is green no other is needed
        free = int(places[guess[place]]) & ~taken & (is_green - 1)
        taken |= free & -free
        score += units[place] * (2 * is_green + int(free != 0))
    return score


@noalloc(inner=True, inline=True)
def mastermind_score(guess: NDArray[np.uint8], units: Any, places: NDArray[Any]) -> int:
    """The Mastermind score of a guess: pegs as a number.

    Black pegs times (holes + 1), plus white pegs.
    """
    black, common, taken = 0, 0, 0
    for place in range(len(units)):
        free = int(places[guess[place]]) & ~taken
        taken |= free & -free
        common += int(free != 0)
        black += int(places[guess[place]]) >> place & 1
    return black * (len(units) + 1) + common - black


# --- the games ----------------------------------------------------------------------------

#: What can be wrong, by number; what it is about stands in the answer beside it.
FINE, NO_TREE, TWIN, NO_BRANCH, NOT_PASSED = range(5)


class WordBoard(NamedTuple):
    """A game as numbers: the guesses letter by letter, which of them are secrets."""

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
    """Memory of ``play_games``: the tree's links, the games at each node, where secrets ended."""

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


@noalloc
def play_games(board: WordBoard, tree: TreeColumns, table: GameTable) -> tuple[int, int]:
    """Play every secret through a strategy; what is wrong, and with which node or secret.

    Every game must end with its secret, and every node be one that some game comes to.
    """
    nodes = len(tree.guess)
    node = _disorder(board, tree)
    if node >= 0:
        return NO_TREE, node
    _link_children(tree, table)
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
            _move_games(tree, table, node)
    for node in range(nodes):
        if table.begin[node] == table.end[node]:
            return NOT_PASSED, node
    return FINE, 0


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
def _link_children(tree: TreeColumns, table: GameTable) -> None:
    """Find for each node those below it, the first one first."""
    table.first[: len(tree.guess)] = 0
    for node in range(len(tree.guess) - 1, 0, -1):
        table.following[node] = table.first[tree.parent[node]]
        table.first[tree.parent[node]] = node


@noalloc(inner=True, inline=True)
def _grade_games(board: WordBoard, tree: TreeColumns, table: GameTable, node: int) -> int:
    """Note to which node each game at a node goes on, 0 where it ends; count them in ``end``.

    A secret whose score leads nowhere, or -1.
    """
    guess, begin, end = tree.guess[node], table.begin[node], table.end[node]
    word = board.words[guess]
    for at in range(begin, end):
        secret = table.playing[at]
        if guess == board.secrets[secret]:
            table.ended[secret], table.taken[secret] = node, table.number[node]
            table.to[at] = 0
            continue
        places = board.places[secret]
        if board.pegs:
            score = mastermind_score(word, board.units, places)
        else:
            score = wordle_score(word, board.units, places)
        child = table.below[score]
        if child == 0:
            return int(secret)
        table.to[at] = child
        table.end[child] += 1
    return -1


@noalloc(inner=True, inline=True)
def _move_games(tree: TreeColumns, table: GameTable, node: int) -> None:
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


@noalloc
def first_illegal(words: NDArray[np.uint8], tree: TreeColumns) -> int:
    """The first node whose guess breaks hard mode; -1 if none does.

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


@noalloc(inner=True, inline=True)
def _keeps(word: NDArray[np.uint8], guess: NDArray[np.uint8], score: int) -> bool:
    """Whether a word keeps to what the score of another one has shown."""
    rest = score
    for place in range(len(guess)):
        colour = rest % 3
        rest //= 3
        if colour == 2 and word[place] != guess[place]:
            return False
        if colour > 0:  # as many copies as are shown up to here: at its last place, all of them
            others, shown, has = score, 0, 0
            for other in range(len(guess)):
                if other <= place and others % 3 > 0:
                    shown += guess[other] == guess[place]
                others //= 3
                has += word[other] == guess[place]
            if has < shown:
                return False
    return True
