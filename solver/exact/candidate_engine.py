"""Strategies that guess candidates only, the best of them proved by an exhaustive search.

Every guess is consistent: it could be the secret, by all scores so far. So the guesses of a state
are its members, and the state is no more than a set with the guesses that are left; hard mode
allows each of them. The search itself is one kernel (``kernels.candidate_search``). Here is what
surrounds it: the scores that it looks up, forced first guesses, the clock, and the strategies that
are read from its memo. It is the same for words and for Mastermind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from ..machine.arrays import Ids
from ..memory_limits import require_room
from ..tree import Tree
from .kernels.candidate_search import (
    CandidateTable,
    bound_guesses,
    new_candidate_stack,
    number_scores,
    search_candidates,
)
from .kernels.lemmas import LOSS, NEVER, after_guess, lost
from .kernels.memo import memo_of_sets
from .kernels.set_frames import NOWHERE, Totals
from .values import CheckTime, Value

#: Work between two looks at the clock, some hundredths of a second.
_BUDGET = 100_000
#: Scores that are made at a time.
_SCORES = 1 << 24


class CandidateEngine:
    """Values and strategies of sets of candidates, where candidates are the only guesses.

    It keeps what it has learned about states. ``secrets`` are the positions of some of the game's
    secrets; states are sets of positions among these. ``forced`` guesses of the game may be made
    as well, where they are named.
    """

    def __init__(
        self,
        game: Game,
        secrets: Ids | None = None,
        forced: Sequence[int] = (),
        check_time: CheckTime = lambda: None,
    ) -> None:
        self.check_time = check_time
        ids = game.secret_ids if secrets is None else game.secret_ids[secrets]
        #: The guess of each row of the table: the secrets, then what is forced beside them.
        self.guess_of: list[int] = ids.tolist()
        self.guess_of += sorted(set(forced).difference(self.guess_of))
        self.row_of = {guess: row for row, guess in enumerate(self.guess_of)}
        self.members: Ids = np.arange(len(ids), dtype=np.int32)
        self.table = candidate_table(game, np.array(self.guess_of, dtype=np.int32), ids)
        self._new_search()

    def _new_search(self) -> None:
        self._memo = memo_of_sets(len(self.members))
        self._stack = new_candidate_stack(self.table)

    def content_with(self, enough: int) -> CandidateEngine:
        """An engine of the same candidates for which any value up to ``enough`` is the least."""
        other = copy(self)
        other.table = self.table._replace(enough=enough)
        other._new_search()
        return other

    def value(
        self, members: Ids, left: int, limit: int = NEVER, row: int = -1
    ) -> tuple[Value, int]:
        """The value of a state, or a bound above ``limit``, and the row of the guess to make.

        With a ``row`` that guess is made first.
        """
        stack = self._stack
        stack.members[: len(members)] = members
        place = np.full(1, NOWHERE, dtype=np.int64)
        state = np.array([len(members), left, limit, row], dtype=np.int64)
        exact = -1
        while exact < 0:
            bound, exact, guess = search_candidates(
                self.table, self._memo, stack, place, state, _BUDGET
            )
            self.check_time()
        return Value(int(bound), exact == 1), int(guess)

    def value_of_forced(
        self, members: Ids, rows: Sequence[int], left: int, limit: int = NEVER
    ) -> Value:
        """The value of a state in which these guesses are forced, or a bound above ``limit``."""
        if len(rows) < 2:
            return self.value(members, left, limit, rows[0] if rows else -1)[0]
        total = len(members)
        for _, bucket in self.buckets(members, rows[0]):
            total += len(bucket) * lost(left)
            total += self.value_of_forced(bucket, rows[1:], after_guess(left)).bound
        return Value(total, exact=total <= limit)

    def bounds(self, members: Ids, rows: Ids, left: int) -> NDArray[np.int64]:
        """What some guesses cost at least in a state, by the sizes of their buckets."""
        found = np.empty(len(rows), dtype=np.int64)
        self._stack.members[: len(members)] = members
        bound_guesses(self.table, self._stack, rows, len(members), left, found)
        return found

    def plan(
        self,
        members: Ids,
        left: int,
        rows: Sequence[int] = (),
        choose: Callable[[Ids, int], int] | None = None,
    ) -> Tree:
        """A strategy of a state that begins with some guesses; secrets stand for its scores.

        After these every state gets the guess of least value, or that of ``choose``.
        """
        choose = choose or self.best_guess
        tree = Tree()
        todo: list[tuple[Ids, int, Sequence[int], int]] = [(members, left, rows, -1)]
        while todo:
            state, guesses, rest, above = todo.pop()
            row = rest[0] if rest else choose(state, guesses)
            node = tree.add(self.guess_of[row], above, int(state[0]))
            for _, bucket in self.buckets(state, row):
                todo.append((bucket, after_guess(guesses), rest[1:], node))
        return tree

    def best_guess(self, members: Ids, left: int) -> int:
        """The guess of least value in a state, as a row."""
        return self.value(members, left)[1]

    def quick_guess(self, members: Ids, left: int) -> int:
        """The guess that may be best by the sizes of its buckets, as a row."""
        return int(members[int(self.bounds(members, members, left).argmin())])

    def buckets(self, members: Ids, row: int) -> list[tuple[int, Ids]]:
        """The buckets of a guess but its own, each with the number of its score."""
        scores = self.table.scores[row, members]
        own = int(self.table.scores[row, row]) if row < len(self.members) else -1
        found = np.unique(scores).tolist()
        return [(score, members[scores == score]) for score in found if score != own]


def candidate_table(game: Game, guesses: Ids, secrets: Ids) -> CandidateTable:
    """The scores of guesses with secrets (both are guesses of the game), numbered for a search."""
    count, width = len(guesses), len(secrets)
    require_room(4 * count * width, f"an exact search over {width:,} candidates")
    raw_rows = max(1, _SCORES // width)
    places = np.searchsorted(game.secret_ids, secrets).astype(np.int32)
    known = np.empty(game.n_scores, dtype=np.int64)
    scores = np.empty((count, width), dtype=np.min_scalar_type(min(game.n_scores, width) - 1))
    most = 0
    for start in range(0, count, raw_rows):
        some = guesses[start : start + raw_rows]
        raw = np.ascontiguousarray(game.score_rows(some, places))
        most = max(most, number_scores(raw, known, scores[start : start + raw_rows]))
    ideals = ideal_costs(most - 1, width)
    return CandidateTable(scores, most, -1, ideals, np.diff(ideals, append=0))


def ideal_costs(others: int, most: int) -> Totals:
    """What a state of each size costs at least, by the guesses that are left.

    Each guess may be right, and each of so many other scores may lead to a state of its own: of n
    candidates one is found by the first guess, ``others`` by the second, and so on. Those that a
    limit leaves unfound are lost. The last row is without a limit.
    """
    reached, found, total = [0], np.zeros(most + 1, dtype=np.int64), 0
    states, depth = 1, 0
    while reached[-1] < most:
        depth += 1
        for n in range(reached[-1] + 1, min(reached[-1] + states, most) + 1):
            total += depth
            found[n] = total
        reached.append(min(reached[-1] + states, most))
        states = max(1, min(states * others, most))
    sizes = np.arange(most + 1, dtype=np.int64)
    return np.array([found + np.maximum(sizes - cap, 0) * LOSS for cap in reached])
