"""The guesses of a game that pairs are made of, best first, and what searches their pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..game.game import Game
from ..game.score_matrix import Scores
from ..game.wordle import WordleGame
from ..machine.rows import Ids
from ..splits.joint_splits import counting_for, memory_for_blocks
from ..splits.letter_tree import Letters
from ..splits.logarithms import Costs
from ..splits.ranking import measures_of
from .count_tree import PairTree, pair_tree, tree_counts
from .letter_bounds import questions_about
from .pair_scan import ABOVE_ALL, Guesses, PairScratch, Wanted, scan_best, scan_worst
from .strides import Search


class Field:
    """All guesses of a game, or all secrets, by their own weights; the scores are computed once."""

    def __init__(self, game: Game, both_secrets: bool = False) -> None:
        self.game = game
        self.both_secrets = both_secrets
        every = np.arange(len(game.guesses), dtype=np.int32)
        ids = game.secret_ids if both_secrets else every
        self.scores: Scores = game.all_scores(ids if both_secrets else None)
        self.secrets = len(game.secrets)
        own = measures_of(game, ids).weights
        #: Of each guess, best first, equal ones in alphabetical order: its row of scores, its
        #: weight, its number in the game.
        self.rows: Ids = np.argsort(own, kind="stable").astype(np.int32)
        self.weights: Costs = own[self.rows]
        self.ids: Ids = ids[self.rows]
        #: The guesses as numbers of letters, best first, and the secrets; no columns without them.
        self.letters: tuple[Letters, Letters] = letters_of(game, self.ids)
        self.pairs_in_all = len(ids) * (len(ids) - 1) // 2

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as a recipe: rebuilding the scores is faster than sending them."""
        return Field, (self.game, self.both_secrets)

    def __len__(self) -> int:
        return len(self.rows)

    def scanner(self, wanted: Wanted) -> Search:
        """What searches the pairs of some guesses as A, by bounds, for what is wanted."""
        return self.scanners()(wanted)

    def scanners(self, *, worst: bool = False) -> Callable[[Wanted], Search]:
        """Scanners that share their memory, one after the other; the worst guess first if so."""
        n_scores = self.game.n_scores
        turned = slice(None, None, -1 if worst else 1)
        guesses = Guesses(
            self.scores,
            self.rows[turned].copy(),
            self.ids[turned].copy(),
            self.weights[turned].copy(),
        )
        asking, hidden = self.letters
        questions = questions_about(asking[turned].copy(), hidden)
        scratch = PairScratch(
            memory_for_blocks(n_scores, self.secrets),
            counting_for(n_scores, self.secrets, self.scores.dtype),
            questions,
            np.zeros((2, len(questions.masks)), dtype=np.uint64),
            np.zeros(len(self) + 1, dtype=np.int32),
            np.zeros(len(self) + 1, dtype=np.int64),
            np.zeros(len(self) + 1, dtype=np.int64),
        )
        slack = slack_of(self.secrets, max(2, asking.shape[1]))
        scan = scan_worst if worst else scan_best

        def scanner(wanted: Wanted) -> Search:
            return lambda first, last: scan(first, last, guesses, scratch, slack, wanted)

        return scanner

    @property
    def has_tree(self) -> bool:
        """Whether the partners of a guess can be counted by a tree of their letters."""
        return tree_counts(self.letters[0].shape[1], self.secrets)

    def tree(self, tally: Costs) -> PairTree:
        """All guesses as partners on a tree of their letters."""
        row = np.zeros(self.secrets, dtype=self.scores.dtype)
        blocks = memory_for_blocks(self.game.n_scores, self.secrets)
        return pair_tree(*self.letters, row, blocks, tally)


def slack_of(secrets: int, pairs_of_weights: int) -> int:
    """How far rounded weights may be off in a bound that has so many pairs of them."""
    return pairs_of_weights * secrets * secrets.bit_length()


def letters_of(game: Game, guess_ids: Ids) -> tuple[Letters, Letters]:
    """For the search of pairs, guesses and secrets as numbers of letters; of none without any."""
    if isinstance(game, WordleGame):
        return game.letters[guess_ids], game.letters[game.secret_ids]
    shapes = (len(guess_ids), 0), (len(game.secrets), 0)
    return np.zeros(shapes[0], dtype=np.uint8), np.zeros(shapes[1], dtype=np.uint8)


def wanted_pairs(count: int, limit: int = ABOVE_ALL, notes: int = 0) -> Wanted:
    """A request for so many pairs within the limit; for none, they are counted only.

    ``notes`` is how many evaluated pairs can be noted.
    """
    kept = np.full((count, 3), ABOVE_ALL, dtype=np.int64)
    noted = np.empty((notes, 3), dtype=np.int64)
    return Wanted(kept, np.array([0, 0, limit], dtype=np.int64), noted)
