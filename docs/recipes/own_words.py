"""A word list of your own: a file with a word a line, or any words that Python has at hand.

python own_words.py [FILE]
"""

import sys
from pathlib import Path

from strategy import Settings, load_game, solve, suggest, verify

WORDS = "apple berry grape lemon mango melon olive peach prune guava".split()


def main(path: Path) -> None:
    """Build the whole strategy of a list, keep it, and ask for a hint."""
    if not path.exists():
        path.write_text("# fruit\n" + "\n".join(WORDS) + "\n", encoding="utf-8")
    game = load_game(path)  # guesses and secrets alike; load_game(path, secrets=other) parts them
    print(f"{len(game.guesses)} guesses, {len(game.secrets)} secrets, list {game.list_name}")

    strategy = solve(game, Settings(rule="entropy")).strategy
    kept = path.with_suffix(".strategy")
    strategy.save(kept)
    print(f"first {strategy.next_guess()}, worst {strategy.worst}, solved in 1, 2, …", end=" ")
    print(*strategy.histogram, sep=", ")
    print(verify(kept, path).lists)

    hint = suggest(game, "lemon bgbbb", top=1)
    print(f"after LEMON bgbbb: {' or '.join(hint.secrets)}; try {hint.words[0].word}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "fruit.txt"))
