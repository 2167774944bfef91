"""Before and after a strategy is built: is its start legal, are all secrets found, is a limit met?

Every secret is played here, many at a time, by letters and not by the search; the trusted checker
then looks at what the games came to, and ``verify`` plays the file again by its own lines. A game
whose rule is somebody's own is played by that rule, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.game.wordle import legal_after

from ..checkers.verify import Tree, check_played, hold
from ..files.strategy_file import OWN_GRADE, Verdict, head_of
from ..files.text import is_known, is_pegs
from ..tree import Strategy
from .progress import ignore

if TYPE_CHECKING:
    from solver.game.game import Game

#: Secrets to a task of the verifying pool: small enough to share out, large enough to be worth it.
_GAMES_A_TASK = 500
#: And without a pool: the checker looks at many games together.
_GAMES_TOGETHER = 20_000

#: Called with (what is being done, how much of it is new, how much it is in all).
Progress = Callable[[str, int, int], None]


def start_words(start: str | Sequence[str]) -> tuple[str, ...]:
    """Before building: the first guesses that are to be made, of words or of text with commas."""
    return tuple(word.strip() for word in (start.split(",") if isinstance(start, str) else start))


def fixed_guesses(game: Game, start: str | Sequence[str]) -> tuple[str, ...]:
    """The guesses that a strategy is to begin with, as words of the game; none for ``auto``."""
    words = start_words(start)
    return () if words == ("auto",) else tuple(game.guesses[game.guess_id(w)] for w in words)


def check_start(game: Game, start: Sequence[str], hard: bool) -> None:
    """Refuse, before building, fixed guesses that repeat or that hard mode forbids."""
    twice = [word for word in start if start.count(word) > 1]
    if twice:
        raise WrongInputError(f"--start guesses {twice[0]!r} twice, which tells nothing new")
    if not hard:
        return
    everything = np.arange(len(game.secrets), dtype=np.int32)
    states: list[tuple[tuple[tuple[int, int], ...], Any]] = [((), everything)]
    for word in start:
        guess = game.guess_id(word)
        below = []
        for history, candidates in states:
            if guess not in legal_after(game, history):
                named = game.format_state([(game.guesses[g], score) for g, score in history])
                raise WrongInputError(f"hard mode forbids the fixed guess {word!r} after {named}")
            row = game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]
            for score in np.unique(row[row != game.solved]).tolist():
                below.append(((*history, (guess, score)), candidates[row == score]))
        states = below


def has_own_rule(game: Game) -> bool:
    """Whether a game to build for has somebody's own rule, which the trusted checker lacks.

    Such a game under a name that they do know is refused: they would take it for another one.
    """
    from solver.game.mastermind import MastermindGame
    from solver.game.wordle import WordleGame

    if not is_known(game.spec):
        return True
    if not isinstance(game, WordleGame | MastermindGame):
        raise WrongInputError(
            f"{type(game).__name__} has a rule of its own and goes by the name {game.spec!r}, "
            "by which the checker would grade; let its spec be another one"
        )
    return False


def play_every_secret(
    strategy: Strategy, game: Game, workers: int = 1, progress: Progress = ignore
) -> Verdict:
    """Before a strategy just built counts, play every secret of its game, by letters.

    A game of somebody's own rule is played by the game's own grade.
    """
    secrets = game.secrets
    size = _GAMES_A_TASK if workers > 1 else _GAMES_TOGETHER
    tasks = [secrets[at : at + size] for at in range(0, len(secrets), size)]
    columns = strategy.guess, strategy.parent, strategy.score, strategy.hit
    depth = list(strategy.depth)
    tree = Tree(head_of(strategy.origin), strategy.words, *columns, depth, "")
    own_rule = has_own_rule(game)
    grade = partial(_grade_by, game) if own_rule else PAIR_GRADERS[is_pegs(game.spec)]
    taken: dict[str, int] = {}
    passed: set[int] = set()
    for number, (some_taken, some_passed) in _played(tree, grade, tasks, workers):
        taken |= some_taken
        passed |= some_passed
        progress("playing", len(tasks[number]), len(secrets))
    hold(sum(tree.hit) == len(taken), "a secret of the game is none of the strategy")
    check_played(tree, passed)
    verdict = Verdict(dict(sorted(taken.items())))
    return replace(verdict, graded_by=OWN_GRADE) if own_rule else verdict


def _played(
    tree: Tree, grade: GradeAll, tasks: Sequence[Any], workers: int
) -> Iterator[tuple[int, tuple[dict[str, int], set[int]]]]:
    if workers == 1:
        yield from enumerate(map(partial(play, tree, grade), tasks))
        return
    from solver.machine.pool import Pool  # a run in one process needs none

    with Pool(partial, (play, tree, grade), min(workers, len(tasks))) as pool:
        yield from pool.run(tasks)


# --- all games at once --------------------------------------------------------------------
#
# A guess of every secret at a time, graded many words together: what a search has just built. The
# checker of files plays the same games one by one, by the rule in a few lines
# (``strategy.checkers.verify``); this must come to the same, in a tenth of the time.

#: The scores of many guesses, each against the secret beside it.
GradeAll = Callable[[Any, Any], list[int]]
#: Where in the number of an edge its node above begins, in bits: below is the score.
_ABOVE = 32


def play(tree: Tree, grade: GradeAll, secrets: Sequence[str]) -> tuple[dict[str, int], set[int]]:
    """Play secrets, a guess of each at a time: how many each took, and the nodes come to."""
    words, hidden = np.array(tree.words)[np.array(tree.guess)], np.array(secrets)
    edges = np.array(tree.parent, dtype=np.int64) << _ABOVE | np.array(tree.score)
    by_edge = np.argsort(edges, kind="stable")
    edges, hit = edges[by_edge], np.array(tree.hit, dtype=np.bool_)
    taken, passed = np.zeros(len(secrets), dtype=np.int32), np.zeros(len(words), dtype=np.bool_)
    playing, nodes, made = np.arange(len(secrets)), np.zeros(len(secrets), dtype=np.int64), 0
    while len(playing):
        made += 1
        passed[nodes] = True
        going = words[nodes] != hidden[playing]
        _hold_none(
            [secrets[at] for at in playing[~going & ~hit[nodes]][:1]],
            "is solved where the file says it cannot be",
        )
        taken[playing[~going]] = made
        playing, nodes = playing[going], nodes[going]
        scores = grade(words[nodes], hidden[playing])
        wanted = nodes << _ABOVE | np.array(scores, dtype=np.int64)
        places = np.searchsorted(edges, wanted, side="right") - 1
        nodes = np.where(edges[places] == wanted, by_edge[places], 0)
        _hold_none(
            [secrets[at] for at in playing[nodes == 0][:1]],
            "is never reached: there is no branch for what it answers",
        )
    return dict(zip(secrets, taken.tolist(), strict=True)), {*np.flatnonzero(passed).tolist()}


def _hold_none(wrong: Sequence[str], why: str) -> None:
    for secret in wrong:
        hold(False, f"{secret!r} {why}")


def _grade_by(game: Game, guesses: NDArray[np.str_], secrets: NDArray[np.str_]) -> list[int]:
    """The scores by a game's own rule."""
    return [*map(game.grade, guesses.tolist(), secrets.tolist())]


def grade_pairs(guesses: Any, secrets: Any) -> list[int]:
    """Grade, in Wordle, each guess against the secret beside it.

    A letter that is not green is yellow if the secret has such a letter that is free, and takes it.
    """
    guess, secret = _letters(guesses), _letters(secrets)
    green = guess == secret
    guess[green], secret[green] = _NONE, _TAKEN
    scores = np.zeros(len(guesses), dtype=np.int32)
    for place, letters in enumerate(guess):
        scores += 3**place * (2 * green[place] + _take(letters, secret))
    found: list[int] = scores.tolist()
    return found


def grade_peg_pairs(guesses: Any, secrets: Any) -> list[int]:
    """Grade, in Mastermind, each guess against the secret beside it."""
    guess, secret = _letters(guesses), _letters(secrets)
    black = (guess == secret).sum(axis=0)
    common = sum(_take(pegs, secret) for pegs in guess)
    found: list[int] = (black * len(guess) + common).tolist()
    return found


#: Bytes of a letter, as numpy has text.
_LETTER_BYTES = 4
#: What stands for a letter that is not wanted, and for one of a secret that is taken.
_NONE, _TAKEN = -1, -2


def _letters(words: Any) -> NDArray[np.int32]:
    """Words of one length as numbers: a row a place, a column a word."""
    text = np.array(words, dtype=np.str_)
    letters = text.view(np.int32).reshape(len(text), text.itemsize // _LETTER_BYTES)
    return letters.T.copy(order="C")


def _take(wanted: NDArray[np.int32], free: NDArray[np.int32]) -> NDArray[np.int32]:
    """1 where a secret has the letter that is wanted of it among its free ones, which is taken."""
    found = np.zeros(len(wanted), dtype=np.bool_)
    for letters in free:
        here = (letters == wanted) & ~found
        np.putmask(letters, here, _TAKEN)
        found |= here
    return found.astype(np.int32)


#: The rule of Wordle, and that of pegs, many words at a time.
PAIR_GRADERS: dict[bool, GradeAll] = {False: grade_pairs, True: grade_peg_pairs}


# --- the limit ----------------------------------------------------------------------------

#: How it was decided whether a limit is met. The rule's strategy is kept where it suffices and
#: repaired where it does not (``by_rule``), unless the rule is to be taken as it is.
RULE, REPAIR, EXACT, BEAM = "rule", "repair", "exact", "beam"


@dataclass(frozen=True)
class Outcome:
    """What became of a limit on the guesses: the object ``within`` of the reports.

    A strategy that meets the limit proves it by being played, and a search that excludes every
    strategy proves the contrary; a rule's failure proves nothing about other strategies.
    """

    limit: int | None
    met: bool
    method: str
    proved: bool

    def facts(self) -> dict[str, Any]:
        """The limit and what became of it, for the JSON object."""
        return asdict(self)

    @property
    def impossible(self) -> bool:
        """Whether it is proved that no strategy at all meets the limit."""
        return self.proved and not self.met


def outcome_of_rule(worst: int, limit: int) -> Outcome:
    """What became of a limit where a strategy is built and left as the rule has made it."""
    return Outcome(limit, worst <= limit, RULE, proved=worst <= limit)
