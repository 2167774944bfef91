"""``knuthle sweep``, by a rule or for what is best: run, status, report, merge."""

import contextlib
import csv
import io
import shlex
import sys
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.solving.by_rule import Settings, solve
from strategy.sweep.rows import ExactRow
from strategy.sweep.run import sweep_openers
from strategy.sweep.store import SweepStore, locked
from strategy.sweep.table import open_sweep
from tests.support.commands import Knuthle, Terminal, report_of
from tests.support.sweeps import Cluster, altered, befallen, report_forms, some_words
from tests.support.worlds import game_of, words_by_score

WORDS = some_words(60)
RUN = ("sweep", "run", "--list", "w.txt", "--workers", "1", "--out")
BEST = (*RUN[:-1], "--rule", "optimal", "--out")


@pytest.fixture
def listed(knuthle: Knuthle) -> Knuthle:
    Path("w.txt").write_text("\n".join(WORDS))
    return knuthle


def forms(knuthle: Knuthle, database: str) -> list[object]:
    texts = report_forms(knuthle, database, "mean")
    assert knuthle("sweep", "report", database, "--parquet", "t.parquet", "--quiet").code == 0
    return [*texts, Path("t.parquet").read_bytes()]


def test_reports_do_not_tell_how_a_sweep_came_about(listed: Knuthle) -> None:
    """One worker, two, an interrupted one, shards that are merged, any executor."""
    pytest.importorskip("pyarrow")
    assert listed(*RUN, "one").code == 0
    two = [word if word != "1" else "2" for word in RUN]
    assert listed(*two, "two").code == 0
    broken = befallen(Path(), _BROKEN_OFF, *RUN[1:], "broken")
    assert broken.returncode == 130
    assert "of 60 openers done; the same command resumes" in broken.stderr
    assert 0 < len(open_sweep("broken")) < 60
    assert listed(*RUN, "broken").code == 0
    for part in "123":
        assert listed(*RUN, f"part{part}", "--shard", f"{part}/3").code == 0
    assert listed("sweep", "merge", "part1", "part2", "part3", "--out", "merged").code == 0
    expected = forms(listed, "one")
    for other in ("two", "broken", "merged"):
        assert forms(listed, other) == expected, other


@pytest.mark.slow(12)
@pytest.mark.filterwarnings("default")
def test_reports_of_forty_openers_are_the_same_by_dask_too(
    knuthle: Knuthle, tmp_path_factory: pytest.TempPathFactory
) -> None:
    pytest.importorskip("distributed")
    openers = ",".join(load_game().guesses[7::325])
    run = ("sweep", "run", "--quiet", "--openers", openers, "--out")
    assert knuthle(*run, "one", "--workers", "1").code == 0
    assert len(open_sweep("one")) == 40
    with contextlib.closing(Cluster(tmp_path_factory.mktemp("cluster"))) as cluster:
        line = (*run[1:], "dask", "--dask", cluster.address)
        assert befallen(Path(), "", *line).returncode == 0
    assert forms(knuthle, "dask") == forms(knuthle, "one")


_BROKEN_OFF = """
def counting(self, rows):
    global made
    found = improve(self, rows)
    made += 1
    if made >= 3:
        os.kill(parent, signal.SIGINT)
    return found

store.SweepStore.improve = counting
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
    found = report_of(listed, "solve-all", "--list", "w.txt", "--start", WORDS[7], *more)
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
        assert sum(taken) == 60 and taken[: row.worst] == list(row.histogram)
        assert int(found["total"]) == row.total == sum(n * x for n, x in enumerate(taken, 1))
        assert float(found["mean"]) == row.mean
    ordered = listed("sweep", "report", "s", "--sort", "mean", "--csv", "-", "--times").out
    header, *rows = csv.reader(io.StringIO(ordered))
    assert header == [*names, "seconds"]
    totals = [int(row[2]) for row in rows]
    assert totals == sorted(totals)


def test_ranks_are_shared_and_the_worst_stand_last(listed: Knuthle) -> None:
    assert listed(*RUN, "s").code == 0
    said = report_of(listed, "sweep", "report", "s", "--top", "60")
    assert said["n_openers"] == 60
    assert said["n_within"] == sum(row.n_beyond == 0 for row in open_sweep("s"))
    for ranking in said["sorts"]:
        assert len(ranking["best"]) == 60 and not ranking["worst"]
        values = {
            "worst": [(x["worst"], x["histogram"][::-1]) for x in ranking["best"]],
            "beyond": [(x["n_beyond"], x["worst"], x["total"]) for x in ranking["best"]],
            "mean": [(x["total"], x["worst"], x["n_beyond"]) for x in ranking["best"]],
        }[ranking["by"]]
        assert values == sorted(values)
        for at, row in enumerate(ranking["best"]):
            assert row["rank"] == values.index(values[at]) + 1
    few = report_of(listed, "sweep", "report", "s", "--top=2", "--bottom=3")
    for ranking, whole in zip(few["sorts"], said["sorts"], strict=True):
        assert ranking["best"] == whole["best"][:2] and ranking["worst"] == whole["best"][-3:]


def test_status_says_what_is_left(listed: Knuthle) -> None:
    assert listed(*RUN, "s", "--openers", f"{WORDS[0]},{WORDS[5]}").code == 0
    outcome = listed("sweep", "status", "s")
    assert outcome.code == 0 and "2 of 2 done, nothing left to do" in outcome.out
    altered(Path("s"), "INSERT INTO asked VALUES (?)", WORDS[1])
    with locked(Path("s")):
        outcome = listed("sweep", "status", "s")
    assert outcome.code == 1 and "2 of 3 done, 1 opener to do; a run is at work" in outcome.out
    said = report_of(listed, "sweep", "status", "s", code=1)
    assert (said["n_asked"], said["n_done"], said["n_missing"]) == (3, 2, 1)
    assert not said["running"]
    assert "unfinished: 1 opener without a row" in listed("sweep", "report", "s").out


@pytest.mark.parametrize(("run", "ending"), [(RUN, "svg"), (RUN, "png"), (BEST, "svg")])
def test_pictures_are_the_same(listed: Knuthle, run: tuple[str, ...], ending: str) -> None:
    pytest.importorskip("matplotlib")
    assert listed(*run, "s", "--openers", ",".join(WORDS[::5])).code == 0
    for name in ("a", "b"):
        assert listed("sweep", "report", "s", "--plot", f"{name}.{ending}", "--quiet").code == 0
    assert Path(f"a.{ending}").read_bytes() == Path(f"b.{ending}").read_bytes()


def test_pictures_draw_totals(listed: Knuthle) -> None:
    pytest.importorskip("matplotlib")
    assert listed(*BEST, "s", "--objective", "worst", "--openers", WORDS[0]).code == 0
    outcome = listed("sweep", "report", "s", "--plot", "c.svg")
    assert outcome.code == 2 and "--plot draws totals" in outcome.err


@pytest.mark.parametrize(("rule", "count", "shown"), [
    ("minimax", 2500, ("openers: ", " a second]")), ("optimal", 1200, ("best ",)),
])  # fmt: skip
def test_a_terminal_sees_how_it_goes_and_ctrl_c_ends_it(
    listed: Knuthle, rule: str, count: int, shown: tuple[str, ...]
) -> None:
    """How fast, or the best so far."""
    Path("many.txt").write_text("\n".join(some_words(count)))
    line = ("sweep", "run", "--rule", rule, "--list", "many.txt", "--out", "s")
    terminal = Terminal(*line, "--workers", "2", folder=Path())
    for text in shown:
        terminal.until(text)
    terminal.type("\x03")
    assert terminal.end() == 130 and "interrupted" in terminal.text
    assert "Traceback" not in terminal.text
    status = listed("sweep", "status", "s")
    assert (status.code, "a run is at work" in status.out) == (1, False)
    if rule == "optimal":
        table = open_sweep("s")
        assert table.missing == [] and 0 < table.n_open < count


# --- what is best from every opener


@pytest.mark.slow
def test_reports_of_what_is_best_do_not_tell_either(listed: Knuthle) -> None:
    """One worker, two, one that time ended, shards that are merged."""
    assert listed(*BEST, "one").code == 0
    two = [word if word != "1" else "2" for word in BEST]
    assert listed(*two, "two").code == 0
    outcome = listed(*BEST, "broken", "--time-limit", "0.000001")
    assert outcome.code == 3
    assert "60 openers not exact after 1e-06 s, the time limit" in outcome.err
    assert "60 not looked at; 60 openers to do" in outcome.out
    assert listed("sweep", "status", "broken").code == 1 and listed(*BEST, "broken").code == 0
    assert listed("sweep", "status", "broken").code == 0
    for part in "123":
        assert listed(*BEST, f"part{part}", "--shard", f"{part}/3").code == 0
    assert listed("sweep", "merge", "part1", "part2", "part3", "--out", "merged").code == 0
    expected = report_forms(listed, "one", "value")
    for other in ("two", "broken", "merged"):
        assert report_forms(listed, other, "value") == expected, other


def test_values_come_in_order_and_bounds_after_them(listed: Knuthle) -> None:
    assert listed(*BEST, "whole").code == 0
    table = open_sweep("whole")
    values = sorted((row.value or 0, row.opener) for row in table)
    best, second, third = (word for _, word in values[:3])
    with SweepStore.open("s", table.question) as store:
        store.add_openers(WORDS)
        store.improve(row for row in table if row.opener not in (best, third))
        store.improve([ExactRow(third, "bounds", values[2][0], 8140)])
        store.improve([ExactRow(best, "bounds", 120)])
    said = report_of(listed, "sweep", "report", "s", "--top", "99")
    known = [word for _, word in values if word not in (best, third)]
    assert [row["opener"] for row in said["best"]] == known
    assert {row["rank"] for row in said["best"]} == {None}
    assert [row["opener"] for row in said["bounds"]] == [best, third]
    assert (said["n_exact"], said["n_bounds"], said["n_missing"]) == (58, 2, 0)
    text = listed("sweep", "report", "s").out
    assert f"{best.upper()}   at least 120" in text
    assert f"{third.upper()}   {values[2][0]}-8,140" in text
    header, *rows = csv.reader(io.StringIO(listed("sweep", "report", "s", "--csv", "-").out))
    assert header == ["opener", "state", "value", "lower_bound", "upper_bound", "mean"]
    assert [row[0] for row in rows] == WORDS
    cells = {row[0]: row[1:] for row in rows}
    assert cells[best] == ["bounds", "", "120", "", ""]
    assert cells[second] == ["exact", *[str(values[1][0])] * 3, str(values[1][0] / 60)]
    ordered = listed("sweep", "report", "s", "--csv", "-", "--sort", "value", "--times").out
    assert [row[0] for row in csv.reader(io.StringIO(ordered))][-2:] == [best, third]
    # a rank is certain where nothing that is open can be better
    with SweepStore.open("s", table.question) as store:
        store.improve([table[best]])
    said = report_of(listed, "sweep", "report", "s", "--top", "99")
    sure = [row["value"] for row in said["best"] if row["rank"] is not None]
    assert sure == [value for value, word in values if value <= values[2][0] and word != third]


def test_without_pyarrow_it_is_said_how_to_get_it(
    listed: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert listed(*RUN, "s", "--openers", WORDS[0]).code == 0
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    outcome = listed("sweep", "report", "s", "--parquet", "t")
    said = f"{shlex.quote(sys.executable)} -m pip install pyarrow"
    assert outcome.code == 2 and said in outcome.err and outcome.err.count("\n") == 1
