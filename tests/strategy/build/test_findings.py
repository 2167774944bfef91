"""The file of an interrupted exact search: only what is whole and asked the same is taken up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.exact.answers.best import best_strategy
from solver.exact.race.first_guesses import FirstGuesses
from solver.exact.race.problem import Problem
from strategy.build.findings import check_attained, lay_aside, question, read_findings, take_up
from strategy.build.optimal import strategy_of
from strategy.build.question import Question
from strategy.errors import BadFileError, OutputError
from strategy.files import envelope, strategy_file
from tests.support.commands import Knuthle
from tests.support.worlds import game_of

GAME = game_of(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
PROBLEM = Problem(GAME, hard=False, within=6)
FOUND = {1: (14, True), 3: (15, False)}


def test_findings_come_back(tmp_path: Path) -> None:
    path = tmp_path / "aside"
    lay_aside(path, PROBLEM, FirstGuesses(found=dict(FOUND)))
    state = FirstGuesses()
    take_up(path, PROBLEM, state)
    assert state.found == FOUND


def body_of(*rows: tuple[int, int, int, int]) -> dict[str, Any]:
    """The body of a file with these rows: guess, lost, total, exact."""
    columns = zip(*rows, strict=True)
    packed = map(strategy_file.pack_column, columns)
    head = question(PROBLEM) | {"version": 2, "count": len(rows)}
    return head | dict(zip(("guess", "lost", "total", "exact"), packed, strict=True))


RIGHT = (1, 0, 14, 1)
COUNT = len(GAME.guesses)


@pytest.mark.parametrize(
    "body",
    [
        {},
        body_of(RIGHT) | {"version": 1},
        body_of(RIGHT) | {"version": 3},
        {key: value for key, value in body_of(RIGHT).items() if key != "version"},
        body_of(RIGHT) | {"more": 1},
        body_of(RIGHT) | {"count": 2},
        body_of(RIGHT) | {"count": -1},
        body_of(RIGHT) | {"guess": [[1, 14, True]]},
        body_of(RIGHT) | {"total": [8, b"\xff" * 8]},
        body_of((COUNT, 0, 14, 1)),
        body_of((1, 0, 14, 2)),
        body_of((1, 0, 2 * COUNT - 2, 0)),  # seven secrets take thirteen guesses at least
        body_of((1, 0, 0, 1)),
        body_of((1, (1 << 28), 1, 0)),
        body_of((1, (1 << 32) - 1, (1 << 32) - 1, 1)),
        body_of(RIGHT, RIGHT),
        body_of((2, 0, 14, 1), RIGHT),
    ],
)
def test_findings_that_cannot_be(tmp_path: Path, body: dict[str, Any]) -> None:
    path = tmp_path / "aside"
    path.write_bytes(envelope.pack(envelope.FINDINGS, body))
    state = FirstGuesses()
    with pytest.raises(BadFileError, match="aside"):
        take_up(path, PROBLEM, state)
    assert not state.found


@pytest.mark.parametrize("row", [RIGHT, (0, 0, 2 * COUNT - 1, 0), (COUNT - 1, 1 << 28, 0, 0)])
def test_findings_at_the_edge(tmp_path: Path, row: tuple[int, int, int, int]) -> None:
    path = tmp_path / "aside"
    path.write_bytes(envelope.pack(envelope.FINDINGS, body_of(row)))
    state = FirstGuesses()
    take_up(path, PROBLEM, state)
    assert state.found == {row[0]: (row[1] << 32 | row[2], bool(row[3]))}


@pytest.mark.parametrize(
    "other",
    [
        {"hard": True},
        {"within": 5},
        {"within": None},
        {"losses": True},
        {"price": 0},
        {"candidates": (0, 1)},
        {"history": ((0, 7),)},
        {"game": game_of([*GAME.guesses, "trace"])},
        {"game": game_of(list(GAME.guesses), list(GAME.guesses[1:]))},
    ],
    ids=str,
)
def test_findings_are_about_one_question(tmp_path: Path, other: dict[str, Any]) -> None:
    path = tmp_path / "aside"
    lay_aside(path, PROBLEM, FirstGuesses(found=dict(FOUND)))
    assert read_findings(path, PROBLEM) is not None
    with pytest.raises(OutputError, match="other words or options"):
        read_findings(path, replace(PROBLEM, **other))


def test_a_result_says_what_it_rests_on(tmp_path: Path) -> None:
    path = tmp_path / "aside\x1b[2J"
    assert read_findings(path, PROBLEM) is None
    lay_aside(path, PROBLEM, FirstGuesses())
    nothing = read_findings(path, PROBLEM)
    assert nothing is not None
    assert nothing.found == ()
    lay_aside(path, PROBLEM, FirstGuesses(found=dict(FOUND)))
    findings = read_findings(path, PROBLEM)
    assert findings is not None
    assert findings.reliance == f"relying on 2 findings of {tmp_path}/aside\\x1b[2J"
    assert findings.facts() == {"file": str(path), "findings": 2}


def test_a_value_that_its_strategy_does_not_attain_is_refused() -> None:
    for problem in (
        PROBLEM,
        replace(PROBLEM, within=1, losses=True),
        replace(PROBLEM, within=None),
    ):
        answer = best_strategy(problem)
        strategy, _ = strategy_of(Question(GAME, within=problem.within), answer)
        lost = 0 if problem.within is None else len(strategy.beyond(problem.within))
        value = strategy.total + (lost << 32)
        check_attained(problem, value, strategy)
        for other in (value - 1, value + 1, value + (1 << 32), 0):
            with pytest.raises(BadFileError, match="some finding is wrong"):
                check_attained(problem, other, strategy)


def test_findings_that_were_searched_again(tmp_path: Path) -> None:
    state = FirstGuesses(found={1: (14, True), 2: (16, True), 3: (15, False)})
    for found, wrong in (
        ({1: (14, True), 3: (17, True), 4: (99, False)}, False),
        ({1: (13, False), 3: (16, False)}, False),
        ({1: (13, True)}, True),
        ({1: (15, True)}, True),
        ({2: (17, False)}, True),
        ({3: (14, True)}, True),
    ):
        path = tmp_path / "aside"
        lay_aside(path, PROBLEM, FirstGuesses(found=found))
        findings = read_findings(path, PROBLEM)
        assert findings is not None
        if wrong:
            with pytest.raises(BadFileError, match="is wrong: searched again, it costs"):
                findings.contradicted(state)
        else:
            findings.contradicted(state)


def test_every_flipped_byte_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "aside"
    lay_aside(path, PROBLEM, FirstGuesses(found=dict(FOUND)))
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(BadFileError):
            take_up(path, PROBLEM, FirstGuesses())


def test_what_is_not_findings_is_refused_by_name(knuthle: Knuthle, tiny: Path) -> None:
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle("optimal", *words, "--out", "best.strategy").code == 0
    before = Path("best.strategy").read_bytes()
    outcome = knuthle("optimal", *words, "--resume", "best.strategy", "--out", "other.strategy")
    assert (outcome.code, outcome.out) == (2, "")
    assert "best.strategy: a strategy, not findings of an unfinished exact search" in outcome.err
    assert Path("best.strategy").read_bytes() == before


def test_other_words_or_options_are_refused(knuthle: Knuthle, tiny: Path) -> None:
    lay_aside("aside", PROBLEM, FirstGuesses(found=dict(FOUND)))
    assert "found           2\n" in knuthle("info", "aside").out
    words = ("--list", tiny, "--secrets", "allowed", "--resume", "aside")
    outcome = knuthle("optimal", *words, "--within", "5")
    assert (outcome.code, outcome.out) == (2, "")
    assert "aside: laid aside by a search with other words or options" in outcome.err
    assert knuthle("optimal", *words).code == 0
    assert not Path("aside").exists()


def test_an_interrupt_leaves_findings_and_the_best_so_far(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("strategy.cli.output.Progress.__call__", interrupted)
    words = ("--list", tiny, "--secrets", "allowed")
    outcome = knuthle("optimal", *words, "--resume", "aside", "--out", "best.strategy")
    assert (outcome.code, outcome.out) == (130, "")
    assert "the best so far, total 13 (bound), is written to best.strategy" in outcome.err
    assert "proved False" in knuthle("info", "best.strategy").out
    assert knuthle("verify", "best.strategy").code == 0
    monkeypatch.undo()
    outcome = knuthle("optimal", *words, "--resume", "aside", "--out", "best.strategy")
    assert (outcome.code, Path("aside").exists()) == (0, False)
    assert "total 13, mean 1.8571, worst 2 (proved)" in outcome.out
