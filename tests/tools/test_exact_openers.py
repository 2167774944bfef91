"""The tables of openers, and the pages that say what they show; some rows are recomputed."""

import hashlib
import random
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategy import Settings, load_game, sweep_openers
from tests.support import ROOT
from tools.pages.openers import write_opener_table
from tools.records.exact_openers import OpenerRow, entropies, ranks, read_table
from tools.records.tables import HARD_TABLE, rows_of

PAGE = (ROOT / "docs" / "exact-openers.md").read_text(encoding="utf-8")
SECRETS = 2315


def table_under(heading: str) -> list[list[str]]:
    """The rows of the table in a section of the page."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[1:]]


def shown(row: OpenerRow, *more: str) -> list[str]:
    return [row.opener.upper(), f"{row.total:,}", f"{row.total / SECRETS:.4f}", *more]


def correlation(one: Sequence[int], other: Sequence[int]) -> str:
    """Spearman's, equal values at the middle of their ranks, as the page writes it."""
    of_ranks = []
    for keys in (np.array(one), np.array(other)):
        ordered = np.sort(keys)
        of_ranks.append(np.searchsorted(ordered, keys) + np.searchsorted(ordered, keys, "right"))
    return f"{np.corrcoef(*of_ranks)[0, 1]:.4f}"


def test_the_page_ranks_openers_as_the_table_does() -> None:
    rows = read_table()
    rank = dict(zip((it.opener for it in rows), ranks(-entropies(rows)).tolist(), strict=True))
    order = sorted(rows, key=lambda row: (row.total, row.opener))
    for heading, some in (("The best", order[:25]), ("The worst", order[:-16:-1])):
        assert table_under(heading) == [shown(row, f"{rank[row.opener]:,}") for row in some]
    [first] = [row for row in rows if rank[row.opener] == 1]
    place = 1 + sum(row.total < first.total for row in rows)
    assert f"SOARE has the most entropy; its least total, {first.total:,}, is the {place}th" in PAGE
    of_best = sorted(rank[row.opener] for row in order[:100])
    assert first.opener == "soare" and f"between ranks {of_best[0]} and {of_best[-1]} by" in PAGE
    of_all = correlation([rank[row.opener] for row in rows], [row.total for row in rows])
    assert f"correlation of entropy and least total is {of_all}: " in PAGE


def test_what_a_letter_is_worth_is_a_fit_to_the_table() -> None:
    """By least squares, each letter of a place beside the first that stands there."""
    rows = read_table()
    totals = np.array([row.total for row in rows], dtype=np.float64)
    words = np.array([[*row.opener] for row in rows])
    kinds = [(at, it) for at in range(5) for it in sorted({*words[:, at]})]
    has = np.array([words[:, at] == it for at, it in kinds], dtype=np.float64).T
    effects = np.linalg.lstsq(has, totals, rcond=None)[0]
    share = 1 - ((totals - has @ effects) ** 2).sum() / ((totals - totals.mean()) ** 2).sum()
    assert f"Such a sum explains {100 * share:.0f} % of the variance" in PAGE
    counts, found = has.sum(axis=0), []
    for number, (at, it) in enumerate(kinds):
        own = [k for k, (place, _) in enumerate(kinds) if place == at]
        mean = (effects[own] * counts[own]).sum() / len(rows)
        if counts[number] >= 30:
            found.append((float(effects[number] - mean), it.upper(), str(at + 1)))
    found.sort()
    pairs = zip(found[:15], found[:-16:-1], strict=True)
    signed = [[(it, at, f"{by:+.0f}".replace("-", "−")) for by, it, at in two] for two in pairs]
    assert table_under("What a letter in a place is worth") == [[*one, *two] for one, two in signed]


def test_the_page_says_what_hard_mode_costs() -> None:
    hard, free = read_table(HARD_TABLE), {row.opener: row.total for row in read_table()}
    place = dict(zip(free, ranks(np.array([*free.values()], dtype=np.float64)), strict=True))
    order = sorted(hard, key=lambda row: (row.total, row.opener))
    assert table_under("In hard mode") == [
        shown(row, f"{free[row.opener]:,}", f"{place[row.opener]:,}") for row in order[:25]
    ]
    more = sorted((row.total - free[row.opener], row.opener.upper()) for row in hard)
    mean = sum(extra for extra, _ in more) / len(more)
    said = re.sub(r"\s+", " ", PAGE)
    costs = f"costs {mean:.0f} guesses in the mean, {mean / SECRETS:.3f} a game: the least after "
    assert costs in said
    assert f"the least after {more[0][1]} ({more[0][0]}), the most after {more[-1][1]} " in said
    worst = order[-1]
    assert f"({more[-1][0]}). The worst opener is {worst.opener.upper()}, {worst.total:,}. " in said
    both = correlation([row.total for row in hard], [free[row.opener] for row in hard])
    assert f"correlation of both totals is {both}." in said


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_ranks_count_what_is_less(keys: list[int]) -> None:
    found = ranks(np.array(keys, dtype=np.float64)).tolist()
    assert found == [1 + sum(other < key for other in keys) for key in keys]


def test_the_site_has_a_row_for_each(tmp_path: Path) -> None:
    write_opener_table(tmp_path)
    page = (tmp_path / "openers.md").read_text(encoding="utf-8")
    assert page.count("<tr><td>") == 12_972
    assert '<tr><td>SALET</td><td data-key="7920">7,920</td><td data-key="1">1</td>' in page
    assert '<td data-key="8116">8,116</td></tr>' in page


OPENERS_PAGE = (ROOT / "docs" / "openers.md").read_text(encoding="utf-8")
#: So many rows are recomputed.
SAMPLE = 4


@pytest.mark.parametrize(
    "path", sorted((ROOT / "data" / "openers").glob("*.xz")), ids=lambda path: path.name
)
def test_rows_that_are_committed_are_recomputed(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    assert hashlib.sha256(content).hexdigest() in OPENERS_PAGE
    named = re.fullmatch(r"([\w-]+)-(allowed|answers)-([\w-]+?)(-hard)?\.csv\.xz", path.name)
    assert named
    game = load_game(named[1], named[2])
    rows = {row["opener"]: row for row in rows_of(content)}
    counts = {it: [int(row[name]) for name in row if name[0] == "h"] for it, row in rows.items()}
    assert tuple(rows) == game.guesses
    assert all(sum(of_it) == len(game.secrets) for of_it in counts.values())
    some = random.SystemRandom().sample(game.guesses, SAMPLE)
    settings = Settings(rule=named[3], hard=bool(named[4]))
    for row in sweep_openers(game, tmp_path / "s", some, settings, workers=1):
        kept = rows[row.opener]
        assert (int(kept["nodes"]), kept["digest"]) == (row.nodes, row.digest[:16])
        more = len(counts[row.opener]) - row.worst
        assert counts[row.opener] == [*row.histogram, *[0] * more]
