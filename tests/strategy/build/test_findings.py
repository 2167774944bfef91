"""The file of an interrupted exact search: only what is whole and asked the same is taken up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from solver.exact.race.first_guesses import FirstGuesses
from solver.exact.race.problem import Problem
from strategy.build.findings import lay_aside, question, take_up
from strategy.errors import BadFileError
from strategy.files import envelope
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


@pytest.mark.parametrize(
    "found",
    [
        None,
        [[7, 14, True]],
        [[-1, 14, True]],
        [[1, -14, True]],
        [[1, 14, 1]],
        [[1, 14]],
        [["crane", 14, True]],
        [7],
    ],
)
def test_findings_that_cannot_be(tmp_path: Path, found: Any) -> None:
    path = tmp_path / "aside"
    body = question(PROBLEM) | {"found": found}
    path.write_bytes(envelope.pack(envelope.FINDINGS, body))
    with pytest.raises(BadFileError, match="aside"):
        take_up(path, PROBLEM, FirstGuesses())


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
    assert "found           2" in knuthle("info", "aside").out
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

    monkeypatch.setattr("strategy.cli.whole.optimal._Bar.__call__", interrupted)
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
