"""Totals of next words, quick or proved, weighted too; what guesses were worth: brute force."""

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import hindsight, totals
from solver.advice import suggest as advice_module
from solver.advice.hindsight import Hindsight, Insight
from solver.advice.suggest import MOST_FORECAST, Forecast, candidates_after, forecast, suggest
from solver.advice.totals import Best, ExactTotals, MeasuredState, ProvedTotals, QuickTotals
from solver.choices import MEASURES
from solver.errors import CouldNotFinishError
from solver.exact.kernels.lemmas import NEVER, UNLIMITED
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import Beam, buckets_of, state_of
from solver.game.game import Game
from solver.game.wordle import legal_after
from solver.splits.measures import mean_of
from strategy import cheat_sheet, load_game
from tests.support import PLAIN, naive, naive_exact, refused
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


@pytest.mark.plain
@settings(max_examples=20 if PLAIN else 50)
@given(small_games, st.sampled_from([None, 2, 3, 4]), st.booleans(), st.integers(1, 3))
def test_totals_are_those_of_brute_force(
    game: Game, limit: int | None, hard: bool, top: int
) -> None:
    """Those within a limit; and, without one, the best, by the search of one state to the end."""
    exact = ExactTotals(game, [MeasuredState.of(game, all_secrets(game))], limit, hard=hard)
    search, known = ProvedTotals(Problem(game, hard, None)), {}
    endless = truth(game, game.secrets, None, hard)
    for guess, total in enumerate(truth(game, game.secrets, limit, hard)):
        if tells(game, game.guesses[guess], game.secrets):
            assert exact.total(guess) == (None if total < 0 else total)
            known[guess] = endless[guess]
    last = sorted(known.values())[:top][-1]
    best = {guess: total for guess, total in known.items() if total <= last}
    assert search.best(top) == best
    assert {guess: search.total(guess) for guess in known} == known


@settings(max_examples=30)
@given(small_games, st.sampled_from([None, 3, 4]))
def test_states_that_share_a_guess(game: Game, limit: int | None) -> None:
    states = [tuple(state) for state in naive.split(game.guesses[0], game.secrets).values()]
    exact = ExactTotals(game, measured(game, states), limit)
    sums = {}
    for guess, parts in enumerate(zip(*(truth(game, it, limit) for it in states), strict=True)):
        if all(tells(game, game.guesses[guess], it) for it in states) and min(parts) >= 0:
            sums[guess] = sum(parts)
            assert exact.total(guess) == sums[guess]
    best = exact.best()
    assert best.proved
    assert not sums or (best.total is not None and best.total <= min(sums.values()))
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
    first = cheat_sheet(game, "fuzzy", group="hits", rule="optimal", time_limit=-1).rows[0]
    assert first.claim == "bound" and first.word in game.guesses
    game = load_game("nyt-2023")
    left = candidates_after(game, game.parse_state("crane bbbbb"))
    found = Hindsight(game, time_limit=1e-9).look(left, (), game.guess_id("sloth"))
    assert not found.exact and found.least == pytest.approx(1046 / 358, abs=0.05)
    # A word with more than 255 scores against the secrets: entropy, one guess ahead.
    dice = random.Random(1)
    game = game_of(sorted({"".join(dice.choices("abcdefgh", k=8)) for _ in range(600)}))
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
    for spec, state in (("3x4", "112 1,1"), ("4x6:distinct", "1234 1,1")):
        found = forecast_of(load_game(spec=f"mastermind:{spec}"), state, within=None)
        totals = [total for total in found.totals.values() if total is not None]
        assert found.least is not None and found.least <= min(totals)


def looked(game: Game, guess: str, ways: Hindsight) -> Insight:
    return ways.look(all_secrets(game), (), game.guess_id(guess))


def worlds(count: int) -> list[Game]:
    dice = random.Random(11)
    return [some_world(dice, 6, 24) for _ in range(count)]


def ahead_of(
    game: Game, weights: Sequence[float], hard: bool = False, secrets: Sequence[str] = ()
) -> tuple[dict[str, float], Callable[[str], float]]:
    """The best first guesses with the mean that they attain; the mean of any guess."""
    secrets = secrets or game.secrets
    ahead = Ahead(game.guesses, dict(zip(secrets, weights, strict=True)), hard)
    left, legal = frozenset(secrets), game.guesses
    best = {word: float(value) for word, value in ahead.best(left, legal).items()}
    return best, lambda guess: float(ahead.expected(guess, left, legal))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("hard", [False, True])
def test_exact_values_by_brute_force(hard: bool, weighted: bool) -> None:
    dice = random.Random(12)
    for game in worlds(18 if weighted else 6):
        weights = [dice.randint(1, 9) / 8 if weighted else 1.0 for _ in game.secrets]
        best, mean = ahead_of(game, weights, hard)
        ways = Hindsight(game, hard=hard, weights=np.array(weights) if weighted else None)
        for guess in game.guesses[:: 3 if weighted else 5]:
            found = looked(game, guess, ways)
            assert found.exact and found.least == pytest.approx(min(best.values()))
            assert {game.guesses[g] for g, v in found.best if v == found.least} == set(best)
            assert found.yours == pytest.approx(mean(guess))


@pytest.mark.parametrize(("few", "many"), [(0, 10**6), (0, 0)])
@pytest.mark.parametrize("weighted", [False, True])
def test_near_bounds(monkeypatch: pytest.MonkeyPatch, few: int, many: int, weighted: bool) -> None:
    """A beam, and entropy one guess ahead: never below the truth, and of equal secrets near it."""
    monkeypatch.setattr(hindsight, "MOST_EXACT", few)
    monkeypatch.setattr(hindsight, "MOST_BEAMED", many)
    for game in worlds(5):
        weights = np.arange(1.0, len(game.secrets) + 1) if weighted else np.ones(len(game.secrets))
        best, mean = ahead_of(game, weights.tolist())
        guess, least = game.guesses[len(game.guesses) // 2], min(best.values())
        found = looked(game, guess, Hindsight(game, weights=weights if weighted else None))
        most = least + (0.5 if weighted or not many else 0.02)  # a beam is nearer
        assert not found.exact and least - 1e-9 <= found.least <= most
        assert found.yours and found.yours >= max(mean(guess), found.least) - 1e-9
        assert found.yours <= mean(guess) + 0.7


def test_weighted_totals_by_brute_force() -> None:
    dice = random.Random(5)
    for game in worlds(6):
        some = sorted(dice.sample(range(len(game.secrets)), min(7, len(game.secrets))))
        weights = [dice.choice([1.0, 1.0, 2.0, 10.0, 0.125]) for _ in some]
        best, mean = ahead_of(game, weights, secrets=[game.secrets[at] for at in some])
        problem = Problem(game, within=None, candidates=tuple(some))
        known = ProvedTotals(problem, np.array(weights))
        assert {game.guesses[guess] for guess in known.best()} == set(best)
        for guess in game.guesses:
            assert known.total(game.guess_id(guess)) == pytest.approx(mean(guess))
        assert len(known.best(3)) >= min(3, len(game.guesses))
        assert min(known.best(3).values()) == pytest.approx(min(best.values()))


def test_weights_and_ties() -> None:
    game = game_of(["abide", "crane", "raise", "slate", "stare"])
    known = ProvedTotals(Problem(game, within=None), np.ones(5))
    totals = sorted(known.total(guess) for guess in range(5))
    assert sorted(known.best(5).values()) == pytest.approx(totals)
    game = game_of(["crane", "slate", "fuzzy", "abide"], ["crane", "slate", "abide"])
    weights = np.array([1.0, 2.0, 3.0])
    for ways in (Hindsight(game), Hindsight(game, weights=weights)):
        found = looked(game, "fuzzy", ways)
        assert found.yours == pytest.approx(found.least + 1)
    known = ProvedTotals(Problem(game, within=None), weights)
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
    problem, unit = Problem(game, within=None, weights=whole), sum(whole)
    context = SearchContext(problem)
    theirs = {guess: context.value(at, NEVER).bound for guess, at in context.column_of.items()}
    ours = ProvedTotals(Problem(game, within=None), np.array(whole, dtype=np.float64))
    last = sorted(theirs.values())[:3][-1]
    best = {guess: round(value * unit) for guess, value in ours.best(3).items()}
    assert best == {guess: value for guess, value in theirs.items() if value <= last}
    for guess in dice.sample(sorted(theirs), min(3, len(theirs))):
        assert round(ours.total(guess) * unit) == theirs[guess]


def test_effort_and_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that takes long is given up: a forecast is none then, hindsight is a bound."""
    game = alike(5, 400, 150)
    weights = np.arange(1.0, 151.0)
    search = ProvedTotals(Problem(game, within=None), weights, effort=0)
    refused(CouldNotFinishError, "takes long", search.best)
    monkeypatch.setattr(advice_module, "_WEIGHTED_EFFORT", 0)
    advice = suggest(game, (), weights=weights)
    assert advice_module.weighted_forecast(game, (), advice, [], weights) is None
    bound = Hindsight(game, weights=weights, time_limit=0.0).look(all_secrets(game))
    least = min(ProvedTotals(Problem(game, within=None), weights).best().values())
    assert not bound.exact and bound.least >= least - 1e-9


def test_weighted_forecasts_in_the_middle_of_a_game() -> None:
    """Of words that differ in a letter hard mode finds one after the other, the likeliest first."""
    game, least = load_game(), dict[bool, float]()
    history, weights = game.parse_state("batch bgggg"), np.arange(1.0, len(game.secrets) + 1)
    steps = tuple((game.guess_id(word), score) for word, score in history)
    for hard in (False, True):
        advice = suggest(game, history, hard=hard, weights=weights)
        words, count = advice.words_to_try(3, False), len(advice.secrets)
        found = advice_module.weighted_forecast(game, history, advice, words, weights, hard=hard)
        assert found is not None and found.weighted and found.within is None and found.least
        problem = Problem(game, hard, None, tuple(advice.candidates.tolist()), steps)
        search, least[hard] = ProvedTotals(problem, weights[advice.candidates]), found.least
        assert found.least == pytest.approx(min(search.best().values()) * count)
        for word, total in found.totals.items():
            assert total == pytest.approx(search.total(game.guess_id(word)) * count)
        assert not hard or set(search.best(5)) <= set(legal_after(game, steps).tolist())
    own = sorted(weights[advice.candidates].tolist(), reverse=True)
    one_by_one = sum(k * weight for k, weight in enumerate(own, 1)) / sum(own) * count
    assert least[False] < least[True] == pytest.approx(one_by_one)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("interval", [1, 2_000_000])
def test_whole_hard_buckets(hard: bool, interval: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted or not, the search finds what that for the best first guess finds."""
    monkeypatch.setattr(totals, "_CHECK_INTERVAL", interval)
    game, dice = load_game("nyt-2023"), random.Random(1)
    for word, reply in (("slate", "bbbbb"), ("mamma", "bybbb"), ("fuzzy", "bybbb")):
        history = ((game.guess_id(word), game.parse_score(reply)),)
        left = candidates_after(game, game.parse_state(f"{word} {reply}"))[:120]
        problem = Problem(game, hard, None, tuple(left.tolist()), history)
        legal = legal_after(game, history) if hard else np.arange(len(game.guesses))
        guess = int(dice.choice(legal.tolist()))
        searched = ProvedTotals(problem)
        best, yours = searched.best(hindsight.TOP), searched.total(guess)
        known, own = hindsight._searched_long(problem, guess, lambda: None)
        assert yours == own and len(best) >= hindsight.TOP
        first, second = (
            {guess for guess, total in it.items() if total == min(best.values())}
            for it in (best, known)
        )
        assert first == second and min(known.values()) == min(best.values())


@pytest.mark.plain
@settings(max_examples=20)
@given(small_games, st.booleans(), st.integers(1, 3), st.integers(0, 2**16))
def test_a_beam_takes_the_same_all_at_once(game: Game, hard: bool, width: int, seed: int) -> None:
    table, state = score_table_of(game, hard), state_of(all_secrets(game), UNLIMITED)
    column, beam = seed % len(game.guesses), Beam(table, width)
    value = Beam(table, width).value_of_state(state)
    own = state.size
    for bucket in buckets_of(table, state, column):
        own += beam.value_of_state(bucket).bound
    expected = (value.bound, value.guess, value.bound if column == value.guess else own)
    assert Beam(table, width).totals(state, column) == expected
    assert Beam(table, width).totals(state) == (*expected[:2], value.bound)


def check_quick(game: Game, state: str, limit: int | None, hard: bool) -> None:
    history = game.parse_state(state)
    advice = suggest(game, history, hard=hard)
    rows, before = advice.table.rows, [game.guess_id(word) for word, _ in history]
    quick = QuickTotals(game, advice.candidates, rows, hard=hard, before=before)
    states = [MeasuredState.of(game, advice.candidates)]
    exact = ExactTotals(game, states, limit, hard=hard, before=before)
    assert quick.best(limit, 1000) == exact.best(rows["guess"])
    telling = rows[(rows["parts"] > 1) | rows["candidate"]]["guess"][: 3 if before else None]
    assert quick.totals(telling.tolist()) == {
        guess: exact.total(guess) for guess in telling.tolist()
    }


@settings(max_examples=30)
@given(small_games, st.sampled_from([None, 2, 3, 4]), st.booleans())
def test_totals_are_those_of_the_exact_search(game: Game, limit: int | None, hard: bool) -> None:
    check_quick(game, "", limit, hard)


def test_quick_totals_of_real_words() -> None:
    """Without effort the least total is not proved."""
    game, state = load_game(), "sigma xxxxx tenor xpppx"
    check_quick(game, state, 4, False)
    check_quick(game, "batch bgggg", 4, True)
    advice = suggest(game, game.parse_state(state))
    found = QuickTotals(game, advice.candidates, advice.table.rows).best(None, 0)
    assert found == Best(found.total, found.guesses, proved=False) and len(found.guesses) == 1


@settings(max_examples=20)
@given(made_up_games(max_words=12))
def test_ties_have_their_order(game: Game) -> None:
    for by in MEASURES:
        advice = suggest(game, (), by=by)
        common = {game.guesses[guess] for guess in advice.common}
        keys = [
            (row["rank"], not row["candidate"], row["word"] not in common, row["word"])
            for row in advice.table.records()
        ]
        assert keys == sorted(keys)
