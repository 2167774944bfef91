"""The game as numbers, and the lemmas of docs/proof-format.md: what states and guesses cost.

Each line has its sentence on that page. The kernels are plain loops over all guesses, and run as
plain Python, too (``check-proof --plain``).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
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
#: From so many candidates on a table is read guess by guess.
MANY = 128

#: Candidates by their numbers among the secrets, ascending; guesses by theirs.
Members = NDArray[np.int32]
Guesses = NDArray[np.int32]
#: Hard mode: by place the green letter + 1, or 0; then by letter how often it was shown.
Shown = NDArray[np.uint8]


class Board(NamedTuple):
    """A game as numbers."""

    #: By secret and guess: the score; twice, in both orders of memory.
    scores: NDArray[Any]
    by_guess: NDArray[Any]
    #: By guess and place: the letter, by its number.
    letters: NDArray[np.uint8]
    #: The secret that a guess is, or -1; and the guess that a secret is.
    secret_of: NDArray[np.int32]
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
    secret_of = np.full(len(guesses), -1, dtype=np.int32)
    secret_of[guess_of] = np.arange(len(secrets), dtype=np.int32)
    length = letters.shape[1]
    kinds = (length + 1) ** 2 if pegs else 3**length
    scores = np.zeros((len(secrets), len(guesses)), dtype=np.min_scalar_type(kinds))
    grade_all(letters, letters[guess_of], pegs, np.zeros(len(alphabet), dtype=np.int64), scores)
    by_guess = np.asfortranarray(scores)
    board = Board(scores, by_guess, letters, secret_of, guess_of, kinds, price, len(secrets))
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
    """Into how many parts each of some guesses parts a set.

    The table is read in the order in which fewer of its bytes are fetched from memory.
    """
    table, rows = board.by_guess, members.astype(np.uint32)
    if len(members) < MANY:
        table, rows = board.scores[members], np.arange(len(members), dtype=np.uint32)
    parts = np.zeros(len(guesses), dtype=np.int32)
    seen = np.zeros(board.kinds, dtype=np.uint32)
    count_parts(table, rows, guesses.astype(np.uint32), seen, parts)
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
        for k in range(members.shape[0]):
            score = scores[members[k], guess]
            found += seen[score] != mark
            seen[score] = mark
        parts[at] = found


def buckets_of(board: Board, members: Members, guess: int) -> list[Members]:
    """The buckets into which a guess parts a set, the largest first, but for its own."""
    times = np.zeros(board.kinds, dtype=np.int64)
    ordered, ends = np.zeros_like(members), np.zeros(len(members), dtype=np.int64)
    count = split(board.scores, members, guess, times, ordered, ends)
    cuts = [0, *ends[:count].tolist()]
    buckets = [ordered[begin:end] for begin, end in pairwise(cuts)]
    own = board.secret_of[guess]
    if own >= 0:
        buckets = [bucket for bucket in buckets if bucket[0] != own]
    return sorted(buckets, key=len, reverse=True)


@kernel
def split(
    scores: NDArray[Any],
    members: Members,
    guess: int,
    times: NDArray[np.int64],
    ordered: Members,
    ends: NDArray[np.int64],
) -> int:
    """Order a set by the scores of a guess; where each bucket ends, and how many there are.

    ``times`` is memory, 0 for each score.
    """
    buckets = 0
    for member in members:
        score = scores[member, guess]
        if times[score] == 0:
            ends[buckets] = score
            buckets += 1
        times[score] += 1
    top = 0
    for bucket in range(buckets):
        score = ends[bucket]
        top += times[score]
        times[score] = top - times[score]
        ends[bucket] = top
    for member in members:
        score = scores[member, guess]
        ordered[times[score]] = member
        times[score] += 1
    return buckets


def leaves_whole(board: Board, members: Members) -> NDArray[np.bool_]:
    """Which guesses leave all of a set in one bucket."""
    scores = board.scores[members]
    whole: NDArray[np.bool_] = (scores == scores[0]).all(axis=0)
    return whole


# --- hard mode ------------------------------------------------------------------------------


@kernel
def show_more(guess: NDArray[np.uint8], secret: NDArray[np.uint8], shown: Shown) -> None:
    """Add to what has been shown what a guess shows that meets a secret."""
    length = guess.shape[0]
    for place in range(length):
        letter, guessed, hidden = guess[place], 0, 0
        if letter == secret[place]:
            shown[place] = letter + 1
        for other in range(length):
            guessed += guess[other] == letter
            hidden += secret[other] == letter
        copies = min(guessed, hidden)  # its greens and yellows together
        shown[length + letter] = max(int(shown[length + letter]), copies)


def is_shown(looser: Shown, tighter: Shown, length: int) -> bool:
    """Whether all that one state has shown another has shown, too (Lemma 14)."""
    greens = (looser[:length] == 0) | (looser[:length] == tighter[:length])
    return bool(greens.all() and (looser[length:] <= tighter[length:]).all())


def legal_guesses(board: Board, shown: Shown) -> Guesses:
    """The guesses that have each green in its place, and each letter as often as it was shown."""
    length = board.letters.shape[1]
    legal = np.ones(len(board.letters), dtype=np.bool_)
    for place, letter in enumerate(shown[:length]):
        if letter:
            legal &= board.letters[:, place] == letter - 1
    for letter, times in enumerate(shown[length:]):
        if times:
            legal &= sum(board.letters[:, place] == letter for place in range(length)) >= times
    return np.flatnonzero(legal).astype(np.int32)


# --- the lemmas -----------------------------------------------------------------------------


def after_guess(left: int) -> int:
    """The guesses left after one more: one less, and no limit after the last."""
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


def lemma_1(board: Board, sizes: Sequence[int], left: int) -> list[int]:
    """What sets of so many candidates cost at least (Lemma 1; in Mastermind Lemma 1a)."""
    costs = np.array(sizes, dtype=np.int64)
    fill_lemma_1(costs, board.others, board.price, left)
    return list(map(int, costs))


@kernel
def fill_lemma_1(costs: NDArray[np.int64], others: int, price: int, left: int) -> None:
    """Write what so many candidates cost at least in the place of each number of candidates."""
    for at in range(costs.shape[0]):
        costs[at] = by_depths(costs[at], 1, others, others, price, left)


@kernel
def by_depths(count: int, first: int, second: int, others: int, price: int, left: int) -> int:
    """The sum over the depths of so many candidates (Lemma 1a); with many ``others`` Lemmas 1, 2.

    The first guess finds so many, the second so many, each further one ``others`` times as many.
    """
    cost, depth, rest, now, then = 0, 1, count, first, second
    while rest > 0:
        now = min(now, rest)
        cost += now * (depth * price + (LOSS if depth > left else 0))
        rest -= now
        depth, now, then = depth + 1, then, min(then * others, count)
    return cost


@kernel
def fill_lemma_2(
    board: Board,
    guesses: NDArray[np.int32],
    parts: NDArray[np.int32],
    inside: NDArray[np.bool_],
    count: int,
    left: int,
    costs: NDArray[np.int64],
) -> None:
    """Lemma 2 (in Mastermind Lemma 1a) of each guess, from its parts; Lemma 15: of none in vain."""
    for at in range(guesses.shape[0]):
        secret = board.secret_of[guesses[at]]
        hit = 1 if secret >= 0 and inside[secret] else 0
        if parts[at] == 1 and hit == 0:
            costs[at] = INFINITE
        else:
            costs[at] = by_depths(count, hit, int(parts[at]) - hit, board.others, board.price, left)


def lemma_2(board: Board, members: Members, left: int, guesses: Guesses) -> NDArray[np.int64]:
    """What each of some guesses costs at least by its parts; INFINITE where it tells nothing."""
    inside = np.zeros(len(board.guess_of), dtype=np.bool_)
    inside[members] = True
    parts = parts_of(board, members, guesses)
    costs = np.zeros(len(guesses), dtype=np.int64)
    fill_lemma_2(board, guesses, parts, inside, len(members), left, costs)
    return costs
