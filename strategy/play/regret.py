"""What a guess costs against the best one, in guesses: a judge of players and of those who learn.

The *regret* of a guess is what is expected from it on, itself included, less the same of the best
guess, on average over the secrets that are possible; all later guesses are the best ones, and
nothing limits their number. It is exact, or lies between two bounds that are both given.

Most states of a game need no search: their buckets say what they take. What the exact search cannot
finish in time has an upper bound by a beam and a lower one by buckets. First guesses of the
original game stand in the table of records, which no search reads.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.by_buckets import ScoresAtHand, least_by_buckets, lower_bounds, total_by_buckets
from solver.advice.hindsight import Hindsight
from solver.advice.suggest import candidates_after, common_words
from solver.errors import WrongInputError
from solver.game.game import Game, History
from solver.game.wordle import legal_after, require_hard_mode, require_legal
from solver.machine.arrays import Ids
from solver.shown import Described
from solver.splits.measures import chances_of
from solver.words.lists import DEFAULT_LIST, data_folder, named_list

from ..solving.progress import Call, tells_progress
from ..toolbox.guesses import history_of_steps
from ..tree import Step

#: Seconds that a question may take, and values of states and guesses that are remembered.
TIME_LIMIT = 2.0
REMEMBERED = 20_000
#: The share of the time that the exact search has for the state, and again for the guess.
_SHARE = 0.4
#: The best guesses that are named.
MOST_NAMED = 10
Steps = tuple[tuple[int, int], ...]
#: What a state takes from a guess on, or from the best one, at least and at most; some guesses of
#: the least total in it, or of the least upper bound; and whether a table of records has it.
_Worth = tuple[float, float, Sequence[int], bool]


class Bracket(NamedTuple):
    """What something is at least and at most."""

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether both bounds are equal."""
        return self.low == self.high

    def over(self, size: float) -> Bracket:
        """Its share of one of so many."""
        return Bracket(self.low / size, self.high / size)

    def __str__(self) -> str:
        return "–".join(dict.fromkeys(f"{end:.4f}" for end in self))


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
    #: Some of the best guesses known: possible ones first, then common words, then by the alphabet.
    best: tuple[str, ...]
    #: Whether the table of records has it; else it was searched.
    recorded: bool = False

    @property
    def exact(self) -> bool:
        """Whether the regret is known exactly."""
        return self.regret is not None and self.regret.exact

    def _line(self) -> str:
        return f"{self.word}: {self.regret or 'hard mode forbids it'}"


class Judge:
    """Judges guesses of one game; states that come again are known. Threads may share it."""

    def __init__(
        self, game: Game, *, hard: bool = False, weights: NDArray[np.float64] | None = None,
        time_limit: float | None = TIME_LIMIT, remembered: int = REMEMBERED,
    ) -> None:  # fmt: skip
        """``weights`` say how likely each secret is; without a time limit all is exact."""
        if hard:
            require_hard_mode(game)
        self.game, self.hard = game, hard
        self._chances = None if weights is None else chances_of(weights)
        self._scores = ScoresAtHand(game)
        self._common = frozenset(common_words(game).tolist())
        self._search = Hindsight(
            game, hard=hard, weights=weights, patient=time_limit is None,
            time_limit=time_limit and _SHARE * time_limit, top=1,
        )  # fmt: skip
        self._lock = RLock()
        # what was not asked for longest is forgotten
        self._worth = lru_cache(remembered)(self._worth_of)

    def regret(self, history: str | Sequence[Step] | Sequence[str], guess: str) -> Regret:
        """What a guess costs after a history: a text, or pairs of a word and its score."""
        return self.regrets([history], [guess])[0]

    def regrets(
        self, states: Sequence[str | Sequence[Step] | Sequence[str]], guesses: Sequence[str]
    ) -> list[Regret]:
        """The same of many states and a guess in each; equal states share their work."""
        ids = [self.game.guess_id(guess) for guess in guesses]
        with self._lock:
            asked = [(self._read(it)[0], guess) for it, guess in zip(states, ids, strict=True)]
            found = {each: self._judged(*each) for each in sorted(asked)}
            return [found[each] for each in asked]

    def candidates(self, history: str | Sequence[Step] | Sequence[str]) -> Ids:
        """Positions of the secrets that fit; clues that contradict each other are named."""
        return candidates_after(self.game, self._read(history)[0])

    def legal(self, history: str | Sequence[Step] | Sequence[str]) -> Ids:
        """Positions of the guesses that hard mode allows, if that is played; else of all."""
        return self._read(history)[2]

    def best(
        self, history: str | Sequence[Step] | Sequence[str]
    ) -> tuple[Bracket, tuple[str, ...]]:
        """What is expected from the best guess on, and some of the best guesses."""
        word = self.game.secrets[int(self.candidates(history)[0])]  # legal in hard mode too
        found = self.regret(history, word)
        return found.least, found.best

    def _read(self, state: str | Sequence[Step] | Sequence[str]) -> tuple[History, Steps, Ids]:
        """A history; what hard mode asks for, nothing if it is not played; and what is legal."""
        history = history_of_steps(self.game, state)
        if any(score == self.game.solved for _, score in history):
            raise WrongInputError("the game is over: a guess of the history was the secret")
        steps = tuple((self.game.guess_id(word), score) for word, score in history if self.hard)
        return history, steps, require_legal(self.game, steps)

    def _judged(self, history: History, guess: int) -> Regret:
        game, (_, steps, allowed) = self.game, self._read(history)
        word, candidates = game.guesses[guess], candidates_after(game, history)
        key, size = (candidates.tobytes(), steps), len(candidates)
        share = size if self._chances is None else 1.0
        least, most, ties, recorded = self._worth(*key)
        regret = expected = None
        if legal := guess in allowed:
            low, high, *_ = self._worth(*key, guess)
            lost = max(0.0, low - most)
            regret = Bracket(lost, max(lost, high - least)).over(share)
            expected = Bracket(low, high).over(share)
        own = frozenset(game.secret_ids[candidates].tolist())
        best = sorted(ties, key=lambda at: (at not in own, at not in self._common, at))
        named = tuple(game.guesses[at] for at in best[:MOST_NAMED])
        fits = all(game.grade(earlier, word) == score for earlier, score in history)
        figures = (regret, expected, Bracket(least, most).over(share))
        return Regret(word, size, legal, fits, *figures, named, recorded)

    def _worth_of(self, key: bytes, steps: Steps, guess: int | None = None) -> _Worth:
        """The totals by records, by buckets, or by a search; else bounds."""
        here: Ids = np.frombuffer(key, dtype=np.int32)
        game, chances = self.game, self._chances
        begins = len(here) == len(game.secrets) and not steps and chances is None
        if begins and (table := recorded_totals(game, self.hard)) is not None:
            total = float(table.min() if guess is None else table[guess])
            return total, total, np.flatnonzero(table == table.min()).tolist(), True
        counts = not self.hard and chances is None  # all guesses are legal, all secrets alike
        low = 0.0
        if guess is not None:
            low, high, ties, _ = state = self._worth(key, steps)
            if low == high and guess in ties:
                return state
            if low == high and counts:
                counted = total_by_buckets(self._scores, here, guess, int(low))
                if counted is not None:
                    return counted, counted, ties, False
        elif counts and (least := least_by_buckets(self._scores, here)) is not None:
            return least[0], *least, False
        found = self._search.search(here, steps, guess)
        mean = found.least if found.yours is None else found.yours
        total = mean if chances is not None else float(round(mean * len(here)))
        ties = [at for at, it in found.best if it == found.least]
        if found.exact:
            return total, total, ties, False
        weight = np.ones(len(here)) if chances is None else chances_of(chances[here])
        bounds = lower_bounds(self._scores, here, weight)
        low = max(low, bounds[legal_after(game, steps) if guess is None else guess].min())
        return float(low), total, ties, False


@lru_cache(maxsize=4)
def recorded_totals(game: Game, hard: bool) -> NDArray[np.int64] | None:
    """The least total of each first guess, if the table of records is about this game."""
    about = [named_list(DEFAULT_LIST, part).digest for part in ("allowed", "answers")]
    if game.spec != "wordle" or [game.guesses_digest, game.secrets_digest] != about:
        return None
    name = f"openers-answers{'-hard' * hard}.csv.xz"
    with lzma.open(data_folder().parent / "records" / name, "rt") as rows:
        return np.loadtxt(rows, np.int64, delimiter=",", skiprows=1, usecols=1)


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

    Whoever asks more than once makes a ``Judge`` of ``strategy.play.regret``.

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
