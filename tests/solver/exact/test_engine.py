"""Branch and bound, hard buckets, losses alone: by brute force, and what is known is kept.

What is done to one state (memo, split, glance, list, beam) is held against plain twins, each step.
Frames and ``search`` have no twin of their own: the searches go through them.
"""

import contextlib
import random
from collections.abc import Callable, Iterable
from itertools import product
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact.best_strategy import NextWords
from solver.exact.engine import Engine
from solver.exact.first_guesses import promising, search_context, solved_whole
from solver.exact.kernels import (
    beam,
    guess_race,
    guess_values,
    lemmas,
    search,
    search_frames,
    state_search,
)
from solver.exact.kernels import memo as memos
from solver.exact.kernels import state as states
from solver.exact.kernels.guess_values import HARD, OPEN, Batch
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.memo import State
from solver.exact.kernels.score_table import ScoreTable, is_legal, revealed_by
from solver.exact.kernels.search_frames import Workspace
from solver.exact.kernels.state_search import ASKING, BOUND, DONE, EXACT, HEIGHT, TOTAL
from solver.exact.kernels.table_vectors import Rows
from solver.exact.losses import EFFORT, LeastLosses, LossesCounted, rank, word_families
from solver.exact.problem import GuessBounds, Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import NOTHING_REVEALED, Beam, HardBucket, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from solver.machine.jit import kernel
from solver.tree import Tree
from solver.words.lists import named_list
from strategy.solving.optimal import strategy_of_answer
from strategy.solving.search import Question
from tests.support import raising, refused
from tests.support.exact_worlds import rhymes_among_others
from tests.support.naive_exact import NOTHING_FOUND, values_of_guesses
from tests.support.proof_worlds import made_up
from tests.support.trees import taken
from tests.support.worlds import alike, all_secrets, game_of, made_up_games, of_few_letters

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
    least_first = promising(context, 2000, forks=True)
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


World = tuple[list[str], ScoreTable, states.Scratch, states.State]


_sort = kernel(lambda stack, begin, end: search_frames.sort_by_bound(stack, begin, end))  # noqa: PLW0108


@kernel
def _list_plainly(work: search_frames.Workspace, state: states.State, width: int) -> int:
    return int(beam._list_plainly(work, state, width, 0))


@kernel
def _list_short(work: search_frames.Workspace, beaming: beam.Beaming, state: states.State) -> int:
    return int(beam._list_short(work, beaming, state, work.stack.ceilings[0], 0))


def drawn_world(seed: int, most: int = 30) -> World:
    """Random words, all of them hidden, and some of them as a state; in hard mode a bucket."""
    dice = random.Random(seed)
    words = sorted({"".join(dice.choices("abcde", k=3)) for _ in range(dice.randint(8, most))})
    table = score_table_of(game_of(words), hard=seed % 2 == 1)
    rows = sorted(dice.sample(range(len(words)), dice.randint(3, len(words))))
    column = dice.randrange(len(words))
    if table.hard:
        rows = np.flatnonzero(table.scores[column] == table.scores[column, rows[0]]).tolist()
    scratch = states.new_scratch(table, search_frames.nesting(len(words)))
    scratch.members[: len(rows)] = rows
    shown = revealed_by(table, [column], rows[0])
    left = dice.choice([2, 3, 5, UNLIMITED])
    state = memos.State(scratch.members, 0, len(rows), lemmas.guesses_left(left, len(rows)), shown)
    return words, table, scratch, state


def test_memo_is_a_dictionary_that_may_forget() -> None:
    _, table, _, _ = drawn_world(1)
    memo, truth = memos.memo_of(table, 6), {}
    dice = np.random.default_rng(2)
    for bound in range(300):
        size, left = int(dice.integers(1, 6)), int(dice.integers(1, 4))
        rows = np.sort(dice.choice(len(table.column), size, replace=False)).astype(np.int32)
        shown = dice.integers(0, 2, 4).astype(np.uint64)
        at = memos.State(np.concatenate([rows[:1], rows]), 1, size, left, shown)
        if memo.used[0] == len(memo.facts):
            memos.forget(memo)
            truth.clear()
        key = rows.tobytes(), left, shown.tobytes()
        assert list(memos.known(memo, at)) == truth.get(key, [-1, 0, -1])
        memos.note(memo, at, bound, bound & 1, 7)
        truth[key] = [bound, bound & 1, 7]


def test_states_of_one_hash_are_told_apart() -> None:
    """Sets of rows without random words; what is revealed, where both change one bit of it."""
    memo = memos.new_memo(np.zeros(9, dtype=np.uint64), 8, 2)
    shown = np.array([[0, 0], [1 << 60, 0], [0, 1 << 60]], dtype=np.uint64)
    sets = ((np.array(it, dtype=np.int32), len(it)) for it in ([1], [2], [1, 2], [1, 3]))
    asked = [State(rows, 0, size, 3, it) for (rows, size), it in product(sets, shown)]
    for bound, at in enumerate(asked):
        assert memos.known(memo, at)[0] == -1
        memos.note(memo, at, bound, 0, 7)
    assert [memos.known(memo, at)[0] for at in asked] == [*range(len(asked))]


@pytest.mark.parametrize("seed", range(20))
def test_a_split_puts_the_larger_buckets_in_order(seed: int) -> None:
    _, table, scratch, state = drawn_world(seed)
    rows = state.members[: state.size].copy()
    for column in np.flatnonzero(table.guess >= 0).tolist():
        scores = table.scores[column, rows]
        truth = [rows[scores == score].tolist() for score in np.unique(scores)]
        _, count = states.split(table, None, scratch, state, column, state.size)
        ends = zip(scratch.starts[:count], scratch.sizes[:count], strict=True)
        found = [scratch.members[start : start + size].tolist() for start, size in ends]
        assert sorted(found) == sorted(bucket for bucket in truth if len(bucket) > 2)
        assert [len(b) for b in found] == sorted(map(len, found), reverse=True)


@pytest.mark.parametrize("seed", range(40))
def test_a_glance_is_a_lower_bound(seed: int) -> None:
    words, table, scratch, state = drawn_world(seed, 16)
    rows = state.members[: state.size].tolist()
    pairs = zip(table.column, words, strict=True)
    legal = [w for c, w in pairs if not table.hard or is_legal(table, c, state.revealed)]
    naive = values_of_guesses(legal, [words[row] for row in rows], state.left, table.hard)
    losses, total = min(naive.values())
    memo = memos.memo_of(table, 8)
    asked = table, memo, scratch, table.parts, state, NEVER, state.size
    for _ in range(2):  # the second time from the memo
        bound, exact, _ = states.quick_bound(*asked)
        assert bound <= losses * LOSS + total
        assert exact == 0 or bound == losses * LOSS + total


def bounds_by_parts(table: ScoreTable, state: states.State) -> dict[int, int]:
    """Legal guesses that tell something, and what they take at least by lemma 2."""
    rows = state.members[: state.size]
    truth = {}
    for column in np.flatnonzero(table.guess >= 0).tolist():
        parts, hit = len(np.unique(table.scores[column, rows])), int(table.secret[column] in rows)
        if parts > 1 and is_legal(table, column, state.revealed):
            truth[column] = lemmas.least_by_parts(1, state.size, parts, hit, state.left)
    return truth


@pytest.mark.parametrize("seed", range(20))
def test_guesses_are_listed_within_a_limit_or_by_their_bounds(seed: int) -> None:
    _, table, scratch, state = drawn_world(seed)
    memo, stack = memos.memo_of(table, 8), search_frames.new_stack(table)
    work = search_frames.Workspace(table, memo, scratch, stack)
    truth = bounds_by_parts(table, state)
    for limit in (2 * state.size, 3 * state.size - 4, NEVER):
        end = search.list_guesses(work, None, table.parts.copy(), state, limit, 0)
        found = dict(zip(stack.columns[:end].tolist(), stack.bounds[:end].tolist(), strict=True))
        assert found == {column: bound for column, bound in truth.items() if bound <= limit}
    for left in (1, 2, UNLIMITED):
        here = state._replace(left=left)
        bounds = bounds_by_parts(table, here)
        for most in (1, 5, len(bounds)):
            count = _list_short(work, beam.new_beaming(table, memo, 1, most), here)
            assert stack.columns[:count].tolist() == sorted(bounds, key=bounds.__getitem__)[:most]
        rows = state.members[: state.size]
        squares = {it: (np.bincount(table.scores[it, rows]) ** 2).sum() for it in bounds}
        order = sorted(bounds, key=lambda it: (bounds[it], squares[it], it))
        for width in (1, 2, 5):
            assert stack.columns[: _list_plainly(work, here, width)].tolist() == order[:width]


def test_lists_are_sorted_as_python_sorts() -> None:
    dice, (_, table, _, _) = random.Random(3), drawn_world(2)
    stack = search_frames.new_stack(table, longest=80)
    for count in (0, 1, 2, 3, 7, 8, 9, 64, 77):
        bounds = [dice.randrange(10) for _ in range(count)]
        stack.bounds[5 : 5 + count], stack.columns[5 : 5 + count] = bounds, range(count)
        _sort(stack, 5, 5 + count)
        order = sorted(range(count), key=lambda k: bounds[k])
        assert stack.columns[5 : 5 + count].tolist() == order
        assert stack.bounds[5 : 5 + count].tolist() == sorted(bounds)


@pytest.mark.parametrize("seed", range(30))
def test_a_beam_is_an_upper_bound_and_the_widest_exact(seed: int) -> None:
    words, table, _, state = drawn_world(seed, 14)
    everyone = state_of(np.arange(len(words), dtype=np.int32), state.left)
    beams = (Beam(table, width) for width in (1, 2, 3, len(words)))
    values = [it.value_of_state(everyone).bound for it in beams]
    assert values == sorted(values, reverse=True)
    assert values[-1] == brute_force(game_of(words), state.left, table.hard)


small_games = made_up_games(max_words=9, longest=5)


def brute_force(game: Game, left: int, hard: bool = False) -> int:
    """The least value of all guesses."""
    losses, total = min(values_of_guesses(game.guesses, game.secrets, left, hard).values())
    return losses * LOSS + total


def searched(engine: Engine, state: State, near: int, hopeless: int) -> tuple[int, int]:
    """The value of a state, and how often it was asked whether it is hopeless."""
    task, asked, step = engine._task, 0, -1
    state_search.begin_state(task, state, NEVER, near, 0)
    while step != DONE:
        step = state_search.search_state(engine._work, task)
        if step == ASKING:
            asked += 1
            state_search.answer_task(engine.table, task, hopeless)
    assert task.place[EXACT] == 1
    return int(task.place[BOUND]), asked


@pytest.mark.plain
@settings(max_examples=30)
@given(small_games, st.booleans(), st.integers(1, 4), st.sampled_from([1, 40, 2_000_000]))
def test_values_are_those_of_brute_force(game: Game, hard: bool, left: int, interval: int) -> None:
    truth, members = brute_force(game, left, hard), all_secrets(game)
    state = State(members, 0, len(members), left, NOTHING_REVEALED)
    for near in (-1, 0, 2 * len(members)):
        engine = Engine(score_table_of(game, hard), 10)
        engine._task.interval[1] = interval
        value, asked = searched(engine, state, near, int(truth >= LOSS))
        assert value == truth and asked <= int(near >= 0)


@pytest.mark.plain
@settings(max_examples=30)
@given(small_games, st.booleans(), st.sampled_from([0, 40, 2_000_000]))
def test_strategies_attain_their_values(game: Game, hard: bool, budget: int) -> None:
    engine, state = Engine(score_table_of(game, hard), 10), state_of(all_secrets(game), 9)
    value = engine.value_of_state(state)
    plan = engine._plan
    state_search.begin_plan(plan, state)
    while not state_search.plan_state(engine._work, plan, budget):
        pass
    tree = engine.plan(state)
    assert plan.place[TOTAL] == value.bound == brute_force(game, 9, hard)
    assert plan.place[HEIGHT] == tree.height
    assert sorted(tree.guess) == sorted(engine.table.guess[plan.nodes[0, : len(tree)]].tolist())


@pytest.mark.plain
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 4)), max_size=9), st.integers(0, 4))
def test_the_next_bucket_that_is_too_deep(buckets: list[tuple[int, int]], most: int) -> None:
    deep = [(size, at) for at, (size, height) in enumerate(buckets) if height > most]
    sizes, heights = np.array(buckets, dtype=np.int64).reshape(-1, 2).T.copy()
    expected = min(deep)[1] if deep else -1
    assert state_search.next_too_deep(sizes, heights, most) == expected


@pytest.mark.parametrize("count", [2, 3, 7])
@pytest.mark.parametrize("left", [1, 2, 5])
def test_a_bound_in_a_gap_is_raised_to_the_least_with_a_loss_more(count: int, left: int) -> None:
    for losses in range(count):
        most = count * left + losses * (losses + 1) // 2
        least = (losses + 1) * LOSS + 2 * count - 1
        for total in (0, 1, most, most + 1, most + 1000, LOSS - 1):
            bound = losses * LOSS + total
            assert lemmas.next_value(1, count, left, bound) == (bound if total <= most else least)
            assert lemmas.next_value(0, count, left, bound) == bound
    beyond = count * LOSS + LOSS - 1
    assert lemmas.next_value(1, count, left, beyond) == beyond
    assert lemmas.next_value(1, count, UNLIMITED, LOSS - 1) == LOSS - 1


@pytest.mark.parametrize("seed", range(6))
def test_no_value_of_a_state_is_skipped(seed: int) -> None:
    game = made_up(seed, 12, 6)
    for left in (1, 2, 3):
        value = brute_force(game, left)
        for bound in (0, value // LOSS * LOSS, value - 1, value):
            assert bound <= lemmas.next_value(1, len(game.secrets), left, bound) <= value
