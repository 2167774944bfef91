"""Write the table of what every opener takes at least and at most, any of 12,972 words hidden.

    .venv/bin/python -m tools.records.allowed_openers exact.sqlite parts.sqlite

The first database is of an exact sweep, which has bounds as far as its time went, the second of a
sweep by a rule, whose strategies take no less than the best. Where ``data/records`` has a strategy
that was proved to be the best of its first word, the row has its total.
"""

import sys

from strategy import Strategy
from strategy.sweep.table import ExactTable, SweepTable, open_sweep

from .tables import ALLOWED_TABLE, RECORDS, compressed

#: First words whose least total was proved by search; the strategies are committed.
PROVED = ("tares", "tarns", "lants")


def totals_proved() -> dict[str, int]:
    """The least totals of which there is a strategy."""
    return {word: Strategy.load(RECORDS / f"{word}-allowed.strategy").total for word in PROVED}


def table_of(exact: ExactTable, by_rule: SweepTable) -> bytes:
    """The rows as they are committed."""
    proved = totals_proved()
    most = {row.opener: row.total for row in by_rule}
    rows = []
    for row in exact:
        total = proved.get(row.opener)
        assert row.lower is not None, "without a limit no opener is impossible"
        upper = min(most[row.opener], row.upper or most[row.opener])
        assert total is None or row.lower <= total <= upper, row
        rows.append([row.opener, total or row.lower, total or upper])
    return compressed(["opener", "lower_bound", "upper_bound"], rows)


if __name__ == "__main__":
    exact, by_rule = map(open_sweep, sys.argv[1:])
    assert isinstance(exact, ExactTable)
    assert isinstance(by_rule, SweepTable)
    ALLOWED_TABLE.write_bytes(table_of(exact, by_rule))
