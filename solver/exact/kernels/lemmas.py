"""The lemmas of docs/exact.md as arithmetic: values and their lower bounds.

The value of a state is the least sum, over its candidates, of the guesses still to be made, each at
the price of the table: 1, or 0 where only the limit matters. With a limit, a candidate that falls
after the last allowed guess costs ``LOSS`` more, which exceeds every sum of guesses: a value below
``LOSS`` is a strategy within the limit, and minimising the value minimises the losses first and the
guesses then.
"""

from __future__ import annotations

from ...machine.jit import noalloc

#: The price of a candidate beyond the limit.
LOSS = 1 << 32
#: Above every value.
NEVER = 1 << 60
#: ``left`` when the number of guesses does not matter (any more).
UNLIMITED = 100_000


@noalloc
def guesses_left(left: int, count: int) -> int:
    """Guesses left as the lemmas count them: n candidates never lose with n left."""
    return UNLIMITED if left >= count else left


@noalloc
def after_guess(left: int) -> int:
    """Guesses left after one, as the lemmas count them; after the last, no limit is left."""
    if left in (UNLIMITED, 1):
        return UNLIMITED
    return left - 1


@noalloc
def lost(left: int) -> int:
    """What the lemmas add to a value for a candidate that is missed: LOSS after the last guess."""
    return LOSS if left == 1 else 0


@noalloc
def least(price: int, count: int, left: int) -> int:
    """The least value (lemma 1) that a state of this size can have."""
    if left == 1:
        return (2 * count - 1) * price + (count - 1) * LOSS
    return (2 * count - 1) * price


@noalloc
def next_value(price: int, count: int, left: int, bound: int) -> int:
    """The least value (lemma 3a) at or above a bound that a state can have.

    With so many losses the others take at most ``left`` guesses each, and the lost ones go one by
    one if they must. So between two numbers of losses most values belong to no state.
    """
    losses = bound // LOSS
    if price == 0 or left == UNLIMITED or losses >= count:
        return bound
    most = count * left + losses * (losses + 1) // 2
    if bound - losses * LOSS <= most:
        return bound
    return (losses + 1) * LOSS + 2 * count - 1


@noalloc
def least_by_parts(price: int, count: int, parts: int, hit: int, left: int) -> int:
    """The least value (lemma 2) of a guess with so many parts; ``hit``: is it a candidate?"""
    value = (3 * count - parts - hit) * price
    if left == 1:
        return value + (count - hit) * LOSS
    if left == 2:
        return value + (count - parts) * LOSS
    return value


@noalloc
def fewest_parts(price: int, count: int, left: int, limit: int, hit: int) -> int:
    """The parts (lemma 2) below which a guess has ``least_by_parts`` above ``limit``."""
    if left == 1 or (price == 0 and left > 2):
        return 2
    if left == 2:
        return max(count - limit // LOSS, 2)
    return max(3 * count - limit - hit, 2)


@noalloc(inner=True)
def not_listed(price: int, count: int, left: int, limit: int) -> int:
    """A lower bound (lemma 2) of all guesses whose ``least_by_parts`` is above ``limit``."""
    if left <= 2:  # without a loss there are n parts, and the value is at most 2n
        return limit + 1 if limit >= LOSS or limit < 2 * count * price else LOSS
    return limit + 1 if limit < 3 * count * price else NEVER
