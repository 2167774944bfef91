"""Answers that the newspaper has had already, and how likely one of them comes again.

Until February 2026 no answer came twice. The newspaper said on 28 January that answers come again
from 2 February on, and left open how often. So this is measured: each day since then the answer was
either one of those used before or a new one, of so many of each. If a used one is ``r`` times as
likely as a new one, a day with ``u`` used and ``n`` new ones brings a used one with the chance
``r u / (r u + n)``; the ``r`` that makes what happened likeliest is taken, and all those that make
it less likely by a factor of no more than exp(1.92) are its interval (95 %).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import WrongInputError
from solver.words import lists

from ..columns import attributes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

#: The shipped dates, and those that somebody adds: lines ``2026-08-22,crane``.
FILE = "newspaper-answers.csv"
#: The list whose answers they are, and the first day on which an answer could come again.
LIST, AGAIN = lists.ADVICE_LIST, date(2026, 2, 2)
#: What ``--used`` says besides a file or a list: weigh, or leave out.
WEIGH, EXCLUDE = "weigh", "exclude"
_LINE = re.compile(r"(\d{4}-\d\d-\d\d),([a-z]{5})")
#: Half of what chi squared exceeds once in twenty times, with one degree of freedom.
_LIKELY = 3.841459 / 2
#: No ratio beyond these is looked for, and so often their distance is halved.
_LEAST, _MOST, _HALVINGS = 1e-6, 1e6, 60


class Measured(NamedTuple):
    """How much less likely a used answer is than a new one, and on which days it was measured."""

    n_days: int
    n_again: int
    last: date
    #: A new answer is so many times likelier than a used one, and the interval.
    times: float
    low: float
    high: float

    @property
    def weight(self) -> int:
        """What a new answer weighs where a used one weighs 1: a whole number for exact search."""
        return max(1, round(self.times))


@dataclass(frozen=True)
class Used:
    """Answers that were used, as ``--used`` names them, and what becomes of them."""

    past: lists.WordList
    #: Whether they are no answers any more, or only less likely than others.
    exclude: bool

    @cached_property
    def measured(self) -> Measured:
        """How much less likely they are."""
        return measured()

    def weights(self, game: Game) -> NDArray[np.float64]:
        """A weight for each secret of a game: what is used weighs 1, what is new as measured."""
        import numpy as np

        new, known = float(self.measured.weight), set(self.past.words)
        return np.array([1.0 if word in known else new for word in game.secrets])

    def count(self, game: Game) -> int:
        """How many secrets of a game were used."""
        return len(set(self.past.words).intersection(game.secrets))

    def sentence(self, game: Game) -> str:
        """What people are told where used answers weigh less."""
        found, n_used = self.measured, self.count(game)
        return (
            f"used answers {self.past.name}: {n_used:,} of {len(game.secrets):,} "
            f"{game.secrets_name}, "
            f"each {found.weight} times less likely than a new one (measured to {found.last}: "
            f"{found.low:.0f} to {found.high:.0f})"
        )

    def public(self, game: Game) -> dict[str, object]:
        """The same as JSON has it."""
        found = self.measured
        return {
            "count": self.count(game),
            **attributes(found, "weight times low high"),
            "until": found.last.isoformat(),
        }


def used_from(text: str, remark: lists.Remark = lists.ignore_remarks) -> Used:
    """What ``--used`` means: ``weigh``, ``exclude``, a file or list, or ``exclude:`` before one."""
    how, found, source = text.partition(":") if text.startswith(f"{EXCLUDE}:") else (text, "", "")
    exclude = how == EXCLUDE
    source = source if found else "" if how in (WEIGH, EXCLUDE) else text
    if not source:
        days = past_answers()
        words = tuple(sorted({*days.values()}))
        return Used(lists.WordList(f"to {max(days)}", words), exclude)
    return Used(lists.load_words(source, remark), exclude)


def past_answers() -> dict[date, str]:
    """The answer of each day: what is shipped, and the days in a file of the same name.

    That file lies beside the folder of kept lists.
    """
    return _days(lists.data_folder() / FILE) | _days(lists.kept_folder().parent / FILE)


def _days(path: Path) -> dict[date, str]:
    """The days of a file, if it is there; ``#`` comments and the heading are passed over."""
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise WrongInputError(f"{path}: {error}") from None
    return dict(_entries(path, text))


def _entries(path: Path, text: str) -> Iterator[tuple[date, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        entry = line.partition("#")[0].strip().lower()
        found = _LINE.fullmatch(entry)
        try:
            if found:
                yield date.fromisoformat(found[1]), found[2]
                continue
        except ValueError:
            pass
        if entry not in ("", "date,word"):
            raise WrongInputError(f"{path}:{number}: must be as 2026-08-22,crane: {entry!r}")


def measured() -> Measured:
    """How likely a used answer was, by all days since answers come again."""
    known = set(lists.named_list(LIST, "answers").words)
    used, drawn = set[str](), list[tuple[int, int, bool]]()
    days = past_answers()
    for day in sorted(days):
        if day >= AGAIN:
            drawn.append((len(used), len(known - used), days[day] in used))
        used.add(days[day])
        known.add(days[day])
    n_again = sum(again for *_, again in drawn)

    def likelihood(ratio: float) -> float:
        return sum(math.log((ratio if again else 1) / (ratio * u + n)) for u, n, again in drawn)

    def slope(ratio: float) -> float:
        return n_again / ratio - sum(u / (ratio * u + n) for u, n, _ in drawn)

    best = _where(slope, _LEAST, _MOST)
    least = likelihood(best) - _LIKELY
    low = _where(lambda ratio: least - likelihood(ratio), _LEAST, best)
    high = _where(lambda ratio: likelihood(ratio) - least, best, _MOST)
    times, least_times, most_times = (round(1 / it, 4) for it in (best, high, low))
    return Measured(len(drawn), n_again, max(days), times, least_times, most_times)


def _where(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that is positive before and negative after changes its sign."""
    for _ in range(_HALVINGS):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low
