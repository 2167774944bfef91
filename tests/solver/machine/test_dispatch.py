"""Entries into machine code, beside numba's own calls: every kind of argument, records, results."""

import gc
import pickle
import platform
import sys
import weakref
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from solver.machine import compiler, dispatch, object_code
from solver.machine.cache import Stored
from solver.machine.clock import Clock
from solver.machine.dispatch import entry_of
from solver.machine.forms import OTHER, arg_types_of, record
from solver.machine.jit import Kernel, kernel, noalloc
from tests.support import needs_compiler, raising, refused

pytestmark = needs_compiler


class Pair(NamedTuple):
    row: Any
    factor: int


class Nested(NamedTuple):
    pair: Pair
    plain: tuple[Any, ...]


def _same(value: Any) -> Any:
    return value


_same_door: Any = kernel(_same)
_same_by_numba: Any = numba.njit(_same)


def _entry(door: Any, *args: Any) -> dispatch.Entry:
    """The entry for arguments such as these."""
    entry = entry_of(door, arg_types_of(args))
    assert entry is not None
    return entry


def _alike(one: Any, other: Any) -> bool:
    if isinstance(one, tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and bool((one == other).all())
    return type(one) is type(other) and one == other


VALUES = [
    0, -1, 2**63 - 1, -(2**63), True, False, 1.5, -0.0, float("inf"), None,
    *(np.dtype(kind).type(100) for kind in "u1 u2 u4 u8 i1 i2 i4 i8 f8".split()),
    np.uint64(2**64 - 1), np.int8(-128), np.bool_(True),
    (), (1, True), (1, 2.5, (None, np.uint8(3))), Pair(np.arange(3), -4),
    Nested(Pair(np.zeros((2, 0), dtype=np.uint16), 7), (False, np.arange(6.0).reshape(2, 3))),
    np.array(5, dtype=np.int32), np.zeros((2, 3, 4), dtype=np.uint64), np.ones(4, dtype=bool),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_what_goes_in_comes_out_as_with_numba(value: Any) -> None:
    assert _alike(_entry(_same_door, value)((value,)), _same_by_numba(value))
    assert _alike(_same_door(value), _same_by_numba(value))


def _first_and_last(row: Any) -> Any:
    return row[0, 0] * 100 + row[-1, -1], row.shape[0]


def test_arrays_in_any_order_and_from_elsewhere() -> None:
    """An order is a form of its own; a type of items that is another object says the same."""
    door, by_numba = kernel(_first_and_last), numba.njit(_first_and_last)
    whole = np.arange(60, dtype=np.int32).reshape(6, 10)
    locked = whole.copy()
    locked.flags.writeable = False
    orders = [whole, whole.T, whole[1:5, 2:7]]
    for array in (*orders, whole[::2, ::-3], locked, locked[:, :3]):
        assert door(array) == by_numba(array)
        assert _entry(door, array) in door.ready  # type: ignore[attr-defined]
    for one in orders:
        entry = _entry(door, one)
        assert [entry((it,)) is not OTHER for it in orders] == [it is one for it in orders]
    array = np.arange(5, dtype=np.int32)
    sent = pickle.loads(pickle.dumps(array))
    assert sent.dtype is not array.dtype
    entry = _entry(_same_door, array)
    assert _alike(entry((sent,)), array)
    unaligned = np.zeros(9, np.uint8)[1:].view(np.int32)
    for other in (array.astype(">i4"), array.astype(np.uint32), whole.astype(">i4")[0], unaligned):
        assert entry((other,)) is OTHER


def test_an_entry_looks_at_all_that_its_form_says() -> None:
    row, pair = np.zeros(3, dtype=np.uint8), Pair(np.zeros(2, dtype=np.int64), 1)
    right: list[Any] = [pair, row, 1, True, None, 1.5, np.int8(1)]
    entry = _entry(_same_door, tuple(right))
    assert entry((tuple(right),)) is not OTHER
    locked = row.copy()
    locked.flags.writeable = False
    wrong: list[list[Any]] = [
        [tuple(pair), (*pair, 3), Pair(row, 1), Pair(pair.row, 2**63), None, 5, Pair(pair, 1)],
        [row.astype(np.int8), row[::2], locked, row.reshape(1, 3), None, [1, 2, 3], b"abc",
         bytearray(3), memoryview(row), np.ma.masked_array(row), row.astype(complex),
         np.array(["a", "b"]), np.array([None]), np.zeros(3, "M8[s]"), np.zeros(3, "u1,u1")],
        [True, 2**63, -(2**63) - 1, 2**200, np.int64(1), 1.0, None, "1"],
        [1, 0, None, np.bool_(True)], [0, False, ()], [1, None, np.float64(1.5), "1.5"],
        [1, np.uint8(1), np.int16(1), None],
    ]  # fmt: skip
    for place, values in enumerate(wrong):
        for value in values:
            args = [*right[:place], value, *right[place + 1 :]]
            assert entry((tuple(args),)) is OTHER, (place, value)
    for args in ((), (1, 2), ((),), (tuple(right[:-1]),), ((*right, 1),), (right,)):
        assert entry(args) is OTHER


def test_nothing_is_held_after_a_call() -> None:
    """Whether it was answered, refused half-way, or the kernel raised an exception."""
    door = kernel(lambda pair, by: pair.row[0] // by)
    row, other = np.arange(5, 9), np.arange(3.0)
    pair = Pair(row, 10**6)
    assert door(pair, 1) == 5
    (entry,) = door.ready  # type: ignore[attr-defined]
    held = [pair, row, other, Pair, np.ndarray, int, pair.factor, None]
    gc.collect()
    before = [sys.getrefcount(it) for it in held]
    for _ in range(1000):
        assert entry((pair, 1)) == 5
        assert entry((pair, 2**64)) is OTHER and entry((pair, other)) is OTHER
        assert entry((Pair(other, 1), 1)) is OTHER
        refused(ZeroDivisionError, "", entry, (pair, 0))
    after = [sys.getrefcount(it) for it in held]
    assert max(abs(one - two) for one, two in zip(before, after, strict=True)) < 900


def test_named_and_other_arguments() -> None:
    door: Any = kernel(lambda one, other, third: (one * 2.0, other, third - np.uint64(5)))
    args = (np.float32(0.5), np.int16(-7), np.uint64(2**63 + 5))
    assert door(*args) == (1.0, -7, 2**63) and len(door.ready) == 1

    def weigh(one: int, other: int, last: int = 5) -> int:
        return one * 100 + other * 10 + last

    door = kernel(weigh)
    assert door(1, 2) == door(1, other=2) == door(other=2, one=1) == door(1, 2, 5) == 125
    assert door(1, 2, last=7) == 127
    refused(TypeError, "", door, 1)
    door = kernel(lambda thing: 10 * len(thing))
    assert door("four") == 40 and door((1, "two", 3)) == 30
    assert door(np.zeros(9, dtype=np.uint8)[1:].view(np.int64)) == 10 and not door.ready
    refused(numba.TypingError, "", door, 5)
    # numba makes a float of Python of any.
    assert _same_door(np.float32(0.1)) == _same_by_numba(np.float32(0.1)) != 0.1
    refused(MemoryError, "", kernel(_made), 2**50)
    assert _once_more(4) == 9 and _sum_of(np.arange(4), 1) == 16


def _made(count: int) -> Any:
    made = np.empty((count, 2), dtype=np.uint16)
    made[:] = 7
    return made, np.zeros(count), np.arange(count)[1:]


def _is_gone(held: weakref.ref[Any]) -> bool:
    gc.collect()
    return held() is None


def test_memory_of_results() -> None:
    door: Any = kernel(_made)
    first, second, third = door(5000)
    assert first.tolist() == [[7, 7]] * 5000 and not second.any() and third[-1] == 4999
    assert first.flags.writeable and first.flags.aligned and first.ctypes.data % 32 == 0
    memory, kept = weakref.ref(first.base), first[:1]
    del first
    assert not _is_gone(memory) and kept.tolist() == [[7, 7]]
    del kept
    assert _is_gone(memory) and [it.shape for it in door(0)] == [(0, 2), (0,), (0,)]
    one, again = door(3), door(3)
    for array in one:
        array[:] = 1
    assert again[0].tolist() == [[7, 7]] * 3 and not again[1].any()
    assert all(it.flags.writeable and it.flags.aligned for it in again)
    assert [it.dtype for it in again] == [it.dtype for it in door(3000)]
    assert [it.shape for it in again] == [(3, 2), (3,), (2,)]
    row = np.arange(5)
    part = kernel(lambda row: row[1:-1])(row)
    part[0] = 77
    assert row.tolist() == [0, 77, 2, 3, 4]
    held = weakref.ref(row)
    del row
    assert not _is_gone(held) and part.tolist() == [77, 2, 3]
    del part
    assert _is_gone(held)


def _divided(one: int, other: int) -> int:
    if other == 13:
        raise ValueError
    if other == 14:
        raise KeyError("so", 14)
    return one // other


def test_a_status_becomes_the_exception_that_it_stands_for() -> None:
    door, by_numba = kernel(_divided), numba.njit(_divided)
    assert door(7, 2) == 3
    for other in (0, 13, 14):
        with pytest.raises(Exception) as ours:
            door(7, other)
        with pytest.raises(Exception) as theirs:
            by_numba(7, other)
        assert type(ours.value) is type(theirs.value) and ours.value.args == theirs.value.args
    assert door(7, 3) == 2


@noalloc(inner=True)
def _twice(value: int) -> int:
    return 2 * value


_once_more = kernel(lambda value: _twice(value) + 1)


@kernel(nogil=True)
def _sum_of(row: Any, rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        for at in range(len(row)):
            total += _once_more(row[at])
    return total


def test_threads_open_one_door_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Kernel] = []
    compiled = dispatch._compiled
    monkeypatch.setattr(dispatch, "_from_cache", lambda *_: None)
    monkeypatch.setattr(
        dispatch, "_compiled", lambda door, form: (opened.append(door), compiled(door, form))[1]
    )
    door: Any = kernel(nogil=True)(_sum_of.py_func)  # type: ignore[attr-defined]
    with ThreadPoolExecutor(4) as threads:
        answers = [threads.submit(door, np.arange(1000), 50) for _ in range(4)]
    assert [it.result() for it in answers] == [50 * 1_000_000] * 4 and opened == [door]


def test_both_linkers_lay_down_the_same() -> None:
    """Ours and LLVM's, where there is ours."""
    wanted = [(kernel(_divided), arg_types_of((7, 2))), (kernel(_made), arg_types_of((3,)))]
    returned, (code,) = compiler.compiled_for(wanted, [compiler.numba_processor()])  # type: ignore[arg-type]
    by_llvm, ours = (
        [
            dispatch.Entry(*it, Stored(returned[k], object_code.Code(laid), k))  # type: ignore[arg-type]
            for k, it in enumerate(wanted)
        ]
        for laid in (code, object_code.callable_form(code))
    )
    assert by_llvm[0]((7, 2)) == ours[0]((7, 2)) == 3
    assert _alike(by_llvm[1]((3,)), ours[1]((3,)))


def test_an_unknown_numba_compiles_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler.Library, "linked", raising(AttributeError("codegen")))
    door: Any = kernel(_divided)
    monkeypatch.setattr(dispatch, "_from_cache", lambda *_: None)
    assert door(7, 2) == 3 and door(8, 2) == 4
    refused(ZeroDivisionError, "", door, 1, 0)
    assert door.entries == {arg_types_of((7, 2)): None}


def test_what_is_gone_from_numba_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is replaced while kernels are written must have been there; the error names it."""
    from numba.core.callconv import CPUCallConv

    monkeypatch.setattr(dispatch, "_failures", {})
    monkeypatch.delattr(CPUCallConv, "build_excinfo_struct")
    assert dispatch._code(kernel(lambda: 77), arg_types_of(())) is None  # type: ignore[arg-type]
    (error,) = dispatch._failures.values()
    assert "build_excinfo_struct" in str(error)


def test_compilation_is_a_part_of_the_time_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on while a kernel is compiled, and when it is told to."""
    now, made = [5.0], dispatch._code

    def code(*args: Any) -> Any:
        now[0] += 10
        return made(*args)

    monkeypatch.setattr(dispatch, "_from_cache", lambda *_: None)
    monkeypatch.setattr(dispatch, "store", lambda *_: None)
    monkeypatch.setattr(dispatch, "_code", code)
    times = SimpleNamespace(perf_counter=lambda: now[0], process_time=lambda: 0.0)
    monkeypatch.setattr("solver.machine.clock.time", times)
    clock = Clock()
    for part, divisor in (("search", 2), ("verify", 4)):
        now[0] += divisor
        assert kernel(_divided)(8, divisor) == 8 // divisor
        clock.lap(part)
    took = {"search": 2, "verify": 4, "compile": 20, "all": 26}
    assert clock.seconds() == pytest.approx(took)
    assert Clock().seconds()["compile"] == 0.0


def test_kernels_that_cannot_be_stored_are_reported_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    unknown_attribute = ValueError("unknown attr 'captures(none)'")
    monkeypatch.setattr(compiler, "compiled_for", raising(unknown_attribute))
    monkeypatch.setattr(dispatch, "_from_cache", lambda *_: None)
    monkeypatch.setattr(dispatch, "_warned", False)
    for function in (_divided, _same):
        door: Any = kernel(function)
        assert door(*(6, 2)[: function.__code__.co_argcount]) in (3, 6)
    (record,) = caplog.records
    assert (record.name, record.levelname) == ("solver", "WARNING")
    assert record.getMessage() == (
        f"knuthle: kernels cannot be stored with Python {platform.python_version()}, numpy "
        f"{np.__version__} and numba {numba.__version__} and are compiled again in every run, "
        "which takes longer (_divided: unknown attr 'captures(none)')"
    )


@record
class Inner(NamedTuple):
    weights: Any
    by_largest: bool


class Ends(NamedTuple):
    row: Any
    last: int


@record
class Outer(NamedTuple):
    nothing: None
    count: int
    share: float
    square: Any
    inner: Inner
    size: Any
    ends: Ends
    cube: Any


class Bag(NamedTuple):
    outer: Outer
    more: int


def outer(seed: int = 1) -> Outer:
    square = np.arange(12, dtype=np.int32).reshape(3, 4) + seed
    cube = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)[:, :, ::-1]
    inner = Inner(np.arange(5) * seed, seed == 1)
    ends = Ends(np.full(3, 7, dtype=np.uint16), 2)
    return Outer(None, 10 * seed, 0.5, square, inner, np.uint8(200), ends, cube)


@noalloc(inner=True)
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
def test_a_record_is_read_as_a_tuple(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    door, found, by_hand, inner = kernel(_told), outer(seed), outer(seed), _weigh
    scratch = np.zeros(3, dtype=np.int64)
    for _ in range(2):  # when it is compiled, and afterwards
        answer = door(found, scratch)
        with monkeypatch.context() as patch:
            patch.setitem(globals(), "_weigh", inner.py_func)  # type: ignore[attr-defined]
            assert all(map(np.array_equal, answer, _told(by_hand, scratch.copy())))
        assert np.array_equal(found.square, by_hand.square)
    assert _entry(door, found, scratch) in door.ready  # type: ignore[attr-defined]
    assert scratch.tolist() == [20 * seed] * 3


def test_other_records_are_other_kernels() -> None:
    door = kernel(_of_bag)
    assert [door(Bag(outer(seed), 5)) for seed in (1, 2, 3)] == [16, 27, 38]
    assert door.ready  # type: ignore[attr-defined]
    door: Any = kernel(lambda it: it.weights[1])
    whole, halves = Inner(np.arange(3), True), Inner(np.arange(3) / 2, True)
    assert (door(whole), door(halves), door(whole)) == (1, 0.5, 1)
    assert all(_entry(door, whole)((it,)) is OTHER for it in (halves, (whole.weights, True)))

    def unpacked(it: Inner) -> Any:
        weights, by_largest = it
        return weights[1] + by_largest

    door = kernel(unpacked)
    assert door(whole) == 2 and not door.ready
