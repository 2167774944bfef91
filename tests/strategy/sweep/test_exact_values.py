"""Every opener at best: what is true, what is published, and where a run goes on from the last."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver import memory_limits
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import engine, table_layout
from solver.exact.engine import Engine
from solver.exact.kernels import guess_race, state_search
from solver.exact.kernels.state_search import DEEPENING, LISTING, STEP
from solver.exact.limit_search import RefutedSet
from solver.exact.problem import Problem
from solver.exact.values import HardBucket
from solver.game.game import Game
from solver.machine import clock
from solver.machine.clock import Deadline, OutOfTimeError
from solver.tree import Tree
from strategy import load_game, optimal, sweep_optimal
from strategy.errors import WrongStrategyError
from strategy.sweep import run, work
from strategy.sweep.replay import Replayer
from strategy.sweep.rows import OpenerRow, SavedSearch, SolvedState, states_of_text, states_to_text
from strategy.sweep.store import SweepStore
from strategy.sweep.table import ExactTable, open_sweep
from strategy.sweep.work import OpenerLimits, RefutationReplay, TotalSearch
from tests.support import refused
from tests.support.naive_exact import NOTHING_FOUND, UNLIMITED, values_of_guesses
from tests.support.sweeps import WORDS, altered, some_words

#: Rhymes, of which few guesses tell more than one.
RHYMES = (
    "boxer cover corer cower foyer hover joker lover mover poker power rover sober tower".split()
)


def swept(folder: Path, words: list[str], **how: Any) -> ExactTable:
    return sweep_optimal(load_game(words), folder / "s", workers=1, **how)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("within", [None, 6, 4, 3])
@pytest.mark.parametrize("words", [WORDS[::2], RHYMES], ids=["some", "rhymes"])
def test_totals_are_those_of_brute_force(
    tmp_path: Path, words: list[str], within: int | None, hard: bool
) -> None:
    found = swept(tmp_path, words, within=within, hard=hard)
    expected = values_of_guesses(words, words, within or UNLIMITED, hard)
    assert [row.opener for row in found] == sorted(words)
    for row in found:
        losses, total = expected[row.opener]
        assert (losses, total) != NOTHING_FOUND
        assert (row.state, row.value) == (("impossible", None) if losses else ("exact", total))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("within", [None, 5, 3])
def test_limits_are_those_of_optimal(tmp_path: Path, within: int | None, hard: bool) -> None:
    game = load_game(RHYMES)
    worst = swept(tmp_path, RHYMES, objective="worst", within=within, hard=hard)
    for row in worst:
        best = optimal(
            game, start=(row.opener,), objective="worst", within=within, hard=hard, workers=1
        )
        expected = None if best.strategy is None else best.strategy.worst
        assert (row.value, row.open) == (expected, False)
    if within is not None:
        (tmp_path / "s").unlink()
        possible = swept(tmp_path, RHYMES, objective="possible", within=within, hard=hard)
        for row, other in zip(possible, worst, strict=True):
            assert row.state == {"exact": "possible"}.get(other.state, other.state)


@pytest.mark.parametrize("within", [1, 2, 4])
def test_refuted_limits_are_derived_again(tmp_path: Path, within: int) -> None:
    table = swept(tmp_path, RHYMES, objective="possible", within=within)
    assert {row.state for row in table} == {"impossible"}


def test_two_workers_find_the_same_limits(tmp_path: Path) -> None:
    game, how = load_game(WORDS), {"objective": "possible", "within": 3}
    one, two = (sweep_optimal(game, tmp_path / str(n), workers=n, **how) for n in (1, 2))
    assert list(one) == list(two)


def test_a_refutation_that_does_not_follow_is_refused() -> None:
    game = load_game(RHYMES)
    replay = RefutationReplay(game)
    limits = work.OpenerLimits(Problem(game, within=4), lambda: None)
    opener = game.guess_id(RHYMES[0])
    assert limits.within(opener, 4) is None
    replay.replay(opener, 4, limits.refutation)
    *others, last = limits.refutation
    itself, above = (*last.reasons, len(others)), (*last.reasons, len(others) + 1)
    for wrong in (
        last._replace(reasons=()),
        last._replace(rows=last.rows[:1]),
        last._replace(reasons=itself),
        last._replace(reasons=(*last.reasons, -1)),
        last._replace(left=last.left + 1),
        last._replace(rows=tuple(sorted({*range(len(RHYMES))} - {last.rows[0]}))),
    ):
        with pytest.raises(WrongStrategyError, match="does not follow"):
            RefutationReplay(game).replay(opener, 4, [*others, wrong])
    with pytest.raises(WrongStrategyError, match="does not follow"):
        RefutationReplay(game).replay(opener, 4, [*others, last._replace(reasons=above), last])


@pytest.mark.parametrize("rows", [(5, 5), (5, 6, 6), (6, 5), (-1, 5), (5, 99), (-9, 99)])
def test_a_refuted_set_has_different_secrets(rows: tuple[int, ...]) -> None:
    """Of two equal ones no guess makes two buckets, and any limit would be refuted."""
    game, opener = load_game(RHYMES), 0
    two = RefutedSet(2, rows, ())
    for refutation in ([two], [two, RefutedSet(3, rows, (0,))]):
        limit = refutation[-1].left + 1
        with pytest.raises(WrongStrategyError, match="does not follow"):
            RefutationReplay(game).replay(opener, limit, refutation)


def test_what_is_not_derived_is_not_remembered() -> None:
    """Whatever ends a derivation, a number too large for any row among it."""
    replay, false = RefutationReplay(load_game(RHYMES)), RefutedSet(2, (5, 5), ())
    for error, row in ((WrongStrategyError, 1 << 40), (OverflowError, 1 << 80)):
        refused(error, "", replay.replay, 0, 3, [RefutedSet(2, (5, row), ()), false])
        refused(WrongStrategyError, "does not follow", replay.replay, 0, 3, [false])


def test_guesses_may_be_secrets_only(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    (tmp_path / "s.txt").write_text("\n".join(WORDS[::3]))
    game = load_game(tmp_path / "w.txt", tmp_path / "s.txt")
    table = sweep_optimal(game, tmp_path / "s", guess_from="secrets", workers=1)
    assert [row.opener for row in table] == WORDS[::3]
    for row in table.rows[::4]:
        found = optimal(game, start=(row.opener,), guess_from="secrets", workers=1)
        assert found.strategy is not None and row.value == found.strategy.total
    with pytest.raises(WrongInputError, match="is not among the 20 guesses"):
        sweep_optimal(game, tmp_path / "t", WORDS[1], guess_from="secrets", workers=1)


def test_published_totals(tmp_path: Path) -> None:
    """SALET is the best opener; what the others take is quoted with it."""
    table = sweep_optimal(load_game(), tmp_path / "s", "salet,reast,crate,trace,slate", workers=1)
    values = {row.opener: row.value for row in table}
    assert values == {"salet": 7920, "reast": 7923, "crate": 7926, "trace": 7926, "slate": 7928}
    assert [row.opener for row in table if row.replayed] == ["crate"]


@pytest.mark.slow
def test_bounds_hold_until_they_are_exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A limited time that is all for closer bounds; then no limit."""
    monkeypatch.setattr(run, "_CLOSER", 2.0)  # so that none is left for exact values
    for words in (some_words(150), RHYMES):
        for within in (None, 4):
            place = tmp_path / f"{len(words)}-{within}"
            place.mkdir()
            bounds = swept(place, words, within=within, time_limit=1000)
            exact = swept(place, words, within=within)
            assert exact.n_open == 0
            for row, final in zip(bounds, exact, strict=True):
                if row.open:
                    assert row.is_met_by(final)
                    assert final.value is None or (row.lower or 0) <= final.value
                else:
                    assert row == final
            between = [row for row in bounds if row.open and row.upper is not None]
            assert (len(between) > 0) == (words != RHYMES)


def test_a_strategy_that_does_not_attain_the_value_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = work.TotalSearch.best

    def cheaper(self: work.TotalSearch, opener: int, solved: object) -> object:
        found = best(self, opener)
        assert found is not None
        return found[0] - 1, found[1]

    monkeypatch.setattr(work.TotalSearch, "best", cheaper)
    work.WORKERS.clear()
    refused(WrongStrategyError, "and the search says", swept, tmp_path, WORDS)
    assert not [row for row in open_sweep(tmp_path / "s") if not row.open]
    monkeypatch.undo()
    play = Replayer.play

    def deeper(self: Replayer, *arguments: object) -> OpenerRow:
        played = play(self, *arguments)  # type: ignore[arg-type]
        return replace(played, histogram=(0,) * 6 + played.histogram)

    monkeypatch.setattr(Replayer, "play", deeper)
    work.WORKERS.clear()
    refused(WrongStrategyError, "does not keep to 6 guesses", swept, tmp_path, WORDS)


def test_an_objective_that_no_sweep_has_is_refused(tmp_path: Path) -> None:
    refused(WrongInputError, "no objective 'losses'", swept, tmp_path, WORDS, objective="losses")
    assert not (tmp_path / "s").exists()


def test_games_that_are_out_of_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_layout, "MOST_WIDE", 9)
    refused(WrongInputError, "at most 9 different scores for a guess", swept, tmp_path, WORDS)
    monkeypatch.undo()
    monkeypatch.setattr(memory_limits, "available", lambda: 10)
    refused(CouldNotFinishError, "exact search over all secrets needs", swept, tmp_path, WORDS)
    assert not (tmp_path / "s").exists()


# --- openers that take longer than a run has -----------------------------------------------------
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


def test_refuted_limits_are_not_retried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_what_cannot_be_read_is_found_again(tmp_path: Path, objective: str, notes: object) -> None:
    game, place = load_game(WORDS), tmp_path / "s"
    swept = partial(sweep_optimal, game, objective=objective, workers=1)
    table = swept(tmp_path / "whole", WORDS[:2])
    swept(place, WORDS[:1])
    altered(place, "INSERT INTO begun VALUES (?, 1, ?)", WORDS[1], notes)
    assert swept(place, WORDS[:2]).rows == table.rows
