"""Logarithms in fixed point, so that equal information is an equal number on every machine."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.int64]
#: Positions and counters inside kernels: an unsigned index needs no test for being negative.
Places = NDArray[np.uint32]
#: Fractional bits of the fixed-point logarithms.
LOG_BITS = 40
#: Of more candidates the weights of splits do not fit 64 bits.
MOST_CANDIDATES = 1 << 18
#: Less information, in bits, is a rounding error: two buckets of MOST_CANDIDATES tell more.
_NOTHING = 2.0**-20


@cache
def fixed_log_weights(n: int) -> Costs:
    """``k * log2(k)`` for ``k`` up to ``n``, in units of ``2 ** -LOG_BITS``.

    Logarithms of primes are rounded, those of other numbers are sums of them. So splits whose
    information is exactly equal ({4,1,1,1,1} and {2,2,2,2}) have exactly equal weights. The
    error of an entropy is below ``log2(n) * 2 ** -41`` bits. More than MOST_CANDIDATES are an
    OverflowError; ``size_limits.require_countable`` refuses them in words before it comes to that.
    """
    if n > MOST_CANDIDATES:
        raise OverflowError
    logs = np.zeros(n + 1, dtype=np.int64)
    for prime in range(2, n + 1):
        if logs[prime]:
            continue  # composite: smaller primes have added their shares
        log = _fixed_log2(prime)
        power = prime
        while power <= n:
            logs[power::power] += log
            power *= prime
    return logs * np.arange(n + 1)


def fixed_log_weight_steps(n: int) -> Costs:
    """By logarithms, what a bucket's growing from ``k`` to ``k + 1`` adds to a split's weight."""
    return np.diff(fixed_log_weights(n))


def information(weights: Any, candidates: int) -> tuple[Any, Any]:
    """What splits of these weights tell of so many candidates, and what they leave, in bits.

    A split with all in one bucket tells exactly nothing, whatever the rounding.
    """
    missing = weights / (candidates * 2.0**LOG_BITS)
    told = np.log2(candidates) - missing
    return np.where(told < _NOTHING, 0.0, told), missing


def _fixed_log2(number: int) -> int:
    """The binary logarithm, rounded to LOG_BITS bits, by integers alone (same on any machine)."""
    precision = 2 * LOG_BITS
    whole = number.bit_length() - 1
    mantissa = number << (precision - whole)
    log = whole
    for _ in range(LOG_BITS + 1):
        mantissa = mantissa * mantissa >> precision
        digit = mantissa >> (precision + 1)
        mantissa >>= digit
        log = 2 * log + digit
    return (log + 1) >> 1
