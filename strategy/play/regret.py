"""What a guess costs against the best one, in guesses: a judge of players and of those who learn.

The *regret* of a guess is what is expected from it on, itself included, less the same of the best
guess, on average over the secrets that are possible; all later guesses are the best ones, and
nothing limits their number. It is exact, or lies between two bounds that are both given.

Most states of a game need no search: where a candidate tells all others apart, no guess is better;
else the number of buckets bounds each guess, and where its buckets are of that kind the bound is
its total. What is left goes to the exact search, and what that cannot finish in time to a beam, for
upper bounds, with bounds by buckets below. First guesses of the original game are looked up in the
table of records, where all are settled; no search reads that.
"""

from __future__ import annotations

import lzma
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from threading import RLock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.hindsight import MOST_EXACT, Hindsight
from solver.advice.suggest import candidates_after, common_words
from solver.advice.totals import ProvedTotals
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.code_engine import ExactCodes
from solver.exact.kernels.lemmas import UNLIMITED
from solver.exact.problem import Problem
from solver.game.game import Game, History
from solver.game.wordle import legal_after, require_legal
from solver.machine.arrays import Ids
from solver.machine.clock import limit_clock
from solver.shown import Described
from solver.splits.measures import chances_of, split_measures
from solver.words.lists import DEFAULT_LIST, data_folder, named_list

from ..solving.progress import Call, tells_progress
from ..toolbox.guesses import history_of_steps

if TYPE_CHECKING:
    from ..tree import Step

#: Seconds that a question may take, and states that are remembered.
TIME_LIMIT = 2.0
REMEMBERED = 20_000
#: Up to so many candidates it is tried without a search; of so many guesses of one bound at most.
_MOST_QUICK, _TRIED = 128, 40
#: The best guesses that are named.
MOST_NAMED = 10
#: No larger score matrix is kept at hand.
_MOST_BYTES = 1 << 28


class Bracket(NamedTuple):
    """What something is at least and at most."""

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether both bounds are equal."""
        return self.low == self.high


@dataclass(frozen=True, repr=False)
class Regret(Described):
    """A guess in a state, and what it costs."""

    word: str
    #: Secrets that are possible before it.
    remaining: int
    #: Whether hard mode allows it, if that is played; and whether it fits all clues so far.
    legal: bool
    consistent: bool
    #: Guesses that it costs more than the best; of what is not legal nothing is known.
    regret: Bracket | None
    #: Expected guesses from it on, and from the best guess on.
    expected: Bracket | None
    least: Bracket
    #: Some of the best guesses: possible ones first, then common words. Bounds: of the best known.
    best: tuple[str, ...]
    #: Whether the table of records has it; else it was searched.
    recorded: bool = False

    @property
    def exact(self) -> bool:
        """Whether the regret is known exactly."""
        return self.regret is not None and self.regret.exact

    def _line(self) -> str:
        if self.regret is None:
            return f"{self.word}: hard mode forbids it"
        low, high = self.regret
        return f"{self.word}: {low:.4f}" + ("" if self.exact else f" to {high:.4f}")


@dataclass
class _Known:
    """What is known of a state: its least total, some guesses that have it, and other guesses."""

    candidates: Ids
    steps: tuple[tuple[int, int], ...]
    least: Bracket | None = None
    best: tuple[int, ...] = ()
    totals: dict[int, Bracket] = field(default_factory=dict)
    recorded: bool = False


class Judge:
    """Judges guesses of one game; states that come again are known. Threads may share it."""

    def __init__(
        self, game: Game, *, hard: bool = False, weights: NDArray[np.float64] | None = None,
        time_limit: float | None = TIME_LIMIT, remembered: int = REMEMBERED,
    ) -> None:  # fmt: skip
        """``weights`` say how likely each secret is; without a time limit all is exact."""
        if hard and not game.has_hard_mode:
            raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
        self.game, self.hard = game, hard
        self._chances = None if weights is None else chances_of(weights)
        self._weights, self._time_limit, self._remembered = weights, time_limit, remembered
        self._known: OrderedDict[Any, _Known] = OrderedDict()
        self._everything = np.arange(len(game.secrets), dtype=np.int32)
        self._scores = score_matrix(game)
        self._common = frozenset(common_words(game).tolist())
        self._clock = limit_clock(None)
        #: The search that is at hand, of the state of this key.
        self._search: tuple[Any, ProvedTotals] | None = None
        self._codes: ExactCodes | None = None
        self._lock = RLock()

    def regret(self, history: str | Sequence[Step] | Sequence[str], guess: str) -> Regret:
        """What a guess costs after a history: a text, or pairs of a word and its score."""
        [found] = self.regrets([history], [guess])
        return found

    def regrets(
        self, states: Sequence[str | Sequence[Step] | Sequence[str]], guesses: Sequence[str]
    ) -> list[Regret]:
        """The same of many states and a guess in each; equal states share their work."""
        if len(states) != len(guesses):
            raise WrongInputError(f"{len(states):,} states and {len(guesses):,} guesses")
        with self._lock:
            histories = [self._history(state) for state in states]
            fitting = [self._fitting(history) for history in histories]
            ids = [self.game.guess_id(guess) for guess in guesses]
            found: list[Regret | None] = [None] * len(ids)
            for at in sorted(range(len(ids)), key=lambda at: fitting[at].tobytes()):
                found[at] = self._judged(histories[at], fitting[at], ids[at])
            return [each for each in found if each is not None]

    def _check_time(self) -> None:
        self._clock()

    def candidates(self, history: str | Sequence[Step] | Sequence[str]) -> Ids:
        """Positions of the secrets that fit; clues that contradict each other are named."""
        return self._fitting(self._history(history))

    def best(
        self, history: str | Sequence[Step] | Sequence[str]
    ) -> tuple[Bracket, tuple[str, ...]]:
        """What is expected from the best guess on, and some of the best guesses."""
        candidates = self.candidates(history)
        word = self.game.secrets[int(candidates[0])]  # that one is legal in hard mode too
        found = self.regret(history, word)
        return found.least, found.best

    # --- states ---------------------------------------------------------------------------

    def _history(self, state: str | Sequence[Step] | Sequence[str]) -> History:
        game = self.game
        history = (
            game.parse_state(state) if isinstance(state, str) else history_of_steps(game, state)
        )
        if any(score == game.solved for _, score in history):
            raise WrongInputError("the game is over: a guess of the history was the secret")
        if self.hard:
            require_legal(game, [(game.guess_id(word), score) for word, score in history])
        return history

    def _fitting(self, history: History) -> Ids:
        left = self._everything
        for word, score in history:
            left = left[self._scored(left, self.game.guess_id(word)) == score]
        return left if len(left) else candidates_after(self.game, history)

    def _scored(self, candidates: Ids, guess: int) -> NDArray[Any]:
        """The scores of a guess against some candidates."""
        if self._scores is not None:
            scores: NDArray[Any] = self._scores[candidates, guess]
        else:
            scores = self.game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]
        return scores

    def _rows(self, candidates: Ids, guesses: Ids | None = None) -> NDArray[Any]:
        """The scores of some guesses, or all, against some candidates: a row a guess."""
        if self._scores is None:
            return self.game.score_rows(guesses, candidates)
        if guesses is not None:
            return self._scores[np.ix_(candidates, guesses)].T
        return np.ascontiguousarray(self._scores[candidates].T)

    def _key(self, candidates: Ids, steps: tuple[tuple[int, int], ...]) -> Any:
        return candidates.tobytes(), steps if self.hard else ()

    def _recall(self, candidates: Ids, steps: tuple[tuple[int, int], ...]) -> _Known:
        """What is known of a state; the state that was not asked for longest is forgotten."""
        key = self._key(candidates, steps)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _Known(candidates, steps if self.hard else ())
            if len(self._known) > self._remembered:
                self._known.popitem(last=False)
        else:
            self._known.move_to_end(key)
        return known

    # --- answers --------------------------------------------------------------------------

    def _judged(self, history: History, candidates: Ids, guess: int) -> Regret:
        game = self.game
        steps = tuple((game.guess_id(word), score) for word, score in history)
        known, word = self._recall(candidates, steps), game.guesses[guess]
        legal = not self.hard or guess in legal_after(game, steps)
        self._clock = limit_clock(self._time_limit and 0.6 * self._time_limit)
        total = self._settled(known, guess if legal else None)
        least, size = known.least, 1.0 if self._chances is not None else float(len(candidates))
        assert least is not None
        consistent = all(game.grade(earlier, word) == score for earlier, score in history)
        regret = expected = None
        if total is not None:
            expected = Bracket(total.low / size, total.high / size)
            low = max(0.0, total.low - least.high) / size
            regret = Bracket(low, max(low, (total.high - least.low) / size))
        bracket = Bracket(least.low / size, least.high / size)
        best = tuple(game.guesses[at] for at in self._named(known))
        return Regret(
            word, len(candidates), legal, consistent, regret, expected, bracket, best,
            known.recorded,
        )  # fmt: skip

    def _settled(self, known: _Known, guess: int | None) -> Bracket | None:
        """The total of a guess, once that of the state is known."""
        if known.least is not None and (guess is None or guess in known.totals):
            return None if guess is None else known.totals[guess]
        if known.least is not None and not known.least.exact:  # it was tried before
            self._bound(known, guess)
        elif not (self._look_up(known) or self._try_quickly(known, guess)):
            try:
                self._search_to_the_end(known, guess)
            except CouldNotFinishError:
                self._bound(known, guess)
        return None if guess is None else known.totals[guess]

    def _named(self, known: _Known) -> list[int]:
        """Some best guesses: possible ones first, then common words, then by the alphabet."""
        possible = frozenset(self.game.secret_ids[known.candidates].tolist())
        order = sorted(known.best, key=lambda at: (at not in possible, at not in self._common, at))
        return order[:MOST_NAMED]

    def _look_up(self, known: _Known) -> bool:
        """Take a first guess from the table of records, if that is about this game."""
        if len(known.candidates) < len(self.game.secrets) or known.steps:
            return False
        table = None if self._chances is not None else recorded_totals(self.game, self.hard)
        if table is None:
            return False
        least = float(table.min())
        known.least, known.recorded = Bracket(least, least), True
        known.totals = {at: Bracket(v, v) for at, v in enumerate(table.astype(float).tolist())}
        known.best = tuple(np.flatnonzero(table == least).tolist())
        return True

    # --- without a search -----------------------------------------------------------------

    def _try_quickly(self, known: _Known, guess: int | None) -> bool:
        """Find the totals by counting buckets; whether that was enough."""
        if self.hard or self._chances is not None:
            return False
        if known.least is None and not self._quick(known):
            return False
        if guess is not None and guess not in known.totals:
            assert known.least is not None
            total = self._quick_total(known.candidates, guess, known.least.low)
            if total is None:
                return False
            known.totals[guess] = Bracket(total, total)
        return True

    def _quick(self, known: _Known) -> bool:
        """The least total of a state, where buckets that one guess tells apart are enough."""
        here, count = known.candidates, len(known.candidates)
        if count > _MOST_QUICK:
            return False
        own = self.game.secret_ids[here]
        perfect = own[self._perfect(here)]
        if len(perfect):
            return self._note_least(known, 2 * count - 1, perfect.tolist())
        measures = split_measures(self._rows(here), self.game.n_scores)
        bounds = 3 * count - measures.parts.astype(np.int64)
        bounds[own] -= 1
        lowest = int(bounds.min())
        for total in (lowest, lowest + 1):  # each guess below is shown to miss its bound
            at = np.flatnonzero(bounds == total)
            plain = measures.largest[at] <= 2
            if plain.any():
                return self._note_least(known, total, at[plain].tolist())
            if len(at) > _TRIED:
                return False
            met = [guess for guess in at.tolist() if self._meets_bound(here, guess)]
            if met:
                return self._note_least(known, total, met)
        return False

    def _note_least(self, known: _Known, total: int, guesses: list[int]) -> bool:
        known.least, known.best = Bracket(total, total), tuple(guesses)
        return True

    def _perfect(self, candidates: Ids) -> NDArray[np.bool_]:
        """For each candidate, whether it tells all others apart."""
        rows = np.sort(self._rows(candidates, self.game.secret_ids[candidates]), axis=1)
        apart: NDArray[np.bool_] = (rows[:, 1:] != rows[:, :-1]).all(axis=1)
        return apart

    def _buckets(self, candidates: Ids, guess: int) -> list[Ids]:
        """The buckets of a guess but its own."""
        scores = self._scored(candidates, guess)
        return [candidates[scores == it] for it in np.unique(scores) if it != self.game.solved]

    def _meets_bound(self, candidates: Ids, guess: int) -> bool:
        """Whether each bucket of a guess has a candidate that tells the others apart."""
        large = [bucket for bucket in self._buckets(candidates, guess) if len(bucket) > 2]
        return all(self._perfect(bucket).any() for bucket in large)

    def _quick_total(self, candidates: Ids, guess: int, least: float) -> float | None:
        """The total of a guess by the least totals of its buckets; None: one needs a search."""
        buckets, total = self._buckets(candidates, guess), len(candidates)
        if buckets and len(buckets[0]) == len(candidates):  # it tells nothing
            return total + least
        for bucket in buckets:
            if len(bucket) > 2:
                known = self._recall(bucket, ())
                if known.least is None and not self._quick(known):
                    return None
                assert known.least is not None
                if not known.least.exact:
                    return None
                total += int(known.least.low)
            else:
                total += 2 * len(bucket) - 1
        return float(total)

    # --- by the exact search ----------------------------------------------------------------

    def _search_to_the_end(self, known: _Known, guess: int | None) -> None:
        """Find the totals by the exact search; CouldNotFinishError if that would take too long."""
        if self.game.code_space is not None and self._chances is None:
            return self._search_codes(known, guess)
        count = len(known.candidates)
        problem = Problem(self.game, self.hard, None, tuple(known.candidates.tolist()), known.steps)
        if count > MOST_EXACT:
            if self._time_limit is not None:
                raise CouldNotFinishError(f"{count:,} secrets are too many to search at once")
            if self._chances is None:
                return self._search_long(known, guess)
        search = self._search_of(known, problem)
        if known.least is None or not known.least.exact:
            best = search.best(1)
            self._note_searched(known, best)
        assert known.least is not None
        if guess is not None and guess not in known.totals:
            total = search.total(guess, known.least.low)
            known.totals[guess] = Bracket(total, total)
        return None

    def _search_of(self, known: _Known, problem: Problem) -> ProvedTotals:
        """The search of a state, which later guesses in it use again."""
        key = self._key(known.candidates, known.steps)
        if self._search is None or self._search[0] != key:
            some = None if self._weights is None else self._weights[known.candidates]
            self._search = key, ProvedTotals(problem, some, self._check_time)
        return self._search[1]

    def _note_searched(self, known: _Known, best: dict[int, float]) -> None:
        least = min(best.values())
        known.least = Bracket(least, least)
        known.totals |= {at: Bracket(total, total) for at, total in best.items()}
        known.best = tuple(at for at, total in best.items() if total == least)

    def _search_codes(self, known: _Known, guess: int | None) -> None:
        """The same of Mastermind, by its own search, which knows renamed codes as one."""
        if self._codes is None:
            self._codes = ExactCodes(self.game, self._check_time)
        codes = self._codes
        if known.least is None or not known.least.exact:
            value = codes.value(known.candidates, UNLIMITED)
            self._note_searched(known, {value.guess: float(value.bound)})
        assert known.least is not None
        if guess is not None and guess not in known.totals:
            buckets, total = codes.buckets(known.candidates, guess), float(len(known.candidates))
            if len(buckets) == 1 and len(buckets[0]) == len(known.candidates):
                total += known.least.low
            else:
                total += sum(codes.value(bucket, UNLIMITED).bound for bucket in buckets)
            known.totals[guess] = Bracket(total, total)

    def _search_long(self, known: _Known, guess: int | None) -> None:
        """The same of very many candidates, however long it takes."""
        patient = Hindsight(self.game, hard=self.hard, patient=True)
        found = patient.look(known.candidates, known.steps, guess)
        size = len(known.candidates)
        self._note_searched(known, {at: float(round(it * size)) for at, it in found.best})
        if guess is not None and found.yours is not None:
            total = float(round(found.yours * size))
            known.totals[guess] = Bracket(total, total)

    # --- bounds -----------------------------------------------------------------------------

    def _bound(self, known: _Known, guess: int | None) -> None:
        """Bounds, where the search takes too long: from above by a strategy, below by buckets."""
        here, chances = known.candidates, self._chances
        quick = Hindsight(self.game, hard=self.hard, weights=self._weights, time_limit=0.0)
        found = quick.look(here, known.steps, guess)
        weight = np.ones(len(here)) if chances is None else chances_of(chances[here])
        size = len(here) if chances is None else 1.0
        lowest = self._lower_bounds(here, weight)
        legal = legal_after(self.game, known.steps) if self.hard else slice(None)
        low, high = float(lowest[legal].min()), found.least * size
        if known.least is None or not known.least.exact:
            known.least = Bracket(low, high)
            known.best = tuple(at for at, it in found.best if it == found.least)
        if guess is not None and found.yours is not None:
            least = known.least.low
            known.totals[guess] = Bracket(max(least, float(lowest[guess])), found.yours * size)

    def _lower_bounds(self, candidates: Ids, weight: NDArray[np.float64]) -> NDArray[np.float64]:
        """What each guess takes at least: in each bucket one secret is found by the next guess.

        At best that is the heaviest, and the others take one guess more.
        """
        measures = split_measures(self.game.score_rows(None, candidates), self.game.n_scores)
        first = np.concatenate([[0.0], np.cumsum(np.sort(weight)[::-1])])
        bounds = 3 * weight.sum() - first[measures.parts]
        bounds[self.game.secret_ids[candidates]] -= weight
        return np.asarray(bounds, dtype=np.float64)


def score_matrix(game: Game) -> NDArray[Any] | None:
    """All scores, a row a secret; None if they are too many to be kept."""
    size = len(game.secrets) * len(game.guesses) * np.dtype(game.score_dtype).itemsize
    if size > _MOST_BYTES:
        return None
    return np.ascontiguousarray(game.score_rows(None).T)


def recorded_totals(game: Game, hard: bool) -> NDArray[np.int64] | None:
    """The least total of each first guess, if the table of records is about this game."""
    if game.spec != "wordle" or (game.guesses_digest, game.secrets_digest) != _recorded_lists():
        return None
    return _totals_in("openers-answers-hard" if hard else "openers-answers")


@cache
def _recorded_lists() -> tuple[str, str]:
    return named_list(DEFAULT_LIST, "allowed").digest, named_list(DEFAULT_LIST, "answers").digest


@cache
def _totals_in(name: str) -> NDArray[np.int64] | None:
    """A table of records: word, lower bound, upper bound, in alphabetical order; all are exact."""
    try:
        text = lzma.decompress((data_folder().parent / "records" / f"{name}.csv.xz").read_bytes())
    except OSError:
        return None
    rows = [line.split(",") for line in text.decode("ascii").split()[1:]]
    return np.array([int(row[1]) for row in rows], dtype=np.int64)


@tells_progress("regret", reports=False)
def regret(
    game: Game,
    history: str | Sequence[Step] | Sequence[str],
    guess: str,
    *,
    hard: bool = False,
    weights: NDArray[np.float64] | None = None,
    time_limit: float | None = TIME_LIMIT,
    progress: bool | Call | None = None,
) -> Regret:
    """What a guess costs against the best one, in guesses expected: exact, or between bounds.

    Whoever asks more than once makes a ``Judge`` (``strategy.play.regret``), which has
    ``regret(history, guess)`` and ``regrets(histories, guesses)`` and knows states again.

    Args:
        game: What is played.
        history: The guesses before it with their scores: a text such as ``"crane bybbb"``, or pairs
            of a word and its score, as a text or an integer; nothing for the first guess.
        guess: The word that is judged.
        hard: Hard mode is played.
        weights: How likely each secret of the game is.
        time_limit: Seconds after which bounds are given; ``None``: no limit.
        progress: ``True`` says that something is compiled first, with a bar; or a function that is
            called with ``"compiling"``, how many are new, and of how many.

    Returns:
        The ``regret`` and the expectations of the guess (``expected``) and of the best one
        (``least``), each with ``low`` and ``high``; some of the ``best`` guesses; whether the guess
        is ``legal`` and ``consistent`` with the clues.

    Raises:
        WrongInputError: The word is no guess of this game, or the clues contradict each other.

    >>> from strategy import load_game, regret
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> found = regret(game, "", "abide")
    >>> found.regret.low, found.exact, found.best
    (0.4, True, ('crane', 'raise', 'slate', 'stare'))
    """
    return Judge(game, hard=hard, weights=weights, time_limit=time_limit).regret(history, guess)
