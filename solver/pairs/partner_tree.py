"""All guesses as the partners of one, on a tree by their columns, and whom each column moves.

Guesses hang on the tree by their columns (see ``score_matrix``), the letter with most holders
first: what is counted for the columns that they have in common is counted once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import letter_shares, letters_in, place_sets, take_apart
from ..machine.jit import kernel
from ..machine.rows import Ids
from ..splits.letter_tree import Letters, tree_order

Fours = NDArray[np.uint64]

#: Movers are loaded by fours.
_FOUR = 4


class Partners(NamedTuple):
    """The tree of all guesses as partners, each node before those below it; node 0 is the root."""

    columns: Ids
    levels: Ids
    parents: Ids
    #: The first node behind those below.
    ends: Ids
    #: Whether a guess ends here, and where each one does, in the order in which they are A.
    is_last: NDArray[np.bool_]
    places: Ids


class Movers(NamedTuple):
    """The secrets whose scores a column changes: a run for each value that it adds."""

    #: The runs of column ``c`` are ``first[c]`` to ``first[c + 1] - 1``.
    first: Ids
    #: Where each run begins in ``fours``, and where the last one ends.
    starts: Ids
    #: Secrets, four to an entry; a run is filled up with the place behind the last secret.
    fours: Fours


def partners_of(guesses: Letters, secrets: Letters, dtype: Any) -> tuple[Partners, Movers]:
    """The tree of guesses as partners, in the order in which they are A, and its movers.

    Words are numbers of letters; ``dtype`` is that of their scores.
    """
    terms, _, letter, places = take_apart(guesses)
    sets = place_sets(secrets, letters_in(guesses, secrets))
    order = tree_order(terms, np.count_nonzero(sets, axis=1)[letter])
    shares = letter_shares(guesses.shape[1], dtype)[places]
    return _partners(terms, order), _movers(letter, sets, shares)


def _partners(terms: Ids, order: Ids) -> Partners:
    """The tree: guesses in their order share the nodes of the columns in which they begin alike."""
    columns, levels, parents, path = [0], [0], [0], [0]
    places = np.zeros(len(order), dtype=np.int32)
    for guess in order.tolist():
        mine = [column for column in terms[guess].tolist() if column]
        level = 0
        while level + 1 < len(path) and mine[level] == columns[path[level + 1]]:
            level += 1
        del path[level + 1 :]
        for column in mine[level:]:
            columns.append(column)
            levels.append(len(path))
            parents.append(path[-1])
            path.append(len(columns) - 1)
        places[guess] = path[-1]
    ends = np.arange(1, len(columns) + 1, dtype=np.int32)
    for node in range(len(columns) - 1, 0, -1):
        ends[parents[node]] = max(ends[parents[node]], ends[node])
    is_last = np.zeros(len(columns), dtype=np.bool_)
    is_last[places] = True
    return Partners(
        np.array(columns, dtype=np.int32),
        np.array(levels, dtype=np.int32),
        np.array(parents, dtype=np.int32),
        ends,
        is_last,
        places,
    )


def _movers(letter: Ids, sets: Ids, shares: NDArray[Any]) -> Movers:
    """The runs of all columns; ``shares[column, places]`` is what is added."""
    first, starts, runs = [0, 0], [0], []
    nobody = sets.shape[1]
    for column in range(1, len(letter)):
        added = shares[column][sets[letter[column]]]
        for value in np.unique(added[added > 0]):
            run = np.flatnonzero(added == value)
            runs.append(np.append(run, np.full(-len(run) % _FOUR, nobody)).astype(np.uint16))
            starts.append(starts[-1] + len(runs[-1]) // _FOUR)
        first.append(len(runs))
    fours = np.concatenate([*runs, np.zeros(0, dtype=np.uint16)]).view(np.uint64)
    return Movers(np.array(first, dtype=np.int32), np.array(starts, dtype=np.int32), fours)


@kernel
def want_all_partners(partners: Partners, wanted: Ids) -> None:
    """Want every guess as a partner of A."""
    for place in partners.places:
        want_partners(place, 1, partners, wanted)


@kernel(inner=True)
def want_partners(node: int, more: int, partners: Partners, wanted: Ids) -> None:
    """Add to the number of partners that are wanted at a node and at all above it."""
    while node:
        wanted[node] += more
        node = int(partners.parents[node])
