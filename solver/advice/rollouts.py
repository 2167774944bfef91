"""Words played out on several boards: what they take on average, when a quick rule goes on.

A *world* says which secret each board hides (see ``boards``). A word is *played out* in a world by
guessing it and going on by a rule that is quick rather than best. The mean over worlds estimates
what the word takes if the rule goes on; better play takes no more, so that it is an upper bound of
the least, but for chance. All words are played out in the same worlds: luck with the secrets hits
all alike, and the differences of two words vary much less than their values.

The rule guesses what is certain to solve a board, if anything is. Else it takes a board with n
candidates left for ``1 + PER_BIT * log2(n)`` guesses, a solved one for none, and guesses what makes
the expected sum over the boards least, the first of equal ones. So information counts on all
boards, and what a guess may solve counts too. It chooses from all candidates and from the best of
the other words.

Words are played in rounds of more and more worlds. After each, a word is given up whose mean is
worse than the best one's by more than ``SURE`` standard errors of the difference, and the worse
half in any case (sequential halving). Worlds are drawn by numbers that depend on the seed alone, so
that the same question has the same answer whatever the machine and the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..game.game import Game
from ..machine.arrays import Ids
from ..machine.clock import OutOfTimeError, limit_clock
from ..splits.measures import LOG_BITS, fixed_log_weights
from .boards import JointRanking, OpenBoard
from .joint_games import GameMemory, GameTables, play_worlds
from .joint_ranking import UNIT

Numbers = NDArray[np.float64]

#: What a bit that is missing on a board is taken for, in guesses.
PER_BIT = 0.45
#: Of the best words by either measure so many are played out.
BEST = 40
#: The worlds of the first round; each round has played twice as many as the one before.
FIRST_ROUND = 128
#: The clock is asked after so many games.
_PIECE = 256
#: A word is given up that is worse by so many standard errors of the difference.
SURE = 3.0
#: With more candidates on all boards together nothing is played out.
MOST_CANDIDATES = 8192
#: The most worlds that are drawn, and how often each is drawn again if two boards hide the same.
MOST_WORLDS = 1 << 16
_TRIES = 1000
#: The rule chooses from the candidates and so many of the best words: with all 12,972 games take
#: seven times as long, and 0.007 guesses less.
_POOL = 2000
#: Bytes of the costs that are kept for the boards after the first guess.
_KEPT_BYTES = 1 << 26
#: Means that differ by less are equal.
_EQUAL = 1e-9


class PlayedWord(NamedTuple):
    """What a word takes, if the quick rule goes on."""

    #: Its place in the ranking that it was taken from.
    place: int
    #: Guesses until all boards are solved, itself included, on average.
    mean: float
    #: The standard error of the mean; none if all worlds were played.
    error: float
    #: The worlds that it was played in.
    worlds: int
    #: Number of guesses → how likely so many are needed.
    chances: dict[int, float]

    def within(self, guesses: int) -> float:
        """How likely it is that so many guesses are enough."""
        return round(sum(it for count, it in self.chances.items() if count <= guesses), 12)


class Rollouts(NamedTuple):
    """Words that were played out, best first."""

    words: tuple[PlayedWord, ...]
    #: The seed by which worlds were drawn; all worlds that there are need none.
    seed: int
    #: Whether the best word was played in all worlds that there are.
    complete: bool


def words_to_play(
    boards: Sequence[OpenBoard], ranking: JointRanking, wanted: Sequence[int] = ()
) -> list[int]:
    """The places of a ranking by entropy that are worth being played out, and wanted ones.

    The best by the information, and the best by the expected value of the quick rule. Of words that
    are certain the first alone: they are all guessed, and in any order.
    """
    if any(len(board.candidates) == 1 for board in boards):
        return [0]
    costs = PER_BIT * UNIT * ranking.costs - ranking.hits
    quick = np.argsort(costs, kind="stable")[:BEST].tolist()
    return sorted({*range(min(BEST, len(costs))), *quick, *wanted})


def play_out(
    game: Game, boards: Sequence[OpenBoard], ranking: JointRanking, places: Sequence[int], *,
    worlds: int, seed: int = 1, seconds: float | None = None, rebates: Numbers | None = None,
) -> Rollouts:  # fmt: skip
    """Play words of a ranking out in at most so many worlds, and give up the worse ones.

    ``rebates`` are taken off the means, one for each place, when words are compared. After so many
    ``seconds`` the rounds that are complete decide. CouldNotFinishError: there is no complete
    round, or there are too many candidates.
    """
    if sum(len(board.candidates) for board in boards) > MOST_CANDIDATES:
        raise CouldNotFinishError("too many candidates to be played out")
    deck = Deck.of(boards, worlds, seed)
    rule = QuickRule(game, boards, _pool_of(game, boards, ranking, places))
    guesses = ranking.guesses[list(places)]
    contest = _Contest(rule, deck, guesses, np.zeros(len(places)) if rebates is None else rebates)
    try:
        contest.play(limit_clock(seconds))
    except OutOfTimeError:
        if not contest.order:
            raise
    rows = [contest.row(at, places[at]) for at in contest.order]
    return Rollouts(tuple(rows), seed, deck.complete and rows[0].worlds == len(deck.worlds))


class _Contest:
    """Words that are played in the same worlds, round after round."""

    def __init__(self, rule: QuickRule, deck: Deck, guesses: Ids, rebates: Numbers) -> None:
        self._rule, self._deck = rule, deck
        self._guesses, self._rebates = guesses.tolist(), rebates
        self._taken: list[Ids] = [np.empty(0, dtype=np.int32) for _ in self._guesses]
        #: The words of the last complete round, best first; then those given up before.
        self.order: list[int] = []

    def play(self, check: Callable[[], None]) -> None:
        """Play all rounds; the clock raises OutOfTimeError in the middle of one."""
        alive, gone = list(range(len(self._guesses))), list[int]()
        for begin, end in _rounds(len(self._deck.worlds)):
            found = []
            for at in alive:
                some = []
                for piece in range(begin, end, _PIECE):
                    check()
                    worlds = self._deck.worlds[piece : min(piece + _PIECE, end)]
                    some.append(self._rule.play(self._guesses[at], worlds))
                found.append(np.concatenate(some))
            for at, taken in zip(alive, found, strict=True):
                self._taken[at] = np.concatenate([self._taken[at], taken])
            alive.sort(key=lambda at: (self._value(at), at))
            self.order = alive + gone
            better = alive[: len(alive) - len(alive) // 2]
            kept = [at for at in better if not self._is_worse(at, alive[0])]
            gone = [at for at in alive if at not in kept] + gone
            alive = kept

    def _is_worse(self, at: int, best: int) -> bool:
        """Whether a word is worse than the best one, and not by chance."""
        differences = (self._taken[at] - self._taken[best]).astype(np.float64)
        mean, error = _mean_of(differences, self._weights(at))
        mean -= float(self._rebates[at] - self._rebates[best])
        return mean > SURE * error + _EQUAL

    def _value(self, at: int) -> float:
        mean, _ = _mean_of(self._taken[at].astype(np.float64), self._weights(at))
        return round(mean - float(self._rebates[at]), 9)

    def _weights(self, at: int) -> Numbers:
        return self._deck.weights[: len(self._taken[at])]

    def row(self, at: int, place: int) -> PlayedWord:
        """What is known of a word."""
        taken, weights = self._taken[at], self._weights(at)
        mean, error = _mean_of(taken.astype(np.float64), weights)
        shares = np.bincount(taken, weights) / weights.sum()
        if self._deck.complete and len(taken) == len(self._deck.worlds):
            error = 0.0
        chances = {count: float(share) for count, share in enumerate(shares) if share > 0.0}
        return PlayedWord(place, mean, error, len(taken), chances)


def _rounds(count: int) -> Iterator[tuple[int, int]]:
    """Where rounds begin and end, if there are so many worlds."""
    begin, end = 0, min(FIRST_ROUND, count)
    while begin < count:
        yield begin, end
        begin, end = end, min(2 * end, count)


def _mean_of(values: Numbers, weights: Numbers) -> tuple[float, float]:
    """A weighted mean, and its standard error; of a single value it is unknown and infinite."""
    whole = float(weights.sum())
    mean = float((values * weights).sum()) / whole
    count = len(values)
    if count == 1:
        return mean, float("inf")
    squares = float(((weights * (values - mean)) ** 2).sum())
    return mean, (squares * count / (count - 1)) ** 0.5 / whole


# ---- The rule at work


def game_tables(game: Game, boards: Sequence[OpenBoard], pool: Ids) -> GameTables:
    """What games on some boards are played with, if guesses are chosen from a pool."""
    together = np.unique(np.concatenate([board.candidates for board in boards])).astype(np.int32)
    sizes = [len(board.candidates) for board in boards]
    values, numbers = np.zeros(max(sizes) + 1), np.arange(1, max(sizes) + 1)
    bits = fixed_log_weights(max(sizes))[1:] / (numbers * 2.0**LOG_BITS)
    values[1:] = 1.0 + PER_BIT * bits
    members = np.concatenate([np.searchsorted(together, it.candidates) for it in boards])
    return GameTables(
        np.ascontiguousarray(game.score_rows(pool, together).T),
        np.searchsorted(pool, game.secret_ids[together]).astype(np.int32),
        np.cumsum([0, *sizes], dtype=np.int32),
        members.astype(np.int32),
        np.concatenate([board.chances() for board in boards]),
        values,
    )


def game_memory(tables: GameTables) -> GameMemory:
    """Memory for games with these tables."""
    count, n_guesses = len(tables.members), tables.scores.shape[1]
    rows = max(1, min(count, _KEPT_BYTES // (4 * n_guesses)))
    return GameMemory(
        np.empty(count, dtype=np.int32),
        np.empty(len(tables.starts) - 1, dtype=np.int32),
        np.empty(n_guesses, dtype=np.uint16),
        np.empty(n_guesses, dtype=np.int32),
        np.zeros(len(tables.values), dtype=np.int32),
        np.empty((rows, n_guesses), dtype=np.int32),
        np.empty(count, dtype=np.int32),
    )


class QuickRule:
    """The rule on some boards, with the words that it chooses from; it plays whole games."""

    def __init__(self, game: Game, boards: Sequence[OpenBoard], pool: Ids) -> None:
        self._solved, self._pool = game.solved, pool
        self._tables = game_tables(game, boards, pool)
        self._memory = game_memory(self._tables)

    def play(self, guess: int, worlds: Ids) -> Ids:
        """How many guesses worlds take that begin with a guess; a world has places of candidates.

        These are the places in the list of the candidates of all boards side by side.
        """
        taken = np.empty(len(worlds), dtype=np.int32)
        first = int(np.searchsorted(self._pool, guess))
        secrets = np.ascontiguousarray(self._tables.members[worlds])
        play_worlds(self._tables, self._memory, self._solved, first, secrets, taken)
        return taken


def _pool_of(
    game: Game, boards: Sequence[OpenBoard], ranking: JointRanking, places: Sequence[int]
) -> Ids:
    """What the rule chooses from: all candidates, the words to be played out, the best others."""
    best = ranking.guesses[:_POOL]
    own = [game.secret_ids[board.candidates] for board in boards]
    return np.unique(np.concatenate([best, ranking.guesses[list(places)], *own])).astype(np.int32)


# ---- Worlds


class Deck(NamedTuple):
    """Worlds to be played, in an order that chance has made."""

    #: A row for each: places in the list of the candidates of all boards side by side.
    worlds: Ids
    #: How much each counts.
    weights: Numbers
    #: Whether these are all worlds that there are.
    complete: bool

    @classmethod
    def of(cls, boards: Sequence[OpenBoard], count: int, seed: int) -> Deck:
        """All worlds of some boards if they are no more than ``count``, else so many drawn ones."""
        starts = np.cumsum([0, *(len(board.candidates) for board in boards[:-1])])
        is_apart = can_be_apart(boards)
        if prod(len(board.candidates) for board in boards) > count:
            places = _drawn(boards, min(count, MOST_WORLDS), seed, is_apart)
            return cls((places + starts).astype(np.int32), np.ones(len(places)), False)
        sizes = [len(board.candidates) for board in boards]
        every = np.column_stack(np.unravel_index(np.arange(prod(sizes)), sizes))
        if is_apart:
            every = every[_are_apart(boards, every)]
        lots = chance_bits(seed, np.arange(len(every)), 1, 0)[:, 0]
        every = every[np.argsort(lots, kind="stable")]
        weights = np.ones(len(every))
        for at, board in enumerate(boards):
            if board.weights is not None:
                weights *= board.chances()[every[:, at]]
        return cls((every + starts).astype(np.int32), weights, True)


def _drawn(boards: Sequence[OpenBoard], count: int, seed: int, is_apart: bool) -> NDArray[np.int64]:
    """Worlds drawn by lot, those in which two boards hide the same drawn again: world and board."""
    sums = [np.cumsum(board.chances()) for board in boards]
    places = np.empty((count, len(boards)), dtype=np.int64)
    open_worlds = np.arange(count)
    for attempt in range(_TRIES):
        lots = chance_bits(seed, open_worlds, len(boards), attempt)
        shares = (lots >> np.uint64(11)).astype(np.float64) * 2.0**-53
        for at, upto in enumerate(sums):
            found = np.searchsorted(upto, shares[:, at] * upto[-1], side="right")
            places[open_worlds, at] = np.minimum(found, len(upto) - 1)
        if is_apart:
            open_worlds = open_worlds[~_are_apart(boards, places[open_worlds])]
        if not is_apart or not len(open_worlds):
            return places
    raise CouldNotFinishError("no worlds are found in which all boards hide different words")


def chance_bits(
    seed: int, worlds: NDArray[np.int64], boards: int, attempt: int
) -> NDArray[np.uint64]:
    """64 bits for each world and board: a counter, mixed as in SplitMix64 (Steele et al. 2014)."""
    numbers = (worlds[:, None] * boards + np.arange(boards)).astype(np.uint64)
    begin = (seed * 0xD1342543DE82EF95 + attempt * 0xA0761D6478BD642F) % 2**64
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(begin)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)), dtype=np.uint64)


def _are_apart(boards: Sequence[OpenBoard], places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each world whether no two boards hide the same."""
    columns = [board.candidates[places[:, at]] for at, board in enumerate(boards)]
    secrets = np.sort(np.column_stack(columns), axis=1)
    return np.asarray((secrets[:, 1:] != secrets[:, :-1]).all(axis=1))


def can_be_apart(boards: Sequence[OpenBoard]) -> bool:
    """Whether all boards can hide different words: each gets one of its own (a matching).

    A board with as many candidates as there are boards always gets one.
    """
    holder: dict[int, int] = {}
    few = [it.candidates.tolist() for it in boards if len(it.candidates) < len(boards)]

    def settle(board: int, tried: set[int]) -> bool:
        for word in few[board]:
            if word not in tried:
                tried.add(word)
                if word not in holder or settle(holder[word], tried):
                    holder[word] = board
                    return True
        return False

    return all(settle(board, set()) for board in range(len(few)))
