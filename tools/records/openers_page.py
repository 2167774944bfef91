"""Write docs/openers.md, and the table behind it, from the database of a finished sweep.

    .venv/bin/python -m tools.records.openers_page s.sqlite --machine "AMD EPYC" --took "4:10"

The page says what ``knuthle sweep report --markdown`` says. The table is kept compact: a row an
opener, without what follows from the rest, digests cut to sixteen digits, compressed by xz. A
test recomputes some of its rows.
"""

import argparse
import hashlib
import sys
from collections.abc import Iterator
from typing import NamedTuple

from strategy.cli.sweep import sweep_picture, sweep_report_text
from strategy.sweep.report import report_of
from strategy.sweep.table import SweepTable, open_sweep

from .tables import ROOT, compressed, rows_of

PAGE = ROOT / "docs" / "openers.md"
FOLDER = ROOT / "data" / "openers"
#: Digits of a digest that are kept.
DIGITS = 16


class KeptRow(NamedTuple):
    """What is kept of an opener."""

    opener: str
    nodes: int
    histogram: tuple[int, ...]
    digest: str


def table_of(table: SweepTable) -> bytes:
    """The rows as they are committed."""
    counts = [f"h{number}" for number in range(1, table.deepest + 1)]
    rows = (
        [
            row.opener,
            row.nodes,
            *row.histogram,
            *(0,) * (table.deepest - row.worst),
            row.digest[:DIGITS],
        ]
        for row in table
    )
    return compressed(["opener", "nodes", *counts, "digest"], rows)


def kept_rows(content: bytes) -> Iterator[KeptRow]:
    """The rows of such a table."""
    for row in rows_of(content):
        opener, nodes, *counts, digest = row.values()
        taken = [int(count) for count in counts]
        while not taken[-1]:
            taken.pop()
        yield KeptRow(opener, int(nodes), tuple(taken), digest)


def name_of(table: SweepTable) -> str:
    """What the file with the table is called."""
    question = table.question
    hard = "-hard" if question.hard else ""
    return f"{question.list_name}-{question.secrets_name}-{question.rule}{hard}.csv.xz"


def page_of(table: SweepTable, content: bytes, machine: str, took: str) -> str:
    """The page: what was run, on what, what came of it, and where all of it is."""
    question = table.question
    seconds = sum(row.seconds for row in table)
    report = sweep_report_text(report_of(table), 20, 10, times=False, markdown=True)
    return "\n".join(
        [
            "# Every opener",
            "",
            f"The whole strategy of each of the {len(table):,} openers of the list "
            f"`{question.list_name}` by the rule `{question.rule}`, over all "
            f"{question.secrets:,} secrets: what `knuthle sweep run --out sweep.sqlite` stores and "
            "`knuthle sweep report sweep.sqlite --markdown` says. Every secret of every strategy "
            "was played by code that grades from letters, those of every hundredth by the trusted "
            "checker too.",
            "",
            f"Run by knuthle {question.version} on {machine}: {took} by the clock, "
            f"{seconds:,.0f} s of CPU time, {1000 * seconds / len(table):.1f} ms an opener.",
            "",
            f"All rows are in `data/openers/{name_of(table)}` (sha256 "
            f"`{hashlib.sha256(content).hexdigest()}`): nodes, how many secrets take 1, 2, … "
            f"guesses, and the first {DIGITS} digits of the strategy's digest, which "
            "`solve-all --start OPENER` prints. A test recomputes some of them.",
            "",
            "![Entropy of every opener against the mean guesses of its strategy](openers.png)",
            "",
            "Rows are ranked by three figures: the worst case, then how many secrets come to it; "
            "the secrets beyond six guesses; the mean.",
            "",
            report.replace("\n### ", "\n## "),
            "",
        ]
    )


def main() -> int:
    """Write page, picture and table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("database")
    parser.add_argument("--machine", required=True, help="what it was run on")
    parser.add_argument("--took", required=True, help="how long, by the clock")
    args = parser.parse_args()
    table = open_sweep(args.database)
    if not isinstance(table, SweepTable):
        parser.error("the page is about openers by a rule")
    if table.missing:
        print(f"{len(table.missing):,} openers have no row yet: finish the sweep", file=sys.stderr)
        return 1
    content = table_of(table)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / name_of(table)).write_bytes(content)
    PAGE.with_suffix(".png").write_bytes(sweep_picture(report_of(table), "png"))
    PAGE.write_text(page_of(table, content, args.machine, args.took), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
