"""The shortest win against an adversary without a fixed word, and the openers that have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from solver.choices import LIMIT
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.adversary import AdversarySearch, Step, WinningOpener
from solver.game.game import require_pool
from solver.machine.clock import Clock, carrying
from solver.machine.pool import available_cores
from solver.shown import ShownRows

from . import checks
from .progress import Call, as_call, tells_progress

if TYPE_CHECKING:
    from solver.game.game import Game


@dataclass(frozen=True, repr=False)
class ShortestWin(ShownRows):
    """The shortest win against the adversary, what is proved of it, and its openers."""

    #: One sequence: guess, score, secrets that remain. None: no win keeps to the limit, with proof.
    sequence: tuple[Step, ...] | None
    #: No win has fewer guesses.
    lower_bound: int
    #: First guesses, those of ``start`` before them, that win in ``lower_bound`` guesses.
    openers: tuple[WinningOpener, ...]
    #: First guesses of which it is not known yet whether they do.
    n_undecided: int
    #: What became of the limit.
    outcome: checks.Outcome
    seconds: dict[str, float]

    @property
    def length(self) -> int | None:
        """The guesses of the sequence."""
        return None if self.sequence is None else len(self.sequence)

    @property
    def proved(self) -> bool:
        """Whether no win is shorter than the sequence, or none keeps to the limit."""
        return self.sequence is None or len(self.sequence) == self.lower_bound

    def _line(self) -> str:
        if self.sequence is None:
            return f"proved: no win within {self.outcome.limit}"
        label = "proved" if self.proved else f"bound, none is below {self.lower_bound}"
        words = " ".join(step.word for step in self.sequence)
        return f"{label}; {len(self.sequence)} guesses: {words}; {len(self.openers):,} openers"

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"word": "+".join(it.words), "n_left": it.n_left, "n_sequences": it.n_sequences}
            for it in self.openers
        ]


@tells_progress("optimal")
def shortest_win(
    game: Game,
    *,
    start: Sequence[str] = (),
    within: int | None = LIMIT,
    hard: bool = False,
    guess_from: str = "allowed",
    workers: int | None = None,
    time_limit: float | None = None,
    progress: bool | Call | None = None,
) -> ShortestWin:
    """The shortest win against an adversary that keeps the most secrets after each guess.

    Of scores that leave equally many it keeps one that does not solve the game, then the one with
    fewest greens, then with fewest yellows (black pegs and white ones), then the lowest: the
    adversary of ``knuthle game``.

    Args:
        game: What is played, with words or codes.
        start: The first guesses, if they are given: words, or text with commas.
        within: No win of more guesses is sought; ``None`` lifts the limit.
        hard: Keep to hard mode.
        guess_from: ``allowed``, ``secrets`` to know no other words, or ``candidates`` to guess
            only what may still be the secret.
        workers: Processes; all cores by default.
        time_limit: Seconds, compiling apart, after which the shortest win so far is a bound.
        progress: Called with what is being done and how far it is; ``True`` shows bars.

    Returns:
        One sequence, whether it is ``proved`` the shortest, and all first guesses that win in as
        many.

    Raises:
        OutOfTimeError: The time was up; ``best`` has what is known. Ctrl-C does likewise.
        WrongInputError: A word is no guess, or hard mode forbids it.

    >>> from strategy import load_game
    >>> game = load_game(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    >>> found = shortest_win(game, workers=1)
    >>> [step.word for step in found.sequence], found.proved, len(found.openers)
    (['cover', 'hover', 'lover', 'mover'], True, 4)
    """
    require_pool(guess_from)
    words = checks.fixed_guesses(game, start)
    if len({*words}) < len(words):
        raise WrongInputError("--start guesses a word twice, which tells nothing new")
    clock, report = Clock(), as_call(progress)
    search = AdversarySearch(game, words, hard, guess_from)
    try:
        search.run(
            within,
            workers or available_cores(),
            time_limit,
            lambda length, new, count: report(f"wins in {length}", new, count),
        )
    except (KeyboardInterrupt, CouldNotFinishError) as error:
        raise carrying(error, _found(search, within, clock)) from None
    return _found(search, within, clock)


def _found(search: AdversarySearch, within: int | None, clock: Clock) -> ShortestWin:
    clock.lap("search")
    excluded = within is not None and search.least > within
    met = not excluded and (within is None or len(search.sequence) <= within)
    return ShortestWin(
        None if excluded else tuple(search.sequence),
        search.least,
        () if excluded else tuple(search.openers),
        0 if excluded else search.undecided,
        checks.Outcome(within, met, checks.EXACT, met or excluded),
        clock.seconds(),
    )
