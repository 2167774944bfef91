"""Every opener at best: against brute force, against ``optimal``, against what is published."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver import memory_limits
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import table_layout
from solver.exact.limit_search import RefutedSet
from solver.exact.problem import Problem
from solver.game.load import load_game
from strategy.errors import WrongStrategyError
from strategy.solving.optimal import optimal
from strategy.sweep import run, work
from strategy.sweep.replay import Replayer
from strategy.sweep.rows import OpenerRow
from strategy.sweep.run import sweep_optimal
from strategy.sweep.table import ExactTable, open_sweep
from strategy.sweep.work import RefutationReplay
from tests.support import refused
from tests.support.naive_exact import NOTHING_FOUND, UNLIMITED, values_of_guesses
from tests.support.sweeps import some_words

WORDS = some_words(60)
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
    with pytest.raises(WrongStrategyError, match="and the search says"):
        swept(tmp_path, WORDS)
    assert not [row for row in open_sweep(tmp_path / "s") if not row.open]
    monkeypatch.undo()
    play = Replayer.play

    def deeper(self: Replayer, *arguments: object) -> OpenerRow:
        played = play(self, *arguments)  # type: ignore[arg-type]
        return replace(played, histogram=(0,) * 6 + played.histogram)

    monkeypatch.setattr(Replayer, "play", deeper)
    work.WORKERS.clear()
    with pytest.raises(WrongStrategyError, match="does not keep to 6 guesses"):
        swept(tmp_path, WORDS)


def test_an_objective_that_no_sweep_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongInputError, match="no objective 'losses'"):
        swept(tmp_path, WORDS, objective="losses")
    assert not (tmp_path / "s").exists()


def test_games_that_are_out_of_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WrongInputError, match="is for Wordle; 'knuthle optimal --game"):
        sweep_optimal(load_game(spec="mastermind:3x4"), tmp_path / "s", workers=1)
    with pytest.raises(WrongInputError, match="12,972 secrets is out of reach: --secrets answers"):
        sweep_optimal(load_game(secrets="allowed"), tmp_path / "s", workers=1)
    monkeypatch.setattr(table_layout, "MOST_WIDE", 9)
    with pytest.raises(WrongInputError, match="at most 9 different scores for a guess"):
        swept(tmp_path, WORDS)
    monkeypatch.undo()
    monkeypatch.setattr(memory_limits, "available", lambda: 10)
    with pytest.raises(CouldNotFinishError, match="exact search over all secrets needs"):
        swept(tmp_path, WORDS)
    assert not (tmp_path / "s").exists()
