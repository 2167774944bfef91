"""How good a split is, by every measure at once: buckets, the largest, squares, information.

Scores are counted into buckets, and each bucket is read once for all measures. The information is
Shannon's (1948), summed in fixed point so that equal splits have equal numbers.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.forms import record
from ..machine.jit import kernel

if TYPE_CHECKING:
    from ..game.game import Game
    from ..machine.arrays import Ids

Costs = NDArray[np.int64]
#: Positions and counters inside kernels: an unsigned index needs no test for being negative.
Places = NDArray[np.uint32]
#: From this many candidates on, sweeping over all counters is faster than visiting those in use.
DENSE = 256


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
    if rows.dtype == np.uint8 and candidates >= DENSE and _rows_are_words(rows):
        measures = empty_measures(count, candidates)
        # the row's padding is there, whatever it holds: a row is read eight scores at a time
        width = -(-candidates // 8) * 8
        words = np.lib.stride_tricks.as_strided(rows, (count, width), rows.strides).view(np.uint64)
        measure_words(words, rows, fixed_log_weights(candidates), measures)
        return measures
    members = np.arange(candidates, dtype=np.uint32)
    return block_measures(rows, n_scores, members, np.array([0, candidates], dtype=np.uint32), 0)


def block_measures(
    rows: NDArray[Any], n_scores: int, members: Places, starts: Places, singles: int
) -> Measures:
    """All measures of the joint splits of candidates that are split into blocks already.

    Block ``k`` is ``members[starts[k] : starts[k + 1]]``, columns of ``rows``. A candidate alone in
    its block is separated by any guess: it is only one of ``singles``.
    """
    measures = empty_measures(len(rows), len(members) + singles)
    logs, counts = fixed_log_weights(measures.candidates), np.zeros(n_scores, dtype=np.uint32)
    measure_blocks(rows, members, starts, singles, logs, counts, measures)
    return measures


def empty_measures(count: int, candidates: int) -> Measures:
    """Memory for the measures of the splits of so many guesses."""
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
def measure_words(
    words: NDArray[np.uint64], rows: NDArray[np.uint8], log_weights: Costs, measures: Measures
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
        measures.parts[guess] = found
        measures.largest[guess] = most
        measures.squares[guess] = square
        measures.weights[guess] = weight


@kernel
def measure_blocks(
    rows: NDArray[Any],
    members: Places,
    starts: Places,
    singles: int,
    log_weights: Costs,
    counts: Places,
    measures: Measures,
) -> None:
    """Count block after block; read and clear only the counters that a block touched.

    Whether a score is new is anybody's guess, so there is no branch on it: each is written behind
    the ones that are there, and overwritten unless it was new. Half of all blocks are pairs.
    """
    seen = np.empty(counts.shape[0] + 1, dtype=np.uint32)
    for guess in range(rows.shape[0]):
        row = rows[guess]
        found = singles
        most = 1 if singles else 0
        square = singles
        weight = 0
        for block in range(starts.shape[0] - 1):
            begin = starts[block]
            end = starts[block + 1]
            if end - begin == 2:
                same = int(row[members[begin]] == row[members[begin + np.uint32(1)]])
                found += 2 - same
                most = max(most, 1 + same)
                square += 2 + 2 * same
                weight += same * log_weights[2]
                continue
            distinct = np.uint32(0)
            for at in range(begin, end):
                score = row[members[at]]
                seen[distinct] = score
                distinct += np.uint32(counts[score] == 0)
                counts[score] += np.uint32(1)
            found += int(np.int64(distinct))
            for at in range(distinct):
                size = int(np.int64(counts[seen[at]]))
                counts[seen[at]] = 0
                most = max(most, size)
                square += size * size
                weight += log_weights[size]
        measures.parts[guess] = found
        measures.largest[guess] = most
        measures.squares[guess] = square
        measures.weights[guess] = weight


# ---- Logarithms in fixed point, so that equal information is an equal number on every machine

#: Fractional bits of the fixed-point logarithms.
LOG_BITS = 40
#: Of more candidates the weights of splits do not fit 64 bits.
MOST_CANDIDATES = 1 << 18
#: Less information, in bits, is a rounding error: two buckets of MOST_CANDIDATES have more.
NOTHING = 2.0**-20


@cache
def fixed_log_weights(n: int) -> Costs:
    """``k * log2(k)`` for ``k`` up to ``n``, in units of ``2 ** -LOG_BITS``.

    Logarithms of primes are rounded, those of other numbers are sums of them. So splits whose
    information is exactly equal ({4,1,1,1,1} and {2,2,2,2}) have exactly equal weights. The
    error of an entropy is below ``log2(n) * 2 ** -41`` bits. More than MOST_CANDIDATES are an
    OverflowError; ``ranking.require_countable`` refuses them in words before it comes to that.
    """
    if n > MOST_CANDIDATES:
        raise OverflowError
    weights = np.zeros(n + 1, dtype=np.int64)
    fill_log_weights(weights)
    return weights


@kernel
def fill_log_weights(weights: Costs) -> None:
    """Write the weight of every size from 0 on, as ``fixed_log_weights`` says; all are zero."""
    count = weights.shape[0]
    for prime in range(2, count):
        if weights[prime]:
            continue  # composite: smaller primes have added their shares
        log = (_binary_log(prime, LOG_BITS + 1) + 1) >> 1
        power = prime
        while power < count:
            for multiple in range(power, count, power):
                weights[multiple] += log
            power *= prime
    for size in range(count):
        weights[size] *= size


def fixed_log_weight_steps(n: int) -> Costs:
    """By logarithms, what a bucket's growing from ``k`` to ``k + 1`` adds to a split's weight."""
    return np.diff(fixed_log_weights(n))


def information(weights: Any, candidates: int) -> tuple[Any, Any]:
    """The information of splits of these weights, and what is still missing, in bits.

    A split with all in one bucket has exactly none, whatever the rounding.
    """
    missing = weights / (candidates * 2.0**LOG_BITS)
    known = exact_log2(candidates) - missing
    return np.where(known < NOTHING, 0.0, known), missing


@kernel
def exact_log2(number: int) -> float:
    """The binary logarithm of a number of up to 2^18, rounded once: the same on every machine."""
    log = _binary_log(number, _FINE_BITS)
    if number & (number - 1):
        log |= 1  # it goes on behind the last digit
    return log * 2.0**-_FINE_BITS


#: Digits behind the point that are enough to round a logarithm as a float.
_FINE_BITS = 57
#: Numbers of 81 bits in three parts, so that the square of each part fits a word.
_PART = 27
_LOW = (1 << _PART) - 1


@kernel(inner=True)
def _binary_log(number: int, digits: int) -> int:
    """The first binary digits of the logarithm, by integers alone.

    Squaring doubles the logarithm: where a mantissa of 80 digits reaches two, the next digit is 1.
    """
    whole = 0
    while number >> (whole + 1):
        whole += 1
    high = (number << (_PART - 1)) >> whole  # of 18 digits at most, so that nothing is lost
    return _log_digits(high, 0, whole, digits)


@kernel(inner=True)
def _log_digits(high: int, middle: int, log: int, digits: int) -> int:
    """A logarithm with so many digits more, those of a mantissa in parts; ``log`` stands before."""
    low = 0
    for _ in range(digits):
        first = low * low
        second = 2 * low * middle + (first >> _PART)
        third = 2 * low * high + middle * middle + (second >> _PART)
        fourth = 2 * middle * high + (third >> _PART)
        fifth = high * high + (fourth >> _PART)
        low = ((third & _LOW) >> (_PART - 1)) | ((fourth << 1) & _LOW)
        middle = ((fourth & _LOW) >> (_PART - 1)) | ((fifth << 1) & _LOW)
        high = (fifth & _LOW) >> (_PART - 1) | (fifth >> _PART) << 1
        digit = high >> _PART
        if digit:
            low = low >> 1 | (middle & 1) << (_PART - 1)
            middle = middle >> 1 | (high & 1) << (_PART - 1)
            high >>= 1
        log = 2 * log + digit
    return log


@kernel(inner=True)
def _log2_of(number: float) -> float:
    """The binary logarithm of any positive number, rounded once: the same on every machine."""
    whole = 0
    while number < 1.0:
        number *= 2.0
        whole -= 1
    while number >= 2.0:
        number *= 0.5
        whole += 1
    if number == 1.0:
        return float(whole)
    digits = _FINE_BITS if abs(whole) < 32 else _FINE_BITS - 8
    if whole in (-1, 0):  # it may be near 0
        digits += 5
    mantissa = int(number * 2.0**52)
    high, middle = mantissa >> (_PART - 1), (mantissa << 1) & _LOW
    log = (whole << digits) + _log_digits(high, middle, 0, digits)
    return (log | 1) * 2.0**-digits


# ---- A one-step rule as kernels see it

#: Above every cost that a rule can give.
NO_COST = 1 << 61
#: Kinds of sums over the buckets, for searches that know more of some: any, the number of
#: candidates less that of buckets, squares of sizes, sizes times their logarithms.
ANY, PARTS, SQUARES, LOGARITHMS = range(4)


@record
class Criterion(NamedTuple):
    """A one-step rule as kernels see it: ``rules.searcher.Rule`` with its steps as an array."""

    #: What a bucket's growing from ``k`` to ``k + 1`` adds to the cost.
    steps: Costs
    #: What a bucket of ``k`` has added in all.
    weights: Costs
    #: The cost is the largest step instead of the sum of all.
    by_largest: bool
    #: A remaining candidate's cost is lowered by the number of candidates.
    candidate_bonus: bool
    #: Which kind of sum the cost is, if it is one.
    kind: int
    #: Whether guesses that are no candidates may be made.
    from_pool: bool


# ---- Measures where some secrets are likelier than others
#
# Every secret has a chance, and the chances sum to one. Expected sizes and information are
# expectations over them; the number of buckets and the size of the largest are counts as ever.

Chances = NDArray[np.float64]
#: A block of rows this large is measured at a time.
BLOCK_BYTES = 1 << 26


class WeightedMeasures(NamedTuple):
    """What the splits of some guesses are worth over chances, one entry a guess."""

    parts: NDArray[np.int32]
    largest: NDArray[np.int32]
    #: How many candidates are left, on average.
    kept: NDArray[np.float64]
    #: The information that is still missing, on average, in bits.
    missing: NDArray[np.float64]


def chances_of(weights: NDArray[Any]) -> Chances:
    """For weighted measures, the weights of secrets as chances that sum to one.

    At least one is positive, and none is negative.
    """
    given = np.ascontiguousarray(weights, dtype=np.float64)
    chances: Chances = np.empty(len(given))
    fill_chances(given, chances)
    return chances


@kernel
def fill_chances(weights: Chances, chances: Chances) -> None:
    """Write weights as chances; their sum could overflow, so the largest is made one before."""
    most = 0.0
    for at in range(len(weights)):
        most = max(most, weights[at])
    for at in range(len(weights)):
        chances[at] = weights[at] / most
    whole = _sum_of(chances)
    for at in range(len(weights)):
        chances[at] /= whole


def mean_of(values: NDArray[Any], chances: Chances) -> float:
    """The mean of some values by their chances."""
    return mean_by_chances(np.ascontiguousarray(values, dtype=np.float64), chances)


@kernel
def mean_by_chances(values: Chances, chances: Chances) -> float:
    """The mean of some values by their chances, summed from left to right.

    A product of vectors is summed in an order that differs from processor to processor, and so the
    last digits would.
    """
    total = 0.0
    for at in range(len(values)):
        total += values[at] * chances[at]
    return total


@kernel
def share_out(row: Ids, chances: Chances, shares: Chances) -> None:
    """Add the chances of candidates to the shares of their buckets, by their scores."""
    for at in range(len(row)):
        shares[row[at]] += chances[at]


@kernel
def bits_of_split(shares: Chances) -> float:
    """The information of a split in bits: Shannon's entropy of the shares of its buckets."""
    bits = np.zeros(len(shares))
    for at in range(len(shares)):
        if shares[at] > 0.0:
            bits[at] = shares[at] * _log2_of(shares[at])
    return max(0.0, -_sum_of(bits))


@kernel
def bits_beyond(row: Ids, score: int, chances: Chances) -> float:
    """The information of a score in bits, less what was expected of its guess.

    ``row`` has the scores of the guess against all candidates, which have these chances.
    """
    hits, others, most = np.empty(len(row)), 0, 0
    count = 0
    for at in range(len(row)):
        others += int(row[at] != row[0])
        most = max(most, int(row[at]))
        if row[at] == score:
            hits[count] = chances[at]
            count += 1
    shares = np.zeros(most + 1)
    for at in range(len(row)):
        shares[row[at]] += chances[at]
    for at in range(most + 1):
        if shares[at] > 0.0:
            shares[at] *= _log2_of(shares[at])
    expected = max(0.0, -_sum_of(shares)) if others > 0 else 0.0
    gained = -_log2_of(_sum_of(hits[:count])) if count < len(row) else 0.0
    return gained - expected


#: Up to so many numbers are summed in one go, as those of numpy are.
_SUMMED = 128


@kernel(inner=True)
def _sum_of(values: Chances) -> float:
    """The sum of the sums of both halves, and so on: the order of numpy, wherever this runs."""
    begin, size, visits = np.zeros((3, 64), dtype=np.int64)
    first = np.zeros(64)
    size[0] = len(values)
    total, top = 0.0, 0
    while top >= 0:
        half = size[top] // 2 - size[top] // 2 % 8
        if size[top] <= _SUMMED:
            total = _sum_of_few(values[begin[top] : begin[top] + size[top]])
            top -= 1
        elif visits[top] == 0:
            visits[top] = 1
            begin[top + 1], size[top + 1], visits[top + 1] = begin[top], half, 0
            top += 1
        elif visits[top] == 1:
            visits[top], first[top] = 2, total
            begin[top + 1], size[top + 1] = begin[top] + half, size[top] - half
            visits[top + 1] = 0
            top += 1
        else:
            total = first[top] + total
            top -= 1
    return total


@kernel(inner=True)
def _sum_of_few(values: Chances) -> float:
    """The sum by eight sums side by side."""
    count, total = len(values), 0.0
    whole = count // 8 * 8
    if whole > 0:
        sums = np.zeros(8)
        for at in range(8):
            sums[at] = values[at]
        for at in range(8, whole):
            sums[at % 8] += values[at]
        total = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + (
            (sums[4] + sums[5]) + (sums[6] + sums[7])
        )
    for at in range(whole, count):
        total += values[at]
    return total


def weighted_measures(
    game: Game, guess_ids: Ids, candidates: Ids | None, chances: Chances
) -> WeightedMeasures:
    """The measures of guesses against candidates (all secrets, if None) with these chances."""
    parts, largest = np.empty((2, len(guess_ids)), dtype=np.int32)
    kept, missing = np.empty((2, len(guess_ids)), dtype=np.float64)
    bits: Chances = np.empty(len(chances))
    fill_own_bits(chances, bits)
    sums = np.zeros((3, game.n_scores), dtype=np.float64)
    row_bytes = len(chances) * np.dtype(game.score_dtype).itemsize
    stride = max(1, BLOCK_BYTES // max(1, row_bytes))
    for at in range(0, len(guess_ids), stride):
        some = slice(at, at + stride)
        rows = game.score_rows(guess_ids[some], candidates)
        found = WeightedMeasures(parts[some], largest[some], kept[some], missing[some])
        measure_by_chances(rows, chances, bits, sums, found)
    return WeightedMeasures(parts, largest, kept, missing)


@kernel
def fill_own_bits(chances: Chances, bits: Chances) -> float:
    """Write ``p * log2(p)`` of every chance, nothing for none; their entropy in bits."""
    for at in range(len(chances)):
        bits[at] = chances[at] * _quick_log2(chances[at]) if chances[at] > 0.0 else 0.0
    return max(0.0, -_sum_of(bits))


#: Factors of a series: 2 / (k * ln 2) for k = 1, 3, 5, …
_SERIES = tuple(2.0 / (k * math.log(2.0)) for k in range(1, 26, 2))


@kernel(inner=True)
def _quick_log2(number: float) -> float:
    """The binary logarithm of a positive number: the same on every machine, in the last digit off.

    By the series of ``log((1 + x) / (1 - x))``, of a number between the roots of 1/2 and 2.
    """
    whole = 0
    while number < 2.0**-32:
        number *= 2.0**32
        whole -= 32
    while number < 0.7071067811865476:
        number *= 2.0
        whole -= 1
    while number >= 1.4142135623730951:
        number *= 0.5
        whole += 1
    x = (number - 1.0) / (number + 1.0)
    square, total = x * x, 0.0
    for k in range(len(_SERIES) - 1, -1, -1):
        total = total * square + _SERIES[k]
    return whole + x * total


@kernel
def measure_by_chances(
    rows: NDArray[Any], chances: Chances, bits: Chances, sums: Chances, measures: WeightedMeasures
) -> None:
    """Sum row after row; read and clear only the counters that a row touched.

    A bucket of the chance P leaves ``log2(P) - sum(p * log2(p)) / P`` bits missing and is met with
    the chance P; a bucket of one leaves exactly nothing.
    """
    for guess in range(rows.shape[0]):
        row = rows[guess]
        for at in range(rows.shape[1]):
            score = row[at]
            sums[0, score] += chances[at]
            sums[1, score] += bits[at]
            sums[2, score] += 1.0
        found = 0
        most = 0.0
        kept = 0.0
        missing = 0.0
        for at in range(rows.shape[1]):
            score = row[at]
            size = sums[2, score]
            if size > 0.0:
                chance = sums[0, score]
                found += 1
                most = max(most, size)
                kept += chance * size
                if size > 1.0 and chance > 0.0:
                    missing += chance * _quick_log2(chance) - sums[1, score]
                sums[0, score] = 0.0
                sums[1, score] = 0.0
                sums[2, score] = 0.0
        measures.parts[guess] = found
        measures.largest[guess] = int(most)
        measures.kept[guess] = kept
        measures.missing[guess] = missing
