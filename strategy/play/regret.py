"""What a guess costs against the best one, in guesses: a judge of players and of those who learn.

The *regret* of a guess is what is expected from it on, itself included, less the same of the best
guess, on average over the secrets that are possible; all later guesses are the best ones, and
nothing limits their number. It is exact, or lies between two bounds that are both given.

Most states of a game need no search: their buckets say what they take. What is left goes to the
exact search, and what that cannot finish in time to a beam, for upper bounds, with bounds by
buckets below. First guesses of the original game are looked up in the table of records, where all
are settled; no search reads that.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.by_buckets import BucketTotals
from solver.advice.hindsight import Hindsight
from solver.advice.suggest import candidates_after, common_words
from solver.errors import WrongInputError
from solver.game.game import Game, History
from solver.game.wordle import legal_after, require_legal
from solver.machine.arrays import Ids
from solver.shown import Described
from solver.splits.measures import chances_of
from solver.words.lists import DEFAULT_LIST, data_folder, named_list

from ..solving.progress import Call, tells_progress
from ..toolbox.guesses import history_of_steps

if TYPE_CHECKING:
    from ..tree import Step

#: Seconds that a question may take, and states that are remembered.
TIME_LIMIT = 2.0
REMEMBERED = 20_000
#: The share of the time that the exact search has for the state, and again for the guess.
_SHARE = 0.4
#: The best guesses that are named.
MOST_NAMED = 10
Steps = tuple[tuple[int, int], ...]


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


class _State(NamedTuple):
    """What is known of a state."""

    least: Bracket
    #: Some guesses that have the least total, or the least upper bound.
    best: tuple[int, ...]
    #: The totals of all guesses, where a table of records has them.
    recorded: NDArray[np.int64] | None = None


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
        #: Whether buckets say totals: only where every guess is legal and all secrets alike.
        self._counts = not hard and weights is None
        self._everything = np.arange(len(game.secrets), dtype=np.int32)
        self._common = frozenset(common_words(game).tolist())
        self._buckets = BucketTotals(game, remembered)
        self._search, self._bound = (
            Hindsight(
                game, hard=hard, weights=weights, patient=limit is None, time_limit=limit, top=1
            )
            for limit in (time_limit and _SHARE * time_limit, 0.0)
        )
        self._lock = RLock()
        # what was not asked for longest is forgotten
        self._state = lru_cache(remembered)(self._state_of)
        self._total = lru_cache(remembered)(self._total_of)

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
            order = sorted(range(len(ids)), key=lambda at: fitting[at].tobytes())
            found = {at: self._judged(histories[at], fitting[at], ids[at]) for at in order}
            return [found[at] for at in range(len(ids))]

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
            guess = np.array([self.game.guess_id(word)], dtype=np.int32)
            left = left[self._buckets.scored(left, guess)[0] == score]
        return left if len(left) else candidates_after(self.game, history)

    # --- answers --------------------------------------------------------------------------

    def _judged(self, history: History, candidates: Ids, guess: int) -> Regret:
        game = self.game
        steps = tuple((game.guess_id(word), score) for word, score in history)
        key = candidates.tobytes(), steps if self.hard else ()
        word, legal = game.guesses[guess], not self.hard or guess in legal_after(game, steps)
        state, size = self._state(*key), 1.0 if self._chances is not None else len(candidates)
        consistent = all(game.grade(earlier, word) == score for earlier, score in history)
        regret = expected = None
        if legal:
            total, least = self._total(*key, guess), state.least
            expected = Bracket(total.low / size, total.high / size)
            low = max(0.0, total.low - least.high) / size
            regret = Bracket(low, max(low, (total.high - least.low) / size))
        # possible ones first, then common words, then by the alphabet
        own = frozenset(game.secret_ids[candidates].tolist())
        best = sorted(state.best, key=lambda at: (at not in own, at not in self._common, at))
        return Regret(
            word, len(candidates), legal, consistent, regret, expected,
            Bracket(state.least.low / size, state.least.high / size),
            tuple(game.guesses[at] for at in best[:MOST_NAMED]), state.recorded is not None,
        )  # fmt: skip

    def _state_of(self, key: bytes, steps: Steps) -> _State:
        """The least total of a state, by records, by buckets, or by a search; else bounds."""
        here: Ids = np.frombuffer(key, dtype=np.int32)
        if len(here) == len(self.game.secrets) and not steps and self._chances is None:
            table = recorded_totals(self.game, self.hard)
            if table is not None:
                best = np.flatnonzero(table == table.min()).tolist()
                return _State(_exactly(table.min()), tuple(best), table)
        counted = self._buckets.least(here) if self._counts else None
        if counted is not None:
            return _State(_exactly(counted[0]), counted[1])
        found = self._search.search(here, steps)
        low = least = self._sum(found.least, here)
        if not found.exact:
            legal = legal_after(self.game, steps) if self.hard else slice(None)
            low = float(self._lower_bounds(here)[legal].min())
        return _State(Bracket(low, least), tuple(at for at, it in found.best if it == found.least))

    def _total_of(self, key: bytes, steps: Steps, guess: int) -> Bracket:
        """The total of a guess, in the same ways."""
        here: Ids = np.frombuffer(key, dtype=np.int32)
        state = self._state(key, steps)
        if state.recorded is not None:
            return _exactly(state.recorded[guess])
        if state.least.exact and guess in state.best:
            return state.least
        if state.least.exact and self._counts:
            counted = self._buckets.total(here, guess, int(state.least.low))
            if counted is not None:
                return _exactly(counted)
        search = self._search if state.least.exact else self._bound
        found = search.search(here, steps, guess)
        assert found.yours is not None
        total = self._sum(found.yours, here)
        if found.exact:
            return _exactly(total)
        return Bracket(max(state.least.low, float(self._lower_bounds(here)[guess])), total)

    def _sum(self, mean: float, candidates: Ids) -> float:
        """The guesses of all candidates, by those of one on average; with weights the average."""
        return mean if self._chances is not None else float(round(mean * len(candidates)))

    def _lower_bounds(self, candidates: Ids) -> NDArray[np.float64]:
        chances = self._chances
        weight = np.ones(len(candidates)) if chances is None else chances_of(chances[candidates])
        return self._buckets.lower_bounds(candidates, weight)


def _exactly(total: float) -> Bracket:
    return Bracket(float(total), float(total))


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
