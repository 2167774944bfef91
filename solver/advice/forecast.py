"""How many guesses a next word will take in all, exactly, while somebody waits.

The exact search is asked only where few secrets remain, and gives up a word as soon as that is hard
to look through. Effort is counted in steps, not in seconds: the same question gets the same answer
on any machine.
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..game.game import Game, History
from .suggest import Advice

if TYPE_CHECKING:
    from .exact_totals import Best, ExactTotals

#: With more secrets left, nothing is forecast.
FEW = 256
#: Words tried for the best one, times the secrets that remain: fewer secrets are quicker to try.
_EFFORT = 64_000


@dataclass(frozen=True)
class Forecast:
    """Totals: guesses summed over the secrets that remain, each word played on in the best way."""

    #: The limit on guesses, those already made included; None: none.
    within: int | None
    #: Secrets that remain.
    secrets: int
    #: Word → its total; None if it cannot find all secrets in time; too hard words are left out.
    totals: dict[str, float | None]
    #: The least total of all words that may be guessed now, if that is proved, and its words.
    least: float | None
    best: tuple[str, ...]
    #: Whether some secrets are likelier than others: then totals are expectations over their
    #: chances, times the number of secrets.
    weighted: bool = False

    @property
    def mean(self) -> float | None:
        """The least total on average; None: not known."""
        return None if self.least is None else self.least / self.secrets


def forecast(
    game: Game,
    history: History,
    advice: Advice,
    words: Sequence[str],
    *,
    hard: bool = False,
    within: int | None = 6,
) -> Forecast | None:
    """Exact totals of some next words and of the best one; None if too many secrets remain, or if
    a word tells more of them apart than the exact search can number.

    Later guesses may be any allowed words. The limit is lifted where no guess is left within it,
    and where it is proved that no word finds all secrets within it.
    """
    if len(advice.secrets) > FEW:
        return None
    from ..exact.table.layout import NoTableError

    try:
        return _forecast(game, history, advice, words, hard, within)
    except NoTableError:  # long words, which tell too much for an exact search
        return None


def _forecast(
    game: Game,
    history: History,
    advice: Advice,
    words: Sequence[str],
    hard: bool,
    within: int | None,
) -> Forecast:
    left = None if within is None or within <= len(history) else within - len(history)
    exact, best = _look_ahead(game, history, advice, hard, left)
    if left is not None and best.proved and best.total is None:
        left = None
        exact, best = _look_ahead(game, history, advice, hard, left)
    totals: dict[str, float | None] = {}
    for word in words:
        with contextlib.suppress(CouldNotFinishError):
            totals[word] = exact.total(game.guess_id(word))
    return Forecast(
        within=None if left is None else within,
        secrets=len(advice.secrets),
        totals=totals,
        least=best.total if best.proved else None,
        best=tuple(game.guesses[guess] for guess in best.guesses) if best.proved else (),
    )


def weighted_forecast(
    game: Game, advice: Advice, words: Sequence[str], weights: NDArray[Any]
) -> Forecast | None:
    """Expected totals of some next words and of the best, weighted; None: too many remain."""
    from ..splits.weighted_measures import chances_of
    from .weighted_totals import FEW as FEW_WEIGHTED
    from .weighted_totals import WeightedTotals

    count = len(advice.secrets)
    if count > FEW_WEIGHTED:
        return None
    known = WeightedTotals(game, advice.candidates, chances_of(weights[advice.candidates]))
    best = known.best()
    return Forecast(
        within=None,
        secrets=count,
        totals={word: known.total(game.guess_id(word)) * count for word in words},
        least=min(best.values()) * count,
        best=tuple(game.guesses[guess] for guess in sorted(best)),
        weighted=True,
    )


class RankedRows(NamedTuple):
    """The next words to show, in their order."""

    #: Rows of the table of an advice.
    rows: NDArray[Any]
    #: Whether exact totals rank them, or the measure of that table.
    exact: bool
    #: How many words beyond them stand equal with the last one: by the total if it has the least
    #: of all, else by the measure.
    n_more_tied: int


def rank_by_forecast(
    advice: Advice, ahead: Forecast | None, words: Sequence[str], top: int | None
) -> RankedRows:
    """Advice on the next words, by exact totals if a forecast of some ``words`` has them.

    All words of the least total stand first, if it is known, and after them these words; the ranks
    are those among all of them. If neither the least total is known nor the totals of all these
    words, the table ranks as it is.
    """
    table, names = advice.table.rows, advice.table.game.guesses
    if ahead is None or not (ahead.best or len(ahead.totals) == len(words)):
        return RankedRows(table[:top], False, _tied(table, table[:top]))
    totals = ahead.totals | dict.fromkeys(ahead.best, ahead.least)
    looked_at = {*ahead.best, *words}
    rows = table[[names[guess] in looked_at for guess in table["guess"]]]
    costs = np.array([_cost(totals, names[guess]) for guess in rows["guess"]])
    order = advice.order(rows, costs)
    shown, costs = rows[order[:top]], costs[order]
    if len(shown) and costs[len(shown) - 1] == ahead.least:
        tied = len(ahead.best) - len(shown)
    else:
        tied = _tied(table, shown)
    shown["rank"] = np.searchsorted(costs, costs[: len(shown)], side="left") + 1
    return RankedRows(shown, True, tied)


def _tied(table: NDArray[Any], shown: NDArray[Any]) -> int:
    """How many rows are not shown and have the rank of the last one that is."""
    others = table[~np.isin(table["guess"], shown["guess"])]
    return int(np.isin(others["rank"], shown["rank"][-1:]).sum())


def _cost(totals: Mapping[str, float | None], word: str) -> float:
    """What a word is ranked by: its total; last come those out of the limit, and the unknown."""
    if word not in totals:
        return math.inf
    total = totals[word]
    return sys.float_info.max if total is None else total


def _look_ahead(
    game: Game, history: History, advice: Advice, hard: bool, left: int | None
) -> tuple[ExactTotals, Best]:
    """The state as the exact search sees it, and the best of the words that may be guessed."""
    from .exact_totals import ExactTotals, MeasuredState

    exact = ExactTotals(
        game,
        [MeasuredState.of_ranked(advice.candidates, advice.table)],
        left,
        hard=hard,
        before=[game.guess_id(word) for word, _ in history],
        patient=False,
        check_time=_give_up_after(_EFFORT // len(advice.secrets)),
    )
    return exact, exact.best(advice.table.rows["guess"])


def _give_up_after(steps: int) -> Callable[[], None]:
    """A function that raises CouldNotFinishError once it has been called so often."""
    left = steps

    def check() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise CouldNotFinishError("too many words would have to be tried")

    return check
