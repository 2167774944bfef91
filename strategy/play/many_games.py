"""Many games that the helper plays by itself, on one board or several: what they take on average.

The words of a game are drawn as ``knuthle game`` draws them, from the seed of the game; games that
are played one after the other have one seed after the other. So a long run can be made of pieces,
anywhere and in any order, and its results do not depend on who plays which game.

Each guess is what ``proposals.next_guess`` proposes. Where it is what has the most entropy, and
where a word is certain, the guess is found here in less time. In which order certain words are
guessed makes no difference: all of them are guessed before anything else, and what is left then
depends on which they are alone. So no game takes more guesses, or fewer, for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solver.advice.boards import OpenBoard, can_be_listed
from solver.advice.joint_games import follow
from solver.advice.rollouts import game_memory, game_tables
from solver.advice.summed_entropy import MOST, best_by_sum, missing_bits
from solver.machine.clock import Clock, carrying
from solver.machine.pool import Pool, available_cores
from solver.shown import ShownRows
from solver.splits.measures import LOG_BITS, fixed_log_weight_steps
from solver.splits.ranking import measures_of

from ..files.text import counted
from .game import Hidden, limit_of
from .position import BoardLeft, Lexicon, Position, Turn
from .proposals import Choice, legal_pool, next_guess

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.game.game import Game
    from solver.machine.arrays import Ids

#: Called with how many games have been played since the last call, and how many there are.
Report = Callable[[int, int], None]
#: So many games are one task of a worker.
_TOGETHER = 8
#: Tables of scores may have so many bytes; without them the games take longer.
_TABLE_BYTES = 1 << 29
#: So many positions are remembered with the guess that was found.
_REMEMBERED = 1 << 16
#: So many boards are remembered with the bits of all guesses, if more candidates are left than the
#: second number says: mostly boards after the first guess.
_KEPT, _FEW = 1 << 9, 24
#: With more candidates a board is measured as everywhere, which then takes less time.
_MANY = 128
#: Half the width of an interval that has the true share in 95 of 100 cases, in standard errors.
_SURE = 1.959963984540054


class PlayedGame(NamedTuple):
    """A game that is over."""

    #: ``Hidden.drawn`` draws the same words by it.
    seed: int
    words: tuple[str, ...]
    #: The guesses until all boards were solved.
    n_taken: int
    #: The same where no words are played out; None: none were in the first place.
    n_by_entropy: int | None


class Estimate(NamedTuple):
    """A mean over games, and its standard error; of a single game there is none."""

    mean: float
    error: float | None

    @classmethod
    def of(cls, values: Sequence[int]) -> Estimate:
        """The mean of some numbers."""
        count = len(values)
        mean = sum(values) / count
        if count == 1:
            return cls(mean, None)
        squares = sum((value - mean) ** 2 for value in values)
        return cls(mean, sqrt(squares / (count - 1) / count))


class Share(NamedTuple):
    """How many games ended within the limit, and the 95 % interval of their true share (Wilson)."""

    n_games: int
    share: float
    low: float
    high: float

    @classmethod
    def of(cls, n_games: int, of_all: int) -> Share:
        """So many games of all that were played."""
        share, weight = n_games / of_all, _SURE**2 / of_all
        middle = (share + weight / 2) / (1 + weight)
        half = _SURE * sqrt(share * (1 - share) / of_all + weight / (4 * of_all)) / (1 + weight)
        return cls(n_games, share, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, repr=False)
class PlayedGames(ShownRows):
    """Games that were played, by their seeds, and what they took."""

    boards: int
    #: The guesses that a game allows; None: as many as it takes.
    limit: int | None
    games: tuple[PlayedGame, ...]
    seconds: dict[str, float]

    @cached_property
    def taken(self) -> Estimate | None:
        """The mean number of guesses; None: no game has been played."""
        return Estimate.of([game.n_taken for game in self.games]) if self.games else None

    @property
    def worst(self) -> int | None:
        """The most guesses that a game took."""
        return max((game.n_taken for game in self.games), default=None)

    @property
    def histogram(self) -> dict[int, int]:
        """The number of guesses → how many games took so many."""
        return dict(sorted(Counter(game.n_taken for game in self.games).items()))

    @property
    def won(self) -> Share | None:
        """The games that ended within the limit; None: there is no limit, or no game."""
        if self.limit is None or not self.games:
            return None
        return Share.of(sum(game.n_taken <= self.limit for game in self.games), len(self.games))

    @property
    def gain(self) -> Estimate | None:
        """The guesses that words played out save in the same games; None: none were played out."""
        pairs = [(it.n_by_entropy, it.n_taken) for it in self.games]
        saved = [plain - taken for plain, taken in pairs if plain is not None]
        return Estimate.of(saved) if saved else None

    def _line(self) -> str:
        if self.taken is None:
            return "no games"
        error = "" if self.taken.error is None else f" ± {self.taken.error:.4f}"
        won = "" if self.won is None else f", {self.won.share:.1%} within {self.limit}"
        count = f"{counted(len(self.games), 'game')} on {counted(self.boards, 'board')}"
        return f"{count}, {self.taken.mean:.4f}{error} guesses{won}"

    def _records(self) -> list[dict[str, Any]]:
        return [game._asdict() | {"words": " ".join(game.words)} for game in self.games]


def play_games(
    game: Game,
    boards: int,
    count: int,
    *,
    seed: int = 1,
    choice: Choice | None = None,
    workers: int | None = None,
    progress: Report = lambda new, count: None,
) -> PlayedGames:
    """Let the helper play games by itself, with words that are drawn, no two of a game the same.

    Args:
        game: What is played; its secrets are drawn, all of them equally likely.
        boards: The boards of a game.
        count: The number of games.
        seed: The seed of the first game; the next one has the next.
        choice: How the helper chooses. If it plays words out, the same games are also played
            without.
        workers: Processes; all cores by default. The results are the same.
        progress: Called with the games played since the last call, and their number.

    Raises:
        WrongInputError: There are fewer secrets than boards, or the choice cannot be made.

    >>> from strategy import load_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> found = play_games(game, 2, 4, workers=1)
    >>> found.taken.mean, found.worst, found.won.n_games
    (2.25, 3, 4)
    """
    clock, chosen = Clock(), choice or Choice(within=limit_of(game, boards))
    question = (game, boards, chosen)
    Hidden.drawn(game, boards, seed)  # refuses what cannot be drawn
    chosen.check(Lexicon.of(game), boards)
    found: dict[int, PlayedGame] = {}
    seeds = range(seed, seed + count)
    tasks = [tuple(seeds[at : at + _TOGETHER]) for at in range(0, count, _TOGETHER)]
    try:
        for played in _played(question, tasks, workers or available_cores()):
            found |= {it.seed: it for it in played}
            progress(len(played), count)
    except KeyboardInterrupt as error:
        raise carrying(error, _in_order(boards, chosen, found, clock)) from None
    return _in_order(boards, chosen, found, clock)


def _in_order(
    boards: int, choice: Choice, found: dict[int, PlayedGame], clock: Clock
) -> PlayedGames:
    clock.lap("games")
    games = tuple(found[seed] for seed in sorted(found))
    return PlayedGames(boards, choice.within, games, clock.seconds())


#: The game, the boards, and how the helper chooses.
Question = tuple["Game", int, Choice]
#: The seeds of some games.
_Seeds = tuple[int, ...]


def _played(question: Question, tasks: Sequence[_Seeds], workers: int) -> Any:
    """Tasks played, in the order in which they are done."""
    if workers == 1 or len(tasks) < 2:
        play = _player(*question)
        yield from map(play, tasks)
        return
    with Pool(_player, question, min(workers, len(tasks))) as pool:
        for _, played in pool.run(tasks):
            yield played


def _player(game: Game, boards: int, choice: Choice) -> Callable[[_Seeds], list[PlayedGame]]:
    """What plays the games of some seeds."""
    lexicon = Lexicon.of(game)
    plain = replace(choice, worlds=0, seconds=None)
    by_entropy = player_of(lexicon, boards, plain)
    by_choice = player_of(lexicon, boards, choice) if choice.plays_out else by_entropy

    def play(seeds: _Seeds) -> list[PlayedGame]:
        played = []
        for seed in seeds:
            host = Hidden.drawn(game, boards, seed)
            words = tuple(host.possible(at)[0] for at in range(boards))
            taken = by_choice(words)
            played.append(
                PlayedGame(seed, words, taken, by_entropy(words) if choice.plays_out else None)
            )
        return played

    return play


#: How many guesses it takes to find the words of a game.
Player = Callable[[Sequence[str]], int]


def player_of(lexicon: Lexicon, boards: int, choice: Choice) -> Player:
    """What plays games on so many boards; the quick way where the choice allows it."""
    game = lexicon.game
    table = int(lexicon.likely.sum()) * len(game.guesses) * np.dtype(game.score_dtype).itemsize
    usual = choice.by is None and not choice.common and not choice.hard
    if usual and lexicon.weights is None and boards > 1 and table <= _TABLE_BYTES:
        return QuickGames(lexicon, boards, choice).play
    return StepwiseGames(lexicon, choice).play


class StepwiseGames:
    """Games that are played proposal by proposal; a position that came up before has its guess."""

    def __init__(self, lexicon: Lexicon, choice: Choice) -> None:
        self._lexicon, self._choice = lexicon, choice
        self._known: dict[Any, str] = {}

    def play(self, words: Sequence[str]) -> int:
        """How many guesses it takes to find these words, one a board."""
        position = Position.start(self._lexicon, len(words))
        while not position.solved:
            word = self._guess(position)
            scores = [self._lexicon.game.grade(word, words[at]) for at in position.open]
            position = position.after(word, scores)
        return len(position.turns)

    def _guess(self, position: Position) -> str:
        number, start = len(position.turns), self._choice.start
        left = [position.boards[at].left for at in position.open]
        if number < len(start) and any(len(some) > 1 for some in left):
            legal = legal_pool(position, replace(self._choice, guess_from="allowed"))
            if self._lexicon.game.guess_id(start[number]) in legal:
                return start[number]
        clues = position.boards[0].clues if self._choice.hard else ()
        key = (number, clues, *(some.tobytes() for some in left))
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[key] = next_guess(position, self._choice)
        return self._known[key]


class QuickGames:
    """Games on several boards; all scores are known beforehand, and certain words come in a row."""

    def __init__(self, lexicon: Lexicon, boards: int, choice: Choice) -> None:
        game = lexicon.game
        self._lexicon, self._choice, self._game = lexicon, choice, game
        #: The positions of the secrets that may be hidden, and the guesses that these are.
        self._likely = np.flatnonzero(lexicon.likely).astype(np.int32)
        self._ids = game.secret_ids[self._likely]
        self._place = {game.secrets[it]: at for at, it in enumerate(self._likely.tolist())}
        everything = np.arange(len(game.guesses), dtype=np.int32)
        self._tables = game_tables(game, [OpenBoard(self._likely)] * boards, everything)
        self._memory = game_memory(self._tables)
        self._steps = fixed_log_weight_steps(MOST)
        self._common = np.isin(everything, lexicon.common).astype(np.uint8)
        self._pool = everything
        self._known: dict[Any, int] = {}
        self._rows: dict[bytes, NDArray[np.float64]] = {}

    def play(self, words: Sequence[str]) -> int:
        """How many guesses it takes to find these words, one a board."""
        secrets = np.array([self._place[word] for word in words], dtype=np.int32)
        start = [self._game.guess_id(word) for word in self._choice.start]
        tables, memory = self._tables, self._memory
        memory.left[:] = np.arange(len(memory.left))
        memory.sizes[:] = np.diff(tables.starts)
        made: list[int] = []
        some = np.empty(len(secrets) + 1, dtype=np.int32)
        while memory.sizes.any():
            forced = len(made) < len(start) and memory.sizes.max() > 1
            guess = start[len(made)] if forced else self._guess(made, secrets)
            onward = len(made) + 1 >= len(start) or not forced
            count = follow(tables, memory, self._game.solved, guess, secrets, onward, some)
            made += some[:count].tolist()
        return len(made)

    def _guess(self, made: Sequence[int], secrets: Ids) -> int:
        """The next guess after those that were made."""
        numbers = np.flatnonzero(self._memory.sizes).astype(np.int32)
        boards = [self._left(at) for at in numbers.tolist()]
        for left in boards:
            if len(left) == 1:
                return int(self._ids[left[0]])
        by_entropy = self._choice.guess_from == "allowed" and not self._choice.plays_out
        if by_entropy and len(boards) > 1 and not can_be_listed(boards):
            return self._most_entropy(boards)
        key = (len(made), *(left.tobytes() for left in boards))
        if key not in self._known:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            word = next_guess(self._position(made, secrets, numbers, boards), self._choice)
            self._known[key] = self._game.guess_id(word)
        return self._known[key]

    def _left(self, board: int) -> Ids:
        begin, size = int(self._tables.starts[board]), int(self._memory.sizes[board])
        return self._tables.members[self._memory.left[begin : begin + size]]

    def _position(
        self, made: Sequence[int], secrets: Ids, numbers: Ids, boards: Sequence[Ids]
    ) -> Position:
        """The open boards as a position."""
        words, scores = [self._game.guesses[it] for it in made], self._tables.scores
        own = scores[secrets[numbers]][:, list(made)]
        left = []
        for some, given in zip(boards, own.tolist(), strict=True):
            fitting = self._likely[some]
            left.append(
                BoardLeft(tuple(zip(words, given, strict=True)), fitting, fitting, widened=False)
            )
        turns = [Turn(word, ()) for word in words]
        return Position(self._lexicon, tuple(left), tuple(turns))

    def _most_entropy(self, boards: Sequence[Ids]) -> int:
        """The guess with the most entropy, as ``rank_over_boards`` puts it first."""
        costs, hits = np.zeros((2, len(self._pool)))
        for left in boards:
            costs += self._missing(left)
            hits[self._ids[left]] += 1.0 / len(left)
        return best_by_sum(costs, hits, self._common)

    def _missing(self, left: Ids) -> NDArray[np.float64]:
        """The bits that are missing on a board after each guess."""
        if len(left) <= _FEW:
            return self._counted(left)
        key = left.tobytes()
        if key not in self._rows:
            if len(self._rows) >= _KEPT:
                self._rows.clear()
            self._rows[key] = self._counted(left)
        return self._rows[key]

    def _counted(self, left: Ids) -> NDArray[np.float64]:
        if len(left) > _MANY:
            measures = measures_of(self._game, self._pool, self._likely[left])
            return np.asarray(measures.weights / (len(left) * 2.0**LOG_BITS))
        row = np.empty(len(self._pool))
        missing_bits(self._tables.scores, left, self._steps, row)
        return row
