"""Whole strategies played from letters: what each secret takes, and which strategy it is.

Where a search grows thousands of strategies, the trusted checker (``checkers.verify``) would take
longer than the search. This one is compiled and takes a millisecond. It shares no line with the
search: no matrix, no letters prepared by others, its own grading and its own table of branches. The
trusted checker plays some of the same games, and must agree.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checkers.lists import check_words
from ..errors import WrongStrategyError
from ..files.text import is_pegs, require_known, score_text, solved_score
from . import replay_kernels as kernels
from .rows import OpenerRow

if TYPE_CHECKING:
    from solver.tree import Tree

#: Kernels are compiled for words of so many letters, and once more for all others.
_USUAL = 5


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
        self._writer = _TextDigest(spec, guesses, ids)
        self._made_for = 0

    def play(
        self, tree: Tree, opener: int, guess_from: str = "allowed", hard: bool = False
    ) -> OpenerRow:
        """Replay the strategy of one opener; WrongStrategyError if anything is wrong.

        Every game must end with its secret, every node be come to, and the guesses after the first
        be of the kind that they are said to be.
        """
        whole = (tree.guess, tree.parent, tree.score)  # none of it is copied
        columns = kernels.TreeColumns(*(np.frombuffer(it, dtype=np.int32) for it in whole))
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
        return OpenerRow(self._guesses[opener], tuple(counts.tolist()), nodes, digest)

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
        if fault == kernels.NO_BRANCH:
            word = sorted(self._secrets)[where]
            return f"{word!r} is never reached: there is no branch for what it answers"
        return {
            kernels.NO_TREE: f"node {where} is no part of a tree of guesses",
            kernels.TWIN: f"node {where} follows a score that another node follows already",
            kernels.NOT_PASSED: f"node {where} is unreachable: no secret ever comes to it",
        }[fault]


class _TextDigest:
    """Says the sha256 of the text form of strategies whose games have been played.

    The form has a line a secret, guesses and scores in turn, so that anybody can check the digest
    (``knuthle export FILE --to text``). A line is made of pieces: a guess with its score for each
    node that the game has come to, then the secret. All lines through a node have the same pieces
    above it.
    """

    def __init__(self, spec: str, guesses: Sequence[str], secrets: NDArray[np.int32]) -> None:
        length = len(guesses[0])
        numbers = range(solved_score(spec, length) + 1)
        scores = [score_text(spec, length, number) for number in numbers]
        self._words, self._scores = _as_bytes(guesses, " "), _as_bytes(scores, " ")
        ends = np.full((len(secrets), self._scores.shape[1]), _FILL, dtype=np.uint8)
        solved = _as_bytes([f"{scores[-1]}\n"])
        ends[:, : solved.shape[1]] = solved
        self._endings = np.hstack([self._words[secrets], ends])
        self._is_filled = any((each == _FILL).any() for each in (self._words, self._scores, ends))

    def digest(self, tree: kernels.TreeColumns, table: kernels.GameTable) -> str:
        nodes, secrets, most = len(tree.guess), len(table.ended), int(table.taken.max())
        pieces = np.empty((nodes + secrets, self._endings.shape[1]), dtype=np.uint8)
        above = tree.parent.copy()
        above[0] = 0  # where the lines of shorter games stay
        guesses = self._words[tree.guess[above[1:]]]
        pieces[1:nodes] = np.hstack([guesses, self._scores[tree.score[1:]]])
        pieces[nodes:] = self._endings
        lines = np.empty((secrets, most), dtype=np.int32)
        lines[:, -1] = np.arange(nodes, nodes + secrets)
        node = table.ended
        for place in range(most - 2, -1, -1):
            lines[:, place] = node
            node = above[node]
        text = pieces.take(lines[lines > 0], axis=0)
        if self._is_filled:
            text = text[text != _FILL]
        return hashlib.sha256(text.data).hexdigest()


#: What rows of bytes are filled up with: a byte that is in no text.
_FILL = 0xFF


def _as_bytes(texts: Sequence[str], end: str = "") -> NDArray[np.uint8]:
    """Texts as rows of bytes in UTF-8, with an end behind each."""
    encoded = [f"{text}{end}".encode() for text in texts]
    widest = max(map(len, encoded))
    whole = b"".join(text.ljust(widest, bytes([_FILL])) for text in encoded)
    return np.frombuffer(whole, dtype=np.uint8).reshape(-1, widest)
