"""A finished game graded guess by guess: what it was worth, what would have been better, how lucky.

*Expected* guesses count from a guess on, itself included, on average over the secrets that were
possible before it, if the best words follow and nothing limits their number. The *skill* of a guess
is 100 where no word expects less, and falls by one for each hundredth of a guess that it expects
more. *Luck* is what the score told beyond what it was expected to tell, in bits; and in guesses,
what remained to be expected after the guess on average, less what remained after the score it got.
So in a game that was solved the first word's best expectation, plus what skill lost, less the luck
in guesses, is the number of guesses made.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from solver.advice.clues import candidates_after
from solver.advice.hindsight import TOP, Hindsight, Insight
from solver.errors import WrongInputError
from solver.game.game import SEPARATORS, Game, History
from solver.game.hard_mode import require_legal
from solver.splits.weighted_measures import chances_of, uncertainty

from ..files.letters import plain
from ..files.names import quoted
from .verdicts import sentence_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.machine.rows import Ids

#: Guesses in a game; who has used them up has lost.
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
    def lost(self) -> float:
        """Guesses that the best word would have saved."""
        return max(0.0, self.expected - self.best_expected)


@dataclass(frozen=True)
class Review:
    """A game graded guess by guess."""

    guesses: tuple[GradedGuess, ...]
    solved: bool
    #: Whether any allowed word counts as a secret, since the game's own secrets do not fit.
    widened: bool
    #: The secrets that are possible in the end.
    secrets: tuple[str, ...]

    @property
    def state(self) -> History:
        """The words and scores of the game."""
        return tuple((guess.word, guess.score) for guess in self.guesses)

    @property
    def lost(self) -> bool:
        """Whether all guesses of a game were made in vain."""
        return not self.solved and len(self.guesses) >= LIMIT

    @property
    def skill(self) -> float:
        """The skill of the guesses, on average."""
        return math.fsum(guess.skill for guess in self.guesses) / len(self.guesses)

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
        """The review of the game in one sentence."""
        return sentence_of(self)


class Reviewer:
    """Reviews games of one kind; states that come again are looked at once."""

    def __init__(
        self,
        game: Game,
        *,
        hard: bool = False,
        weights: NDArray[np.float64] | None = None,
        exact: bool = False,
        time_limit: float | None = 10.0,
    ) -> None:
        """``exact`` searches the largest states too; a state may take ``time_limit`` seconds."""
        #: The game that is reviewed.
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
        return Review(tuple(graded), solved, game is not self.game, secrets)

    def _fitting(self, history: History, secret: str | None) -> tuple[Game, Hindsight, Ids]:
        """The game whose secrets fit: as it is, or with all allowed words as secrets."""
        game = self.game
        narrow = len(game.secrets) == len(game.guesses) or self._weights is not None
        if secret is None or secret in game.secrets or narrow:
            try:
                return game, self._hindsight, candidates_after(game, history)
            except WrongInputError:
                if narrow or not _fits_some_guess(game, history):
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

    What cannot be searched to its end within the time limit, and the first guess unless ``exact``
    is asked for, is a bound and says so. If none of the game's secrets fits the scores, all allowed
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
                    "words without scores: give the scores, or the word that was hidden (--secret)"
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
                f"{word} {said} does not fit the secret {hidden}: it gives {gives}"
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
                f"{quoted(word)} is no word of {game.length} letters such as the list has"
            )
    return replace(game, guesses=tuple(sorted({*game.guesses, *new}))), new


def _words(text: str) -> list[str]:
    """What stands between separators."""
    return [word for word in re.split(f"[{re.escape(SEPARATORS)}]+", plain(text)) if word]


def _check_played(game: Game, history: History, hard: bool) -> None:
    """Refuse what nobody can have played."""
    if not history:
        raise WrongInputError("no guess to review; write words with their scores: crane bybbb")
    for number, (word, score) in enumerate(history[:-1], 1):
        if score == game.solved:
            raise WrongInputError(f"{word} was right: guess {number + 1} comes after the end")
    if hard:
        require_legal(game, [(game.guess_id(word), score) for word, score in history])


def _fits_some_guess(game: Game, history: History) -> bool:
    """Whether some allowed word fits all scores."""
    return any(
        all(game.grade(word, secret) == score for word, score in history) for secret in game.guesses
    )


def _bits_beyond(row: NDArray[Any], score: int, chances: NDArray[np.float64]) -> float:
    """What a score told, less what the guess was expected to tell."""
    hit = float(chances[row == score].sum())
    shares = np.bincount(row, chances).astype(np.float64)
    expected = uncertainty(shares) if (row != row[0]).any() else 0.0
    told = -math.log2(hit) if (row != score).any() else 0.0
    return told - expected


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
    common = {*game.secrets}
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
