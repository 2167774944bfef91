"""One search for the best strategy of a game, and the file from which it resumes.

The game, the objective and how much time there is decide between the exact searches; when one is
interrupted, the best that holds without the rest of it is returned.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from solver.choices import LIMIT, OBJECTIVES
from solver.errors import WrongFindingError, WrongInputError
from solver.exact import best_strategy, widening
from solver.exact.candidates_only import CandidateSearch
from solver.exact.first_guesses import Helpers, search_context
from solver.exact.kernels.lemmas import LOSS, NEVER
from solver.exact.losses import LeastLosses
from solver.exact.problem import Answer, GuessBounds, Problem, least_open
from solver.exact.second_objective import BestSecond, SecondObjective
from solver.exact.table_layout import require_table
from solver.game.game import require_pool
from solver.machine.clock import OutOfTimeError

from ..columns import attributes
from ..errors import BadFileError, OutputError
from ..files import envelope, strategy_file
from ..files.output import write_whole
from ..files.text import counted, printable
from .checks import check_start, has_own_rule

if TYPE_CHECKING:
    from solver.exact.problem import Finding
    from solver.game.game import Game

    from ..tree import Strategy

#: Called with what is being done, how much of it is new, how much it is in all, and what is known
#: or how fast it goes.
SearchProgress = Callable[[str, int, int, str], None]
#: With more secrets the least total among the fewest losses is out of reach: it stays a bound,
#: unless a time limit says how long to try. Without losses a beam comes before the exact search.
EXACT_TOTALS = 5_000
#: The width of the beam that says what a branch takes at most, before it is searched exactly.
_WIDTH = 15
#: The width of a beam that is widened as long as it pays.
AUTO = "auto"


@dataclass(frozen=True)
class Question:
    """A question about the best strategy of a game, as ``optimal`` takes it."""

    game: Game
    #: The fixed first guesses; none: the best one is sought.
    start: tuple[str, ...] = ()
    objective: str = "total"
    within: int | None = LIMIT
    hard: bool = False
    guess_from: str = "allowed"
    #: How many of the best first guesses are to be exact; the others are only excluded.
    top: int = 1
    #: A number, or AUTO.
    width: int | str | None = None
    #: What each secret weighs, as whole numbers; None: all the same.
    weights: tuple[int, ...] | None = None
    #: What is made least among strategies of equal value; None: the worst case, where it is cheap.
    then: str | None = None

    def __post_init__(self) -> None:
        has_own_rule(self.game)  # refuses a rule that could not be checked
        if self.objective not in OBJECTIVES:
            raise WrongInputError(f"no objective {self.objective!r}: {', '.join(OBJECTIVES)}")
        if isinstance(self.width, str) and self.width != AUTO:
            raise WrongInputError(f"no width {self.width!r}: a number from 1, or {AUTO}")
        require_pool(self.guess_from)
        if self.consistent and self.width:
            raise WrongInputError("--guess-from candidates is searched whole, without --width")
        alone = self.consistent or self.game.code_space is not None
        if alone and self.hard and not self.game.has_hard_mode:
            raise WrongInputError("hard mode is for Wordle only")
        if self.second and self.objective == "worst":
            raise WrongInputError("--then comes after the total: not with --objective worst")

    @property
    def second(self) -> SecondObjective | None:
        """What is made least among strategies of equal value."""
        return None if self.then is None else SecondObjective.of(self.then)

    @property
    def consistent(self) -> bool:
        """Whether only candidates may be guessed: that has a search of its own."""
        return self.guess_from == "candidates"

    def check_options(self, proof: bool, helpers: bool, resume: bool = False) -> None:
        """Refuse what this question cannot have.

        A proof that no checker knows, helpers where no first guesses are shared out, options that
        exclude each other.
        """
        if self.weights is not None:
            self._check_weighted(proof, helpers, resume)
        if self.second and self.width:
            raise WrongInputError("--then chooses among proved best strategies: no --width with it")
        if proof:
            self._check_provable()
        if helpers:
            self.check_shared()

    def check_shared(self) -> None:
        """Refuse helpers where no first guesses compete: there is nothing to share out."""
        if self.consistent:
            raise WrongInputError(
                "--guess-from candidates needs no helpers: one process searches it"
            )
        if self.game.spec != "wordle":
            raise WrongInputError(f"helpers share first guesses of Wordle, not {self.game.spec}")
        if self.start or self.width or self.objective == "worst":
            what = "--start" if self.start else "--width" if self.width else "--objective worst"
            raise WrongInputError(
                f"helpers share out first guesses; with {what} there are none to share: leave "
                "it to --workers"
            )

    @property
    def problem(self) -> Problem:
        """The problem of the exact search, in the words of ``game_played``."""
        played = game_played(self.game, self.guess_from, self.start)
        losses = self.objective == "losses"
        return Problem(played, self.hard, self.within, losses=losses, weights=self.weights)

    def _check_weighted(self, proof: bool, helpers: bool, resume: bool) -> None:
        """Refuse what the search with weights does not do."""
        if self.objective != "total":
            raise WrongInputError("--weights goes with --objective total alone")
        if self.game.code_space is not None:
            raise WrongInputError("--weights is for lists of words; Mastermind is searched whole")
        for what, given in {
            "--guess-from candidates": self.guess_from == "candidates",
            "--proof": proof,
            "--resume": resume,
            "--width": self.width is not None,
            "--then": self.then is not None,
            "helpers": helpers,
        }.items():
            if given:
                raise WrongInputError(f"{what} is for equally likely secrets, not for --weights")

    def _check_provable(self) -> None:
        """Refuse ``--proof`` of what the checker of proofs does not know."""
        if self.second:
            raise WrongInputError(
                "--proof is about the first objective: check-proof has no rule for --then"
            )
        if self.game.spec != "wordle" and self.game.code_space is None:
            raise WrongInputError(
                f"--proof is for lists of words and whole boards of Mastermind: check-proof has "
                f"no rule for {self.game.spec}"
            )
        if len(self.start) > 1:
            raise WrongInputError(
                "--proof is about all first guesses or about one --start, not several"
            )


def game_played(game: Game, guess_from: str, made: Sequence[str] = ()) -> Game:
    """The game to search: with guesses from the secrets only, one that knows no other words.

    Words that are ``made`` before all others do no harm: they separate nothing any more.
    """
    if guess_from != "secrets":
        return game
    return replace(game, guesses=tuple(sorted({*game.secrets, *made})))


class OptimalSearch:
    """The search for the best strategy, and what it has found when it is interrupted."""

    def __init__(self, question: Question, check_time: Callable[[], None], timed: bool) -> None:
        """``timed``: whether ``check_time`` will ever raise."""
        self.question = question
        self._check_time = check_time
        self._timed = timed
        self._problem = question.problem
        played = self._problem.game
        check_start(played, question.start, question.hard)
        if played.code_space is None and not question.consistent:
            require_table(played, question.hard)
        self._state = GuessBounds(question.top, self._problem.highest_value)
        #: The search of the objectives that have one of their own.
        self._own: LeastLosses | best_strategy.LeastWorst | widening.BeamSearch | None = None
        #: The search of Mastermind, or with candidates only.
        self._alone: best_strategy.PegSearch | CandidateSearch | None = None
        #: A strategy within the limit that was found on the way.
        self._within: Answer | None = None
        #: The search of the second objective, once there is a strategy of the best value.
        self._second: BestSecond | None = None
        #: The findings of an earlier search that this one takes as true.
        self.believed: Checkpoint | None = None
        #: Those that it does not believe but searches again.
        self._rechecked: Checkpoint | None = None

    def resume(self, path: str | Path, recheck: bool) -> None:
        """Resume from the findings of an interrupted search, if their file is there.

        With ``recheck`` they are no more than what this search is to be compared with.
        """
        findings = read_checkpoint(path, self._problem)
        if recheck:
            if findings is None:
                raise OutputError(f"{path}: is not there; --recheck has nothing to search again")
            self._rechecked = findings
        elif findings is not None and findings.found and self._races:
            self._state.add_all(findings.found)
            self.believed = findings

    @property
    def _races(self) -> bool:
        """Whether first guesses compete: only then is anything found out about each of them."""
        question = self.question
        alone = question.start or question.width or question.game.code_space is not None
        alone = alone or question.consistent
        return not alone and question.objective != "worst"

    def check(self, strategy: Strategy | None) -> None:
        """Refuse findings that led to a strategy which does not attain what they say."""
        best = self._state.best
        if self.believed is not None and strategy is not None and best is not None:
            check_attained(self.believed.path, self._problem, best, strategy)

    def compare(self) -> None:
        """Refuse findings of an earlier search that this search has contradicted."""
        if self._rechecked is not None:
            self._rechecked.check_not_contradicted(self._state)

    def save_checkpoint(self, path: str | Path) -> None:
        """Write the findings of this search to a file, for another search to resume from."""
        save_checkpoint(path, self._problem, self._state)

    def answer(self, progress: SearchProgress, workers: int | Helpers) -> Answer:
        """The answer of the search, its guesses numbered as in the game itself."""
        try:
            answer = self._searched(_ProgressReport(progress, self._problem), workers)
            answer = self._with_second(answer)
        except WrongFindingError as error:
            path = "" if self.believed is None else f"{self.believed.path}: "
            raise BadFileError("findings", f"{path}some finding is wrong: {error}") from None
        return self._in_words_of_the_game(answer)

    def best_so_far(self, quick: bool) -> Answer | None:
        """The answer that holds without the rest of the search; None if there is none.

        ``quick``: where none was found yet, make one at once.
        """
        if self._second is not None:
            return self._in_words_of_the_game(self._second.answer())
        answer = self._best_first(quick)
        second = None if answer is None else self._second_of(answer)
        answer = answer if second is None else second.answer()
        return None if answer is None else self._in_words_of_the_game(answer)

    def _best_first(self, quick: bool) -> Answer | None:
        """The same, of the first objective, in the words of the game that is searched."""
        if self._own is not None and (found := self._own.answer()) is not None:
            return found
        if self._state.best is not None:
            context = search_context(self._problem)
            return best_strategy.concluded(context, self._state, proved=False)
        return self._quick_answer() if quick else self._within

    def _second_of(self, answer: Answer) -> BestSecond | None:
        """The search of the second objective below an answer, if there is one to be made."""
        objective = self.question.second
        if objective is None or answer.tree is None:
            return None
        return BestSecond(self._problem, answer, objective, self._check_time)

    def _with_second(self, answer: Answer) -> Answer:
        """The answer with its second objective made least; where it is a bound, as it stands."""
        self._second = self._second_of(answer)
        if self._second is None:
            return answer
        if answer.proved:
            ties, consistent = self._state.ties(), self.question.consistent
            self._second.settle(self.question.start, ties, consistent)
        return self._second.answer()

    def _in_words_of_the_game(self, answer: Answer) -> Answer:
        if self.question.guess_from != "secrets" or answer.tree is None:
            return answer
        words = map(self.question.game.guess_id, self._problem.game.guesses)
        return replace(answer, tree=answer.tree.renamed([*words]))

    def _searched(self, report: _ProgressReport, workers: int | Helpers) -> Answer:
        """The answer, its guesses numbered as in the game that is searched."""
        problem, start, check_time = self._problem, self.question.start, self._check_time
        objective, width = self.question.objective, self.question.width
        if self.question.consistent:
            top, settled = self.question.top, report.settled
            self._alone = CandidateSearch(problem, start, objective, top, settled, check_time)
            return self._alone.answer()
        alone = workers if isinstance(workers, int) else 1
        if width or self._is_settled_by_branches:
            return self._by_branches(width, report, alone)
        if problem.game.code_space is not None:
            self._alone = best_strategy.PegSearch(problem, start, objective, check_time)
            return self._alone.answer()
        if objective == "worst":
            worst = best_strategy.LeastWorst(problem, start, report.excluded, check_time)
            self._own = worst
            return worst.settle()
        if objective == "losses" and len(start) == 1 and problem.within:
            self._own = losses = LeastLosses(problem, start[0], check_time if self._timed else None)
            losses.settle()
            if len(problem.game.secrets) > EXACT_TOTALS and not self._timed:
                return losses.answer()
        return best_strategy.best_strategy(
            *(problem, start, self.question.top, workers, self._state),
            *(report.settled, check_time, self._keep),
        )

    @property
    def _is_settled_by_branches(self) -> bool:
        """Whether given first guesses leave so much that a beam is to say first what it takes.

        In hard mode a beam may miss a strategy within the limit.
        """
        question, problem = self.question, self._problem
        wanted = question.start and question.objective == "total" and not question.hard
        many = len(problem.game.secrets) > EXACT_TOTALS
        plain = problem.weights is None and problem.game.code_space is None
        return bool(wanted) and many and plain

    def _by_branches(
        self, width: int | str | None, report: _ProgressReport, workers: int
    ) -> Answer:
        """The best strategy of a beam, or without a width the best, each branch by itself."""
        start, objective = self.question.start, self.question.objective
        problem, check_time = self._problem, self._check_time
        search = widening.BeamSearch(problem, start, objective, check_time, report.widened)
        self._own = search
        if width is None:
            refuted = best_strategy.refuted(search.context, start, self._keep)
            if refuted is not None:
                return refuted
            search.settle(_WIDTH, workers)
            search.raise_bounds(self._timed, workers)
            with contextlib.suppress(OutOfTimeError):  # the total is proved
                search.make_worst_less()
        elif isinstance(width, int):
            search.settle(width, workers)
            if self._timed:
                with contextlib.suppress(OutOfTimeError):
                    search.raise_bounds(True, workers)
        else:
            search.settle_as_long_as_it_pays(self._timed, workers)
        answer = search.answer()
        assert answer is not None
        return answer

    def _keep(self, answer: Answer) -> None:
        self._within = answer

    def _quick_answer(self) -> Answer | None:
        """A strategy that is there at once, whether or not it meets the limit."""
        if self._problem.game.code_space is not None or self.question.consistent:
            return None if self._alone is None else self._alone.best_so_far()
        start, objective, own = self.question.start, self.question.objective, self._own
        least = own.least if isinstance(own, best_strategy.LeastWorst) else 0
        state = self._state if objective == "total" else None
        quick = best_strategy.quick_strategy(self._problem, start, objective, least, state)
        within, found = self._problem.within, self._within
        if found is None or within is None or (quick.tree and quick.tree.height <= within):
            return quick
        return replace(found, lower_bound=quick.lower_bound, first_guesses=quick.first_guesses)


class _ProgressReport:
    """How far the proof is: first guesses excluded or exact, still open, the best, the bound."""

    def __init__(self, progress: SearchProgress, problem: Problem) -> None:
        self._progress = progress
        self._secrets = len(problem.secrets)
        self._what = ""
        self._seen = 0

    def settled(self, state: GuessBounds, count: int) -> None:
        """Report what is known about the first guesses."""
        settled = len(state.found) - len(state.still_open())
        least, open_ = least_open(state, self._secrets, count)
        best = "none yet" if state.best is None else f"{state.best % LOSS:,}"
        known = f"{open_:,} open, best {best}, at least {least % LOSS:,}"
        self._say("first guesses settled", settled, count, known)

    def excluded(self, limit: int, number: int, count: int) -> None:
        self._say(f"first guesses excluded within {limit}", number, count, "")

    def widened(self, width: int, secrets: int, whole: int, best: int | None) -> None:
        """Report the secrets of a branch that was searched, and the best total so far.

        ``width``: of the beam; 0: by an exact search.
        """
        known = "none yet" if best is None else f"best {best:,}"
        how = f"by width {width}" if width else "exactly"
        self._progress(f"secrets searched {how}", secrets, whole, known)

    def _say(self, what: str, number: int, count: int, known: str) -> None:
        new = number - (self._seen if what == self._what else 0)
        self._what, self._seen = what, number
        self._progress(what, new, count, known)


# --- the file of an interrupted search -----------------------------------------------------
#
# A finding cannot be checked without searching again, so a result that rests on some says so. What
# can be checked is: that the file is whole and about the very same question, that no bound is below
# what every strategy costs or out of range, and, once there is a strategy, that it attains, played
# by letters, the value that was claimed for it. Whoever wants more searches again
# (``Checkpoint.check_not_contradicted``).


@dataclass(frozen=True)
class Checkpoint:
    """What an interrupted exact search found out about first guesses, as read from its file."""

    path: str
    found: tuple[Finding, ...]

    @property
    def reliance(self) -> str:
        """What a result that rests on these findings has to say: how many, of which file."""
        return f"relying on {counted(len(self.found), 'finding')} of {printable(self.path)}"

    def facts(self) -> dict[str, Any]:
        """The file of these findings and how many they are, for a JSON object."""
        return {"file": self.path, "n_found": len(self.found)}

    def check_not_contradicted(self, state: GuessBounds) -> None:
        """Refuse these findings if a search that did not know them found otherwise."""
        for guess, bound, exact in self.found:
            known, settled = state.found.get(guess, (0, False))
            if (settled and bound > known) or (exact and bound < known):
                raise BadFileError(
                    "findings",
                    f"{self.path}: its finding about guess {guess} is wrong: searched again, it "
                    f"costs {value_text(known)}{'' if settled else ' at least'}, "
                    f"not {value_text(bound)}",
                )


def save_checkpoint(path: str | Path, problem: Problem, state: GuessBounds) -> None:
    """Write what an interrupted search knows to a file, for ``read_checkpoint``."""
    found = sorted(state.found.items())
    rows = [(guess, *divmod(bound, LOSS), int(exact)) for guess, (bound, exact) in found]
    columns = zip(*rows, strict=True) if rows else [()] * len(strategy_file.FOUND)
    body = problem_facts(problem) | {"version": envelope.FINDINGS_VERSION, "count": len(rows)}
    for name, column in zip(strategy_file.FOUND, columns, strict=True):
        body[name] = strategy_file.pack_column(column)
    write_whole(path, envelope.pack(envelope.FINDINGS, body))


def read_checkpoint(path: str | Path, problem: Problem) -> Checkpoint | None:
    """The findings that an exact search left in a file; None if there is no such file.

    The file of a search for the answer to another question is refused.
    """
    if not Path(path).exists():
        return None
    kind, body = envelope.read(path)
    if kind != envelope.FINDINGS:
        wanted = envelope.KINDS[envelope.FINDINGS]
        raise BadFileError("kind", f"{path}: {envelope.KINDS[kind]}, not {wanted}")
    rows = strategy_file.read_findings(body, str(path))
    if rows.question != problem_facts(problem):
        raise OutputError(f"{path}: laid aside by a search with other words or options")
    return Checkpoint(str(path), tuple(_found(rows, problem, str(path))))


def problem_facts(problem: Problem) -> dict[str, Any]:
    """The question of an interrupted search, as its file has it; findings hold for this."""
    from solver.words.lists import words_digest

    game = problem.game
    return {
        "game": game.spec,
        **attributes(game, "guesses_digest secrets_digest"),
        "candidates_digest": words_digest(problem.secrets),
        "history": [list(step) for step in problem.history],
        **attributes(problem, "hard within losses price"),
    }


def check_attained(path: str, problem: Problem, value: int, strategy: Strategy) -> None:
    """Refuse a value from an interrupted search if its strategy, once played, comes to another.

    ``strategy`` has been played by letters, its counts are what came of it.
    """
    lost = 0 if problem.within is None else len(strategy.beyond(problem.within))
    played = lost * LOSS + strategy.total * problem.price
    if played != value:
        raise BadFileError(
            "findings",
            f"{path}: some finding is wrong: they say {value_text(value)}, the strategy for it "
            f"takes {value_text(played)}",
        )


def value_text(value: int) -> str:
    """What an interrupted search has found, in words: losses, if there are any, and guesses."""
    losses, total = divmod(value, LOSS)
    guesses = counted(total, "guess", "guesses")
    return f"{counted(losses, 'loss', 'losses')} and {guesses}" if losses else guesses


def _found(rows: strategy_file.FindingRows, problem: Problem, name: str) -> list[Finding]:
    """The rows as findings, none of which is impossible, by itself or beside the others."""

    def fail(reason: str) -> NoReturn:
        raise BadFileError("format", f"{name}: {reason}")

    secrets = len(problem.secrets)
    lowest = problem.price * (2 * secrets - 1)
    found = []
    for guess, lost, total, exact in zip(*rows[1:], strict=True):
        bound = lost * LOSS + total
        if guess >= len(problem.game.guesses):
            fail(f"guess {guess} is out of range")
        if not lowest <= bound <= NEVER or exact > 1 or (exact and not _can_be(bound, problem)):
            fail(f"{value_text(bound)} is no bound for {counted(secrets, 'secret')}")
        found.append((guess, bound, bool(exact)))
    _check_together(found, problem, fail)
    return found


def _can_be(value: int, problem: Problem) -> bool:
    """Whether a strategy can have a value: it loses no more than all, and makes no guess twice."""
    secrets = len(problem.secrets)
    losses, total = divmod(value, LOSS)
    if losses > (secrets if problem.losses else 0):
        return False
    # who asks for the secrets one by one, after one guess that is none, needs no more
    longest = secrets + 1 + (0 if problem.within is None else problem.within)
    return total <= problem.price * secrets * longest


def _check_together(
    found: Sequence[Finding], problem: Problem, fail: Callable[[str], NoReturn]
) -> None:
    """Refuse findings of which one says that another is wrong.

    Without a limit and hard mode, who makes a guess and then plays the best strategy needs one
    guess more for each secret than without it: no guess can cost more than that.
    """
    values = [(bound, guess) for guess, bound, exact in found if exact]
    if not values or problem.within is not None or problem.hard or not problem.price:
        return
    best, which = min(values)
    most = best + len(problem.secrets)
    for guess, bound, _ in found:
        if bound > most:
            fail(
                f"its findings cannot be together: if guess {which} costs {value_text(best)}, "
                f"guess {guess} costs at most {value_text(most)}, not {value_text(bound)}"
            )
