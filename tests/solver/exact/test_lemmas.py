"""Lemma 3a: no value lies between the dearest with some losses and the least with one more."""

import pytest

from solver.exact.kernels.lemmas import LOSS, UNLIMITED, next_value
from tests.support.naive_exact import values_of_guesses
from tests.support.proof_worlds import made_up


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("left", [1, 2, 5])
def test_a_bound_in_a_gap_is_raised_to_the_least_with_a_loss_more(count: int, left: int) -> None:
    for losses in range(count):
        most = count * left + losses * (losses + 1) // 2
        least = (losses + 1) * LOSS + 2 * count - 1
        for total in (0, 1, most):
            bound = losses * LOSS + total
            assert next_value(1, count, left, bound) == bound
        for total in (most + 1, most + 1000, LOSS - 1):
            assert next_value(1, count, left, losses * LOSS + total) == least
            assert next_value(0, count, left, losses * LOSS + total) == losses * LOSS + total
    beyond = count * LOSS + LOSS - 1
    assert next_value(1, count, left, beyond) == beyond
    assert next_value(1, count, UNLIMITED, LOSS - 1) == LOSS - 1


@pytest.mark.parametrize("seed", range(6))
def test_no_value_of_a_state_is_skipped(seed: int) -> None:
    game = made_up(seed, 12, 6)
    for left in (1, 2, 3):
        values = values_of_guesses(game.guesses, game.secrets, left)
        losses, total = min(values.values())
        value = losses * LOSS + total
        for bound in (0, losses * LOSS, value - 1, value):
            found = next_value(1, len(game.secrets), left, bound)
            assert bound <= found <= value
