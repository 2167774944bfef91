"""Letters counted place by place, and what the commonest spell, beside plain steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.splits.ranking import spell_commonest


def plain(words: list[list[int]], n_letters: int) -> tuple[list[list[int]], list[int], list[int]]:
    """The counts, the letters spelled, the order of the places."""
    n_places = len(words[0])
    counts = [[0] * n_letters for _ in range(n_places)]
    for word in words:
        for place, letter in enumerate(word):
            counts[place][letter] += 1
    left = [list(row) for row in counts]
    spelled, order = [-1] * n_places, []
    for _ in range(n_places):
        if max(map(max, left)) < 0:
            left = [[0] * n_letters if spelled[at] < 0 else row for at, row in enumerate(left)]
        cells = [(-left[p][k], p, k) for p in range(n_places) for k in range(n_letters)]
        _, place, letter = min(cells)
        spelled[place] = letter
        order.append(place)
        left[place] = [-1] * n_letters
        for row in left:
            row[letter] = -1
    return counts, spelled, order


@pytest.mark.plain
@given(st.data(), st.integers(2, 6), st.integers(1, 8))
def test_the_commonest_letters(data: st.DataObject, n_places: int, n_letters: int) -> None:
    letter = st.integers(0, n_letters - 1)
    words = data.draw(st.lists(st.lists(letter, min_size=n_places, max_size=n_places), min_size=1))
    counts, spelled, order = spell_commonest(np.array(words, dtype=np.uint8), n_letters)
    assert (counts.tolist(), spelled, order) == plain(words, n_letters)
