"""The next guess in the middle of a game: what fits the clues, and every proposal with its worth.

Clues are (guess, score) pairs. If no secret fits all of them, the error names the smallest set of
clues that cannot be true together, so that a typing mistake is found where it was made.
"""

from __future__ import annotations

import contextlib
import functools
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..choices import LIMIT
from ..errors import CouldNotFinishError, WrongInputError
from ..game.game import Game, History, require_pool
from ..game.wordle import require_legal
from ..machine.arrays import Ids
from ..memory_limits import require_room_to_rank
from ..splits.ranking import RankedGuesses, rank_guesses, rank_totals
from ..words.lists import NAMED_LISTS, named_list

if TYPE_CHECKING:
    from .patterns import Condition

# ---- What the clues leave possible, and which of them contradict each other


def pool_of(game: Game, guess_from: str, candidates: Ids) -> Ids:
    """The guesses that advice chooses from, ascending; candidates are positions of secrets."""
    if guess_from == "allowed":
        return np.arange(len(game.guesses), dtype=np.int32)
    return game.secret_ids if guess_from == "secrets" else game.secret_ids[candidates]


def candidates_after(game: Game, history: History, conditions: Sequence[Condition] = ()) -> Ids:
    """Positions of the secrets that fit all clues and conditions; what none fits is named."""
    fits = [_fits(game, word, score) for word, score in history]
    fits += [_allowed(game, condition) for condition in conditions]
    whole = np.ones(len(game.secrets), dtype=np.bool_)
    left = np.logical_and.reduce([whole, *fits])
    if not left.any():
        why = _contradiction(game, history, fits, conditions)
        raise WrongInputError(why + _hint(game, history, conditions))
    return np.flatnonzero(left).astype(np.int32)


def widened(game: Game, history: History) -> Game | None:
    """The game in which any allowed word may be hidden, if no secret fits all clues otherwise."""
    if not history or len(game.secrets) == len(game.guesses):
        return None
    fits = [_fits(game, word, score) for word, score in history]
    if np.logical_and.reduce(fits).any():
        return None
    return replace(game, secrets=game.guesses, secrets_name="allowed")


def contradiction(game: Game, history: History) -> str:
    """Which clues cannot be true together, where no secret fits them all."""
    return _contradiction(game, history, [_fits(game, word, score) for word, score in history])


def _allowed(game: Game, condition: Condition) -> NDArray[np.bool_]:
    """Which secrets keep to a condition."""
    return np.fromiter(map(condition.allows, game.secrets), np.bool_, len(game.secrets))


def _fits(game: Game, word: str, score: int) -> NDArray[np.bool_]:
    """Which secrets give a guess that score."""
    guess = np.array([game.guess_id(word)], dtype=np.int32)
    fits: NDArray[np.bool_] = game.score_rows(guess)[0] == score
    return fits


def _contradiction(
    game: Game, history: History, fits: list[Any], conditions: Sequence[Condition] = ()
) -> str:
    """Name a smallest set of clues and conditions that no secret fits."""
    names = [f"{word} {game.format_score(score)}" for word, score in history]
    names += [f"the pattern '{condition.text}'" for condition in conditions]
    where = f"no secret of {game.list_name} ({game.secrets_name})"
    for size in range(1, len(fits) + 1):
        for some in combinations(range(len(fits)), size):
            if not np.logical_and.reduce([fits[at] for at in some]).any():
                clues = [names[at] for at in some]
                if size == 1:
                    return f"{where} {'gives' if some[0] < len(history) else 'fits'} {clues[0]}"
                others, last = " and ".join(clues[:-1]), clues[-1]
                verb = "contradicts" if size == 2 else "contradict"
                return f"{others} {verb} {last}: {where} fits {'both' if size == 2 else 'all'}"
    raise AssertionError("some secret fits all clues")


def _hint(game: Game, history: History, conditions: Sequence[Condition] = ()) -> str:
    """Whether the fault may lie in the secrets being fewer than the guesses."""
    if len(game.secrets) == len(game.guesses):
        return ""
    wide = replace(game, secrets=game.guesses)
    fits = [_fits(wide, word, score) for word, score in history]
    fits += [_allowed(wide, condition) for condition in conditions]
    fitting = np.flatnonzero(np.logical_and.reduce(fits))
    if not len(fitting):
        return ""
    first = game.guesses[fitting[0]]
    example = first if len(fitting) == 1 else f"{first} and {len(fitting) - 1:,} more"
    without = "without --used or with " if game.secrets_name.startswith("unused ") else ""
    return f"; other allowed words fit ({example}): try {without}--secrets allowed"


@dataclass(frozen=True, eq=False)
class Advice:
    """What is left in a state of a game and what to guess."""

    #: Positions of the secrets that fit all clues, and these secrets, alphabetically.
    candidates: Ids
    secrets: tuple[str, ...]
    #: Every word that may be guessed, best first.
    table: RankedGuesses
    #: The common words among all guesses.
    common: Ids
    #: The weight of each guess as the secret, 1 without weights; 0 if it is no candidate.
    hits: NDArray[np.float64]

    def words_to_try(self, most: int | None, common: bool) -> list[str]:
        """The best words by the measure, so many; if wanted the best common ones beside them."""
        names, guesses = self.table.game.guesses, self.table.rows["guess"]
        usual = guesses[np.isin(guesses, self.common)][: LOOKED_AT if common else 0]
        return [names[guess] for guess in dict.fromkeys([*guesses[:most], *usual])]

    def classes(self, guesses: Ids) -> Ids:
        """Classes of guesses among equals: the likeliest first, of these the common words."""
        _, likeliest_first = np.unique(-self.hits[guesses], return_inverse=True)
        classes: Ids = (2 * likeliest_first + 1 - np.isin(guesses, self.common)).astype(np.int32)
        return classes


def suggest(
    game: Game,
    history: History,
    *,
    by: str = "entropy",
    guess_from: str = "allowed",
    hard: bool = False,
    weights: NDArray[Any] | None = None,
    conditions: Sequence[Condition] = (),
    named: str | None = None,
) -> Advice:
    """Advice in the middle of a game: the secrets that fit the clues, and the ranked next words.

    ``conditions`` of patterns are to be kept beside the clues. ``weights`` say how likely each
    secret of the game is, if they are not all equally likely. A ``named`` code is ranked even if it
    cannot be told apart from another.

    Words of equal measure share a rank; among them those still possible stand first, then common
    words: the secrets, if not all guesses are, and the answers of the shipped lists.
    """
    require_pool(guess_from)
    left = candidates_after(game, history, conditions)
    require_room_to_rank(game, len(left))
    pool = pool_of(game, guess_from, left)
    if game.code_space is not None:  # of codes that cannot be told apart only one
        also = [] if named is None else [game.guess_id(named)]
        worth = np.union1d(game.worth_trying(left), np.array(also, dtype=np.int32))
        pool = np.intersect1d(pool, worth).astype(np.int32)
    if hard:
        steps = [(game.guess_id(word), score) for word, score in history]
        pool = np.intersect1d(pool, require_legal(game, steps)).astype(np.int32)
    common = common_words(game)
    table = rank_guesses(game, by, candidates=left, guess_ids=pool, weights=weights, common=common)
    hits = np.zeros(len(game.guesses))
    hits[game.secret_ids[left]] = 1.0 if weights is None else weights[left]
    return Advice(left, tuple(game.secrets[secret] for secret in left), table, common, hits)


# ---- Common words, which people know
#
# They are answers: of this game, if not all words that may be guessed are, and of the shipped lists
# if the game's list is one of English words, which then has most of these.


def common_words(game: Game) -> Ids:
    """The guesses that people know, ascending; all of them if nothing says which these are."""
    own = game.secret_ids if len(game.secrets) < len(game.guesses) else game.secret_ids[:0]
    common = np.union1d(own, answers_of_lists(game)).astype(np.int32)
    return common if len(common) else game.secret_ids


def answers_of_lists(game: Game) -> Ids:
    """The guesses that are answers of a shipped list; none in a list of another language."""
    if game.letters is None:
        return game.secret_ids[:0]
    return _answers_among(game.guesses)


@functools.lru_cache(maxsize=4)
def _answers_among(words: tuple[str, ...]) -> Ids:
    known = frozenset[str]().union(*(named_list(name, "answers").words for name in NAMED_LISTS))
    found = [at for at, word in enumerate(words) if word in known]
    return np.array(found if 2 * len(found) > len(known) else [], dtype=np.int32)


# ---- Forecasts: how many guesses a next word will take in all, exactly
#
# The exact search is used only where few secrets remain, and gives up a word as soon as that is
# hard to look through. Effort is counted in steps, not in seconds: the same question gets the same
# answer on any machine.

#: Words of the best by a measure that get exact figures, even if fewer are shown.
LOOKED_AT = 10
#: With more secrets left, nothing is forecast.
MOST_FORECAST = 256
#: Words tried for the best one, times the secrets that remain: fewer secrets are quicker to try.
_EFFORT = 64_000
#: Units of work of an exact search with weights: a second or two.
_WEIGHTED_EFFORT = 10_000_000


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


def totals_of(ahead: Forecast | None) -> dict[str, float | None]:
    """Word → its total, of those that were looked through and of the best of all."""
    return ahead.totals | dict.fromkeys(ahead.best, ahead.least) if ahead else {}


def least_seen(ahead: Forecast | None) -> float | None:
    """The least average of all words that were looked at; None: not known."""
    totals = [total for total in totals_of(ahead).values() if total is not None]
    return min(totals) / ahead.secrets if ahead and totals else None


def forecast(
    game: Game,
    history: History,
    advice: Advice,
    words: Sequence[str],
    *,
    hard: bool = False,
    within: int | None = LIMIT,
) -> Forecast | None:
    """Exact totals of some next words and of the best one; None if too many secrets remain, or if
    the exact search cannot spell the words in hard mode.

    Later guesses may be any allowed words. The limit is lifted where no guess is left within it,
    and where it is proved that no word finds all secrets within it.
    """
    if len(advice.secrets) > MOST_FORECAST:
        return None
    from ..exact.problem import require_limit
    from ..exact.table_layout import NoTableError
    from .totals import QuickTotals

    require_limit(within)
    left = None if within is None or within <= len(history) else within - len(history)
    before = [game.guess_id(word) for word, _ in history]
    quick = QuickTotals(game, advice.candidates, advice.table.rows, hard=hard, before=before)
    effort = _EFFORT // len(advice.secrets)
    try:
        best = quick.best(left, effort)
        if left is not None and best.proved and best.total is None:
            left = None
            best = quick.best(left, effort)
        known = quick.totals([game.guess_id(word) for word in words])
    except NoTableError:  # words that hard mode cannot spell
        return None
    totals: dict[str, float | None] = {game.guesses[guess]: total for guess, total in known.items()}
    return Forecast(
        within=None if left is None else within,
        secrets=len(advice.secrets),
        totals=totals,
        least=best.total if best.proved else None,
        best=tuple(game.guesses[guess] for guess in best.guesses) if best.proved else (),
    )


def weighted_forecast(
    game: Game,
    history: History,
    advice: Advice,
    words: Sequence[str],
    weights: NDArray[Any],
    *,
    hard: bool = False,
) -> Forecast | None:
    """Expected totals of some next words and of the best, weighted; None: too many remain."""
    from ..exact.problem import Problem
    from ..exact.table_layout import NoTableError
    from .totals import ProvedTotals

    count, own = len(advice.secrets), weights[advice.candidates]
    if count > MOST_FORECAST:
        return None
    try:
        steps = tuple((game.guess_id(word), score) for word, score in history)
        problem = Problem(game, hard, None, tuple(advice.candidates.tolist()), steps)
        known = ProvedTotals(problem, own, effort=_WEIGHTED_EFFORT)
        best = known.best()
    except (NoTableError, CouldNotFinishError):  # no words for hard mode, or a long search
        return None
    totals: dict[str, float | None] = {}
    for word in words:
        with contextlib.suppress(CouldNotFinishError):
            totals[word] = known.total(game.guess_id(word)) * count
    return Forecast(
        within=None,
        secrets=count,
        totals=totals,
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


#: What a common word may cost, in guesses on average, and still be preferred if that is wanted.
MOST_FOR_COMMON = 0.02


def rank_by_forecast(
    advice: Advice, ahead: Forecast | None, words: Sequence[str], top: int | None,
    prefer_common: bool = False,
) -> RankedRows:  # fmt: skip
    """The next words ranked by exact totals if a forecast of some ``words`` has them.

    All words of the least total stand first, if it is known, and after them these words; the ranks
    are those among all of them. If neither the least total is known nor the totals of all these
    words, the table ranks as it is. If common words are preferred, they stand before others whose
    totals are less by no more than ``MOST_FOR_COMMON`` for each secret.
    """
    table, names = advice.table.rows, advice.table.game.guesses
    if ahead is None or not (ahead.best or len(ahead.totals) == len(words)):
        return RankedRows(table[:top], False, _tied(table, table[:top]))
    totals = totals_of(ahead)
    looked_at = {*ahead.best, *words}
    rows = table[[names[guess] in looked_at for guess in table["guess"]]]
    costs = np.array([_cost(totals, names[guess]) for guess in rows["guess"]])
    rebate = MOST_FOR_COMMON * ahead.secrets * np.isin(rows["guess"], advice.common)
    preferred = costs - rebate if prefer_common else costs
    order, rank = rank_totals(costs, preferred, advice.classes(rows["guess"]), rows["guess"])
    shown, costs = rows[order[:top]], costs[order]
    n_shown = len(shown)
    if n_shown and costs[n_shown - 1] == ahead.least:
        tied = len(ahead.best) - int((costs[:n_shown] == ahead.least).sum())
    else:
        tied = _tied(table, shown)
    shown["rank"] = rank[:n_shown]
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
