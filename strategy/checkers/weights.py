"""Weights of secrets, by which the total of a strategy is checked: read by the checkers' own lines.

Like the referee this shares nothing with the solver. A weight is taken as it is written, and all of
them as whole numbers in the same ratio, without a common divisor.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..errors import BadFileError, WrongStrategyError
from ..files.text import plain, printable, quoted, read_lines


@dataclass(frozen=True)
class Weighed:
    """What the games of a strategy come to by weight."""

    #: Of the lines with a secret and its weight.
    digest: str
    #: The sum of the weights, and that of weight times guesses.
    sum: int
    total: int

    @property
    def mean(self) -> float:
        """The guesses for a secret on average."""
        return self.total / self.sum

    def require_claim(self, claim: Mapping[str, Any]) -> None:
        """Refuse what a strategy claims to take by weight if its games have come to another sum."""
        weights = claim.get("weights")
        if not isinstance(weights, dict):
            return
        if weights.get("digest") != self.digest:
            raise WrongStrategyError("its claim is about other weights than these")
        if (weights.get("sum"), weights.get("total")) != (self.sum, self.total):
            raise WrongStrategyError(
                f"it claims a total of {weights.get('total')} by weight; it takes {self.total:,}"
            )


def weigh(path: str | Path, taken: Mapping[str, int]) -> Weighed:
    """The games of a strategy by the weights of a file, which must have one for each secret."""
    by_word = _read(path)
    without = [word for word in taken if not by_word.get(word)]
    if without:
        more = f" and {len(without) - 1:,} more" if len(without) > 1 else ""
        raise WrongStrategyError(f"{printable(path)} has no weight for {without[0]!r}{more}")
    given = {word: by_word[word] for word in sorted(taken)}
    scale = math.lcm(*(weight.denominator for weight in given.values()))
    common = math.gcd(*(int(weight * scale) for weight in given.values()))
    whole = {word: int(weight * scale) // common for word, weight in given.items()}
    lines = "\n".join(f"{word} {weight}" for word, weight in whole.items())
    total = sum(weight * taken[word] for word, weight in whole.items())
    return Weighed(hashlib.sha256(lines.encode()).hexdigest(), sum(whole.values()), total)


def _read(path: str | Path) -> dict[str, Fraction]:
    """The weights of a file: lines with a word and a number, ``#`` begins a comment."""
    found: dict[str, Fraction] = {}
    for number, line in enumerate(read_lines(path), 1):
        cells = line.partition("#")[0].replace(",", " ").split()
        if not cells:
            continue
        try:
            word, text = cells
            weight = float(text)
            if not 0 <= weight < math.inf:
                raise ValueError(text)
        except ValueError:
            raise BadFileError(
                "format", f"{printable(path)}:{number}: {quoted(line)} is no word and its weight"
            ) from None
        found[plain(word)] = Fraction(repr(weight))
    return found
