"""The tables of docs/results.md whose first column is a command hold what it prints."""

import json
import re

import pytest

from tests.support import ROOT
from tests.support.commands import Knuthle

PAGE = ROOT / "docs" / "results.md"
COLUMNS = ["total", "mean", "worst", "histogram"]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if re.match(r"\| `(solve-all|optimal) .*` \| [\d,]+ \|", line)
]
QUICK = ["--start lares", "1122 --rule minimax", "crate --secrets answers", "parts --hard"]


def marked(row: list[str]) -> object:
    quick = any(part in row[0] for part in QUICK)
    return pytest.param(row, id=row[0].strip("`"), marks=() if quick else pytest.mark.slow)


def test_there_are_such_tables() -> None:
    heads = re.findall(r"^\| command \|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(ROWS) > 20
    assert {tuple(cell.strip() for cell in head.split("|")) for head in heads} == {tuple(COLUMNS)}


@pytest.mark.parametrize("row", [marked(row) for row in ROWS])
def test_a_row_is_what_its_command_prints(row: list[str], knuthle: Knuthle) -> None:
    command = row[0].strip("`").split()
    if command[0] == "optimal":
        command += ["--workers", "1"]
    outcome = knuthle(*command, "--json", "-")
    said = json.loads(outcome.out)
    histogram = ", ".join(f"{count:,}" for count in said["histogram"])
    found = [f"{said['total']:,}", f"{said['mean']:.4f}", str(said["worst"]), histogram]
    assert outcome.code == 0 and row[1:] == found
