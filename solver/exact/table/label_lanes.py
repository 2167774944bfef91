"""Numbering the scores of 64 guesses at once: two guesses that part alike get equal labels.

The scores of a column are numbered by first occurrence among the members, in vector registers:
each member takes the label of an earlier one with its score, or the next number. To compare all
pairs of members so takes fewer steps than a table for each column, up to a thousand members.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import vector_step
from ...machine.vector_ir import cgutils, i32, i64, ir, load, loop, splat, store, types
from .count_lanes import LANES, byte_vector, member_address

#: Members are labelled so many at a time; a list of them is filled up with its last one.
GROUP = 4
#: No label: a guess has fewer scores than this in every table.
_NOTHING = 255


def plain_label(
    rows: NDArray[np.uint8],
    column: int,
    members: NDArray[np.int32],
    salt: NDArray[np.uint32],
    scores: NDArray[np.uint8],
    labels: NDArray[np.uint8],
    parts: NDArray[np.uint8],
    keys: NDArray[np.uint32],
) -> None:
    """Label the scores of ``LANES`` columns from ``column`` on: ``labels[member, lane]``.

    Also how many labels each column has, and a hash of them: the sum of the labels times the
    members' salt. ``rows`` is cut into blocks of columns, ``rows[block, member, lane]``; ``scores``
    is for the scores of the members alone, in a place where they lie together.
    """
    scores[:] = rows[column // LANES, members]
    for lane in range(LANES):
        number: dict[int, int] = {}
        labels[:, lane] = [number.setdefault(score, len(number)) for score in scores[:, lane]]
        parts[lane] = len(number)
        keys[lane] = sum(labels[:, lane].tolist() * salt.astype(object)) % 2**32


def _keys() -> Any:
    return ir.VectorType(i32(), LANES)


def _emit(b: Any, rows: Any, members: Any, count: Any, *out: Any) -> None:
    """Each member of a group is compared with all before the group, then with those inside."""
    salt, scores, labels, parts, keys = out
    zero, lanes = ir.Constant(i64(), 0), ir.Constant(i64(), LANES)
    nothing = ir.Constant(byte_vector(), [_NOTHING] * LANES)

    def at(data: Any, index: Any) -> Any:
        return b.gep(data, [b.mul(index, lanes)])

    def fetch(index: Any, _: Sequence[Any]) -> Sequence[Any]:
        store(b, load(b, member_address(b, rows, members, index), byte_vector()), at(scores, index))
        return []

    def group(number: Any, carried: Sequence[Any]) -> Sequence[Any]:
        total, key = carried
        first = b.mul(number, ir.Constant(i64(), GROUP))
        places = [b.add(first, ir.Constant(i64(), place)) for place in range(GROUP)]
        lines = [load(b, at(scores, place), byte_vector()) for place in places]

        def compare(other: Any, found: Sequence[Any]) -> Sequence[Any]:
            line, label = (load(b, at(data, other), byte_vector()) for data in (scores, labels))
            return [
                b.select(b.icmp_unsigned("==", mine, line), label, known)
                for mine, known in zip(lines, found, strict=True)
            ]

        found = list(loop(b, zero, first, [nothing] * GROUP, compare))
        for mine, place in enumerate(places):
            is_new = b.icmp_unsigned("==", found[mine], nothing)
            label = b.select(is_new, total, found[mine])
            for later in range(mine + 1, GROUP):
                alike = b.icmp_unsigned("==", lines[mine], lines[later])
                found[later] = b.select(alike, label, found[later])
            store(b, label, at(labels, place))
            total = b.add(total, b.zext(is_new, byte_vector()))
            weight = splat(b, b.load(b.gep(salt, [place])), _keys())
            key = b.add(key, b.mul(b.zext(label, _keys()), weight))
        return [total, key]

    loop(b, zero, count, [], fetch)
    start = [ir.Constant(byte_vector(), [0] * LANES), ir.Constant(_keys(), [0] * LANES)]
    total, key = loop(b, zero, b.udiv(count, ir.Constant(i64(), GROUP)), start, group)
    store(b, total, parts)
    store(b, key, keys)


def _label(
    _typing: Any,
    rows: Any,
    _column: Any,
    members: Any,
    salt: Any,
    scores: Any,
    labels: Any,
    parts: Any,
    keys: Any,
) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        blocks, listed, *out = (
            context.make_array(signature.args[k])(context, b, args[k])
            for k in (0, 2, 3, 4, 5, 6, 7)
        )
        height = cgutils.unpack_tuple(b, blocks.shape)[1]
        data = b.gep(blocks.data, [b.mul(args[1], height)])
        count = b.extract_value(listed.shape, 0)
        _emit(b, data, listed.data, count, *(array.data for array in out))
        return context.get_dummy_value()

    i = types.int64
    return types.none(rows, i, members, salt, scores, labels, parts, keys), codegen


label_lanes = vector_step(_label, plain_label)
