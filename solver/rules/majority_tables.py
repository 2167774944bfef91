"""Tables for the majority bound, as ``majority`` explains it: guesses as columns, and memory.

``LetterTables`` is made once for a pool of guesses: which columns each guess has, what a column
adds to the score of a secret that holds another column of the same letter, and the different heads
and tails. ``MajorityScratch`` is made once for many sets of candidates and holds what changes from
one to the next, candidates being bits of machine words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import letter_shares, take_apart
from ..machine.rows import Ids

Bits = NDArray[np.uint64]
Scores = NDArray[Any]
#: Unsigned, so that the hottest loops need not ask whether a place counts from the end.
Places = NDArray[np.uint32]

#: Candidates in a machine word.
WORD = 64


class LetterTables(NamedTuple):
    """A pool of guesses, taken apart into columns; without guesses it stands for no letters."""

    #: The columns of each guess, filled up with 0.
    terms: Ids
    #: The columns of letter ``l`` are ``first[l]`` to ``first[l + 1] - 1``.
    first: Ids
    #: The letter of each column; that of column 0 means nothing.
    letter: Ids
    #: ``shares[c, k]``: what column c adds if the secret has the letter as in column first + k.
    shares: Scores
    #: The columns of a guess are those of a head and a tail, which many guesses share:
    #: ``heads[:, head_of[guess]]`` and ``tails[:, tail_of[guess]]``.
    heads: Places
    head_of: Places
    tails: Places
    tail_of: Places


class MajorityScratch(NamedTuple):
    """Memory for searches, made once for many sets of candidates."""

    #: Which candidates have the column's letter in just the column's places; how many.
    holders: Bits
    sizes: Ids
    #: Which candidates lack the letter.
    lacking: Bits
    #: Which candidates are in the largest class of the column.
    majority: Bits
    #: Which candidates are in the largest class of every column of a head, of a tail.
    heads: Bits
    tails: Bits
    #: Each letter's columns that candidates hold, and how many there are.
    present: Ids
    presents: Ids
    #: What is left of the candidates in a probe, and how the holders of a letter shrink with it.
    left: Bits
    remaining: Ids
    #: A counter for each score; all zero between uses.
    tally: Ids
    #: A lower bound for each guess; the guesses worth a visit, unsorted and in order.
    bounds: Ids
    near: Ids
    visits: Ids
    is_candidate: NDArray[np.bool_]
    #: What the search has done, for those who measure it: states, probes, full counts.
    work: NDArray[np.int64]


def letters_of(words: NDArray[np.uint8], dtype: Any) -> LetterTables:
    """Prepare a pool of guesses, given as numbers of letters; ``dtype`` holds every score."""
    terms, first, letter, places = take_apart(words)
    most = int(np.diff(first).max(initial=0))
    neighbours = np.minimum(first[letter][:, None] + np.arange(most), len(letter) - 1)
    shares = letter_shares(words.shape[1], dtype)[places[:, None], places[neighbours]]
    half = words.shape[1] // 2
    heads = _distinct_rows(terms[:, :half])
    tails = _distinct_rows(terms[:, half:])
    return LetterTables(terms, first, letter, shares, *heads, *tails)


def no_letters(dtype: Any) -> LetterTables:
    """What takes the place of letters in games that have none."""
    return letters_of(np.zeros((0, 2), dtype=np.uint8), dtype)


def scratch_for(letters: LetterTables, candidates: int, n_scores: int) -> MajorityScratch:
    """Memory for sets of up to so many candidates."""
    words = -(-candidates // WORD)
    columns, guesses = len(letters.letter), len(letters.terms)
    alphabet = len(letters.first) - 1
    return MajorityScratch(
        holders=np.zeros((words, columns), dtype=np.uint64),
        sizes=np.zeros(columns, dtype=np.int32),
        lacking=np.zeros((words, alphabet), dtype=np.uint64),
        majority=np.zeros((words, columns), dtype=np.uint64),
        heads=np.zeros(letters.heads.shape[1], dtype=np.uint64),
        tails=np.zeros(letters.tails.shape[1], dtype=np.uint64),
        present=np.zeros((alphabet, letters.shares.shape[1]), dtype=np.int32),
        presents=np.zeros(alphabet, dtype=np.int32),
        left=np.zeros(words, dtype=np.uint64),
        remaining=np.zeros(letters.shares.shape[1], dtype=np.int32),
        tally=np.zeros(n_scores, dtype=np.int32),
        bounds=np.zeros(guesses, dtype=np.int32),
        near=np.zeros(guesses + 1, dtype=np.int32),
        visits=np.zeros(guesses, dtype=np.int32),
        is_candidate=np.zeros(guesses, dtype=np.bool_),
        work=np.zeros(3, dtype=np.int64),
    )


def _distinct_rows(rows: Ids) -> tuple[Places, Places]:
    """The different rows, as columns, and which of them each row is."""
    order = np.lexsort(rows.T)
    ordered = rows[order]
    is_new = np.ones(len(rows), dtype=np.bool_)
    is_new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    which = np.empty(len(rows), dtype=np.uint32)
    which[order] = np.cumsum(is_new) - 1
    return np.ascontiguousarray(ordered[is_new].T.astype(np.uint32)), which
