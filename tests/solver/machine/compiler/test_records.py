"""Records: named tuples that kernels hand on by their address, beside the plain function."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.machine.argument_forms import OTHER, form_of, record
from solver.machine.dispatch import entry_of
from solver.machine.jit import kernel, lean

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


@record
class Inner(NamedTuple):
    """A record in a record."""

    weights: Any
    by_largest: bool


class Ends(NamedTuple):
    """No record, though in one."""

    row: Any
    last: int


@record
class Outer(NamedTuple):
    """One of each kind of field."""

    nothing: None
    count: int
    share: float
    square: Any
    inner: Inner
    size: Any
    ends: Ends
    cube: Any


class Bag(NamedTuple):
    """No record, though it holds one."""

    outer: Outer
    more: int


def outer(seed: int = 1) -> Outer:
    """A record with that many more in its arrays."""
    square = np.arange(12, dtype=np.int32).reshape(3, 4) + seed
    cube = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)[:, :, ::-1]
    inner = Inner(np.arange(5) * seed, seed == 1)
    ends = Ends(np.full(3, 7, dtype=np.uint16), 2)
    return Outer(None, 10 * seed, 0.5, square, inner, np.uint8(200), ends, cube)


@lean(inner=True)
def _weigh(inner: Inner, square: Any) -> int:
    total = 0
    for at in range(len(square)):
        total += int(square[at, 1]) * int(inner.weights[at])
        square[at, 0] += 1
    return total + (1000 if inner.by_largest else 0)


def _told(it: Outer, scratch: Any) -> Any:
    """What a kernel and those that it calls read, before and after they write."""
    made = np.zeros(len(it.ends.row), dtype=np.int64)
    for at in range(len(made)):
        made[at] = it.ends.row[at] + it.cube[1, 2, at]
        scratch[at] += it.count
    whole = it.square
    weight = _weigh(it.inner, whole) + _weigh(it.inner, it.square)
    other = 5 if it.nothing is None else 6
    share = int(4 * it.share) + int(it.size) + it.ends.last
    return made, it.square[1:], weight, other, share, int(whole[0, 0])


def _of_bag(bag: Bag) -> int:
    return bag.more + bag.outer.count + int(bag.outer.inner.weights[1])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_record_is_read_as_the_tuple_that_it_is(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    door, found = kernel(_told), outer(seed)
    by_hand, inner = outer(seed), _weigh
    scratch = np.zeros(3, dtype=np.int64)
    for _ in range(2):  # when it is compiled, and afterwards
        answer = door(found, scratch)
        monkeypatch.setitem(globals(), "_weigh", inner.py_func)  # type: ignore[attr-defined]
        expected = _told(by_hand, scratch.copy())
        monkeypatch.setitem(globals(), "_weigh", inner)
        for one, other in zip(answer, expected, strict=True):
            assert np.array_equal(one, other)
        assert np.array_equal(found.square, by_hand.square)
    assert entry_of(door, form_of((found, scratch))) in door.ready  # type: ignore[attr-defined]
    assert scratch.tolist() == [20 * seed] * 3


def test_a_record_in_a_tuple_that_is_none() -> None:
    door = kernel(_of_bag)
    assert [door(Bag(outer(seed), 5)) for seed in (1, 2, 3)] == [16, 27, 38]
    assert door.ready  # type: ignore[attr-defined]


def test_records_of_another_form_are_another_kernel() -> None:
    door: Any = kernel(lambda it: it.weights[1])
    whole, halves = Inner(np.arange(3), True), Inner(np.arange(3) / 2, True)
    assert (door(whole), door(halves), door(whole)) == (1, 0.5, 1)
    entry = entry_of(door, form_of((whole,)))
    assert entry is not None
    assert entry((halves,)) is OTHER
    assert entry(((whole.weights, True),)) is OTHER


def test_what_cannot_be_done_with_a_record_numba_does_with_the_tuple() -> None:
    def unpacked(it: Inner) -> Any:
        weights, by_largest = it
        return weights[1] + by_largest

    door: Any = kernel(unpacked)
    assert door(Inner(np.arange(3), True)) == 2
    assert not door.ready
