"""First guesses are raced and settled the same by any number of workers, whole or resumed.

And what their screening relies on: ceilings, counts of many states, bounds. ``guess_values`` has no
twin of its own: the values of guesses that it gives are held against brute force.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError
from solver.exact import first_guesses
from solver.exact.best_strategy import best_strategy
from solver.exact.engine import ceilings_of
from solver.exact.first_guesses import batch_sizes, batches, in_turn, shares
from solver.exact.kernels import ceilings as kernels
from solver.exact.kernels import guess_race
from solver.exact.kernels.guess_values import split_guess
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.memo import State, known
from solver.exact.kernels.score_table import reveal
from solver.exact.kernels.state import new_scratch
from solver.exact.kernels.table_vectors import BLOCK_COLUMNS
from solver.exact.problem import BATCH, Answer, GuessBounds, Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import TopValues
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.mastermind import mastermind_game
from solver.game.score_matrix import letter_shares, letters_in, place_sets, take_apart
from solver.machine.pool import Pool
from solver.words.lists import named_list
from strategy.files import strategy_file
from strategy.solving.optimal import optimal, strategy_of_answer
from strategy.solving.search import Question, read_checkpoint, save_checkpoint
from tests.support import raising
from tests.support.naive import Made, NaiveRace, legal_after, marks, split
from tests.support.naive_exact import values_of_guesses
from tests.support.worlds import EVERYTHING, alike, game_of, made_up_games, real_games

#: Enough guesses for several batches, few enough secrets for a quick search.
SMALL_BATCH = 256
GUESSES, SECRETS = 3 * SMALL_BATCH + 50, 150


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several for each of several workers, and for one."""
    monkeypatch.setattr(first_guesses, "BATCH", SMALL_BATCH)


@cache
def problem_of(seed: int, objective: str, hard: bool, within: int | None) -> Problem:
    guesses = random.Random(seed).sample(EVERYTHING, GUESSES)
    game = game_of(guesses, guesses[:SECRETS])
    return Problem(game, hard, within, losses=objective == "losses")


Case = tuple[int, str, bool, int | None]
CASES: list[Case] = [
    (1, "total", False, 6), (2, "total", True, None), (3, "losses", False, 3),
    (4, "losses", True, 3),
]  # fmt: skip
TOP = 3


@cache
def alone(case: Case) -> Answer:
    """The answer of one process that was left in peace."""
    return best_strategy(problem_of(*case), top=TOP)


def file_of(case: Case, answer: Answer) -> bytes:
    _, objective, hard, within = case
    question = Question(problem_of(*case).game, (), objective, within, hard)
    strategy, _ = strategy_of_answer(question, answer)
    return strategy_file.to_bytes(strategy)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers(case: Case, workers: int) -> None:
    shared = best_strategy(problem_of(*case), top=TOP, workers=workers)
    assert shared == alone(case) and file_of(case, shared) == file_of(case, alone(case))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("objective", "within"), [("total", 6), ("losses", 3), ("worst", 6)])
def test_one_proof_for_any_number_of_workers(objective: str, within: int, tmp_path: Path) -> None:
    words = problem_of(1, "total", False, 6).game.guesses
    game = game_of(words, words[:30])
    for workers in (1, 2):
        proof = tmp_path / f"{workers}"
        found = optimal(game, objective=objective, within=within, workers=workers, proof=proof)
        assert found.proof_written
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("platform", ["linux", pytest.param("elsewhere", marks=pytest.mark.slow)])
def test_hard_buckets_may_be_shared(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The buckets of SALET that are left for last; elsewhere workers begin with nothing."""
    problem = Problem(load_game())
    mine = best_strategy(problem, ["salet"])
    monkeypatch.setattr("sys.platform", platform)
    handed_out: list[int] = []
    run = Pool.run

    def watched(pool: Pool[Any, Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        handed_out.extend(task.state.size for task in tasks)
        return run(pool, tasks)

    monkeypatch.setattr(Pool, "run", watched)
    assert best_strategy(problem, ["salet"], workers=2) == mine
    assert len(handed_out) > 1 and handed_out == sorted(handed_out, reverse=True)


def laid_aside(problem: Problem, path: Path) -> GuessBounds:
    """What a search knows that takes up a file, if there is one."""
    state = GuessBounds(TOP, problem.highest_value)
    if (findings := read_checkpoint(path, problem)) is not None:
        state.add_all(findings.found)
    return state


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("case", "workers"), [*((case, 1) for case in CASES), (CASES[0], 2), (CASES[1], 2)]
)
def test_a_search_that_is_broken_off_is_continued(case: Case, workers: int, tmp_path: Path) -> None:
    """Broken off again and again, laid aside and taken up from the file each time."""
    problem, path = problem_of(*case), tmp_path / "aside"
    for attempt in range(100):
        state = laid_aside(problem, path)
        error = KeyboardInterrupt() if attempt % 2 else CouldNotFinishError("out of time")
        try:
            answer = best_strategy(
                problem, top=TOP, workers=workers, state=state, progress=raising(error, 1 + attempt)
            )
            break
        except (KeyboardInterrupt, CouldNotFinishError):
            known = dict(state.found)
            save_checkpoint(path, problem, state)
        assert path.exists() and laid_aside(problem, path).found == known
    else:
        pytest.fail("it never ends")
    assert attempt >= 1
    assert answer == alone(case) and file_of(case, answer) == file_of(case, alone(case))


WORDS = named_list("original", "answers").words[::4]
FEW_WORDS, FEW_CODES = game_of(WORDS, WORDS[:60]), mastermind_game("mastermind:3x4")


@pytest.mark.parametrize("game", [FEW_WORDS, FEW_CODES], ids=["words", "codes"])
@pytest.mark.parametrize("workers", [1, 2, 7, 1000])
def test_shares_hold_every_guess_once_in_the_order_given(game: Game, workers: int) -> None:
    context = SearchContext(Problem(game, within=None))
    for columns in (context.columns, context.columns[:3], []):
        found = shares(context, columns, workers)
        assert len(found) == workers
        assert sorted(column for share in found for column in share) == sorted(columns)
        assert all(share == sorted(share) for share in found)


def test_guesses_of_equal_letters_are_in_one_share() -> None:
    context = SearchContext(Problem(FEW_WORDS, within=None))
    letters: dict[frozenset[str], set[int]] = {}
    for at, share in enumerate(shares(context, context.columns, 3)):
        assert share  # something is left for everybody
        for column in share:
            word = FEW_WORDS.guesses[context.table.guess[column]]
            letters.setdefault(frozenset(word), set()).add(at)
    torn = [word for word, found in letters.items() if len(found) > 1]
    assert len(torn) <= 2  # where one share ends and another begins
    assert len(letters) < len(context.columns)


def test_batches_of_all_shares_come_in_turn() -> None:
    """They are smaller where others may help."""
    assert max(batch_sizes(1)) == BATCH == max(batch_sizes(2)) > batch_sizes(2)[0]
    assert batches(range(5), (2,)) == [range(2), range(2, 4), range(4, 5)]
    assert batches(range(9), (1, 2, 5)) == [range(1), range(1, 3), range(3, 8), range(8, 9)]
    assert batches(range(2), (5, 2)) == [range(2)] and batches([], (2,)) == []
    assert in_turn([batches([1, 2, 3], (1,)), batches([4], (1,)), []]) == [[1], [4], [2], [3]]


small_games = made_up_games(max_words=9, longest=5)
#: What the naive race calls the tasks of the kernel.
KINDS = {
    "bound": guess_race.BOUNDING, "patiently": guess_race.PATIENTLY, "quickly": guess_race.QUICKLY,
}  # fmt: skip


def tasks_of_kernel(
    made: Made, columns: list[int], guess: list[int], top: int, highest: int, together: int
) -> Iterator[tuple[int, list[int]]]:
    """The tasks of a race of made-up guesses, in turn."""
    order, numbers = np.array(columns, dtype=np.int32), np.array(guess, dtype=np.int32)
    race = guess_race.new_race(order, numbers, top, highest, together)
    while (task := guess_race.next_task(race)) != guess_race.SETTLED:
        chosen = race.chosen[: race.place[guess_race.CHOSEN]].copy()
        yield task, chosen.tolist()
        if task == guess_race.BOUNDING:
            totals = np.array([made.bounds[column] for column in chosen], dtype=np.int64)
            guess_race.answer_bounding(race, totals)
        else:
            last = int(race.values[-1])
            limit = highest if last == guess_race.EMPTY else last
            found = [
                made.screened(it, limit, task == guess_race.PATIENTLY) for it in chosen.tolist()
            ]
            bounds = np.array([bound for bound, _ in found], dtype=np.int64)
            exact = np.array([exact for _, exact in found], dtype=np.uint8)
            guess_race.note_guesses(race, chosen, bounds, exact)
    values = sorted(made.values[it] for it in columns if made.values[it] <= highest)
    assert [it for it in race.values.tolist() if it != guess_race.EMPTY] == values[:top]


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(60))
def test_the_order_is_the_naive_one(seed: int) -> None:
    dice = random.Random(seed)
    count = dice.choice([0, 1, 3, 40, 150, 300])
    made, top = Made(dice, count + 5), dice.choice([1, 1, 2, 5])
    highest, together = dice.choice([NEVER, LOSS - 1, 25, 11, 5]), dice.choice([1, 7, 64])
    columns = sorted(dice.sample(range(count + 5), count))
    guess = dice.sample(range(count + 5), count + 5)
    naive = NaiveRace(columns, guess, top, highest, together)
    expected = [
        (KINDS[kind], chosen)
        for kind, chosen in naive.tasks(made.bounds.__getitem__, made.screened)
    ]
    found = list(tasks_of_kernel(made, columns, guess, top, highest, together))
    assert found == expected
    assert len(found) <= 2 * count + 3 and (guess_race.PROMISING, guess_race.PACEMAKERS) == (128, 3)


def searched(
    context: SearchContext, top: int, budget: int, patient: bool
) -> dict[str, tuple[int, bool]]:
    """What a screening of all first guesses finds, interrupted after so much work."""
    engine, problem = context.engine, context.problem
    work, batch, task = engine._work, engine._batch, engine._guess  # type: ignore[union-attr]
    members = context.members
    state = State(members, 0, len(members), problem.left, context.revealed)
    screening = guess_race.new_screening(len(context.columns), top)
    columns = np.array(context.columns, dtype=np.int32)
    highest = problem.highest_value
    guess_race.begin_screening(work, batch, state, screening, columns, highest, patient)
    step = -1
    while step != guess_race.SCREENED:
        step = guess_race.go_on_screening(work, batch, state, screening, task, budget)
        if step == guess_race.WAITING:
            engine._answer_bucket(state)  # type: ignore[union-attr]
    return {
        problem.game.guesses[context.table.guess[column]]: (int(total), exact == 1)
        for column, total, exact in zip(columns, screening.totals, screening.exact, strict=False)
    }


@pytest.mark.plain
@settings(max_examples=12)
@given(
    small_games, st.booleans(), st.integers(2, 4), st.integers(1, 3), st.sampled_from([0, 1 << 40])
)
def test_values_by_brute_force(game: Game, hard: bool, left: int, top: int, budget: int) -> None:
    values = values_of_guesses(game.guesses, game.secrets, left, hard)
    truth = {word: losses * LOSS + total for word, (losses, total) in values.items()}
    context = SearchContext(Problem(game, hard, left))
    words = [game.guesses[context.table.guess[column]] for column in context.columns]
    refuted = partial(context.limit_check.refutes_guess, context.state)
    top_values, columns = TopValues(top, LOSS - 1, tight=True), np.array(context.columns, "i4")
    by_kernel = searched(SearchContext(context.problem), top, budget, True)
    for refutes in (never, refuted):
        engine = SearchContext(context.problem).engine
        screened = engine.screened(context.state, columns, top_values, True, refutes)
        guesses = [game.guesses[context.table.guess[column]] for column, _, _ in screened]
        found = {word: tuple(known[1:]) for word, known in zip(guesses, screened, strict=True)}
        assert refutes is refuted or found == by_kernel
        assert set(found) == set(words)
        places = sorted(truth[word] for word in words if truth[word] < LOSS)[:top]
        limit = places[-1] if len(places) == top else LOSS - 1
        for word, (bound, exact) in found.items():
            assert bound == truth[word] if exact else bound <= truth[word]
            assert exact or bound > limit or truth[word] > limit
        assert sorted(bound for bound, exact in found.values() if exact)[:top] == places


def never(column: int) -> bool:
    return False


@settings(max_examples=16)
@given(real_games(least=60, most=200), st.booleans())
def test_interruptions_make_no_difference(game: Game, hard: bool) -> None:
    often, once = (SearchContext(Problem(game, hard)) for _ in range(2))
    for patient in (False, True):
        found = searched(often, 1, 0, patient)
        assert found == searched(once, 1, 1 << 40, patient)


def test_findings_are_filed_under_the_candidates_of_their_bucket() -> None:
    context = SearchContext(Problem(alike(9, 600, 500), False, 5))
    engine, columns = context.engine, np.array(context.columns, dtype=np.int32)
    work, batch, task = engine._work, engine._batch, engine._guess
    state = State(context.members, 0, len(context.members), 5, context.revealed)
    screening, buckets, asked = guess_race.new_screening(len(columns), 1), batch.buckets, 0
    guess_race.begin_screening(work, batch, state, screening, columns, NEVER, False)
    for column in columns[-20:].tolist():
        guess_race.begin_guess(work, batch, state, task, column, NEVER)
        while guess_race.next_bucket(work, batch, state, task):
            k = task.place[guess_race.BUCKET]
            start, size, least = buckets.start[0, k], buckets.size[0, k], int(buckets.bound[0, k])
            rows = buckets.rows[0, start : start + size].copy()
            guess_race.answer_bucket(work, batch, state, task, least + 5, 0, -1)
            own = State(rows, 0, size, 4, task.after)
            assert known(work.memo, own) == (least + 5, 0, -1)
            asked += 1
    assert asked > 2


@pytest.mark.plain
def test_which_states_are_raced() -> None:
    plain = SearchContext(Problem(game_of(["crane", "slate"]))).table
    hard, free = plain._replace(hard=True), plain._replace(price=0)
    limit = guess_race.limit_of_race
    assert limit(plain, 127, 5, 300, 0, LOSS - 1) == -1 == limit(free, 128, 5, 300, 0, LOSS - 1)
    assert limit(plain, 128, 5, 300, 0, 332) == -1 != limit(plain, 128, 5, 300, 0, 333)
    assert limit(plain, 128, 5, 300, 333, 333) == -1
    assert limit(plain, 128, 5, 300, 0, NEVER) == LOSS - 1
    assert limit(hard, 128, 5, 300, 0, NEVER) == -1 != limit(hard, 128, 5, 300, 0, LOSS - 1)
    assert limit(hard, 128, UNLIMITED, 300, 0, NEVER) == NEVER


@pytest.mark.plain
@settings(max_examples=40)
@given(made_up_games(longest=6))
def test_marks_are_numbered_by_who_bears_them(game: Game) -> None:
    assert game.letters is not None
    words = game.letters
    apart, own = take_apart(words), words[game.secret_ids]
    shares = letter_shares(game.length, game.score_dtype)
    sets = place_sets(own, letters_in(words))
    mark, bears = kernels.number_marks(sets, apart.first, apart.places, shares)
    known: dict[tuple[int, ...], int] = {}
    expected = np.zeros((len(apart.letter), len(own)), dtype=np.int32)
    for row in range(1, len(apart.letter)):
        letter, places = apart.letter[row], apart.places[row]
        adds = [int(shares[places, where]) for where in sets[letter]]
        for share in dict.fromkeys(adds):
            bearers = tuple(k for k, it in enumerate(adds) if it == share)
            number = known.setdefault(bearers, len(known))
            expected[row, list(bearers)] = number
    assert (mark == expected).all() and len(bears) == len(known)
    for bearers, number in known.items():
        assert np.flatnonzero(bears[number]).tolist() == list(bearers)
    both = np.empty((len(known), len(known)), dtype=np.int32)
    kernels.count_both(bears, both)
    counts = bears.astype(np.int32)
    assert (both == counts @ counts.T).all()


def parts(guess: str, secrets: Sequence[str]) -> int:
    return len(split(guess, secrets))


def bound_of_bucket(bucket: list[str], legal: list[str]) -> int:
    """Lemma 2 over all guesses."""
    if len(bucket) <= 2:
        return 2 * len(bucket) - 1
    return min(3 * len(bucket) - parts(word, bucket) - (word in bucket) for word in legal)


@pytest.mark.parametrize("seed", range(3))
def test_ceilings_are_never_below_the_parts(seed: int) -> None:
    game = alike(seed, 150, 130)
    context = SearchContext(Problem(game))
    table = context.table
    ceilings = ceilings_of(game, table, game.secret_ids)
    word_of = [game.guesses[game.secret_ids[row]] for row in range(len(table.column))]
    lowered = 0
    for column in context.columns[::10]:
        guess = game.guesses[table.guess[column]]
        for bucket in split(guess, game.secrets).values():
            row = word_of.index(bucket[0])
            kernels.want_marks(table, ceilings, column, row)
            kernels.count_wanted(table, ceilings)
            ceiling = np.zeros_like(table.parts)
            kernels.start_ceiling(table, context.revealed, ceiling)
            kernels.lower_to_marks(table, ceilings, column, row, ceiling)
            lowered += int((ceiling < table.parts).sum())
            for other in context.columns[:: 1 if len(bucket) > 8 else 12]:
                assert ceiling[other] >= parts(game.guesses[table.guess[other]], bucket)
    assert lowered > 1000


def test_without_space_for_tables_ceilings_are_higher() -> None:
    game = alike(5, 60, 60)
    table, column = score_table_of(game, False), 0
    plenty, none_left = (ceilings_of(game, table, game.secret_ids) for _ in range(2))
    none_left = none_left._replace(tables=none_left.tables[:1])
    tight, loose = (np.full_like(table.parts, 255) for _ in range(2))
    for ceilings, lowered in ((plenty, tight), (none_left, loose)):
        kernels.want_marks(table, ceilings, column, 0)
        kernels.count_wanted(table, ceilings)
        kernels.lower_to_marks(table, ceilings, column, 0, lowered)
    assert (tight <= loose).all() and (tight < 255).any()
    assert none_left.taken.tolist() == [1]
    kernels.make_space(none_left)
    assert none_left.taken.tolist() == [0] and none_left.place.max() == -1


def test_tables_that_do_not_fit_together_are_counted_in_turn() -> None:
    game = alike(17, 80, 70)
    table = score_table_of(game, False)
    plenty, short = (ceilings_of(game, table, game.secret_ids) for _ in range(2))
    short = short._replace(members=np.zeros(70, dtype=np.int32))
    for ceilings in (plenty, short):
        for column, row in product(np.flatnonzero(table.guess >= 0)[:30], range(0, 70, 7)):
            kernels.want_marks(table, ceilings, int(column), row)
        kernels.count_wanted(table, ceilings)
    count = plenty.taken[0]
    assert count > 10 and short.taken[0] == count
    assert (short.place == plenty.place).all()
    assert (short.tables[:count] == plenty.tables[:count]).all()


@pytest.mark.parametrize("hard", [False, True])
def test_ceilings_of_64_guesses_are_those_of_all(hard: bool) -> None:
    """What tells of 64 guesses at once agrees with the ceilings of all guesses of the bucket."""
    game = alike(9, 150, 130)
    context = SearchContext(Problem(game, hard=hard))
    table, ceilings = context.table, ceilings_of(game, context.table, game.secret_ids)
    shared = kernels.new_shared_count(table, 1, 1)
    for column in context.columns[:40:5]:
        buckets = context.engine._buckets
        split_guess(table, context.members, column, 6, buckets, 0)
        row, size = int(buckets.rows[0, 0]), int(buckets.size[0, 0])
        kernels.want_marks(table, ceilings, column, row)
        kernels.count_wanted(table, ceilings)
        shown = np.zeros(4, dtype=np.uint64)
        reveal(table, column, row, context.revealed, shown)
        whole = np.zeros_like(table.parts)
        kernels.start_ceiling(table, shown, whole)
        kernels.lower_to_marks(table, ceilings, column, row, whole)
        places = np.zeros(kernels.TABLES, dtype=np.int32)
        kernels.tables_of(ceilings, column, row, places)
        short = np.full(kernels.TABLES, 9, dtype=np.int32)
        kernels.tables_of(ceilings, column, row, short[:2])
        assert short.tolist() == [*places[:2].tolist(), *[9] * (kernels.TABLES - 2)]
        for at in range(0, len(whole), BLOCK_COLUMNS):
            need = int(whole[at : at + BLOCK_COLUMNS].max())
            bits = int(kernels.hopeful_in(table, ceilings, places, shown, at, max(need, 1)))
            expected = [lane for lane in range(BLOCK_COLUMNS) if whole[at + lane] >= max(need, 1)]
            assert [lane for lane in range(BLOCK_COLUMNS) if bits >> lane & 1] == expected
            assert (ceilings.lanes == whole[at : at + BLOCK_COLUMNS])[expected].all()
        kernels.enter_marks(ceilings, shared, 0, column, row, shown)
        most = max(1, min(whole.max(), size))
        assert kernels.highest_ceiling(table, ceilings, shared, 0, size) == most


def test_states_counted_together() -> None:
    context, dice = SearchContext(Problem(alike(7, 200, 180))), np.random.default_rng(1)
    table, ceilings = context.table, context.engine._batch.ceilings
    states = [np.sort(dice.choice(180, n, replace=False)).astype(np.int32) for n in (18, 40, 90)]
    limits = (70, NEVER, 3 * 90 - 30)
    shared = kernels.new_shared_count(table, 3, 3)
    for t, (rows, limit) in enumerate(zip(states, limits, strict=True)):
        shared.tables[t] = -1
        assert kernels.has_room(shared, t, len(rows))
        state = State(rows, 0, len(rows), UNLIMITED, context.revealed)
        kernels.add_state(table, shared, t, state, limit)
    assert not (kernels.has_room(shared, 3, 1) or kernels.has_room(shared, 2, len(shared.members)))
    kernels.find_best(table, new_scratch(table, 1), ceilings, shared, 3)
    for t, (rows, limit) in enumerate(zip(states, limits, strict=True)):
        true = np.array([len(np.unique(line[rows])) for line in table.scores])
        hits = np.isin(table.secret, rows)
        bounds = np.where(table.guess >= 0, 3 * len(rows) - true - hits, NEVER)
        if bounds.min() <= limit:
            assert shared.bound[t] == bounds.min() == bounds[shared.column[t]]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("words", [pytest.param(40, marks=pytest.mark.plain), 130])
def test_bounds_of_a_batch_are_the_sums_over_the_buckets(words: int, hard: bool) -> None:
    game = alike(11, words, words * 5 // 6)
    problem = Problem(game, hard=hard)
    context = SearchContext(problem)
    columns = context.columns[:40]
    totals = context.bounds(columns, NEVER)
    for place in range(0, len(columns), 4):
        guess = game.guesses[context.table.guess[columns[place]]]
        expected = len(game.secrets)
        for bucket in split(guess, game.secrets).values():
            legal = list(game.guesses)
            if hard:
                legal = legal_after(guess, marks(guess, bucket[0]), legal)
            expected += bound_of_bucket(bucket, legal) if bucket != [guess] else 0
        assert totals[place] == expected
        assert SearchContext(problem).bounds([columns[place]], NEVER)[0] == expected
        for limit in (expected - 1, expected - 10):
            assert context.bounds(columns, limit)[place] > limit
            assert limit < SearchContext(problem).bounds(columns, limit)[place] <= expected


def test_codes_have_no_marks() -> None:
    context = SearchContext(Problem(mastermind_game("mastermind:3x4")))
    totals = context.bounds(context.columns, NEVER)
    for column, total in zip(context.columns, totals, strict=True):
        value = context.value(column, NEVER)
        assert value.exact and total <= value.bound


def test_buckets_begin_with_the_largest() -> None:
    """And ceilings know how large the intersections of all marks are."""
    game = alike(13, 80, 80)
    context = SearchContext(Problem(game))
    column, buckets = context.columns[5], context.engine._buckets
    context.bounds(context.columns[:2], NEVER)
    split_guess(context.table, context.members, column, 6, buckets, 0)
    sizes = buckets.size[0, : buckets.number[0]].tolist()
    parted = split(game.guesses[context.table.guess[column]], game.secrets).values()
    assert sizes == sorted(map(len, parted), reverse=True)
    assert sorted(buckets.rows[0].tolist()) == list(range(80))
    ceilings = context.engine._batch.ceilings
    bears = ceilings.bears.astype(int)
    assert (ceilings.size == bears @ bears.T).all()
