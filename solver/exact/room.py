"""A room: the scores of one set of secrets, laid out for counting parts of all guesses at once.

Rows are secrets, columns are guesses, and the columns with the most parts come first: a guess has
at most as many parts on a subset as on the whole room, so a search for a guess with many parts
can stop at the first column that has too few. Scores are renumbered column by column, densely
from 0, which keeps the bit sets of the counters short; only equality of scores matters here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game import Game, WordleGame
from ..jit import kernel, lean
from ..matrix import score_matrix
from ..simd import bit_count
from .lanes import (
    LANES,
    count_by_bits_32,
    count_by_bits_64,
    count_by_bits_96,
    count_by_bits_128,
    count_by_bits_256,
    count_sorted_8,
    count_sorted_12,
    count_sorted_16,
    count_sorted_20,
    count_sorted_24,
    count_sorted_32,
)

#: Letters of the alphabet to one 64-bit word of letter counts, four bits each, one a guard.
_HALF = 13
_GUARD = np.uint64(0x8888888888888)
_ONE = np.uint64(1)
#: Up to this many members are sorted when their parts are counted.
SORTED = 32


class Room(NamedTuple):
    """Scores of secrets (rows) and guesses (columns), and who is who."""

    #: ``rows[block, secret, lane]``: the dense score of column ``block * LANES + lane``. A block
    #: lies together in memory, so that it stays in the cache while many states are counted.
    rows: NDArray[np.uint8]
    #: The same scores column by column, ``scores[column, secret]``, for looking at single guesses.
    scores: NDArray[np.uint8]
    #: Parts of each column over all rows, descending; 0 for padding.
    parts: NDArray[np.uint8]
    #: Scores of 64 columns are below this.
    spread: NDArray[np.int32]
    #: The guess of each column (its position in the game), -1 for padding.
    guess: NDArray[np.int32]
    #: The row of the secret that a column guesses, -1 if it is none.
    secret: NDArray[np.int32]
    #: The column that guesses each row.
    column: NDArray[np.int32]
    #: Random words for hashing sets of rows.
    salt: NDArray[np.uint64]
    #: Hard mode: letters of the columns at 5 bits each, and their numbers in two halves.
    spelling: NDArray[np.uint64]
    letters: NDArray[np.uint64]
    hard: bool
    #: What a guess costs: 1, or 0 if only secrets beyond the limit count.
    price: int


def game_room(
    game: Game, hard: bool, secrets: NDArray[np.int32] | None = None, price: int = 1
) -> Room:
    """The room of a whole game, or of some of its secrets (positions among the secrets)."""
    scores, ids = _scores_of(game, secrets)
    codes, parts = _dense_codes(scores, game.n_scores)
    order = np.argsort(-parts, kind="stable").astype(np.int32)
    return _room_of(game, scores, ids, hard, price, codes, parts, order)


def _scores_of(
    game: Game, secrets: NDArray[np.int32] | None
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Scores of the secrets in question, guess-major, and where they stand among the guesses."""
    scores = score_matrix(game)
    if secrets is None:
        return scores, game.secret_ids
    return np.ascontiguousarray(scores[:, secrets]), game.secret_ids[secrets]


def _room_of(
    game: Game,
    scores: NDArray[Any],
    ids: NDArray[np.int32],
    hard: bool,
    price: int,
    codes: NDArray[np.uint8],
    parts: NDArray[np.int32],
    order: NDArray[np.int32],
) -> Room:
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
    return Room(
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
        if not isinstance(game, WordleGame):
            raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
        words = game.letters[np.maximum(guess, 0)].astype(np.uint64)
        for place in range(game.length):
            spelling |= (words[:, place] + _ONE) << np.uint64(5 * place)
        for letter in range(26):
            times = np.count_nonzero(words == letter, axis=1).astype(np.uint64)
            if times.max(initial=0) > 7:
                raise WrongInputError("hard mode takes words with up to 7 copies of a letter")
            letters[:, letter // _HALF] |= times << np.uint64(4 * (letter % _HALF))
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


@lean(inner=True)
def score_in(room: Room, row: int, column: int) -> int:
    """The dense score of a column against a row."""
    score: int = room.scores[column, row]
    return score


@lean(inner=True, inline=True)
def parts_of(
    room: Room,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    present: NDArray[np.uint64],
) -> int:
    """Parts of a single column on some members; ``present`` is scratch, a byte for each score."""
    scores = room.scores[column]
    flags = present.view(np.uint8)
    present[:] = 0
    for k in range(np.uint64(first), np.uint64(first + count)):
        flags[scores[np.uint32(members[k])]] = 1
    parts = 0
    for word in range(present.shape[0]):
        parts += bit_count(present[word])
    return parts


@lean(inner=True, inline=True)
def count_parts(
    room: Room,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> np.uint64:
    """Parts of 64 columns on some members by the counter that is fastest there.

    ``need`` lies between 1 and ``count``; columns below it may come out with any number.
    """
    spread = room.spread[column // LANES]
    if count <= 24 or (count <= SORTED and spread > 32):
        return _count_sorted(room, members, first, count, column, need, out)
    if spread <= 32:
        return count_by_bits_32(room.rows, members, first, count, column, need, out)
    if spread <= 64:
        return count_by_bits_64(room.rows, members, first, count, column, need, out)
    if spread <= 96:
        return count_by_bits_96(room.rows, members, first, count, column, need, out)
    if spread <= 128:
        return count_by_bits_128(room.rows, members, first, count, column, need, out)
    return count_by_bits_256(room.rows, members, first, count, column, need, out)


@lean(inner=True, inline=True)
def _count_sorted(
    room: Room,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> np.uint64:
    """The same for at most ``SORTED`` members, by the smallest network that takes them."""
    if count <= 8:
        return count_sorted_8(room.rows, members, first, count, column, need, out)
    if count <= 12:
        return count_sorted_12(room.rows, members, first, count, column, need, out)
    if count <= 16:
        return count_sorted_16(room.rows, members, first, count, column, need, out)
    if count <= 20:
        return count_sorted_20(room.rows, members, first, count, column, need, out)
    if count <= 24:
        return count_sorted_24(room.rows, members, first, count, column, need, out)
    return count_sorted_32(room.rows, members, first, count, column, need, out)


# --- hard mode: what has been shown, as four words: places, their letters, two halves of counts


@lean
def is_legal(room: Room, column: int, shown: NDArray[np.uint64]) -> bool:
    """Whether hard mode allows a guess: greens in place, at least the letters that were shown."""
    if not room.hard:
        return True
    if (room.spelling[column] & shown[0]) != shown[1]:
        return False
    for half in range(2):
        if (((room.letters[column, half] | _GUARD) - shown[2 + half]) & _GUARD) != _GUARD:
            return False
    return True


@lean
def show(
    room: Room,
    column: int,
    row: int,
    before: NDArray[np.uint64],
    after: NDArray[np.uint64],
) -> None:
    """What is shown once a guess has been scored against a secret.

    Coloured copies of a letter: as many as guess and secret share.
    """
    if not room.hard:
        return
    other = room.column[row]
    after[0] = before[0]
    after[1] = before[1]
    for place in range(12):
        mask = np.uint64(31) << np.uint64(5 * place)
        mine = room.spelling[column] & mask
        if mine != np.uint64(0) and mine == (room.spelling[other] & mask):
            after[0] |= mask
            after[1] |= mine
    for half in range(2):
        total = np.uint64(0)
        for letter in range(_HALF):
            shift = np.uint64(4 * letter)
            mask = np.uint64(15) << shift
            shared = min(room.letters[column, half] & mask, room.letters[other, half] & mask)
            total |= max(shared, before[2 + half] & mask)
        after[2 + half] = total


def shown_by(room: Room, columns: Iterable[int], row: int) -> NDArray[np.uint64]:
    """What hard mode has seen after these guesses; any candidate is a witness of their scores."""
    shown = np.zeros(4, dtype=np.uint64)
    for column in columns:
        after = np.zeros(4, dtype=np.uint64)
        show(room, column, row, shown, after)
        shown = after
    return shown
