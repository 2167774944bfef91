"""Where the core knows all that is true of a small world, it derives nothing that is false."""

import random

import pytest

from solver.game.load import load_game
from strategy.checkers.lemmas import LOSS, UNLIMITED
from strategy.checkers.proof import Claim, Refutation, WrongProofError
from tests.support import refused
from tests.support.checker_twins import checker_of, some, words_at
from tests.support.naive_proof import NEVER, pool_of, search_of
from tests.support.proof_worlds import alike, told_apart

LEFTS = (1, 2, 3, UNLIMITED)


@pytest.mark.parametrize("pool", ["allowed", "secrets", "candidates"])
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("objective", ["losses", "worst"])
def test_nothing_above_the_truth_follows(pool: str, hard: bool, objective: str) -> None:
    draw, price = random.Random(pool), int(objective == "losses")
    boards = [load_game(spec="mastermind:2x3")] if not hard and pool != "secrets" else []
    for game in (alike(draw.randrange(9), 11, 6), told_apart(draw.randrange(9), 5, 2), *boards):
        pegs, own = game.spec != "wordle", pool_of(game, pool)
        search = search_of(own.guesses, game.secrets, price, hard, pool == "candidates", pegs)
        limits = search_of(own.guesses, game.secrets, 0, False, False, pegs)
        checker = checker_of(game, objective, 3, hard=hard, guess_from=pool)
        nothing = "." * game.length + "|" if hard else ""
        for members in {some(draw, game) for _ in range(150)}:
            words = tuple(words_at(game, members))
            for left in LEFTS:
                value = search.value(words, left, own.guesses)
                if value < NEVER:
                    above = Claim(members, left, nothing, value + 1)
                    refused(WrongProofError, "does not follow", checker.check_claim, 0, above)
                    checker.note_claim(above._replace(value=value))
                one = Refutation(members, left, tuple(range(len(checker.refuted))))
                one = one._replace(cites=tuple(
                    at for at in one.cites if {*checker.refuted[at].members} <= {*members}
                    and checker.refuted[at].left >= left - 1
                ))  # fmt: skip
                if limits.value(words, left, own.guesses) >= LOSS:
                    checker.refuted.append(one)
                else:
                    refused(WrongProofError, "does not f", checker.check_refutation, 0, one)
