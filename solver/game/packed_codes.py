"""Packed codes of Mastermind: how they are ranked and graded, one code against many at once.

A code is a row of small numbers, and a *table* of codes is held twice: hole by hole and colour by
colour, so that one code is graded against many neighbours of a table with a few vector operations.

Black pegs are the holes that agree. Black and white pegs together are, summed over the colours, the
smaller of the two numbers of pegs of that colour. So with ``h`` holes the score
``black * (h + 1) + white`` is ``black * h`` plus that sum, and no step asks which peg is which.

The sum can be built up peg by peg: a further peg of a colour is matched where a code of the table
has more pegs of that colour than the guess had so far. So guesses in ascending order share work:
what the first pegs contribute is kept, and only from the first peg on that differs is added again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from ..machine.rows import Ids

Codes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class CodeSpace(NamedTuple):
    """All codes of a board in ascending order: the rank of a code is its position."""

    #: The pegs of each code, as numbers of colours.
    codes: Codes
    n_colours: int
    #: Whether a colour may be used but once.
    distinct: bool
    #: How many codes share the pegs up to and including each hole.
    weights: Numbers
    #: Permutations of the holes are worth trying from this many candidates on.
    turns_from: int


@kernel
def rank(code: Codes | Numbers, weights: Numbers, distinct: bool) -> int:
    """The position of a Mastermind code among all codes in order."""
    position = 0
    for hole in range(len(code)):
        digit = np.int64(code[hole])
        if distinct:  # the colours before this hole are no longer there to be counted
            for earlier in range(hole):
                digit -= np.int64(code[earlier] < code[hole])
        position += digit * weights[hole]
    return position


def grade_all(codes: Codes, table: Codes, n_colours: int) -> Codes:
    """The scores of all ``codes`` (rows) against all codes of ``table`` (columns)."""
    places, tallies = codes_by_hole(table, n_colours)
    scores = np.empty((len(codes), len(table)), dtype=np.uint8)
    _grade_all(codes, places, tallies, scores)
    return scores


def codes_by_hole(codes: Codes, n_colours: int) -> tuple[Codes, Codes]:
    """The codes hole by hole, ``places[hole, code]``, and colour by colour, ``tallies``."""
    places = np.empty((codes.shape[1], len(codes)), dtype=np.uint8)
    tallies = np.empty((n_colours, len(codes)), dtype=np.uint8)
    fill_places(codes, np.arange(len(codes), dtype=np.int32), places)
    fill_tallies(places, len(codes), tallies)
    return places, tallies


@kernel
def fill_places(codes: Codes, ids: Ids, places: Codes) -> None:
    """Write out packed Mastermind codes by holes: ``places[hole, k]`` is of code ``ids[k]``."""
    for k in range(len(ids)):
        for hole in range(codes.shape[1]):
            places[hole, k] = codes[ids[k], hole]


@kernel
def fill_tallies(places: Codes, count: int, tallies: Codes) -> None:
    """Tally the packed codes of a game: ``tallies[colour, k]``, pegs of a colour in code ``k``."""
    for colour in range(tallies.shape[0]):
        tally = tallies[colour, :count]
        tally[:] = 0
        for hole in range(places.shape[0]):
            place = places[hole, :count]
            for k in range(count):
                tally[k] += np.uint8(place[k] == colour)


@kernel(inner=True)
def add_to_packed_scores(
    before: Codes, place: Codes, tally: Codes, colour: int, earlier: int, worth: int, after: Codes
) -> None:
    """Write the scores against many packed codes once a guess in Mastermind has one more peg.

    ``place`` and ``tally`` are the codes' pegs in its hole and of its colour, ``earlier`` the pegs
    of that colour that the guess had already: another one is matched where a code has more.
    """
    peg, had, black = np.uint8(colour), np.uint8(earlier), np.uint8(worth)
    for k in range(len(after)):
        in_place = black if place[k] == peg else np.uint8(0)
        after[k] = before[k] + in_place + np.uint8(tally[k] > had)


@kernel(inner=True)
def score_against_packed(
    code: Codes,
    known: int,
    places: Codes,
    tallies: Codes,
    start: int,
    partial: Codes,
    row: Codes,
) -> None:
    """Score a code in Mastermind against as many packed codes, from ``start`` on, as ``row`` holds.

    ``partial[hole]`` holds the scores of the pegs before a hole; they are right up to ``known``,
    which is how many first pegs this code shares with the last one. ``partial[0]`` is zero.
    """
    holes = len(code)
    end = start + len(row)
    for hole in range(known, holes):
        colour = code[hole]
        earlier = 0
        for other in range(hole):
            earlier += int(code[other] == colour)
        add_to_packed_scores(
            partial[hole, : len(row)],
            places[hole, start:end],
            tallies[colour, start:end],
            colour,
            earlier,
            holes,
            partial[hole + 1, : len(row)] if hole + 1 < holes else row,
        )


@kernel(inner=True)
def shared_pegs(code: Codes, other: Codes) -> int:
    """How many first pegs two Mastermind codes share, the last hole left out."""
    hole = 0
    while hole < len(code) - 1 and code[hole] == other[hole]:
        hole += 1
    return hole


@kernel
def _grade_all(codes: Codes, places: Codes, tallies: Codes, scores: Codes) -> None:
    """All rows, by stretches that stay in the nearest cache."""
    width = scores.shape[1]
    stretch = 4096
    partial = np.zeros((codes.shape[1], stretch), dtype=np.uint8)
    for start in range(0, width, stretch):
        end = min(width, start + stretch)
        for at in range(len(codes)):
            known = shared_pegs(codes[at], codes[at - 1]) if at else 0
            score_against_packed(
                codes[at], known, places, tallies, start, partial, scores[at, start:end]
            )
