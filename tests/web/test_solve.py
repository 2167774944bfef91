"""Whole strategies in JavaScript: the bytes of ``solve-all``, whatever the rule and the list."""

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.choices import RULES
from solver.rules.searcher import Searcher
from strategy import load_game, solve
from strategy.files import strategy_file
from tests.support.asked import MOST_BYTES, made_words, solved_alike
from tests.support.node import ROOT, SITE, Engine, require_node

POOLS = ("allowed", "secrets", "candidates")


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("start", ["crane", "auto"])
def test_every_rule_over_answers(engine: Engine, rule: str, start: str) -> None:
    words = load_game("original").secrets[::3]
    assert solved_alike(engine, list(words), words[200] if start == "crane" else start, rule=rule)


@pytest.mark.parametrize("guess_from", POOLS)
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("rule", RULES)
def test_pools_and_hard_mode(engine: Engine, rule: str, hard: bool, guess_from: str) -> None:
    words = made_words(5, 300)
    assert solved_alike(engine, words, words[7], hard, guess_from, words[::3], rule=rule)


@pytest.mark.parametrize("length", [2, 3, 4, 6, 7, 11])
@pytest.mark.parametrize("rule", ["minimax", "entropy"])
@pytest.mark.parametrize("hard", [False, True])
def test_words_of_other_lengths(engine: Engine, length: int, rule: str, hard: bool) -> None:
    words = made_words(length, 120)
    assert solved_alike(engine, words, words[60], hard, rule=rule)


def test_other_scripts_and_many_letters(engine: Engine) -> None:
    assert solved_alike(engine, made_words(5, 200, "абвгдежзиклмнопрстуй"), "auto")
    assert solved_alike(engine, made_words(4, 200, "αβγδεζηθικλμνξοπρ"), "auto")
    many = "".join(map(chr, range(0x10A0, 0x10C6))) + "0123456789abcdefghijkl"
    words = [word.lower() for word in made_words(5, 400, many)]
    assert solved_alike(engine, sorted(set(words)), "auto", rule="entropy")


def test_several_first_guesses(engine: Engine) -> None:
    words = made_words(5, 250)
    three = ",".join(words[:3])
    assert solved_alike(engine, words, three)
    assert solved_alike(engine, words, three, False, "secrets", words[::2], rule="entropy")
    assert solved_alike(engine, words, ",".join(words[:2]), guess_from="candidates", rule="parts")


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
])  # fmt: skip
def test_mastermind(engine: Engine, spec: str, start: str) -> None:
    for rule in RULES:
        for pool in POOLS:
            assert solved_alike(engine, spec, start, guess_from=pool, rule=rule)


@pytest.mark.slow
def test_the_largest_board(engine: Engine) -> None:
    assert solved_alike(engine, "mastermind:5x8", "11234")


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
    done = subprocess.run([require_node(), script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    begin, end = EXAMPLES[number]
    assert done.stdout.startswith(begin) and done.stdout.endswith(end)
