"""Wins against an adversary that leaves the most secrets: the last guesses, counted.

The adversary's reply to a guess in a state (a set of candidates) is known, so a guess leads from a
state to one other state: its *kept* candidates. Scores are numbered in the order in which the
adversary prefers them among equally large buckets, so it keeps the largest bucket with the lowest
number. A game is won by the guess after which no other candidate is left.

The last guess but one must leave a single candidate: the largest bucket has one, so that guess
gives all candidates different scores, it *separates* them. For each pair of candidates the guesses
that give them different scores are a set of bits; what separates all candidates is in the
intersection over all pairs. The pairs that few guesses separate come first: after a few of them the
intersection is empty nearly always, else what is left is tried guess by guess.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.score_matrix import Letters, Scores
from ...machine.arrays import Ids, copy_into
from ...machine.jit import kernel
from ...machine.vectors import first_bit

#: Sets of guesses, 64 in a word; numbers that are mixed of sets.
Bits = NDArray[np.uint64]
#: The candidates of a state: unsigned, as an index that cannot be negative is quicker.
Members = NDArray[np.uint32]
#: How often each score occurs.
Counts = NDArray[np.uint32]
#: The colour of a letter in its place, as in ``ReplyTable.colours``.
_GREEN = 2
#: So many pairs of candidates at most are looked at before single guesses are tried.
PAIRS = 256
#: By so many guesses pairs are compared to find those that are hard to separate.
SAMPLE = 64


class ReplyTable(NamedTuple):
    """All scores by their numbers in the adversary's order, and which guesses follow a reply."""

    #: ``by_guess[guess, secret]``, and the same ``by_secret[secret, guess]``.
    by_guess: Scores
    by_secret: Scores
    #: How many numbers there are.
    n_scores: int
    #: In hard mode the letters of the guesses, and the colours ``[number, place]`` of each score
    #: (0: grey, 1: yellow, 2: green). Else neither has rows.
    letters: Letters
    colours: Letters
    #: Where only candidates are guessed: the secret that each guess is, or -1. Else empty.
    secret_of: Ids


class Replies(NamedTuple):
    """What guesses lead to in a state: each a guess, in the order in which they are tried."""

    guesses: Ids
    #: How many candidates are kept, 0 if too many; and the number of the reply.
    sizes: Ids
    replies: Ids


@kernel(inner=True)
def _reply(row: Scores, members: Members, counts: Counts) -> tuple[int, int]:
    """How many candidates the adversary keeps after a guess, and by which score.

    The counts are zero before and after.
    """
    for member in members:
        counts[row[member]] += np.uint32(1)
    best, reply = np.uint32(0), 0
    for member in members:
        score = row[member]
        if counts[score] > best or (counts[score] == best and score < reply):
            best, reply = counts[score], int(score)
    for member in members:
        counts[row[member]] = 0
    return int(best), reply


@kernel
def find_replies(table: ReplyTable, members: Members, most: int, found: Replies) -> None:
    """Find the adversary's replies to guesses; those that keep more than ``most`` get size 0."""
    counts = np.zeros(table.n_scores, dtype=np.uint32)
    for at in range(len(found.guesses)):
        size, reply = _reply(table.by_guess[found.guesses[at]], members, counts)
        found.sizes[at], found.replies[at] = size if size <= most else 0, reply


@kernel
def hardest_pairs(table: ReplyTable, members: Members, guesses: Ids) -> Ids:
    """Pairs of candidates, by their places, that many guesses of a sample do not separate."""
    n = len(members)
    size = min(SAMPLE, len(guesses))
    sample = np.empty((n, size), dtype=table.by_secret.dtype)
    for place in range(n):
        scores = table.by_secret[members[place]]
        for at in range(size):
            sample[place, at] = scores[guesses[at * len(guesses) // size]]
    unlike = np.empty(n * (n - 1) // 2, dtype=np.int64)
    pairs = np.empty((len(unlike), 2), dtype=np.int32)
    pair = 0
    for one in range(n):
        for other in range(one):
            pairs[pair, 0], pairs[pair, 1] = one, other
            unlike[pair] = 0
            for at in range(size):
                unlike[pair] += int(sample[one, at] != sample[other, at])
            pair += 1
    return pairs[np.argsort(unlike, kind="mergesort")[:PAIRS]]


@kernel(inner=True)
def _separate(one: Scores, other: Scores, result: Bits) -> None:
    """The guesses that give two candidates different scores, as bits."""
    for word in range(len(result)):
        bits = np.uint64(0)
        first = word * 64
        for lane in range(min(64, len(one) - first)):
            bits |= np.uint64(one[first + lane] != other[first + lane]) << np.uint64(lane)
        result[word] = bits


@kernel(inner=True)
def _separates(row: Scores, members: Members, seen: Ids, stamp: int) -> bool:
    """Whether a guess gives all candidates different scores; no stamp comes twice."""
    for member in members:
        score = row[member]
        if seen[score] == stamp:
            return False
        seen[score] = stamp
    return True


@kernel(inner=True)
def _may_follow(table: ReplyTable, guess: int, reply: int, later: int) -> bool:
    """Whether a later guess keeps to hard mode, or is a candidate still, after a reply."""
    if len(table.secret_of):
        secret = table.secret_of[later]
        if secret < 0 or table.by_guess[guess, secret] != reply:
            return False
    if len(table.letters):
        word, other, colours = table.letters[guess], table.letters[later], table.colours[reply]
        for place in range(len(word)):
            if colours[place] == _GREEN and other[place] != word[place]:
                return False
            if colours[place]:
                missing = 0  # copies of the letter that are revealed, less those that are used
                for at in range(len(word)):
                    missing += int(word[at] == word[place] and colours[at] != 0)
                    missing -= int(other[at] == word[place])
                if missing > 0:
                    return False
    return True


class Scratch(NamedTuple):
    """Memory for the search of one state."""

    #: Which candidates are kept, and the same as a list.
    within: NDArray[np.bool_]
    kept: Members
    #: For each pair of candidates the guesses that separate them, once that is known.
    separating: Bits
    known: NDArray[np.bool_]
    #: Of each score the number of the guess that gave it last, and that number.
    seen: Ids
    stamp: Ids


@kernel(inner=True)
def separating_guesses(
    table: ReplyTable, members: Members, pairs: Ids, scratch: Scratch, left: Bits
) -> int:
    """Keep those of the guesses ``left`` that separate the candidates ``within``; how many."""
    size = 0
    for place in range(len(members)):
        if scratch.within[place]:
            scratch.kept[size] = members[place]
            size += 1
    for pair in range(len(pairs)):
        one, other = pairs[pair, 0], pairs[pair, 1]
        if not (scratch.within[one] and scratch.within[other]):
            continue
        if not scratch.known[pair]:
            scratch.known[pair] = True
            _separate(
                table.by_secret[members[one]],
                table.by_secret[members[other]],
                scratch.separating[pair],
            )
        some = np.uint64(0)
        for word in range(len(left)):
            left[word] &= scratch.separating[pair, word]
            some |= left[word]
        if some == 0:
            return 0
    count = 0
    for word in range(len(left)):
        bits = left[word]
        while bits:
            bit = np.uint64(first_bit(bits))
            bits &= bits - np.uint64(1)
            scratch.stamp[0] += np.int32(1)
            row = table.by_guess[np.uint64(64 * word) + bit]
            if _separates(row, scratch.kept[:size], scratch.seen, scratch.stamp[0]):
                count += 1
            else:
                left[word] &= ~(np.uint64(1) << bit)
    return count


@kernel(inner=True)
def _count_legal(table: ReplyTable, guess: int, reply: int, guesses: Bits) -> tuple[int, int]:
    """How many of some guesses may follow a reply, and the lowest of them."""
    count, lowest = 0, -1
    for word in range(len(guesses)):
        bits = guesses[word]
        while bits:
            later = 64 * word + first_bit(bits)
            bits &= bits - np.uint64(1)
            if _may_follow(table, guess, reply, later):
                lowest = later if count == 0 else lowest
                count += 1
    return count, lowest


@kernel
def count_separating(table: ReplyTable, members: Members, guesses: Ids, first: Ids) -> int:
    """Count the guesses that separate the candidates; the first is written to ``first``."""
    seen = np.full(table.n_scores, -1, dtype=np.int32)
    count = 0
    for at in range(len(guesses)):
        if _separates(table.by_guess[guesses[at]], members, seen, at):
            if count == 0:
                first[0] = guesses[at]
            count += 1
    return count


@kernel
def count_wins(
    table: ReplyTable, members: Members, found: Replies, pairs: Ids, allowed: Bits, first: Ids
) -> int:
    """Count the pairs of guesses that leave one candidate of a state.

    The first guess is one of those ``found``, the second one of those ``allowed``. The first pair
    is written to ``first``, and how many candidates are between its guesses: as few as can be, then
    the lowest guesses.
    """
    scratch = Scratch(
        np.zeros(len(members), dtype=np.bool_),
        np.empty(len(members), dtype=np.uint32),
        np.empty((len(pairs), len(allowed)), dtype=np.uint64),
        np.zeros(len(pairs), dtype=np.bool_),
        np.zeros(table.n_scores, dtype=np.int32),
        np.zeros(1, dtype=np.int32),
    )
    left = np.empty(len(allowed), dtype=np.uint64)
    wins = 0
    for at in range(len(found.guesses)):
        guess, reply, size = found.guesses[at], found.replies[at], found.sizes[at]
        row = table.by_guess[guess]
        for place in range(len(members)):
            scratch.within[place] = row[members[place]] == reply
        copy_into(left, allowed)
        separating = separating_guesses(table, members, pairs, scratch, left)
        if separating == 0:
            continue
        here, later = _count_legal(table, guess, reply, left)
        if here and (wins == 0 or (size == first[2] and guess < first[0])):
            first[0], first[1], first[2] = guess, later, size
        wins += here
    return wins
