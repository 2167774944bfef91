"""Openers, the split of a word, and the next guess: words in, words and figures out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from solver.choices import LIMIT, MEASURES
from solver.errors import WrongInputError
from solver.shown import Rows, ShownRows, html_of, record_of

from ..solving.progress import Call, tells_progress

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.advice.patterns import Condition
    from solver.advice.suggest import Forecast
    from solver.game.game import Game, History
    from solver.splits.ranking import LetterStatistics, Split

    from ..tree import Step

# ---- First words

#: By which words that letters spell are ranked besides entropy.
MORE_MEASURES = ("expected-size", "minimax", "parts")


@dataclass(frozen=True)
class RankedGuess:
    """A guess with its rank and the measures of its split."""

    word: str
    #: Equal ones share the first of their ranks.
    rank: int
    #: In bits.
    entropy: float
    #: The information still missing after it, in bits.
    remaining_bits: float
    #: Secrets in a bucket, the one that the secret falls into, on average.
    expected_size: float
    #: Secrets in the largest bucket.
    largest: int
    #: Buckets.
    parts: int
    #: The mean share of secrets eliminated, plus 1/n if it may be the secret itself.
    proportion: float
    #: Whether it may be the secret.
    candidate: bool


@dataclass(frozen=True)
class SpelledGuess(RankedGuess):
    """A guess ranked by entropy, with its ranks by other measures."""

    ranks: dict[str, int]


@dataclass(frozen=True)
class Spelled:
    """What letters stand where, and what the word that the commonest ones spell is worth."""

    letters: LetterStatistics
    #: That word, if it is one, its neighbours, and the wanted words; best first.
    words: list[SpelledGuess]


@tells_progress("openers", reports=False)
def openers(
    game: Game,
    words: Sequence[str] = (),
    *,
    by: str = "entropy",
    top: int | None = None,
    bottom: int = 0,
    weights: NDArray[Any] | None = None,
    progress: bool | Call | None = None,
) -> list[RankedGuess]:
    """All first words with the measures of their splits, best first.

    Equal words share a rank and stand in alphabetical order.

    Args:
        game: What is played.
        words: Show these alone, with their ranks among all.
        by: The measure that ranks them: ``entropy``, ``remaining``, ``expected-size``, ``parts``,
            ``minimax`` or ``proportion``.
        top: Show so many of the best; ``None``: all.
        bottom: And so many of the worst after them.
        weights: A positive number for each secret of the game; expectations are over these.
        progress: ``True`` says that something is compiled first, with a bar; or a function that is
            called with ``"compiling"``, how many are new, and of how many.

    Returns:
        A row a word: ``rank``, ``word`` and every measure by its name.

    Raises:
        WrongInputError: A word is no guess of this game, or there is no such measure.
        CouldNotFinishError: It would take more memory than is left.

    >>> from strategy import load_game, openers
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> [(row.rank, row.word, row.parts) for row in openers(game, by="parts")]
    [(1, 'crane', 5), (1, 'raise', 5), (1, 'slate', 5), (1, 'stare', 5), (5, 'abide', 3)]
    >>> [best] = openers(game, top=1)
    >>> best.word, round(best.entropy, 3)
    ('crane', 2.322)
    """
    from solver.memory_limits import require_room_to_rank
    from solver.splits.ranking import rank_guesses

    require_room_to_rank(game, len(game.secrets))
    table = rank_guesses(game, by, weights=weights)
    if words:
        return Rows(RankedGuess(**row) for row in table.records(table.of_words(list(words))))
    first = len(table) if top is None else top
    last = max(first, len(table) - bottom)
    ends = (table.rows[:first], table.rows[last:])
    return Rows(RankedGuess(**row) for rows in ends for row in table.records(rows))


def guesses_by_entropy(
    game: Game, words: Sequence[str], weights: NDArray[Any] | None = None
) -> list[float]:
    """For ``openers``: mean guesses after each first word if entropy chooses the rest.

    Best play takes no more. ``weights`` say how likely each secret is; later guesses do not look at
    them.
    """
    import numpy as np

    from solver.exact.problem import lengths_of
    from solver.rules.searcher import Searcher
    from solver.splits.measures import chances_of, mean_of

    chances = chances_of(np.ones(len(game.secrets)) if weights is None else weights)
    everything = np.arange(len(game.secrets), dtype=np.int32)
    searcher = Searcher(game, "entropy")
    trees = (searcher.grow(None, [game.guess_id(word)]) for word in words)
    return [mean_of(lengths_of(game, tree, everything), chances) for tree in trees]


def spelled_opener(game: Game, words: Sequence[str] = ()) -> Spelled:
    """The word that the commonest letters by place spell, ranked with its neighbours."""
    from solver.splits.ranking import letter_statistics

    letters = letter_statistics(game)
    named = sorted({*letters.neighbours, *([letters.spelled] if letters.allowed else []), *words})
    rows = openers(game, named) if named else []
    ranks: dict[str, dict[str, int]] = {row.word: {} for row in rows}
    for by in MORE_MEASURES if named else ():
        for row in openers(game, named, by=by):
            ranks[row.word][by] = row.rank
    return Spelled(letters, [SpelledGuess(**vars(row), ranks=ranks[row.word]) for row in rows])


# ---- The next word

#: What chose a guess, if no measure and no rule did: a strategy, the first guesses that were given,
#: a first word that most people know, exact figures.
BY_STRATEGY, BY_START, BY_FIRST, BY_GUESSES = "strategy", "start", "first", "guesses"


@dataclass(frozen=True)
class HowToFind:
    """What chooses guesses: by default the proposals of ``suggest``.

    Args:
        start: The first guesses, whatever the replies; none: they are chosen too.
        rule: A one-step rule, by which ``solve_word`` chooses all later guesses as ``solve`` does.
        guess_from: From which guesses: ``allowed``, ``secrets`` or ``candidates``.
        hard: Whether guesses obey hard mode.
        within: The limit of exact figures; ``None``: none.
        common: Whether proposals prefer common words, also where they cost a little.
        by: The measure that ranks proposals; ``None``: exact figures where they are known.

    >>> from strategy import HowToFind
    >>> HowToFind(start=("crane",), rule="entropy").hard
    False
    """

    start: tuple[str, ...] = ()
    rule: str | None = None
    guess_from: str = "allowed"
    hard: bool = False
    within: int | None = LIMIT
    common: bool = False
    by: str | None = None


def check_proposing(how: HowToFind) -> None:
    """Refuse proposals from a pool or by a measure that there is not."""
    from solver.game.game import require_pool

    require_pool(how.guess_from)
    if how.by is not None and how.by not in MEASURES:
        raise WrongInputError(f"no measure {how.by!r}; measures: {', '.join(MEASURES)}")


@dataclass(frozen=True)
class Suggestion(RankedGuess):
    """A word that may be guessed next, and what it will take to the end."""

    #: Guesses summed over the secrets that remain, exactly; None: not known, or out of the limit.
    total: int | None
    #: Guesses still to be made, on average.
    mean: float | None
    #: How many other codes are this one with other names, as good in every respect; words: none.
    n_alike: int = 0


@dataclass(frozen=True, repr=False)
class Suggestions(ShownRows):
    """What is left after some clues, and what to guess."""

    state: History
    #: The secrets that fit all clues.
    secrets: tuple[str, ...]
    #: Whether any allowed word counts as a secret, since the game's own secrets do not fit.
    widened: bool
    #: The secret, if a clue says that it was guessed: then there is nothing to suggest.
    solved: str | None
    #: What ranks the words: ``guesses``, as far as they are exactly known, or a measure.
    by: str
    #: Best first.
    words: list[Suggestion]
    #: How many words beyond these stand equal with the last one.
    n_more_tied: int
    #: The limit, the best words of all and their total; None: solved, or too many secrets remain.
    exact: Forecast | None

    def _line(self) -> str:
        if self.solved is not None:
            return f"solved: {self.solved}"
        best = self.words[0] if self.words else None
        more = "" if best is None or best.mean is None else f": about {best.mean:.2f} more guesses"
        guess = "" if best is None else f", guess {best.word}{more}"
        return f"{len(self.secrets):,} secrets fit{guess}"

    def _records(self) -> list[dict[str, Any]]:
        return [record_of(word) for word in self.words]


@tells_progress("suggest", reports=False)
def suggest(  # noqa: PLR0913 - flat: each is an option of the command
    game: Game,
    state: str | Sequence[Step] | Sequence[str] = (),
    *,
    by: str | None = None,
    top: int | None = 10,
    guess_from: str = "allowed",
    hard: bool = False,
    within: int | None = LIMIT,
    weights: NDArray[Any] | None = None,
    common: bool = False,
    patterns: Sequence[str] = (),
    progress: bool | Call | None = None,
) -> Suggestions:
    """As ``knuthle suggest``: the secrets possible after some clues, the best words to guess next.

    Where few secrets remain, each word has the exact total of best play from there on, and the
    words with the least total stand first, after them the ten best by entropy in the order of their
    totals; else entropy ranks all. If no secret of the game fits the clues, all its guesses are
    taken for secrets. Of equal words those that may be the secret stand first, then common words,
    then all in alphabetical order. Of codes that are one guess with other names the lowest stands
    for all.

    Args:
        game: What is played.
        state: Clues: text such as ``"sigma xxxxx tenor xpppx"``, or pairs of a word and its score,
            as text or as its integer.
        by: Rank by any measure of ``openers`` instead.
        top: How many words; ``None``: all.
        guess_from: The pool: ``allowed``, ``secrets`` or ``candidates``.
        hard: Keep to hard mode.
        within: The limit for exact totals, guesses made included; ``None``: none. It is
            lifted where no guess is left, or no word finds all secrets within it: ``exact.within``.
        weights: A positive number for each secret of the game; expectations are over these, exact
            (and without a limit) up to 256 secrets.
        common: Prefer common words, also where they cost up to 0.02 guesses more on average, if
            exact totals are known.
        patterns: What else is known of the secret: ``"c.a.e"``, ``"b at 3"``, ``"b not 3"``,
            ``"contains ab"``, ``"exactly 2 e"``, ``"without xyz"``.
        progress: ``True`` says that something is compiled first, with a bar; or a function that is
            called with ``"compiling"``, how many are new, and of how many.

    Returns:
        The ``secrets``, the ``words`` with their measures, and what is known exactly.

    Raises:
        WrongInputError: Clues and patterns contradict each other; the message names them.
        CouldNotFinishError: To rank the words would take more memory than is left.

    >>> from strategy import load_game, suggest
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> found = suggest(game, "abide ybbbg", top=1)
    >>> found.secrets
    ('crane', 'slate', 'stare')
    >>> [(row.word, row.total) for row in found.words]
    [('crane', 5)]
    >>> found.exact.best, found.exact.least
    (('crane', 'slate', 'stare'), 5)
    """
    from solver.advice.patterns import read_patterns
    from solver.advice.suggest import widened

    history = history_of_steps(game, state)
    wide = widened(game, history) if weights is None else None
    found = suggest_after(
        wide or game,
        history,
        HowToFind((), None, guess_from, hard, within, common, by),
        top=top,
        weights=weights,
        conditions=read_patterns(game, patterns),
    )
    return replace(found, widened=wide is not None)


def suggest_after(
    game: Game,
    history: History,
    how: HowToFind,
    *,
    top: int | None,
    weights: NDArray[Any] | None = None,
    conditions: Sequence[Condition] = (),
    named: str | None = None,
) -> Suggestions:
    """As ``suggest``, among the secrets of the game alone; or one ``named`` word, ranked among all.

    That word is ranked by the measure, whatever exact totals say.
    """
    from solver.advice import suggest as advising
    from solver.game.alike import count_alike

    measure, hard, common = how.by or MEASURES[0], how.hard, how.common
    advice = advising.suggest(
        game,
        history,
        by=measure,
        guess_from=how.guess_from,
        hard=hard,
        weights=weights,
        conditions=conditions,
        named=named,
    )
    found = next((word for word, score in history if score == game.solved), None)
    if found is not None:
        return Suggestions(history, advice.secrets, False, found, measure, [], 0, None)
    words = advice.words_to_try(None if top is None else max(top, advising.LOOKED_AT), common)
    if named is not None:  # unless the pool leaves it out
        words = [named] if game.guess_id(named) in advice.table.rows["guess"] else []
    exact = None
    if weights is None:
        exact = advising.forecast(game, history, advice, words, hard=hard, within=how.within)
    elif how.guess_from == "allowed":
        exact = advising.weighted_forecast(game, history, advice, words, weights, hard=hard)
    by_measure = how.by is not None or named is not None
    ranking = advising.rank_by_forecast(advice, None if by_measure else exact, words, top, common)
    rows, totals = ranking.rows, advising.totals_of(exact)
    if named is not None:
        rows = rows[rows["guess"] == game.guess_id(named)]
    suggestions = []
    alike = count_alike(game, advice.candidates, rows["guess"].tolist())
    for row, n_alike in zip(advice.table.records(rows), alike, strict=True):
        total = totals.get(row["word"])
        mean = None if total is None else total / len(advice.secrets)
        whole = None if total is None or weights is not None else int(total)
        suggestions.append(Suggestion(**row, total=whole, mean=mean, n_alike=n_alike))
    ranked_by = BY_GUESSES if ranking.exact else measure
    return Suggestions(
        history,
        advice.secrets,
        False,
        None,
        ranked_by,
        Rows(suggestions),
        ranking.n_more_tied,
        exact,
    )


def history_of_steps(game: Game, state: str | Sequence[Step] | Sequence[str]) -> History:
    """Clues as the game spells them: its own words, and scores as integers.

    Words and scores that follow each other as texts are read as on a line.
    """
    state = [state] if isinstance(state, str) else state
    texts = [step for step in state if isinstance(step, str)]
    if len(texts) == len(state):
        return game.parse_state(" ".join(texts))
    if texts:
        raise WrongInputError(f"{texts[0]!r} stands between pairs of a word and its score")
    return tuple(
        (
            game.guesses[game.guess_id(word)],
            game.parse_score(score) if isinstance(score, str) else score,
        )
        for word, score in (step for step in state if not isinstance(step, str))
    )


# ---- The split of one word


@dataclass(frozen=True, repr=False)
class WordSplit(ShownRows):
    """The split of the secrets by a word of a game; a notebook draws it."""

    game: Game
    split: Split

    def _line(self) -> str:
        split = self.split
        return f"{split.word}: {split.secrets:,} secrets in {len(split.buckets):,} buckets"

    def _records(self) -> list[dict[str, Any]]:
        return [{**record_of(bucket), "size": bucket.size} for bucket in self.split.buckets]

    def _repr_html_(self) -> str:
        """What a notebook shows: it would take a table before a picture."""
        from ..pictures.cards import splits_as_svg

        return html_of(self._line()) + splits_as_svg(self.game, [self.split])


@tells_progress("buckets", reports=False)
def buckets(
    game: Game,
    word: str,
    weights: NDArray[Any] | None = None,
    *,
    progress: bool | Call | None = None,
) -> WordSplit:
    """The split that a word makes: each score it can get, with the secrets that give it.

    Args:
        game: What is played.
        word: The guess; any of the game's.
        weights: How likely each secret of the game is, a positive number each, if they are not all
            equally likely.
        progress: ``True`` says that something is compiled first, with a bar; or a function that is
            called with ``"compiling"``, how many are new, and of how many.

    Returns:
        The word with its buckets, the largest first, as ``split``. A notebook draws it.

    Raises:
        WrongInputError: The word is no guess of this game; the message names the nearest ones.

    >>> from strategy import buckets, load_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> [(bucket.text, bucket.secrets) for bucket in buckets(game, "abide").split.buckets]
    [('ybbbg', ('crane', 'slate', 'stare')), ('ybgbg', ('raise',)), ('ggggg', ('abide',))]
    """
    from solver.splits.ranking import split_by_score

    return WordSplit(game, split_by_score(game, word, weights))
