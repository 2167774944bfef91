"""Statistics of the games that somebody has played: how many were won, in how many guesses.

They are kept in one file in the user's data folder, beside the lists that are kept, by the list and
the number of boards. The file is replaced as a whole. One that is damaged is set aside, not
overwritten: somebody's streak may be in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solver.words.lists import kept_folder

from ..errors import OutputError, UnfinishedError
from ..files.output import write_whole
from ..files.text import counted, printable

VERSION = 1
NAME = "statistics.json"
#: A larger file is none of ours.
_LARGEST = 1 << 20
#: No count is above this.
_MOST = 10**9


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
        names = ("games", "won", "streak", "best")
        if not isinstance(facts, dict) or set(facts) != {*names, "guesses"}:
            raise ValueError("not the figures of a kind of game")
        games, won, streak, best = (_count(facts[name]) for name in names)
        spread = facts["guesses"]
        if not isinstance(spread, dict) or not all(key.isdecimal() for key in spread):
            raise ValueError("not numbers of guesses")
        counts = {int(key[:9]): _count(count) for key, count in spread.items()}
        if not streak <= best <= won <= games or sum(counts.values()) != won:
            raise ValueError("figures that cannot be")
        return cls(games, won, streak, best, dict(sorted(counts.items())))


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise ValueError("not a count")
    return value


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
    path, remark = statistics_path(), ""
    try:
        kept, readable = _read(path)
        if not readable:
            return None, f"the statistics in {printable(path)} are of a newer version: not counted"
    except OSError as error:
        return None, f"the statistics were not kept: {printable(path)}: {error.strerror or error}"
    except (ValueError, RecursionError):
        try:
            aside = _set_aside(path)
        except OSError as error:
            reason = error.strerror or error
            return None, f"the statistics in {printable(path)} are damaged: {reason}"
        kept, remark = {}, f"the statistics were damaged; they are set aside as {printable(aside)}"
    found = kept.get(kind, Statistics()).after(guesses)
    whole = {name: each.public() for name, each in {**kept, kind: found}.items()}
    content = json.dumps({"version": VERSION, "kinds": whole}, ensure_ascii=False, indent=1) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content.encode(), force=True)
    except (OSError, OutputError, UnfinishedError) as error:
        return None, f"the statistics were not kept: {printable(error)}"
    return found, remark


def _read(path: Path) -> tuple[dict[str, Statistics], bool]:
    """What is kept, and whether this program can read it; a damaged file raises ValueError."""
    if not path.exists():
        return {}, True
    if not path.is_file():
        raise OSError(0, "not a file")
    with path.open("rb") as file:
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError("too large")
    facts = json.loads(content)
    if not isinstance(facts, dict):
        raise ValueError("no object")
    version = facts.get("version")
    if isinstance(version, int) and version > VERSION:
        return {}, False
    if version != VERSION or not isinstance(facts.get("kinds"), dict):
        raise ValueError("not the statistics of games")
    return {kind: Statistics.of(each) for kind, each in facts["kinds"].items()}, True


def _set_aside(path: Path) -> Path:
    """Give a damaged file another name, one that no file has."""
    number = 1
    while (aside := path.with_name(f"{NAME}.damaged-{number}")).exists():
        number += 1
    path.rename(aside)
    return aside
