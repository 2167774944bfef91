"""Sets of words without a common letter, the slow way: a search unlike the fast one."""

from collections.abc import Iterable, Sequence
from itertools import product

Sets = set[frozenset[str]]


def exact_cover(words: Sequence[str], count: int) -> Sets:
    """Every set of ``count`` words: each letter in turn is covered by a word or left out.

    Scarce letters come first, or it would take days; nothing else is done for speed.
    """
    alike: dict[int, list[str]] = {}
    alphabet = sorted(set("".join(words)), key=lambda letter: "".join(words).count(letter))
    for word in dict.fromkeys(words):
        if len(set(word)) == len(word):
            mask = sum(1 << alphabet.index(letter) for letter in word)
            alike.setdefault(mask, []).append(word)
    by_scarcest: list[list[int]] = [[] for _ in alphabet]
    for mask in alike:
        by_scarcest[(mask & -mask).bit_length() - 1].append(mask)

    def cover(place: int, used: int, spare: int, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
        if len(chosen) == count:
            return [chosen]
        while used >> place & 1:
            place += 1
        found = []
        for mask in [mask for mask in by_scarcest[place] if not mask & used]:
            found += cover(place + 1, used | mask, spare, (*chosen, mask))
        return found + (cover(place + 1, used, spare - 1, chosen) if spare else [])

    spare = len(alphabet) - count * len(words[0])
    covers = cover(0, 0, spare, ()) if spare >= 0 else []
    choices = (product(*(alike[mask] for mask in masks)) for masks in covers)
    return {frozenset(choice) for some in choices for choice in some}


def without_anagrams(sets: Iterable[frozenset[str]], words: Iterable[str]) -> Sets:
    """Each word replaced by the first of the list that has its letters."""
    first: dict[frozenset[str], str] = {}
    for word in words:
        first.setdefault(frozenset(word), word)
    return {frozenset(first[frozenset(word)] for word in chosen) for chosen in sets}
