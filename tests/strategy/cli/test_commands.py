"""The commands as people run them: results, wrong input, pipes, interrupts. Never a traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from solver import choices
from solver.game import game
from solver.rules import rules
from strategy import cli, entry
from strategy.build.by_rule import Solved
from strategy.files import origin
from tests.support import ROOT, published
from tests.support.commands import Knuthle

# --- the main job -------------------------------------------------------------------------


def test_solve_all_reports_and_writes(knuthle: Knuthle) -> None:
    outcome = knuthle("solve-all", "--start", "lares")
    assert outcome.code == 0
    assert "35 secrets take more than 6: bakes bibes" in outcome.out
    assert "worst 7, total 54,784, mean 4.2233; 14,517 nodes" in outcome.out
    assert [p.name for p in Path().iterdir()] == ["lares-original-allowed-minimax.strategy"]


def test_within_six_is_a_demand(knuthle: Knuthle) -> None:
    outcome = knuthle("solve-all", "--start", "lares", "--within", 6, "--pure", "--json", "-")
    assert outcome.code == 1
    report = json.loads(outcome.out)
    assert report["within"]["limit"] == 6
    assert not report["within"]["met"]
    assert len(report["beyond"]) == published.LARES[1]
    assert not list(Path().iterdir())


def test_json_holds_everything(knuthle: Knuthle, lares: Solved) -> None:
    outcome = knuthle("solve-all", "--start", "LARES", "--json", "-", "--out", "a b.strategy")
    report = json.loads(outcome.out)
    strategy = lares.strategy
    assert report | {"seconds": None} == {
        "start": ["lares"],
        "list": "original",
        "game": "wordle",
        "n_guesses": 12972,
        "guesses_digest": strategy.origin.guesses_digest,
        "n_secrets": 12972,
        "secrets_digest": strategy.origin.secrets_digest,
        "secrets_name": "allowed",
        "rule": "minimax",
        "guess_from": "allowed",
        "hard": False,
        "histogram": strategy.histogram,
        "worst": 7,
        "total": strategy.total,
        "mean": strategy.mean,
        "within": report["within"],
        "n_beyond": published.LARES[1],
        "beyond": strategy.beyond(6),
        "n_nodes": published.LARES_NODES,
        "digest": strategy.digest,
        "file": "a b.strategy",
        "seconds": None,
    }
    assert set(report["seconds"]) == {"matrix", "search", "verify", "all"}


def test_answers_only_and_two_starts(knuthle: Knuthle) -> None:
    outcome = knuthle(
        "solve-all", "--start", "lares,cling", "--secrets", "answers", "--json", "r.json", "--quiet"
    )
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    report = json.loads(Path("r.json").read_text())
    assert report["start"] == ["lares", "cling"]
    assert report["n_secrets"] == 2315
    assert Path("lares+cling-original-answers-minimax.strategy").is_file()


@pytest.mark.parametrize("rule", ["minimax", "entropy", "expected-size", "parts", "proportion"])
@pytest.mark.parametrize("pool", ["allowed", "secrets", "candidates"])
def test_every_rule_and_pool(knuthle: Knuthle, tiny: Path, rule: str, pool: str) -> None:
    outcome = knuthle(
        "solve-all", "--list", tiny, "--rule", rule, "--guess-from", pool, "--hard", "--out", "s"
    )
    assert outcome.code == 0
    assert knuthle("verify", "s", "--words", tiny).out.startswith("OK  s: 7 secrets played")


def test_the_default_name_says_what_it_is(knuthle: Knuthle, tiny: Path) -> None:
    assert knuthle("solve-all", "--list", tiny, "--rule", "parts", "--hard").code == 0
    (path,) = Path().iterdir()
    assert path.name.endswith("-tiny list-allowed-parts-hard.strategy")


# --- files --------------------------------------------------------------------------------


def test_verify_says_one_line(knuthle: Knuthle, lares_file: Path) -> None:
    outcome = knuthle("verify", lares_file)
    assert outcome.code == 0
    assert outcome.out == (
        f"OK  {lares_file}: 12,972 secrets played, worst 7, total 54,784, "
        "mean 4.2233, list original as shipped\n"
    )
    assert knuthle("verify", lares_file, "--within", 6).code == 1


def test_verify_against_another_list(knuthle: Knuthle, lares_file: Path, tiny: Path) -> None:
    outcome = knuthle("verify", lares_file, "--words", tiny)
    assert outcome.code == 1
    assert outcome.out.startswith("WRONG ")


def test_verify_knows_what_it_cannot_compare(knuthle: Knuthle, tiny: Path) -> None:
    knuthle("solve-all", "--list", tiny, "--out", "s")
    assert "list not verified" in knuthle("verify", "s").out
    assert "lists as given" in knuthle("verify", "s", "--words", tiny).out


def test_lookup(knuthle: Knuthle, lares_file: Path) -> None:
    first = knuthle("lookup", lares_file)
    assert first.out.startswith("lares  (12,972 secrets remain)")
    state = knuthle("lookup", lares_file, "lares.bbybb", "--json", "-")
    found = json.loads(state.out)
    assert found["remaining"] == len(found["secrets"]) == 300
    for score in ("bbyb", "y-b", "-y-b"):
        short = knuthle("lookup", lares_file, f"lares.{score}")
        assert (short.code, short.out) == (2, "")
    dashed = knuthle("lookup", lares_file, "lares", "--y--", "--json", "-")
    assert (dashed.code, dashed.out) == (0, state.out)
    spaced = knuthle("lookup", lares_file, "lares", "⬛⬛🟨⬛⬛")
    assert spaced.out.startswith(found["guess"])
    wrong = knuthle("lookup", lares_file, "crane.bbbbb")
    assert wrong.code == 2
    assert "step 1: the strategy guesses 'lares'" in wrong.err


@pytest.mark.parametrize("form", ["text", "json", "csv", "dot"])
def test_export(knuthle: Knuthle, lares_file: Path, lares: Solved, form: str) -> None:
    outcome = knuthle("export", lares_file, "--to", form)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    if form == "text":
        assert len(lines) == 12972
        assert all(line.startswith("lares ") and line.endswith(" ggggg") for line in lines)
    if form == "json":
        tree = json.loads(outcome.out)
        assert tree["digest"] == lares.strategy.digest
        assert tree["tree"]["then"]["bbybb"]["guess"] == lares.strategy.next_guess(
            [("lares", "bbybb")]
        )
    if form == "csv":
        assert len(lines) == published.LARES_NODES + 1
    if form == "dot":
        assert lines[0] == "digraph strategy {"
        replies = sum(1 for step in lares.strategy.depth if step == 2)
        assert sum(" -> " in line for line in lines) == replies
        left_out = published.LARES_NODES - 1 - replies
        assert (
            f"drawn to 2 guesses; {left_out:,} of {published.LARES_NODES:,} states" in outcome.err
        )
    else:
        assert outcome.err == ""


def test_a_drawing_is_as_deep_as_asked(knuthle: Knuthle, lares_file: Path) -> None:
    def arrows(*depth: str) -> tuple[int, str]:
        outcome = knuthle("export", lares_file, "--to", "dot", *depth)
        return outcome.out.count(" -> "), outcome.err

    assert arrows("--depth", "all") == (published.LARES_NODES - 1, "")
    assert arrows("--depth", "1")[0] == 0
    assert arrows()[0] == arrows("--depth", "2")[0] < arrows("--depth", "3")[0]
    assert knuthle("export", lares_file, "--depth", "2").code == 2
    assert knuthle("export", lares_file, "--to", "dot", "--depth", "0").code == 2


def test_info(knuthle: Knuthle, lares_file: Path) -> None:
    outcome = knuthle("info", lares_file, "--json", "-")
    assert json.loads(outcome.out)["list"] == "original"
    assert "unreadable" not in knuthle("info", lares_file).out


def test_lists(knuthle: Knuthle) -> None:
    shown = json.loads(knuthle("lists", "--json", "-").out)["lists"]
    assert {(row["list"], row["part"]): (row["n_words"], row["digest"]) for row in shown} == (
        published.LISTS
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(knuthle: Knuthle, shell: str) -> None:
    outcome = knuthle("completion", shell)
    assert outcome.code == 0
    assert "--guess-from" in outcome.out or "guess-from" in outcome.out


def test_bash_completes(knuthle: Knuthle) -> None:
    script = knuthle("completion", "bash").out
    ask = "COMP_WORDS=(knuthle solve-all --gue); COMP_CWORD=2; _knuthle; echo ${COMPREPLY[@]}"
    done = subprocess.run(
        ["bash", "-c", f"{script}\n{ask}"], check=True, capture_output=True, text=True
    )
    assert done.stdout.strip() == "--guess-from"


# --- processes ----------------------------------------------------------------------------


def start(
    *arguments: object,
    program: Sequence[str] = ("-m", "strategy"),
    environment: dict[str, str] | None = None,
    **options: Any,
) -> subprocess.Popen[str]:
    """The command as a process of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | (environment or {})
    return subprocess.Popen(
        [sys.executable, *program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        **options,
    )


def test_stdout_may_be_closed_early(lares_file: Path) -> None:
    with start("export", lares_file) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


#: A command that tells, on stdout, when it has begun to listen to signals.
LISTENING = """
import signal, sys
from strategy import entry
signal.signal(signal.SIGINT, signal.default_int_handler)  # the tests may run in the background
entry._prepare()
print("listening", flush=True)
sys.exit(entry.knuthle())
"""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("delay", [0, 0.05, 0.4, 1.5])
def test_interrupted_at_any_time(tmp_path: Path, workers: int, delay: float) -> None:
    """Whole-list hard-mode parts takes long enough to be interrupted in the middle.

    How long Python itself takes to start is the machine's affair, so the clock starts after that.
    """
    command = ["solve-all", "--rule", "parts", "--hard", "--workers", workers]
    process = start(*command, program=["-c", LISTENING], cwd=tmp_path)
    assert process.stdout
    assert process.stdout.readline() == "listening\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert out == ""
    assert not list(tmp_path.iterdir())


@pytest.fixture
def listening() -> Iterator[None]:
    """Interrupts as in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_an_interrupt_may_come_out_as_any_error(capsys: pytest.CaptureFixture[str]) -> None:
    """As numba's compiler does it: the exception is lost in a callback, its work is not done."""

    class Callback:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def work() -> int:
        Callback()
        raise RuntimeError("no compiled object yet")

    assert cli._guard("knuthle", work) == 130
    assert capsys.readouterr().err == "\nknuthle: interrupted\n"


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("instant", ["work", "asked", "restored", "flushed"])
def test_an_interrupt_in_the_last_instant_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], instant: str
) -> None:
    """When the work is done, when that was asked for the last time, while streams are emptied."""

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)

    def then(when: str, done: Callable[[], None]) -> Callable[[], None]:
        def both() -> None:
            done()
            if when == instant:
                interrupted()

        return both

    def restored(number: int, handler: Any) -> Any:
        old = set_handler(number, handler)
        if instant == "restored" and handler is signal.default_int_handler:
            interrupted()
        return old

    set_handler = signal.signal
    monkeypatch.setattr(cli.interrupt, "check", then("asked", cli.interrupt.check))
    monkeypatch.setattr(cli.output, "flush", then("flushed", cli.output.flush))
    monkeypatch.setattr(signal, "signal", restored)

    def work() -> int:
        then("work", lambda: None)()
        return 0

    assert cli._guard("knuthle", work) == 130
    assert capsys.readouterr().err == "\nknuthle: interrupted\n"


@pytest.mark.usefixtures("listening")
def test_a_background_job_ignores_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    entry._prepare()
    assert cli._guard("knuthle", lambda: signal.raise_signal(signal.SIGINT) or 7) == 7
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys; from strategy.cli import main; main(['--help']);"
        "assert not {'numpy', 'numba'} & set(sys.modules), 'heavy'\n"
        "for command in __import__('strategy.cli.commands').cli.commands.COMMANDS.values():"
        " assert f'strategy.cli.{command.module}' not in sys.modules, command"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_explains_itself(knuthle: Knuthle, command: str) -> None:
    outcome = knuthle(command, "--help")
    assert outcome.code == 0
    assert f"knuthle {command}" in outcome.out
    assert "Exit codes" in outcome.out


def test_rules_and_pools_are_those_of_the_solver() -> None:
    assert tuple(rules.RULES) == choices.RULES
    assert game.GUESS_POOLS == origin.GUESS_POOLS


@pytest.mark.parametrize("command", [["lists"], ["--help"], ["completion", "bash"]])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_may_be_missing(command: list[str], closed: str) -> None:
    line = f'exec "{sys.executable}" -m strategy {" ".join(command)} {closed}'
    root = str(ROOT)
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, text=True, cwd=root, check=False
    )
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("lists >/dev/full", 3),
        ("--help >/dev/full", 3),
        ("solve-all --help >/dev/full", 3),
        ("solve-all --version >/dev/full", 3),
        ("solve-all --start larez 2>/dev/full", 2),
        ("solve-all --strat lares 2>/dev/full", 2),
        ("solve-al 2>/dev/full", 2),
        ("five-words - <&-", 2),
    ],
)
def test_streams_may_be_full_or_missing(command: str, code: int, unbuffered: str) -> None:
    line = f'exec "{sys.executable}" -m strategy {command}'
    root = str(ROOT)
    done = subprocess.run(
        ["bash", "-c", line],
        capture_output=True,
        text=True,
        cwd=root,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
        check=False,
    )
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)


def test_streams_may_be_ascii(tiny: Path, tmp_path: Path) -> None:
    process = start(
        "solve-all", "--list", tiny, cwd=tmp_path, environment={"PYTHONIOENCODING": "ascii"}
    )
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert "worst" in out


def test_a_closed_pipe_does_not_hide_the_verdict(lares_file: Path) -> None:
    with start("verify", lares_file, "--within", 6) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 1


def test_version(knuthle: Knuthle) -> None:
    assert knuthle("--version").out.startswith("knuthle ")
    assert knuthle("solve-all", "--version").out.startswith("knuthle ")
