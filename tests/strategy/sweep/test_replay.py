"""The compiled checker: held against naive grading and the trusted checker; faults by name."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from solver.game.game import Game
from solver.game.load import load_game
from solver.machine.jit import kernel
from solver.rules.searcher import RULES, Searcher
from solver.tree import Tree
from strategy.checkers.verify import check_guesses
from strategy.errors import OutputError, WrongStrategyError
from strategy.files.strategy_file import Origin, tree_of
from strategy.solving.checks import play_every_secret
from strategy.sweep import replay_kernels
from strategy.sweep.replay import Replayer
from strategy.sweep.replay_kernels import TreeColumns, first_illegal, mastermind_score, wordle_score
from strategy.sweep.rows import OpenerRow
from strategy.tree import Strategy
from tests.support import PLAIN, naive, refused
from tests.support.worlds import game_of, made_up_games, real_games


@kernel
def colours(guess: Any, units: Any, places: Any) -> int:
    return wordle_score(guess, units, places)


@kernel
def pegs(guess: Any, units: Any, places: Any) -> int:
    return mastermind_score(guess, units, places)


def plainly(door: Any) -> Any:
    return getattr(door, "py_func", door)


@pytest.mark.plain
@pytest.mark.parametrize("length", [1, 2, 5, 11, 16])
def test_scores_are_those_of_the_naive_grader(length: int) -> None:
    dice = random.Random(length)
    rows = [[dice.randrange(4) for _ in range(length)] for _ in range(40)]
    words = np.array(rows, dtype=np.uint8)
    texts = ["".join("abcd"[letter] for letter in row) for row in rows]
    units = np.array([3**place for place in range(length)])
    for fill in (replay_kernels.fill_places, plainly(replay_kernels.fill_places)):
        places = np.empty((len(rows), 4), dtype=np.int32)
        fill(words, places)
        for at, guess in enumerate(texts):
            for other, secret in enumerate(texts):
                row = words[at], units, places[other]
                assert pegs(*row) == naive.pegs(guess, secret)
                assert colours(*row) == naive.grade(guess, secret)


def agreed(game: Game, opener: int, rule: str = "minimax", guess_from: str = "allowed") -> None:
    """The strategy of an opener, as the compiled checker and as the trusted one see it."""
    tree = Searcher(game, rule, guess_from=guess_from).grow(None, (opener,))
    played = Replayer(game.spec, game.guesses, game.secrets).play(tree, opener, guess_from)
    word = game.guesses[opener]
    origin = Origin.of(game, rule, (word,), guess_from=guess_from)
    strategy = Strategy.of_tree(game, origin, tree)
    verdict = play_every_secret(strategy, game)
    assert played == OpenerRow(word, tuple(strategy.histogram), strategy.nodes, strategy.digest)
    assert sum(n * count for n, count in enumerate(played.histogram, 1)) == verdict.total


@pytest.mark.plain
@given(made_up_games())
@settings(max_examples=8 if PLAIN else 10)
def test_both_checkers_say_the_same_of_made_up_words(game: Game) -> None:
    agreed(game, len(game.guesses) // 2)
    agreed(game, 0, "entropy", "secrets")


@given(real_games())
@settings(max_examples=5)
def test_both_checkers_say_the_same_of_real_words(game: Game) -> None:
    for opener, rule in enumerate(RULES):
        agreed(game, opener, rule, "candidates")


@pytest.mark.parametrize(
    "spec", ["mastermind:3x4", "mastermind:2x10:distinct", "mastermind:10x2", "mastermind:11x2"]
)
def test_both_checkers_say_the_same_of_codes(spec: str) -> None:
    game = load_game(spec=spec)
    agreed(game, len(game.guesses) // 3)


def test_a_replayer_is_used_again_for_larger_and_smaller_trees() -> None:
    game = load_game(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
    mine, searcher = Replayer(game.spec, game.guesses, game.secrets), Searcher(game)
    for opener in (0, 6, 3, 0):
        once = Replayer(game.spec, game.guesses, game.secrets)
        tree = searcher.grow(None, (opener,))
        assert mine.play(tree, opener) == once.play(tree, opener)


@pytest.mark.parametrize(("column", "node", "number", "fault"), [
    ("score", 1, 80, "'adieu' is never reached"), ("guess", 6, 99, "node 6 is no part of a tree"),
    ("guess", 6, -1, "node 6 is no part of a tree"),
    ("parent", 1, 2, "node 1 is no part of a tree"),  # a cycle
    ("parent", 2, 2, "node 2 is no part of a tree"),
    ("parent", 1, -1, "node 1 is no part of a tree"),
    ("score", 1, 243, "node 1 is no part of a tree"),
    ("score", 7, None, "node 7 follows a score that another node follows"),
    ("score", 7, 200, "node 7 is unreachable"),
])  # fmt: skip
def test_what_is_wrong_is_named(column: str, node: int, number: int | None, fault: str) -> None:
    """One number is another; or there is one more node, below the first."""
    game = game_of(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
    tree = Searcher(game).grow(None, (3,))
    assert len(tree) == 7
    if node == len(tree):
        tree.add(tree.guess[1], 0, tree.score[1] if number is None else number)
    else:
        getattr(tree, column)[node] = number
    player = Replayer(game.spec, game.guesses, game.secrets)
    refused(WrongStrategyError, fault, player.play, tree, 3)


def test_guesses_are_held_to_what_is_said_of_them() -> None:
    game = game_of(["aab", "abb", "bbb", "bab", "ccc", "abc"], ["aab", "abb", "bbb", "bab"])
    tree = Searcher(game).grow(None, (5 - 1,))
    player = Replayer(game.spec, game.guesses, game.secrets)
    refused(WrongStrategyError, "is not the opener", player.play, tree, 0)
    strange = Tree.of([0, 2, 5, 1, 4], [-1, 0, 0, 2, 2], [-1, 0, 0, 0, 0])
    refused(WrongStrategyError, "", player.play, strange, 0)
    asking = Searcher(game).grow(None, (0, game.guess_id("abc")))
    assert player.play(asking, 0, "allowed")
    for pool in ("secrets", "candidates"):
        with pytest.raises(WrongStrategyError, match=f"'abc' is guessed .* not from {pool}"):
            player.play(asking, 0, pool)


def test_a_game_that_nobody_knows_is_refused() -> None:
    refused(OutputError, "", Replayer, "chess", ["aa", "bb"], ["aa"])


@given(real_games(least=30, most=80))
@settings(max_examples=10)
def test_hard_mode_is_what_the_trusted_checker_says(game: Game) -> None:
    """Strategies of hard mode keep to it; of others both checkers say the same."""
    player = Replayer(game.spec, game.guesses, game.secrets)
    for opener in (0, len(game.guesses) - 1):
        assert player.play(Searcher(game, hard=True).grow(None, (opener,)), opener, hard=True)
        tree = Searcher(game).grow(None, (opener,))
        origin = Origin.of(game, "minimax", (game.guesses[opener],), hard=True)
        whole = (tree.guess, tree.parent, tree.score)
        columns = TreeColumns(*(np.frombuffer(it, dtype=np.int32) for it in whole))
        node = first_illegal(player._board.words, columns)
        try:
            grown = tree_of(Strategy.of_tree(game, origin, tree))
            check_guesses(grown, "allowed", origin.start)
        except WrongStrategyError as error:
            assert repr(game.guesses[tree.guess[node]]) in str(error)
            refused(WrongStrategyError, "hard mode forbids", player.play, tree, opener, hard=True)
        else:
            assert node == -1


@pytest.mark.plain
def test_a_letter_that_was_shown_twice_is_used_twice() -> None:
    words = np.array([[0, 1, 0, 2], [0, 3, 3, 3], [3, 0, 3, 0], [0, 3, 3, 0]], dtype=np.uint8)
    score = 2 + 1 * 9  # green, grey, yellow, grey: two copies of letter 0, one in the first place
    for guess, breach in ((1, True), (2, True), (3, False)):
        rows = ([0, guess], [-1, 0], [-1, score])
        columns = TreeColumns(*(np.array(row, dtype=np.int32) for row in rows))
        assert (first_illegal(words, columns) == 1) == breach
