"""Pairs: the 20 best of 84 million, from plain Python to bounds by letters; pairs evaluated."""

import math
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game.load import load_game
from solver.splits.joint_splits import joint_measures, partition_by
from solver.word_sets.pairs import PairSearch

from .harness import Bench

TOP = 20
FIRST_WORDS, SECOND_WORDS = 8, 5  # for the slow rungs; in plain Python five beside each first


def run(bench: Bench) -> None:
    """Every rung has the scores at hand."""
    game = load_game("nyt-2022")
    scores = game.score_rows()
    search = PairSearch(game)
    pairs = search.pairs_in_all
    draw = np.random.default_rng(4)
    firsts = draw.choice(len(scores), FIRST_WORDS, replace=False).tolist()
    seconds = draw.integers(len(scores), size=SECOND_WORDS).tolist()
    lists = {guess: scores[guess].tolist() for guess in firsts + seconds}

    def plain() -> list[list[float]]:
        return [[_entropy(zip(lists[a], lists[b], strict=True)) for b in seconds] for a in firsts]

    def with_numpy() -> list[list[float]]:
        return [[_numpy_entropy(scores[a], scores[b]) for b in seconds] for a in firsts]

    def compiled() -> list[Any]:
        return [joint_measures(scores, partition_by([scores[a]]), game.n_scores) for a in firsts]

    with bench.ladder(f"The {TOP} best of {pairs:,} pairs", per=(pairs, "pair")) as ladder:
        part = (FIRST_WORDS * SECOND_WORDS, pairs, "pairs")
        slow = ladder.rung("plain Python", plain, part=part, repeat=1, evaluated=pairs)
        ladder.rung("numpy", with_numpy, part=part, repeat=3, evaluated=pairs)
        middle = ladder.rung(
            "compiled, every pair",
            compiled,
            part=(FIRST_WORDS * len(scores), pairs, "pairs"),
            repeat=3,
            evaluated=pairs,
        )
        searches: dict[str, Callable[[], Any]] = {
            "bounds by letters: PairSearch.best": partial(search.best, TOP),
            "the same from the word list on": lambda: PairSearch(game).best(TOP),
            "rank of TRACE LIONS": partial(search.ranked, "trace", "lions"),
            "rank of FUZZY MUMMY": partial(search.ranked, "fuzzy", "mummy"),
            f"the {TOP} worst": partial(search.worst, TOP),
        }
        for label, work in searches.items():
            ladder.rung(label, work, evaluated=lambda found: found.evaluated)
        tree = partial(search.ranked, "crane", "slate")
        label = "rank of CRANE SLATE, by the tree of letters"
        ladder.rung(label, tree, repeat=1, evaluated=lambda found: found.evaluated)
    same = np.allclose(slow.result, [it.entropy()[seconds] for it in middle.result], atol=1e-9)
    bench.check(bool(same), "plain Python and the compiled count agree")


def _entropy(pairs: Iterable[tuple[int, int]]) -> float:
    sizes = Counter(pairs)
    total = sizes.total()
    return sum(n / total * math.log2(total / n) for n in sizes.values())


def _numpy_entropy(a: NDArray[Any], b: NDArray[Any]) -> float:
    sizes = np.bincount(a.astype(np.int32) * 256 + b)
    shares = sizes[sizes > 0] / len(a)
    return float(-(shares * np.log2(shares)).sum())
