"""Exact totals of next words: brute force on small lists, shared guesses, limits, forecasts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.cheatsheet import cheat_sheet
from solver.advice.exact_totals import ExactTotals, MeasuredState
from solver.advice.forecast import FEW, Forecast, forecast
from solver.advice.suggest import advise
from solver.game.game import Game
from solver.game.load import load_game
from tests.support import naive, naive_exact
from tests.support.worlds import game_of, made_up_games, real_games

small_games = made_up_games(max_words=9, longest=5)


def everything(game: Game) -> np.ndarray:
    return np.arange(len(game.secrets), dtype=np.int32)


def truth(game: Game, secrets: tuple[str, ...], limit: int | None, hard: bool = False) -> list[int]:
    """Brute-force totals of all guesses that tell something; -1: not within the limit."""
    endless = naive_exact.UNLIMITED
    values = naive_exact.values_of_guesses(game.guesses, secrets, limit or endless, hard)
    return [-1 if lost else total for lost, total in values.values()]


def tells(game: Game, word: str, secrets: tuple[str, ...]) -> bool:
    return len(naive.split(word, secrets)) > 1 or secrets == (word,)


@settings(max_examples=30)
@given(small_games, st.sampled_from([None, 2, 3, 4]), st.booleans())
def test_totals_are_those_of_brute_force(game: Game, limit: int | None, hard: bool) -> None:
    exact = ExactTotals(game, [MeasuredState.of(game, everything(game))], limit, hard=hard)
    for guess, total in enumerate(truth(game, game.secrets, limit, hard)):
        if tells(game, game.guesses[guess], game.secrets):
            assert exact.total(guess) == (None if total < 0 else total)


@settings(max_examples=30)
@given(small_games, st.sampled_from([None, 3, 4]))
def test_states_that_share_a_guess(game: Game, limit: int | None) -> None:
    opener = game.guesses[0]
    states = [tuple(state) for state in naive.split(opener, game.secrets).values()]
    place = {word: at for at, word in enumerate(game.secrets)}
    ids = [np.array([place[word] for word in state], dtype=np.int32) for state in states]
    exact = ExactTotals(game, [MeasuredState.of(game, each) for each in ids], limit)
    every = [truth(game, state, limit) for state in states]
    sums = {}
    for guess, word in enumerate(game.guesses):
        totals = [each[guess] for each in every]
        if all(tells(game, word, state) for state in states) and min(totals) >= 0:
            sums[guess] = sum(totals)
            assert exact.total(guess) == sums[guess]
    best = exact.best()
    assert best.proved
    if sums:
        assert best.total is not None
        assert best.total <= min(sums.values())
    if best.total is not None:
        assert best.guesses == [g for g in range(len(game.guesses)) if exact.total(g) == best.total]


@pytest.mark.slow
def test_the_sheet_of_the_best_opener_is_the_best_strategy() -> None:
    """7,920 guesses from SALET are the fewest of all: a second word a score is all it takes."""
    game = load_game()
    sheet = cheat_sheet(game, "salet", group="score", rule="optimal")
    assert all(row.claim == "proved" and row.within == 6 for row in sheet.rows)
    assert sheet.answers + sum(row.total or 0 for row in sheet.rows) == 7920


@settings(max_examples=10)
@given(real_games(30, 60), st.sampled_from(["score", "hits", "colours"]), st.sampled_from([2, 3]))
def test_optimal_rows_name_a_best_word(game: Game, group: str, depth: int) -> None:
    sheet = cheat_sheet(game, game.guesses[0], group=group, depth=depth, rule="optimal")
    by_entropy = cheat_sheet(game, game.guesses[0], group=group, depth=2)
    others = {row.key: row for row in by_entropy.rows}
    for row in sheet.rows:
        assert row.claim == "proved"
        assert row.total is not None
        if len(row.key) == 1:
            assert row.answers == others[row.key].answers
            assert row.total <= _total_of(game, others[row.key].word, row.before, row.key[0], group)
        if row.answers == 1:
            assert (row.total, row.tied) == (1, 1)


def _total_of(game: Game, word: str, before: tuple[str, ...], key: str, group: str) -> int:
    """What a word is worth in a group, by the exact totals in each of its states."""
    states: dict[str, list[int]] = {}
    for at, secret in enumerate(game.secrets):
        marks = naive.marks(before[0], secret)
        hits, both = 5 - marks.count("b"), f"{marks.count('y')},{marks.count('g')}"
        seen = {"score": marks, "hits": str(hits), "colours": both}[group]
        if seen == key and secret != before[0]:
            states.setdefault(marks, []).append(at)
    ids = (np.array(state, dtype=np.int32) for state in states.values())
    measured = [MeasuredState.of(game, each) for each in ids]
    total = ExactTotals(game, measured, None).total(game.guess_id(word))
    assert total is not None
    return total


def test_a_row_that_is_cut_short_is_a_bound() -> None:
    game = load_game()
    sheet = cheat_sheet(game, "fuzzy", group="hits", rule="optimal", time_limit=-1)
    first = sheet.rows[0]
    assert first.claim == "bound"
    assert first.word in game.guesses


def forecast_of(game: Game, state: str, **options: bool | int | None) -> Forecast:
    history = game.parse_state(state)
    advice = advise(game, history, hard=bool(options.get("hard")))
    words = [row["word"] for row in advice.table.records(advice.table.rows[:10])]
    found = forecast(game, history, advice, words, **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_forecast_of_the_published_walk() -> None:
    found = forecast_of(load_game(), "sigma xxxxx tenor xpppx")
    assert (found.within, found.secrets, found.least) == (6, 11, 23)
    assert found.best == ("cloze", "wolve")
    assert found.totals["cloze"] == 23


def test_forecast_where_the_limit_cannot_be_met() -> None:
    """Six words that differ in one letter, five guesses, hard mode."""
    found = forecast_of(load_game(), "batch bgggg", hard=True)
    assert found.within is None
    assert found.least == 6 + 5 + 4 + 3 + 2 + 1
    assert forecast_of(load_game(), "batch bgggg").within == 6
    assert forecast_of(load_game(), "batch bgggg", within=1).within is None


def test_a_word_that_cannot_meet_the_limit_has_no_total() -> None:
    game = game_of([f"{letter}atch" for letter in "bchlmpw"] + ["clump", "whbbb"])
    found = forecast_of(game, "", within=3)
    assert found.within == 3
    assert found.totals["clump"] is not None
    assert found.totals["batch"] is None


def test_nothing_is_forecast_for_many_secrets() -> None:
    game = load_game()
    advice = advise(game, ())
    assert len(advice.secrets) > FEW
    assert forecast(game, (), advice, ["salet"]) is None


@pytest.mark.parametrize(
    ("spec", "state"), [("mastermind:3x4", "112 1,1"), ("mastermind:4x6:distinct", "1234 1,1")]
)
def test_forecast_in_mastermind(spec: str, state: str) -> None:
    found = forecast_of(load_game(spec=spec), state, within=None)
    assert found.least is not None
    assert found.least <= min(total for total in found.totals.values() if total is not None)
