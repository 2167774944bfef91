"""Prove the least worst case and the least total of small boards, as the table of docs/records.md.

    .venv/bin/python -m tools.records.small_boards [CODES]

A board has all codes of so many places whose colours are different, graded place by place, as
words are. Its codes are all alike (other names for colours, other places), so the first guess does
not matter. Boards of up to CODES codes (3,100) get two proof files in ``data/records/small``.
"""

import sys
from collections.abc import Iterator
from itertools import permutations
from math import perm
from string import ascii_lowercase

from solver.game.game import Game
from strategy import load_game, optimal

from .tables import RECORDS

FOLDER = RECORDS / "small"
MOST_PLACES, MOST_COLOURS = 5, 10


def game_of(places: int, colours: int) -> Game:
    """The board: every code is a guess, and every code may be the secret."""
    return load_game(["".join(code) for code in permutations(ascii_lowercase[:colours], places)])


def boards(codes: int) -> Iterator[tuple[int, int]]:
    """Places and colours of the boards of at most so many codes; the smallest are known by hand."""
    for places in range(2, MOST_PLACES + 1):
        for colours in range(max(places, 3), MOST_COLOURS + 1):
            if perm(colours, places) <= codes:
                yield places, colours


def main() -> None:
    """Write the files of all boards, and the lines of the table."""
    FOLDER.mkdir(exist_ok=True)
    for places, colours in boards(int(sys.argv[1]) if sys.argv[1:] else 3_100):
        game, found = game_of(places, colours), {}
        for objective in ("worst", "total"):
            proof = FOLDER / f"{places}x{colours}-{objective}.proof"
            first = [game.guesses[0]]
            found[objective] = optimal(
                game, start=first, within=None, objective=objective, proof=proof
            )
        worst, least = found["worst"].strategy, found["total"].strategy
        assert worst is not None and least is not None
        print(
            f"| {places} | {colours} | {perm(colours, places):,} | {worst.worst} "
            f"| {least.total:,} | {least.mean:.4f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
