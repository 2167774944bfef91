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
    """How words and scores are written: a row of bytes each, and how many of them count."""

    words: NDArray[np.uint8]
    word_widths: NDArray[np.int32]
    scores: NDArray[np.uint8]
    score_widths: NDArray[np.int32]


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
    for node in range(1, len(tree.guess)):
        _write(alphabet, tree.guess[tree.parent[node]], tree.score[node], pieces[node])
    solved = len(alphabet.score_widths) - 1
    size = 0
    for at in range(len(secrets)):
        depth, node = 0, end[at]
        while node > 0:
            path[depth] = node
            depth += 1
            node = tree.parent[node]
        for step in range(depth - 1, -1, -1):
            node = path[step]
            piece = pieces[node]
            width = _width(alphabet, tree.guess[tree.parent[node]], tree.score[node])
            for place in range(width):
                out[size + place] = piece[place]
            size += width
        _write(alphabet, secrets[at], solved, out[size:])
        size += _width(alphabet, secrets[at], solved)
        out[size - 1] = END_OF_LINE
    return size


@lean(inner=True, inline=True)
def _width(alphabet: Alphabet, word: int, score: int) -> int:
    """The bytes of a word and a score, with a space behind each."""
    return int(alphabet.word_widths[word]) + int(alphabet.score_widths[score]) + 2


@lean(inner=True, inline=True)
def _write(alphabet: Alphabet, word: int, score: int, row: NDArray[np.uint8]) -> None:
    """A word and a score, with a space behind each."""
    length, width = alphabet.word_widths[word], alphabet.score_widths[score]
    for place in range(length):
        row[place] = alphabet.words[word, place]
    row[length] = SPACE
    for place in range(width):
        row[length + 1 + place] = alphabet.scores[score, place]
    row[length + 1 + width] = SPACE
