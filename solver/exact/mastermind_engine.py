"""Optimal Mastermind: the fewest guesses in all, proved by an exhaustive search.

A state is a set of candidates with the guesses that are left. Its value is the least total over all
strategies. A guess is worth at least the candidates plus, for each bucket, what the best imaginable
strategy needs; so guesses are tried in the order of that bound until it reaches the best value
found. Two things keep the proof small: only representatives are tried (``symmetry``: they split in
every way that any guess does, up to a map that keeps the state), and of guesses with equal splits
only the first. Values are remembered by the candidates themselves, so no two sets can be confused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..game.mastermind import MastermindGame, add_pegs, fill_places, fill_tallies, shared_pegs
from ..game.symmetry import find_alike, list_representatives, rank
from ..machine.jit import kernel
from ..machine.rows import Ids, copy_into
from ..rules.mastermind_searcher import Desk, lay_out, score_state
from ..rules.rules import find_rule
from ..rules.searcher import Subtree

Bounds = NDArray[np.int64]

#: Guesses left when there is no limit; no strategy worth its name takes more.
ENDLESS = 40
#: The value of what cannot be solved with the guesses left.
HOPELESS = 1 << 40


@dataclass(frozen=True)
class Known:
    """What is known about a state: its value, or that it is at least ``bound``."""

    bound: int
    exact: bool
    guess: int = -1


@dataclass(frozen=True)
class Optimum:
    """The result of a proof: the least total and a strategy that attains it."""

    total: int
    worst: int
    tree: Subtree
    states: int


def solve_exactly(
    game: MastermindGame,
    within: int | None = None,
    starts: tuple[int, ...] = (),
    check_time: Callable[[], None] = lambda: None,
) -> Optimum | None:
    """The least total over all secrets, proved; None if not all can be solved ``within``.

    ``starts`` fixes the first guesses; ``check_time`` is called now and then and may raise.
    """
    return ExactPegs(game, check_time).solve(within or ENDLESS, starts)


class ExactPegs:
    """Searches one game; keeps what it has learned about states."""

    def __init__(self, game: MastermindGame, check_time: Callable[[], None] = lambda: None) -> None:
        self.game = game
        self._check_time = check_time
        self._desk: Desk = lay_out(game, find_rule("parts"), True)
        self._known: dict[tuple[bytes, int], Known] = {}
        self._ideals: dict[int, Bounds] = {}
        #: How many states were searched.
        self.states = 0

    def solve(self, within: int, starts: tuple[int, ...] = ()) -> Optimum | None:
        """The optimum and its strategy."""
        members = self.game.secret_ids
        value = self._value_from(members, within, starts)
        if value >= HOPELESS:
            return None
        tree, worst = self._plan(members, within, starts)
        return Optimum(value, worst, tree, self.states)

    def plan(self, members: Ids, left: int) -> Subtree | None:
        """A strategy of least total for any set of codes; None if ``left`` guesses are too few."""
        if self._value(members, left, HOPELESS - 1).bound >= HOPELESS:
            return None
        return self._plan(members, left, ())[0]

    def _value_from(self, members: Ids, left: int, starts: tuple[int, ...]) -> int:
        if not starts:
            return self._value(members, left, HOPELESS - 1).bound
        if left == 0:
            return HOPELESS
        _, parts = self._split(members, starts[0])
        values = [self._value_from(part, left - 1, starts[1:]) for part in parts]
        return min(HOPELESS, len(members) + sum(values))

    # --- values ---------------------------------------------------------------------------

    def _ideal(self, left: int) -> Bounds:
        """For each size of a state, the total if every guess were solved or split to the full."""
        if left not in self._ideals:
            self._ideals[left] = ideal_totals(
                self.game.length, len(self.game.secrets), min(left, ENDLESS)
            )
        return self._ideals[left]

    def _value(self, members: Ids, left: int, limit: int) -> Known:
        """The value of a state, or a bound above ``limit``."""
        n = len(members)
        ideal = int(self._ideal(left)[n])
        settled = n <= 2 and ideal < HOPELESS
        if settled or ideal > limit:
            return Known(ideal, settled, int(members[0]))
        # with guesses to spare the limit does not matter: such states share what is known
        left = min(left, n)
        key = (members.tobytes(), left)
        known = self._known.get(key)
        if known and (known.exact or known.bound > limit):
            return known
        known = self._search(members, left, limit)
        self._known[key] = known
        return known

    def _search(self, members: Ids, left: int, limit: int) -> Known:
        """Try the guesses in the order of their bounds."""
        self.states += 1
        if self.states % 256 == 0:
            self._check_time()
        guesses, bounds = bounds_of_guesses(self._desk, members, self._ideal(left - 1))
        best, chosen = min(limit, HOPELESS - 1) + 1, -1
        seen: set[bytes] = set()
        promising = bounds < best
        least_refused = int(bounds.min(where=~promising, initial=HOPELESS))
        guesses, bounds = guesses[promising], bounds[promising]
        for at in np.argsort(bounds, kind="stable").tolist():
            bound = int(bounds[at])
            if bound >= best:
                least_refused = min(least_refused, bound)
                break
            split, parts = self._split(members, int(guesses[at]))
            if split in seen:
                continue
            seen.add(split)
            value = self._value_of_split(parts, left - 1, bound, best - 1)
            if value < best:
                best, chosen = value, int(guesses[at])
            else:
                least_refused = min(least_refused, value)
        if chosen < 0:
            return Known(least_refused, False)
        return Known(best, True, chosen)

    def _value_of_split(self, parts: list[Ids], left: int, bound: int, limit: int) -> int:
        """The value of a guess with these parts, or a bound above ``limit``."""
        ideal = self._ideal(left)
        for part in sorted(parts, key=len):
            expected = int(ideal[len(part)])
            found = self._value(part, left, limit - bound + expected)
            bound += found.bound - expected
            if bound > limit:
                break
        return bound

    def _split(self, members: Ids, guess: int) -> tuple[bytes, list[Ids]]:
        """The buckets that go on, by ascending score, and bytes that name the split."""
        heads, scores, order, starts = part(self._desk, guess, members)
        parts = [order[a:b] for a, b in pairwise(starts.tolist())]
        if scores[-1] == self.game.solved:  # the highest score there is
            parts.pop()
        return heads.tobytes(), parts

    # --- the strategy ---------------------------------------------------------------------

    def _plan(self, members: Ids, within: int, starts: tuple[int, ...]) -> tuple[Subtree, int]:
        """An optimal strategy in preorder, and its worst case."""
        columns: list[tuple[int, int, int]] = []
        worst = 0
        todo = [(members, -1, -1, 0)]
        while todo:
            state, score, parent, depth = todo.pop()
            if depth < len(starts):
                guess = starts[depth]
            else:
                guess = self._value(state, within - depth, HOPELESS - 1).guess
            here = len(columns)
            columns.append((guess, score, parent))
            worst = max(worst, depth + 1)
            _, scores, order, cuts = part(self._desk, guess, state)
            for first, end in reversed(list(pairwise(cuts.tolist()))):
                if scores[first] != self.game.solved:
                    todo.append((order[first:end], int(scores[first]), here, depth + 1))
        guesses, replies, parents = np.array(columns, dtype=np.int32).T.copy()
        return Subtree(guesses, replies, parents), worst


def ideal_totals(holes: int, most: int, left: int) -> Bounds:
    """No strategy of ``left`` guesses for n candidates has a smaller total than entry n.

    Each guess may be right, and each other score may lead to a state of its own.
    """
    others = (holes + 1) * (holes + 2) // 2 - 2
    totals = np.full(most + 1, HOPELESS, dtype=np.int64)
    totals[0] = 0
    n, total, states = 0, 0, 1
    for depth in range(1, left + 1):
        for _ in range(min(states, most - n)):
            n += 1
            total += depth
            totals[n] = total
        states = min(states * others, most)
    return totals


@kernel
def bounds_of_guesses(desk: Desk, members: Ids, ideal: Bounds) -> tuple[Ids, Bounds]:
    """The guesses to try in a state, and a lower bound of the total with each.

    A candidate that tells all others apart, or all but two, cannot be beaten: the total is
    2n - 1 or 2n, and with a guess that is no candidate it is 2n or more. Else all representatives.
    """
    n = len(members)
    fill_places(desk.codes, members, desk.places)
    fill_tallies(desk.places, n, desk.tallies)
    if ideal[n] <= 2 * n:
        fill_places(desk.codes, members, desk.guess_places)
        bounds = _bounds(desk, n, n, ideal)
        first = np.argmin(bounds)
        if bounds[first] <= 2 * n:
            return members[first : first + 1].copy(), bounds[first : first + 1].copy()
    alike = find_alike(
        desk.codes,
        members,
        desk.n_colours,
        desk.distinct,
        desk.ranks,
        desk.marks,
        n >= desk.turns_from,
    )
    count = list_representatives(alike, desk.distinct, desk.guess_places)
    bounds = _bounds(desk, n, count, ideal)
    guesses = np.empty(count, dtype=np.int32)
    code = np.empty(desk.codes.shape[1], dtype=np.uint8)
    for at in range(count):
        copy_into(code, desk.guess_places[:, at])
        guesses[at] = rank(code, desk.ranks, desk.distinct)
    return guesses, bounds


@kernel
def _bounds(desk: Desk, n: int, count: int, ideal: Bounds) -> Bounds:
    """The bounds of the tabled guesses."""
    holes = desk.codes.shape[1]
    solved = holes * (holes + 1)
    sizes = np.zeros(solved + 1, dtype=np.int64)
    row = np.empty(n, dtype=np.uint8)
    code = np.empty(holes, dtype=np.uint8)
    last = np.full(holes, 255, dtype=np.uint8)
    bounds = np.empty(count, dtype=np.int64)
    for at in range(count):
        copy_into(code, desk.guess_places[:, at])
        known = shared_pegs(code, last)
        add_pegs(code, known, desk.places, desk.tallies, 0, desk.partial, row)
        copy_into(last, code)
        sizes[:] = 0
        for score in row:
            sizes[score] += 1
        bound = n
        for size in sizes[:solved]:
            bound += ideal[size]
        bounds[at] = bound
    return bounds


@kernel
def part(desk: Desk, guess: int, members: Ids) -> tuple[Ids, Ids, Ids, Ids]:
    """The split of a state: who heads each member's bucket; then scores and members in order of
    the scores, and where the buckets begin and the last one ends.

    The heads are the same for two guesses if and only if they split alike; -1 is a guess itself.
    """
    n = len(members)
    holes = desk.codes.shape[1]
    solved = holes * (holes + 1)
    scores = np.empty(n, dtype=np.int32)
    score_state(desk, guess, members, scores)
    heads = np.empty(n, dtype=np.int32)
    head = np.full(solved + 1, -1, dtype=np.int32)
    sizes = np.zeros(solved + 2, dtype=np.int64)
    for at in range(n):
        score = scores[at]
        if head[score] < 0 and score != solved:
            head[score] = at
        heads[at] = head[score]
        sizes[score + 1] += 1
    starts = np.empty(solved + 2, dtype=np.int32)
    count = 0
    for score in range(solved + 1):
        if sizes[score + 1]:
            starts[count] = sizes[score]
            count += 1
        sizes[score + 1] += sizes[score]
    starts[count] = n
    order = np.empty(n, dtype=np.int32)
    ordered = np.empty(n, dtype=np.int32)
    for at in range(n):
        place = sizes[scores[at]]
        sizes[scores[at]] += 1
        order[place] = members[at]
        ordered[place] = scores[at]
    return heads, ordered, order, starts[: count + 1].copy()
