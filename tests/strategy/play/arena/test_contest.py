"""Players of all kinds before the referee: good ones, slow ones, mad ones; none is left behind."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy import Settings, solve, verify
from strategy.exports import EXPORTS
from strategy.play.arena import contest as arena
from strategy.play.arena import player as its_player
from strategy.play.arena.contest import Contest, Terms, contest, sampled
from strategy.play.arena.player import NoPlayerError, PlayerProcess, PlayError
from tests.support import ROOT
from tests.support.players import WORDS, first_that_fits, strategy_of

PAGE = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")
#: Reads the lines of a referee; what it answers follows.
LOOP = """
import sys, os, time
say = lambda text: print(text, flush=True)
for number, line in enumerate(sys.stdin):
    kind, *told = line.split()
    if kind == "hello":
        say("ready test")
        continue
    first = not told
"""


def python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def player(answer: str) -> list[str]:
    """A player whose answers are made by some lines of Python."""
    return python(LOOP + "".join(f"    {line}\n" for line in answer.splitlines()))


def terms(words: Sequence[str] = WORDS, **more: object) -> Terms:
    return Terms(**{"game": "wordle", "guesses": frozenset(words), "secrets": list(words)} | more)  # type: ignore[arg-type]


def faults(found: Contest) -> set[str]:
    return {bout.fault for bout in found.bouts if bout.fault}


@pytest.fixture(autouse=True)
def _nobody_is_left() -> object:
    """Every thread of a contest ends with it, and every process."""
    before, others = threading.active_count(), _children()
    yield
    for _ in range(100):
        if threading.active_count() <= before:
            break
        time.sleep(0.02)
    assert threading.active_count() <= before
    assert _children() <= others


def _children() -> set[str]:
    """The processes that this one has started, those that nobody has asked after too."""
    children = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has ended since
            children |= {*task.read_text(encoding="ascii").split()}
    return children


# --- those that play ------------------------------------------------------------------------------


ENDINGS = {"Python": "py", "JavaScript": "js", "C": "c"}


def of_page(language: str, folder: Path) -> Path:
    """The player on the page in one language."""
    found = re.search(rf"^## {language}\n.*?```\w+\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    path = folder / f"player.{ENDINGS[language]}"
    path.write_text(found[1])
    assert len(found[1].splitlines()) <= 12
    return path


@pytest.mark.parametrize("language", ["Python", "JavaScript"])
def test_players_of_the_page(tmp_path: Path, language: str) -> None:
    runtime = sys.executable if language == "Python" else shutil.which("node")
    if runtime is None:
        pytest.skip("no node here")
    words = load_game().secrets[::60]
    (tmp_path / "words").write_text("\n".join(words))
    command = [runtime, str(of_page(language, tmp_path)), str(tmp_path / "words")]
    found = contest(command, terms(words), workers=2)
    assert found.taken == {word: first_that_fits(words, word) for word in words}
    assert (found.player, found.faults, found.n_restarts) == ("first-that-fits", [], 0)


def test_the_player_in_c_takes_what_the_checker_says(tmp_path: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no compiler here")
    strategy = strategy_of(load_game().secrets[::20])
    (tmp_path / "text").write_text(EXPORTS["text"](strategy))
    program = tmp_path / "player"
    source = of_page("C", tmp_path)
    subprocess.run([compiler, "-Wall", "-Werror", "-o", program, source], check=True)
    found = contest([str(program), str(tmp_path / "text")], terms(strategy.secrets), workers=2)
    assert found.taken == verify(strategy).taken
    assert found.histogram == strategy.histogram


@pytest.mark.parametrize("workers", [1, 3])
def test_our_side_takes_what_the_checker_says(tmp_path: Path, workers: int) -> None:
    """In hard mode and for pegs as well; by as many processes as one likes."""
    code = (
        "import sys; from strategy import Strategy; from strategy.play.arena import protocol; "
        "s = Strategy.load(sys.argv[1]); protocol.serve(protocol.answerer_of(s), s.origin.game, "
        "len(s.words[0]), sys.stdin, sys.stdout, hard=s.origin.hard)"
    )
    board = load_game(spec="mastermind:2x3")
    pegs = solve(board, Settings(start=("auto",))).strategy
    for strategy in (strategy_of(WORDS), strategy_of(WORDS, hard=True), pegs):
        strategy.save(tmp_path / "s", force=True)
        origin = strategy.origin
        rules = terms(strategy.words, game=origin.game, hard=origin.hard)
        found = contest([sys.executable, "-c", code, str(tmp_path / "s")], rules, workers)
        verdict = verify(strategy)
        assert found.taken == verdict.taken
        assert (found.histogram, found.faults) == (strategy.histogram, [])
        assert sum(found.taken.values()) == verdict.total
        assert [bout.secret for bout in found.bouts] == list(strategy.secrets)
        assert len(found.seconds) == verdict.total
        assert len(found.starts) == min(workers, len(strategy.secrets))


# --- those that do not ----------------------------------------------------------------------------

MAD = {
    "unknown word": "say('zzzzz')",
    "hard-mode breach": "say('crane' if first else 'adieu')",
    "too many guesses": "say('crane')",
    "gives up": "say('?')",
    "crash": "sys.stderr.write('no\\x1b[2J idea'); sys.exit(3)",
    "silence": "time.sleep(60)",
    "garbage": "say('well, crane')",
    "out of turn": "say('crane\\nslate')",
}


@pytest.mark.parametrize("name", MAD)
def test_every_fault_has_its_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "MOST_RESTARTS", 100)
    rules = terms(["crane", "slate", "trace"], timeout=0.4 if name == "silence" else 10, most=5,
                  guesses=frozenset(WORDS), hard=name == "hard-mode breach")  # fmt: skip
    found = contest(player(MAD[name]), rules, workers=2)
    named = faults(found)
    assert named == {name}
    ends = arena.FAULTS.index(name) < 4
    n_lost = len(found.faults)
    assert n_lost == (2 if "crane" in MAD[name] and not ends else 3)
    assert found.n_restarts == (3 if ends else 0)
    reasons = {bout.reason for bout in found.faults}
    assert all(reasons)
    if name == "crash":
        assert reasons == {"it ended with exit code 3; its last words: no\\x1b[2J idea"}


@pytest.mark.parametrize(
    "answer",
    [
        "sys.stdout.write('crane' * 10**7)\nsys.stdout.flush()",  # no end of line
        "while True: print('crane')",  # for ever
        "os.write(1, bytes(range(256)))\ntime.sleep(9)",
        "sys.stdout.close()\ntime.sleep(9)",
        "os.close(1)\ntime.sleep(9)",
        "os.kill(os.getpid(), 9)",
        "say('')",
        "say('cr\\x00ne')",
        "say('çra½e')",
        "while True: sys.stderr.write('x' * 10**5)",
        "say(' CRANE ' if number else '')\nsay('x' * 399)",
    ],
)
def test_mad_players_lose_and_nothing_else_happens(
    answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(its_player, "_GRACE", 0.3)
    rules = terms(["slate", "trace"], guesses=frozenset(WORDS), timeout=0.4)
    found = contest(player(answer), rules, workers=1)
    assert len(found.faults) == 2
    # one that talks without end may have been asked by chance whenever it has said a word
    assert faults(found) <= {"crash", "silence", "garbage", "out of turn", "too many guesses"}
    assert all(len(bout.reason) < 500 and bout.reason.isprintable() for bout in found.faults)


def test_capitals_and_spaces_and_chatter_on_stderr_are_fine() -> None:
    answer = (
        "sys.stderr.write('thinking' * 10**5)\nsay('  ' + WORDS[len(told) // 2].upper() + '\\r')"
    )
    code = player(answer)
    code[2] = f"WORDS = {WORDS!r}\n{code[2]}"
    found = contest(code, terms(), workers=1)
    assert found.taken == {word: number for number, word in enumerate(WORDS, 1)}


def test_after_ten_processes_the_rest_is_not_played() -> None:
    found = contest(player("sys.exit()"), terms([a + b for a in "abcdef" for b in "uvwxyz"]))
    assert len(found.bouts) == arena.MOST_RESTARTS
    assert found.n_left == 36 - arena.MOST_RESTARTS


def test_one_crash_costs_one_game(tmp_path: Path) -> None:
    """The next game has a new process; the others do not know of it."""
    code = player(f"""\
if not first and told[-1] == "ggbgg": sys.exit()
words = {WORDS!r}
say(words[len(told) // 2])""")
    found = contest(code, terms())
    lost = {bout.secret for bout in found.faults}
    assert found.n_restarts == len(lost) <= 2
    assert found.taken.keys() == set(WORDS) - lost


def test_a_player_that_never_starts_again(tmp_path: Path) -> None:
    """What was played stands; the rest is not played."""
    flag = tmp_path / "flag"
    begin = f"import os, sys\nif os.path.exists({str(flag)!r}): sys.exit(4)\n"
    code = player(f"open({str(flag)!r}, 'w').close(); sys.exit()")
    code[2] = begin + code[2]
    found = contest(code, terms())
    assert [bout.fault for bout in found.bouts] == ["crash", "crash"]
    assert "exit code 4" in found.bouts[1].reason
    assert found.n_left == len(WORDS) - 2


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (["/nowhere/player"], "'/nowhere/player' cannot be started: No such file"),
        ([""], "cannot be started"),
        (["a\0b"], "cannot be started"),
        (["/"], "cannot be started: Permission denied"),
        (python("pass"), "does not answer 'hello': crash: it ended with exit code 0"),
        (python("import sys; sys.exit('no\\x1b[2J words')"), "its last words: no\\x1b[2J words"),
        (python("input(); print('no, thanks')"), "answers 'hello' with 'no, thanks', not 'ready'"),
        (python("input(); print('\\x1b[2J')"), "answers 'hello' with '\\x1b[2J'"),
        (python("print('ready\\nready', flush=True); input()"), "out of turn"),
        (python("print('x' * 10**6)"), "hello"),
    ],
)
def test_what_is_no_player_is_named(command: list[str], reason: str) -> None:
    with pytest.raises(NoPlayerError) as caught:
        contest(command, terms(), workers=3)
    assert reason in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_silent_hello_is_waited_for_no_longer_than_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "START", 0.3)
    with pytest.raises(NoPlayerError, match=r"silence: no answer within 0.4 s"):
        contest(python("import time; time.sleep(60)"), terms(timeout=0.4))


@pytest.mark.skipif(os.name != "posix", reason="processes as POSIX has them")
def test_what_a_player_has_started_ends_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that holds its output open and ignores what it can; when all is won as well."""
    monkeypatch.setattr(its_player, "_GRACE", 0.3)
    file = tmp_path / "pid"
    child = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
    begin = (
        f"import subprocess, sys\np = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"open({str(file)!r}, 'a').write(f'{{p.pid}}\\n')\n"
    )
    for answer in ("say(['crane', 'slate'][len(told) // 2])", "sys.exit()", "time.sleep(60)"):
        code = player(answer)
        code[2] = begin + code[2]
        contest(code, terms(["crane", "slate"], timeout=0.5), workers=1)
    pids = [int(line) for line in file.read_text().split()]
    assert len(pids) == 1 + 2 + 2
    for pid in pids:
        for _ in range(100):
            if not _is_alive(pid):
                break
            time.sleep(0.02)
        assert not _is_alive(pid)


def _is_alive(pid: int) -> bool:
    """Whether a process runs; one that waits to be buried by whoever inherits it does not."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


def test_an_interrupt_ends_all_players() -> None:
    """Raised where the main thread waits, as Ctrl-C does."""
    begun = []

    def told(new: int, whole: int) -> None:
        begun.append(whole)
        raise KeyboardInterrupt

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        contest(player("time.sleep(600)"), terms(timeout=500), workers=3, told=told)
    assert begun == [len(WORDS)]
    assert time.monotonic() - start < 60


def test_a_process_is_asked_and_answers() -> None:
    asked = PlayerProcess(player("say('crane')"))
    try:
        assert asked.ask("hello", 20)[0] == "ready test"
        answer, took = asked.ask("go", 20)
        assert answer == "crane"
        assert took >= 0
    finally:
        asked.end()
        asked.end()
    with pytest.raises(PlayError, match="crash"):
        asked.ask("go", 0.5)


# --- samples -------------------------------------------------------------------------------------


def test_samples_are_the_same_everywhere() -> None:
    """By a rule that no version of a library changes."""
    secrets = load_game().secrets
    some = sampled(secrets, 5, 7)
    assert some == sampled(reversed(secrets), 5, 7) == sorted(some)
    assert len(set(some)) == 5
    assert some != sampled(secrets, 5, 8)
    assert sampled(secrets, 10**6) == list(secrets)
    assert set(some) < set(sampled(secrets, 50, 7))
    assert sampled(["a", "b", "c", "d"], 2, 1) == ["a", "c"]
