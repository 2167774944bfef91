"""Measures rungs of a ladder side by side and prints them as one table (Linux and macOS).

How a figure comes about, the same for every topic:

* Each rung is called once before anything is timed. That call, with compilation and page faults
  in it, is shown in its own column ``first``; the other columns never include it.
* Rungs take turns, round after round, so that a noisy minute hits all of them alike; the figures
  are medians over the rounds. CPU time includes waited-for child processes.
* ``fresh`` makes the argument of each call outside the timing: empty memos, always.
* The ratio compares wall times with the first row's.
* A rung too slow to finish measures a part and says so: ``part=(done, whole, "openers")`` scales
  the times and the row is marked ``≈`` with the part it was extrapolated from.
"""

from __future__ import annotations

import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Self

SHORTEST_SAMPLE = 500e-6  # a shorter call is repeated within one sample until it lasts this long


class Finished(NamedTuple):
    """What work took, in seconds, and what came of it; work elsewhere may say so itself."""

    cpu: float
    wall: float
    result: Any


@dataclass
class Rung:
    """One way of doing the work, and what was measured of it."""

    label: str
    work: Callable[..., Any]
    fresh: Callable[[], Any] | None
    repeat: int
    scale: float
    note: str
    facts: dict[str, object]
    result: Any = None
    first: float = 0.0
    loops: int = 1
    samples: list[Finished] = field(default_factory=list)

    def call(self) -> Finished:
        """One timed sample, ``loops`` calls long."""
        arguments = () if self.fresh is None else (self.fresh(),)
        cpu, wall = cpu_seconds(), time.perf_counter()
        for _ in range(self.loops):
            self.result = self.work(*arguments)
        wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
        if isinstance(self.result, Finished):
            cpu, wall, _ = self.result
        return Finished(cpu / self.loops, wall / self.loops, self.result)

    def warm(self) -> None:
        """The first call, on the record; then how many calls make a sample worth reading."""
        sample = self.call()
        self.first = sample.wall
        if self.repeat == 1:  # too slow to do twice: the first call is the figure
            self.samples.append(sample)
        elif self.fresh is None and sample.wall < 1.0:
            again = self.call().wall
            self.loops = max(1, round(SHORTEST_SAMPLE / max(again, 1e-9)))

    @property
    def cpu(self) -> float:
        """Median CPU seconds of the whole work."""
        return statistics.median(sample.cpu for sample in self.samples) * self.scale

    @property
    def wall(self) -> float:
        """Median wall seconds of the whole work."""
        return statistics.median(sample.wall for sample in self.samples) * self.scale


class Ladder:
    """Rungs measured together; ``with bench.ladder(...) as ladder`` runs and prints at the end."""

    def __init__(self, bench: Bench, title: str, per: tuple[float, str] | None) -> None:
        self.bench, self.title, self.per = bench, title, per
        self.rungs: list[Rung] = []

    def rung(
        self,
        label: str,
        work: Callable[..., Any],
        *,
        fresh: Callable[[], Any] | None = None,
        repeat: int = 11,
        part: tuple[float, float, str] | None = None,
        **facts: object,
    ) -> Rung:
        """Add a way of doing the work; ``facts`` (texts or numbers) become further columns.

        A fact may be a callable of the work's result that gives one. With ``repeat=1`` the first
        call is the figure.
        """
        scale, note = 1.0, ""
        if part is not None:
            done, whole, unit = part
            scale = whole / done
            note = f"≈ extrapolated from {done:,} of {whole:,} {unit}."
        if self.bench.quick:
            repeat = min(repeat, 3)
        rung = Rung(label, work, fresh, repeat, scale, note, facts)
        self.rungs.append(rung)
        return rung

    def command(self, label: str, argv: Sequence[str], **options: Any) -> Rung:
        """Add a whole process, from exec to exit."""
        options.setdefault("repeat", 5)
        return self.rung(label, lambda: run_process(argv), **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        if failure is None and self.rungs:
            self.measure()
            self.show()

    def measure(self) -> None:
        """Warm every rung, then let them take turns until each has its repeats."""
        for rung in self.rungs:
            self.bench.talk(f"{self.title}: {rung.label}")
            rung.warm()
        for turn in range(max(rung.repeat for rung in self.rungs)):
            for rung in self.rungs:
                if turn < rung.repeat and len(rung.samples) < rung.repeat:
                    rung.samples.append(rung.call())
        for rung in self.rungs:
            rung.facts = {
                name: fact(rung.result) if callable(fact) else fact
                for name, fact in rung.facts.items()
            }
        self.bench.talk("")

    def show(self) -> None:
        """Print the table."""
        base = self.rungs[0]
        names = list(dict.fromkeys(name for rung in self.rungs for name in rung.facts))
        header = ["", "CPU", "wall", "× (wall)", "first call", "of"]
        header += [f"a {self.per[1]}"] if self.per else []
        rows = []
        for rung in self.rungs:
            about = "≈ " if rung.scale != 1.0 else ""
            row = [
                rung.label,
                about + duration(rung.cpu),
                about + duration(rung.wall),
                ratio(base.wall / rung.wall),
                duration(rung.first),
                str(len(rung.samples)),
            ]
            row += [duration(rung.cpu / self.per[0])] if self.per else []
            rows.append(row + [plain(rung.facts.get(name, "")) for name in names] + [rung.note])
        self.bench.table(self.title, [*header, *names, ""], rows)


class Bench:
    """One run of the benchmarks: what a topic's ``run(bench)`` is given."""

    def __init__(self, quick: bool = False, games: int | None = None) -> None:
        self.quick = quick
        #: Games of those topics that play some; None: as many as is usual there.
        self.games = games
        print(" · ".join(machine()))
        print(
            f"{'--quick: few repeats. ' if quick else ''}Medians of `of` rounds taken in turns; "
            "compilation only in `first call`; memos empty."
        )

    def heading(self, topic: str, about: str) -> None:
        """Announce a topic."""
        print(f"\n## {topic}: {about}")

    def ladder(self, title: str, per: tuple[float, str] | None = None) -> Ladder:
        """A table of rungs; ``per=(n, "grade")`` adds the CPU time a grade, of n."""
        return Ladder(self, title, per)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Any other figures, in columns: the first to the left, numbers to the right."""
        cells = [list(header), *([plain(cell) for cell in row] for row in rows)]
        widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
        last = len(header) - 1
        print(f"\n{title}")
        for row in cells:
            line = [
                cell.ljust(width)
                if i == 0 or (i == last and not header[last])
                else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            print("  " + "  ".join(line).rstrip())
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Print one line below a table."""
        print(f"  {text}")

    def check(self, holds: bool, claim: str) -> None:
        """Stop when the rungs do not agree: a figure for a wrong result is worth nothing."""
        if not holds:
            raise SystemExit(f"tools/bench: does not hold: {claim}")
        self.note(f"checked: {claim}")

    def talk(self, text: str) -> None:
        """Progress, on a terminal's stderr only."""
        if sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


def cpu_seconds() -> float:
    """CPU time of this process and of the children it has waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def run_process(argv: Sequence[str]) -> str:
    """What a command prints; one that fails ends the benchmark with its own words."""
    done = subprocess.run(
        argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        command = " ".join(argv)
        raise SystemExit(f"tools/bench: {command} ended {done.returncode}:\n{done.stderr}")
    return done.stdout


def machine() -> list[str]:
    """What the figures were measured on."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return [
        cpu_model(),
        f"{cores} core{'s' if cores != 1 else ''}",
        f"{platform.system()} {platform.machine()}",
        f"Python {platform.python_version()}",
        *(f"{name} {version(name)}" for name in ("numpy", "numba")),
    ]


def cpu_model() -> str:
    """The processor's name, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def duration(seconds: float) -> str:
    """Three significant digits and a unit a person reads: 0.96 ms, 4.3 h, 779 days."""
    for size, unit in ((86400.0, "days"), (3600.0, "h"), (60.0, "min"), (1.0, "s")):
        if seconds >= (2 if size > 1 else 1) * size:
            return f"{digits(seconds / size)} {unit}"
    for size, unit in ((1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{digits(seconds / size)} {unit}"
    return f"{digits(seconds / 1e-9)} ns"


def digits(value: float) -> str:
    """About three significant digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def ratio(value: float) -> str:
    """How many times faster."""
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"


def plain(cell: object) -> str:
    """A cell as text: counts with thousands separators, everything else as it is."""
    return f"{cell:,}" if isinstance(cell, int) and not isinstance(cell, bool) else str(cell)
