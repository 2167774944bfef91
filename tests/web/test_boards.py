"""Several boards in JavaScript: as ``play --boards`` and its proposals, to the last digit."""

import io
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from solver.choices import GUESS_POOLS, MEASURES
from solver.game.game import Game
from strategy.play.game import limit_of
from strategy.play.helper import Helper
from strategy.play.weights import weighted_game
from strategy.toolbox.guesses import HowToFind
from tests.support.asked import MOST_BYTES, World, answer, flags, made_words, same, told
from tests.support.node import Engine


class Boards(NamedTuple):
    """Clues of several boards: for each of them, and on one line as ``--state`` reads them."""

    clues: list[str]
    state: str


def boards(game: Game, dice: random.Random, count: int, turns: int) -> Boards:
    """So many turns of a game in which secrets were hidden; a wrong score now and then."""
    secrets = [dice.choice(game.secrets) for _ in range(count)]
    clues: list[list[str]] = [[] for _ in secrets]
    state: list[str] = []
    is_open = [True] * count
    for _ in range(turns):
        if not any(is_open):
            break
        source = [game.guesses, game.secrets, game.secrets, secrets][dice.randrange(4)]
        word = dice.choice(source)
        state.append(word)
        for at in range(count):
            if is_open[at]:
                score = game.grade(word, secrets[at])
                if dice.random() < 0.005:
                    score = game.n_scores // 2
                text = game.format_score(score)
                is_open[at] = score != game.solved
                state.append(text)
                clues[at] += [word, text]
    return Boards([" ".join(own) for own in clues], " ".join(state))


def choice_of(game: Game, count: int, options: dict[str, Any]) -> HowToFind:
    within = options.get("within", limit_of(game, count))
    by, pool = options.get("by"), options.get("guessFrom", "allowed")
    return HowToFind((), None, pool, False, within, bool(options.get("common")), by)


def compare(
    engine: Engine, world: World, count: int, seed: int, weights: Path | None = None
) -> None:
    """Compare the answer with the command's, where some secrets may be likelier than others."""
    dice, game = random.Random(seed), world.game
    options: dict[str, Any] = {}
    for name, values in (
        ("by", MEASURES), ("guessFrom", GUESS_POOLS), ("within", (None, 3, 9)), ("common", (True,)),
    ):  # fmt: skip
        if dice.random() < 0.25:
            options[name] = dice.choice(values)
    given = boards(game, dice, count, dice.choice((0, 1, 2, 3, 3, 4, 4, 5, 6)))
    top = dice.choice((0, 1, 3, 10, 12))
    if weights is not None:
        options["weights"] = weights.read_text()
    found = answer(engine, (world.which, "suggest", [given.clues, options | {"top": top}]))
    chosen = {name: value for name, value in options.items() if name != "weights"}
    args = ["play", "--boards", str(count), *world.line, *flags(chosen), "--quiet"]
    args += [] if weights is None else ["--weights", str(weights)]
    expected = told([*args, "--state", given.state] if given.state else args)
    if "answer" in expected:
        found_by = None if weights is None else weighted_game(game, weights)
        game, likely = (found_by.game, found_by.weights) if found_by else (game, None)
        helper = Helper(game, choice_of(game, count, options), boards=count, weights=likely)
        helper.tell_state(given.state)
        by, words = options.get("by", "entropy"), []
        if not helper.position.solved:
            proposals = helper.proposals(top)
            by, words = proposals.by, [vars(word) for word in proposals.words]
        expected["answer"] |= {"by": by, "suggestions": words}
    assert same(found, expected), args


@pytest.fixture(autouse=True)
def _no_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.slow), 3, 8, 32])
def test_words_on_several_boards(engine: Engine, count: int) -> None:
    for seed in range({2: 8, 3: 4, 4: 6, 8: 4, 32: 2}[count]):
        world = World.shipped(["nyt-2023", "original"][seed % 2])
        compare(engine, world, count, 100 * count + seed)
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.parametrize("count", [1, 2, 4])
def test_boards_where_some_secrets_are_likelier(engine: Engine, count: int, tmp_path: Path) -> None:
    for seed in range(2 if count == 4 else 4):
        world = World.shipped(["nyt-2023", "original"][seed % 2])
        game, dice = world.game, random.Random(seed)
        some = [word for word in game.secrets if dice.random() < (0.7, 1.0)[seed % 2]]
        numbers = [dice.choice((dice.randint(1, 9), round(dice.random(), 3) + 0.01)) for _ in some]
        path = tmp_path / "weights.txt"
        lines = [f"{word} {number}" for word, number in zip(some, numbers, strict=True)]
        path.write_text("\n".join(lines))
        compare(engine, world, count, 50 * count + seed, path)


def test_codes_of_which_some_are_likelier(engine: Engine, tmp_path: Path) -> None:
    world, path, dice = World.codes("mastermind:3x4"), tmp_path / "codes.txt", random.Random(3)
    path.write_text("\n".join(f"{code} {dice.randint(1, 9)}" for code in world.game.secrets[::2]))
    for seed in range(6):
        compare(engine, world, 2, seed, path)


def test_codes_on_several_boards(engine: Engine) -> None:
    world = World.codes("mastermind:4x6")
    for seed in range(16):
        compare(engine, world, 1 + seed % 4, seed)


def test_long_words_and_one_list(engine: Engine, tmp_path: Path) -> None:
    world = World.of(tmp_path, made_words(6, 300, "abcdef"))
    for seed in range(8):
        compare(engine, world, 2, seed)


def test_clues_of_boards_are_texts_or_pairs(engine: Engine) -> None:
    game = {"list": "nyt-2023"}
    as_text = ["crane bybbb slate bbbbb", "crane bbbbg slate bbbyg"]
    pairs = [[["crane", "bybbb"], ["slate", "bbbbb"]], [["crane", 162], ["slate", "bbbyg"]]]
    answers = [engine.ask("suggest", clues, {}, game=game) for clues in (as_text, pairs)]
    assert answers[0] == answers[1]
    assert "boards" not in engine.ask("suggest", [["crane", "bybbb"]], {}, game=game)
    assert len(engine.ask("suggest", [[]], {}, game=game)["boards"]) == 1
