"""What an interrupted exact search knows, as a file: it is laid aside, and taken up again.

A finding cannot be checked without searching again, so a result that rests on some says so. What
can be checked is: that the file is whole and about the very same question, that no bound is below
what every strategy costs or out of range, and, once there is a strategy, that it attains, played
by letters, the value that was claimed for it. Whoever wants more searches
again (``check_not_contradicted``).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadFileError, OutputError
from ..files import envelope, strategy_file
from ..files.names import shown
from ..files.notation import counted
from ..files.output import write_whole

if TYPE_CHECKING:
    from solver.exact.first_guesses.problem import Finding, Problem
    from solver.exact.first_guesses.standings import FirstGuesses

    from ..tree import Strategy

#: Of the body: 1 had no version, and bounds as they were.
VERSION = 2
_COLUMNS = ("guess", "lost", "total", "exact")


@dataclass(frozen=True)
class Findings:
    """What an interrupted exact search found out about first guesses, as read from its file."""

    path: str
    found: tuple[Finding, ...]

    @property
    def reliance(self) -> str:
        """What a result that rests on these findings has to say: how many, of which file."""
        return f"relying on {counted(len(self.found), 'finding')} of {shown(self.path)}"

    def facts(self) -> dict[str, Any]:
        """The file of these findings and how many they are, for a JSON object."""
        return {"file": self.path, "n_found": len(self.found)}

    def add_to(self, state: FirstGuesses) -> None:
        """Add these findings to what a search knows before it begins."""
        for finding in self.found:
            state.add(finding)

    def check_not_contradicted(self, state: FirstGuesses) -> None:
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


def lay_aside(path: str | Path, problem: Problem, state: FirstGuesses) -> None:
    """Lay an interrupted search aside: write what it knows to a file, for ``read_findings``."""
    from solver.exact.lemmas import LOSS

    rows = [
        (guess, *divmod(bound, LOSS), int(exact))
        for guess, (bound, exact) in sorted(state.found.items())
    ]
    columns = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    body = problem_facts(problem) | {"version": VERSION, "count": len(rows)}
    for name, column in zip(_COLUMNS, columns, strict=True):
        body[name] = strategy_file.pack_column(column)
    write_whole(path, envelope.pack(envelope.FINDINGS, body))


def read_findings(path: str | Path, problem: Problem) -> Findings | None:
    """The findings that an exact search left in a file; None if there is no such file.

    One that was laid aside by a search for the answer to another question is refused.
    """
    if not Path(path).exists():
        return None
    kind, body = envelope.read(path)
    if kind != envelope.FINDINGS:
        raise BadFileError("kind", f"{path}: {envelope.KINDS[kind]}, not {_WANTED}")
    read = strategy_file.Reader(body, str(path))
    if body.get("version") != VERSION:
        read.fail("version", "findings of another version; without it the search begins anew")
    asked = problem_facts(problem)
    if {key: body.get(key) for key in asked} != asked:
        raise OutputError(f"{path}: laid aside by a search with other words or options")
    read.only((*asked, "version", "count", *_COLUMNS))
    return Findings(str(path), tuple(_found(read, problem)))


def problem_facts(problem: Problem) -> dict[str, Any]:
    """What an interrupted exact search was asked, as its file has it; findings hold for this."""
    from solver.game.words import words_digest

    game = problem.game
    return {
        "game": game.spec,
        "guesses_digest": game.guesses_digest,
        "secrets_digest": game.secrets_digest,
        "candidates_digest": words_digest(problem.secrets),
        "history": [list(step) for step in problem.history],
        "hard": problem.hard,
        "within": problem.within,
        "losses": problem.losses,
        "price": problem.price,
    }


def check_attained(path: str, problem: Problem, value: int, strategy: Strategy) -> None:
    """Refuse a value from an interrupted search if its strategy, once played, comes to another.

    ``strategy`` has been played by letters, its counts are what came of it.
    """
    from solver.exact.lemmas import LOSS

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
    from solver.exact.lemmas import LOSS

    losses, total = divmod(value, LOSS)
    guesses = counted(total, "guess", "guesses")
    return f"{counted(losses, 'loss', 'losses')} and {guesses}" if losses else guesses


def _found(read: strategy_file.Reader, problem: Problem) -> list[Finding]:
    """The columns as findings, each guess once, no bound below lemma 1 or above every value."""
    from solver.exact.lemmas import LOSS, NEVER

    count = read.whole("count", 0)
    columns = [read.column(name, count) for name in _COLUMNS]
    lowest = problem.price * (2 * len(problem.secrets) - 1)
    found, last = [], -1
    for guess, lost, total, exact in zip(*columns, strict=True):
        bound = lost * LOSS + total
        if not last < guess < len(problem.game.guesses):
            read.fail("format", f"guess {guess} is out of range or order")
        if not lowest <= bound <= NEVER or exact > 1:
            read.fail(
                "format", f"{value_text(bound)} is no bound for {len(problem.secrets)} secrets"
            )
        last = guess
        found.append((guess, bound, bool(exact)))
    return found


_WANTED = envelope.KINDS[envelope.FINDINGS]
