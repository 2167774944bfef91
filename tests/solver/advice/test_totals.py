"""Exact and best totals of next words, by weight too, and what guesses were worth: brute force."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import hindsight, totals
from solver.advice import suggest as advice_module
from solver.advice.cheatsheet import cheat_sheet
from solver.advice.hindsight import Hindsight, Insight
from solver.advice.suggest import MOST_FORECAST, Forecast, candidates_after, forecast, suggest
from solver.advice.totals import ExactTotals, MeasuredState, ProvedTotals
from solver.errors import CouldNotFinishError
from solver.exact.kernels.lemmas import NEVER, UNLIMITED
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import Beam, buckets_of, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import legal_after
from solver.splits.measures import mean_of
from tests.support import naive, naive_exact
from tests.support.naive_review import Ahead
from tests.support.worlds import alike, all_secrets, game_of, made_up_games, measured, some_world

small_games = made_up_games(max_words=9, longest=5)


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
    exact = ExactTotals(game, [MeasuredState.of(game, all_secrets(game))], limit, hard=hard)
    for guess, total in enumerate(truth(game, game.secrets, limit, hard)):
        if tells(game, game.guesses[guess], game.secrets):
            assert exact.total(guess) == (None if total < 0 else total)


@settings(max_examples=30)
@given(small_games, st.sampled_from([None, 3, 4]))
def test_states_that_share_a_guess(game: Game, limit: int | None) -> None:
    opener = game.guesses[0]
    states = [tuple(state) for state in naive.split(opener, game.secrets).values()]
    exact = ExactTotals(game, measured(game, states), limit)
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
        assert best.total is not None and best.total <= min(sums.values())
    if best.total is not None:
        assert best.guesses == [g for g in range(len(game.guesses)) if exact.total(g) == best.total]


@pytest.mark.slow
def test_the_sheet_of_the_best_opener_is_the_best_strategy() -> None:
    """7,920 guesses from SALET are the fewest of all: a second word a score is all it takes."""
    game = load_game()
    sheet = cheat_sheet(game, "salet", group="score", rule="optimal")
    assert all(row.claim == "proved" and row.within == 6 for row in sheet.rows)
    assert sheet.answers + sum(row.total or 0 for row in sheet.rows) == 7920


def test_bounds() -> None:
    game = load_game()
    sheet = cheat_sheet(game, "fuzzy", group="hits", rule="optimal", time_limit=-1)
    first = sheet.rows[0]
    assert first.claim == "bound" and first.word in game.guesses
    game = load_game("nyt-2023")
    left = candidates_after(game, game.parse_state("crane bbbbb"))
    found = Hindsight(game, time_limit=1e-9).look(left, (), game.guess_id("sloth"))
    assert not found.exact and found.least == pytest.approx(1046 / 358, abs=0.05)
    # A word with more than 255 scores against the secrets: entropy, one guess ahead.
    dice = random.Random(1)
    words = {"".join(dice.choices("abcdefgh", k=8)) for _ in range(600)}
    game = game_of(sorted(words))
    found = looked(game, game.guesses[0], Hindsight(game))
    assert not found.exact and found.yours is not None and 1 < found.least <= found.yours < 4


def forecast_of(game: Game, state: str, **options: bool | int | None) -> Forecast:
    history = game.parse_state(state)
    advice = suggest(game, history, hard=bool(options.get("hard")))
    words = [row["word"] for row in advice.table.records(advice.table.rows[:10])]
    found = forecast(game, history, advice, words, **options)  # type: ignore[arg-type]
    assert found is not None
    return found


def test_forecasts() -> None:
    found = forecast_of(load_game(), "sigma xxxxx tenor xpppx")
    assert (found.within, found.secrets, found.least) == (6, 11, 23)
    assert found.best == ("cloze", "wolve") and found.totals["cloze"] == 23
    # Six words that differ in one letter, five guesses, hard mode.
    found = forecast_of(load_game(), "batch bgggg", hard=True)
    assert found.within is None and found.least == 6 + 5 + 4 + 3 + 2 + 1
    assert forecast_of(load_game(), "batch bgggg").within == 6
    assert forecast_of(load_game(), "batch bgggg", within=1).within is None
    game = game_of([f"{letter}atch" for letter in "bchlmpw"] + ["clump", "whbbb"])
    found = forecast_of(game, "", within=3)
    assert found.within == 3 and found.totals["clump"] is not None and found.totals["batch"] is None
    game = load_game()
    advice = suggest(game, ())
    assert len(advice.secrets) > MOST_FORECAST and forecast(game, (), advice, ["salet"]) is None


@pytest.mark.parametrize(
    ("spec", "state"), [("mastermind:3x4", "112 1,1"), ("mastermind:4x6:distinct", "1234 1,1")]
)
def test_forecast_in_mastermind(spec: str, state: str) -> None:
    found = forecast_of(load_game(spec=spec), state, within=None)
    assert found.least is not None
    assert found.least <= min(total for total in found.totals.values() if total is not None)


def looked(game: Game, guess: str, ways: Hindsight) -> Insight:
    return ways.look(all_secrets(game), (), game.guess_id(guess))


def worlds(count: int) -> list[Game]:
    dice = random.Random(11)
    return [some_world(dice, 6, 24) for _ in range(count)]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("hard", [False, True])
def test_exact_values_by_brute_force(hard: bool, weighted: bool) -> None:
    dice = random.Random(12)
    for game in worlds(18 if weighted else 6):
        weights = [dice.randint(1, 9) / 8 if weighted else 1.0 for _ in game.secrets]
        ahead = Ahead(game.guesses, dict(zip(game.secrets, weights, strict=True)), hard)
        left, legal = frozenset(game.secrets), game.guesses
        best = ahead.best(left, legal)
        ways = Hindsight(game, hard=hard, weights=np.array(weights) if weighted else None)
        for guess in game.guesses[:: 3 if weighted else 5]:
            found = looked(game, guess, ways)
            assert found.exact and found.least == pytest.approx(float(min(best.values())))
            assert {game.guesses[g] for g, v in found.best if v == found.least} == set(best)
            assert found.yours == pytest.approx(float(ahead.expected(guess, left, legal)))


@pytest.mark.parametrize(("few", "many"), [(0, 10**6), (0, 0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_near_bounds(monkeypatch: pytest.MonkeyPatch, few: int, many: int, weighted: bool) -> None:
    """A beam, and entropy one guess ahead: never below the truth, and of equal secrets near it."""
    monkeypatch.setattr(hindsight, "MOST_EXACT", few)
    monkeypatch.setattr(hindsight, "MOST_BEAMED", many)
    for game in worlds(5):
        weights = np.arange(1.0, len(game.secrets) + 1) if weighted else np.ones(len(game.secrets))
        ahead = Ahead(game.guesses, dict(zip(game.secrets, weights.tolist(), strict=True)))
        left, legal = frozenset(game.secrets), game.guesses
        least = float(min(ahead.best(left, legal).values()))
        guess = game.guesses[len(game.guesses) // 2]
        found = looked(game, guess, Hindsight(game, weights=weights if weighted else None))
        assert not found.exact and least - 1e-9 <= found.least <= least + 0.5
        assert found.yours is not None
        mine = float(ahead.expected(guess, left, legal))
        assert max(mine, found.least) - 1e-9 <= found.yours <= mine + 0.7


def test_weighted_totals_by_brute_force() -> None:
    dice = random.Random(5)
    for game in worlds(6):
        some = sorted(dice.sample(range(len(game.secrets)), min(7, len(game.secrets))))
        weights = [dice.choice([1.0, 1.0, 2.0, 10.0, 0.125]) for _ in some]
        secrets = [game.secrets[at] for at in some]
        ahead = Ahead(game.guesses, dict(zip(secrets, weights, strict=True)))
        left, legal = frozenset(secrets), game.guesses
        problem = Problem(game, within=None, candidates=tuple(some))
        known = ProvedTotals(problem, np.array(weights))
        best = ahead.best(left, legal)
        assert {game.guesses[guess] for guess in known.best()} == set(best)
        for guess in game.guesses:
            exact = float(ahead.expected(guess, left, legal))
            assert known.total(game.guess_id(guess)) == pytest.approx(exact)
        assert len(known.best(3)) >= min(3, len(game.guesses))
        least = float(min(best.values()))
        assert min(known.best(3).values()) == pytest.approx(least)


def test_weights_and_ties() -> None:
    game = game_of(["abide", "crane", "raise", "slate", "stare"])
    known = ProvedTotals(Problem(game, within=None), np.ones(5))
    totals = sorted(known.total(guess) for guess in range(5))
    assert sorted(known.best(5).values()) == pytest.approx(totals)
    game = game_of(["crane", "slate", "fuzzy", "abide"], ["crane", "slate", "abide"])
    for weights in (None, np.array([1.0, 2.0, 3.0])):
        found = looked(game, "fuzzy", Hindsight(game, weights=weights))
        assert found.yours == pytest.approx(found.least + 1)
    known = ProvedTotals(Problem(game, within=None), np.array([1.0, 2.0, 3.0]))
    assert known.total(game.guess_id("fuzzy")) == pytest.approx(min(known.best().values()) + 1)


@given(st.lists(st.tuples(st.integers(0, 20), st.floats(0, 1e6)), min_size=1, max_size=300))
def test_means_are_summed_from_left_to_right(pairs: list[tuple[int, float]]) -> None:
    """In the same order on every processor, so that they have the same last digit."""
    total = 0.0
    for value, chance in pairs:
        total += value * chance
    values, chances = (np.array(column) for column in zip(*pairs, strict=True))
    assert mean_of(values, chances) == total


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_as_the_engine_that_searches_guess_after_guess(seed: int) -> None:
    dice = random.Random(seed)
    game = some_world(dice, 3, 40)
    whole = tuple(dice.choice([1, 1, 2, 9, 50]) for _ in game.secrets)
    context = SearchContext(Problem(game, within=None, weights=whole))
    theirs = {guess: context.value(at, NEVER).bound for guess, at in context.column_of.items()}
    ours = ProvedTotals(Problem(game, within=None), np.array(whole, dtype=np.float64))
    some = sorted(theirs.values())[:3]
    best = {guess: round(value * sum(whole)) for guess, value in ours.best(3).items()}
    assert best == {guess: value for guess, value in theirs.items() if value <= some[-1]}
    for guess in dice.sample(sorted(theirs), min(3, len(theirs))):
        assert round(ours.total(guess) * sum(whole)) == theirs[guess]


def test_effort_and_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that takes long is given up: a forecast is none then, hindsight is a bound."""
    game = alike(5, 400, 150)
    weights = np.arange(1.0, 151.0)
    with pytest.raises(CouldNotFinishError):
        ProvedTotals(Problem(game, within=None), weights, effort=0).best()
    monkeypatch.setattr(advice_module, "_WEIGHTED_EFFORT", 0)
    advice = advice_module.suggest(game, (), weights=weights)
    assert advice_module.weighted_forecast(game, (), advice, [], weights) is None
    monkeypatch.undo()
    known = advice_module.weighted_forecast(game, (), advice, list(game.guesses[:3]), weights)
    assert known is not None and known.weighted and known.within is None
    state = ProvedTotals(Problem(game, within=None), weights)
    assert known.mean == pytest.approx(min(state.best().values()))
    for word, total in known.totals.items():
        assert total == pytest.approx(state.total(game.guess_id(word)) * 150)
    bound = Hindsight(game, weights=weights, time_limit=0.0).look(all_secrets(game))
    assert not bound.exact and known.mean is not None and bound.least >= known.mean - 1e-9


def test_legal_guesses_alone_in_hard_mode() -> None:
    game = alike(9, 200, 80)
    secret, guess = 3, 17
    score = int(game.score_rows(np.array([guess], dtype=np.int32))[0, secret])
    row = game.score_rows(np.array([guess], dtype=np.int32))[0]
    left = np.flatnonzero(row == score).astype(np.int32)
    steps = [(guess, score)]
    weights = np.arange(1.0, 81.0)[left]
    state = ProvedTotals(Problem(game, True, None, tuple(left.tolist()), tuple(steps)), weights)
    assert set(state.best(5)) <= set(legal_after(game, steps).tolist())


def brute_force(game: Game, hard: bool) -> dict[int, int]:
    """The totals of all guesses that tell something."""
    values = enumerate(truth(game, game.secrets, None, hard))
    return {at: total for at, total in values if tells(game, game.guesses[at], game.secrets)}


@pytest.mark.plain
@settings(max_examples=20)
@given(small_games, st.booleans(), st.integers(1, 3))
def test_the_best_totals_are_those_of_brute_force(game: Game, hard: bool, top: int) -> None:
    known, search = brute_force(game, hard), ProvedTotals(Problem(game, hard, None))
    last = sorted(known.values())[:top][-1]
    best = search.best(top)
    assert best == {guess: total for guess, total in known.items() if total <= last}
    for guess, total in known.items():
        assert search.total(guess) == total


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("interval", [1, 2_000_000])
def test_whole_hard_buckets(hard: bool, interval: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted or not, the search finds what that for the best first guess finds."""
    monkeypatch.setattr(totals, "_CHECK_INTERVAL", interval)
    game, dice = load_game("nyt-2023"), random.Random(1)
    for word, reply in (("slate", "bbbbb"), ("mamma", "bybbb"), ("fuzzy", "bybbb")):
        history = ((game.guess_id(word), game.parse_score(reply)),)
        left = hindsight_candidates(game, history)
        problem = Problem(game, hard, None, tuple(left.tolist()), history)
        legal = legal_after(game, history) if hard else np.arange(len(game.guesses))
        guess = int(dice.choice(legal.tolist()))
        searched = ProvedTotals(problem)
        best, yours = searched.best(hindsight.TOP), searched.total(guess)
        known, own = hindsight._searched_long(problem, guess, lambda: None)
        assert min(best.values()) == min(known.values()) and yours == own
        assert {g for g, total in best.items() if total == min(best.values())} == {
            g for g, total in known.items() if total == min(known.values())
        }
        assert len(best) >= hindsight.TOP


def hindsight_candidates(game: Game, history: tuple[tuple[int, int], ...]) -> np.ndarray:
    left = all_secrets(game)
    for guess, score in history:
        row = game.score_rows(np.array([guess], dtype=np.int32), left)[0]
        left = left[row == score]
    return left[:120]


@pytest.mark.plain
@settings(max_examples=20)
@given(small_games, st.booleans(), st.integers(1, 3), st.integers(0, 2**16))
def test_a_beam_takes_the_same_all_at_once(game: Game, hard: bool, width: int, seed: int) -> None:
    table = score_table_of(game, hard)
    state = state_of(all_secrets(game), UNLIMITED)
    column = seed % len(game.guesses)
    value = Beam(table, width).value_of_state(state)
    best = value.guess
    found = Beam(table, width).totals(state, column)
    own, beam = state.size, Beam(table, width)
    for bucket in buckets_of(table, state, column):
        own += beam.value_of_state(bucket).bound
    assert found == (value.bound, best, value.bound if column == best else own)
    assert Beam(table, width).totals(state) == (value.bound, best, value.bound)
