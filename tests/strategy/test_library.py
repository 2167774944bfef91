"""What the package strategy offers: names, examples, words in and out; what notebooks show."""

import doctest
import inspect
import pydoc
import random
import re
import shlex
import sys
import tomllib
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import knuthle
import strategy
from solver.errors import WrongInputError
from solver.machine import dispatch
from solver.rules.searcher import Searcher
from solver.shown import Rows, Shown, bars_svg, frame_of, html_of, record_of
from strategy import solve
from strategy.errors import UnknownStateError, WrongStrategyError
from strategy.solving.progress import tells_progress
from strategy.toolbox import machine_code
from strategy.toolbox.guesses import MORE_MEASURES, spelled_opener
from tests.support import ROOT, needs_compiler, refused, said_by
from tests.support.worlds import game_of, some_world

WORDS = ["abide", "crane", "raise", "slate", "stare"]


@pytest.mark.parametrize("name", strategy.__all__)
def test_examples(name: str) -> None:
    (found,) = doctest.DocTestFinder(recurse=False).find(getattr(strategy, name), name)
    assert found.examples
    said: list[str] = []
    assert doctest.DocTestRunner().run(found, out=said.append).failed == 0, "".join(said)


def test_names_of_the_package() -> None:
    assert set(strategy.__all__) <= set(dir(strategy))
    with pytest.raises(AttributeError, match="no attribute 'oracle'"):
        _ = strategy.oracle
    # In the order in which one meets them, a line each.
    listed = re.findall(r"^    (\w+) +\S", strategy.__doc__ or "", re.MULTILINE)
    assert sorted(listed) == sorted(strategy.__all__)
    helped = pydoc.plaintext.document(strategy, "strategy")
    for name in strategy.__all__:
        assert (getattr(strategy, name).__doc__ or "").splitlines()[0] in helped
    with pytest.raises(WrongInputError, match=r"strategy\.optimal and solve-all --rule optimal"):
        Searcher(game_of(WORDS), "optimal")


def test_knuthle_offers_the_same_and_its_version() -> None:
    assert set(knuthle.__all__) == {*strategy.__all__, "__version__"} <= set(dir(knuthle))
    for name in strategy.__all__:
        assert getattr(knuthle, name) is getattr(strategy, name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert knuthle.__version__ == project["version"]
    with pytest.raises(AttributeError, match="'knuthle' has no attribute 'cli'"):
        _ = knuthle.cli


def test_one_word_is_not_its_letters_and_several_may_be_one_text() -> None:
    game = game_of(WORDS)
    for start in ("stare", " stare ", ["stare"], ("stare",)):
        assert strategy.Settings(start).start == ("stare",)
        assert strategy.solve(game, strategy.Settings(start)).strategy.origin.start == ("stare",)
        best = strategy.optimal(game, start=start, workers=1).strategy
        assert best is not None and best.origin.start == ("stare",)
    assert strategy.Settings("stare, Crane").start == ("stare", "Crane")
    assert strategy.Settings("stare,crane") == strategy.Settings(["stare", "crane"])
    assert hash(strategy.Settings(["stare"])) == hash(strategy.Settings("stare"))
    assert strategy.Settings("auto") == strategy.Settings()


def test_a_name_is_a_callable_whatever_has_been_imported() -> None:
    """Modules of the same names are somewhere below; none may take the place of its function."""
    said_by(
        "import pkgutil, importlib, strategy\n"
        "for found in pkgutil.walk_packages(strategy.__path__, 'strategy.'):\n"
        "    found.name.endswith('__main__') or importlib.import_module(found.name)\n"
        "assert all(callable(getattr(strategy, name)) for name in strategy.__all__)"
    )


# --- words in, words out ------------------------------------------------------------------
def test_words_and_clues() -> None:
    game = strategy.load_game([word.upper() for word in reversed(WORDS)], iter(["stare"]))
    assert (game.guesses, game.secrets) == (tuple(WORDS), ("stare",))
    assert (game.list_name, game.secrets_name) == ("words", "words")
    for reason, *lists in (
        ("words:2: 'cranes' has 6 letters, 'abide'", ["abide", "cranes"]),
        ("secrets:1: the secret 'crane' is not a guess", ["abide"], ["crane"]),
    ):
        refused(WrongInputError, reason, strategy.load_game, *lists)
    game = game_of(WORDS)
    score = game.grade("crane", "slate")
    found = strategy.suggest(game, [("crane", score)])
    assert found == strategy.suggest(game, f"crane {game.format_score(score)}")
    assert found == strategy.suggest(game, [("CRANE", game.format_score(score))])
    assert (found.secrets, found.solved) == (("slate",), None)
    solved = strategy.suggest(game, "crane ggggg")
    assert (solved.solved, solved.words, solved.exact) == ("crane", [], None)
    refused(WrongInputError, "--guess-from is one of", strategy.suggest, game, guess_from="dreams")


def test_openers_and_pairs() -> None:
    game = game_of(WORDS)
    every = strategy.openers(game)
    assert [row.rank for row in every] == sorted(row.rank for row in every)
    assert strategy.openers(game, top=1, bottom=2) == [every[0], *every[-2:]]
    assert strategy.openers(game, top=4, bottom=4) == every
    two = [row for row in every if row.word in ("abide", "slate")]
    assert strategy.openers(game, ["slate", "abide"]) == two
    refused(WrongInputError, "without the first", strategy.pairs, game, None, "crane")
    refused(WrongInputError, "needs two", strategy.triples, game, "crane")
    game = game_of(["care", "cart", "core", "sane"])
    found = spelled_opener(game, ["CORE"])
    assert found.letters.spelled == "care"
    assert [row.word for row in found.words] == ["care", "cart", "core"]
    for by in MORE_MEASURES:
        ranks = {row.word: row.rank for row in strategy.openers(game, by=by)}
        assert all(row.ranks[by] == ranks[row.word] for row in found.words)


def test_suggestions_are_ranked_by_what_is_exact() -> None:
    """The least totals first, though entropy says otherwise; ranks follow the totals."""
    game = strategy.load_game()
    for state in ("crane bygbb", "salet bbbbb abide bbbbb", "salet bbbbb"):
        found = strategy.suggest(game, state)
        assert (found.by, len(found.words)) == ("guesses", 10) and found.exact is not None
        totals = [row.total for row in found.words]
        assert totals == sorted(totals, key=lambda total: total or 10**9)
        assert totals[0] == found.exact.least
        ranks = [1 + sum(other < total for other in totals) for total in totals]
        assert [row.rank for row in found.words] == ranks
        assert {row.word for row in found.words if row.rank == 1} == set(found.exact.best)
        assert strategy.suggest(game, state, top=3).words == found.words[:3]
        measured = strategy.suggest(game, state, by="entropy")
        assert measured.by == "entropy"
        bits = [row.entropy for row in measured.words]
        assert bits == sorted(bits, reverse=True) and found.words != measured.words


def test_rankings() -> None:
    everything = strategy.load_game(secrets="allowed")
    found = strategy.suggest(everything, "lares bgbgb")
    assert found.exact is not None and (found.by, found.exact.least) == ("entropy", None)
    assert strategy.suggest(everything, top=3).by == "entropy"
    game = strategy.load_game()
    found = strategy.suggest(game, "sigma xxxxx tenor xpppx", top=1)
    assert [row.word for row in found.words] == ["cloze"] and found.n_more_tied == 1
    assert strategy.suggest(game, "sigma xxxxx tenor xpppx", top=0).n_more_tied == 0
    assert strategy.suggest(game, "crane bbgbb", top=2, by="parts").by == "parts"


@pytest.mark.slow
def test_ties_are_counted_and_in_order() -> None:
    """Words that may be the secret first, then answers of the shipped lists, then the alphabet."""
    lists = ("original", "nyt-2022", "nyt-2023", "nyt-2026")
    answers = {word for name in lists for word in strategy.load_game(name).secrets}
    for secrets in ("answers", "allowed"):
        game = strategy.load_game(secrets=secrets)
        every = strategy.suggest(game, "crane bgbbg", top=None, by="minimax")
        for rows in (every.words, strategy.suggest(game, "crane bgbbg", top=None).words):
            keys = [(it.rank, not it.candidate, it.word not in answers, it.word) for it in rows]
            assert all(keys[k] < keys[k + 1] for k in range(len(keys) - 1))
        for top in (1, 10, 500):
            some = strategy.suggest(game, "crane bgbbg", top=top, by="minimax")
            assert some.words == every.words[:top]
            last = some.words[-1].rank
            assert some.n_more_tied == sum(row.rank == last for row in every.words[top:])
        assert every.n_more_tied == 0


def test_five_words_come_from_words_and_files(tmp_path: Path) -> None:
    path = tmp_path / "more.txt"
    path.write_text("Dog\nbirds\n")
    found = strategy.five_words(["cat"], files=[path], count=2, letters=3)
    assert found.sets == (("cat", "dog"),)
    assert (found.words_read, found.skipped, found.masks) == (2, 1, 2)
    assert strategy.five_words([]).sets == ()


def test_verify_takes_what_there_is(lares_file: Path, tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("\n".join(WORDS))
    made = strategy.solve(strategy.load_game(listed)).strategy
    made.save(tmp_path / "s")
    for given in (made, tmp_path / "s", str(tmp_path / "s")):
        for words in (WORDS, listed, str(listed)):
            assert strategy.verify(given, words).lists == "lists as given"
    said = "35 secrets take more than 6"
    refused(WrongStrategyError, said, strategy.verify, lares_file, within=6)
    refused(WrongStrategyError, "another list", strategy.verify, lares_file, WORDS)


def test_states_show_what_can_follow() -> None:
    for seed in range(4):
        strategy = solve(some_world(random.Random(seed), 15, 40)).strategy
        for node in range(0, strategy.nodes, 3):
            history = strategy.history_of(node)
            state = strategy.state(history)
            assert state.guess == strategy.next_guess(history)
            assert list(state.remaining) == strategy.remaining(history)
            assert sum(count for _, count, _ in state.replies) == len(state.remaining)
            for text, count, then in state.replies:
                after = [*history, (state.guess, text)]
                if then is None:
                    assert state.guess in state.remaining
                    continue
                assert strategy.next_guess(after) == then
                assert len(strategy.remaining(after)) == count
            ElementTree.fromstring(f"<div>{state._repr_html_()}</div>")
    text = ".".join(f"{word}.{score}" for word, score in strategy.state(history).history)
    assert strategy.state(text) == strategy.state(history)
    refused(UnknownStateError, "", strategy.state, "zzzzz.bbbbb")


MANY = [f"{a}{b}{c}ar" for a in "bcdfghlm" for b in "aeo" for c in "nrst"]
WILD = '<script>alert("x")</script>&'
LONGEST = 200


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """One of each public result, by what makes it; of a game with a hundred secrets."""
    game, folder = game_of(MANY), tmp_path_factory.mktemp("shown")
    found: dict[str, Any] = {
        "load_game": game,
        "solve": strategy.solve(game),
        "optimal": strategy.optimal(game_of(MANY[:9]), workers=1, within=None),
        "suggest": strategy.suggest(game, "", top=None),
        "openers": strategy.openers(game),
        "buckets": strategy.buckets(game, "banar"),
        "pairs": strategy.pairs(game, "banar", top=30),
        "triples": strategy.triples(game, "banar", "besar", top=30),
        "cheat_sheet": strategy.cheat_sheet(game, "banar"),
        "five_words": strategy.five_words(["fjord", "gucks", "nymph", "vibex", "waltz"]),
        "review": strategy.review(game, "banar.ggggg"),
        "solve_word": strategy.solve_word(game, "besar", strategy.HowToFind(rule="minimax")),
        "sweep_openers": strategy.sweep_openers(game, folder / "t", MANY[:30], workers=1),
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
    assert (index, columns[0], rows[0]["opener"]) == ("opener", "opener", MANY[0])
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
    game = game_of(MANY)
    for progress in (False, None):
        strategy.solve(game, progress=progress)
    assert heard == [] and capfd.readouterr().err == ""
    strategy.solve(game, progress=True)
    assert ("solving", 96) in heard and ("playing", 96) in heard and heard[-1] == ("closed",)
    for made in (
        lambda: strategy.optimal(game_of(MANY[:9]), workers=1, within=12, progress=True),
        lambda: strategy.pairs(game, top=1, progress=True),
        lambda: strategy.triples(game_of(MANY[:9]), top=1, progress=True),
        lambda: strategy.sweep_openers(game, tmp_path / "s", ["banar"], workers=1, progress=True),
    ):
        heard.clear()
        made()
        assert heard, made


def test_a_function_hears_what_it_is_given(heard: list[tuple[Any, ...]]) -> None:
    calls: list[tuple[Any, ...]] = []
    strategy.solve(game_of(MANY), progress=lambda *report: calls.append(report))
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
