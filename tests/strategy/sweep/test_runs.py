"""However a sweep is run, interrupted and resumed: the same rows; and what is refused."""

import concurrent.futures
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from strategy.errors import BadFileError, StrategyError, WrongStrategyError
from strategy.solving.by_rule import Settings
from strategy.sweep import question
from strategy.sweep.rows import ExactRow
from strategy.sweep.run import sweep_openers, sweep_optimal
from strategy.sweep.runners import ByExecutor
from strategy.sweep.store import SweepStore
from strategy.sweep.table import ExactTable, SweepTable, merge_sweeps, open_sweep
from tests.support import refused
from tests.support.sweeps import KINDS, altered, figures, some_words

WORDS = some_words(60)


@pytest.fixture
def whole(wholes: dict[str, Path]) -> Path:
    return wholes["exact"]


both_kinds = pytest.mark.parametrize("name", KINDS)


@pytest.mark.slow
@both_kinds
def test_two_processes_and_two_shards_come_to_the_same(
    game: Game, wholes: dict[str, Path], tmp_path: Path, name: str
) -> None:
    KINDS[name].sweep(game, tmp_path / "s", shard=(2, 2), workers=2)
    KINDS[name].sweep(game, tmp_path / "s", shard=(1, 2), workers=2)
    assert figures(tmp_path / "s") == figures(wholes[name])


@both_kinds
def test_any_executor(game: Game, wholes: dict[str, Path], tmp_path: Path, name: str) -> None:
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        runner = ByExecutor(threads, 3, seconds=0.02)
        KINDS[name].sweep(game, tmp_path / "s", runner=runner)
    assert figures(tmp_path / "s") == figures(wholes[name])


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
@pytest.mark.slow
def test_a_run_that_time_ends_is_resumed(game: Game, tmp_path: Path, objective: str) -> None:
    swept = partial(sweep_optimal, game, objective=objective)
    swept(tmp_path / "whole", workers=1)
    place = tmp_path / "s"
    assert len(swept(place, workers=1, time_limit=1e-6).missing) == 60
    assert swept(place, workers=2, time_limit=99).n_open == 0
    assert figures(place) == figures(tmp_path / "whole")


@pytest.mark.parametrize(("name", "asked", "said"), [
    ("rule", {"settings": Settings(rule="entropy")}, "--rule 'minimax', not 'entropy'"),
    ("rule", {"settings": Settings(hard=True)}, "--hard off, not on"),
    ("rule", {"settings": Settings(guess_from="secrets")}, "--guess-from 'allowed', not 'secrets'"),
    ("exact", {"objective": "worst"}, "--objective 'total', not 'worst'"),
    ("exact", {"within": 5}, "--within '6', not '5'"),
    ("exact", {"within": None}, "--within '6', not 'None'"),
    ("exact", {"hard": True}, "--hard off, not on"),
])  # fmt: skip
def test_another_question_is_refused_by_name(
    game: Game, wholes: dict[str, Path], name: str, asked: dict[str, Any], said: str
) -> None:
    before = wholes[name].read_bytes()
    with pytest.raises(StrategyError, match=said):
        KINDS[name].sweep(game, wholes[name], workers=1, **asked)
    assert wholes[name].read_bytes() == before


@pytest.mark.parametrize(("words", "said"), [
    (WORDS[1:], "the number of guesses '60', not '59'"), (["zzzzz", *WORDS[1:]], "the guesses"),
])  # fmt: skip
def test_another_list_is_refused(wholes: dict[str, Path], words: list[str], said: str) -> None:
    for name, kind in KINDS.items():
        before = wholes[name].read_bytes()
        refused(StrategyError, said, kind.sweep, load_game(words), wholes[name], workers=1)
        assert wholes[name].read_bytes() == before


@both_kinds
def test_another_version_is_refused_by_name(
    game: Game, wholes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(question, "program_version", lambda: "9.9")
    with pytest.raises(StrategyError, match=r"the version of knuthle '.*', not '9\.9'"):
        KINDS[name].sweep(game, wholes[name], workers=1)
    assert len(open_sweep(wholes[name])) == 60  # whoever only reads may have any version


def test_two_kinds_of_sweeps_are_not_mixed(game: Game, whole: Path, tmp_path: Path) -> None:
    rule = tmp_path / "rule"
    sweep_openers(game, rule, WORDS[:2], workers=1)
    assert isinstance(open_sweep(rule), SweepTable)
    assert isinstance(open_sweep(whole), ExactTable)
    for ask, *asked in (
        (sweep_openers, game, whole), (sweep_optimal, game, rule),
        (merge_sweeps, [whole, rule], tmp_path / "out"),
        (merge_sweeps, [rule, whole], tmp_path / "out"),
    ):  # fmt: skip
        refused(StrategyError, "--rule 'minimax'|--rule 'optimal'", ask, *asked)
    assert not (tmp_path / "out").exists()


SUM = "does not add up"
#: The kind, what damages its database, and what is said of it.
DAMAGE = [
    ("rule", "UPDATE openers SET total = total + 1", SUM),
    ("rule", "UPDATE openers SET histogram = '1 2'", SUM),
    ("rule", "UPDATE openers SET histogram = 'x'", SUM),
    ("rule", "UPDATE openers SET digest = x'00'", SUM),
    ("rule", "UPDATE openers SET digest = replace(digest, substr(digest, 1, 1), char(27))", SUM),
    ("rule", "UPDATE openers SET digest = upper(digest)", SUM),
    ("rule", "UPDATE openers SET nodes = -5", SUM),
    ("rule", "UPDATE openers SET nodes = 1", SUM),
    ("rule", "UPDATE openers SET nodes = total + 1", SUM),
    ("rule", "UPDATE openers SET histogram = cast(x'ff' AS TEXT)", "no UTF-8"),
    ("exact", "UPDATE exact SET upper = upper + 1", SUM),
    ("exact", "UPDATE exact SET state = 'known'", SUM),
    ("exact", "UPDATE exact SET state = 'bounds', lower = 9, upper = 8", SUM),
    ("exact", "UPDATE exact SET seconds = 'x'", SUM),
    *(
        (name, damage.replace("ROWS", kind.table), said)
        for name, kind in KINDS.items()
        for damage, said in (
            ("DROP TABLE ROWS", "damaged: its tables are not those of a sweep"),
            ("UPDATE question SET text = '{}'", "question cannot be read"),
            ("INSERT INTO question VALUES ('')", "2 questions"),
            ("PRAGMA user_version=2", "of form 2"),
        )
    ),
]


@pytest.mark.parametrize(("name", "damage", "said"), DAMAGE)
def test_damage_is_named(
    game: Game, wholes: dict[str, Path], tmp_path: Path, name: str, damage: str, said: str
) -> None:
    kind, place = KINDS[name], tmp_path / "s"
    place.write_bytes(wholes[name].read_bytes())
    altered(place, damage)
    refused(BadFileError, said, open_sweep, place)
    refused(BadFileError, said, kind.sweep, game, place, workers=1)


def test_parts_are_merged_closer_bounds_kept(game: Game, whole: Path, tmp_path: Path) -> None:
    asked = open_sweep(whole).question
    parts = [tmp_path / f"part{number}" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        sweep_optimal(game, part, shard=(number, 2), workers=1)
    some = open_sweep(parts[0]).rows[3]
    assert some.value is not None
    with SweepStore.open(tmp_path / "bounds", asked) as store:
        store.add_openers([some.opener, WORDS[1]])
        store.improve(
            [
                ExactRow(some.opener, "bounds", some.value - 1, some.value + 1),
                ExactRow(WORDS[1], "bounds", 1, None),
            ]
        )
    merge_sweeps([tmp_path / "bounds", parts[0]], tmp_path / "out")
    merge_sweeps([parts[1]], tmp_path / "out")
    assert figures(tmp_path / "out") == figures(whole)


def test_what_is_merged_twice_counts_once(
    game: Game, wholes: dict[str, Path], tmp_path: Path
) -> None:
    for name in KINDS:
        seconds = open_sweep(wholes[name]).seconds
        for again in ([wholes[name]] * 2, [wholes[name]]):
            assert merge_sweeps(again, tmp_path / name).seconds == seconds > 0
    whole, out, twin = wholes["exact"], tmp_path / "exact", tmp_path / "twin"
    sweep_optimal(game, twin, WORDS[:9], workers=1)
    altered(twin, "UPDATE exact SET seconds = 1000")
    once = merge_sweeps([twin], out)
    assert sum(row.seconds for row in once) == pytest.approx(
        9000 + sum(row.seconds for row in open_sweep(whole) if row.opener not in WORDS[:9])
    )
    assert merge_sweeps([whole, twin], out).seconds == once.seconds
    assert figures(out) == figures(whole)
    # a run that goes on adds its time to what was spent before
    row = ExactRow("crane", "bounds", 8, None, 2.0)
    assert row.joined(ExactRow("crane", "exact", 9, 9, 3.0)).seconds == 5.0


@pytest.mark.parametrize("wrong", [
    lambda value: ExactRow(WORDS[3], "exact", value - 1, value - 1),
    lambda value: ExactRow(WORDS[3], "bounds", value + 1, None),
    lambda value: ExactRow(WORDS[3], "bounds", 1, value - 1),
    lambda value: ExactRow(WORDS[3], "impossible"),
])  # fmt: skip
def test_parts_that_contradict(
    whole: Path, tmp_path: Path, wrong: Callable[[int], ExactRow]
) -> None:
    table = open_sweep(whole)
    value = table[WORDS[3]].value
    assert value is not None
    with SweepStore.open(tmp_path / "s", table.question) as store:
        store.add_openers([WORDS[3]])
        store.improve([wrong(value)])
    with pytest.raises(WrongStrategyError, match=f"'{WORDS[3]}': .* and .*; one of them is wrong"):
        merge_sweeps([whole, tmp_path / "s"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_bounds_come_closer_and_meet() -> None:
    far, near = ExactRow("crane", "bounds", 10, None), ExactRow("crane", "bounds", 8, 11)
    assert far.joined(near) == near.joined(far) == ExactRow("crane", "bounds", 10, 11)
    assert near.joined(ExactRow("crane", "bounds", 11)) == ExactRow("crane", "exact", 11, 11)
    impossible = ExactRow("crane", "impossible")
    assert far.joined(impossible) == impossible
    assert [row.value_text() for row in (far, near, impossible)] == [
        "at least 10", "8-11", "impossible",
    ]  # fmt: skip
    with pytest.raises(WrongStrategyError, match="at least 12 and 8-11"):
        ExactRow("crane", "bounds", 12).joined(near)
