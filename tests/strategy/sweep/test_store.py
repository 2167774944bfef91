"""The database: what is refused, what is read back, and what merging makes of several."""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.errors import BadFileError, OutputError, StrategyError, WrongStrategyError
from strategy.solving.by_rule import Settings
from strategy.sweep.question import SweepQuestion
from strategy.sweep.run import sweep_openers
from strategy.sweep.store import SweepStore
from strategy.sweep.table import merge_sweeps, open_sweep
from tests.support import refused
from tests.support.sweeps import altered, figures, some_words

WORDS = some_words(30)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "s.sqlite"
    sweep_openers(load_game(WORDS), path, workers=1)
    return path


FOREIGN: dict[str, tuple[Callable[[Path], Any], str]] = {
    "text": (lambda path: path.write_text("no database at all\n" * 99), "is no database"),
    "another": (lambda path: altered(path, "CREATE TABLE t (x)"), "not of a sweep"),
    "directory": (lambda path: path.mkdir(), "is a directory"),
    "pipe": (os.mkfifo, "a database is a file"),
    "device": (lambda path: path.symlink_to("/dev/null"), "a database is a file"),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_no_sweep_is_refused_and_stays(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    make, said = FOREIGN[kind]
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    refused(StrategyError, said, sweep_openers, load_game(WORDS), path, workers=1)
    refused(BadFileError, "", open_sweep, path)
    assert before == (path.read_bytes() if path.is_file() else b"")


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    refused(BadFileError, "no such file", open_sweep, tmp_path / "none")
    with pytest.raises(OutputError, match="no directory"):
        sweep_openers(load_game(WORDS), tmp_path / "none" / "s.sqlite", workers=1)


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.touch()
    refused(BadFileError, "is empty", open_sweep, path)
    assert len(sweep_openers(load_game(WORDS), path, WORDS[:2], workers=1)) == 2


def test_a_truncated_database_is_named(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:9000])
    refused(BadFileError, "damaged", open_sweep, place)


def test_a_schema_that_is_no_text_is_named(place: Path) -> None:
    """What SQLite says of it has its bytes, and is no UTF-8 either."""
    place.write_bytes(
        place.read_bytes().replace(b"CREATE TABLE question", b"CREATE \xff\xff question")
    )
    said = r"s\.sqlite: damaged: a text in it is no UTF-8"
    refused(BadFileError, said, open_sweep, place)
    refused(BadFileError, said, sweep_openers, load_game(WORDS), place, workers=1)


def test_rows_can_be_read_while_a_run_writes(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "t.sqlite"
    table = open_sweep(place)
    with SweepStore.open(other, table.question) as store:
        store.add_openers(table.openers)
        store.improve(table.rows[:3])
        assert [row.opener for row in open_sweep(other)] == [row.opener for row in table.rows[:3]]
        store.improve(table.rows[3:])
        assert len(open_sweep(other)) == 30
    assert figures(other) == figures(place)


def test_a_database_that_may_not_be_written_is_read(place: Path) -> None:
    place.chmod(0o444)
    place.parent.chmod(0o555)
    try:
        assert len(open_sweep(place)) == 30
    finally:
        place.parent.chmod(0o755)


def test_names_are_quoted_for_sqlite(tmp_path: Path) -> None:
    folder = tmp_path / "a?b#c %41 ü"
    folder.mkdir()
    assert len(sweep_openers(load_game(WORDS), folder / "s?mode=rw", WORDS[:1], workers=1)) == 1
    assert [path.name for path in folder.iterdir()] == ["s?mode=rw"]


def test_parts_are_merged_and_may_overlap(place: Path, tmp_path: Path) -> None:
    game = load_game(WORDS)
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        sweep_openers(game, part, shard=(number, 3), workers=1)
    sweep_openers(game, parts[0], WORDS[:7], workers=1)
    out = tmp_path / "merged"
    merge_sweeps(parts[:2], out)
    assert len(open_sweep(out)) < 30 and len(merge_sweeps(parts[1:], out)) == 30
    assert figures(out) == figures(place) and merge_sweeps([place], out).missing == []


def test_parts_that_disagree_are_not_merged(place: Path, tmp_path: Path) -> None:
    other, out = tmp_path / "other", tmp_path / "out"
    other.write_bytes(place.read_bytes())
    altered(other, f"UPDATE openers SET digest = '{'0' * 64}' WHERE opener = '{WORDS[4]}'")
    refused(WrongStrategyError, f"'{WORDS[4]}': digest", merge_sweeps, [place, other], out)
    assert not out.exists()
    sweep_openers(load_game(WORDS), out, WORDS[4], Settings(rule="parts"), workers=1)
    refused(StrategyError, "--rule 'minimax', not 'parts'", merge_sweeps, [out, place], other)
    refused(WrongInputError, "", merge_sweeps, [], out)
    refused(OutputError, "two things at once", merge_sweeps, [place], place)


def test_databases_of_two_rules_are_not_merged_into_a_new_one(place: Path, tmp_path: Path) -> None:
    """Each against the first, the second too: nothing is merged and nothing written."""
    other, out = tmp_path / "other", tmp_path / "out"
    sweep_openers(load_game(WORDS), other, settings=Settings(rule="entropy"), workers=1)
    for files in ([place, other], [other, place], [place, place, other], [place, other, place]):
        refused(StrategyError, "rows are not mixed", merge_sweeps, files, out)
        assert not out.exists()


def test_a_question_travels_as_text() -> None:
    for game in (load_game(WORDS), load_game(secrets="allowed"), load_game(spec="mastermind:3x4")):
        asked = SweepQuestion.of(game, "parts", "secrets", hard=False)
        again = SweepQuestion.of_text(asked.to_text(), "x")
        assert again == asked and again.build().guesses == game.guesses
        assert (asked.words is None) == (game.list_name != "words")
        for wrong in (replace(asked, guesses_digest="0" * 64), replace(asked, version="9")):
            refused(WrongInputError, "", wrong.build)


#: What replaces or joins the tables of a database from elsewhere.
DISGUISED = {
    "view": "ALTER TABLE openers RENAME TO hidden; CREATE VIEW openers AS SELECT * FROM hidden",
    "trigger": "CREATE TRIGGER t AFTER INSERT ON asked BEGIN DELETE FROM question; END",
    "index": "CREATE INDEX i ON openers (abs(total))",
    "more": 'CREATE TABLE "\x1b[2J" (x)',
    "generated": "ALTER TABLE asked ADD COLUMN more TEXT AS (hex(zeroblob(9)))",
    "endless": (
        "ALTER TABLE question RENAME TO old; CREATE VIEW question AS WITH RECURSIVE c(text) AS "
        "(SELECT 1 UNION ALL SELECT text + 1 FROM c) SELECT text FROM c"
    ),
    "other rows": "DROP TABLE openers; CREATE TABLE exact (x)",
}


@pytest.mark.parametrize("how", DISGUISED)
def test_a_database_of_other_tables_is_refused_before_it_is_read(place: Path, how: str) -> None:
    for statement in DISGUISED[how].split("; ") if how != "trigger" else [DISGUISED[how]]:
        altered(place, statement)
    before = place.read_bytes()
    said = r"s\.sqlite: damaged: its tables are not those of a sweep"
    refused(BadFileError, said, open_sweep, place)
    refused(BadFileError, said, sweep_openers, load_game(WORDS), place, workers=1)
    refused(BadFileError, said, merge_sweeps, [place], place.with_name("out"))
    assert place.read_bytes() == before


def test_who_reads_a_database_cannot_write_it(place: Path) -> None:
    with SweepStore.read(place) as store:
        asked = store._connection.execute
        assert asked("PRAGMA trusted_schema").fetchone() == (0,)
        with pytest.raises(StrategyError, match="readonly|read-only"):
            store.add_openers(["crane"])


@pytest.mark.parametrize(("name", "key", "value"), [
    ("rule", "list_name", 3), ("rule", "version", None), ("rule", "guesses_digest", "x" * 64),
    ("rule", "secrets_digest", ""), ("rule", "secrets", 61), ("rule", "secrets", 0),
    ("rule", "rule", "\x1b[2J"), ("rule", "guess_from", "all"), ("rule", "game", "chess"),
    ("rule", "hard", 0), ("rule", "words", None), ("rule", "words", ["crane", "slate"]),
    ("exact", "objective", "most"), ("exact", "objective", None), ("exact", "within", 0),
    ("exact", "within", "6"), ("exact", "within", True), ("exact", "rule", "minimax"),
])  # fmt: skip
def test_a_question_with_values_that_cannot_be_is_refused(
    wholes: dict[str, Path], tmp_path: Path, name: str, key: str, value: object
) -> None:
    with SweepStore.read(wholes[name]) as store:
        asked = store.question
    found = json.loads(asked.to_text())
    assert SweepQuestion.of_text(json.dumps(found), "x") == asked
    text, place = json.dumps(found | {key: value}), tmp_path / "s"
    refused(BadFileError, "x: its question cannot be read", SweepQuestion.of_text, text, "x")
    place.write_bytes(wholes[name].read_bytes())
    altered(place, "UPDATE question SET text = ?", text)
    refused(BadFileError, "question cannot be read", open_sweep, place)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"words":' * 100_000, "{}", "3", None, b"\xff"])
def test_a_question_that_is_no_json_of_ours_is_refused(text: object) -> None:
    refused(BadFileError, "x: its question cannot be read", SweepQuestion.of_text, text, "x")
