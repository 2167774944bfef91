"""Engines of exact search over sets: Mastermind, and candidates as the only guesses.

The state of such a search is a set of candidates with the guesses that are left; hard mode has no
say in it. The searches themselves are kernels (``kernels.set_frames``). Here is what surrounds
them: the scores that they look up, forced first guesses, the clock, what is known when the time is
up, and the strategies that are read from their memo.

``ExactCodes`` is in the spirit of Koyama and Lai ("An optimal Mastermind strategy", 1993), who
searched 4 holes and 6 colours to the end: 5,625 guesses for the 1,296 codes. With a limit of
guesses, codes beyond it may be allowed: each costs ``LOSS`` more. The search of words
(``kernels.search``), which knows no maps of a game onto itself, can solve Mastermind as well: for 4
holes and 4 colours it took more than a hundred times as long.

``CandidateEngine`` is the same for strategies whose every guess is consistent: it could be the
secret, by all scores so far. So the guesses of a state are its members, in words and in Mastermind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import Any

import numpy as np

from ..errors import WrongInputError
from ..game.codes import MOST_ORDERS
from ..game.game import Game
from ..machine.arrays import Ids
from ..memory_limits import require_room
from ..tree import Tree
from .kernels import candidate_search, code_search
from .kernels.candidate_search import CandidateStack, CandidateTable
from .kernels.code_search import CodeStack, CodeTable
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, after_guess, lost
from .kernels.memo import State, known, memo_of_sets
from .kernels.score_table import number_widely
from .kernels.set_frames import ANY, FIRST, GUESS, LEFT, NOWHERE, SIZE, Totals, ideals_of
from .kernels.table_vectors import BLOCK_COLUMNS
from .values import CheckTime, Solver, Value, state_of

#: Work between two looks at the clock, some hundredths of a second.
_BUDGET = 100_000


class SetEngine(Solver):
    """Values and strategies of sets of candidates; it keeps what it has learned about states.

    Guesses have numbers, which are those of the game or rows of a table (``guess_of``).
    """

    def __init__(
        self, game: Game, candidates: int, search: Callable[..., Any], check_time: CheckTime
    ) -> None:
        """``search``: the kernel that searches among so many candidates."""
        self.game, self.check_time, self._search = game, check_time, search
        #: Without a limit no value above is of interest.
        self.highest = NEVER - 1
        self.members: Ids = np.arange(candidates, dtype=np.int32)
        #: The guess of the game with each number.
        self.guess_of: Sequence[int] = range(len(game.guesses))
        self._memo = memo_of_sets(candidates)
        #: The frame that the search was at when it was interrupted.
        self._place = np.full(1, NOWHERE, dtype=np.int64)

    def _room(self, members: Ids) -> tuple[Any, Any]:
        """The scores of a set of candidates, and memory to search among them."""
        raise NotImplementedError

    def _scores(self, members: Ids, guess: int) -> tuple[Ids, int]:
        """The numbers of a guess's scores with some candidates, and that of the solved one."""
        raise NotImplementedError

    def value_of_state(self, state: State, limit: int = NEVER) -> Value:
        """The value of a state, as far as it is at most ``limit``, and a guess that attains it."""
        return self.value_of_guess(state, ANY, limit)

    def value_of_guess(self, state: State, guess: int, limit: int = NEVER) -> Value:
        """The value of a state if this guess is made in it, as far as it is at most ``limit``."""
        table, stack = self._room(state.members)
        stack.members[: state.size] = state.members
        most = self.highest if limit == NEVER else limit
        question = np.array([state.size, state.left, most, guess], dtype=np.int64)
        self._place[0], exact = NOWHERE, -1
        while exact < 0:
            bound, exact, best = self._search(
                table, self._memo, stack, self._place, question, _BUDGET
            )
            self.check_time()
        return Value(int(bound), exact == 1, int(best))

    def value_of_forced(self, state: State, guesses: Sequence[int], limit: int = NEVER) -> Value:
        """The value of a state in which these guesses are forced, or a bound above ``limit``."""
        if len(guesses) == 1:
            return self.value_of_guess(state, guesses[0], limit)
        most = self.highest if limit == NEVER else limit
        return super().value_of_forced(state, guesses, most)

    def number(self, guess: int) -> int:
        """The number that a guess has in the game."""
        return int(self.guess_of[guess])

    def buckets(self, state: State, guess: int) -> Iterator[State]:
        """The states that a guess leads to, but its own bucket."""
        scores, own = self._scores(state.members, guess)
        for score in np.unique(scores).tolist():
            if score != own:
                yield state_of(state.members[scores == score], after_guess(state.left))


# ---- Candidates only

#: Scores that are made at a time; different ones that a table can number.
_SCORES, _MOST_SCORES = 1 << 24, 1 << 16
#: It takes longer to find the kinds of fewer codes than to try them all.
_MANY = 24


class CandidateEngine(SetEngine):
    """Values and strategies of sets of candidates, where candidates are the only guesses.

    ``secrets`` are the positions of some of the game's secrets; states are sets of positions among
    these. ``forced`` guesses of the game may be made as well, where they are named.
    """

    def __init__(
        self,
        game: Game,
        secrets: Ids | None = None,
        forced: Sequence[int] = (),
        check_time: CheckTime = lambda: None,
    ) -> None:
        ids = game.secret_ids if secrets is None else game.secret_ids[secrets]
        super().__init__(game, len(ids), candidate_search.search_candidates, check_time)
        #: The guess of each row of the table: the secrets, then what is forced beside them.
        self.guess_of = [*ids.tolist(), *sorted(set(forced).difference(ids.tolist()))]
        self.row_of = {guess: row for row, guess in enumerate(self.guess_of)}
        self.table = candidate_table(game, np.array(self.guess_of, dtype=np.int32), ids)
        self._stack = candidate_search.new_candidate_stack(self.table)

    def content_with(self, enough: int) -> CandidateEngine:
        """An engine of the same candidates for which any value up to ``enough`` is the least."""
        other = copy(self)
        other.table = self.table._replace(enough=enough)
        other._memo = memo_of_sets(len(self.members))
        return other

    def _room(self, members: Ids) -> tuple[CandidateTable, CandidateStack]:
        return self.table, self._stack

    def _scores(self, members: Ids, guess: int) -> tuple[Ids, int]:
        own = int(self.table.scores[guess, guess]) if guess < len(self.members) else -1
        return self.table.scores[guess, members], own

    def bounds(self, state: State, rows: Ids) -> Totals:
        """What some guesses cost at least in a state, by the sizes of their buckets."""
        size, left, found = state.size, state.left, np.empty(len(rows), dtype=np.int64)
        self._stack.members[:size] = state.members
        candidate_search.bound_guesses(self.table, self._stack, rows, size, left, found)
        return found

    def best(self, state: State) -> Value:
        """The value of a state; of codes one of each kind is tried."""
        if not self._has_kinds(state.members):
            return self.value_of_state(state)
        best = Value(NEVER, False)
        for bound, row in self.listed(state):
            if bound >= best.bound:
                break
            value = self.value_of_guess(state, row, best.bound - 1)
            best = value if value.exact else best
        return best

    def listed(self, state: State, limit: int = NEVER) -> list[tuple[int, int]]:
        """The bounds of candidates that may be within a limit, one of each kind, and these."""
        tried = members = state.members
        if self._has_kinds(members):
            codes = np.array(self.guess_of, dtype=np.int32)[members]
            tried = members[np.isin(codes, self.game.worth_trying(codes))]
        bounds = self.bounds(state, tried).tolist()
        rising = sorted(zip(bounds, tried.tolist(), strict=True))
        return [(bound, row) for bound, row in rising if bound <= limit]

    def _has_kinds(self, members: Ids) -> bool:
        return self.game.code_space is not None and len(members) >= _MANY

    def quick_guess(self, state: State) -> int:
        """The guess that may be best by the sizes of its buckets, as a row."""
        return int(state.members[int(self.bounds(state, state.members).argmin())])


def candidate_table(game: Game, guesses: Ids, secrets: Ids) -> CandidateTable:
    """The scores of guesses with secrets (both are guesses of the game), numbered for a search."""
    count, width = len(guesses), len(secrets)
    require_room(4 * count * width, f"an exact search over {width:,} candidates")
    if min(width, game.n_scores) > _MOST_SCORES:
        raise WrongInputError(f"{width:,} candidates can have more than {_MOST_SCORES:,} scores")
    raw_rows = max(1, _SCORES // width)
    places = np.searchsorted(game.secret_ids, secrets).astype(np.int32)
    scores = np.empty((count, width), dtype=np.min_scalar_type(min(game.n_scores, width) - 1))
    most = 0
    for start in range(0, count, raw_rows):
        some = guesses[start : start + raw_rows]
        raw = np.ascontiguousarray(game.score_rows(some, places))
        parts = number_widely(raw, game.n_scores, scores[start : start + raw_rows])
        most = max(most, int(parts.max()))
    ideals = ideals_of(most - 1, width)
    return CandidateTable(scores, most, -1, ideals, np.diff(ideals, append=0))


# ---- Mastermind

#: In a state of so many codes, any of them is as good a guess as there is.
_FEW = 2
#: From so many candidates on orders of the holes are sought that map them onto themselves: each one
#: that is found saves the search of whole guesses.
_TURNS_FROM = 64
#: Codes graded at a time.
_ROWS = 256


class ExactCodes(SetEngine):
    """The exact search of one Mastermind game."""

    def __init__(
        self, game: Game, check_time: CheckTime = lambda: None, losses: bool = False
    ) -> None:
        """``losses``: whether codes beyond a limit are allowed; else such values are bounds."""
        if game.code_space is None:
            raise WrongInputError(f"exact search by pegs needs Mastermind, not {game.spec}")
        super().__init__(game, len(game.secrets), code_search.search_codes, check_time)
        self._losses = losses
        self.highest = NEVER - 1 if losses else LOSS - 1
        self._ideals = ideals_of(len(_all_scores(game.length)) - 1, len(game.secrets))
        self._table: CodeTable | None = None
        self._stack: CodeStack | None = None
        #: For lists of guesses beside a search, which may be interrupted for them.
        self._aside: CodeStack | None = None

    def _room(self, members: Ids) -> tuple[CodeTable, CodeStack]:
        if self._table is None or self._stack is None or (self._table.rows[members] < 0).any():
            self._table = code_table(self.game, members, self._ideals)
            self._stack = code_search.new_code_stack(self._table)
            self._aside = code_search.new_code_stack(self._table, 0)
        return self._table, self._stack

    def _scores(self, members: Ids, guess: int) -> tuple[Ids, int]:
        table, _ = self._room(members)
        block, lane = divmod(guess, BLOCK_COLUMNS)
        return table.scores[block, table.rows[members], lane], table.solved

    def listed(self, state: State, limit: int = NEVER) -> list[tuple[int, int]]:
        """The bounds of guesses that may be within a limit, one of each kind, and these: rising."""
        table, stack = self._room(state.members)[0], self._aside
        assert stack is not None
        stack.members[: state.size] = state.members
        count = code_search.list_codes(table, stack, state.size, state.left, limit)
        found = zip(stack.bounds[0, :count].tolist(), stack.listed[0, :count].tolist(), strict=True)
        return sorted(found)

    # --- what is known when the time is up --------------------------------------------------

    def best_so_far(self, state: State, starts: Sequence[int] = ()) -> Tree:
        """A strategy by what is known, and where nothing is known by the bounds of guesses.

        It is made at once, may take more guesses than are left, and is no more than a bound.
        """
        best_yet = self.best_yet()

        def choose(state: State) -> int:
            if state.size <= _FEW:
                return int(state.members[0])
            known = self._known(state)
            if known.exact:
                return known.guess
            key = state.members.tobytes(), max(0, min(state.left, state.size))
            return best_yet[key] if key in best_yet else self._least_bound(state)[1]

        return self.grown(state, starts, choose)

    def best_yet(self) -> dict[tuple[bytes, int], int]:
        """The best guesses so far of the states whose search is interrupted, by (members, left)."""
        found: dict[tuple[bytes, int], int] = {}
        if self._stack is not None:
            for frame in self._stack.frames[: self._place[0] + 1].tolist():
                if frame[GUESS] >= 0:
                    members = self._stack.members[frame[FIRST] : frame[FIRST] + frame[SIZE]]
                    found[members.tobytes(), frame[LEFT]] = frame[GUESS]
        return found

    def least_value(self, state: State, starts: Sequence[int] = ()) -> int:
        """The value that no strategy of a state is below, by what is known now.

        Where no losses are allowed that is a total, whether or not it can be attained.
        """
        counted = state.left if self._losses else UNLIMITED
        if starts:
            values = (
                after.size * lost(counted) + self.least_value(after, starts[1:])
                for after in self.buckets(state, starts[0])
            )
            return state.size + sum(values)
        least = int(self._ideals[min(counted, len(self._ideals) - 1), state.size])
        known = self._known(state).bound
        if known >= 0:
            return max(least, known if self._losses or known < LOSS else 0)
        return least if state.size <= _FEW else max(least, self._least_bound(state)[0])

    def _known(self, state: State) -> Value:
        """What the memo has of a state; a bound of -1: nothing."""
        left, nothing = max(0, min(state.left, state.size)), self._memo.revealed[0]
        filed = state_of(state.members, left, nothing)
        bound, exact, guess = known(self._memo, filed)
        return Value(int(bound), exact == 1, int(guess))

    def _least_bound(self, state: State) -> tuple[int, int]:
        """The least bound of a guess, and that guess; with losses where they are allowed."""
        return self.listed(state if self._losses else state._replace(left=UNLIMITED))[0]


def code_table(game: Game, members: Ids, ideals: Totals) -> CodeTable:
    """The scores of some codes with all codes of a game, numbered in their order."""
    space = game.code_space
    assert space is not None
    n_codes = len(game.secrets)
    require_room(len(members) * n_codes, f"an exact search among {len(members):,} codes")
    raw = _all_scores(game.length)
    numbers = np.zeros(game.solved + 1, dtype=np.uint8)
    numbers[raw] = np.arange(len(raw))
    scores = code_search.new_scores(len(members), n_codes)
    blocks, _, lanes = scores.shape
    for start in range(0, len(members), _ROWS):
        some = members[start : start + _ROWS]
        whole = np.zeros((len(some), blocks * lanes), dtype=np.uint8)
        whole[:, :n_codes] = numbers[game.score_rows(some)]
        scores[:, start : start + _ROWS] = whole.reshape(len(some), blocks, lanes).swapaxes(0, 1)
    rows = np.full(n_codes, -1, dtype=np.int32)
    rows[members] = np.arange(len(members), dtype=np.int32)
    if _TURNS_FROM < space.turns_from <= MOST_ORDERS:
        space = space._replace(turns_from=_TURNS_FROM)
    return CodeTable(scores, rows, len(raw), len(raw) - 1, space, ideals)


def _all_scores(holes: int) -> list[int]:
    """All scores, ascending: it cannot be that all pegs but one are right and one is misplaced."""
    return [
        black * (holes + 1) + white
        for black in range(holes + 1)
        for white in range(holes + 1 - black)
        if (black, white) != (holes - 1, 1)
    ]
