"""The shortest win against the adversary: beside the slow truth, and whole games, proved."""

import random
from functools import partial

from solver.game.game import Game
from solver.game.load import game_of_words, load_game
from strategy.solving.shortest_win import ShortestWin, shortest_win
from tests.support.naive import grade, pegs
from tests.support.naive_adversary import winning_openers

from .harness import Bench

#: Words of the small world, all of them secrets, and the seed by which they are drawn.
WORDS, SEED = 40, 3
#: A board that the slow truth can look through.
SMALL = "3x3"
#: Whole games: list or board, first guess, hard mode, guesses of the shortest win, first guesses.
WHOLE = [
    ("original", "saute", False, 4, 1),
    ("mastermind:4x6", None, False, 5, 1290),
    ("mastermind:5x4", None, False, 5, 1024),
    ("mastermind:4x8", None, False, 6, 4088),
]


def run(bench: Bench) -> None:
    """Each search from an empty memo; the slow truth tries every sequence."""
    for label, game, grader in (
        (f"{WORDS} words", some_words(), grade),
        (SMALL, load_game(spec=f"mastermind:{SMALL}"), pegs),
    ):
        with bench.ladder(f"The shortest win and its openers, {label}") as ladder:
            slow = ladder.rung(
                "every sequence, plain Python",
                partial(winning_openers, game.guesses, game.secrets, False, "allowed", (), grader),
                repeat=1,
            )
            quick = ladder.rung("exact search", partial(solved, game), repeat=5)
        length, openers = slow.result
        found: ShortestWin = quick.result
        same = {it.words[0] for it in found.openers} == set(openers)
        bench.check(found.length == length and same, f"both find {length} guesses, and who begins")
    whole_games(bench)


def some_words() -> Game:
    """A small world of real words."""
    words = random.Random(SEED).sample(load_game("original").secrets, WORDS)
    return game_of_words("wordle", tuple(sorted(words)))


def solved(game: Game, start: str | None = None, hard: bool = False) -> ShortestWin:
    """The shortest win of a game."""
    first = () if start is None else (start,)
    return shortest_win(game, start=first, within=None, hard=hard, workers=1)


def whole_games(bench: Bench) -> None:
    """Whole games by one worker."""
    rungs = []
    with bench.ladder("Whole games, the shortest win proved, all openers listed") as ladder:
        for name, start, hard, length, count in WHOLE[:: 2 if bench.quick else 1]:
            is_board = name.startswith("mastermind:")
            game = load_game(spec=name) if is_board else load_game(name)
            label = f"{name}{f', {start}' if start else ''}{', hard' if hard else ''}"
            work = partial(solved, game, start, hard)
            rungs.append((ladder.rung(label, work, repeat=3, openers=openers), length, count))
    for rung, length, count in rungs:
        found: ShortestWin = rung.result
        holds = found.proved and (found.length, len(found.openers)) == (length, count)
        bench.check(holds, f"{rung.label}: {length} guesses, {count:,} openers")


def openers(found: ShortestWin) -> int:
    """How many first guesses win as quickly."""
    return len(found.openers)
