"""The page on every opener: made of a sweep, and some rows of what is committed recomputed."""

import hashlib
import random
import re
import sys
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.solving.by_rule import Settings
from strategy.sweep.run import sweep_openers
from strategy.sweep.table import open_sweep
from tests.support.sweeps import some_words
from tools.records import openers_page

#: So many rows are recomputed, others each time.
SAMPLE = 4


def test_page_and_table_follow_from_a_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database, words = tmp_path / "s.sqlite", some_words(40)
    sweep_openers(load_game(words), database, workers=1)
    monkeypatch.setattr(openers_page, "PAGE", tmp_path / "openers.md")
    monkeypatch.setattr(openers_page, "FOLDER", tmp_path / "data")
    given = ["openers_page", str(database), "--machine", "a machine", "--took", "no time"]
    monkeypatch.setattr(sys, "argv", given)
    assert openers_page.main() == 0
    table = open_sweep(database)
    content = (tmp_path / "data" / "words-allowed-minimax.csv.xz").read_bytes()
    expected = [(row.opener, row.nodes, row.histogram, row.digest[:16]) for row in table]
    assert list(openers_page.kept_rows(content)) == expected
    page = (tmp_path / "openers.md").read_text()
    assert hashlib.sha256(content).hexdigest() in page
    assert "on a machine: no time by the clock" in page
    assert "## Best by mean" in page
    assert (tmp_path / "openers.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "path", sorted(openers_page.FOLDER.glob("*.xz")), ids=lambda path: path.name
)
def test_rows_that_are_committed_are_recomputed(path: Path, tmp_path: Path) -> None:
    content = path.read_bytes()
    assert hashlib.sha256(content).hexdigest() in openers_page.PAGE.read_text(encoding="utf-8")
    named = re.fullmatch(r"([\w-]+)-(allowed|answers)-([\w-]+?)(-hard)?\.csv\.xz", path.name)
    assert named
    game = load_game(named[1], named[2])
    rows = {row.opener: row for row in openers_page.kept_rows(content)}
    assert tuple(rows) == game.guesses
    assert all(sum(row.histogram) == len(game.secrets) for row in rows.values())
    some = random.SystemRandom().sample(game.guesses, SAMPLE)
    settings = Settings(rule=named[3], hard=bool(named[4]))
    for row in sweep_openers(game, tmp_path / "s", some, settings, workers=1):
        found = openers_page.KeptRow(row.opener, row.nodes, row.histogram, row.digest[:16])
        assert found == rows[row.opener]
