"""The words to guess next in a position, on one board or several.

On one board the exact figures are those of ``suggest``; on several, and where some secrets are
likelier than others, all that can be hidden is gone through. Otherwise a measure ranks the words,
summed over the boards that are open.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from solver.advice.boards import JointRanking, JointStates, rank_over_boards
from solver.advice.joint_ranking import rank_means
from solver.advice.suggest import (
    LOOKED_AT,
    MOST_FOR_COMMON,
    Advice,
    advise,
    forecast,
    rank_by_forecast,
    totals_of,
)
from solver.choices import MEASURES
from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.alike import count_alike
from solver.game.game import require_pool
from solver.game.wordle import legal_after

from .position import Lexicon, Position, check_boards, open_board

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.machine.arrays import Ids

#: What ranks words by exact figures, beside the names of measures.
EXACTLY = "guesses"


@dataclass(frozen=True)
class Choice:
    """How the next word is chosen: by which measure, from which guesses, within which limit."""

    #: The measure; None: exact figures where they are known, else entropy.
    by: str | None = None
    guess_from: str = "allowed"
    hard: bool = False
    #: Exact play finds all secrets within so many guesses, if that can be done; None: no limit.
    within: int | None = None
    #: The first guesses, proposed whatever the replies; the others are chosen.
    start: tuple[str, ...] = ()
    #: Whether common words are preferred also where they cost a little, if exact figures are known.
    common: bool = False

    def check(self, lexicon: Lexicon, boards: int) -> None:
        """Refuse a choice that cannot be made with these words on so many boards."""
        require_pool(self.guess_from)
        if self.by is not None and self.by not in MEASURES:
            raise WrongInputError(f"no measure {self.by!r}; measures: {', '.join(MEASURES)}")
        check_boards(lexicon.game, boards, self.hard)


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
    position: Position, choice: Choice, top: int | None = 1, named: str | None = None
) -> Proposals:
    """The words that are proposed next, ranked, and what they will take in all.

    Of those that no exact figures rank, a measure's best get them at least. With a ``named`` word
    there is just this one, ranked by the measure among all.
    """
    if len(position.open) == 1 and position.lexicon.weights is None:
        return _on_one_board(position, choice, top, named)
    return _on_boards(position, choice, top, named)


def legal_pool(position: Position, choice: Choice) -> Ids:
    """The guesses that may be proposed now to a player, ascending."""
    game = position.lexicon.game
    if choice.guess_from == "allowed":
        pool = np.arange(len(game.guesses), dtype=np.int32)
    else:
        ids = np.array(game.secret_ids)
        some = [ids[position.boards[at].left] for at in position.open]
        likely = [ids[position.lexicon.likely]] if choice.guess_from == "secrets" else []
        pool = np.unique(np.concatenate([*likely, *some])).astype(np.int32)
    if choice.hard:
        clues = [(game.guess_id(word), score) for word, score in position.boards[0].clues]
        pool = np.intersect1d(pool, legal_after(game, clues)).astype(np.int32)
    return pool


def _on_one_board(
    position: Position, choice: Choice, top: int | None, named: str | None
) -> Proposals:
    """As ``suggest`` has it."""
    game, board = position.lexicon.game, position.boards[position.open[0]]
    advice = _advice(position, choice, named)
    words = [named] if named else advice.words_to_try(max(top or 0, LOOKED_AT), choice.common)
    ahead = forecast(game, board.clues, advice, words, hard=choice.hard, within=choice.within)
    by_measure = choice.by or named
    ranked, wanted = None if by_measure else ahead, None if named else top
    ranking = rank_by_forecast(advice, ranked, words, wanted, choice.common)
    totals = totals_of(ahead)
    found = []
    for row in advice.table.records(ranking.rows):
        if named in (None, row["word"]):
            total = totals.get(row["word"])
            mean = None if total is None else total / len(board.left)
            about = (row["word"], row["rank"], row["entropy"], row["candidate"])
            found.append(NextWord(*about, mean))
    if choice.guess_from == "allowed" and game.code_space is not None:
        alike = count_alike(game, board.left, [game.guess_id(row.word) for row in found])
        found = [replace(row, n_alike=n) for row, n in zip(found, alike, strict=True)]
    by = EXACTLY if ranking.exact else advice.table.by
    if ahead is None:
        return Proposals(by, tuple(found), None, 0, None, None)
    seen = [total / len(board.left) for total in totals.values() if total is not None]
    known = (ahead.mean, len(ahead.best), ahead.within)
    return Proposals(by, tuple(found), *known, min(seen, default=None))


def _advice(position: Position, choice: Choice, named: str | None) -> Advice:
    """What ``suggest`` knows of the one open board."""
    lexicon, board = position.lexicon, position.boards[position.open[0]]
    game, measure = lexicon.game, choice.by or MEASURES[0]
    pool = legal_pool(position, choice)
    if game.code_space is not None and choice.guess_from == "allowed":
        pool = game.worth_trying(board.left)  # of codes that cannot be told apart only one
        if named:
            pool = np.union1d(pool, [game.guess_id(named)]).astype(np.int32)
    return advise(game, board.left, pool, lexicon.common, measure)


def _on_boards(position: Position, choice: Choice, top: int | None, named: str | None) -> Proposals:
    """By the sum over the open boards, and by going through all states where these are few."""
    game, measure = position.lexicon.game, choice.by or MEASURES[0]
    boards = [open_board(position.lexicon, position.boards[at]) for at in position.open]
    pool = legal_pool(position, choice)
    common = position.lexicon.common
    ranking = rank_over_boards(game, boards, pool, common, measure)
    words = [game.guesses[guess] for guess in ranking.guesses]
    is_common = np.isin(ranking.guesses, common)
    first = list(range(len(words))[: max(top or 0, LOOKED_AT)])
    first += np.flatnonzero(is_common)[:LOOKED_AT].tolist() if choice.common else []
    wanted = [words.index(named)] if named in words else first
    hard = choice.hard and len(boards[0].candidates) > 1
    states = None if hard else JointStates.of(game, boards, ranking.guesses)
    means, best = _means(states, wanted)
    order, ranks, by = list(range(len(words))), ranking.ranks.tolist(), measure
    if best and choice.by is None and named is None:
        by = EXACTLY
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
        for place, rank in (shown if named else shown[:top])
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
    means: dict[int, float] = {}
    best: list[int] = []
    if states is None:
        return means, best
    with contextlib.suppress(CouldNotFinishError):
        least, best = states.best()
        means = dict.fromkeys(best, least)
        for place in wanted:
            if place not in means:
                means[place] = states.mean(place)
    return means, best
