"""Several boards at once: mean guesses and the share won, over seeded games (--games N)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver.advice.boards import OpenBoard
from solver.advice.rollouts import QuickRule
from solver.game.load import load_game
from strategy.play.game import limit_of
from strategy.play.many_games import Player, QuickGames, StepwiseGames
from strategy.play.position import Lexicon, Position
from strategy.play.proposals import Choice, next_guess

from .harness import Bench

BOARDS = (2, 4, 8, 16, 32)
GAMES, QUICK = 20, 5
SEED = 16
#: So many worlds are played where words are played out, on no more than so many boards.
WORLDS, PLAYED_OUT = 512, 8


#: The secrets of games; what plays them and says how many guesses they take.
Games = Sequence[tuple[str, ...]]
Way = Callable[[Games], list[int]]


def run(bench: Bench) -> None:
    """The helper of ``knuthle play`` by itself, against secrets that are drawn without repeats.

    Summed entropy, first proposal by proposal, then as ``play --games`` plays it, which must take
    as many guesses; the quick rule that goes on when words are played out; words played out.
    All of them play the same games.
    """
    lexicon = Lexicon.of(load_game("original"))
    count = bench.games or (QUICK if bench.quick else GAMES)
    secrets = int(lexicon.likely.sum())
    for boards in BOARDS:
        limit = limit_of(lexicon.game, boards) or 0
        games = hidden(lexicon, boards, count)
        title = f"{boards} boards, {count:,} games (seed {SEED}), {secrets:,} secrets of original"
        with bench.ladder(title, per=(count, "game")) as ladder:
            rungs = [
                ladder.rung(
                    label,
                    lambda play=play, games=games: play(games),
                    repeat=1,
                    mean=lambda found: f"{np.mean(found):.3f}",
                    error=lambda found: f"{np.std(found, ddof=1) / len(found) ** 0.5:.3f}",
                    worst=max,
                    limit=limit,
                    won=lambda found, limit=limit: f"{np.mean(np.array(found) <= limit):.1%}",
                )
                for label, play in _ways(lexicon, boards, games).items()
            ]
        bench.check(rungs[0].result == rungs[1].result, "both take the same guesses in each game")


def _ways(lexicon: Lexicon, boards: int, games: Games) -> dict[str, Way]:
    """How games on so many boards are played, each compiled by a game."""
    choice = Choice(within=limit_of(lexicon.game, boards))
    ways = {
        "proposal by proposal": _one_by_one(StepwiseGames(lexicon, choice).play),
        "play --games": _one_by_one(QuickGames(lexicon, boards, choice).play),
        "quick rule": by_rule(lexicon, boards),
    }
    if boards <= PLAYED_OUT:
        label = f"rollouts, {WORLDS} worlds"
        played_out = QuickGames(lexicon, boards, replace(choice, worlds=WORLDS))
        ways[label] = _one_by_one(played_out.play)
    for way in ways.values():
        way(games[:1])
    return ways


def _one_by_one(play: Player) -> Way:
    return lambda games: [*map(play, games)]


def hidden(lexicon: Lexicon, boards: int, count: int) -> list[tuple[str, ...]]:
    """The secrets of so many games."""
    game, dice = lexicon.game, random.Random(SEED)
    likely = [word for word, may in zip(game.secrets, lexicon.likely, strict=True) if may]
    return [tuple(dice.sample(likely, boards)) for _ in range(count)]


def by_rule(lexicon: Lexicon, n_boards: int) -> Way:
    """The quick rule after the first word of the helper."""
    game = lexicon.game
    first = game.guess_id(next_guess(Position.start(lexicon, n_boards), Choice()))
    secrets = np.flatnonzero(lexicon.likely).astype(np.int32)
    place = {game.secrets[at]: number for number, at in enumerate(secrets.tolist())}
    boards, pool = [OpenBoard(secrets)] * n_boards, np.arange(len(game.guesses), dtype=np.int32)
    rule = QuickRule(game, boards, pool)

    def play(games: Games) -> list[int]:
        worlds = np.array([[place[word] for word in words] for words in games], dtype=np.int32)
        taken: list[int] = rule.play(first, worlds).tolist()
        return taken

    return play
