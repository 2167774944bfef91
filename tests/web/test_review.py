"""Reviews in JavaScript: the same JSON as the command, to the last digit."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from tests.support.asked import (
    MOST_BYTES,
    Pair,
    World,
    answer,
    compare,
    made_words,
    played,
    scored,
    scored_game,
)
from tests.support.node import Engine

LISTS = ("original", "nyt-2022", "nyt-2023")
TILES = "⬛🟨🟩"
#: None, on a slow machine too.
LONGEST = {"timeLimit": 600}


def tiles(game: Game, score: int) -> str:
    return "".join(TILES["byg".index(mark)] for mark in game.format_score(score))


def reviews(count: int, seed: int, wide: bool = False) -> list[Pair]:
    """Reviews of all kinds: scores or the secret, hard mode, share grids with their words."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        name, hard = dice.choice(LISTS), dice.random() < 0.3
        world = World.shipped(name, "allowed" if wide else "answers")
        game = world.game
        pool = game.guesses if dice.random() < 0.1 else game.secrets
        secret = dice.choice(pool)
        words = played(game, dice, secret, dice.choice((1, 2, 3, 4, 6)), hard)
        options: dict[str, Any] = LONGEST | ({"hard": True} if hard else {})
        kind = dice.random()
        if kind < 0.4:
            given = scored(game, words, secret)
            pairs = [[word, score] for word, score in zip(given[::2], given[1::2], strict=True)]
            text = " ".join(given) if kind < 0.2 else pairs
            found.append(world.ask("review", [text, None], given, **options))
        elif kind < 0.7:
            line = [*words, "--secret", secret]
            found.append(world.ask("review", [" ".join(words), secret], line, **options))
        else:
            rows = [tiles(game, game.grade(word, secret)) for word in words]
            star = "*" if hard and kind < 0.9 else ""
            end = len(words) if words[-1] == secret else "X"
            limit = max(6, len(words)) if words[-1] == secret else len(words)
            heading = f"Wordle 1,234 {end}/{limit}{star}"
            grid = "\n".join([heading, "", *rows, *words])
            found.append(world.ask("review", [grid, None], [grid], **options))
    return found


def reviews_of_few(folder: Path, count: int, seed: int) -> list[Pair]:
    """Games over some words of a list: all of their states are searched to the end."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        whole = load_game(dice.choice(("original", "nyt-2026")))
        guesses = sorted(dice.sample(whole.guesses, dice.choice((500, 2000, 4000))))
        secrets = sorted(dice.sample(guesses, dice.choice((60, 250, 500))))
        world, hard = World.of(folder, guesses, secrets), dice.random() < 0.5
        secret = dice.choice(secrets)
        most = dice.choice((2, 3, 4, 6))
        found.append(world.review(scored_game(world.game, dice, most, hard, secret), hard))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("whole", "few"), [(4, 6), pytest.param(15, 35, marks=pytest.mark.nightly(45))]
)
def test_review_answers_as_the_command_does(
    engine: Engine, tmp_path: Path, whole: int, few: int
) -> None:
    """Over whole lists, and over some of their words, where no figure is an upper limit."""
    compare(engine, reviews(whole, whole) + reviews_of_few(tmp_path, few, whole))


@pytest.mark.long
def test_all_allowed_words_as_secrets(engine: Engine) -> None:
    compare(engine, reviews(1, 3, wide=True))


def test_a_secret_that_is_no_likely_answer(engine: Engine, tmp_path: Path) -> None:
    guesses, answers = load_game("original").guesses[::8], set(load_game("original").secrets)
    likely = [word for word in guesses if word in answers]
    world = World.of(tmp_path, guesses, likely)
    secret = next(word for word in guesses[800:] if word not in answers)
    given = [" ".join(likely[9:11]), secret.upper(), {}]
    compare(engine, [world.ask("review", given, [*likely[9:11], "--secret", secret])])


@pytest.mark.parametrize("hard", [False, True])
def test_games_over_few_words(engine: Engine, tmp_path: Path, hard: bool) -> None:
    """So few that every guess is searched to its end."""
    dice, world = random.Random(7), World.of(tmp_path, load_game("original").secrets[::8])
    games = [scored_game(world.game, dice, most, hard) for most in (1, 2, 3, 4)]
    compare(engine, [world.review(given, hard) for given in games])


def test_share_grids_without_words(engine: Engine) -> None:
    dice, world, pairs = random.Random(4), World.shipped("nyt-2026"), list[Pair]()
    starred = "Wordle 1,234 2/6*\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩"
    for number in (1, 3, 5):
        secret = dice.choice(world.game.secrets)
        words = played(world.game, dice, secret, number, hard=False)
        text = "\n".join(tiles(world.game, world.game.grade(word, secret)) for word in words)
        pairs.append(world.ask("review", [text], [text]))
        pairs.append(world.ask("review", [text, secret], [text, "--secret", secret]))
    compare(engine, [*pairs, world.ask("review", [starred], [starred])])


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mastermind:4x6", "mastermind:3x5:distinct"])
def test_mastermind(engine: Engine, spec: str) -> None:
    dice, world, pairs = random.Random(5), World.codes(spec), list[Pair]()
    for number in (1, 2, 3, 4, 7):
        secret = dice.choice(world.game.secrets)
        words = played(world.game, dice, secret, number, hard=False)
        given, line = scored(world.game, words, secret), [*words, "--secret", secret]
        pairs.append(world.ask("review", [" ".join(given)], given))
        pairs.append(world.ask("review", [" ".join(words), secret], line))
    compare(engine, pairs)


ERRORS = [
    (["crane bybbb shout"], ["crane", "bybbb", "shout"]),
    (["crane sloth"], ["crane", "sloth"]),
    (["crane bybbb", "crane"], ["crane", "bybbb", "--secret", "crane"]),
    (["crane ggggg sloth bbbbb"], ["crane", "ggggg", "sloth", "bbbbb"]),
    (["crane bgbbb sloth bbbbb", None, {"hard": True}],
     ["crane", "bgbbb", "sloth", "bbbbb", "--hard"]),
    (["Wordle 1,234 3/6\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩"],) * 2,
    (["Wordle 1,234 2/6\n⬛🟨⬛⬛⬛\n⬛🟨⬛⬛⬛"],) * 2,
    (["Wordle 1,234 X/2\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩"],) * 2,
    (["🟩🟩🟩🟩🟩\n⬛🟨⬛⬛⬛"],) * 2,
    (["⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩 crane"],) * 2,
    (["⬛🟨⬛⬛⬛ 🟩🟩🟩🟩🟨"],) * 2,
    (["⬛🟨⬛⬛⬛ 🟩🟩🟩🟩🟩", None, {"hard": True}], ["⬛🟨⬛⬛⬛ 🟩🟩🟩🟩🟩", "--hard"]),
    (["crane bybbb shout bbgbb forty bggbb"], ["crane.bybbb.shout.bbgbb.forty.bggbb"]),
    (["x" * 5_001],) * 2,
]  # fmt: skip


@pytest.mark.parametrize(("question", "args"), ERRORS)
def test_what_is_wrong_is_refused_as_by_the_command(
    engine: Engine, question: list[Any], args: list[str]
) -> None:
    compare(engine, [(({"list": "nyt-2026"}, "review", question), ["review", *args])])


def test_lists_of_all_kinds(engine: Engine) -> None:
    unlike, long = made_words(8, 600, "abcdefgh"), made_words(7, 300, "abcdefghij")
    for words in (unlike, long, ["ab"], ["αβγδε", "βαγδε", "γαβδε"]):
        game = {"guesses": words, "secrets": words}
        found = answer(engine, (game, "review", [words[:1], words[-1]]))
        assert found["answer"]["guesses"][0]["word"] == words[0]
    assert engine.ask("memory") < MOST_BYTES
