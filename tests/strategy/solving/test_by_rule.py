"""Whole strategies: the published ones, the naive ones, the same for any number of workers."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.choices import GUESS_POOLS
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.rules.searcher import RULES, Searcher
from solver.tree import Tree
from strategy import verify
from strategy.errors import BadFileError, StrategyError
from strategy.files.strategy_file import to_bytes
from strategy.solving.by_rule import GrowingStrategy, Settings, Solved, origin_of, solve
from strategy.solving.checks import play_every_secret
from strategy.solving.progress import ignore
from strategy.tree import Strategy
from tests.support import naive, published, refused
from tests.support.worlds import small_game


# --- published figures --------------------------------------------------------------------
def test_serai_and_lares() -> None:
    solved = solve(load_game(secrets="allowed"), Settings())
    histogram, mean = published.SERAI
    assert solve(load_game(), Settings(start=("lares",))).strategy.worst == 5, "over the answers"
    assert solved.strategy.origin.start == ("serai",)
    assert solved.strategy.histogram == histogram and round(solved.strategy.mean, 8) == mean
    assert len(solved.verdict.beyond(6)) == sum(histogram[6:])


# --- the naive twin -----------------------------------------------------------------------
@settings(max_examples=15)
@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([(50, 50), (50, 20), (120, 120), (300, 60)]),
    rule=st.sampled_from(list(RULES)),
    guess_from=st.sampled_from(GUESS_POOLS),
    hard=st.booleans(),
    starts=st.integers(0, 2),
)
def test_strategies_are_the_naive_ones(
    seed: int, size: tuple[int, int], rule: str, guess_from: str, hard: bool, starts: int
) -> None:
    game = small_game(seed, *size)
    start = game.guesses[:1] if hard else game.guesses[:starts]
    solved = solve(game, Settings(start or ("auto",), rule, guess_from, hard))
    strategy = solved.strategy
    more = {"starts": start, "guess_from": guess_from, "secrets": game.secrets, "hard": hard}
    expected = naive.nodes(game.guesses, game.secrets, rule, edge=strategy.score[0], **more)
    columns = zip(strategy.depth, strategy.score, strategy.guess, strict=True)
    found = [(depth - 1, score, strategy.words[guess]) for depth, score, guess in columns]
    assert found == list(expected) and sum(strategy.histogram) == len(game.secrets)


def test_two_forced_openers_are_played_in_every_game() -> None:
    game = load_game()
    strategy = solve(game, Settings(start=("lares", "cling"))).strategy
    words = zip(strategy.depth, strategy.guess, strict=True)
    assert {strategy.words[guess] for depth, guess in words if depth == 2} == {"cling"}
    assert strategy.histogram[0] == 0 or "lares" in game.secrets
    verify(strategy)


@pytest.mark.plain
@pytest.mark.parametrize("count", [1, 2, 3])
def test_tiny_lists(count: int) -> None:
    game = small_game(count, count, count)
    strategy = solve(game, Settings()).strategy
    assert strategy.worst <= count and strategy.secrets == game.secrets
    verify(strategy)


# --- workers ------------------------------------------------------------------------------
@pytest.mark.parametrize("workers", [2, 4])
def test_the_same_bytes_for_any_number_of_workers(workers: int) -> None:
    game = small_game(7, 3000, 1200)
    settings_ = Settings(start=(game.guesses[100],))
    alone = solve(game, settings_).strategy
    shared = solve(game, settings_, workers=workers).strategy
    assert to_bytes(shared) == to_bytes(alone)


def test_the_pool_plays_every_secret(lares: Solved) -> None:
    game = load_game(secrets="allowed")
    assert play_every_secret(lares.strategy, game, workers=2) == lares.verdict


def test_workers_may_be_spawned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "elsewhere")
    game = small_game(8, 300, 100)
    assert solve(game, Settings(), workers=2).verdict == solve(game, Settings()).verdict


# --- a strategy in the making -------------------------------------------------------------
def grown(game: Game, settings_: Settings) -> GrowingStrategy:
    searcher = Searcher(game)
    growing = GrowingStrategy(game, origin_of(game, settings_, searcher))
    growing.grow(searcher, 1, ignore)
    return growing


def test_what_is_saved_belongs_to_one_question(tmp_path: Path) -> None:
    game, path = small_game(4, 400, 150), tmp_path / "partial"
    growing = grown(game, Settings())
    growing.save(path)
    refused(BadFileError, "an unfinished strategy", Strategy.load, path)
    other, said = (
        Settings(growing.origin.start, rule="entropy"),
        "begun with rule 'minimax', not 'e",
    )
    refused(StrategyError, said, solve, game, other, resume=path)


def test_an_interrupted_run_lays_its_tree_aside(tmp_path: Path) -> None:
    game = small_game(5, 800, 400)
    path = tmp_path / "partial"

    def interrupt(what: str, new: int, whole: int) -> None:
        if what == "solving":
            raise KeyboardInterrupt

    refused(KeyboardInterrupt, "", solve, game, Settings(), resume=path, progress=interrupt)
    finished = solve(game, Settings(), resume=path).strategy
    assert to_bytes(finished) == to_bytes(solve(game, Settings()).strategy)


@pytest.mark.parametrize("starts", [1, 2])
def test_a_run_cut_at_any_node_is_continued(tmp_path: Path, starts: int) -> None:
    game = small_game(9, 200, 40)
    settings_ = Settings(start=game.guesses[:starts])
    whole = solve(game, settings_).strategy
    growing = grown(game, settings_)
    guess, parent, score = growing.tree.guess, growing.tree.parent, growing.tree.score
    for cut in range(len(growing.tree)):
        part = GrowingStrategy(game, growing.origin)
        part.tree = Tree(guess[: cut + 1], parent[: cut + 1], score[:cut])  # between two columns
        path = tmp_path / f"cut at {cut}"
        part.save(path)
        continued = solve(game, settings_, resume=path).strategy
        assert to_bytes(continued) == to_bytes(whole)


def test_what_cannot_be_grown(lares_file: Path) -> None:
    """From fixed guesses that are not possible; from a finished strategy."""
    game, one, two = load_game(), Settings(("lares",)), Settings(("lares", "lares"))
    hard = Settings(start=("lares", "cling"), hard=True)
    refused(WrongInputError, "forbids the fixed guess 'cling' after", solve, game, hard)
    refused(WrongInputError, "guesses 'lares' twice", solve, game, two)
    game = load_game(secrets="allowed")
    refused(StrategyError, "a finished strategy", solve, game, one, resume=lares_file)
