"""Share grids with their words, as they are pasted; what is wrong with them is named."""

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.play.grids import read_shared
from strategy.play.review import read_game
from tests.support import refused

GAME = load_game(["abide", "crane", "raise", "slate", "stare"])
ROWS = ["🟨⬛⬛⬛🟩", "⬛⬛🟩⬛🟩", "🟩🟩🟩🟩🟩"]
WORDS = ["abide", "slate", "crane"]
PLAYED = GAME.parse_state("abide.ybbbg.slate.bbgbg.crane.ggggg")


@pytest.mark.parametrize("heading", [
    "Wordle 1,234 3/6", "Wordle 1.234 3/6*", "Wordle 1\u202f234 3/6", "WORDLE 12 3/6",
    "knuthle nyt-2026 3/6", "",
])  # fmt: skip
def test_words_stand_beside_their_rows_or_in_lines_below_or_above(heading: str) -> None:
    beside = "\n".join(f"{row} {word}" for row, word in zip(ROWS, WORDS, strict=True))
    before = "\r\n".join(f"{word.upper()}: {row}" for row, word in zip(ROWS, WORDS, strict=True))
    below, above = "\n".join(ROWS + WORDS), "\n".join(WORDS + ROWS)
    for text in (beside, before, below, above):
        assert read_game(GAME, f"{heading}\n\n{text}") == PLAYED
    assert read_game(GAME, f"{heading} {GAME.format_state(PLAYED)}") == PLAYED


def test_tiles_may_be_light_or_for_the_colour_blind() -> None:
    for marks in ("⬜🟨🟩", "⬛🟦🟧", "⬜🟦🟧"):
        rows = "\n".join(ROWS).translate(str.maketrans("⬛🟨🟩", marks))
        assert read_game(GAME, f"{rows}\n{' '.join(WORDS)}") == PLAYED
    with_selectors = f"{ROWS[0]} {ROWS[1]}.{ROWS[2]}".replace("⬛", "⬛\ufe0f")
    assert read_game(GAME, f"{with_selectors}\n{' '.join(WORDS)}") == PLAYED


def test_the_star_means_hard_mode() -> None:
    for heading, hard in (("Wordle 1,234 3/6*", True), ("Wordle 1,234 3/6", False), ("", False)):
        found = read_shared(GAME, f"{heading}\n" + "\n".join(ROWS))
        assert found is not None and found.hard is hard and found.words == ()


def test_a_game_that_failed_has_an_x() -> None:
    failed = "Wordle 7 X/6\n" + "\n".join([ROWS[1]] * 6 + ["slate"] * 6)
    history = read_game(GAME, failed)
    assert len(history) == 6 and set(history) == {("slate", PLAYED[1][1])}


@pytest.mark.parametrize(("text", "reason"), [
    (f"{ROWS[0]} abide {ROWS[1]}", "2 rows, but there is 1 word .abide.; write one word for each"),
    (f"Wordle 1 3/6 {ROWS[0]} {ROWS[2]} abide crane", "'Wordle 1 3/6' means 3 rows, .* 2 rows"),
    (f"Wordle 1 2/6 {ROWS[0]} {ROWS[1]} abide crane", "was solved, but no row is all green"),
    (f"Wordle 1 X/1 {ROWS[2]} crane", "was not solved, but the last row is all green"),
    (f"{ROWS[2]} {ROWS[0]} crane abide", "row 1 of the grid is all green"),
    (f"{ROWS[0]} abode", "'abode' is not among the 5 guesses"),
    ("🟨⬛⬛🟩 abide", "has 4 marks"), ("🟨⬛🟧⬛🟩 abide", "mixes notations"),
])  # fmt: skip
def test_what_is_wrong_with_a_grid(text: str, reason: str) -> None:
    refused(WrongInputError, reason, read_game, GAME, text)


def test_codes_have_no_grids() -> None:
    codes = load_game(spec="mastermind:2x4")
    refused(WrongInputError, "only Wordle has share grids", read_shared, codes, "🟨⬛")


def test_a_secret_that_is_known_must_fit_the_grid() -> None:
    text = "\n".join(ROWS[:2] + WORDS[:2])
    assert read_game(GAME, text, "crane") == PLAYED[:2]
    refused(
        WrongInputError, "abide ybbbg does not fit the secret raise", read_game, GAME, text, "raise"
    )
