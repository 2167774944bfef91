"""The database: what is refused, what is read back, and what merging makes of several."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.build.by_rule import Settings
from strategy.errors import BadFileError, OutputError, StrategyError, WrongStrategyError
from strategy.sweep import question
from strategy.sweep.merge import merge_sweeps
from strategy.sweep.question import SweepQuestion
from strategy.sweep.run import sweep_openers
from strategy.sweep.store import SweepStore
from strategy.sweep.view import open_sweep
from tests.support.sweeps import figures, some_words

WORDS = some_words(30)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A finished sweep."""
    path = tmp_path / "s.sqlite"
    sweep_openers(load_game(WORDS), path, workers=1)
    return path


def altered(path: Path, *statements: str) -> None:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("settings", "words", "said"),
    [
        (Settings(rule="entropy"), WORDS, "--rule 'minimax', not 'entropy'"),
        (Settings(hard=True), WORDS, "--hard off, not on"),
        (Settings(guess_from="secrets"), WORDS, "--guess-from 'allowed', not 'secrets'"),
        (Settings(), WORDS[1:], "the number of guesses '30', not '29'"),
        (Settings(), ["zzzzz", *WORDS[1:]], "the guesses"),
    ],
)
def test_another_question_is_refused_by_name(
    place: Path, settings: Settings, words: list[str], said: str
) -> None:
    before = place.read_bytes()
    with pytest.raises(StrategyError, match=said):
        sweep_openers(load_game(words), place, "all", settings, workers=1)
    assert place.read_bytes() == before


def test_another_version_is_refused_by_name(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "program_version", lambda: "9.9")
    with pytest.raises(StrategyError, match=r"the version of knuthle '.*', not '9\.9'"):
        sweep_openers(load_game(WORDS), place, workers=1)
    assert len(open_sweep(place)) == 30  # whoever only reads may have any version


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
    with pytest.raises(StrategyError, match=said):
        sweep_openers(load_game(WORDS), path, workers=1)
    with pytest.raises(BadFileError):
        open_sweep(path)
    assert before == (path.read_bytes() if path.is_file() else b"")


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="no such file"):
        open_sweep(tmp_path / "none")
    with pytest.raises(OutputError, match="no directory"):
        sweep_openers(load_game(WORDS), tmp_path / "none" / "s.sqlite", workers=1)


def test_an_empty_file_becomes_a_database(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    path.touch()
    with pytest.raises(BadFileError, match="is empty"):
        open_sweep(path)
    assert len(sweep_openers(load_game(WORDS), path, WORDS[:2], workers=1)) == 2


DAMAGE = {
    "total": ("UPDATE openers SET total = total + 1", "does not add up"),
    "histogram": ("UPDATE openers SET histogram = '1 2'", "does not add up"),
    "nonsense": ("UPDATE openers SET histogram = 'x'", "does not add up"),
    "blob": ("UPDATE openers SET digest = x'00'", "does not add up"),
    "table": ("DROP TABLE openers", "damaged: no such table"),
    "question": ("UPDATE question SET text = '{}'", "question cannot be read"),
    "two": ("INSERT INTO question VALUES ('')", "2 questions"),
    "form": ("PRAGMA user_version=2", "of form 2"),
    "stranger": (
        "UPDATE openers SET opener = 'zzzzz' WHERE opener = (SELECT min(opener) FROM openers)",
        "a row that nobody has asked for",
    ),
    "asked": ("INSERT INTO asked VALUES (x'00')", "an opener of it is no word"),
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_named(place: Path, what: str) -> None:
    statement, said = DAMAGE[what]
    altered(place, statement)
    with pytest.raises(BadFileError, match=said):
        open_sweep(place)


def test_openers_of_another_game_are_named(place: Path) -> None:
    altered(place, "INSERT INTO asked VALUES (char(27) || 'zzzz')")
    with pytest.raises(BadFileError, match=r"its opener '\\x1bzzzz' is no guess of the game"):
        sweep_openers(load_game(WORDS), place, workers=1)


def test_a_truncated_database_is_named(place: Path) -> None:
    place.write_bytes(place.read_bytes()[:9000])
    with pytest.raises(BadFileError, match="damaged"):
        open_sweep(place)


def test_rows_can_be_read_while_a_run_writes(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "t.sqlite"
    table = open_sweep(place)
    with SweepStore.open(other, table.question) as store:
        store.ask(table.asked)
        store.add(table.rows[:3])
        assert [row.opener for row in open_sweep(other)] == [row.opener for row in table.rows[:3]]
        store.add(table.rows[3:])
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
    assert len(open_sweep(out)) < 30
    assert len(merge_sweeps(parts[1:], out)) == 30
    assert figures(out) == figures(place)
    assert merge_sweeps([place], out).missing == []


def test_what_is_merged_twice_counts_once(place: Path, tmp_path: Path) -> None:
    seconds, out = open_sweep(place).seconds, tmp_path / "out"
    assert seconds > 0
    assert merge_sweeps([place, place], out).seconds == seconds
    assert merge_sweeps([place], out).seconds == seconds


def test_parts_that_disagree_are_not_merged(place: Path, tmp_path: Path) -> None:
    other, out = tmp_path / "other", tmp_path / "out"
    other.write_bytes(place.read_bytes())
    altered(other, f"UPDATE openers SET digest = '{'0' * 64}' WHERE opener = '{WORDS[4]}'")
    with pytest.raises(WrongStrategyError, match=f"'{WORDS[4]}': digest"):
        merge_sweeps([place, other], out)
    assert not out.exists()
    sweep_openers(load_game(WORDS), out, WORDS[4], Settings(rule="parts"), workers=1)
    with pytest.raises(StrategyError, match="--rule 'minimax', not 'parts'"):
        merge_sweeps([out, place], other)
    with pytest.raises(WrongInputError):
        merge_sweeps([], out)
    with pytest.raises(OutputError, match="two things at once"):
        merge_sweeps([place], place)


def test_a_question_travels_as_text(place: Path) -> None:
    for game in (load_game(WORDS), load_game(secrets="allowed"), load_game(spec="mastermind:3x4")):
        asked = SweepQuestion.of(game, "parts", "secrets", hard=False)
        again = SweepQuestion.of_text(asked.to_text(), "x")
        assert again == asked
        assert again.build().guesses == game.guesses
        assert (asked.words is None) == (game.list_name != "words")
        for wrong in (replace(asked, guesses_digest="0" * 64), replace(asked, version="9")):
            with pytest.raises(WrongInputError):
                wrong.build()
