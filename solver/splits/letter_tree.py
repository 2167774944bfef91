"""All measures of many guesses at once, by a tree over their letters and candidates as bits.

The split by a guess is built up column by column (see ``score_matrix``): when the *classes* by some
columns are known and one more letter is added, only the candidates that have it leave their
classes. So for every class it is counted how many of the letter's holders are in it, by the state
that the holders are in (see below): sets of holders are met bit by bit, 32 classes at
a time, and no candidate is looked at by itself. Scores are never made; equal scores are equal
classes.

Guesses are visited in the order of their columns, the letter with most holders first: neighbours
share the splits by their common letters, and what a guess does alone has few holders.

Classes lie in lanes, ``CLASSES`` to a vector. Up to three places of a guess have no more classes
than that; the letter that goes beyond parts them into *blocks*, a vector for each of its states.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from ..game.score_matrix import Letters, columns_in, letters_in
from ..machine.arrays import Ids, copy_into
from ..machine.jit import kernel, noalloc
from ..machine.vectors import COUNTS, above, bit_count, first_bit
from .class_vectors import (
    CLASSES,
    SIXTEEN,
    ClassLanes,
    Lanes,
    Offsets,
    Pieces,
    SplitSizes,
    StateSets,
    meet_four,
    meet_six,
    meet_two,
    part_classes,
)
from .measures import Costs, Measures, empty_measures, fixed_log_weights


class _Columns(NamedTuple):
    """The columns of the guesses; column 0 is nobody's and fills up short rows."""

    #: In which order the guesses are visited, and the columns of each, most holders first.
    order: Ids
    terms: Ids

    #: The letter, its places as bits, and how many they are.
    letter: Ids
    places: Ids
    copies: Offsets


class _Sets(NamedTuple):
    """Sets made on the way, each when it is first needed."""

    #: Where the sets of the states of a column among a letter's holders begin in ``masks``,
    #: ``where[letter, column]``; -1: not made yet. ``used``: how much of ``masks`` is taken.
    where: Offsets
    masks: Pieces
    used: Offsets
    #: The classes of each letter's holders that were needed last, where they begin, and by
    #: which path.
    classes: Lanes
    starts: Offsets
    paths: Offsets


class _Path(NamedTuple):
    """The columns from the root to where the walk is, level by level."""

    #: The columns of the last guess, and a number for the way that leads behind each.
    columns: Offsets
    numbers: Offsets
    #: The sizes of the classes; how many lanes they fill, an empty vector at the end included.
    splits: Lanes
    filled: Offsets
    #: Scratch: where the answers to questions are, and the rows of their patterns.
    at: Offsets
    rows: Offsets


class _Tree(NamedTuple):
    """All that the walk through the tree takes."""

    columns: _Columns
    holders: Holders
    known: LetterStates
    sets: _Sets
    path: _Path


def tree_measures(guesses: Letters, candidates: Letters) -> Measures:
    """All measures of the guesses; both are words of at most five letters, as numbers."""
    measures = empty_measures(len(guesses), len(candidates))
    letters, logs = letters_in(guesses, candidates), fixed_log_weights(len(candidates))
    measure_by_tree(guesses, candidates, letters, marks(guesses.shape[1]), logs, measures)
    return measures


@kernel
def measure_by_tree(
    guesses: Letters,
    candidates: Letters,
    letters: int,
    known: LetterStates,
    log_weights: Costs,
    measures: Measures,
) -> None:
    """Measure the guesses, whose words have so many letters to number."""
    terms, _, letter, places = columns_in(guesses, letters)
    copies = np.empty(len(places), dtype=np.int64)
    most = 0
    for column in range(len(places)):
        copies[column] = bit_count(np.uint64(places[column]))
        most = max(most, copies[column])
    holders = holders_of(candidates, most, letters)
    held = np.empty(len(letter), dtype=np.int64)
    for column in range(len(letter)):
        held[column] = holders.number[letter[column]]
    order = _in_tree_order(terms, held)
    columns = _Columns(order, terms, letter, places, copies)
    sets = _no_sets(holders, known.states, copies)
    path = _root(guesses.shape[1], terms.shape[1], len(candidates), known.states)
    _walk(_Tree(columns, holders, known, sets, path), log_weights, measures)


# --- the order of the guesses


def tree_order(terms: Ids, holders: Offsets) -> Ids:
    """The order of guesses on the tree of letters; terms of each sorted, most holders first."""
    return _in_tree_order(terms, holders.astype(np.int64))


@kernel
def _in_tree_order(terms: Ids, holders: Offsets) -> Ids:
    """As ``tree_order`` says."""
    most_first = -holders
    most_first[0] = 1  # nobody's column is the last of all
    by_holders = np.argsort(most_first, kind="mergesort")
    rank = np.empty(len(by_holders), dtype=np.int32)
    for place in range(len(by_holders)):
        rank[by_holders[place]] = place
    order = np.empty(len(terms), dtype=np.int32)
    for guess in range(len(terms)):
        order[guess] = guess
    _sort_terms(terms, rank)
    _sort_guesses(terms, rank, order, np.empty_like(order))
    return order


@kernel(inner=True)
def _sort_terms(terms: Ids, rank: Ids) -> None:
    """Sort each guess's terms by rank."""
    for mine in terms:
        for start in range(1, mine.shape[0]):
            at = start
            term = mine[at]
            while at > 0 and rank[mine[at - 1]] > rank[term]:
                mine[at] = mine[at - 1]
                at -= 1
            mine[at] = term


@kernel(inner=True)
def _sort_guesses(terms: Ids, rank: Ids, order: Ids, sorted_order: Ids) -> None:
    """Sort guesses by the ranks of their terms; no guess shares the split by its last term."""
    where = np.empty(rank.shape[0] + 1, dtype=np.int64)
    for level in range(terms.shape[1] - 2, -1, -1):
        where[:] = 0
        for guess in range(terms.shape[0]):
            where[rank[terms[guess, level]] + 1] += 1
        for term in range(rank.shape[0]):
            where[term + 1] += where[term]
        for guess in order:
            term = rank[terms[guess, level]]
            sorted_order[where[term]] = guess
            where[term] += 1
        copy_into(order, sorted_order)


# --- the walk


@kernel(inner=True)
def _no_sets(holders: Holders, states: Offsets, copies: Offsets) -> _Sets:
    """Memory for all sets there may be; what is not used is not touched."""
    letters, columns, pieces, room = len(holders.number), len(copies), 0, 0
    starts = np.empty(letters, dtype=np.int64)
    for letter in range(letters):
        starts[letter] = pieces * CLASSES
        pieces += holders.pieces[letter]
    for column in range(columns):
        room += states[copies[column]]
    return _Sets(
        np.full((letters, columns), -1, dtype=np.int64),
        np.empty(pieces * room, dtype=np.uint32),
        np.zeros(1, dtype=np.int64),
        np.empty(pieces * CLASSES, dtype=np.uint16),
        starts,
        np.full(letters, -1, dtype=np.int64),
    )


@kernel(inner=True)
def _root(length: int, depth: int, candidates: int, states: Offsets) -> _Path:
    """Where the walk begins: nothing is known, and all candidates are in one class."""
    most = 0
    for few in range(length + 1):
        most = max(most, states[few] * states[length - few])
    splits = np.zeros((depth + 1, (most + 1) * CLASSES), dtype=np.uint16)
    splits[0, 0] = candidates
    return _Path(
        np.full(depth, -1, dtype=np.int64),
        np.zeros(depth + 1, dtype=np.int64),
        splits,
        np.zeros(depth + 1, dtype=np.int64),
        np.zeros(2 * length, dtype=np.int64),
        np.zeros(2 * length, dtype=np.int64),
    )


@noalloc(inner=True)
def _walk(tree: _Tree, log_weights: Costs, measures: Measures) -> None:
    """Measure guess after guess; what it has in common with the last one is not done again."""
    path, terms = tree.path, tree.columns.terms
    last, numbers, splits, filled = path.columns, path.numbers, path.splits, path.filled
    ways, depth = 0, terms.shape[1]
    for guess in tree.columns.order:
        mine = terms[guess]
        level = 0
        while level < depth - 1 and mine[level] == last[level]:
            level += 1
        while level < depth and mine[level]:
            last[level] = mine[level]
            ways += 1
            numbers[level + 1] = ways
            _add_column(level, tree)
            level += 1
        last[level:] = 0
        _measure(splits[level], filled[level], guess, log_weights, measures)


@noalloc(inner=True, inline=True)
def _add_column(level: int, tree: _Tree) -> None:
    """The split by one column more: from that of a level to that of the next."""
    columns, holders, known, sets, path = tree
    column = int(path.columns[level])
    letter = columns.letter[column]
    pieces = holders.pieces[letter]
    lanes, levels = 1, 0
    while levels < level and known.rows[lanes, columns.copies[path.columns[levels]]] >= 0:
        lanes *= known.states[columns.copies[path.columns[levels]]]
        levels += 1
    beyond = int(path.columns[levels]) if levels < level else 0  # parts the lanes into blocks
    if sets.paths[letter] != path.numbers[levels]:
        sets.paths[letter] = path.numbers[levels]
        _meet(letter, levels, tree)
    blocks, states = known.states[columns.copies[beyond]], known.states[columns.copies[column]]
    inside = _sets_of(letter, beyond, tree)
    first = _sets_of(letter, column, tree)
    in_lanes = blocks == 1 and lanes * states <= CLASSES
    stride = lanes if in_lanes else blocks * CLASSES
    after = path.splits[level + 1]
    for block in range(blocks):
        part_classes(
            ClassLanes(sets.classes, sets.starts[letter], pieces, lanes),
            StateSets(sets.masks, inside + block * pieces, states, first),
            SplitSizes(path.splits[level], after, block * CLASSES, stride),
        )
    filled = CLASSES if in_lanes else states * stride
    behind = after[filled:]
    for lane in range(CLASSES):
        behind[lane] = 0
    path.filled[level + 1] = filled + CLASSES


@noalloc(inner=True, inline=True)
def _meet(letter: int, levels: int, tree: _Tree) -> None:
    """Sort the holders of a letter into classes, by the columns of some levels."""
    columns, holders, known, sets, path = tree
    pieces, start = holders.pieces[letter], sets.starts[letter]
    count, lanes = 0, 1
    for level in range(levels):
        column = int(path.columns[level])
        copies = columns.copies[column]
        about = _about(letter, column, tree)
        row = known.rows[lanes, copies]
        for question in range(2 * copies):
            number = known.questions[columns.places[column], question]
            path.at[count] = about + number * pieces
            path.rows[count] = row + question
            count += 1
        lanes *= known.states[copies]
    if count == 2:
        meet_two(sets.classes, start, pieces, holders.answers, path.at, known.patterns, path.rows)
    elif count == 4:
        meet_four(sets.classes, start, pieces, holders.answers, path.at, known.patterns, path.rows)
    elif count == 6:
        meet_six(sets.classes, start, pieces, holders.answers, path.at, known.patterns, path.rows)
    else:
        sets.classes[start : start + pieces * CLASSES] = np.uint16(0xFFFF)


@noalloc(inner=True, inline=True)
def _sets_of(letter: int, column: int, tree: _Tree) -> int:
    """Where the sets of a column's states among the holders of a letter begin."""
    if tree.sets.where[letter, column] < 0:
        _make_sets(letter, column, tree)
    return int(tree.sets.where[letter, column])


@noalloc(inner=True)
def _make_sets(letter: int, column: int, tree: _Tree) -> None:
    """Make the sets of a column's states: the holders who answer all questions as a state wants."""
    columns, holders, known, sets, _ = tree
    begin = sets.used[0]
    sets.where[letter, column] = begin
    pieces, copies = holders.pieces[letter], columns.copies[column]
    about = _about(letter, column, tree)
    for state in range(known.states[copies]):
        mine = sets.masks[begin : begin + pieces]
        for piece in range(pieces):
            mine[piece] = np.uint32(0xFFFFFFFF)
        for question in range(2 * copies):
            at = about + known.questions[columns.places[column], question] * pieces
            answers, opposite = holders.answers[at:], known.opposite[copies, state, question]
            for piece in range(pieces):
                mine[piece] &= answers[piece] ^ opposite
        begin += pieces
    sets.used[0] = begin


@noalloc(inner=True, inline=True)
def _about(letter: int, column: int, tree: _Tree) -> int:
    """Where the answers of a letter's holders about the letter of a column begin."""
    holders = tree.holders
    sets = tree.columns.letter[column] * holders.questions
    return int(holders.starts[letter] + sets * holders.pieces[letter])


@noalloc(inner=True, inline=True)
def _measure(split: Lanes, filled: int, guess: int, log_weights: Costs, measures: Measures) -> None:
    """All measures of one split; a bucket of one has no weight, and only its own square."""
    found = 0
    most = np.int64(1)
    square = 0
    weight = 0
    for start in range(0, filled, COUNTS):
        several = above(split, start, 1)
        here = bit_count(above(split, start, 0))
        found += here
        square += here - bit_count(several)
        while several:
            size = np.int64(split[start + first_bit(several)])
            weight += log_weights[size]
            square += int(size) * int(size)
            most = max(most, size)
            several &= several - np.uint64(1)
    measures.parts[guess] = found
    measures.largest[guess] = most
    measures.squares[guess] = square
    measures.weights[guess] = weight


# ---- What a score says about one letter of the guess, and which candidates would answer what
#
# Where a guess has a letter at some places, its score tells at which of them the secret has it too
# (green), and how many copies the secret has, counted up to as many as the guess has (green and
# yellow). Nothing else: so these answers, the *state* of the letter, part the secrets as the marks
# do. A letter at k places has 2k questions: is it at the first, the second, … of them? Are there
# more than 0, 1, … k - 1 copies?
#
# Only the candidates that have a letter, its *holders*, are moved when it is added to a guess, and
# often they are few. So each letter has its own numbering of its holders, and in it a set for every
# question about every letter, in pieces of ``SIXTEEN`` bits as ``class_vectors`` wants them.

#: Bit 0 of a piece, in both its halves.
_ONE = (1 << SIXTEEN) + 1


class Holders(NamedTuple):
    """What the holders of each letter answer about all letters."""

    #: How many holders each letter has; in how many pieces, one at least.
    number: Offsets
    pieces: Offsets
    #: Where the sets of each letter's holders begin in ``answers``.
    starts: Offsets
    #: Set after set: letter after letter, and question after question about it.
    answers: Pieces
    #: The number of questions about a letter.
    questions: int


@kernel
def holders_of(candidates: Letters, most_copies: int, letters: int) -> Holders:
    """The holders of each letter among candidates, and what they answer, up to so many copies."""
    questions = candidates.shape[1] + most_copies
    number = np.zeros(letters, dtype=np.int64)
    _count_holders(candidates, number)
    pieces, starts = np.empty(letters, dtype=np.int64), np.empty(letters, dtype=np.int64)
    size = 0
    for letter in range(letters):
        pieces[letter] = max(1, (number[letter] + SIXTEEN - 1) // SIXTEEN)
        starts[letter] = size
        size += pieces[letter] * letters * questions
    answers = np.zeros(size, dtype=np.uint32)
    holders = Holders(number, pieces, starts, answers, questions)
    _answer(candidates, holders, np.zeros(letters, dtype=np.int64))
    return holders


@kernel(inner=True)
def _count_holders(candidates: Letters, number: Offsets) -> None:
    """Count the candidates that have each letter."""
    for word in candidates:
        for place in range(word.shape[0]):
            number[word[place]] += _is_first(word, place)


@kernel(inner=True)
def _answer(candidates: Letters, holders: Holders, met: Offsets) -> None:
    """Fill in what each candidate answers, as a holder of each of its letters."""
    for word in candidates:
        for place in range(word.shape[0]):
            if _is_first(word, place):
                letter = word[place]
                _answer_one(word, int(letter), int(met[letter]), holders)
                met[letter] += 1


@noalloc(inner=True)
def _answer_one(word: Letters, letter: int, number: int, holders: Holders) -> None:
    """Fill in what a word, the holder of a letter with some number, answers."""
    pieces, answers = holders.pieces[letter], holders.answers
    bit = np.uint32(_ONE) << np.uint32(number % SIXTEEN)
    mine = holders.starts[letter] + number // SIXTEEN
    length = word.shape[0]
    for place in range(length):
        about = mine + word[place] * holders.questions * pieces
        answers[about + place * pieces] |= bit
        for copies in range(length, holders.questions):
            if not answers[about + copies * pieces] & bit:
                answers[about + copies * pieces] |= bit
                break


@noalloc(inner=True)
def _is_first(word: Letters, place: int) -> bool:
    """Whether no earlier place has the same letter."""
    first = True
    for earlier in range(place):
        first &= word[earlier] != word[place]
    return first


_ALL = 0xFFFFFFFF


class LetterStates(NamedTuple):
    """The states of letters, by the number ``k`` of places at which the guess has them."""

    #: How many there are. State 0: the secret lacks the letter.
    states: Offsets
    #: ``questions[places]``: the questions about a letter at these places (as bits): is it at the
    #: first place of the word, the second, … (from 0 on); has it more than 0, 1, … copies (from
    #: the length on).
    questions: Offsets
    #: ``opposite[k, state, question]``: all bits if the answer must be no.
    opposite: Pieces
    #: Vectors, one a question: all bits in the lanes where the answer must be no.
    patterns: Lanes
    #: ``rows[lanes, k]``: the first such vector where each of so many classes is parted by a
    #: letter at k places; class ``c`` in state ``s`` has lane ``c + s * lanes``. -1: no room.
    rows: Offsets


#: The most states of a letter, those of five places; vectors that all of them have as patterns.
MOST_STATES = 113
MOST_PATTERNS = 64


@cache
def marks(length: int) -> LetterStates:
    """The states that letters may have in words of a length, to measure splits by letters."""
    known = LetterStates(
        np.zeros(length + 1, dtype=np.int64),
        np.zeros((1 << length, 2 * length), dtype=np.int64),
        np.zeros((length + 1, MOST_STATES, 2 * length), dtype=np.uint32),
        np.zeros(MOST_PATTERNS * CLASSES, dtype=np.uint16),
        np.full((CLASSES + 1, length + 1), -1, dtype=np.int64),
    )
    fill_states(length, known)
    return known


@kernel
def fill_states(length: int, known: LetterStates) -> None:
    """Write the states that letters may have in words of a length."""
    for places in range(1 << length):
        count = 0
        for place in range(length):
            if places >> place & 1:
                known.questions[places, count] = place
                count += 1
        for more in range(count):
            known.questions[places, count + more] = length + more
    for copies in range(length + 1):
        known.states[copies] = _fill_opposite(copies, known.opposite[copies])
    reached = np.zeros(CLASSES + 1, dtype=np.uint8)
    reached[1] = 1
    row = 1
    for lanes in range(1, CLASSES + 1):  # more states make more lanes
        if reached[lanes] == 0:
            continue
        for copies in range(1, length + 1):
            count = known.states[copies]
            if lanes * count > CLASSES:
                continue
            reached[lanes * count] = 1
            known.rows[lanes, copies] = row
            for question in range(2 * copies):
                for lane in range(CLASSES):
                    opposite = known.opposite[copies, lane // lanes % count, question]
                    known.patterns[row * CLASSES + lane] = opposite & np.uint32(0xFFFF)
                row += 1


@kernel(inner=True)
def _fill_opposite(copies: int, opposite: Pieces) -> int:
    """What the states of a letter at so many places exclude; an odd number of states.

    ``part_classes`` takes states in pairs, the first one apart; where one is missing, there is a
    state that no secret is in: at all places, without a copy.
    """
    count = 0
    for places in range(1 << copies):
        for having in range(bit_count(np.uint64(places)), copies + 1):
            for place in range(copies):
                opposite[count, place] = np.uint32(0 if places >> place & 1 else _ALL)
            for more in range(copies):
                opposite[count, copies + more] = np.uint32(0 if having > more else _ALL)
            count += 1
    if count % 2 == 0:
        for more in range(copies):
            opposite[count, copies + more] = np.uint32(_ALL)
        count += 1
    return count
