"""Quick totals by kernels against the exact search guess by guess, and the order of ties."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.suggest import Advice, suggest
from solver.advice.totals import Best, ExactTotals, MeasuredState, QuickTotals
from solver.choices import MEASURES
from solver.game.game import Game
from solver.game.load import load_game
from solver.splits.measures import LOG_BITS, exact_log2, fixed_log_weights
from solver.splits.ranking import rank_totals
from tests.support.worlds import all_secrets, made_up_games

small_games = made_up_games(max_words=9, longest=5)
ENOUGH = 1000


def quick_of(game: Game, hard: bool = False) -> tuple[Advice, QuickTotals]:
    advice = suggest(game, (), hard=hard)
    return advice, QuickTotals(game, advice.candidates, advice.table.rows, hard=hard)


@settings(max_examples=30)
@given(small_games, st.sampled_from([None, 2, 3, 4]), st.booleans())
def test_totals_are_those_of_the_exact_search(game: Game, limit: int | None, hard: bool) -> None:
    exact = ExactTotals(game, [MeasuredState.of(game, all_secrets(game))], limit, hard=hard)
    advice, quick = quick_of(game, hard)
    assert quick.best(limit, ENOUGH) == exact.best(advice.table.rows["guess"])
    rows = [row for row in advice.table.rows if row["parts"] > 1 or row["candidate"]]
    guesses = [int(row["guess"]) for row in rows]
    assert quick.totals(guesses) == {guess: exact.total(guess) for guess in guesses}


@pytest.mark.parametrize(
    ("state", "hard"), [("sigma xxxxx tenor xpppx", False), ("batch bgggg", True)]
)
def test_quick_totals_of_real_words(state: str, hard: bool) -> None:
    game = load_game()
    history = game.parse_state(state)
    advice = suggest(game, history, hard=hard)
    before = [game.guess_id(word) for word, _ in history]
    guesses = advice.table.rows["guess"]
    quick = QuickTotals(game, advice.candidates, advice.table.rows, hard=hard, before=before)
    states = [MeasuredState.of(game, advice.candidates)]
    exact = ExactTotals(game, states, 4, hard=hard, before=before)
    assert quick.best(4, ENOUGH) == exact.best(guesses)
    some = guesses[:3].tolist()
    assert quick.totals(some) == {guess: exact.total(guess) for guess in some}


def test_effort_is_counted() -> None:
    game = load_game()
    advice = suggest(game, game.parse_state("sigma xxxxx tenor xpppx"))
    quick = QuickTotals(game, advice.candidates, advice.table.rows)
    found = quick.best(None, 0)
    assert found == Best(found.total, found.guesses, proved=False) and len(found.guesses) == 1


@settings(max_examples=20)
@given(made_up_games(max_words=12))
def test_ties_have_their_order(game: Game) -> None:
    for by in MEASURES:
        advice = suggest(game, (), by=by)
        rows = list(advice.table.records())
        common = {game.guesses[guess] for guess in advice.common}
        keys = [
            (row["rank"], not row["candidate"], row["word"] not in common, row["word"])
            for row in rows
        ]
        assert keys == sorted(keys)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)), max_size=12))
def test_totals_are_ranked_as_plain_python_ranks_them(rows: list[tuple[int, int, int]]) -> None:
    totals, preferred, classes = (np.array([row[at] for row in rows], float) for at in range(3))
    guesses = np.array([7 * at % 13 for at in range(len(rows))], dtype=np.int32)
    order, rank = rank_totals(totals, preferred, classes.astype(np.int32), guesses)
    found = sorted(range(len(rows)), key=lambda at: (preferred[at], classes[at], guesses[at]))
    assert order.tolist() == found
    assert rank.tolist() == [1 + sum(total < totals[at] for total in totals) for at in found]


def test_logarithms_by_decimals() -> None:
    with localcontext() as context:
        context.prec = 40
        two = Decimal(2).ln()
        for number in (1, 2, 3, 5, 17, 243, 2315, 3158, 7957, 12972, 14855, (1 << 18) - 1, 1 << 18):
            log = Decimal(number).ln() / two
            assert exact_log2(number) == float(log)
            if number in (2, 3, 5, 17):
                fixed = int((log * (1 << LOG_BITS)).to_integral_value())
                assert fixed_log_weights(number)[number] == number * fixed
