"""What the tests share: the big strategies are built once, small worlds are drawn at random."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from solver.game import Game, WordleGame, load_game
from solver.words import named_list
from strategy.build import Settings, Solved, solve

settings.register_profile(
    "knuthle", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("knuthle")


def small_game(seed: int, guesses: int, secrets: int) -> Game:
    """A Wordle game over a random part of the original list."""
    draw = random.Random(seed)
    words = draw.sample(named_list("original", "allowed").words, guesses)
    hidden = draw.sample(words, secrets)
    return WordleGame("random", "random", tuple(sorted(words)), tuple(sorted(hidden)))


@pytest.fixture(scope="session")
def lares() -> Solved:
    """The main job."""
    return solve(load_game(secrets="allowed"), Settings(start=("lares",)))


@pytest.fixture(scope="session")
def lares_file(lares: Solved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The main job's file."""
    path = tmp_path_factory.mktemp("lares file") / lares.strategy.origin.file_name
    lares.strategy.save(path)
    return path
