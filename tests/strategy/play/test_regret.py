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
from strategy.play import regret as judging
from strategy.play.regret import Judge, Regret
from strategy.play.weights import weighted_game
from strategy.toolbox.guesses import suggest
from tests.strategy.play.test_review import played_game
from tests.support import naive, naive_review, refused
from tests.support.commands import Knuthle
from tests.support.worlds import some_world
from tools.records.exact_openers import read_table


def assert_true(found: Regret, twin: naive_review.Ahead, secrets: list[str], state: Any) -> None:
    """Compare a regret with brute force over all that can follow."""
    left, legal = frozenset(secrets), twin.guesses
    for word, score in state:
        secret = next(it for it in sorted(left) if twin.grader(word, it) == score)
        left, legal = twin.split(word, left)[score], twin.legal_after(legal, word, secret)
    best = twin.best(left, legal)
    least = float(next(iter(best.values())))
    assert found.exact or found.regret is None
    assert found.remaining == len(left)
    assert found.least == pytest.approx((least, least), abs=1e-9) and set(found.best) <= set(best)
    assert found.legal == (found.word in legal)
    if found.legal:
        expected = float(twin.expected(found.word, left, legal))
        assert found.expected == pytest.approx((expected, expected), abs=1e-9)
        assert found.regret is not None
        assert found.regret.low == pytest.approx(expected - least, abs=1e-9)
        assert (found.regret.low < 1e-9) == (found.word in best)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("quickly", [True, False])
def test_every_figure_by_plain_python(
    hard: bool, quickly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not quickly:
        monkeypatch.setattr(by_buckets, "MOST_COUNTED", 0)
    dice = random.Random(5)
    for _ in range(10):
        game = some_world(dice, 6, 20)
        history = played_game(game, dice, hard)
        history = history[:-1] if history[-1][1] == game.solved else history
        twin = naive_review.Ahead(game.guesses, dict.fromkeys(game.secrets, 1.0), hard)
        judge = Judge(game, hard=hard)
        for found in judge.regrets([history] * len(game.guesses), game.guesses):
            assert_true(found, twin, list(game.secrets), history)


def test_over_weights_and_in_mastermind_by_plain_python() -> None:
    dice = random.Random(6)
    for _ in range(4):
        world = some_world(dice, 6, 18)
        weights = {name: dice.choice([0.5, 1.0, 3.0]) for name in world.secrets[:9]}
        game, by_secret, *_ = weighted_game(world, weights)
        twin = naive_review.Ahead(game.guesses, weights)
        for guess in game.guesses:
            found = Judge(game, weights=by_secret).regret((), guess)
            assert_true(found, twin, list(game.secrets), ())
    game = load_game(spec="mastermind:2x4")
    twin = naive_review.Ahead(game.guesses, dict.fromkeys(game.secrets, 1.0), grader=naive.pegs)
    for guess in game.guesses:
        assert_true(Judge(game).regret((), guess), twin, list(game.secrets), ())


def states_of(game: Game, number: int, dice: random.Random, most: int) -> list[tuple[object, str]]:
    """Positions of games at random and of careful ones, with a guess in each."""
    found: list[tuple[object, str]] = []
    judge = Judge(game)
    while len(found) < number:
        secret, history = dice.choice(game.secrets), []
        careful = dice.random() < 0.5
        for _ in range(4):
            left = judge.candidates(tuple(history))
            fitting = [game.secrets[at] for at in left]
            guess = dice.choice(fitting if careful and history else game.guesses)
            if history and 3 <= len(left) <= most:
                found.append((tuple(history), guess))
            history.append((guess, game.grade(guess, secret)))
            if guess == secret:
                break
    return dice.sample(found, number)


def assert_as_optimal_says(knuthle: Knuthle, number: int, most: int, seed: int) -> None:
    """Compare regrets with ``optimal --state``: the best word's total, and those after a guess."""
    game = load_game()
    judge, known = Judge(game), {"": 0}

    def least(steps: Any) -> int:
        left, state = len(judge.candidates(steps)), game.format_state(steps)
        if left > 2 and state not in known:
            said = knuthle("optimal", "--state", state, "--within", "none", "--json", "-")
            known[state] = int(json.loads(said.out)["suggestions"][0]["total"])
        return known.get(state, 2 * left - 1)

    asked = states_of(game, number, random.Random(seed), most)
    histories, guesses = zip(*asked, strict=True)
    for history, guess, found in zip(
        histories, guesses, judge.regrets(histories, guesses), strict=True
    ):
        scores = {game.grade(guess, game.secrets[at]) for at in judge.candidates(history)}
        after = [(*history, (guess, score)) for score in scores - {game.solved}]
        total = found.remaining + sum(map(least, after))
        assert found.exact and found.expected is not None
        assert round(found.least.low * found.remaining) == least(history)
        assert round(found.expected.low * found.remaining) == total


def test_as_optimal_says(knuthle: Knuthle) -> None:
    assert_as_optimal_says(knuthle, 8, 20, 1)


@pytest.mark.slow(30)
def test_two_hundred_regrets_are_as_optimal_says(knuthle: Knuthle) -> None:
    assert_as_optimal_says(knuthle, 200, 100, 2)


@pytest.mark.parametrize("hard", [False, True])
def test_first_guesses_are_those_of_the_records(hard: bool) -> None:
    game = load_game()
    totals = judging.recorded_totals(game, hard)
    assert totals is not None and len(totals) == 12972
    if not hard:
        assert totals.tolist() == [row.total for row in read_table()]
    found = Judge(game, hard=hard).regret("", "crane")
    assert found.recorded and found.exact and found.best == ("salet",)
    assert found.least.low == totals.min() / 2315
    small = load_game(["abide", "crane", "raise"])
    assert judging.recorded_totals(small, hard) is None
    assert not Judge(small, hard=hard).regret("", "crane").recorded


def test_what_takes_too_long_is_between_bounds() -> None:
    game = load_game()
    history = "crane.bbbbb"
    truth = Judge(game, time_limit=None).regret(history, "sloth")
    hasty = Judge(game, time_limit=1e-9)
    for word in ("sloth", "fuzzy", "sloth"):
        found = hasty.regret(history, word)
        assert not found.exact and found.regret is not None and found.expected is not None
        assert found.regret.low < found.regret.high and found.expected.low < found.expected.high
        assert found.least.low <= truth.least.low <= found.least.high
    assert found.regret and truth.regret
    assert found.regret.low <= truth.regret.low <= found.regret.high
    even = np.ones(len(game.secrets))
    weighted = Judge(game, weights=even, time_limit=1e-9).regret("", "crane")
    assert not weighted.exact and weighted.least.low > 1


def test_states_are_remembered_and_threads_may_ask() -> None:
    game = load_game()
    judge = Judge(game, remembered=3)
    asked = states_of(game, 8, random.Random(4), 30)
    alone = [Judge(game).regret(*each) for each in asked]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda each: judge.regret(*each), asked)) == alone
    assert judge.regrets([it for it, _ in asked], [it for _, it in asked]) == alone
    assert judge._state.cache_info().currsize <= 3


def test_what_is_refused() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    judge = Judge(game)
    refused(WrongInputError, "'slath' is not among the 5 guesses", judge.regret, "", "slath")
    refused(WrongInputError, "the game is over", judge.regret, "crane ggggg", "abide")
    refused(WrongInputError, "no secret of", judge.regret, "crane ggggb", "abide")
    board = load_game(spec="mastermind:2x3")
    refused(WrongInputError, "hard mode is a rule of Wordle", Judge, board, hard=True)
    strict = Judge(game, hard=True)
    said, state = "hard mode forbids 'abide'", "crane ybgbg abide bbbbb"
    refused(WrongInputError, said, strict.regret, state, "raise")


def test_a_guess_need_be_neither_legal_nor_consistent() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    found = Judge(game, hard=True).regret("slate bbgbg", "abide")
    assert not found.legal and found.regret is None and not found.consistent and not found.exact
    assert repr(found) == "<Regret: abide: hard mode forbids it>"
    lenient = Judge(game).regret("slate bbgbg", "abide")
    assert lenient.legal and lenient.regret == (1.0, 1.0)
    assert Judge(game).regret("slate bbgbg", "crane").consistent


def test_the_best_guesses_are_those_that_suggest_names() -> None:
    game = load_game()
    exact = suggest(game, "crane bybbb sloth bbbbb", within=None).exact
    found = Judge(game).regret("crane bybbb sloth bbbbb", "mummy")
    assert exact is not None and exact.least == found.least.low * found.remaining
    assert set(found.best) <= set(exact.best) and found.regret and found.regret.low > 0


def test_the_command_says_what_the_library_does(knuthle: Knuthle) -> None:
    said = knuthle("regret", "sloth,shout", "crane", "bybbb")
    assert "sloth  0.1556    2.6333" in said.out and "SHOUT" in said.out
    forbidden = json.loads(knuthle("regret", "fuzzy", "crane.bybbb", "--hard", "--json", "-").out)
    assert forbidden["guesses"][0]["regret_low"] is None and not forbidden["guesses"][0]["legal"]
    hasty = knuthle("regret", "sloth", "crane.bbbbb", "--time-limit", "0.0001")
    assert "between bounds" in hasty.out
    first = knuthle("regret", "salet")
    assert "by the table of records" in first.out
