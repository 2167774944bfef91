"""Five words, twenty-five letters: brute force beside hitting sets."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel
from solver.word_sets.disjoint_words import find_sets
from solver.words.lists import named_list

from .harness import Bench

PART = 60  # first words that brute force is measured on, from all over the list


def run(bench: Bench) -> None:
    """The ladder on the original list."""
    words = named_list("original", "allowed").words
    masks = usable_masks(words)
    brute_force(masks[:9], 0)  # compiled: what follows is measured once only
    step = len(masks) // PART
    with bench.ladder(f"All sets among the {len(words):,} words of the original list") as ladder:
        ladder.rung(
            "brute force: any word after the last one",
            lambda: [brute_force(masks, first) for first in range(0, step * PART, step)],
            part=(PART, len(masks), "first words"),
            repeat=1,
        )
        product = ladder.rung("hitting sets: find_sets", partial(find_sets, words), repeat=50)
    bench.check(len(product.result.sets) == 10, "there are 10 sets")
    bench.note(f"states visited: {sum(product.result.nodes):,}")


def usable_masks(words: Sequence[str]) -> NDArray[np.uint64]:
    """A bit for each letter of words of five different ones, in an order without meaning."""
    usable = sorted({frozenset(word) for word in words if len(set(word)) == len(word)}, key=sorted)
    masks = [sum(1 << ord(letter) - ord("a") for letter in word) for word in usable]
    return np.random.default_rng(0).permutation(np.array(masks, dtype=np.uint64))


@kernel
def brute_force(masks: NDArray[np.uint64], first: int) -> int:
    """Count the sets that begin with this word and go on in the order of the list."""
    found = 0
    for second in range(first + 1, masks.size):
        if masks[second] & masks[first]:
            continue
        two = masks[second] | masks[first]
        for third in range(second + 1, masks.size):
            if masks[third] & two:
                continue
            three = masks[third] | two
            for fourth in range(third + 1, masks.size):
                if masks[fourth] & three:
                    continue
                four = masks[fourth] | three
                for fifth in range(fourth + 1, masks.size):
                    found += (masks[fifth] & four) == 0
    return found
