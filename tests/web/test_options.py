"""Options of the engine: patterns, used words, letters, hints, requirements of a check."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from solver.game.load import load_game
from solver.words.lists import did_you_mean
from strategy.solving.by_rule import Settings, solve
from tests.support.node import Engine
from tests.web.test_advice import Question, answer, as_numbers, clues, compare, told

WHERE: dict[str, Any] = {"list": "nyt-2023", "secrets": "answers"}
LISTS = ["--list", "nyt-2023", "--secrets", "answers"]


def patterns(dice: random.Random, word: str) -> list[str]:
    """Patterns that a word keeps to, and now and then one that it does not."""
    at = dice.randrange(5)
    letter, other = word[at], dice.choice("abcdefghijklmnopqrstuvwxyz")
    some = dice.sample(range(5), 2)
    kinds = [
        "".join(sign if place in some else "." for place, sign in enumerate(word)),
        f"{letter} at {at + 1}",
        f"{letter} at {['first', 'second', 'third', 'fourth', 'last'][at]}",
        f"{other} not {dice.randrange(1, 6)} {dice.randrange(1, 6)}",
        f"contains {letter}{word[some[0]]}",
        f"contains exactly {word.count(letter)} {letter}",
        f"exactly {word.count(other)} {other.upper()}",
        "without " + "".join(sign for sign in "qzxjvk" if sign not in word or dice.random() < 0.1),
        "..a.", "b at 7", "b at", "contains", "exactly x e", "exactly 9 e", "", "c.a!e",
        "s not zero",
    ]  # fmt: skip
    chosen = dice.choices(kinds, [9] * 8 + [1] * 9, k=dice.choice((1, 1, 2)))
    if dice.random() < 0.3:
        chosen = [", ".join(chosen)]
    return chosen


def test_patterns(engine: Engine) -> None:
    dice, game = random.Random(1), load_game("nyt-2023", secrets="answers")
    pairs: list[tuple[Question, list[str]]] = []
    for _ in range(60):
        text = clues(game, dice, dice.choice((0, 1, 1, 2)), hard=False)
        secret = dice.choice(game.secrets if dice.random() < 0.7 else game.guesses)
        if dice.random() < 0.7:
            words = text.split()[::2]
            text = " ".join(f"{it} {game.format_score(game.grade(it, secret))}" for it in words)
        known = patterns(dice, secret)
        flags = [part for pattern in known for part in ("--pattern", pattern)]
        given: Any = known[0] if len(known) == 1 and dice.random() < 0.5 else known
        question: Question = (WHERE, "suggest", [text, {"pattern": given}])
        pairs.append((question, ["suggest", *text.split(), *flags, *LISTS]))
    compare(engine, pairs)


def test_used_words(engine: Engine, tmp_path: Path) -> None:
    dice, game = random.Random(2), load_game("nyt-2023", secrets="answers")
    used = [*dice.sample(game.secrets, 3_000), "zzzzz"]
    path = tmp_path / "used"
    path.write_text("\n".join(used), encoding="utf-8")
    where = WHERE | {"used": used}
    pairs: list[tuple[Question, list[str]]] = []
    for _ in range(25):
        text = clues(game, dice, dice.choice((0, 1, 1, 2)), hard=False)
        args = ["suggest", *text.split(), *LISTS, "--used", str(path), "--quiet"]
        pairs.append(((where, "suggest", [text]), args))
    pattern = {"pattern": f"{used[0][:4]}."}
    last = ["suggest", "--pattern", pattern["pattern"], *LISTS, "--used", str(path), "--quiet"]
    pairs.append(((where, "suggest", ["", pattern]), last))
    compare(engine, pairs)
    for words, message in ((list(game.secrets), "all are used"), (["ab"], "have 2 letters")):
        refused = answer(engine, (WHERE | {"used": words}, "suggest", [""]))
        assert message in refused["error"] and refused["code"] == 2


def test_openers_by_letters(engine: Engine) -> None:
    pairs: list[tuple[Question, list[str]]] = []
    for name, secrets, words in (
        ("nyt-2023", "answers", []), ("original", "allowed", ["crane", "salet"]),
    ):  # fmt: skip
        here = ["--list", name, "--secrets", secrets]
        options = {"by": "letters", "words": words}
        question: Question = ({"list": name, "secrets": secrets}, "openers", [options])
        pairs.append((question, ["openers", "--by", "letters", *words, *here]))
    compare(engine, pairs)


def test_letters_that_are_few_or_digits(engine: Engine, tmp_path: Path) -> None:
    for number, words in enumerate((["0100", "1101", "1110"], ["aab", "aba"], ["ab1", "b1a"])):
        path = tmp_path / f"few{number}.txt"
        path.write_text("\n".join(words), encoding="utf-8")
        game = {"guesses": words, "name": f"few{number}.txt"}
        expected = told(["openers", "--by", "letters", "--list", str(path), "--secrets", "allowed"])
        found = answer(engine, (game, "openers", [{"by": "letters"}]))
        for it in (found, expected):
            del it["answer"]["list"]
        assert json.dumps(as_numbers(found)) == json.dumps(as_numbers(expected))


def test_close_words_are_named(engine: Engine) -> None:
    dice, game = random.Random(3), load_game("nyt-2023", secrets="answers")
    for _ in range(60):
        word = list(dice.choice(game.guesses))
        for _ in range(dice.choice((1, 1, 2))):
            at = dice.randrange(len(word))
            if dice.random() < 0.4 and at:
                word[at - 1], word[at] = word[at], word[at - 1]
            elif dice.random() < 0.3:
                word.insert(at, dice.choice("aeioubcs"))
            elif len(word) > 1:
                word[at] = dice.choice("aeioubcsqx")
        text = "".join(word)
        if text in game.guesses:
            continue
        found = answer(engine, (WHERE, "buckets", [text]))
        hint = did_you_mean(text, game.guesses)
        assert found["error"] == f"'{text}' is not among the 14,855 guesses of nyt-2023{hint}"
    named: list[tuple[dict[str, Any], str, list[Any], str]] = [
        (WHERE, "suggest", ["", {"by": "entropi"}],
         "no measure named 'entropi'; did you mean entropy?"),
        (WHERE, "solve", [{"rule": "minmax"}], "no rule named 'minmax'; did you mean minimax?"),
        ({"list": "nyt-203"}, "suggest", [""],
         "there is no list or file named 'nyt-203'; did you mean nyt-2023 or nyt-2022?"),
    ]  # fmt: skip
    for game_options, method, args, message in named:
        found = answer(engine, (game_options, method, args))
        assert found["error"].startswith(message), found


@pytest.mark.parametrize("spec", ["wordle", "mastermind:3x4"])
def test_check_with_requirements(engine: Engine, tmp_path: Path, spec: str) -> None:
    game = load_game("original", secrets="answers") if spec == "wordle" else load_game(spec=spec)
    start = ("crane",) if spec == "wordle" else ("1122"[:3],)
    strategy = solve(game, Settings(start=start)).strategy
    path = tmp_path / "found.strategy"
    strategy.save(path)
    content = path.read_bytes()
    for within in (None, 3, 4, strategy.worst - 1, strategy.worst):
        for hard in (False, True):
            flags = ["--within", str(within)] if within else []
            options = {"name": str(path), "within": within, "hard": hard}
            expected = _verified([*flags, *["--hard"] * hard, str(path)])
            try:
                found = {"answer": engine.ask("check", content, options)}
            except Exception as error:
                found = {"error": str(error)}
            assert found == expected


def _verified(args: list[str]) -> dict[str, Any]:
    """What ``verify`` says, right or wrong, or what it refuses."""
    import contextlib
    import io

    from strategy.cli import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(["verify", *args, "--json", "-"])
    if code == 2:
        return {"error": err.getvalue().removeprefix("knuthle verify: ").rstrip("\n")}
    found = json.loads(out.getvalue())
    return {"answer": found}
