"""Strategies of others and our own, in whichever form a file has: examined, imported, loaded.

Words may be given, or the name of a shipped list, or a file that lists them. As for verifying,
neither numpy nor the solver is loaded.
"""

from __future__ import annotations

import contextlib
from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from . import verification
from .checkers import judged_lists
from .checkers.fault_finder import GRADERS, Judgement, Rules, draft_of, judge
from .errors import BadFileError, WrongStrategyError
from .files import envelope, strategy_file
from .files.faults import BEYOND, HEAD, Fault
from .files.importers import recognise
from .files.importers.content import bytes_of
from .files.importers.draft import Draft
from .files.notation import is_pegs
from .tree import Strategy

OWN_FORM, IMPORTED = "strategy", "imported"


@dataclass(frozen=True)
class Examined:
    """What became of a file of a strategy that was examined: its form, lists, games and faults."""

    form: str
    lists: judged_lists.Yardstick
    judgement: Judgement
    #: The strategy, if nothing is wrong with it.
    strategy: Strategy | None
    #: What is wrong in one line; nothing if it is right.
    reason: str = ""
    digest: str | None = None
    #: Whether a search claims for it that nothing is better, which playing it does not show.
    claims: bool = False

    @property
    def ok(self) -> bool:
        """Whether the strategy does what it says, and what was asked of it."""
        return not self.reason


class HeldTo(NamedTuple):
    """What a file of a strategy is to be held to: lists of words, game, hard mode, limit."""

    words: judged_lists.Listed | None = None
    secrets: judged_lists.Listed | None = None
    hard: bool = False
    within: int | None = None
    game: str = ""


def examine(
    path: str | Path,
    words: judged_lists.Listed | None = None,
    secrets: judged_lists.Listed | None = None,
    *,
    hard: bool = False,
    within: int | None = None,
    game: str = "",
) -> Examined:
    """Read a strategy in any form, play every secret by letters alone, and name every fault.

    The forms are our own files, indented trees of text, nested JSON, a game a line, and a table of
    states (``docs/foreign-files.md``); which it is shows by looking.

    Args:
        path: The file.
        words: The guesses: a shipped list by name, a file, or words. What is not said is found out:
        the head of the file says it, or the shipped list that resembles what it solves.
        secrets: ``allowed`` (any guess), ``answers`` (those of a shipped list), a file, or words.
        hard: Hold it to hard mode.
        within: Hold it to so many guesses.
        game: The game, if the file does not say: ``wordle``, ``mastermind:4x6`` …

    Returns:
        The form, the strategy if there is one, and the judgement with all faults.

    Raises:
        BadFileError: The file is none of these forms.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import examine
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two.tree"
    ...     _ = path.write_text("slate BGGGG1 plate GGGGG2\\n      GGGGG1\\n")
    ...     found = examine(path, ["plate", "skate", "slate"])
    >>> found.form, found.judgement.worst, [str(fault) for fault in found.judgement.faults]
    ('tree', 2, ["secret missing: no game comes to 'skate'"])
    """
    asked = HeldTo(words, secrets, hard, within, game)
    content = bytes_of(path)
    if content[: len(envelope.MAGIC)] == envelope.MAGIC:
        return _examine_own(path, asked)
    return _examine_foreign(_draft(content, str(path), asked), asked)


def load(
    path: str | Path,
    words: judged_lists.Listed | None = None,
    secrets: judged_lists.Listed | None = None,
    *,
    hard: bool = False,
    game: str = "",
) -> Strategy:
    """The strategy in a file of any form; one that has a fault raises WrongStrategyError."""
    found = examine(path, words, secrets, hard=hard, game=game)
    if found.strategy is None:
        raise WrongStrategyError(f"{path}: {found.reason}; 'knuthle verify' names every fault")
    return found.strategy


# --- our own files ----------------------------------------------------------------------------


def _examine_own(path: str | Path, asked: HeldTo) -> Examined:
    contents = strategy_file.load(path)
    strategy = Strategy.of_file(contents)
    origin = strategy.origin
    if asked.game and asked.game != origin.game:
        raise BadFileError("game", f"{path}: it is a strategy for {origin.game}, not {asked.game}")
    _check_hard(asked, origin.game)
    guesses, secrets = judged_lists.given_lists(asked.words, asked.secrets, origin.list_name)
    found = judged_lists.of_strategy(strategy, guesses, secrets)
    reason = ""
    judgement = None
    try:
        verdict = verification.verify(contents, guesses, secrets)
        found = replace(found, how=verdict.lists)
        if not asked.hard and asked.within is None:
            solved_at = strategy.solved_at
            judgement = Judgement(verdict.taken, solved_at, len(verdict.taken), ())
    except WrongStrategyError as error:
        reason = str(error)
    if judgement is None:
        judgement = judge(draft_of(strategy), _rules(found, asked))
    if reason and not judgement.faults:
        judgement = replace(judgement, faults=(Fault(HEAD, reason),))
    reason = reason or faults_in_a_line(judgement, asked.within)
    right = None if reason else strategy
    claims = "objective" in origin.claim
    return Examined(OWN_FORM, found, judgement, right, reason, contents.digest, claims)


def _rules(found: judged_lists.Yardstick, asked: HeldTo) -> Rules:
    return Rules(found.game, found.guesses, found.secrets, asked.hard, asked.within)


def _check_hard(asked: HeldTo, game: str) -> None:
    if asked.hard and is_pegs(game):
        raise BadFileError("game", f"hard mode is a rule of Wordle; {game} has none")


# --- files of others --------------------------------------------------------------------------


def _draft(content: bytes, name: str, asked: HeldTo) -> Draft:
    """What a file says; with a list at hand digits are letters, since codes are held to none."""
    if asked.words is not None and not asked.game:
        with contextlib.suppress(BadFileError):
            return recognise.read(content, name, GRADERS, "wordle")
    return recognise.read(content, name, GRADERS, asked.game)


def _examine_foreign(draft: Draft, asked: HeldTo) -> Examined:
    found = judged_lists.of_draft(draft, asked.words, asked.secrets, asked.game)
    _check_hard(asked, found.game)
    judgement = judge(draft, _rules(found, asked))
    if judgement.faults and draft.spelling.numbers:  # whose digits may begin at the other end
        turned = draft.mirrored()
        other = judge(turned, _rules(found, asked))
        if len(other.faults) < len(judgement.faults):
            draft, judgement = turned, other
    reason = faults_in_a_line(judgement, asked.within)
    strategy = None if reason else strategy_of_draft(draft, found, judgement, asked.hard)
    digest = None if strategy is None else strategy.digest
    return Examined(draft.form, found, judgement, strategy, reason, digest)


def faults_in_a_line(judgement: Judgement, within: int | None) -> str:
    """For a file in any form, the faults of its strategy in one line: the only one, or how many."""
    faults = judgement.faults
    if len(faults) < 2:
        return "".join(map(str, faults))
    kinds = {fault.kind for fault in faults}
    if kinds == {BEYOND}:
        return f"{len(faults):,} secrets take more than {within}"
    return f"{len(faults):,} faults" + (f": {faults[0].kind}" if len(kinds) == 1 else "")


def strategy_of_draft(
    draft: Draft, found: judged_lists.Yardstick, judgement: Judgement, hard: bool = False
) -> Strategy:
    """Of a file in any form, found right: the states of its draft as a strategy of ours."""
    children: list[list[tuple[int, int]]] = [[] for _ in draft.guess]
    for node, above in enumerate(draft.parent):
        if above >= 0:
            children[above].append((draft.score[node], node))
    solving = set(judgement.solved_at.values())
    words = tuple(sorted({*draft.guess, *found.secrets}))
    place = {word: at for at, word in enumerate(words)}
    guess, parent, score, hit = array("I"), array("I"), array("I"), array("B")
    todo = [(0, 0, 0)]
    while todo:
        node, above, came = todo.pop()
        number = len(guess)
        guess.append(place[draft.guess[node]])
        parent.append(above)
        score.append(came)
        hit.append(node in solving)
        todo += [(below, number, by) for by, below in sorted(children[node], reverse=True)]
    origin = found.origin(words, rule=IMPORTED, start=(draft.guess[0],), hard=hard)
    return Strategy(origin, words, guess, parent, score, hit)
