"""Mastermind: codes of any number of holes and colours, scored by black and white pegs.

The game is a ``Game`` like any other. With all codes of a board it knows more: their order is their
rank, so they need no list (``code_space``), and of guesses that a state cannot tell apart only one
is worth trying. ``codes`` explains both, and how codes are graded in bulk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import perm
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..machine.arrays import Ids
from .codes import Codes, CodeSpace, grade_all, representatives, turns_pay_from
from .game import Game, refuse_other_rule

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
    """A Mastermind board: its holes and colours, and whether a colour may be used but once."""

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
            (self.colours < 2, "a game needs at least two colours"),
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
        """The name of the board's game, as ``--game`` reads it."""
        return f"mastermind:{self.holes}x{self.colours}" + ":distinct" * self.distinct

    @property
    def n_codes(self) -> int:
        """The number of codes of the board."""
        if self.distinct:
            return perm(self.colours, self.holes)
        return int(self.colours**self.holes)

    @property
    def symbols(self) -> str:
        """The symbols of the colours: 1 to 9; 0 to 9 for ten; then letters after the digits."""
        return (DIGITS + LETTERS)[self.colours < 10 :][: self.colours]

    @property
    def codes(self) -> tuple[str, ...]:
        """All codes of the board, sorted."""
        if self.distinct:
            return tuple(map("".join, permutations(self.symbols, self.holes)))
        return tuple(map("".join, product(self.symbols, repeat=self.holes)))

    def has(self, code: str) -> bool:
        """Whether a code can be laid on the board."""
        fits = len(code) == self.holes and set(code) <= set(self.symbols)
        return fits and not (self.distinct and len(set(code)) < self.holes)


def _rank_weights(board: Board) -> NDArray[np.int64]:
    """How many codes share the pegs up to and including each hole."""
    holes = range(1, board.holes + 1)
    if board.distinct:
        counts = [perm(board.colours - hole, board.holes - hole) for hole in holes]
    else:
        counts = [board.colours ** (board.holes - hole) for hole in holes]
    return np.array(counts, dtype=np.int64)


def parse_board(spec: str) -> Board:
    """The board of ``mastermind:HxC`` or ``mastermind:HxC:distinct``."""
    found = _SPEC.fullmatch(spec.strip().lower())
    if not found:
        raise WrongInputError(f"unknown game {spec!r}; write {SPEC}")
    return Board(int(found[1]), int(found[2]), bool(found[3]))


def mastermind_game(spec: str) -> MastermindGame:
    """The game of a spec over all its codes."""
    board = parse_board(spec)
    codes = board.codes
    return MastermindGame(board.spec, "allowed", codes, codes, board)


@dataclass(frozen=True, eq=False, repr=False)
class MastermindGame(Game):
    """Mastermind: black pegs for colours in place, white ones for colours out of place."""

    board: Board
    sign_noun: ClassVar[str] = "peg"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        refuse_other_rule(cls, MastermindGame)

    @property
    def spec(self) -> str:
        """The name of the game, such as ``mastermind:4x6``."""
        return self.board.spec

    @property
    def length(self) -> int:
        """The number of holes in a code."""
        return self.board.holes

    @property
    def n_scores(self) -> int:
        """The number that scores are below: black and white pegs, each from none to all holes."""
        return (self.length + 1) ** 2

    @property
    def solved(self) -> int:
        """The score of a guess that is the secret: all black."""
        return self.length * (self.length + 1)

    @cached_property
    def code_space(self) -> CodeSpace | None:
        """All codes of the board, if all of them may be guessed and hidden; else None."""
        board = self.board
        if len(self.secrets) != board.n_codes:
            return None
        weights, turns_from = _rank_weights(board), turns_pay_from(board.holes)
        return CodeSpace(self.packed, board.colours, board.distinct, weights, turns_from)

    def worth_trying(self, candidates: Ids) -> Ids:
        """The lowest guess of each kind that the candidates cannot tell apart."""
        if self.code_space is None:
            return super().worth_trying(candidates)
        return representatives(self.code_space, candidates)

    @cached_property
    def packed(self) -> Codes:
        """The guesses as rows of colour numbers."""
        text = np.frombuffer("".join(self.guesses).encode("ascii"), dtype=np.uint8)
        number = np.zeros(128, dtype=np.uint8)
        for colour, symbol in enumerate(self.board.symbols):
            number[ord(symbol)] = colour
        return number[text].reshape(-1, self.length)

    def grade(self, guess: str, secret: str) -> int:
        """The score of a guess: black pegs first; white ones for what the rest has in common."""
        black = sum(g == s for g, s in zip(guess, secret, strict=True))
        colours = set(guess)
        common = sum(map(min, map(guess.count, colours), map(secret.count, colours)))
        return black * (self.length + 1) + common - black

    def guess_id(self, word: str) -> int:
        """The position of a code; what is none is refused with the reason."""
        code = word.strip().lower()
        if code in self._guess_index:
            return self._guess_index[code]
        symbols = self.board.symbols
        if len(code) != self.length:
            reason = f"it has {len(code)} peg{'s' * (len(code) != 1)}; need {self.length}"
        elif foreign := [symbol for symbol in code if symbol not in symbols]:
            reason = (
                f"{foreign[0]!r} is not a colour; "
                f"{self.spec} has the {len(symbols)} colours {symbols[0]} to {symbols[-1]}"
            )
        elif self.board.distinct and len(set(code)) < len(code):
            reason = f"in {self.spec} all colours must be different"
        else:
            reason = f"it is not among the {len(self.guesses):,} guesses"
        raise WrongInputError(f"{word!r} is not a code: {reason}")

    def parse_score(self, text: str) -> int:
        """Read a score ``black,white``; refuse pegs that no guess can get."""
        found = _PEGS.fullmatch(text)
        if not found:
            raise WrongInputError(f"the score {text!r} is not black,white pegs, e.g. 2,1")
        black, white = int(found[1]), int(found[2])
        holes = self.length
        if black + white > holes:
            raise WrongInputError(
                f"the score {text!r} has {black + white} pegs; black and white together are at "
                f"most {holes}, one for each hole"
            )
        if white == 1 and black == holes - 1:
            raise WrongInputError(
                f"the score {text!r} is impossible: with all other holes right, "
                f"the last colour cannot be out of place"
            )
        return black * (holes + 1) + white

    def format_score(self, score: int) -> str:
        """Write a score as ``black,white``."""
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
