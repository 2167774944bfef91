"""Strategies by a beam search (see ``beam_search``), as bounds that cost little."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...errors import CouldNotFinishError
from ...tree import Tree
from ..lemmas import NEVER, after_guess
from ..table.score_table import ScoreTable
from .beam_search import beam_search
from .memo import new_memo
from .results import Rows, Shown, Value, parted
from .scratch_memory import new_scratch
from .search_frames import NOWHERE, Workspace, nesting, new_stack

_MEMO_BITS = 19
_CROWD = 32
#: Units of work between two looks at the clock.
_BREATH = 500_000


class TooWideError(CouldNotFinishError):
    """A beam search was given up."""


class Beam:
    """Solves the states of one table with a beam of one width."""

    def __init__(
        self,
        table: ScoreTable,
        width: int,
        check_time: Callable[[], None] = lambda: None,
        looks: int = 1 << 40,
    ) -> None:
        """After so many looks at the clock a state is given up: TooWideError.

        That is for a small one; larger states get the same again for every ``_CROWD`` candidates.
        """
        self.table = table
        self._looks = looks
        self._check_time = check_time
        secrets = len(table.column)
        self._width = min(width, len(table.guess))
        self._work = Workspace(
            table,
            new_memo(table, _MEMO_BITS),
            new_scratch(secrets, nesting(secrets)),
            new_stack(secrets, self._width + 1),
        )
        #: What the beam has found of states; the memo at work holds what is known exactly.
        self._found = new_memo(table, _MEMO_BITS)

    def value_of_state(
        self, members: Rows, left: int, shown: Shown, limit: int = NEVER
    ) -> tuple[Value, int]:
        """The value of a state as far as the beam sees, whatever the limit; the column to guess."""
        count = len(members)
        self._work.scratch.members[:count] = members
        self._work.stack.shown[0] = shown
        place = np.full(1, NOWHERE, dtype=np.int64)
        for _ in range(self._looks * (1 + count // _CROWD)):
            self._check_time()
            bound, column = beam_search(
                self._work, self._found, place, count, left, self._width, _BREATH
            )
            if place[0] == NOWHERE:
                return Value(int(bound), exact=False), int(column)
        raise TooWideError("too many states for a beam so wide")

    def plan(
        self,
        members: Rows,
        left: int,
        shown: Shown,
        nodes: Tree,
        parent: int,
        names: Rows | None,
    ) -> None:
        """Append the beam's strategy of a state to ``nodes``; there are no ``names`` here."""
        todo = [(members, left, shown, parent)]
        while todo:
            state, guesses, legal, above = todo.pop()
            _, column = self.value_of_state(state, guesses, legal)
            node = nodes.add(int(self.table.guess[column]), above, int(state[0]))
            for rows, after in parted(self.table, state, column, legal):
                if self.table.secret[column] != rows[0]:
                    todo.append((rows, after_guess(guesses), after, node))
