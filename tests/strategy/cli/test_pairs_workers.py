"""``pairs --workers N`` and ``triples --workers N``: the same bytes, and an end at once."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from solver.words.lists import named_list
from strategy import cli
from tests.strategy.conftest import Start
from tests.support.commands import KNUTHLE, lives


@pytest.fixture
def some(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("some.txt").write_text("\n".join(named_list("original", "allowed").words[::50]) + "\n")


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("line", [
    "pairs --top 7 --bottom 2 --csv FILE", "pairs mercy yobbo --json FILE",
    "pairs --with mercy --top 2 --csv FILE", "pairs --third --json FILE",
])  # fmt: skip
def test_the_same_bytes_by_any_workers(line: str, capfd: pytest.CaptureFixture[str]) -> None:
    words = Path("some.txt").read_text().split()
    line = line.replace("mercy", words[100]).replace("yobbo", words[200])
    seen = set()
    for workers in ("", " --workers 1", " --workers 2", " --workers 3"):
        file = Path(f"out{len(workers)}{workers[-1:]}.txt")
        command = line.replace("FILE", file.name) + " --list some.txt --secrets allowed" + workers
        assert cli.main(command.split()) == 0
        seen.add((capfd.readouterr().out, file.read_bytes()))
    assert len(seen) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system for children")
@pytest.mark.parametrize(("number", "to_worker", "code", "words"), [
    (signal.SIGINT, False, 130, "interrupted"), (signal.SIGTERM, False, 143, "terminated"),
    (signal.SIGKILL, True, 3, "(killed by SIGKILL); the run is stopped"),
])  # fmt: skip
def test_workers_end(
    start: Start, number: signal.Signals, to_worker: bool, code: int, words: str
) -> None:
    """In the middle of the rank of a middling pair, which takes half a minute."""
    running = start([*KNUTHLE, "pairs", "dales", "moner", "--workers", "2"])
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    workers: list[int] = []
    while len(workers) < 2:
        assert running.poll() is None
        time.sleep(0.05)
        workers = [int(child) for child in children.read_text().split()]
    time.sleep(0.2)  # they are at work
    os.kill(workers[1] if to_worker else running.pid, number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    assert err.strip().endswith(words) and "Traceback" not in err
    for worker in workers:
        assert not lives(worker)
