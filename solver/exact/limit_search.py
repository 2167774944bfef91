"""The limit search: a strategy within a limit, or the proof by cores that there is none.

No value is computed here, which makes it a different search from that for the best strategy: what
fails is boiled down to *cores* (see ``cores``), and a core excludes at one stroke all guesses that
leave it undivided. A state is hopeless once cores cover every guess. States of at
most half of all candidates with many guesses left get a table of their own (see ``narrowed``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import returning
from ..tree import Tree
from .engine import NOTHING_REVEALED
from .kernels import cores as core_kernels
from .kernels.lemmas import LOSS, NEVER
from .kernels.score_table import ScoreTable, apart, count_others, narrowed, score_type
from .kernels.table_vectors import BLOCK_COLUMNS, Bits, Rows
from .values import CheckTime, Value, loses_nothing, solve_forced

#: States with at least so many guesses left get a table of their own.
_OWN_TABLE = 5
#: With at least so many guesses left it is worth a try to refute a whole state by a part of it.
_PROBE = 5
#: Buckets below this size are not worth such a try.
_PROBED = 20


class Core(NamedTuple):
    """A refuted set, by its place in the store of a search."""

    left: int
    number: int


class RefutedSet(NamedTuple):
    """Candidates that cannot be solved with so many guesses left, and why.

    With two guesses left no guess sets them all apart. With more, every guess leaves the
    candidates of some reason undivided, and that one cannot be solved with one guess less.
    """

    left: int
    rows: tuple[int, ...]
    #: Positions in the list of refuted sets; a reason comes before what it explains.
    reasons: tuple[int, ...]


class LimitSearch:
    """Whether states of one score table can be solved; what one teaches serves in all others."""

    def __init__(
        self, table: ScoreTable, check_time: CheckTime = lambda: None, whole: int | None = None
    ) -> None:
        """``whole`` is the number of candidates at the start, if the table has but some of them."""
        self.table = table
        self._check_time = check_time
        #: Called with the first guesses of all candidates excluded so far, and how many there are.
        self.progress: Callable[[int, int], None] = lambda excluded, whole: None
        self._blocks, self._height = table.rows.shape[:2]
        self._spread = int(table.spread.max(initial=0))
        self._whole = self._height if whole is None else whole
        self._inside = np.zeros(self._height, dtype=np.uint8)
        self._union = np.zeros(self._height, dtype=np.uint8)
        self._by_guess = np.argsort(table.guess, kind="stable")
        self._padding: Bits = _as_mask(table.guess < 0)
        self._cores: dict[int, core_kernels.Cores] = {}
        self._known: dict[tuple[int, bytes], Core | None] = {}
        self._guess: dict[tuple[int, bytes], int] = {}
        #: Why a core is one: cores with one guess less, or a core of an inner search.
        self._reasons: dict[Core, list[Core]] = {}
        #: The strategies of states that were searched in tables of their own.
        self._inner: dict[tuple[int, bytes], Tree] = {}
        self._outer: dict[Core, tuple[LimitSearch, Core, Rows]] = {}

    # --- questions ------------------------------------------------------------------------

    def find_core(self, left: int, members: Rows) -> Core | None:
        """A core of candidates that so many guesses cannot solve; None if they can."""
        if len(members) <= left:
            return None  # guess them one after the other
        key = left, members.tobytes()
        if key not in self._known:
            self._known[key] = self._search(left, members)
        return self._known[key]

    def rows_of(self, core: Core) -> Rows:
        """The candidates of a core."""
        return core_kernels.core_rows(self._cores[core.left], core.number)

    def find_core_after(self, left: int, members: Rows, column: int) -> Core | None:
        """A core of a bucket of this guess that one guess less cannot solve; None if all can."""
        for bucket in self.buckets_of(members, column):
            if len(bucket) < left:
                break  # sorted by size: all others are as small
            core = self.find_core(left - 1, bucket)
            if core is not None:
                return core
        return None

    def refutes_guess(self, left: int, members: Rows, column: int) -> bool:
        """Whether a core refutes a guess, a known one or one that is found now."""
        if left == 1:
            return len(members) > 1 or int(self.table.secret[column]) != members[0]
        covered = self._padding.copy()
        self._gather(left - 1, members, covered)
        known = not _without(covered, np.array([column]))[0]
        return known or self.find_core_after(left, members, column) is not None

    def buckets_of(self, members: Rows, column: int) -> list[Rows]:
        """The buckets of a guess in a state, the largest first."""
        scores = self.table.rows[column // BLOCK_COLUMNS, members, column % BLOCK_COLUMNS]
        order = np.argsort(scores, kind="stable")
        cuts = np.flatnonzero(np.diff(scores[order])) + 1
        edges = [0, *cuts.tolist(), len(members)]
        found = members[order]
        parts = [found[a:b] for a, b in pairwise(edges)]
        return sorted(parts, key=len, reverse=True)

    # --- the search -----------------------------------------------------------------------

    def _search(self, left: int, members: Rows) -> Core | None:
        self._check_time()
        core = self._already_refuted(left, members)
        if core is not None:
            return core
        if left == 1:
            return self._add(left, members[:2], [])
        if left == 2:
            return self._search_two(members)
        if left == 3:
            return self._search_three(members)
        if left >= _OWN_TABLE and 2 * len(members) <= self._whole:
            return self._search_inside(left, members)
        return self._search_more(left, members)

    def _already_refuted(self, left: int, members: Rows) -> Core | None:
        """A core with as many guesses left, or more, that lies among the candidates."""
        self._inside[members] = 1
        found = None
        for more in sorted(self._cores):
            if more >= left:
                number = core_kernels.core_inside(self._cores[more], self._inside)
                if number >= 0:
                    found = Core(more, int(number))
                    break
        self._inside[members] = 0
        if found is not None and found.left > left:
            return self._add(left, self.rows_of(found), [found])
        return found

    def _search_two(self, members: Rows) -> Core | None:
        column = apart(self.table.rows, members, len(members))
        if column >= 0:
            self._guess[2, members.tobytes()] = int(column)
            return None
        core = np.empty(len(members), dtype=np.int32)
        size = core_kernels.core_of_two(self.table.rows, members, len(members), core)
        return self._add(2, core[:size], [])

    def _search_three(self, members: Rows) -> Core | None:
        self._inside[members] = 1
        while True:
            twos = self._store(2)
            found = np.empty(len(twos.helpless), dtype=np.int32)
            outcome, result = core_kernels.three_left(
                *(self.table.rows, self._spread, members, twos),
                *(self._inside, self._union, found),
            )
            if outcome != core_kernels.NO_SPACE:
                break
            self._cores[2] = core_kernels.enlarged(twos, len(members))
        self._inside[members] = 0
        if outcome != core_kernels.FAILED:
            self._guess[3, members.tobytes()] = int(result)
            return None
        return self._add(3, self._take_union(), [Core(2, int(k)) for k in found[:result]])

    def _search_inside(self, left: int, members: Rows) -> Core | None:
        """Search the state in a table of its own, and translate what is found.

        The table is large, and such states are hundreds: what outlives it is the answer.
        """
        table = narrowed(self.table, members, NOTHING_REVEALED, returning, by_column=False)
        inner = LimitSearch(table, self._check_time)
        own = np.arange(len(members), dtype=np.int32)
        core = inner.find_core(left, own)
        if core is None:
            self._inner[left, members.tobytes()] = inner.plan(left, own)
            return None
        mine = self._add(left, members[inner.rows_of(core)], [])
        inner._forget_scores()
        self._outer[mine] = (inner, core, members)
        return mine

    def _search_more(self, left: int, members: Rows) -> Core | None:
        """Try the guesses that no core excludes, those with the most parts first."""
        covered = self._padding.copy()
        self._gather(left - 1, members, covered)
        todo = self._promising(members, covered)
        failed = 0
        whole = len(todo)
        while len(todo := todo[_without(covered, todo)]):
            if len(members) == self._whole:
                self.progress(whole - len(todo), whole)
            column = int(todo[0])
            core = self.find_core_after(left, members, column)
            if core is None:
                self._guess[left, members.tobytes()] = column
                return None
            failed += 1
            covered |= self._cores[core.left].helpless[core.number]
            if left >= _PROBE and failed & (failed - 1) == 0:
                probe = self._probe(left, members, column)
                if probe is not None:
                    return probe
        listed, count = self._gather(left - 1, members, np.zeros_like(covered))
        chosen = np.empty(count, dtype=np.int32)
        picked = core_kernels.choose(self._store(left - 1), listed, count, self._union, chosen)
        reasons = [Core(left - 1, int(k)) for k in chosen[:picked]]
        return self._add(left, self._take_union(), reasons)

    def _probe(self, left: int, members: Rows, column: int) -> Core | None:
        """Whether some bucket of a guess is hopeless even without that guess."""
        for bucket in self.buckets_of(members, column):
            if len(bucket) < _PROBED:
                break
            core = self.find_core(left, bucket) if len(bucket) < len(members) else None
            if core is not None:
                return core
        return None

    def _promising(self, members: Rows, covered: Bits) -> NDArray[np.int64]:
        """Columns by falling number of parts, candidates first among equals."""
        parts = np.zeros(self._blocks * BLOCK_COLUMNS, dtype=score_type(self.table))
        count_others(self.table, members, covered, parts)
        mine = np.zeros(self._height + 1, dtype=bool)
        mine[members] = True
        candidate = mine[self.table.secret]  # -1 looks at the spare place
        key = ~candidate - 2 * parts.astype(np.int32)
        return self._by_guess[np.argsort(key[self._by_guess], kind="stable")]

    # --- cores ----------------------------------------------------------------------------

    def _store(self, left: int) -> core_kernels.Cores:
        if left not in self._cores:
            self._cores[left] = core_kernels.new_cores(self._blocks, 64, 2048)
        return self._cores[left]

    def _add(self, left: int, members: Rows, reasons: list[Core]) -> Core:
        store = self._store(left)
        if not core_kernels.has_space(store, len(members)):
            store = self._cores[left] = core_kernels.enlarged(store, len(members))
        rows = np.ascontiguousarray(members, dtype=np.int32)
        core = Core(left, int(core_kernels.add_core(store, self.table.rows, rows, len(rows))))
        self._reasons[core] = reasons
        return core

    def _gather(self, left: int, members: Rows, covered: Bits) -> tuple[Rows, int]:
        """Cover what the cores within a state exclude; those cores."""
        store = self._store(left)
        found = np.empty(len(store.helpless), dtype=np.int32)
        self._inside[members] = 1
        count = core_kernels.gather(store, self._inside, covered, found)
        self._inside[members] = 0
        return found, int(count)

    def _take_union(self) -> Rows:
        """The candidates that ``choose`` has marked; the marks are wiped."""
        rows = np.flatnonzero(self._union).astype(np.int32)
        self._union[rows] = 0
        return rows

    # --- results --------------------------------------------------------------------------

    def plan(self, left: int, members: Rows) -> Tree:
        """A strategy for candidates that ``solve`` found solvable with so many guesses left."""
        nodes = Tree()
        todo: list[tuple[int, Rows, int]] = [(left, members, -1)]
        while todo:
            guesses, own, above = todo.pop()
            self.find_core(guesses, own)  # the kernels do not note what they decide on the way
            key = guesses, own.tobytes()
            if key in self._inner:
                nodes.graft(self._inner[key].of_secrets(own.tolist()), above)
                continue
            few = len(own) <= guesses
            column = self._guess_for_few(own) if few else self._guess[key]
            node = nodes.add(int(self.table.guess[column]), above, int(own[0]))
            for bucket in self.buckets_of(own, column):
                if self.table.secret[column] != bucket[0]:
                    todo.append((guesses - 1, bucket, node))
        return nodes

    def _forget_scores(self) -> None:
        """Keep what ``refutation`` needs: the rows of the cores, and why they are cores."""
        nothing = np.empty((0, 0), dtype=score_type(self.table))
        self.table = self.table._replace(rows=nothing, scores=nothing)
        self._known.clear()
        self._guess.clear()
        for left, cores in self._cores.items():
            number = int(cores.total[0])
            self._cores[left] = core_kernels.Cores(
                cores.total,
                cores.start[: number + 1].copy(),
                cores.rows[: cores.start[number]].copy(),
                np.empty((0, 0), dtype=np.uint64),
            )

    def _guess_for_few(self, members: Rows) -> int:
        """With as many guesses left as candidates, any of them will do (docs/exact.md, lemma 11).

        The one with the most parts, among equals the first.
        """
        columns = self.table.column[members]
        parts = [len(self.buckets_of(members, int(column))) for column in columns]
        return int(columns[parts.index(max(parts))])

    def forget(self, most: int) -> None:
        """Keep what is refuted, but not why; and the states that can be solved, up to so many.

        That is enough for thousands of questions; ``refutation`` cannot be called after it.
        """
        self._outer.clear()
        self._reasons.clear()
        if len(self._known) > most:
            for states in (self._known, self._guess, self._inner):
                states.clear()

    def refutation(self, core: Core) -> list[RefutedSet]:
        """A core and everything that it rests on, reasons first, in rows of this table."""
        listed: list[RefutedSet] = []
        places: dict[Core, int] = {}
        todo = [core]
        while todo:
            top = todo[-1]
            missing = [reason for reason in self._reasons.get(top, []) if reason not in places]
            if top in places or not missing:
                todo.pop()
                if top not in places:
                    places[top] = self._write(top, places, listed)
            todo.extend(missing)
        return listed

    def _write(self, core: Core, places: dict[Core, int], listed: list[RefutedSet]) -> int:
        """Append a core whose reasons are listed; where it is."""
        reasons = self._reasons.get(core, [])  # those of two guesses left have none
        if len(reasons) == 1 and reasons[0].left > core.left:
            return places[reasons[0]]  # hopeless even with more guesses
        if core in self._outer:
            inner, other, members = self._outer[core]
            base = len(listed)
            for left, rows, why in inner.refutation(other):
                named = tuple(int(row) for row in members[list(rows)])
                listed.append(RefutedSet(left, named, tuple(base + at for at in why)))
            return len(listed) - 1
        rows = tuple(int(row) for row in self.rows_of(core))
        listed.append(RefutedSet(core.left, rows, tuple(places[reason] for reason in reasons)))
        return len(listed) - 1


def _as_mask(columns: NDArray[np.bool_]) -> Bits:
    """A set of columns as words."""
    packed: Bits = np.packbits(columns, bitorder="little").view(np.uint64)
    return packed


def _without(mask: Bits, columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which of some columns are not in a set."""
    member: NDArray[np.bool_] = np.unpackbits(mask.view(np.uint8), bitorder="little") == 0
    return member[columns]


# ---- The limit check, which comes before any search for values
#
# The limit search refutes a limit for all first guesses together; the exact
# search would take them one by one, and level by level if nothing but losses were left. It knows
# nothing of hard mode; but what hard mode allows after a state is allowed in it too, so what it
# refutes in a table of those guesses is refuted in hard mode as well (docs/exact.md, lemma 8).


class LimitCheck:
    """The limit search as a solver of states: their value is 0, or a loss."""

    def __init__(self, table: ScoreTable, check_time: CheckTime = lambda: None) -> None:
        self.table = table
        self.search = LimitSearch(table._replace(hard=False), check_time)
        self._check_time = check_time
        self._everyone = np.arange(len(table.column), dtype=np.int32)
        #: Hard mode, states that show something: the searches of their tables.
        self._searches: dict[tuple[bytes, bytes], LimitSearch] = {}

    def meets(
        self, limit: int, start: Sequence[int] = (), revealed: Bits = NOTHING_REVEALED
    ) -> bool:
        """Whether some strategy that begins with these guesses solves everything within a limit.

        In hard mode: whether that is not refuted.
        """
        return loses_nothing(self, self._everyone, self._columns(start), limit, revealed)

    def tree(self, limit: int, start: Sequence[int] = ()) -> Tree:
        """A strategy within a limit that begins with these guesses; not for hard mode."""
        columns = self._columns(start)
        return solve_forced(self, self._everyone, columns, limit, NOTHING_REVEALED)[1]

    def _columns(self, guesses: Sequence[int]) -> list[int]:
        return [int(np.flatnonzero(self.table.guess == guess)[0]) for guess in guesses]

    def value_of_state(
        self, members: Rows, left: int, revealed: Bits, limit: int = NEVER
    ) -> tuple[Value, int]:
        """Whether the state can be solved; only ``plan`` needs to know the guess."""
        lost = self.refutes(members, left, revealed)
        return Value(LOSS if lost else 0, exact=not lost), -1

    def refutes(self, members: Rows, left: int, revealed: Bits) -> bool:
        """Whether it is proved that the state cannot be solved with so many guesses left."""
        if left >= len(members):
            return False
        search, own = self.search_of(members, revealed)
        return search.find_core(left, own) is not None

    def refutes_guess(self, members: Rows, left: int, revealed: Bits, column: int) -> bool:
        """Whether it is proved that a state cannot be solved once a certain guess is made in it."""
        search, own = self.search_of(members, revealed)
        place = np.flatnonzero(search.table.guess == self.table.guess[column])
        if not len(place):
            return False  # it separates no candidates, and the table is without it
        return search.refutes_guess(left, own, int(place[0]))

    def search_of(self, members: Rows, revealed: Bits) -> tuple[LimitSearch, Rows]:
        """The search for a state, and its rows there.

        In hard mode that is one in a table of the guesses that are legal in the state.
        """
        if not (self.table.hard and revealed.any()):
            return self.search, members
        key = members.tobytes(), revealed.tobytes()
        if key not in self._searches:
            table = narrowed(self.table, members, revealed)._replace(hard=False)
            self._searches[key] = LimitSearch(table, self._check_time)
        return self._searches[key], np.arange(len(members), dtype=np.int32)

    def plan(self, members: Rows, left: int, revealed: Bits) -> Tree:
        """A strategy of a state that can be solved."""
        return self.search.plan(left, members)
