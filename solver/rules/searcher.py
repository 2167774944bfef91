"""The next guess by a one-step rule, and whole subtrees of strategies.

``Searcher`` answers both questions for all rules. It keeps the scores secret-major: the scores of
neighbouring guesses against one candidate then lie side by side, and a set of n candidates costs n
contiguous rows whatever the guesses. Games whose matrix would be too big are searched by blocks of
rows that the game computes when asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game.game import GUESS_POOLS, Game
from ..game.hard_mode import legal_after, require_hard_mode, still_legal
from ..game.score_matrix import aligned_rows
from ..machine.rows import Ids
from ..tree import Tree
from .criterion import NO_COST, Criterion
from .grow import grow_states
from .majority_tables import letters_of, no_letters, scratch_for
from .mastermind_choice import CodeSearch, best_code, code_scratch
from .matrix_choice import MatrixSearch, best_column, cheapest
from .rules import find_rule

#: A score matrix up to this many bytes is kept; beyond, scores are computed by blocks.
MATRIX_LIMIT = 1 << 30
_BLOCK_BYTES = 1 << 22
#: Pairwise comparison pays up to so many candidates where letters give bounds, and elsewhere.
_FEW, _FEW_WITHOUT_LETTERS = 24, 128


State = TypeVar("State")
#: The guess made in a state, and the states below it with the scores that lead there, ascending.
Expanded = tuple[int, list[tuple[int, State]]]


def grown(root: State, expand: Callable[[State, int], Expanded[State]]) -> Tree:
    """The states below a root, each expanded when its turn comes; ``expand`` hears the depth."""
    tree = Tree()
    waiting = [(root, -1, -1, 0)]
    while waiting:
        state, score, parent, depth = waiting.pop()
        guess, below = expand(state, depth)
        here = tree.add(guess, parent, score)
        waiting += [(child, edge, here, depth + 1) for edge, child in reversed(below)]
    return tree


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
            require_hard_mode(game)
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
        #: Spent on rows of scores that were made for a search.
        self.seconds_of_rows = 0.0

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as a recipe: rebuilding the scores is faster than sending them."""
        recipe = partial(Searcher, guess_from=self.guess_from, hard=self.hard)
        return recipe, (self.game, self.rule.name)

    @cached_property
    def _criterion(self) -> Criterion:
        """The rule as kernels see it."""
        return self.rule.criterion(len(self.game.secrets), self.guess_from != "candidates")

    @cached_property
    def _code_search(self) -> CodeSearch | None:
        """The search without a matrix, if the game has a code space."""
        space = self.game.code_space
        if space is None:
            return None
        return CodeSearch(space, self._criterion, code_scratch(space))

    @cached_property
    def has_matrix(self) -> bool:
        """Whether the scores of all pool guesses are kept."""
        if self._code_search is not None:
            return False
        size = int(np.dtype(self.game.score_dtype).itemsize)
        return len(self.pool) * len(self.game.secrets) * size <= MATRIX_LIMIT

    @cached_property
    def scores(self) -> NDArray[Any]:
        """``scores[secret, column]`` of all pool guesses."""
        return self.game.secret_rows(None if self.guess_from == "allowed" else self.pool)

    @cached_property
    def _tools(self) -> MatrixSearch:
        """The search over a matrix but for the scores, with memory for its kernels."""
        game, letters = self.game, no_letters(self.game.score_dtype)
        if game.letters is not None and self.rule.by_largest:
            letters = letters_of(game.letters[self.pool], game.score_dtype)
        scratch = scratch_for(letters, len(game.secrets), game.n_scores)
        return MatrixSearch(
            aligned_rows(0, len(self.pool), game.score_dtype),
            self.pool,
            self._own_column,
            self._criterion,
            _FEW if len(letters.terms) else _FEW_WITHOUT_LETTERS,
            letters,
            scratch,
            scratch.tally,
        )

    @cached_property
    def _matrix_search(self) -> MatrixSearch:
        """The search over the whole matrix."""
        return self._tools._replace(scores=self.scores)

    @cached_property
    def _rows_of(self) -> Callable[[Ids], NDArray[Any]]:
        """Rows of the matrix for some secrets at a time, in the same memory."""
        return self.game.row_source(None if self.guess_from == "allowed" else self.pool)

    def prepare(self) -> None:
        """Compute now what searches share, before a clock starts or processes fork."""
        if self.has_matrix:
            _ = self._tools
            if not self.hard:
                _ = self._rows_of

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
        if len(candidates) <= 2:
            return int(self.game.secret_ids[candidates[0]])
        if self._code_search is not None:
            return int(best_code(self._code_search, candidates))
        if legal is None and self.has_matrix:
            return int(self.pool[best_column(self._matrix_search, candidates)])
        own = self._own_column[candidates]
        best, cost = self._scan(candidates, own, -1, NO_COST, self.rule.candidate_bonus)
        if self.guess_from != "candidates":
            worth = self.game.worth_trying(candidates) if legal is None else legal
            columns = np.flatnonzero(np.isin(self.pool, worth, assume_unique=True))
            best, cost = self._scan(candidates, columns.astype(np.int32), best, cost, False)
        return int(self.pool[best])

    def _scan(
        self, candidates: Ids, columns: Ids, best: int, cost: int, bonus: bool
    ) -> tuple[int, int]:
        """Look for a column that costs less than the best one so far; the first one wins."""
        steps, by_largest = self._criterion.steps, self.rule.by_largest
        reward = len(candidates) if bonus else 0
        counts = np.zeros(self.game.n_scores, dtype=np.int32)
        for scores, members, block, ids in self._blocks(candidates, columns):
            at, cost = cheapest(scores, members, block, steps, by_largest, reward, counts, cost)
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
    ) -> Tree:
        """Every state of the strategy from a set of candidates on (default: all secrets).

        ``starts`` are fixed guesses for the first depths; after them the rule decides.
        """
        everything = np.arange(len(self.game.secrets), dtype=np.int32)
        members = everything if candidates is None else _checked(candidates)
        if self._code_search is None and (self.hard or not self.has_matrix or len(everything) <= 2):
            return self._grow_by_states(members, starts, history)
        return self._grow_at_once(members, starts)

    def _grow_at_once(self, candidates: Ids, starts: Sequence[int]) -> Tree:
        """All states by one kernel."""
        fixed = np.array(starts, dtype=np.int32)
        capacity = (2 + len(fixed)) * len(candidates) + len(fixed) + 1
        alone = self._has_rows_alone(candidates)
        start_rows = np.empty((0, 0), dtype=self.game.score_dtype)
        if starts:
            rows = self.game.score_rows(fixed, candidates if alone else None)
            start_rows = np.ascontiguousarray(rows)
        states = np.empty((3, capacity), dtype=np.int32)
        size = grow_states(
            self._search_among(candidates) if alone else self._search_of_all,
            self._code_search,
            self.game.solved,
            np.arange(len(candidates), dtype=np.int32) if alone else candidates.copy(),
            fixed,
            start_rows,
            states,
        )
        guess, score, parent = states[:, :size]
        return Tree.of_rows(guess, parent, score)

    def _has_rows_alone(self, candidates: Ids) -> bool:
        """Whether the rows of these candidates are made for their sake, and numbered from 0.

        So it is until somebody has asked for the whole matrix.
        """
        if self._code_search is not None or "scores" in self.__dict__:
            return False
        return 2 * len(candidates) <= len(self.game.secrets)

    def _search_among(self, candidates: Ids) -> MatrixSearch:
        """The search over the rows of some candidates."""
        begun = time.perf_counter()
        # numpy calls a single row contiguous, for which all would be compiled once more
        rows = self._rows_of(candidates if len(candidates) > 1 else candidates.repeat(2))
        self.seconds_of_rows += time.perf_counter() - begun
        return self._tools._replace(scores=rows, own_column=self._own_column[candidates])

    @property
    def _search_of_all(self) -> MatrixSearch | None:
        """The search over the whole matrix, if the game is searched by one."""
        return None if self._code_search else self._matrix_search

    def _grow_by_states(
        self, candidates: Ids, starts: Sequence[int], history: Sequence[tuple[int, int]]
    ) -> Tree:
        """All states one by one: for hard mode and for games without a matrix."""

        def expand(state: tuple[Ids, Ids | None], depth: int) -> Expanded[tuple[Ids, Ids | None]]:
            members, legal = state
            guess = starts[depth] if depth < len(starts) else self._choose(members, legal)
            below = []
            for score, bucket in self.children(guess, members):
                if score != self.game.solved:
                    rest = None if legal is None else still_legal(self.game, legal, guess, score)
                    below.append((score, (bucket, rest)))
            return guess, below

        return grown((candidates, legal_after(self.game, history) if self.hard else None), expand)


def _checked(candidates: Ids) -> Ids:
    if len(candidates) == 0:
        raise WrongInputError("no candidates are left: no secret fits these scores")
    return np.ascontiguousarray(candidates, dtype=np.int32)
