"""The main job: the published program's history re-enacted, step by step, to the compiled search.

On a small game every step plays every secret. On the full game the plain-Python steps are timed on
a part, spread over small and large states, and extrapolated.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.pool import Pool
from solver.rules.searcher import Searcher
from strategy.build.by_rule import Settings, fill_cache, origin_of, solve
from strategy.build.cache import StrategyCache
from strategy.tree import Strategy

from ._steps import STEPS, Arrays, Cached, Cutoff, FirstVersion, Ids, Precomputed, prepared
from .harness import Bench

SMALL = 200  # words of the small game
OPENER = "lares"
WORKERS = 2
SETTINGS = Settings(start=(OPENER,))

T = TypeVar("T")

#: A state in which the rule has to choose: its candidates.
State = Ids


def run(bench: Bench) -> None:
    """The small game whole, the full game in parts, then the command."""
    small_game(bench)
    full_game(bench)
    with (
        tempfile.TemporaryDirectory() as folder,
        bench.ladder("The whole process, from exec to exit; compiled before") as ladder,
    ):
        for workers in (1, WORKERS):
            options = f"--start {OPENER} --workers {workers} --quiet --out {folder}/x.strategy"
            ladder.command(
                f"solve-all --start {OPENER} --workers {workers}",
                [sys.executable, "-m", "strategy", "solve-all", *options.split()],
            )


def small_game(bench: Bench) -> None:
    """Every step plays every secret of a game small enough for the first version."""
    every = load_game(secrets="allowed").guesses
    words = tuple(sorted({OPENER, *every[:: len(every) // SMALL]}))
    game = WordleGame("small", "allowed", words, words)
    parts = opener_buckets(game)

    def play_all(player: FirstVersion) -> int:
        return sum(map(player.play, range(len(words))))

    def with_pool(player: FirstVersion) -> int:
        with Pool(playing, (player,), WORKERS) as pool:
            return sum(taken for _, taken in pool.run(parts)) + 1

    with bench.ladder(f"{len(words)} words, guesses and secrets alike: all games") as ladder:
        rungs = [
            ladder.rung(label, play_all, fresh=fresh(step, game), repeat=3) for label, step in STEPS
        ]
        label = f"+ pool of {WORKERS}, its start included"
        rungs.append(ladder.rung(label, with_pool, fresh=fresh(Cached, game), repeat=3))
        compiled = ladder.rung(
            "compiled: matrix, search, every game played", lambda: solve(game, SETTINGS)
        )
    total = compiled.result.strategy.total
    bench.check(all(rung.result == total for rung in rungs), f"each takes {total:,} guesses in all")


def full_game(bench: Bench) -> None:
    """All 12,972 games: what the plain steps would take, what the compiled search takes."""
    game = load_game(secrets="allowed")
    n = len(game.guesses)
    chosen = choices(game, solve(game, SETTINGS).strategy)
    states = sorted(chosen, key=len)
    paths = sorted(games(states, n), key=lambda path: sum(map(len, path)))
    few = 1 if bench.quick else 4
    some_guesses = range(0, n, 200)
    some_states = spread(states, 50 * few)

    def on_games(number: int, guesses: Sequence[int] | None = None) -> Callable[..., None]:
        def work(player: FirstVersion) -> None:
            for path in spread(paths, number):
                for state in path:
                    player.choose(state, guesses)

        return work

    def with_pool(player: FirstVersion) -> list[int]:
        with Pool(choosing, (player,), WORKERS) as pool:
            return [guess for _, guess in sorted(pool.run(some_states[::-1]))][::-1]

    with bench.ladder(f"{n:,} words, guesses and secrets alike: all games from LARES") as ladder:
        ladder.rung(
            "first version",
            on_games(4 * few, some_guesses),
            fresh=fresh(FirstVersion, game),
            repeat=1,
            part=(4 * few * len(some_guesses), n * n, "games x guesses"),
        )
        steps = {step: label for label, step in STEPS}
        for step, number in ((Cutoff, few), (Precomputed, 4 * few), (Arrays, 4 * few)):
            ladder.rung(
                steps[step],
                on_games(number),
                fresh=fresh(step, game),
                repeat=1,
                part=(number, n, "games"),
            )
        part = (len(some_states), len(states), "states")
        cached = ladder.rung(
            steps[Cached],
            lambda player: [player.choose(state) for state in some_states],
            fresh=fresh(Cached, game),
            repeat=1,
            part=part,
        )
        label = f"+ pool of {WORKERS}"
        pooled = ladder.rung(label, with_pool, fresh=fresh(Cached, game), repeat=1, part=part)
        ladder.rung("compiled: the search", grow, fresh=lambda: searching(game))
        ladder.rung("compiled: matrix, search, every game played", lambda: solve(game, SETTINGS))
    guesses = [chosen[state] for state in some_states]
    bench.check(cached.result == pooled.result == guesses, "plain and compiled choose the same")
    bench.note("The table of scores is not in the plain steps' time. A map from guess and score to")
    bench.note("secrets, as in the small game, would take gigabytes here and is left out.")


def fresh(step: type[FirstVersion], game: Game) -> Callable[[], FirstVersion]:
    """A maker of players with empty memos."""
    return lambda: prepared(step, game, OPENER)


def playing(player: FirstVersion) -> Callable[[Ids], int]:
    """What a worker of the small pool does: play the games of one of the opener's buckets."""
    return lambda secrets: sum(map(player.play, secrets))


def choosing(player: FirstVersion) -> Callable[[State], int]:
    """What a worker of the full pool does: choose the guess of one state."""
    return player.choose


def searching(game: Game) -> tuple[StrategyCache, Searcher]:
    """A search with what its states share made, and nothing known."""
    searcher = Searcher(game)
    searcher.prepare()
    return StrategyCache(game, origin_of(game, SETTINGS, searcher)), searcher


def grow(search: tuple[StrategyCache, Searcher]) -> int:
    """Grow the whole strategy; how many states it has."""
    cache, searcher = search
    fill_cache(cache, searcher, 1, lambda what, new, whole: None)
    return len(cache)


def opener_buckets(game: Game) -> list[Ids]:
    """The secrets by the score that the opener gets, the largest bucket first."""
    buckets = defaultdict(list)
    opener = game.guess_id(OPENER)
    for secret, score in enumerate(game.score_rows()[opener].tolist()):
        if secret != opener:
            buckets[score].append(secret)
    return sorted(map(tuple, buckets.values()), key=len, reverse=True)


def choices(game: Game, strategy: Strategy) -> dict[State, int]:
    """Each state after the opener with more than two candidates, and the guess made there."""
    candidates = defaultdict(list)
    guesses = {}
    for secret, moves in strategy.games():
        words = [*(word for word, _ in moves), secret]
        for number in range(1, len(words)):
            history = tuple(moves[:number])
            candidates[history].append(game.guess_id(secret))
            guesses[history] = game.guess_id(words[number])
    return {
        tuple(secrets): guesses[history]
        for history, secrets in candidates.items()
        if len(secrets) > 2
    }


def games(states: Iterable[State], n_secrets: int) -> list[list[State]]:
    """For each secret the states that its game goes through."""
    paths: list[list[State]] = [[] for _ in range(n_secrets)]
    for state in states:
        for secret in state:
            paths[secret].append(state)
    return paths


def spread(items: Sequence[T], number: int) -> list[T]:
    """So many of the items, evenly from all over."""
    return [items[(2 * place + 1) * len(items) // (2 * number)] for place in range(number)]
