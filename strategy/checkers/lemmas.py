"""The game as numbers, and the lemmas of docs/proof-format.md: what states and guesses cost.

Each line has its sentence on that page. The kernels are plain loops over all guesses, and run as
plain Python, too (``check-proof --plain``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

#: What a candidate costs that falls after the last allowed guess.
LOSS = 1 << 32
#: Guesses left where there is no limit (any more).
UNLIMITED = 1 << 20
#: More than any value that is counted with.
INFINITE = 1 << 62

#: Candidates by their numbers among the secrets, ascending; guesses by theirs.
Members = NDArray[np.int32]
Guesses = NDArray[np.int32]
#: Hard mode: by place the green letter + 1, or 0; then by letter how often it was shown.
Shown = NDArray[np.uint8]


class Board(NamedTuple):
    """A game as numbers."""

    #: By secret and guess: the score.
    scores: NDArray[Any]
    #: By guess and place: the letter, by its number.
    letters: NDArray[np.uint8]
    #: What each guess would show of itself, all guesses side by side.
    own: Shown
    #: The guess that a secret is.
    guess_of: NDArray[np.int32]
    #: All scores are lower.
    kinds: int
    #: What a guess costs.
    price: int
    #: Lemma 1a: as many states as a guess leaves at most; of words all secrets, which limits none.
    others: int


def new_board(guesses: Sequence[str], secrets: Sequence[str], price: int, pegs: bool) -> Board:
    """The board of two lists: each guess is graded against each secret."""
    alphabet = alphabet_of(guesses)
    numbers = [[alphabet.index(letter) for letter in word] for word in guesses]
    letters = np.array(numbers, dtype=np.uint8)
    place = {word: number for number, word in enumerate(guesses)}
    guess_of = np.array([place[word] for word in secrets], dtype=np.int32)
    times = [(letters == letter).sum(axis=1, dtype=np.uint8) for letter in range(len(alphabet))]
    own = np.array([*letters.T + 1, *times])
    length = letters.shape[1]
    kinds = (length + 1) ** 2 if pegs else 3**length
    scores = np.zeros((len(secrets), len(guesses)), dtype=np.min_scalar_type(kinds))
    grade_all(letters, letters[guess_of], pegs, np.zeros(len(alphabet), dtype=np.int64), scores)
    board = Board(scores, letters, own, guess_of, kinds, price, len(secrets))
    if not pegs:
        return board
    most = int(parts_of(board, np.arange(len(secrets), dtype=np.int32), every_guess(board)).max())
    return board._replace(others=max(1, most - 1))


def every_guess(board: Board) -> Guesses:
    """All guesses there are."""
    return np.arange(len(board.letters), dtype=np.int32)


def alphabet_of(words: Sequence[str]) -> str:
    """The letters of words by their numbers."""
    return "".join(sorted({*"".join(words)}))


# --- scores and parts -----------------------------------------------------------------------


@kernel
def grade_all(
    guesses: NDArray[np.uint8],
    secrets: NDArray[np.uint8],
    pegs: bool,
    left: NDArray[np.int64],
    scores: NDArray[Any],
) -> None:
    """Grade each guess against each secret; ``left`` is memory, a number for each letter."""
    length = guesses.shape[1]
    for s in range(secrets.shape[0]):
        for g in range(guesses.shape[0]):
            guess, secret = guesses[g], secrets[s]
            for place in range(length):
                left[guess[place]], left[secret[place]] = 0, 0
            for place in range(length):  # the letters of the secret that are not green
                left[secret[place]] += guess[place] != secret[place]
            score, green, yellow, unit = 0, 0, 0, 1
            for place in range(length):  # yellow is, from left to right, what is left of them
                letter = guess[place]
                if letter == secret[place]:
                    score, green = score + 2 * unit, green + 1
                elif left[letter] > 0:
                    left[letter] -= 1
                    score, yellow = score + unit, yellow + 1
                unit *= 3
            # white pegs are as many as yellows: so many colours are in common besides
            scores[s, g] = green * (length + 1) + yellow if pegs else score


def parts_of(board: Board, members: Members, guesses: Guesses) -> NDArray[np.int32]:
    """Into how many parts each of some guesses parts a set."""
    parts = np.zeros(len(guesses), dtype=np.int32)
    seen = np.zeros(board.kinds, dtype=np.uint32)
    count_parts(board.scores, members.astype(np.uint32), guesses.astype(np.uint32), seen, parts)
    return parts


@kernel
def count_parts(
    scores: NDArray[Any],
    members: NDArray[np.uint32],
    guesses: NDArray[np.uint32],
    seen: NDArray[np.uint32],
    parts: NDArray[np.int32],
) -> None:
    """Count the scores that each guess gets; ``seen``: by score, who had it last, from 1 on."""
    for at in range(guesses.shape[0]):
        guess, mark, found = guesses[at], np.uint32(at + 1), 0
        for member in range(members.shape[0]):
            score = scores[members[member], guess]
            found += seen[score] != mark
            seen[score] = mark
        parts[at] = found


def buckets_of(board: Board, members: Members, guess: int) -> list[Members]:
    """The buckets into which a guess parts a set, the largest first, but for its own."""
    others = members[board.guess_of[members] != guess]
    buckets: dict[int, list[int]] = {}
    for member, score in zip(others.tolist(), board.scores[others, guess].tolist(), strict=True):
        buckets.setdefault(score, []).append(member)
    by_size = sorted(buckets, key=lambda score: (-len(buckets[score]), score))
    return [np.array(buckets[score], dtype=np.int32) for score in by_size]


def leaves_whole(board: Board, members: Sequence[int] | Members) -> NDArray[np.bool_]:
    """Which guesses leave all of a set in one bucket."""
    whole = np.ones(len(board.letters), dtype=np.bool_)
    for member in members:
        whole &= board.scores[member] == board.scores[members[0]]
    return whole


# --- hard mode ------------------------------------------------------------------------------


def show_more(board: Board, guess: int, secret: int, shown: Shown) -> Shown:
    """What has been shown after a guess that meets a secret (the guess that it is)."""
    length = board.letters.shape[1]
    one, other = board.own[:, guess], board.own[:, secret]
    greens = np.where(one == other, one, shown)[:length]
    times = np.maximum(np.minimum(one, other), shown)[length:]  # greens and yellows together
    return np.concatenate([greens, times])


def is_shown(looser: Shown, tighter: Shown, length: int) -> NDArray[np.bool_]:
    """Whether all that one state has shown another has shown, too (Lemma 14)."""
    greens = (looser[:length] == 0) | (looser[:length] == tighter[:length])
    kept: NDArray[np.bool_] = greens.all(axis=0) & (looser[length:] <= tighter[length:]).all(axis=0)
    return kept


def legal_guesses(board: Board, shown: Shown) -> Guesses:
    """The guesses that have each green in its place, and each letter as often as it was shown."""
    legal = is_shown(shown[:, np.newaxis], board.own, board.letters.shape[1])
    return np.flatnonzero(legal).astype(np.int32)


# --- the lemmas -----------------------------------------------------------------------------


def after_guess(left: int) -> int:
    """The guesses left after one more: one less, and no limit after the last."""
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


@lru_cache(maxsize=1 << 14)
def lemma_1(count: int, others: int, price: int, left: int) -> int:
    """What a set of so many candidates costs at least (Lemma 1; in Mastermind Lemma 1a)."""
    return int(by_depths(count, 1, others, others, price, left))


def by_depths(count: int, first: Any, second: Any, others: int, price: int, left: int) -> Any:
    """The sum over the depths of so many candidates (Lemma 1a); with many ``others`` Lemmas 1, 2.

    The first guess finds so many, the second so many, each further one ``others`` times as many.
    Numbers or arrays of them.
    """
    cost, depth, rest, now, then = 0, 1, count, first, second
    while np.any(rest > 0):
        now = np.minimum(now, rest)
        cost = cost + now * (depth * price + (LOSS if depth > left else 0))
        rest = rest - now
        depth, now, then = depth + 1, then, np.minimum(then * others, count)
    return cost


@lru_cache(maxsize=1 << 8)
def by_parts(count: int, others: int, price: int, left: int) -> NDArray[np.int64]:
    """Lemma 2 (in Mastermind Lemma 1a) by ``hit`` and parts; INFINITE where they tell nothing."""
    hit, parts = np.ogrid[:2, : count + 1]
    costs = by_depths(count, hit, np.maximum(parts - hit, 1), others, price, left)
    return np.where((parts > 1) | (hit == count), costs, INFINITE)


def lemma_2(board: Board, members: Members, left: int, guesses: Guesses) -> NDArray[np.int64]:
    """What each of some guesses costs at least by its parts; INFINITE where it tells nothing."""
    costs = by_parts(len(members), board.others, board.price, left)
    hit = np.zeros(len(board.letters), dtype=np.int8)
    hit[board.guess_of[members]] = 1
    return costs[hit[guesses], parts_of(board, members, guesses)]
