"""What is refused for its size, and what is said of it before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from solver import memory
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.repair.deciders import decider_for
from solver.game.load import load_game
from solver.rules.searcher import Searcher
from solver.splits import limits
from strategy.build.by_rule import Settings, solve
from strategy.toolbox.openers import openers
from strategy.toolbox.suggest import suggest
from tests.support.commands import Knuthle
from tests.support.worlds import game_of

WORDS = ["abide", "crane", "raise", "slate", "stare", "trace"]


def test_what_does_not_fit_is_refused_before_it_is_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(WORDS)
    monkeypatch.setattr(memory, "available", lambda: 10)
    with pytest.raises(CouldNotFinishError, match=r"takes 62 MB of memory and 1 MB is left"):
        solve(game, Settings())
    with pytest.raises(CouldNotFinishError, match="joining the scores of 6 guesses takes"):
        limits.all_scores(game)
    everyone = Searcher(game).pool
    with pytest.raises(CouldNotFinishError, match="a state of 6 secrets takes"):
        decider_for(game)(everyone, 3)
    for ranking in (openers, suggest):
        with pytest.raises(CouldNotFinishError, match="this ranking takes 62 MB of memory"):
            ranking(game)
    assert openers(load_game(spec="mastermind:2x3"), top=1)  # their scores are few
    monkeypatch.setattr(memory, "available", lambda: None)
    assert len(openers(game)) == len(suggest(game).secrets) == 6
    assert solve(game, Settings()).strategy.total > 0
    assert limits.all_scores(game).shape == (6, 6)


def test_a_matrix_beyond_the_limit_is_wrong_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BYTES", 35)
    with pytest.raises(WrongInputError, match="6 guesses against 6 secrets"):
        limits.all_scores(game_of(WORDS))


def test_only_large_games_are_worth_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits.what_it_takes(load_game("original", secrets="allowed")) is None
    game = game_of(WORDS)
    monkeypatch.setattr(limits, "_UNSAID", 35)
    said = limits.what_it_takes(game)
    assert said == (
        "6 guesses against 6 secrets: 1 MB of scores, made some at a time; about 62 MB of memory"
    )
    assert limits.what_it_takes(load_game(spec="mastermind:2x3")) is None
    many = replace(game, guesses=tuple(f"{n:06}" for n in range(50_000)))
    assert limits.search_bytes(many) < 100 << 20  # few secrets: few scores


def test_commands_say_it_beforehand(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("w.txt").write_text("\n".join(WORDS))
    monkeypatch.setattr(limits, "_UNSAID", 35)
    lines: tuple[tuple[str, ...], ...] = (("openers",), ("suggest",), ("solve-all", "--out", "s"))
    for line in lines:
        outcome = knuthle(*line, "--list", "w.txt")
        assert "6 guesses against 6 secrets: 1 MB of scores" in outcome.err, line
        assert (outcome.code, knuthle(*line, "--list", "w.txt", "--quiet").err) == (0, "")
    assert "MB of scores" not in knuthle("suggest", "--list", "w.txt", "crane.bbbbb").err
    monkeypatch.setattr(memory, "available", lambda: 10)
    for line in lines:
        outcome = knuthle(*line, "--list", "w.txt")
        assert outcome.code == 3, line
        assert "is left; free some, or take shorter lists" in outcome.err
