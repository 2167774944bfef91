"""Laying a table out: guesses in order of their parts, scores renumbered, letters packed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import WrongInputError
from ...game.game import Game
from ...machine.jit import kernel, lean
from .count_lanes import LANES
from .score_table import HALF, ScoreTable

_ONE = np.uint64(1)


def score_table_of(
    game: Game, hard: bool, secrets: NDArray[np.int32] | None = None, price: int = 1
) -> ScoreTable:
    """The room of a whole game, or of some of its secrets (positions among the secrets)."""
    scores, ids = _scores_of(game, secrets)
    codes, parts = _dense_codes(scores, game.n_scores)
    order = np.argsort(-parts, kind="stable").astype(np.int32)
    return _table_of(game, scores, ids, hard, price, codes, parts, order)


def _scores_of(
    game: Game, secrets: NDArray[np.int32] | None
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Scores of the secrets in question, guess-major, and where they stand among the guesses."""
    scores = game.score_rows()
    if secrets is None:
        return scores, game.secret_ids
    return np.ascontiguousarray(scores[:, secrets]), game.secret_ids[secrets]


def _table_of(
    game: Game,
    scores: NDArray[Any],
    ids: NDArray[np.int32],
    hard: bool,
    price: int,
    codes: NDArray[np.uint8],
    parts: NDArray[np.int32],
    order: NDArray[np.int32],
) -> ScoreTable:
    count = len(ids)
    if parts.max() > 255:
        raise WrongInputError(
            f"exact search takes games where a guess has at most 255 different scores; "
            f"{game.guesses[int(parts.argmax())]!r} has {parts.max()} here"
        )
    width = -(-len(order) // LANES) * LANES
    dense = np.zeros((width, count), dtype=np.uint8)
    _fill_scores(scores, order, codes, dense)
    guess = np.full(width, -1, dtype=np.int32)
    guess[: len(order)] = order
    found = np.zeros(width, dtype=np.uint8)
    found[: len(order)] = parts[order]
    row_of = np.full(len(game.guesses), -1, dtype=np.int32)
    row_of[ids] = np.arange(count, dtype=np.int32)
    secret = np.where(guess >= 0, row_of[guess], -1).astype(np.int32)
    column = np.empty(count, dtype=np.int32)
    column[secret[secret >= 0]] = np.flatnonzero(secret >= 0)
    spelling, letters = _spell(game, guess, hard)
    return ScoreTable(
        in_blocks(dense),
        dense,
        found,
        found.reshape(-1, LANES).max(axis=1).astype(np.int32),
        guess,
        secret,
        column,
        _salt(count),
        spelling,
        letters,
        hard,
        price,
    )


def _salt(count: int) -> NDArray[np.uint64]:
    """Fixed random words: equal runs take equal paths."""
    return np.random.Generator(np.random.PCG64(20)).integers(
        0, 1 << 64, size=count, dtype=np.uint64, endpoint=False
    )


def _spell(
    game: Game, guess: NDArray[np.int32], hard: bool
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """What hard mode has to know of each column: its letters in place, and how many of each."""
    width = len(guess) if hard else 1
    spelling = np.zeros(width, dtype=np.uint64)
    letters = np.zeros((width, 2), dtype=np.uint64)
    if hard:
        if game.letters is None:
            raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
        words = game.letters[np.maximum(guess, 0)].astype(np.uint64)
        for place in range(game.length):
            spelling |= (words[:, place] + _ONE) << np.uint64(5 * place)
        for letter in range(26):
            times = np.count_nonzero(words == letter, axis=1).astype(np.uint64)
            if times.max(initial=0) > 7:
                raise WrongInputError("hard mode takes words with up to 7 copies of a letter")
            letters[:, letter // HALF] |= times << np.uint64(4 * (letter % HALF))
    return spelling, letters


@kernel
def _dense_codes(
    scores: NDArray[Any], n_scores: int
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """For every guess the new number of each score, and how many scores it has."""
    guesses, secrets = scores.shape
    codes = np.zeros((guesses, n_scores), dtype=np.uint8)
    parts = np.zeros(guesses, dtype=np.int32)
    present = np.zeros(n_scores, dtype=np.uint8)
    for guess in range(guesses):
        present[:] = 0
        for secret in range(secrets):
            present[scores[guess, secret]] = 1
        count = 0
        for score in range(n_scores):
            if present[score]:
                codes[guess, score] = count & 255
                count += 1
        parts[guess] = count
    return codes, parts


@lean
def _fill_scores(
    scores: NDArray[Any],
    order: NDArray[np.int32],
    codes: NDArray[np.uint8],
    dense: NDArray[np.uint8],
) -> None:
    """Sort the guesses and renumber their scores."""
    for column in range(order.shape[0]):
        guess = order[column]
        for secret in range(scores.shape[1]):
            dense[column, secret] = codes[guess, scores[guess, secret]]


def in_blocks(scores: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """``scores[column, row]`` as ``rows[block, row, lane]``; the width is a multiple of LANES."""
    width, count = scores.shape
    rows = np.empty((width // LANES, count, LANES), dtype=np.uint8)
    _cut(scores, rows)
    return rows


@kernel
def _cut(scores: NDArray[np.uint8], rows: NDArray[np.uint8]) -> None:
    blocks, count, _ = rows.shape
    for block in range(blocks):
        for top in range(0, count, LANES):
            for lane in range(LANES):
                for row in range(top, min(count, top + LANES)):
                    rows[block, row, lane] = scores[block * LANES + lane, row]
