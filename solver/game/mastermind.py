"""Mastermind: codes of any number of holes and colours, scored by black and white pegs.

The game is a ``Game`` like any other. What it brings along is the grading of packed codes: a code
is a row of small numbers, and a *table* of codes is held twice, hole by hole and colour by colour,
so that one code is graded against many neighbours of a table with a few vector operations.

Black pegs are the holes that agree. Black and white pegs together are, summed over the colours, the
smaller of the two numbers of pegs of that colour. So with ``h`` holes the score
``black * (h + 1) + white`` is ``black * h`` plus that sum, and no step asks which peg is which.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import perm

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..machine.jit import kernel
from ..machine.rows import Ids
from .game import Game

Codes = NDArray[np.uint8]

#: A score is one byte: (15 + 1) ** 2 = 256 of them at most.
MOST_HOLES = 15
DIGITS = "0123456789"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_COLOURS = len(DIGITS + LETTERS)
#: More codes than that are refused: they are listed, named and indexed one by one.
MOST_CODES = 1 << 20

SPEC = "mastermind:HxC or mastermind:HxC:distinct (holes x colours, such as mastermind:4x6)"
_SPEC = re.compile(r"mastermind:([0-9]{1,9})x([0-9]{1,9})(:distinct)?")
_PEGS = re.compile(r"\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*")


@dataclass(frozen=True)
class Board:
    """The holes and colours of a game, and whether a colour may be used but once."""

    holes: int
    colours: int
    distinct: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no game, with the reason."""
        reason = self._why_not()
        if reason:
            raise WrongInputError(f"no game {self.spec}: {reason}")

    def _why_not(self) -> str:
        reasons = (
            (self.holes < 1, "a code needs at least one hole"),
            (self.colours < 2, "with fewer than two colours there is nothing to guess"),
            (self.holes > MOST_HOLES, f"at most {MOST_HOLES} holes, since a score is one byte"),
            (
                self.colours > MOST_COLOURS,
                f"at most {MOST_COLOURS} colours, written {DIGITS} and {LETTERS}",
            ),
            (
                self.distinct and self.holes > self.colours,
                f"{self.holes} holes cannot all differ in {self.colours} colours",
            ),
        )
        for holds, reason in reasons:
            if holds:
                return reason
        if self.n_codes > MOST_CODES:
            return f"it has {self.n_codes:,} codes; at most {MOST_CODES:,} can be searched"
        return ""

    @property
    def spec(self) -> str:
        """The name of the game, as ``--game`` reads it."""
        return f"mastermind:{self.holes}x{self.colours}" + ":distinct" * self.distinct

    @property
    def n_codes(self) -> int:
        """How many codes there are."""
        if self.distinct:
            return perm(self.colours, self.holes)
        return int(self.colours**self.holes)

    @property
    def symbols(self) -> str:
        """How the colours are written: 1 to 9; 0 to 9 for ten; then letters after the digits."""
        return DIGITS[1 : self.colours + 1] if self.colours < 10 else _written(self.colours)

    @property
    def codes(self) -> tuple[str, ...]:
        """All codes, sorted."""
        each = (
            permutations(self.symbols, self.holes)
            if self.distinct
            else product(self.symbols, repeat=self.holes)
        )
        return tuple(map("".join, each))


def _written(colours: int) -> str:
    return (DIGITS + LETTERS)[:colours]


def parse_board(spec: str) -> Board:
    """Read ``mastermind:HxC`` or ``mastermind:HxC:distinct``."""
    found = _SPEC.fullmatch(spec.strip().lower())
    if not found:
        raise WrongInputError(f"unknown game {spec!r}; write {SPEC}")
    return Board(int(found[1]), int(found[2]), bool(found[3]))


def mastermind_game(spec: str) -> MastermindGame:
    """The game of a spec over all its codes."""
    board = parse_board(spec)
    codes = board.codes
    return MastermindGame(board.spec, "allowed", codes, codes, board)


@dataclass(frozen=True, eq=False)
class MastermindGame(Game):
    """Mastermind: black pegs for colours in place, white ones for colours out of place."""

    board: Board

    @property
    def spec(self) -> str:
        """``mastermind:4x6``."""
        return self.board.spec

    @property
    def length(self) -> int:
        """Holes."""
        return self.board.holes

    @property
    def n_scores(self) -> int:
        """Black and white pegs, each from none to all holes."""
        return (self.length + 1) ** 2

    @property
    def solved(self) -> int:
        """All black."""
        return self.length * (self.length + 1)

    @property
    def is_whole(self) -> bool:
        """Whether all codes of the board may be guessed."""
        return len(self.guesses) == self.board.n_codes

    @cached_property
    def packed(self) -> Codes:
        """The guesses as rows of colour numbers."""
        text = np.frombuffer("".join(self.guesses).encode("ascii"), dtype=np.uint8)
        number = np.zeros(128, dtype=np.uint8)
        for colour, symbol in enumerate(self.board.symbols):
            number[ord(symbol)] = colour
        return number[text].reshape(-1, self.length)

    def grade(self, guess: str, secret: str) -> int:
        """Black pegs first; white ones for what the rest has in common."""
        black = sum(g == s for g, s in zip(guess, secret, strict=True))
        common = sum(min(guess.count(c), secret.count(c)) for c in set(guess))
        return black * (self.length + 1) + common - black

    def guess_id(self, word: str) -> int:
        """The position of a code; what is none is refused with the reason."""
        code = word.strip().lower()
        if code in self._guess_index:
            return self._guess_index[code]
        symbols = self.board.symbols
        if len(code) != self.length:
            reason = f"it has {len(code)} pegs; {self.spec} has {self.length} holes"
        elif foreign := [symbol for symbol in code if symbol not in symbols]:
            reason = (
                f"there is no colour {foreign[0]!r}; "
                f"{self.spec} has the {len(symbols)} colours {symbols[0]} to {symbols[-1]}"
            )
        elif self.board.distinct and len(set(code)) < len(code):
            reason = f"{self.spec} uses no colour twice"
        else:
            reason = f"it is not among the {len(self.guesses):,} guesses"
        raise WrongInputError(f"{word!r} is no code: {reason}")

    def parse_score(self, text: str) -> int:
        """Read ``black,white``; refuse pegs that no guess can get."""
        found = _PEGS.fullmatch(text)
        if not found:
            raise WrongInputError(f"the score {text!r} is not black,white pegs, such as 2,1")
        black, white = int(found[1]), int(found[2])
        holes = self.length
        if black + white > holes:
            raise WrongInputError(f"the score {text!r} has more than {holes} pegs")
        if white == 1 and black == holes - 1:
            raise WrongInputError(
                f"the score {text!r} is impossible: with all other holes right, "
                f"the last colour cannot be out of place"
            )
        return black * (holes + 1) + white

    def format_score(self, score: int) -> str:
        """``black,white``."""
        black, white = divmod(score, self.length + 1)
        return f"{black},{white}"

    def score_rows(self, guess_ids: Ids | None = None, secret_ids: Ids | None = None) -> Codes:
        """Rows of the score matrix, graded from the codes; nothing is kept."""
        guesses = self.packed if guess_ids is None else self.packed[guess_ids]
        chosen = self.secret_ids if secret_ids is None else self.secret_ids[secret_ids]
        return grade_all(np.ascontiguousarray(guesses), self.packed[chosen], self.board.colours)

    def _score_texts(self, text: str, start: int) -> list[int]:
        found = _PEGS.match(text, start)
        if not found:
            return []
        # pegs of one digit may be followed by a code without a separator
        ends = range(found.start(2) + 1, found.end(2) + 1)
        return [end for end in ends if self._is_score(text[start:end])]

    def _is_score(self, text: str) -> bool:
        try:
            self.parse_score(text)
        except WrongInputError:
            return False
        return True


# --- grading ------------------------------------------------------------------------------


def grade_all(codes: Codes, table: Codes, n_colours: int) -> Codes:
    """The scores of all ``codes`` (rows) against all codes of ``table`` (columns)."""
    places, tallies = tabulate(table, n_colours)
    scores = np.empty((len(codes), len(table)), dtype=np.uint8)
    _grade_all(codes, places, tallies, scores)
    return scores


def tabulate(codes: Codes, n_colours: int) -> tuple[Codes, Codes]:
    """The codes hole by hole, ``places[hole, code]``, and colour by colour, ``tallies``."""
    places = np.empty((codes.shape[1], len(codes)), dtype=np.uint8)
    tallies = np.empty((n_colours, len(codes)), dtype=np.uint8)
    fill_places(codes, np.arange(len(codes), dtype=np.int32), places)
    fill_tallies(places, len(codes), tallies)
    return places, tallies


@kernel
def fill_places(codes: Codes, ids: Ids, places: Codes) -> None:
    """``places[hole, k]``: the peg of code ``ids[k]`` in a hole."""
    for k in range(len(ids)):
        for hole in range(codes.shape[1]):
            places[hole, k] = codes[ids[k], hole]


@kernel
def fill_tallies(places: Codes, count: int, tallies: Codes) -> None:
    """``tallies[colour, k]``: the pegs of a colour in code ``k``, for the first ``count``."""
    for colour in range(tallies.shape[0]):
        tally = tallies[colour, :count]
        tally[:] = 0
        for hole in range(places.shape[0]):
            place = places[hole, :count]
            for k in range(count):
                tally[k] += np.uint8(place[k] == colour)


@kernel(inner=True)
def add_peg(
    before: Codes, place: Codes, tally: Codes, colour: int, earlier: int, worth: int, after: Codes
) -> None:
    """Scores against many codes once a guess has one more peg.

    ``place`` and ``tally`` are the codes' pegs in its hole and of its colour, ``earlier`` the pegs
    of that colour that the guess had already: another one is matched where a code has more.
    """
    peg, had, black = np.uint8(colour), np.uint8(earlier), np.uint8(worth)
    for k in range(len(after)):
        in_place = black if place[k] == peg else np.uint8(0)
        after[k] = before[k] + in_place + np.uint8(tally[k] > had)


@kernel(inner=True)
def add_pegs(
    code: Codes,
    known: int,
    places: Codes,
    tallies: Codes,
    start: int,
    partial: Codes,
    row: Codes,
) -> None:
    """Score a code against as many codes of a table, from ``start`` on, as ``row`` holds.

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
        add_peg(
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
    """How many first pegs two codes share, the last hole left out."""
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
            add_pegs(codes[at], known, places, tallies, start, partial, scores[at, start:end])
