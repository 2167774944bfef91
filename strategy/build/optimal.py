"""From exact search to strategies: assembling and verifying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from solver.exact.answers.answer import Answer, Tree

from ..files.origin import Origin
from ..referee import Verdict
from ..tree import Strategy
from .by_rule import Clock, Settings, Solved, check_start, play_every_secret
from .within import EXACT, Outcome

if TYPE_CHECKING:
    from solver.game.game import Game


@dataclass(frozen=True)
class Asked:
    """What an exact search was asked for: the head of a strategy says so."""

    objective: str
    within: int | None
    hard: bool
    guess_from: str = "allowed"


def strategy_of(
    game: Game, asked: Asked, answer: Answer, start: Sequence[str] = ()
) -> tuple[Strategy, Verdict]:
    """The strategy of an answer, every secret of it played by the trusted checker."""
    tree = answer.tree
    assert tree is not None
    first = tuple(start) or (game.guesses[tree.guess[0]],)
    claim: dict[str, Any] = {
        "objective": asked.objective,
        "within": asked.within,
        "proved": answer.proved,
        "lower_bound": answer.lower_bound,
    }
    pool = {"guess_from": asked.guess_from, "hard": asked.hard}
    origin = Origin.of(game, "optimal", first, **pool, claim=claim)
    strategy = Strategy.from_columns(game, origin, *columns_of(tree))
    return strategy, play_every_secret(strategy, game.secrets)


def solve_optimal(
    game: Game,
    settings: Settings,
    within: int,
    workers: int = 1,
    check_time: Callable[[], None] = lambda: None,
) -> Solved | None:
    """``solve`` by the rule ``optimal``: the least total within a limit, or None if none meets it.

    With guesses from the secrets only, the search plays the game that knows no other words.
    """
    from solver.exact.answers.best import best_strategy
    from solver.exact.answers.mastermind import best_pegs
    from solver.exact.race.problem import Problem

    clock = Clock()
    played = game_played(game, settings.guess_from)
    start = () if settings.start == ("auto",) else settings.start
    check_start(played, start, settings.hard)
    problem = Problem(played, settings.hard, within)
    if played.code_space is None:
        answer = best_strategy(problem, start, workers=workers, check_time=check_time)
    else:
        answer = best_pegs(problem, start, "total", check_time)
    if answer.tree is None:
        return None
    answer = in_words_of(game, answer, settings.guess_from)
    clock.lap("search")
    asked = Asked("total", within, settings.hard, settings.guess_from)
    strategy, verdict = strategy_of(game, asked, answer, start)
    clock.lap("verify")
    return Solved(strategy, verdict, Outcome(within, True, EXACT, True), clock.seconds())


def game_played(game: Game, guess_from: str, made: Sequence[str] = ()) -> Game:
    """The game to search: with guesses from the secrets only, one that knows no other words.

    Words that have been guessed already do no harm: they tell nothing any more.
    """
    if guess_from != "secrets":
        return game
    return replace(game, guesses=tuple(sorted({*game.secrets, *made})))


def in_words_of(game: Game, answer: Answer, guess_from: str) -> Answer:
    """An answer to ``game_played`` with its guesses numbered as in the game itself."""
    if guess_from != "secrets" or answer.tree is None:
        return answer
    guess = [int(game.secret_ids[at]) for at in answer.tree.guess]
    return replace(answer, tree=replace(answer.tree, guess=guess))


def columns_of(tree: Tree) -> tuple[list[int], list[int], list[int]]:
    """Guess, parent and score as ``Strategy.from_columns`` takes them."""
    return tree.guess, tree.parent, tree.score
