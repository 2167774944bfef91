"""All games of a strategy at once, graded many words at a time: what a search has just built.

The checker of files plays the same games one by one, by the rule in a few lines
(``strategy.checkers.verify``); this must come to the same, and does it in a tenth of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from operator import ne

import numpy as np
from numpy.typing import NDArray

from ..checkers.verify import Tree, hold

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


def grade_pairs(guesses: Sequence[str], secrets: Sequence[str]) -> list[int]:
    """Grade, in Wordle, each guess against the secret beside it.

    A letter that is not green is yellow if the secret has such a letter that is free, and takes it.
    """
    guess, secret = _letters(guesses), _letters(secrets)
    green = guess == secret
    guess[green], secret[green] = _NONE, _TAKEN
    scores = np.zeros(len(guesses), dtype=np.int32)
    for place, letters in enumerate(guess):
        scores += 3**place * (2 * green[place] + _take(letters, secret))
    found: list[int] = scores.tolist()
    return found


def grade_peg_pairs(guesses: Sequence[str], secrets: Sequence[str]) -> list[int]:
    """Grade, in Mastermind, each guess against the secret beside it."""
    guess, secret = _letters(guesses), _letters(secrets)
    black = (guess == secret).sum(axis=0)
    common = sum(_take(pegs, secret) for pegs in guess)
    found: list[int] = (black * len(guess) + common).tolist()
    return found


#: What stands for a letter that is not wanted, and for one of a secret that is taken.
_NONE, _TAKEN = -1, -2


def _letters(words: Sequence[str]) -> NDArray[np.int32]:
    """Words of one length as numbers: a row a place, a column a word."""
    text = np.frombuffer("".join(words).encode("utf-32-le"), dtype="<i4")
    return text.reshape(len(words), -1).T.astype(np.int32, order="C")


def _take(wanted: NDArray[np.int32], free: NDArray[np.int32]) -> NDArray[np.int32]:
    """1 where a secret has the letter that is wanted of it among its free ones, which is taken."""
    found = np.zeros(len(wanted), dtype=np.bool_)
    for letters in free:
        here = (letters == wanted) & ~found
        np.putmask(letters, here, _TAKEN)
        found |= here
    return found.astype(np.int32)


#: The rule of Wordle, and that of pegs, many words at a time.
PAIR_GRADERS: dict[bool, GradeAll] = {False: grade_pairs, True: grade_peg_pairs}
