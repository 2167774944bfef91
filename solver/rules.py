"""One-step rules: what makes one split of the candidates better than another.

Every rule gives a guess an integer *cost*, the smaller the better; equal costs are broken the same
way for all rules: a remaining candidate first, then alphabetical order. With one candidate left it
is guessed; with two, the first. Costs are exact integers, so no tie hangs on a summation order.

A cost is built up while the candidates are counted into buckets: a bucket that grows from ``k``
to ``k + 1`` adds ``steps[k]`` (minimax: the largest step counts alone). Steps never shrink a cost,
so a guess can be dropped as soon as its running cost reaches the best one known.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import WrongInputError
from .jit import kernel
from .words import did_you_mean

Costs = NDArray[np.int64]
#: Positions and counters inside kernels: an unsigned index needs no test for being negative.
Places = NDArray[np.uint32]

#: Fractional bits of the fixed-point logarithms.
LOG_BITS = 40
_MOST_CANDIDATES = 1 << 18
#: From this many candidates on, sweeping over all counters is faster than visiting those in use.
_DENSE = 256


@dataclass(frozen=True)
class Rule:
    """How the next guess is chosen."""

    name: str
    summary: str
    #: ``steps(n)[k]``: what a bucket's growing from ``k`` to ``k + 1`` adds, for ``k < n``.
    steps: Callable[[int], Costs]
    #: The cost is the largest step instead of the sum of all.
    by_largest: bool = False
    #: A remaining candidate's cost is lowered by the number of candidates.
    candidate_bonus: bool = False


def _largest(n: int) -> Costs:
    return np.arange(1, n + 1, dtype=np.int64)


def weight_steps(n: int) -> Costs:
    """What a bucket's growing from ``k`` to ``k + 1`` adds to the weight of a split."""
    return np.diff(fixed_log_weights(n))


def _squares_grown(n: int) -> Costs:
    return 2 * np.arange(n, dtype=np.int64) + 1


def _not_alone(n: int) -> Costs:
    return (np.arange(n) > 0).astype(np.int64)


#: All one-step rules, in the order in which they are offered.
RULES = {
    rule.name: rule
    for rule in (
        Rule("minimax", "the smallest largest bucket (Knuth)", _largest, by_largest=True),
        Rule("entropy", "the most information", weight_steps),
        Rule("expected-size", "the smallest mean bucket", _squares_grown),
        Rule("parts", "the most buckets", _not_alone),
        Rule(
            "proportion",
            "the largest mean share eliminated, plus 1/n for a candidate",
            _squares_grown,
            candidate_bonus=True,
        ),
    )
}


def find_rule(name: str) -> Rule:
    """The rule of that name; an unknown one is refused with the nearest."""
    try:
        return RULES[name]
    except KeyError:
        hint = did_you_mean(name, list(RULES))
        raise WrongInputError(
            f"no rule named {name!r}{hint}; one-step rules: {', '.join(RULES)}"
        ) from None


# --- logarithms in fixed point ------------------------------------------------------------


@cache
def fixed_log_weights(n: int) -> Costs:
    """``k * log2(k)`` for ``k`` up to ``n``, in units of ``2 ** -LOG_BITS``.

    Logarithms of primes are rounded, those of other numbers are sums of them. So splits whose
    information is exactly equal ({4,1,1,1,1} and {2,2,2,2}) have exactly equal weights. The
    error of an entropy is below ``log2(n) * 2 ** -41`` bits.
    """
    if n > _MOST_CANDIDATES:
        raise WrongInputError(
            f"{n:,} candidates are too many for exact entropies; at most {_MOST_CANDIDATES:,}"
        )
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


def information(weights: Any, candidates: int) -> tuple[Any, Any]:
    """What splits of these weights tell of so many candidates, and what they leave, in bits."""
    missing = weights / (candidates * 2.0**LOG_BITS)
    return np.log2(candidates) - missing, missing


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


# --- all measures of a split at once ------------------------------------------------------


class Measures(NamedTuple):
    """What the splits of some guesses are worth, one entry a guess."""

    candidates: int
    parts: NDArray[np.int32]
    largest: NDArray[np.int32]
    #: The sum of the squared bucket sizes.
    squares: NDArray[np.int64]
    #: The sum of ``n * log2(n)`` over the buckets, as in ``fixed_log_weights``.
    weights: NDArray[np.int64]

    def entropy(self) -> NDArray[np.float64]:
        """The expected information in bits."""
        return np.asarray(information(self.weights, self.candidates)[0], dtype=np.float64)

    def remaining(self) -> NDArray[np.float64]:
        """The expected information that is still missing, in bits."""
        return np.asarray(information(self.weights, self.candidates)[1], dtype=np.float64)

    def expected_size(self) -> NDArray[np.float64]:
        """The mean number of candidates left."""
        return self.squares / self.candidates

    def eliminated(self) -> NDArray[np.float64]:
        """The mean share of the candidates that the score rules out."""
        return 1.0 - self.squares / self.candidates**2


def split_measures(rows: NDArray[Any], n_scores: int) -> Measures:
    """All measures of the splits in ``rows[guess, candidate]``, scores below ``n_scores``."""
    count, candidates = rows.shape
    if rows.dtype == np.uint8 and candidates >= _DENSE and _rows_are_words(rows):
        measures = empty_measures(count, candidates)
        # the row's padding is there, whatever it holds: a row is read eight scores at a time
        width = -(-candidates // 8) * 8
        words = np.lib.stride_tricks.as_strided(rows, (count, width), rows.strides).view(np.uint64)
        _measure_words(words, rows, fixed_log_weights(candidates), *measures[1:])
        return measures
    members = np.arange(candidates, dtype=np.uint32)
    return block_measures(rows, n_scores, members, np.array([0, candidates], dtype=np.uint32), 0)


def block_measures(
    rows: NDArray[Any], n_scores: int, members: Places, starts: Places, singles: int
) -> Measures:
    """The same where candidates are parted into blocks already: ``starts`` in ``members``.

    A candidate alone in its block is told apart by any guess: it is only one of ``singles``.
    """
    measures = empty_measures(len(rows), len(members) + singles)
    logs, counts = fixed_log_weights(measures.candidates), np.zeros(n_scores, dtype=np.uint32)
    _measure_blocks(rows, members, starts, singles, logs, counts, *measures[1:])
    return measures


def empty_measures(count: int, candidates: int) -> Measures:
    """Room for the measures of so many guesses."""
    return Measures(
        candidates,
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )


def _rows_are_words(rows: NDArray[Any]) -> bool:
    """Whether rows begin and end at multiples of eight bytes, as ``aligned_rows`` makes them."""
    stride, step = rows.strides
    return step == 1 and stride % 8 == 0 and stride >= rows.shape[1] and rows.ctypes.data % 8 == 0


@kernel
def _measure_words(
    words: NDArray[np.uint64],
    rows: NDArray[np.uint8],
    log_weights: Costs,
    parts: NDArray[np.int32],
    largest: NDArray[np.int32],
    squares: Costs,
    weights: Costs,
) -> None:
    """Measure long rows of bytes: one load for eight scores, four sets of counters.

    An increment waits for the last one of the same counter; with four sets, neighbours in a row
    never do. What remains is about one increment a cycle, and the counters are read in one sweep.
    """
    counts = np.zeros((4, 256), dtype=np.uint32)
    sizes = np.zeros(256, dtype=np.int64)
    byte = np.uint64(255)
    one = np.uint32(1)
    n = rows.shape[1]
    for guess in range(rows.shape[0]):
        row = words[guess]
        for at in range(n // 8):
            eight = row[at]
            counts[0, eight & byte] += one
            counts[1, eight >> np.uint64(8) & byte] += one
            counts[2, eight >> np.uint64(16) & byte] += one
            counts[3, eight >> np.uint64(24) & byte] += one
            counts[0, eight >> np.uint64(32) & byte] += one
            counts[1, eight >> np.uint64(40) & byte] += one
            counts[2, eight >> np.uint64(48) & byte] += one
            counts[3, eight >> np.uint64(56)] += one
        for at in range(n // 8 * 8, n):
            counts[0, rows[guess, at]] += one
        for score in range(256):
            sizes[score] = (
                np.int64(counts[0, score]) + counts[1, score] + counts[2, score] + counts[3, score]
            )
        counts[:] = 0
        found = 0
        most = 0
        square = 0
        weight = 0
        for score in range(256):
            size = sizes[score]
            if size:
                found += 1
                most = max(most, size)
                square += size * size
                weight += log_weights[size]
        parts[guess] = found
        largest[guess] = most
        squares[guess] = square
        weights[guess] = weight


@kernel
def _measure_blocks(
    rows: NDArray[Any],
    members: Places,
    starts: Places,
    singles: int,
    log_weights: Costs,
    counts: Places,
    parts: NDArray[np.int32],
    largest: NDArray[np.int32],
    squares: Costs,
    weights: Costs,
) -> None:
    """Count block after block; read and clear only the counters that a block touched."""
    for guess in range(rows.shape[0]):
        row = rows[guess]
        found = singles
        most = 1 if singles else 0
        square = singles
        weight = 0
        for block in range(starts.shape[0] - 1):
            begin = starts[block]
            end = starts[block + 1]
            for at in range(begin, end):
                counts[row[members[at]]] += np.uint32(1)
            for at in range(begin, end):
                size = int(np.int64(counts[row[members[at]]]))
                if size:
                    counts[row[members[at]]] = 0
                    found += 1
                    most = max(most, size)
                    square += size * size
                    weight += log_weights[size]
        parts[guess] = found
        largest[guess] = most
        squares[guess] = square
        weights[guess] = weight
