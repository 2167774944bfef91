"""``knuthle referee`` on a terminal and until Ctrl-C; what ``knuthle mcp`` tells a model."""

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
from tests.support.commands import KNUTHLE
from tests.support.terminal import Terminal


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_ends_all_players(start: Start, tmp_path: Path, number: int, code: int) -> None:
    """Each writes its number once it is asked; whoever is told to go takes them with it."""
    player = (
        "import os, time\ninput(); print('ready', flush=True); input()\n"
        "open(f'pid-{os.getpid()}', 'w').close(); time.sleep(600)"
    )
    options = ["--workers", "2", "--timeout", "500", "--", sys.executable, "-c", player]
    running = start([*KNUTHLE, "referee", *options], tmp_path)
    while len(pids := list(tmp_path.glob("pid-*"))) < 2:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    assert "Traceback" not in err
    for path in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name.removeprefix("pid-")), 0)


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_on_a_terminal(tmp_path: Path) -> None:
    player = "input(); print('ready in\\x1b[2J order'); print(input() and 'crane')"
    (tmp_path / "w.txt").write_text("crane\n")
    command = ("referee", "--list", "w.txt", "--", sys.executable, "-uc", player)
    seen = Terminal(*command, folder=tmp_path)
    assert seen.end() == 0 and "1 of 1 game won" in seen.text
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
