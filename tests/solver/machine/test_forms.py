"""Forms of arguments: what machine code is filed under, and looks at before it runs."""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.machine import forms
from solver.machine.forms import NoFormError, Row, arg_types_of
from tests.support import refused

pytestmark = pytest.mark.plain


class Here(NamedTuple):
    """A named tuple whose fields could be exchanged without a change of types."""

    width: int
    height: int


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


@pytest.mark.parametrize("value", [
    "text", [1], {1}, 2**63, -(2**63) - 1, 1j, object(), np.zeros(2, dtype=complex),
    np.zeros(2, dtype=">i4"), np.zeros(9, dtype=np.uint8)[1:].view(np.int64),
    np.ma.masked_array([1, 2]), np.zeros(2, dtype="i4,i4"), (1, "text"), np.longdouble(1),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_what_has_no_form(value: Any) -> None:
    refused(NoFormError, "", arg_types_of, value)


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
