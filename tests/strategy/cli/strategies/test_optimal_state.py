"""``optimal --state``: what it answers, and what does not go with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import Knuthle


def test_best_next_words_of_a_state(knuthle: Knuthle) -> None:
    outcome = knuthle("optimal", "--state", "salet.bbbbb", "--json", "-", "--csv", "best.csv")
    report = json.loads(outcome.out)
    assert (report["remaining"], report["n_guesses_left"], report["proved"]) == (221, 5, True)
    (best,) = report["suggestions"]
    assert (best["word"], best["total"], best["n_beyond"]) == ("courd", 609, 0)
    assert Path("best.csv").read_text().startswith("word,total,mean,n_beyond\ncourd,609,2.7556")


@pytest.mark.parametrize("top", [1, 5, 12])
def test_ten_of_a_tie_are_shown(knuthle: Knuthle, top: int) -> None:
    """Candidates first, then how many more there are."""
    Path("words.txt").write_text(
        "\n".join(["azzzz", "bzzzz", "czzzz", *(f"ab{a}{b}d" for a in "efghi" for b in "jklm")])
    )
    Path("secrets.txt").write_text("azzzz\nbzzzz\nczzzz")
    asked = ("optimal", "--list", "words.txt", "--secrets", "secrets.txt", "--top", top)
    asked = (*asked, "--state", "")
    rows = json.loads(knuthle(*asked, "--json", "-").out)["suggestions"]
    tied = [row for row in rows if row["total"] == rows[-1]["total"]]
    lines = knuthle(*asked).out.splitlines()[2:]
    few = max(10, top - (len(rows) - len(tied)))
    assert len(tied) > few
    assert lines[0].startswith("azzzz")
    assert len(lines) == len(rows) - len(tied) + few + 1
    assert lines[-1] == f"and {len(tied) - few:,} more as good as the last"


def test_a_solved_state_wants_no_guess(knuthle: Knuthle, tiny: Path) -> None:
    outcome = knuthle("optimal", "--list", tiny, "--secrets", "allowed", "--state", "crane ggggg")
    assert (outcome.code, outcome.out) == (0, "solved: crane\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--start", "crane"], "--start is about whole strategies"),
        (["--objective", "worst"], "--objective is about whole strategies"),
        (["--out", "a"], "--out is about whole strategies"),
        (["--proof", "a"], "--proof is about whole strategies"),
        (["--resume", "a"], "--resume is about whole strategies"),
        (["--recheck"], "--recheck is about whole strategies"),
        (["--width", "3"], "--width is about whole strategies"),
        (["--within", "1"], "1 guess made, and --within 1 allows no more"),
    ],
)
def test_what_does_not_go_with_a_state(
    knuthle: Knuthle, tiny: Path, arguments: list[str], reason: str
) -> None:
    state = ("--state", "slate.bbgbg")
    outcome = knuthle("optimal", "--list", tiny, "--secrets", "allowed", *state, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert reason in outcome.err


@pytest.mark.parametrize("command", [["optimal", "--state"], ["suggest"]])
def test_clues_that_hard_mode_forbids(knuthle: Knuthle, tiny: Path, command: list[str]) -> None:
    clues = [*command, "slate bbgbg adieu ybbyb"]
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle(*clues, *words).code == 0
    outcome = knuthle(*clues, *words, "--hard")
    assert (outcome.code, outcome.out) == (2, "")
    assert "hard mode forbids 'adieu' after slate.bbgbg" in outcome.err


@pytest.mark.parametrize("command", [["optimal", "--state"], ["suggest"]])
def test_clues_that_contradict_each_other(knuthle: Knuthle, command: list[str]) -> None:
    outcome = knuthle(*command, "salet bbbbg salet bbbbb")
    assert (outcome.code, outcome.out) == (2, "")
    assert "salet bbbbg contradicts salet bbbbb" in outcome.err


def test_the_time_limit_holds_for_a_state(knuthle: Knuthle) -> None:
    outcome = knuthle("optimal", "--state", "salet.bbbbb", "--time-limit", "0.001")
    assert outcome.code == 3
    assert "the best next guesses found: a bound" in outcome.out
    assert "undecided after 0.001 s, the time limit; what is reported is a bound" in outcome.err
