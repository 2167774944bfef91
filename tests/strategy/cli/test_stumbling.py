"""What players stumbled over: each line that was typed, and what is said now."""

import json
import shlex
import time
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.machine.clock import compile_time, working_cpu
from solver.words.lists import did_you_mean
from strategy import suggest
from strategy.play.helper import FIRST_WORDS
from tests.support import refused
from tests.support.commands import Knuthle

GRID = "🟨⬛⬛⬛🟩 🟩🟩🟩🟩🟩"


@pytest.mark.parametrize(("word", "likely", "meant"), [
    ("crxne", ["crane", "crone"], "crane or crone or crine"),
    ("crxne", ["cryne"], "cryne or crane or crine"),
    ("crsne", ["crane", "crone"], "crane or crone or crine"),  # A lies beside S
    ("sltae", ["slate"], "slate"), ("slat", [], "slate"),
])  # fmt: skip
def test_the_word_that_was_meant(word: str, likely: list[str], meant: str) -> None:
    known = sorted(["crane", "crone", "crine", "cryne", "slate"])
    assert did_you_mean(word, known, likely=likely) == f"; did you mean {meant}?"


def test_play_takes_no_share_grid_for_its_own_words(knuthle: Knuthle, tiny: Path) -> None:
    row, green = GRID.split()
    for text in (f"Wordle 1,234 2/6*\n\n{row}\n{green}\n", f"{GRID}\n"):
        said = knuthle("play", "--list", tiny, typed=text)
        assert "a share grid does not say what was guessed" in said.err
        assert "solved" not in said.out and "knuthle play" not in said.out.splitlines()[-1]
    alone = knuthle("play", "--list", tiny, typed=f"{green}\n")
    assert "solved" in alone.out, "a row alone is the reply to the proposed word"


def test_play_opens_in_words_and_not_in_bits(knuthle: Knuthle) -> None:
    said = knuthle("play", typed="why\ncrxne\n")
    assert "try TRACE  3.5699 guesses expected, exact; it could be the answer" in said.out
    assert "TRACE: a common word, 3.5699 guesses on average, at most 0.02 more" in said.out
    assert "start knuthle play --allow-unknown to guess it all the same" in said.err
    said = knuthle("play", "--hard", typed="")
    assert "try TARSE  leaves about 1 word in 59" in said.out and "bits" not in said.out


@pytest.mark.slow
@pytest.mark.parametrize(("options", "best"), [((), "tarse"), (("--used",), "sater")])
def test_first_words_cost_little(knuthle: Knuthle, options: tuple[str, ...], best: str) -> None:
    """Each mean is found anew, and is at most 0.02 guesses a game above the best one known."""
    word, mean = list(FIRST_WORDS.values())[bool(options)]
    command = "optimal", "--list", "nyt-2026", *options, "--json", "-", "--start"
    found, least = (json.loads(knuthle(*command, it).out)["mean"] for it in (word, best))
    assert found == pytest.approx(mean) and least <= mean <= least + 0.02
    assert f"try {word.upper()}  {mean:.4f}" in knuthle("play", *options, typed="").out


@pytest.mark.parametrize(("line", "text"), [
    ("suggest --top 1", "it leaves 100.1 words on average."),
    ("openers crane", "against 3,160 answers"),
    (f"review 'Wordle 1,234 2/6* {GRID}'", "answers of 3,160 can have such a grid"),
])  # fmt: skip
def test_what_is_left_are_words(knuthle: Knuthle, line: str, text: str) -> None:
    """And the star of a grid without words is no option."""
    said = knuthle(*shlex.split(line))
    assert said.code == 0 and text in said.out


def test_clues_as_texts_in_python() -> None:
    game = load_game("nyt-2026")
    assert suggest(game, ["crane", "bybbb"], top=1) == suggest(game, "crane bybbb", top=1)
    mixed: Any = [("crane", "bybbb"), "sloth"]
    refused(WrongInputError, "'sloth' stands between pairs", suggest, game, mixed)


def test_grey_is_grey_in_any_notation() -> None:
    game = load_game()
    for text in ("bybbx", "xybb-", "b1bb0", "bpbxx", "_y-bx"):
        assert game.format_score(game.parse_score(text)) == "bybbb", text


def test_compiling_is_no_processor_time_of_a_sweep() -> None:
    before = working_cpu()
    with compile_time.counted():
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
    assert working_cpu() - before < 0.1
