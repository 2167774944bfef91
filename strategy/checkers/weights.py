"""What figures by weight rest on (``verify --weights``); an OK without weights runs without it.

Each line has its sentence in docs/strategy-format.md, under *Weights*.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from . import lists
from .verify import Tree, hold, need

NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def read_weight(line: str) -> tuple[str, float] | None:
    """The word and the weight of a line of a file of weights; None where it has nothing."""
    entry = line.partition("#")[0].strip()
    pair = re.fullmatch(r"([^\s,]+)(?:\s*,\s*|\s+)([^\s,]+)", entry)
    number = float(pair[2]) if pair and NUMBER.fullmatch(pair[2]) else math.inf
    need(entry == "" or 0 <= number < math.inf, "no word and its weight")
    return (lists.plain(pair[1]), number) if pair else None


def weigh(tree: Tree, weights: Mapping[str, float], taken: Mapping[str, int]) -> dict[str, Any]:
    """What the games come to by weight, compared with what is claimed of it."""
    exact = {word: Fraction(repr(weights.get(word, 0.0))) for word in sorted(taken)}
    without = [word for word, weight in exact.items() if not weight]
    hold(not without, f"no weight for {len(without):,} secrets: {', '.join(without[:3])} …")
    scale = math.lcm(*(weight.denominator for weight in exact.values()))
    common = math.gcd(*(int(weight * scale) for weight in exact.values()))
    whole = {word: int(weight * scale) // common for word, weight in exact.items()}
    lines = "\n".join(f"{word} {weight}" for word, weight in whole.items())
    total = sum(weight * taken[word] for word, weight in whole.items())
    digest = hashlib.sha256(lines.encode()).hexdigest()
    found = {"digest": digest, "sum": sum(whole.values()), "total": total}
    right = tree.head["claim"].get("weights", found) == found
    hold(right, f"its claim is about other weights than these, or wrong: it takes {total:,}")
    return found
