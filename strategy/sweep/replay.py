"""Whole strategies played from letters: what each secret takes, and which strategy it is.

Where a search grows thousands of strategies, the trusted checker (``referee``) would take longer
than the search. This one is compiled and takes a millisecond. It shares no line with the search: no
matrix, no letters prepared by others, its own grading and its own table of branches. The trusted
checker plays some of the same games, and must agree.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checkers.lists import check_words
from ..errors import WrongStrategyError
from ..files.strategy_file import Tallied
from ..files.text import is_pegs, require_known, score_text, solved_score
from . import replay_kernels as kernels

if TYPE_CHECKING:
    from solver.tree import Tree

#: Kernels are compiled for words of so many letters, and once more for all others.
_USUAL = 5
#: Beside a word and its score: a space behind each.
_SPACES = 2


@dataclass(frozen=True)
class Replayed(Tallied):
    """What the replay of one strategy came to: histogram, nodes, digest."""

    #: How many secrets took 1, 2, … guesses.
    histogram: tuple[int, ...]
    #: States in which a guess was made.
    nodes: int
    #: The sha256 of the strategy's text form.
    digest: str


class Replayer:
    """Plays all secrets of one game through strategies, one strategy at a time."""

    def __init__(self, spec: str, guesses: Sequence[str], secrets: Sequence[str]) -> None:
        require_known(spec)
        check_words(guesses, spec)
        place = {word: at for at, word in enumerate(guesses)}
        self._guesses, self._secrets = guesses, secrets
        text = np.frombuffer("".join(guesses).encode("utf-32-le"), dtype=np.uint32)
        letters = text.reshape(len(guesses), -1)
        length = letters.shape[1]
        scores = solved_score(spec, length) + 1
        ids = np.array([place[word] for word in sorted(secrets)], dtype=np.int32)
        known = np.unique(letters)
        words = np.searchsorted(known, letters).astype(np.uint8)
        units: Any = np.array([3**place for place in range(length)], dtype=np.int64)
        if length == _USUAL:
            units = tuple(map(int, units))
        narrow = np.uint8 if length == _USUAL else np.uint16  # the cache is to hold them
        places = np.empty((len(ids), len(known)), dtype=narrow)
        kernels.fill_places(words[ids], places)
        self._board = kernels.WordBoard(words, units, ids, places, scores, is_pegs(spec))
        alphabet = kernels.Alphabet(*_as_bytes(guesses), *_as_bytes(_score_texts(spec, length)))
        self._writer = _TextDigest(alphabet, ids)
        self._made_for = 0

    def play(
        self, tree: Tree, opener: int, guess_from: str = "allowed", hard: bool = False
    ) -> Replayed:
        """Replay the strategy of one opener; WrongStrategyError if anything is wrong.

        Every game must end with its secret, every node be come to, and the guesses after the first
        be of the kind that they are said to be.
        """
        columns = kernels.TreeColumns(*map(_as_numbers, (tree.guess, tree.parent, tree.score)))
        nodes = len(columns.guess)
        self._make_room(nodes)
        table = self._table
        fault, where = kernels.play_games(self._board, columns, table)
        if fault:
            raise WrongStrategyError(self._named(fault, where))
        self._check_choice(columns.guess, opener, guess_from)
        if hard and (node := kernels.first_illegal(self._board.words, columns)) >= 0:
            word = self._guesses[columns.guess[node]]
            raise WrongStrategyError(f"hard mode forbids the guess {word!r} at node {node}")
        counts = np.bincount(table.taken)[1:]
        digest = self._writer.digest(columns, table)
        return Replayed(tuple(counts.tolist()), nodes, digest)

    def _check_choice(self, guess: NDArray[np.int32], opener: int, guess_from: str) -> None:
        """Refuse guesses that are not what is said of them; the games have been played."""
        fit = np.ones(len(guess), dtype=np.bool_)
        if guess_from == "secrets":
            fit = np.isin(guess, self._board.secrets)
        elif guess_from == "candidates":
            fit[:] = False
            fit[self._table.ended] = True
        fit[0] = guess[0] == opener
        if not fit.all():
            node = int(np.argmin(fit))
            word = self._guesses[guess[node]]
            raise WrongStrategyError(
                f"{word!r} is guessed at node {node}, "
                + (f"which is not from {guess_from}" if node else "which is not the opener")
            )

    def _make_room(self, nodes: int) -> None:
        """Memory for a strategy of so many nodes: it is made once, and grows with them."""
        if nodes <= self._made_for:
            return
        self._made_for = 1 << nodes.bit_length()
        first, following, begin, end, number = np.empty((5, self._made_for), dtype=np.int32)
        below = np.empty(self._board.scores, dtype=np.int32)
        playing, moved, to, ended, taken = np.empty((5, len(self._secrets)), dtype=np.int32)
        self._table = kernels.GameTable(
            first, following, begin, end, number, below, playing, moved, to, ended, taken
        )

    def _named(self, fault: int, where: int) -> str:
        """What is wrong, for people."""
        if fault == kernels.NO_BRANCH:
            word = sorted(self._secrets)[where]
            return f"{word!r} is never reached: there is no branch for what it answers"
        return {
            kernels.NO_TREE: f"node {where} is no part of a tree of guesses",
            kernels.TWIN: f"node {where} follows a score that another node follows already",
            kernels.NOT_PASSED: f"node {where} is unreachable: no secret ever comes to it",
        }[fault]


class _TextDigest:
    """Writes the text form of strategies, and says its sha256."""

    def __init__(self, alphabet: kernels.Alphabet, secrets: NDArray[np.int32]) -> None:
        self._alphabet = alphabet
        self._unit = _unit_of(alphabet)
        self._endings, rows = self._room(len(secrets))
        kernels.write_endings(alphabet, secrets, rows, self._endings.widths)
        self._endings.widths[:] //= self._unit.itemsize
        self._pieces, self._rows = self._room(0)
        self._path = np.empty(0, dtype=np.int32)
        self._text = np.empty(0, dtype=self._unit)

    def digest(self, tree: kernels.TreeColumns, table: kernels.GameTable) -> str:
        """The sha256 of the text of a strategy whose games have been played."""
        nodes = len(tree.guess)
        if nodes > len(self._path):
            self._pieces, self._rows = self._room(2 * nodes)
            self._path = np.empty(2 * nodes, dtype=np.int32)
        unit, widths = self._unit.itemsize, self._pieces.widths
        kernels.write_pieces(self._alphabet, tree, unit, self._rows, widths)
        most = self._pieces.rows.shape[1] * int(table.taken.sum())
        if most > len(self._text):
            self._text = np.empty(2 * most, dtype=self._unit)
        size = kernels.join_lines(
            tree, table.ended, self._pieces, self._endings, self._path, self._text
        )
        return hashlib.sha256(self._text[:size].data).hexdigest()

    def _room(self, count: int) -> tuple[kernels.Pieces, NDArray[np.uint8]]:
        """Memory for so many pieces, and its rows as bytes."""
        widest = self._alphabet.words.shape[1] + self._alphabet.scores.shape[1] + _SPACES
        width = -(-widest // _MOST_BYTES) * _MOST_BYTES
        rows = np.empty((count, width), dtype=np.uint8)
        return kernels.Pieces(rows.view(self._unit), np.empty(count, dtype=np.int32)), rows


#: Bytes of the largest unit by which text is copied.
_MOST_BYTES = 8


def _unit_of(alphabet: kernels.Alphabet) -> np.dtype[Any]:
    """The largest kind of number of whose size the lengths of all pieces are multiples."""
    words, scores = alphabet.word_widths, alphabet.score_widths
    if words.min() < words.max() or scores.min() < scores.max():
        return np.dtype(np.uint8)
    size = math.gcd(int(words[0]) + int(scores[0]) + _SPACES, _MOST_BYTES)
    return np.dtype(f"u{size}")


def _as_numbers(column: Any) -> NDArray[np.int32]:
    """A column of a tree, which is not copied."""
    return np.frombuffer(column, dtype=np.int32)


def _score_texts(spec: str, length: int) -> list[str]:
    """All scores as they are written, in the order of their numbers."""
    if is_pegs(spec):
        scores = range(solved_score(spec, length) + 1)
        return [score_text(spec, length, score) for score in scores]
    texts = [""]
    for _ in range(length):  # the first place counts least
        texts = [text + colour for colour in "byg" for text in texts]
    return texts


def _as_bytes(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Texts as rows of bytes in UTF-8, and how long each is."""
    encoded = [text.encode() for text in texts]
    widths = np.array([len(text) for text in encoded], dtype=np.int32)
    widest = int(widths.max())
    whole = b"".join(text.ljust(widest) for text in encoded)
    return np.frombuffer(whole, dtype=np.uint8).reshape(-1, widest).copy(), widths
