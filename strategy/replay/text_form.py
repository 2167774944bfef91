"""The text form of a strategy, written out: a line a secret, guesses and scores in turn.

These are the bytes of which a strategy's digest is the sha256, so that anybody can check it
(``knuthle export FILE --to text``). A line is made of pieces, a guess with its score each, and all
lines through a node have the same pieces above it. Pieces are copied by units of so many bytes as
all of their lengths are multiples of: byte by byte it would take longer than to play the games.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import lean

from .games import TreeColumns

SPACE, END_OF_LINE = 32, 10


class Alphabet(NamedTuple):
    """How words and scores are written as bytes: a row for each, and how many bytes count."""

    words: NDArray[np.uint8]
    word_widths: NDArray[np.int32]
    scores: NDArray[np.uint8]
    score_widths: NDArray[np.int32]


class Pieces(NamedTuple):
    """Parts of the lines of a strategy's text: rows of units, and how many units count."""

    rows: NDArray[Any]
    widths: NDArray[np.int32]


@lean
def write_endings(
    alphabet: Alphabet,
    secrets: NDArray[np.int32],
    rows: NDArray[np.uint8],
    widths: NDArray[np.int32],
) -> None:
    """Write how the line of each secret ends: the secret, its score, and the end of the line."""
    solved = len(alphabet.score_widths) - 1
    for at in range(len(secrets)):
        widths[at] = _write(alphabet, secrets[at], solved, rows[at])
        rows[at, widths[at] - 1] = END_OF_LINE


@lean
def write_pieces(
    alphabet: Alphabet,
    tree: TreeColumns,
    unit: int,
    rows: NDArray[np.uint8],
    widths: NDArray[np.int32],
) -> None:
    """In the text form of a replay, write what each node adds to its lines: a guess, a score.

    Rows are written as bytes, and measured in units.
    """
    for node in range(1, len(tree.guess)):
        word = tree.guess[tree.parent[node]]
        widths[node] = _write(alphabet, word, tree.score[node], rows[node]) // unit


@lean
def join_lines(
    tree: TreeColumns,
    end: NDArray[np.int32],
    pieces: Pieces,
    endings: Pieces,
    path: NDArray[np.int32],
    out: NDArray[Any],
) -> int:
    """Fill ``out`` with the lines of a strategy's text; returns how many units they have.

    ``end`` is the node where each secret is guessed; ``path`` is memory for the nodes of a line.
    """
    size = 0
    for at in range(len(end)):
        depth, node = 0, end[at]
        while node > 0:
            path[depth] = node
            depth += 1
            node = tree.parent[node]
        for step in range(depth - 1, -1, -1):
            node = path[step]
            for place in range(pieces.widths[node]):
                out[size + place] = pieces.rows[node, place]
            size += pieces.widths[node]
        for place in range(endings.widths[at]):
            out[size + place] = endings.rows[at, place]
        size += endings.widths[at]
    return size


@lean(inner=True, inline=True)
def _write(alphabet: Alphabet, word: int, score: int, row: NDArray[np.uint8]) -> int:
    """A word and a score, with a space behind each; how many bytes."""
    length, width = alphabet.word_widths[word], alphabet.score_widths[score]
    for place in range(length):
        row[place] = alphabet.words[word, place]
    row[length] = SPACE
    for place in range(width):
        row[length + 1 + place] = alphabet.scores[score, place]
    row[length + 1 + width] = SPACE
    return int(length) + int(width) + 2
