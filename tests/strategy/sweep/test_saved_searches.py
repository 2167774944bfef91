"""Openers that take longer than a run has: every run goes on from where the last one was."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver.exact import engine
from solver.exact.engine import Engine
from solver.exact.kernels import guess_race, state_search
from solver.exact.kernels.state_search import DEEPENING, LISTING, STEP
from solver.exact.values import HardBucket
from solver.game.game import Game
from solver.game.load import load_game
from solver.machine import clock
from solver.machine.clock import Deadline, OutOfTimeError
from solver.tree import Tree
from strategy.errors import WrongStrategyError
from strategy.sweep import run, work
from strategy.sweep.rows import SavedSearch, SolvedState, states_of_text, states_to_text
from strategy.sweep.run import sweep_optimal
from strategy.sweep.store import SweepStore
from strategy.sweep.table import ExactTable, open_sweep
from strategy.sweep.work import OpenerLimits, TotalSearch
from tests.support import refused
from tests.support.sweeps import altered, some_words

WORDS = some_words(60)


def limited(game: Game, place: Path, words: Any, objective: str = "total") -> ExactTable:
    """A limited run in a process that has nothing from the last one."""
    work.WORKERS.clear()
    return sweep_optimal(game, place, words, objective=objective, workers=1, time_limit=900)


def left_in(place: Path) -> dict[str, SavedSearch]:
    with SweepStore.open(place, open_sweep(place).question) as store:
        return store.saved_searches()


@pytest.fixture
def one_state_a_run(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Time is up as soon as one hard state is solved; called, another run has its time."""
    solved, count = Engine.solved, [0]

    def once(self: Engine, bucket: HardBucket) -> Any:
        if count[0]:
            raise OutOfTimeError("undecided at the time limit")
        count[0] = 1
        return solved(self, bucket)

    def again() -> None:
        count[0] = 0

    monkeypatch.setattr(Engine, "solved", once)
    # no bounds by other means
    monkeypatch.setattr(run._ExactRun, "_without_strategy", lambda self: [])
    return again


def test_states_that_are_solved_are_not_solved_again(
    tmp_path: Path, one_state_a_run: Callable[[], None]
) -> None:
    """SALET leaves four hard states: so four runs are enough, and each raises its bound."""
    game, place = load_game("original", "answers"), tmp_path / "s"
    bounds, states = [], []
    for _ in range(4):
        one_state_a_run()
        table = limited(game, place, "salet")
        bounds.append(table["salet"].lower or 0)
        states.append([len(json.loads(it.notes)) for it in left_in(place).values()])
    assert states == [[1], [2], [3], []]
    assert bounds == sorted(bounds) and bounds[0] < bounds[-1]
    assert (table["salet"].state, table["salet"].value) == ("exact", 7920)
    assert table["salet"].seconds > 0


@pytest.mark.slow
def test_levels_of_a_state_that_failed_are_not_searched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two breaths a run, and its states take three and more: what they reach is kept."""
    search, breaths = state_search.search_state, [0]

    def counting(work: Any, task: Any) -> Any:
        breaths[0] += int(task.place[STEP] in (LISTING, DEEPENING))
        return search(work, task)

    def check(self: object) -> None:
        if breaths[0] > 2:
            raise OutOfTimeError("undecided at the time limit")

    counted = {**vars(state_search), "CHECK_INTERVAL": 20_000, "search_state": counting}
    monkeypatch.setattr(engine, "state_search", SimpleNamespace(**counted))
    monkeypatch.setattr(guess_race, "limit_of_race", lambda *_: -1)
    monkeypatch.setattr(Deadline, "check", check)
    monkeypatch.setattr(run._ExactRun, "_without_strategy", lambda self: [])
    game, place = load_game("original", "answers"), tmp_path / "s"
    bounds: list[int] = []
    inside = 0
    for _ in range(5):
        breaths[0] = 0
        row = limited(game, place, "salet")["salet"]
        bounds.append(row.lower or 0)
        for begun in left_in(place).values():
            states = states_of_text(begun.notes, len(game.guesses), len(game.secrets))
            inside += sum(not state.is_solved for state in states.values())
    assert bounds == sorted(set(bounds))
    assert inside >= 3
    assert (row.state, row.value) == ("exact", 7920)


@pytest.mark.slow
def test_what_is_left_is_played_before_it_is_believed(
    tmp_path: Path, one_state_a_run: Callable[[], None]
) -> None:
    game, place = load_game("original", "answers"), tmp_path / "s"
    limited(game, place, "salet")
    (begun,) = left_in(place).values()
    worse, broken = json.loads(begun.notes), json.loads(begun.notes)
    worse[0][1] += 1
    broken[0][2][-1] = game.guess_id("zesty")
    for wrong in (worse, broken):
        altered(place, "UPDATE begun SET notes = ?", json.dumps(wrong))
        with pytest.raises(WrongStrategyError, match="salet"):
            for _ in range(4):
                one_state_a_run()
                limited(game, place, "salet")


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
def test_openers_that_were_given_up_let_others_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, objective: str
) -> None:
    game, place = load_game(WORDS), tmp_path / "s"
    tried: list[str] = []
    over = False

    def in_vain(self: object, opener: int, *_: object) -> None:
        nonlocal over
        tried.append(game.guesses[opener])
        over = True
        raise OutOfTimeError("undecided at the time limit")

    with monkeypatch.context() as patch:
        patch.setattr(TotalSearch, "best", in_vain)
        patch.setattr(OpenerLimits, "within", in_vain)
        for module in (run, clock):
            patch.setattr(module, "is_past", lambda moment: over)
        for _ in range(5):
            over = False
            table = limited(game, place, ",".join(WORDS[:4]), objective)
    assert sorted(tried[:4]) == WORDS[:4] and tried[4] == tried[0]
    assert table.n_done == 0
    assert [left_in(place)[word].times for word in tried[:4]] == [2, 1, 1, 1]
    assert sweep_optimal(game, place, WORDS[:4], objective=objective, workers=1).n_open == 0
    assert not left_in(place)


def test_refuted_limits_are_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, place = load_game(WORDS), tmp_path / "s"
    expected = sweep_optimal(game, tmp_path / "whole", WORDS[:1], objective="worst", workers=1)
    within, tried = OpenerLimits.within, list[int]()

    def one_at_a_time(self: OpenerLimits, opener: int, limit: int) -> Tree | None:
        tried.append(limit)
        if len(tried) % 2 == 0:
            raise OutOfTimeError("undecided at the time limit")
        return within(self, opener, limit)

    monkeypatch.setattr(OpenerLimits, "within", one_at_a_time)
    least = expected[WORDS[0]].value
    assert least is not None and least > 2
    for number in range(1, least):
        row = limited(game, place, WORDS[:1], "worst")[WORDS[0]]
        assert (row.state, row.lower) == ("bounds", number + 1)
    assert limited(game, place, WORDS[:1], "worst")[WORDS[0]] == expected[WORDS[0]]
    assert tried == [limit for low in range(1, least) for limit in (low, low + 1)] + [least]


def test_states_travel_as_text() -> None:
    states = {
        3: SolvedState(5, Tree.of([4, 1], [-1, 0], [3, 2])),
        0: SolvedState(1, Tree.of([0], [-1], [0])),
    }
    text = states_to_text(states)
    assert states_of_text(text, 5, 4) == states and states_of_text("[]", 5, 4) == {}
    assert not states_of_text("[[0,7,[],[],[]]]", 5, 4)[0].is_solved
    for wrong in (
        (text, 4, 4), (text, 5, 3), ("", 5, 4), ("{}x", 5, 4), ("[" * 100_000, 5, 4),
        ("[[0,1,[0],[-1]]]", 5, 4), ("[[0,1,[],[],[0]]]", 5, 4), ("[[0,0,[0],[-1],[0]]]", 5, 4),
        ("[[0,1,[0],[0],[0]]]", 5, 4), ("[[0,1,[0,1],[-1,1],[0,0]]]", 5, 4),
        ('[[0,1,["a"],[-1],[0]]]', 5, 4), ("[[true,1,[0],[-1],[0]]]", 5, 4),
    ):  # fmt: skip
        refused(ValueError, r".|\n|^$", states_of_text, *wrong)


@pytest.mark.parametrize("objective", ["total", "worst"])
@pytest.mark.parametrize("notes", ["no notes", b"[]", "[[0,1,[99],[-1],[0]]]", "-1"])
def test_what_cannot_be_read_is_found_out_again(
    tmp_path: Path, objective: str, notes: object
) -> None:
    game, place = load_game(WORDS), tmp_path / "s"
    swept = partial(sweep_optimal, game, objective=objective, workers=1)
    table = swept(tmp_path / "whole", WORDS[:2])
    swept(place, WORDS[:1])
    altered(place, "INSERT INTO begun VALUES (?, 1, ?)", WORDS[1], notes)
    assert swept(place, WORDS[:2]).rows == table.rows
