"""Files of weights: what they mean, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.errors import BadFileError
from strategy.play.weights import read_weights, weighted_game

WORDS = ["abide", "crane", "raise", "slate", "stare"]
FORMS = "# of my own\nCrane 3\n\nslate, 2.5 # often\n  raise\t5e-1\nabide,0\r\n"


@pytest.fixture
def file_of(tmp_path: Path) -> Callable[[bytes | str], Path]:
    """A file with such a content."""

    def make(content: bytes | str) -> Path:
        path = tmp_path / "my weights.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return make


def test_words_and_weights_in_every_form(file_of: Callable[[str], Path]) -> None:
    game = load_game(WORDS)
    assert read_weights(file_of(FORMS), game).tolist() == [0, 3, 0.5, 2.5, 0]
    assert read_weights(file_of("\ufeff" + FORMS), game).tolist() == [0, 3, 0.5, 2.5, 0]
    assert read_weights({"Crane": 1, "slate": 2}, game).tolist() == [0, 1, 0, 2, 0]


def test_what_has_no_weight_is_no_secret(file_of: Callable[[str], Path]) -> None:
    game = load_game(WORDS, ["crane", "slate", "abide"])
    found = weighted_game(game, file_of(FORMS))
    assert found.game.secrets == ("crane", "slate")
    assert found.game.guesses == game.guesses
    assert found.weights.tolist() == [3, 2.5]
    assert (found.n_left_out, found.n_no_secrets) == (1, 1)
    assert found.about() == (
        "expected over 2 secrets by weight, 1 without weight left out; "
        "1 weight of words that are no secrets does not count"
    )
    assert found.public() == {"count": 2, "n_left_out": 1, "n_no_secrets": 1}
    every = weighted_game(load_game(["crane", "slate"]), {"crane": 1, "slate": 1})
    assert every.about() == "expected over 2 secrets by weight"


def test_mastermind_codes(file_of: Callable[[str], Path]) -> None:
    found = weighted_game(load_game(spec="mastermind:2x3"), file_of("12 1\n33 2\n"))
    assert found.game.secrets == ("12", "33")
    assert found.game.code_space is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("crane 1\nslat 2\n", "my weights.txt:2: 'slat' is not among the 5 guesses of words"),
        ("crain 1\n", "did you mean crane"),
        ("crane 1\ncrane 2\n", "my weights.txt:2: 'crane' has a weight already"),
        ("crane -1\n", "my weights.txt:1: a weight is a finite number from 0, not -1"),
        ("crane 1e999\n", "a weight is a finite number from 0, not inf"),
        ("crane nan\n", "my weights.txt:1: 'nan' is no weight"),
        ("crane 1_0\n", "'1_0' is no weight"),
        ("crane ١\n", "is no weight"),
        ("crane\n", "expected a word and its weight, found 'crane'"),
        ("crane 1 2\n", "expected a word and its weight"),
        (",1\n", "expected a word and its weight"),
        ("\x1b[2J 1\n", r"'\\x1b\[2j' is not among"),
        ("", "no secret of words .allowed. has a weight above 0"),
        ("crane 0\n", "no secret of words .allowed. has a weight above 0"),
        (b"crane 1\n\xff\xfe 2\n", "my weights.txt:2: not a text file"),
    ],
)
def test_faults_are_named(
    file_of: Callable[[bytes | str], Path], content: bytes | str, reason: str
) -> None:
    with pytest.raises((WrongInputError, BadFileError), match=reason):
        read_weights(file_of(content), load_game(WORDS))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadFileError, match="no file.txt: No such file"):
        read_weights(tmp_path / "no file.txt", load_game(WORDS))
    with pytest.raises(BadFileError, match="Is a directory"):
        read_weights(tmp_path, load_game(WORDS))
