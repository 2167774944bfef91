"""Fifty openers, each with its whole strategy: which one takes the fewest guesses?

    python sweep_openers.py [HOW-MANY]

The candidates are the words that give the most information. For each a strategy is built by
entropy, and every answer is played through it.
"""

import sys
from operator import attrgetter

from strategy import Settings, Strategy, load_game, openers, solve


def main(how_many: int) -> None:
    """Build them all and print the ten best."""
    game = load_game("original")
    built: list[Strategy] = []
    for row in openers(game, top=how_many):
        settings = Settings(start=(row.word,), rule="entropy")
        built.append(solve(game, settings).strategy)
    for strategy in sorted(built, key=attrgetter("total"))[:10]:
        word = strategy.next_guess()
        print(f"{word}  total {strategy.total:,}  mean {strategy.mean:.4f}  worst {strategy.worst}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
