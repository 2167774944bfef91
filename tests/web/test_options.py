"""Options of the engine: patterns, used words, letters, hints, requirements of a check."""

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import pytest

from solver.game.load import load_game
from solver.words.lists import did_you_mean
from strategy.files import strategy_file
from strategy.solving.by_rule import Settings, solve
from tests.support.asked import (
    MOST_BYTES,
    Pair,
    World,
    answer,
    clues,
    compare,
    made_words,
    same,
    solved_alike,
    told,
)
from tests.support.node import Engine, JavaScriptError

WHERE: dict[str, Any] = {"list": "nyt-2023", "secrets": "answers"}


def patterns(dice: random.Random, word: str) -> tuple[list[str], list[str]]:
    """Patterns that a word keeps to, or nearly always; and some that it does not, or nobody can."""
    at = dice.randrange(5)
    letter, other = word[at], dice.choice("abcdefghijklmnopqrstuvwxyz")
    some = dice.sample(range(5), 2)
    right = [
        "".join(sign if place in some else "." for place, sign in enumerate(word)),
        f"{letter} at {at + 1}",
        f"{letter} at {['first', 'second', 'third', 'fourth', 'last'][at]}",
        f"{other} not {dice.randrange(1, 6)} {dice.randrange(1, 6)}",
        f"contains {letter}{word[some[0]]}",
        f"contains exactly {word.count(letter)} {letter}",
        f"exactly {word.count(other)} {other.upper()}",
        "without " + "".join(sign for sign in "qzxjvk" if sign not in word or dice.random() < 0.1),
    ]  # fmt: skip
    wrong = "..a.;b at 7;b at;contains;exactly x e;exactly 9 e;;c.a!e;s not zero".split(";")
    return right, wrong


@pytest.mark.slow
def test_patterns(engine: Engine) -> None:
    dice, world, pairs = random.Random(1), World.shipped("nyt-2023"), list[Pair]()
    game = world.game
    for number in range(25):
        text = clues(game, dice, (1, 2, 1, 1, 0, 1, 2, 1)[number % 8], hard=False)
        secret = dice.choice(game.secrets if dice.random() < 0.7 else game.guesses)
        if dice.random() < 0.7:
            words = text.split()[::2]
            text = " ".join(f"{it} {game.format_score(game.grade(it, secret))}" for it in words)
        right, wrong = patterns(dice, secret)
        known = [right[number % len(right)]]
        if number % 3 == 0:  # each of the wrong ones is met
            known.insert(dice.randrange(2), wrong[number // 3])
        elif number % 3 == 1:
            known.append(dice.choice(right))
        if dice.random() < 0.3:
            known = [", ".join(known)]
        given = known[0] if len(known) == 1 and dice.random() < 0.5 else known
        pairs.append(world.suggest(text, pattern=given))
    compare(engine, pairs)


def test_used_words(engine: Engine, tmp_path: Path) -> None:
    dice, world = random.Random(2), World.shipped("nyt-2023")
    used = [*dice.sample(world.game.secrets, 3_000), "zzzzz"]
    path = tmp_path / "used"
    path.write_text("\n".join(used), encoding="utf-8")
    world.which |= {"used": used}
    world.line += ["--used", f"exclude:{path}", "--quiet"]
    texts = [clues(world.game, dice, dice.choice((0, 1, 1, 2)), hard=False) for _ in range(6)]
    pairs = [world.suggest(text) for text in texts]
    compare(engine, [*pairs, world.suggest("", pattern=f"{used[0][:4]}.")])
    for words, message in (([*world.game.secrets], "all are used"), (["ab"], "have 2 letters")):
        refused = answer(engine, (WHERE | {"used": words}, "suggest", [""]))
        assert message in refused["error"] and refused["code"] == 2


#: Clues with many answers, with few, with used ones alone, with none (an allowed word fits).
PLACES = (
    "crane bybbb", "slate bbbyg", "trace bbbbb", "crane bybbb sloth bbbbb",
    "raise bbybb mount bybbb", "salet bbbgb corni bybbb", "aback ggggg",
    "caret yybbb moron bbybb", "tarse bbbbb oxide bbbbb", "crane ybyby zaman bgbgb",
)  # fmt: skip


@pytest.mark.parametrize("how", ["weigh", pytest.param("exclude", marks=pytest.mark.slow)])
def test_past_answers_of_the_newspaper(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """They weigh less, or are left out, as the commands say it with ``--used``."""
    world = World.shipped("nyt-2026")
    world.which |= {"used": how}
    world.line += ["--used", how, "--quiet"]
    pairs = [*map(world.suggest, PLACES), world.openers(top=3)]
    for text in ("crane bybbb sloth bbbbb ruddy ggggg", "crane bgbbb aargh gbybb"):
        pairs.append(world.review(text.split()))
    weights = "ruddy 3\nlorry 2\nshirt 1\nloris 1"
    pairs.append(world.weighed(tmp_path, weights, world.suggest("crane bybbb")))
    compare(engine, pairs)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    boards = ["crane bybbb", "crane bbbbb"]
    found = answer(engine, (world.which, "suggest", [boards]))["answer"]
    state = ["--state", "crane.bybbb.bbbbb"]
    known = told(["play", "--boards", "2", *state, *world.line])["answer"]
    assert same({name: found[name] for name in known}, known)


def test_openers_by_letters(engine: Engine, tmp_path: Path) -> None:
    """Of shipped lists, and of few words, or with digits."""
    pairs = [World.shipped("nyt-2023").openers(by="letters")]
    pairs += [World.shipped("original", "allowed").openers("crane", "salet", by="letters")]
    for words in (["0100", "1101", "1110"], ["aab", "aba"], ["ab1", "b1a"]):
        pairs.append(World.of(tmp_path, words).openers(by="letters"))
    compare(engine, pairs)


@pytest.mark.slow
def test_close_words_are_named(engine: Engine) -> None:
    dice, guesses = random.Random(3), load_game("nyt-2023").guesses[::5]
    some = {"guesses": list(guesses), "name": "some"}
    for _ in range(60):
        word = list(dice.choice(guesses))
        for _ in range(dice.choice((1, 1, 2))):
            at = dice.randrange(len(word))
            if dice.random() < 0.4 and at:
                word[at - 1], word[at] = word[at], word[at - 1]
            elif dice.random() < 0.3:
                word.insert(at, dice.choice("aeioubcs"))
            elif len(word) > 1:
                word[at] = dice.choice("aeioubcsqx")
        text = "".join(word)
        if text in guesses:
            continue
        found = answer(engine, (some, "buckets", [text]))
        hint = did_you_mean(text, guesses)
        assert found["error"] == f"'{text}' is not among the 2,971 guesses of some{hint}"


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
            args = ["verify", *flags, *["--hard"] * hard, str(path)]
            found = answer(engine, (None, "check", [content, options]))
            assert found == told(args, answers=(0, 1))


def test_the_limit_of_a_strategy(engine: Engine) -> None:
    """A rule that keeps to the limit is left as it is; the best strategy is searched within it."""
    words = sorted(random.Random(4).sample(load_game("original").secrets, 60))
    game, loaded = {"guesses": words}, load_game(words)
    settings = Settings(start=(words[0],))
    made = solve(loaded, settings).strategy
    bare = engine.ask("solve", {"start": words[0]}, game=game)
    assert bare == strategy_file.to_bytes(made)
    options = {"start": words[0], "within": made.worst}
    assert engine.ask("solve", options, game=game) == bare
    for pure, code in ((True, 1), (False, 3)):
        with pytest.raises(JavaScriptError, match=f"takes {made.worst} guesses") as refused:
            engine.ask("solve", options | {"within": made.worst - 1, "pure": pure}, game=game)
        assert refused.value.code == code
    for within in (2, 3, 4, 5, 8, 12):
        solved_alike(engine, words, "auto", secrets=words, rule="optimal", within=within)


# ---- Lists of many words


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.slow
def test_a_list_of_many_words(engine: Engine, tmp_path: Path, hard: bool) -> None:
    """Exact figures after a clue that leaves some two hundred words, in less than 200 MB."""
    words, dice = made_words(5, 30_000, "aaeeiioubcdfghklmnprst"), random.Random(1)
    world = World.of(tmp_path, words, words[::10])
    game = world.game
    while True:
        guess, secret = dice.choice(game.guesses), dice.choice(game.secrets)
        score = game.grade(guess, secret)
        if 150 <= sum(game.grade(guess, other) == score for other in game.secrets) <= 256:
            break
    text = f"{guess} {game.format_score(score)}"
    pair = world.suggest(text, hard=hard)
    compare(engine, [pair])
    assert answer(engine, pair[0])["answer"]["exact"]["guesses"]
    found = answer(engine, (world.which, "review", [text, None, {"hard": hard}]))
    assert found["answer"]["guesses"][0]["exact"] is False
    assert engine.ask("memory") <= MOST_BYTES
