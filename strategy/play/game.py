"""A game of guessing: a hidden word or an adversary, guesses, keyboard, end, and statistics."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from solver.choices import LIMIT
from solver.errors import WrongInputError
from solver.game.adversary import ReplyOrder
from solver.game.game import Game
from solver.game.wordle import require_legal
from solver.words.lists import kept_folder

from ..errors import OutputError, StrategyError, UnfinishedError
from ..files.output import write_whole
from ..files.text import counted, is_pegs, printable, quoted, read_at_most
from .position import Turn, check_boards


class Hidden:
    """A host of a game, with secrets that are chosen before the first guess.

    >>> from strategy import load_game
    >>> from strategy.play.game import Hidden
    >>> host = Hidden(load_game(["abide", "crane", "slate"]), ["slate"])
    >>> host.game.format_score(host.answer(0, "crane"))
    'bbgbg'
    """

    def __init__(self, game: Game, secrets: Sequence[str]) -> None:
        """Hide these, one a board; each must be a word that may be guessed."""
        self._secrets = [game.guesses[game.guess_id(secret.strip())] for secret in secrets]
        self.game, self.boards = game, len(secrets)

    @classmethod
    def drawn(
        cls, game: Game, boards: int, seed: int, weights: Iterable[float] | None = None
    ) -> Hidden:
        """A host with secrets drawn by lot, no two the same; a seed draws the same again.

        ``weights`` say how likely each secret is, if they are not all equally likely.
        """
        if boards > len(game.secrets):
            raise WrongInputError(f"{boards} boards, but only {len(game.secrets):,} secrets")
        lot = random.Random(seed)
        if weights is None:
            return cls(game, lot.sample(game.secrets, boards))
        # who waits for one of several with these rates meets the first of them by its weight
        waits = sorted(zip(map(lot.expovariate, weights), game.secrets, strict=True))
        return cls(game, [word for _, word in waits[:boards]])

    def answer(self, board: int, word: str) -> int:
        """The score of a guess on a board, by the readable rule."""
        return self.game.grade(word, self._secrets[board])

    def possible(self, board: int) -> tuple[str, ...]:
        """The one secret of a board."""
        return (self._secrets[board],)


class Adversary:
    """A host that has no secret until it must: each answer leaves the most secrets (Absurdle).

    Of answers that leave equally many it gives one that does not solve the game; then the one with
    fewest greens (or black pegs), then with fewest yellows (or white pegs), then the lowest score.

    >>> from strategy import load_game
    >>> from strategy.play.game import Adversary
    >>> host = Adversary(load_game(["abide", "crane", "raise", "slate", "stare"]))
    >>> host.game.format_score(host.answer(0, "abide")), host.possible(0)
    ('ybbbg', ('crane', 'slate', 'stare'))
    """

    def __init__(self, game: Game) -> None:
        self.game, self.boards = game, 1
        self._order = ReplyOrder(game)
        self._left = np.arange(len(game.secrets), dtype=np.int32)

    def answer(self, board: int, word: str) -> int:
        """The score that most of the remaining secrets give; from now on these alone remain."""
        guess = np.array([self.game.guess_id(word)], dtype=np.int32)
        given, kept = self._order.reply_of(self.game.score_rows(guess, self._left)[0])
        self._left = self._left[kept]
        return given

    def possible(self, board: int) -> tuple[str, ...]:
        """All secrets that the answers so far have left."""
        return tuple(self.game.secrets[at] for at in self._left)


#: Whoever answers the guesses of a game, on one board or on several.
Host = Hidden | Adversary


# ---- The game: guesses, scores, the keyboard, and how it ends; no input, no output

#: The guesses that games on so many boards allow; on others so many more than there are boards.
_LIMITS, _MORE = {1: LIMIT, 2: 7, 4: 9, 8: 13}, 5
#: Longer text is no word, with whatever blanks around it.
_LONGEST = 100
#: The keys of most keyboards, and how many others stand in a row.
_ROWS, _ROW = ("qwertyuiop", "asdfghjkl", "zxcvbnm"), 11


def limit_of(game: Game, boards: int) -> int | None:
    """The number of guesses allowed in a match by default; None in Mastermind."""
    return None if is_pegs(game.spec) else _LIMITS.get(boards, boards + _MORE)


@dataclass
class Match:
    """A game against a host: the guesses so far, their scores, and whether it is over.

    >>> from strategy import load_game
    >>> from strategy.play.game import Hidden, Match
    >>> match = Match(Hidden(load_game(["abide", "crane", "slate"]), ["slate"]), limit=6)
    >>> match.guess("crane").scores, match.guess("slate").scores
    ((180,), (242,))
    >>> match.won, match.over
    (True, True)
    """

    host: Host
    #: The guesses allowed; None: as many as it takes.
    limit: int | None = None
    hard: bool = False
    turns: list[Turn] = field(default_factory=list, init=False)
    #: For each board the guesses that were made while it was open, with their scores.
    boards: list[list[tuple[str, int]]] = field(init=False)

    def __post_init__(self) -> None:
        check_boards(self.game, self.host.boards, self.hard)
        self.boards = [[] for _ in range(self.host.boards)]

    @property
    def game(self) -> Game:
        """The words and the rule of this game."""
        return self.host.game

    @property
    def open(self) -> list[int]:
        """Which boards are not solved yet, counted from 0."""
        solved = self.game.solved
        return [at for at, it in enumerate(self.boards) if not it or it[-1][1] != solved]

    @property
    def won(self) -> bool:
        """Whether all boards are solved."""
        return not self.open

    @property
    def over(self) -> bool:
        """Whether there is nothing more to guess."""
        return self.won or (self.limit is not None and len(self.turns) >= self.limit)

    def guess(self, word: str) -> Turn:
        """Make a guess; one that is not allowed raises WrongInputError, and costs nothing."""
        if self.over:
            raise WrongInputError("the game is over")
        if len(word) > _LONGEST:
            raise WrongInputError(f"{quoted(word)} cannot be guessed")
        guess = self.game.guess_id(word.strip())
        if self.hard:
            before = [(self.game.guess_id(each), score) for each, score in self.boards[0]]
            require_legal(self.game, [*before, (guess, 0)])
        spelled = self.game.guesses[guess]
        turn = Turn(spelled, tuple(self.host.answer(board, spelled) for board in self.open))
        for board, score in zip(self.open, turn.scores, strict=True):
            self.boards[board].append((spelled, score))
        self.turns.append(turn)
        return turn

    @property
    def keys(self) -> tuple[str, ...]:
        """The rows of the keyboard: as on most for a-z, then what other letters there are."""
        alphabet = self.game.alphabet
        rows = ["".join(key for key in row if key in alphabet) for row in _ROWS]
        others = [letter for letter in alphabet if letter not in "".join(_ROWS)]
        more = ["".join(others[at : at + _ROW]) for at in range(0, len(others), _ROW)]
        return tuple(row for row in [*rows, *more] if row)

    def keyboard(self) -> dict[str, int | None]:
        """Each letter with its best colour on the boards that are open: 0 grey, 1 yellow, 2 green.

        None: it was not used. Where all boards are solved, on all of them; codes have no keyboard.
        """
        if self.game.letters is None:
            return {}
        colours: dict[str, int | None] = dict.fromkeys("".join(self.keys))
        for at in self.open or range(len(self.boards)):
            for word, score in self.boards[at]:
                for place, letter in enumerate(word):
                    colours[letter] = max(colours[letter] or 0, score // 3**place % 3)
        return colours


# ---- Statistics of the games that somebody has played: how many were won, in how many guesses
#
# They are kept in one file in the user's data folder, beside the lists that are kept, by the list
# and the number of boards. The file is replaced as a whole. One that cannot be read is left as it
# is: somebody's streak may be in it.

#: Of the file, which has this name.
VERSION, NAME = 1, "statistics.json"
#: A larger file of statistics is none of ours.
_LARGEST = 1 << 20


@dataclass(frozen=True)
class Statistics:
    """The games of one kind: on one list, on so many boards.

    >>> from strategy.play.game import Statistics
    >>> kept = Statistics().after(4).after(3).after(None).after(3)
    >>> kept.games, kept.won, kept.streak, kept.best, kept.guesses
    (4, 3, 1, 2, {3: 2, 4: 1})
    """

    games: int = 0
    won: int = 0
    #: Games won one after the other, up to the last one; and the longest such run.
    streak: int = 0
    best: int = 0
    #: Number of guesses → games won in so many.
    guesses: Mapping[int, int] = field(default_factory=dict)

    def after(self, guesses: int | None) -> Statistics:
        """With one more game, won in so many guesses, or (None) not won."""
        if guesses is None:
            return Statistics(self.games + 1, self.won, 0, self.best, self.guesses)
        counts = {**self.guesses, guesses: self.guesses.get(guesses, 0) + 1}
        streak, spread = self.streak + 1, dict(sorted(counts.items()))
        return Statistics(self.games + 1, self.won + 1, streak, max(self.best, streak), spread)

    @property
    def lines(self) -> list[str]:
        """What is said of them after a game."""
        share = f"{self.won:,} won ({100 * self.won / self.games:.0f} %)"
        first = f"{counted(self.games, 'game')}, {share}, streak {self.streak:,}"
        spread = ", ".join(f"in {number}: {count:,}" for number, count in self.guesses.items())
        longest = f", longest {self.best:,}" if self.best > self.streak else ""
        return [first + longest, *([f"won {spread}"] if spread else [])]

    @classmethod
    def of(cls, facts: Any) -> Statistics:
        """What a file says of one kind of game; figures that cannot be raise ValueError."""
        counts = {int(number): count for number, count in facts["guesses"].items()}
        found = cls(**{**facts, "guesses": counts})
        figures = (0, found.streak, found.best, found.won, found.games)
        whole = all(type(figure) is int for figure in (*figures, *counts.values()))
        if not whole or sorted(figures) != [*figures] or sum(counts.values()) != found.won:
            raise ValueError("figures that cannot be")
        return found


def kind_of(name: str, boards: int) -> str:
    """What the games of one kind go by: ``nyt-2023``, ``nyt-2023, 4 boards``."""
    return name if boards == 1 else f"{name}, {boards} boards"


def keep_game(kind: str, guesses: int | None) -> tuple[Statistics | None, str]:
    """Count one game, and the statistics with it; a sentence if something is to be said.

    Without statistics nothing could be kept. No fault of the file ends the game.
    """
    path = kept_folder().parent / NAME
    try:
        kept = _read(path)
    except (StrategyError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        where = printable(path)
        return None, f"{where} cannot be read as statistics: this game is not counted"
    found = kept.get(kind, Statistics()).after(guesses)
    whole = {name: vars(each) for name, each in {**kept, kind: found}.items()}
    content = json.dumps({"version": VERSION, "kinds": whole}, ensure_ascii=False, indent=1) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content.encode(), force=True)
    except (OSError, OutputError, UnfinishedError) as error:
        return None, f"the statistics were not kept: {printable(error)}"
    return found, ""


def _read(path: Path) -> dict[str, Statistics]:
    """What is kept; what is no statistics of this version raises an error of some kind."""
    if not path.exists():
        return {}
    if not path.is_file():  # a pipe would wait for ever
        raise ValueError
    facts = json.loads(read_at_most(path, _LARGEST, "too large"))
    if facts["version"] != VERSION:
        raise ValueError("another version")
    return {kind: Statistics.of(each) for kind, each in facts["kinds"].items()}
