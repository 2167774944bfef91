"""Rows copied and compared inside kernels, spelt out.

To assign one slice to another is one line, but numba then compiles the text of an error that
cannot happen: two seconds of every first run.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from .jit import kernel


@kernel(inner=True)
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy a row over the first elements of another."""
    for at in range(len(source)):
        target[at] = source[at]


@kernel(inner=True)
def are_same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two rows of a length hold the same."""
    same = True
    for at in range(len(one)):
        same &= one[at] == other[at]
    return same
