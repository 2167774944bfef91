"""Several boards at once: mean guesses and the share won, over 1,000 seeded games each."""

import random
from collections.abc import Sequence

from solver.game.load import load_game
from strategy.play.game import limit_of
from strategy.play.position import Lexicon, Position
from strategy.play.proposals import Choice, next_guess

from .harness import Bench

BOARDS = (2, 4, 8)
GAMES, QUICK = 1000, 20
SEED = 16


def run(bench: Bench) -> None:
    """The helper of ``knuthle play`` by itself, against secrets that are drawn without repeats."""
    lexicon = Lexicon.of(load_game("nyt-2023"))
    count = QUICK if bench.quick else GAMES
    title = f"{count:,} games (seed {SEED}), {int(lexicon.likely.sum()):,} secrets of nyt-2023"
    with bench.ladder(title, per=(count, "game")) as ladder:
        for boards in BOARDS:
            limit = limit_of(lexicon.game, boards) or 0
            ladder.rung(
                f"{boards} boards",
                lambda boards=boards: played(lexicon, boards, count),
                repeat=1,
                mean=lambda found: f"{sum(found) / len(found):.3f}",
                worst=max,
                limit=limit,
                won=lambda found, limit=limit: f"{sum(n <= limit for n in found) / len(found):.1%}",
            )


def played(lexicon: Lexicon, boards: int, count: int) -> list[int]:
    """The guesses of so many games; a position that has come up already is not looked at again."""
    game, dice = lexicon.game, random.Random(SEED)
    likely = [word for word, may in zip(game.secrets, lexicon.likely, strict=True) if may]
    known: dict[tuple[tuple[int, bytes], ...], str] = {}
    return [one_game(lexicon, dice.sample(likely, boards), known) for _ in range(count)]


def one_game(
    lexicon: Lexicon, secrets: Sequence[str], known: dict[tuple[tuple[int, bytes], ...], str]
) -> int:
    """How many guesses the boards take that hide these secrets."""
    position, limit = Position.start(lexicon, len(secrets)), limit_of(lexicon.game, len(secrets))
    choice = Choice(within=limit)
    while not position.solved:
        left = [(at, position.boards[at].left.tobytes()) for at in position.open]
        key = ((len(position.turns), b""), *left)
        if key not in known:
            known[key] = next_guess(position, choice)
        word = known[key]
        scores = [lexicon.game.grade(word, secrets[at]) for at in position.open]
        position = position.after(word, scores)
    return len(position.turns)
