"""Branch and bound, hard buckets, losses alone: by brute force, and what is known is kept."""

import contextlib
import random
from collections.abc import Callable, Iterable
from string import ascii_lowercase

import numpy as np
import pytest

from solver.exact.best_strategy import NextWords
from solver.exact.engine import Engine
from solver.exact.first_guesses import promising, search_context, solved_whole
from solver.exact.kernels import guess_race, guess_values
from solver.exact.kernels.guess_values import HARD, OPEN, Batch
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.memo import State
from solver.exact.kernels.search_frames import Workspace
from solver.exact.kernels.table_vectors import Rows
from solver.exact.losses import EFFORT, LeastLosses, LossesCounted, rank, word_families
from solver.exact.problem import GuessBounds, Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import HardBucket, state_of
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from solver.tree import Tree
from solver.words.lists import named_list
from strategy.solving.optimal import strategy_of_answer
from strategy.solving.search import Question
from tests.support import raising, refused
from tests.support.exact_worlds import rhymes_among_others
from tests.support.naive_exact import NOTHING_FOUND, values_of_guesses
from tests.support.trees import taken
from tests.support.worlds import alike, game_of, of_few_letters

#: Enough that some buckets are not settled at a glance.
_SECRETS = 200


def leave_all(work: object, batch: Batch, state: object, limit: int) -> None:
    """Every bucket that is not known at a glance is hard."""
    known = batch.buckets.state[0, : batch.buckets.number[0]]
    known[known == OPEN] = HARD


def settle_by(monkeypatch: pytest.MonkeyPatch, settle: Callable[..., None]) -> None:
    """Have the easy buckets of first guesses settled in another way."""

    def settle_guess(work: Workspace, batch: Batch, state: State, column: Rows, limit: int) -> None:
        guess_values.screen(work, batch, state, column, limit)
        if batch.buckets.total[0] <= limit:
            settle(work, batch, state, limit)

    monkeypatch.setattr(guess_race, "settle_guess", settle_guess)
    for name in ("begin_guess", "go_on_screening"):
        kernel = getattr(guess_race, name)
        plain = getattr(kernel, "py_func", kernel)
        monkeypatch.setattr(guess_race, name, plain)


class Counting(Engine):
    searches = 0

    def narrow(self, state: State) -> Engine:  # type: ignore[override]
        self.searches += 1
        return super().narrow(state)


def total_of(game: WordleGame, tree: Tree, rows: Iterable[int]) -> int:
    """What a strategy takes for some secrets, whose rows stand for scores."""
    return sum(taken(game, Problem(game).graded(tree), [game.secrets[row] for row in rows]))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("left", [3, 5, UNLIMITED])
def test_hard_buckets_are_kept(monkeypatch: pytest.MonkeyPatch, hard: bool, left: int) -> None:
    settle_by(monkeypatch, leave_all)
    game = alike(left % 7, 250, _SECRETS)
    table = score_table_of(game, hard)
    state = state_of(np.arange(_SECRETS, dtype=np.int32), left)
    dice = random.Random(left)
    engine = Counting(table, 12)
    columns = dice.sample(range(len(game.guesses)), 8)
    for column in columns:
        fresh = Engine(table, 12)
        truth = fresh.value_of_guess(state, column)
        assert truth.exact
        for limit in (truth.bound - dice.randint(1, 5), truth.bound - 1):
            below = engine.value_of_guess(state, column, limit)
            assert not below.exact and limit < below.bound <= truth.bound
        assert engine.value_of_guess(state, column) == truth
        before = engine.searches
        assert engine.value_of_guess(state, column) == truth
        assert engine.searches == before
        if truth.bound < LOSS:
            value, tree = engine.plan_of_guess(state, column)
            assert value == truth and total_of(game, tree, state.members) == truth.bound
    assert engine.searches > 0


def test_bounds_of_more_guesses_than_a_batch_has() -> None:
    game = alike(3, 60, 40)
    table, state = score_table_of(game, False), state_of(np.arange(40, dtype=np.int32), 4)
    columns = np.flatnonzero(table.guess >= 0).astype(np.int32)
    engines = (Engine(table, 12, batch=batch) for batch in (1, 7, len(columns)))
    bounds = [engine.screen(state, columns, NEVER).tolist() for engine in engines]
    assert bounds[0] == bounds[1] == bounds[2] and len(set(bounds[0])) > 1


# --- tables of ceilings
@pytest.mark.parametrize("hard", [False, True])
def test_bounds_are_the_same_whatever_tables_were_counted_before(hard: bool) -> None:
    words = named_list("original", "answers").words
    problem = Problem(game_of(words, words[:400]), hard)
    context, plain = SearchContext(problem), SearchContext(problem)
    least_first = promising(context, 2000)
    bounds = plain.bounds(context.columns[: len(least_first)], 2000).tolist()
    assert least_first == sorted(zip(bounds, context.columns, strict=False))
    mine, theirs = context.engine.ceilings, plain.engine.ceilings
    counted = mine.taken[0]
    assert counted > 50
    for engine in (context.engine, plain.engine):
        engine.forget()
    theirs.place[:], theirs.taken[0] = -1, 0
    some = context.columns[::7]
    assert np.array_equal(context.bounds(some, 2000), plain.bounds(some, 2000))
    both = np.argwhere((mine.place >= 0) & (theirs.place >= 0))
    assert len(both) > 50
    for marks in map(tuple, both):
        assert np.array_equal(mine.tables[mine.place[marks]], theirs.tables[theirs.place[marks]])


#: All secrets of a small world.
_FEW = 80


@pytest.fixture
def all_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """The buckets of 25 and more of first guesses are searched as problems, if not known at once.

    Of guesses below them only hard ones are.
    """
    settled = guess_values.settle_buckets

    def settle_below(work: Workspace, batch: Batch, state: State, limit: int) -> None:
        (leave_all if state.size == _FEW else settled)(work, batch, state, limit)

    settle_by(monkeypatch, settle_below)
    plain = getattr(guess_race.limit_of_race, "py_func", guess_race.limit_of_race)
    monkeypatch.setattr(guess_race, "limit_of_race", plain)
    monkeypatch.setattr(guess_race, "_LARGE", 25)
    monkeypatch.setattr(guess_race, "_NEAR_BOUND", 1 << 20)


@pytest.mark.usefixtures("all_large")
@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("within", [3, 5, None])
@pytest.mark.parametrize("seed", [1, 2])
def test_values_are_those_of_deepening(hard: bool, within: int | None, seed: int) -> None:
    game = alike(seed, 120, _FEW)
    context = search_context(Problem(game, hard, within))
    highest = context.problem.highest_value
    for column in random.Random(seed).sample(context.columns, 4):
        truth = Engine(context.table, 14).value_of_guess(context.state, column).bound
        context.engine.forget()
        value = context.value(column, highest)
        assert value.exact == (truth <= highest)
        assert value.bound == truth if value.exact else highest < value.bound <= truth
        if value.exact:
            below = context.value(column, truth - 1)
            assert not below.exact and below.bound == truth
            context.engine.forget()
            again, tree = context.plan(column, highest)
            assert again == value and total_of(game, tree, context.members) == truth


@pytest.mark.usefixtures("all_large")
def test_a_large_state_is_a_problem_of_its_own() -> None:
    """Rows of a state of a state: candidates, values, limits and strategies are those below."""
    words = named_list("original", "answers").words
    context = search_context(Problem(game_of(words[:300], words[:120]), within=None))
    scores = context.table.scores[context.columns[-1]]  # the guess that tells least
    rows = np.flatnonzero(scores == np.argmax(np.bincount(scores))).astype(np.int32)[1:]
    assert len(rows) > 40
    state = state_of(rows, UNLIMITED, context.revealed)
    truth = Engine(context.table, 14).value_of_state(state)
    above = context.problem, context.engine
    value, tree = solved_whole(*above, HardBucket(state, 0, LOSS - 1))
    assert value == truth
    assert total_of(context.problem.game, tree, rows) == truth.bound
    column = int(np.flatnonzero(context.table.guess == value.guess)[0])
    assert Engine(context.table, 14).value_of_guess(state, column) == truth
    value, tree = solved_whole(*above, HardBucket(state, 0, truth.bound - 1))
    assert (value.bound, value.exact, value.guess) == (truth.bound, False, -1)
    assert not tree.guess


@pytest.mark.slow(14)
@pytest.mark.parametrize(("word", "total"), [
    ("jumpy", 8803), pytest.param("fuzzy", 9183, marks=pytest.mark.long),
    pytest.param("qajaq", 9496, marks=pytest.mark.long),
])  # fmt: skip
def test_openers_that_leave_most_secrets_together(word: str, total: int) -> None:
    from strategy import load_game, optimal

    found = optimal(load_game("original"), start=[word], within=None, workers=1)
    assert found.proved and found.strategy is not None and found.strategy.total == total


@pytest.mark.parametrize("seed", range(40))
def test_every_guess_as_brute_force_says(seed: int) -> None:
    """Bounds by capacity hold; asked for less than the value, the search says that it is more."""
    game, problem, truth = rhymes_among_others(seed)
    context, state = SearchContext(problem), GuessBounds(len(truth))
    rank(context, state)
    found = {game.guesses[guess]: (v // LOSS, v % LOSS) for guess, v, exact in state.table()}
    assert found == truth
    context = SearchContext(problem)
    listed = context.engine.listed(context.state)
    bounds = {game.guesses[context.table.guess[column]]: bound for bound, column in listed}
    assert sorted(bounds.values()) == [bound for bound, _ in listed]
    assert set(truth) <= set(bounds)
    for column in context.columns:
        word = game.guesses[int(context.table.guess[column])]
        if word in truth:
            losses, total = truth[word]
            value = context.value(column, problem.highest_value)
            assert (value.exact, value.bound) == (True, losses * LOSS + total)
            assert bounds[word] <= value.bound
    losses, total = min(truth.values())
    value = losses * LOSS + total
    for limit in (value - 1, value):
        context.engine.forget()
        branched = context.engine.branch(context.state, limit)
        assert branched.exact == (limit == value) and branched.bound <= value
        assert branched.bound > limit or branched.exact


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


@pytest.mark.parametrize("seed", range(24))
@pytest.mark.parametrize("effort", [0, EFFORT])
def test_losses_alone(seed: int, effort: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fewest are found; without effort what is known is a bound."""
    monkeypatch.setattr("solver.exact.engine._BRANCHED", effort or 1)
    _, problem, truth = rhymes_among_others(seed)
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
            letters = zip(*(words[row] for row in family), strict=True)
            assert 2 <= len(family) <= most and any(len(set(it)) == 1 for it in letters)


def bound_and_losses(search: LeastLosses, problem: Problem, start: str) -> tuple[int, int]:
    """What is proved of the losses after a first guess, and those of the strategy."""
    answer = search.answer()
    question = Question(problem.game, (start,), "losses", problem.within, problem.hard)
    strategy, _ = strategy_of_answer(question, answer)
    assert answer.lower_bound is not None and problem.within is not None
    return answer.lower_bound, len(strategy.beyond(problem.within))


def check_losses_after(problem: Problem, start: str, losses: int) -> None:
    search = LeastLosses(problem, start)
    search.settle()
    assert bound_and_losses(search, problem, start) == (losses, losses)


@pytest.mark.parametrize("seed", range(0, 80, 3))
def test_losses_after_a_first_guess_are_proved(seed: int) -> None:
    _, problem, truth = rhymes_among_others(seed)
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
    clock: list[Callable[[], None]] = [raising(OutOfTimeError("over"), 10**9)]

    def look() -> None:
        clock[0]()

    problem = Problem(game_of(words), True, 3, losses=True)
    search = LeastLosses(problem, "gzzz", look)
    clock[0] = raising(OutOfTimeError("over"), looks)  # it starts when the search does
    refused(OutOfTimeError, "", search.settle)
    bound, losses = bound_and_losses(search, problem, "gzzz")
    assert 0 <= bound <= losses
    words_first = NextWords(problem, 2, raising(OutOfTimeError("over"), looks), effort=None)
    with contextlib.suppress(OutOfTimeError):
        words_first.settle()
    assert words_first.least_losses <= words_first.best()[0].losses


@pytest.mark.parametrize("limit", [2, 5])
def test_words_that_tell_nothing_are_not_suggested(limit: int) -> None:
    """Ten places are asked for, and fewer words tell anything."""
    words = ["aab", "aac", "aad", "aae", "xxx", "yyy", "zzz", "bcd"]
    game = game_of(words, ["aab", "aac", "aad", "aae"])
    search = NextWords(Problem(game, False, limit), 10)
    search.settle()
    assert search.proved
    assert {opener.word for opener in search.best()} == {"aab", "aac", "aad", "aae", "bcd"}
