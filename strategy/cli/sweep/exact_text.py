"""A sweep for what is best, for people: how far it is, and which openers are best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...files.letters import capitals
from ...files.names import shown
from ...files.notation import counted
from .. import render

if TYPE_CHECKING:
    from ...sweep.optimal.report import ExactReport, RankedValue
    from ...sweep.optimal.view import ExactTable
    from ...sweep.question import SweepQuestion

#: What an objective makes least, as headings say it.
_LEAST = {"total": "total", "worst": "worst case", "possible": "limit"}


def heading(table: ExactTable) -> str:
    """The line by which the command ``sweep`` says what an exact sweep is about."""
    asked = table.question
    limit = "without a limit" if asked.within is None else f"within {asked.within}"
    hard = ", hard mode" if asked.hard else ""
    what = {
        "total": f"least total {limit}",
        "worst": f"least worst case {limit}",
        "possible": f"{limit} or not",
    }[asked.objective or ""]
    return f"{counted(len(table.asked), 'opener')}, {what}{hard}: {words_swept(asked)}"


def words_swept(asked: SweepQuestion) -> str:
    """The secrets and the guesses of a sweep of any kind, and their lists, for people."""
    return (
        f"{counted(asked.secrets, 'secret')} ({shown(asked.secrets_name)}), "
        f"{counted(asked.guesses, 'guess', 'guesses')} ({asked.guess_from})\n"
        f"list {shown(asked.list_name)}, guesses {asked.guesses_digest[:16]}…, "
        f"secrets {asked.secrets_digest[:16]}…"
    )


def counts_text(table: ExactTable) -> str:
    """How many openers of an exact sweep are exact, bounded, impossible, as text to print."""
    counts = table.counts
    parts = [
        f"{counts['exact']:,} exact",
        f"{counts['bounds']:,} between bounds",
        f"{counts['possible']:,} possible",
        f"{counts['impossible']:,} impossible",
        f"{len(table.missing):,} not looked at",
    ]
    told = [part for part in parts if not part.startswith("0 ")]
    return ", ".join(told) or "nothing is known yet"


def state_text(table: ExactTable) -> str:
    """How far an exact sweep is, as the command prints it: the question, and what is known."""
    facts = table.state()
    left = f"{counted(table.n_open, 'opener')} to do" if table.n_open else "nothing left to do"
    lines = [
        heading(table),
        f"{counts_text(table)}; {left}" + ("; a run is at work" if table.running else ""),
    ]
    if len(table):
        lines.append(f"CPU time {facts['seconds']:,.1f} s")
    return "\n".join(lines)


def text_of(report: ExactReport, top: int, bottom: int, times: bool) -> str:
    """The report on an exact sweep as text that the command prints to a terminal."""
    tables = [
        f"{name}\n{render.table(_header(report), rows, indent='  ')}"
        for name, rows in _sections(report, top, bottom)
    ]
    return "\n\n".join([heading(report.table), _summary(report, times), *tables])


def markdown_of(report: ExactReport, top: int, bottom: int, times: bool) -> str:
    """The report on an exact sweep as text in Markdown, for a page of documentation."""
    tables = [
        f"### {name[0].upper()}{name[1:]}\n\n{render.markdown_table(_header(report), rows)}"
        for name, rows in _sections(report, top, bottom)
    ]
    head = heading(report.table).replace("\n", "  \n")
    return "\n\n".join([head, _summary(report, times), *tables])


def _summary(report: ExactReport, times: bool) -> str:
    table = report.table
    lines = [counts_text(table)]
    if times and len(table):
        lines.append(f"CPU time {sum(row.seconds for row in table):,.1f} s")
    return "\n".join(lines)


def _header(report: ExactReport) -> Sequence[str]:
    least = _LEAST[report.table.question.objective or ""]
    return ("rank", "opener", least, *(("mean",) if _has_means(report) else ()))


def _has_means(report: ExactReport) -> bool:
    return report.table.question.objective == "total"


def _sections(
    report: ExactReport, top: int, bottom: int
) -> Iterable[tuple[str, list[Sequence[object]]]]:
    """Headings with their rows."""
    from ...sweep.report import best_and_worst

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
            yield name, [_cells(report, it) for it in rows]


def _cells(report: ExactReport, ranked: RankedValue) -> Sequence[object]:
    row = ranked.row
    rank = "?" if ranked.rank is None else f"{ranked.rank:,}"
    mean = report.table.record(row)["mean"]
    means = ("" if mean is None else f"{mean:.4f}",) if _has_means(report) else ()
    return (rank, capitals(row.opener), row.value_text(), *means)
