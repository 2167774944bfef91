"""Statistics of the games that somebody has played: how many were won, in how many guesses.

They are kept in one file in the user's data folder, beside the lists that are kept, by the list and
the number of boards. The file is replaced as a whole. One that cannot be read is left as it is:
somebody's streak may be in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.words.lists import kept_folder

from ..errors import OutputError, StrategyError, UnfinishedError
from ..files.output import write_whole
from ..files.text import counted, printable, read_at_most

VERSION = 1
NAME = "statistics.json"
#: A larger file is none of ours.
_LARGEST = 1 << 20


@dataclass(frozen=True)
class Statistics:
    """The games of one kind: on one list, on so many boards.

    >>> from strategy.play.statistics import Statistics
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
        counts = dict(self.guesses)
        counts[guesses] = counts.get(guesses, 0) + 1
        streak = self.streak + 1
        best = max(self.best, streak)
        return Statistics(self.games + 1, self.won + 1, streak, best, dict(sorted(counts.items())))

    @property
    def lines(self) -> list[str]:
        """What is said of them after a game."""
        share = f"{self.won:,} won ({100 * self.won / self.games:.0f} %)"
        first = f"{counted(self.games, 'game')}, {share}, streak {self.streak:,}"
        spread = ", ".join(f"in {number}: {count:,}" for number, count in self.guesses.items())
        longest = f", longest {self.best:,}" if self.best > self.streak else ""
        return [first + longest, *([f"won {spread}"] if spread else [])]

    def public(self) -> dict[str, Any]:
        """As the file has them."""
        counts = {str(number): count for number, count in self.guesses.items()}
        return {**vars(self), "guesses": counts}

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


def statistics_path() -> Path:
    """The file of the statistics, in the user's data folder."""
    return kept_folder().parent / NAME


def keep_game(kind: str, guesses: int | None) -> tuple[Statistics | None, str]:
    """Count one game, and the statistics with it; a sentence if something is to be said.

    Without statistics nothing could be kept. No fault of the file ends the game.
    """
    path = statistics_path()
    try:
        kept = _read(path)
    except (StrategyError, ValueError, TypeError, LookupError, AttributeError, RecursionError):
        where = printable(path)
        return None, f"{where} cannot be read as statistics: this game is not counted"
    found = kept.get(kind, Statistics()).after(guesses)
    whole = {name: each.public() for name, each in {**kept, kind: found}.items()}
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
    if not path.is_file():
        raise ValueError("not a file")
    facts = json.loads(read_at_most(path, _LARGEST, "too large"))
    if facts["version"] != VERSION:
        raise ValueError("another version")
    return {kind: Statistics.of(each) for kind, each in facts["kinds"].items()}
