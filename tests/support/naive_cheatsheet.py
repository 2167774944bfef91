"""The slow truth of a cheat sheet: the states behind each row, and which word is its best."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from solver.advice.cheatsheet import Row
from solver.game.game import Game

from . import naive, naive_exact

#: Secrets by what all words so far showed for them.
States = dict[tuple[str, ...], list[str]]


def seen(group: str, word: str, secret: str) -> str:
    """What a person sees of a reply."""
    marks = naive.marks(word, secret)
    hits, both = len(marks) - marks.count("b"), f"{marks.count('y')},{marks.count('g')}"
    return {"score": marks, "hits": str(hits), "colours": both}[group]


def states_of(game: Game, group: str, row: Row) -> States:
    """The secrets of a row, by their full scores."""
    states: States = {}
    for secret in game.secrets:
        keys = tuple(seen(group, word, secret) for word in row.before)
        if secret not in row.before and row.key == keys:
            marks = tuple(naive.marks(word, secret) for word in row.before)
            states.setdefault(marks, []).append(secret)
    return states


def checked_rows(
    game: Game, group: str, opener: str, rows: Sequence[Row], depth: int
) -> list[tuple[Row, States]]:
    """Just the rows that a sheet must have, with the states of each."""
    keys = {(seen(group, opener, secret),) for secret in game.secrets if secret != opener}
    found = [(row, states_of(game, group, row)) for row in rows]
    for row, states in found:
        left = list(chain(*states.values()))
        assert row.answers == len(left)
        if row.word is not None and len(row.before) + 1 < depth and len(left) > 1:
            keys |= {(*row.key, seen(group, row.word, it)) for it in left if it != row.word}
    assert sorted(row.key for row in rows) == sorted(keys)
    return found


def legal(words: Iterable[str], before: tuple[str, ...], secrets: Iterable[str]) -> list[str]:
    """The words that may follow some guesses, whichever of the secrets it is."""
    pairs = [(guess, secret) for guess in before for secret in secrets]
    return [word for word in words if all(naive.may_follow(word, *pair) for pair in pairs)]


def pool_of(game: Game, row: Row, states: States, guess_from: str, hard: bool) -> list[str]:
    """The words from which the word of a row is to be chosen."""
    left = sorted(chain(*states.values()))
    pool = {"allowed": game.guesses, "secrets": game.secrets, "candidates": left}[guess_from]
    may = legal(pool, row.before, left) if hard else pool
    return [word for word in may if not hard or word not in row.before]


def joint_sizes(word: str, states: States) -> list[int]:
    return [len(part) for state in states.values() for part in naive.split(word, state).values()]


def total_of(
    game: Game, row: Row, word: str, states: States, hard: bool, left: int
) -> tuple[int, int]:
    """The least (losses, total) over all states of a row, if this is its word."""
    losses, total = 0, sum(map(len, states.values()))
    for part in chain(*(naive.split(word, state).values() for state in states.values())):
        if part != [word]:
            allowed = legal(game.guesses, (*row.before, word), part[:1]) if hard else game.guesses
            values = naive_exact.values_of_guesses(allowed, part, left - 1, hard)
            lost, more = min(values.values())
            losses, total = losses + lost, total + more
    return losses, total


def chosen(game: Game, row: Row, costs: dict[str, Any], states: States) -> None:
    """The row has the first of the best words: one still possible, else a secret, if there is."""
    left = set(chain(*states.values()))
    best = [word for word, cost in costs.items() if cost == min(costs.values())]
    assert row.tied == len(best)
    assert row.word == min(best, key=lambda it: (it not in left, it not in game.secrets, it))
