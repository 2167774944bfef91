"""However a sweep for what is best is run, broken off and taken up: the same values."""

from __future__ import annotations

import concurrent.futures
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.errors import CouldNotFinishError
from solver.game.game import Game
from solver.game.load import load_game
from strategy.errors import BadFileError, StrategyError, WrongStrategyError
from strategy.sweep import lock, question
from strategy.sweep.optimal.merge import merge_any_sweeps, merge_exact_sweeps
from strategy.sweep.optimal.rows import ExactRow
from strategy.sweep.optimal.run import ExactSettings, sweep_optimal
from strategy.sweep.optimal.store import ExactStore
from strategy.sweep.optimal.view import ExactTable, open_any_sweep, open_exact_sweep
from strategy.sweep.run import sweep_openers
from strategy.sweep.runners import ByExecutor
from strategy.sweep.view import SweepTable, open_sweep
from tests.support.sweeps import befallen, exact_figures, some_words

WORDS = some_words(60)


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(WORDS)


@pytest.fixture(scope="module")
def whole(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process makes of it, undisturbed."""
    path = tmp_path_factory.mktemp("whole") / "s"
    sweep_optimal(game, path, workers=1)
    return path


def test_two_processes_and_two_shards_come_to_the_same(
    game: Game, whole: Path, tmp_path: Path
) -> None:
    sweep_optimal(game, tmp_path / "s", shard=(2, 2), workers=2)
    sweep_optimal(game, tmp_path / "s", shard=(1, 2), workers=2)
    assert exact_figures(tmp_path / "s") == exact_figures(whole)


def test_any_executor_comes_to_the_same(game: Game, whole: Path, tmp_path: Path) -> None:
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        sweep_optimal(game, tmp_path / "s", runner=ByExecutor(threads, 3, seconds=0.02))
    assert exact_figures(tmp_path / "s") == exact_figures(whole)


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
@pytest.mark.slow
def test_a_run_that_time_ends_is_taken_up(game: Game, tmp_path: Path, objective: str) -> None:
    settings = ExactSettings(objective)
    sweep_optimal(game, tmp_path / "whole", settings=settings, workers=1)
    place = tmp_path / "s"
    table = sweep_optimal(game, place, settings=settings, workers=1, time_limit=1e-6)
    assert len(table.missing) == 60
    assert sweep_optimal(game, place, settings=settings, workers=2, time_limit=99).n_open == 0
    assert exact_figures(place) == exact_figures(tmp_path / "whole")


#: The run is killed once it has stored so many rows.
KILLED = """
from strategy.sweep.optimal.store import ExactStore
improve = ExactStore.improve

def counting(self, rows):
    global made
    rows = list(rows)
    found = improve(self, rows)
    made += len(rows)
    if made >= {}:
        os.kill(parent, signal.{})
    return found

ExactStore.improve = counting
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
@pytest.mark.parametrize(("name", "code", "made"), [("SIGKILL", -9, 20), ("SIGINT", 130, 70)])
def test_a_run_that_is_ended_goes_on(
    game: Game, tmp_path: Path, name: str, code: int, made: int
) -> None:
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    run = ("run", "--rule", "optimal", "--list", "w.txt", "--out", "s", "--workers", "2", "--quiet")
    outcome = befallen(tmp_path, KILLED.format(made, name), *run)
    assert (outcome.returncode, "Traceback" in outcome.stderr) == (code, False)
    listed = load_game(tmp_path / "w.txt")
    before = open_exact_sweep(tmp_path / "s")
    assert before.n_open > 0
    assert len(before) > 0
    sweep_optimal(listed, tmp_path / "s", workers=1)
    sweep_optimal(listed, tmp_path / "whole", workers=1)
    assert exact_figures(tmp_path / "s") == exact_figures(tmp_path / "whole")


def test_a_second_run_stops_and_says_why(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "_PATIENCE", 0.1)
    with (
        lock.locked(tmp_path / "s"),
        pytest.raises(CouldNotFinishError, match="another run is at work"),
    ):
        sweep_optimal(game, tmp_path / "s", workers=1)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ExactSettings("worst"), "--objective 'total', not 'worst'"),
        (ExactSettings(within=5), "--within '6', not '5'"),
        (ExactSettings(within=None), "--within '6', not 'None'"),
        (ExactSettings(hard=True), "--hard off, not on"),
    ],
)
def test_another_question_is_refused_by_name(
    game: Game, whole: Path, settings: ExactSettings, said: str
) -> None:
    before = whole.read_bytes()
    with pytest.raises(StrategyError, match=said):
        sweep_optimal(game, whole, settings=settings, workers=1)
    assert whole.read_bytes() == before


def test_another_version_is_refused_by_name(
    game: Game, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(question, "program_version", lambda: "9.9")
    with pytest.raises(StrategyError, match=r"the version of knuthle '.*', not '9\.9'"):
        sweep_optimal(game, whole, workers=1)


def test_two_kinds_of_sweeps_are_not_mixed(game: Game, whole: Path, tmp_path: Path) -> None:
    rule = tmp_path / "rule"
    sweep_openers(game, rule, WORDS[:2], workers=1)
    assert isinstance(open_any_sweep(rule), SweepTable)
    assert isinstance(open_any_sweep(whole), ExactTable)
    for wrong in (
        lambda: open_sweep(whole),
        lambda: open_exact_sweep(rule),
        lambda: sweep_openers(game, whole, workers=1),
        lambda: sweep_optimal(game, rule, workers=1),
        lambda: merge_any_sweeps([whole, rule], tmp_path / "out"),
        lambda: merge_any_sweeps([rule, whole], tmp_path / "out"),
    ):
        with pytest.raises(StrategyError, match=r"--rule 'minimax'|--rule 'optimal'|reads it"):
            wrong()  # type: ignore[no-untyped-call]
    assert not (tmp_path / "out").exists()


def altered(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(statement)
    connection.close()


DAMAGE = {
    "apart": "UPDATE exact SET upper = upper + 1",
    "state": "UPDATE exact SET state = 'known'",
    "kind": "UPDATE exact SET state = 'possible', lower = NULL, upper = NULL",
    "text": "UPDATE exact SET lower = 'x', upper = 'x'",
    "bounds": "UPDATE exact SET state = 'bounds', lower = 9, upper = 8",
    "negative": "UPDATE exact SET lower = -1, upper = -1",
    "times": "UPDATE exact SET seconds = 'x'",
}
STRANGERS = {
    "UPDATE exact SET opener = 'zzzzz' WHERE opener = (SELECT min(opener) FROM exact)": "a row",
    "INSERT INTO asked VALUES (x'00')": "is no word",
}


@pytest.mark.parametrize("what", STRANGERS)
def test_words_of_strangers_are_named(game: Game, whole: Path, tmp_path: Path, what: str) -> None:
    (tmp_path / "s").write_bytes(whole.read_bytes())
    altered(tmp_path / "s", what)
    for use in (open_exact_sweep, lambda place: sweep_optimal(game, place, workers=1)):
        with pytest.raises(BadFileError, match=STRANGERS[what]):
            use(tmp_path / "s")
    (tmp_path / "s").write_bytes(whole.read_bytes())
    altered(tmp_path / "s", "INSERT INTO asked VALUES ('zzzzz')")
    assert open_exact_sweep(tmp_path / "s").missing == ["zzzzz"]
    with pytest.raises(BadFileError, match="'zzzzz' is no guess"):
        sweep_optimal(game, tmp_path / "s", workers=1)


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_named(whole: Path, tmp_path: Path, what: str) -> None:
    (tmp_path / "s").write_bytes(whole.read_bytes())
    altered(tmp_path / "s", DAMAGE[what])
    with pytest.raises(BadFileError, match="does not add up"):
        open_exact_sweep(tmp_path / "s")


@pytest.mark.parametrize(
    "text",
    [
        '"objective": "most"',
        '"objective": null',
        '"within": 0',
        '"within": "6"',
        '"within": true',
        '"rule": "minimax"',
    ],
)
def test_a_question_that_cannot_be_is_refused(whole: Path, tmp_path: Path, text: str) -> None:
    name = text.split(":", maxsplit=1)[0]
    place = tmp_path / "s"
    place.write_bytes(whole.read_bytes())
    with sqlite3.connect(place) as connection:
        (said,) = connection.execute("SELECT text FROM question").fetchone()
        before = {'"objective"': '"total"', '"within"': "6", '"rule"': '"optimal"'}[name]
        changed = said.replace(f"{name}: {before}", text)
        assert changed != said
        connection.execute("UPDATE question SET text = ?", (changed,))
    connection.close()
    with pytest.raises(BadFileError, match="question cannot be read"):
        open_exact_sweep(place)


def test_parts_are_merged_and_the_closer_bounds_kept(
    game: Game, whole: Path, tmp_path: Path
) -> None:
    asked = open_exact_sweep(whole).question
    parts = [tmp_path / f"part{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        sweep_optimal(game, part, shard=(number, 2), workers=1)
    some = open_exact_sweep(parts[0]).rows[3]
    assert some.value is not None
    with ExactStore.open(tmp_path / "bounds", asked) as store:
        store.ask([some.opener, WORDS[1]])
        store.improve(
            [
                ExactRow(some.opener, "bounds", some.value - 1, some.value + 1),
                ExactRow(WORDS[1], "bounds", 1, None),
            ]
        )
    merge_exact_sweeps([tmp_path / "bounds", parts[0]], tmp_path / "out")
    merge_exact_sweeps([parts[1]], tmp_path / "out")
    assert exact_figures(tmp_path / "out") == exact_figures(whole)


def test_what_is_merged_twice_counts_once(game: Game, whole: Path, tmp_path: Path) -> None:
    seconds = open_exact_sweep(whole).seconds
    assert seconds > 0
    out, twin = tmp_path / "out", tmp_path / "twin"
    assert merge_exact_sweeps([whole, whole], out).seconds == seconds
    assert merge_exact_sweeps([whole], out).seconds == seconds
    sweep_optimal(game, twin, WORDS[:9], workers=1)
    altered(twin, "UPDATE exact SET seconds = 1000")
    once = merge_exact_sweeps([twin], out)
    assert sum(row.seconds for row in once) == pytest.approx(
        9000 + sum(row.seconds for row in open_exact_sweep(whole) if row.opener not in WORDS[:9])
    )
    assert merge_exact_sweeps([whole, twin], out).seconds == once.seconds
    assert exact_figures(out) == exact_figures(whole)
    # a run that goes on adds its time to what was spent before
    row = ExactRow("crane", "bounds", 8, None, 2.0)
    assert row.joined(ExactRow("crane", "exact", 9, 9, 3.0)).seconds == 5.0


Contradiction = Callable[[int], ExactRow]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda value: ExactRow(WORDS[3], "exact", value - 1, value - 1),
        lambda value: ExactRow(WORDS[3], "bounds", value + 1, None),
        lambda value: ExactRow(WORDS[3], "bounds", 1, value - 1),
        lambda value: ExactRow(WORDS[3], "impossible"),
    ],
)
def test_parts_that_contradict_are_not_merged(
    whole: Path, tmp_path: Path, wrong: Contradiction
) -> None:
    table = open_exact_sweep(whole)
    value = table[WORDS[3]].value
    assert value is not None
    with ExactStore.open(tmp_path / "s", table.question) as store:
        store.ask([WORDS[3]])
        store.improve([wrong(value)])
    with pytest.raises(WrongStrategyError, match=f"'{WORDS[3]}': .* and .*; one of them is wrong"):
        merge_exact_sweeps([whole, tmp_path / "s"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_bounds_come_closer_and_meet() -> None:
    far, near = ExactRow("crane", "bounds", 10, None), ExactRow("crane", "bounds", 8, 11)
    assert far.joined(near) == near.joined(far) == ExactRow("crane", "bounds", 10, 11)
    assert near.joined(ExactRow("crane", "bounds", 11)) == ExactRow("crane", "exact", 11, 11)
    impossible = ExactRow("crane", "impossible")
    assert far.joined(impossible) == impossible
    assert [row.value_text() for row in (far, near, impossible)] == [
        "at least 10",
        "8-11",
        "impossible",
    ]
    with pytest.raises(WrongStrategyError, match="at least 12 and 8-11"):
        ExactRow("crane", "bounds", 12).joined(near)
