"""What is a word worth in a position? Exactly: the guesses still to be made, if all is played best.

python exact_values.py [POSITION [WORD …]]
"""

import sys

from strategy import load_game, suggest

POSITION, WORDS = "crane bybbb", ["shout", "torus", "moist"]


def main(position: str, words: list[str]) -> None:
    """Print the best words of the position, and what the named ones are worth."""
    game = load_game("original")
    found = suggest(game, position, top=None)
    if found.exact is None:
        print(f"{len(found.secrets)} secrets: too many to go through at once")
        return
    print(f"{len(found.secrets)} secrets; at best {found.exact.least} guesses for all of them,")
    print(f"with {', '.join(found.exact.best)}")
    values = {row.word: row for row in found.words}
    for word in words:
        row = values[word]
        total = "not looked at to the end" if row.total is None else f"{row.total} guesses"
        print(f"{word}: {total}; {row.entropy:.3f} bits, {row.parts} parts")


if __name__ == "__main__":
    main(*(sys.argv[1], sys.argv[2:]) if len(sys.argv) > 1 else (POSITION, WORDS))
