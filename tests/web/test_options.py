"""Advice in JavaScript with all its options, and what the page decides without a kernel."""

import datetime
import json
import random
from pathlib import Path
from typing import Any

import pytest

from solver.choices import GUESS_POOLS, MEASURES
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import legal_after
from solver.words.lists import did_you_mean
from strategy.files import strategy_file
from strategy.play.game import Adversary, Hidden
from strategy.solving.by_rule import Settings, solve
from tests.support import asked
from tests.support.asked import MOST_BYTES, Pair, World, answer, clues, compare, made_words, told
from tests.support.commands import KNUTHLE, ran
from tests.support.naive import grade
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
            text = " ".join(asked.scored(game, text.split()[::2], secret))
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
    dice, world, path = random.Random(2), World.shipped("nyt-2023"), tmp_path / "used"
    used = [*dice.sample(world.game.secrets, 3_000), "zzzzz"]
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
def test_past_answers_of_the_newspaper(engine: Engine, tmp_path: Path, how: str) -> None:
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
    found = answer(engine, (world.which, "suggest", [["crane bybbb", "crane bbbbb"]]))["answer"]
    state = ["--state", "crane.bybbb.bbbbb"]
    known = told(["play", "--boards", "2", *state, *world.line])["answer"]
    assert asked.same({name: found[name] for name in known}, known)


def test_openers_and_buckets(engine: Engine, tmp_path: Path) -> None:
    """By letters of shipped lists, too, and of few words, or with digits."""
    today, everything = World.shipped("nyt-2023"), World.shipped("original", "allowed")
    pairs = [today.openers(by="letters"), everything.openers("crane", "salet", by="letters")]
    for words in (["0100", "1101", "1110"], ["aab", "aba"], ["ab1", "b1a"]):
        pairs.append(World.of(tmp_path, words).openers(by="letters"))
    for world, by in ((today, "entropy"), (everything, "minimax")):
        pairs += [world.openers(by=by, top=5, bottom=2), world.openers("crane", "slate")]
        pairs += [world.buckets("crane"), world.buckets("crane", "salet")]
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


@pytest.mark.parametrize(("spec", "start"), [("wordle", "crane"), ("mastermind:3x4", "112")])
def test_check_with_requirements(engine: Engine, tmp_path: Path, spec: str, start: str) -> None:
    game = load_game("original", secrets="answers") if spec == "wordle" else load_game(spec=spec)
    strategy, path = solve(game, Settings(start=(start,))).strategy, tmp_path / "found.strategy"
    strategy.save(path)
    for within in (None, 3, 4, strategy.worst - 1, strategy.worst):
        for hard in (False, True):
            options = {"within": within, "hard": hard}
            flags = asked.flags(options if within else {"hard": hard})
            given = [path.read_bytes(), options | {"name": str(path)}]
            found = answer(engine, (None, "check", given))
            assert found == told(["verify", *flags, str(path)], answers=(0, 1))


def test_the_limit_of_a_strategy(engine: Engine) -> None:
    """A rule that keeps to the limit is left as it is; the best strategy is searched within it."""
    words = sorted(random.Random(4).sample(load_game("original").secrets, 60))
    game, options = {"guesses": words}, {"start": words[0]}
    made = solve(load_game(words), Settings(start=(words[0],))).strategy
    for limit in ({}, {"within": made.worst}):
        found = engine.ask("solve", options | limit, game=game)
        assert found == strategy_file.to_bytes(made)
    for pure, code in ((True, 1), (False, 3)):
        with pytest.raises(JavaScriptError, match=f"takes {made.worst} guesses") as refused:
            engine.ask("solve", options | {"within": made.worst - 1, "pure": pure}, game=game)
        assert refused.value.code == code
    for within in (2, 3, 4, 5, 8, 12):
        asked.best_alike(engine, words, "auto", secrets=words, within=within)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.slow
def test_a_list_of_many_words(engine: Engine, tmp_path: Path, hard: bool) -> None:
    """Exact figures after a clue that leaves some two hundred words, in less than 200 MB."""
    words, dice = asked.made_words(5, 30_000, "aaeeiioubcdfghklmnprst"), random.Random(1)
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


CODES = {"kind": "mastermind", "holes": 2, "colours": 3}
BOARD = {"kind": "mastermind", "holes": 4, "colours": 6}
LARGE = {"kind": "mastermind", "holes": 5, "colours": 8}
SMALL = {"guesses": ["abide", "crane", "raise", "slate", "stare"]}
LIST = {"list": "original"}
TODAY = {"list": "nyt-2023"}
#: A game, a question, its arguments, and what is said of it.
REFUSED: list[tuple[dict[str, Any], str, list[Any], str]] = [
    # options that a question does not have
    (SMALL, "suggest", ["", {"tpo": 3}], "suggest has no option 'tpo'; did you mean top?"),
    (SMALL, "suggest", ["", {"worlds": 9}], "the option worlds plays words out on several boards"),
    (SMALL, "suggest", [["", ""], {"worlds": 9}], "the command play has it"),
    (SMALL, "suggest", [["", ""], {"pattern": "a"}], "the option pattern is for one board"),
    (SMALL, "suggest", ["", 7], "the options of suggest are an object, not '7'"),
    (SMALL, "openers", [{"plot": "a.svg"}], "the option plot is about a picture"),
    (SMALL, "openers", [{"csv": "-"}], "the option csv is about what the command prints"),
    (SMALL, "buckets", ["crane", {"secrets": "all"}], "the option secrets belongs to engine.game"),
    (SMALL, "review", ["crane bybbb", None, {"games": "-"}], "the command review has it"),
    (SMALL, "solve", [{"then": "worst"}], "the option then is not for a page; the command"),
    (SMALL, "solve", [{"rule": "optimal", "objective": "losses"}], "the command optimal has it"),
    (SMALL, "solve", [{"workers": 2}], "the option workers is not for a page, which has"),
    (CODES, "solve", [{"objective": "losses"}], "the command optimal has it"),
    (SMALL, "solve", [{"pure": True}], "--pure says how to take --within K, which is missing"),
    (SMALL, "solve", [{"within": 0}], "a limit is a number of guesses from 1 to 1,000,000, not 0"),
    (SMALL, "solve", [{"rule": "optimal", "within": 3, "pure": True}], "--pure is for rules"),
    (SMALL, "solve", [{"rule": "optimal", "within": 13}], "within at most 12 guesses, not 13"),
    (CODES | {"list": "original"}, "suggest", [""], "the option list is for words; a game of"),
    ({"kind": "chess"}, "suggest", [""], "no kind of game is named 'chess'"),
    (LIST | {"hrad": True}, "suggest", [""], "game has no option 'hrad'; did you"),
    # games and lists
    ({"list": "orignal"}, "solve", [{}], "there is no list or file named 'orignal'"),
    ({"guesses": ["crane", "slat"]}, "solve", [{}], "words:2: 'slat' has 4 letters, 'crane'"),
    ({"guesses": []}, "solve", [{}], "words: the file has no words"),
    ({"guesses": []}, "suggest", [""], "words: the file has no words"),
    ({"guesses": ["<b>", "abc"]}, "suggest", [""], "words:1: '<b>' has '<', which is neither"),
    ({"guesses": "crane\nsl ate\n"}, "solve", [{}], "words:2: more than one word on the line"),
    ({"guesses": ["cr-ne"]}, "solve", [{}], "words:1: 'cr-ne' has '-', which is neither"),
    ({"guesses": ["crane"], "secrets": ["slate"]}, "solve", [{}], "secret 'slate' is not a guess"),
    (BOARD | {"holes": 9, "colours": 9}, "suggest", [""], "searches boards of up to 32,768 codes"),
    # clues, words and what they are asked by
    (TODAY, "suggest", ["crane ggggg slate"], "'slate': add its colours, e.g. slate bybbb"),
    (TODAY, "suggest", ["crane bybbz"], "the score 'bybbz' has 'z', which is not a colour"),
    (TODAY, "suggest", ["crane"], "'crane': add its colours, e.g. crane bybbb"),
    (TODAY, "suggest", [[["crane", 243]]], "243 is no score"),
    (TODAY, "suggest", [[["crane"]]], "each clue is a word and its score"),
    (TODAY, "suggest", [42], "clues are a text, or a list of words with scores"),
    (TODAY, "suggest", ["zzzzz bbbbb"], "'zzzzz' is not among the 14,855 guesses of nyt-2023"),
    (TODAY, "suggest", ["crane bybbb", {"by": "<b>luck</b>"}], "no measure named '<b>luck</b>'"),
    (TODAY, "suggest", ["", {"guessFrom": "hat"}], "is one of allowed, secrets, candidates"),
    (TODAY, "suggest", ["", {"within": 0}], "a limit is a number of guesses from 1 to 1,000,000"),
    (TODAY, "suggest", ["", {"top": -1}], "top is a number of words, not '-1'"),
    (TODAY, "buckets", ["\u202ecrane"], "\\u202ecrane' is not among the 14,855"),
    (BOARD, "suggest", ["1122 3,1"], "the last colour cannot be out of place"),
    (LIST, "adversary", [["crane", "xxxxx"]], "'xxxxx' is not among"),
    (LIST, "adversary", ["crane"], "are a list of words"),
    (BOARD, "adversary", [["1122"]], "plays Wordle, not"),
    (TODAY, "suggest", ["", {"by": "entropi"}], "named 'entropi'; did you mean entropy?"),
    ({"list": "nyt-203"}, "suggest", [""],
     "there is no list or file named 'nyt-203'; did you mean nyt-2023 or nyt-2026 or "),
    # several boards
    (TODAY, "suggest", [[""] * 33], "33 boards; the number must be 1–32"),
    (TODAY, "suggest", [["", ""], {"hard": True}], "hard mode is for one board only"),
    (TODAY, "suggest", [["crane bybbb", "slate bybbb"]],
     "board 2 has 'slate' as guess 1, board 1 has 'crane'"),
    (TODAY, "suggest", [["crane bybbb", ""]], "board 2 has no guess 1, board 1 has 'crane'"),
    (TODAY, "suggest", [["crane ggggg slate bbbbb", ""]], "a board is solved before 'slate'"),
    (TODAY, "suggest", [["crane bybbb", "crane gggyy"]],
     "board 2: no secret of nyt-2023 (allowed) gives"),
    # reviews
    (TODAY, "review", ["crane bybbb", None, {"exact": True}], "since it takes minutes"),
    (TODAY, "review", ["crane bybbb", None, {"timeLimit": 0}], "is a number of seconds above 0"),
    (TODAY, "review", [42], "a game is a text, or a list of words with scores"),
    (TODAY, "review", [[]], "no guess to review; write each guess with its colours"),
    (TODAY, "review", [""], "no guess to review; write each guess with its colours"),
    (TODAY, "review", ["crane bybbb", "zzzzz"], "'zzzzz' is not among the 14,855 guesses"),
    (LARGE, "review", ["11223 1,1"], "reviews games of up to 4,096 codes, not mastermind:5x8"),
    (BOARD, "review", ["🟩🟩⬛⬛"], "only Wordle has share grids, not mastermind:4x6"),
    (BOARD, "review", ["1122 1,1", None, {"hard": True}], "hard mode is a rule of Wordle"),
    # regrets
    (LIST, "regret", ["crane ggggg", "slate"], "the game is over"),
    (LIST, "regret", ["crane bybbb sloth bbbbb", "slate", {"hard": True}], "hard mode forbids"),
    (LIST, "regret", ["crane bybbb", "slate", {"timeLimit": 0}], "a number of seconds above 0"),
    (LIST, "regret", ["crane bybbb", "slate", {"top": 3}], "regret has no option 'top'"),
    (LIST, "regret", ["crane bybbb", "qqqqq"], "'qqqqq' is not among the 12,972 guesses"),
    # whole strategies
    (LIST, "solve", [{"start": "qqqqq"}], "'qqqqq' is not among the 12,972 guesses"),
    (LIST, "solve", [{"start": "crane,crane"}], "--start guesses 'crane' twice"),
    (LIST, "solve", [{"start": "crane", "rule": "best"}], "no rule named 'best'"),
    (TODAY, "solve", [{"rule": "minmax"}], "no rule named 'minmax'; did you mean minimax?"),
    (LIST, "solve", [{"start": "crane", "guessFrom": "all"}], "--guess-from is one of"),
    (LIST, "solve", [{"start": "crane,slate", "hard": True}], "hard mode forbids"),
    (BOARD, "solve", [{"hard": True}], "hard mode is a rule of Wordle; mastermind:4x6"),
    (BOARD, "solve", [{"rule": "optimal", "hard": True}], "hard mode is a rule of Wordle"),
    (LIST, "solve", [{"rule": "optimal", "start": "salet", "guessFrom": "candidates"}],
     "guesses from allowed or secrets"),
    (LIST, "solve", [{"rule": "optimal", "start": "aahed", "guessFrom": "secrets"}],
     "'aahed' is not among the 2,315"),
    (LARGE | {"colours": 5}, "solve", [{"rule": "optimal"}], "boards of up to 2000 codes"),
    # weights
    (TODAY, "solve", [{"start": "crane", "weights": {"crane": 1}}], "goes with --rule optimal"),
    (TODAY, "solve", [{"rule": "optimal", "weights": {"crane": 1}, "guessFrom": "candidates"}],
     "--guess-from candidates is for equally likely secrets, not for --weights"),
    (TODAY, "solve", [{"rule": "optimal", "weights": {"crane": 1, "slate": 1e30}}],
     "and 2,147,483,647 is the most: round the weights"),
    (BOARD, "solve", [{"rule": "optimal", "weights": {"1122": 1}}], "is for lists of words"),
    (TODAY, "suggest", [["", ""], {"weights": {"crane": -1}}], "a number of 0 or more, not -1.0"),
    (TODAY, "openers", [{"by": "letters", "weights": {"crane": 1}}], "which --weights does not do"),
    (TODAY, "openers", [{"weights": 3}], "weights are a text with a word and its weight"),
    (TODAY, "openers", [{"weights": {"crane": "1"}}], "must be a number of 0 or more, not '1'"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "call", "args", "message"), REFUSED)
def test_wrong_questions_are_refused(
    engine: Engine, game: dict[str, Any], call: str, args: list[Any], message: str
) -> None:
    found = answer(engine, (game, call, args))
    assert message in found["error"] and found["code"] == 2 and "\n" not in found["error"]


def positions(count: int, clues_in_it: tuple[int, ...]) -> list[Pair]:
    """Questions of all kinds, after so many clues."""
    dice, found = random.Random(count), list[Pair]()
    for _ in range(count):
        name = dice.choice(["original", "nyt-2022", "nyt-2023", "nyt-2023"])
        world = World.shipped(name, dice.choice(["answers", "answers", "allowed"]))
        options = asked.drawn(
            dice, 0.2, by=MEASURES, guessFrom=GUESS_POOLS, within=(None, 2, 3, 5), common=(True,),
            hard=(True,), top=(0, 1, 3, 25),
        )  # fmt: skip
        text = clues(world.game, dice, dice.choice(clues_in_it), "hard" in options)
        found.append(world.suggest(text, **options))
    return found


@pytest.mark.parametrize("count", [
    32, pytest.param(72, marks=pytest.mark.slow), pytest.param(500, marks=pytest.mark.nightly(45)),
])  # fmt: skip
def test_suggest_answers_as_the_command_does(engine: Engine, count: int) -> None:
    """In the larger ones most of them after clues, where candidates are searched."""
    few, many = (0, 1, 1, 1, 2, 2, 3, 4), (1, 1, 2, 2, 2, 3, 3, 4) * 5 + (0,)
    compare(engine, positions(count, few if count == 32 else many))


@pytest.mark.parametrize("spec", [
    "mastermind:4x6", "mastermind:3x5:distinct",
    pytest.param("mastermind:5x8", marks=pytest.mark.slow),
])  # fmt: skip
def test_mastermind(engine: Engine, spec: str) -> None:
    dice, world = random.Random(3), World.codes(spec)
    texts = [clues(world.game, dice, number, hard=False) for number in (0, 1, 1, 2, 2, 3, 3)]
    compare(engine, [world.suggest(text) for text in texts])


def against(game: Game, guesses: list[str]) -> dict[str, Any]:
    """What the adversary of Python replies, and what it leaves."""
    host, state = Adversary(game), []
    for word in guesses:
        if state and state[-1][1] == game.format_score(game.solved):
            break
        state.append([word, game.format_score(host.answer(0, word))])
    left = list(host.possible(0))
    return {"state": state, "remaining": len(left), "secrets": left}


def test_the_replies_are_those_of_python(engine: Engine, tmp_path: Path) -> None:
    dice = random.Random(4)
    lists = ("original", "nyt-2023")
    worlds = [World.shipped(name, part) for name in lists for part in ("answers", "allowed")]
    for length, count in ((2, 9), (4, 60), (6, 60), (5, 1)):
        letters = "abcd" if count > 1 else "abcdefg"
        worlds.append(World.of(tmp_path, asked.made_words(length, count, letters)))
    for world in worlds:
        for number in (0, 1, 3, 6):
            guesses = [dice.choice(world.game.guesses) for _ in range(number)]
            guesses += [dice.choice(Adversary(world.game).possible(0))] * (number == 6)
            found = engine.ask("adversary", guesses, game=world.which)
            assert found == against(world.game, guesses), (world.line, guesses)


#: Few letters, so that many words have a letter twice.
LETTERS = "abcde"


def page(engine: Engine, module: str, name: str, *args: Any) -> Any:
    """What a function of the page answers."""
    return engine.ask("page", module, name, *args)


def marks_of(score: int, length: int) -> list[int]:
    return [score // 3**at % 3 for at in range(length)]


def test_words_are_graded_as_everywhere(engine: Engine) -> None:
    words = made_words(5, 60, LETTERS)
    for guess in words:
        for secret in words[::7]:
            expected = marks_of(grade(guess, secret), 5)
            assert page(engine, "clues", "grade", guess, secret) == expected, (guess, secret)


def test_hard_mode_forbids_what_the_solver_forbids(engine: Engine) -> None:
    words = made_words(5, 150, LETTERS)
    game, dice = load_game(words), random.Random(1)
    for _ in range(40):
        secret = dice.choice(words)
        guesses = dice.sample(words, dice.choice((1, 2)))
        rows = [{"word": it, "marks": [marks_of(game.grade(it, secret), 5)]} for it in guesses]
        history = [(game.guess_id(it), game.grade(it, secret)) for it in guesses]
        legal = {game.guesses[at] for at in legal_after(game, history)}
        for word in dice.sample(words, 25):
            said = page(engine, "clues", "illegal", word, rows)
            assert (said is None) == (word in legal), (word, rows, said)


def test_the_tile_that_may_be_wrong_is_the_one_that_was_changed(engine: Engine) -> None:
    words = made_words(5, 80, "abcdefg")
    dice = random.Random(2)
    for _ in range(25):
        secret, guesses = dice.choice(words), dice.sample(words, 3)
        rows: list[dict[str, Any]] = [
            {"word": it, "marks": [marks_of(grade(it, secret), 5)]} for it in guesses
        ]
        at, row = dice.randrange(5), dice.randrange(3)
        true = rows[row]["marks"][0][at]
        rows[row]["marks"][0][at] = (true + dice.choice((1, 2))) % 3
        said = {
            (it["row"], it["at"], it["mark"]): it["count"]
            for it in page(engine, "clues", "wrongTiles", rows, 0, words)
        }
        assert said == naive_wrong_tiles(rows, words)
        fits = [word for word in words if all(fit(word, it) for it in rows)]
        assert fits or (row, at, true) in said


def fit(word: str, row: dict[str, Any]) -> bool:
    marks: list[int] = row["marks"][0]
    return marks_of(grade(row["word"], word), len(word)) == marks


def naive_wrong_tiles(rows: list[Any], words: list[str]) -> dict[tuple[int, int, int], int]:
    """How many words fit if one tile is changed: each tile, each colour that it does not have."""
    found = {}
    for number, row in enumerate(rows):
        for at, mark in ((at, mark) for at in range(5) for mark in range(3)):
            if mark == row["marks"][0][at]:
                continue
            marks = [*row["marks"][0][:at], mark, *row["marks"][0][at + 1 :]]
            changed = [*rows[:number], {**row, "marks": [marks]}, *rows[number + 1 :]]
            count = sum(all(fit(word, it) for it in changed) for word in words)
            if count:
                found[number, at, mark] = count
    return found


@pytest.mark.parametrize("text", [
    "bybgg", "BYBGG", "01022", "⬛🟨⬛🟩🟩", "⬜🟨⬜🟩🟩", "⬛️🟨⬛️🟩🟩", ".y.gg", "-?-!!", "xyxgg",
    "⬛🟦⬛🟧🟧",
])  # fmt: skip
def test_colours_are_read_as_people_write_them(engine: Engine, text: str) -> None:
    assert load_game("original").format_score(load_game("original").parse_score(text)) == "bybgg"
    assert page(engine, "clues", "marksFrom", text, 5) == [0, 1, 0, 2, 2]


@pytest.mark.parametrize(("text", "count"), [
    ("crane bybbb", 1), ("CRANE BYBBB\nslate, gybbb", 2), ("crane.bybbb.slate.gybbb", 2),
    ("crane ⬛🟨⬛⬛⬛", 1), ("crane", None), ("crane slate", None), ("cr bybbb", None), ("", 0),
    ("crane ggggg slate gybbb", None), ("crane bybbb crane", None),
])  # fmt: skip
def test_pasted_clues(engine: Engine, text: str, count: int | None) -> None:
    rows = page(engine, "clues", "cluesFrom", text, 5)
    assert (None if rows is None else len(rows)) == count
    if rows:
        assert rows[0] == {"word": "crane", "marks": [[0, 1, 0, 0, 0]]}


def test_a_share_grid_is_told_from_the_rest(engine: Engine) -> None:
    text = "Wordle 1,234 2/6*\n\n⬛️🟨⬛️⬛️⬛️\n🟩🟩🟩🟩🟩\ncrane ruddy"
    found = page(engine, "clues", "gridFrom", text, 5)
    assert found["rows"] == [[0, 1, 0, 0, 0], [2, 2, 2, 2, 2]]
    assert found["rest"] == ["Wordle", "1,234", "2/6*", "crane", "ruddy"]


def test_words_are_drawn_as_python_draws_them(engine: Engine) -> None:
    dice = random.Random(3)
    for _ in range(150):
        seed = dice.choice((dice.randrange(2**32), dice.randrange(2**53), dice.randrange(100)))
        limit = dice.choice((1, 2, 20, 90, 3_158, 14_855, 100_000))
        count = min(limit, dice.choice((1, 1, 2, 4, 8, 32)))
        expected = random.Random(seed).sample(range(limit), count)
        assert page(engine, "random", "sample", seed, limit, count) == expected, (seed, limit)


def test_the_word_of_the_day_is_that_of_the_command(engine: Engine) -> None:
    """On any date, for any list and number of boards."""
    dice = random.Random(4)
    games = [load_game(name, "answers") for name in ("original", "nyt-2022", "nyt-2026")]
    for _ in range(120):
        date = datetime.date(2024, 1, 1) + datetime.timedelta(days=dice.randrange(4_000))
        seed, game = int(date.strftime("%Y%m%d")), dice.choice(games)
        boards = dice.choice((1, 1, 2, 4))
        host = Hidden.drawn(game, boards, seed)
        drawn = page(engine, "random", "sample", seed, len(game.secrets), boards)
        solved = [host.answer(k, game.secrets[at]) == game.solved for k, at in enumerate(drawn)]
        assert all(solved), (date, boards)
    words = games[-1].secrets
    (at,) = page(engine, "random", "sample", 20261123, len(words), 1)
    done = ran([*KNUTHLE, "game", "--seed", "20261123", "--json", "-"])  # it says the word
    assert json.loads(done.stdout)["boards"][0]["secrets"] == [words[at]]


@pytest.mark.parametrize(("text", "words", "said"), [
    ("crane slate", ["crane", "slate"], "2 words of 5 letters."),
    ("Crane\r\nSLATE crane\n", ["crane", "slate"], "2 words of 5 letters."),
    ("crane, slate; it's a two", ["crane", "slate"],
     "2 words of 5 letters; 1 word of other lengths left out."),
    ("\ufeffcrane \u202eslate\u202c", ["crane", "slate"], "2 words of 5 letters."),
    ("<b>bold</b> <i>idea", ["bold", "idea"], "2 words of 4 letters."),
    ("привет мирный", ["мирный", "привет"], "2 words of 6 letters."),
    ("ΛΌΓΟΣ λόγος", ["λόγοσ"], "1 word of 5 letters."),
    ("שלום עולם", ["עולם", "שלום"], "2 words of 4 letters."),
    ("e\u0301tude \u00e9tude", ["\u00e9tude"], "1 word of 5 letters."),
])  # fmt: skip
def test_the_words_of_a_text(engine: Engine, text: str, words: list[str], said: str) -> None:
    found = page(engine, "reading", "wordsIn", text)
    assert (found["words"], found["note"]) == (words, said)
