"""The kernels of best strategies in the page's module: what searches a state, in which forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from solver.exact.code_engine import code_table
from solver.exact.engine import NOTHING_REVEALED
from solver.exact.kernels import (
    ceilings,
    code_bounds,
    code_search,
    guess_race,
    guess_values,
    score_table,
    set_memo,
    state_search,
    weighted_search,
    weighted_states,
)
from solver.game.load import load_game

from .advice import Line, bytes_of, ids, search, sums, table, weighted


def lines() -> Iterator[Line]:
    """The kernels with their names."""
    yield "screen", guess_values.screen, lambda: (*search()[:3], ids(), 1)
    yield "hard_bucket", guess_values.hard_bucket, _hard_bucket
    yield "take_over", guess_values.take_over, lambda: (_buckets(), 0, 1, 1)
    yield "limit_of_race", guess_race.limit_of_race, lambda: (table(), 1, 1, 1, 1, 1)
    yield "begin_guess", guess_race.begin_guess, lambda: (*search()[:3], _guess(), 1, 1)
    yield "answer_bucket", guess_race.answer_bucket, _answer_bucket
    yield "begin_screening", guess_race.begin_screening, _begin_screening
    yield "go_on_screening", guess_race.go_on_screening, _go_on_screening
    yield "list_first_guesses", guess_race.list_first_guesses, _list_first_guesses
    yield "next_task", guess_race.next_task, lambda: (_race(),)
    yield "answer_bounding", guess_race.answer_bounding, lambda: (_race(), sums())
    yield "note_guesses", guess_race.note_guesses, _note_guesses
    for name, kind in (("", np.uint8), ("_long", np.uint32)):
        yield f"number_marks{name}", ceilings.number_marks, partial(_number_marks, kind)
    yield "count_both", ceilings.count_both, lambda: (bytes_of(1, 1), ids(1, 1))
    yield "label_columns", score_table._labelled, _label_columns
    yield "distinct_columns", score_table._distinct, _distinct_columns
    yield "describe_narrowed", score_table._describe_narrowed, _describe_narrowed
    yield "begin_state", state_search.begin_state, lambda: (_task(), search()[2], 1, 1, 1)
    yield "search_state", state_search.search_state, lambda: (search()[0], _task())
    yield "answer_task", state_search.answer_task, lambda: (table(), _task(), 0)
    yield "begin_plan", state_search.begin_plan, lambda: (_plan(), search()[2])
    yield "plan_state", state_search.plan_state, lambda: (search()[0], _plan(), 1)
    yield "next_too_deep", state_search.next_too_deep, lambda: (sums(), sums(), 1)
    yield "ideal_totals", code_bounds.ideal_totals, lambda: (1, 1, 1)
    yield "quick_weighted", weighted_states.quick_weighted, _quick_weighted
    yield "screen_weighted", weighted_search.screen_weighted, _screen_weighted
    yield "weighted_search", weighted_search.weighted_search, _weighted_search
    yield "search_codes", code_search.search_codes, _search_codes


def _search_codes() -> tuple[Any, ...]:
    codes = code_table(load_game(spec="mastermind:2x2"), ids(), np.zeros((1, 5), dtype=np.int64))
    return codes, set_memo.new_set_memo(4), code_search.new_code_stack(codes), sums(), sums(), 1


def _buckets() -> guess_values.Buckets:
    return guess_values.new_buckets(table(), 1)


def _task() -> state_search.StateTask:
    return state_search.new_state_task(table())


def _guess() -> guess_race.GuessTask:
    return guess_race.new_guess_task(table())


def _screening() -> guess_race.Screening:
    return guess_race.new_screening(1, 1)


def _race() -> guess_race.Race:
    return guess_race.new_race(ids(), ids(), 1, 1, 1)


def _answer_bucket() -> tuple[Any, ...]:
    return *search()[:3], _guess(), 1, 1, 1


def _begin_screening() -> tuple[Any, ...]:
    return *search()[:3], _screening(), ids(), 1, True, False


def _go_on_screening() -> tuple[Any, ...]:
    return *search()[:3], _screening(), _guess(), 1


def _list_first_guesses() -> tuple[Any, ...]:
    return table(), NOTHING_REVEALED, ids()


def _note_guesses() -> tuple[Any, ...]:
    return _race(), ids(), sums(), bytes_of()


def _number_marks(kind: Any) -> tuple[Any, ...]:
    return ids(1, 1), ids(), ids(), np.zeros((1, 1), dtype=kind)


def _plan() -> state_search.StatePlan:
    return state_search.new_plan(table())


def _quick_weighted() -> tuple[Any, ...]:
    work, weighing, state, _ = weighted()
    return work, weighing, work.table.parts, state, 1, 1


def _screen_weighted() -> tuple[Any, ...]:
    return *weighted()[:2], ids(), 1, 1, 1, sums()


def _weighted_search() -> tuple[Any, ...]:
    return *weighted()[:2], sums(), 1, 1, 1, 1


def _hard_bucket() -> tuple[Any, ...]:
    return table(), _buckets(), 0, NOTHING_REVEALED, 1, NOTHING_REVEALED


def _label_columns() -> tuple[Any, ...]:
    return table(), ids(), NOTHING_REVEALED, bytes_of(1, 1)


def _distinct_columns() -> tuple[Any, ...]:
    return bytes_of(1, 1), bytes_of(), np.zeros(1, dtype=np.uint32), ids(), ids(), False


def _describe_narrowed() -> tuple[Any, ...]:
    return table(), ids(), ids(), bytes_of(), ids(), bytes_of()
