"""Every vector loop against its plain twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.game.score_matrix import aligned_rows
from solver.machine import vectors
from solver.machine.jit import kernel
from solver.splits import class_vectors
from solver.splits.class_vectors import Lanes, Offsets, Pieces


@kernel
def alike(
    scores: NDArray[np.uint8], rows: NDArray[np.int32], start: int, limit: int, result: NDArray
) -> bool:
    return vectors.most_alike(scores, rows, start, limit, result)


@pytest.mark.plain
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@given(st.integers(1, 3), st.integers(2, 40), st.integers(1, 12), st.integers(1, 150), st.data())
def test_most_alike(
    dtype: type, different: int, rows: int, limit: int, columns: int, data: st.DataObject
) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 1000)))
    scores = aligned_rows(rows + 3, columns, dtype)
    scores[:] = random.integers(0, different, scores.shape)
    members = random.permutation(rows + 3)[:rows].astype(np.int32)
    lanes = vectors.VECTOR_BYTES // scores.itemsize
    for start in range(0, columns, lanes):
        result, plain = np.empty((2, lanes), dtype=dtype)
        alive = alike(scores, members, start, limit, result)
        expected = vectors.most_alike_plain(scores, members, start, limit, plain)
        inside = min(lanes, columns - start)
        assert (np.minimum(result, limit)[:inside] == np.minimum(plain, limit)[:inside]).all()
        assert alive or not expected


@pytest.mark.plain
def test_most_alike_by_hand() -> None:
    scores = aligned_rows(4, 3, np.uint8)
    scores[:] = [[1, 5, 7], [1, 6, 7], [2, 5, 7], [2, 8, 7]]
    result = np.empty(vectors.VECTOR_BYTES, dtype=np.uint8)
    assert alike(scores, np.arange(4, dtype=np.int32), 0, 9, result)
    assert result[:3].tolist() == [1, 1, 3]
    assert not vectors.most_alike_plain(scores, np.arange(4, dtype=np.int32), 0, 1, result)


@kernel
def above(counts: NDArray[np.uint16], start: int, bar: int) -> np.uint64:
    return vectors.above(counts, start, bar)


@pytest.mark.plain
@given(st.integers(0, 7), st.integers(0, 3), st.integers(0, 1000))
def test_above(start: int, bar: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 4, vectors.COUNTS + 7).astype(np.uint16)
    counts[start] = 65535
    assert int(above(counts, start, bar)) == int(vectors.above_plain(counts, start, bar))
    assert int(above(counts, start, bar)) & 1


@kernel
def meet(
    questions: int,
    classes: Lanes,
    start: int,
    pieces: int,
    answers: Pieces,
    at: Offsets,
    patterns: Lanes,
    rows: Offsets,
) -> None:
    if questions == 2:
        class_vectors.meet_two(classes, start, pieces, answers, at, patterns, rows)
    elif questions == 4:
        class_vectors.meet_four(classes, start, pieces, answers, at, patterns, rows)
    else:
        class_vectors.meet_six(classes, start, pieces, answers, at, patterns, rows)


@kernel
def part(
    lanes: class_vectors.ClassLanes, sets: class_vectors.StateSets, sizes: class_vectors.SplitSizes
) -> None:
    class_vectors.part_classes(lanes, sets, sizes)


def twice(random: np.random.Generator, pieces: int) -> Pieces:
    """Random pieces of sets, each in both halves."""
    once = random.integers(0, 1 << class_vectors.SIXTEEN, pieces).astype(np.uint32)
    return np.asarray(once | once << class_vectors.SIXTEEN, dtype=np.uint32)


@pytest.mark.plain
@given(st.sampled_from([2, 4, 6]), st.integers(1, 9), st.integers(0, 40), st.integers(0, 1000))
def test_meet(questions: int, pieces: int, start: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    answers = twice(random, 8 * pieces)
    patterns = random.choice([0, 0xFFFF], 10 * class_vectors.CLASSES).astype(np.uint16)
    at, rows = random.integers(0, 7 * pieces, questions), random.integers(0, 10, questions)
    found, plain = np.zeros((2, start + pieces * class_vectors.CLASSES), dtype=np.uint16)
    meet(questions, found, start, pieces, answers, at, patterns, rows)
    class_vectors._meet_plain(questions)(plain, start, pieces, answers, at, patterns, rows)
    assert (found == plain).all()


@pytest.mark.plain
@given(st.integers(1, 9), st.integers(1, 32), st.sampled_from([3, 9]), st.integers(0, 1000))
def test_part_classes(pieces: int, live: int, states: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    classes = random.integers(0, 1 << 16, (pieces + 1) * class_vectors.CLASSES).astype(np.uint16)
    masks = twice(random, pieces * (states + 3))
    split = random.integers(1000, 2000, 200).astype(np.uint16)
    start, block, first, own = random.integers(0, (33, pieces + 1, 2 * pieces + 1, 65)).tolist()
    for stride in (live, class_vectors.CLASSES, 3 * class_vectors.CLASSES):
        found, plain = np.full((2, 2000), 7, dtype=np.uint16)
        lanes = class_vectors.ClassLanes(classes, start, pieces, live)
        sets = class_vectors.StateSets(masks, block, states, first)
        part(lanes, sets, class_vectors.SplitSizes(split, found, own, stride))
        sizes = class_vectors.SplitSizes(split, plain, own, stride)
        class_vectors.part_classes_plain(lanes, sets, sizes)
        assert (found == plain).all()
