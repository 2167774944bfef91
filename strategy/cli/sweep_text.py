"""The texts of ``sweep``: how far one is, and its best openers, for a terminal or in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ..columns import Column, cells, headings
from ..files.text import capitals, counted
from . import tables

if TYPE_CHECKING:
    from ..sweep.report import ExactReport, SweepReport
    from ..sweep.table import ExactTable, SweepTable

_RANK = Column("rank", "rank", lambda it: "?" if it.rank is None else f"{it.rank:,}")
_OPENER = Column("opener", "opener", lambda it: capitals(it.row.opener))
#: The columns of openers by a rule: figures of the rows that are ranked.
_BY_RULE = (
    _RANK,
    _OPENER,
    Column("worst", "worst", "", attrgetter("row.worst")),
    Column("n_beyond", "beyond six", ",d", attrgetter("row.n_beyond")),
    Column("mean", "mean", ".4f", attrgetter("row.mean")),
    Column("total", "total", ",d", attrgetter("row.total")),
    Column("nodes", "nodes", ",d", attrgetter("row.nodes")),
)
#: What an objective makes least, as headings of tables say it.
_LEAST = {"total": "total", "worst": "worst case", "possible": "limit"}

#: Rows of a table with the heading above it and the names of its columns.
_Section = tuple[str, Sequence[str], Sequence[Sequence[object]]]


def sweep_heading(table: SweepTable | ExactTable) -> str:
    """The lines by which the command ``sweep`` says what a sweep of either kind is about."""
    question = table.question
    if question.objective is None:
        what = f"{counted(len(table), 'opener')} by {question.rule}"
    else:
        limit = "without a limit" if question.within is None else f"within {question.within}"
        least = {
            "total": f"least total {limit}",
            "worst": f"least worst case {limit}",
            "possible": f"{limit} or not",
        }[question.objective]
        what = f"{counted(len(table.openers), 'opener')}, {least}"
    return tables.about_game(question, what)


def sweep_state_text(table: SweepTable | ExactTable) -> str:
    """How far a sweep of either kind is, as the command prints it."""
    facts, is_exact = table.state(), table.question.objective is not None
    n_left = facts["n_asked"] - facts["n_done"]
    left = f"{counted(n_left, 'opener')} to do" if n_left else "nothing left to do"
    running = "; a run is at work" if table.running else ""
    lines = [sweep_heading(table)]
    if is_exact:
        lines.append(f"{_counts_text(facts)}; {left}{running}")
    else:
        played = f"the trusted checker played {facts['n_replayed']:,} of them too"
        lines.append(f"{len(table):,} of {facts['n_asked']:,} done, {left}{running}")
        lines.append(f"every secret played; {played}")
    return "\n".join([*lines, *_time_lines(table, each=not is_exact)])


def sweep_report_text(
    report: SweepReport | ExactReport, top: int, bottom: int, times: bool, markdown: bool = False
) -> str:
    """The report on a sweep of either kind, for a terminal or in Markdown."""
    is_exact = report.table.question.objective is not None
    heading = sweep_heading(report.table)
    summary = [_counts_text(report.table.facts())] if is_exact else _rule_summary(report)
    if times:
        summary += _time_lines(report.table, each=not is_exact)
    sections = _exact_sections if is_exact else _rule_sections
    parts = [heading.replace("\n", "  \n") if markdown else heading, "\n".join(summary)]
    for name, header, rows in sections(report, top, bottom):
        if markdown:
            table = tables.markdown_table(header, rows)
            parts.append(f"### {name[0].upper()}{name[1:]}\n\n{table}")
        else:
            parts.append(f"{name}\n{tables.table(header, rows, indent='  ')}")
    return "\n\n".join(parts)


def _time_lines(table: SweepTable | ExactTable, each: bool) -> list[str]:
    """The CPU time of all rows, and of each if that says something; none without rows."""
    if not len(table):
        return []
    mean = f", {1000 * table.seconds / len(table):.1f} ms an opener" if each else ""
    return [f"CPU time {table.seconds:,.1f} s{mean}"]


def _counts_text(facts: dict[str, Any]) -> str:
    """How many openers of an exact sweep are exact, bounded, impossible."""
    counts = {
        "exact": facts["n_exact"],
        "between bounds": facts["n_bounds"],
        "possible": facts["n_possible"],
        "impossible": facts["n_impossible"],
        "not looked at": facts["n_missing"],
    }
    parts = [f"{count:,} {name}" for name, count in counts.items() if count]
    return ", ".join(parts) or "nothing is known yet"


def _rule_summary(report: Any) -> list[str]:
    table = report.table
    lines = []
    if table.missing:
        lines.append(f"unfinished: {counted(len(table.missing), 'opener')} without a row yet")
    if report.share_within is not None:
        lines.append(
            f"{report.n_within:,} of {counted(len(table), 'opener')} "
            f"({100 * report.share_within:.2f} %) solve every secret within six guesses"
        )
    return lines


def _rule_sections(report: Any, top: int, bottom: int) -> Iterable[_Section]:
    """Of a sweep by a rule: the best and the worst by each sort, and the well-known openers."""
    from ..sweep.report import SORTED_BY, best_and_worst

    for by, rows in report.ranked.items():
        for what, some in zip(("best", "worst"), best_and_worst(rows, top, bottom), strict=True):
            if some:
                yield f"{what} by {SORTED_BY[by]}", headings(_BY_RULE), cells(_BY_RULE, some)
    if known := report.known():
        header = ("opener", "worst", "beyond six", "mean", *(f"rank by {by}" for by in known[0][1]))
        yield "well-known openers", header, [
            (capitals(row.opener), row.worst, f"{row.n_beyond:,}", f"{row.mean:.4f}",
             *(f"{rank:,}" for rank in ranks.values()))
            for row, ranks in known
        ]  # fmt: skip


def _exact_sections(report: Any, top: int, bottom: int) -> Iterable[_Section]:
    """Of an exact sweep: values, bounds, what is possible or not, and the well-known openers."""
    from ..sweep.report import best_and_worst

    least = report.table.question.objective
    columns = [_RANK, _OPENER, Column("value", _LEAST[least], lambda it: it.row.value_text())]
    if least == "total":
        mean = lambda it: report.table.record(it.row)["mean"]  # noqa: E731
        columns.append(Column("mean", "mean", ".4f", mean))
    best, worst = best_and_worst(report.of_state("exact"), top, bottom)
    for name, rows in (
        ("best", best),
        ("worst", worst),
        ("bounds, the lowest first", report.of_state("bounds")[:top]),
        ("possible", report.of_state("possible")[:top]),
        ("impossible", report.of_state("impossible")[:top]),
        ("well-known openers", report.known()),
    ):
        if rows:
            yield name, headings(columns), cells(columns, rows)
