"""Whole strategies and several boards in JavaScript: as the commands, to the last digit."""

import random
import re
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.choices import GUESS_POOLS, MEASURES, RULES
from solver.game.game import Game
from solver.rules.searcher import Searcher
from solver.words.lists import named_list
from strategy import load_game, solve
from strategy.files import strategy_file
from strategy.play.game import limit_of
from strategy.play.helper import Helper, NextWord
from strategy.play.weights import weighted_game
from strategy.toolbox.guesses import HowToFind
from tests.support import ROOT, asked
from tests.support.asked import MOST_BYTES, World, best_alike, made_words, solved_alike
from tests.support.commands import ran
from tests.support.node import SITE, Engine, require_node

POOLS = ("allowed", "secrets", "candidates")
MIDDLE, MORE, FEW = list(load_game("original").secrets[::3]), made_words(5, 300), made_words(5, 250)
GEORGIAN = "".join(map(chr, range(0x10A0, 0x10C6))) + "0123456789abcdefghijkl"
#: Words, first guesses, and how; of other scripts and many letters, too.
ASKED: list[tuple[list[str], str, dict[str, Any]]] = [
    *((MIDDLE, start, {"rule": rule}) for rule in RULES for start in (MIDDLE[200], "auto")),
    *((MORE, MORE[7], {"rule": rule, "hard": hard, "guess_from": pool, "secrets": MORE[::3]})
      for rule, hard, pool in product(RULES, (False, True), POOLS)),
    *((words, words[60], {"rule": rule, "hard": hard})
      for words in (made_words(length, 120) for length in (2, 3, 4, 6, 7, 11))
      for rule, hard in product(("minimax", "entropy"), (False, True))),
    (made_words(5, 200, "абвгдежзиклмнопрстуй"), "auto", {}),
    (made_words(4, 200, "αβγδεζηθικλμνξοπρ"), "auto", {}),
    (sorted({it.lower() for it in made_words(5, 400, GEORGIAN)}), "auto", {"rule": "entropy"}),
    (FEW, ",".join(FEW[:3]), {}),
    (FEW, ",".join(FEW[:3]), {"guess_from": "secrets", "secrets": FEW[::2], "rule": "entropy"}),
    (FEW, ",".join(FEW[:2]), {"guess_from": "candidates", "rule": "parts"}),
]  # fmt: skip


@pytest.mark.parametrize(("words", "start", "how"), ASKED, ids=map(str, range(len(ASKED))))
def test_lists_of_words(engine: Engine, words: list[str], start: str, how: dict[str, Any]) -> None:
    assert solved_alike(engine, words, start, **how)


@pytest.mark.parametrize(("name", "secrets", "start", "hard", "rule"), [
    ("original", "allowed", "lares", False, "minimax"),
    ("original", "answers", "crane", True, "minimax"),
    *(
        pytest.param(name, secrets, start, False, rule, marks=pytest.mark.slow(30))
        for name in ("nyt-2022", "nyt-2023") for rule in RULES
        for secrets, start in (("answers", "salet"), ("allowed", "tares"))
    ),
])  # fmt: skip
def test_lists(engine: Engine, name: str, secrets: str, start: str, hard: bool, rule: str) -> None:
    assert solved_alike(engine, name, start, hard, secrets=secrets, rule=rule)
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.parametrize(("spec", "start"), [
    ("mastermind:4x6", "1123,1344"), ("mastermind:3x5:distinct", "auto"),
    ("mastermind:2x9", "12"), ("mastermind:5x4", "auto"),
    pytest.param("mastermind:5x8", "11234", marks=pytest.mark.slow),
])  # fmt: skip
def test_mastermind(engine: Engine, spec: str, start: str) -> None:
    """Of the largest board one strategy."""
    ways = [("minimax", "allowed")] if "5x8" in spec else product(RULES, POOLS)
    for rule, pool in ways:
        assert solved_alike(engine, spec, start, guess_from=pool, rule=rule)


@pytest.mark.parametrize("rule", ["minimax", "entropy", "parts"])
@pytest.mark.parametrize("guess_from", ["allowed", "secrets"])
def test_tables_are_those_of_python(engine: Engine, rule: str, guess_from: str) -> None:
    words = made_words(5, 150)
    options = {"guesses": words, "secrets": words[::2]}
    how = {"rule": rule, "guessFrom": guess_from, "unread": sorted(UNFILLED)}
    found = engine.ask("tables", options, how)
    game = load_game(words, words[::2])
    search = Searcher(game, rule, guess_from=guess_from)._word_search
    assert search is not None
    compare_tables(search, found, "search")


_SCRATCH = (
    "lists rows order dead planes more present holders classes class_starts class_counts "
    "class_shares columns turns left lefts split split_sizes split_counts split_alone split_costs "
    "split_largest near levels bounds visits starts"
)
#: What is written before it is read, and whose items are therefore any; and rows that are made when
#: they are needed.
UNFILLED = {"search.letters.bits", *(f"search.scratch.{name}" for name in _SCRATCH.split())}


def compare_tables(mine: Any, theirs: Any, name: str) -> None:
    if isinstance(mine, tuple):
        assert set(mine._fields) == set(theirs)
        for field in mine._fields:
            compare_tables(getattr(mine, field), theirs[field], f"{name}.{field}")
    elif isinstance(mine, np.ndarray):
        assert (str(mine.dtype), list(mine.shape)) == (theirs["type"], theirs["shape"]), name
        data = np.array([int(text) for text in theirs["data"]], dtype=mine.dtype)
        assert name in UNFILLED or np.array_equal(mine.reshape(-1), data), name
    else:
        assert mine == theirs, name


def test_lists_are_read_as_the_commands_read_them(engine: Engine, tmp_path: Path) -> None:
    text = "\ufeffCrane  # a comment\r\nslate\n\nCRANE\rÄpfel\nA\u0308ffin\n"
    path = tmp_path / "mine.txt"
    path.write_bytes(text.encode())
    game = {"guesses": text, "name": "mine"}
    found = engine.ask("solve", {}, game=game)
    assert found == strategy_file.to_bytes(solve(load_game(path)).strategy)


#: How what each example of the guide prints begins and ends.
EXAMPLES = [
    ("true ", ""),
    ("[ 1, 2 ]\n", "[ 1, 2 ]\n"),
    ("39 ", "\n[ 103, 37, 358, 275 ] doilt\n"),
    ("{ count: 4, n_left_out: 3154, n_no_secrets: 0 } ", ""),
    ("Well played and very lucky: 3 guesses, where the best play takes", ""),
    ("0.13461538461538458 true [ 'shout' ]", ""),
    ("words:2: 'slat' has 4 letters", " 2\n"),
]


@pytest.mark.parametrize(
    "number", [pytest.param(at, marks=[pytest.mark.slow] * (at == 4)) for at in range(7)]
)
def test_the_examples_of_the_guide_run(tmp_path: Path, number: int) -> None:
    text = (ROOT / "docs" / "guide" / "browser.md").read_text(encoding="utf-8")
    examples = re.findall(r"```js\n(.*?)```", text, re.DOTALL)
    assert len(examples) == len(EXAMPLES)
    script = tmp_path / "example.mjs"
    script.write_text(examples[number].replace("./engine.js", (SITE / "engine.js").as_uri()))
    done = ran([require_node(), script])
    assert done.returncode == 0, done.stderr
    begin, end = EXAMPLES[number]
    assert done.stdout.startswith(begin) and done.stdout.endswith(end)


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
    assert best_alike(engine, name, start, hard) == ((start, hard) != ("raise", True))
    assert engine.ask("memory") < MOST_BYTES


@pytest.mark.parametrize(("start", "hard"), [
    ("auto", False), *(pytest.param("jumpy", it, marks=pytest.mark.slow) for it in (False, True)),
])  # fmt: skip
def test_some_answers(engine: Engine, start: str, hard: bool) -> None:
    """After a poor opener 600 answers stay together; or the best first word of 500."""
    words, dice = named_list("original", "answers").words, random.Random(5)
    if start == "jumpy":
        secrets = [word for word in words if not set(word) & set(start)][:600]
        guesses = sorted({*secrets, *words[::4], start})
    else:
        secrets = sorted(dice.sample(words, 500))
        guesses = sorted({*secrets, *dice.sample(named_list("original", "allowed").words, 1500)})
    assert best_alike(engine, guesses, start, hard, secrets=secrets)


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
        found.append(best_alike(engine, words, start, hard, guess_from, secrets))
    assert True in found


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("first", [True, False])
def test_lists_of_words_that_are_alike(engine: Engine, hard: bool, first: bool) -> None:
    """Ties, few words, and lists that cannot be solved in six guesses after any first word."""
    worlds = [made_words(4, count, "abc", count) for count in (1, 2, 3, 5, 12, 30, 60, 80)]
    found = [best_alike(engine, words, words[0] if first else "auto", hard) for words in worlds]
    ight = [f"{letter}ight" for letter in "bdefhlmnrstw"]
    assert not best_alike(engine, ight, "might" if first else "auto", hard)
    assert True in found


def test_the_best_after_several_first_guesses(engine: Engine) -> None:
    assert best_alike(engine, FEW, ",".join(FEW[:3]))
    part: dict[str, Any] = {"guess_from": "secrets", "secrets": FEW[::2]}
    assert best_alike(engine, FEW, ",".join(FEW[4:8:2]), **part)
    assert not best_alike(engine, FEW, ",".join(FEW[:6]))
    assert best_alike(engine, FEW[:1], FEW[0])
    alike = [f"{letter}a" for letter in "bcdefghijklmnopqrstu"]  # one is left out by each guess
    assert not best_alike(engine, alike, "ba,ca")
    long = made_words(7, 500, "abcdefgh")
    assert best_alike(engine, long, ",".join(long[:2]))
    assert best_alike(engine, long, long[3], guess_from="secrets", secrets=long[:450])


@pytest.mark.parametrize(("spec", "start"), [
    ("3x4", "auto"), ("3x5:distinct", "123,345"), ("2x9", "12"), ("1x9", "auto"),
    pytest.param("4x4", "auto", marks=pytest.mark.slow),
    pytest.param("4x6", "1122", marks=pytest.mark.slow),
])  # fmt: skip
def test_the_best_of_mastermind(engine: Engine, spec: str, start: str) -> None:
    """Within six guesses some code of 1x9 is not found."""
    assert best_alike(engine, f"mastermind:{spec}", start) == (spec != "1x9")


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


def alike(engine: Engine, world: World, count: int, seed: int, weights: Path | None = None) -> None:
    """Compare the answer with the command's, where some secrets may be likelier than others."""
    dice, game = random.Random(seed), world.game
    options = asked.drawn(
        dice, 0.25, by=MEASURES, guessFrom=GUESS_POOLS, within=(None, 3, 9), common=(True,)
    )
    args = ["play", "--boards", str(count), *world.line, *asked.flags(options), "--quiet"]
    given = boards(game, dice, count, dice.choice((0, 1, 2, 3, 3, 4, 4, 5, 6)))
    top = dice.choice((0, 1, 3, 10, 12))
    likely = None
    if weights is not None:
        options["weights"] = weights.read_text()
        args += ["--weights", str(weights)]
    found = asked.answer(engine, (world.which, "suggest", [given.clues, options | {"top": top}]))
    expected = asked.told([*args, "--state", given.state] if given.state else args)
    if "answer" in expected:
        if weights is not None:
            by_weight = weighted_game(game, weights)
            game, likely = by_weight.game, by_weight.weights
        within = options.get("within", limit_of(game, count))
        pool, common = options.get("guessFrom", "allowed"), "common" in options
        how = HowToFind((), None, pool, False, within, common, options.get("by"))
        helper = Helper(game, how, boards=count, weights=likely)
        helper.tell_state(given.state)
        by, words = options.get("by", "entropy"), []
        if not helper.position.solved:
            proposals = helper.proposals(top)
            by, names = proposals.by, [it.name for it in fields(NextWord)]
            words = [{name: getattr(it, name) for name in names} for it in proposals.words]
        expected["answer"] |= {"by": by, "suggestions": words}
    assert asked.same(found, expected), args


@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.slow), 3, 8, 32])
def test_words_on_several_boards(engine: Engine, count: int) -> None:
    for seed in range({2: 8, 3: 4, 4: 6, 8: 4, 32: 2}[count]):
        world = World.shipped(["nyt-2023", "original"][seed % 2])
        alike(engine, world, count, 100 * count + seed)
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
        alike(engine, world, count, 50 * count + seed, path)


def test_codes_and_long_words_on_several_boards(engine: Engine, tmp_path: Path) -> None:
    """Of some codes some are likelier."""
    world, path, dice = World.codes("mastermind:3x4"), tmp_path / "codes.txt", random.Random(3)
    path.write_text("\n".join(f"{code} {dice.randint(1, 9)}" for code in world.game.secrets[::2]))
    long = World.of(tmp_path, made_words(6, 300, "abcdef"))
    for seed in range(16):
        alike(engine, World.codes("mastermind:4x6"), 1 + seed % 4, seed)
        if seed < 8:
            alike(engine, long, 2, seed)
        if seed < 6:
            alike(engine, world, 2, seed, path)
