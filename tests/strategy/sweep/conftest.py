"""What tests of sweeps share."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from tests.support.sweeps import KINDS, WORDS, Cluster


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    with contextlib.closing(Cluster(tmp_path)) as found:
        yield found


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game(WORDS)


@pytest.fixture(scope="module")
def wholes(game: Game, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What one process makes of it, undisturbed, by the names of the kinds."""
    folder = tmp_path_factory.mktemp("whole")
    for name, kind in KINDS.items():
        kind.sweep(game, folder / name, workers=1)
    return {name: folder / name for name in KINDS}
