"""The slow truth of the adversary: its replies, and the shortest win by trying every sequence."""

from collections.abc import Sequence
from functools import cache

from tests.support.naive import Grader, grade, may_follow, pegs, split


def clues_of(score: int, length: int, grader: Grader) -> tuple[int, int]:
    """Greens and yellows of a score, or black and white pegs."""
    if grader is pegs:
        return score // (length + 1), score % (length + 1)
    colours = [score // 3**place % 3 for place in range(length)]
    return colours.count(2), colours.count(1)


def reply_of(
    guess: str, secrets: Sequence[str], grader: Grader = grade
) -> tuple[int, tuple[str, ...]]:
    """The adversary's score and the secrets that it keeps."""
    buckets = split(guess, secrets, grader)

    def preference(score: int) -> tuple[int, bool, int, int, int]:
        solved = score == grader(guess, guess)
        return -len(buckets[score]), solved, *clues_of(score, len(guess), grader), score

    score = min(buckets, key=preference)
    return score, tuple(buckets[score])


def winning_openers(
    guesses: Sequence[str], secrets: Sequence[str], hard: bool, pool: str,
    start: Sequence[str] = (), grader: Grader = grade,
) -> tuple[int, dict[str, int]]:  # fmt: skip
    """The length of the shortest win, and of each guess after ``start`` its sequences."""

    def legal_after(guess: str, kept: tuple[str, ...], legal: tuple[str, ...]) -> tuple[str, ...]:
        if hard:
            legal = tuple(word for word in legal if may_follow(word, guess, kept[0]))
        return tuple(word for word in legal if word in kept) if pool == "candidates" else legal

    @cache
    def ways(guess: str, left: tuple[str, ...], legal: tuple[str, ...], count: int) -> int:
        """The sequences of so many guesses that begin with this one and win with the last."""
        score, kept = reply_of(guess, left, grader)
        if score == grader(guess, guess):
            return int(count == 1)
        below = legal_after(guess, kept, legal)
        return sum(ways(word, kept, below, count - 1) for word in below) if count > 1 else 0

    left = tuple(secrets)
    legal = tuple(guesses if pool == "allowed" else secrets)
    for word in start:
        _, left = reply_of(word, left, grader)
        legal = legal_after(word, left, legal)
    for count in range(1, len(secrets) + 2):
        found = {word: ways(word, left, legal, count) for word in legal}
        if any(found.values()):
            return len(start) + count, {word: many for word, many in found.items() if many}
    raise AssertionError
