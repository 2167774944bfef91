"""The shortest win against an adversary that keeps the most secrets, and the openers that have it.

The adversary's replies are known (``game/adversary``), so a guess leads from a state to one other
state, and a win is a sequence of guesses. It keeps a solving score only where no other is left:
the last guess is the single candidate that the guesses before it leave. So a win of n guesses is a
sequence of n - 1 that leaves one candidate. Lengths are tried one after the other, each for all
first guesses; those that lead to the same state share the work.

In Mastermind guesses that a state cannot tell apart (``game/alike``) are one guess with other names
of colours and other orders of holes. The adversary looks at sizes and scores alone, and a renaming
changes neither; so what follows a guess follows the renamed one, renamed, and one of each kind is
tried. Sequences are counted with all their names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import WrongInputError
from ..game.adversary import ReplyOrder
from ..game.alike import kinds_of
from ..game.wordle import colours_of, require_hard_mode, require_legal, still_legal
from ..machine.arrays import Ids
from ..machine.clock import OutOfTimeError, working_time
from ..machine.pool import LateTasks, Pool, workers_inherit
from ..memory_limits import matrix_bytes, require_room
from .kernels import adversary_search as kernels

if TYPE_CHECKING:
    from ..game.game import Game

#: Called with the length that is tried, first guesses newly decided, and how many there are.
Progress = Callable[[int, int, int], None]
#: So many states are remembered for which no win was found.
_REMEMBERED = 100_000


class Step(NamedTuple):
    """A guess in a sequence against the adversary: its score, and how many secrets remain."""

    word: str
    score: int
    n_left: int


@dataclass(frozen=True)
class WinningOpener:
    """First guesses from which the adversary is beaten in the fewest guesses."""

    words: tuple[str, ...]
    #: The secrets that the adversary keeps after them.
    n_left: int
    #: How many sequences win in that many; None: not counted, as there are too many.
    n_sequences: int | None


class State(NamedTuple):
    """The candidates, and the guesses that may be made, both ascending."""

    members: kernels.Members
    legal: Ids


class Win(NamedTuple):
    """How many sequences win (None: not counted), and the guesses of one but for the last."""

    n_sequences: int | None
    path: tuple[int, ...]


class _Group(NamedTuple):
    """First guesses that lead to one state."""

    state: State
    guesses: list[int]


#: A state to decide: which group, the guesses to come, and until when (seconds since 1970).
_Task = tuple[int, int, float | None]


class AdversarySearch:
    """The shortest win of a game; what is known at any time are its attributes."""

    def __init__(
        self,
        game: Game,
        start: Sequence[str] = (),
        hard: bool = False,
        guess_from: str = "allowed",
    ) -> None:
        require_room(2 * matrix_bytes(game), "the search for the shortest win")
        self.game, self.start, self._hard = game, tuple(start), hard
        self._guess_from = guess_from
        self._consistent = guess_from == "candidates"
        self._has_kinds = game.code_space is not None
        self._order = ReplyOrder(game)
        self._table = self._table_of()
        parts = (np.count_nonzero(np.bincount(row)) for row in self._table.by_guess)
        #: The most buckets that any guess has over all secrets; 1 at least.
        self._most = int(max(parts, default=1))
        pool = np.arange(len(game.guesses), dtype=np.int32)
        if guess_from != "allowed":
            pool = np.sort(game.secret_ids).astype(np.int32)
        self._until: float | None = None
        self._failed: dict[tuple[bytes, bytes], int] = {}
        #: The guesses of ``start`` with the adversary's replies; the guess that won is the last.
        self.forced: list[Step] = []
        self.root = State(np.arange(len(game.secrets), dtype=np.uint32), pool)
        for word in start:
            self._force(word)
        self._groups: list[_Group] = []
        #: No win has fewer guesses than this.
        self.least = len(self.forced) + (0 if self.is_won else 1)
        #: The shortest win found so far.
        self.sequence = [*self.forced] if self.is_won else self._steps(self._greedy())
        #: First guesses after ``start`` that win in ``least``, and those not decided yet.
        self.openers: list[WinningOpener] = []
        self.undecided = 0

    # --- states -----------------------------------------------------------------------------

    def _table_of(self) -> kernels.ReplyTable:
        game, order = self.game, self._order
        scores = np.ascontiguousarray(order.numbers[game.score_rows()])
        colours = letters = np.zeros((0, game.length), dtype=np.uint8)
        if self._hard:
            letters = np.ascontiguousarray(require_hard_mode(game))
            rows = [colours_of(score, game.length) for score in order.scores]
            colours = np.array(rows, dtype=np.uint8)
        secret_of = np.zeros(0, dtype=np.int32)
        if self._consistent:
            secret_of = np.full(len(game.guesses), -1, dtype=np.int32)
            secret_of[game.secret_ids] = np.arange(len(game.secrets), dtype=np.int32)
        turned = np.ascontiguousarray(scores.T)
        return kernels.ReplyTable(scores, turned, game.n_scores, letters, colours, secret_of)

    @property
    def is_won(self) -> bool:
        """Whether the forced guesses have won already."""
        return bool(self.forced) and self.forced[-1].score == self.game.solved

    def _force(self, word: str) -> None:
        game = self.game
        if self.is_won:
            raise WrongInputError(f"--start guesses {word!r} after the game is won")
        guess = game.guess_id(word)
        if self._hard:
            before = [(game.guess_id(step.word), step.score) for step in self.forced]
            require_legal(game, [*before, (guess, game.solved)])  # whatever its score
        step, self.root = self._step(self.root, guess)
        self.forced.append(step)

    def _step(self, state: State, guess: int) -> tuple[Step, State]:
        """A guess with the adversary's reply, and the state after it."""
        found = self._replies(state, np.array([guess], dtype=np.int32), len(state.members))
        reply, word = int(found.replies[0]), self.game.guesses[guess]
        step = Step(word, self._order.scores[reply], int(found.sizes[0]))
        return step, self._after(state, guess, reply)

    def _replies(self, state: State, guesses: Ids, most: int) -> kernels.Replies:
        """The adversary's replies to guesses, those that keep too many left out, by size."""
        count = len(guesses)
        sizes, replies = np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32)
        kernels.find_replies(
            self._table, state.members, most, kernels.Replies(guesses, sizes, replies)
        )
        order = np.lexsort((guesses, sizes))
        order = order[sizes[order] > 0]
        return kernels.Replies(guesses[order], sizes[order], replies[order])

    def _after(self, state: State, guess: int, reply: int) -> State:
        """The state after a guess."""
        members = state.members[self._table.by_guess[guess, state.members] == reply]
        legal = state.legal
        if self._consistent:
            legal = np.sort(self.game.secret_ids[members]).astype(np.int32)
        if self._hard:
            legal = still_legal(self.game, legal, guess, self._order.scores[reply])
        return State(members, np.ascontiguousarray(legal, dtype=np.int32))

    def _next(self, state: State, most: int) -> Iterator[tuple[int, State]]:
        """The states that guesses lead to, one of each kind of guesses, the smallest first."""
        found = self._replies(state, self._kinds(state), most)
        for guess, reply in zip(found.guesses.tolist(), found.replies.tolist(), strict=True):
            yield guess, self._after(state, guess, reply)

    def _kinds(self, state: State) -> Ids:
        """The legal guesses; in Mastermind the lowest of each kind that cannot be told apart.

        All of a kind are legal or none is: everything is, or what is still possible.
        """
        if not self._has_kinds:
            return state.legal
        members = state.members.astype(np.int32)
        return np.intersect1d(self.game.worth_trying(members), state.legal).astype(np.int32)

    # --- wins -------------------------------------------------------------------------------

    def win(self, state: State, left: int) -> Win | None:
        """The sequences of at most ``left`` guesses that leave one candidate; None: none does."""
        count = len(state.members)
        if count == 1:
            return Win(1, ())
        if left == 0 or count > self._most**left:
            return None
        self._check_time()
        if left == 1:
            first = np.zeros(1, dtype=np.int32)
            wins = kernels.count_separating(self._table, state.members, state.legal, first)
            return Win(int(wins), (int(first[0]),)) if wins else None
        return self._win_in_two(state) if left == 2 else self._longer_win(state, left)

    def _longer_win(self, state: State, left: int) -> Win | None:
        """The first win found of three guesses or more, by the smallest states."""
        key = (state.members.tobytes(), state.legal.tobytes() if self._hard else b"")
        if self._failed.get(key, 0) >= left:
            return None
        for guess, then in self._next(state, self._most ** (left - 1)):
            found = self.win(then, left - 1)
            if found is not None:
                return Win(None, (guess, *found.path))
        if len(self._failed) < _REMEMBERED or key in self._failed:
            self._failed[key] = left
        return None

    def _win_in_two(self, state: State) -> Win | None:
        found = self._replies(state, state.legal, self._most)
        if not len(found.guesses):
            return None
        pairs = kernels.hardest_pairs(self._table, state.members, state.legal)
        first = np.zeros(3, dtype=np.int32)
        flags = np.zeros(-(-len(self.game.guesses) // 64) * 64, dtype=np.uint8)
        flags[state.legal] = 1
        allowed: kernels.Bits = np.packbits(flags, bitorder="little").view(np.uint64)
        wins = kernels.count_wins(self._table, state.members, found, pairs, allowed, first)
        return Win(int(wins), (int(first[0]), int(first[1]))) if wins else None

    def _greedy(self) -> list[int]:
        """Guesses that each leave the fewest, until one candidate is left: a win, if a long one."""
        state, path = self.root, []
        while len(state.members) > 1:
            guess, state = next(self._next(state, len(state.members) - 1))
            path.append(guess)
        return path

    def _steps(self, path: Iterable[int]) -> list[Step]:
        """A sequence in full: the forced guesses, these, and the candidate that is left."""
        state, steps = self.root, [*self.forced]
        for guess in path:
            step, state = self._step(state, guess)
            steps.append(step)
        last = self.game.secrets[int(state.members[0])]
        return [*steps, Step(last, self.game.solved, 1)]

    # --- all first guesses --------------------------------------------------------------------

    def run(
        self,
        within: int | None,
        workers: int = 1,
        time_limit: float | None = None,
        progress: Progress = lambda length, new, count: None,
    ) -> None:
        """Find the shortest win, and all first guesses that have it; up to ``within`` guesses."""
        end = None if time_limit is None else working_time() + time_limit
        if self.is_won:
            return
        forced = len(self.forced)
        if len(self.root.members) == 1:
            last = self.game.secrets[int(self.root.members[0])]
            self.openers = [WinningOpener((*self.start, last), 1, 1)]
            return
        self.least += 1
        self._group()
        while within is None or self.least <= within:
            left = self.least - forced - 2
            wins: dict[int, Win] = {}
            count = self.undecided = sum(len(group.guesses) for group in self._groups)
            for number, found in self._decided(left, workers, end):
                if found is not None:
                    wins[number] = found
                    self._note(wins)
                new = len(self._groups[number].guesses)
                self.undecided -= new
                progress(self.least, new, count)
            if wins:
                return
            self.least += 1

    def _group(self) -> None:
        """Put first guesses together that lead to the same state, the smallest state first."""
        groups: dict[tuple[bytes, bytes], _Group] = {}
        alike: dict[int, list[int]] = {}  # the lowest of each kind of guesses, with all of its kind
        if self._has_kinds:
            kinds = kinds_of(self.game, self.root.members.astype(np.int32))
            for guess in self.root.legal.tolist():
                alike.setdefault(int(kinds[guess]), []).append(guess)
        for guess, state in self._next(self.root, len(self.root.members)):
            legal = state.legal.tobytes() if self._hard else b""
            group = groups.setdefault((state.members.tobytes(), legal), _Group(state, []))
            group.guesses.extend(alike.get(guess, [guess]))
        self._groups = [*groups.values()]

    def _note(self, wins: dict[int, Win]) -> None:
        """Note the openers of all wins so far, and the sequence of the first of them."""
        best = min(wins)
        self.sequence = self._steps([self._groups[best].guesses[0], *wins[best].path])
        openers = [
            WinningOpener(
                (*self.start, self.game.guesses[guess]),
                len(self._groups[number].state.members),
                found.n_sequences,
            )
            for number, found in wins.items()
            for guess in self._groups[number].guesses
        ]
        self.openers = sorted(openers, key=lambda opener: (opener.n_left, opener.words))

    def _decided(
        self, left: int, workers: int, end: float | None
    ) -> Iterator[tuple[int, Win | None]]:
        """Each group with its win, in the order in which they are done.

        ``end`` is a ``working_time`` of this process, and a task has it by the clock of them all.
        """

        def task_of(group: int) -> _Task:
            until = None if end is None else time.time() + end - working_time()
            return group, left, until

        count = len(self._groups)
        tasks = LateTasks(range(count), task_of)
        if left < 2 or workers == 1 or count < 2:  # with one left a kernel answers at once
            yield from enumerate(map(self.answer, tasks))
            return
        inherited = self if workers_inherit() else None
        question = (self.game, self.start, self._hard, self._guess_from)
        with Pool(_worker, (inherited, question), min(workers, count)) as pool:
            yield from pool.run(tasks)

    def answer(self, task: _Task) -> Win | None:
        """The win of a group of first guesses."""
        group, left, self._until = task
        self._check_time()
        if not self._groups:
            self._group()
        return self.win(self._groups[group].state, left)

    def _check_time(self) -> None:
        if self._until is not None and time.time() > self._until:
            raise OutOfTimeError("undecided at the time limit")


def _worker(
    inherited: AdversarySearch | None, question: tuple[Game, Sequence[str], bool, str]
) -> Callable[[_Task], Win | None]:
    return (inherited or AdversarySearch(*question)).answer
