"""What the tests share: big strategies built once, small worlds, commands as people run them."""

import contextlib
import ctypes
import fcntl
import gc
import io
import itertools
import os
import signal
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from solver.game.load import load_game
from solver.machine import dispatch
from solver.machine.cache import kernel_folder
from solver.machine.clock import compile_time
from solver.machine.forms import ArgTypes, KernelLike
from strategy import cli
from strategy.solving.by_rule import Settings, Solved, solve
from tests.support.commands import Knuthle, Outcome
from tools.list_kernels import BY_TESTS

# Whoever runs the tests in the background, or with nohup, has signals ignored; commands under test
# would inherit that, and rightly heed it.
for _number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    if signal.getsignal(_number) == signal.SIG_IGN:
        _handler = signal.default_int_handler if _number == signal.SIGINT else signal.SIG_DFL
        signal.signal(_number, _handler)

os.environ["KNUTHLE_SETTINGS"] = ""  # whatever whoever runs the tests has set

settings.register_profile(
    "knuthle", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
_USUAL = settings.get_profile("knuthle")
settings.register_profile("quick", _USUAL, max_examples=25)
settings.register_profile("nightly", _USUAL, derandomize=False, database=None)
settings.load_profile("knuthle")


#: Of a session: the files of the kernels that were there when it began.
_KERNELS = pytest.StashKey[set[str]]()
#: A test that compiles for more seconds is named at the end.
_NAMED_FROM = 0.5
#: For how many seconds this process had compiled when a test's last part ended.
_compiled = 0.0


def _kernels() -> set[str]:
    """The files of the kernels that are stored."""
    folder = kernel_folder()
    return set() if folder is None else {it for it in folder.names() if "library" not in it}


def pytest_configure(config: pytest.Config) -> None:
    """Without slow tests a property is asked of fewer examples, unless it says of how many."""
    if "not slow" in config.option.markexpr:
        settings.load_profile("quick")


def pytest_itemcollected(item: pytest.Item) -> None:
    """What is asked by night alone is also long."""
    if item.get_closest_marker("nightly"):
        item.add_marker(pytest.mark.long)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Which kernels there are already."""
    session.config.stash[_KERNELS] = _kernels()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    """Note for how many seconds a part of a test compiled: processor time of this process."""
    global _compiled
    report = yield
    _compiled, report.compiled = compile_time.cpu, compile_time.cpu - _compiled
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Name the kernels that tests, and commands that they ran, compiled; and those tests."""
    made = Counter(it.partition("-")[0] for it in _kernels() - config.stash[_KERNELS])
    if made:
        terminalreporter.section(f"{made.total()} kernels compiled by tests themselves")
        terminalreporter.write_line(", ".join(f"{it} {made[it]}" for it in sorted(made)))
        terminalreporter.write_line("first in future: python -m tools.list_kernels --tests")
    reports = [it for kind in terminalreporter.stats.values() for it in kind]
    slow = [it for it in reports if getattr(it, "compiled", 0.0) > _NAMED_FROM]
    for it in sorted(slow, key=lambda it: -it.compiled):
        terminalreporter.write_line(f"{it.compiled:6.1f} s  {it.nodeid} ({it.when})")


def pytest_report_header(config: pytest.Config) -> str | None:
    """What repeats the worlds that were drawn."""
    seed = config.getoption("--hypothesis-seed", None)
    return None if seed is None else f"worlds are drawn by --hypothesis-seed={seed}"


@pytest.fixture(scope="session", autouse=True)
def _data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes what the user keeps: lists, statistics."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Of the processes that share the tests one compiles a kernel: others wait, then look again."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    folder, compiled = tmp_path_factory.getbasetemp().parent, dispatch._compiled
    BY_TESTS.parent.mkdir(exist_ok=True)

    def waiting(kernel: KernelLike, form: ArgTypes) -> dispatch.Entry | None:
        name = f"{kernel.__module__}:{kernel.__qualname__}"
        with (folder / name).open("w") as lock, BY_TESTS.open("a", encoding="utf-8") as listed:
            fcntl.flock(lock, fcntl.LOCK_EX)
            ready = dispatch._from_cache(kernel, form)
            if ready is None and not name.startswith("tests."):
                listed.write(f"{(name, form)!r}\n")
            return ready or compiled(kernel, form)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatch, "_compiled", waiting)
        yield


def _collect() -> None:
    """Free what is garbage; what is left, modules and tests, is not looked through again."""
    gc.collect()
    gc.freeze()


def _draw_more(items: list[pytest.Item]) -> None:
    """Properties are asked of four times as many worlds, also where they say of how many."""
    functions = {getattr(item, "obj", None) for item in items}
    for asked in filter(is_hypothesis_test, functions):
        own = asked._hypothesis_internal_use_settings
        asked._hypothesis_internal_use_settings = settings(own, max_examples=4 * own.max_examples)


@pytest.hookimpl(trylast=True)  # what is left out is left out by then
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long begins first: begun at last it would keep one core while others have nothing.

    That is what is marked ``slow``, ``long`` or ``nightly``, and of that what is marked with the
    most seconds.
    Each process that shares the tests is given a run of them that begins with its share of those.
    """

    def seconds(item: pytest.Item) -> float:
        marks = filter(None, map(item.get_closest_marker, ("slow", "long", "nightly")))
        return max((1.0 + sum(mark.args) for mark in marks), default=0.0)

    items.sort(key=seconds, reverse=True)
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    first, left = sum(seconds(it) > 1.0 for it in items), len(items)
    longest, others = items[:first], iter(items[first:])
    runs = [longest[number::processes] for number in range(processes)]
    for number, run in enumerate(runs):
        count = left // (processes - number)  # so many are given to it in the beginning
        run.extend(itertools.islice(others, max(count - len(run), 0)))
        left -= count
    items[:] = itertools.chain(*runs)
    if config.getoption("--hypothesis-profile", None) == "nightly":
        _draw_more(items)


def pytest_collection_finish() -> None:
    """Tests of all files are there by now, many objects."""
    _collect()


@pytest.fixture(scope="module", autouse=True)
def _return_memory() -> Iterator[None]:
    """Give back what a module's searches held: the C library keeps gigabytes of small holes."""
    yield
    _collect()
    with contextlib.suppress(AttributeError, OSError, TypeError):  # glibc alone has it
        ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(scope="session")
def lares() -> Solved:
    """The main job."""
    return solve(load_game(secrets="allowed"), Settings(start=("lares",)))


@pytest.fixture(scope="session")
def lares_file(lares: Solved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The main job's file."""
    path = tmp_path_factory.mktemp("lares file") / lares.strategy.origin.file_name
    lares.strategy.save(path)
    return path


@pytest.fixture
def knuthle(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Knuthle:
    """Run a command in an empty directory of its own; lines may be typed into it."""
    folder = tmp_path / "empty dir"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def run(*arguments: object, typed: str | None = None) -> Outcome:
        if typed is not None:
            monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        capfd.readouterr()
        code = cli.main([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    return run


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """A list that is solved in no time."""
    path = tmp_path / "tiny list.txt"
    path.write_text("\n".join(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"]))
    return path
