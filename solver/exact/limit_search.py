"""The limit search: a strategy within a limit, or the proof by cores that there is none.

No value is computed here, which makes it a different search from that for the best strategy: what
fails is boiled down to *cores* (see ``cores``), and a core excludes at one stroke all guesses that
leave it undivided. A state is hopeless once cores cover every guess. A state with five guesses left
or more gets a table of its own, and begins with all cores that others have found in theirs
(``CoreLibrary``): what one state teaches excludes guesses in the next, under whichever first guess
it comes up. With four guesses left a kernel searches (``four_left``).

The guess that is found for a state does not depend on what is known: it is the first one that
solves all buckets, in an order that follows from the state and the states above it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import returning
from ..tree import Tree
from .kernels import cores as core_kernels
from .kernels import four_left as four_kernels
from .kernels.greedy_growth import GrownNodes, grow_greedily
from .kernels.lemmas import LOSS, NEVER, after_guess
from .kernels.memo import State
from .kernels.score_table import ScoreTable, apart, split_by_size
from .kernels.table_columns import narrowed
from .kernels.table_vectors import BLOCK_COLUMNS, Bits, Rows, Scores
from .values import NOTHING_REVEALED, CheckTime, OfTable, Value, state_of

_FOUR = 4
#: Guesses that a kernel tries between two looks at the clock.
_PAUSE = 256
#: With so many guesses left the buckets of a guess are tried in order of what cores say of them.
_ORDERED = 5
#: With at least so many guesses left a state that is much smaller gets a table of its own.
_OWN_TABLE = 5
#: With so many first guesses it is tried to solve such a state by guesses with the most parts.
_TRIES = 16
#: So many cores are kept from one first guess to the next.
_KEPT = 1 << 18
#: Space for cores and their words, before there is more.
_CORES, _WORDS = 512, 8192


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


class CoreLibrary:
    """The cores that searches in tables of their own have found, in rows of one table."""

    def __init__(self, rows: int) -> None:
        #: By guesses left; which guesses leave a core undivided is not noted.
        self.cores = _empty_stores(0)
        self._place = np.full(rows, -1, dtype=np.int32)
        self._no_scores: Scores = np.empty((0, 0, 0), dtype=np.uint8)

    def lend(
        self, left: int, names: Rows, scores: Scores, own: core_kernels.Cores
    ) -> core_kernels.Cores:
        """The cores of a table with those of the library that lie in it.

        ``names``: which rows of the library's table those of the other are.
        """
        known, place = self.cores[left], self._place
        place[names] = np.arange(len(names), dtype=np.int32)
        count, words = core_kernels.count_adopted(known, place)
        own = _with_space(own, count + _CORES, words + _WORDS, 0)
        core_kernels.adopt(known, place, scores, own)
        place[names] = -1
        return own

    def take(
        self, left: int, names: Rows, first: int, own: core_kernels.Cores, below: Rows
    ) -> None:
        """Take the cores of a table from one on; those with one guess less are there already."""
        count = int(own.total[0])
        words = int(own.start[count] - own.start[first])
        reasons = int(own.why_start[count] - own.why_start[first])
        known = self.cores[left] = _with_space(self.cores[left], count - first, words, reasons)
        core_kernels.export(own, below, names, first, self._no_scores, known)

    def refutation(self, core: Core) -> list[RefutedSet]:
        """A core and everything that it rests on, reasons first, in rows of the library's table."""
        #: By the guesses left: the cores that are listed, by number. With two left they need none.
        needed = {core.left: np.array([core.number], dtype=np.int32)}
        for left in range(core.left, 2, -1):
            stored = self.cores[left]
            reasons = [core_kernels.core_reasons(stored, number) for number in needed[left]]
            needed[left - 1] = np.unique(np.concatenate(reasons))
        listed: list[RefutedSet] = []
        place = np.empty(0, dtype=np.int64)  # of each core with so many guesses left, in the list
        for left in sorted(needed):
            stored, below = self.cores[left], place
            place = np.empty(int(stored.total[0]), dtype=np.int64)
            place[needed[left]] = np.arange(len(listed), len(listed) + len(needed[left]))
            for number in needed[left]:
                rows = np.sort(core_kernels.core_rows(stored, number)).tolist()
                reasons = below[core_kernels.core_reasons(stored, number)].tolist()
                listed.append(RefutedSet(left, tuple(rows), tuple(reasons)))
        return listed


def _empty_stores(blocks: int) -> defaultdict[int, core_kernels.Cores]:
    """Stores of cores of a table, by the guesses left, each made when it is first used."""
    return defaultdict(partial(core_kernels.new_cores, blocks, _CORES, _WORDS))


def _with_space(
    cores: core_kernels.Cores, count: int, words: int, reasons: int
) -> core_kernels.Cores:
    """These cores, in space for so many more with so many words and reasons."""
    fits = core_kernels.has_space(cores, count, words, reasons)
    return cores if fits else core_kernels.enlarged(cores, count, words, reasons)


class LimitSearch(OfTable):
    """Whether states of one score table can be solved; what one teaches serves in all others."""

    def __init__(
        self,
        table: ScoreTable,
        check_time: CheckTime = lambda: None,
        library: CoreLibrary | None = None,
        names: Rows | None = None,
    ) -> None:
        """``library``: that of the search of a larger table, whose rows ``names`` are."""
        self.table = table
        self._check_time = check_time
        #: Called with the first guesses of all candidates excluded so far, and how many there are.
        self.progress: Callable[[int, int], None] = lambda excluded, whole: None
        blocks, self._height = table.rows.shape[:2]
        self._spread = int(table.spread.max(initial=0))
        self._marks = core_kernels.new_marks(self._height)
        self._by_guess = np.argsort(table.guess, kind="stable").astype(np.int32)
        self._padding: Bits = np.packbits(table.guess < 0, bitorder="little").view(np.uint64)
        self._is_inner = library is not None
        self._library = CoreLibrary(self._height) if library is None else library
        self._names = np.arange(self._height, dtype=np.int32) if names is None else names
        #: By guesses left.
        self._cores = _empty_stores(blocks)
        self._known: dict[tuple[int, bytes], Core | None] = {}
        self._guess: dict[tuple[int, bytes], int] = {}
        #: The strategies of states that were searched in tables of their own.
        self._inner: dict[tuple[int, bytes], Tree] = {}
        #: Cores that are such because they cannot even be solved with more guesses.
        self._harder: dict[Core, Core] = {}

    # --- questions ------------------------------------------------------------------------

    def find_core(self, left: int, members: Rows) -> Core | None:
        """A core of candidates that so many guesses cannot solve; None if they can."""
        if len(members) <= left:
            return None  # guess them one after the other
        key = left, members.tobytes()
        if key not in self._known:
            self._known[key] = self._already_refuted(left, members) or self._search(left, members)
        return self._known[key]

    def rows_of(self, core: Core) -> Rows:
        """The candidates of a core."""
        return core_kernels.core_rows(self._cores[core.left], core.number)

    def find_core_after(self, left: int, members: Rows, column: int) -> Core | None:
        """A core of a bucket of this guess that one guess less cannot solve; None if all can."""
        buckets = [bucket for bucket in self.buckets_of(members, column) if len(bucket) >= left]
        if left == _ORDERED:
            buckets = self._hopeless_first(left - 1, buckets)
        for bucket in buckets:
            core = self.find_core(left - 1, bucket)
            if core is not None:
                return core
        return None

    def _hopeless_first(self, left: int, buckets: list[Rows]) -> list[Rows]:
        """Buckets in another order: first those that cores refute, then by what is to be searched.

        That is the number of guesses that no core excludes, times the size.
        """
        if len(buckets) <= 1:
            return buckets
        covered = np.tile(self._padding, (len(buckets), 1))
        work = np.empty(len(buckets), dtype=np.int64)
        ends = np.cumsum([0, *map(len, buckets)], dtype=np.int64)
        parted, cores = np.concatenate(buckets), self._cores[left - 1]
        core_kernels.gather_in_buckets(cores, parted, ends, self._marks, covered, work)
        by_work = sorted(range(len(buckets)), key=lambda k: (work[k], len(buckets[k])))
        return [buckets[k] for k in by_work]

    def refutes_guess(self, left: int, members: Rows, column: int) -> bool:
        """Whether a core refutes a guess, a known one or one that is found now."""
        if left == 1:
            return len(members) > 1 or int(self.table.secret[column]) != members[0]
        return self.core_against(left, members, column) is not None

    def core_against(self, left: int, members: Rows, column: int) -> Core | None:
        """A core that refutes a guess with two guesses left or more, known or found now."""
        covered = np.zeros_like(self._padding)
        found, count = self._gather(left - 1, members, covered)
        if not _without(covered, np.array([column]))[0]:
            helpless = self._cores[left - 1].helpless[found[:count], column // BLOCK_COLUMNS]
            bit = np.uint64(1) << np.uint64(column % BLOCK_COLUMNS)
            return Core(left - 1, int(found[np.flatnonzero(helpless & bit)[0]]))
        return self.find_core_after(left, members, column)

    def buckets(self, state: State, guess: int) -> Iterator[State]:
        """The states that a column leads to, but its own bucket; the largest first."""
        for rows in self.buckets_of(state.members, guess):
            if self.table.secret[guess] != rows[0]:
                yield state_of(rows, after_guess(state.left))

    def buckets_of(self, members: Rows, column: int) -> list[Rows]:
        """The buckets of a guess in a state, the largest first."""
        parted, ends = np.empty_like(members), np.empty(self._spread + 1, dtype=np.int64)
        many = split_by_size(self.table, members, column, parted, ends)
        return [parted[a:b] for a, b in pairwise(ends[: many + 1].tolist())]

    # --- the search -----------------------------------------------------------------------

    def _search(self, left: int, members: Rows) -> Core | None:
        """Search a state in which no core is known."""
        self._check_time()
        if left == 1:
            return self._add(left, members[:2])
        if left == 2:
            return self._search_two(members)
        if left == 3:
            return self._search_three(members)
        if left >= _OWN_TABLE and 4 * len(members) <= 3 * self._height:
            tree = self._grown_greedily(left, members)
            if tree is None:
                return self._search_inside(left, members)
            self._inner[left, members.tobytes()] = tree
            return None
        return (self._search_four if left == _FOUR else self._search_more)(left, members)

    def _already_refuted(self, left: int, members: Rows) -> Core | None:
        """A core with as many guesses left, or more, that lies among the candidates."""
        for more in sorted(self._cores):
            if more == left or (more > left and not self._is_inner):
                store = self._cores[more]
                found = np.empty(len(store.helpless), dtype=np.int32)
                if core_kernels.list_inside(store, members, self._marks.inside, found):
                    core = Core(more, int(found[0]))
                    return core if more == left else self._add(left, self.rows_of(core), core)
        return None

    def _search_two(self, members: Rows) -> Core | None:
        column = apart(self.table.rows, members, len(members))
        if column >= 0:
            self._guess[2, members.tobytes()] = int(column)
            return None
        core = np.empty(len(members), dtype=np.int32)
        size = core_kernels.core_of_two(self.table.rows, members, len(members), core)
        return self._add(2, core[:size])

    def _search_three(self, members: Rows) -> Core | None:
        while True:
            outcome, result = core_kernels.three_left(
                self.table, members, self._cores[2], self._cores[3], self._marks
            )
            if outcome != core_kernels.NO_SPACE:
                break
            self._make_space(len(members))
        if outcome == core_kernels.FAILED:
            return Core(3, int(result))
        self._guess[3, members.tobytes()] = int(result)
        return None

    def _search_four(self, left: int, members: Rows) -> Core | None:
        covered = self._padding.copy()
        whole = len(self._by_guess) - int(np.bitwise_count(covered).sum())
        while True:
            stores = self._cores[2], self._cores[3], self._cores[_FOUR]
            four = four_kernels.FourLeft(*stores, self._marks, self._by_guess)
            outcome, result = four_kernels.four_left(self.table, four, members, covered, _PAUSE)
            if outcome == core_kernels.FAILED:
                return Core(left, int(result))
            if outcome == core_kernels.SOLVED:
                self._guess[left, members.tobytes()] = int(result)
                return None
            if outcome == core_kernels.NO_SPACE:
                self._make_space(len(members))
            self._check_time()
            if len(members) == self._height:
                excluded = np.bitwise_count(covered & ~self._padding).sum()
                self.progress(int(excluded), whole)

    def _grown_greedily(self, left: int, members: Rows) -> Tree | None:
        """A strategy of the state by guesses with the most parts, if a quick attempt finds one."""
        nodes = GrownNodes(*(np.empty(2 * len(members), dtype=np.int32) for _ in range(3)))
        order = np.empty(len(self._by_guess), dtype=np.int32)
        nothing = self._padding.copy()
        four_kernels.by_parts(self.table, members, nothing, self._by_guess, order)
        for first in order[:_TRIES].tolist():
            count = grow_greedily(self.table, members, left, first, nodes)
            if count >= 0:
                columns, parents, rows = (array[:count] for array in nodes)
                places = np.searchsorted(members, rows).astype(np.int32)
                return Tree.of_rows(self.table.guess[columns], parents, places)
        return None

    def _search_inside(self, left: int, members: Rows) -> Core | None:
        """Search the state in a table of its own, which a processor's caches can hold.

        It begins with the cores of the library that lie in it, and the library takes what it finds.
        """
        table = narrowed(self.table, members, NOTHING_REVEALED, returning)
        inner = LimitSearch(table, self._check_time, self._library, self._names[members])
        adopted = inner._adopt(left)
        own = np.arange(len(members), dtype=np.int32)
        try:
            core = inner.find_core(left, own)
        finally:
            inner._hand_over(adopted)
        if core is None:
            self._inner[left, members.tobytes()] = inner.plan(state_of(own, left))
            return None
        mine = self._add(left, members[inner.rows_of(core)])
        self._cores[left].origin[mine.number] = inner._cores[left].origin[core.number]
        return mine

    def _adopt(self, left: int) -> dict[int, int]:
        """Take what the library has, for up to so many guesses; how many cores there are then."""
        adopted = {}
        for fewer in range(2, left + 1):
            store = self._library.lend(fewer, self._names, self.table.rows, self._cores[fewer])
            self._cores[fewer] = store
            adopted[fewer] = int(store.total[0])
        return adopted

    def _hand_over(self, adopted: dict[int, int]) -> None:
        """Hand over to the library what was found, from the numbers of cores on that were there."""
        below = np.empty(0, dtype=np.int32)
        for fewer, first in sorted(adopted.items()):
            self._library.take(fewer, self._names, first, self._cores[fewer], below)
            below = self._cores[fewer].origin

    def _search_more(self, left: int, members: Rows) -> Core | None:
        """Try the guesses that no core excludes, those with the most parts first."""
        covered = self._padding.copy()
        self._gather(left - 1, members, covered)
        todo = np.empty(len(self._by_guess), dtype=np.int32)
        whole = four_kernels.by_parts(self.table, members, covered, self._by_guess, todo)
        todo = todo[:whole]
        while len(todo := todo[_without(covered, todo)]):
            if len(members) == self._height:
                self.progress(whole - len(todo), whole)
            column = int(todo[0])
            core = self.find_core_after(left, members, column)
            if core is None:
                self._guess[left, members.tobytes()] = column
                return None
            covered |= self._cores[core.left].helpless[core.number]
        listed, count = self._gather(left - 1, members, np.zeros_like(covered))
        self._cores[left] = _with_space(self._cores[left], 1, len(members), count)
        stores, union = (self._cores[left - 1], self._cores[left]), self._marks.union
        refuted = core_kernels.add_refuted(self.table.rows, *stores, members, union, listed[:count])
        return Core(left, int(refuted[1]))

    # --- cores ----------------------------------------------------------------------------

    def _make_space(self, words: int) -> None:
        """More space, wherever a kernel may have lacked it."""
        for left in (2, 3, _FOUR):
            store = self._cores[left]
            reasons = int(self._cores[left - 1].total[0]) if left > 2 else 0
            self._cores[left] = _with_space(store, 1, words, reasons)

    def _add(self, left: int, members: Rows, harder: Core | None = None) -> Core:
        """Take a core that needs no reasons, has an origin, or rests on one that is ``harder``."""
        store = self._cores[left] = _with_space(self._cores[left], 1, len(members), 0)
        rows = np.ascontiguousarray(members, dtype=np.int32)
        number = core_kernels.add_core(store, self.table.rows, rows, len(rows), rows[:0])
        core = Core(left, int(number))
        if harder is not None:
            self._harder[core] = harder
        return core

    def _gather(self, left: int, members: Rows, covered: Bits) -> tuple[Rows, int]:
        """Cover what the cores within a state exclude; those cores."""
        store = self._cores[left]
        found = np.empty(len(store.helpless), dtype=np.int32)
        count = core_kernels.gather(store, members, self._marks.inside, covered, found)
        return found, int(count)

    # --- results --------------------------------------------------------------------------

    def plan(self, state: State) -> Tree:
        """A strategy of a state that can be solved."""
        return self.grown(state, (), self._chosen)

    def _chosen(self, state: State) -> int | Tree:
        """The guess in a state that can be solved, or its strategy where that is kept."""
        rows, key = state.members, (state.left, state.members.tobytes())
        if state.size <= state.left:
            return self._guess_for_few(rows)
        self.find_core(state.left, rows)  # the kernels do not note what they decide on the way
        tree = self._inner.get(key)
        return self._guess[key] if tree is None else tree.of_secrets(rows.tolist())

    def _guess_for_few(self, members: Rows) -> int:
        """With as many guesses left as candidates, any of them will do (docs/exact.md, lemma 11).

        The one with the most parts, among equals the first.
        """
        if len(members) <= 2:
            return int(self.table.column[members[0]])
        own: list[int] = self.table.column[members].tolist()
        return max(own, key=lambda column: len(self.buckets_of(members, column)))

    def forget(self, most: int) -> None:
        """Keep what is refuted, and the states that can be solved, up to so many.

        Past ``_KEPT`` cores all are dropped: each table takes along those that lie in it.
        """
        full = sum(int(it.total[0]) for it in self._library.cores.values()) > _KEPT
        if full or len(self._known) > most:
            for states in (self._known, self._guess, self._inner):
                states.clear()
        if full:
            self._library = CoreLibrary(self._height)
            self._cores.clear()
            self._harder.clear()

    def refutation(self, core: Core) -> list[RefutedSet]:
        """A core and everything that it rests on, reasons first, in rows of this table."""
        listed: list[RefutedSet] = []
        self._write(core, {}, listed)
        return listed

    def _write(self, core: Core, places: dict[Core, int], listed: list[RefutedSet]) -> int:
        """Where a core is listed; one that is not gets there, behind all that it rests on.

        Cores of this table rest on others of it; those with two guesses left on none.
        """
        if core in places:
            return places[core]
        origin = int(self._cores[core.left].origin[core.number])
        if core in self._harder:
            places[core] = self._write(self._harder[core], places, listed)
        elif origin >= 0:
            base = len(listed)
            for left, rows, why in self._library.refutation(Core(core.left, origin)):
                listed.append(RefutedSet(left, rows, tuple(base + at for at in why)))
            places[core] = len(listed) - 1
        else:
            numbers = core_kernels.core_reasons(self._cores[core.left], core.number).tolist()
            after = [self._write(Core(core.left - 1, it), places, listed) for it in numbers[::-1]]
            rows = tuple(np.sort(self.rows_of(core)).tolist())
            listed.append(RefutedSet(core.left, rows, tuple(after[::-1])))
            places[core] = len(listed) - 1
        return places[core]


def _without(mask: Bits, columns: NDArray[Any]) -> NDArray[np.bool_]:
    """Which of some columns are not in a set."""
    member: NDArray[np.bool_] = np.unpackbits(mask.view(np.uint8), bitorder="little") == 0
    found: NDArray[np.bool_] = member[columns]
    return found


# ---- The limit check, which comes before any search for values
#
# The limit search refutes a limit for all first guesses together; the exact
# search would take them one by one, and level by level if nothing but losses were left. It knows
# nothing of hard mode; but what hard mode allows after a state is allowed in it too, so what it
# refutes in a table of those guesses is refuted in hard mode as well (docs/exact.md, lemma 8).


class LimitCheck(OfTable):
    """The limit search as a solver of states: their value is 0, or a loss."""

    def __init__(self, table: ScoreTable, check_time: CheckTime = lambda: None) -> None:
        self.table = table
        self.search = LimitSearch(table._replace(hard=False), check_time)
        self._check_time = check_time
        #: Hard mode, states that show something: the searches of their tables.
        self._searches: dict[tuple[bytes, bytes], LimitSearch] = {}

    def value_of_state(self, state: State, limit: int = NEVER) -> Value:
        """Whether the state can be solved; only ``plan`` needs to know the guess."""
        lost = self.refutes(state)
        return Value(LOSS if lost else 0, exact=not lost)

    def refutes(self, state: State) -> bool:
        """Whether it is proved that the state cannot be solved with so many guesses left."""
        if state.left >= state.size:
            return False
        search, own = self.search_of(state)
        return search.find_core(state.left, own) is not None

    def refutes_guess(self, state: State, column: int) -> bool:
        """Whether it is proved that a state cannot be solved once a certain guess is made in it."""
        search, own = self.search_of(state)
        place = np.flatnonzero(search.table.guess == self.table.guess[column])
        if not len(place):
            return False  # it separates no candidates, and the table is without it
        return search.refutes_guess(state.left, own, int(place[0]))

    def search_of(self, state: State) -> tuple[LimitSearch, Rows]:
        """The search for a state, and its rows there.

        In hard mode that is one in a table of the guesses that are legal in the state.
        """
        members, revealed = state.members, state.revealed
        if not (self.table.hard and revealed.any()):
            return self.search, members
        key = members.tobytes(), revealed.tobytes()
        if key not in self._searches:
            table = narrowed(self.table, members, revealed)._replace(hard=False)
            self._searches[key] = LimitSearch(table, self._check_time)
        return self._searches[key], np.arange(len(members), dtype=np.int32)

    def plan(self, state: State) -> Tree:
        """A strategy of a state that can be solved."""
        return self.search.plan(state)
