"""Pairs: the 20 best of 84 million, from plain Python to bounds by letters; pairs evaluated."""

import math
from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game.load import load_game
from solver.splits.joint_splits import joint_measures, partition_by
from solver.splits.measures import fixed_log_weights, split_measures
from solver.word_sets.pairs import PairSearch

from .harness import Bench

TOP = 20
PLAIN, NUMPY, FIRST_WORDS = 40, 2_000, 8  # pairs and first words for the slow rungs


def run(bench: Bench) -> None:
    """Every rung has the scores at hand."""
    game = load_game("nyt-2022")
    scores = game.score_rows()
    search = PairSearch(game)
    pairs = search.pairs_in_all
    draw = np.random.default_rng(4)
    some = draw.integers(len(scores), size=(NUMPY, 2)).tolist()
    lists = {guess: scores[guess].tolist() for pair in some[:PLAIN] for guess in pair}
    cut = search.best(TOP).pairs[-1].weight
    left = _left_by_subadditivity(scores, game.n_scores, cut)
    firsts = draw.choice(len(scores), FIRST_WORDS, replace=False).tolist()

    def plain() -> list[float]:
        return [_entropy(Counter(zip(lists[a], lists[b], strict=True))) for a, b in some[:PLAIN]]

    def with_numpy() -> list[float]:
        return [_numpy_entropy(scores[a], scores[b]) for a, b in some]

    def compiled() -> list[Any]:
        return [joint_measures(scores, partition_by([scores[a]]), game.n_scores) for a in firsts]

    with bench.ladder(f"The {TOP} best of {pairs:,} pairs", per=(pairs, "pair")) as ladder:
        slow = ladder.rung(
            "plain Python", plain, part=(PLAIN, pairs, "pairs"), repeat=1, evaluated=f"{pairs:,}"
        )
        middle = ladder.rung(
            "numpy", with_numpy, part=(NUMPY, pairs, "pairs"), repeat=1, evaluated=f"{pairs:,}"
        )
        ladder.rung(
            "compiled, every pair",
            compiled,
            part=(FIRST_WORDS * len(scores), pairs, "pairs"),
            repeat=3,
            evaluated=f"{pairs:,}",
        )
        ladder.rung(
            "compiled, subadditivity only",
            compiled,
            part=(FIRST_WORDS * len(scores), left, "pairs"),
            repeat=3,
            evaluated=f"{left:,}",
        )
        ladder.rung(
            "bounds by letters: PairSearch.best",
            lambda: search.best(TOP),
            evaluated=lambda found: f"{found.evaluated:,}",
        )
        ladder.rung("the same from the word list on", lambda: PairSearch(game).best(TOP))
        for rank in ("trace lions", "fuzzy mummy"):
            ladder.rung(
                f"rank of {rank.upper()}",
                lambda rank=rank: search.ranked(*rank.split()),
                evaluated=lambda found: f"{found.evaluated:,}",
            )
        ladder.rung(
            "rank of CRANE SLATE, by the tree of letters",
            lambda: search.ranked("crane", "slate"),
            repeat=1,
            evaluated=lambda found: f"{found.evaluated:,}",
        )
        ladder.rung(
            f"the {TOP} worst",
            lambda: search.worst(TOP),
            evaluated=lambda found: f"{found.evaluated:,}",
        )
    agree = np.allclose(slow.result, middle.result[:PLAIN], atol=1e-9)
    bench.check(bool(agree), "plain Python and numpy agree")


def _entropy(sizes: Counter[tuple[int, int]]) -> float:
    total = sizes.total()
    return sum(n / total * math.log2(total / n) for n in sizes.values())


def _numpy_entropy(a: NDArray[Any], b: NDArray[Any]) -> float:
    sizes = np.bincount(a.astype(np.int32) * 256 + b)
    shares = sizes[sizes > 0] / len(a)
    return float(-(shares * np.log2(shares)).sum())


def _left_by_subadditivity(scores: NDArray[Any], n_scores: int, cut: int) -> int:
    """Pairs that H(A, B) <= H(A) + H(B) does not exclude when the last wanted pair is known."""
    weights = np.sort(split_measures(scores, n_scores).weights)
    most = cut + int(fixed_log_weights(scores.shape[1])[-1]) - weights
    reach = np.searchsorted(weights, most, side="right")
    return int(np.maximum(reach - np.arange(len(weights)) - 1, 0).sum())
