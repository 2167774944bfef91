"""Five words, twenty-five letters: brute force and hitting sets, other lists, the command."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel
from solver.word_sets.disjoint_search import U1
from solver.word_sets.disjoint_words import find_sets
from solver.words.lists import named_list

from .harness import Bench

LARGE = Path("/usr/share/dict/american-english-insane")
COUNT = 5
PART = 60  # first words that brute force is measured on, from all over the list


def run(bench: Bench) -> None:
    """The ladder on the original list, the product on both lists, and the command."""
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
        product = ladder.rung("hitting sets: find_sets", lambda: find_sets(words), repeat=50)
    bench.check(len(product.result.sets) == 10, "there are 10 sets")
    bench.note(f"states visited: {sum(product.result.nodes):,}")
    lists: dict[str, Sequence[str]] = {"original": words}
    if LARGE.exists():
        lists[LARGE.name] = re.findall(r"^[a-z]{5}$", LARGE.read_text(), re.MULTILINE)
    else:
        bench.note(f"{LARGE} is not there (Debian package wamerican-insane): no large list")
    with bench.ladder("The product, from str to sets of str") as ladder:
        for name, some in lists.items():
            ladder.rung(
                f"{name}, {len(some):,} words",
                lambda some=some: find_sets(some),
                repeat=50,
                masks=lambda found: found.masks,
                sets=lambda found: len(found.sets),
                hitting_set=lambda found: found.hitting_set,
            )
    knuthle = [sys.executable, "-m", "strategy"]
    with bench.ladder("The whole process, compiled before") as ladder:
        ladder.command("python -c pass", [sys.executable, "-c", "pass"])
        ladder.command("python -c 'import numba'", [sys.executable, "-c", "import numba"])
        ladder.command("knuthle five-words", [*knuthle, "five-words"])


def usable_masks(words: Sequence[str]) -> NDArray[np.uint64]:
    """A bit for each letter of words of five different ones, in an order without meaning."""
    usable = sorted({frozenset(word) for word in words if len(set(word)) == len(word)}, key=sorted)
    masks = [sum(1 << ord(letter) - ord("a") for letter in word) for word in usable]
    return np.random.default_rng(0).permutation(np.array(masks, dtype=np.uint64))


@kernel
def brute_force(masks: NDArray[np.uint64], first: int) -> int:
    """Count the sets that begin with this word and go on in the order of the list."""
    used = np.zeros(COUNT + 1, dtype=np.uint64)
    cursor = np.zeros(COUNT + 1, dtype=np.uint64)  # whose numbers never count from the end
    end = np.uint64(masks.size)
    used[1] = masks[first]
    cursor[1] = first + 1
    found = 0
    depth = 1
    while depth >= 1:
        at = cursor[depth]
        while at < end and masks[at] & used[depth]:
            at += U1
        if at == end:
            depth -= 1
            continue
        cursor[depth] = at + U1
        if depth + 1 == COUNT:
            found += 1
            continue
        used[depth + 1] = used[depth] | masks[at]
        cursor[depth + 1] = at + U1
        depth += 1
    return found
