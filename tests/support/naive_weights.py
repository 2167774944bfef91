"""Splits where some secrets are likelier than others, by plain Python and exact fractions."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from . import naive


def chances(weights: Mapping[str, float]) -> dict[str, Fraction]:
    total = sum((Fraction(weight) for weight in weights.values()), Fraction())
    return {word: Fraction(weight) / total for word, weight in weights.items()}


def entropy(shares: list[Fraction]) -> float:
    """Shannon's entropy of shares that sum to one, in bits."""
    return -math.fsum(float(share) * math.log2(share) for share in shares if share)


def measures(guess: str, weights: Mapping[str, float]) -> dict[str, Any]:
    """All measures of a guess over the secrets that have these weights."""
    likely = chances(weights)
    buckets = list(naive.split(guess, list(weights)).values())
    shares = [sum((likely[secret] for secret in bucket), Fraction()) for bucket in buckets]
    sizes = [len(bucket) for bucket in buckets]
    kept = sum((share * size for share, size in zip(shares, sizes, strict=True)), Fraction())
    return {
        "entropy": entropy(shares),
        "remaining_bits": entropy(list(likely.values())) - entropy(shares),
        "expected_size": kept,
        "largest": max(sizes),
        "parts": len(sizes),
        "proportion": 1 - kept / len(weights) + likely.get(guess, Fraction()),
        "candidate": guess in weights,
    }
