"""A question about the best strategy of a whole game: which search answers it, and how it stands.

The game, the objective and how much time there is decide between the exact searches; whoever
breaks one off gets the best that holds without the rest of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import CouldNotFinishError, WrongFindingError, WrongInputError
from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.standings import FirstGuesses, least_open
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.first_guesses.workers import Helpers
from solver.exact.lemmas import LOSS
from solver.exact.questions.answer import OBJECTIVES, Answer
from solver.exact.questions.beam_strategy import beam_strategy
from solver.exact.questions.best_strategy import best_strategy, concluded
from solver.exact.questions.least_losses import LeastLosses
from solver.exact.questions.least_worst import LeastWorst
from solver.exact.questions.mastermind import best_pegs
from solver.exact.table.layout import require_table

from ..errors import BadFileError, OutputError
from .interrupted_search import Findings, check_attained, lay_aside, read_findings
from .preconditions import check_start, has_own_rule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.game.game import Game

    from ..tree import Strategy

#: Called with what is being done, how much of it is new, how much it is in all, and what is known.
Told = Callable[[str, int, int, str], None]
#: With more secrets the least total among the fewest losses is out of reach: it stays a bound,
#: unless a time limit says how long to try.
EXACT_TOTALS = 5_000
#: Guesses that a beam tries in each state when time is over and nothing is found yet.
_GLANCE = 2


@dataclass(frozen=True)
class Question:
    """What is asked about the best strategy of a game; equal questions have the same answer."""

    game: Game
    #: The fixed first guesses; none: the best one is sought.
    start: tuple[str, ...] = ()
    #: ``total``: the fewest guesses over all secrets; ``worst``: the smallest number of guesses
    #: that always suffices; ``losses``: the fewest secrets beyond the limit, then the total.
    objective: str = "total"
    #: The limit; None: there is none.
    within: int | None = 6
    hard: bool = False
    guess_from: str = "allowed"
    #: How many of the best first guesses are to be exact; the others are only excluded.
    top: int = 1
    #: Try only so many guesses of each state: quick, a bound and no proof.
    width: int | None = None

    def __post_init__(self) -> None:
        has_own_rule(self.game)  # refuses a rule that could not be checked
        if self.objective not in OBJECTIVES:
            raise WrongInputError(f"no objective {self.objective!r}: {', '.join(OBJECTIVES)}")
        if self.guess_from == "candidates":
            raise WrongInputError(
                "the best strategy guesses from allowed or secrets, not candidates"
            )

    def check_shared(self) -> None:
        """Refuse helpers where no first guesses compete: there is nothing to share out."""
        if self.game.spec != "wordle":
            raise WrongInputError(f"helpers share first guesses of Wordle, not {self.game.spec}")
        if self.start or self.width or self.objective == "worst":
            what = "--start" if self.start else "--width" if self.width else "--objective worst"
            raise WrongInputError(
                f"helpers share out first guesses; with {what} there are none to share: leave "
                "it to --workers"
            )

    @property
    def played(self) -> Game:
        """The game to search: with ``guess_from`` secrets, one that knows no other words."""
        return game_played(self.game, self.guess_from)

    def check_provable(self) -> None:
        """Refuse ``--proof`` of what the checker of proofs does not know."""
        if self.guess_from != "allowed":
            raise WrongInputError(
                "--proof is about all allowed guesses; it does not go with --guess-from"
            )
        if self.game.spec != "wordle":
            raise WrongInputError(
                f"--proof is for Wordle: check-proof has no rule for {self.game.spec}"
            )
        if len(self.start) > 1:
            raise WrongInputError(
                "--proof is about all first guesses or about one --start, not several"
            )


def game_played(game: Game, guess_from: str, made: Sequence[str] = ()) -> Game:
    """The game to search: with guesses from the secrets only, one that knows no other words.

    Words that have been ``made`` already do no harm: they tell nothing any more.
    """
    if guess_from != "secrets":
        return game
    return replace(game, guesses=tuple(sorted({*game.secrets, *made})))


class Inquiry:
    """The search for the best strategy, and what it has found if it is broken off."""

    def __init__(self, question: Question, check_time: Callable[[], None], timed: bool) -> None:
        """``timed``: whether ``check_time`` will ever raise."""
        self.question = question
        self._check_time = check_time
        self._timed = timed
        played = question.played
        self._start = question.start
        check_start(played, question.start, question.hard)
        if played.code_space is None:
            require_table(played, question.hard)
        losses = question.objective == "losses"
        self._problem = Problem(played, question.hard, question.within, losses=losses)
        self._state = FirstGuesses(question.top, self._problem.ceiling)
        #: The search of the objectives that have one of their own.
        self._own: LeastLosses | LeastWorst | None = None
        #: A strategy within the limit that was found on the way.
        self._within: Answer | None = None
        #: The findings of an earlier search that this one believes.
        self.relied_on: Findings | None = None
        #: Those that it does not believe but searches again.
        self._doubted: Findings | None = None

    def take_up(self, path: str | Path, recheck: bool) -> None:
        """Go on from the findings of an interrupted search, if their file is there.

        With ``recheck`` they are no more than what this search is to be compared with.
        """
        findings = read_findings(path, self._problem)
        if recheck:
            if findings is None:
                raise OutputError(f"{path}: is not there; --recheck has nothing to search again")
            self._doubted = findings
        elif findings is not None and findings.found and self._races:
            findings.add_to(self._state)
            self.relied_on = findings

    @property
    def _races(self) -> bool:
        """Whether first guesses compete: only then is anything found out about each of them."""
        question = self.question
        alone = question.start or question.width or question.game.code_space is not None
        return not alone and question.objective != "worst"

    def check(self, strategy: Strategy | None) -> None:
        """Refuse findings that led to a strategy which does not attain what they say."""
        best = self._state.best
        if self.relied_on is not None and strategy is not None and best is not None:
            check_attained(self.relied_on.path, self._problem, best, strategy)

    def compare(self) -> None:
        """Refuse findings of an earlier search that this search has contradicted."""
        if self._doubted is not None:
            self._doubted.check_not_contradicted(self._state)

    def lay_aside(self, path: str | Path) -> None:
        """Write the findings of this search to a file, for another search to go on from."""
        lay_aside(path, self._problem, self._state)

    def answer(self, tell: Told, workers: int | Helpers) -> Answer:
        """The answer of the search, its guesses numbered as in the game itself."""
        try:
            answer = self._searched(_Teller(tell, self._problem), workers)
        except WrongFindingError as error:
            path = "" if self.relied_on is None else f"{self.relied_on.path}: "
            raise BadFileError("findings", f"{path}some finding is wrong: {error}") from None
        return self._in_words_of_the_game(answer)

    def best_so_far(self, glance: bool) -> Answer | None:
        """The answer that holds without the rest of the search; None if there is none.

        With a ``glance`` a quick look for a strategy is taken where none was found yet.
        """
        answer = self._found(glance)
        return None if answer is None else self._in_words_of_the_game(answer)

    def _in_words_of_the_game(self, answer: Answer) -> Answer:
        if self.question.guess_from != "secrets" or answer.tree is None:
            return answer
        return replace(answer, tree=answer.tree.renamed(self.question.game.secret_ids.tolist()))

    def _searched(self, teller: _Teller, workers: int | Helpers) -> Answer:
        """The answer, its guesses numbered as in the game that is searched."""
        problem, start, check_time = self._problem, self._start, self._check_time
        objective, width = self.question.objective, self.question.width
        if width:
            return beam_strategy(problem, width, start, objective, check_time)
        if problem.game.code_space is not None:
            return best_pegs(problem, start, objective, check_time)
        if objective == "worst":
            self._own = worst = LeastWorst(problem, start, teller.excluded, check_time)
            worst.settle()
            answer = worst.answer()
            assert answer is not None
            return answer
        if objective == "losses" and len(start) == 1 and problem.within:
            self._own = losses = LeastLosses(problem, start[0], check_time if self._timed else None)
            losses.settle()
            if len(problem.game.secrets) > EXACT_TOTALS and not self._timed:
                return losses.answer()
        return best_strategy(
            problem,
            start,
            self.question.top,
            workers,
            self._state,
            teller.settled,
            check_time,
            self._keep,
        )

    def _keep(self, answer: Answer) -> None:
        self._within = answer

    def _found(self, glance: bool) -> Answer | None:
        if self._own is not None:
            return self._own.answer()
        if self._state.best is None:
            return self._within or (self._at_a_glance() if glance else None)
        return concluded(Workbench(self._problem), self._state, proved=False)

    def _at_a_glance(self) -> Answer | None:
        """What a narrow beam finds, if that is within the limit."""
        if self._problem.game.code_space is not None:
            return None
        try:
            return beam_strategy(self._problem, _GLANCE, self._start, self.question.objective)
        except CouldNotFinishError:
            return None


class _Teller:
    """How far the proof is: first guesses excluded or exact, still open, the best, the bound."""

    def __init__(self, tell: Told, problem: Problem) -> None:
        self._tell = tell
        self._secrets = len(problem.secrets)
        self._what = ""
        self._seen = 0

    def settled(self, state: FirstGuesses, count: int) -> None:
        """Tell what is known about the first guesses."""
        settled = len(state.found) - len(state.still_open())
        least, open_ = least_open(state, self._secrets, count)
        best = "none yet" if state.best is None else f"{state.best % LOSS:,}"
        known = f"{open_:,} open, best {best}, at least {least % LOSS:,}"
        self._say("first guesses settled", settled, count, known)

    def excluded(self, limit: int, number: int, count: int) -> None:
        """Tell how many first guesses a limit has excluded."""
        self._say(f"first guesses excluded within {limit}", number, count, "")

    def _say(self, what: str, number: int, count: int, known: str) -> None:
        new = number - (self._seen if what == self._what else 0)
        self._what, self._seen = what, number
        self._tell(what, new, count, known)
