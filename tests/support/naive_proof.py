"""Brute force for the tests of proofs: the value of every state, and what a proof may say of it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from solver.game.game import Game
from strategy.checkers.proof import Proof

from .naive import grade, may_follow, pegs, split
from .naive_exact import NOTHING_FOUND, Brute, Value

LOSS = 1 << 32
UNLIMITED = 1 << 20
#: Of a state in which nothing helps.
NEVER = 1 << 60


class NaiveSearch:
    """Values as in the proofs: guesses at their price, and LOSS beyond the limit."""

    def __init__(
        self,
        guesses: Sequence[str],
        secrets: Sequence[str],
        price: int = 1,
        hard: bool = False,
        consistent: bool = False,
        by_pegs: bool = False,
    ) -> None:
        """``consistent``: only the candidates of a state may be guessed in it."""
        pool, self._grader = "candidates" if consistent else "allowed", pegs if by_pegs else grade
        self._brute = Brute(guesses, secrets, hard, pool, self._grader)
        self.guesses, self.secrets = tuple(guesses), tuple(secrets)
        self._price, self._hard = price, hard and not consistent

    def _coded(self, value: Value) -> int:
        return NEVER if value >= NOTHING_FOUND else value[0] * LOSS + value[1] * self._price

    def of_all(self, left: int, start: str = "") -> int:
        """The value of all secrets, once ``start`` is guessed if it is given."""
        return self._coded(self._brute.after([start] if start else [], left))

    def after(self, guess: str, left: int, state: Sequence[str], legal: Sequence[str]) -> int:
        """The value of a state once a guess is made in it."""
        return self._coded(self._brute.after([guess], left, state, legal))

    def value(self, state: Sequence[str], left: int, legal: Sequence[str]) -> int:
        """The least value."""
        return self._coded(self._brute.best(left, state, legal))

    def columns(self, left: int, start: str = "") -> tuple[list[int], list[int], list[int]]:
        """A best strategy as guess, parent and score of its nodes."""
        nodes: tuple[list[int], list[int], list[int]] = ([], [], [])
        todo = [(self.secrets, left, self.guesses, -1, -1)]
        while todo:
            state, left, legal, parent, score = todo.pop()
            guess = start if start and not nodes[0] else self._brute.first(left, state, legal)
            node = len(nodes[0])
            entries = self.guesses.index(guess), parent, score
            for column, entry in zip(nodes, entries, strict=True):
                column.append(entry)
            then = UNLIMITED if left in (1, UNLIMITED) else left - 1
            for number, bucket in split(guess, state, self._grader).items():
                if bucket != [guess]:
                    below = legal
                    if self._hard:
                        below = tuple(word for word in legal if may_follow(word, guess, bucket[0]))
                    todo.append((tuple(bucket), then, below, node, number))
        return nodes


def pool_of(game: Game, guess_from: str, start: str = "") -> Game:
    """The game with the guesses that a proof is about: all, or the secrets and its start."""
    if guess_from == "allowed":
        return game
    guesses = sorted({*game.secrets, *({start} & {*game.guesses})})
    return replace(game, guesses=tuple(guesses))


#: One search for each small world: what it knows of one state serves in all tests.
_search = cache(NaiveSearch)


def search_of(
    game: Game, price: int = 1, hard: bool = False, guess_from: str = "allowed", start: str = ""
) -> NaiveSearch:
    """All of a small world, with the guesses that a proof is about."""
    guesses, by_pegs = pool_of(game, guess_from, start).guesses, game.spec != "wordle"
    return _search(guesses, game.secrets, price, hard, guess_from == "candidates", by_pegs)


def impossible(
    game: Game, limit: int, hard: bool, start: str = "", guess_from: str = "allowed"
) -> bool:
    """Whether no strategy keeps to a limit."""
    return search_of(game, 0, hard, guess_from, start).of_all(limit, start) >= LOSS


def all_true(proof: Proof, game: Game) -> bool:
    """Whether what a proof states is so, and everything that it lists."""
    stated = proof.statement
    pool = pool_of(game, stated.guess_from, stated.start)
    search = search_of(game, stated.price, stated.hard, stated.guess_from, stated.start)
    value = search.of_all(stated.left, stated.start)
    true = value >= LOSS if stated.objective == "worst" else value == stated.value
    for claim in proof.claims:
        state = tuple(game.secrets[member] for member in claim.members)
        true &= search.value(state, claim.left, legal_in(claim.shown, pool)) >= claim.value
    for refutation in proof.refutations:
        state = tuple(game.secrets[member] for member in refutation.members)
        true &= search_of(pool, 0).value(state, refutation.left, pool.guesses) >= LOSS
    return true


def legal_in(revealed: str, game: Game) -> tuple[str, ...]:
    """The guesses that are legal where hard mode has shown something: ``s....|aes``."""
    greens, _, letters = revealed.partition("|")
    greens = greens or "." * game.length
    return tuple(
        word
        for word in game.guesses
        if all(green in (".", letter) for green, letter in zip(greens, word, strict=True))
        and all(word.count(letter) >= letters.count(letter) for letter in letters)
    )
