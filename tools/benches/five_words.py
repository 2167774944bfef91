"""Five words, twenty-five letters: from brute force to hitting sets, with the states visited."""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel
from solver.word_sets.disjoint_search import U1, bit_of
from solver.word_sets.disjoint_words import find_sets
from solver.words.lists import named_list

from .harness import Bench, Rung

LARGE = Path("/usr/share/dict/american-english-insane")
COUNT, LENGTH = 5, 5
PART = 60  # first words that brute force is measured on, from all over the list

Found = tuple[int, NDArray[np.int64]]


def run(bench: Bench) -> None:
    """The ladder on the original list, the product on both lists, and the command."""
    words = named_list("original", "allowed").words
    with bench.ladder(f"All sets among the {len(words):,} words of the original list") as ladder:
        rungs = climb(ladder.rung, words)
        product = ladder.rung(
            "+ hitting sets: find_sets, from str to sets of str",
            lambda: find_sets(words),
            repeat=50,
        )
    bench.check(
        all(rung.result[0] == len(product.result.sets) == 10 for rung in rungs[1:]),
        "every rung that finishes finds 10 sets",
    )
    visited = [(rung.label, rung.result[1]) for rung in rungs]
    visited.append((product.label, np.array(product.result.nodes)))
    bench.table(
        "States visited with so many words (brute force: below the measured first words)",
        ["", *map(str, range(1, COUNT + 1)), "all"],
        [[label, *map(int, nodes[1:]), int(nodes[1:].sum())] for label, nodes in visited],
    )
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


def climb(rung: Callable[..., Rung], words: Sequence[str]) -> list[Rung]:
    """The rungs below the product: one idea more on each, all compiled, all from masks."""
    masks, starts, n_letters = rarest_first(words)
    listed = np.random.default_rng(0).permutation(masks)
    everything = (1 << n_letters) - 1
    spare = n_letters - COUNT * LENGTH
    whole = np.array([0, len(masks)], dtype=np.int64)

    def leave_out_each() -> Found:
        nodes = np.zeros(COUNT + 1, dtype=np.int64)
        letters = [np.uint64(everything & ~(1 << letter)) for letter in range(n_letters)]
        return sum(cover(masks, whole, some, 0, nodes) for some in letters), nodes

    def with_skip(shelves: NDArray[np.int64]) -> Found:
        nodes = np.zeros(COUNT + 1, dtype=np.int64)
        return cover(masks, shelves, np.uint64(everything), spare, nodes), nodes

    def part() -> Found:
        nodes = np.zeros(COUNT + 1, dtype=np.int64)
        step = len(listed) // PART
        return sum(
            brute_force(listed, first, nodes) for first in range(0, step * PART, step)
        ), nodes

    few = np.zeros(COUNT + 1, dtype=np.int64)  # compile what is measured once only
    brute_force(masks[:9], 0, few)
    cover(masks[:9], np.array([0, 9]), np.uint64(0), 0, few)
    return [
        rung(
            "brute force: any word after the last one",
            part,
            part=(PART, len(masks), "first words"),
            repeat=1,
        ),
        rung(
            "letter order: the rarest letter next, once for each left out", leave_out_each, repeat=1
        ),
        rung(
            "+ skip: one search, a letter left out on the way", lambda: with_skip(whole), repeat=3
        ),
        rung("+ buckets: words by their rarest letter", lambda: with_skip(starts)),
    ]


def rarest_first(words: Sequence[str]) -> tuple[NDArray[np.uint64], NDArray[np.int64], int]:
    """Masks with bits from the rarest letter up, sorted by lowest bit; where each bit begins."""
    usable = {frozenset(word) for word in words if len(set(word)) == len(word)}
    letters = sorted({letter for word in usable for letter in word})
    letters.sort(key=lambda letter: sum(letter in word for word in usable))
    masks = [sum(1 << letters.index(letter) for letter in word) for word in usable]
    masks.sort(key=lambda mask: (mask & -mask, mask))
    lowest = [(mask & -mask).bit_length() - 1 for mask in masks]
    starts = np.searchsorted(lowest, np.arange(len(letters) + 1)).astype(np.int64)
    return np.array(masks, dtype=np.uint64), starts, len(letters)


@kernel
def brute_force(masks: NDArray[np.uint64], first: int, nodes: NDArray[np.int64]) -> int:
    """Count the sets that begin with this word and go on in the order of the list."""
    used = np.zeros(COUNT + 1, dtype=np.uint64)
    cursor = np.zeros(COUNT + 1, dtype=np.uint64)  # whose numbers never count from the end
    end = np.uint64(masks.size)
    used[1] = masks[first]
    cursor[1] = first + 1
    nodes[1] += 1
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
        nodes[depth + 1] += 1
        if depth + 1 == COUNT:
            found += 1
            continue
        used[depth + 1] = used[depth] | masks[at]
        cursor[depth + 1] = at + U1
        depth += 1
    return found


@kernel
def cover(
    masks: NDArray[np.uint64],
    starts: NDArray[np.int64],
    letters: np.uint64,
    spare: int,
    nodes: NDArray[np.int64],
) -> int:
    """Count the sets within ``letters``: cover the rarest free letter, or skip it while one may.

    ``starts`` has where the words of each rarest letter begin, or only the whole list.
    """
    used = np.zeros(COUNT + 1, dtype=np.uint64)
    spares = np.zeros(COUNT + 1, dtype=np.int64)
    cursor = np.zeros(COUNT + 1, dtype=np.uint64)
    end = np.zeros(COUNT + 1, dtype=np.uint64)
    spares[0] = spare
    found = 0
    depth = 0
    fresh = True
    while depth >= 0:
        free = letters & ~used[depth]
        rarest = free & (~free + U1)
        if fresh:
            letter = 0
            while starts.size > 2 and bit_of(letter) != rarest:
                letter += 1
            cursor[depth], end[depth] = starts[letter], starts[letter + 1]
        at = cursor[depth]
        seen = used[depth] | ~letters | rarest
        while at < end[depth] and masks[at] & seen != rarest:
            at += U1
        if at < end[depth]:
            cursor[depth] = at + U1
            nodes[depth + 1] += 1
            fresh = depth + 1 < COUNT
            if not fresh:
                found += 1
                continue
            used[depth + 1] = used[depth] | masks[at]
            spares[depth + 1] = spares[depth]
            depth += 1
        elif spares[depth]:
            used[depth] |= rarest
            spares[depth] -= 1
            fresh = True
        else:
            depth -= 1
            fresh = False
    return found
