"""Tables of docs/results.md, by their commands, and of docs/mastermind.md hold what comes out."""

import json
import re

import pytest

from strategy import Settings, load_game, optimal, solve
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


#: Board, rule, first guess, total, mean, worst, histogram.
BOARDS = re.findall(
    r"^\| (\d+x\S+) \| ([\w -]+) \| (\d+) \| ([\d,]+)(?: \(published: the same\))? \| ([\d.]+)"
    r" \| (\d) \| ([\d, ]+) \|$",
    (ROOT / "docs" / "mastermind.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)
#: Boards of tens of thousands of codes.
LARGE = ("5x8", "6x6")


@pytest.mark.parametrize(("board", "rule", "first", "total", "mean", "worst", "histogram"), [
    pytest.param(*row, marks=[pytest.mark.slow] * (row[0] in LARGE)) for row in BOARDS
])  # fmt: skip
def test_a_rule_on_a_board(
    board: str, rule: str, first: str, total: str, mean: str, worst: str, histogram: str
) -> None:
    """A rule from this first guess, which it makes by itself in its first row."""
    game, (by, _, limit) = load_game(spec=f"mastermind:{board}"), rule.partition(" within ")
    is_own = next(row[2] for row in BOARDS if row[:2] == (board, rule)) == first
    if by == "optimal":
        found = optimal(game, within=int(limit) if limit else None, workers=1).strategy
    else:
        found = solve(game, Settings("auto" if is_own else first, by)).strategy
    assert found is not None
    told = f"{found.total:,}", f"{found.mean:.4f}", str(found.worst)
    assert (found.next_guess(), *told) == (first, total, mean, worst)
    assert histogram == ", ".join(f"{count:,}" for count in found.histogram)
