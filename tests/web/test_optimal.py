"""Best strategies in JavaScript: the bytes of ``solve-all --rule optimal``."""

import random
from functools import partial

import pytest

from solver.words.lists import named_list
from tests.support.asked import MOST_BYTES, made_words, solved_alike
from tests.support.node import Engine

#: The strategies of least total.
compare = partial(solved_alike, rule="optimal")


@pytest.mark.parametrize(("name", "start", "hard"), [
    ("original", "salet", False), ("original", "salet,courd", False),
    *(
        pytest.param("original", *it, marks=pytest.mark.slow(60))
        for it in (("crane", False), ("lares", False), ("salet", True), ("raise", True))
    ),
    pytest.param("nyt-2023", "raise", False, marks=pytest.mark.long),
    pytest.param("original", "jumpy", False, marks=pytest.mark.long(45)),
    *(
        pytest.param("original", *it, marks=pytest.mark.nightly(80))
        for it in (("jumpy", True), ("fuzzy", True), ("auto", False))
    ),
])  # fmt: skip
def test_shipped_lists(engine: Engine, name: str, start: str, hard: bool) -> None:
    """In hard mode some answer cannot be found in six guesses after RAISE.

    After JUMPY and FUZZY states of 400 answers and more are raced, as the command does; SALET is
    the best of all 12,972 first guesses.
    """
    assert compare(engine, name, start, hard) == ((start, hard) != ("raise", True))
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.slow
@pytest.mark.parametrize("hard", [False, True])
def test_a_poor_opener_of_some_answers(engine: Engine, hard: bool) -> None:
    """Some 600 answers stay together."""
    words = named_list("original", "answers").words
    secrets = [word for word in words if not set(word) & set("jumpy")][:600]
    guesses = sorted({*secrets, *words[::4], "jumpy"})
    assert compare(engine, guesses, "jumpy", hard, secrets=secrets)


def test_the_best_first_word_of_five_hundred(engine: Engine) -> None:
    dice = random.Random(5)
    secrets = sorted(dice.sample(named_list("original", "answers").words, 500))
    guesses = sorted({*secrets, *dice.sample(named_list("original", "allowed").words, 1500)})
    assert compare(engine, guesses, "auto", secrets=secrets)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("guess_from", ["allowed", "secrets"])
@pytest.mark.parametrize("drawn", [False, True])
def test_small_lists(engine: Engine, hard: bool, guess_from: str, drawn: bool) -> None:
    """After a first word that is drawn, or after the best one."""
    dice, found = random.Random(8), []
    for seed in range(6):
        count = 60 if seed < 2 else 240
        words = made_words(2 + seed, count, "abcdefghimnorst", seed + 70 * (not drawn))
        secrets = words[::2] if seed % 2 else words
        start = dice.choice(secrets) if drawn else "auto"
        found.append(compare(engine, words, start, hard, guess_from, secrets))
    assert True in found


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("first", [True, False])
def test_lists_of_words_that_are_alike(engine: Engine, hard: bool, first: bool) -> None:
    """Ties, few words, and lists that cannot be solved in six guesses after any first word."""
    worlds = [made_words(4, count, "abc", count) for count in (1, 2, 3, 5, 12, 30, 60, 80)]
    found = [compare(engine, words, words[0] if first else "auto", hard) for words in worlds]
    ight = [f"{letter}ight" for letter in "bdefhlmnrstw"]
    assert not compare(engine, ight, "might" if first else "auto", hard)
    assert True in found


def test_several_first_guesses(engine: Engine) -> None:
    words = made_words(5, 250)
    assert compare(engine, words, ",".join(words[:3]))
    assert compare(engine, words, ",".join(words[4:8:2]), guess_from="secrets", secrets=words[::2])
    assert not compare(engine, words, ",".join(words[:6]))
    assert compare(engine, words[:1], words[0])


@pytest.mark.parametrize(("spec", "start"), [
    ("3x4", "auto"), ("3x5:distinct", "123,345"), ("2x9", "12"), ("1x9", "auto"),
    pytest.param("4x4", "auto", marks=pytest.mark.slow),
    pytest.param("4x6", "1122", marks=pytest.mark.slow),
])  # fmt: skip
def test_mastermind(engine: Engine, spec: str, start: str) -> None:
    """Within six guesses some code of 1x9 is not found."""
    assert compare(engine, f"mastermind:{spec}", start) == (spec != "1x9")
