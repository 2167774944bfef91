"""How likely each secret is: by a file of words with their weights, or as past answers say.

A line is a word and its weight, with blanks or a comma between them; ``#`` begins a comment, and
blank lines do not count. Only the ratios of weights matter. A secret that the file does not name
has no weight, and what has no weight is never the secret.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import WrongInputError
from solver.words import lists

from ..checkers.verify import NUMBER, read_weight
from ..columns import attributes
from ..errors import BadFileError
from ..files.text import counted, plain, printable, quoted, read_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

#: A weight is called nothing if it is smaller than the largest by this factor.
_NOTHING = 1e-300
#: Where weights come from: a file, or words with their weights.
WeightSource = str | Path | Mapping[str, float]


class WeightedGame(NamedTuple):
    """A game whose secrets all have a weight; what has none is no secret in it."""

    game: Game
    #: One for each secret, all of them positive.
    weights: NDArray[np.float64]
    #: How many secrets have no weight and were left out.
    n_left_out: int
    #: How many words with a weight are guesses that are never hidden.
    n_no_secrets: int

    def about(self) -> str:
        """A line that says which secrets the weights are over, and how many are left out."""
        text = f"averages over {counted(len(self.game.secrets), 'secret')} by weight"
        if self.n_left_out:
            text += f", {self.n_left_out:,} without weight left out"
        if beside := self.n_no_secrets:
            verb = "do" if beside > 1 else "does"
            text += f"; {counted(beside, 'weight')} of words that are not secrets {verb} not count"
        return text

    def public(self) -> dict[str, int]:
        """How many words the weights leave out, as JSON says it."""
        return {"count": len(self.weights), **attributes(self, "n_left_out n_no_secrets")}


def weighted_game(game: Game, source: WeightSource) -> WeightedGame:
    """The game with just the secrets that have a weight, and these weights.

    ``openers``, ``suggest`` and ``review`` take the weights as they are.

    Args:
        game: The game without weights.
        source: A file with a word and its weight on each line, or a mapping.

    Returns:
        The ``game``, the ``weights`` of its secrets, and how many secrets were left out.

    Raises:
        WrongInputError: A word is no secret or has two weights, or a weight is no number from 0.

    >>> from strategy import load_game, openers, weighted_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> few = weighted_game(game, {"crane": 3, "slate": 1})
    >>> few.game.secrets, few.n_left_out
    (('crane', 'slate'), 3)
    >>> [best] = openers(few.game, top=1, by="proportion", weights=few.weights)
    >>> best.word, round(best.entropy, 3)
    ('crane', 0.811)
    """
    import numpy as np

    by_word = _weights_by_word(source, game)
    weights = np.array([by_word.get(word, 0.0) for word in game.secrets], dtype=np.float64)
    weights[weights < weights.max() * _NOTHING] = 0.0
    some = weights > 0
    if not some.any():
        where = "the weights" if isinstance(source, Mapping) else printable(source)
        why = f"{where}: no secret of {game.list_name} ({game.secrets_name}) has a weight above 0"
        raise WrongInputError(why)
    n_no_secrets = len({word for word, weight in by_word.items() if weight} - {*game.secrets})
    few, n_left_out = game, int((~some).sum())
    if n_left_out:
        hidden = tuple(game.secrets[at] for at in np.flatnonzero(some))
        few = replace(game, secrets=hidden, secrets_name=f"{game.secrets_name} with a weight")
    return WeightedGame(few, weights[some], n_left_out, n_no_secrets)


def _weights_by_word(source: WeightSource, game: Game) -> dict[str, float]:
    """The words that are named with their weights; all of them guesses, none of them twice."""
    known = set(game.guesses)
    found: dict[str, float] = {}
    for where, word, weight in _entries(source):
        if not 0 <= weight < math.inf:
            raise WrongInputError(f"{where}: a weight must be a number of 0 or more, not {weight}")
        if word not in known:
            hint = game.did_you_mean(word)
            many = f"the {len(game.guesses):,} guesses of {game.list_name}"
            raise WrongInputError(f"{where}: {quoted(word)} is not among {many}{hint}")
        if word in found:
            raise WrongInputError(f"{where}: {quoted(word)} has two weights")
        found[word] = weight
    return found


def _entries(source: WeightSource) -> Iterator[tuple[str, str, float]]:
    """Where it stands, a word and its weight, one after the other."""
    if isinstance(source, Mapping):
        yield from (("the weights", plain(word), float(it)) for word, it in source.items())
        return
    for number, line in enumerate(read_lines(source), 1):
        where = f"{printable(source)}:{number}"
        try:
            entry = read_weight(line)
        except BadFileError:
            raise WrongInputError(f"{where}: {_fault_of(line)}") from None
        if entry is not None:
            yield where, *entry


def _fault_of(line: str) -> str:
    """What is wrong with a line of a file of weights."""
    entry = line.partition("#")[0].strip()
    cells = re.split(r"\s*,\s*|\s+", entry)
    if len(cells) != 2 or not all(cells):
        return f"{quoted(entry)} must be a word and its weight"
    found = float(cells[1]) if NUMBER.fullmatch(cells[1]) else quoted(cells[1])
    return f"a weight must be a number of 0 or more, not {found}"


# ---- Answers that the newspaper has had already, and how likely one of them comes again
#
# Until February 2026 no answer came twice. The newspaper said on 28 January that answers come again
# from 2 February on, and left open how often. So this is measured: each day since then the answer
# was either one of those used before or a new one, of so many of each. If a used one is ``r`` times
# as likely as a new one, a day with ``u`` used and ``n`` new ones brings a used one with the chance
# ``r u / (r u + n)``; the ``r`` that makes what happened likeliest is taken, and all those that
# make it less likely by a factor of no more than exp(1.92) are its interval (95 %).

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
        found = self.measured
        some = f"{self.count(game):,} of {len(game.secrets):,} {game.secrets_name}"
        less = f"each {found.weight} times less likely than a new one"
        bounds = f"measured to {found.last}: {found.low:.0f} to {found.high:.0f}"
        return f"used answers {self.past.name}: {some}, {less} ({bounds})"

    def public(self, game: Game) -> dict[str, object]:
        """The same as JSON has it."""
        facts = attributes(self.measured, "weight times low high")
        return {"count": self.count(game), **facts, "until": self.measured.last.isoformat()}


def used_from(text: str, remark: lists.Remark = lists.ignore_remarks) -> Used:
    """What ``--used`` means: ``weigh``, ``exclude``, a file or list, or ``exclude:`` before one."""
    exclude = text == EXCLUDE or text.startswith(f"{EXCLUDE}:")
    source = "" if text in (WEIGH, EXCLUDE) else text.removeprefix(f"{EXCLUDE}:")
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
    days: dict[date, str] = {}
    for number, line in enumerate(read_lines(path) if path.exists() else (), 1):
        entry = line.partition("#")[0].strip().lower()
        if entry in ("", "date,word"):
            continue
        found = _LINE.fullmatch(entry)
        try:
            days[date.fromisoformat(found[1] if found else "")] = entry.partition(",")[2]
        except ValueError:
            wanted = f"must be as 2026-08-22,crane: {entry!r}"
            raise WrongInputError(f"{path}:{number}: {wanted}") from None
    return days


def measured() -> Measured:
    """How likely a used answer was, by all days since answers come again."""
    known = set(lists.named_list(LIST, "answers").words)
    used, drawn = set[str](), list[tuple[int, int, bool]]()
    days = past_answers()
    for day, word in sorted(days.items()):
        if day >= AGAIN:
            drawn.append((len(used), len(known - used), word in used))
        used.add(word)
        known.add(word)
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
