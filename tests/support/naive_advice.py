"""The slow truth of a cheat sheet, and of several boards: the search as plain steps."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.advice.boards import OpenBoard
from solver.advice.cheatsheet import Row
from solver.errors import CouldNotFinishError
from solver.game.game import Game
from solver.machine.arrays import Ids
from solver.splits.ranking import costs_of, measures_of

from . import naive, naive_exact

#: Secrets by what all words so far showed for them.
States = dict[tuple[str, ...], list[str]]


def seen(group: str, word: str, secret: str) -> str:
    """What a person sees of a reply."""
    marks = naive.marks(word, secret)
    hits, both = len(marks) - marks.count("b"), f"{marks.count('y')},{marks.count('g')}"
    return {"score": marks, "hits": str(hits), "colours": both}[group]


def states_of(game: Game, group: str, row: Row) -> States:
    """The secrets of a row, by their full scores."""
    states: States = {}
    for secret in game.secrets:
        keys = tuple(seen(group, word, secret) for word in row.before)
        if secret not in row.before and row.key == keys:
            marks = tuple(naive.marks(word, secret) for word in row.before)
            states.setdefault(marks, []).append(secret)
    return states


def checked_rows(
    game: Game, group: str, opener: str, rows: Sequence[Row], depth: int
) -> list[tuple[Row, States]]:
    """Just the rows that a sheet must have, with the states of each."""
    keys = {(seen(group, opener, secret),) for secret in game.secrets if secret != opener}
    found = [(row, states_of(game, group, row)) for row in rows]
    for row, states in found:
        left = list(chain(*states.values()))
        assert row.answers == len(left)
        if row.word is not None and len(row.before) + 1 < depth and len(left) > 1:
            keys |= {(*row.key, seen(group, row.word, it)) for it in left if it != row.word}
    assert sorted(row.key for row in rows) == sorted(keys)
    return found


def legal(words: Iterable[str], before: tuple[str, ...], secrets: Iterable[str]) -> list[str]:
    """The words that may follow some guesses, whichever of the secrets it is."""
    pairs = [(guess, secret) for guess in before for secret in secrets]
    return [word for word in words if all(naive.may_follow(word, *pair) for pair in pairs)]


def pool_of(game: Game, row: Row, states: States, guess_from: str, hard: bool) -> list[str]:
    """The words from which the word of a row is to be chosen."""
    left = sorted(chain(*states.values()))
    pool = {"allowed": game.guesses, "secrets": game.secrets, "candidates": left}[guess_from]
    may = legal(pool, row.before, left) if hard else pool
    return [word for word in may if not hard or word not in row.before]


def joint_sizes(word: str, states: States) -> list[int]:
    return [len(part) for state in states.values() for part in naive.split(word, state).values()]


def total_of(
    game: Game, row: Row, word: str, states: States, hard: bool, left: int
) -> tuple[int, int]:
    """The least (losses, total) over all states of a row, if this is its word."""
    losses, total = 0, sum(map(len, states.values()))
    for part in chain(*(naive.split(word, state).values() for state in states.values())):
        if part != [word]:
            allowed = legal(game.guesses, (*row.before, word), part[:1]) if hard else game.guesses
            values = naive_exact.values_of_guesses(allowed, part, left - 1, hard)
            lost, more = min(values.values())
            losses, total = losses + lost, total + more
    return losses, total


def chosen(game: Game, row: Row, costs: dict[str, Any], states: States) -> None:
    """The row has the first of the best words: one still possible, else a secret, if there is."""
    left = set(chain(*states.values()))
    best = [word for word, cost in costs.items() if cost == min(costs.values())]
    assert row.tied == len(best)
    assert row.word == min(best, key=lambda it: (it not in left, it not in game.secrets, it))


# --- several boards
_EFFORT = 2_500_000
_TRIED = 1_000
_EQUAL = 1e-9
_ENDLESS = float("inf")
_UNIT = 2.0**-30


class SlowStates:
    """All that may be hidden on the open boards, and the least expected number of guesses."""

    def __init__(self, game: Game, boards: Sequence[OpenBoard], pool: Ids) -> None:
        """The worlds of some boards; guesses go by their places in the pool."""
        together = np.unique(np.concatenate([board.candidates for board in boards]))
        together = together.astype(np.int32)
        places = [np.searchsorted(together, board.candidates).astype(np.int32) for board in boards]
        worlds = np.array(list(product(*(range(len(board.candidates)) for board in boards))))
        secrets = np.column_stack([own[worlds[:, at]] for at, own in enumerate(places)])
        apart = np.array([len({*world}) == len(boards) for world in secrets.tolist()])
        chosen = apart if apart.any() else np.ones(len(worlds), dtype=np.bool_)
        chances = [board.chances()[worlds[:, at]] for at, board in enumerate(boards)]
        weights = np.prod(chances, axis=0)[chosen]
        #: World and board → the secret, as its place on this board, and among all candidates.
        self._places, self._secrets = worlds[chosen], secrets[chosen]
        self._chances = weights / weights.sum()
        self._apart = bool(apart.any())
        self._make_classes(game, game.score_rows(pool, together), places)
        self._memo: dict[tuple[bytes, int], float] = {}
        self._left = _EFFORT

    def _make_classes(self, game: Game, rows: NDArray[Any], places: Sequence[Ids]) -> None:
        """Put guesses that split the candidates alike into one class; the first represents it."""
        labels, solves = _labels(rows), rows == game.solved
        solved = np.where(solves.any(axis=1), np.argmax(solves, axis=1), -1)
        whole = np.column_stack([labels, solved])
        _, first, class_of = np.unique(whole, axis=0, return_index=True, return_inverse=True)
        self._first, self._class_of = first, class_of.ravel()
        #: Class → the candidate that it solves, or -1.
        self._solves = solved[first]
        #: Board → for each class and candidate the first candidate that has the same score.
        self._labels = [_labels(labels[first][:, own]) for own in places]

    def best(self) -> tuple[float, list[int]]:
        """The least expected number of guesses, and the places of all guesses with it, ascending.

        Where the secret of a board is certain, these are such secrets alone. A state that is too
        hard to be looked through raises CouldNotFinishError.
        """
        worlds, still = self._everything
        least, ties = _ENDLESS, self._certain(worlds, still)
        if ties:
            least = self._value_of(ties[0], worlds, still, _ENDLESS)
        for bound, kind in () if ties else self._bounded(worlds, still):
            if bound > least + _EQUAL:
                break
            found = self._value_of(kind, worlds, still, least + 2 * _EQUAL)
            if found < least - _EQUAL:
                least, ties = found, []
            if found <= least + _EQUAL:
                ties.append(kind)
        return least, np.flatnonzero(np.isin(self._class_of, ties)).tolist()

    def mean(self, place: int) -> float:
        """The expected number of guesses until all is solved, beginning with one of the pool."""
        return self._value_of(int(self._class_of[place]), *self._everything, _ENDLESS)

    @property
    def _everything(self) -> tuple[Ids, int]:
        """The state in which nothing was guessed: all worlds, all boards open."""
        return np.arange(len(self._secrets), dtype=np.int32), (1 << self._secrets.shape[1]) - 1

    def _certain(self, worlds: Ids, still: int) -> list[int]:
        """The classes of guesses that are certain to solve an open board."""
        secrets = self._secrets[worlds][:, self._open(still)]
        certain = secrets[0, (secrets == secrets[0]).all(axis=0)]
        return [int(kind) for kind in np.flatnonzero(np.isin(self._solves, certain))]

    def _bounded(self, worlds: Ids, still: int) -> Iterator[tuple[float, int]]:
        """All classes with what they cost at least, the cheapest first, more parts first.

        Those that may solve a board stand first; the others are looked at only if asked for.
        """
        boards = self._open(still)
        chances = self._chances[worlds] / self._chances[worlds].sum()
        hits = np.zeros(self._secrets.max() + 2)
        for board in boards:
            np.add.at(hits, self._secrets[worlds, board], chances)
        solving = hits[self._solves]
        floor = 1.0 + (len(boards) if self._apart else 0)
        for chosen in (solving > 0, solving == 0):
            kinds = np.flatnonzero(chosen).astype(np.int32)
            self._spend(len(kinds) * len(worlds))
            keys = np.sort(self._keys(kinds, worlds, still), axis=1)
            parts = 1 + np.count_nonzero(keys[:, 1:] != keys[:, :-1], axis=1)
            bounds = floor - (solving[kinds] if self._apart else np.zeros(len(kinds)))
            separating = (parts > 1) | (solving[kinds] > 0)
            order = np.lexsort((self._first[kinds], -parts, bounds))
            yield from ((float(bounds[at]), int(kinds[at])) for at in order if separating[at])

    def _spend(self, cells: int) -> None:
        """Note some work; when there was enough, give up."""
        self._left -= cells
        if self._left < 0:
            raise CouldNotFinishError("the search takes too long")

    def _value(self, worlds: Ids, still: int, limit: float) -> float:
        """The least expected number of guesses in a state, or a bound from the limit on."""
        boards = self._open(still)
        if len(worlds) == 1:
            return float(len(set(self._secrets[worlds[0], boards].tolist())))
        key = (worlds.tobytes(), still)
        if key in self._memo:
            return self._memo[key]
        if certain := self._certain(worlds, still):
            return self._value_of(certain[0], worlds, still, limit)
        least = limit
        for bound, kind in self._bounded(worlds, still):
            if bound >= least - _EQUAL:
                least = min(least, limit)
                break
            least = min(least, self._value_of(kind, worlds, still, least))
        if least < limit:
            self._memo[key] = least
        return least

    def _value_of(self, kind: int, worlds: Ids, still: int, limit: float) -> float:
        """The expected number of guesses after one of a class, or a bound from the limit on."""
        [keys] = self._keys(np.array([kind], dtype=np.int32), worlds, still)
        order = np.argsort(keys, kind="stable")
        cuts = np.flatnonzero(np.diff(keys[order])) + 1
        groups = np.split(worlds[order], cuts)
        self._spend(_TRIED * len(groups))
        whole = float(self._chances[worlds].sum())
        shares = [float(self._chances[group].sum()) / whole for group in groups]
        opens = [self._still_open(kind, group, still) for group in groups]
        floors = [float(after.bit_count()) if self._apart else float(after > 0) for after in opens]
        total = 0.0  # newer Pythons' sum() rounds once, as no kernel does
        for share, floor in zip(shares, floors, strict=True):
            total += share * floor
        total += 1.0
        for group, share, after, floor in sorted(
            zip(groups, shares, opens, floors, strict=True), key=lambda part: len(part[0])
        ):
            if total >= limit - _EQUAL:
                return limit if limit < _ENDLESS else total
            if after:
                room = _ENDLESS if limit == _ENDLESS else floor + (limit - total) / share
                total += share * (self._value(group, after, room) - floor)
        return total

    def _still_open(self, kind: int, group: Ids, still: int) -> int:
        """The boards that are open after a guess which these worlds answer alike."""
        solved = self._solves[kind]
        if solved >= 0:
            for board in self._open(still):
                if self._secrets[group[0], board] == solved:
                    still &= ~(1 << board)
        return still

    def _keys(self, kinds: Ids, worlds: Ids, still: int) -> NDArray[np.int64]:
        """For some classes and worlds one number each that says the scores on all open boards."""
        keys = np.zeros((len(kinds), len(worlds)), dtype=np.int64)
        for board in self._open(still):
            labels = self._labels[board]
            keys *= labels.shape[1]  # in all no more than worlds, so that no two are confused
            keys += labels[kinds[:, None], self._places[worlds, board]]
        return keys

    def _open(self, still: int) -> list[int]:
        return [board for board in range(self._secrets.shape[1]) if still >> board & 1]


def _labels(rows: NDArray[Any]) -> NDArray[np.int64]:
    """For each row and column the first column that holds the same."""
    labels = np.empty(rows.shape, dtype=np.int64)
    for at in range(rows.shape[1]):
        labels[:, at] = np.argmax(rows[:, : at + 1] == rows[:, at : at + 1], axis=1)
    return labels


def slow_ranking(
    game: Game, boards: Sequence[OpenBoard], pool: Ids, common: Ids, by: str
) -> tuple[Ids, NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
    """Guesses ranked over boards without weights: these, rounded costs, entropies, hits."""
    costs, entropy, hits = (np.zeros(len(pool)) for _ in range(3))
    certain = np.zeros(len(pool), dtype=np.bool_)
    for board in boards:
        measures = measures_of(game, pool, board.candidates)
        at_home = np.isin(pool, game.secret_ids[board.candidates])
        cost = measures.remaining()
        if by not in ("entropy", "remaining"):
            power = {"expected-size": 1, "proportion": 2}.get(by, 0)
            cost = costs_of(measures, by, at_home) / measures.candidates**power
        costs += cost
        entropy += measures.entropy()
        hits += at_home * (1.0 / len(board.candidates))
        if len(board.candidates) == 1:
            certain |= at_home
    rounded = np.rint(costs / _UNIT).astype(np.int64)
    uncommon = ~np.isin(pool, common)
    order = np.lexsort((pool, uncommon, -np.rint(hits / _UNIT), rounded, ~certain))
    return pool[order], rounded[order], entropy[order], hits[order]
