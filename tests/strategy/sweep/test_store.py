"""However a sweep is run, resumed and merged: the same rows; and which databases are refused."""

import concurrent.futures
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.game import Game
from strategy import Settings, load_game, sweep_openers, sweep_optimal
from strategy.errors import BadFileError, OutputError, StrategyError, WrongStrategyError
from strategy.sweep import question
from strategy.sweep.question import SweepQuestion
from strategy.sweep.rows import ExactRow
from strategy.sweep.runners import ByExecutor
from strategy.sweep.store import SweepStore
from strategy.sweep.table import ExactTable, SweepTable, merge_sweeps, open_sweep
from tests.support import refused
from tests.support.sweeps import KINDS, WORDS, altered, figures


@pytest.fixture
def place(wholes: dict[str, Path], tmp_path: Path) -> Path:
    """The database of a sweep by a rule, which may be damaged."""
    return Path(shutil.copy(wholes["rule"], tmp_path / "s.sqlite"))


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
    place = tmp_path / "none" / "s.sqlite"
    refused(OutputError, "no directory", sweep_openers, load_game(WORDS), place, workers=1)


def test_an_empty_file_becomes_a_database(game: Game, tmp_path: Path) -> None:
    """Whatever it is called: its name is quoted for SQLite."""
    place = tmp_path / "a?b#c %41 ü" / "s?mode=rw"
    place.parent.mkdir()
    place.touch()
    refused(BadFileError, "is empty", open_sweep, place)
    for _ in range(2):  # the second time it is not there
        assert len(sweep_openers(game, place, WORDS[:2], workers=1)) == 2
        assert [path.name for path in place.parent.iterdir()] == ["s?mode=rw"]
        place.unlink()


def test_rows_can_be_read_while_a_run_writes(place: Path, tmp_path: Path) -> None:
    other = tmp_path / "t.sqlite"
    table = open_sweep(place)
    with SweepStore.open(other, table.question) as store:
        store.add_openers(table.openers)
        store.improve(table.rows[:3])
        assert [row.opener for row in open_sweep(other)] == [row.opener for row in table.rows[:3]]
        store.improve(table.rows[3:])
        assert len(open_sweep(other)) == 60
    assert figures(other) == figures(place)


def test_a_database_that_may_not_be_written_is_read(place: Path) -> None:
    with SweepStore.read(place) as store:
        asked = store._connection.execute
        assert asked("PRAGMA trusted_schema").fetchone() == (0,)
        refused(StrategyError, "readonly|read-only", store.add_openers, ["crane"])
    place.chmod(0o444)
    place.parent.chmod(0o555)
    try:
        assert len(open_sweep(place)) == 60
    finally:
        place.parent.chmod(0o755)


def test_parts_are_merged_and_may_overlap(place: Path, tmp_path: Path) -> None:
    game = load_game(WORDS)
    parts = [tmp_path / f"part{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        sweep_openers(game, part, shard=(number, 3), workers=1)
    sweep_openers(game, parts[0], WORDS[:7], workers=1)
    out = tmp_path / "merged"
    merge_sweeps(parts[:2], out)
    assert len(open_sweep(out)) < 60 and len(merge_sweeps(parts[1:], out)) == 60
    assert figures(out) == figures(place) and merge_sweeps([place], out).missing == []


def test_parts_that_disagree_are_not_merged(place: Path, tmp_path: Path) -> None:
    """Each against the first, the second too: nothing is merged and nothing written."""
    lying, other, out = tmp_path / "lying", tmp_path / "other", tmp_path / "out"
    lying.write_bytes(place.read_bytes())
    altered(lying, f"UPDATE openers SET digest = '{'0' * 64}' WHERE opener = '{WORDS[4]}'")
    refused(WrongStrategyError, f"'{WORDS[4]}': digest", merge_sweeps, [place, lying], out)
    sweep_openers(load_game(WORDS), other, WORDS[4], Settings(rule="parts"), workers=1)
    refused(StrategyError, "--rule 'minimax', not 'parts'", merge_sweeps, [other, place], lying)
    for files in ([place, other], [other, place], [place, place, other], [place, other, place]):
        refused(StrategyError, "rows are not mixed", merge_sweeps, files, out)
    refused(WrongInputError, "", merge_sweeps, [], out)
    refused(OutputError, "two things at once", merge_sweeps, [place], place)
    assert not out.exists()


def test_a_question_travels_as_text() -> None:
    for game in (load_game(WORDS), load_game(secrets="allowed"), load_game(spec="mastermind:3x4")):
        asked = SweepQuestion.of(game, "parts", "secrets", hard=False)
        again = SweepQuestion.of_text(asked.to_text(), "x")
        assert again == asked and again.build().guesses == game.guesses
        assert (asked.words is None) == (game.list_name != "words")
        for wrong in (replace(asked, guesses_digest="0" * 64), replace(asked, version="9")):
            refused(WrongInputError, "", wrong.build)


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


# --- runs -------------------------------------------------------------------------------------
@pytest.fixture
def whole(wholes: dict[str, Path]) -> Path:
    return wholes["exact"]


both_kinds = pytest.mark.parametrize("name", KINDS)


@pytest.mark.slow
@both_kinds
def test_two_processes_and_two_shards_come_to_the_same(
    game: Game, wholes: dict[str, Path], tmp_path: Path, name: str
) -> None:
    KINDS[name].sweep(game, tmp_path / "s", shard=(2, 2), workers=2)
    KINDS[name].sweep(game, tmp_path / "s", shard=(1, 2), workers=2)
    assert figures(tmp_path / "s") == figures(wholes[name])


@both_kinds
def test_any_executor(game: Game, wholes: dict[str, Path], tmp_path: Path, name: str) -> None:
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        runner = ByExecutor(threads, 3, seconds=0.02)
        KINDS[name].sweep(game, tmp_path / "s", runner=runner)
    assert figures(tmp_path / "s") == figures(wholes[name])


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
@pytest.mark.slow
def test_a_run_that_time_ends_is_resumed(game: Game, tmp_path: Path, objective: str) -> None:
    swept = partial(sweep_optimal, game, objective=objective)
    swept(tmp_path / "whole", workers=1)
    place = tmp_path / "s"
    assert len(swept(place, workers=1, time_limit=1e-6).missing) == 60
    assert swept(place, workers=2, time_limit=99).n_open == 0
    assert figures(place) == figures(tmp_path / "whole")


@pytest.mark.parametrize(("name", "asked", "said"), [
    ("rule", {"settings": Settings(rule="entropy")}, "--rule 'minimax', not 'entropy'"),
    ("rule", {"settings": Settings(hard=True)}, "--hard off, not on"),
    ("rule", {"settings": Settings(guess_from="secrets")}, "--guess-from 'allowed', not 'secrets'"),
    ("exact", {"objective": "worst"}, "--objective 'total', not 'worst'"),
    ("exact", {"within": 5}, "--within '6', not '5'"),
    ("exact", {"within": None}, "--within '6', not 'None'"),
    ("exact", {"hard": True}, "--hard off, not on"),
])  # fmt: skip
def test_another_question_is_refused_by_name(
    game: Game, wholes: dict[str, Path], name: str, asked: dict[str, Any], said: str
) -> None:
    before = wholes[name].read_bytes()
    refused(StrategyError, said, KINDS[name].sweep, game, wholes[name], workers=1, **asked)
    assert wholes[name].read_bytes() == before


@pytest.mark.parametrize(("words", "said"), [
    (WORDS[1:], "the number of guesses '60', not '59'"), (["zzzzz", *WORDS[1:]], "the guesses"),
])  # fmt: skip
def test_another_list_is_refused(wholes: dict[str, Path], words: list[str], said: str) -> None:
    for name, kind in KINDS.items():
        before = wholes[name].read_bytes()
        refused(StrategyError, said, kind.sweep, load_game(words), wholes[name], workers=1)
        assert wholes[name].read_bytes() == before


@both_kinds
def test_another_version_is_refused_by_name(
    game: Game, wholes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(question, "program_version", lambda: "9.9")
    with pytest.raises(StrategyError, match=r"the version of knuthle '.*', not '9\.9'"):
        KINDS[name].sweep(game, wholes[name], workers=1)
    assert len(open_sweep(wholes[name])) == 60  # whoever only reads may have any version


def test_two_kinds_of_sweeps_are_not_mixed(game: Game, whole: Path, tmp_path: Path) -> None:
    rule = tmp_path / "rule"
    sweep_openers(game, rule, WORDS[:2], workers=1)
    assert isinstance(open_sweep(rule), SweepTable)
    assert isinstance(open_sweep(whole), ExactTable)
    for ask, *asked in (
        (sweep_openers, game, whole), (sweep_optimal, game, rule),
        (merge_sweeps, [whole, rule], tmp_path / "out"),
        (merge_sweeps, [rule, whole], tmp_path / "out"),
    ):  # fmt: skip
        refused(StrategyError, "--rule 'minimax'|--rule 'optimal'", ask, *asked)
    assert not (tmp_path / "out").exists()


#: What replaces or joins the tables of a database from elsewhere.
DISGUISED = [
    "ALTER TABLE openers RENAME TO hidden;; CREATE VIEW openers AS SELECT * FROM hidden",
    "CREATE TRIGGER t AFTER INSERT ON asked BEGIN DELETE FROM question; END",
    "CREATE INDEX i ON openers (abs(total))", 'CREATE TABLE "\x1b[2J" (x)',
    "ALTER TABLE asked ADD COLUMN more TEXT AS (hex(zeroblob(9)))",
    "ALTER TABLE question RENAME TO old;; CREATE VIEW question AS WITH RECURSIVE c(text) AS "
    "(SELECT 1 UNION ALL SELECT text + 1 FROM c) SELECT text FROM c",
    "DROP TABLE openers;; CREATE TABLE exact (x)",
]  # fmt: skip
SUM = "does not add up"
#: The kind, what damages its database, and what is said of it.
DAMAGE: list[tuple[str, str | Callable[[bytes], bytes], str]] = [
    ("rule", "UPDATE openers SET total = total + 1", SUM),
    ("rule", "UPDATE openers SET histogram = '1 2'", SUM),
    ("rule", "UPDATE openers SET histogram = 'x'", SUM),
    ("rule", "UPDATE openers SET digest = x'00'", SUM),
    ("rule", "UPDATE openers SET digest = replace(digest, substr(digest, 1, 1), char(27))", SUM),
    ("rule", "UPDATE openers SET digest = upper(digest)", SUM),
    ("rule", "UPDATE openers SET nodes = -5", SUM),
    ("rule", "UPDATE openers SET nodes = 1", SUM),
    ("rule", "UPDATE openers SET nodes = total + 1", SUM),
    ("rule", "UPDATE openers SET histogram = cast(x'ff' AS TEXT)", "no UTF-8"),
    ("exact", "UPDATE exact SET upper = upper + 1", SUM),
    ("exact", "UPDATE exact SET state = 'known'", SUM),
    ("exact", "UPDATE exact SET state = 'bounds', lower = 9, upper = 8", SUM),
    ("exact", "UPDATE exact SET seconds = 'x'", SUM),
    *(
        (name, damage.replace("ROWS", kind.table), said)
        for name, kind in KINDS.items()
        for damage, said in (
            ("DROP TABLE ROWS", "damaged: its tables are not those of a sweep"),
            ("UPDATE question SET text = '{}'", "question cannot be read"),
            ("INSERT INTO question VALUES ('')", "2 questions"),
            ("PRAGMA user_version=2", "of form 2"),
        )
    ),
    *(("rule", damage, "s: damaged: its tables are not those of a sweep") for damage in DISGUISED),
    ("rule", lambda whole: whole[:9000], "damaged"),
    # what SQLite says of it has its bytes, and is no UTF-8 either
    ("rule", lambda whole: whole.replace(b"CREATE TABLE question", b"CREATE \xff\xff question"),
     "s: damaged: a text in it is no UTF-8"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "damage", "said"), DAMAGE)
def test_damage_is_named(
    game: Game, wholes: dict[str, Path], tmp_path: Path, name: str, damage: Any, said: str
) -> None:
    """Before anything is done with it."""
    kind, place = KINDS[name], Path(shutil.copy(wholes[name], tmp_path / "s"))
    if callable(damage):
        place.write_bytes(damage(place.read_bytes()))
    else:
        for statement in damage.split(";; "):
            altered(place, statement)
    before = place.read_bytes()
    refused(BadFileError, said, open_sweep, place)
    refused(BadFileError, said, kind.sweep, game, place, workers=1)
    refused(BadFileError, said, merge_sweeps, [place], tmp_path / "out")
    assert said in (SUM, "no UTF-8") or place.read_bytes() == before, "its rows alone are wrong"


def test_parts_are_merged_closer_bounds_kept(game: Game, whole: Path, tmp_path: Path) -> None:
    asked = open_sweep(whole).question
    parts = [tmp_path / f"part{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        sweep_optimal(game, part, shard=(number, 2), workers=1)
    some = open_sweep(parts[0]).rows[3]
    assert some.value is not None
    with SweepStore.open(tmp_path / "bounds", asked) as store:
        store.add_openers([some.opener, WORDS[1]])
        store.improve(
            [
                ExactRow(some.opener, "bounds", some.value - 1, some.value + 1),
                ExactRow(WORDS[1], "bounds", 1, None),
            ]
        )
    merge_sweeps([tmp_path / "bounds", parts[0]], tmp_path / "out")
    merge_sweeps([parts[1]], tmp_path / "out")
    assert figures(tmp_path / "out") == figures(whole)


def test_merged_twice_counts_once(game: Game, wholes: dict[str, Path], tmp_path: Path) -> None:
    for name in KINDS:
        seconds = open_sweep(wholes[name]).seconds
        for again in ([wholes[name]] * 2, [wholes[name]]):
            assert merge_sweeps(again, tmp_path / name).seconds == seconds > 0
    whole, out, twin = wholes["exact"], tmp_path / "exact", tmp_path / "twin"
    sweep_optimal(game, twin, WORDS[:9], workers=1)
    altered(twin, "UPDATE exact SET seconds = 1000")
    once = merge_sweeps([twin], out)
    assert sum(row.seconds for row in once) == pytest.approx(
        9000 + sum(row.seconds for row in open_sweep(whole) if row.opener not in WORDS[:9])
    )
    assert merge_sweeps([whole, twin], out).seconds == once.seconds
    assert figures(out) == figures(whole)
    # a run that goes on adds its time to what was spent before
    row = ExactRow("crane", "bounds", 8, None, 2.0)
    assert row.joined(ExactRow("crane", "exact", 9, 9, 3.0)).seconds == 5.0


@pytest.mark.parametrize("wrong", [
    lambda value: ExactRow(WORDS[3], "exact", value - 1, value - 1),
    lambda value: ExactRow(WORDS[3], "bounds", value + 1, None),
    lambda value: ExactRow(WORDS[3], "bounds", 1, value - 1),
    lambda value: ExactRow(WORDS[3], "impossible"),
])  # fmt: skip
def test_contradicting_parts(whole: Path, tmp_path: Path, wrong: Callable[[int], ExactRow]) -> None:
    table = open_sweep(whole)
    value = table[WORDS[3]].value
    assert value is not None
    with SweepStore.open(tmp_path / "s", table.question) as store:
        store.add_openers([WORDS[3]])
        store.improve([wrong(value)])
    with pytest.raises(WrongStrategyError, match=f"'{WORDS[3]}': .* and .*; one of them is wrong"):
        merge_sweeps([whole, tmp_path / "s"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_bounds_come_closer_and_meet() -> None:
    far, near = ExactRow("crane", "bounds", 10, None), ExactRow("crane", "bounds", 8, 11)
    assert far.joined(near) == near.joined(far) == ExactRow("crane", "bounds", 10, 11)
    assert near.joined(ExactRow("crane", "bounds", 11)) == ExactRow("crane", "exact", 11, 11)
    impossible = ExactRow("crane", "impossible")
    assert far.joined(impossible) == impossible
    assert [row.value_text() for row in (far, near, impossible)] == [
        "at least 10", "8-11", "impossible",
    ]  # fmt: skip
    with pytest.raises(WrongStrategyError, match="at least 12 and 8-11"):
        ExactRow("crane", "bounds", 12).joined(near)
