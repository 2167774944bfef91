"""A known word, and how it is found: by the proposals of ``suggest``, a rule, or a strategy.

Whoever plays knows the word's score for each guess and nothing else. Where none of the game's
secrets fits what is known, because the word is usually not hidden, any allowed word may be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from numpy.typing import NDArray

from solver.advice.suggest import candidates_after
from solver.advice.suggest import widened as wide_game
from solver.choices import RULES
from solver.errors import WrongInputError
from solver.game.game import Game, History
from solver.game.load import game_of_words
from solver.machine.arrays import Ids
from solver.rules.searcher import Searcher
from solver.shown import ShownRows, record_of
from solver.words.lists import did_you_mean
from solver.words.text import plain

from ..columns import attributes
from ..files.text import counted, quoted
from ..solving import checks
from ..solving.progress import Call, tells_progress
from ..toolbox.guesses import BY_START, BY_STRATEGY, HowToFind, check_proposing, suggest_after
from ..tree import Strategy


class FoundBy(NamedTuple):
    """A guess on the way to a known word."""

    word: str
    score: int
    #: Secrets possible before it and after its score.
    before: int
    after: int
    #: What chose it: ``start``, ``strategy``, the rule; ``guesses`` (exact figures) or the measure
    #: of ``suggest``.
    by: str
    #: Guesses expected from it on, itself included, exactly; None: not known.
    mean: float | None = None


@dataclass(frozen=True, repr=False)
class SolvedWord(ShownRows):
    """The game in which a known word was found."""

    secret: str
    guesses: tuple[FoundBy, ...]
    #: Whether any allowed word counted as a secret, since the word is none of the game's.
    widened: bool

    @property
    def state(self) -> History:
        """The words and scores of the game."""
        return tuple((guess.word, guess.score) for guess in self.guesses)

    def _line(self) -> str:
        number, words = len(self.guesses), " ".join(guess.word for guess in self.guesses)
        return f"{self.secret} found in {counted(number, 'guess', 'guesses')}: {words}"

    def _records(self) -> list[dict[str, Any]]:
        return [record_of(guess) for guess in self.guesses]


@tells_progress("solve", reports=False)
def solve_word(
    game: Game,
    word: str,
    how: HowToFind | None = None,
    *,
    strategy: Strategy | None = None,
    weights: NDArray[Any] | None = None,
    progress: bool | Call | None = None,
) -> SolvedWord:
    """How a known word is found, guess by guess, by who does not know it.

    By a rule nothing is computed but the states on the way to the word. If the word is none of the
    game's secrets, all allowed words are taken for secrets: by the rule from the beginning, by the
    proposals as soon as no secret is left.

    Args:
        game: What is played.
        word: The hidden word, any guess of the game.
        how: First guesses, the rule (by default the proposals of ``suggest``), the pool of
            guesses, hard mode, and the limit for exact figures.
        strategy: A strategy that plays instead.
        weights: How likely each secret of the game is, for the proposals of ``suggest``.
        progress: ``True`` says that something is compiled first, with a bar; or a function that is
            called with ``"compiling"``, how many are new, and of how many.

    Returns:
        A row a guess: its score, the secrets possible before and after, what chose it.

    Raises:
        WrongInputError: The word is no guess of the game, or no secret of the strategy; a first
            guess is none or not legal, or there is no such rule.

    >>> from strategy import HowToFind, load_game, solve_word
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> found = solve_word(game, "slate", HowToFind(start=("abide",), rule="minimax"))
    >>> [(row.word, row.before, row.after) for row in found.guesses]
    [('abide', 5, 3), ('crane', 3, 1), ('slate', 1, 1)]
    """
    how = how or HowToFind()
    if strategy is not None:
        if how != HowToFind():
            raise WrongInputError("a strategy has its own first guesses, rule and pool of guesses")
        return _by_strategy(plain(word), strategy)
    secret = game.guesses[game.guess_id(word)]
    if how.rule is None:
        check_proposing(how)
    elif how.rule not in RULES:
        raise WrongInputError(f"no rule {how.rule!r}; rules: {', '.join(RULES)}")
    widened = how.rule is not None and secret not in game.secrets
    if widened:
        game = replace(game, secrets=game.guesses, secrets_name="allowed")
    start = checks.fixed_guesses(game, how.start) if how.start else ()
    checks.check_start(game, start, how.hard)
    choose = _by_rule(game, how) if how.rule else _by_proposals(game, how, weights)
    found = _played(game, secret, choose, start)
    return replace(found, widened=found.widened or widened)


def game_of_strategy(strategy: Strategy) -> Game:
    """The game as a strategy knows it: the words that it guesses, its secrets, its list."""
    game = game_of_words(strategy.origin.game, tuple(sorted(set(strategy.words))))
    names = attributes(strategy.origin, "list_name secrets_name")
    return replace(game, **names, secrets=tuple(sorted(strategy.secrets)))


Steps = list[tuple[str, int]]
#: A guess, what chose it, and the guesses expected from it on.
Chosen = tuple[str, str, float | None]
#: The guess after some clues, of which the secrets that fit them are known too.
Chooser = Callable[["Game", Steps, "Ids"], Chosen]


def _played(game: Game, secret: str, choose: Chooser, start: Sequence[str] = ()) -> SolvedWord:
    """A game to its end, after its first guesses; where no secret fits any word may be hidden."""
    steps, rows, widened = Steps(), list[FoundBy](), False
    while not steps or steps[-1][1] != game.solved:
        if (wide := wide_game(game, tuple(steps))) is not None:
            game, widened = wide, True
        left = candidates_after(game, tuple(steps))
        first = [(word, BY_START, None) for word in start[len(steps) :]]
        word, by, mean = first[0] if first else choose(game, steps, left)
        steps.append((word, game.grade(word, secret)))
        rows[-1:] = [row._replace(after=len(left)) for row in rows[-1:]]
        rows.append(FoundBy(*steps[-1], len(left), 1, by, mean))
    return SolvedWord(secret, tuple(rows), widened)


def _by_strategy(secret: str, strategy: Strategy) -> SolvedWord:
    """The game that a strategy plays, graded by the rules and not by what its file says."""
    if secret not in strategy.solved_at:
        many = f"the {len(strategy.secrets):,} secrets of the strategy"
        why = f"{quoted(secret)} is not among {many}{did_you_mean(secret, strategy.secrets)}"
        raise WrongInputError(why)

    def choose(game: Game, steps: Steps, left: Ids) -> Chosen:
        return strategy.next_guess(steps), BY_STRATEGY, None

    return _played(game_of_strategy(strategy), secret, choose)


def _by_rule(game: Game, how: HowToFind) -> Chooser:
    """The guesses of the whole strategy of a rule, of which no other states are looked at."""
    assert how.rule is not None
    rule, searcher = how.rule, Searcher(game, how.rule, guess_from=how.guess_from, hard=how.hard)
    searcher.prepare()

    def choose(game: Game, steps: Steps, left: Ids) -> Chosen:
        history = [(game.guess_id(word), score) for word, score in steps]
        return game.guesses[searcher.next_guess(left, history)], rule, None

    return choose


def _by_proposals(game: Game, how: HowToFind, weights: NDArray[Any] | None) -> Chooser:
    """The first proposal of ``suggest`` each time."""

    def choose(now: Game, steps: Steps, left: Ids) -> Chosen:
        likely = weights if now is game else None
        found = suggest_after(now, tuple(steps), how, top=1, weights=likely)
        return found.words[0].word, found.by, found.words[0].mean

    return choose
