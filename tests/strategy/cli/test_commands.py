"""The commands as people run them: results and files."""

import json
from pathlib import Path

import pytest

from solver import choices
from strategy.solving.by_rule import Solved
from tests.support import published
from tests.support.commands import Knuthle, report_of

# --- the main job -------------------------------------------------------------------------


def test_within_six_is_a_demand(knuthle: Knuthle) -> None:
    report = report_of(knuthle, "solve-all", "--start", "lares", "--within", 6, "--pure", code=1)
    assert report["within"]["limit"] == 6 and not report["within"]["met"]
    assert len(report["beyond"]) == published.LARES[1]
    assert not list(Path().iterdir())


def test_json_holds_everything(knuthle: Knuthle, lares: Solved) -> None:
    outcome = knuthle("solve-all", "--start", "LARES", "--json", "-", "--out", "a b.strategy")
    report = json.loads(outcome.out)
    strategy = lares.strategy
    assert report | {"seconds": None} == {
        "start": ["lares"], "list": "original", "game": "wordle", "n_guesses": 12972,
        "guesses_digest": strategy.origin.guesses_digest, "n_secrets": 12972,
        "secrets_digest": strategy.origin.secrets_digest, "secrets_name": "allowed",
        "rule": "minimax", "guess_from": "allowed", "hard": False, "histogram": strategy.histogram,
        "worst": 7, "total": strategy.total, "mean": strategy.mean, "within": report["within"],
        "n_beyond": published.LARES[1], "beyond": strategy.beyond(6),
        "n_nodes": published.LARES_NODES, "digest": strategy.digest, "file": "a b.strategy",
        "seconds": None,
    }  # fmt: skip
    assert set(report["seconds"]) == {"matrix", "search", "verify", "compile", "all"}


def test_answers_only_and_two_starts(knuthle: Knuthle) -> None:
    asked = ("solve-all", "--start", "lares,cling", "--secrets", "answers", "--quiet")
    outcome = knuthle(*asked, "--json", "r.json")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    report = json.loads(Path("r.json").read_text())
    assert report["start"] == ["lares", "cling"] and report["n_secrets"] == 2315
    assert Path("lares+cling-original-answers-minimax.strategy").is_file()


@pytest.mark.parametrize("rule", choices.RULES)
@pytest.mark.parametrize("pool", ["allowed", "secrets", "candidates"])
def test_every_rule_and_pool(knuthle: Knuthle, tiny: Path, rule: str, pool: str) -> None:
    asked = ("solve-all", "--list", tiny, "--rule", rule, "--guess-from", pool, "--hard")
    assert knuthle(*asked).code == 0
    (path,) = Path().iterdir()
    assert path.name.endswith(f"-tiny list-allowed-{rule}-hard.strategy")
    path.rename("s")
    assert knuthle("verify", "s", "--words", tiny).out.startswith("OK  s: 7 secrets played")


# --- files --------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["text", "json", "csv", "dot"])
def test_export(knuthle: Knuthle, lares_file: Path, lares: Solved, form: str) -> None:
    outcome = knuthle("export", lares_file, "--to", form)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    if form == "text":
        assert len(lines) == 12972
        assert all(line.startswith("lares ") and line.endswith(" ggggg") for line in lines)
    if form == "json":
        tree, guess = json.loads(outcome.out), lares.strategy.next_guess([("lares", "bbybb")])
        assert tree["digest"] == lares.strategy.digest
        assert tree["tree"]["then"]["bbybb"]["guess"] == guess
    if form == "csv":
        assert len(lines) == published.LARES_NODES + 1
    if form == "dot":
        assert lines[0] == "digraph strategy {"
        replies = sum(1 for step in lares.strategy.depth if step == 2)
        assert sum(" -> " in line for line in lines) == replies
        left_out, whole = published.LARES_NODES - 1 - replies, published.LARES_NODES
        assert f"drawn to 2 guesses; {left_out:,} of {whole:,} states" in outcome.err
    else:
        assert outcome.err == ""


def test_a_drawing_is_as_deep_as_asked(knuthle: Knuthle, lares_file: Path) -> None:
    def arrows(*depth: str) -> tuple[int, str]:
        outcome = knuthle("export", lares_file, "--to", "dot", *depth)
        return outcome.out.count(" -> "), outcome.err

    assert arrows("--depth", "all") == (published.LARES_NODES - 1, "")
    assert arrows("--depth", "1")[0] == 0
    assert arrows()[0] == arrows("--depth", "2")[0] < arrows("--depth", "3")[0]


def test_lists(knuthle: Knuthle) -> None:
    rows = report_of(knuthle, "lists")["lists"]
    found = {(row["list"], row["part"]): (row["n_words"], row["digest"]) for row in rows}
    assert found == published.LISTS
