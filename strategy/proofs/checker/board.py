"""The game as the checker of proofs sees it: scores, buckets, known bounds, refuted sets.

Plain loops, written for being read and shared with no search: a bug of the search must not be able
to hide here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel, noalloc

#: Guesses that are counted side by side: a block of columns.
BLOCK = 256
#: A set of candidates: their positions among the secrets, ascending.
Members = NDArray[np.int32]


class LetterBoard(NamedTuple):
    """A game as numbers: scores, words, letters, prices.

    Columns are guesses, those with most parts first, padded to whole blocks.
    """

    #: ``rows[secret, column]``: which part of the column's split the secret falls into.
    rows: NDArray[Any]
    #: The guess of a column, or -1 for padding; the secret that it is, or -1.
    guess: NDArray[np.int32]
    secret: NDArray[np.int32]
    #: The column in which each secret is guessed.
    column: NDArray[np.int32]
    #: Parts of the split of all secrets, 0 for padding.
    parts: NDArray[np.int64]
    #: The letters of each column's guess, as numbers in the alphabet of the words.
    letters: NDArray[np.uint8]
    #: Letters of the alphabet.
    alphabet: int
    price: int
    hard: bool
    #: Whether only the candidates of a state may be guessed in it.
    consistent: bool
    #: As many states as a guess leaves at most; of words, none is counted on to leave fewer.
    others: int


class State(NamedTuple):
    """What a bound is about: candidates, how many guesses are left, what hard mode requires."""

    members: Members
    left: int
    #: For each place its green letter + 1, or 0; then for each letter how often it must be used.
    revealed: NDArray[np.uint8]


def new_board(
    guesses: Sequence[str],
    secrets: Sequence[str],
    price: int,
    hard: bool,
    consistent: bool = False,
    pegs: bool = False,
) -> LetterBoard:
    """The board of a proof: everything graded by letters, the guesses sorted by their parts.

    The words have been looked at: letters that can be numbered, one length, every secret a guess;
    with ``pegs`` all codes of a Mastermind board (``CheckedWords``).
    """
    alphabet = alphabet_of(guesses)
    number = {letter: at for at, letter in enumerate(alphabet)}
    letters = np.array([[number[x] for x in word] for word in guesses], dtype=np.uint8)
    place = {word: at for at, word in enumerate(guesses)}
    hidden = letters[[place[word] for word in secrets]]
    length = letters.shape[1]
    scores = (length + 1) ** 2 if pegs else 3**length
    codes = np.zeros((len(guesses), len(secrets)), dtype=code_type(scores, len(secrets)))
    parts = _codes(letters, hidden, len(alphabet), pegs, np.zeros(scores, dtype=np.int64), codes)
    # every code is a secret, and its own part of them leaves no state
    others = max(1, int(parts.max()) - 1) if pegs else len(secrets)
    order = np.argsort(-parts, kind="stable")
    padding = -len(guesses) % BLOCK
    rows = np.zeros((len(secrets), len(guesses) + padding), dtype=codes.dtype)
    for at in range(len(secrets)):
        rows[at, : len(guesses)] = codes[order, at]
    guess = np.pad(order.astype(np.int32), (0, padding), constant_values=-1)
    column = np.argsort(order).astype(np.int32)[[place[word] for word in secrets]]
    secret = np.full(len(guess), -1, dtype=np.int32)
    secret[column] = np.arange(len(secrets), dtype=np.int32)
    parts = np.pad(parts[order], (0, padding))
    letters = np.pad(letters[order], ((0, padding), (0, 0)))
    numbers = rows, guess, secret, column, parts, letters
    return LetterBoard(*numbers, len(alphabet), price, hard, consistent, others)


def alphabet_of(words: Sequence[str]) -> str:
    """The letters of words by their numbers: those that occur, in order."""
    return "".join(sorted(set("".join(words))))


def code_type(scores: int, secrets: int) -> type[np.unsignedinteger[Any]]:
    """The type of a guess's scores: wide enough that no two parts share one."""
    if scores <= 1 << 8:
        return np.uint8
    return np.uint16 if min(scores, secrets) <= 1 << 16 else np.uint32


def nothing_revealed(board: LetterBoard) -> NDArray[np.uint8]:
    """What hard mode requires before the first guess, and without hard mode: nothing."""
    return np.zeros(board.letters.shape[1] + board.alphabet, dtype=np.uint8)


# --- scores from letters --------------------------------------------------------------------


@kernel
def _codes(
    guesses: NDArray[np.uint8],
    secrets: NDArray[np.uint8],
    alphabet: int,
    pegs: bool,
    known: NDArray[np.int64],
    codes: NDArray[Any],
) -> NDArray[np.int64]:
    """Grade every guess against every secret and number each guess's scores from 0.

    Fills ``codes``, guess-major; ``known`` is scratch memory for all scores. The parts of each
    guess.
    """
    parts = np.zeros(guesses.shape[0], dtype=np.int64)
    left = np.zeros(alphabet, dtype=np.int64)
    for g in range(guesses.shape[0]):
        known[:] = -1
        for s in range(secrets.shape[0]):
            if pegs:
                score = _grade_pegs(guesses[g], secrets[s], left)
            else:
                score = _grade(guesses[g], secrets[s], left)
            if known[score] < 0:
                known[score] = parts[g]
                parts[g] += 1
            codes[g, s] = known[score]
    return parts


@kernel
def _grade(guess: NDArray[np.uint8], secret: NDArray[np.uint8], left: NDArray[np.int64]) -> int:
    """Greens, then yellows from left to right out of the letters that are left; base 3."""
    length = guess.shape[0]
    for place in range(length):
        left[guess[place]] = 0
        left[secret[place]] = 0
    for place in range(length):
        if guess[place] != secret[place]:
            left[secret[place]] += 1
    score, unit = 0, 1
    for place in range(length):
        if guess[place] == secret[place]:
            score += 2 * unit
        elif left[guess[place]] > 0:
            left[guess[place]] -= 1
            score += unit
        unit *= 3
    return score


@kernel
def _grade_pegs(
    guess: NDArray[np.uint8], secret: NDArray[np.uint8], left: NDArray[np.int64]
) -> int:
    """Black pegs where both agree, then white ones out of the colours that are left."""
    length = guess.shape[0]
    for place in range(length):
        left[guess[place]] = 0
        left[secret[place]] = 0
    black, white = 0, 0
    for place in range(length):
        if guess[place] == secret[place]:
            black += 1
        else:
            left[secret[place]] += 1
    for place in range(length):
        if guess[place] != secret[place] and left[guess[place]] > 0:
            left[guess[place]] -= 1
            white += 1
    return int(black * (length + 1) + white)


# --- hard mode ------------------------------------------------------------------------------


@noalloc
def reveal(
    guess: NDArray[np.uint8],
    secret: NDArray[np.uint8],
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> None:
    """Write what hard mode requires once ``guess`` met ``secret``, besides what it did before."""
    length = guess.shape[0]
    for at in range(len(before)):
        after[at] = before[at]
    for place in range(length):
        letter = guess[place]
        if letter == secret[place]:
            after[place] = letter + 1
        guessed, hidden = 0, 0
        for other in range(length):
            guessed += guess[other] == letter
            hidden += secret[other] == letter
        copies = min(guessed, hidden)  # greens and yellows of a letter together
        after[length + letter] = max(int(after[length + letter]), copies)


@noalloc
def is_legal(word: NDArray[np.uint8], revealed: NDArray[np.uint8]) -> bool:
    """Whether hard mode allows a word: each letter is used as often as it was revealed."""
    length = word.shape[0]
    for place in range(length):
        if revealed[place] > 0 and revealed[place] != word[place] + 1:
            return False
    for letter in range(len(revealed) - length):
        if revealed[length + letter] > 0:
            copies = 0
            for place in range(length):
                copies += word[place] == letter
            if copies < revealed[length + letter]:
                return False
    return True


# --- bounds of states that are known to hold ------------------------------------------------


class KnownBounds(NamedTuple):
    """Lower bounds of states that are known to hold, filed under the whole state, not a digest."""

    heads: NDArray[np.int32]
    after: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    left: NDArray[np.int64]
    value: NDArray[np.int64]
    revealed: NDArray[np.uint8]
    members: NDArray[np.int32]
    #: Entries and members in use.
    used: NDArray[np.int64]


def new_known_bounds(board: LetterBoard, entries: int, members: int) -> KnownBounds:
    """An empty table with room for so many bounds, and for the members of their states."""
    start, size, left, value = np.zeros((4, entries), dtype=np.int64)
    return KnownBounds(
        heads=np.full(1 << max(8, entries.bit_length()), -1, dtype=np.int32),
        after=np.zeros(entries, dtype=np.int32),
        start=start,
        size=size,
        left=left,
        value=value,
        revealed=np.zeros((entries, len(nothing_revealed(board))), dtype=np.uint8),
        members=np.zeros(members, dtype=np.int32),
        used=np.zeros(2, dtype=np.int64),
    )


@noalloc(inner=True)
def requires_no_more(looser: NDArray[np.uint8], tighter: NDArray[np.uint8], length: int) -> bool:
    """Whether hard mode allows under ``looser`` whatever it allows under ``tighter``."""
    for at in range(len(looser)):
        if at < length and looser[at] > 0 and looser[at] != tighter[at]:
            return False
        if looser[at] > tighter[at]:
            return False
    return True


@noalloc(inner=True)
def are_equal(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two rows of one length hold the same."""
    at = 0
    while at < len(one) and one[at] == other[at]:
        at += 1
    return at == len(one)


@noalloc
def chain_start(known: KnownBounds, members: Members) -> int:
    """Where the chain of a set of candidates begins; the chain is searched by members."""
    mixed = len(members)
    for member in members:
        mixed = (mixed * 1_000_003 + int(member)) % 2_147_483_647
    return int(mixed % known.heads.shape[0])


@noalloc(inner=True)
def entry_about(known: KnownBounds, members: Members, entry: int) -> int:
    """The first entry about a set of candidates, of its chain from ``entry`` on; or -1."""
    count = len(members)
    while entry >= 0:
        start = known.start[entry]
        if known.size[entry] == count and are_equal(known.members[start : start + count], members):
            break
        entry = known.after[entry]
    return entry


@noalloc
def known_bound(board: LetterBoard, known: KnownBounds, state: State) -> int:
    """The best lower bound that is known of a state, or -1 if there is none.

    Lemma 14: a bound of a set holds with fewer guesses left and with more revealed, too.
    """
    best, length = -1, board.letters.shape[1]
    entry = entry_about(known, state.members, known.heads[chain_start(known, state.members)])
    while entry >= 0:
        looser = known.revealed[entry]
        if known.left[entry] >= state.left and requires_no_more(looser, state.revealed, length):
            best = max(best, known.value[entry])
        entry = entry_about(known, state.members, known.after[entry])
    return best


@noalloc
def note_bound(known: KnownBounds, state: State, value: int) -> None:
    """Add a lower bound to those that are known; without room all others are forgotten."""
    count = len(state.members)
    entry, start = known.used[0], known.used[1]
    if entry == len(known.size) or start + count > len(known.members):
        known.heads[:] = -1
        entry, start = 0, 0
    if count > len(known.members) or len(known.size) == 0:
        return
    head = chain_start(known, state.members)
    known.after[entry] = known.heads[head]
    known.heads[head] = entry
    known.start[entry] = start
    known.size[entry] = count
    known.left[entry] = state.left
    known.value[entry] = value
    for at in range(count):
        known.members[start + at] = state.members[at]
    for at in range(len(state.revealed)):
        known.revealed[entry, at] = state.revealed[at]
    known.used[0] = entry + 1
    known.used[1] = start + count


# --- the parts that many guesses make of a set, counted side by side ------------------------
#
# The columns of a board lie side by side in memory, so the same step is done for BLOCK guesses at
# once. A part is counted where a member differs from all members before it, or, of more than a few
# members, as a bit that is set for its code.

#: Up to this many candidates, comparing all pairs is the fastest.
_FEW = 16

_WORD, _IN_WORD = np.uint64(6), np.uint64(63)
#: Every second bit, pair of bits, and group of four.
_TWOS, _FOURS, _EIGHTS = (
    np.uint64(0x5555555555555555),
    np.uint64(0x3333333333333333),
    np.uint64(0x0F0F0F0F0F0F0F0F),
)
_1, _2, _4, _8, _16, _32, _SUM = (np.uint64(x) for x in (1, 2, 4, 8, 16, 32, 255))


class Tally(NamedTuple):
    """How many parts each of BLOCK guesses makes, and scratch memory for counting them."""

    parts: NDArray[np.int64]
    bits: NDArray[np.uint64]
    fresh: NDArray[np.uint8]


def new_tally() -> Tally:
    """A new tally."""
    return Tally(
        parts=np.zeros(BLOCK, dtype=np.int64),
        bits=np.zeros(BLOCK, dtype=np.uint64),
        fresh=np.zeros(BLOCK, dtype=np.uint8),
    )


@noalloc(inner=True)
def count_parts(rows: NDArray[Any], codes: int, tally: Tally, members: Members, first: int) -> None:
    """Count the parts that each of BLOCK guesses, from a column on, makes of a set.

    ``codes``: all codes in ``rows`` are lower, those of other columns too.
    """
    tally.parts[:] = 0
    if len(members) <= _FEW:
        _count_by_pairs(rows, tally, members, first)
    else:
        _count_by_bits(rows, codes, tally, members, first)


@noalloc(inner=True)
def _count_by_pairs(rows: NDArray[Any], tally: Tally, members: Members, first: int) -> None:
    """Count the members whose code no member before them has."""
    for at in range(len(members)):
        row = rows[members[at], first : first + BLOCK]
        tally.fresh[:] = 1
        for before in range(at):
            other = rows[members[before], first : first + BLOCK]
            for lane in range(BLOCK):
                tally.fresh[lane] &= np.uint8(row[lane] != other[lane])
        for lane in range(BLOCK):
            tally.parts[lane] += tally.fresh[lane]


@noalloc(inner=True)
def _count_by_bits(
    rows: NDArray[Any], codes: int, tally: Tally, members: Members, first: int
) -> None:
    """Count the codes that occur: 64 of them are the bits of a word."""
    for number in range((codes + 63) // 64):
        word = np.uint64(number)
        tally.bits[:] = 0
        for member in members:
            row = rows[member, first : first + BLOCK]
            for lane in range(BLOCK):
                code = np.uint64(row[lane])
                tally.bits[lane] |= np.uint64(code >> _WORD == word) << (code & _IN_WORD)
        for lane in range(BLOCK):
            tally.parts[lane] += np.int64(_ones(tally.bits[lane]))


@noalloc(inner=True)
def _ones(word: np.uint64) -> np.uint64:
    """How many bits are set: sums of neighbours, in ever larger groups."""
    word = (word & _TWOS) + ((word >> _1) & _TWOS)
    word = (word & _FOURS) + ((word >> _2) & _FOURS)
    word = (word + (word >> _4)) & _EIGHTS
    word += word >> _8
    word += word >> _16
    word += word >> _32
    return word & _SUM


# --- refutations: that a limit cannot be kept ------------------------------------------------
#
# A refutation says of a set of candidates that no strategy solves them all with so many guesses. If
# it holds for a set, it holds for every set that contains it; so a guess fails as soon as it leaves
# all members of a set that is refuted with one guess less in one bucket. A refutation cites the
# sets that together make every guess fail. It is about all guesses; hard mode only forbids some of
# them.
#
# ``docs/proof-format.md`` states and proves the lemmas.


class RefutedSet(NamedTuple):
    """A refutation: no strategy solves these members within ``left`` guesses."""

    members: Members
    left: int


def holds_in(refuted: RefutedSet, inside: NDArray[np.bool_], left: int) -> bool:
    """Whether a refutation holds in a larger set with no more guesses left (Lemma 7)."""
    return refuted.left >= left and bool(inside[refuted.members].all())


def unrefuted_guesses(board: LetterBoard, state: RefutedSet) -> NDArray[np.uint8]:
    """The guesses, marked with 1, that Lemmas 1, 2 and 15 do not refute in a state."""
    marks = np.zeros(board.rows.shape[1], dtype=np.uint8)
    if state.left > 1:
        mark_splitting(board, state.members, marks)
    if state.left == 2:
        keep_full_splits(board, state.members, marks)
    return marks


def unmark_refuted(board: LetterBoard, cited: RefutedSet, marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that leave a refuted set in one bucket (Lemma 7a)."""
    apart = np.zeros_like(marks)
    mark_splitting(board, cited.members, apart)
    marks &= apart


@noalloc
def leaves_whole(board: LetterBoard, column: int, members: Members) -> bool:
    """Whether a guess leaves a set in one bucket."""
    at, code = 1, board.rows[members[0], column]
    while at < len(members) and board.rows[members[at], column] == code:
        at += 1
    return at == len(members)


@noalloc
def mark_splitting(board: LetterBoard, members: Members, marks: NDArray[np.uint8]) -> None:
    """Mark the guesses that leave the members in more than one bucket."""
    first = board.rows[members[0]]
    for member in members[1:]:
        row = board.rows[member]
        for column in range(len(marks)):
            marks[column] |= np.uint8(row[column] != first[column])


@noalloc
def keep_full_splits(board: LetterBoard, members: Members, marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that leave two members in one bucket."""
    for first in range(0, len(marks), BLOCK):
        lanes = marks[first : first + BLOCK]
        for at in range(1, len(members)):
            row = board.rows[members[at], first : first + BLOCK]
            for before in range(at):
                other = board.rows[members[before], first : first + BLOCK]
                for lane in range(BLOCK):
                    lanes[lane] &= np.uint8(row[lane] != other[lane])
            left = np.uint8(0)
            for lane in range(BLOCK):
                left |= lanes[lane]
            if left == 0:
                break
