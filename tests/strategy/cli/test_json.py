"""The keys of JSON and the columns of CSV: what the commands print is what docs/json.md says."""

import csv
import io
import itertools
import json
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from solver.exact.problem import GuessBounds, Problem
from solver.game.load import load_game
from strategy import cli
from strategy.files.strategy_file import Origin
from strategy.solving.by_rule import GrowingStrategy
from strategy.solving.search import save_checkpoint
from strategy.sweep.question import SweepQuestion
from strategy.sweep.rows import ExactRow
from strategy.sweep.store import SweepStore
from tools.promises.outputs import TABLES_PAGE, columns_of, documented_keys, tables

#: From BCC by Knuth's rule one of them takes four guesses; three suffice.
WORDS = "bcc beb bhd cbc cbg cfg dff ece ega egc egd ege fgg gab".split()
OWN = "--list w.txt --secrets allowed"
WEIGHTS, USED = "--weights weights.txt", "--used used.txt"
#: A program that guesses all words in their order.
PLAYER = """
import sys
words = open("w.txt").read().split()
for line in sys.stdin:
    steps = line.split()
    print("ready" if steps[0] == "hello" else words[len(steps) // 2], flush=True)
"""
PLAYS = f"-- {shlex.quote(sys.executable)} player.py"
#: Command in the tables → what is run; together these print every key.
RUNS = {
    "solve-all": (
        f"solve-all {OWN} --out rule",
        f"solve-all {OWN} --within 3 --out repaired",
        f"solve-all {OWN} --within 1 --rule optimal --out none",
        f"solve-all {OWN} {WEIGHTS} --rule optimal --out by-weight",
        f"solve-all {OWN} --rule optimal --then worst --out then",
        f"solve-all {OWN} --rule optimal --then worst --within 1 --out none",
    ),
    "optimal": (
        f"optimal {OWN} --out optimal --proof proof",
        f"optimal {OWN} --within 2",
        f"optimal {OWN} --out resumed --resume aside",
        f"optimal {OWN} --within 2 --start beb --out lost --objective losses",
        f"optimal {OWN} --within none --objective worst --out worst --proof refuted",
        f"optimal {OWN} {WEIGHTS} --out weighted",
        f"optimal {OWN} {USED} --out by-used",
        f"optimal {OWN} --then fewest-of:3 --out second",
        f"optimal {OWN} --then fewest-of:3 --within 1",
    ),
    "optimal --opponent": (
        f"optimal {OWN} --opponent adversary",
        f"optimal {OWN} --opponent adversary --within 1",
    ),
    "optimal --state": (
        f"optimal {OWN} --state bcc.bbb",
        f"optimal {OWN} --state bcc.ggg",
        f"optimal {OWN} --state bcc.bbb --then worst",
        f"optimal {OWN} --state bcc.ggg --then worst",
    ),
    "sweep run": (
        f"sweep run {OWN} --out sweep.sqlite --workers 1",
        "sweep run --list five.txt --out five.sqlite --workers 1",
    ),
    "sweep status": ("sweep status sweep.sqlite",),
    "sweep report": ("sweep report sweep.sqlite --times --top 9", "sweep report five.sqlite"),
    "sweep merge": ("sweep merge sweep.sqlite --out merged.sqlite",),
    "sweep run --rule optimal": (
        f"sweep run --rule optimal {OWN} --out best.sqlite --workers 1",
        "sweep run --rule optimal --list five.txt --out few.sqlite --workers 1 --within 1",
    ),
    "sweep status: optimal": ("sweep status best.sqlite",),
    "sweep report: optimal": (
        "sweep report best.sqlite --times --top 9",
        "sweep report few.sqlite",
        "sweep report bounds.sqlite",
    ),
    "sweep merge: optimal": ("sweep merge best.sqlite --out both.sqlite",),
    "verify": ("verify rule --words w.txt", "verify rule --within 1", f"verify broken {OWN}",
               "verify weighted --weights weights.txt", f"verify rule {OWN} -o imported",
               f"verify broken {OWN} -o imported"),
    "compare": (f"compare rule lost {OWN}",),
    "referee": (f"referee {OWN} --stop-after 3 --record g.jsonl {PLAYS}",),
    "referee --player": (f"referee {OWN} --player random --stop-after 1",),
    "referee --check": (f"referee {OWN} --check bad.jsonl",),
    "check-proof": ("check-proof proof --words w.txt", "check-proof refuted --words w.txt"),
    "lookup": ("lookup rule cbg.bbb",),
    "export": tuple(
        f"export {name} --to json" for name in ("rule", "repaired", "optimal", "weighted", "second")
    ),
    "explore": ("explore rule --out page.html", "explore rule --out -"),
    "web": ("web --out page --force",),
    "lookup FILE": tuple(
        f"lookup {name}"
        for name in (
            *("rule", "repaired", "optimal", "weighted", "second"),
            *("proof", "refuted", "partial", "findings"),
        )
    ),
    "lists": ("lists",),
    "lists make": ("lists make w.txt --length 3", "lists make w.txt"),
    "lists show": ("lists show original --answers",),
    "openers": (f"openers {OWN}", f"openers {OWN} --by letters gab", f"openers {OWN} {WEIGHTS}",
                f"openers {OWN} {USED}"),
    "buckets": (f"buckets bcc ece {OWN}", f"buckets bcc {OWN} {WEIGHTS}",
                f"buckets bcc {OWN} {USED}"),
    "compile": ("compile buckets",),
    "pairs": (f"pairs {OWN}", f"pairs bcc beb {OWN}"),
    "pairs --third": (f"pairs --third {OWN}", f"pairs --third bcc beb {OWN}"),
    "cheatsheet": (
        f"cheatsheet bcc {OWN} --group hits",
        f"cheatsheet bcc {OWN} {USED}",
        f"cheatsheet bcc {OWN} --group hits --hard --depth 3",
        f"cheatsheet bcc {OWN} --rule optimal --group colours --hard",
    ),
    "suggest": (
        f"suggest {OWN} bcc.bbb", "suggest", f"suggest {OWN} bcc.ggg",
        f"suggest {OWN} bcc.bbb {WEIGHTS}", f"suggest {OWN} bcc.bbb {USED}",
    ),
    "regret": (f"regret bcc {OWN}", f"regret bcc {OWN} {WEIGHTS}"),
    "review": (f"review {OWN} bcc.bbb.dff.ggg", f"review {OWN} {WEIGHTS} bcc.bbb.ege.ggg",
               f"review {OWN} {USED} bcc.bbb.dff.ggg"),
    "review GRID": (f"review {OWN} ⬛⬛⬛ 🟩🟩🟩", f"review {OWN} {WEIGHTS} ⬛⬛⬛"),
    "review --games": (
        f"review {OWN} --games games.txt",
        f"review {OWN} {WEIGHTS} --games games.txt",
    ),
    "settings": ("settings",),
    "solve": (f"solve dff {OWN} --start bcc", f"solve dff {OWN} {USED}",
              f"solve dff {OWN} --rule minimax",
              "solve dff --strategy rule"),
    "play": (
        f"play {OWN} --state bcc.bbb {WEIGHTS}", f"play {OWN} --state bcc.ggg",
        f"play {OWN} {USED} --state bcc.bbb",
    ),
    "game": (f"game {OWN} --seed 1", f"game {OWN} {USED} --seed 1", f"game {OWN} --adversary"),
    "five-words": ("five-words w.txt --letters 3 --count 2",),
}  # fmt: skip


def _is_state(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(word, str) and type(score) is int for word, score in value
    )


def _list_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(type(each) is kind for each in value)


TYPES: dict[str, Callable[[Any], bool]] = {
    "int": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "bool": lambda value: type(value) is bool,
    "str": lambda value: type(value) is str,
    "null": lambda value: value is None,
    "words": _list_of(str),
    "ints": _list_of(int),
    "state": _is_state,
    "list": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "map": lambda value: isinstance(value, dict),
}


class Documented(NamedTuple):
    """What the page says of the keys of one command: key → type."""

    keys: dict[str, str]

    def met(self, value: Any, key: str = "") -> Iterator[str]:
        """The keys of an object that has been printed, each of its type."""
        said = self.keys.get(key, "object")
        if key in self.keys:
            assert any(TYPES[kind](value) for kind in said.split(" or ")), (key, said, value)
            yield key
        if "map" in said:
            return
        if isinstance(value, dict):
            for name, inner in value.items():
                below = f"{key}.{name}" if key else name
                assert below in self.keys, f"{below} is not in docs/json.md"
                yield from self.met(inner, below)
        elif "list" in said and value is not None:
            for inner in value:
                yield from self.met(inner, f"{key}[]")


def documented() -> dict[str, Documented]:
    found = {command: Documented({}) for command in RUNS}
    for command, key, kind in documented_keys():
        assert key not in found[command].keys, f"{key} of {command} stands there twice"
        found[command].keys[key] = kind
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the words, and with what interrupted commands leave behind."""
    made = tmp_path_factory.mktemp("json")
    (made / "w.txt").write_text("\n".join(WORDS) + "\n")
    (made / "five.txt").write_text("crane\nsalet\nzebra\n")
    (made / "used.txt").write_text("bcc\nbeb\n")
    (made / "weights.txt").write_text("bcc 2\negc 1\nege 3\ndff 1\n")
    (made / "games.txt").write_text("bcc.bbb.dff.ggg\nege.ggg\n")
    (made / "broken").write_text("bcc,beb\nbcc\nbcc\n")
    (made / "player.py").write_text(PLAYER)
    game = load_game(WORDS)
    GrowingStrategy(game, Origin.of(game, "minimax", ("beb",))).save(made / "partial")
    question = SweepQuestion.of(game, "optimal", "allowed", False, "total", 6)
    with SweepStore.open(made / "bounds.sqlite", question) as store:
        store.add_openers(["beb"])
        store.improve([ExactRow("beb", "bounds", 30, 33)])
    problem = Problem(game, hard=False, within=6)
    for name in ("findings", "aside"):
        save_checkpoint(made / name, problem, GuessBounds(found={1: (2 * len(WORDS), False)}))
    return made


@pytest.fixture(scope="module")
def printed(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """What every run prints as JSON, by the command in the tables."""
    found: dict[str, list[dict[str, Any]]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setattr("sys.stdin", io.StringIO())
        for number, (name, line) in enumerate(
            (name, line) for name, lines in RUNS.items() for line in lines
        ):
            target, quiet = ("--out", []) if name == "export" else ("--json", ["--quiet"])
            words = 2 if line.startswith(("sweep ", "lists ")) else 1
            command, rest = shlex.split(line)[:words], shlex.split(line)[words:]
            code = cli.main([*command, *quiet, target, f"{number}.json", *rest])
            assert code in (0, 1), line
            if "--record" in rest:
                Path("bad.jsonl").write_text(Path("g.jsonl").read_text().replace("too", "two"))
            found.setdefault(name, []).append(json.loads(Path(f"{number}.json").read_text()))
    return found


@pytest.mark.parametrize("command", RUNS)
def test_keys_are_those_of_the_page(printed: dict[str, list[dict[str, Any]]], command: str) -> None:
    page = documented()[command]
    met = {key for value in printed[command] for key in page.met(value)}
    assert met == set(page.keys)


#: Command in the table of CSV → what is run.
TABLES = {
    name.removesuffix(" --rule minimax"): f"{name} {OWN}"
    for name in (
        "solve-all --rule minimax", "optimal", "openers", "openers --by letters", "pairs",
        "pairs --third",
    )
} | {
    "optimal --state": f"optimal {OWN} --state bcc.bbb", "export": "export rule --to csv",
    "lists": "lists", "referee": f"referee {OWN} {PLAYS}",
    "referee --player": f"referee {OWN} --player entropy", "buckets": f"buckets bcc {OWN}",
    "buckets --weights": f"buckets bcc {OWN} {WEIGHTS}", "cheatsheet": f"cheatsheet bcc {OWN}",
    "cheatsheet --rule optimal": f"cheatsheet bcc {OWN} --rule optimal",
    "suggest": f"suggest {OWN} bcc.bbb",
    "regret": f"regret bcc,dff {OWN}",
    "review": f"review {OWN} bcc.bbb.dff.ggg", "review GRID": f"review {OWN} ⬛⬛⬛ 🟩🟩🟩",
    "review --games": f"review {OWN} --games games.txt",
    "sweep report": "sweep report sweep.sqlite",
    "sweep report: optimal": "sweep report best.sqlite",
}  # fmt: skip


def test_every_table_of_the_page_is_printed() -> None:
    assert sorted(tables()) == sorted(TABLES)


def rows_of(command: str, value: dict[str, Any]) -> list[dict[str, Any]]:
    row = re.search(rf"^\| `{re.escape(command)}` \| `?([\w.\[\]]*)", TABLES_PAGE, re.MULTILINE)
    assert row
    found: list[Any] = [value]
    for name in filter(None, row[1].split(".")):
        found = list(itertools.chain(*(each[name.removesuffix("[]")] for each in found)))
    return found if row[1] else []


@pytest.mark.usefixtures("printed")
@pytest.mark.parametrize("command", TABLES)
def test_tables_have_the_columns_of_the_page(
    folder: Path, command: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    name, *line = shlex.split(TABLES[command])
    words = [name, line.pop(0)] if name == "sweep" else [name]
    more = ["--force"] if command == "export" else ["--csv", "c.csv", "--json", "j.json"]
    if command in ("solve-all", "optimal"):
        more += ["--out", "again"]
    assert cli.main([*words, *more, *line]) == 0
    shown = capfd.readouterr().out if command == "export" else Path("c.csv").read_text()
    header, *rows = csv.reader(io.StringIO(shown))
    counted = [name for name in header if re.fullmatch(r"h\d+", name)]
    assert counted == [f"h{n}" for n in range(1, len(counted) + 1)]  # of which the page has one
    header_of_page = [name for name in header if name not in counted[1:]]
    assert header_of_page == columns_of(command) and not any(" " in name for name in header)
    if command in ("export", "sweep report", "sweep report: optimal"):
        assert len(rows) == len(WORDS)
        return
    public_rows = rows_of(command, json.loads(Path("j.json").read_text()))
    for public, row in zip(public_rows, rows, strict=command != "solve-all"):
        assert [name for name in header if name in public] == list(public)
        cells = dict(zip(header, row, strict=True))
        for name, value in public.items():
            text = " ".join(map(str, value)) if isinstance(value, list) else value
            text = int(text) if isinstance(text, bool) else text
            assert cells[name] == ("" if text is None else str(text)), name
