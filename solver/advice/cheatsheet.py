"""Cheat sheets: the best second word for every reply to an opener that a person can tell apart.

A full score is much to look up; a person may rather count the letters hit, or the yellows and the
greens. Such a *group* puts several scores together. Both words' full scores are known later on, so
a second word is judged by the joint split of both within the group; and by the rule ``optimal``, by
the guesses it takes to the end, summed over the full scores in the group (``totals``).

In hard mode one word must do for the whole group, so it must be legal after every score in it; and
repeating a word, which is always legal, is no help. So there may be no second word for a group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..choices import GROUPS, LIMIT, SHEET_RULES
from ..errors import WrongInputError
from ..game.game import Game, require_pool
from ..game.wordle import GREEN, YELLOW, colours_of, require_hard_mode, still_legal
from ..machine.arrays import Ids
from ..machine.clock import limit_clock
from ..shown import Shown, record_of
from ..splits.joint_splits import joint_measures, partition_by
from ..splits.measures import Measures
from ..splits.ranking import costs_of, rank_guesses
from .suggest import common_words, pool_of

if TYPE_CHECKING:
    from .totals import Best

DEEPEST = 4


class Row(NamedTuple):
    """A row of a cheat sheet: what to guess in one group of replies to the opener."""

    #: The groups so far, one for each word guessed, as ``group_keys`` writes them.
    key: tuple[str, ...]
    #: The words guessed so far.
    before: tuple[str, ...]
    #: None: hard mode allows no word of the pool after every score in the group.
    word: str | None
    #: Of all the words so far and this one, within the group, in bits; None: no word.
    joint_entropy: float | None
    #: Secrets left in the group.
    answers: int
    #: Guesses that are as good, this one included.
    tied: int
    #: By the rule ``optimal``: guesses from this one on, summed over the answers.
    total: int | None = None
    #: The limit on guesses for that, the words so far included; None: none, or not wanted.
    within: int | None = None
    #: ``proved``: no other guess has a smaller total; ``bound``: the search was broken off;
    #: ``none``: there is no word.
    claim: str = ""

    @property
    def mean(self) -> float | None:
        """Guesses from this one on, on average; None: not known."""
        return None if self.total is None else self.total / self.answers


@dataclass(frozen=True, repr=False)
class Sheet(Shown):
    """A cheat sheet for one opener."""

    opener: str
    group: str
    rule: str
    rows: list[Row]
    #: All secrets.
    answers: int
    #: The list that the words are from, and what its secrets are called.
    list_name: str = ""
    secrets_name: str = ""

    def _line(self) -> str:
        words = f"{self.list_name}, {self.secrets_name}"
        return f"{self.opener} ({words}), {self.rule}: {len(self.rows):,} replies"

    def _records(self) -> list[dict[str, Any]]:
        return [record_of(row) for row in self.rows]

    def shares(self) -> dict[str, float]:
        """Second word → the share of all secrets for which it is the one; the largest first."""
        left: dict[str, int] = {}
        for row in self.rows:
            if len(row.key) == 1 and row.word is not None:
                left[row.word] = left.get(row.word, 0) + row.answers
        ranked = sorted(left.items(), key=lambda item: (-item[1], item[0]))
        return {word: count / self.answers for word, count in ranked}

    @property
    def total(self) -> int | None:
        """Guesses for all secrets by the rule ``optimal``, opener included; None: not known."""
        totals = [row.total for row in self.rows if len(row.key) == 1]
        known = [total for total in totals if total is not None]
        whole = self.rule == "optimal" and len(known) == len(totals)
        return self.answers + sum(known) if whole else None

    @property
    def mean(self) -> float | None:
        """The mean by the rule ``optimal`` over all secrets, opener included; None: not known."""
        return None if self.total is None else self.total / self.answers

    @property
    def proved(self) -> bool:
        """Whether no row of the sheet could have a smaller total."""
        return all(row.claim == "proved" for row in self.rows)


def group_keys(game: Game, group: str) -> Callable[[int], tuple[tuple[int, ...], str]]:
    """What a person sees of each score: a key, and its text."""
    if group not in GROUPS:
        raise WrongInputError(f"--group is one of {', '.join(GROUPS)}, not {group!r}")
    if group == "score" and game.letters is not None:
        return lambda score: (tuple(colours_of(score, game.length)), game.format_score(score))
    if group == "score":
        return lambda score: ((score,), game.format_score(score))
    if game.letters is None:
        raise WrongInputError(f"--group {group} counts colours of letters; {game.spec} has none")

    def counted(score: int) -> tuple[tuple[int, ...], str]:
        colours = colours_of(score, game.length)
        yellow, green = colours.count(YELLOW), colours.count(GREEN)
        key = (yellow + green,) if group == "hits" else (yellow, green)
        return key, ",".join(map(str, key))

    return counted


def cheat_sheet(  # noqa: PLR0913 - by name: 16 of 17 calls give 5 or fewer
    game: Game,
    opener: str,
    *,
    group: str = "score",
    depth: int = 2,
    rule: str = "entropy",
    guess_from: str = "allowed",
    hard: bool = False,
    time_limit: float | None = None,
    weights: NDArray[Any] | None = None,
    progress: Callable[[int, int], None] = lambda new, whole: None,
) -> Sheet:
    """What to guess after an opener, for every group of replies, down to ``depth`` words in all.

    Rows stand in the order in which one searches with a reply in hand: by the first letter's colour
    (grey, yellow, green), then by the second's, and so on; or by the counts. Among equal words one
    that is still possible stands, among those a common word, among those the first.

    Args:
        game: What is played.
        opener: The first guess.
        group: What of a reply is looked at: its full ``score``, its letters ``hits``, or its
            ``colours`` (yellow, green).
        depth: The number of words in all, the opener included.
        rule: ``entropy`` (jointly with the words before), ``minimax`` or ``optimal``: the fewest
            guesses to the end, exactly. The totals of ``optimal`` allow any words after those of
            the sheet.
        guess_from: The pool of the words: ``allowed``, ``secrets``, or the ``candidates`` of the
            row.
        hard: Words must be legal in hard mode after every score in the group.
        time_limit: Seconds for a row with ``optimal``; one that takes longer has the best word so
            far and stays a bound.
        weights: How likely each secret is; only for ``entropy`` by the full score.
        progress: Called with how many more of all secrets have their second word, and of how many.

    Returns:
        The sheet: rows with their words, and for ``optimal`` the total and whether it is proved.

    Raises:
        WrongInputError: The opener is no guess, or an option has no such value.

    >>> from strategy import cheat_sheet, load_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> sheet = cheat_sheet(game, "slate", group="hits", rule="optimal")
    >>> [(row.key, row.word, row.answers, row.total) for row in sheet.rows]
    [(('2',), 'abide', 2, 3), (('3',), 'raise', 1, 1), (('4',), 'stare', 1, 1)]
    >>> sheet.total, sheet.proved
    (10, True)
    """
    if rule not in SHEET_RULES:
        raise WrongInputError(
            f"the rule for second words is one of {', '.join(SHEET_RULES)}, not {rule!r}"
        )
    if not 2 <= depth <= DEEPEST:
        raise WrongInputError(f"the depth must be 2–{DEEPEST} words, the opener included")
    require_pool(guess_from)
    if hard:
        require_hard_mode(game)
    if weights is not None and (rule, group) != ("entropy", "score"):
        raise WrongInputError("a sheet weighs answers by entropy and full scores only")
    keys = group_keys(game, group)
    maker = _SheetMaker(game, keys, rule, depth, guess_from, hard, time_limit, weights)
    first = game.guess_id(opener)
    rows = []
    for row in maker.rows([first], (), np.arange(len(game.secrets), dtype=np.int32)):
        rows.append(row)
        if len(row.key) == 1:
            progress(row.answers, len(game.secrets))
    names = game.list_name, game.secrets_name
    return Sheet(game.guesses[first], group, rule, rows, len(game.secrets), *names)


@dataclass(frozen=True)
class _SheetMaker:
    """Makes the rows of a sheet, group after group."""

    game: Game
    key_of: Callable[[int], tuple[tuple[int, ...], str]]
    rule: str
    depth: int
    guess_from: str
    hard: bool
    time_limit: float | None
    weights: NDArray[Any] | None

    @cached_property
    def scores(self) -> NDArray[Any]:
        """The scores of all guesses."""
        return self.game.all_scores()

    @cached_property
    def common(self) -> Ids:
        """The guesses that people know."""
        return common_words(self.game)

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
            if guess is not None and len(words) + 1 < self.depth and len(left) > 1:
                yield from self.rows([*words, guess], row.key, left)

    def _row(self, words: list[int], key: tuple[str, ...], left: Ids) -> tuple[Row, int | None]:
        before = tuple(self.game.guesses[word] for word in words)
        rows = np.stack([self.scores[word] for word in words])
        pool = self._pool(words, rows, left)
        if not len(pool):
            claim = "none" if self.rule == "optimal" else ""
            return Row(key, before, None, None, len(left), 0, claim=claim), None
        if self.weights is not None:  # all of a full score are one part of the split before
            ranked = rank_guesses(
                self.game, self.rule, candidates=left, guess_ids=pool, weights=self.weights,
                common=self.common,
            ).rows  # fmt: skip
            first = ranked[0]
            guess, n_tied = int(first["guess"]), int((ranked["rank"] == first["rank"]).sum())
            entropy = float(first["entropy"])
            return Row(key, before, self.game.guesses[guess], entropy, len(left), n_tied), guess
        measures = joint_measures(self.scores, partition_by(list(rows), left), self.game.n_scores)
        possible = np.zeros(len(self.scores), dtype=np.bool_)
        possible[self.game.secret_ids[left]] = True
        if self.rule == "optimal":
            best, within = self._least_total(words, rows, left, pool)
            tied = np.array(best.guesses, dtype=np.int32)
            exact = best.total, within, "proved" if best.proved else "bound"
        else:
            tied, exact = _least_cost(measures, self.rule, possible, pool), (None, None, "")
        if not len(tied):  # broken off before any guess was looked through
            tied = _least_cost(measures, "parts", possible, pool)
        uncommon = ~np.isin(tied, self.common)
        guess = int(tied[np.lexsort((tied, uncommon, ~possible[tied]))[0]])
        entropy = float(measures.entropy()[guess])
        word = self.game.guesses[guess]
        return Row(key, before, word, entropy, len(left), len(tied), *exact), guess

    def _pool(self, words: list[int], rows: NDArray[Any], left: Ids) -> Ids:
        """The guesses that may be made, ascending."""
        pool = pool_of(self.game, self.guess_from, left)
        if self.hard:
            for word, row in zip(words, rows, strict=True):
                for score in np.unique(row[left]).tolist():
                    pool = still_legal(self.game, pool, word, score)
            pool = pool[~np.isin(pool, words)]
        return pool

    def _least_total(
        self, words: list[int], rows: NDArray[Any], left: Ids, pool: Ids
    ) -> tuple[Best, int | None]:
        """The guesses of least total, and the limit: lifted where no guess can meet it."""
        from .totals import ExactTotals, MeasuredState

        alike = _alike(rows[:, left])
        states = [MeasuredState.of(self.game, left[members]) for members in alike]
        clock = limit_clock(self.time_limit)
        totals_within = partial(
            ExactTotals, self.game, states, hard=self.hard, before=words, check_time=clock
        )
        best = totals_within(LIMIT - len(words)).best(pool)
        if best.total is None and best.proved:
            return totals_within(None).best(pool), None
        return best, LIMIT


def _least_cost(measures: Measures, rule: str, possible: NDArray[np.bool_], pool: Ids) -> Ids:
    """The guesses of least cost by a one-step rule."""
    costs = costs_of(measures, rule, possible)[pool]
    return pool[np.flatnonzero(costs == costs.min())]


def _alike(scores: NDArray[Any]) -> list[NDArray[np.intp]]:
    """The columns of ``scores[word, candidate]``, put together where they are equal."""
    _, labels = np.unique(scores, axis=1, return_inverse=True)
    return [np.flatnonzero(labels == label) for label in range(int(labels.max()) + 1)]
