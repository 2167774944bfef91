"""What the tests share: big strategies built once, small worlds, commands as people run them."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.game.words import named_list
from strategy import cli
from strategy.build.by_rule import Settings, Solved, solve

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


Knuthle = Callable[..., "Outcome"]


class Outcome:
    """What a command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err


@pytest.fixture
def knuthle(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Knuthle:
    """Run a command in an empty directory of its own."""
    folder = tmp_path / "empty dir"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = cli.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return run


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A list that is solved in no time."""
    path = tmp_path / "tiny list.txt"
    path.write_text("\n".join(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"]))
    return path
