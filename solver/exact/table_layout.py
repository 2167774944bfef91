"""How a score table is built: guesses in order of their buckets, scores renumbered, letters packed.

Here the words of a game become numbers, and what kernels cannot search is refused.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..errors import WrongInputError
from ..game.game import Game
from ..game.score_matrix import letters_in
from ..game.wordle import require_hard_mode
from ..machine.arrays import Ids, aligned, returning
from ..memory_limits import matrix_bytes, require_room
from ..splits.ranking import measures_of
from .kernels.score_table import HALF, ScoreTable, dense_codes, in_blocks, put_in_order, renumber
from .kernels.table_vectors import BLOCK_COLUMNS, Bits, Bytes

#: Scores in a table have numbers of one byte.
MOST_PARTS = 255
#: Scores are made some guesses at a time, of so many bytes: new memory takes longer than they do.
_STRIDE_BYTES = 1 << 23
#: The scores of a table are there so often: by columns, and in blocks.
_COPIES = 2
_ONE = np.uint64(1)


class NoTableError(WrongInputError):
    """A game that no score table can be made of: its words are too long, or too unlike."""


def score_table_of(
    game: Game, hard: bool, secrets: Ids | None = None, price: int = 1
) -> ScoreTable:
    """The score table of a whole game, or of some of its secrets (positions among the secrets)."""
    ids = game.secret_ids if secrets is None else game.secret_ids[secrets]
    count = len(game.guesses)
    dense = np.empty((-(-count // BLOCK_COLUMNS) * BLOCK_COLUMNS, len(ids)), dtype=np.uint8)
    parts = np.zeros(count, dtype=np.int32)
    for start, end in _strips(game, count, len(ids)):
        some = np.arange(start, end, dtype=np.int32)
        parts[start:end] = _renumbered(game, some, secrets, dense[start:end])
    dense[count:] = 0
    order = np.argsort(-parts, kind="stable").astype(np.int32)
    put_in_order(dense[:count], order)
    return _described(game, (in_blocks(dense), dense, parts[order]), order, ids, hard, price)


def possibility_table(game: Game, secrets: Ids, order: Ids) -> ScoreTable:
    """The score table with columns in a given order, for the limit search.

    That search looks at blocks of 64 columns only; so they are made some at a time, and there are
    no scores column by column.
    """
    width = -(-len(order) // BLOCK_COLUMNS) * BLOCK_COLUMNS
    rows = returning((width // BLOCK_COLUMNS, len(secrets), BLOCK_COLUMNS), np.uint8)
    parts = np.zeros(len(order), dtype=np.int32)
    for start, end in _strips(game, len(order), len(secrets)):
        padded = -(-(end - start) // BLOCK_COLUMNS) * BLOCK_COLUMNS
        dense = np.zeros((padded, len(secrets)), dtype=np.uint8)
        parts[start:end] = _renumbered(game, order[start:end], secrets, dense)
        rows[start // BLOCK_COLUMNS :][: len(dense) // BLOCK_COLUMNS] = in_blocks(dense)
    none = np.empty((0, 0), dtype=np.uint8)
    return _described(game, (rows, none, parts), order, game.secret_ids[secrets], False, 0)


def _strips(game: Game, guesses: int, secrets: int) -> Iterator[tuple[int, int]]:
    """So many guesses from one to another, to be scored after each other in the same memory."""
    line = secrets * np.dtype(game.score_dtype).itemsize + game.n_scores
    stride = max(1, _STRIDE_BYTES // (line * BLOCK_COLUMNS)) * BLOCK_COLUMNS
    for start in range(0, guesses, stride):
        yield start, min(start + stride, guesses)


def _renumbered(game: Game, some: Ids, secrets: Ids | None, dense: Bytes) -> Ids:
    """Write the scores of some guesses, renumbered; how many each has."""
    scores = game.score_rows(some, secrets)
    codes, parts = dense_codes(scores, game.n_scores)
    _check_parts(game, parts, some)
    renumber(scores, codes, dense)
    return parts


def _described(
    game: Game, scores: tuple[Bytes, Bytes, Ids], order: Ids, ids: Ids, hard: bool, price: int
) -> ScoreTable:
    """The table of these scores (by rows, by columns, and the parts), and who is who in it."""
    rows, dense, parts = scores
    width = len(rows) * BLOCK_COLUMNS
    guess = np.full(width, -1, dtype=np.int32)
    guess[: len(order)] = order
    found = aligned((width,))
    found[: len(order)], found[len(order) :] = parts, 0
    row_of = np.full(len(game.guesses), -1, dtype=np.int32)
    row_of[ids] = np.arange(len(ids), dtype=np.int32)
    secret = np.where(guess >= 0, row_of[guess], -1).astype(np.int32)
    column = np.empty(len(ids), dtype=np.int32)
    column[secret[secret >= 0]] = np.flatnonzero(secret >= 0)
    return ScoreTable(
        rows,
        dense,
        found,
        found.reshape(-1, BLOCK_COLUMNS).max(axis=1).astype(np.int32),
        guess,
        secret,
        column,
        _salt(len(ids)),
        *_spell(game, guess, hard),
        hard,
        price,
    )


def require_table(game: Game, hard: bool = False, secrets: Ids | None = None) -> None:
    """Refuse a game that has no score table, before the search begins.

    Of all secrets, or of some (positions among the secrets).
    """
    count = len(game.secrets) if secrets is None else len(secrets)
    everyone = np.arange(len(game.guesses), dtype=np.int32)
    if min(count, game.n_scores) > MOST_PARTS:
        _check_parts(game, measures_of(game, everyone, secrets).parts, everyone)
    _spell(game, everyone, hard)
    of_them = "all secrets" if secrets is None else f"{count:,} secrets"
    require_room(_COPIES * matrix_bytes(game, count), f"exact search over {of_them}")


def _check_parts(game: Game, parts: Ids, order: Ids) -> None:
    """Refuse a game whose scores have no numbers of one byte."""
    if parts.max() > MOST_PARTS:
        raise NoTableError(
            f"exact search allows at most {MOST_PARTS} different scores for a guess; "
            f"{game.guesses[int(order[parts.argmax()])]!r} has {parts.max()} here"
        )


def _salt(count: int) -> Bits:
    """Fixed random words: equal runs take equal paths."""
    return np.random.Generator(np.random.PCG64(20)).integers(
        0, 1 << 64, size=count, dtype=np.uint64, endpoint=False
    )


def _spell(game: Game, guess: Ids, hard: bool) -> tuple[Bits, Bits, Bits]:
    """What hard mode has to know of each column: its letters in place, and how many of each.

    And which bits of the first belong to which place.
    """
    if not hard:
        nothing = np.zeros(2, dtype=np.uint64)
        return nothing[:1], nothing.reshape(1, 2), nothing[:0]
    words = require_hard_mode(game)[np.maximum(guess, 0)]
    alphabet = letters_in(words)
    letters = np.zeros((len(guess), -(-alphabet // HALF)), dtype=np.uint64)
    for letter in range(alphabet):
        times = np.count_nonzero(words == letter, axis=1).astype(np.uint64)
        if times.max(initial=0) > 7:
            raise NoTableError(
                "exact search in hard mode allows a letter at most 7 times in a word"
            )
        letters[:, letter // HALF] |= times << np.uint64(4 * (letter % HALF))
    spelling, places = _spell_places(words, alphabet)
    return spelling, letters, places


def _spell_places(words: Bytes, alphabet: int) -> tuple[Bits, Bits]:
    """The letters of each word in one number, and the bits in it of each place.

    Up to 31 letters have five bits everywhere. If there are more, they are numbered place by
    place, by those that occur there, and no place has more bits than it needs.
    """
    spelling = np.zeros(len(words), dtype=np.uint64)
    places, begin = [], 0
    for column in words.T:
        codes, bits = column.astype(np.uint64) + _ONE, 5
        if alphabet > 31:
            found, ranks = np.unique(column, return_inverse=True)
            codes, bits = ranks.astype(np.uint64), max(1, (len(found) - 1).bit_length())
        places.append(((1 << bits) - 1) << begin)
        spelling |= codes << np.uint64(begin)
        begin += bits
        if begin > 64:
            raise NoTableError(
                "exact search in hard mode cannot handle this many letters in words this long"
            )
    return spelling, np.array(places, dtype=np.uint64)
