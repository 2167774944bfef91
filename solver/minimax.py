"""The next guess by a one-step rule, and whole subtrees of strategies.

``Searcher`` answers both questions for all rules. It keeps the scores secret-major: the scores of
neighbouring guesses against one candidate then lie side by side, and a set of n candidates costs n
contiguous rows whatever the guesses. Games whose matrix would be too big are searched by blocks of
rows that the game computes when asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import WrongInputError
from .game import Game, OwnSearch
from .hard import legal_after, require_wordle, still_legal
from .jit import kernel
from .matrix import secret_rows
from .rules import Costs, find_rule

Ids = NDArray[np.int32]

GUESS_POOLS = ("allowed", "secrets", "candidates")
#: A score matrix up to this many bytes is kept; beyond, scores are computed by blocks.
MATRIX_LIMIT = 1 << 30
_BLOCK_BYTES = 1 << 22
#: Above every cost that a rule can give.
_NO_COST = 1 << 61


@dataclass(frozen=True, eq=False)
class Subtree:
    """States in preorder, children by ascending score; the roots have no parent (-1)."""

    #: The guess made in each state.
    guess: Ids
    #: The score that led to the state from its parent; -1 for a root.
    score: Ids
    #: The position of the parent's state.
    parent: Ids

    def __len__(self) -> int:
        return len(self.guess)


class Searcher:
    """Chooses guesses in one game by one rule."""

    def __init__(
        self,
        game: Game,
        rule: str = "minimax",
        *,
        guess_from: str = "allowed",
        hard: bool = False,
    ) -> None:
        if guess_from not in GUESS_POOLS:
            raise WrongInputError(
                f"guesses come from {', '.join(GUESS_POOLS)}; {guess_from!r} is none of them"
            )
        if hard:
            require_wordle(game)
        self.game = game
        self.rule = find_rule(rule)
        self.guess_from = guess_from
        self.hard = hard
        whole = guess_from == "allowed"
        every = np.arange(len(game.guesses), dtype=np.int32)
        #: The guesses that may be made, ascending; columns of the scores.
        self.pool: Ids = every if whole else game.secret_ids
        #: The column of each secret.
        self._own_column: Ids = (
            game.secret_ids if whole else np.arange(len(game.secrets), dtype=np.int32)
        )

    @cached_property
    def _own_search(self) -> OwnSearch | None:
        """What the game brings along instead of a matrix."""
        return self.game.own_search(self.rule, self.guess_from != "candidates")

    @cached_property
    def has_matrix(self) -> bool:
        """Whether the scores of all pool guesses are kept."""
        if self._own_search is not None:
            return False
        size = int(np.dtype(self.game.score_dtype).itemsize)
        return len(self.pool) * len(self.game.secrets) * size <= MATRIX_LIMIT

    @cached_property
    def scores(self) -> NDArray[Any]:
        """``scores[secret, column]`` of all pool guesses."""
        return secret_rows(self.game, None if self.guess_from == "allowed" else self.pool)

    @cached_property
    def steps(self) -> Costs:
        """The rule's steps for all bucket sizes."""
        return self.rule.steps(len(self.game.secrets))

    def prepare(self) -> None:
        """Compute now what searches share, before a clock starts or processes fork."""
        _ = self.steps
        if self.has_matrix:
            _ = self.scores

    # --- one state ------------------------------------------------------------------------

    def next_guess(self, candidates: Ids, history: Sequence[tuple[int, int]] = ()) -> int:
        """The guess for a set of candidates (positions of secrets, ascending).

        Only hard mode asks how the state was reached: by (guess, score) pairs.
        """
        legal = legal_after(self.game, history) if self.hard else None
        return self._choose(_checked(candidates), legal)

    def children(self, guess: int, candidates: Ids) -> list[tuple[int, Ids]]:
        """The split of the candidates by a guess: ascending scores with their buckets."""
        row = self.game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]
        order = np.argsort(row, kind="stable")
        scores, starts = np.unique(row[order], return_index=True)
        buckets = np.split(candidates[order], starts[1:])
        return [(int(score), bucket) for score, bucket in zip(scores, buckets, strict=True)]

    def _choose(self, candidates: Ids, legal: Ids | None) -> int:
        """The best guess out of the pool, or out of its legal part."""
        if self._own_search is not None:
            return self._own_search.choose(candidates)
        if len(candidates) <= 2:
            return int(self.game.secret_ids[candidates[0]])
        own = self._own_column[candidates]
        best, cost = self._scan(candidates, own, -1, _NO_COST, self.rule.candidate_bonus)
        if self.guess_from != "candidates":
            columns = np.arange(len(self.pool), dtype=np.int32)
            if legal is not None:
                columns = columns[np.isin(self.pool, legal, assume_unique=True)]
            best, cost = self._scan(candidates, columns, best, cost, False)
        return int(self.pool[best])

    def _scan(
        self, candidates: Ids, columns: Ids, best: int, cost: int, bonus: bool
    ) -> tuple[int, int]:
        """Look for a column that costs less than the best one so far; the first one wins."""
        reward = len(candidates) if bonus else 0
        counts = np.zeros(self.game.n_scores, dtype=np.int32)
        for scores, members, block, ids in self._blocks(candidates, columns):
            at, cost = _cheapest(
                scores, members, block, self.steps, self.rule.by_largest, reward, counts, cost
            )
            best = best if at < 0 else int(ids[at])
        return best, cost

    def _blocks(
        self, candidates: Ids, columns: Ids
    ) -> Iterator[tuple[NDArray[Any], Ids, Ids, Ids]]:
        """Secret-major scores with the rows and columns to look at, and those columns' names."""
        if self.has_matrix:
            yield self.scores, candidates, columns, columns
            return
        size = max(1, _BLOCK_BYTES // len(candidates))
        members = np.arange(len(candidates), dtype=np.int32)
        for start in range(0, len(columns), size):
            part = columns[start : start + size]
            rows = np.ascontiguousarray(self.game.score_rows(self.pool[part], candidates))
            yield rows.T, members, np.arange(len(part), dtype=np.int32), part

    # --- whole subtrees -------------------------------------------------------------------

    def grow(
        self,
        candidates: Ids | None = None,
        starts: Sequence[int] = (),
        history: Sequence[tuple[int, int]] = (),
    ) -> Subtree:
        """Every state of the strategy from a set of candidates on (default: all secrets).

        ``starts`` are fixed guesses for the first depths; after them the rule decides.
        """
        everything = np.arange(len(self.game.secrets), dtype=np.int32)
        members = everything if candidates is None else _checked(candidates)
        if self._own_search is not None:
            return Subtree(*self._own_search.grow(members, starts))
        if self.hard or not self.has_matrix:
            return self._grow_by_states(members, starts, history)
        return self._grow_at_once(members, starts)

    def _grow_at_once(self, candidates: Ids, starts: Sequence[int]) -> Subtree:
        """All states by one kernel over the matrix."""
        fixed = np.array(starts, dtype=np.int32)
        capacity = (2 + len(fixed)) * len(candidates) + len(fixed) + 1
        guess, score, parent = np.empty((3, capacity), dtype=np.int32)
        size = _grow(
            self.scores,
            self.pool,
            self._own_column,
            candidates.copy(),
            fixed,
            self.game.score_rows(fixed),
            self.game.n_scores,
            self.game.solved,
            self.guess_from != "candidates",
            self.steps,
            self.rule.by_largest,
            self.rule.candidate_bonus,
            guess,
            score,
            parent,
        )
        return Subtree(guess[:size].copy(), score[:size].copy(), parent[:size].copy())

    def _grow_by_states(
        self, candidates: Ids, starts: Sequence[int], history: Sequence[tuple[int, int]]
    ) -> Subtree:
        """The same, state by state: for hard mode and for games without a matrix."""
        guesses: list[int] = []
        scores: list[int] = []
        parents: list[int] = []
        legal = legal_after(self.game, history) if self.hard else None
        todo = [(candidates, legal, -1, -1, 0)]
        while todo:
            members, legal, parent, score, depth = todo.pop()
            guess = starts[depth] if depth < len(starts) else self._choose(members, legal)
            here = len(guesses)
            guesses.append(guess)
            scores.append(score)
            parents.append(parent)
            for score, bucket in reversed(self.children(guess, members)):
                if score != self.game.solved:
                    rest = None if legal is None else still_legal(self.game, legal, guess, score)
                    todo.append((bucket, rest, here, score, depth + 1))
        columns = (np.array(column, dtype=np.int32) for column in (guesses, scores, parents))
        return Subtree(*columns)


def _checked(candidates: Ids) -> Ids:
    if len(candidates) == 0:
        raise WrongInputError("no candidates are left: no secret fits these scores")
    return np.ascontiguousarray(candidates, dtype=np.int32)


# --- kernels ------------------------------------------------------------------------------


@kernel
def _cheapest(
    scores: NDArray[Any],
    members: Ids,
    columns: Ids,
    steps: Costs,
    by_largest: bool,
    reward: int,
    counts: NDArray[np.int32],
    best: int,
) -> tuple[int, int]:
    """The first column that costs least, if less than ``best``: its place and cost, else -1.

    ``counts`` is all zero before and after; a column is dropped once it cannot win.
    """
    n = len(members)
    floor = (1 if by_largest else n * steps[0]) - reward  # every candidate in its own bucket
    found = -1
    for place in range(len(columns)):
        if best <= floor:
            break
        column = columns[place]
        limit = best + reward
        cost = 0
        seen = n
        for at in range(n):
            score = scores[members[at], column]
            size = counts[score]
            counts[score] = size + 1
            cost = max(cost, steps[size]) if by_largest else cost + steps[size]
            if cost >= limit:
                seen = at + 1
                break
        for at in range(seen):
            counts[scores[members[at], column]] = 0
        if cost < limit:
            best = cost - reward
            found = place
    return found, best


@kernel
def _grow(
    scores: NDArray[Any],
    pool: Ids,
    own_column: Ids,
    members: Ids,
    starts: Ids,
    start_rows: NDArray[Any],
    n_scores: int,
    solved: int,
    from_pool: bool,
    steps: Costs,
    by_largest: bool,
    candidate_bonus: bool,
    out_guess: Ids,
    out_score: Ids,
    out_parent: Ids,
) -> int:
    """Fill in all states below ``members``, depth first; returns their number.

    The members of a state are a stretch of one array; a split sorts the stretch by score in
    place, and the children are stretches of it. ``members`` is overwritten.
    """
    everyone = np.arange(len(pool)).astype(np.int32)
    counts = np.zeros(n_scores, dtype=np.int32)
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    todo = [(0, len(members), -1, -1, 0)]
    size = 0
    while len(todo) > 0:
        low, high, parent, score, depth = todo.pop()
        state = members[low:high]
        split = labels[: high - low]
        if depth < len(starts):
            guess = starts[depth]
            for at in range(len(state)):
                split[at] = start_rows[depth, state[at]]
        else:
            own = own_column[state]
            column = own[0]
            if len(state) > 2:
                reward = len(state) if candidate_bonus else 0
                at, cost = _cheapest(
                    scores, state, own, steps, by_largest, reward, counts, _NO_COST
                )
                column = own[at]
                if from_pool:
                    at, _ = _cheapest(scores, state, everyone, steps, by_largest, 0, counts, cost)
                    column = everyone[at] if at >= 0 else column
            guess = pool[column]
            for at in range(len(state)):
                split[at] = scores[state[at], column]
        out_guess[size] = guess
        out_score[size] = score
        out_parent[size] = parent
        sort_by_score(split, state, counts, spare)
        end = len(state)
        for at in range(len(state) - 1, -1, -1):  # the smallest score is popped first
            if at == 0 or split[at - 1] != split[at]:
                if split[at] != solved:
                    todo.append((low + at, low + end, size, split[at], depth + 1))
                end = at
        size += 1
    return size


@kernel
def sort_by_score(split: Ids, state: Ids, counts: NDArray[np.int32], spare: Ids) -> None:
    """Sort the candidates of a state by their scores, equal ones staying in order.

    Small states by insertion, since clearing counters for all scores would cost more.
    """
    n = len(state)
    if n * n <= 4 * len(counts):
        for at in range(1, n):
            score, member = split[at], state[at]
            place = at
            while place > 0 and split[place - 1] > score:
                split[place], state[place] = split[place - 1], state[place - 1]
                place -= 1
            split[place], state[place] = score, member
        return
    for at in range(n):
        counts[split[at]] += 1
    start = 0
    for score in range(len(counts)):
        start, counts[score] = start + counts[score], start
    for at in range(n):
        spare[counts[split[at]]] = state[at]
        counts[split[at]] += 1
    state[:] = spare[:n]
    start = 0
    for score in range(len(counts)):
        split[start : counts[score]] = score
        start = counts[score]
        counts[score] = 0
