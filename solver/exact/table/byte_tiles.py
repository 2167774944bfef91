"""Tiles of 16 by 16 bytes, their rows and columns exchanged in registers.

Byte by byte, to exchange rows and columns of a score table took as long as to score it. Here 16
rows are woven into each other, each with the one half a tile further on; after four times each
register holds a column.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import vector_step
from ...machine.vector_ir import cgutils, i8, i32, ir, load, store, types

#: Rows and columns of a tile.
TILE = 16


def plain_turn(
    scores: NDArray[np.uint8],
    column: int,
    row: int,
    rows: NDArray[np.uint8],
    block: int,
    lane: int,
) -> None:
    """Copy a tile of ``scores[column, row]`` to ``rows[block, row, lane]``."""
    tile = scores[column : column + TILE, row : row + TILE]
    rows[block, row : row + TILE, lane : lane + TILE] = tile.T


def _turn(
    _typing: Any, scores: Any, _column: Any, _row: Any, rows: Any, _block: Any, _lane: Any
) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        kind = ir.VectorType(i8(), TILE)
        source, target = (
            context.make_array(signature.args[k])(context, b, args[k]) for k in (0, 3)
        )
        pitch, _ = cgutils.unpack_tuple(b, source.strides)
        height, width, _ = cgutils.unpack_tuple(b, target.strides)
        here = b.gep(source.data, [b.add(b.mul(args[1], pitch), args[2])])
        there = b.gep(target.data, [b.add(b.mul(args[4], height), args[5])])
        there = b.gep(there, [b.mul(args[2], width)])
        places = [ir.Constant(pitch.type, place) for place in range(TILE)]
        lines = [load(b, b.gep(here, [b.mul(pitch, place)]), kind) for place in places]
        for line, place in zip(_woven(b, lines), places, strict=True):
            store(b, line, b.gep(there, [b.mul(width, place)]))
        return context.get_dummy_value()

    i = types.int64
    return types.none(scores, i, i, rows, i, i), codegen


def _woven(b: Any, lines: list[Any]) -> list[Any]:
    """The columns of these rows: element and row change places bit by bit of their numbers."""
    half = TILE // 2
    kind = ir.VectorType(i32(), TILE)
    masks = [
        ir.Constant(kind, [*chain(*((at, TILE + at) for at in range(first, first + half)))])
        for first in (0, half)
    ]
    for _ in range(half.bit_length()):
        lines = [
            b.shuffle_vector(lines[k], lines[k + half], mask) for k in range(half) for mask in masks
        ]
    return lines


turn = vector_step(_turn, plain_turn)
