"""How likely each secret is: a file of words with their weights.

A line is a word and its weight, with blanks or a comma between them; ``#`` begins a comment, and
blank lines do not count. Only the ratios of weights matter. A secret that the file does not name
has no weight, and what has no weight is never the secret.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import WrongInputError

from ..checkers.verify import NUMBER, read_weight
from ..errors import BadFileError
from ..files.text import counted, plain, printable, quoted, read_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game

#: A weight is called nothing if it is smaller than the largest by this factor.
_NOTHING = 1e-300
#: Where weights come from: a file, or words with their weights.
WeightSource = str | Path | Mapping[str, float]


class WeightedGame(NamedTuple):
    """A game whose secrets all have a weight; what has none is no secret in it."""

    game: Game
    #: One for each secret, all of them positive.
    weights: NDArray[np.float64]
    #: How many secrets have no weight and were left out.
    n_left_out: int
    #: How many words with a weight are guesses that are never hidden.
    n_no_secrets: int

    def about(self) -> str:
        """A line that says which secrets the weights are over, and how many are left out."""
        text = f"averages over {counted(len(self.game.secrets), 'secret')} by weight"
        if self.n_left_out:
            text += f", {self.n_left_out:,} without weight left out"
        if self.n_no_secrets:
            some = counted(self.n_no_secrets, "weight")
            verb = "do" if self.n_no_secrets > 1 else "does"
            text += f"; {some} of words that are not secrets {verb} not count"
        return text

    def public(self) -> dict[str, int]:
        """How many words the weights leave out, as JSON says it."""
        left_out, beside = self.n_left_out, self.n_no_secrets
        return {"count": len(self.weights), "n_left_out": left_out, "n_no_secrets": beside}


def weighted_game(game: Game, source: WeightSource) -> WeightedGame:
    """The game with just the secrets that have a weight, and these weights.

    ``openers``, ``suggest`` and ``review`` take the weights as they are.

    Args:
        game: The game without weights.
        source: A file with a word and its weight on each line, or a mapping.

    Returns:
        The ``game``, the ``weights`` of its secrets, and how many secrets were left out.

    Raises:
        WrongInputError: A word is no secret or has two weights, or a weight is no number from 0.

    >>> from strategy import load_game, openers, weighted_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> few = weighted_game(game, {"crane": 3, "slate": 1})
    >>> few.game.secrets, few.n_left_out
    (('crane', 'slate'), 3)
    >>> [best] = openers(few.game, top=1, by="proportion", weights=few.weights)
    >>> best.word, round(best.entropy, 3)
    ('crane', 0.811)
    """
    import numpy as np

    by_word = _weights_by_word(source, game)
    weights = np.array([by_word.get(word, 0.0) for word in game.secrets], dtype=np.float64)
    weights[weights < weights.max() * _NOTHING] = 0.0
    some = weights > 0
    if not some.any():
        where = "the weights" if isinstance(source, Mapping) else printable(source)
        raise WrongInputError(
            f"{where}: no secret of {game.list_name} ({game.secrets_name}) has a weight above 0"
        )
    hidden = tuple(word for word, has in zip(game.secrets, some.tolist(), strict=True) if has)
    n_left_out = len(game.secrets) - len(hidden)
    n_no_secrets = len({word for word, weight in by_word.items() if weight} - {*game.secrets})
    few = game
    if n_left_out:
        few = replace(game, secrets=hidden, secrets_name=f"{game.secrets_name} with a weight")
    return WeightedGame(few, weights[some], n_left_out, n_no_secrets)


def _weights_by_word(source: WeightSource, game: Game) -> dict[str, float]:
    """The words that are named with their weights; all of them guesses, none of them twice."""
    known = set(game.guesses)
    found: dict[str, float] = {}
    for where, word, weight in _entries(source):
        if word not in known:
            hint = game.did_you_mean(word)
            many = f"the {len(game.guesses):,} guesses of {game.list_name}"
            raise WrongInputError(f"{where}: {quoted(word)} is not among {many}{hint}")
        if word in found:
            raise WrongInputError(f"{where}: {quoted(word)} has two weights")
        if not (math.isfinite(weight) and weight >= 0):
            raise WrongInputError(f"{where}: a weight must be a number of 0 or more, not {weight}")
        found[word] = weight
    return found


def _entries(source: WeightSource) -> Iterator[tuple[str, str, float]]:
    """Where it stands, a word and its weight, one after the other."""
    if isinstance(source, Mapping):
        for word, weight in source.items():
            yield "the weights", plain(word), float(weight)
        return
    for number, line in enumerate(read_lines(source), 1):
        where = f"{printable(source)}:{number}"
        try:
            entry = read_weight(line)
        except BadFileError:
            raise WrongInputError(f"{where}: {_fault_of(line)}") from None
        if entry is not None:
            yield where, *entry


def _fault_of(line: str) -> str:
    """What is wrong with a line of a file of weights."""
    entry = line.partition("#")[0].strip()
    cells = re.split(r"\s*,\s*|\s+", entry)
    if len(cells) != 2 or not all(cells):
        return f"{quoted(entry)} must be a word and its weight"
    found = float(cells[1]) if NUMBER.fullmatch(cells[1]) else quoted(cells[1])
    return f"a weight must be a number of 0 or more, not {found}"
