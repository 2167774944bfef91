"""Upper bounds on what a pair of guesses reveals, from what one reveals about single letters.

For a letter ``l`` and a place ``p`` let ``f`` be the question "is ``l`` at ``p``, elsewhere in the
secret, or nowhere?". Any guess B with ``l`` at ``p`` answers it: green, or else a mark on a copy of
``l`` that is not grey, or else all grey. So ``f`` is a function of B's score, and whatever a first
guess A tells about such questions, B tells again:

    I(A; B) >= I(A; F)        for any set F of B's questions

(the data processing inequality: Cover and Thomas, Elements of Information Theory, section 2.8).
What A tells about several questions is at least what it tells about them one by one, less what they
tell about each other:

    I(A; F) = H(F) - H(F | A) >= H(F) - sum of H(f | A)

In weights, W(X) = sum of n * log2(n) over the buckets of X among N secrets, which is
N * (log2(N) - H(X)), and W(A, B) for the joint split, this is a lower bound

    W(A, B) >= W(B) - W(F) + W(A) - sum of (W(A) - W(A, f))

used with one question of B, and, where the letters of B all differ, with all of them: then they
are what B's score says and no more, so W(F) = W(B):

    W(A, B) >= W(B) + W(A, f) - W(f)                                            (one)
    W(A, B) >= W(A) - sum of (W(A) - W(A, f))                                   (all)

Where B has a letter at several places, it tells more of it than one question f does: what it tells
of the letter is a *column* c of the score (see ``score_matrix``), of which f is a function. Whoever
knows A and f learns no more from c than somebody who knows f alone, W(f) - W(c) at most. So (all)
holds of every B, with one question for each of its letters, less that for each repeated one.

And B tells at least what one of its questions does, which bounds the weight from above:

    W(A, B) <= W(A, f)                                                          (least)
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import Letters, Scores, letter_shares, letters_in, place_sets, take_apart
from ..machine.arrays import Ids
from ..machine.jit import noalloc, vector_step
from ..machine.vectors import MASKS, arrays_of, bring_near, i8, i64, ir, load, loop, store
from ..splits.joint_splits import SEGMENTS, Blocks, one_block
from ..splits.measures import Costs, Places, fixed_log_weights

# ---- Vector steps: rows summed up, and fetched into the cache ahead

#: What secrets answer to questions, a byte each, and how many say yes.
Answers = NDArray[np.uint8]
Sums = NDArray[np.uint8]

#: Columns that are summed up together; rows are padded to a multiple.
TOGETHER = 64
#: So many rows can be summed up before a sum overflows.
MOST_ROWS = 255
#: Bytes that come into the cache at once.
_LINE = 64


def sum_rows_plain(
    answers: Answers, members: Places, begin: int, end: int, column: int, sums: Sums
) -> None:
    """TOGETHER sums of rows that are 0 or 1 each.

    From ``column`` on, of the rows ``members[begin:end]``.
    """
    together = slice(column, column + TOGETHER)
    sums[together] = answers[members[begin:end], together].sum(axis=0, dtype=np.uint8)


def fetch_row_plain(scores: Scores, row: int) -> None:
    """Fetch a row into the cache; nothing changes."""


def _sum_rows(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    kind = ir.VectorType(i8(), TOGETHER)
    rows, who, result = arrays_of(context, builder, sig, args, 0, 1, 5)
    width = builder.extract_value(rows.shape, 1)
    first = builder.gep(rows.data, [args[4]])

    def add_row(at: Any, values: Any) -> list[Any]:
        member = builder.zext(builder.load(builder.gep(who.data, [at])), i64())
        row = load(builder, builder.gep(first, [builder.mul(member, width)]), kind)
        return [builder.add(values[0], row)]

    zero = ir.Constant(kind, [0] * TOGETHER)
    (total,) = loop(builder, args[2], args[3], [zero], add_row)
    store(builder, total, builder.gep(result.data, [args[4]]))
    return context.get_dummy_value()


def _fetch_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    [matrix] = arrays_of(context, builder, sig, args, 0)
    width = builder.mul(builder.extract_value(matrix.shape, 1), matrix.itemsize)
    data = builder.bitcast(matrix.data, i8().as_pointer())
    stride = builder.extract_value(matrix.strides, 0)
    first = builder.gep(data, [builder.mul(args[1], stride)])

    def fetch_line(line: Any, _: Any) -> list[Any]:
        bring_near(builder, builder.gep(first, [builder.mul(line, i64()(_LINE))]))
        return []

    lines = builder.udiv(builder.add(width, i64()(_LINE - 1)), i64()(_LINE))
    loop(builder, i64()(0), lines, [], fetch_line)
    return context.get_dummy_value()


fetch_row = vector_step(_fetch_row, fetch_row_plain)
sum_rows = vector_step(_sum_rows, sum_rows_plain)

# ---- The questions of guesses, and what another guess tells about them

Masks = NDArray[np.uint64]

#: The places of a letter are a loop that the compiler spells out where they are so many.
_SPELT_OUT = 5


class LetterBounds(NamedTuple):
    """The questions of all guesses about letters; a question is known by its *code*.

    The code of a letter at a place is ``letter * length + place``. Some arrays have further slots
    behind the codes: one for each letter, then one for no question at all.
    """

    #: What each guess asks, one code a place; no places if the game has no letters.
    codes: Places
    #: The same as sets of bits: ``masks[part, guess]``, with guesses to spare.
    masks: Masks
    #: Whether the letters of a guess all differ.
    distinct: NDArray[np.bool_]
    #: For (all), one question for each letter of a guess, filled up with no question; and at most
    #: how much the guess tells beyond them.
    per_letter: Places
    beyond: Costs
    #: Whether a secret says yes to each code, to each letter; padded.
    answers: Answers
    #: W(f) for all questions.
    alone: Costs
    #: ``known[0]`` is W(A, f) for all questions, A the guess that was fixed last;
    #: ``known[s]`` the share of A's blocks from segment ``s`` on, nothing behind the last one.
    known: Costs
    #: Scratch: a counter a slot.
    counts: Places
    sums: Sums


def questions_about(guesses: Letters, secrets: Letters) -> LetterBounds:
    """The questions of some guesses about letters, words as numbers.

    A game without letters has words of no letters, and no questions: a guess tells all beyond them.
    """
    length, log_weights = guesses.shape[1], fixed_log_weights(len(secrets))
    alphabet = letters_in(guesses, secrets)
    slots = alphabet * (length + 1) if length else 0
    padded = -(-slots // TOGETHER) * TOGETHER
    codes = _letter_codes(guesses).astype(np.uint32)
    questions = LetterBounds(
        codes,
        _code_masks(codes, alphabet),
        _all_different(codes),
        codes.copy(),
        np.full(len(codes), 0 if length else log_weights[-1]),
        _answers_of(_letter_codes(secrets), alphabet, padded),
        np.zeros(alphabet * length, dtype=np.int64),
        np.zeros((SEGMENTS + 1, slots + 1), dtype=np.int64),
        np.zeros(padded, dtype=np.uint32),
        np.zeros(padded, dtype=np.uint8),
    )
    if length:
        answer_questions(one_block(len(secrets)), 1, questions, log_weights)
        questions.alone[:] = questions.known[0, : len(questions.alone)]
        _ask_each_letter_once(guesses, secrets, questions)
    return questions


def _ask_each_letter_once(guesses: Letters, secrets: Letters, questions: LetterBounds) -> None:
    """Of the places of a repeated letter, leave the one that tells most; what it does not tell."""
    length, alone = guesses.shape[1], questions.alone
    nothing = questions.known.shape[1] - 1
    repeated = np.flatnonzero(~questions.distinct)
    terms, _, letter, places = take_apart(guesses)
    several = np.flatnonzero(np.bitwise_count(places) > 1)
    left_out = np.zeros((len(places), length), dtype=np.bool_)
    more = np.zeros(len(places), dtype=np.int64)
    weights = _column_weights(several, letter, places, secrets)
    for column, weight in zip(several, weights, strict=True):
        held = [place for place in range(length) if places[column] >> place & 1]
        best = min(held, key=lambda place: alone[letter[column] * length + place])
        left_out[column, [place for place in held if place != best]] = True
        more[column] = alone[letter[column] * length + best] - weight
    mine = terms[repeated]
    questions.beyond[repeated] = more[mine].sum(axis=1)
    chosen = questions.per_letter[repeated]
    chosen[left_out[mine].any(axis=1)] = nothing
    questions.per_letter[repeated] = chosen


def _column_weights(columns: NDArray[Any], letter: Ids, places: Ids, secrets: Letters) -> list[int]:
    """W(c) of some columns."""
    length = secrets.shape[1]
    logs = fixed_log_weights(len(secrets))
    shares = letter_shares(length, np.int64)
    letters = max(letters_in(secrets), int(letter.max()) + 1)
    held = [np.bincount(sets, minlength=1 << length) for sets in place_sets(secrets, letters)]
    groups: dict[int, NDArray[Any]] = {}
    result = []
    for column in columns:
        mine = int(places[column])
        if mine not in groups:
            groups[mine] = np.unique(shares[mine], return_inverse=True)[1]
        sizes = np.bincount(groups[mine], weights=held[letter[column]])
        result.append(int(logs[sizes.astype(np.int64)].sum()))
    return result


def _letter_codes(words: Letters) -> Ids:
    """``codes[word, place] = letter * length + place``."""
    length = words.shape[1]
    return np.asarray(words * np.int32(length) + np.arange(length), dtype=np.int32)


def _answers_of(codes: Ids, alphabet: int, padded: int) -> Answers:
    """Of each secret: the codes that it says yes to, and behind all codes its letters."""
    length = codes.shape[1]
    answers = np.zeros((len(codes), padded), dtype=np.uint8)
    for place in range(length):
        mine = codes[:, place]
        answers[np.arange(len(codes)), mine] = 1
        answers[np.arange(len(codes)), alphabet * length + mine // length] = 1
    return answers


def _code_masks(codes: Places, alphabet: int) -> Masks:
    """The codes of each guess as a set of bits."""
    count, length = codes.shape
    masks = np.zeros((max(1, -(-alphabet * length // 64)), count + MASKS), dtype=np.uint64)
    for code in codes.T:
        bits = np.uint64(1) << (code % np.uint32(64)).astype(np.uint64)
        masks[code >> np.uint32(6), np.arange(count)] |= bits
    return masks


def _all_different(codes: Places) -> NDArray[np.bool_]:
    """Which guesses have letters, and none twice."""
    if not codes.shape[1]:
        return np.zeros(len(codes), dtype=np.bool_)
    letters = np.sort(codes // codes.shape[1], axis=1)
    return np.asarray((np.diff(letters, axis=1) > 0).all(axis=1), dtype=np.bool_)


@noalloc
def answer_questions(
    blocks: Blocks, count: int, questions: LetterBounds, log_weights: Costs
) -> None:
    """Fill in what guess A, given as ``count`` blocks, tells about each letter: W(A, f).

    In a block of m secrets, of which k have the letter and c have it at the place, the question
    adds w(m - k) + w(c) + w(k - c): what no question adds, w(m), corrected for the letter, and
    again for the place.
    """
    starts, cuts = blocks.starts, blocks.cuts
    counts, known = questions.counts, questions.known
    places = questions.alone.shape[0]
    nothing = known.shape[1] - 1
    letters = nothing - places
    length = places // letters
    known[:] = 0
    segment = 0
    for block in range(count):
        begin, end = starts[block], starts[block + 1]
        while block >= cuts[segment + 1]:
            segment += 1
        _count_answers(begin, end, blocks.members, questions)
        result = known[segment]
        size = end - begin
        weight = log_weights[size]
        result[nothing] += weight
        for letter in range(letters):
            having = counts[places + letter]
            mine = log_weights[having]
            result[places + letter] += log_weights[size - having] + mine - weight
            if length == _SPELT_OUT:
                for place in range(_SPELT_OUT):
                    code = letter * _SPELT_OUT + place
                    result[code] += _weigh(counts[code], having, log_weights) - mine
            else:
                for code in range(letter * length, letter * length + length):
                    result[code] += _weigh(counts[code], having, log_weights) - mine
    for segment in range(SEGMENTS - 1, -1, -1):
        mine_only, later = known[segment], known[segment + 1]
        for letter in range(letters):
            no_place = mine_only[nothing] + mine_only[places + letter]
            for code in range(letter * length, letter * length + length):
                mine_only[code] += no_place + later[code]
        mine_only[nothing] += later[nothing]


@noalloc(inner=True, inline=True)
def _weigh(there: int, having: int, log_weights: Costs) -> int:
    """What those who have a letter weigh, split by whether they have it at a place."""
    return int(log_weights[there] + log_weights[having - there])


@noalloc(inner=True)
def _count_answers(begin: int, end: int, members: Places, questions: LetterBounds) -> None:
    """Count how many of some members say yes, for each code and letter."""
    answers, counts, sums = questions.answers, questions.counts, questions.sums
    for column in range(0, counts.shape[0], TOGETHER):
        sum_rows(answers, members, begin, min(end, begin + MOST_ROWS), column, sums)
    for slot in range(counts.shape[0]):
        counts[slot] = sums[slot]
    for more in range(begin + MOST_ROWS, end, MOST_ROWS):
        for column in range(0, counts.shape[0], TOGETHER):
            sum_rows(answers, members, more, min(end, more + MOST_ROWS), column, sums)
        for slot in range(counts.shape[0]):
            counts[slot] += sums[slot]
