"""A bot: it plays by a strategy, and by advice where a game has left the strategy's way.

python bot.py [SECRET …]
"""

import sys

from strategy import Settings, Strategy, load_game, solve, suggest

GAME = load_game("original")
TILES = "⬛🟨🟩"


class Bot:
    """Whatever game it is put into, it has a next guess."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    def guess(self, history: list[tuple[str, str]]) -> str:
        """The strategy's guess; in a state that it never meets, the best one there."""
        planned = self.strategy.get(history)
        return planned or suggest(GAME, history, top=1).words[0].word


def play(bot: Bot, secret: str, opening: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """A whole game; the first guesses may be somebody else's."""
    history: list[tuple[str, str]] = []
    while not history or history[-1][0] != secret:
        forced = len(history) < len(opening)
        word = opening[len(history)] if forced else bot.guess(history)
        history.append((word, GAME.format_score(GAME.grade(word, secret))))
    return history


def main(secrets: list[str]) -> None:
    """Play against each secret, and once more after somebody has begun with ADIEU."""
    bot = Bot(solve(GAME, Settings(start=("salet",), rule="entropy")).strategy)
    for secret in secrets:
        for opening in ((), ("adieu",)):
            for word, score in play(bot, secret, opening):
                print("".join(TILES["byg".index(colour)] for colour in score), word)
            print()


if __name__ == "__main__":
    main(sys.argv[1:] or ["proxy", "knoll"])
