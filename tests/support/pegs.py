"""Mastermind boards for the tests, each made once."""

from functools import cache
from itertools import permutations

from hypothesis import strategies as st

from solver.game.codes import CodeSpace
from solver.game.game import Game
from solver.game.mastermind import MastermindGame, mastermind_game


@cache
def board_of(board: str) -> MastermindGame:
    return mastermind_game(f"mastermind:{board}")


def space_of(board: str) -> CodeSpace:
    """All codes of a board, as kernels see them."""
    space = board_of(board).code_space
    assert space is not None
    return space


class Plain(MastermindGame):
    """The same game without a search of its own: by the score matrix, all guesses looked at."""

    code_space = None


def plain(board: str) -> Plain:
    here = board_of(board)
    return Plain("plain", "plain", here.guesses, here.secrets, here.board)


def orbits(game: Game, candidates: set[str]) -> dict[str, set[str]]:
    """Each code with all that renamings make of it which leave the candidates as they are.

    A colour that no candidate has may stand for any other such colour.
    """
    symbols = sorted({*"".join(game.guesses)})
    maps = []
    for colours in permutations(symbols):
        paint = dict(zip(symbols, colours, strict=True))
        for order in permutations(range(game.length)):
            turned = {"".join(paint[code[hole]] for hole in order) for code in candidates}
            if turned == candidates:
                maps.append((paint, order))
    absent = [symbol for symbol in symbols if all(symbol not in code for code in candidates)]
    alike = {}
    for code in game.guesses:
        found, waiting = {code}, [code]
        while waiting:
            here = waiting.pop()
            near = {"".join(paint[here[hole]] for hole in order) for paint, order in maps}
            for at, sign in enumerate(here):
                near |= {here[:at] + x + here[at + 1 :] for x in absent if sign in absent}
            new = (near & {*game.guesses}) - found
            found |= new
            waiting += new
        alike[code] = found
    return alike


small_boards = st.sampled_from(
    "1x2 1x6 2x2 2x3 2x5 3x2 3x3 3x4 4x3 5x2 2x4:distinct 3x5:distinct".split()
)
boards = small_boards | st.sampled_from("4x6 2x12 3x10 6x4 4x7:distinct 8x3 10x2".split())
