"""Brute force for the exact search: every guess in every state, nothing left out.

Values are pairs (losses, total), compared in this order: with a limit, a secret that takes more
guesses is lost, and the game goes on until it is solved.

A set of secrets is an integer with a bit for each of them, so that a guess parts it by a few ands.
Three things keep it quick: states are remembered; a guess is given up once it costs what another
does, where a bucket costs at least one guess for one of its secrets and two for each other; and the
guesses that part most come first.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from .naive import GREEN, GREY, marks

#: No limit on the guesses.
UNLIMITED = 10**9
Value = tuple[int, int]
NOTHING_FOUND = (UNLIMITED, UNLIMITED)


def legal_after(guess: str, colours: str, words: Sequence[str]) -> list[str]:
    """Hard mode as the game says it: greens stay, each letter shown is used as often again."""
    shown = [(letter, place) for place, letter in enumerate(guess) if colours[place] != GREY]
    greens = [(letter, place) for letter, place in shown if colours[place] == GREEN]
    copies = Counter(letter for letter, _ in shown)
    return [
        word
        for word in words
        if all(word[place] == letter for letter, place in greens)
        and all(word.count(letter) >= times for letter, times in copies.items())
    ]


def values_of_guesses(
    guesses: Sequence[str], secrets: Sequence[str], limit: int = UNLIMITED, hard: bool = False
) -> dict[str, Value]:
    """The least (losses, total) after each first guess; NOTHING_FOUND if it tells nothing."""
    return _brute(tuple(guesses), tuple(secrets), hard).values(limit)


class _Brute:
    """All guesses and secrets of a world by number, a set of either as the bits of an integer."""

    def __init__(self, guesses: tuple[str, ...], secrets: tuple[str, ...], hard: bool) -> None:
        self.guesses, self.count, self.hard = guesses, len(secrets), hard
        bits = {secret: 1 << number for number, secret in enumerate(secrets)}
        self.bits = {guess: 1 << number for number, guess in enumerate(guesses)}
        self.own = [bits.get(guess, 0) for guess in guesses]
        #: For each guess and reply, the secrets that give it.
        self.replies: list[dict[str, int]] = []
        for guess in guesses:
            parts: dict[str, int] = {}
            for secret in secrets:
                colours = marks(guess, secret)
                parts[colours] = parts.get(colours, 0) | bits[secret]
            self.replies.append(parts)
        self.best = cache(self._best)
        self.legal = cache(self._legal)

    def _legal(self, guess: int, colours: str) -> int:
        if not self.hard:
            return (1 << len(self.guesses)) - 1
        words = legal_after(self.guesses[guess], colours, self.guesses)
        return sum(self.bits[word] for word in words)

    def values(self, limit: int) -> dict[str, Value]:
        state, allowed = (1 << self.count) - 1, (1 << len(self.guesses)) - 1
        return {
            word: self._after(guess, self._buckets(guess, state), state, limit, allowed)
            for guess, word in enumerate(self.guesses)
        }

    def _buckets(self, guess: int, state: int) -> list[tuple[int, str]]:
        """What a guess leaves of a state, its own bucket left out, each with the reply."""
        own = self.own[guess]
        return [
            (bucket, colours)
            for colours, part in self.replies[guess].items()
            if (bucket := state & part) and bucket != own
        ]

    def _after(
        self,
        guess: int,
        buckets: list[tuple[int, str]],
        state: int,
        left: int,
        allowed: int,
        found: Value = NOTHING_FOUND,
    ) -> Value:
        """The value of a guess, or anything from ``found`` on if it is no better than that."""
        if len(buckets) == 1 and buckets[0][0] == state and state.bit_count() > 1:
            return NOTHING_FOUND  # tells nothing: only worse
        rest = sum(bucket.bit_count() for bucket, _ in buckets)
        losses = rest if left == 1 else 0
        total = state.bit_count() + 2 * rest - len(buckets)
        for bucket, colours in sorted(buckets, key=lambda pair: -pair[0].bit_count()):
            if (losses, total) >= found:
                break
            then = allowed & self.legal(guess, colours)
            lost, more = self.best(bucket, max(left - 1, 0), then)
            losses, total = losses + lost, total + more - (2 * bucket.bit_count() - 1)
        return losses, total

    def _best(self, state: int, left: int, allowed: int) -> Value:
        count = state.bit_count()
        if left == 0 or left >= count:
            left = UNLIMITED  # lost and paid for, or not to be lost: n guesses suffice for n
        if count == 1:
            return 0, 1
        splits = [
            (guess, self._buckets(guess, state))
            for guess in range(len(self.guesses))
            if allowed >> guess & 1
        ]
        found = NOTHING_FOUND
        for guess, buckets in sorted(splits, key=lambda split: -len(split[1])):
            found = min(found, self._after(guess, buckets, state, left, allowed, found))
            if found == (0, 2 * count - 1):
                break  # one secret at once and all others next: nothing can do better
        return found


@lru_cache(maxsize=1)
def _brute(guesses: tuple[str, ...], secrets: tuple[str, ...], hard: bool) -> _Brute:
    """The world of the last question: the next is often about another limit."""
    return _Brute(guesses, secrets, hard)
