"""The slow truth: grading, Knuth's rule and the other rules as a person would say them.

Plain Python on strings, nothing imported from the project. Whatever the kernels compute is held
against this module on worlds small enough for it.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import log2, prod

GREY, YELLOW, GREEN = "byg"

#: How a guess is scored against a secret; any grading rule can be put in.
Grader = Callable[[str, str], int]


def marks(guess: str, secret: str) -> str:
    """Greens first; then, left to right, a yellow for every copy of a letter still unclaimed."""
    unclaimed = [s for g, s in zip(guess, secret, strict=True) if g != s]
    result = ""
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            result += GREEN
        elif g in unclaimed:
            unclaimed.remove(g)
            result += YELLOW
        else:
            result += GREY
    return result


def score_of(text: str) -> int:
    """The integer behind ``bygbb``: base 3, the first letter counts least."""
    return sum("byg".index(mark) * 3**place for place, mark in enumerate(text))


def grade(guess: str, secret: str) -> int:
    return score_of(marks(guess, secret))


def pegs(guess: str, secret: str) -> int:
    """The Mastermind score: black * (holes + 1) + white."""
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    common = sum(min(guess.count(c), secret.count(c)) for c in set(guess))
    return black * (len(guess) + 1) + common - black


def split(guess: str, candidates: Sequence[str], grader: Grader = grade) -> dict[int, list[str]]:
    """The candidates parted by the score that the guess would get."""
    buckets: dict[int, list[str]] = {}
    for secret in candidates:
        buckets.setdefault(grader(guess, secret), []).append(secret)
    return buckets


# --- the rules: the smaller the value, the better the guess -------------------------------
def largest_bucket(sizes: Sequence[int], is_candidate: bool) -> int:
    """Minimax: how many candidates are left in the worst case."""
    return max(sizes)


def lost_information(sizes: Sequence[int], is_candidate: bool) -> int:
    """Entropy, exactly: 2 to the power of sum(n * log2(n)) is the product of all n ** n."""
    return prod(n**n for n in sizes)


def expected_size(sizes: Sequence[int], is_candidate: bool) -> Fraction:
    """The mean number of candidates left."""
    return Fraction(sum(n * n for n in sizes), sum(sizes))


def missing_parts(sizes: Sequence[int], is_candidate: bool) -> int:
    """Most parts: the more buckets, the smaller."""
    return -len(sizes)


def share_kept(sizes: Sequence[int], is_candidate: bool) -> Fraction:
    """Proportion: minus (the mean share of candidates eliminated, and 1/n for a candidate)."""
    total = sum(sizes)
    eliminated = Fraction(sum(n * (total - n) for n in sizes), total * total)
    return -(eliminated + (Fraction(1, total) if is_candidate else 0))


RULES: dict[str, Callable[[Sequence[int], bool], int | Fraction]] = {
    "minimax": largest_bucket, "entropy": lost_information, "expected-size": expected_size,
    "parts": missing_parts, "proportion": share_kept,
}  # fmt: skip


def entropy(sizes: Sequence[int] | Sequence[Fraction]) -> float:
    """The information of a split in bits, from sizes or from chances."""
    total = sum(sizes)
    return sum(n / total * log2(total / n) for n in sizes)


def spelt(words: list[list[int]], n_letters: int) -> tuple[list[list[int]], list[int], list[int]]:
    """How often each letter stands in each place; the word of the commonest; their order.

    The most frequent pair is taken first; then its place and its letter are done with.
    """
    n_places = len(words[0])
    counts = [[0] * n_letters for _ in range(n_places)]
    for word in words:
        for place, letter in enumerate(word):
            counts[place][letter] += 1
    left = [list(row) for row in counts]
    spelled, order = [-1] * n_places, []
    for _ in range(n_places):
        if max(map(max, left)) < 0:
            left = [[0] * n_letters if spelled[at] < 0 else row for at, row in enumerate(left)]
        cells = [(-left[p][k], p, k) for p in range(n_places) for k in range(n_letters)]
        _, place, letter = min(cells)
        spelled[place] = letter
        order.append(place)
        left[place] = [-1] * n_letters
        for row in left:
            row[letter] = -1
    return counts, spelled, order


def next_guess(
    guesses: Sequence[str], candidates: Sequence[str], rule: str = "minimax", grader: Grader = grade
) -> str:
    """The best guess by the rule; among equals a candidate; among those the first word."""
    if len(candidates) <= 2:
        return min(candidates)

    def key(guess: str) -> tuple[int | Fraction, bool, str]:
        sizes = [len(bucket) for bucket in split(guess, candidates, grader).values()]
        is_candidate = guess in candidates
        return RULES[rule](sizes, is_candidate), not is_candidate, guess

    return min(guesses, key=key)


# --- hard mode ----------------------------------------------------------------------------
def legal_after(guess: str, colours: str, words: Sequence[str]) -> list[str]:
    """The words that may be guessed after such a reply.

    Greens stay where they are; every letter shown, green or yellow, is used again, as many times
    as it was shown.
    """
    shown = [(letter, place) for place, letter in enumerate(guess) if colours[place] != GREY]
    greens = [(letter, place) for letter, place in shown if colours[place] == GREEN]
    copies = Counter(letter for letter, _ in shown)
    return [
        word
        for word in words
        if all(word[place] == letter for letter, place in greens)
        and all(word.count(letter) >= times for letter, times in copies.items())
    ]


def may_follow(word: str, guess: str, secret: str) -> bool:
    """Whether hard mode lets ``word`` be guessed after ``guess`` met ``secret``."""
    return bool(legal_after(guess, marks(guess, secret), [word]))


# --- whole strategies ---------------------------------------------------------------------
def nodes(
    guesses: Sequence[str],
    candidates: Sequence[str],
    rule: str = "minimax",
    *,
    starts: Sequence[str] = (),
    guess_from: str = "allowed",
    secrets: Sequence[str] = (),
    hard: bool = False,
    grader: Grader = grade,
    edge: int = -1,
    depth: int = 0,
) -> Iterator[tuple[int, int, str]]:
    """Every state of the strategy in preorder: its depth, the score that led to it, its guess."""
    pool = {"allowed": guesses, "secrets": secrets, "candidates": candidates}[guess_from]
    guess = starts[depth] if depth < len(starts) else next_guess(pool, candidates, rule, grader)
    yield depth, edge, guess
    for score, bucket in sorted(split(guess, candidates, grader).items()):
        if bucket == [guess]:
            continue
        legal = [w for w in guesses if not hard or may_follow(w, guess, bucket[0])]
        yield from nodes(
            legal, bucket, rule, starts=starts, guess_from=guess_from,
            secrets=[w for w in secrets if w in legal], hard=hard, grader=grader, edge=score,
            depth=depth + 1,
        )  # fmt: skip


# --- sets of words without a common letter, by a search unlike the fast one --------------------
Sets = set[frozenset[str]]


def exact_cover(words: Sequence[str], count: int) -> Sets:
    """Every set of ``count`` words: each letter in turn is covered by a word or left out.

    Scarce letters come first, or it would take days; nothing else is done for speed.
    """
    alike: dict[int, list[str]] = {}
    alphabet = sorted(set("".join(words)), key=lambda letter: "".join(words).count(letter))
    for word in dict.fromkeys(words):
        if len(set(word)) == len(word):
            mask = sum(1 << alphabet.index(letter) for letter in word)
            alike.setdefault(mask, []).append(word)
    by_scarcest: list[list[int]] = [[] for _ in alphabet]
    for mask in alike:
        by_scarcest[(mask & -mask).bit_length() - 1].append(mask)

    def cover(place: int, used: int, spare: int, chosen: tuple[int, ...]) -> list[tuple[int, ...]]:
        if len(chosen) == count:
            return [chosen]
        while used >> place & 1:
            place += 1
        found = []
        for mask in [mask for mask in by_scarcest[place] if not mask & used]:
            found += cover(place + 1, used | mask, spare, (*chosen, mask))
        return found + (cover(place + 1, used, spare - 1, chosen) if spare else [])

    spare = len(alphabet) - count * len(words[0])
    covers = cover(0, 0, spare, ()) if spare >= 0 else []
    choices = (product(*(alike[mask] for mask in masks)) for masks in covers)
    return {frozenset(choice) for some in choices for choice in some}


def without_anagrams(sets: Iterable[frozenset[str]], words: Iterable[str]) -> Sets:
    """Each word replaced by the first of the list that has its letters."""
    first: dict[frozenset[str], str] = {}
    for word in words:
        first.setdefault(frozenset(word), word)
    return {frozenset(first[frozenset(word)] for word in chosen) for chosen in sets}


# --- the order in which a race looks at first guesses -------------------------------------------
#: The guesses among which promising ones are looked for; how many set the pace, beyond the best.
PROMISING, PACEMAKERS = 128, 3

#: The columns of a task, and what is to be done with them.
Task = tuple[str, list[int]]


class NaiveRace:
    """A race of some columns, whose guesses are numbered; the ``top`` best are to be exact."""

    def __init__(
        self, columns: Sequence[int], guess: Sequence[int], top: int, highest: int, together: int
    ) -> None:
        self.columns, self.guess, self.top = list(columns), list(guess), top
        self.highest, self.together = highest, together
        self.bounds: dict[int, int] = {}
        self.values: dict[int, int] = {}

    @property
    def limit(self) -> int:
        """The last of the best values; without as many the highest of interest."""
        best = sorted(self.values.values())
        return best[self.top - 1] if len(best) >= self.top else self.highest

    def tasks(
        self, bound_of: Callable[[int], int], screened: Callable[[int, int, bool], tuple[int, bool]]
    ) -> Iterator[Task]:
        """All tasks in turn; each is done before the next one is chosen."""

        def screen(kind: str, chosen: list[int]) -> Iterator[Task]:
            yield kind, chosen
            limit = self.limit
            for column in chosen:
                bound, exact = screened(column, limit, kind == "patiently")
                if exact:
                    self.values[column] = bound
                    self.bounds.pop(column, None)
                else:
                    self.bounds[column] = max(bound, self.bounds.get(column, 0))

        first = self.columns[:PROMISING]
        if not first:
            return
        yield "bound", first
        order = sorted(first, key=bound_of)
        few = self.top + PACEMAKERS
        for at in range(0, len(order), few):
            if bound_of(order[at]) > self.limit or (at > 0 and self.values):
                break
            for column in order[at : at + few]:
                if column not in self.values:
                    yield from screen("patiently", [column])
        seen = {*self.values, *self.bounds}
        todo = [column for column in self.columns if column not in seen]
        for at in range(0, len(todo), self.together):
            yield from screen("quickly", todo[at : at + self.together])
        while open_ := [column for column, bound in self.bounds.items() if bound <= self.limit]:
            least = min(open_, key=lambda column: (self.bounds[column], self.guess[column]))
            yield from screen("patiently", [least])


class Made:
    """Guesses with made-up bounds and values, some of which only patience finds out."""

    def __init__(self, dice: random.Random, count: int) -> None:
        self.bounds = [dice.randint(10, 40) for _ in range(count)]
        self.values = [bound + dice.choice([0, 0, 1, 3, 9, 1 << 32]) for bound in self.bounds]
        self.hard = [dice.random() < 0.4 for _ in range(count)]

    def screened(self, column: int, limit: int, patient: bool) -> tuple[int, bool]:
        bound, value = self.bounds[column], self.values[column]
        if bound > limit or (self.hard[column] and not patient):
            return bound, False
        return (value, True) if value <= limit else (limit + 1, False)
