"""Show of an installed wheel with machine code that its first run is like every other.

    PYTHON -P tools/first_run.py

Run by the interpreter of the environment that it is installed in, which may be read-only. There is
no cache and no home that can be written; nothing may be compiled. Each level of x86-64 that this
processor has must give the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from solver.machine.cache.processor import LEVELS, level

#: What is run; each writes a file.
COMMANDS = (
    "solve-all --start lares --out file",
    "optimal --start salet --out file",
    "suggest crane.bybbb --json file",
    "openers --json file",
)
TIMES = 3
#: A command at a level, and the fault if a compiler was loaded.
AT_A_LEVEL = """
import sys
from solver.machine.cache import shipped_code
shipped_code.level = lambda: sys.argv[1]
from strategy.cli import main
code = main(sys.argv[2:])
loaded = {"numba", "llvmlite"} & set(sys.modules)
sys.exit(f"{sys.argv[1:]} loads {loaded}" if loaded else code)
"""


def run(command: list[str], folder: Path, home: Path) -> tuple[float, str]:
    """Run something in an empty folder: how many seconds, and a digest of its file."""
    plain = {it: told for it, told in os.environ.items() if not it.startswith(("NUMBA_", "XDG_"))}
    begin = time.perf_counter()
    subprocess.run(
        command, cwd=folder, env={**plain, "HOME": str(home)}, check=True, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - begin
    (file,) = folder.iterdir()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    file.unlink()
    return seconds, digest


def main() -> None:
    """Print how long first runs and later ones take; end in a fault if anything differs."""
    here = level()
    if here is None:
        sys.exit("first_run: this processor has none of the levels that code is shipped for")
    knuthle = str(Path(sys.executable).with_name("knuthle"))
    with tempfile.TemporaryDirectory() as work:
        folder, home, nowhere = (Path(work) / it for it in ("folder", "home", "file/home"))
        folder.mkdir()
        home.mkdir()
        nowhere.parent.touch()
        for command in COMMANDS:
            words = command.split()
            first, warm = [], []
            for _ in range(TIMES):
                first.append(run([knuthle, *words], folder, nowhere))
                warm.append(run([knuthle, *words], folder, home))
            levels = list(LEVELS)[: list(LEVELS).index(here) + 1]
            at_levels = [
                run([sys.executable, "-P", "-c", AT_A_LEVEL, it, *words], folder, nowhere)
                for it in levels
            ]
            if len({digest for _, digest in first + warm + at_levels}) > 1:
                sys.exit(f"first_run: {command}: not the same bytes each time, at each level")
            one, other = median(it for it, _ in first), median(it for it, _ in warm)
            print(
                f"{command:34} without a cache {one:.2f} s, otherwise {other:.2f} s "
                f"({one / other:.2f}); same bytes: {' '.join(levels)}"
            )
        if any(home.iterdir()):
            sys.exit("first_run: something was compiled and kept")


if __name__ == "__main__":
    main()
