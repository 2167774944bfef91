"""Branch and bound, the capacity of states, and losses counted alone, against brute force."""

import contextlib
import random
from string import ascii_lowercase

import pytest

from solver.exact.best_strategy import NextWords
from solver.exact.kernels.lemmas import LOSS, NEVER
from solver.exact.losses import EFFORT, LeastLosses, LossesCounted, rank, word_families
from solver.exact.problem import GuessBounds, Problem, SearchContext
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from strategy.solving.optimal import strategy_of_answer
from strategy.solving.search import Question
from tests.support import refused
from tests.support.naive_exact import NOTHING_FOUND, UNLIMITED, Value, values_of_guesses
from tests.support.worlds import game_of, of_few_letters

World = tuple[WordleGame, Problem, dict[str, Value]]


def drawn_world(seed: int) -> World:
    """Rhymes among random words, all or some of them hidden; the value of every first guess."""
    dice = random.Random(seed)
    rhymes = {f"{letter}zz" for letter in dice.sample("abcdefghij", dice.randint(2, 9))}
    others = {"".join(dice.choices("abcdez", k=3)) for _ in range(dice.randint(3, 12))}
    words = sorted(rhymes | others)
    secrets = words if seed % 3 else sorted(dice.sample(words, 2 * len(words) // 3))
    limit, hard = (2, 3, 4, 1, None)[seed % 5], seed % 2 == 1
    game = game_of(words, secrets)
    truth = values_of_guesses(words, secrets, limit or UNLIMITED, hard)
    telling = {word: value for word, value in truth.items() if value != NOTHING_FOUND}
    return game, Problem(game, hard, limit, losses=True), telling


@pytest.mark.parametrize("seed", range(30))
def test_every_guess_as_brute_force_says(seed: int) -> None:
    game, problem, truth = drawn_world(seed)
    state = GuessBounds(len(truth))
    rank(SearchContext(problem), state)
    found = {game.guesses[guess]: (v // LOSS, v % LOSS) for guess, v, exact in state.table()}
    assert found == truth
    context = SearchContext(problem)
    for column in context.columns:
        value = context.value(column, problem.highest_value)
        word = game.guesses[int(context.table.guess[column])]
        seen = value.exact, *divmod(value.bound, LOSS)
        assert word not in truth or seen == (True, *truth[word])


@pytest.mark.parametrize("seed", range(30))
def test_bounds_by_capacity_hold(seed: int) -> None:
    game, problem, truth = drawn_world(seed)
    context = SearchContext(problem)
    listed = context.engine.listed(context.state)
    bounds = {game.guesses[context.table.guess[column]]: bound for bound, column in listed}
    assert sorted(bounds.values()) == [bound for bound, _ in listed]
    assert set(truth) <= set(bounds)
    for word, (losses, total) in truth.items():
        assert bounds[word] <= losses * LOSS + total


@pytest.mark.parametrize(("rhymes", "limit"), [
    *((20, limit) for limit in (2, 5, 9, None)), (6, 4), (7, 3), (8, 6), (9, 2), (10, 5),
])  # fmt: skip
@pytest.mark.parametrize("hard", [False, True])
def test_of_rhymes_the_bound_is_the_value(rhymes: int, limit: int | None, hard: bool) -> None:
    game = game_of([f"{letter}zzz" for letter in ascii_lowercase[:rhymes]])
    problem = Problem(game, hard, limit, losses=True)
    context = SearchContext(problem)
    bound, column = context.engine.listed(context.state)[0]
    value = context.engine.branch(context.state, NEVER, column)
    losses = 0 if limit is None else rhymes - limit
    assert (value.exact, value.bound) == (True, bound)
    assert divmod(value.bound, LOSS) == (losses, rhymes * (rhymes + 1) // 2)
    assert context.value(context.columns[0], problem.highest_value) == value


def test_limits_are_kept() -> None:
    """Asked for less than the value, branch and bound says that it is more."""
    for seed in range(40):
        _, problem, truth = drawn_world(seed)
        context = SearchContext(problem)
        losses, total = min(truth.values())
        value = losses * LOSS + total
        for limit in (value - 1, value):
            found = context.engine.branch(context.state, limit)
            assert found.exact == (limit == value) and found.bound <= value
            assert found.bound > limit or found.exact
            context.engine.forget()


# --- losses alone -------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("effort", [0, EFFORT])
def test_losses_alone(seed: int, effort: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fewest are found; without effort what is known is a bound."""
    monkeypatch.setattr("solver.exact.engine._BRANCHED", effort or 1)
    _, problem, truth = drawn_world(seed)
    losses = min(truth.values())[0]
    monkeypatch.setattr("solver.exact.losses.EFFORT", effort)
    monkeypatch.setattr("solver.exact.losses.FAMILY", 4)
    fewer = LossesCounted(SearchContext(problem))
    fewer.settle(len(problem.secrets), 1)
    assert fewer.least <= losses
    assert effort == 0 or (fewer.least == losses and fewer.tree is not None)


def test_families_share_a_letter_in_a_place_and_no_word() -> None:
    dice = random.Random(5)
    for _ in range(50):
        words = ["".join(dice.choices("abcd", k=4)) for _ in range(dice.randint(1, 40))]
        most = dice.randint(2, 9)
        found = word_families(words, most)
        rows = [row for family in found for row in family]
        assert len(rows) == len(set(rows))
        for family in found:
            assert 2 <= len(family) <= most
            assert any(len({words[row][place] for row in family}) == 1 for place in range(4))


def bound_and_losses(search: LeastLosses, problem: Problem, start: str) -> tuple[int, int]:
    """What is proved of the losses after a first guess, and those of the strategy."""
    assert problem.within is not None
    answer = search.answer()
    question = Question(problem.game, (start,), "losses", problem.within, problem.hard)
    strategy, _ = strategy_of_answer(question, answer)
    assert answer.lower_bound is not None
    return answer.lower_bound, len(strategy.beyond(problem.within))


def check_losses_after(problem: Problem, start: str, losses: int) -> None:
    search = LeastLosses(problem, start)
    search.settle()
    assert bound_and_losses(search, problem, start) == (losses, losses)


@pytest.mark.parametrize("seed", range(0, 80, 3))
def test_losses_after_a_first_guess_are_proved(seed: int) -> None:
    _, problem, truth = drawn_world(seed)
    for word in random.Random(seed).sample(sorted(truth), 3) if problem.within else ():
        check_losses_after(problem, word, truth[word][0])


@pytest.mark.parametrize("seed", range(60, 72))
@pytest.mark.parametrize("hard", [False, True])
def test_losses_among_few_letters(seed: int, hard: bool) -> None:
    game, limit = of_few_letters(random.Random(seed), "abcdef", 24, 2), 2 + seed % 3
    truth = values_of_guesses(game.guesses, game.secrets, limit, hard)
    word = random.Random(seed).choice([w for w in game.guesses if truth[w] != NOTHING_FOUND])
    check_losses_after(Problem(game, hard, limit, losses=True), word, truth[word][0])


@pytest.mark.long
def test_one_secret_is_lost_after_lares() -> None:
    """Published: the rule leaves 35 beyond six, and no strategy solves all. One is the least."""
    check_losses_after(Problem(load_game(secrets="allowed"), False, 6, losses=True), "lares", 1)


@pytest.mark.parametrize("looks", [0, 1, 3, 10])
def test_whoever_has_no_time_gets_a_bound(looks: int) -> None:
    """Broken off at any look at the clock, after a first guess and in the middle of a game."""
    words = [f"{a}{b}zz" for a in "abcdef" for b in "abcdef"] + [f"{c}zzz" for c in "ghijklmn"]
    calls = -1_000_000  # the clock starts when the search does

    def over() -> None:
        nonlocal calls
        calls += 1
        if calls > looks:
            raise OutOfTimeError("over")

    problem = Problem(game_of(words), True, 3, losses=True)
    search = LeastLosses(problem, "gzzz", over)
    calls = 0
    refused(OutOfTimeError, "", search.settle)
    bound, losses = bound_and_losses(search, problem, "gzzz")
    assert 0 <= bound <= losses
    calls = 0
    words_first = NextWords(problem, 2, over, effort=None)
    with contextlib.suppress(OutOfTimeError):
        words_first.settle()
    best = words_first.best()
    assert words_first.least_losses <= best[0].losses


# --- which words are suggested ------------------------------------------------------------
@pytest.mark.parametrize("limit", [2, 5])
def test_words_that_tell_nothing_are_not_suggested(limit: int) -> None:
    """Ten places are asked for, and fewer words tell anything."""
    words = ["aab", "aac", "aad", "aae", "xxx", "yyy", "zzz", "bcd"]
    game = game_of(words, ["aab", "aac", "aad", "aae"])
    search = NextWords(Problem(game, False, limit), 10)
    search.settle()
    assert search.proved
    assert {opener.word for opener in search.best()} == {"aab", "aac", "aad", "aae", "bcd"}
