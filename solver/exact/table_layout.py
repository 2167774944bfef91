"""How a score table is built: guesses in order of their buckets, scores renumbered, letters packed.

Scores have numbers of one byte, or of two, where some guess has more than 255 of them: that is
found out on the way, and what was numbered before is widened then.

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
from .kernels.memo import salt_of
from .kernels.score_table import (
    HALF,
    ScoreTable,
    dense_codes,
    in_blocks,
    number_widely,
    put_in_order,
    renumber,
)
from .kernels.table_columns import TOO_LONG, TOO_OFTEN, describe_columns, spell_columns
from .kernels.table_vectors import BLOCK_COLUMNS, MOST_NARROW, MOST_WIDE, Bits, Scores

#: Scores are made some guesses at a time, of so many bytes: new memory takes longer than they do.
_STRIDE_BYTES = 1 << 23
#: The scores of a table are there so often: by columns, and in blocks.
_COPIES = 2


class NoTableError(WrongInputError):
    """A game that no score table can be made of: hard mode cannot spell its words, mostly."""


def score_table_of(
    game: Game, hard: bool, secrets: Ids | None = None, price: int = 1
) -> ScoreTable:
    """The score table of a whole game, or of some of its secrets (positions among the secrets)."""
    ids = game.secret_ids if secrets is None else game.secret_ids[secrets]
    count = len(game.guesses)
    width = -(-count // BLOCK_COLUMNS) * BLOCK_COLUMNS
    dense: Scores = np.empty((width, len(ids)), dtype=np.uint8)
    parts = np.zeros(count, dtype=np.int32)
    for start, end in _strips(game, count, len(ids)):
        some = np.arange(start, end, dtype=np.int32)
        numbers, parts[start:end] = _numbered(game, some, secrets, dense[start:end])
        if numbers.dtype != dense.dtype:
            dense = dense.astype(numbers.dtype)
            dense[start:end] = numbers
    dense[count:] = 0
    order = np.argsort(-parts, kind="stable").astype(np.int32)  # those with most parts first
    put_in_order(dense[:count], order)
    return _described(game, (in_blocks(dense), dense, parts[order]), order, ids, hard, price)


def possibility_table(game: Game, secrets: Ids, order: Ids) -> ScoreTable:
    """The score table with columns in a given order, for the limit search.

    That search looks at blocks of 64 columns only; so they are made some at a time, and there are
    no scores column by column.
    """
    width = -(-len(order) // BLOCK_COLUMNS) * BLOCK_COLUMNS
    shape = width // BLOCK_COLUMNS, len(secrets), BLOCK_COLUMNS
    rows: Scores = returning(shape, np.uint8)
    parts = np.zeros(len(order), dtype=np.int32)
    for start, end in _strips(game, len(order), len(secrets)):
        padded = -(-(end - start) // BLOCK_COLUMNS) * BLOCK_COLUMNS
        dense = np.zeros((padded, len(secrets)), dtype=rows.dtype)
        numbers, parts[start:end] = _numbered(game, order[start:end], secrets, dense)
        if numbers.dtype != rows.dtype:
            narrow, rows = rows, returning(shape, numbers.dtype)
            rows[: start // BLOCK_COLUMNS] = narrow[: start // BLOCK_COLUMNS]
        rows[start // BLOCK_COLUMNS :][: padded // BLOCK_COLUMNS] = in_blocks(numbers)
    none = np.empty((0, 0), dtype=rows.dtype)
    return _described(game, (rows, none, parts), order, game.secret_ids[secrets], False, 0)


def _strips(game: Game, guesses: int, secrets: int) -> Iterator[tuple[int, int]]:
    """So many guesses from one to another, to be scored after each other in the same memory."""
    line = secrets * np.dtype(game.score_dtype).itemsize + game.n_scores
    stride = max(1, _STRIDE_BYTES // (line * BLOCK_COLUMNS)) * BLOCK_COLUMNS
    for start in range(0, guesses, stride):
        yield start, min(start + stride, guesses)


def _numbered(game: Game, some: Ids, secrets: Ids | None, dense: Scores) -> tuple[Scores, Ids]:
    """The scores of some guesses, renumbered, and how many each has.

    They are written to the first rows of ``dense``; where bytes are not enough for them, all of it
    is given back anew, in numbers of two bytes.
    """
    scores = game.score_rows(some, secrets)
    if dense.dtype == np.uint8:
        codes, parts = dense_codes(scores, game.n_scores)
        if parts.max() <= MOST_NARROW:
            renumber(scores, codes, dense)
            return dense, parts
        dense = np.zeros(dense.shape, dtype=np.uint16)
    parts = number_widely(scores, game.n_scores, dense)
    _check_parts(game, parts, some)
    return dense, parts


def _described(
    game: Game, scores: tuple[Scores, Scores, Ids], order: Ids, ids: Ids, hard: bool, price: int
) -> ScoreTable:
    """The table of these scores (by rows, by columns, and the parts), and who is who in it."""
    rows, dense, parts = scores
    found = aligned((len(rows) * BLOCK_COLUMNS,), rows.dtype)
    spread, guess, secret, column = describe_columns(order, parts, ids, len(game.guesses), found)
    columns, spelling = (spread, guess, secret, column), _spell(game, guess, hard)
    return ScoreTable(rows, dense, found, *columns, salt_of(len(ids)), *spelling, hard, price)


def require_table(game: Game, hard: bool = False, secrets: Ids | None = None) -> None:
    """Refuse a game that has no score table, before the search begins.

    Of all secrets, or of some (positions among the secrets).
    """
    count = len(game.secrets) if secrets is None else len(secrets)
    everyone = np.arange(len(game.guesses), dtype=np.int32)
    if min(count, game.n_scores) > MOST_WIDE:
        _check_parts(game, measures_of(game, everyone, secrets).parts, everyone)
    _spell(game, everyone, hard)
    of_them = "all secrets" if secrets is None else f"{count:,} secrets"
    require_room(_COPIES * matrix_bytes(game, count), f"exact search over {of_them}")


def _check_parts(game: Game, parts: Ids, order: Ids) -> None:
    """Refuse a game whose scores have no numbers of two bytes."""
    if parts.max() > MOST_WIDE:
        raise NoTableError(
            f"exact search allows at most {MOST_WIDE:,} different scores for a guess; "
            f"{game.guesses[int(order[parts.argmax()])]!r} has {parts.max():,} here"
        )


def _spell(game: Game, guess: Ids, hard: bool) -> tuple[Bits, Bits, Bits]:
    """What hard mode has to know of each column: its letters in place, and how many of each.

    And which bits of the first belong to which place.
    """
    if not hard:
        nothing = np.zeros(2, dtype=np.uint64)
        return nothing[:1], nothing.reshape(1, 2), nothing[:0]
    words = require_hard_mode(game)
    alphabet = letters_in(words)
    spelling = np.zeros(len(guess), dtype=np.uint64)
    letters = np.zeros((len(guess), -(-alphabet // HALF)), dtype=np.uint64)
    places = np.zeros(words.shape[1], dtype=np.uint64)
    outcome = spell_columns(words, guess, alphabet, spelling, letters, places)
    if outcome == TOO_OFTEN:
        raise NoTableError("exact search in hard mode allows a letter at most 7 times in a word")
    if outcome == TOO_LONG:
        raise NoTableError(
            "exact search in hard mode cannot handle this many letters in words this long"
        )
    return spelling, letters, places
