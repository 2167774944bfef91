"""Several boards at once: mean guesses and the share won, over seeded games (--games N)."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from solver.advice.boards import OpenBoard
from solver.advice.rollouts import QuickRule
from solver.game.load import load_game
from strategy.play.game import limit_of
from strategy.play.position import Lexicon, Position
from strategy.play.proposals import Choice, next_words

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

    Summed entropy, proposal by proposal; the quick rule that goes on when words are played out;
    words played out. All of them play the same games.
    """
    lexicon = Lexicon.of(load_game("original"))
    count = bench.games or (QUICK if bench.quick else GAMES)
    secrets = int(lexicon.likely.sum())
    for boards in BOARDS:
        limit = limit_of(lexicon.game, boards) or 0
        games = hidden(lexicon, boards, count)
        title = f"{boards} boards, {count:,} games (seed {SEED}), {secrets:,} secrets of original"
        with bench.ladder(title, per=(count, "game")) as ladder:
            for label, play in _ways(lexicon, boards, games).items():
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


def _ways(lexicon: Lexicon, boards: int, games: Games) -> dict[str, Way]:
    """How games on so many boards are played, each compiled by a game."""
    choice = Choice(within=limit_of(lexicon.game, boards))
    ways = {
        "proposal by proposal": by_proposals(lexicon, choice),
        "quick rule": by_rule(lexicon, boards),
    }
    if boards <= PLAYED_OUT:
        ways[f"rollouts, {WORLDS} worlds"] = by_proposals(lexicon, replace(choice, worlds=WORLDS))
    for way in ways.values():
        way(games[:1])
    return ways


def by_proposals(lexicon: Lexicon, choice: Choice) -> Way:
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


def by_rule(lexicon: Lexicon, n_boards: int) -> Way:
    """The quick rule after the first word of the helper."""
    game = lexicon.game
    first = game.guess_id(next_words(Position.start(lexicon, n_boards), Choice()).words[0].word)
    secrets = np.flatnonzero(lexicon.likely).astype(np.int32)
    place = {game.secrets[at]: number for number, at in enumerate(secrets.tolist())}
    boards, pool = [OpenBoard(secrets)] * n_boards, np.arange(len(game.guesses), dtype=np.int32)
    rule = QuickRule(game, boards, pool)

    def play(games: Games) -> list[int]:
        worlds = np.array([[place[word] for word in words] for words in games], dtype=np.int32)
        taken: list[int] = rule.play(first, worlds).tolist()
        return taken

    return play
