"""Ranks every word as the next guess by a measure, and shows the split of a single word.

The measures of a split come from ``measures``; here they are put side by side, sorted and ranked.
Openers are the case in which all secrets are still possible.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..choices import MEASURES
from ..errors import WrongInputError
from ..game.game import Game
from ..game.wordle import WordleGame
from ..machine.arrays import Ids
from ..words.lists import did_you_mean
from .measures import (
    BLOCK_BYTES,
    MOST_CANDIDATES,
    Criterion,
    Measures,
    bits_of_split,
    chances_of,
    exact_log2,
    fill_own_bits,
    mean_of,
    share_out,
    split_measures,
    weighted_measures,
)
from .rank_rows import GuessRows, Likely, new_rows, rank_rows, rank_weighted

#: The fields of ``RankedGuesses.rows``.
FIELDS = np.dtype(
    [
        ("guess", np.int32),
        ("rank", np.int32),
        ("entropy", np.float64),
        ("remaining_bits", np.float64),
        ("expected_size", np.float64),
        ("largest", np.int32),
        ("parts", np.int32),
        ("proportion", np.float64),
        ("candidate", np.bool_),
    ]
)


@dataclass(frozen=True, eq=False)
class RankedGuesses:
    """Guesses with their measures, best first; ties share a rank, in any order."""

    game: Game
    #: How it is sorted, one of ``choices.MEASURES``.
    by: str
    #: A structured array with FIELDS.
    rows: NDArray[Any]

    def __len__(self) -> int:
        return len(self.rows)

    def records(self, rows: NDArray[Any] | None = None) -> Iterator[dict[str, Any]]:
        """Rows (all of them unless given) as plain values, the guess as ``word``."""
        for row in self.rows if rows is None else rows:
            values = dict(zip(FIELDS.names or (), row.item(), strict=True))
            yield {"word": self.game.guesses[values.pop("guess")], **values}

    def of_words(self, words: list[str]) -> NDArray[Any]:
        """The rows of these words, in the order of the table."""
        wanted = [self.game.guess_id(word) for word in words]
        return self.rows[np.isin(self.rows["guess"], wanted)]


def require_countable(candidates: int) -> None:
    """Refuse more candidates than exact entropies can be summed over."""
    if candidates > MOST_CANDIDATES:
        raise WrongInputError(
            f"{candidates:,} candidates are too many for exact entropies; "
            f"the limit is {MOST_CANDIDATES:,}"
        )


def measures_of(game: Game, guess_ids: Ids, candidates: Ids | None = None) -> Measures:
    """The measures of guesses against the candidates (all secrets, if None)."""
    width = len(game.secrets) if candidates is None else len(candidates)
    require_countable(width)
    if isinstance(game, WordleGame):
        hidden = game.secret_ids if candidates is None else game.secret_ids[candidates]
        from .word_measures import row_measures

        words = game.letters[guess_ids], game.letters[hidden]
        return row_measures(*words, game.score_dtype, game.n_scores)
    blocks = [
        split_measures(rows, game.n_scores) for rows in _score_blocks(game, guess_ids, candidates)
    ]
    if len(blocks) == 1:
        return blocks[0]
    columns = zip(*(block[1:] for block in blocks), strict=True)
    return Measures(width, *map(np.concatenate, columns))


def _score_blocks(game: Game, guess_ids: Ids, candidates: Ids | None) -> Iterator[NDArray[Any]]:
    """The scores of guesses, some rows at a time."""
    width = len(game.secrets) if candidates is None else len(candidates)
    stride = max(1, BLOCK_BYTES // max(1, width * np.dtype(game.score_dtype).itemsize))
    for at in range(0, len(guess_ids), stride):
        yield game.score_rows(guess_ids[at : at + stride], candidates)


def costs_of(measures: Measures, by: str, is_candidate: NDArray[np.bool_]) -> NDArray[np.int64]:
    """What a guess is sorted by in a ranking, exact integers, the smaller the better."""
    if by in ("entropy", "remaining"):
        return measures.weights
    if by == "expected-size":
        return measures.squares
    if by == "parts":
        return -measures.parts.astype(np.int64)
    if by == "minimax":
        return measures.largest.astype(np.int64)
    if by == "proportion":  # n * n * (1 - share eliminated - 1/n for a candidate)
        return measures.squares - np.where(is_candidate, measures.candidates, 0)
    raise _no_measure(by)


def best_guess(game: Game, by: str, criterion: Criterion, guesses: Ids, candidates: Ids) -> int:
    """The guess out of some, ascending, whose split of the candidates a rule puts first.

    A rule that is no measure is counted by its criterion. Ties as in all searches: a candidate
    before the others, then the first guess.
    """
    is_candidate = np.isin(guesses, game.secret_ids[candidates], assume_unique=True)
    if by in MEASURES:
        costs = costs_of(measures_of(game, guesses, candidates), by, is_candidate)
    else:
        steps, weights, largest = criterion.steps, criterion.weights, criterion.by_largest
        splits = (np.bincount(row) for it in _score_blocks(game, guesses, candidates) for row in it)
        costs = np.array([steps[it.max() - 1] if largest else weights[it].sum() for it in splits])
        costs -= is_candidate * len(candidates) * criterion.candidate_bonus
    best = np.flatnonzero(costs == costs.min())
    first = best[is_candidate[best]]
    return int(guesses[first[0] if len(first) else best[0]])


def rank_guesses(
    game: Game,
    by: str = "entropy",
    *,
    candidates: Ids | None = None,
    guess_ids: Ids | None = None,
    weights: NDArray[Any] | None = None,
    common: Ids | None = None,
) -> RankedGuesses:
    """Guesses (all, if None) sorted by a measure against the candidates (all secrets, if None).

    ``weights`` say how likely each secret of the game is; none of them is zero. Then what is
    expected is expected over them. Ties are in alphabetical order; if ``common`` words are known,
    candidates stand first among them (the likeliest first), then the common words.
    """
    if guess_ids is None:
        guess_ids = np.arange(len(game.guesses), dtype=np.int32)
    if weights is None:
        secret_ids = game.secret_ids if candidates is None else game.secret_ids[candidates]
        candidate = np.isin(guess_ids, secret_ids)
        classes = np.zeros(len(guess_ids), dtype=np.uint8)
        if common is not None:
            classes = tie_classes(candidate, np.isin(guess_ids, common))
        measures = measures_of(game, guess_ids, candidates)
        return RankedGuesses(game, by, _ranked(measures, guess_ids, candidate, classes, by))
    own = weights if candidates is None else weights[candidates]
    return RankedGuesses(game, by, _ranked_by_weight(game, candidates, own, guess_ids, common, by))


def tie_classes(candidate: NDArray[np.bool_], common: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Of guesses that are equal: first those that may be the secret, then common words."""
    return (2 * ~candidate + ~common).astype(np.uint8)


def _ranked(
    measures: Measures,
    guess_ids: Ids,
    candidate: NDArray[np.bool_],
    classes: NDArray[np.uint8],
    by: str,
) -> NDArray[Any]:
    """The rows where all secrets are equally likely."""
    if by not in MEASURES:
        raise _no_measure(by)
    found = new_rows(len(guess_ids))
    known = exact_log2(measures.candidates)
    flags = candidate.view(np.uint8)
    rank_rows(measures, guess_ids, flags, classes, MEASURES.index(by), known, found)
    return _as_records(found)


def _ranked_by_weight(
    game: Game,
    candidates: Ids | None,
    weights: NDArray[Any],
    guess_ids: Ids,
    common: Ids | None,
    by: str,
) -> NDArray[Any]:
    """The rows where the candidates have weights."""
    if by not in MEASURES:
        raise _no_measure(by)
    secret_ids = game.secret_ids if candidates is None else game.secret_ids[candidates]
    chances = chances_of(weights)
    hits, weight_of = np.zeros((2, len(game.guesses)))
    hits[secret_ids], weight_of[secret_ids] = chances, weights
    known = np.isin(guess_ids, () if common is None else common)
    likely = Likely(
        hits[guess_ids], weight_of[guess_ids], known.astype(np.uint8), common is not None
    )
    measures = weighted_measures(game, guess_ids, candidates, chances)
    flags = np.isin(guess_ids, secret_ids).astype(np.uint8)
    unknown = fill_own_bits(chances, np.empty(len(chances)))
    found = new_rows(len(guess_ids))
    rank_weighted(
        measures, guess_ids, flags, likely, MEASURES.index(by), unknown, len(chances), found
    )
    return _as_records(found)


def _as_records(found: GuessRows) -> NDArray[Any]:
    """Rows as records."""
    rows = np.empty(len(found.guess), dtype=FIELDS)
    for name, column in found._asdict().items():
        rows[name] = column
    return rows


def _no_measure(by: str) -> WrongInputError:
    return WrongInputError(
        f"no measure named {by!r}{did_you_mean(by, MEASURES)}; measures: {', '.join(MEASURES)}"
    )


# ---- The split that a word makes, score by score, with the secrets behind each


class Bucket(NamedTuple):
    """The secrets that give a word one score."""

    score: int
    #: The score as people write it.
    text: str
    secrets: tuple[str, ...]
    #: How likely it is that the secret is one of them.
    chance: float

    @property
    def size(self) -> int:
        """The number of secrets in the bucket."""
        return len(self.secrets)


class Split(NamedTuple):
    """A word and its buckets, the largest first, equal ones by score."""

    word: str
    buckets: tuple[Bucket, ...]

    def __repr__(self) -> str:
        return f"<Split: {self.word}, {self.secrets:,} secrets in {len(self.buckets):,} buckets>"

    @property
    def secrets(self) -> int:
        """The number of secrets in all buckets."""
        return sum(bucket.size for bucket in self.buckets)

    @property
    def expected_size(self) -> float:
        """How many secrets are left after the score, on average."""
        return mean_of(np.array([bucket.size for bucket in self.buckets]), self._shares())

    @property
    def entropy(self) -> float:
        """The expected information of the score, in bits."""
        return bits_of_split(self._shares())

    def _shares(self) -> NDArray[np.float64]:
        """The chances of the buckets."""
        return np.array([bucket.chance for bucket in self.buckets])


def split_by_score(game: Game, word: str, weights: NDArray[Any] | None = None) -> Split:
    """The split of a word: all scores that it can get, each with the secrets that give it.

    ``weights`` say how likely each secret is, if they are not all equally likely.
    """
    guess = game.guess_id(word)
    row = game.score_rows(np.array([guess], dtype=np.int32))[0]
    by_score: dict[int, list[str]] = {}
    for secret, score in zip(game.secrets, row.tolist(), strict=True):
        by_score.setdefault(score, []).append(secret)
    size = len(game.secrets)
    chances = np.full(size, 1.0 / size) if weights is None else chances_of(weights)
    shares = np.zeros(game.n_scores)
    share_out(row.astype(np.int32), chances, shares)
    ordered = sorted(by_score.items(), key=lambda found: (-len(found[1]), found[0]))
    buckets = (
        Bucket(score, game.format_score(score), tuple(some), float(shares[score]))
        for score, some in ordered
    )
    return Split(game.guesses[guess], tuple(buckets))


# ---- Letter frequencies by place, and the word that the commonest letters spell


@dataclass(frozen=True, eq=False)
class LetterStatistics:
    """Where which letters stand in the guesses."""

    #: The letters that are counted.
    alphabet: str

    #: ``shares[place, letter]``: how much of the words has the letter there.
    shares: NDArray[np.float64]
    #: The commonest letters at the places, no letter twice.
    spelled: str
    #: The places in the order in which they took their letters.
    order: tuple[int, ...]
    #: Whether what is spelled may be guessed.
    allowed: bool
    #: Guesses that differ from it in one letter, alphabetically.
    neighbours: tuple[str, ...]


def order_totals(totals: NDArray[np.float64], classes: Ids, guesses: Ids) -> NDArray[np.intp]:
    """The order of guesses by exact totals: among equals by class, then by guess."""
    return np.lexsort((guesses, classes, totals))


def rank_totals(
    totals: NDArray[np.float64], preferred: NDArray[np.float64], classes: Ids, guesses: Ids
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order of guesses by ``preferred``, then as above; and their ranks by exact totals."""
    order = order_totals(preferred, classes, guesses)
    return order, 1 + np.searchsorted(np.sort(totals), totals[order])


def letter_statistics(game: Game) -> LetterStatistics:
    """The letters of the guesses, counted place by place, and the word that the commonest spell.

    The commonest letter of all, at its place, goes first; then the commonest of those left at a
    place still free, and so on. Among equals the first place and the first letter.
    """
    if not isinstance(game, WordleGame):
        raise WrongInputError(f"--by letters needs words; {game.spec} has none")
    letters, alphabet = game.letters, game.alphabet
    counts, spelled, order = spell_commonest(letters, len(alphabet))
    word = "".join(alphabet[letter] for letter in spelled)
    known = set(game.guesses)
    changed = (
        word[:place] + letter + word[place + 1 :]
        for place in range(game.length)
        for letter in alphabet
        if letter != word[place]
    )
    neighbours = tuple(sorted(known.intersection(changed)))
    shares = counts / len(letters)
    return LetterStatistics(alphabet, shares, word, tuple(order), word in known, neighbours)


def spell_commonest(
    letters: NDArray[np.uint8], n_letters: int
) -> tuple[NDArray[np.int64], list[int], list[int]]:
    """Counts ``[place, letter]``, the letter for each place, the places as they took theirs."""
    counts = np.array([np.bincount(column, minlength=n_letters) for column in letters.T])
    left, spelled = counts.copy(), np.full(len(counts), -1)
    order = []
    for _ in range(len(counts)):
        if left.max() < 0:  # fewer letters than places
            left[spelled < 0] = 0
        place, letter = divmod(int(left.argmax()), n_letters)
        order.append(place)
        spelled[place] = letter
        left[place] = left[:, letter] = -1
    return counts, spelled.tolist(), order
