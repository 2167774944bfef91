"""Attempts to have something false proved: what costs one guess less than is stated of it.

Most are about the real list, where guesses have up to 150 scores and buckets hundreds of words.
"""

from functools import cache
from typing import Any

import numpy as np
import pytest

from solver.game.game import Game
from solver.game.load import load_game
from solver.tree import Tree
from strategy.checkers.grading import grade_pairs
from strategy.proofs.checker.board import State
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.check import CheckedWords, WrongProofError, check_strategy
from strategy.proofs.checker.proof_file import Proof
from strategy.proofs.writer import SearchOracle, _Writer, prove, statement_of
from strategy.solving.by_rule import Settings, solve
from strategy.solving.optimal import optimal
from strategy.tree import Strategy
from tests.support import naive, refused
from tests.support.checker_twins import after, lemma_1, lemma_2
from tests.support.naive_proof import pool_of, search_of
from tests.support.proof_worlds import NaiveOracle, holds, strategy_of
from tests.support.worlds import game_of

#: More than any set costs.
ENDLESS = 1 << 60


@cache
def answers() -> Game:
    return load_game("original")


def writer_after(opener: str, hard: bool, limit: int) -> tuple[_Writer, SearchOracle, list[State]]:
    """A writer of proofs, the search that it asks, and the buckets that an opener leaves."""
    game = answers()
    kind = "losses" if limit else "total"
    statement = statement_of(game, kind, limit, LOSS, start=opener, hard=hard)
    search = SearchOracle(game, hard, 1)
    writer = _Writer(
        CheckedWords(game.guesses, game.secrets), statement, search, lambda new, whole: None
    )
    checker = writer._checker
    root, column = checker.whole(), checker.start_column()
    checker.bound_of_column(root, column, ENDLESS)
    buckets = [state for state, _ in writer._buckets(root, column) if len(state.members) > 2]
    return writer, search, buckets


@pytest.mark.parametrize(("opener", "hard", "limit", "most"), [
    ("salet", False, 0, 999),
    pytest.param("salet", True, 0, 999, marks=pytest.mark.slow),
    pytest.param("crane", False, 0, 999, marks=pytest.mark.slow),
    pytest.param("salet", False, 4, 50, marks=pytest.mark.slow),
    pytest.param("raise", True, 5, 50, marks=pytest.mark.slow),
])  # fmt: skip
def test_no_bucket_costs_one_more_than_it_does(
    opener: str, hard: bool, limit: int, most: int
) -> None:
    """The search tells the truth, and knows the value of each bucket: one more is refused."""
    writer, search, buckets = writer_after(opener, hard, limit)
    asked = [state for state in buckets if len(state.members) <= most]
    assert len(asked) > 40
    for state in asked:
        value = search.bound(*state, ENDLESS)
        refused(WrongProofError, "cannot be proved", writer._close_all, state, value + 1)


@pytest.mark.parametrize(("opener", "hard", "left", "size"), [
    ("salet", False, UNLIMITED, 107),
    ("salet", True, UNLIMITED, 107),
    ("crane", False, 2, 102),
    ("raise", False, 3, 168),
])  # fmt: skip
def test_bounds_of_buckets_are_those_of_counting(
    opener: str, hard: bool, left: int, size: int
) -> None:
    """One bucket of the real list, and what each of some guesses costs there at least."""
    game = answers()
    writer, _, buckets = writer_after(opener, hard, 0)
    checker = writer._checker
    [state] = [state for state in buckets if len(state.members) == size]
    words = [game.secrets[member] for member in state.members]
    scores = np.array([grade_pairs([guess] * size, words) for guess in game.guesses])
    legal = [not hard or naive.may_follow(word, opener, words[0]) for word in game.guesses]

    def one_step_of(bucket: list[str], guess: str) -> int:
        """The least of Lemma 2 over all guesses, the parts of each counted one by one."""
        own = np.sort(scores[:, [words.index(word) for word in bucket]])
        parts = 1 + np.count_nonzero(own[:, 1:] != own[:, :-1], axis=1)
        kinds = {
            (number, word in bucket)
            for word, number, fits in zip(game.guesses, parts.tolist(), legal, strict=True)
            if fits and (not hard or naive.may_follow(word, guess, bucket[0]))
        }
        return min(lemma_2(1, len(bucket), *kind, after(left)) for kind in kinds)

    asked = State(state.members, left, state.revealed)
    large = 0
    for column in np.flatnonzero(checker.board.guess >= 0)[:: 200 if hard else 2600]:
        guess = game.guesses[checker.board.guess[column]]
        if not legal[game.guesses.index(guess)]:
            continue
        wanted = size
        for bucket in naive.split(guess, words).values():
            least = lemma_1(1, len(bucket), after(left))
            if len(bucket) > 2:
                least = max(least, one_step_of(bucket, guess))
            wanted += least * (bucket != [guess])
            large += len(bucket) > 16
        assert checker.bound_of_column(asked, int(column), ENDLESS) == wanted
    assert large > 5


class OneMore:
    """The search, but of sets of so many candidates it says that they cost a guess more."""

    def __init__(self, game: Game, size: int) -> None:
        self._truth, self._size = SearchOracle(game, False, 1), size

    def bound(self, members: Any, left: int, revealed: Any, enough: int) -> int:
        return self._truth.bound(members, left, revealed, enough) + (len(members) == self._size)


def one_worse(strategy: Strategy) -> Strategy:
    """The strategy with one guess more in all: of two candidates none is guessed at once."""
    game = answers()
    tree = Tree.of(
        [game.guess_id(strategy.words[word]) for word in strategy.guess],
        [-1, *strategy.parent[1:]],
        [-1, *strategy.score[1:]],
    )
    node, pair = next(
        (node, pair)
        for node in range(strategy.nodes)
        for pair in [strategy.secrets_below(node)]
        if len(pair) == 2
    )
    other = next(
        word for word in game.guesses if word not in pair and len(naive.split(word, pair)) == 2
    )
    child = tree.guess.index(game.guess_id(pair[1]), node)
    tree.guess[node] = game.guess_id(other)
    tree.score[child] = naive.grade(other, pair[1])
    tree.add(game.guess_id(pair[0]), node, naive.grade(other, pair[0]))
    return Strategy.of_tree(game, strategy.origin, tree)


def test_salet_does_not_take_7921() -> None:
    """It takes 7,920. In November 2026 there was a proof that it takes one more.

    It rested on the 107 answers for which E is yellow and the rest grey: 303 was claimed of them,
    one too much.
    """
    game = answers()
    best = optimal(game, start=["salet"], workers=1).strategy
    assert best is not None and best.total == 7920
    worse = one_worse(best)
    assert worse.total == 7921
    true, false = (
        statement_of(game, "total", 6, plan.total, start="salet") for plan in (best, worse)
    )
    assert holds(prove(game, true, best, SearchOracle(game, False, 1)), game)
    refused(WrongProofError, "cannot be proved", prove, game, false, worse, OneMore(game, 107))


@pytest.mark.parametrize("guess_from", ["secrets", "candidates"])
def test_fixed_guesses_are_from_the_statement_s_pool(guess_from: str) -> None:
    """A strategy that fixes its first guesses may fix any; the statement is about its own alone."""
    secrets = [letter + "zz" for letter in "abcdefg"]
    game = game_of([*secrets, "abc", "def"], secrets)
    pool = pool_of(game, guess_from)
    search = search_of(pool.guesses, game.secrets, 1, False, guess_from == "candidates")
    plan = solve(game, Settings(("abc", "def"), guess_from=guess_from)).strategy
    assert (plan.total, search.of_all(UNLIMITED)) == (21, 28)
    for start in ("", "abc"):
        named = {"start": start, "guess_from": guess_from}
        statement = statement_of(game, "total", 0, plan.total, **named)
        oracle = NaiveOracle(search, pool_of(game, guess_from, start))
        reason = f"guesses '{'def' if start else 'abc'}', which is not from {guess_from}"
        refused(WrongProofError, reason, prove, game, statement, plan, oracle)
    plan = strategy_of(game, "abc", guess_from=guess_from)
    statement = statement_of(game, "total", 0, plan.total, start="abc", guess_from=guess_from)
    check_strategy(Proof(statement, (), plan), CheckedWords(game.guesses, game.secrets))
