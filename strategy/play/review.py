"""A finished game, graded guess by guess: skill, luck, better words; share grids too.

*Expected* guesses count from a guess on, itself included, on average over the secrets that were
possible before it, if the best words follow and nothing limits their number. The *skill* of a guess
is 100 where no word expects less, and falls by one for each hundredth of a guess that it expects
more. *Luck* is how many bits more than expected the score was worth; and in guesses,
what remained to be expected after the guess on average, less what remained after the score it got.
So in a game that was solved the first word's best expectation, plus what skill lost, less the luck
in guesses, is the number of guesses made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.hindsight import TOP, Hindsight, Insight
from solver.advice.suggest import candidates_after, common_words
from solver.errors import WrongInputError
from solver.game.game import SEPARATORS, Game, History
from solver.game.wordle import NOTATIONS, require_legal
from solver.shown import ShownRows, record_of
from solver.splits.measures import chances_of, uncertainty

from ..files.text import capitals, counted, is_pegs, plain, printable, quoted

if TYPE_CHECKING:
    from solver.machine.arrays import Ids

#: The guesses that Wordle allows; Mastermind has no such limit.
LIMIT = 6
#: Differences of expectations below this are rounding.
_NOTHING = 1e-9
_DIGITS = 9


class BetterWord(NamedTuple):
    """A word that was to be preferred to a guess that was made."""

    word: str
    expected: float


@dataclass(frozen=True)
class GradedGuess:
    """A guess of a game that is over, and what it was worth."""

    word: str
    score: int
    #: Secrets possible before it and after its score.
    before: int
    after: int
    #: Expected guesses from it on, and from the best word on.
    expected: float
    best: str
    best_expected: float
    #: From 0 to 100.
    skill: float
    #: Bits beyond expectation.
    luck: float
    #: Guesses that the score saved, beyond expectation.
    luck_guesses: float
    #: Whether both expectations are exact; else they are bounds.
    exact: bool
    #: The best words, where they expect less.
    better: tuple[BetterWord, ...] = ()

    @property
    def wasted(self) -> float:
        """Guesses that the best word would have saved."""
        return max(0.0, self.expected - self.best_expected)


@dataclass(frozen=True, repr=False)
class Review(ShownRows):
    """A game graded guess by guess."""

    guesses: tuple[GradedGuess, ...]
    solved: bool
    #: Whether any allowed word counts as a secret, since the game's own secrets do not fit.
    widened: bool
    #: The secrets that are possible in the end.
    secrets: tuple[str, ...]
    #: The guesses that the game allows; None: any number.
    limit: int | None = LIMIT

    def _line(self) -> str:
        return self.sentence

    def _records(self) -> list[dict[str, Any]]:
        return [record_of(guess) for guess in self.guesses]

    @property
    def state(self) -> History:
        """The words and scores of the game."""
        return tuple((guess.word, guess.score) for guess in self.guesses)

    @property
    def lost(self) -> bool:
        """Whether all guesses of a game were used without finding the secret."""
        return not self.solved and self.limit is not None and len(self.guesses) >= self.limit

    @property
    def skill(self) -> float:
        """The skill of the guesses, on average."""
        return fmean(guess.skill for guess in self.guesses)

    @property
    def luck(self) -> float:
        """The luck of the game in bits: what was learnt beyond expectation, in all."""
        return math.fsum(guess.luck for guess in self.guesses)

    @property
    def luck_guesses(self) -> float:
        """Guesses saved by luck in the game, in all."""
        return math.fsum(guess.luck_guesses for guess in self.guesses)

    @property
    def sentence(self) -> str:
        """The review of the game in one sentence: how it was played, how lucky, what it cost."""
        played = next(words for least, words in _PLAYED if self.skill >= least)
        return f"{played}{_luck(self)}: {_end(self)}{_cost(self)}."


class Reviewer:
    """Reviews games of one kind; states that come again are looked at once."""

    def __init__(
        self, game: Game, *, hard: bool = False, weights: NDArray[np.float64] | None = None,
        exact: bool = False, time_limit: float | None = 10.0,
    ) -> None:  # fmt: skip
        """``exact`` searches the largest states too; a state may take ``time_limit`` seconds."""
        self.game = game
        self._hard, self._weights = hard, weights
        self._options: dict[str, Any] = {"hard": hard, "patient": exact, "time_limit": time_limit}
        self._hindsight = Hindsight(game, weights=weights, **self._options)
        self._wide: tuple[Game, Hindsight] | None = None

    def review(self, history: History, secret: str | None = None) -> Review:
        """The review of one game; a secret that is known may be any allowed word."""
        _check_played(self.game, history, self._hard)
        game, hindsight, left = self._fitting(history, secret)
        weights = self._weights
        if weights is None or game is not self.game:
            weights = np.ones(len(game.secrets))
        graded, steps = [], list[tuple[int, int]]()
        here = np.arange(len(game.secrets), dtype=np.int32)
        insight = hindsight.look(here, steps, game.guess_id(history[0][0]))
        for number, (word, score) in enumerate(history, 1):
            guess = game.guess_id(word)
            row = game.score_rows(np.array([guess], dtype=np.int32), here)[0]
            chances = chances_of(weights[here])
            after = here[row == score]
            steps.append((guess, score))
            then = None
            if score != game.solved:
                following = game.guess_id(history[number][0]) if number < len(history) else None
                then = hindsight.look(after, steps, following)
            luck = _bits_beyond(row, score, chances)
            graded.append(_graded(game, (word, score), insight, len(after), luck, then))
            if then is not None:
                here, insight = after, then
        secrets = tuple(game.secrets[at] for at in left)
        solved = history[-1][1] == game.solved
        limit = None if is_pegs(game.spec) else LIMIT
        return Review(tuple(graded), solved, game is not self.game, secrets, limit)

    def _fitting(self, history: History, secret: str | None) -> tuple[Game, Hindsight, Ids]:
        """The game whose secrets fit: as it is, or with all allowed words as secrets."""
        game = self.game
        narrow = len(game.secrets) == len(game.guesses) or self._weights is not None
        if secret is None or secret in game.secrets or narrow:
            try:
                return game, self._hindsight, candidates_after(game, history)
            except WrongInputError:
                if narrow or not any(
                    all(game.grade(word, allowed) == score for word, score in history)
                    for allowed in game.guesses
                ):
                    raise
        if self._wide is None:
            wide = replace(game, secrets=game.guesses, secrets_name="allowed")
            self._wide = wide, Hindsight(wide, **self._options)
        wide, hindsight = self._wide
        return wide, hindsight, candidates_after(wide, history)


def review(
    game: Game,
    played: str | History,
    *,
    secret: str | None = None,
    hard: bool = False,
    weights: NDArray[np.float64] | None = None,
    exact: bool = False,
    time_limit: float | None = 10.0,
) -> Review:
    """A game graded guess by guess, be it won, lost or unfinished.

    What cannot be searched to its end within the time limit, and without ``exact`` the first guess,
    is a bound and says so. If none of the game's secrets fits the scores, all allowed
    words are taken for secrets.

    Args:
        game: What was played.
        played: Text such as ``"crane bybbb sloth bbbbb"``, the bare words if the ``secret`` is
            given, or pairs of a word and its score.
        secret: The word that was hidden.
        hard: It was played in hard mode.
        weights: How likely each secret of the game is.
        exact: Search the first guess to the end as well, whatever it takes.
        time_limit: Seconds a guess; ``None``: no limit.

    Returns:
        A row a guess with its skill, its luck and the better words, and the same for the game.

    Raises:
        WrongInputError: The text is no game, or its clues contradict each other.

    >>> from strategy import load_game, review
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> found = review(game, "abide crane", secret="crane")
    >>> [(row.word, row.before, row.after, row.skill) for row in found.guesses]
    [('abide', 5, 3, 60.0), ('crane', 3, 1, 100.0)]
    >>> found.guesses[0].better[0]
    BetterWord(word='crane', expected=1.8)
    """
    history = read_game(game, played, secret) if isinstance(played, str) else tuple(played)
    reviewer = Reviewer(game, hard=hard, weights=weights, exact=exact, time_limit=time_limit)
    return reviewer.review(history, secret)


def one_line(found: Review) -> str:
    """The review of a game, skill and luck, as one line of text."""
    return f"skill {found.skill:.0f}, luck {found.luck_guesses:+.1f} guesses: {found.sentence}"


def read_game(game: Game, text: str, secret: str | None = None) -> History:
    """The history of a game in a text: words with scores, or bare words if the secret is known."""
    if secret is None:
        try:
            return game.parse_state(text)
        except WrongInputError:
            words = _words(text)
            if words and all(word in game.guesses for word in words):
                raise WrongInputError(
                    "add the colours of each word, or the hidden word with --secret"
                ) from None
            raise
    hidden = game.guesses[game.guess_id(secret)]
    words = _words(text)
    if words and all(word in game.guesses for word in words):
        return tuple((word, game.grade(word, hidden)) for word in words)
    history = game.parse_state(text)
    for word, score in history:
        if (truth := game.grade(word, hidden)) != score:
            said, gives = game.format_score(score), game.format_score(truth)
            raise WrongInputError(
                f"{word} {said} does not fit the secret {hidden}: {word} would get {gives}"
            )
    return history


def with_unknown(game: Game, text: str) -> tuple[Game, tuple[str, ...]]:
    """The game in which the words of a text may be guessed too, and those that are new."""
    try:
        words = [word for word, _ in game.read_state(text)]
    except WrongInputError:
        words = _words(text)
    new = tuple(dict.fromkeys(word for word in words if word not in game.guesses))
    for word in new:
        if len(word) != game.length or not set(game.alphabet).issuperset(word):
            raise WrongInputError(
                f"{quoted(word)} must be {game.length} letters that the list uses"
            )
    return replace(game, guesses=tuple(sorted({*game.guesses, *new}))), new


def _words(text: str) -> list[str]:
    return [word for word in re.split(f"[{re.escape(SEPARATORS)}]+", plain(text)) if word]


def _check_played(game: Game, history: History, hard: bool) -> None:
    """Refuse what nobody can have played."""
    if not history:
        raise WrongInputError(
            "no guess to review; write each guess with its colours, e.g. crane bybbb"
        )
    for number, (word, score) in enumerate(history[:-1], 1):
        if score == game.solved:
            raise WrongInputError(f"{word} ended the game; guess {number + 1} comes after it")
    if hard:
        require_legal(game, [(game.guess_id(word), score) for word, score in history])


def _bits_beyond(row: NDArray[Any], score: int, chances: NDArray[np.float64]) -> float:
    """The information of a score in bits, less what was expected of the guess."""
    hit = float(chances[row == score].sum())
    shares = np.bincount(row, chances).astype(np.float64)
    expected = uncertainty(shares) if (row != row[0]).any() else 0.0
    gained = -math.log2(hit) if (row != score).any() else 0.0
    return gained - expected


def _graded(
    game: Game,
    step: tuple[str, int],
    insight: Insight,
    after: int,
    luck: float,
    then: Insight | None,
) -> GradedGuess:
    """A guess with all that can be said of it; ``then`` is the state that it left."""
    word, score = step
    yours = insight.yours
    assert yours is not None
    named = [(worth.expected, game.guesses[worth.guess]) for worth in insight.best]
    common = {game.guesses[guess] for guess in common_words(game)}
    possible = {game.secrets[at] for at in insight.candidates}

    def preference(row: tuple[float, str]) -> tuple[float, bool, bool, str]:
        return row[0], row[1] not in possible, row[1] not in common, row[1]

    ranked = sorted(named, key=preference)
    best = word if yours - insight.least < _NOTHING else ranked[0][1]
    better = [BetterWord(other, value) for value, other in ranked if value < yours - _NOTHING]
    lost = max(0.0, yours - insight.least)
    return GradedGuess(
        word,
        score,
        len(insight.candidates),
        after,
        yours,
        best,
        insight.least,
        round(100 * (1 - min(1.0, lost)), _DIGITS),
        luck,
        yours - 1 - (then.least if then is not None else 0.0),
        insight.exact,
        tuple(better[:TOP]),
    )


# ---- The review in one sentence

#: From so much skill on a game was played so.
_PLAYED = (
    (99.0, "Perfectly played"),
    (95.0, "Very well played"),
    (87.0, "Well played"),
    (75.0, "Fairly played"),
    (50.0, "Not well played"),
    (0.0, "Poorly played"),
)
#: From here on it is praise.
_PRAISE = 75.0
#: Guesses that luck has saved or cost, from which on it is worth a word, and a strong one.
_SOME, _MUCH = 0.25, 0.75
#: A guess that cost no more than this is not worth a word.
_DEAR = 0.05


def _luck(review: Review) -> str:
    size = abs(review.luck_guesses)
    if size < _SOME:
        return ""
    lucky = review.luck_guesses > 0
    joined = "and" if lucky == (review.skill >= _PRAISE) else "but"
    return f" {joined} {'very ' if size >= _MUCH else ''}{'lucky' if lucky else 'unlucky'}"


def _end(review: Review) -> str:
    first, made = review.guesses[0], len(review.guesses)
    about = "" if first.exact else "about "
    average = f"the best play takes {about}{first.best_expected:.2f} on average"
    guesses = counted(made, "guess", "guesses")
    if review.solved:
        return f"{guesses}, where {average}"
    left = counted(len(review.secrets), "word")
    verb = "is" if len(review.secrets) == 1 else "are"
    if review.lost:
        return f"not found in {guesses}, with {left} left, where {average}"
    return f"{guesses} so far, and {left} {verb} left, where {average}"


def _cost(review: Review) -> str:
    dearest = max(review.guesses, key=lambda guess: guess.wasted)
    if dearest.wasted < _DEAR:
        return ""
    best = capitals(dearest.best)
    return f"; {best} instead of {capitals(dearest.word)} would have saved {dearest.wasted:.2f}"


# ---- Several games


@dataclass(frozen=True)
class Diary:
    """Reviews of several games."""

    reviews: tuple[Review, ...]

    @property
    def skill(self) -> float:
        """The mean skill over the games."""
        return fmean(review.skill for review in self.reviews)

    @property
    def luck(self) -> float:
        """The mean luck over the games, in bits."""
        return fmean(review.luck for review in self.reviews)

    @property
    def luck_guesses(self) -> float:
        """The mean luck over the games, in guesses."""
        return fmean(review.luck_guesses for review in self.reviews)


def review_lines(reviewer: Reviewer, lines: Iterable[str], where: str) -> Diary:
    """The reviews of games, one a line; ``#`` begins a comment, blank lines do not count."""
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(reviewer.review(read_game(reviewer.game, text)))
        except WrongInputError as error:
            raise WrongInputError(f"{printable(where)}:{number}: {error}") from None
    if not found:
        raise WrongInputError(f"{printable(where)}: the file has no games")
    return Diary(tuple(found))


# ---- Share grids: rows of colours without their words

#: Marks that stand for nothing but tiles.
_TILES = "".join(
    sorted({mark for marks in NOTATIONS.values() for mark in marks if mark > "\u2000"})
)
_ROW = re.compile(f"[{_TILES}\ufe0f]+")
#: What a game calls itself above a grid it shares: ``Wordle 1,234 4/6*``.
_HEADING = re.compile(r"wordle\s*[\d.,\s]*\s[1-9x]/\d\*?", re.IGNORECASE)


@dataclass(frozen=True)
class GridRow:
    """A row of a share grid: its colours, and how many words fit it."""

    score: int
    #: The score as people write it.
    text: str
    #: Words that may have been guessed: they give the row for one of the secrets, at least.
    n_words: int
    #: Words that give the row for a secret, on average over the secrets.
    mean: float


@dataclass(frozen=True)
class GridReview:
    """The review of a share grid without words: how many words fit each row."""

    rows: tuple[GridRow, ...]
    #: Secrets for which each row can be had.
    n_secrets: int
    #: Of so many.
    n_of: int


def read_grid(game: Game, text: str) -> tuple[int, ...] | None:
    """The scores of a share grid, if the text is nothing but one; None if it has words in it."""
    bare = _HEADING.sub(" ", text)
    rows = [row.replace("\ufe0f", "") for row in _ROW.findall(bare)]
    if not rows or _ROW.sub(" ", bare).strip(SEPARATORS + "\r"):
        return None
    if game.letters is None:
        raise WrongInputError(f"only Wordle has share grids, not {game.spec}")
    scores = tuple(map(game.parse_score, rows))
    if game.solved in scores[:-1]:
        at = scores.index(game.solved) + 1
        raise WrongInputError(f"row {at} of the grid is all green, so row {at + 1} cannot follow")
    return scores


def review_grid(
    game: Game,
    scores: tuple[int, ...],
    secret: str | None = None,
    weights: NDArray[Any] | None = None,
) -> GridReview:
    """How many allowed words fit each row of a share grid.

    The secret is known, or any that can be. Each row is judged by itself: what one word says
    about another is not known. ``weights`` say how likely each secret is.
    """
    grades: NDArray[Any]
    if secret is None:
        alone, grades = "", game.all_scores()
        chances = np.ones(len(game.secrets)) if weights is None else weights
    else:
        alone, chances = game.guesses[game.guess_id(secret)], np.ones(1)
        grades = np.array([[game.grade(word, alone)] for word in game.guesses])
    possible = np.ones(len(chances), dtype=np.bool_)
    for number, score in enumerate(scores, 1):
        possible &= (grades == score).any(axis=0)
        if not possible.any():
            whose = f"the secret {alone}" if secret else "any secret that fits the rows above"
            row = f"row {number}, {game.format_score(score)}"
            raise WrongInputError(f"this grid is impossible: no word gives {row}, for {whose}")
    rows = []
    share = chances_of(chances[possible])
    for score in scores:
        fits = grades[:, possible] == score
        mean = float(fits.sum(axis=0) @ share)
        rows.append(GridRow(score, game.format_score(score), int(fits.any(axis=1).sum()), mean))
    return GridReview(tuple(rows), int(possible.sum()), len(possible))
