"""Words ranked as the next guess on several boards at once, by measures summed over the boards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..splits.ranking import costs_of, measures_of, rank_guesses

if TYPE_CHECKING:
    from ..game.game import Game
    from ..machine.rows import Ids

Sums = NDArray[np.float64]
#: Sums are rounded to this unit, far above what floats are off: equal ones are equal.
_UNIT = 2.0**-30
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
        return np.asarray(self.weights / self.weights.sum(), dtype=np.float64)


class JointRanking(NamedTuple):
    """Guesses, best first, with what they are worth on all boards together."""

    guesses: Ids
    #: What they are ranked by, smaller being better; equal ones are equal.
    costs: NDArray[np.int64]
    #: Bits of information, summed over the boards.
    entropy: NDArray[np.float64]
    #: The number of boards that the guess solves, on average.
    hits: NDArray[np.float64]


def rank_over_boards(
    game: Game, boards: Sequence[OpenBoard], pool: Ids, common: Ids, by: str = "entropy"
) -> JointRanking:
    """Advice on several boards: a pool's guesses ranked by a measure that is summed over them.

    A board with one candidate left is solved by a guess that is certain: such guesses stand first,
    for they must be made at some time, and may tell something of the other boards. Of equal guesses
    the likeliest to solve a board stand first, then common words, then all by letters.
    """
    costs, entropy, hits = (np.zeros(len(pool)) for _ in range(3))
    certain = np.zeros(len(pool), dtype=np.bool_)
    at_home = np.zeros(len(game.guesses))
    for board in boards:
        cost, told = _measured(game, board, pool, by)
        costs += cost
        entropy += told
        at_home[:] = 0.0
        at_home[game.secret_ids[board.candidates]] = board.chances()
        hits += at_home[pool]
        if len(board.candidates) == 1:
            certain |= at_home[pool] > 0
    rounded = np.rint(costs / _UNIT).astype(np.int64)
    uncommon = ~np.isin(pool, common)
    order = np.lexsort((pool, uncommon, -np.rint(hits / _UNIT), rounded, ~certain))
    return JointRanking(pool[order], rounded[order], entropy[order], hits[order])


def _measured(game: Game, board: OpenBoard, pool: Ids, by: str) -> tuple[Sums, Sums]:
    """What the pool costs on one board by a measure, and the information in bits."""
    if board.weights is None:
        measures = measures_of(game, pool, board.candidates)
        if by in ("entropy", "remaining"):
            return measures.remaining(), measures.entropy()
        hits = np.isin(pool, game.secret_ids[board.candidates])
        power = {"expected-size": 1, "proportion": 2}.get(by, 0)
        return costs_of(measures, by, hits) / measures.candidates**power, measures.entropy()
    weights = np.zeros(len(game.secrets))
    weights[board.candidates] = board.weights
    rows = rank_guesses(game, by, candidates=board.candidates, guess_ids=pool, weights=weights).rows
    rows = rows[np.argsort(rows["guess"])]
    name, more_is_better = _SUMMED[by]
    costs = rows[name].astype(np.float64)
    return -costs if more_is_better else costs, rows["entropy"]
