"""Weights as whole numbers in the same ratio, which exact search adds up."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from ..errors import WrongInputError
from .kernels.lemmas import LOSS

#: Guesses that weights leave room for where there is no limit.
_LONGEST = 64


def whole_weights(weights: Iterable[float]) -> tuple[int, ...]:
    """The least whole numbers in the ratio of some weights above 0, each taken as it is written.

    So 0.1 is one tenth, not the binary fraction next to it.
    """
    exact = [Fraction(repr(float(weight))) for weight in weights]
    scale = math.lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * scale) for weight in exact]
    common = math.gcd(*whole)
    return tuple(weight // common for weight in whole)


def rounded_weights(weights: Iterable[float]) -> tuple[int, ...]:
    """Whole numbers in the ratio of some weights, rounded where exact search has no room for them.

    Then they are off by less than one part in 30 million of their sum.
    """
    given = list(weights)
    whole, most = whole_weights(given), most_weight(None, len(given))
    if sum(whole) <= most:
        return whole
    scale = (most // 2) / math.fsum(given)
    return tuple(max(1, round(weight * scale)) for weight in given)


def most_weight(within: int | None, count: int) -> int:
    """What the weights of so many secrets may add up to, so that no total is taken for a loss."""
    return (LOSS - 1) // max(1, min(count, _LONGEST if within is None else within))


def require_weights(weights: tuple[int, ...], within: int | None) -> None:
    """Refuse weights that exact search cannot add up."""
    most = most_weight(within, len(weights))
    if min(weights) < 1 or sum(weights) > most:
        raise WrongInputError(
            "exact search adds up whole numbers; in the ratio of these weights they come to "
            f"{sum(weights):,}, and {most:,} is the most: round the weights"
        )
