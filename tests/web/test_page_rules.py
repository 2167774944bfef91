"""What the page decides without a kernel, in node: colours, hard mode, wrong tiles, drawn words."""

import datetime
import json
import random
from typing import Any

import pytest

from solver.game.load import load_game
from solver.game.wordle import legal_after
from strategy.play.game import Hidden
from tests.support.asked import made_words
from tests.support.commands import KNUTHLE, ran
from tests.support.naive import grade
from tests.support.node import Engine

#: Few letters, so that many words have a letter twice.
LETTERS = "abcde"
COLOURS = "byg"


def page(engine: Engine, module: str, name: str, *args: Any) -> Any:
    """What a function of the page answers."""
    return engine.ask("page", module, name, *args)


def marks_of(score: int, length: int) -> list[int]:
    return [score // 3**at % 3 for at in range(length)]


def test_words_are_graded_as_everywhere(engine: Engine) -> None:
    words = made_words(5, 60, LETTERS)
    for guess in words:
        for secret in words[::7]:
            expected = marks_of(grade(guess, secret), 5)
            assert page(engine, "clues", "grade", guess, secret) == expected, (guess, secret)


def test_hard_mode_forbids_what_the_solver_forbids(engine: Engine) -> None:
    words = made_words(5, 150, LETTERS)
    game, dice = load_game(words), random.Random(1)
    for _ in range(40):
        secret = dice.choice(words)
        guesses = dice.sample(words, dice.choice((1, 2)))
        rows = [{"word": it, "marks": [marks_of(game.grade(it, secret), 5)]} for it in guesses]
        history = [(game.guess_id(it), game.grade(it, secret)) for it in guesses]
        legal = {game.guesses[at] for at in legal_after(game, history)}
        for word in dice.sample(words, 25):
            said = page(engine, "clues", "illegal", word, rows)
            assert (said is None) == (word in legal), (word, rows, said)


def test_the_tile_that_may_be_wrong_is_the_one_that_was_changed(engine: Engine) -> None:
    words = made_words(5, 80, "abcdefg")
    dice = random.Random(2)
    for _ in range(25):
        secret, guesses = dice.choice(words), dice.sample(words, 3)
        rows: list[dict[str, Any]] = [
            {"word": it, "marks": [marks_of(grade(it, secret), 5)]} for it in guesses
        ]
        at, row = dice.randrange(5), dice.randrange(3)
        true = rows[row]["marks"][0][at]
        rows[row]["marks"][0][at] = (true + dice.choice((1, 2))) % 3
        said = {
            (it["row"], it["at"], it["mark"]): it["count"]
            for it in page(engine, "clues", "wrongTiles", rows, 0, words)
        }
        assert said == naive_wrong_tiles(rows, words)
        fits = [word for word in words if all(fit(word, it) for it in rows)]
        assert fits or (row, at, true) in said


def fit(word: str, row: dict[str, Any]) -> bool:
    marks: list[int] = row["marks"][0]
    return marks_of(grade(row["word"], word), len(word)) == marks


def naive_wrong_tiles(rows: list[Any], words: list[str]) -> dict[tuple[int, int, int], int]:
    """How many words fit if one tile is changed: each tile, each colour that it does not have."""
    found = {}
    for number, row in enumerate(rows):
        for at, mark in ((at, mark) for at in range(5) for mark in range(3)):
            if mark == row["marks"][0][at]:
                continue
            marks = [*row["marks"][0][:at], mark, *row["marks"][0][at + 1 :]]
            changed = [*rows[:number], {**row, "marks": [marks]}, *rows[number + 1 :]]
            count = sum(all(fit(word, it) for it in changed) for word in words)
            if count:
                found[number, at, mark] = count
    return found


@pytest.mark.parametrize("text", [
    "bybgg", "BYBGG", "01022", "⬛🟨⬛🟩🟩", "⬜🟨⬜🟩🟩", "⬛️🟨⬛️🟩🟩", ".y.gg", "-?-!!", "xyxgg",
    "⬛🟦⬛🟧🟧",
])  # fmt: skip
def test_colours_are_read_as_people_write_them(engine: Engine, text: str) -> None:
    assert load_game("original").format_score(load_game("original").parse_score(text)) == "bybgg"
    assert page(engine, "clues", "marksFrom", text, 5) == [0, 1, 0, 2, 2]


@pytest.mark.parametrize(("text", "count"), [
    ("crane bybbb", 1), ("CRANE BYBBB\nslate, gybbb", 2), ("crane.bybbb.slate.gybbb", 2),
    ("crane ⬛🟨⬛⬛⬛", 1), ("crane", None), ("crane slate", None), ("cr bybbb", None), ("", 0),
    ("crane ggggg slate gybbb", None), ("crane bybbb crane", None),
])  # fmt: skip
def test_pasted_clues(engine: Engine, text: str, count: int | None) -> None:
    rows = page(engine, "clues", "cluesFrom", text, 5)
    assert (None if rows is None else len(rows)) == count
    if rows:
        assert rows[0] == {"word": "crane", "marks": [[0, 1, 0, 0, 0]]}


def test_a_share_grid_is_told_from_the_rest(engine: Engine) -> None:
    text = "Wordle 1,234 2/6*\n\n⬛️🟨⬛️⬛️⬛️\n🟩🟩🟩🟩🟩\ncrane ruddy"
    found = page(engine, "clues", "gridFrom", text, 5)
    assert found["rows"] == [[0, 1, 0, 0, 0], [2, 2, 2, 2, 2]]
    assert found["rest"] == ["Wordle", "1,234", "2/6*", "crane", "ruddy"]


def test_words_are_drawn_as_python_draws_them(engine: Engine) -> None:
    dice = random.Random(3)
    for _ in range(150):
        seed = dice.choice((dice.randrange(2**32), dice.randrange(2**53), dice.randrange(100)))
        limit = dice.choice((1, 2, 20, 90, 3_158, 14_855, 100_000))
        count = min(limit, dice.choice((1, 1, 2, 4, 8, 32)))
        expected = random.Random(seed).sample(range(limit), count)
        assert page(engine, "random", "sample", seed, limit, count) == expected, (seed, limit)


def test_the_word_of_the_day_is_that_of_the_command(engine: Engine) -> None:
    """On any date, for any list and number of boards."""
    dice = random.Random(4)
    games = [load_game(name, "answers") for name in ("original", "nyt-2022", "nyt-2026")]
    for _ in range(120):
        date = datetime.date(2024, 1, 1) + datetime.timedelta(days=dice.randrange(4_000))
        seed, game = int(date.strftime("%Y%m%d")), dice.choice(games)
        boards = dice.choice((1, 1, 2, 4))
        host = Hidden.drawn(game, boards, seed)
        drawn = page(engine, "random", "sample", seed, len(game.secrets), boards)
        solved = [host.answer(k, game.secrets[at]) == game.solved for k, at in enumerate(drawn)]
        assert all(solved), (date, boards)
    words = games[-1].secrets
    (at,) = page(engine, "random", "sample", 20261123, len(words), 1)
    done = ran([*KNUTHLE, "game", "--seed", "20261123", "--json", "-"])  # it says the word
    assert json.loads(done.stdout)["boards"][0]["secrets"] == [words[at]]


@pytest.mark.parametrize(("text", "words", "said"), [
    ("crane slate", ["crane", "slate"], "2 words of 5 letters."),
    ("Crane\r\nSLATE crane\n", ["crane", "slate"], "2 words of 5 letters."),
    ("crane, slate; it's a two", ["crane", "slate"],
     "2 words of 5 letters; 1 word of other lengths left out."),
    ("\ufeffcrane \u202eslate\u202c", ["crane", "slate"], "2 words of 5 letters."),
    ("<b>bold</b> <i>idea", ["bold", "idea"], "2 words of 4 letters."),
    ("привет мирный", ["мирный", "привет"], "2 words of 6 letters."),
    ("ΛΌΓΟΣ λόγος", ["λόγοσ"], "1 word of 5 letters."),
    ("שלום עולם", ["עולם", "שלום"], "2 words of 4 letters."),
    ("e\u0301tude \u00e9tude", ["\u00e9tude"], "1 word of 5 letters."),
])  # fmt: skip
def test_the_words_of_a_text(engine: Engine, text: str, words: list[str], said: str) -> None:
    found = page(engine, "reading", "wordsIn", text)
    assert (found["words"], found["note"]) == (words, said)
