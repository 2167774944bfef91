"""How tuples and arrays lie in memory, as machine code reads them; and whether they do so here."""

from __future__ import annotations

import ctypes
import pickle
from functools import cache
from typing import Any

import numpy as np

from .argument_forms import HEAD, ITEMS

#: Where the fields of an array lie behind its head.
DATA, NDIM, SHAPE, STRIDES, DTYPE, FLAGS = 0, 8, 16, 24, 40, 48
#: And of what tells the type of its items: kind, letter, byte order and number.
TYPE = 8
#: The flags that are looked at.
C_ORDER, F_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400


def _type_of_items(dtype: Any) -> int:
    return int(ctypes.c_int64.from_address(id(dtype) + HEAD + TYPE).value)


@cache
def memory_is_known() -> bool:
    """Whether tuples and arrays lie in memory as entries believe: looked at in two of them."""
    array = np.zeros((3, 5), dtype=np.uint16)
    pair = (array, None)

    def word(address: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(address).value)

    here = id(array) + HEAD
    shape, strides = word(here + SHAPE), word(here + STRIDES)
    return (
        ctypes.sizeof(ctypes.c_void_p) == 8
        and word(id(pair) + HEAD - 8) == id(tuple)
        and [word(id(pair) + at) for at in (HEAD, ITEMS, ITEMS + 8)] == [2, id(array), id(None)]
        and word(here + DATA) == array.ctypes.data
        and word(here + NDIM, ctypes.c_int32) == 2
        and [word(row + at) for row in (shape, strides) for at in (0, 8)] == [3, 5, 10, 2]
        and word(here + DTYPE) == id(array.dtype)
        and _type_of_items(array.dtype) == _type_of_items(pickle.loads(pickle.dumps(array)).dtype)
        and len({_type_of_items(np.dtype(kind)) for kind in ("u2", ">u2", "i2", "u4")}) == 4
        and word(here + FLAGS, ctypes.c_int32) & 0x501 == 0x501
        and word(id(np.int64(-77)) + HEAD) == -77
    )
