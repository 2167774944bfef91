"""``knuthle sweep --rule optimal``: run, status, report, merge, as people call them."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest

from strategy.sweep.optimal.rows import ExactRow
from strategy.sweep.optimal.store import ExactStore
from strategy.sweep.optimal.view import open_exact_sweep
from tests.support.commands import Knuthle
from tests.support.sweeps import some_words

WORDS = some_words(60)
RUN = ("sweep", "run", "--rule", "optimal", "--list", "w.txt", "--workers", "1", "--out")


@pytest.fixture
def listed(knuthle: Knuthle) -> Knuthle:
    """Commands beside a list."""
    Path("w.txt").write_text("\n".join(WORDS))
    return knuthle


def forms(knuthle: Knuthle, database: str) -> list[str]:
    """Everything that the report says, in every form of text."""
    told = []
    for more in ((), ("--markdown",), ("--json", "-"), ("--csv", "-"), ("--sort", "value")):
        outcome = knuthle("sweep", "report", database, *more)
        assert (outcome.code, outcome.err) == (0, "")
        told.append(outcome.out)
    return told


def test_reports_do_not_tell_how_a_sweep_came_about(listed: Knuthle) -> None:
    """One worker, two, one that time ended, shards that are merged."""
    assert listed(*RUN, "one").code == 0
    two = [word if word != "1" else "2" for word in RUN]
    assert listed(*two, "two").code == 0
    outcome = listed(*RUN, "broken", "--time-limit", "0.000001")
    assert outcome.code == 3
    assert "60 openers not exact after 1e-06 s, the time limit" in outcome.err
    assert "60 not looked at; 60 openers to do" in outcome.out
    assert listed("sweep", "status", "broken").code == 1
    assert listed(*RUN, "broken").code == 0
    assert listed("sweep", "status", "broken").code == 0
    for part in "123":
        assert listed(*RUN, f"part{part}", "--shard", f"{part}/3").code == 0
    assert listed("sweep", "merge", "part1", "part2", "part3", "--out", "merged").code == 0
    expected = forms(listed, "one")
    for other in ("two", "broken", "merged"):
        assert forms(listed, other) == expected, other


def test_values_come_in_order_and_bounds_after_them(listed: Knuthle) -> None:
    assert listed(*RUN, "whole").code == 0
    table = open_exact_sweep("whole")
    values = sorted((row.value or 0, row.opener) for row in table)
    best, second, third = (word for _, word in values[:3])
    with ExactStore.open("s", table.question) as store:
        store.ask(WORDS)
        store.improve(row for row in table if row.opener not in (best, third))
        store.improve([ExactRow(third, "bounds", values[2][0], 8140)])
        store.improve([ExactRow(best, "bounds", 120)])
    said = json.loads(listed("sweep", "report", "s", "--json", "-", "--top", "99").out)
    assert [row["opener"] for row in said["best"]] == [
        w for _, w in values if w not in (best, third)
    ]
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
    with ExactStore.open("s", table.question) as store:
        store.improve([table[best]])
    said = json.loads(listed("sweep", "report", "s", "--json", "-", "--top", "99").out)
    sure = [row["value"] for row in said["best"] if row["rank"] is not None]
    assert sure == [value for value, word in values if value <= values[2][0] and word != third]


def test_limits_are_reported(listed: Knuthle) -> None:
    for objective in ("worst", "possible"):
        run = (*RUN, objective, "--objective", objective, "--within", "3", "--hard")
        assert listed(*run).code == 0
        told = forms(listed, objective)
        assert "31" in told[0]
        assert "29 impossible" in told[0]
    said = json.loads(listed("sweep", "status", "possible", "--json", "-").out)
    assert (said["objective"], said["limit"], said["hard"]) == ("possible", 3, True)
    assert (said["n_possible"], said["n_impossible"], said["n_done"]) == (31, 29, 60)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--rule", "minimax", "--objective", "worst"), "are for --rule optimal"),
        (("--rule", "minimax", "--within", "6"), "are for --rule optimal"),
        (("--rule", "minimax", "--time-limit", "6"), "are for --rule optimal"),
        (("--rule", "optimal", "--objective", "losses"), "invalid choice: 'losses'"),
        (("--rule", "optimal", "--objective", "possible", "--within", "none"), "--within K"),
        (("--rule", "optimal", "--within", "0"), "at least 1"),
        (("--rule", "optimal", "--time-limit", "0"), "no time to wait"),
        (("--rule", "optimal", "--guess-from", "candidates"), "not candidates"),
        (("--rule", "optimal", "--openers", "zzzzz"), "'zzzzz' is not among the 60 guesses"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(
    listed: Knuthle, arguments: tuple[str, ...], said: str
) -> None:
    outcome = listed("sweep", "run", "--list", "w.txt", "--out", "s", *arguments)
    assert outcome.code == 2
    assert said in outcome.err
    assert not Path("s").exists()


def test_what_a_report_cannot_do_is_refused(listed: Knuthle) -> None:
    assert listed(*RUN, "best", "--openers", WORDS[0]).code == 0
    rule = ("sweep", "run", "--list", "w.txt", "--workers", "1", "--out", "rule", "--openers")
    assert listed(*rule, WORDS[0]).code == 0
    for line, said in (
        (("report", "best", "--sort", "mean"), "--sort mean is for sweeps by a rule"),
        (("report", "rule", "--sort", "value"), "--sort value is for sweeps by --rule optimal"),
        (("merge", "best", "rule", "--out", "m"), "a sweep by minimax"),
        (("merge", "rule", "best", "--out", "m"), "a sweep for what is best"),
    ):
        outcome = listed("sweep", *line)
        assert outcome.code == 2
        assert said in outcome.err
        assert outcome.err.count("\n") == 1
    assert "--rule 'minimax', not 'optimal'" in listed(*RUN, "rule").err


def test_a_picture_is_drawn_the_same_each_time(listed: Knuthle) -> None:
    pytest.importorskip("matplotlib")
    assert listed(*RUN, "s").code == 0
    for name in ("a.svg", "b.svg"):
        assert listed("sweep", "report", "s", "--plot", name, "--quiet").code == 0
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()
    assert listed(*RUN, "w", "--objective", "worst").code == 0
    assert "--plot draws totals" in listed("sweep", "report", "w", "--plot", "c.svg").err


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_terminal_sees_the_best_so_far_and_ctrl_c_ends_it(listed: Knuthle) -> None:
    from tests.support.terminal import Terminal

    Path("many.txt").write_text("\n".join(some_words(1200)))
    line = ("sweep", "run", "--rule", "optimal", "--list", "many.txt", "--out", "s")
    terminal = Terminal(*line, "--workers", "2", folder=Path())
    terminal.until("best ")
    terminal.type("\x03")
    assert terminal.end() == 130
    assert "interrupted" in terminal.text
    assert "Traceback" not in terminal.text
    table = open_exact_sweep("s")
    assert table.missing == []
    assert 0 < table.n_open < 1200
    assert not table.running
