"""The next guess on several boards at once: summed measures, and exact values near the end.

A *world* says which secret each board hides; several boards never hide the same one, unless
nothing else is possible. A guess splits the worlds by its scores on all open boards. What is least
is the expected number of guesses until all boards are solved; every word that may be guessed is
tried, or is excluded by a bound: so many boards are open, so many guesses it takes at least, but
for those that the guess itself is expected to solve.

Where the secret of some board is certain, nothing is better than to guess it at once: it must be
guessed at some time, and whatever else was planned can be done after it in the same order, with no
guess more in any world.

Guesses that split the candidates alike and are no candidates are one *class*. The effort is counted
in scores looked at, not in seconds: the same question gets the same answer on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..choices import MEASURES
from ..errors import CouldNotFinishError
from ..game.game import Game
from ..machine.arrays import Ids
from ..splits.measures import exact_log2, fill_chances
from ..splits.ranking import measures_of, rank_guesses
from .joint_ranking import add_measured, rank_joint
from .joint_search import least_joint, mean_joint
from .joint_worlds import (
    MOST_CANDIDATES,
    MOST_WORLDS,
    GuessKinds,
    JointBoards,
    JointSearch,
    Worlds,
    joint_memory,
    list_worlds,
    sort_guesses,
)


def can_be_listed(boards: Sequence[Ids]) -> bool:
    """Whether the worlds are few that boards with these candidates may hide, and so are these."""
    if prod(map(len, boards)) > MOST_WORLDS:
        return False
    return len(np.unique(np.concatenate(boards))) <= MOST_CANDIDATES


class JointStates:
    """All that may be hidden on the open boards, and the least expected number of guesses."""

    @classmethod
    def of(cls, game: Game, boards: Sequence[OpenBoard], pool: Ids) -> JointStates | None:
        """The worlds of some boards, if they are few; guesses go by their places in the pool."""
        candidates = [board.candidates for board in boards]
        if not can_be_listed(candidates):
            return None
        together = np.unique(np.concatenate(candidates))
        return cls(game, boards, pool, together.astype(np.int32))

    def __init__(self, game: Game, boards: Sequence[OpenBoard], pool: Ids, together: Ids) -> None:
        """All worlds of the boards, whose candidates are these ``together``."""
        sizes = [len(board.candidates) for board in boards]
        own = JointBoards(
            np.cumsum([0, *sizes], dtype=np.int32),
            np.concatenate([np.searchsorted(together, it.candidates) for it in boards]).astype(
                np.int32
            ),
            np.concatenate([board.chances() for board in boards]),
        )
        some = (prod(sizes), len(boards))
        places, secrets = np.empty((2, *some), dtype=np.int32)
        worlds = Worlds(places, secrets, np.empty(some[0]))
        n_worlds, apart = list_worlds(own, worlds, np.empty(16))
        kinds = GuessKinds(
            np.empty(len(pool), dtype=np.int32),
            np.empty(len(pool), dtype=np.int32),
            np.empty((len(pool), sum(sizes)), dtype=np.uint8),
            np.empty(len(together), dtype=np.int32),
            np.empty(len(together), dtype=np.int32),
        )
        rows = np.ascontiguousarray(game.score_rows(pool, together))
        n_kinds = sort_guesses(rows, game.solved, game.n_scores, own, kinds)
        memory = joint_memory(n_worlds, len(boards), n_kinds, len(together))
        self._search = JointSearch(own, worlds, kinds, memory, n_worlds, n_kinds, apart)

    def best(self) -> tuple[float, list[int]]:
        """The least expected number of guesses, and the places of all guesses with it, ascending.

        Where the secret of a board is certain, these are such secrets alone. A state that is too
        hard to be looked through raises CouldNotFinishError.
        """
        ties = np.empty(self._search.n_kinds, dtype=np.int32)
        least, number = least_joint(self._search, ties)
        self._require(least)
        found = np.isin(self._search.kinds.kind_of, ties[:number])
        return least, np.flatnonzero(found).tolist()

    def mean(self, place: int) -> float:
        """The expected number of guesses until all is solved, beginning with one of the pool."""
        found = mean_joint(self._search, int(self._search.kinds.kind_of[place]))
        self._require(found)
        return found

    @staticmethod
    def _require(found: float) -> None:
        if found < 0.0:
            raise CouldNotFinishError("the search takes too long")


# ---- Next guesses ranked by measures summed over the boards

Sums = NDArray[np.float64]
#: Measure → the field of ``ranking.FIELDS`` that is summed, and whether more of it is better.
_SUMMED = {
    "entropy": ("remaining_bits", False),
    "remaining": ("remaining_bits", False),
    "expected-size": ("expected_size", False),
    "parts": ("parts", True),
    "minimax": ("largest", False),
    "proportion": ("proportion", True),
}


class OpenBoard(NamedTuple):
    """The candidates of a board, and how likely each is, if not all are equally likely."""

    #: Positions of secrets, ascending.
    candidates: Ids
    weights: NDArray[np.float64] | None = None

    def chances(self) -> NDArray[np.float64]:
        """How likely each candidate of the board is; they sum to one."""
        count = len(self.candidates)
        if self.weights is None:
            return np.full(count, 1.0 / count)
        chances = np.empty(count)
        fill_chances(np.ascontiguousarray(self.weights, dtype=np.float64), chances)
        return chances


class JointRanking(NamedTuple):
    """Guesses, best first, with what they are worth on all boards together."""

    guesses: Ids
    #: What they are ranked by, smaller being better; equal ones are equal.
    costs: NDArray[np.int64]
    #: Their ranks by that; what is certain stands first whatever its rank.
    ranks: Ids
    #: Bits of information, summed over the boards.
    entropy: NDArray[np.float64]
    #: The number of boards that the guess solves, on average.
    hits: NDArray[np.float64]


def rank_over_boards(
    game: Game, boards: Sequence[OpenBoard], pool: Ids, common: Ids, by: str = "entropy"
) -> JointRanking:
    """A pool's guesses, which ascend, ranked by a measure that is summed over the boards.

    A board with one candidate left is solved by a guess that is certain: such guesses stand first,
    for they must be made at some time, and may tell something of the other boards. Of equal guesses
    the likeliest to solve a board stand first, then common words, then all by letters.
    """
    costs, entropy, hits = (np.zeros(len(pool)) for _ in range(3))
    certain = np.zeros(len(pool), dtype=np.uint8)
    at_home = np.zeros(len(game.guesses))
    for board in boards:
        _add_board(game, board, pool, by, costs, entropy)
        at_home[:] = 0.0
        at_home[game.secret_ids[board.candidates]] = board.chances()
        hits += at_home[pool]
        if len(board.candidates) == 1:
            certain |= at_home[pool] > 0
    is_common = np.isin(pool, common).view(np.uint8)
    order, ranks = np.empty((2, len(pool)), dtype=np.int32)
    rounded = np.empty(len(pool), dtype=np.int64)
    rank_joint(costs, hits, certain, is_common, order, ranks, rounded)
    return JointRanking(pool[order], rounded, ranks, entropy[order], hits[order])


def _add_board(
    game: Game, board: OpenBoard, pool: Ids, by: str, costs: Sums, entropy: Sums
) -> None:
    """Add what the pool costs on one board by a measure, and the information in bits."""
    if board.weights is None:
        measures = measures_of(game, pool, board.candidates)
        candidate = np.isin(pool, game.secret_ids[board.candidates]).view(np.uint8)
        known = exact_log2(measures.candidates)
        add_measured(measures, candidate, MEASURES.index(by), known, costs, entropy)
        return
    weights = np.zeros(len(game.secrets))
    weights[board.candidates] = board.weights
    rows = rank_guesses(game, by, candidates=board.candidates, guess_ids=pool, weights=weights).rows
    rows = rows[np.argsort(rows["guess"])]
    name, more_is_better = _SUMMED[by]
    cost = rows[name].astype(np.float64)
    costs += -cost if more_is_better else cost
    entropy += rows["entropy"]
