"""Repairing a rule's strategy, against brute force on random worlds, and through the command."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest

from solver.choices import GUESS_POOLS
from solver.exact import limit_search as search_module
from solver.exact import repair, table_layout
from solver.exact.kernels import score_table
from solver.exact.repair import Repairer, decider_for
from solver.exact.set_engine import ExactCodes
from solver.exact.values import state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.rules.searcher import Searcher
from solver.tree import Tree
from strategy.solving.by_rule import Settings, Solved, solve
from strategy.solving.checks import EXACT, REPAIR, RULE
from tests.support.exact_worlds import words_alike
from tests.support.naive_exact import brute
from tests.support.trees import histogram
from tests.support.worlds import EVERYTHING, all_secrets, game_of, words_by_score


def check_limits(
    game: Game, settings: Settings, limits: Iterable[int]
) -> Iterator[tuple[Solved, int]]:
    """Brute force: does any strategy that begins so solve every secret within the limit?"""
    truth = brute(game.guesses, game.secrets, settings.hard, settings.guess_from)
    for limit in limits:
        solved = solve(game, settings, within=limit)
        start = () if settings.start == ("auto",) else settings.start
        assert solved.outcome.proved
        assert solved.outcome.met == (not truth.after(start, limit)[0])
        assert solved.outcome.met == (solved.verdict.worst <= limit)
        yield solved, limit


@pytest.mark.slow
@pytest.mark.parametrize(("guess_from", "hard"), list(product(GUESS_POOLS, (False, True))))
def test_repair_decides_as_brute_force(guess_from: str, hard: bool) -> None:
    dice = random.Random(f"repair {guess_from} {hard}")
    seen = set()
    for _ in range(6):
        game = words_alike(dice, 8, 16)
        start = dice.choice(game.guesses) if dice.random() < 0.7 else "auto"
        rule = dice.choice(("minimax", "entropy", "parts"))
        settings = Settings((start,), rule, guess_from, hard)
        limits = range(1, solve(game, settings).strategy.worst + 1)
        for solved, limit in check_limits(game, settings, limits):
            seen.add(solved.outcome.method)
            if solved.outcome.method == REPAIR:
                assert solved.strategy.origin.claim == {"repaired": True, "within": limit}
                pure = solve(game, settings, within=limit, pure=True).outcome
                assert (pure.met, pure.method, pure.proved) == (False, RULE, False)
    assert seen >= {RULE, EXACT}


@pytest.mark.parametrize("guess_from", GUESS_POOLS[:2])
def test_families_in_wide_tables_are_decided_as_by_brute_force(
    monkeypatch: pytest.MonkeyPatch, guess_from: str
) -> None:
    """As if a byte numbered three scores: families are small, larger states have wide tables."""
    for module in (repair, table_layout, score_table):
        monkeypatch.setattr(module, "MOST_NARROW", 3)
    dice = random.Random(f"wide {guess_from} False")
    met = set()
    for _ in range(9):
        game = words_alike(dice, 8, 16)
        start = dice.choice(game.guesses) if dice.random() < 0.7 else "auto"
        settings = Settings((start,), "minimax", guess_from)
        limits = range(2, solve(game, settings).strategy.worst)
        met |= {solved.outcome.met for solved, _ in check_limits(game, settings, limits)}
    assert met == {True, False}


@pytest.mark.parametrize("hard", [False, True])
def test_long_words_are_kept_within_limits(hard: bool) -> None:
    """One word of six letters gives each of 723 secrets its own score."""
    game = game_of(words_by_score("abcdef"))
    everyone, decide = all_secrets(game), decider_for(game, hard=hard)
    assert len(everyone) == 723
    for start, met in (("auto", True), ("azzzzz", False)):
        solved = solve(game, Settings((start,), "proportion", hard=hard), within=2)
        assert (solved.outcome.met, solved.outcome.proved) == (met, True)
        assert (solved.verdict.worst <= 2) == met
    # what a rule has made is mended: a first guess that tells little, then the one that tells all
    assert Searcher(game, "parts", hard=hard).grow(None, (game.guess_id("zazzzz"),)).height > 2
    tree = decide(everyone, 2, ())
    assert tree is not None and (game.guesses[tree.guess[0]], tree.height) == ("abcdef", 2)
    assert histogram(game, tree) == [1, 722]
    assert decide(everyone, 1, ()) is None


def test_several_starts() -> None:
    dice = random.Random("several starts")
    for _ in range(8):
        game = words_alike(dice, 10, 18)
        settings = Settings(tuple(dice.sample(game.guesses, 2)))
        for solved, _ in check_limits(game, settings, (3, 4, 5)):
            assert solved.strategy.origin.start == settings.start


@pytest.mark.parametrize("spec", ["mastermind:2x4", "mastermind:3x3", "mastermind:3x4:distinct"])
def test_mastermind(spec: str) -> None:
    game = load_game(spec=spec)
    for limit in range(1, 6):
        solved = solve(game, Settings(), within=limit)
        assert solved.outcome.met == (solved.verdict.worst <= limit)
        everyone = state_of(np.arange(len(game.secrets), dtype=np.int32), limit)
        assert solved.outcome.met == ExactCodes(game).value_of_state(everyone).exact


@pytest.mark.slow
def test_what_suffices_stays_as_the_rule_has_it() -> None:
    """Everything outside the failing states is the rule's own, guess by guess."""
    dice, repaired = random.Random("stays"), 0
    for _ in range(60):
        game = words_alike(dice, 15, 40)
        searcher = Searcher(game)
        tree = searcher.grow(None, (dice.randrange(len(game.guesses)),))
        limit = tree.height - 1
        mended = Repairer(searcher, decider_for(game)).within(limit, tree, forced=1)
        if mended is not None:
            repaired += 1
            assert mended.height <= limit
            same_where_it_suffices(tree, mended, limit)
    assert repaired > 2


def test_families_of_states_are_decided_as_in_one_table() -> None:
    """A table for each state, or for those after a guess, instead of one for all secrets."""
    dice, repaired = random.Random("families"), 0
    for _ in range(12):
        game = words_alike(dice, 15, 40)
        limit = solve(game, Settings()).strategy.worst - 1
        found = []
        for most in (1 << 26, 8 * len(game.guesses), 0):
            with patch.multiple(repair, FAMILY_BYTES=most):
                solved = solve(game, Settings(), within=limit)
            found.append((solved.outcome, solved.strategy.digest))
        assert found[0] == found[1] == found[2]
        repaired += found[0][0].method == REPAIR
    assert repaired > 2


def test_tables_of_their_own_are_left_behind() -> None:
    """States searched in tables of their own: the same answers, and strategies that keep to it."""
    dice, found = random.Random("own tables"), 0
    for _ in range(8):
        game = words_alike(dice, 15, 30)
        for left in (3, 4):
            expected = decider_for(game)(all_secrets(game), left, ())
            with patch.multiple(search_module, _OWN_TABLE=2):
                tree = decider_for(game)(all_secrets(game), left, ())
            assert (tree is None) == (expected is None)
            if tree is not None:
                found += 1
                assert tree.height <= left and histogram(game, tree)
    assert found > 2


def same_where_it_suffices(rule: Tree, mended: Tree, left: int) -> None:
    if rule.height <= left:
        assert rule == mended
    elif rule.guess[0] == mended.guess[0]:
        below = mended.below()
        for score, branch in rule.below().items():
            same_where_it_suffices(branch, below[score], left - 1)


def test_deciders_refuse_what_is_too_much_at_once() -> None:
    game = game_of(list(EVERYTHING[:50]))
    candidates = np.arange(50, dtype=np.int32)
    for pool in GUESS_POOLS:
        decide = decider_for(game, pool)
        assert decide(candidates, 1, ()) is None and decide(candidates, 50, ()) is not None
        single = decide(candidates[7:8], 1, ())
        assert single is not None and single.guess.tolist() == [7]
