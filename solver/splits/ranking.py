"""Every word ranked as the next guess, by any one-step measure.

The measures of a split come from ``measures``; here they are put side by side, sorted and ranked.
Openers are the case in which all secrets are still possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import MEASURES
from ..errors import WrongInputError
from ..game.game import Game
from ..game.wordle import WordleGame
from ..game.words import did_you_mean
from ..machine.rows import Ids
from .letter_tree import tree_measures, tree_pays
from .measures import Measures, split_measures
from .size_limits import require_countable
from .weighted_measures import Chances, chances_of, uncertainty, weighted_measures

#: A block of rows this large is measured at a time.
_BLOCK_BYTES = 1 << 26

#: The fields of ``RankedGuesses.rows``.
FIELDS = np.dtype(
    [
        ("guess", np.int32),
        ("rank", np.int32),
        ("entropy", np.float64),
        ("remaining_bits", np.float64),
        ("expected_size", np.float64),
        ("largest", np.int32),
        ("parts", np.int32),
        ("proportion", np.float64),
        ("candidate", np.bool_),
    ]
)


@dataclass(frozen=True, eq=False)
class RankedGuesses:
    """Guesses with their measures, best first; ties share a rank and stand alphabetically."""

    game: Game
    #: How it is sorted, one of ``choices.MEASURES``.
    by: str
    #: A structured array with FIELDS.
    rows: NDArray[Any]

    def __len__(self) -> int:
        return len(self.rows)

    def records(self, rows: NDArray[Any] | None = None) -> Iterator[dict[str, Any]]:
        """Rows (all of them unless given) as plain values, the guess as ``word``."""
        for row in self.rows if rows is None else rows:
            values = dict(zip(FIELDS.names or (), row.item(), strict=True))
            yield {"word": self.game.guesses[values.pop("guess")], **values}

    def of_words(self, words: list[str]) -> NDArray[Any]:
        """The rows of these words, in the order of the table."""
        wanted = [self.game.guess_id(word) for word in words]
        return self.rows[np.isin(self.rows["guess"], wanted)]


def measures_of(game: Game, guess_ids: Ids, candidates: Ids | None = None) -> Measures:
    """The measures of guesses against the candidates (all secrets, if None)."""
    width = len(game.secrets) if candidates is None else len(candidates)
    require_countable(width)
    if isinstance(game, WordleGame) and tree_pays(game.length, len(guess_ids), width):
        secret_ids = game.secret_ids if candidates is None else game.secret_ids[candidates]
        return tree_measures(game.letters[guess_ids], game.letters[secret_ids])
    stride = max(1, _BLOCK_BYTES // max(1, width * np.dtype(game.score_dtype).itemsize))
    blocks = [
        split_measures(game.score_rows(guess_ids[at : at + stride], candidates), game.n_scores)
        for at in range(0, len(guess_ids), stride)
    ]
    if len(blocks) == 1:
        return blocks[0]
    columns = [
        np.concatenate(column) for column in zip(*(block[1:] for block in blocks), strict=True)
    ]
    return Measures(width, *columns)


def costs_of(measures: Measures, by: str, is_candidate: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What a guess is sorted by in a ranking, exact integers, the smaller the better."""
    if by in ("entropy", "remaining"):
        return measures.weights
    if by == "expected-size":
        return measures.squares
    if by == "parts":
        return -measures.parts.astype(np.int64)
    if by == "minimax":
        return measures.largest.astype(np.int64)
    if by == "proportion":  # n * n * (1 - share eliminated - 1/n for a candidate)
        return measures.squares - np.where(is_candidate, measures.candidates, 0)
    raise _no_measure(by)


def best_guess(game: Game, by: str, guesses: Ids, candidates: Ids) -> int:
    """The guess out of some, ascending, whose split of the candidates a measure puts first.

    Ties as in all searches: a candidate before the others, then the first guess.
    """
    is_candidate = np.isin(guesses, game.secret_ids[candidates], assume_unique=True)
    costs = costs_of(measures_of(game, guesses, candidates), by, is_candidate)
    best = np.flatnonzero(costs == costs.min())
    first = best[is_candidate[best]]
    return int(guesses[first[0] if len(first) else best[0]])


def rank_guesses(
    game: Game,
    by: str = "entropy",
    *,
    candidates: Ids | None = None,
    guess_ids: Ids | None = None,
    weights: NDArray[Any] | None = None,
) -> RankedGuesses:
    """Guesses (all, if None) sorted by a measure against the candidates (all secrets, if None).

    ``weights`` say how likely each secret of the game is; none of them is zero. Then what is
    expected is expected over them.
    """
    if guess_ids is None:
        guess_ids = np.arange(len(game.guesses), dtype=np.int32)
    secret_ids = game.secret_ids if candidates is None else game.secret_ids[candidates]
    rows = np.empty(len(guess_ids), dtype=FIELDS)
    rows["guess"] = guess_ids
    rows["candidate"] = np.isin(guess_ids, secret_ids)
    if weights is None:
        costs = _fill(rows, measures_of(game, guess_ids, candidates), by)
    else:
        chances = chances_of(weights if candidates is None else weights[candidates])
        hits = np.zeros(len(game.guesses))
        hits[secret_ids] = chances
        costs = _fill_weighted(rows, game, candidates, chances, hits[guess_ids], by)
    order = np.lexsort((guess_ids, costs))
    rows, costs = rows[order], costs[order]
    rows["rank"] = np.searchsorted(costs, costs, side="left") + 1
    return RankedGuesses(game, by, rows)


def _fill(rows: NDArray[Any], measures: Measures, by: str) -> NDArray[np.int64]:
    """Fill in what splits are worth where all secrets are equally likely; what they cost."""
    rows["entropy"] = measures.entropy()
    rows["remaining_bits"] = measures.remaining()
    rows["expected_size"] = measures.expected_size()
    rows["largest"] = measures.largest
    rows["parts"] = measures.parts
    rows["proportion"] = measures.eliminated() + rows["candidate"] / measures.candidates
    return costs_of(measures, by, rows["candidate"])


def _fill_weighted(
    rows: NDArray[Any],
    game: Game,
    candidates: Ids | None,
    chances: Chances,
    hits: Chances,
    by: str,
) -> NDArray[np.int64]:
    """The same where they are not; ``hits`` is the chance that each guess is right."""
    if by not in MEASURES:
        raise _no_measure(by)
    measures = weighted_measures(game, rows["guess"], candidates, chances)
    rows["entropy"] = measures.entropy(uncertainty(chances))
    rows["remaining_bits"] = measures.missing
    rows["expected_size"] = measures.kept
    rows["largest"] = measures.largest
    rows["parts"] = measures.parts
    rows["proportion"] = 1.0 - measures.kept / len(chances) + hits
    return measures.costs(by, hits, len(chances))


def _no_measure(by: str) -> WrongInputError:
    return WrongInputError(
        f"no measure named {by!r}{did_you_mean(by, MEASURES)}; measures: {', '.join(MEASURES)}"
    )
