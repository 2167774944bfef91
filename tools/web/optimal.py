"""The kernels of best strategies in the page's module: what searches a state, in which forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from solver.exact.kernels import (
    ceilings,
    code_search,
    guess_race,
    guess_values,
    memo,
    set_frames,
    state_search,
    table_columns,
    weighted_states,
)
from solver.exact.kernels import search as searching
from solver.exact.kernels.memo import State
from solver.exact.kernels.search_frames import Workspace
from solver.exact.set_engine import code_table
from solver.exact.values import NOTHING_REVEALED
from solver.game.load import load_game

from .advice import (
    TABLES,
    Line,
    bytes_of,
    guess_task,
    ids,
    race,
    screening,
    search,
    sums,
    table,
    weighted,
)


def lines() -> Iterator[Line]:
    """The kernels with their names; those of score tables also for numbers of two bytes."""
    for form, items in TABLES:
        yield from _of_tables(form, items)
    yield "take_over", guess_values.take_over, lambda: (_buckets(), 0, 1, 1)
    yield "next_task", guess_race.next_task, lambda: (race(),)
    yield "answer_bounding", guess_race.answer_bounding, lambda: (race(), sums())
    yield "note_guesses", guess_race.note_guesses, _note_guesses
    for name, kind in (("", np.uint8), ("_long", np.uint32)):
        yield f"number_marks{name}", ceilings.number_marks, partial(_number_marks, kind)
    yield "count_both", ceilings.count_both, lambda: (bytes_of(1, 1), ids(1, 1))
    yield "next_too_deep", state_search.next_too_deep, lambda: (sums(), sums(), 1)
    yield "ideal_totals", set_frames.ideal_totals, lambda: (1, 1, 1)
    yield "search_codes", code_search.search_codes, _search_codes


def _of_tables(name: str, kind: Any) -> Iterator[Line]:
    """The kernels of score tables, whose numbers are of a kind."""
    dense, row = np.zeros((1, 1), dtype=kind), np.zeros(1, dtype=kind)
    nothing, keys = NOTHING_REVEALED, np.zeros(1, dtype=np.uint32)
    effects = np.zeros((1, 1), dtype=np.uint64)

    def searched(*more: Any) -> tuple[Any, ...]:
        return *search(kind)[:3], *more

    def in_table(*more: Any) -> tuple[Any, ...]:
        return table(kind), *more

    def task() -> state_search.StateTask:
        return state_search.new_state_task(table(kind))

    def plan() -> state_search.StatePlan:
        return state_search.new_plan(table(kind))

    def quick() -> tuple[Any, ...]:
        work, weighing, state, _ = weighted(kind)
        return work, weighing, work.table.parts, state, 1, 1

    def work() -> Workspace:
        found: Workspace = search(kind)[0]
        return found

    def state() -> State:
        found: State = search(kind)[2]
        return found

    several: dict[str, tuple[Any, Callable[[], tuple[Any, ...]]]] = {
        "screen": (guess_values.screen, lambda: searched(ids(), 1)),
        "hard_bucket": (
            guess_values.hard_bucket, lambda: in_table(_buckets(), 0, nothing, 1, nothing),
        ),
        "limit_of_race": (guess_race.limit_of_race, lambda: in_table(1, 1, 1, 1, 1)),
        "begin_guess": (guess_race.begin_guess, lambda: searched(guess_task(), 1, 1)),
        "answer_bucket": (guess_race.answer_bucket, lambda: searched(guess_task(), 1, 1, 1)),
        "begin_screening": (
            guess_race.begin_screening, lambda: searched(screening(), ids(), 1, True, False),
        ),
        "go_on_screening": (
            guess_race.go_on_screening, lambda: searched(screening(), guess_task(), 1),
        ),
        "list_first_guesses": (
            guess_race.list_first_guesses, lambda: in_table(nothing, ids()),
        ),
        "label_columns": (table_columns._labelled, lambda: in_table(ids(), nothing, dense)),
        "column_effects": (table_columns._effects, lambda: in_table(ids(), ids(), 1, keys)),
        "distinct_columns": (
            table_columns._distinct, lambda: (dense, effects, row, keys, ids(), ids()),
        ),
        "describe_narrowed": (
            table_columns._describe_narrowed, lambda: in_table(ids(), ids(), row, ids(), row),
        ),
        "begin_state": (state_search.begin_state, lambda: (task(), state(), 1, 1, 1)),
        "search_state": (state_search.search_state, lambda: (work(), task())),
        "answer_task": (state_search.answer_task, lambda: in_table(task(), 0)),
        "begin_plan": (state_search.begin_plan, lambda: (plan(), state())),
        "plan_state": (state_search.plan_state, lambda: (work(), plan(), 1)),
        "quick_weighted": (weighted_states.quick_weighted, quick),
        "screen_weighted": (
            searching.screen_weighted, lambda: (*weighted(kind)[:2], ids(), 1, 1, 1, sums()),
        ),
        "weighted_search": (
            searching.search, lambda: (*weighted(kind)[:2], sums(), 1, 1, 1, 1),
        ),
    }  # fmt: skip
    for each, (kernel, arguments) in several.items():
        yield f"{each}{name}", kernel, arguments


def _search_codes() -> tuple[Any, ...]:
    codes = code_table(load_game(spec="mastermind:2x2"), ids(), np.zeros((1, 5), dtype=np.int64))
    return codes, memo.memo_of_sets(4), code_search.new_code_stack(codes), sums(), sums(), 1


def _buckets() -> guess_values.Buckets:
    return guess_values.new_buckets(table(np.uint8), 1)


def _note_guesses() -> tuple[Any, ...]:
    return race(), ids(), sums(), bytes_of()


def _number_marks(kind: Any) -> tuple[Any, ...]:
    return ids(1, 1), ids(), ids(), np.zeros((1, 1), dtype=kind)
