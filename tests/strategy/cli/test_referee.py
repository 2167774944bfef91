"""``knuthle referee`` as people run it: the report, its JSON and CSV, wrong input, Ctrl-C.

And what a language model is told by ``knuthle mcp``.
"""

import csv
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli.referee import questions
from strategy.play.regret import Judge
from tests.strategy.conftest import Start
from tests.support.commands import KNUTHLE, Knuthle
from tests.support.terminal import Terminal

#: Guesses the words of a file one after the other.
PLAYER = """
import sys
words = open(sys.argv[1]).read().split()
for line in sys.stdin:
    steps = line.split()
    print("ready in\\x1b[2J order" if steps[0] == "hello" else words[len(steps) // 2], flush=True)
"""


@pytest.fixture
def command(tiny: Path) -> list[str]:
    Path("player.py").write_text(PLAYER)
    return ["--", sys.executable, "player.py", str(tiny)]


@pytest.fixture(autouse=True)
def _here(knuthle: Knuthle) -> None:
    """The player lies in the folder of the command."""


def test_the_report(knuthle: Knuthle, tiny: Path, command: list[str]) -> None:
    done = knuthle("referee", "--list", tiny, "--workers", 2, "--csv", "c", "--json", "j", *command)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "in\\x1b[2J order"
    assert "worst 7, total 28, mean 4.0000; 7 of 7 games won" in lines
    assert lines[-3].endswith(" s") and " ms a guess, " in lines[-3]
    facts = json.loads(Path("j").read_text())
    assert facts["player"] == "in\x1b[2J order" and facts["histogram"] == [1] * 7
    assert (facts["n_secrets"], facts["n_played"], facts["n_solved"]) == (7, 7, 7)
    assert (facts["n_faults"], facts["faults"], facts["n_restarts"]) == (0, [], 0)
    assert facts["command"] == command[1:]
    assert set(facts["seconds"]) == {"start", "guess", "slowest"}
    words = tiny.read_text().split()
    rows = list(csv.DictReader(Path("c").read_text().splitlines()))
    assert {row["word"]: int(row["n_taken"]) for row in rows} == {
        word: number for number, word in enumerate(words, 1)
    }
    assert [row["word"] for row in rows] == sorted(words)
    assert [row["guesses"].split() for row in rows] == [game["guesses"] for game in facts["games"]]


def test_lost_games_are_told_and_exit_1(knuthle: Knuthle, tiny: Path, command: list[str]) -> None:
    done = knuthle("referee", "--list", tiny, "--stop-after", 5, "--hard", *command)
    assert done.code == 1 and "faults:" in done.out and "  hard-mode breach: " in done.out
    few = knuthle("referee", "--list", tiny, "--stop-after", 5, "--json", "-", *command)
    facts = json.loads(few.out)
    assert [row["fault"] for row in facts["faults"]] == ["too many guesses"] * 2
    assert (facts["n_solved"], facts["limit"], facts["worst"]) == (5, 5, 5)
    missing = [game for game in facts["games"] if game["n_taken"] is None]
    assert sorted(game["word"] for game in missing) == ["arise", "raise"]
    none = knuthle("referee", "--list", tiny, "--", sys.executable, "-c",
                   "input(); print('ready', flush=True); input()")  # fmt: skip
    assert (none.code, none.out.splitlines()[0]) == (1, "none of 7 games won")
    assert "crash: " in none.out


def test_a_sample_is_the_same_every_time(knuthle: Knuthle, tiny: Path, command: list[str]) -> None:
    asked = ["referee", "--list", tiny, "--sample", 3, "--json", "-"]
    found = [
        [
            game["word"]
            for game in json.loads(knuthle(*asked, "--seed", seed, *command).out)["games"]
        ]
        for seed in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2] and len(found[2]) == 3


def test_the_command_is_taken_as_it_is(knuthle: Knuthle, tiny: Path) -> None:
    """No shell, and what looks like an option is the player's own."""
    code = "import sys; assert sys.argv[1:] == ['--', '--json', '$HOME; *'], sys.argv; input(); " \
           "print('no')"  # fmt: skip
    done = knuthle("referee", "--list", tiny, "--", sys.executable, "-c", code, "--", "--json",
                   "$HOME; *")  # fmt: skip
    assert "it must answer 'hello' with 'ready', not with 'no'" in done.err


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_ends_all_players(start: Start, number: int, code: int) -> None:
    """Each writes its number; whoever is told to go takes them with it."""
    player = (
        "import os, sys, time\nopen(f'pid-{os.getpid()}', 'w').close()\n"
        "input(); print('ready', flush=True); input(); time.sleep(600)"
    )
    options = ["--workers", "2", "--timeout", "500", "--", sys.executable, "-c", player]
    running = start([*KNUTHLE, "referee", *options], Path())
    while len(pids := list(Path().glob("pid-*"))) < 2:
        assert running.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    assert "Traceback" not in err
    for path in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name.removeprefix("pid-")), 0)


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_on_a_terminal(tiny: Path, command: list[str]) -> None:
    seen = Terminal("referee", "--list", str(tiny), *command, folder=Path())
    assert seen.end() == 0 and "7 of 7 games won" in seen.text
    drawn = re.split("[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.raw))
    assert [line for line in drawn if len(line) > 80] == []
    assert "\x1b[2J" not in seen.raw


def test_a_model_hears_what_the_library_says() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    grade, suggest, regret, review = questions(game, hard=True)
    assert grade("crane", "slate") == {"score": "bbgbg"}
    advice = suggest("abide ybbbg", top=1)
    assert advice["secrets"] == ("crane", "slate", "stare") and advice["guesses"][0]["total"] == 5
    assert regret("abide") == vars(Judge(game, hard=True).regret("", "abide"))
    assert not regret("abide", "slate bbgbg")["legal"]
    assert review("abide crane", "crane")["guesses"][0]["skill"] == 60
