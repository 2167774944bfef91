"""``knuthle sweep``: run, status, report, merge, as people call them."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver.game.load import load_game
from strategy import cli
from strategy.build.by_rule import Settings, solve
from strategy.cli.sweep.command import ACTIONS
from strategy.sweep.lock import locked
from strategy.sweep.run import sweep_openers
from strategy.sweep.view import open_sweep
from tests.support.commands import Knuthle
from tests.support.sweeps import befallen, some_words
from tests.support.worlds import game_of, words_by_score

WORDS = some_words(60)
RUN = ("sweep", "run", "--list", "w.txt", "--workers", "1", "--out")


@pytest.fixture
def listed(knuthle: Knuthle) -> Knuthle:
    """Commands beside a list."""
    Path("w.txt").write_text("\n".join(WORDS))
    return knuthle


def forms(knuthle: Knuthle, database: str) -> list[object]:
    """Everything that the report says, in every form."""
    told: list[object] = []
    for more in ((), ("--markdown",), ("--json", "-"), ("--csv", "-"), ("--sort", "mean")):
        outcome = knuthle("sweep", "report", database, *more)
        assert (outcome.code, outcome.err) == (0, "")
        told.append(outcome.out)
    assert knuthle("sweep", "report", database, "--parquet", "t.parquet", "--quiet").code == 0
    return [*told, Path("t.parquet").read_bytes()]


def test_reports_do_not_tell_how_a_sweep_came_about(listed: Knuthle) -> None:
    """One worker, two, an interrupted one, shards that are merged, any executor."""
    pytest.importorskip("pyarrow")
    assert listed(*RUN, "one").code == 0
    two = [word if word != "1" else "2" for word in RUN]
    assert listed(*two, "two").code == 0
    broken = befallen(Path(), _BROKEN_OFF, *RUN[1:], "broken", "--quiet")
    assert broken.returncode == 130
    assert 0 < len(open_sweep("broken")) < 60
    assert listed(*RUN, "broken").code == 0
    for part in "123":
        assert listed(*RUN, f"part{part}", "--shard", f"{part}/3").code == 0
    assert listed("sweep", "merge", "part1", "part2", "part3", "--out", "merged").code == 0
    expected = forms(listed, "one")
    for other in ("two", "broken", "merged"):
        assert forms(listed, other) == expected, other


@pytest.mark.slow(22)
@pytest.mark.filterwarnings("default")
def test_reports_of_two_hundred_openers_are_the_same_by_dask_too(knuthle: Knuthle) -> None:
    """Over all words: one worker, two, one that is broken off, and workers of Dask."""
    pytest.importorskip("distributed")
    openers = ",".join(load_game().guesses[7::65])
    run = ("sweep", "run", "--quiet", "--openers", openers, "--out")
    assert knuthle(*run, "one", "--workers", "1").code == 0
    assert len(open_sweep("one")) == 200
    assert knuthle(*run, "two", "--workers", "2").code == 0
    assert befallen(Path(), _BROKEN_OFF, *run[1:], "broken", "--workers", "2").returncode == 130
    assert 0 < len(open_sweep("broken")) < 200
    assert knuthle(*run, "broken", "--workers", "2").code == 0
    assert befallen(Path(), "", *run[1:], "dask", "--dask", "local:2").returncode == 0
    expected = forms(knuthle, "one")
    for other in ("two", "broken", "dask"):
        assert forms(knuthle, other) == expected, other


_BROKEN_OFF = """
def counting(self, rows):
    global made
    add(self, rows)
    made += 1
    if made >= 3:
        os.kill(parent, signal.SIGINT)

store.SweepStore.add = counting
"""


def test_rows_agree_with_solve_all(tmp_path: Path) -> None:
    """SERAI, LARES and LANTS over all words: the first to be published, and the best ones."""
    game = load_game(secrets="allowed")
    table = sweep_openers(game, tmp_path / "s", "serai,lares,lants", workers=1)
    assert [row.opener for row in table] == ["lants", "lares", "serai"]
    for row in table:
        strategy = solve(game, Settings((row.opener,))).strategy
        assert row.histogram == tuple(strategy.histogram)
        assert (row.worst, row.total, row.mean) == (strategy.worst, strategy.total, strategy.mean)
        assert row.n_beyond == len(strategy.beyond(6))
        assert (row.nodes, row.digest) == (strategy.nodes, strategy.digest)


@pytest.mark.parametrize("hard", [False, True])
def test_words_with_more_than_255_scores_agree_with_solve_all(tmp_path: Path, hard: bool) -> None:
    """Played by both checkers: the first opener of a run is."""
    game = game_of(words_by_score("abcdef"))
    for opener in ("abcdef", "zazzzz"):
        settings = Settings(rule="parts", hard=hard)
        row = sweep_openers(game, tmp_path / opener, opener, settings, workers=1)[opener]
        strategy = solve(game, Settings((opener,), "parts", hard=hard)).strategy
        assert row.replayed
        assert (row.histogram, row.digest) == (tuple(strategy.histogram), strategy.digest)


@pytest.mark.parametrize("more", [("--rule", "entropy"), ("--hard",), ("--guess-from", "secrets")])
def test_other_rules_agree_with_solve_all(listed: Knuthle, more: tuple[str, ...]) -> None:
    assert listed(*RUN, "s", *more, "--openers", WORDS[7]).code == 0
    row = open_sweep("s")[WORDS[7]]
    report = listed("solve-all", "--list", "w.txt", "--start", WORDS[7], *more, "--json", "-").out
    found = json.loads(report)
    for name in ("worst", "total", "mean", "n_beyond", "digest"):
        assert getattr(row, name) == found[name]
    assert list(row.histogram) == found["histogram"]


def test_the_table_has_a_column_for_each_number_of_guesses(listed: Knuthle) -> None:
    assert listed(*RUN, "s").code == 0
    table = open_sweep("s")
    counts = [f"h{number}" for number in range(1, table.deepest + 1)]
    header, *rows = csv.reader(io.StringIO(listed("sweep", "report", "s", "--csv", "-").out))
    names = ["opener", "worst", "total", "mean", "n_beyond", "nodes", *counts, "digest"]
    assert header == names == table.columns()
    assert [row[0] for row in rows] == WORDS
    for cells, row in zip(rows, table, strict=True):
        found = dict(zip(header, cells, strict=True))
        taken = [int(found[name]) for name in counts]
        assert sum(taken) == 60
        assert taken[: row.worst] == list(row.histogram)
        assert int(found["total"]) == row.total == sum(n * x for n, x in enumerate(taken, 1))
        assert float(found["mean"]) == row.mean
    ordered = listed("sweep", "report", "s", "--sort", "mean", "--csv", "-", "--times").out
    header, *rows = csv.reader(io.StringIO(ordered))
    assert header == [*names, "seconds"]
    totals = [int(row[2]) for row in rows]
    assert totals == sorted(totals)


def test_ranks_are_shared_and_the_worst_stand_last(listed: Knuthle) -> None:
    assert listed(*RUN, "s").code == 0
    said = json.loads(listed("sweep", "report", "s", "--json", "-", "--top", "60").out)
    assert said["n_openers"] == 60
    assert said["n_within"] == sum(row.n_beyond == 0 for row in open_sweep("s"))
    for ranking in said["sorts"]:
        assert len(ranking["best"]) == 60
        assert not ranking["worst"]
        values = {
            "worst": [(x["worst"], x["histogram"][::-1]) for x in ranking["best"]],
            "beyond": [(x["n_beyond"], x["worst"], x["total"]) for x in ranking["best"]],
            "mean": [(x["total"], x["worst"], x["n_beyond"]) for x in ranking["best"]],
        }[ranking["by"]]
        assert values == sorted(values)
        for at, row in enumerate(ranking["best"]):
            assert row["rank"] == values.index(values[at]) + 1
    few = json.loads(listed("sweep", "report", "s", "--json", "-", "--top=2", "--bottom=3").out)
    for ranking, whole in zip(few["sorts"], said["sorts"], strict=True):
        assert ranking["best"] == whole["best"][:2]
        assert ranking["worst"] == whole["best"][-3:]


def test_status_says_what_is_left(listed: Knuthle) -> None:
    assert listed(*RUN, "s", "--openers", f"{WORDS[0]},{WORDS[5]}").code == 0
    outcome = listed("sweep", "status", "s")
    assert outcome.code == 0
    assert "2 of 2 done, nothing left to do" in outcome.out
    with sqlite3.connect("s") as connection:
        connection.execute("INSERT INTO asked VALUES (?)", (WORDS[1],))
    connection.close()
    with locked(Path("s")):
        outcome = listed("sweep", "status", "s")
    assert outcome.code == 1
    assert "2 of 3 done, 1 opener to do; a run is at work" in outcome.out
    said = json.loads(listed("sweep", "status", "s", "--json", "-").out)
    assert (said["n_asked"], said["n_done"], said["n_missing"]) == (3, 2, 1)
    assert not said["running"]
    assert "unfinished: 1 opener without a row" in listed("sweep", "report", "s").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "required: --out"),
        (("--out", "s", "--openers", "zzzzz"), "'zzzzz' is not among the 60 guesses"),
        (("--out", "s", "--openers", "none.txt"), "no file named 'none.txt'"),
        (("--out", "s", "--openers", ","), "no opener is named"),
        (("--out", "s", "--openers", ""), "no opener is named"),
        (("--out", "s", "--shard", "4/3"), "'4/3' is no part such as 3/8"),
        (("--out", "s", "--shard", "0/3"), "'0/3' is no part"),
        (("--out", "s", "--shard", "x"), "'x' is no part"),
        (("--out", "w.txt"), "named for two things at once"),
        (("--out", "none/s"), "there is no directory none"),
        (("--out", "-"), "a database is a file"),
        (("--out", "s", "--rule", "minmax"), "did you mean minimax?"),
        (("--out", "s", "--dask-ca", "x"), "for --dask, not given"),
        (("--out", "s", "--dask", "x"), "expected tcp://HOST:PORT"),
        (("--out", "s", "--dask", "local:1", "--workers", "2"), "--dask has its own"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    listed: Knuthle, arguments: tuple[str, ...], said: str
) -> None:
    outcome = listed("sweep", "run", "--list", "w.txt", *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert not Path("s").exists()


def test_openers_are_named_in_several_ways(listed: Knuthle) -> None:
    Path("some.txt").write_text(f"{WORDS[3]}\n# no word\n{WORDS[1].upper()}\n")
    assert listed(*RUN, "s", "--openers", "some.txt").code == 0
    assert open_sweep("s").asked == (WORDS[1], WORDS[3])
    Path(WORDS[9]).write_text("what is no list\n")
    more = f"{WORDS[3]}, {WORDS[2].upper()},{WORDS[3]}"
    assert listed(*RUN, "s", "--openers", more).code == 0
    assert listed(*RUN, "s", "--openers", WORDS[9]).code == 0
    assert open_sweep("s").asked == tuple(sorted(WORDS[at] for at in (1, 2, 3, 9)))
    assert listed(*RUN, "t", "--openers", "answers").code == 0
    assert len(open_sweep("t")) == 60


def test_a_shard_with_nothing_to_do_is_done(listed: Knuthle) -> None:
    outcome = listed(*RUN, "s", "--openers", WORDS[0], "--shard", "2/2")
    assert outcome.code == 0
    assert "0 of 0 done" in outcome.out
    for form in ((), ("--markdown",), ("--json", "-"), ("--csv", "-")):
        assert listed("sweep", "report", "s", *form).code == 0


def test_codes_are_swept_as_well(knuthle: Knuthle) -> None:
    run = ("sweep", "run", "--game", "mastermind:3x4", "--out", "s", "--workers", "1")
    assert knuthle(*run).code == 0
    assert len(open_sweep("s")) == 64
    row = open_sweep("s")["112"]
    solved = knuthle("solve-all", "--game", "mastermind:3x4", "--start", "112", "--json", "-").out
    assert row.digest == json.loads(solved)["digest"]


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture_is_drawn_the_same_each_time(listed: Knuthle, ending: str) -> None:
    pytest.importorskip("matplotlib")
    assert listed(*RUN, "s").code == 0
    pictures = []
    for name in (f"a.{ending}", f"b.{ending}"):
        assert listed("sweep", "report", "s", "--plot", name, "--quiet").code == 0
        pictures.append(Path(name).read_bytes())
    assert pictures[0] == pictures[1]
    outcome = listed("sweep", "report", "s", "--plot", "a.txt")
    assert (outcome.code, "a picture is .svg" in outcome.err) == (2, True)


def test_what_is_not_installed_is_told(listed: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    assert listed(*RUN, "s").code == 0
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    outcome = listed("sweep", "report", "s", "--parquet", "t")
    assert outcome.code == 2
    assert "pip install 'knuthle[parquet]'" in outcome.err
    monkeypatch.setitem(sys.modules, "distributed", None)
    outcome = listed("sweep", "run", "--list", "w.txt", "--out", "u", "--dask", "local:1")
    assert outcome.code == 2
    assert outcome.err.count("\n") == 1
    assert "pip install 'knuthle[distributed]'" in outcome.err
    assert not Path("u").exists()


def test_pandas_gets_the_table_if_it_is_there(
    listed: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listed(*RUN, "s", "--openers", WORDS[0]).code == 0

    class Frame:
        def __init__(self, records: Any, columns: Any) -> None:
            self.made_of = records, columns

        def set_index(self, name: str) -> tuple[Any, str]:
            return self.made_of, name

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Frame))
    (records, columns), index = open_sweep("s").to_pandas()
    assert (index, columns[0], records[0]["opener"]) == ("opener", "opener", WORDS[0])
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(Exception, match="pandas is not installed"):
        open_sweep("s").to_pandas()


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_terminal_sees_how_fast_it_goes_and_ctrl_c_ends_it(listed: Knuthle) -> None:
    from tests.support.terminal import Terminal

    Path("many.txt").write_text("\n".join(some_words(2500)))
    terminal = Terminal(
        "sweep", "run", "--list", "many.txt", "--out", "s", "--workers", "2", folder=Path()
    )
    terminal.until("openers: ")
    terminal.until(" a second]")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "interrupted" in terminal.text
    assert "Traceback" not in terminal.text
    status = listed("sweep", "status", "s")
    assert (status.code, "a run is at work" in status.out) == (1, False)


@pytest.mark.parametrize("action", ACTIONS)
def test_every_action_explains_itself(knuthle: Knuthle, action: str) -> None:
    outcome = knuthle("sweep", action, "--help")
    assert outcome.code == 0
    assert outcome.out.count("knuthle sweep") >= 3
    assert "Examples: knuthle sweep" in outcome.out
    assert action in knuthle("sweep", "--help").out


def test_an_action_is_needed(knuthle: Knuthle) -> None:
    assert knuthle("sweep").code == 2
    outcome = knuthle("sweep", "rum")
    assert outcome.code == 2
    assert "did you mean run?" in outcome.err
    outcome = knuthle("sweep", "run", "--openers", "all", "--openers", "all")
    assert "given twice" in outcome.err
    assert cli.main(["sweep", "report", "none"]) == 2
