"""Workers: answers, errors, and how each of them ends."""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine import pool
from solver.machine.pool import Pool
from tests.support import raising, refused


def squarer() -> Callable[[int], int]:
    return lambda number: number * number


def bequeather() -> Callable[[Path], str]:
    """Dies, and leaves its end of the pipe to a child that answers much later in its place."""

    def work(note: Path) -> str:
        links = Path("/proc/self/fd").iterdir()
        sockets = [int(it.name) for it in links if "socket:" in str(it.resolve())]
        late = (
            "import sys, time; from multiprocessing.connection import Connection; time.sleep(15)\n"
            "for number in sys.argv[1:]: Connection(int(number)).send((False, 'late'))"
        )
        command = [sys.executable, "-c", late, *map(str, sockets)]
        child = subprocess.Popen(command, pass_fds=sockets, stderr=subprocess.DEVNULL)
        note.write_text(str(child.pid))
        os.kill(os.getpid(), signal.SIGKILL)
        return ""

    return work


def test_answers_and_errors() -> None:
    for workers in (1, 3):
        with Pool(squarer, (), workers) as shared:
            assert dict(shared.run(range(7))) == {n: n * n for n in range(7)}
    for kind in (WrongInputError, ValueError):
        with Pool(raising, (kind("not 1"),), 2) as shared:
            refused(kind, "not 1", list, shared.run([1]))
        assert not multiprocessing.active_children()


@pytest.mark.parametrize("workers", [1, 3])
def test_tasks_may_depend_on_answers_and_on_who_asks(workers: int) -> None:
    """Each worker gets its own number, until so many answers are there."""
    heeded, asked = list[int](), set[int]()

    def task_for(worker: int) -> int | None:
        asked.add(worker)
        return worker + 1 if len(heeded) < 7 else None

    with Pool(squarer, (), workers) as shared:
        found = list(shared.serve(task_for, lambda _, square: heeded.append(square)))
    numbers, squares = zip(*sorted(found), strict=True)
    assert list(numbers) == list(range(len(found))) and sorted(squares) == sorted(heeded)
    assert set(heeded) <= {n * n for n in range(1, workers + 1)} and asked == set(range(workers))


def test_who_gets_no_task_waits_for_the_answers_of_others() -> None:
    given, heeded = list[int](), list[int]()

    def task_for(worker: int) -> int | None:
        if len(given) > len(heeded) or len(heeded) == 3:  # one at a time
            return None
        given.append(worker)
        return 7

    with Pool(squarer, (), 2) as shared:
        answers = shared.serve(task_for, lambda _, square: heeded.append(square))
        assert list(answers) == [(0, 49), (1, 49), (2, 49)]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at /proc")
def test_a_killed_worker_is_noticed_though_its_pipe_stays_open(tmp_path: Path) -> None:
    note = tmp_path / "child"
    try:
        with Pool(bequeather, (), 1) as shared, pytest.raises(CouldNotFinishError, match="SIGKILL"):
            list(shared.run([note]))
    finally:
        os.kill(int(note.read_text()), signal.SIGKILL)


def test_a_killed_worker_that_has_no_task_is_noticed_when_it_gets_one() -> None:
    with Pool(squarer, (), 1) as shared:
        ((process, _),) = shared._workers
        process.kill()
        process.join()
        refused(CouldNotFinishError, "died .*SIGKILL", list, shared.run([1]))


def test_without_a_new_process_all_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = pool.multiprocessing.process.BaseProcess.start

    def limited(process: pool.BaseProcess) -> None:
        if len(started) == 2:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        start(process)
        started.append(process)

    monkeypatch.setattr(pool.multiprocessing.process.BaseProcess, "start", limited)
    with pytest.raises(CouldNotFinishError, match="cannot be started: Resource temporarily"):
        Pool(squarer, (), 3).__enter__()
    assert [process.exitcode for process in started] == [-signal.SIGKILL] * 2
