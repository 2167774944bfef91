"""The next guess by a one-step rule, and whole subtrees of strategies.

``Searcher`` answers both questions for all rules. It keeps the scores secret-major: the scores of
neighbouring guesses against one candidate then lie side by side, and a set of n candidates costs n
contiguous rows whatever the guesses. Games whose matrix would be too big are searched by blocks of
rows that the game computes when asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game.game import GUESS_POOLS, Game
from ..game.hard_mode import legal_after, require_wordle, still_legal
from ..game.mastermind import MastermindGame
from ..game.wordle import WordleGame
from ..machine.rows import Ids
from ..splits.logarithms import Costs
from .grow import NO_COST, Problem, best_column, cheapest, grow_states
from .majority_tables import Scratch, letters_of, no_letters, scratch_for
from .mastermind_searcher import PegSearch
from .rules import find_rule

#: A score matrix up to this many bytes is kept; beyond, scores are computed by blocks.
MATRIX_LIMIT = 1 << 30
_BLOCK_BYTES = 1 << 22
#: Pairwise comparison pays up to so many candidates where letters give bounds, and elsewhere.
_FEW, _FEW_WITHOUT_LETTERS = 24, 128


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

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as a recipe: rebuilding the scores is faster than sending them."""
        recipe = partial(Searcher, guess_from=self.guess_from, hard=self.hard)
        return recipe, (self.game, self.rule.name)

    @cached_property
    def _own_search(self) -> PegSearch | None:
        """Mastermind over all codes of a board needs no matrix."""
        if not isinstance(self.game, MastermindGame) or not self.game.is_whole:
            return None
        return PegSearch(self.game, self.rule, self.guess_from != "candidates")

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
        return self.game.secret_rows(None if self.guess_from == "allowed" else self.pool)

    @cached_property
    def steps(self) -> Costs:
        """The rule's steps for all bucket sizes."""
        return self.rule.steps(len(self.game.secrets))

    @cached_property
    def _problem(self) -> Problem:
        """The search as the kernels see it."""
        letters = no_letters(self.game.score_dtype)
        if isinstance(self.game, WordleGame) and self.rule.by_largest:
            letters = letters_of(self.game.letters[self.pool], self.game.score_dtype)
        return Problem(
            self.scores,
            self._own_column,
            self.guess_from != "candidates",
            self.steps,
            self.rule.by_largest,
            self.rule.candidate_bonus,
            _FEW if len(letters.terms) else _FEW_WITHOUT_LETTERS,
            letters,
        )

    @cached_property
    def _scratch(self) -> Scratch:
        """Memory for the kernels."""
        return scratch_for(self._problem.letters, len(self.game.secrets), self.game.n_scores)

    def prepare(self) -> None:
        """Compute now what searches share, before a clock starts or processes fork."""
        if self.has_matrix:
            _ = self._scratch

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
        if legal is None and self.has_matrix:
            return int(self.pool[best_column(self._problem, candidates, self._scratch)])
        own = self._own_column[candidates]
        best, cost = self._scan(candidates, own, -1, NO_COST, self.rule.candidate_bonus)
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
            at, cost = cheapest(
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
        if self.hard or not self.has_matrix or len(everything) <= 2:
            return self._grow_by_states(members, starts, history)
        return self._grow_at_once(members, starts)

    def _grow_at_once(self, candidates: Ids, starts: Sequence[int]) -> Subtree:
        """All states by one kernel over the matrix."""
        fixed = np.array(starts, dtype=np.int32)
        capacity = (2 + len(fixed)) * len(candidates) + len(fixed) + 1
        start_rows = np.empty((0, 0), dtype=self.game.score_dtype)
        if starts:
            start_rows = np.ascontiguousarray(self.game.score_rows(fixed))
        states = np.empty((3, capacity), dtype=np.int32)
        size = grow_states(
            self._problem,
            self.pool,
            self.game.solved,
            candidates.copy(),
            fixed,
            start_rows,
            self._scratch,
            states,
        )
        guess, score, parent = states[:, :size].copy()
        return Subtree(guess, score, parent)

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
