"""The kernels of advice in the page's module: what suggests and ranks words, in which forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from solver.advice import joint_ranking, joint_search, joint_worlds
from solver.exact.kernels import (
    beam,
    guess_race,
    score_table,
    state_search,
    table_columns,
    totals,
    weighted_states,
)
from solver.exact.kernels.ceilings import new_shared_count, no_ceilings
from solver.exact.kernels.guess_values import Batch, new_buckets
from solver.exact.kernels.memo import State, memo_of
from solver.exact.kernels.search_frames import Workspace, nesting, new_stack
from solver.exact.kernels.state import new_scratch
from solver.exact.table_layout import score_table_of
from solver.exact.values import NOTHING_REVEALED
from solver.game import codes, reply_order, score_matrix
from solver.game.load import load_game
from solver.splits import fitting, measures, rank_rows, word_measures
from solver.splits.measures import empty_measures

#: A name, a kernel, and what makes arguments of its types.
Line = tuple[str, Any, Callable[[], tuple[Any, ...]]]

#: Few words; what is made of them has the types of every game's.
_WORDS = ("abide", "crane", "raise", "slate", "stare")
#: What the numbers of score tables are: bytes, and by names of their own two bytes each.
TABLES: tuple[tuple[str, Any], ...] = (("", np.uint8), ("_wide", np.uint16))


def lines() -> Iterator[Line]:
    """The kernels with their names; those of words also for scores of four bytes, those of score
    tables also for tables whose numbers have two.
    """
    yield "exact_log2", measures.exact_log2, lambda: (1,)
    yield "fill_log_weights", measures.fill_log_weights, lambda: (sums(),)
    yield "rank_rows", rank_rows.rank_rows, _rank_rows
    yield "measure_blocks", measures.measure_blocks, _measure_blocks
    yield "fill_places", codes.fill_places, lambda: (bytes_of(1, 1), ids(), bytes_of(1, 1))
    yield "fill_tallies", codes.fill_tallies, lambda: (bytes_of(1, 1), 1, bytes_of(1, 1))
    yield "grade_codes", codes.grade_codes, lambda: (bytes_of(1, 1),) * 4
    yield "find_alike", codes.find_alike, lambda: (_space(), ids(), bytes_of())
    yield "list_representatives", codes.list_representatives, _representatives
    for name, kind in (("", np.uint8), ("_long", np.uint32)):
        yield from _of_scores(name, kind)
    yield "number_replies", reply_order.number_replies, lambda: (ids(), ids(), 1, ids())
    yield "best_reply", reply_order.best_reply, lambda: (ids(), ids())
    some = np.zeros((2, 64), dtype=np.uint8)[:, :2]
    yield "dense_codes", score_table.dense_codes, lambda: (some, 243)
    yield "renumber", score_table.renumber, lambda: (some, bytes_of(1, 1), bytes_of(1, 1))
    yield "spell_columns", table_columns.spell_columns, _spell_columns
    yield "bound_by_parts", totals.bound_by_parts, lambda: (_wanted(), 1, 1)
    yield "least_plain_total", totals.least_plain_total, lambda: (_wanted(), 1, ids())
    yield "bits_beyond", measures.bits_beyond, lambda: (ids(), 1, np.zeros(1))
    yield "fill_chances", measures.fill_chances, lambda: (_numbers(), _numbers())
    yield "mean_by_chances", measures.mean_by_chances, lambda: (_numbers(), _numbers())
    yield "share_out", measures.share_out, lambda: (ids(), _numbers(), _numbers())
    yield "bits_of_split", measures.bits_of_split, lambda: (_numbers(),)
    yield "fill_own_bits", measures.fill_own_bits, lambda: (_numbers(), _numbers())
    yield "rank_weighted", rank_rows.rank_weighted, _rank_weighted
    yield "fill_classes", rank_rows.fill_classes, lambda: (_numbers(), bytes_of(), ids())
    for form, items in TABLES:
        yield from _of_tables(form, items)
    yield "list_worlds", joint_worlds.list_worlds, lambda: (*_joint()[:2], _numbers())
    yield "least_joint", joint_search.least_joint, lambda: (_joint(), ids())
    yield "mean_joint", joint_search.mean_joint, lambda: (_joint(), 0)
    yield "add_measured", joint_ranking.add_measured, _add_measured
    yield "rank_joint", joint_ranking.rank_joint, _rank_joint
    yield "rank_means", joint_ranking.rank_means, _rank_means


def _of_scores(name: str, kind: Any) -> Iterator[Line]:
    """The kernels of rows of scores, which are numbers of a kind."""
    rows = np.zeros((2, 2), dtype=kind)
    some = np.zeros((2, 64), dtype=kind)[:, :2]
    yield f"fill_shares{name}", score_matrix.fill_shares, lambda: (rows, 1)
    yield f"score_words{name}", score_matrix.score_words, lambda: (*_words(), 26, rows, rows)
    yield (
        f"measure_by_rows{name}",
        word_measures.measure_by_rows,
        lambda: (*_words(), 26, rows, 243, sums(), empty_measures(1, 1)),
    )
    yield f"measure_by_chances{name}", measures.measure_by_chances, lambda: _by_chances(some)
    yield f"count_words{name}", fitting.count_words, lambda: (some, ids(), ids(1, 1))
    yield f"count_fitting{name}", fitting.count_fitting, lambda: (some, ids(), bytes_of(), ids())
    yield (
        f"sort_guesses{name}",
        joint_worlds.sort_guesses,
        lambda: (some, 242, 243, _joint().boards, _joint().kinds),
    )


def _of_tables(name: str, kind: Any) -> Iterator[Line]:
    """The kernels of score tables, whose numbers are of a kind."""
    long = np.zeros((2, 64), dtype=np.uint32)[:, :2]
    dense, row = np.zeros((1, 1), dtype=kind), np.zeros(1, dtype=kind)

    def wanted(*more: Any) -> tuple[Any, ...]:
        return *search(kind), _wanted(), *more

    def beamed() -> tuple[Any, ...]:
        work, _, state, _ = search(kind)
        beaming = beam.new_beaming(work.table, work.memo, 1)
        return work, beam.new_task(work.table, beaming, state), 1, 1

    several: dict[str, tuple[Any, Callable[[], tuple[Any, ...]]]] = {
        "number_widely": (score_table.number_widely, lambda: (long, 729, dense)),
        "put_in_order": (score_table.put_in_order, lambda: (dense, ids())),
        "cut": (score_table.cut, lambda: (dense, dense.reshape(1, 1, 1))),
        "describe_columns": (
            table_columns.describe_columns, lambda: (ids(), ids(), ids(), 1, row),
        ),
        "reveal": (
            score_table.reveal, lambda: (table(kind), 0, 0, NOTHING_REVEALED, NOTHING_REVEALED),
        ),
        "least_total": (totals.least_total, lambda: wanted(1, ids())),
        "find_totals": (totals.find_totals, lambda: wanted(ids(), sums())),
        "settle_totals": (
            totals.settle_totals, lambda: (*search(kind)[:3], _totals(kind), 1),
        ),
        "beam_totals": (beam.beam_totals, beamed),
        "beam_lengths": (beam.beam_lengths, lambda: (*beamed()[:3], sums())),
        "enter_weighted": (totals.enter_weighted, lambda: weighted(kind)),
        "settle_weighted": (totals.settle_weighted, lambda: (*weighted(kind), sums(), 1)),
    }  # fmt: skip
    for each, (kernel, arguments) in several.items():
        yield f"{each}{name}", kernel, arguments


# ---- Arguments


def ids(*shape: int) -> Any:
    """Whole numbers of 32 bits."""
    return np.zeros(shape or (1,), dtype=np.int32)


def sums() -> Any:
    """A whole number of 64 bits."""
    return np.zeros(1, dtype=np.int64)


def _numbers() -> Any:
    return np.zeros(1)


def bytes_of(*shape: int) -> Any:
    """Bytes, in an array of a shape."""
    return np.zeros(shape or (1,), dtype=np.uint8)


def _words() -> tuple[Any, Any]:
    return bytes_of(1, 5), bytes_of(1, 5)


def _rank_rows() -> tuple[Any, ...]:
    found = empty_measures(1, 1), ids(), bytes_of(), bytes_of()
    return *found, 0, 1.0, rank_rows.new_rows(1)


def _by_chances(rows: Any) -> tuple[Any, ...]:
    return rows, _numbers(), _numbers(), np.zeros((3, 3)), _weighted_measures()


def _weighted_measures() -> measures.WeightedMeasures:
    return measures.WeightedMeasures(ids(), ids(), _numbers(), _numbers())


def _rank_weighted() -> tuple[Any, ...]:
    likely = rank_rows.Likely(_numbers(), _numbers(), bytes_of(), True)
    found = _weighted_measures(), ids(), bytes_of(), likely
    return *found, 0, 1.0, 1, rank_rows.new_rows(1)


def _joint() -> joint_worlds.JointSearch:
    boards = joint_worlds.JointBoards(ids(2), ids(), _numbers())
    worlds = joint_worlds.Worlds(ids(1, 1), ids(1, 1), _numbers())
    kinds = joint_worlds.GuessKinds(ids(), ids(), bytes_of(1, 1), ids(), ids())
    memory = joint_worlds.joint_memory(1, 1, 1, 1)
    return joint_worlds.JointSearch(boards, worlds, kinds, memory, 1, 1, True)


def _add_measured() -> tuple[Any, ...]:
    return empty_measures(1, 1), bytes_of(), 0, 1.0, _numbers(), _numbers()


def _rank_joint() -> tuple[Any, ...]:
    return _numbers(), _numbers(), bytes_of(), bytes_of(), ids(), ids(), sums()


def _rank_means() -> tuple[Any, ...]:
    return _numbers(), _numbers(), bytes_of(), 0.0, ids(), ids()


def _measure_blocks() -> tuple[Any, ...]:
    places = np.zeros(1, dtype=np.uint32)
    return bytes_of(1, 1), places, places, 0, sums(), places, empty_measures(1, 1)


def _space() -> codes.CodeSpace:
    return codes.CodeSpace(bytes_of(1, 1), 1, False, sums(), 1)


def _representatives() -> tuple[Any, ...]:
    numbers = sums()
    square = numbers.reshape(1, 1)
    idle = np.zeros(1, dtype=np.bool_)
    alike = codes.Alike(numbers, numbers, numbers, idle, square, square)
    return alike, False, bytes_of(1, 1)


def _spell_columns() -> tuple[Any, ...]:
    bits = np.zeros(1, dtype=np.uint64)
    return bytes_of(1, 5), ids(), 26, bits, bits.reshape(1, 1), bits


@cache
def table(kind: Any) -> Any:
    """A score table of a few words, whose numbers are of a kind."""
    found = score_table_of(load_game(_WORDS), hard=False)
    numbers = {name: getattr(found, name).astype(kind) for name in ("rows", "scores", "parts")}
    return found._replace(**numbers)


def _wanted() -> totals.Wanted:
    return totals.Wanted(ids(), ids(), ids(), bytes_of(), sums())


def race() -> guess_race.Race:
    """A race of one guess."""
    return guess_race.new_race(ids(), ids(), 1, 1, 1)


def guess_task() -> guess_race.GuessTask:
    """Memory for one guess."""
    return guess_race.new_guess_task(table(np.uint8))


def screening() -> guess_race.Screening:
    """Memory to screen one guess."""
    return guess_race.new_screening(1, 1)


def _totals(kind: Any) -> totals.TotalsRace:
    task = state_search.new_state_task(table(kind))
    return totals.TotalsRace(race(), screening(), guess_task(), task, sums())


@cache
def search(kind: Any) -> tuple[Any, ...]:
    """A workspace, a batch, a state and columns, as searches of a table take them."""
    scores, count = table(kind), len(_WORDS)
    stack, scratch = new_stack(scores), new_scratch(scores, nesting(count))
    work = Workspace(scores, memo_of(scores, 1), scratch, stack)
    batch = Batch(no_ceilings(scores), new_buckets(scores, 1), new_shared_count(scores, 1, 1))
    return work, batch, State(ids(), 0, 1, 1, NOTHING_REVEALED), ids()


def weighted(kind: Any) -> tuple[Any, ...]:
    """The arguments of a search by weight: a workspace, weights, a state, a race."""
    work, _, state, _ = search(kind)
    return work, weighted_states.new_weighing(work.table, sums()), state, race()
