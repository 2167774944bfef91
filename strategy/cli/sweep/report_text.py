"""A report on a sweep for people: tables for a terminal, or in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...files.letters import capitals
from ...files.notation import counted
from .. import render
from .state_text import heading

if TYPE_CHECKING:
    from ...sweep.report import RankedOpener, SweepReport

_HEADER = ("rank", "opener", "worst", "beyond six", "mean", "total", "nodes")


def text_of(report: SweepReport, top: int, bottom: int, times: bool) -> str:
    """The report on a sweep by a rule as text that the command prints to a terminal."""
    parts = [heading(report.table), "\n".join(_summary(report, times))]
    for by, rows in _sections(report, top, bottom):
        parts.append(f"{by}\n{render.table(_HEADER, rows, indent='  ')}")
    known = _known(report)
    if known:
        parts.append(f"well-known openers\n{render.table(_known_header(report), known, '  ')}")
    return "\n\n".join(parts)


def markdown_of(report: SweepReport, top: int, bottom: int, times: bool) -> str:
    """The report on a sweep by a rule as text in Markdown, for a page of documentation."""
    parts = [heading(report.table).replace("\n", "  \n"), "\n".join(_summary(report, times))]
    for by, rows in _sections(report, top, bottom):
        parts.append(f"### {by[0].upper()}{by[1:]}\n\n{render.markdown_table(_HEADER, rows)}")
    known = _known(report)
    if known:
        table = render.markdown_table(_known_header(report), known)
        parts.append(f"### Well-known openers\n\n{table}")
    return "\n\n".join(parts)


def _summary(report: SweepReport, times: bool) -> list[str]:
    table = report.table
    lines = []
    if table.missing:
        lines.append(f"unfinished: {counted(len(table.missing), 'opener')} without a row yet")
    if report.share_within is not None:
        lines.append(
            f"{report.n_within:,} of {counted(len(table), 'opener')} "
            f"({100 * report.share_within:.2f} %) solve every secret within six guesses"
        )
    if times and len(table):
        seconds = sum(row.seconds for row in table)
        lines.append(f"CPU time {seconds:,.1f} s, {1000 * seconds / len(table):.1f} ms an opener")
    return lines


def _sections(
    report: SweepReport, top: int, bottom: int
) -> Iterable[tuple[str, list[Sequence[object]]]]:
    """Headings with their rows: the best by each sort, and the worst."""
    from ...sweep.report import SORTED_BY, best_and_worst

    for by, rows in report.ranked.items():
        for what, some in zip(("best", "worst"), best_and_worst(rows, top, bottom), strict=True):
            if some:
                yield f"{what} by {SORTED_BY[by]}", [_cells(it) for it in some]


def _cells(ranked: RankedOpener) -> Sequence[object]:
    row = ranked.row
    return (
        f"{ranked.rank:,}", capitals(row.opener), row.worst, f"{row.n_beyond:,}",
        f"{row.mean:.4f}", f"{row.total:,}", f"{row.nodes:,}",
    )  # fmt: skip


def _known_header(report: SweepReport) -> Sequence[str]:
    return ("opener", "worst", "beyond six", "mean", *(f"rank by {by}" for by in report.ranked))


def _known(report: SweepReport) -> list[Sequence[object]]:
    return [
        (capitals(row.opener), row.worst, f"{row.n_beyond:,}", f"{row.mean:.4f}",
         *(f"{rank:,}" for rank in ranks.values()))
        for row, ranks in report.known()
    ]  # fmt: skip
