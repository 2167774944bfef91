"""The slow truth: grading, Knuth's rule and the other rules as a person would say them.

Plain Python on strings, nothing imported from the project. Whatever the kernels compute is held
against this module on worlds small enough for it.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
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


def entropy(sizes: Sequence[int]) -> float:
    """The information of a split in bits."""
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
