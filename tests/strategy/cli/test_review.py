"""``review`` as people run it: tables, JSON, CSV, grids, files of games, pipes, what is wrong."""

import csv
import io
from pathlib import Path

import pytest

from tests.support import naive_review
from tests.support.commands import KNUTHLE, Knuthle, report_of, started

WORDS = ["abide", "adieu", "arise", "crane", "raise", "slate", "stare"]
GAME = "abide.ybbbg.slate.bbgbg.crane.ggggg"


def test_json_and_csv_by_plain_python(knuthle: Knuthle, tiny: Path) -> None:
    options = ("review", GAME, "--list", tiny)
    result = report_of(knuthle, *options)
    played = [(word, score) for word, score in result["state"]]
    rows = naive_review.review(WORDS, dict.fromkeys(WORDS, 1.0), played)
    for said, row in zip(result["guesses"], rows, strict=True):
        assert said["best"] in row.pop("best") and said["exact"] is True
        for name, value in row.items():
            assert said[name] == (value if isinstance(value, str) else pytest.approx(value))
    assert result["skill"] == pytest.approx(sum(row["skill"] for row in rows) / 3)
    assert result["extra_bits"] == pytest.approx(sum(row["extra_bits"] for row in rows))
    table = list(csv.DictReader(io.StringIO(knuthle(*options, "--csv", "-").out)))
    assert [row["word"] for row in table] == ["abide", "slate", "crane"]
    assert table[0]["expected"] == str(result["guesses"][0]["expected"])


def test_games_through_a_pipe(tiny: Path) -> None:
    process = started([*KNUTHLE, "review", "--games", "-", "--list", tiny])
    out, err = process.communicate(f"{GAME}\ncrane ggggg\n")
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-3].startswith("2 games, on average: skill ")


def test_what_is_piped_and_too_long_is_not_taken_for_less(knuthle: Knuthle, tiny: Path) -> None:
    for piped in ("crane bybbb " * 100_000, " " * 1_000_000 + "crane ggggg"):
        said = knuthle("review", "--list", tiny, typed=piped)
        assert said.code == 2
        assert said.err == "knuthle review: a game has at most 5,000 characters; here are more\n"


def test_a_line_that_is_no_game_is_named(knuthle: Knuthle, tiny: Path) -> None:
    long, asked = "crane.bybbb." * 100_000, ("review", "--games", "games.txt", "--list", tiny)
    for lines, options, code, reason in (
        (f"{GAME}\n{long}\n", [], 2,
         "games.txt:2: a game has at most 5,000 characters; here are more"),
        (f"# mine\n{GAME}\n{long}\nabode.ggbgg.abide.ggggg\n", ["--allow-unknown"], 2,
         "games.txt:3: a game has at most 5,000 characters"),
        (f"{GAME}\nab-de.ggbgg # strange\n", ["--allow-unknown"], 2, "games.txt:2: "),
        (f"{GAME}\nabode.ggbgg.abide.ggggg\n", ["--allow-unknown"], 0, "taken as allowed: abode"),
    ):  # fmt: skip
        Path("games.txt").write_text(lines)
        said = knuthle(*asked, *options)
        assert (said.code, said.err.count(reason)) == (code, 1) and len(said.err) < 500
