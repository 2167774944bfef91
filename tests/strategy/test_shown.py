"""What notebooks show of results: one line each, tables in which all is text, rows for pandas."""

import inspect
import shlex
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import strategy
from solver.errors import WrongInputError
from solver.machine import dispatch
from solver.shown import Rows, Shown, bars_svg, frame_of, html_of, record_of
from strategy.solving.progress import tells_progress
from strategy.toolbox import machine_code
from tests.support import needs_compiler, refused
from tests.support.worlds import game_of

WORDS = [f"{a}{b}{c}ar" for a in "bcdfghlm" for b in "aeo" for c in "nrst"]
WILD = '<script>alert("x")</script>&'
LONGEST = 200


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One of each public result, by what makes it; of a game with a hundred secrets."""
    game, folder = game_of(WORDS), tmp_path_factory.mktemp("shown")
    found: dict[str, Any] = {
        "load_game": game,
        "solve": strategy.solve(game),
        "optimal": strategy.optimal(game_of(WORDS[:9]), workers=1, within=None),
        "suggest": strategy.suggest(game, "", top=None),
        "openers": strategy.openers(game),
        "buckets": strategy.buckets(game, "banar"),
        "pairs": strategy.pairs(game, "banar", top=30),
        "triples": strategy.triples(game, "banar", "besar", top=30),
        "cheat_sheet": strategy.cheat_sheet(game, "banar"),
        "five_words": strategy.five_words(["fjord", "gucks", "nymph", "vibex", "waltz"]),
        "review": strategy.review(game, "banar.ggggg"),
        "solve_word": strategy.solve_word(game, "besar", strategy.HowToFind(rule="minimax")),
        "sweep_openers": strategy.sweep_openers(game, folder / "t", WORDS[:30], workers=1),
    }
    made = found["solve"].strategy
    made.save(folder / "a.strategy")
    other = strategy.solve(game, strategy.Settings(start=("besar",))).strategy
    return found | {
        "Strategy": made,
        "state": made.state(),
        "compare": strategy.compare(made, other),
        "verify": strategy.verify(folder / "a.strategy"),
        "examine": strategy.examine(folder / "a.strategy"),
        "examine.result": strategy.examine(folder / "a.strategy").result,
    }


def test_every_result_is_one_short_line_with_its_figures(results: dict[str, Any]) -> None:
    for name, result in results.items():
        line = repr(result)
        assert line.startswith("<") and "\n" not in line, name
        assert len(line) < LONGEST and "0x" not in line, name
    assert repr(results["load_game"]) == "<WordleGame: wordle, test, test: 96 guesses, 96 secrets>"
    assert f"total {results['solve'].strategy.total}, mean" in repr(results["solve"])
    assert "proved" in repr(results["optimal"]) and "96 secrets fit" in repr(results["suggest"])
    assert repr(results["openers"]).startswith("<96 rows: ")
    assert repr(results["solve_word"]).startswith("<SolvedWord: besar found in ")
    assert results["solve_word"].rows[-1]["word"] == "besar"
    assert repr(results["verify"]).startswith("<Verdict: 96 secrets played, worst ")
    examined = repr(results["examine"])
    assert examined == "<Examined: strategy, OK; 96 of 96 secrets solved, 0 faults>"
    assert "96 of 96 secrets solved, 0 faults" in results["examine"]._repr_html_()
    assert repr(results["examine.result"]) == "<CheckResult: 96 of 96 secrets solved, 0 faults>"
    assert repr(results["sweep_openers"]) == "<SweepTable: 30 of 30 openers done>"


def test_a_list_of_thousands_of_words_is_no_longer() -> None:
    game = strategy.load_game()
    for shown in (repr(game), game._repr_html_()):
        assert "12,972 guesses" in shown and len(shown) < LONGEST


def test_tables_of_notebooks_are_well_formed_and_short(results: dict[str, Any]) -> None:
    for name, result in results.items():
        if hasattr(result, "_repr_html_"):
            markup = result._repr_html_()
            tree = ElementTree.fromstring(f"<div>{markup}</div>")
            assert len(tree.findall(".//tr")) <= 21, name
    shown = results["Strategy"]._repr_html_()
    assert f"96 secrets, worst {results['Strategy'].worst}, total " in shown
    assert ElementTree.fromstring(f"<div>{shown}</div>").find(".//*[@role='img']") is not None
    drawn = ElementTree.fromstring(f"<div>{results['buckets']._repr_html_()}</div>")
    assert "BANAR: 96 answers, " in "".join(drawn.itertext())
    shown = results["openers"]._repr_html_()
    assert "<td>banar</td>" in results["pairs"]._repr_html_() or "banar" in repr(results["pairs"])
    assert "and 76 more rows" in shown and "<th>entropy</th>" in shown


def test_whatever_a_table_holds_is_text() -> None:
    class Wild(Shown):
        def _line(self) -> str:
            return WILD

        def _records(self) -> list[dict[str, Any]]:
            return [{WILD: WILD, "many": (WILD, WILD), "none": None}]

    bars = bars_svg([(WILD, 1, WILD), ("", 0, "")], WILD)
    for markup in (Wild()._repr_html_(), html_of(WILD, [{WILD: [WILD]}]), bars):
        assert "<script" not in markup
        ElementTree.fromstring(f"<div>{markup}</div>")


def test_rows_are_dictionaries_of_what_the_result_has(results: dict[str, Any]) -> None:
    taken = results["solve"].verdict.taken
    assert {row["secret"]: row["guesses"] for row in results["solve"].rows} == taken
    rows = results["openers"].rows
    assert [row["word"] for row in rows] == [row.word for row in results["openers"]]
    assert rows[0] == record_of(results["openers"][0]) and isinstance(results["openers"], list)
    suggested, split = results["suggest"], results["buckets"]
    words = [row["word"] for row in suggested.words.rows]
    assert [row["word"] for row in suggested.rows] == words
    texts = [bucket.text for bucket in split.split.buckets]
    assert [row["text"] for row in split.rows] == texts
    for name in ("pairs", "triples", "compare", "review", "five_words", "optimal"):
        assert results[name].rows and all(type(row) is dict for row in results[name].rows), name


def test_frames_of_pandas(results: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in: pandas is not among what tests need."""

    class Frame:
        def __init__(self, rows: list[dict[str, Any]], columns: object = None) -> None:
            self.rows, self.columns = rows, columns

        def set_index(self, name: str) -> tuple[str, Any, Any]:
            return name, self.columns, self.rows

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Frame))
    for name in ("solve", "suggest", "openers", "buckets", "pairs", "compare", "review"):
        assert results[name].to_frame().rows == results[name].rows, name
    assert len(results["cheat_sheet"].to_frame().rows) == len(results["cheat_sheet"].rows)
    index, columns, rows = results["sweep_openers"].to_frame()
    assert (index, columns[0], rows[0]["opener"]) == ("opener", "opener", WORDS[0])
    monkeypatch.setitem(sys.modules, "pandas", None)
    refused(WrongInputError, f"{shlex.quote(sys.executable)} -m pip install pandas", frame_of, [])
    refused(WrongInputError, "pandas", Rows([results["solve"]]).to_frame)


# ---- progress
@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The calls that bars get; none is drawn."""
    told: list[tuple[Any, ...]] = []

    class Bar:
        def __init__(self, **options: Any) -> None:
            told.append((options["desc"], options["total"]))

        def update(self, new: int) -> None:
            told.append(("new", new))

        def set_postfix_str(self, more: str, refresh: bool) -> None:
            told.append(("more", more))

        def close(self) -> None:
            told.append(("closed",))

    monkeypatch.setattr("strategy.solving.progress._tqdm", lambda: Bar)
    return told


def test_true_shows_bars_and_false_nothing(
    heard: list[tuple[Any, ...]], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    game = game_of(WORDS)
    for progress in (False, None):
        strategy.solve(game, progress=progress)
    assert heard == [] and capfd.readouterr().err == ""
    strategy.solve(game, progress=True)
    assert ("solving", 96) in heard and ("playing", 96) in heard and heard[-1] == ("closed",)
    for made in (
        lambda: strategy.optimal(game_of(WORDS[:9]), workers=1, within=12, progress=True),
        lambda: strategy.pairs(game, top=1, progress=True),
        lambda: strategy.triples(game_of(WORDS[:9]), top=1, progress=True),
        lambda: strategy.sweep_openers(game, tmp_path / "s", ["banar"], workers=1, progress=True),
    ):
        heard.clear()
        made()
        assert heard, made


def test_a_function_hears_what_it_is_given(heard: list[tuple[Any, ...]]) -> None:
    calls: list[tuple[Any, ...]] = []
    strategy.solve(game_of(WORDS), progress=lambda *report: calls.append(report))
    assert ("solving", 96) in {(what, whole) for what, _, whole in calls} and heard == []


@needs_compiler
def test_bars_say_once_that_something_is_compiled(
    heard: list[tuple[Any, ...]], capfd: pytest.CaptureFixture[str]
) -> None:
    before = list(dispatch.listeners)

    @tells_progress("solve-all")
    def work(progress: Any = False) -> None:
        dispatch._expected.clear()
        for began in dispatch.listeners[len(before) :] * 2:
            began()

    work()
    assert capfd.readouterr().err == ""
    work(progress=True)
    assert capfd.readouterr().err == machine_code.notice() + "\n"
    assert dispatch.listeners == before


@needs_compiler
def test_what_compiles_says_so_in_a_notebook_or_where_it_is_wanted(
    heard: list[tuple[Any, ...]], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, however many functions call each other; ``False`` is silent in a notebook too."""

    @tells_progress("suggest", reports=False)
    def inner(progress: Any = None) -> None:
        for began in list(dispatch.listeners):
            began()

    @tells_progress("solve", reports=False)
    def outer(progress: Any = None) -> None:
        inner()

    line = machine_code.notice() + "\n"
    before: list[Any] = []  # commands that earlier tests ran in this process listen too
    monkeypatch.setattr(dispatch, "listeners", before)
    outer()
    assert capfd.readouterr().err == "", "no notebook"
    shell = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    for call, said in (
        (outer, line), (inner, line), (partial(outer, progress=False), ""),
        (partial(inner, progress=True), line),
    ):  # fmt: skip
        call()
        assert capfd.readouterr().err == said
    terminal = type("TerminalInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: terminal))
    outer()
    assert capfd.readouterr().err == "" and before == []


@needs_compiler
def test_a_function_hears_how_far_compiling_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of functions that report nothing else; all kernels of their command are compiled at once."""
    asked: list[Any] = []

    def compile_for(commands: list[str], workers: Any, report: Any, labels: Any) -> None:
        asked.append((commands, labels))
        report(1, 2)
        report(2, 2)

    monkeypatch.setattr(machine_code, "compile_for", compile_for)
    calls: list[tuple[Any, ...]] = []

    @tells_progress("suggest", reports=False)
    def work(progress: Any = None) -> None:
        for preparation in dispatch._expected:
            preparation(*machine_code.kernels_of(["suggest"], ["--hard"])[0])

    work(progress=lambda *report: calls.append(report))
    assert calls == [("compiling", 0, 2), ("compiling", 1, 2)]
    assert asked == [(["suggest"], ["--hard"])]
    for name in ("suggest", "openers", "buckets", "review", "solve_word"):
        parameters = inspect.signature(getattr(strategy, name)).parameters
        assert parameters["progress"].default is None, name
