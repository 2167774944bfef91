"""Forms of arguments: what machine code is filed under, and looks at before it runs."""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.machine.argument_forms import (
    NoFormError,
    class_of,
    form_of,
    known_names,
    leaves,
    thing_of,
)

pytestmark = pytest.mark.plain


class Here(NamedTuple):
    """A named tuple whose fields could be exchanged without a change of types."""

    width: int
    height: int


def test_leaves() -> None:
    array = np.zeros((3, 4), dtype=np.int32)
    locked = np.zeros(3)
    locked.flags.writeable = False
    forms = {
        "int": 5, "bool": True, "float": 1.5, "none": None, "@uint64": np.uint64(3),
        "@bool": np.bool_(True), "int32 2 C w": array, "int32 2 F w": array.T,
        "int32 2 A w": array[:, :2], "int32 1 A w": array[:, 0], "float64 1 C r": locked,
        "uint8 0 C w": np.zeros((), dtype=np.uint8),
    }  # fmt: skip
    for form, value in forms.items():
        assert form_of(value) == form
        assert list(leaves(form)) == [form]


def test_tuples_are_told_apart_by_class_fields_and_parts() -> None:
    turned: Any = namedtuple("Turned", ["height", "width"])
    here, other, plain = (form_of(it) for it in (Here(1, 2), turned(1, 2), (1, 2)))
    assert len({here, other, plain, form_of((1, 2, 3)), form_of((1, (2, 3))), form_of(())}) == 6
    assert form_of((5, Here(1, 2))) == ("builtins:tuple", (), ("int", here))
    assert here[1] == ("width", "height") and other[1] == ("height", "width")


def test_a_class_that_bears_the_name_of_another_has_no_form() -> None:
    form_of(Here(1, 2))
    turned: Any = namedtuple("Here", ["height", "width"])
    turned.__module__, turned.__qualname__ = Here.__module__, Here.__qualname__
    with pytest.raises(NoFormError):
        form_of(turned(1, 2))


@pytest.mark.parametrize(
    "value",
    [
        "text", [1], {1}, 2**63, -(2**63) - 1, 1j, object(), np.zeros(2, dtype=complex),
        np.zeros(2, dtype=">i4"), np.zeros(9, dtype=np.uint8)[1:].view(np.int64),
        np.ma.masked_array([1, 2]), np.zeros(2, dtype="i4,i4"), (1, "text"), np.longdouble(1),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_has_no_form(value: Any) -> None:
    with pytest.raises(NoFormError):
        form_of(value)


def test_what_is_compared_in_memory_has_an_address() -> None:
    form = form_of((Here(1, 2), np.zeros(3, dtype=np.uint8), True, None, np.int16(4), 2.5))
    names = known_names(form)
    assert len(set(names)) == len(names)
    things = dict(zip(names, map(thing_of, names), strict=True))
    assert things[form[2][0][0]] is Here is class_of(form[2][0][0])
    assert things["builtins:tuple"] is tuple and things["array"] is np.ndarray
    assert things["uint8"] is np.dtype(np.uint8) and things["@int16"] is np.int16
    assert things["true"] is True and things["none"] is None
    assert things["int"] is int and things["float"] is float
