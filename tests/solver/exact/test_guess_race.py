"""The race of first guesses: what comes next, and values that do not depend on who answers how."""

import random
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact.kernels import ceilings, guess_race
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.memo import State, known
from solver.exact.problem import Problem, SearchContext
from solver.game.game import Game
from solver.game.score_matrix import letter_shares, letters_in, place_sets, take_apart
from tests.support import naive_exact
from tests.support.naive_race import NaiveRace
from tests.support.worlds import alike, game_of, made_up_games, real_games

small_games = made_up_games(max_words=9, longest=5)

# --- What comes next ---------------------------------------------------------------------


class Made:
    """Guesses with made-up bounds and values, some of which only patience finds out."""

    def __init__(self, dice: random.Random, count: int) -> None:
        self.bounds = [dice.randint(10, 40) for _ in range(count)]
        self.values = [bound + dice.choice([0, 0, 1, 3, 9, LOSS]) for bound in self.bounds]
        self.hard = [dice.random() < 0.4 for _ in range(count)]

    def screened(self, column: int, limit: int, patient: bool) -> tuple[int, bool]:
        bound, value = self.bounds[column], self.values[column]
        if bound > limit or (self.hard[column] and not patient):
            return bound, False
        return (value, True) if value <= limit else (limit + 1, False)


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
    highest = dice.choice([NEVER, LOSS - 1, 25, 11, 5])
    together = dice.choice([1, 7, 64])
    columns = sorted(dice.sample(range(count + 5), count))
    guess = dice.sample(range(count + 5), count + 5)
    naive = NaiveRace(columns, guess, top, highest, together)
    kinds = {
        "bound": guess_race.BOUNDING,
        "patiently": guess_race.PATIENTLY,
        "quickly": guess_race.QUICKLY,
    }
    expected = [
        (kinds[kind], chosen)
        for kind, chosen in naive.tasks(made.bounds.__getitem__, made.screened)
    ]
    found = list(tasks_of_kernel(made, columns, guess, top, highest, together))
    assert found == expected
    assert len(found) <= 2 * count + 3 and (guess_race.PROMISING, guess_race.PACEMAKERS) == (128, 3)


# --- Values ------------------------------------------------------------------------------


def searched(
    context: SearchContext, top: int, budget: int, patient: bool, refutes: Callable[[int], bool]
) -> dict[str, tuple[int, bool]]:
    """What a screening of all first guesses finds, interrupted after so much work."""
    engine, problem = context.engine, context.problem
    work, batch, task = engine._work, engine._batch, engine._guess  # type: ignore[union-attr]
    members = context.members
    state = State(members, 0, len(members), problem.left, context.revealed)
    screening = guess_race.new_screening(len(context.columns), top)
    columns = np.array(context.columns, dtype=np.int32)
    guess_race.begin_screening(
        work, batch, state, screening, columns, problem.highest_value, patient, True
    )
    step = -1
    while step != guess_race.SCREENED:
        step = guess_race.go_on_screening(work, batch, state, screening, task, budget)
        if step == guess_race.WAITING:
            engine._answer_bucket(state)  # type: ignore[union-attr]
        elif step == guess_race.REFUTING:
            column = int(columns[screening.place[guess_race.AT]])
            guess_race.answer_refuting(screening, refutes(column))
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
    truth = {
        word: losses * LOSS + total
        for word, (losses, total) in naive_exact.values_of_guesses(
            game.guesses, game.secrets, left, hard
        ).items()
    }
    context = SearchContext(Problem(game, hard, left))
    words = [game.guesses[context.table.guess[column]] for column in context.columns]
    refuted = partial(context.limit_check.refutes_guess, context.state)
    for refutes in (lambda column: False, refuted):
        context.engine.forget()
        found = searched(context, top, budget, True, refutes)
        assert set(found) == set(words)
        places = sorted(truth[word] for word in words if truth[word] < LOSS)[:top]
        limit = places[-1] if len(places) == top else LOSS - 1
        for word, (bound, exact) in found.items():
            assert bound == truth[word] if exact else bound <= truth[word]
            assert exact or bound > limit or truth[word] > limit
        assert sorted(bound for bound, exact in found.values() if exact)[:top] == places


@pytest.mark.parametrize("hard", [False, True])
@settings(max_examples=8)
@given(game=real_games(least=60, most=200))
def test_interruptions_make_no_difference(game: Game, hard: bool) -> None:
    def never(column: int) -> bool:
        return False

    contexts = [SearchContext(Problem(game, hard)) for _ in range(2)]
    for patient in (False, True):
        found = [
            searched(context, 1, budget, patient, never)
            for context, budget in zip(contexts, (0, 1 << 40), strict=True)
        ]
        assert found[0] == found[1]


def test_findings_are_filed_under_the_candidates_of_their_bucket() -> None:
    context = SearchContext(Problem(alike(9, 600, 500), False, 5))
    engine, columns = context.engine, np.array(context.columns, dtype=np.int32)
    work, batch, task = engine._work, engine._batch, engine._guess
    state = State(context.members, 0, len(context.members), 5, context.revealed)
    screening, buckets, asked = guess_race.new_screening(len(columns), 1), batch.buckets, 0
    guess_race.begin_screening(work, batch, state, screening, columns, NEVER, False, False)
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
    context = SearchContext(Problem(real_table()))
    plain = context.table
    hard, free = plain._replace(hard=True), plain._replace(price=0)
    limit = guess_race.limit_of_race
    assert limit(plain, 127, 5, 300, 0, LOSS - 1) == -1 == limit(free, 128, 5, 300, 0, LOSS - 1)
    assert limit(plain, 128, 5, 300, 0, 332) == -1 != limit(plain, 128, 5, 300, 0, 333)
    assert limit(plain, 128, 5, 300, 333, 333) == -1
    assert limit(plain, 128, 5, 300, 0, NEVER) == LOSS - 1
    assert limit(hard, 128, 5, 300, 0, NEVER) == -1 != limit(hard, 128, 5, 300, 0, LOSS - 1)
    assert limit(hard, 128, UNLIMITED, 300, 0, NEVER) == NEVER


def real_table() -> Game:
    return game_of(["abide", "crane", "raise", "slate"], ["crane", "slate"])


# --- Marks of letters --------------------------------------------------------------------


@pytest.mark.plain
@settings(max_examples=40)
@given(made_up_games(longest=6))
def test_marks_are_numbered_by_who_bears_them(game: Game) -> None:
    assert game.letters is not None
    words = game.letters
    apart, own = take_apart(words), words[game.secret_ids]
    shares = letter_shares(game.length, game.score_dtype)
    sets = place_sets(own, letters_in(words))
    mark, bears = ceilings.number_marks(sets, apart.first, apart.places, shares)
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
    ceilings.count_both(bears, both)
    counts = bears.astype(np.int32)
    assert (both == counts @ counts.T).all()
