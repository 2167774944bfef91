"""Players before the referee: good, slow and wrong ones; the lines between both."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy import Settings, Strategy, solve, verify
from strategy.checkers.verify import grade_wordle
from strategy.exports import EXPORTS
from strategy.files.text import score_text
from strategy.play import arena
from strategy.play.arena import NoPlayerError, PlayerProcess, PlayError, Terms, contest, sampled
from strategy.play.helper import Helper
from tests.support import ROOT, refused
from tests.support.commands import lives
from tests.support.node import require_node

WORDS = "abide adieu arise crane crate raise slate stare trace".split()
PAGE = (ROOT / "docs" / "referee.md").read_text(encoding="utf-8")
#: Reads the lines of a referee; what it answers follows.
LOOP = """
import sys, os, time
say = lambda text: print(text, flush=True)
for number, line in enumerate(sys.stdin):
    kind, *steps = line.split()
    if kind == "hello":
        say("ready " + line.strip())
        continue
    first = not steps
"""


def python(code: str) -> list[str]:
    """A program that needs no packages, and starts sooner without looking for them."""
    return [sys.executable, "-Sc", code]


def player(answer: str) -> list[str]:
    return python(LOOP + "".join(f"    {line}\n" for line in answer.splitlines()))


def terms(words: Sequence[str] = WORDS, **more: object) -> Terms:
    return Terms(**{"game": "wordle", "guesses": frozenset(words), "secrets": list(words)} | more)  # type: ignore[arg-type]


def first_that_fits(words: Sequence[str], secret: str) -> int:
    """What those players take, the plain way."""
    left, number = list(words), 0
    while True:
        guess, number = left[0], number + 1
        if guess == secret:
            return number
        score = grade_wordle(guess, secret)
        left = [word for word in left if grade_wordle(guess, word) == score]


def strategy_of(words: Sequence[str], start: str = "auto", hard: bool = False) -> Strategy:
    return solve(load_game(words), Settings(start=(start,), hard=hard)).strategy


def soon(holds: Callable[[], bool]) -> bool:
    """Whether something comes to hold within five seconds."""
    for _ in range(250):
        if holds():
            break
        time.sleep(0.02)
    return holds()


@pytest.fixture(autouse=True)
def _nobody_is_left() -> object:
    """Every thread of a contest ends with it, and every process."""
    before, others = threading.active_count(), _children()
    yield
    assert soon(lambda: threading.active_count() <= before) and _children() <= others


def _children() -> set[str]:
    children = set()
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):  # a thread that has ended since
            children |= {*task.read_text(encoding="ascii").split()}
    return children


# --- those that play ------------------------------------------------------------------------------
ENDINGS = {"Python": "py", "JavaScript": "js", "C": "c"}


def of_page(language: str, folder: Path) -> Path:
    found = re.search(rf"^## {language}\n.*?```\w+\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE)
    assert found
    path = folder / f"player.{ENDINGS[language]}"
    path.write_text(found[1])
    assert len(found[1].splitlines()) <= 12
    return path


@pytest.mark.parametrize("language", ["Python", "JavaScript"])
def test_players_of_the_page(tmp_path: Path, language: str) -> None:
    runtime = sys.executable if language == "Python" else require_node()
    words = load_game().secrets[::60]
    (tmp_path / "words").write_text("\n".join(["# a comment", *words]))
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
    assert found.taken == verify(strategy).taken and found.histogram == strategy.histogram


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_our_side_takes_what_the_checker_says(tmp_path: Path, workers: int) -> None:
    """In hard mode and for pegs as well; by as many processes as one likes."""
    code = (
        "import sys; from strategy import Strategy; from strategy.play.arena import serve; "
        "s = Strategy.load(sys.argv[1]); serve(s.get, s.origin.game, "
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
        assert [game.secret for game in found.games] == list(strategy.secrets)
        assert sum(len(game.seconds) for game in found.games) == verdict.total
        assert len(found.starts) == min(workers, len(strategy.secrets))


# --- those that do not ----------------------------------------------------------------------------

MAD = {
    "unknown word": "say('zzzzz')", "hard-mode breach": "say('crane' if first else 'adieu')",
    "too many guesses": "say('crane')", "gives up": "say('?')",
    "crash": "sys.stderr.write('no\\x1b[2J idea'); sys.exit(3)", "silence": "time.sleep(60)",
    "garbage": "say('well, crane')", "out of turn": "say('crane\\nslate')",
}  # fmt: skip


@pytest.mark.parametrize("name", MAD)
def test_every_fault_has_its_name(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "MOST_RESTARTS", 100)
    rules = terms(["crane", "slate", "trace"], timeout=0.4 if name == "silence" else 10, most=5,
                  guesses=frozenset(WORDS), hard=name == "hard-mode breach")  # fmt: skip
    found = contest(player(MAD[name]), rules, workers=2)
    assert {game.fault for game in found.faults} == {name}
    ends = arena.FAULTS.index(name) < 4
    assert len(found.faults) == (2 if "crane" in MAD[name] and not ends else 3)
    assert found.n_restarts == (3 if ends else 0)
    assert found.player == f"hello 1 wordle 5{' hard' * rules.hard}"
    reasons = {game.reason for game in found.faults}
    assert all(reasons)
    if name == "crash":
        assert reasons == {"it ended with exit code 3; its last line on stderr: no\\x1b[2J idea"}


@pytest.mark.parametrize("answer", [
    "sys.stdout.write('crane' * 10**7)\nsys.stdout.flush()",  # no end of line
    "while True: print('crane')",  # for ever
    "os.write(1, bytes(range(256)))\ntime.sleep(9)", "sys.stdout.close()\ntime.sleep(9)",
    "os.close(1)\ntime.sleep(9)", "os.kill(os.getpid(), 9)", "say('')", "say('cr\\x00ne')",
    "say('çra½e')", "while True: sys.stderr.write('x' * 10**5)",
    "say(' CRANE ' if number else '')\nsay('x' * 399)",
])  # fmt: skip
def test_wrong_players_only_lose(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "_GRACE", 0.3)
    rules = terms(["slate", "trace"], guesses=frozenset(WORDS), timeout=0.4)
    found = contest(player(answer), rules, workers=1)
    assert len(found.faults) == 2
    # one that talks without end may have been asked by chance whenever it has said a word
    kinds = {"crash", "silence", "garbage", "out of turn", "too many guesses"}
    for game in found.faults:
        assert game.fault in kinds and len(game.reason) < 500 and game.reason.isprintable()


def test_harmless_players() -> None:
    thinking = "sys.stderr.write('thinking' * 10**5)\n"
    code = player(f"{thinking}say('  ' + {WORDS!r}[len(steps) // 2].upper() + '\\r')")
    found = contest(code, terms(), workers=1)
    assert found.taken == {word: number for number, word in enumerate(WORDS, 1)}
    found = contest(player("sys.exit()"), terms([a + b for a in "abcdef" for b in "uvwxyz"]))
    assert len(found.games) == arena.MOST_RESTARTS and found.n_left == 36 - arena.MOST_RESTARTS


def test_crashes(tmp_path: Path) -> None:
    """The next game has a new process; the others do not know of it."""
    code = player(f"""\
if not first and steps[-1] == "ggbgg": sys.exit()
words = {WORDS!r}
say(words[len(steps) // 2])""")
    found = contest(code, terms())
    lost = {game.secret for game in found.faults}
    assert found.n_restarts == len(lost) <= 2 and found.taken.keys() == set(WORDS) - lost
    # What was played stands; the rest is not played.
    flag = tmp_path / "flag"
    begin = f"import os, sys\nif os.path.exists({str(flag)!r}): sys.exit(4)\n"
    code = player(f"open({str(flag)!r}, 'w').close(); sys.exit()")
    code[2] = begin + code[2]
    found = contest(code, terms())
    assert [game.fault for game in found.games] == ["crash", "crash"]
    assert "exit code 4" in found.games[1].reason and found.n_left == len(WORDS) - 2


@pytest.mark.parametrize(("command", "reason"), [
    (["/nowhere/player"], "'/nowhere/player' cannot be started: No such file"),
    ([""], "cannot be started"), (["a\0b"], "cannot be started"),
    (["/"], "cannot be started: Permission denied"),
    (python("pass"), "does not answer 'hello': crash: it ended with exit code 0"),
    (python("import sys; sys.exit('no\\x1b[2J words')"),
     "its last line on stderr: no\\x1b[2J words"),
    (python("input(); print('no, thanks')"),
     "must answer 'hello' with 'ready', not with 'no, thanks'"),
    (python("input(); print('\\x1b[2J')"), "must answer 'hello' with 'ready', not with '\\x1b[2J'"),
    (python("print('ready\\nready', flush=True); input()"), "out of turn"),
    (python("print('x' * 10**6)"), "hello"),
])  # fmt: skip
def test_what_is_no_player_is_named(command: list[str], reason: str) -> None:
    with pytest.raises(NoPlayerError) as caught:
        contest(command, terms(), workers=3)
    assert reason in str(caught.value) and str(caught.value).isprintable()


posix = pytest.mark.skipif(os.name != "posix", reason="processes as POSIX has them")


@posix
def test_a_player_that_leaves_its_pipe_to_a_child_is_a_crash() -> None:
    """At once, and not after the two minutes that it may take to be ready."""
    left = "import os, sys, time\nif os.fork() == 0: time.sleep(600)\nsys.exit(4)"
    with pytest.raises(NoPlayerError, match="crash: it ended with exit code 4"):
        contest(python(left), terms(timeout=500))
    found = contest(player("if os.fork() == 0: time.sleep(600)\nsys.exit(5)"), terms(timeout=500))
    assert {game.reason for game in found.faults} == {"it ended with exit code 5"}


def test_a_silent_hello_is_waited_for_no_longer_than_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena, "START", 0.3)
    with pytest.raises(NoPlayerError, match=r"silence: no answer within 0.4 s"):
        contest(python("import time; time.sleep(60)"), terms(timeout=0.4))


@pytest.mark.slow
@posix
def test_children_of_a_player_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A child that holds its output open and ignores what it can; when all is won as well."""
    monkeypatch.setattr(arena, "_GRACE", 0.3)
    file = tmp_path / "pid"
    child = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"
    begin = (
        f"import subprocess, sys\np = subprocess.Popen([sys.executable, '-c', {child!r}])\n"
        f"open({str(file)!r}, 'a').write(f'{{p.pid}}\\n')\n"
    )
    for answer in ("say(['crane', 'slate'][len(steps) // 2])", "sys.exit()", "time.sleep(60)"):
        code = player(answer)
        code[2] = begin + code[2]
        contest(code, terms(["crane", "slate"], timeout=0.5), workers=1)
    pids = [int(line) for line in file.read_text().split()]
    assert len(pids) == 1 + 2 + 2
    assert soon(lambda: not any(map(lives, pids)))


@posix
def test_the_children_of_who_asks_stay() -> None:
    mine = subprocess.Popen(["sleep", "60"])
    other = subprocess.Popen(["setsid", "sleep", "60"])
    contest(player("sys.exit()"), terms(["crane"]), workers=1)
    assert mine.poll() is None and other.poll() is None
    for process in (mine, other):
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.parametrize(("said", "kinds"), [
    ("sys.stdout.write('x' * 10**7)", {"garbage", "out of turn"}),
    ("print('crane\\n' * 10**6, flush=True)", {"out of turn", "too many guesses"}),
    ("[sys.stdout.write('x' * 10**5) for _ in range(10**6)]", {"garbage", "out of turn"}),
], ids=["one line", "many lines", "without end"])  # fmt: skip
def test_of_a_player_that_floods_is_told_what_it_did(said: str, kinds: set[str]) -> None:
    found = contest(player(said), terms([*WORDS, *WORDS, *WORDS], timeout=5), workers=4)
    assert {game.fault for game in found.games} <= kinds
    assert not any("SIGKILL" in game.reason for game in found.games)


def test_what_the_referee_ends_is_not_called_a_crash() -> None:
    killed = PlayerProcess(player("time.sleep(600)"))
    killed.kill()
    with pytest.raises(PlayError, match="the referee has ended it"):
        killed.ask("go", 20)  # to which it has no answer, however late it is ended
    killed.end(kill=True)


def test_an_interrupt_ends_all_players() -> None:
    """Raised where the main thread waits, as Ctrl-C does; else the contest takes days."""
    begun = []

    def progress(new: int, whole: int) -> None:
        begun.append(whole)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        contest(player("time.sleep(1e6)"), terms(timeout=10**6), workers=3, progress=progress)
    assert begun == [len(WORDS)]


def test_a_process_is_asked_and_answers() -> None:
    asked = PlayerProcess(player("say('crane')"))
    try:
        assert asked.ask("hello", 20)[0] == "ready hello"
        answer, took = asked.ask("go", 20)
        assert answer == "crane" and took >= 0
    finally:
        asked.end()
        asked.end()
    refused(PlayError, "crash", asked.ask, "go", 0.5)


# --- samples -------------------------------------------------------------------------------------
def test_samples_are_the_same_everywhere() -> None:
    """By a rule that no version of a library changes."""
    secrets = load_game().secrets
    some = sampled(secrets, 5, 7)
    assert some == sampled(reversed(secrets), 5, 7) == sorted(some) and len(set(some)) == 5
    assert some != sampled(secrets, 5, 8) and sampled(secrets, 10**6) == list(secrets)
    assert set(some) < set(sampled(secrets, 50, 7))
    assert sampled(["a", "b", "c", "d"], 2, 1) == ["a", "c"]


def spoken(strategy: Strategy, *lines: str, hard: bool = False) -> list[str]:
    sink, source = io.StringIO(), io.StringIO("".join(f"{line}\n" for line in lines))
    arena.serve(strategy.get, "wordle", 5, source, sink, hard=hard)
    return sink.getvalue().splitlines()


def test_each_question_has_the_whole_game() -> None:
    guesses, asked = iter(["crane", "trace", "slate"]), list[str]()

    def ask(line: str, timeout: float) -> tuple[str, float]:
        asked.append(line)
        return next(guesses), 0.0

    game = arena.play_game(ask, "slate", terms())
    assert (game.fault, game.guesses) == ("", ["crane", "trace", "slate"])
    assert asked == ["go", "go crane bbgbg", "go crane bbgbg trace ybgbg"]


def test_the_side_that_answers() -> None:
    strategy = strategy_of(WORDS, "crane")
    lines = "hello 1 wordle 5", "go", "", "go slate bbbbb", "go crane ggggg"
    assert spoken(strategy, *lines) == [
        "ready knuthle", "crane", "?", "?",
    ]  # fmt: skip
    score = score_text("wordle", 5, strategy.score[1])
    assert spoken(strategy, f"go crane {score}") == [strategy.words[strategy.guess[1]]]
    assert spoken(strategy, "hello 1 wordle 5 hard") == ["no it does not play by hard mode"]
    assert spoken(strategy, "hello 1 wordle 5 hard", hard=True) == ["ready knuthle"]
    assert spoken(strategy, "hello 2 wordle 5")[0].startswith("no version 2")
    other = spoken(strategy, "hello 1 mastermind:4x6 4")
    assert other[0] == "no it plays wordle with 5 letters only"
    assert spoken(strategy, "hello")[0].startswith("no the line")
    for line in ("go crane", "stop", "hello? 1"):
        refused(arena.ProtocolError, "is not a line of the protocol", spoken, strategy, line)


class Fits:
    """Proposes the first word that fits, and counts what it is told."""

    def __init__(self) -> None:
        self.game = load_game(WORDS)
        self.clues: list[tuple[str, int]] = []
        self.n_told = 0

    def tell(self, word: str, *scores: str | int) -> None:
        self.game.guess_id(word)
        self.clues.append((word, self.game.parse_score(str(scores[0]))))
        self.n_told += 1

    def undo(self, count: int = 1) -> None:
        del self.clues[-count:]

    def proposal(self) -> "Fits":
        fits = (w for w in WORDS if all(self.game.grade(g, w) == score for g, score in self.clues))
        self.word = next(fits, "")
        if not self.word:
            raise WrongInputError("nothing fits")
        return self


def test_whatever_proposes_can_play() -> None:
    """The same as thinking anew each time; what is known is not told again."""
    proposer = Fits()
    answer = arena.answerer_by(cast(Helper, proposer))
    for _ in range(2):
        for secret in WORDS:
            history: list[tuple[str, str]] = []
            while (guess := answer(history)) != secret:
                assert guess is not None
                history.append((guess, proposer.game.format_score(grade_wordle(guess, secret))))
            assert len(history) + 1 == first_that_fits(WORDS, secret)
        assert proposer.n_told <= 2 * len(WORDS)
    assert answer([("abide", "ggggb")]) is None and answer([("zzzzz", "bbbbb")]) is None
    assert answer([("abide", "nonsense")]) is None and answer([]) == WORDS[0]
