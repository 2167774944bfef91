"""Write docs/exact-openers.md from the tables of every opener's least total.

    .venv/bin/python -m tools.records.exact_openers

All openers are settled; docs/records.md has the sweeps by which they were.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategy import load_game, openers

from .tables import HARD_TABLE, ROOT, TABLE, rows_of

PAGE = ROOT / "docs" / "exact-openers.md"
SECRETS = 2315
#: CPU hours that all rows without hard mode took.
HOURS = 7
LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: Effects of letters are told for those that so many openers have in that place.
_OFTEN = 30


class OpenerRow(NamedTuple):
    """The least total of an opener, and the commit that found it."""

    opener: str
    total: int
    commit: str

    @property
    def text(self) -> str:
        """The value as pages write it."""
        return f"{self.total:,}"


def read_table(path: Path = TABLE) -> list[OpenerRow]:
    """A committed table, a row for each opener in alphabetical order."""
    found = rows_of(path.read_bytes())
    assert all(row["lower_bound"] == row["upper_bound"] for row in found), "all are exact"
    return [OpenerRow(row["opener"], int(row["lower_bound"]), row["commit"]) for row in found]


def entropies(rows: list[OpenerRow]) -> NDArray[np.float64]:
    """The entropy of each opener over the answers, in the order of the rows."""
    measured = {row.word: row.entropy for row in openers(load_game("original"))}
    return np.array([measured[row.opener] for row in rows])


def ranks(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rank of each value from 1 on, the least first; equal values share the least rank."""
    return np.searchsorted(np.sort(keys), keys).astype(np.int64) + 1


def rank_correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Spearman's rank correlation, equal values at the middle of their ranks."""

    def middles(keys: NDArray[np.float64]) -> NDArray[np.int64]:
        ordered = np.sort(keys)
        return np.searchsorted(ordered, keys) + np.searchsorted(ordered, keys, side="right")

    return float(np.corrcoef(middles(one), middles(other))[0, 1])


def letter_effects(rows: list[OpenerRow]) -> tuple[list[tuple[float, str, int, int]], float]:
    """What a letter adds to the total in a place, in a least-squares sum of five letters.

    Each effect is set against the mean of its place over all openers. Returns (effect, letter,
    place, openers that have it there), the least first, and the share of the variance that such a
    sum explains.
    """
    totals = np.array([row.total for row in rows], dtype=np.float64)
    letters = np.array([[LETTERS.index(c) for c in row.opener] for row in rows])
    has = np.zeros((len(rows), 5 * 26))
    for place in range(5):
        has[np.arange(len(rows)), 26 * place + letters[:, place]] = 1.0
    centred = has - has.mean(axis=0)
    inverse = np.linalg.pinv(centred.T @ centred, hermitian=True)  # 130 columns: soon done
    effects = inverse @ (centred.T @ (totals - totals.mean()))
    explained = centred @ effects
    counts = has.sum(axis=0)
    for place in range(5):
        part = slice(26 * place, 26 * place + 26)
        effects[part] -= (effects[part] * counts[part]).sum() / len(rows)
    share = float(explained.var() / totals.var())
    found = [
        (float(effects[k]), LETTERS[k % 26].upper(), k // 26 + 1, int(counts[k]))
        for k in range(130)
        if counts[k] >= _OFTEN
    ]
    return sorted(found), share


def page_of(rows: list[OpenerRow], hard: list[OpenerRow]) -> str:
    """The page: how much is known, the best and the worst, what the tables show."""
    bits = entropies(rows)
    totals = np.array([row.total for row in rows], dtype=np.float64)
    order = sorted(rows, key=lambda row: (row.total, row.opener))
    entropy_rank = dict(zip((row.opener for row in rows), ranks(-bits).tolist(), strict=True))
    lines = [
        "# Every opener at its best",
        "",
        "The least total of guesses over the 2,315 answers after each of the 12,972 allowed first "
        "guesses, without a limit of guesses, proved by exhaustive search. "
        "[Every opener](openers.md) has the figures of Knuth's rule.",
        "",
        _counted(rows)
        + " The rows stand in `data/records/openers-answers.csv.xz`: the bounds, equal where the "
        "value is exact, and the commit that found it. All exact rows together take some "
        f"{HOURS} CPU hours on one core of an AMD EPYC. [Records](records.md) has the commands; on "
        "the site [all rows can be sorted](made/openers.md).",
        "",
        *_ranking("The best", order[:25], entropy_rank),
        *_ranking("The worst", order[:-16:-1], entropy_rank),
        "## How far entropy is from the truth",
        "",
        _entropy_text(order, bits, totals, entropy_rank),
        "",
        "## What a letter in a place is worth",
        "",
        *_letters_text(rows),
        *_hard_text(rows, hard),
    ]
    return "\n".join(lines)


def _ranking(title: str, rows: list[OpenerRow], entropy_rank: dict[str, int]) -> list[str]:
    lines = [f"## {title}", "", "| opener | total | mean | rank by entropy |", "|---|--:|--:|--:|"]
    lines += [
        f"| {row.opener.upper()} | {row.text} | {row.total / SECRETS:.4f} "
        f"| {entropy_rank[row.opener]:,} |"
        for row in rows
    ]
    return [*lines, ""]


def _entropy_text(
    order: list[OpenerRow],
    bits: NDArray[np.float64],
    totals: NDArray[np.float64],
    entropy_rank: dict[str, int],
) -> str:
    first = min(order, key=lambda row: (entropy_rank[row.opener], row.opener))
    place = 1 + sum(row.total < first.total for row in order)
    of_best = [entropy_rank[row.opener] for row in order[:100]]
    correlation = rank_correlation(-bits, totals)
    return (
        f"{first.opener.upper()} has the most entropy; its least total, {first.total:,}, is the "
        f"{place:,}th of the exact ones. The best hundred openers stand between ranks "
        f"{min(of_best):,} and {max(of_best):,} by entropy. Over all exact openers the rank "
        f"correlation of entropy and least total is {correlation:.4f}: entropy orders openers well "
        "as a whole, and badly at the top."
    )


def _letters_text(rows: list[OpenerRow]) -> list[str]:
    effects, share = letter_effects(rows)
    lines = [
        "The least total as a sum of what its five letters add, each set against the mean of its "
        f"place (least squares over the exact rows; letters that at least {_OFTEN} openers have "
        f"there). Such a sum explains {100 * share:.0f} % of the variance.",
        "",
        "| best letters | place | guesses | worst letters | place | guesses |",
        "|---|--:|--:|---|--:|--:|",
    ]
    for best, worst in zip(effects[:15], effects[:-16:-1], strict=True):
        pair = (best, worst)
        cells = [f"{letter} | {place} | {_signed(e)}" for e, letter, place, _ in pair]
        lines.append(f"| {cells[0]} | {cells[1]} |")
    return [*lines, ""]


def _hard_text(rows: list[OpenerRow], hard: list[OpenerRow]) -> list[str]:
    """What hard mode costs after each opener, over those that are exact in both tables."""
    free = {row.opener: row.total for row in rows}
    place = dict(zip(free, ranks(np.array(list(free.values()), dtype=np.float64)), strict=True))

    def extra(row: OpenerRow) -> int:
        return row.total - free[row.opener]

    order = sorted(hard, key=lambda row: (row.total, row.opener))
    costs = sorted(hard, key=lambda row: (extra(row), row.opener))
    mean = sum(extra(row) for row in hard) / len(hard)
    correlation = rank_correlation(
        np.array([row.total for row in hard], dtype=np.float64),
        np.array([free[row.opener] for row in hard], dtype=np.float64),
    )
    lines = [
        "## In hard mode",
        "",
        "The same where each guess must keep to the hints before it: greens stay in place, yellow "
        f"letters are used again. {_counted(hard)} The rows stand in "
        "`data/records/openers-answers-hard.csv.xz`.",
        "",
        "| opener | total in hard mode | mean | without | rank without |",
        "|---|--:|--:|--:|--:|",
    ]
    lines += [
        f"| {row.opener.upper()} | {row.text} | {row.total / SECRETS:.4f} "
        f"| {free[row.opener]:,} | {place[row.opener]:,} |"
        for row in order[:25]
    ]
    least, most, worst = costs[0], costs[-1], order[-1]
    return [
        *lines,
        "",
        f"Hard mode costs {mean:.0f} guesses in the mean, {mean / SECRETS:.3f} a game: the least "
        f"after {least.opener.upper()} ({extra(least)}), the most after {most.opener.upper()} "
        f"({extra(most)}). The worst opener is {worst.opener.upper()}, {worst.total:,}. The rank "
        f"correlation of both totals is {correlation:.4f}.",
        "",
    ]


def _counted(rows: list[OpenerRow]) -> str:
    """How many openers there are, as a sentence."""
    return f"All {len(rows):,} openers are exact."


def _signed(effect: float) -> str:
    return f"{effect:+.0f}".replace("-", "−")


if __name__ == "__main__":
    PAGE.write_text(page_of(read_table(), read_table(HARD_TABLE)), encoding="utf-8")
