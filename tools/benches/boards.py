"""Several boards at once: mean guesses and the share won, over seeded games (--games N)."""

import random
from collections.abc import Callable, Sequence

import numpy as np

from solver.game.load import load_game
from strategy.play.game import limit_of
from strategy.play.helper import next_words
from strategy.play.position import Lexicon, Position
from strategy.toolbox.guesses import HowToFind

from .harness import Bench

BOARDS = (2, 4, 8, 16, 32)
GAMES, QUICK = 20, 5
SEED = 16


#: The secrets of games; what plays them and says how many guesses they take.
Games = Sequence[tuple[str, ...]]
Way = Callable[[Games], list[int]]


def run(bench: Bench) -> None:
    """The helper of ``knuthle play`` by itself, against secrets that are drawn without repeats.

    Summed entropy, proposal by proposal.
    """
    lexicon = Lexicon.of(load_game("original"))
    count = bench.games or (QUICK if bench.quick else GAMES)
    secrets = int(lexicon.likely.sum())
    for boards in BOARDS:
        limit = limit_of(lexicon.game, boards) or 0
        games = hidden(lexicon, boards, count)
        title = f"{boards} boards, {count:,} games (seed {SEED}), {secrets:,} secrets of original"
        with bench.ladder(title, per=(count, "game")) as ladder:
            play = by_proposals(lexicon, HowToFind(within=limit_of(lexicon.game, boards)))
            play(games[:1])  # compiled
            ladder.rung(
                "proposal by proposal",
                lambda play=play, games=games: play(games),
                repeat=1,
                mean=lambda found: f"{np.mean(found):.3f}",
                error=lambda found: f"{np.std(found, ddof=1) / len(found) ** 0.5:.3f}",
                worst=max,
                limit=limit,
                won=lambda found, limit=limit: f"{np.mean(np.array(found) <= limit):.1%}",
            )


def by_proposals(lexicon: Lexicon, choice: HowToFind) -> Way:
    """What is proposed first is guessed; a position that came up before has its guess."""
    known: dict[tuple[bytes, ...], str] = {}

    def taken(words: tuple[str, ...]) -> int:
        position = Position.start(lexicon, len(words))
        while not position.solved:
            key = tuple(board.left.tobytes() for board in position.boards if board.solved is None)
            if key not in known:
                known[key] = next_words(position, choice).words[0].word
            word = known[key]
            scores = [lexicon.game.grade(word, words[at]) for at in position.open]
            position = position.after(word, scores)
        return len(position.turns)

    return lambda games: [*map(taken, games)]


def hidden(lexicon: Lexicon, boards: int, count: int) -> list[tuple[str, ...]]:
    """The secrets of so many games."""
    game, dice = lexicon.game, random.Random(SEED)
    likely = [word for word, may in zip(game.secrets, lexicon.likely, strict=True) if may]
    return [tuple(dice.sample(likely, boards)) for _ in range(count)]
