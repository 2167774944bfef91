"""The table of states that ``export --to csv`` writes: a row a state, with the row it came from."""

from __future__ import annotations

import csv
from collections.abc import Iterable

from ..names import quoted
from .draft import Draft
from .spelling import Spelling

FORM = "table of states"
COLUMNS = ("node", "parent", "score", "text", "depth", "guess", "candidate")
_WHETHER = {"1": True, "0": False, "true": True, "false": False}


def is_table(line: str) -> bool:
    """Whether a foreign line is the heading of a table of states: its columns, in any order."""
    names = [name.strip().lower() for name in line.split(",")]
    return {"node", "parent", "guess", "candidate"} <= set(names)


def read(lines: Iterable[tuple[int, str]], spelling: Spelling) -> Draft:
    """The states of a foreign strategy that is written as a table, a row a state.

    Rows are numbered in order, and parents come first.
    """
    rows = iter(lines)
    number, heading = next(rows)
    columns = [name.strip().lower() for name in heading.split(",")]
    missing = [name for name in ("node", "parent", "guess", "candidate") if name not in columns]
    if missing or not {"text", "score"} & set(columns) or len(set(columns)) < len(columns):
        raise spelling.bad(number, f"expected the columns {', '.join(COLUMNS)}, each once")
    draft = Draft(FORM, spelling)
    for number, line in rows:
        try:
            (cells,) = csv.reader([line], strict=True)
        except (csv.Error, ValueError) as error:
            raise spelling.bad(number, f"not a line of CSV: {error}") from None
        if len(cells) != len(columns):
            raise spelling.bad(number, f"{len(cells)} cells; there are {len(columns)} columns")
        _take(draft, dict(zip(columns, cells, strict=True)), number)
    if not draft.guess:
        raise spelling.bad(1, "no states in it")
    return draft


def _take(draft: Draft, row: dict[str, str], number: int) -> None:
    spelling = draft.spelling
    here = len(draft.guess)
    if _whole(row["node"]) != here:
        raise spelling.bad(number, f"state {quoted(row['node'])} where state {here} is to come")
    parent = _whole(row["parent"]) if here else -1
    if here and not 0 <= parent < here:
        raise spelling.bad(number, f"its parent {quoted(row['parent'])} does not come before it")
    word = spelling.word(row["guess"], number)
    score = spelling.score(row.get("text") or row.get("score", ""), number) if here else 0
    node = draft.enter(parent, score, word, number)
    if node != here:
        raise spelling.bad(number, f"the same score twice below state {parent}")
    candidate = _WHETHER.get(row["candidate"].strip().lower())
    if candidate is None:
        raise spelling.bad(number, f"{quoted(row['candidate'])} is neither yes nor no (1 or 0)")
    if candidate:
        draft.end(node, number)


def _whole(text: str) -> int:
    """A number of a row, or -1."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else -1
