"""The text form of a strategy, written out: a line a secret, guesses and scores in turn.

These are the bytes of which a strategy's digest is the sha256, so that anybody can check it
(``knuthle export FILE --to text``).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean

from .games import TreeColumns

SPACE, END_OF_LINE = 32, 10


class Alphabet(NamedTuple):
    """How words and scores are written: a row of bytes each, and how many bytes of each score."""

    words: NDArray[np.uint8]
    scores: NDArray[np.uint8]
    widths: NDArray[np.int32]


@lean
def write_lines(
    alphabet: Alphabet,
    tree: TreeColumns,
    secrets: NDArray[np.int32],
    end: NDArray[np.int32],
    pieces: NDArray[np.uint8],
    path: NDArray[np.int32],
    out: NDArray[np.uint8],
) -> int:
    """Fill ``out`` with all lines; the number of bytes.

    ``end`` is the node where each secret is guessed. ``pieces`` is scratch memory, a row a node:
    the guess above it and the score that leads to it, as every line through the node has them.
    """
    length = alphabet.words.shape[1]
    for node in range(1, len(tree.guess)):
        _write(alphabet, tree.guess[tree.parent[node]], tree.score[node], pieces[node])
    solved = len(alphabet.widths) - 1
    size = 0
    for at in range(len(secrets)):
        depth, node = 0, end[at]
        while node > 0:
            path[depth] = node
            depth += 1
            node = tree.parent[node]
        for step in range(depth - 1, -1, -1):
            piece = pieces[path[step]]
            width = length + 2 + alphabet.widths[tree.score[path[step]]]
            for place in range(width):
                out[size + place] = piece[place]
            size += width
        _write(alphabet, secrets[at], solved, out[size:])
        size += length + 2 + alphabet.widths[solved]
        out[size - 1] = END_OF_LINE
    return size


@lean(inner=True, inline=True)
def _write(alphabet: Alphabet, word: int, score: int, row: NDArray[np.uint8]) -> None:
    """A word and a score, with a space behind each."""
    length = alphabet.words.shape[1]
    for place in range(length):
        row[place] = alphabet.words[word, place]
    row[length] = SPACE
    width = alphabet.widths[score]
    for place in range(width):
        row[length + 1 + place] = alphabet.scores[score, place]
    row[length + 1 + width] = SPACE
