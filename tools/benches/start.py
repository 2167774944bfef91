"""From the prompt to the answer: each command whole and in parts, beside what it stands on."""

import json
import statistics
import sys
import tempfile
from pathlib import Path

from .harness import Bench, duration, run_process

COMMANDS = (
    "openers --top 3",
    "five-words",
    "buckets crane",
    "suggest crane.bybbb",
    "pairs --third",
    "solve-all --start lares",
    "optimal --start salet",
    "lists",
    "--help",
)
PARTS = ("numpy", "machine code", "checking", "writing", "work and the rest")
#: Runs a command in a fresh interpreter, and says on its last line what took how long. Time spent
#: within another part does not count twice.
_PROBE = """
import contextlib, functools, io, json, sys, time
begun, spent, inside = time.perf_counter(), {}, [0.0]

def timed(part, call):
    @functools.wraps(call)
    def timing(*args, **named):
        start, before = time.perf_counter(), inside[0]
        try:
            return call(*args, **named)
        finally:
            whole = time.perf_counter() - start
            spent[part] = spent.get(part, 0.0) + whole - (inside[0] - before)
            inside[0] = before + whole
    return timing

def watch(module, name, part):
    setattr(module, name, timed(part, getattr(module, name)))

arguments = json.loads(sys.argv[1])
if arguments[0] not in ("lists", "--help"):
    timed("numpy", __import__)("numpy")
    from solver.machine import dispatch
    from strategy.checkers import verify
    from strategy.files import output
    watch(dispatch, "_from_cache", "machine code")
    watch(verify, "verify", "checking")
    watch(output, "write_whole", "writing")
from strategy.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    code = main([*arguments, "--quiet"] if arguments[0] != "--help" else arguments)
spent["all"] = time.perf_counter() - begun
print(json.dumps(spent))
sys.exit(code)
"""


def run(bench: Bench) -> None:
    """Whole commands, what importing costs, and where the time goes."""
    python = sys.executable
    with bench.ladder("Processes, wall time, compiled before") as ladder:
        for text in ("pass", "import numpy", "import llvmlite.binding", "import numba"):
            ladder.command(f"python -c '{text}'", [python, "-c", text])
        for command in COMMANDS:
            ladder.command(f"knuthle {command}", [python, "-m", "strategy", *_words_of(command)])
    repeat = 3 if bench.quick else 9
    rows = [[command, *_parts(command, repeat)] for command in COMMANDS]
    bench.table("Where it goes, after the interpreter (medians)", ["", *PARTS, "all"], rows)


def _words_of(command: str) -> list[str]:
    """The arguments; what a command writes goes to a temporary folder."""
    first, *rest = command.split()
    file = Path(tempfile.gettempdir()) / f"knuthle-bench-{first}.strategy"
    return [first, *rest, *(["--out", str(file), "--force"] if "--start" in rest else [])]


def _parts(command: str, repeat: int) -> list[str]:
    """The median of each part."""
    probe = [sys.executable, "-c", _PROBE, json.dumps(_words_of(command))]
    _, *runs = [json.loads(run_process(probe).stdout) for _ in range(repeat + 1)]
    medians = {
        part: statistics.median(run.get(part, 0.0) for run in runs) for part in (*PARTS, "all")
    }
    medians[PARTS[-1]] = medians["all"] - sum(medians[part] for part in PARTS[:-1])
    return [duration(medians[part]) for part in (*PARTS, "all")]
