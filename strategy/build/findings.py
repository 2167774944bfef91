"""What an interrupted exact search knows, as a file: it is laid aside, and taken up again.

The next run believes it, proofs included; so it is sealed like every other file, and refused unless
it is about the very same question.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadFileError, OutputError
from ..files import envelope, strategy_file
from ..files.output import write_whole

if TYPE_CHECKING:
    from solver.exact.race.first_guesses import FirstGuesses
    from solver.exact.race.problem import Finding, Problem


def lay_aside(path: str | Path, problem: Problem, state: FirstGuesses) -> None:
    """Write what a search knows, for ``take_up``."""
    found = sorted([guess, bound, exact] for guess, (bound, exact) in state.found.items())
    body = question(problem) | {"found": found}
    write_whole(path, envelope.pack(envelope.FINDINGS, body))


def take_up(path: str | Path, problem: Problem, state: FirstGuesses) -> None:
    """Continue from a file of ``lay_aside``, if it is there and about the same question."""
    if not Path(path).exists():
        return
    kind, body = envelope.read(path)
    if kind != envelope.FINDINGS:
        raise BadFileError("kind", f"{path}: {envelope.KINDS[kind]}, not {_WANTED}")
    asked = question(problem)
    if {key: body.get(key) for key in asked} != asked:
        raise OutputError(f"{path}: laid aside by a search with other words or options")
    read = strategy_file.Reader(body, str(path))
    read.only((*asked, "found"))
    for row in read.take("found", list):
        state.add(_finding(read, row, len(problem.game.guesses)))


def question(problem: Problem) -> dict[str, Any]:
    """What the search was asked; findings hold for nothing else."""
    game = problem.game
    return {
        "game": game.spec,
        "guesses_digest": game.guesses_digest,
        "secrets_digest": game.secrets_digest,
        "hard": problem.hard,
        "within": problem.within,
        "losses": problem.losses,
        "price": problem.price,
    }


def _finding(read: strategy_file.Reader, row: object, guesses: int) -> Finding:
    """One guess with its bound, and whether that is its value."""
    match row:
        case [int(guess), int(bound), bool(exact)] if 0 <= guess < guesses and bound >= 0:
            pass
        case _:
            read.fail("format", f"{row!r} is no finding")
    return guess, bound, exact


_WANTED = envelope.KINDS[envelope.FINDINGS]
