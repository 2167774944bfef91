"""What is refused for its size, and what is said of it before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from solver import memory
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.repair.deciders import decider_for
from solver.game.load import load_game
from solver.rules.searcher import Searcher
from solver.splits import limits
from strategy.build.by_rule import Settings, solve
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
    monkeypatch.setattr(memory, "available", lambda: None)
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
