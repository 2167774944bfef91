"""A finished game, graded guess by guess: skill, luck, better words.

*Expected* guesses count from a guess on, itself included, on average over the secrets that were
possible before it, if the best words follow and nothing limits their number. The *skill* of a guess
is 100 where no word expects less, and falls by one for each hundredth of a guess that it expects
more. *Luck* is in guesses: what remained to be expected after the guess on average, less what
remained after the score it got. So in a game that was solved the first word's best expectation,
plus what skill lost, less the luck, is the number of guesses made. Bits of information are no luck:
a score may leave fewer secrets than expected, and they may take more guesses.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.hindsight import TOP, Hindsight, Insight
from solver.advice.suggest import candidates_after, common_words, contradiction, widened
from solver.choices import LIMIT
from solver.errors import WrongInputError
from solver.game.game import Game, History
from solver.game.wordle import require_legal
from solver.machine.arrays import Ids
from solver.shown import ShownRows, record_of
from solver.splits.measures import bits_beyond, chances_of
from solver.splits.ranking import order_totals

from ..files.text import capitals, counted, is_pegs, is_word, printable, quoted, terms_of
from ..solving.progress import Call, tells_progress
from ..toolbox.guesses import history_of_steps
from .grids import read_shared, scores_in, without_heading, words_of
from .position import with_guesses

if TYPE_CHECKING:
    from ..tree import Step

#: Differences of expectations below this are rounding.
_NOTHING = 1e-9
#: Seconds that a guess may take, for every command that reviews a game: with another limit some
#: figure could be another, and so the judgement.
TIME_LIMIT = 10.0
#: A longer line is no game.
LONGEST_GAME = 5_000
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
    #: Bits of information in the score, less the entropy of the guess.
    extra_bits: float
    #: Luck: guesses that the score saved, beyond expectation.
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
    #: What was played: ``wordle``, ``mastermind:4x6``.
    game: str = "wordle"

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
    def perfect(self) -> bool:
        """Whether no guess of the game could have been better, as far as is known."""
        return all(guess.wasted < _NOTHING for guess in self.guesses)

    @property
    def extra_bits(self) -> float:
        """Bits of information learnt beyond expectation in the game, in all."""
        return math.fsum(guess.extra_bits for guess in self.guesses)

    @property
    def luck_guesses(self) -> float:
        """The luck of the game: guesses saved beyond expectation, in all."""
        return math.fsum(guess.luck_guesses for guess in self.guesses)

    @property
    def sentence(self) -> str:
        """The review of the game in one sentence: how it was played, how lucky, what it cost."""
        graded = (how for least, how in _PLAYED.items() if self.skill >= least)
        how = "Perfectly" if self.perfect else next(graded)
        return f"{how} played{_luck(self)}: {_end(self)}{_cost(self)}."


class Reviewer:
    """Reviews games of one kind; states that come again are looked at once."""

    def __init__(
        self, game: Game, *, hard: bool = False, weights: NDArray[np.float64] | None = None,
        exact: bool = False, time_limit: float | None = TIME_LIMIT, widens: bool | None = None,
    ) -> None:  # fmt: skip
        """``exact`` searches the largest states too; a state may take ``time_limit`` seconds.

        With ``widens`` all allowed words count where no secret fits: by default without weights.
        """
        self.game = game
        self._hard, self._weights = hard, weights
        self._narrow = weights is not None if widens is None else not widens
        self._options: dict[str, Any] = {"hard": hard, "patient": exact, "time_limit": time_limit}
        self._hindsight = Hindsight(game, weights=weights, **self._options)
        self._wide: tuple[Game, Hindsight] | None = None

    def review(self, history: History, secret: str | None = None) -> Review:
        """The review of one game; a secret that is known may be any allowed word."""
        _check_played(self.game, history, self._hard)
        if secret is not None:
            secret = self.game.guesses[self.game.guess_id(secret)]
        game, hindsight, left = self._fitting(history, secret)
        weights = self._weights
        if weights is None or game is not self.game:
            weights = np.ones(len(game.secrets))
        graded, steps = [], list[tuple[int, int]]()
        here = np.arange(len(game.secrets), dtype=np.int32)
        made = [game.guess_id(word) for word, _ in history]
        insight = hindsight.look(here, steps, made[0])
        for step, guess, following in zip(history, made, [*made[1:], None], strict=True):
            score = step[1]
            row = game.score_rows(np.array([guess], dtype=np.int32), here)[0]
            after = here[row == score]
            steps.append((guess, score))
            then = None if score == game.solved else hindsight.look(after, steps, following)
            bits = bits_beyond(row.astype(np.int32), score, chances_of(weights[here]))
            graded.append(_graded(game, step, insight, len(after), bits, then))
            here, insight = after, then or insight
        secrets = tuple(game.secrets[at] for at in left)
        solved = history[-1][1] == game.solved
        limit = None if is_pegs(game.spec) else LIMIT
        return Review(tuple(graded), solved, game is not self.game, secrets, limit, game.spec)

    def _fitting(self, history: History, secret: str | None) -> tuple[Game, Hindsight, Ids]:
        """The game whose secrets fit: as it is, or with all allowed words as secrets."""
        game = self.game
        usual = secret is None or secret in game.secrets
        if self._narrow or (usual and widened(game, history) is None):
            return game, self._hindsight, candidates_after(game, history)
        if self._wide is None:
            wide = replace(game, secrets=game.guesses, secrets_name="allowed")
            self._wide = wide, Hindsight(wide, **self._options)
        try:
            return *self._wide, candidates_after(self._wide[0], history)
        except WrongInputError:
            # no allowed word fits either: the game's own secrets are named
            raise WrongInputError(contradiction(game, history)) from None


@tells_progress("review", reports=False)
def review(
    game: Game,
    played: str | Sequence[Step],
    *,
    secret: str | None = None,
    hard: bool = False,
    weights: NDArray[np.float64] | None = None,
    exact: bool = False,
    time_limit: float | None = TIME_LIMIT,
    progress: bool | Call | None = None,
) -> Review:
    """A game graded guess by guess, be it won, lost or unfinished.

    What cannot be searched to its end within the time limit, and without ``exact`` the first guess,
    is a bound and says so. If none of the game's secrets fits the scores, all allowed
    words are taken for secrets.

    Args:
        game: What was played.
        played: Text such as ``"crane bybbb sloth bbbbb"``, the bare words if the ``secret`` is
            given, or pairs of a word and its score, as a text or an integer.
        secret: The word that was hidden.
        hard: It was played in hard mode.
        weights: How likely each secret of the game is.
        exact: Search the first guess to the end as well, whatever it takes.
        time_limit: Seconds a guess; ``None``: no limit.
        progress: ``True`` says that something is compiled first, with a bar; or a function that is
            called with ``"compiling"``, how many are new, and of how many.

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
    if isinstance(played, str):
        history = read_game(game, played, secret)
    else:
        history = history_of_steps(game, played)
    reviewer = Reviewer(game, hard=hard, weights=weights, exact=exact, time_limit=time_limit)
    return reviewer.review(history, secret)


def totals_text(found: Review | Diary) -> str:
    """Skill and luck of a game, or the means over several, as every command shows them."""
    return f"skill {found.skill:.1f}, luck {found.luck_guesses:+.2f} guesses"


def one_line(found: Review) -> str:
    """The review of a game, skill and luck, as one line of text."""
    return f"{totals_text(found)}: {found.sentence}"


def read_game(game: Game, text: str, secret: str | None = None) -> History:
    """The history of a game in a text: words with scores, or bare words if the secret is known.

    A share grid may stand beside its words, or above them, with its heading.
    """
    if len(text) > LONGEST_GAME:
        raise WrongInputError(f"a game has at most {LONGEST_GAME:,} characters; here are more")
    shared = read_shared(game, text)
    hidden = None if secret is None else game.guesses[game.guess_id(secret)]
    if shared is not None and shared.words:
        history = shared.history(game)
    else:
        text = without_heading(text)
        words = words_of(text)
        _check_words(game, words)
        bare = bool(words) and all(word in game.guesses for word in words)
        if bare and hidden is not None:
            return tuple((word, game.grade(word, hidden)) for word in words)
        try:
            history = game.parse_state(text)
        except WrongInputError:
            if not bare:
                raise
            terms = terms_of(game.spec)
            why = f"add the {terms.reply} of each {terms.word}, or the hidden {terms.word}"
            raise WrongInputError(f"{why} with --secret") from None
    for word, score in history:
        if hidden is not None and (truth := game.grade(word, hidden)) != score:
            said, gives = game.format_score(score), game.format_score(truth)
            why = f"{word} {said} does not fit the secret {hidden}: {word} would get {gives}"
            raise WrongInputError(why)
    return history


def _check_words(game: Game, words: Sequence[str]) -> None:
    """Refuse words without any score among them, one of which cannot be guessed."""
    if is_pegs(game.spec) or any(scores_in(game, [word]) for word in words):
        return
    for word in filter(is_word, words):
        if len(word) != game.length:
            letters = counted(len(word), "letter")
            raise WrongInputError(f"{quoted(word)} has {letters}; the words have {game.length}")
        game.guess_id(word)


def with_unknown(game: Game, text: str) -> tuple[Game, tuple[str, ...]]:
    """The game in which the words of a text may be guessed too, and those that are new."""
    if len(text) > LONGEST_GAME:  # no game; whoever reads it says so
        return game, ()
    shared = read_shared(game, text)
    try:
        words = shared.words if shared else [word for word, _ in game.read_state(text)]
    except WrongInputError:
        words = words_of(text)
    new = tuple(dict.fromkeys(word for word in words if word not in game.guesses))
    return (with_guesses(game, new) if new else game), new


def _check_played(game: Game, history: History, hard: bool) -> None:
    """Refuse what nobody can have played."""
    if not history:
        terms = terms_of(game.spec)
        why = f"no guess to review; write each guess with its {terms.reply}, e.g. {terms.example}"
        raise WrongInputError(why)
    for number, (word, score) in enumerate(history[:-1], 1):
        if score == game.solved:
            raise WrongInputError(f"{word} ended the game; guess {number + 1} comes after it")
    if hard:
        require_legal(game, [(game.guess_id(word), score) for word, score in history])


def _graded(
    game: Game,
    step: tuple[str, int],
    insight: Insight,
    after: int,
    bits: float,
    then: Insight | None,
) -> GradedGuess:
    """A guess with all that can be said of it; ``then`` is the state that it left.

    ``bits`` were learnt beyond its entropy.
    """
    (word, score), yours, ranked = step, insight.yours, _ranked(game, insight)
    assert yours is not None
    best = word if yours - insight.least < _NOTHING else ranked[0].word
    better = [it for it in ranked if it.expected < yours - _NOTHING][:TOP]
    if game.code_space is not None and better:  # one code with other names: the lowest alone
        kept = {*game.worth_trying(insight.candidates).tolist()}
        better = [it for it in better if game.guess_id(it.word) in kept] or better[:1]
    skill = round(100 * (1 - min(1.0, max(0.0, yours - insight.least))), _DIGITS)
    luck = yours - 1 - (then.least if then is not None else 0.0)
    before, least, exact = len(insight.candidates), insight.least, insight.exact
    figures = (before, after, yours, best, least, skill, bits, luck, exact)
    return GradedGuess(word, score, *figures, tuple(better))


def _ranked(game: Game, insight: Insight) -> list[BetterWord]:
    """The best guesses with what they expect: among equals words that are possible, then common."""
    guesses = np.array([worth.guess for worth in insight.best], dtype=np.int32)
    expected = np.array([worth.expected for worth in insight.best])
    classes = np.full(len(game.guesses), 3, dtype=np.int32)
    classes[game.secret_ids[insight.candidates]] -= 2
    classes[[*common_words(game)]] -= 1
    order = order_totals(expected, classes[guesses], guesses)
    return [BetterWord(game.guesses[guesses[at]], float(expected[at])) for at in order]


#: From so much skill on a game was played so; perfectly only if no guess could have been better.
_PLAYED = {95.0: "Very well", 87.0: "Well", 75.0: "Fairly", 50.0: "Not well", 0.0: "Poorly"}
#: From here on it is praise.
_PRAISE = 75.0
#: Guesses that luck has saved or cost, from which on it is worth a word, and a strong one.
_SOME, _MUCH = 0.25, 0.75
#: A guess that cost no more than this is not worth a word.
_DEAR = 0.05


def _luck(review: Review) -> str:
    size, lucky = abs(review.luck_guesses), review.luck_guesses > 0
    joined = "and" if lucky == (review.skill >= _PRAISE) else "but"
    much = "very " if size >= _MUCH else ""
    return f" {joined} {much}{'lucky' if lucky else 'unlucky'}" if size >= _SOME else ""


def _end(review: Review) -> str:
    first, made = review.guesses[0], len(review.guesses)
    about = "" if first.exact else "about "
    average = f"the best play takes {about}{first.best_expected:.2f} on average"
    guesses = counted(made, "guess", "guesses")
    if review.solved:
        return f"{guesses}, where {average}"
    terms = terms_of(review.game)
    if review.lost:
        left = counted(len(review.secrets), terms.word)
        return f"not found in {guesses}, with {left} left, where {average}"
    left = counted(len(review.secrets), f"{terms.word} is", f"{terms.words} are")
    return f"{guesses} so far, and {left} left, where {average}"


def _cost(review: Review) -> str:
    dearest = max(review.guesses, key=lambda guess: guess.wasted)
    if dearest.wasted < _DEAR:
        return ""
    best = capitals(dearest.best)
    return f"; {best} instead of {capitals(dearest.word)} would have saved {dearest.wasted:.2f}"


class Diary(NamedTuple):
    """Reviews of several games, and the means of what they say."""

    reviews: tuple[Review, ...]
    skill: float
    extra_bits: float
    luck_guesses: float


def review_lines(reviewer: Reviewer, lines: Iterable[str], where: str) -> Diary:
    """The reviews of games, one a line; ``#`` begins a comment, blank lines do not count.

    What is wrong is said with the line.
    """
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
    means = [fmean(getattr(each, name) for each in found) for name in Diary._fields[1:]]
    return Diary(tuple(found), *means)
