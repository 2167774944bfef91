"""All games of a strategy at once, graded many words at a time: what a search has just built.

The checker of files plays the same games one by one, by the rule in a few lines
(``strategy.checkers.verify``); this must come to the same, and does it in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, compress, product
from operator import ne

from ..checkers.verify import GRADERS, Tree, hold

#: The scores of many guesses, each against the secret beside it.
GradeAll = Callable[[Sequence[str], Sequence[str]], Iterable[int]]


def play(tree: Tree, secrets: Sequence[str], grade: GradeAll) -> tuple[dict[str, int], set[int]]:
    """Play secrets, a guess of each at a time: how many each took, and the nodes come to."""
    below = {pair: node for node, pair in enumerate(zip(tree.parent, tree.score, strict=True))}
    words = [tree.words[guess] for guess in tree.guess]
    taken: dict[str, int] = {}
    passed: set[int] = set()
    playing, nodes, made = list(secrets), [0] * len(secrets), 0
    while playing:
        made += 1
        passed.update(nodes)
        guesses = [words[node] for node in nodes]
        going = list(map(ne, guesses, playing))
        for secret, node, goes in zip(playing, nodes, going, strict=True):
            if not goes:
                hold(tree.hit[node], f"{secret!r} is solved where the file says it cannot be")
                taken[secret] = made
        playing, nodes = list(compress(playing, going)), list(compress(nodes, going))
        scores = grade(list(compress(guesses, going)), playing) if playing else ()
        nodes = [below.get(state, 0) for state in zip(nodes, scores, strict=True)]
        lost = next((secret for secret, node in zip(playing, nodes, strict=True) if not node), "")
        hold(lost == "", f"{lost!r} is never reached: there is no branch for what it answers")
    return {secret: taken[secret] for secret in secrets}, passed


def grade_peg_pairs(guesses: Sequence[str], secrets: Sequence[str]) -> list[int]:
    """Grade, in Mastermind, each guess against the secret beside it.

    As in ``grade_pairs`` the pegs of all codes in one hole are a row of bytes, here always taken as
    a whole number. Every peg gets a number of its own: that of its colour, and one colour's worth
    more for each peg of that colour before it. Two codes then have as many of these in common as
    pegs, whatever their places.
    """
    count, holes = len(secrets), len(secrets[0])
    texts = ["".join(codes).encode() for codes in (guesses, secrets)]
    colours = b""
    for left in texts:
        while left := left.translate(None, delete=colours):
            colours += left[:1]
    fit = len(colours) * holes <= _TOP and holes * (holes + 1) <= _BYTE
    if not fit or any(len(text) != count * holes for text in texts):
        return list(map(GRADERS[True], guesses, secrets))
    numbers = bytes.maketrans(colours, bytes(range(len(colours))))
    ones = int.from_bytes(bytes([1]) * count, "little")
    tops = ones * _TOP

    def rows(text: bytes) -> list[int]:
        whole = text.translate(numbers)
        return [int.from_bytes(whole[hole::holes], "little") for hole in range(holes)]

    def equal(row: int, other: int) -> int:
        """Ones where the rows agree: elsewhere a top bit survives that one is taken from."""
        return ones - (((row ^ other | tops) - ones & tops) >> 7)

    def named(pegs: list[int]) -> list[int]:
        before = [sum(equal(peg, other) for other in pegs[:hole]) for hole, peg in enumerate(pegs)]
        return [peg + len(colours) * more for peg, more in zip(pegs, before, strict=True)]

    guess, secret = map(rows, texts)
    black = sum(map(equal, guess, secret))
    common = sum(equal(*both) for both in product(named(guess), named(secret)))
    return list((black * holes + common).to_bytes(count, "little"))


def grade_pairs(guesses: Sequence[str], secrets: Sequence[str]) -> list[int]:
    """Grade, in Wordle, each guess against the secret beside it.

    The letters of all words at one place are one row of bytes, and a whole number as well: rows of
    ones and zeros are added and combined like numbers, byte by byte, since no sum passes 255. A
    letter that is not green is yellow if the secret has such a letter that is free, and takes it.
    """
    count, length = len(secrets), len(secrets[0])

    texts = "".join(guesses), "".join(secrets)
    numbered = _numbered(*texts)

    def rows(text: str) -> list[int]:
        whole = (text.translate(numbered) if numbered else text).encode("latin-1")
        return [int.from_bytes(whole[place::length], "little") for place in range(length)]

    def ones(row: int, table: bytes) -> int:
        return int.from_bytes(row.to_bytes(count, "little").translate(table), "little")

    places = range(length)
    guess, secret = map(rows, texts)
    there = [[ones(letter ^ other, _NONE) for other in secret] for letter in guess]
    green = [there[place][place] for place in places]
    alike = {pair: ones(guess[pair[0]] ^ guess[pair[1]], _NONE) for pair in combinations(places, 2)}
    free = [sum(there[place]) for place in places]  # green needs no other place
    for (one, other), same in alike.items():
        free[one] -= same & green[other]
        free[other] -= same & green[one]
    digits = [0] * ((length - 1) // _DIGITS + 1)
    for place in places:
        yellow = ones(free[place], _SOME) & ~green[place]
        digits[place // _DIGITS] += 3 ** (place % _DIGITS) * (2 * green[place] + yellow)
        for other in places[place + 1 :]:
            free[other] -= alike[place, other] & yellow
    columns = [number.to_bytes(count, "little") for number in digits]
    if len(columns) == 1:
        return list(columns[0])
    return [
        sum(part * 3 ** (_DIGITS * at) for at, part in enumerate(parts))
        for parts in zip(*columns, strict=True)
    ]


def _numbered(*texts: str) -> dict[int, int]:
    """What stands for each letter, so that it fits a byte; nothing if all of them do."""
    if all(map(str.isascii, texts)):
        return {}
    return {ord(letter): number for number, letter in enumerate(sorted(set("".join(texts))))}


#: The highest bit of a byte, and all of them.
_TOP, _BYTE = 1 << 7, (1 << 8) - 1
#: Base-3 digits that fit a byte.
_DIGITS = 5
#: Where a byte is 0, a 1; and the other way round.
_NONE = bytes([1] + [0] * 255)
_SOME = bytes([0] + [1] * 255)

#: The rule of Wordle, and that of pegs, many words at a time.
PAIR_GRADERS: dict[bool, GradeAll] = {False: grade_pairs, True: grade_peg_pairs}
