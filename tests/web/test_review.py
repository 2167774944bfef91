"""Reviews in JavaScript: the same JSON as the command, to the last digit."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame, legal_after
from tests.support.node import Engine
from tests.web.test_advice import MOST_BYTES, Question, answer, compare

LISTS = ("original", "nyt-2022", "nyt-2023")
TILES = "⬛🟨🟩"


def played(game: Game, dice: random.Random, secret: str, most: int, hard: bool) -> list[str]:
    """Words that somebody guesses, of whom not all is known: good ones, bad ones, the secret."""
    words, history = list[str](), list[tuple[int, int]]()
    for _ in range(most):
        legal = legal_after(game, history) if hard else None
        pool = game.guesses if legal is None else [game.guesses[guess] for guess in legal]
        fitting = [
            word for word in game.secrets
            if all(game.grade(game.guesses[guess], word) == score for guess, score in history)
        ]  # fmt: skip
        word = dice.choice(fitting if fitting and dice.random() < 0.6 else pool)
        words.append(word)
        history.append((game.guess_id(word), game.grade(word, secret)))
        if word == secret:
            break
    return words


def scored(game: Game, words: list[str], secret: str) -> list[str]:
    return [part for word in words for part in (word, game.format_score(game.grade(word, secret)))]


def tiles(game: WordleGame, score: int) -> str:
    return "".join(TILES["byg".index(mark)] for mark in game.format_score(score))


def reviews(count: int, seed: int, wide: bool = False) -> list[tuple[Question, list[str]]]:
    """Reviews of all kinds: scores or the secret, hard mode, share grids with their words."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        name, hard = dice.choice(LISTS), dice.random() < 0.3
        secrets = "allowed" if wide else "answers"
        game = load_game(name, secrets=secrets)
        assert isinstance(game, WordleGame)
        pool = game.guesses if dice.random() < 0.1 else game.secrets
        secret = dice.choice(pool)
        words = played(game, dice, secret, dice.choice((1, 2, 3, 4, 6)), hard)
        args = ["--list", name, "--secrets", secrets, *(["--hard"] if hard else [])]
        args += ["--time-limit", "600"]  # none, on a slow machine too
        options: dict[str, Any] = {"timeLimit": 600} | ({"hard": True} if hard else {})
        kind = dice.random()
        question: list[Any]
        if kind < 0.4:
            given = scored(game, words, secret)
            pairs = [[word, score] for word, score in zip(given[::2], given[1::2], strict=True)]
            question = [" ".join(given) if kind < 0.2 else pairs, None, options]
            args = [*given, *args]
        elif kind < 0.7:
            question, args = [" ".join(words), secret, options], [*words, "--secret", secret, *args]
        else:
            rows = [tiles(game, game.grade(word, secret)) for word in words]
            star = "*" if hard and kind < 0.9 else ""
            end = len(words) if words[-1] == secret else "X"
            limit = max(6, len(words)) if words[-1] == secret else len(words)
            heading = f"Wordle 1,234 {end}/{limit}{star}"
            text = "\n".join([heading, "", *rows, *words])
            question, args = [text, None, options], [text, *args]
        found.append((({"list": name, "secrets": secrets}, "review", question), ["review", *args]))
    return found


def reviews_of_few(folder: Path, count: int, seed: int) -> list[tuple[Question, list[str]]]:
    """Games over some words of a list: all of their states are searched to the end."""
    dice = random.Random(seed)
    found = []
    for number in range(count):
        whole = load_game(dice.choice(("original", "nyt-2026")))
        guesses = sorted(dice.sample(whole.guesses, dice.choice((500, 2000, 4000))))
        secrets = sorted(dice.sample(guesses, dice.choice((60, 250, 500))))
        paths = folder / f"guesses{number}.txt", folder / f"secrets{number}.txt"
        for path, words in zip(paths, (guesses, secrets), strict=True):
            path.write_text("\n".join(words))
        game, hard = load_game(*paths), dice.random() < 0.5
        secret = dice.choice(secrets)
        given = scored(game, played(game, dice, secret, dice.choice((2, 3, 4, 6)), hard), secret)
        which = {"guesses": guesses, "secrets": secrets, "name": paths[0].stem}
        which |= {"secretsName": paths[1].stem}
        line = ["--list", str(paths[0]), "--secrets", str(paths[1]), "--time-limit", "600"]
        question = [" ".join(given), None, {"timeLimit": 600, "hard": hard}]
        args = ["review", *given, *line, *["--hard"] * hard]
        found.append(((which, "review", question), args))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("whole", "few"), [(4, 6), pytest.param(15, 35, marks=pytest.mark.long)])
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
    paths = tmp_path / "guesses.txt", tmp_path / "answers.txt"
    likely = [word for word in guesses if word in answers]
    for path, words in zip(paths, (guesses, likely), strict=True):
        path.write_text("\n".join(words))
    game = {"guesses": guesses, "secrets": likely, "name": "guesses", "secretsName": "answers"}
    secret = next(word for word in guesses[800:] if word not in answers)
    args = ["review", *likely[9:11], "--secret", secret]
    args += ["--list", str(paths[0]), "--secrets", str(paths[1])]
    compare(engine, [((game, "review", [" ".join(likely[9:11]), secret.upper(), {}]), args)])


@pytest.mark.parametrize("hard", [False, True])
def test_games_over_few_words(engine: Engine, tmp_path: Path, hard: bool) -> None:
    """So few that every guess is searched to its end."""
    dice, words = random.Random(7), load_game("original").secrets[::8]
    path = tmp_path / "few.txt"
    path.write_text("\n".join(words))
    game, pairs = load_game(path), list[tuple[Question, list[str]]]()
    assert isinstance(game, WordleGame)
    for most in (1, 2, 3, 4):
        secret = dice.choice(words)
        given = scored(game, played(game, dice, secret, most, hard), secret)
        question = [" ".join(given), None, {"timeLimit": 600, "hard": hard}]
        args = ["review", *given, "--list", str(path), "--time-limit", "600", *["--hard"] * hard]
        pairs.append((({"guesses": words, "name": "few"}, "review", question), args))
    compare(engine, pairs)


def test_share_grids_without_words(engine: Engine) -> None:
    dice, game = random.Random(4), load_game("nyt-2026")
    assert isinstance(game, WordleGame)
    pairs: list[tuple[Question, list[str]]] = []
    for number in (1, 3, 5):
        secret = dice.choice(game.secrets)
        words = played(game, dice, secret, number, hard=False)
        text = "\n".join(tiles(game, game.grade(word, secret)) for word in words)
        pairs.append((({"list": "nyt-2026"}, "review", [text]), ["review", text]))
        known: Question = ({"list": "nyt-2026"}, "review", [text, secret])
        pairs.append((known, ["review", text, "--secret", secret]))
    starred = "Wordle 1,234 2/6*\n⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩"
    pairs.append((({"list": "nyt-2026"}, "review", [starred]), ["review", starred]))
    compare(engine, pairs)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "spec"),
    [
        ({"holes": 4, "colours": 6}, "mastermind:4x6"),
        ({"holes": 3, "colours": 5, "distinct": True}, "mastermind:3x5:distinct"),
    ],
)
def test_mastermind(engine: Engine, board: dict[str, Any], spec: str) -> None:
    dice, game = random.Random(5), load_game(spec=spec)
    pairs: list[tuple[Question, list[str]]] = []
    for number in (1, 2, 3, 4, 7):
        secret = dice.choice(game.secrets)
        words = played(game, dice, secret, number, hard=False)
        which = {"kind": "mastermind", **board}
        given = scored(game, words, secret)
        pairs.append(((which, "review", [" ".join(given)]), ["review", *given, "--game", spec]))
        args = ["review", *words, "--secret", secret, "--game", spec]
        pairs.append(((which, "review", [" ".join(words), secret]), args))
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
    dice = random.Random(6)
    unlike = sorted({"".join(dice.choices("abcdefgh", k=8)) for _ in range(600)})
    long = sorted({"".join(dice.choices("abcdefghij", k=7)) for _ in range(300)})
    for words in (unlike, long, ["ab"], ["αβγδε", "βαγδε", "γαβδε"]):
        game = {"guesses": words, "secrets": words}
        found = answer(engine, (game, "review", [words[:1], words[-1]]))
        assert found["answer"]["guesses"][0]["word"] == words[0]
    assert engine.ask("memory") < MOST_BYTES
