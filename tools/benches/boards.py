"""Several boards at once: mean guesses and the share won, over seeded games (--games N)."""

import random
from collections.abc import Callable, Sequence

import numpy as np

from solver.advice.boards import OpenBoard
from solver.advice.rollouts import QuickRule
from solver.game.load import load_game
from strategy.play.game import limit_of
from strategy.play.position import Lexicon, Position
from strategy.play.proposals import Choice, next_guess

from .harness import Bench

BOARDS = (2, 4, 8, 16, 32)
GAMES, QUICK = 20, 5
SEED = 16
#: So many worlds are played where words are played out.
WORLDS = 512


def run(bench: Bench) -> None:
    """The helper of ``knuthle play`` by itself, against secrets that are drawn without repeats.

    Three ways to choose: summed entropy, the quick rule that goes on when words are played out, and
    words played out. All of them play the same games.
    """
    lexicon = Lexicon.of(load_game("original"))
    count = bench.games or (QUICK if bench.quick else GAMES)
    secrets = int(lexicon.likely.sum())
    title = f"{count:,} games (seed {SEED}), {secrets:,} secrets of original, {WORLDS} worlds"
    with bench.ladder(title, per=(count, "game")) as ladder:
        for boards in BOARDS:
            limit = limit_of(lexicon.game, boards) or 0
            for label, ways in _ways(lexicon, boards).items():
                ladder.rung(
                    f"{boards} boards, {label}",
                    lambda ways=ways, boards=boards: ways(hidden(lexicon, boards, count)),
                    repeat=1,
                    mean=lambda found: f"{np.mean(found):.3f}",
                    error=lambda found: f"{np.std(found, ddof=1) / len(found) ** 0.5:.3f}",
                    worst=max,
                    limit=limit,
                    won=lambda found, limit=limit: f"{np.mean(np.array(found) <= limit):.1%}",
                )


def _ways(lexicon: Lexicon, boards: int) -> dict[str, Callable[[list[tuple[str, ...]]], list[int]]]:
    """How games on so many boards are played: label → secrets of games → guesses taken."""
    limit = limit_of(lexicon.game, boards)
    return {
        "entropy": lambda games: played(lexicon, games, Choice(within=limit)),
        "quick rule": lambda games: by_rule(lexicon, games),
        "rollouts": lambda games: played(lexicon, games, Choice(within=limit, worlds=WORLDS)),
    }


def hidden(lexicon: Lexicon, boards: int, count: int) -> list[tuple[str, ...]]:
    """The secrets of so many games."""
    game, dice = lexicon.game, random.Random(SEED)
    likely = [word for word, may in zip(game.secrets, lexicon.likely, strict=True) if may]
    return [tuple(dice.sample(likely, boards)) for _ in range(count)]


def by_rule(lexicon: Lexicon, games: Sequence[tuple[str, ...]]) -> list[int]:
    """The guesses of games that the quick rule plays after the first word of the helper."""
    game, n_boards = lexicon.game, len(games[0])
    first = game.guess_id(next_guess(Position.start(lexicon, n_boards), Choice()))
    secrets = np.flatnonzero(lexicon.likely).astype(np.int32)
    place = {game.secrets[at]: number for number, at in enumerate(secrets.tolist())}
    boards, pool = [OpenBoard(secrets)] * n_boards, np.arange(len(game.guesses), dtype=np.int32)
    worlds = np.array([[place[word] for word in words] for words in games], dtype=np.int32)
    taken: list[int] = QuickRule(game, boards, pool).play(first, worlds).tolist()
    return taken


def played(lexicon: Lexicon, games: Sequence[tuple[str, ...]], choice: Choice) -> list[int]:
    """The guesses of games; a position that has come up already is not looked at again."""
    known: dict[tuple[tuple[int, bytes], ...], str] = {}
    return [one_game(lexicon, secrets, choice, known) for secrets in games]


def one_game(
    lexicon: Lexicon, secrets: Sequence[str], choice: Choice,
    known: dict[tuple[tuple[int, bytes], ...], str],
) -> int:  # fmt: skip
    """How many guesses the boards take that hide these secrets."""
    position = Position.start(lexicon, len(secrets))
    while not position.solved:
        left = [(at, position.boards[at].left.tobytes()) for at in position.open]
        key = ((len(position.turns), b""), *left)
        if key not in known:
            known[key] = next_guess(position, choice)
        word = known[key]
        scores = [lexicon.game.grade(word, secrets[at]) for at in position.open]
        position = position.after(word, scores)
    return len(position.turns)
