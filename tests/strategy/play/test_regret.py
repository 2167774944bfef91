"""Regrets against a plain-Python twin and the exact search; what a judge says and refuses."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from solver.advice import by_buckets
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from strategy.play.regret import Judge, recorded_totals
from strategy.play.weights import weighted_game
from strategy.toolbox.guesses import suggest
from tests.strategy.play.test_review import played_game
from tests.support import naive, naive_review, refused
from tests.support.commands import Knuthle
from tests.support.worlds import some_world
from tools.records.exact_openers import read_table

FIVE = ["abide", "crane", "raise", "slate", "stare"]


def assert_true(judge: Judge, twin: naive_review.Ahead, state: Any = ()) -> None:
    """Compare the regrets of all guesses with brute force over all that can follow."""
    left, legal = frozenset(twin.weights), twin.guesses
    for word, score in state:
        left, secret = twin.split(word, left)[score], judge.game.secrets[judge.candidates(state)[0]]
        legal = twin.legal_after(legal, word, secret)
    best = twin.best(left, legal)
    least = float(next(iter(best.values())))
    for found in judge.regrets([state] * len(twin.guesses), twin.guesses):
        assert found.least == pytest.approx((least, least), abs=1e-9)
        assert set(found.best) <= set(best) and found.remaining == len(left)
        assert found.legal == (found.word in legal) == found.exact == (found.regret is not None)
        if found.regret is not None:
            expected = float(twin.expected(found.word, left, legal))
            assert found.expected == pytest.approx((expected, expected), abs=1e-9)
            assert found.regret.low == pytest.approx(expected - least, abs=1e-9)
            assert (found.regret.low < 1e-9) == (found.word in best)


@pytest.mark.parametrize("counted", [128, 0])
def test_every_figure_by_plain_python(counted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both modes, over weights, and in Mastermind; whether buckets are counted or not."""
    monkeypatch.setattr(by_buckets, "MOST_COUNTED", counted)
    dice = random.Random(5)
    for hard in (False, True) * 10:
        world = some_world(dice, 6, 20)
        history = tuple(it for it in played_game(world, dice, hard) if it[1] != world.solved)
        twin = naive_review.Ahead(world.guesses, dict.fromkeys(world.secrets, 1.0), hard)
        assert_true(Judge(world, hard=hard), twin, history)
        if not hard and counted:
            weights = {name: dice.choice([0.5, 1.0, 3.0]) for name in world.secrets[:9]}
            game, by_secret, *_ = weighted_game(world, weights)
            assert_true(Judge(game, weights=by_secret), naive_review.Ahead(game.guesses, weights))
    game = load_game(spec="mastermind:2x4")
    weights = dict.fromkeys(game.secrets, 1.0)
    assert_true(Judge(game), naive_review.Ahead(game.guesses, weights, grader=naive.pegs))


def states_of(
    game: Game, number: int, dice: random.Random, most: int, hard: bool = False
) -> list[tuple[Any, str]]:
    """Positions of games at random with a guess in each, which may be the secret or not."""
    judge, found = Judge(game), list[tuple[Any, str]]()
    while len(found) < number:
        history = tuple(it for it in played_game(game, dice, hard) if it[1] != game.solved)
        left = [game.secrets[at] for at in judge.candidates(history)]
        if 3 <= len(left) <= most:
            found.append((history, dice.choice([dice.choice(left), dice.choice(game.guesses)])))
    return found


@pytest.mark.parametrize(
    ("number", "most"), [(8, 20), pytest.param(200, 100, marks=pytest.mark.slow(30))]
)
def test_regrets_are_as_optimal_says(knuthle: Knuthle, number: int, most: int) -> None:
    """``optimal --state`` has the best word's total, and those of the states after a guess."""
    game = load_game()
    judge, known = Judge(game), dict[str, int]()

    def least(steps: Any) -> int:
        left, state = len(judge.candidates(steps)), game.format_state(steps)
        if left > 2 and state not in known:
            said = knuthle("optimal", "--state", state, "--within", "none", "--json", "-")
            known[state] = int(json.loads(said.out)["suggestions"][0]["total"])
        return known.get(state, 2 * left - 1)

    asked = states_of(game, number, random.Random(number), most)
    found = judge.regrets(*zip(*asked, strict=True))
    for (history, guess), each in zip(asked, found, strict=True):
        scores = {game.grade(guess, game.secrets[at]) for at in judge.candidates(history)}
        after = [(*history, (guess, score)) for score in scores - {game.solved}]
        assert each.exact and each.expected is not None
        assert round(each.least.low * each.remaining) == least(history)
        assert round(each.expected.low * each.remaining) == each.remaining + sum(map(least, after))


@pytest.mark.parametrize("hard", [False, True])
def test_first_guesses_are_those_of_the_records(hard: bool) -> None:
    game, small = load_game(), load_game(FIVE)
    totals = recorded_totals(game, hard)
    assert totals is not None and len(totals) == 12972
    assert hard or totals.tolist() == [row.total for row in read_table()]
    found = Judge(game, hard=hard).regret("", "crane")
    assert found.recorded and found.exact and found.best == ("salet",)
    assert found.least.low == totals.min() / 2315
    assert recorded_totals(small, hard) is None


def test_what_takes_too_long_is_between_bounds() -> None:
    game, state = load_game(), "crane.bbbbb"
    patient, hasty = (Judge(game, time_limit=limit) for limit in (None, 1e-9))
    for word in ("sloth", *patient.best(state)[1]):
        exact, found = patient.regret(state, word), hasty.regret(state, word)
        assert exact.exact and not found.exact
        for name in ("regret", "expected", "least"):
            (truth, _), (low, high) = getattr(exact, name), getattr(found, name)
            assert low <= truth <= high and low < high
    weighted = Judge(game, weights=np.ones(len(game.secrets)), time_limit=1e-9)
    assert 1 < weighted.regret("", "crane").least.low < weighted.regret("", "crane").least.high


def test_states_are_remembered_and_threads_may_ask() -> None:
    game = load_game()
    judge = Judge(game, remembered=3)
    asked = states_of(game, 8, random.Random(4), 30)
    alone = [Judge(game).regret(*each) for each in asked]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda each: judge.regret(*each), asked)) == alone
    assert judge.regrets(*zip(*asked, strict=True)) == alone
    assert judge._worth.cache_info().currsize <= 3


def test_what_is_refused_and_what_is_not() -> None:
    game, board = load_game(FIVE), load_game(spec="mastermind:2x3")
    judge, strict = Judge(game), Judge(game, hard=True)
    for asked, state, guess, said in (
        (judge, "", "slath", "'slath' is not among the 5 guesses"),
        (judge, "crane ggggg", "abide", "the game is over"),
        (judge, "crane ggggb", "abide", "no secret of"),
        (strict, "crane ybgbg abide bbbbb", "raise", "hard mode forbids 'abide'"),
    ):
        refused(WrongInputError, said, asked.regret, state, guess)
    refused(WrongInputError, "hard mode is a rule of Wordle", Judge, board, hard=True)
    found, lenient = (it.regret("slate bbgbg", "abide") for it in (strict, judge))
    assert repr(found) == "<Regret: abide: hard mode forbids it>" and not found.consistent
    assert lenient.legal and lenient.regret == (1.0, 1.0)
    assert judge.regret("slate bbgbg", "crane").consistent


def test_hard_mode_forbids_what_would_tell_words_apart() -> None:
    game = load_game(["fight", "light", "might", "molar", "night", "right"])
    strict, lenient = (Judge(game, hard=hard).best("fight bgggg") for hard in (True, False))
    assert strict == ((2.5, 2.5), ("light", "might", "night", "right"))
    assert lenient == ((2.0, 2.0), ("molar",))


def test_the_command_says_what_the_library_and_suggest_do(knuthle: Knuthle) -> None:
    exact = suggest(load_game(), "crane bybbb sloth bbbbb", within=None).exact
    found = Judge(load_game()).regret("crane bybbb sloth bbbbb", "mummy")
    assert exact is not None and exact.least == found.least.low * found.remaining
    assert set(found.best) <= set(exact.best) and found.regret and found.regret.low > 0
    asked = ("regret", "mummy", "crane bybbb sloth bbbbb", "--json", "-")
    assert json.loads(knuthle(*asked).out)["best"] == [*found.best]
    said = knuthle("regret", "sloth,shout", "crane", "bybbb")
    assert "sloth  0.1556    2.6333" in said.out and "SHOUT" in said.out
    forbidden = json.loads(knuthle("regret", "fuzzy", "crane.bybbb", "--hard", "--json", "-").out)
    assert forbidden["guesses"][0]["regret_low"] is None and not forbidden["guesses"][0]["legal"]
    hasty = knuthle("regret", "sloth", "crane.bbbbb", "--time-limit", "0.0001")
    assert "between bounds" in hasty.out
    assert "by the table of records" in knuthle("regret", "salet").out
