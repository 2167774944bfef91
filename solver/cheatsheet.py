"""The best second word for every reply to an opener that a person can tell apart.

A full score is much to look up; a person may rather count the letters hit, or the yellows and the
greens. Such a *group* puts several scores together. Both words' full scores are known later on, so
a second word is judged by the joint split of both within the group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .errors import WrongInputError
from .game import Game, WordleGame
from .grading import GREEN, GREY, YELLOW, colours_of
from .joint import joint_measures, partition_by
from .matrix import score_matrix
from .openers import costs_of

Ids = NDArray[np.int32]

GROUPS = ("score", "hits", "colours")
RULES = ("entropy", "minimax")
DEEPEST = 4


class Row(NamedTuple):
    """What to guess in one group."""

    #: The groups so far, one for each word guessed, as ``group_keys`` writes them.
    key: tuple[str, ...]
    #: The words guessed so far.
    before: tuple[str, ...]
    word: str
    #: Of all the words so far and this one, within the group, in bits.
    joint_entropy: float
    #: Secrets left in the group.
    answers: int
    #: Guesses that are as good, this one included.
    tied: int


@dataclass(frozen=True)
class Sheet:
    """A cheat sheet for one opener."""

    opener: str
    group: str
    rule: str
    rows: list[Row]
    #: All secrets.
    answers: int

    def shares(self) -> dict[str, float]:
        """Second word → the share of all secrets for which it is the one; the largest first."""
        left: dict[str, int] = {}
        for row in self.rows:
            if len(row.key) == 1:
                left[row.word] = left.get(row.word, 0) + row.answers
        ranked = sorted(left.items(), key=lambda item: (-item[1], item[0]))
        return {word: count / self.answers for word, count in ranked}


def group_keys(game: Game, group: str) -> Callable[[int], tuple[tuple[int, ...], str]]:
    """Score → what a person sees of it: a key to sort by, and its text."""
    if group not in GROUPS:
        raise WrongInputError(f"replies are grouped by {', '.join(GROUPS)}; {group!r} is none")
    if group == "score":
        return lambda score: ((score,), game.format_score(score))
    if not isinstance(game, WordleGame):
        raise WrongInputError(f"--group {group} counts colours of letters; {game.spec} has none")

    def hits(score: int) -> tuple[tuple[int, ...], str]:
        count = sum(colour != GREY for colour in colours_of(score, game.length))
        return (count,), str(count)

    def by_colours(score: int) -> tuple[tuple[int, ...], str]:
        colours = colours_of(score, game.length)
        yellow, green = colours.count(YELLOW), colours.count(GREEN)
        return (yellow, green), f"{yellow},{green}"

    return hits if group == "hits" else by_colours


def cheat_sheet(
    game: Game, opener: str, *, group: str = "colours", depth: int = 2, rule: str = "entropy"
) -> Sheet:
    """The best next word in every group, down to ``depth`` words in all.

    Among equal words one that is still possible, among those the first.
    """
    if rule not in RULES:
        raise WrongInputError(f"second words are chosen by {', '.join(RULES)}; {rule!r} is neither")
    if not 2 <= depth <= DEEPEST:
        raise WrongInputError(f"a depth is from 2 to {DEEPEST} words, the opener counted")
    maker = _Maker(game, group_keys(game, group), rule, depth)
    first = game.guess_id(opener)
    rows = list(maker.rows([first], (), np.arange(len(game.secrets), dtype=np.int32)))
    return Sheet(game.guesses[first], group, rule, rows, len(game.secrets))


class _Maker:
    def __init__(
        self,
        game: Game,
        key_of: Callable[[int], tuple[tuple[int, ...], str]],
        rule: str,
        depth: int,
    ) -> None:
        self.game, self.key_of, self.rule, self.depth = game, key_of, rule, depth
        self.scores: NDArray[Any] = score_matrix(game)

    def rows(self, words: list[int], key: tuple[str, ...], candidates: Ids) -> Iterator[Row]:
        """The rows for each group that the last of the words leaves of the candidates."""
        last = self.scores[words[-1]][candidates]
        groups: dict[tuple[tuple[int, ...], str], list[int]] = {}
        for score in np.unique(last).tolist():
            if score != self.game.solved:
                groups.setdefault(self.key_of(score), []).append(score)
        for (_, text), scores in sorted(groups.items()):
            left = candidates[np.isin(last, scores)]
            row, guess = self._row(words, (*key, text), left)
            yield row
            if len(words) + 1 < self.depth and len(left) > 1:
                yield from self.rows([*words, guess], row.key, left)

    def _row(self, words: list[int], key: tuple[str, ...], left: Ids) -> tuple[Row, int]:
        partition = partition_by([self.scores[word] for word in words], left)
        measures = joint_measures(self.scores, partition, self.game.n_scores)
        possible = np.zeros(len(self.scores), dtype=np.bool_)
        possible[self.game.secret_ids[left]] = True
        costs = costs_of(measures, self.rule, possible)
        tied = np.flatnonzero(costs == costs.min())
        guess = int((tied[possible[tied]] if possible[tied].any() else tied)[0])
        before = tuple(self.game.guesses[word] for word in words)
        entropy = float(measures.entropy()[guess])
        word = self.game.guesses[guess]
        return Row(key, before, word, entropy, len(left), len(tied)), guess
