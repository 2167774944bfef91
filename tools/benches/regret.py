"""Regrets: how long a guess of six players takes to be judged, by its number."""

import math
import time
from collections import defaultdict

import numpy as np

from solver.game.load import load_game
from strategy.play.arena import Terms, games_within, sampled
from strategy.play.regret import Judge
from strategy.play.trajectories import built_in

from .harness import Bench

PLAYERS = ("random", "consistent", "minimax", "parts", "entropy", "optimal")
#: Games of all players together, and guesses of a game.
GAMES, GUESSES = 1_000, 6
FEW = 100


def run(bench: Bench) -> None:
    """States of three candidates and more, as games have them; processor time of one core."""
    game = load_game("original")
    each = -(-(bench.games or GAMES) // len(PLAYERS))
    secrets = sampled(game.secrets, each)
    terms = Terms(game.spec, frozenset(game.guesses), secrets, most=GUESSES)
    patient, judge = Judge(game, time_limit=math.inf), Judge(game)
    judge.regrets(["crane bybbb", "fuzzy bbbbb"], ["sloth", "crane"])  # what is loaded first
    took, bounds, doubts = defaultdict[str, list[float]](list), 0, 0
    for name in PLAYERS:
        for played in games_within(built_in(name, patient), terms):
            history: list[tuple[str, int]] = []
            for number, word in enumerate(played.guesses, 1):
                left = len(judge.candidates(history))
                if number > 1 and left >= 3:
                    begun = time.process_time()
                    found = judge.regret(history, word)
                    size = f"guess {number}" if left <= FEW else f"more than {FEW} candidates"
                    took[size].append(1000 * (time.process_time() - begun))
                    bounds += not found.exact
                    doubts += not found.exact and left <= FEW
                history.append((word, terms.grade(word, played.secret)))
    few = [it for size, some in took.items() if size.startswith("guess") for it in some]
    rows = []
    for size, some in [*sorted(took.items()), (f"up to {FEW} candidates", few)]:
        half, most, worst = np.percentile(some, [50, 99, 100])
        rows.append((size, f"{len(some):,}", f"{half:.2f}", f"{most:.1f}", f"{worst:.1f}"))
    bench.table("milliseconds", ("", "states", "median", "99 %", "longest"), rows)
    bench.note(f"{bounds:,} of the larger ones are between bounds")
    bench.check(not doubts, f"with up to {FEW} candidates all is exact")
