"""The table of every opener's least total, and the page that is made of it."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.pages.openers import write_opener_table
from tools.records import exact_openers
from tools.records.exact_openers import OpenerRow, rank_correlation, ranks


def test_the_page_says_what_the_table_says() -> None:
    page = exact_openers.PAGE.read_text(encoding="utf-8")
    free, hard = map(exact_openers.read_table, (exact_openers.TABLE, exact_openers.HARD_TABLE))
    assert exact_openers.page_of(free, hard) == page


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_ranks_count_what_is_less(keys: list[int]) -> None:
    found = ranks(np.array(keys, dtype=np.float64)).tolist()
    assert found == [1 + sum(other < key for other in keys) for key in keys]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=30))
def test_rank_correlation_is_that_of_mean_ranks(pairs: list[tuple[int, int]]) -> None:
    one, other = (list(column) for column in zip(*pairs, strict=True))
    if len(set(one)) == 1 or len(set(other)) == 1:
        return

    def mean_ranks(keys: list[int]) -> list[float]:
        return [sum(k < key for k in keys) + (1 + sum(k == key for k in keys)) / 2 for key in keys]

    a, b = mean_ranks(one), mean_ranks(other)
    mean = (len(pairs) + 1) / 2
    above = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    below = sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)
    found = rank_correlation(np.array(one, dtype=np.float64), np.array(other, dtype=np.float64))
    assert found == pytest.approx(above / below**0.5)


def test_letters_that_decide_all_explain_all() -> None:
    rows = [
        OpenerRow(a + "ere" + b, total, "c")
        for a, first in (("a", 0), ("b", 10))
        for b, last in (("s", 0), ("t", 4))
        for total in [100 + first + last] * 8
    ]
    effects, share = exact_openers.letter_effects(rows * 4)
    assert share == pytest.approx(1)
    found = {(letter, place): effect for effect, letter, place, _ in effects}
    assert found[("A", 1)] == pytest.approx(-5) and found[("B", 1)] == pytest.approx(5)
    assert found[("S", 5)] == pytest.approx(-2) and found[("E", 2)] == pytest.approx(0)


def test_the_site_has_a_row_for_each(tmp_path: Path) -> None:
    write_opener_table(tmp_path)
    page = (tmp_path / "openers.md").read_text(encoding="utf-8")
    assert page.count("<tr><td>") == 12_972
    assert '<tr><td>SALET</td><td data-key="7920">7,920</td><td data-key="1">1</td>' in page
    assert '<td data-key="8116">8,116</td></tr>' in page
