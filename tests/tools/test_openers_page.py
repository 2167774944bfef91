"""The table behind docs/openers.md: some of its rows are recomputed, others each time."""

import hashlib
import random
import re
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.solving.by_rule import Settings
from strategy.sweep.run import sweep_openers
from tests.support import ROOT
from tools.records.tables import rows_of

PAGE = (ROOT / "docs" / "openers.md").read_text(encoding="utf-8")
#: So many rows are recomputed.
SAMPLE = 4


@pytest.mark.parametrize(
    "path", sorted((ROOT / "data" / "openers").glob("*.xz")), ids=lambda path: path.name
)
def test_rows_that_are_committed_are_recomputed(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    assert hashlib.sha256(content).hexdigest() in PAGE
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
