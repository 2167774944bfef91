"""The words to guess next in a position, on one board or several.

On one board they are those of ``suggest``. On several all that can be hidden is gone through, where
that is little; otherwise a measure ranks the words, summed over the boards that are open.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from solver.advice.boards import JointRanking, JointStates, OpenBoard, rank_over_boards
from solver.advice.joint_ranking import rank_means
from solver.advice.suggest import LOOKED_AT, MOST_FOR_COMMON, totals_of
from solver.choices import MEASURES
from solver.errors import CouldNotFinishError

from ..toolbox.guesses import HowToFind, suggest_after
from .position import Position

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.machine.arrays import Ids


@dataclass(frozen=True)
class NextWord:
    """A word that may be guessed next, with its rank and measures."""

    word: str
    #: Equal ones share the first of their ranks.
    rank: int
    #: In bits, summed over the open boards.
    entropy: float
    #: Whether it may be the secret of an open board.
    candidate: bool
    #: Guesses still to be made, this one included, on average, exactly; None: not known.
    mean: float | None
    #: How many other codes are this one with other names; words: none.
    n_alike: int = 0


@dataclass(frozen=True)
class Proposals:
    """The next words of a position, best first."""

    #: What ranks them: ``guesses`` or a measure.
    by: str
    words: tuple[NextWord, ...]
    #: The least number of guesses still to be made, on average, proved; None: not known.
    least: float | None
    #: How many words have it.
    n_best: int
    #: The limit that exact play keeps to; None: none, or there are no exact figures.
    within: int | None
    #: The least number of guesses of all words that were looked at; None: not known.
    least_seen: float | None


def next_words(
    position: Position, choice: HowToFind, top: int | None = 1, named: str | None = None
) -> Proposals:
    """The words that are proposed next, ranked, and what they will take in all.

    Of those that no exact figures rank, a measure's best get them at least. With a ``named`` word
    there is just this one, ranked by the measure among all.
    """
    likely = position.lexicon.weights
    if len(position.open) == 1 and (likely is None or len(position.boards) == 1):
        return _on_one_board(position, choice, top, named)
    return _on_boards(position, choice, top, named)


def _pool(position: Position, choice: HowToFind) -> Ids:
    """The guesses that may be proposed on several boards, ascending."""
    game = position.lexicon.game
    if choice.guess_from == "allowed":
        return np.arange(len(game.guesses), dtype=np.int32)
    ids = np.array(game.secret_ids)
    some = [ids[position.boards[at].left] for at in position.open]
    likely = [ids[position.lexicon.likely]] if choice.guess_from == "secrets" else []
    return np.unique(np.concatenate([*likely, *some])).astype(np.int32)


def _on_one_board(
    position: Position, choice: HowToFind, top: int | None, named: str | None
) -> Proposals:
    """As ``suggest`` has it."""
    lexicon, board = position.lexicon, position.boards[position.open[0]]
    weights = None if lexicon.weights is None else lexicon.weights[lexicon.likely]
    found = suggest_after(
        lexicon.game if board.widened else lexicon.narrow,
        board.clues,
        choice,
        top=top if named is None else None,
        named=named,
        weights=None if board.widened else weights,
    )
    words = tuple(
        NextWord(row.word, row.rank, row.entropy, row.candidate, row.mean, row.n_alike)
        for row in found.words
    )
    ahead = found.exact
    if ahead is None:
        return Proposals(found.by, words, None, 0, None, None)
    totals = (total for total in totals_of(ahead).values() if total is not None)
    least_seen = min((total / ahead.secrets for total in totals), default=None)
    return Proposals(found.by, words, ahead.mean, len(ahead.best), ahead.within, least_seen)


def _on_boards(
    position: Position, choice: HowToFind, top: int | None, named: str | None
) -> Proposals:
    """By the sum over the open boards, and by going through all states where these are few."""
    game, measure = position.lexicon.game, choice.by or MEASURES[0]
    weights, common = position.lexicon.weights, position.lexicon.common
    left = [position.boards[at] for at in position.open]
    boards = [
        OpenBoard(it.left, None if weights is None or it.widened else weights[it.left])
        for it in left
    ]
    pool = _pool(position, choice)
    ranking = rank_over_boards(game, boards, pool, common, measure)
    words = [game.guesses[guess] for guess in ranking.guesses]
    is_common = np.isin(ranking.guesses, common)
    first = list(range(len(words))[: max(top or 0, LOOKED_AT)])
    first += np.flatnonzero(is_common)[:LOOKED_AT].tolist() if choice.common else []
    wanted = [words.index(named)] if named in words else first
    states = JointStates.of(game, boards, ranking.guesses)
    means, best = _means(states, wanted)
    order, ranks, by = list(range(len(words))), ranking.ranks.tolist(), measure
    if best and choice.by is None and named is None:
        by = "guesses"
        order, ranks = _by_means(ranking, means, is_common, choice.common)
    shown = [
        (place, rank)
        for place, rank in zip(order, ranks, strict=True)
        if named in (None, words[place])
    ]
    found = [
        NextWord(
            words[place],
            rank,
            entropy=float(ranking.entropy[place]),
            candidate=bool(ranking.hits[place] > 0),
            mean=means.get(place),
        )
        for place, rank in shown[:top]
    ]
    least = means[best[0]] if best else None
    return Proposals(by, tuple(found), least, len(best), None, least)


def _by_means(
    ranking: JointRanking, means: dict[int, float], is_common: NDArray[np.bool_], prefer: bool
) -> tuple[list[int], list[int]]:
    """Places of a ranking in the order of their expected guesses, and their ranks."""
    places = np.array(sorted(means), dtype=np.int32)
    expected = np.array([means[place] for place in places.tolist()])
    order, rank = np.empty((2, len(places)), dtype=np.int32)
    rebate = MOST_FOR_COMMON if prefer else 0.0
    common = is_common[places].view(np.uint8)
    rank_means(expected, ranking.hits[places], common, rebate, order, rank)
    return places[order].tolist(), rank.tolist()


def _means(states: JointStates | None, wanted: Sequence[int]) -> tuple[dict[int, float], list[int]]:
    """Place → expected guesses of the best and of wanted ones, as far as known; the best places."""
    means, best = dict[int, float](), list[int]()
    if states is not None:
        with contextlib.suppress(CouldNotFinishError):
            least, best = states.best()
            means = dict.fromkeys(best, least)
            for place in wanted:
                if place not in means:
                    means[place] = states.mean(place)
    return means, best
