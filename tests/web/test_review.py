"""Reviews, regrets, weights, long words in JavaScript: the same JSON as the commands."""

import random
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.game.game import Game
from solver.game.load import load_game
from solver.words.lists import named_list
from tests.strategy.play.test_regret import states_of
from tests.support import asked
from tests.support.asked import MOST_BYTES, Pair, World, answer, best_alike, compare, made_words
from tests.support.node import Engine

LISTS = ("original", "nyt-2022", "nyt-2023")
TILES = "⬛🟨🟩"


def tiles(game: Game, score: int) -> str:
    return "".join(TILES["byg".index(mark)] for mark in game.format_score(score))


def reviews(count: int, seed: int, wide: bool = False) -> list[Pair]:
    """Reviews of all kinds: scores or the secret, hard mode, share grids with their words."""
    dice, found = random.Random(seed), list[Pair]()
    for _ in range(count):
        name, hard = dice.choice(LISTS), dice.random() < 0.3
        world = World.shipped(name, "allowed" if wide else "answers")
        game = world.game
        secret = dice.choice(game.guesses if dice.random() < 0.1 else game.secrets)
        words = asked.played(game, dice, secret, dice.choice((1, 2, 3, 4, 6)), hard)
        options: dict[str, Any] = {"timeLimit": 600, "hard": hard}
        kind = dice.random()
        if kind < 0.4:
            given = asked.scored(game, words, secret)
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
    dice, found = random.Random(seed), list[Pair]()
    for _ in range(count):
        whole = load_game(dice.choice(("original", "nyt-2026")))
        guesses = sorted(dice.sample(whole.guesses, dice.choice((500, 2000, 4000))))
        secrets = sorted(dice.sample(guesses, dice.choice((60, 250, 500))))
        world, hard = World.of(folder, guesses, secrets), dice.random() < 0.5
        secret, most = dice.choice(secrets), dice.choice((2, 3, 4, 6))
        found.append(world.review(world.played(dice, most, hard, secret), hard))
    return found


@pytest.mark.parametrize(("whole", "few", "wide"), [
    pytest.param(4, 6, False, marks=pytest.mark.slow),
    pytest.param(1, 0, True, marks=pytest.mark.long),
    pytest.param(15, 35, False, marks=[pytest.mark.slow, pytest.mark.nightly(45)]),
])  # fmt: skip
def test_reviews_alike(engine: Engine, tmp_path: Path, whole: int, few: int, wide: bool) -> None:
    """Over whole lists, and over some of their words, where no figure is an upper limit."""
    pairs = reviews(whole, 3 if wide else whole, wide)
    compare(engine, pairs + reviews_of_few(tmp_path, few, whole))


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
    games = [world.played(dice, most, hard) for most in (1, 2, 3, 4)]
    compare(engine, [world.review(given, hard) for given in games])


def test_share_grids_without_words(engine: Engine, tmp_path: Path) -> None:
    dice, world, pairs = random.Random(4), World.shipped("nyt-2026"), list[Pair]()
    grid = "⬛🟨⬛⬛⬛\n🟩🟩🟩🟩🟩"
    starred = f"Wordle 1,234 2/6*\n{grid}"
    for number in (1, 3, 5):
        secret = dice.choice(world.game.secrets)
        words = asked.played(world.game, dice, secret, number, hard=False)
        text = "\n".join(tiles(world.game, world.game.grade(word, secret)) for word in words)
        pairs.append(world.ask("review", [text], [text]))
        pairs.append(world.ask("review", [text, secret], [text, "--secret", secret]))
    today = World.shipped("nyt-2023")
    asked_by_weight = weighed(
        tmp_path, random.Random(6), today, today.ask("review", [grid, None], [grid])
    )
    compare(engine, [*pairs, world.ask("review", [starred], [starred]), asked_by_weight])


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mastermind:4x6", "mastermind:3x5:distinct"])
def test_mastermind(engine: Engine, spec: str) -> None:
    dice, world, pairs = random.Random(5), World.codes(spec), list[Pair]()
    for number in (1, 2, 3, 4, 7):
        secret = dice.choice(world.game.secrets)
        words = asked.played(world.game, dice, secret, number, hard=False)
        given, line = asked.scored(world.game, words, secret), [*words, "--secret", secret]
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
def test_what_is_wrong_is_refused(engine: Engine, question: list[Any], args: list[str]) -> None:
    compare(engine, [(({"list": "nyt-2026"}, "review", question), ["review", *args])])


def test_lists_of_all_kinds(engine: Engine, tmp_path: Path) -> None:
    """Proposals as by the command; and reviews."""
    dice, pairs = random.Random(5), list[Pair]()
    greek = ["αβγδε", "βαγδε", "γαβδε", "δαβγε", "εαβγδ"]
    many = sorted({"".join(dice.choices("abcdefghij", k=6)) for _ in range(5_000)})
    for words, clue in (
        (many, ""), (greek, "αβγδε gyybb"), (["ab"], ""), (["abcdefghijk", "bacdefghijk"], ""),
        (made_words(8, 600, "abcdefgh"), ""), (made_words(7, 300, "abcdefghij"), ""),
    ):  # fmt: skip
        world = World.of(tmp_path, words)
        pairs.append(world.suggest(clue, top=3))
        if words != many:
            found = answer(engine, (world.which, "review", [words[:1], words[-1]]))
            assert found["answer"]["guesses"][0]["word"] == words[0]
    compare(engine, pairs)


#: What a line of a file of weights may say.
NUMBERS: tuple[Callable[[random.Random], str], ...] = (
    lambda dice: str(dice.randint(1, 100)),
    lambda dice: str(dice.randint(1, 100)),
    lambda dice: repr(dice.random()),
    lambda dice: f"{dice.random():.3g}",
    lambda dice: f"{dice.randint(1, 9)}e-{dice.randint(1, 9)}",
)


def weights(dice: random.Random, words: tuple[str, ...]) -> str:
    """A file of weights: whole numbers, or any; of all words or of most."""
    kinds = dice.choice([NUMBERS[:2], NUMBERS[2:]])
    share = dice.choice([1.0, 0.7])
    some = [word for word in words if dice.random() < share]
    return "\n".join(f"{word} {dice.choice(kinds)(dice)}" for word in some)


def weighed(folder: Path, dice: random.Random, world: World, pair: Pair) -> Pair:
    """The same question with drawn weights."""
    return world.weighed(folder, weights(dice, world.game.secrets), pair)


def positions(folder: Path, count: int) -> list[Pair]:
    dice, found = random.Random(count), list[Pair]()
    for _ in range(count):
        name, hard = dice.choice(["original", "nyt-2023"]), dice.random() < 0.25
        by = dice.choice([None, None, "expected-size", "proportion", "minimax"])
        options: dict[str, Any] = {"hard": hard} | ({"by": by} if by else {})
        world = World.shipped(name)
        text = asked.clues(world.game, dice, dice.choice((0, 1, 1, 2, 2, 3)), hard)
        found.append(weighed(folder, dice, world, world.suggest(text, **options)))
    return found


def weighed_reviews(folder: Path, count: int) -> list[Pair]:
    dice, found = random.Random(count), list[Pair]()
    for _ in range(count):
        world, hard = World.shipped(dice.choice(["original", "nyt-2023"])), dice.random() < 0.3
        secret, most = dice.choice(world.game.secrets), dice.choice((1, 2, 3))
        given = world.played(dice, most, hard, secret)
        found.append(weighed(folder, dice, world, world.review(given, hard)))
    return found


@pytest.mark.parametrize(("ask", "count"), [
    (positions, 8), pytest.param(positions, 60, marks=pytest.mark.long(10)),
    pytest.param(weighed_reviews, 3, marks=pytest.mark.slow),
    pytest.param(weighed_reviews, 20, marks=[pytest.mark.slow, pytest.mark.nightly(30)]),
])  # fmt: skip
def test_advice_by_weight(
    engine: Engine, tmp_path: Path, ask: Callable[[Path, int], list[Pair]], count: int
) -> None:
    compare(engine, ask(tmp_path, count))


@pytest.mark.slow
def test_openers_and_buckets(engine: Engine, tmp_path: Path) -> None:
    dice, today, classic = random.Random(5), World.shipped("nyt-2023"), World.shipped("original")
    rows = [(today, today.openers(by=by, bottom=2)) for by in ("entropy", "proportion", "parts")]
    rows += [(classic, classic.buckets(word)) for word in ("crane", "fuzzy")]
    compare(engine, [weighed(tmp_path, dice, world, pair) for world, pair in rows])


@pytest.mark.parametrize(
    "text",
    ["crane", "crane x", "crane 1 2", "crane -1", "crane 1\ncrane 2", "cranx 1", "aahed 1", ""],
)
def test_what_is_wrong_is_said_alike(engine: Engine, tmp_path: Path, text: str) -> None:
    path = tmp_path / "weights"
    path.write_text(text)
    said = asked.told(["openers", "--list", "nyt-2023", "--weights", str(path)])
    ours = answer(engine, ({"list": "nyt-2023"}, "openers", [{"weights": text}]))
    assert ours["code"] == said["code"] == 2
    expected = said["error"].replace(f"{path}: ", "the weights: ").replace(str(path), "weights")
    assert ours["error"] == expected


# ---- Whole strategies
def random_world(seed: int) -> tuple[list[str], dict[str, float]]:
    """A few words, alike or not, some of which have weights."""
    dice = random.Random(seed)
    words = made_words(dice.choice((2, 4, 5, 5, 6)), dice.choice((4, 9, 20, 45)), "abcdef")
    low, high = dice.choice(((1, 1), (1, 3), (1, 100), (1, 100_000)))
    some = [word for word in words if dice.random() < 0.8] or words[:1]
    return words, {word: dice.randint(low, high) / dice.choice((1, 4)) for word in some}


@pytest.mark.parametrize("hard", [False, True])
def test_the_best_strategy_of_small_worlds(engine: Engine, hard: bool) -> None:
    outcomes = set()
    for seed in range(24):
        words, given = random_world(100 * hard + seed)
        pool, within = ("allowed", "secrets")[seed % 2], (6, 12, 2, 3)[seed % 4]
        starts = ["auto", min(given), ",".join(sorted(given)[:2])]
        start = starts[seed % 3] if pool == "secrets" or seed % 8 else words[0]
        if hard and "," in start:
            start = "auto"
        outcomes.add(best_alike(engine, words, start, hard, pool, weights=given, within=within))
    assert outcomes == {True, False}


def test_the_best_strategy_of_some_answers(engine: Engine) -> None:
    """Buckets that get tables of their own, and weights from one to a hundred."""
    dice = random.Random(8)
    answers = named_list("original", "answers").words
    given: dict[str, float] = {word: dice.randint(1, 100) for word in answers[::6]}
    words = sorted({*answers[::2], *answers[::6]})
    assert best_alike(engine, words, answers[0], weights=given)
    assert best_alike(engine, words, "auto", guess_from="secrets", weights=given)


@pytest.mark.slow(120)
@pytest.mark.parametrize(("start", "hard"), [("salet", False), ("crane", True)])
def test_the_best_strategy_of_the_classic_list(engine: Engine, start: str, hard: bool) -> None:
    dice = random.Random(start)
    given = {word: dice.randint(1, 100) for word in named_list("original", "answers").words}
    assert best_alike(engine, "original", start, hard, weights=given)
    assert engine.ask("memory") < MOST_BYTES


def test_one_question_in_several_forms(engine: Engine) -> None:
    """Weights are a text, or words with numbers; clues of boards are texts or pairs."""
    game, given = {"list": "nyt-2023"}, {"crane": 3, "slate": 1}
    text = "# these two\ncrane 3\n\nSLATE, 1"
    found = engine.ask("openers", {"weights": given}, game=game)
    assert found == engine.ask("openers", {"weights": text}, game=game)
    assert found["weights"] == {"count": 2, "n_left_out": 3156, "n_no_secrets": 0}
    as_text = ["crane bybbb slate bbbbb", "crane bbbbg slate bbbyg"]
    pairs = [[["crane", "bybbb"], ["slate", "bbbbb"]], [["crane", 162], ["slate", "bbbyg"]]]
    answers = [engine.ask("suggest", clues, {}, game=game) for clues in (as_text, pairs)]
    assert answers[0] == answers[1]
    assert "boards" not in engine.ask("suggest", [["crane", "bybbb"]], {}, game=game)
    assert len(engine.ask("suggest", [[]], {}, game=game)["boards"]) == 1


def suggested(world: World, dice: random.Random, number: int, hard: bool = False) -> Pair:
    text = asked.clues(world.game, dice, number, hard)
    return world.suggest(text, **({"hard": True, "within": 3} if hard else {}))


def reviewed(world: World, dice: random.Random, number: int, hard: bool) -> Pair:
    return world.review(world.played(dice, number, hard), hard)


def world_of(folder: Path, length: int, count: int, letters: str, secrets: int) -> World:
    """A world of random words, in which some guess has more than 255 scores."""
    words = made_words(length, count, letters)
    found = World.of(folder, words, sorted(random.Random(count).sample(words, secrets)))
    rows = found.game.score_rows(np.arange(0, count, 7, dtype=np.int32))
    assert max(len(set(row.tolist())) for row in rows) > 255
    return found


#: Length, words, letters, secrets: some guess has more than 255 scores.
Kind = tuple[int, int, str, int]
EXACT = ((6, 620, "abcdefg", 500), (7, 480, "abcdefgh", 400))
BEAMED = ((6, 900, "abcdefgh", 800), (7, 700, "aeilnorst", 700))


def weights_of(dice: random.Random, words: tuple[str, ...]) -> str:
    return "\n".join(f"{word} {dice.randint(1, 9)}" for word in words)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", [*EXACT, *BEAMED])
def test_reviews(engine: Engine, tmp_path: Path, kind: Kind, hard: bool) -> None:
    """Exact to the end; of many secrets along a beam; some by weight, too."""
    world, dice = world_of(tmp_path, *kind), random.Random(3)
    pairs = [reviewed(world, dice, number, hard) for number in ((1, 2) if kind in EXACT else (2,))]
    compare(engine, pairs)
    found = engine.ask("review", *pairs[0][0][2], game=world.which)
    assert found["guesses"][0]["exact"] == (kind in EXACT)
    if kind in (EXACT[1], BEAMED[0]):
        weights = weights_of(dice, world.game.secrets)
        compare(engine, [world.weighed(tmp_path, weights, reviewed(world, dice, 2, hard))])


def test_proposals(engine: Engine, tmp_path: Path) -> None:
    pairs, dice = [], random.Random(6)
    for kind in (*EXACT, *BEAMED):
        world = world_of(tmp_path, *kind)
        weights = weights_of(dice, world.game.secrets)
        pairs += [suggested(world, dice, number) for number in (0, 1, 1, 2)]
        pairs += [suggested(world, dice, 1, hard=True)]
        pairs += [world.weighed(tmp_path, weights, suggested(world, dice, 1))]
        pairs += [world.openers(top=4, bottom=1), world.buckets(world.game.guesses[7])]
    compare(engine, pairs)


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("hard", [False, True])
def test_256_secrets_apart(engine: Engine, tmp_path: Path, hard: bool, weighed: bool) -> None:
    """By one guess: as many as ``suggest`` searches, and one score more than a byte numbers."""
    secrets = sorted("".join(it) for it in product("az", "bz", "cz", "dz", "ez", "fz", "gz", "hz"))
    words = sorted([*secrets, *made_words(8, 60, "abczxw")])
    world = World.of(tmp_path, words, secrets)
    pair = world.suggest("", hard=hard)
    if weighed:
        pair = world.weighed(tmp_path, weights_of(random.Random(1), world.game.secrets), pair)
    compare(engine, [pair])


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("kind", [*EXACT, (6, 840, "abcdefgh", 740)])
def test_best_strategies(engine: Engine, kind: Kind, hard: bool) -> None:
    """After a first word, and after any; a strategy below that has bytes again."""
    length, count, letters, some = kind
    words = made_words(length, count, letters)
    secrets = sorted(random.Random(count).sample(words, some))
    found = [best_alike(engine, words, it, hard, secrets=secrets) for it in (words[0], "auto")]
    assert True in found
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.parametrize(
    ("name", "hard", "weighted"),
    [("original", False, False), ("nyt-2026", True, False), ("original", False, True)],
)
def test_regrets_as_the_command_has_them(
    engine: Engine, tmp_path: Path, name: str, hard: bool, weighted: bool
) -> None:
    """With next to no time their bounds lie around the exact figures."""
    world, dice = World.shipped(name), random.Random(name)
    weights = "\n".join(f"{word} {dice.choice((1, 9))}" for word in world.game.secrets)
    large = [] if hard else [((("slate", 0),), "crane")]
    for history, guess in large + states_of(world.game, 3 - len(large), dice, 100, hard):
        state = world.game.format_state(history)

        def asking(words: list[str], seconds: float, state: str = state) -> Pair:
            options = {"hard": hard, "timeLimit": seconds}
            pair = world.ask("regret", [state, words], [",".join(words), state], **options)
            return world.weighed(tmp_path, weights, pair) if weighted else pair

        words = [guess, *dice.sample(world.game.guesses, 2)]
        hasty, page = (answer(engine, asking(words, it)[0])["answer"] for it in (1e-9, 600))
        command = asked.told(asking([*words, *page["best"]], 600)[1])["answer"]
        mine, every = page.pop("guesses"), command.pop("guesses")
        assert [*page] == [*command] and page.pop("best")[0] in command.pop("best")
        for key, value in command.items():
            assert page[key] == (pytest.approx(value) if key.startswith("least") else value)
        assert all(one == pytest.approx(other) for one, other in zip(mine, every, strict=False))
        assert all(each["regret_high"] == 0 for each in every[len(words) :])
        for exact, found in zip(mine, hasty["guesses"], strict=True):
            assert exact["exact"] == exact["legal"] == found["legal"]
            assert not (found["exact"] and (history, guess) in large)
            for what in ("regret", "expected") if exact["legal"] else ():
                low, high = found[f"{what}_low"], found[f"{what}_high"]
                assert low - 1e-9 <= exact[f"{what}_low"] <= high + 1e-9
