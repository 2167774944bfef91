"""The slow truth of playing: what clues leave, how soon all boards are solved."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from tests.support.naive import grade

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
