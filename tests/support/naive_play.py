"""The slow truth of playing: what clues leave, how soon all boards are solved, the adversary."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from tests.support.naive import Grader, grade, may_follow, pegs, split

Clue = tuple[str, int]


def left(secrets: Sequence[str], clues: Sequence[Clue]) -> list[str]:
    """The secrets that give every guess its score."""
    return [word for word in secrets if all(grade(guess, word) == score for guess, score in clues)]


def looked_at(likely: Sequence[str], allowed: Sequence[str], clues: Sequence[Clue]) -> list[str]:
    """The likely secrets that fit; where none does, all words that do."""
    return left(likely, clues) or left(allowed, clues)


def guesses_to_end(
    boards: Sequence[Sequence[str]],
    guesses: Sequence[str],
    first: str | None = None,
    chances: Sequence[dict[str, Fraction]] | None = None,
) -> Fraction:
    """The least expected number of guesses until all boards are solved, by trying everything."""

    def chance(world: tuple[str, ...]) -> Fraction:
        share = Fraction(1)
        for at, word in enumerate(world):
            share *= chances[at][word] if chances else 1
        return share

    @cache
    def least(worlds: tuple[tuple[str, ...], ...], still: tuple[int, ...]) -> Fraction:
        if not still:
            return Fraction(0)
        return min(after(guess, worlds, still) for guess in guesses if tells(guess, worlds, still))

    def tells(guess: str, worlds: tuple[tuple[str, ...], ...], still: tuple[int, ...]) -> bool:
        return len({_answer(guess, world, still) for world in worlds}) > 1 or any(
            guess == world[at] for world in worlds for at in still
        )

    def after(guess: str, worlds: tuple[tuple[str, ...], ...], still: tuple[int, ...]) -> Fraction:
        groups: dict[tuple[int, ...], list[tuple[str, ...]]] = {}
        for world in worlds:
            groups.setdefault(_answer(guess, world, still), []).append(world)
        total = sum(map(chance, worlds), Fraction(0))
        value = Fraction(1)
        for group in groups.values():
            open_after = tuple(at for at in still if group[0][at] != guess)
            share = sum(map(chance, group), Fraction(0)) / total
            value += share * least(tuple(group), open_after)
        return value

    everything, still = tuple(product(*boards)), tuple(range(len(boards)))
    apart = tuple(world for world in everything if len(set(world)) == len(world))
    worlds = apart or everything  # no word is hidden twice, unless nothing else is possible
    return least(worlds, still) if first is None else after(first, worlds, still)


def _answer(guess: str, world: tuple[str, ...], still: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(grade(guess, world[at]) for at in still)


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
