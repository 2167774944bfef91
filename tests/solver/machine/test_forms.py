"""Forms of arguments; aligned arrays, vector loops; stored choices, found again or not at all."""

from collections import namedtuple
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.game.load import load_game
from solver.game.score_matrix import aligned_rows
from solver.game.wordle import WordleGame
from solver.machine import arrays as aligned_arrays
from solver.machine import forms, vectors
from solver.machine.arrays import Ids, KnownSets, known_sets, note_set, recalled
from solver.machine.forms import NoFormError, Row, arg_types_of
from solver.machine.jit import kernel
from solver.rules.searcher import Searcher
from tests.support import refused
from tests.support.worlds import game_of, made_up_games, real_games


class Here(NamedTuple):
    """A named tuple whose fields could be exchanged without a change of types."""

    width: int
    height: int


@pytest.mark.plain
def test_leaves() -> None:
    array = np.zeros((3, 4), dtype=np.int32)
    locked = np.zeros(3)
    locked.flags.writeable = False
    values = {
        "int": 5, "bool": True, "float": 1.5, "none": None, "@uint64": np.uint64(3),
        "@bool": np.bool_(True), "int32 2 C w": array, "int32 2 F w": array.T,
        "int32 2 A w": array[:, :2], "int32 1 A w": array[:, 0], "float64 1 C r": locked,
        "uint8 0 C w": np.zeros((), dtype=np.uint8),
    }  # fmt: skip
    for form, value in values.items():
        assert arg_types_of(value) == form


@pytest.mark.plain
def test_tuples_are_told_apart() -> None:
    turned: Any = namedtuple("Turned", ["height", "width"])
    here, other, plain = (arg_types_of(it) for it in (Here(1, 2), turned(1, 2), (1, 2)))
    others = map(arg_types_of, [(1, 2, 3), (1, (2, 3)), ()])
    assert len({here, other, plain, *others}) == 6
    assert arg_types_of((5, Here(1, 2))) == ("builtins:tuple", (), ("int", here))
    assert here[1] == ("width", "height") and other[1] == ("height", "width")
    arg_types_of(Here(1, 2))
    turned: Any = namedtuple("Here", ["height", "width"])
    turned.__module__, turned.__qualname__ = Here.__module__, Here.__qualname__
    refused(NoFormError, "", arg_types_of, turned(1, 2))


@pytest.mark.plain
@pytest.mark.parametrize("value", [
    "text", [1], {1}, 2**63, -(2**63) - 1, 1j, object(), np.zeros(2, dtype=complex),
    np.zeros(2, dtype=">i4"), np.zeros(9, dtype=np.uint8)[1:].view(np.int64),
    np.ma.masked_array([1, 2]), np.zeros(2, dtype="i4,i4"), (1, "text"), np.longdouble(1),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_what_has_no_form(value: Any) -> None:
    refused(NoFormError, "", arg_types_of, value)


@pytest.mark.plain
def test_a_table_has_a_row_for_each_thing() -> None:
    form = arg_types_of((Here(1, 2), (np.zeros((3, 4), dtype=np.uint8).T,), None, np.int16(4)))
    rows, size = forms.table_of(form, 9)
    # three tuples and a buffer lie behind the words of two numbers, an array, and a number
    buffer = 20
    assert rows[:3] == [
        Row(0, 0, tuple, forms.TUPLE, 17, 4), Row(17, 0, Here, forms.TUPLE, 18, 2),
        Row(18, 0, int, forms.NUMBER, 9),
    ]  # fmt: skip
    assert [it[:5] for it in rows[3:]] == [
        (18, 1, int, forms.NUMBER, 10), (17, 1, tuple, forms.TUPLE, 19),
        (19, 0, np.ndarray, forms.ARRAY, 11), (17, 2, type(None), forms.NOTHING, 16),
        (17, 3, np.int16, forms.SCALAR, 16),
    ]  # fmt: skip
    assert rows[5].buffer == buffer and size == buffer + 10
    assert forms.class_of(form[2][0][0]) is Here


@pytest.mark.parametrize("make", [aligned_arrays.aligned, aligned_arrays.returning])
@pytest.mark.parametrize("shape", [(1,), (3, 5), (203, 64), (1 << 11, 1 << 10), (2, 300_000, 4)])
def test_aligned_arrays(make: Callable[..., NDArray[Any]], shape: tuple[int, ...]) -> None:
    kinds = (np.uint8, np.int64, np.uint8, np.int32, np.uint64)
    arrays = [make(shape, kind) for kind in kinds]
    for number, (array, kind) in enumerate(zip(arrays, kinds, strict=True)):
        assert (array.shape, array.dtype) == (shape, np.dtype(kind))
        assert array.flags.c_contiguous and array.flags.writeable and array.ctypes.data % 64 == 0
        array[...] = number
    assert all((array == number).all() for number, array in enumerate(arrays))


Sets = list[frozenset[int]]
sets_of_numbers = st.lists(st.frozensets(st.integers(0, 12), min_size=1), min_size=1, max_size=60)
worlds = st.one_of(real_games(40, 120), made_up_games(longest=5))


recall = kernel(lambda known, state: recalled(known, state))  # noqa: PLW0108


@kernel
def note(known: KnownSets, mixed: int, state: Ids, column: int) -> int:
    note_set(known, mixed, state, column)
    return 0


def tiny(rows: int = 2, numbers: int = 60) -> KnownSets:
    """Room for a few sets: they soon make room for others."""
    return known_sets(0)._replace(
        entries=np.zeros(numbers, dtype=np.uint16), places=np.zeros((rows, 8), dtype=np.int64)
    )


def as_state(chosen: frozenset[int]) -> Ids:
    return np.array(sorted(chosen), dtype=np.int32)


@pytest.mark.plain
@given(sets_of_numbers)
def test_a_set_is_found_with_the_column_it_was_kept_with(asked: Sets) -> None:
    """Ask for one set after the other; what is not there is entered.

    Sets of which the same number is mixed are told apart.
    """
    known, columns = tiny(), dict[frozenset[int], int]()
    for number, chosen in enumerate(asked):
        state = as_state(chosen)
        mixed, column = recall(known, state)
        assert column in (-1, columns.get(chosen, -1))
        if column < 0:
            columns[chosen] = number
            note(known, mixed, state, number)
            assert recall(known, state) == (mixed, number)
    known = tiny(1, 400)
    for chosen in asked:
        mixed, _ = recall(known, as_state(chosen))
        note(known, mixed, as_state(chosen | {13}), 7)
        assert recall(known, as_state(chosen)) == (mixed, -1)


def test_what_lies_inside_of_an_entry_is_none() -> None:
    """Candidates may look like the entry of another set, once they have taken its place."""
    known = tiny(1, 64)
    hidden = np.array([5, 6, 7], dtype=np.int32)
    mixed, _ = recall(known, hidden)
    note(known, mixed, hidden, 2)
    note(known, 0, np.arange(100, 155, dtype=np.int32), 1)  # to the end of the memory
    note(known, 0, np.array([4, *hidden, 50], dtype=np.int32), 3)
    assert known.entries[:6].tolist() == [5, 3, 4, *hidden]  # three candidates, column 4
    assert recall(known, hidden) == (mixed, -1)


def test_searches_that_store_nothing() -> None:
    """A choice of hard mode follows from what was shown, not from the candidates alone."""
    known, state = known_sets(0), np.arange(5, dtype=np.int32)
    note(known, 3, state, 4)
    assert recall(known, state) == (0, -1)
    searcher = Searcher(game_of(["abide", "crane", "raise", "slate", "stare"]), hard=True)
    searcher.remember(1 << 20)
    assert searcher._word_search is None


@settings(max_examples=12)
@given(worlds, st.sampled_from(["minimax", "entropy", "parts"]), st.sampled_from([600, 1 << 20]))
def test_strategies_are_the_same_with_and_without(game: WordleGame, rule: str, size: int) -> None:
    plain, keeping = Searcher(game, rule), Searcher(game, rule)
    keeping.remember(size)
    for opener in [*range(min(12, len(game.guesses))), 0, 1]:
        assert keeping.grow(None, (opener,)) == plain.grow(None, (opener,))


def test_strategies_are_the_same_where_choices_make_room_for_others() -> None:
    game = load_game()
    plain, keeping = Searcher(game), Searcher(game)
    keeping.remember(1 << 14)
    assert keeping._word_search is not None
    known = keeping._word_search.scratch.known
    for opener in range(0, len(game.guesses), 1000):
        for start in (opener, opener + 1):
            assert keeping.grow(None, (start,)) == plain.grow(None, (start,))
    assert known.end[0] > 4 * len(known.entries) > 0


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
