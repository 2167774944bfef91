"""Brute force for the exact search: every guess in every state, nothing left out.

Values are pairs (losses, total), compared in this order: with a limit, a secret that takes more
guesses is lost, and the game goes on until it is solved. The total is by weight if there are any.

A set of secrets is an integer with a bit for each of them, so that a guess parts it by a few ands.
Three things keep it quick: states are remembered; a guess is given up once it costs what another
does, where a bucket costs at least one guess for one of its secrets and two for each other; and the
guesses that part most come first.

For a second objective there is every histogram that any strategy of a small world has: how many
secrets take 1, 2, … guesses. The strategies of a state are put together from all strategies of its
buckets, so nothing is assumed about which of them matter: the best value and then the second
objective are looked up among all histograms in the end.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count
from typing import Any

from .naive import Grader, grade, may_follow, split

#: No limit on the guesses.
UNLIMITED = 10**9
#: The total is a whole number, or a fraction if weights are.
Value = tuple[int, Any]
#: What is left of a state after a guess, each set with the reply.
Buckets = list[tuple[int, int]]
#: Some words of a world, or all of them.
Words = Iterable[str] | None
NOTHING_FOUND = (UNLIMITED, UNLIMITED)
#: The total by weight where no strategy keeps to the limit.
IMPOSSIBLE = 10**15


class Brute:
    """All guesses and secrets of a world by number, a set of either as the bits of an integer."""

    def __init__(
        self,
        guesses: Sequence[str],
        secrets: Sequence[str],
        hard: bool = False,
        guess_from: str = "allowed",
        grader: Grader = grade,
        weights: Mapping[str, Any] | None = None,
    ) -> None:
        """``guess_from``: which of the guesses may be made, unless they are forced."""
        self.guesses, self.secrets, self._grader = tuple(guesses), tuple(secrets), grader
        self._only = guess_from == "candidates"
        self._hard = hard and not self._only  # which allows every candidate
        self._bit = {guess: 1 << number for number, guess in enumerate(self.guesses)}
        self._secret_bit = {secret: 1 << number for number, secret in enumerate(self.secrets)}
        self._weights = [weights[secret] if weights else 1 for secret in self.secrets]
        self._own = [self._secret_bit.get(guess, 0) for guess in self.guesses]
        #: For each guess and reply, the secrets that give it.
        self._replies: list[dict[int, int]] = []
        for guess in self.guesses:
            parts: dict[int, int] = {}
            for secret in self.secrets:
                score = grader(guess, secret)
                parts[score] = parts.get(score, 0) | self._secret_bit[secret]
            self._replies.append(parts)
        self._pool = (1 << len(self.guesses)) - 1
        self._best, self._legal = cache(self._best_of), cache(self._legal_after)
        self._weigh, self._words = cache(self._weight_and_floor), cache(self._words_of)
        if guess_from == "secrets":
            self._pool = self._words((1 << len(self.secrets)) - 1)

    # --- questions, and answers in words
    def values(
        self, left: int = UNLIMITED, state: Words = None, legal: Words = None
    ) -> dict[str, Value]:
        """The value of each guess that may be made; NOTHING_FOUND if it tells nothing."""
        bits, allowed = self._state(state), self._allowed(legal)
        pool = self._words(bits) if self._only else allowed
        return {
            self.guesses[guess]: self._after(guess, buckets, bits, left, allowed)
            for guess, buckets in self._splits(bits, pool)
        }

    def best(self, left: int = UNLIMITED, state: Words = None, legal: Words = None) -> Value:
        """The least value of a state, or of all secrets, by guesses that are ``legal`` there."""
        return self._best(self._state(state), left, self._allowed(legal))

    def after(
        self, start: Sequence[str], left: int = UNLIMITED, state: Words = None, legal: Words = None
    ) -> Value:
        """The value of a state in which some guesses are forced, whatever they tell."""
        return self._forced([*start], self._state(state), left, self._allowed(legal))

    def first(self, left: int, state: Iterable[str], legal: Iterable[str]) -> str:
        """The first guess that attains the least value of a state."""
        bits, allowed = self._state(state), self._allowed(legal)
        least, pool = self._best(bits, left, allowed), self._words(bits) if self._only else allowed
        return next(
            self.guesses[guess]
            for guess, buckets in self._splits(bits, pool)
            if self._after(guess, buckets, bits, left, allowed) == least
        )

    def least_worst(self) -> int:
        """The fewest guesses that always suffice."""
        return next(left for left in count(1) if not self.best(left)[0])

    def _state(self, words: Words) -> int:
        return sum(self._secret_bit[word] for word in (self.secrets if words is None else words))

    def _allowed(self, words: Words) -> int:
        return self._pool if words is None else sum(self._bit[word] for word in words)

    # --- what is remembered of a set, and of a reply
    def _weight_and_floor(self, state: int) -> tuple[Any, Any]:
        """The weight of a set; what it costs at least: the heaviest at once, all others next."""
        weights = [weight for at, weight in enumerate(self._weights) if state >> at & 1]
        return sum(weights), 2 * sum(weights) - max(weights)

    def _words_of(self, state: int) -> int:
        """The members of a state as guesses."""
        secrets = (secret for at, secret in enumerate(self.secrets) if state >> at & 1)
        return sum(self._bit.get(secret, 0) for secret in secrets)

    def _legal_after(self, guess: int, score: int) -> int:
        if not self._hard:
            return (1 << len(self.guesses)) - 1
        word, part = self.guesses[guess], self._replies[guess][score]
        secret = self.secrets[(part & -part).bit_length() - 1]
        return sum(self._bit[other] for other in self.guesses if may_follow(other, word, secret))

    # --- the search
    def _buckets(self, guess: int, state: int) -> Buckets:
        """What a guess leaves of a state, its own bucket left out, each with the reply."""
        own = self._own[guess]
        return [
            (bucket, score)
            for score, part in self._replies[guess].items()
            if (bucket := state & part) and bucket != own
        ]

    def _splits(self, state: int, pool: int) -> Iterator[tuple[int, Buckets]]:
        """The guesses of a pool, each with what it leaves of a state."""
        for guess in range(len(self.guesses)):
            if pool >> guess & 1:
                yield guess, self._buckets(guess, state)

    def _after(
        self, guess: int, buckets: Buckets, state: int, left: int, allowed: int,
        found: Value = NOTHING_FOUND,
    ) -> Value:  # fmt: skip
        """The value of a guess, or anything from ``found`` on if it is no better than that."""
        if len(buckets) == 1 and buckets[0][0] == state and state.bit_count() > 1:
            return NOTHING_FOUND  # tells nothing: only worse
        losses = sum(bucket.bit_count() for bucket, _ in buckets) if left == 1 else 0
        total = self._weigh(state)[0] + sum(self._weigh(bucket)[1] for bucket, _ in buckets)
        for bucket, score in sorted(buckets, key=lambda pair: -pair[0].bit_count()):
            if (losses, total) >= found:
                break
            then = allowed & self._legal(guess, score)
            lost, more = self._best(bucket, max(left - 1, 0), then)
            losses, total = losses + lost, total + more - self._weigh(bucket)[1]
        return losses, total

    def _forced(self, start: list[str], state: int, left: int, allowed: int) -> Value:
        if not start:
            return self._best(state, left, allowed)
        guess = self.guesses.index(start[0])
        buckets = self._buckets(guess, state)
        losses = sum(bucket.bit_count() for bucket, _ in buckets) if left == 1 else 0
        total = self._weigh(state)[0]
        for bucket, score in buckets:
            then = allowed & self._legal(guess, score)
            after = max(left - 1, 0) or UNLIMITED
            lost, more = self._forced(start[1:], bucket, after, then)
            losses, total = losses + lost, total + more
        return losses, total

    def _best_of(self, state: int, left: int, allowed: int) -> Value:
        number, (_, floor), own = state.bit_count(), self._weigh(state), self._words(state)
        if left == 0 or (left >= number and own & allowed == own):
            left = UNLIMITED  # lost and paid for, or not to be lost: n guesses suffice for n
        if number == 1:
            return (0, floor) if own & allowed or not own else NOTHING_FOUND
        pool = own if self._only else allowed
        found = NOTHING_FOUND
        for guess, buckets in sorted(self._splits(state, pool), key=lambda split: -len(split[1])):
            found = min(found, self._after(guess, buckets, state, left, allowed, found))
            if found == (0, floor):
                break  # nothing can do better
        return found


@lru_cache(maxsize=4)
def brute(
    guesses: tuple[str, ...],
    secrets: tuple[str, ...],
    hard: bool = False,
    guess_from: str = "allowed",
    grader: Grader = grade,
) -> Brute:
    """The worlds of the last questions: the next is often about another limit."""
    return Brute(guesses, secrets, hard, guess_from, grader)


def values_of_guesses(
    guesses: Sequence[str], secrets: Sequence[str], limit: int = UNLIMITED, hard: bool = False
) -> dict[str, Value]:
    """The least (losses, total) after each first guess; NOTHING_FOUND if it tells nothing."""
    return brute(tuple(guesses), tuple(secrets), hard).values(limit)


def weighted_values(
    guesses: Sequence[str], weights: Mapping[str, Any], limit: int = UNLIMITED, hard: bool = False
) -> dict[str, Any]:
    """The least total by weight after each first guess that tells anything."""
    values = Brute(guesses, sorted(weights), hard, weights=weights).values(limit)
    totals = {guess: IMPOSSIBLE if lost else total for guess, (lost, total) in values.items()}
    return {it: total for it, total in totals.items() if total < IMPOSSIBLE or limit < UNLIMITED}


def check_refutation(
    guesses: Sequence[str], secrets: Sequence[str], refuted: Sequence[Any], grader: Grader = grade
) -> None:
    """Each claim re-derived: every guess leaves candidates that an earlier claim refutes."""
    scores = [[grader(guess, secret) for secret in secrets] for guess in guesses]
    for left, rows, reasons in refuted:
        if left == 1:
            assert len(rows) > 1
            continue
        for row in scores:
            if left == 2:
                assert len({row[k] for k in rows}) < len(rows)
            else:
                assert any(
                    len({row[k] for k in refuted[why].rows}) == 1
                    and refuted[why].left >= left - 1
                    and set(refuted[why].rows) <= set(rows)
                    for why in reasons
                )


Histogram = tuple[int, ...]


def added(one: Histogram, other: Histogram) -> Histogram:
    """The histogram of two sets of secrets together."""
    longer = max(len(one), len(other))
    return tuple(sum(it[at] for it in (one, other) if at < len(it)) for at in range(longer))


class Histograms:
    """The histograms of all strategies of a game whose guesses all tell something, or hit."""

    def __init__(
        self,
        guesses: Sequence[str],
        hard: bool = False,
        candidates_only: bool = False,
        grader: Grader = grade,
    ) -> None:
        self._hard, self._candidates_only, self._grader = hard, candidates_only, grader
        self._guesses = tuple(guesses)
        self.of = cache(self._of)

    def _of(
        self, state: frozenset[str], allowed: frozenset[str], start: tuple[str, ...] = ()
    ) -> frozenset[Histogram]:
        """All histograms of a state; ``start`` are guesses that are forced in it."""
        found: set[Histogram] = set()
        for guess in start[:1] or (state if self._candidates_only else allowed):
            if start or len(split(guess, sorted(state), self._grader)) > 1 or state == {guess}:
                found |= self.after(guess, state, allowed, start[1:])
        return frozenset(found)

    def after(
        self, guess: str, state: frozenset[str], allowed: frozenset[str], start: tuple[str, ...]
    ) -> frozenset[Histogram]:
        """All histograms of a state in which a guess is made."""
        found: set[Histogram] = {(int(guess in state),)}
        for bucket in split(guess, sorted(state), self._grader).values():
            if bucket == [guess]:
                continue
            then = allowed
            if self._hard:
                then = frozenset(word for word in allowed if may_follow(word, guess, bucket[0]))
            below = self.of(frozenset(bucket), then, start)
            found = {added(one, (0, *other)) for one in found for other in below}
        return frozenset(found)

    def whole(self, secrets: Sequence[str], start: Sequence[str] = ()) -> frozenset[Histogram]:
        """All histograms of a whole game."""
        return self.of(frozenset(secrets), frozenset(self._guesses), tuple(start))


def cost(objective: str, histogram: Histogram, made: int = 0) -> int:
    """What a second objective makes least, after so many guesses."""
    kind, _, guesses = objective.partition(":")
    taken = {at + made: count for at, count in enumerate(histogram, 1) if count}
    if kind == "worst":
        return max(taken)
    if kind == "most-within":
        return sum(count for at, count in taken.items() if at > int(guesses))
    return taken.get(int(guesses), 0)


def value(histogram: Histogram, limit: int | None) -> tuple[int, int]:
    """Losses and total."""
    lost = 0 if limit is None else sum(histogram[limit:])
    return lost, sum(at * count for at, count in enumerate(histogram, 1))


def best_of(
    histograms: frozenset[Histogram], objective: str, limit: int | None
) -> tuple[int, int, int]:
    """The least (losses, total, cost) of all."""
    return min((*value(it, limit), cost(objective, it)) for it in histograms)
