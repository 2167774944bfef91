"""Best strategies in JavaScript: the bytes of ``solve-all --rule optimal``."""

import random
from functools import partial
from typing import Any

import pytest

from solver.game.load import load_game
from solver.words.lists import named_list
from strategy.files import strategy_file
from strategy.solving.by_rule import Settings, solve
from tests.support.node import Engine, JavaScriptError
from tests.web.test_solve import MOST_BYTES, made_words, solved_alike

#: Openers of the classic list: one is compared always, the others where there is time.
QUICK, OTHERS = ("salet", ("crane", "lares"))


#: The strategies of least total.
compare = partial(solved_alike, rule="optimal")


def test_the_classic_list(engine: Engine) -> None:
    assert compare(engine, "original", QUICK)
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.slow(60)
@pytest.mark.parametrize("start", OTHERS)
def test_more_openers_of_the_classic_list(engine: Engine, start: str) -> None:
    assert compare(engine, "original", start)


@pytest.mark.slow(60)
@pytest.mark.parametrize("start", [QUICK, "raise"])
def test_the_classic_list_in_hard_mode(engine: Engine, start: str) -> None:
    """After RAISE some answer cannot be found in six guesses."""
    assert compare(engine, "original", start, hard=True) == (start != "raise")


@pytest.mark.long
@pytest.mark.parametrize("start", ["raise"])
def test_the_list_of_today(engine: Engine, start: str) -> None:
    assert compare(engine, "nyt-2023", start)
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.long
@pytest.mark.parametrize(("start", "hard"), [("jumpy", False), ("jumpy", True), ("fuzzy", True)])
def test_openers_that_leave_most_answers_together(engine: Engine, start: str, hard: bool) -> None:
    """States of 400 answers and more are raced, as the command does."""
    assert compare(engine, "original", start, hard)
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
def test_a_poor_opener_of_some_answers(engine: Engine, hard: bool) -> None:
    """Some 600 answers stay together."""
    words = named_list("original", "answers").words
    secrets = [word for word in words if not set(word) & set("jumpy")][:600]
    guesses = sorted({*secrets, *words[::4], "jumpy"})
    assert compare(engine, guesses, "jumpy", hard, secrets=secrets)


# ---- Without a first word


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("guess_from", ["allowed", "secrets"])
def test_the_best_first_word(engine: Engine, hard: bool, guess_from: str) -> None:
    found = []
    for seed in range(6):
        length = 2 + seed
        words = made_words(length, 40 if length < 4 else 200, "abcdefghimnorst", 70 + seed)
        secrets = words[::2] if seed % 2 else words
        found.append(compare(engine, words, "auto", hard, guess_from, secrets))
    assert True in found


@pytest.mark.parametrize("hard", [False, True])
def test_the_best_first_word_of_words_that_are_alike(engine: Engine, hard: bool) -> None:
    """Ties, few words, and lists that cannot be solved in six guesses from any first word."""
    worlds = [made_words(4, count, "abc", count) for count in (1, 2, 3, 5, 12, 30, 60)]
    found = [compare(engine, words, "auto", hard) for words in worlds]
    ight = [f"{first}ight" for first in "bdefhlmnrstw"]
    found.append(compare(engine, ight, "auto", hard))
    assert not found.pop() and True in found


def test_the_best_first_word_of_five_hundred(engine: Engine) -> None:
    dice = random.Random(5)
    secrets = sorted(dice.sample(named_list("original", "answers").words, 500))
    guesses = sorted({*secrets, *dice.sample(named_list("original", "allowed").words, 1500)})
    assert compare(engine, guesses, "auto", secrets=secrets)


@pytest.mark.long(300)
def test_the_best_first_word_of_the_classic_list(engine: Engine) -> None:
    """All 12,972 first guesses; SALET is the best of them."""
    assert compare(engine, "original", "auto")
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("guess_from", ["allowed", "secrets"])
def test_small_lists(engine: Engine, hard: bool, guess_from: str) -> None:
    dice, found = random.Random(8), []
    for seed in range(6):
        length = 2 + seed
        words = made_words(length, 60 if length < 4 else 240, "abcdefghimnorst", seed)
        secrets = words[::2] if seed % 2 else words
        start = dice.choice(secrets)
        found.append(compare(engine, words, start, hard, guess_from, secrets))
    assert True in found


@pytest.mark.parametrize("hard", [False, True])
def test_lists_of_words_that_are_alike(engine: Engine, hard: bool) -> None:
    """Few letters: the worst case matters, and some lists cannot be solved in six guesses."""
    found = {
        compare(
            engine, made_words(4, count, "abc", seed), made_words(4, count, "abc", seed)[0], hard
        )
        for seed, count in enumerate((3, 5, 12, 30, 60, 80))
    }
    ight = [f"{first}ight" for first in "bdefhlmnrstw"]
    assert not compare(engine, ight, "might", hard)
    assert True in found


def test_several_first_guesses(engine: Engine) -> None:
    words = made_words(5, 250)
    assert compare(engine, words, ",".join(words[:3]))
    assert compare(engine, words, ",".join(words[4:8:2]), guess_from="secrets", secrets=words[::2])
    assert not compare(engine, words, ",".join(words[:6]))
    assert compare(engine, words[:1], words[0])


def test_two_first_guesses_of_the_classic_list(engine: Engine) -> None:
    assert compare(engine, "original", "salet,courd")


@pytest.mark.parametrize(
    ("spec", "board", "start"),
    [
        ("mastermind:3x4", {"holes": 3, "colours": 4}, "auto"),
        ("mastermind:3x5:distinct", {"holes": 3, "colours": 5, "distinct": True}, "123,345"),
        ("mastermind:2x9", {"holes": 2, "colours": 9}, "12"),
        ("mastermind:1x9", {"holes": 1, "colours": 9}, "auto"),
        pytest.param("mastermind:4x4", {"holes": 4, "colours": 4}, "auto", marks=pytest.mark.slow),
        pytest.param("mastermind:4x6", {"holes": 4, "colours": 6}, "1122", marks=pytest.mark.slow),
    ],
)
def test_mastermind(engine: Engine, spec: str, board: dict[str, Any], start: str) -> None:
    game, options = {"kind": "mastermind", **board}, {"start": start, "rule": "optimal"}
    if spec == "mastermind:1x9":
        with pytest.raises(JavaScriptError, match="within 6 is impossible from any first guess"):
            engine.ask("solve", options, game=game)
        return
    expected = solve(load_game(spec=spec), Settings(start=start, rule="optimal")).strategy
    assert engine.ask("solve", options, game=game) == strategy_file.to_bytes(expected.contents)
