"""A small game, and its lists as they are kept in a folder of the user."""

from pathlib import Path

import pytest

from .worlds import game_of

WORDS = ["aab", "abb", "abc", "acb", "bab", "bca", "cab", "cba", "ccb", "bbc"]
GAME = game_of(WORDS, WORDS[:7])
GUESSES, SECRETS = list(GAME.guesses), list(GAME.secrets)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept lists, with those of the game."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "knuthle" / "lists"
    folder.mkdir(parents=True)
    for name, words in (("mine-allowed", GUESSES), ("mine-answers", SECRETS)):
        (folder / f"{name}.txt").write_text("\n".join(words) + "\n")
    (folder / "alone-allowed.txt").write_text("ab\ncd")
    return folder
