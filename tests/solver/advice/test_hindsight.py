"""What states and guesses were worth: brute force on small worlds, all three ways to know it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from solver.advice import hindsight
from solver.advice.clues import candidates_after
from solver.advice.hindsight import Hindsight, Insight
from solver.advice.weighted_totals import WeightedTotals
from solver.game.game import Game
from solver.game.load import load_game
from solver.splits.weighted_measures import chances_of
from tests.support.naive_review import Ahead
from tests.support.worlds import game_of, some_world


def every(game: Game) -> Any:
    return np.arange(len(game.secrets), dtype=np.int32)


def looked(game: Game, guess: str, ways: Hindsight) -> Insight:
    return ways.look(every(game), (), game.guess_id(guess))


def worlds(count: int) -> list[Game]:
    dice = random.Random(11)
    return [some_world(dice, 6, 24) for _ in range(count)]


@pytest.mark.parametrize("hard", [False, True])
def test_exact_values_by_brute_force(hard: bool) -> None:
    for game in worlds(6):
        ahead = Ahead(game.guesses, dict.fromkeys(game.secrets, 1.0), hard)
        left, legal = frozenset(game.secrets), game.guesses
        best = ahead.best(left, legal)
        for guess in game.guesses[::5]:
            found = looked(game, guess, Hindsight(game, hard=hard))
            assert found.exact
            assert found.least == pytest.approx(float(min(best.values())))
            assert {game.guesses[g] for g, v in found.best if v == found.least} == set(best)
            assert found.yours == pytest.approx(float(ahead.expected(guess, left, legal)))


@pytest.mark.parametrize(("few", "many"), [(0, 10**6), (0, 0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_are_attained_and_near(
    monkeypatch: pytest.MonkeyPatch, few: int, many: int, weighted: bool
) -> None:
    """A beam, and entropy one guess ahead: never below the truth, and of equal secrets near it."""
    for name in ("FEW", "FEW_WEIGHTED"):
        monkeypatch.setattr(hindsight, name, few)
    monkeypatch.setattr(hindsight, "MANY", many)
    for game in worlds(5):
        weights = np.arange(1.0, len(game.secrets) + 1) if weighted else np.ones(len(game.secrets))
        ahead = Ahead(game.guesses, dict(zip(game.secrets, weights.tolist(), strict=True)))
        left, legal = frozenset(game.secrets), game.guesses
        least = float(min(ahead.best(left, legal).values()))
        guess = game.guesses[len(game.guesses) // 2]
        found = looked(game, guess, Hindsight(game, weights=weights if weighted else None))
        assert not found.exact
        assert least - 1e-9 <= found.least <= least + 0.5
        assert found.yours is not None
        mine = float(ahead.expected(guess, left, legal))
        assert max(mine, found.least) - 1e-9 <= found.yours <= mine + 0.7


def test_weighted_totals_by_brute_force() -> None:
    dice = random.Random(5)
    for game in worlds(6):
        some = sorted(dice.sample(range(len(game.secrets)), min(7, len(game.secrets))))
        weights = [dice.choice([1.0, 1.0, 2.0, 10.0, 0.125]) for _ in some]
        secrets = [game.secrets[at] for at in some]
        ahead = Ahead(game.guesses, dict(zip(secrets, weights, strict=True)))
        left, legal = frozenset(secrets), game.guesses
        known = WeightedTotals(game, np.array(some, dtype=np.int32), chances_of(np.array(weights)))
        best = ahead.best(left, legal)
        assert {game.guesses[guess] for guess in known.best()} == set(best)
        for guess in game.guesses:
            exact = float(ahead.expected(guess, left, legal))
            assert known.total(game.guess_id(guess)) == pytest.approx(exact)
        assert len(known.best(3)) >= min(3, len(game.guesses))
        least = float(min(best.values()))
        assert min(known.best(3).values()) == pytest.approx(least)


def test_the_best_three_and_their_ties() -> None:
    game = game_of(["abide", "crane", "raise", "slate", "stare"])
    known = WeightedTotals(game, every(game), chances_of(np.ones(5)))
    totals = sorted(known.total(guess) for guess in range(5))
    assert sorted(known.best(5).values()) == pytest.approx(totals)


def test_equal_weights_are_no_weights_where_it_is_exact() -> None:
    game = load_game("nyt-2023")
    left = candidates_after(game, game.parse_state("crane bybbb briar bybby"))
    equal = Hindsight(game, weights=np.ones(len(game.secrets)))
    guess = game.guess_id("rural")
    weighted, plain = equal.look(left, (), guess), Hindsight(game).look(left, (), guess)
    assert weighted.exact
    assert weighted.least == pytest.approx(plain.least)
    assert weighted.yours == pytest.approx(plain.yours)


def test_what_tells_nothing_costs_a_guess() -> None:
    game = game_of(["crane", "slate", "fuzzy", "abide"], ["crane", "slate", "abide"])
    for weights in (None, np.array([1.0, 2.0, 3.0])):
        found = looked(game, "fuzzy", Hindsight(game, weights=weights))
        assert found.yours == pytest.approx(found.least + 1)


def test_out_of_time_is_a_bound() -> None:
    game = load_game("nyt-2023")
    left = candidates_after(game, game.parse_state("crane bbbbb"))
    found = Hindsight(game, time_limit=1e-9).look(left, (), game.guess_id("sloth"))
    assert not found.exact
    assert found.least == pytest.approx(1046 / 358, abs=0.05)


def test_too_many_scores_for_the_exact_search() -> None:
    """A word with more than 255 scores against the secrets: entropy, one guess ahead."""
    dice = random.Random(1)
    words = {"".join(dice.choices("abcdefgh", k=8)) for _ in range(600)}
    game = game_of(sorted(words))
    found = looked(game, game.guesses[0], Hindsight(game))
    assert not found.exact
    assert found.yours is not None
    assert 1 < found.least <= found.yours < 4
