"""One-step rules, and the searcher that applies one: the next guess, or a whole subtree.

``Searcher`` answers both questions for all rules, in one of three ways: codes of Mastermind are
graded on the way (``code_choice``); words are compared by their letters (``word_choice``); in hard
mode, from fewer guesses and for long words, the choice is by rows of scores (``grow_tree``).

These rows are secret-major: the scores of neighbouring guesses against one candidate then lie side
by side, and a set of n candidates costs n contiguous rows whatever the guesses. The whole matrix is
never made: rows are those of one state, in the same memory for one state after the other, and serve
all states below. A state whose rows would be too many has its guess by measures
(``splits.ranking``); its buckets have rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..errors import WrongInputError
from ..game.game import Game, require_pool
from ..game.score_matrix import aligned_rows
from ..game.wordle import legal_after, require_hard_mode, still_legal
from ..machine.arrays import TOO_LARGE, Ids, known_sets
from ..machine.clock import working_time
from ..splits import measures
from ..splits.ranking import best_guess, require_countable
from ..tree import Tree
from ..words.lists import did_you_mean
from .code_choice import CodeSearch, best_code, peg_scratch
from .grow_tree import MatrixSearch, all_states, best_column, cheapest
from .letter_bits import WordSearch, letter_bits, logarithms, word_scratch
from .word_choice import best_word

# ---- Rules: what makes one split of the candidates better than another
#
# Every rule gives a guess an integer *cost*, the smaller the better; equal costs are broken the
# same way for all rules: a remaining candidate first, then alphabetical order. With one candidate
# left it is guessed; with two, the first. Costs are exact integers, so no tie hangs on a summation
# order.
#
# A cost is built up while the candidates are counted into buckets: a bucket that grows from ``k``
# to ``k + 1`` adds ``steps[k]`` (minimax: the largest step counts alone). Steps never shrink a
# cost, so a guess can be dropped as soon as its running cost reaches the best one known.


@dataclass(frozen=True)
class Rule:
    """A rule of choosing the next guess."""

    name: str
    summary: str
    #: ``steps(n)[k]``: what a bucket's growing from ``k`` to ``k + 1`` adds, for ``k < n``.
    steps: Callable[[int], measures.Costs]
    #: The cost is the largest step instead of the sum of all.
    by_largest: bool = False
    #: A remaining candidate's cost is lowered by the number of candidates.
    candidate_bonus: bool = False
    #: The kind of sum that the costs are, if one that ``measures`` names.
    kind: int = measures.ANY

    def criterion(self, candidates: int, from_pool: bool) -> measures.Criterion:
        """The rule for states of up to so many candidates, as kernels see it."""
        steps = self.steps(candidates)
        weights = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(steps)])
        return measures.Criterion(
            steps, weights, self.by_largest, self.candidate_bonus, self.kind, from_pool
        )


def _largest(n: int) -> measures.Costs:
    return np.arange(1, n + 1, dtype=np.int64)


def _information_left(n: int) -> measures.Costs:
    require_countable(n)
    return measures.fixed_log_weight_steps(n)


def _squares_grown(n: int) -> measures.Costs:
    return 2 * np.arange(n, dtype=np.int64) + 1


def _not_alone(n: int) -> measures.Costs:
    return (np.arange(n) > 0).astype(np.int64)


#: All one-step rules, in the order in which they are offered.
RULES = {
    rule.name: rule
    for rule in (
        Rule("minimax", "the smallest largest bucket (Knuth)", _largest, by_largest=True),
        Rule("entropy", "the most information", _information_left, kind=measures.LOGARITHMS),
        Rule("expected-size", "the smallest mean bucket", _squares_grown, kind=measures.SQUARES),
        Rule("parts", "the most buckets", _not_alone, kind=measures.PARTS),
        Rule(
            "proportion",
            "the largest mean share eliminated, plus 1/n for a candidate",
            _squares_grown,
            candidate_bonus=True,
            kind=measures.SQUARES,
        ),
    )
}


def find_rule(name: str) -> Rule:
    """The rule of that name; an unknown one is refused with the nearest."""
    try:
        return RULES[name]
    except KeyError:
        hint = did_you_mean(name, list(RULES))
        if name == "optimal":
            hint = " looks one step ahead; strategy.optimal and solve-all --rule optimal search on"
        raise WrongInputError(
            f"no rule named {name!r}{hint}; one-step rules: {', '.join(RULES)}"
        ) from None


# ---- The searcher

#: The rows of a state take so many bytes at most.
ROWS_LIMIT = 1 << 27
#: Longer words have too many buckets to be split on and on.
_LONGEST_BY_SUMS = 5
#: Pairwise comparison of rows pays up to so many candidates.
_PAIRWISE = 128

State = TypeVar("State")
#: The guess made in a state, and the states below it with the scores that lead there, ascending.
Expanded = tuple[int, list[tuple[int, State]]]


def tree_of_states(root: State, expand: Callable[[State, int], Expanded[State]]) -> Tree:
    """A tree grown as by a rule, each state below a root expanded; ``expand`` gets the depth."""
    tree = Tree()
    waiting = [(root, -1, -1, 0)]
    while waiting:
        state, score, parent, depth = waiting.pop()
        guess, below = expand(state, depth)
        here = tree.add(guess, parent, score)
        waiting += [(child, edge, here, depth + 1) for edge, child in reversed(below)]
    return tree


def buckets_of(scores: NDArray[Any], candidates: Ids) -> list[tuple[int, Ids]]:
    """The buckets of some candidates by their scores, which ascend."""
    order = scores.argsort(kind="stable")
    sorted_scores, members = scores[order], candidates[order]
    starts = [0, *(np.flatnonzero(sorted_scores[1:] != sorted_scores[:-1]) + 1).tolist()]
    ends = [*starts[1:], len(members)]
    return [(int(sorted_scores[at]), members[at:end]) for at, end in zip(starts, ends, strict=True)]


class Searcher:
    """Chooses guesses in one game by one rule."""

    def __init__(
        self, game: Game, rule: str = "minimax", *, guess_from: str = "allowed", hard: bool = False
    ) -> None:
        require_pool(guess_from)
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
    def _criterion(self) -> measures.Criterion:
        """The rule as kernels see it."""
        return self.rule.criterion(len(self.game.secrets), self.guess_from != "candidates")

    @cached_property
    def _code_search(self) -> CodeSearch | None:
        """The search without a matrix, if the game has a code space."""
        space = self.game.code_space
        if space is None:
            return None
        return CodeSearch(space, self._criterion, peg_scratch(space))

    @cached_property
    def _word_search(self) -> WordSearch | None:
        """The search by letters, where the rule can be followed by them."""
        game, letters = self.game, self.game.letters
        if letters is None or self.hard or self.guess_from == "candidates":
            return None
        if not (self.rule.by_largest or game.length <= _LONGEST_BY_SUMS):
            return None
        in_order = not self.rule.by_largest
        tables = letter_bits(letters[self.pool], self._own_column, game.score_dtype, in_order)
        logs, known = logarithms(len(game.secrets)), known_sets(0)
        scratch = word_scratch(tables, game.n_scores, self._criterion, logs, known)
        return WordSearch(self.pool, self._own_column, self._criterion, tables, scratch)

    @property
    def _sums(self) -> int | None:
        """A number if costs are sums over the buckets: kernels know so before they compile."""
        return None if self.rule.by_largest else 1

    @cached_property
    def _most(self) -> int:
        """States of so many candidates have rows."""
        size = int(np.dtype(self.game.score_dtype).itemsize)
        return min(ROWS_LIMIT // (len(self.pool) * size), len(self.game.secrets))

    @cached_property
    def _tools(self) -> MatrixSearch:
        """The search over a matrix but for the scores, with memory for its kernels."""
        return MatrixSearch(
            aligned_rows(0, len(self.pool), self.game.score_dtype),
            self.pool,
            self._own_column,
            self._criterion,
            _PAIRWISE,
            np.zeros(self.game.n_scores, dtype=np.int32),
        )

    @cached_property
    def _rows_of(self) -> Callable[[Ids], NDArray[Any]]:
        """Rows of the matrix for some secrets at a time, in the same memory."""
        return self.game.row_source(None if self.guess_from == "allowed" else self.pool)

    def prepare(self) -> None:
        """Compute now what searches share, before a clock starts or processes fork."""
        if self._code_search is None and self._word_search is None:
            _ = self._tools, self._rows_of

    def remember(self, size: int) -> None:
        """Keep the choices for sets of candidates, in about so many bytes.

        That pays where many first guesses are tried, one after the other. Results never
        depend on it. In hard mode a choice follows from more than the set: nothing is kept then,
        nor of codes, nor of so many words that their numbers have no room.
        """
        search = self._word_search
        if search is not None and len(self.game.guesses) < TOO_LARGE:
            scratch = search.scratch._replace(known=known_sets(size))
            self._word_search = search._replace(scratch=scratch)

    # --- one state

    def next_guess(self, candidates: Ids, history: Sequence[tuple[int, int]] = ()) -> int:
        """The guess for a set of candidates (positions of secrets, ascending).

        Only hard mode needs to know how the state was reached: by (guess, score) pairs.
        """
        legal = legal_after(self.game, history) if self.hard else None
        return self._choose(_checked(candidates), legal)

    def children(self, guess: int, candidates: Ids) -> list[tuple[int, Ids]]:
        """The split of the candidates by a guess: ascending scores with their buckets."""
        row = self.game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]
        return buckets_of(row, candidates)

    def _choose(self, candidates: Ids, legal: Ids | None) -> int:
        """The best guess out of the pool, or out of its legal part."""
        if len(candidates) <= 2:
            return int(self.game.secret_ids[candidates[0]])
        if self._code_search is not None:
            return int(best_code(self._code_search, candidates))
        if self._word_search is not None and self._in_few_steps(candidates):
            return int(self.pool[best_word(self._word_search, self._sums, candidates)])
        if self._in_few_steps(candidates):
            everyone = np.arange(len(candidates), dtype=np.int32)
            column = self._column_by_rows(self._search_among(candidates), everyone, legal)
            return int(self.pool[column])
        worth = self._worth(candidates, legal)
        return best_guess(self.game, self.rule.name, self._criterion, worth, candidates)

    def _column_by_rows(self, search: MatrixSearch, state: Ids, legal: Ids | None) -> int:
        """The best guess for a part of the candidates whose rows a search has, as a column."""
        if legal is None:
            return int(best_column(search, state))
        own = search.own_column[state]
        steps, counts, by_largest = search.criterion.steps, search.tally, self.rule.by_largest
        reward = len(state) if self.rule.candidate_bonus else 0
        scores = search.scores
        at, cost = cheapest(scores, state, own, steps, by_largest, reward, counts, measures.NO_COST)
        best = own[at]
        if self.guess_from != "candidates":
            columns = self._columns_of(legal)
            at, _ = cheapest(scores, state, columns, steps, by_largest, 0, counts, cost)
            best = columns[at] if at >= 0 else best
        return int(best)

    def _worth(self, candidates: Ids, legal: Ids | None) -> Ids:
        """The guesses to measure: those of the pool that are legal, or worth trying."""
        if self.guess_from == "candidates":
            return self.game.secret_ids[candidates]
        if legal is None:
            legal = self.game.worth_trying(candidates)
        own = self.game.secret_ids[candidates]
        return np.union1d(self.pool[self._columns_of(legal)], own).astype(np.int32)

    def _columns_of(self, guesses: Ids) -> Ids:
        """The columns of those of some guesses that are in the pool."""
        columns: Ids = self._column_of[guesses]
        return columns[columns >= 0]

    @cached_property
    def _column_of(self) -> Ids:
        """The column of each guess, -1 if it is not in the pool."""
        columns = np.full(len(self.game.guesses), -1, dtype=np.int32)
        columns[self.pool] = np.arange(len(self.pool), dtype=np.int32)
        return columns

    def _in_few_steps(self, candidates: Ids) -> bool:
        """Whether kernels search a state whole, by letters or by rows; else guess by guess."""
        return self._word_search is not None or len(candidates) <= max(self._most, 2)

    # --- whole subtrees

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
        if self._code_search is not None:
            return self._grow_at_once(members, starts)
        legal = legal_after(self.game, history) if self.hard else None
        tree, waiting = Tree(), [(members, legal, -1, -1, 0)]
        while waiting:
            state, legal, score, parent, depth = waiting.pop()
            then = starts[depth:]
            if self._in_few_steps(state):
                grow = self._grow_at_once if legal is None else partial(self._grow_hard, legal)
                part = grow(state, then)
                if parent < 0:
                    return part
                tree.graft(part, parent, score)
                continue
            guess = then[0] if then else self._choose(state, legal)
            here = tree.add(int(guess), parent, score)
            for edge, bucket in reversed(self.children(guess, state)):
                if edge != self.game.solved:
                    rest = None if legal is None else self._legal_in(bucket, legal, guess, edge)
                    waiting.append((bucket, rest, edge, here, depth + 1))
        return tree

    def _grow_at_once(self, candidates: Ids, starts: Sequence[int]) -> Tree:
        """All states by kernels."""
        fixed = np.array(starts, dtype=np.int32)
        alone = self._code_search is None and self._word_search is None
        start_rows = np.empty((0, 0), dtype=self.game.score_dtype)
        if starts and (self._word_search is None or self.guess_from != "allowed"):
            rows = self.game.score_rows(fixed, candidates if alone else None)
            start_rows = np.ascontiguousarray(rows)
        guess, score, parent = all_states(
            self._search_among(candidates) if alone else None,
            self._word_search,
            self._sums,
            self._code_search,
            self.game.solved,
            np.arange(len(candidates), dtype=np.int32) if alone else candidates.copy(),
            fixed,
            start_rows,
        )
        return Tree.of_rows(guess, parent, score)

    def _search_among(self, candidates: Ids) -> MatrixSearch:
        """The search over the rows of some candidates."""
        begun = working_time()
        # numpy calls a single row contiguous, for which all would be compiled once more
        rows = self._rows_of(candidates if len(candidates) > 1 else candidates.repeat(2))
        self.seconds_of_rows += working_time() - begun
        return self._tools._replace(scores=rows, own_column=self._own_column[candidates])

    def _grow_hard(self, legal: Ids, candidates: Ids, starts: Sequence[int]) -> Tree:
        """All states one by one, as hard mode allows after what was revealed in each."""
        search = self._search_among(candidates)
        everyone = np.arange(len(candidates), dtype=np.int32)

        def expand(state: tuple[Ids, Ids], depth: int) -> Expanded[tuple[Ids, Ids]]:
            members, legal = state
            if depth < len(starts):
                guess = int(starts[depth])
                row = self.game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]
                buckets = buckets_of(row[members], members)
            else:
                column = search.own_column[members[0]]
                if len(members) == 1:
                    return int(self.pool[column]), []
                if len(members) > 2:
                    column = self._column_by_rows(search, members, legal)
                guess = int(self.pool[column])
                buckets = buckets_of(search.scores[members, column], members)
            below = []
            for score, bucket in buckets:
                if score != self.game.solved:
                    below.append((score, (bucket, self._legal_in(bucket, legal, guess, score))))
            return guess, below

        return tree_of_states((everyone, legal), expand)

    def _legal_in(self, bucket: Ids, legal: Ids, guess: int, score: int) -> Ids:
        """The guesses that are legal in a bucket, if there is anything to choose."""
        return still_legal(self.game, legal, guess, score) if len(bucket) > 2 else legal


def _checked(candidates: Ids) -> Ids:
    """Candidates as kernels take them; none at all is refused."""
    if len(candidates) == 0:
        raise WrongInputError("no possible secret is left: none fits these scores")
    return np.ascontiguousarray(candidates, dtype=np.int32)
