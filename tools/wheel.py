"""The wheels: machine code for them, what both packages hold, the time of an installed one.

    .venv/bin/python -m tools.wheel machine-code FOLDER
    .venv/bin/python -m tools.wheel check
    PYTHON -P tools/wheel.py first-run [--once]

``machine-code`` makes a folder for Linux on x86-64 and one for Linux on AArch64, each with the code
of every listed kernel for every level of its machine, which ``tools/build_hook.py`` puts into a
wheel. Processors are named, not looked at, and all is compiled in one process and one order: the
same sources give the same bytes.

``check`` builds the source distribution and the wheel, and again from the unpacked source
distribution in another folder, with other times of files and another umask: the bytes must be the
same. So the source distribution has all that the wheel needs, and nothing of the machine gets in.

``first-run`` is run by the Python of the environment in which such a wheel is installed, which may
be read-only. There is no cache and no home that can be written; nothing may be compiled. Each level
of its machine that this processor has must give the same bytes.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.machine.compiler import Processor
    from solver.machine.forms import ArgTypes, KernelLike

ROOT = Path(__file__).resolve().parents[1]

#: The code needs memcpy, memset and memmove of the C library, and of Python what every version has;
#: the oldest wheels of numpy and numba for these versions of Python are for no older platform. That
#: numba's for AArch64 are for 2.27 is theirs to say.
PLATFORM = "manylinux_2_17_{machine}"
#: What LLVM calls a machine with Linux, and a processor of a level where it is not the level.
TRIPLE, PROCESSORS = "{machine}-unknown-linux-gnu", {"aarch64": "generic"}

#: What else of the packages both must hold: pages, and the engine for browsers.
PAGES = re.compile("/web/site/")
#: What the source distribution must hold besides the packages and the word lists.
IN_SOURCES = """
    LICENSE README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md SECURITY.md CITATION.cff
    pyproject.toml tools/build_hook.py tools/docs tools/setup.sh tools/requirements-docs.txt
    docs/index.md docs/conf.py docs/recipes/bot.py docs/recipes/lookup.mjs docs/static/pages.css
    tests/conftest.py data/words/SOURCE.md .ci/run .github/ISSUE_TEMPLATE/wrong-result.md
""".split()
#: What the wheel must hold besides the packages and the word lists.
IN_WHEEL = """
    knuthle/py.typed solver/py.typed strategy/py.typed
    solver/_data/words/SOURCE.md solver/_data/words/SHA256SUMS
    solver/_data/records/openers-answers.csv.xz solver/_data/records/openers-answers-hard.csv.xz
    .data/data/share/man/man1/knuthle.1 .data/data/share/man/man1/knuthle-optimal.1
    .data/data/share/man/man1/solve-all.1
    .data/data/share/bash-completion/completions/knuthle
    .data/data/share/zsh/site-functions/_knuthle
    .data/data/share/fish/vendor_completions.d/knuthle.fish
    .dist-info/licenses/LICENSE
""".split()

#: The commands of a first run; each writes one file.
FIRST_COMMANDS = (
    "solve-all --start lares --out file",
    "optimal --start salet --out file",
    "suggest crane.bybbb --json file",
    "openers --json file",
)
#: How often each is timed.
FIRST_RUNS = 3
#: Runs a command with the code of a level, and fails if a compiler was loaded.
AT_A_LEVEL = """
import sys
from solver.machine import cache
cache.level = lambda: sys.argv[1]
from strategy.cli import main
code = main(sys.argv[2:])
loaded = {"numba", "llvmlite"} & set(sys.modules)
sys.exit(f"{sys.argv[1:]} loads {loaded}" if loaded else code)
"""


class NoCodeError(Exception):
    """A kernel cannot be shipped."""


def main() -> int:
    """Run one of the commands; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.wheel", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("machine-code", "write-code"):
        machine_code = commands.add_parser(name)
        machine_code.add_argument("folder", type=Path)
        machine_code.add_argument("--tests", metavar="MACHINE", help="what tests call, for one")
    commands.add_parser("check")
    first_run = commands.add_parser("first-run")
    first_run.add_argument("--once", action="store_true", help="an emulated processor is slow")
    args = parser.parse_args()
    if args.command == "machine-code":
        compile_apart(args.folder, *(["--tests", args.tests] if args.tests else []))
    elif args.command == "write-code":
        write_code(args.folder, args.tests)
    elif args.command == "check":
        return check_packages()
    else:
        check_first_runs(1 if args.once else FIRST_RUNS)
    return 0


# ---- machine code


def compile_apart(folder: Path, *options: str) -> None:
    """Compile kernels for each level, in a process that looks at no processor."""
    from solver.machine.cache import levels

    settings = {name: text for name, text in os.environ.items() if not name.startswith("NUMBA_")}
    # numba writes the same for all levels, each is optimised later; a processor of this machine
    # must be named
    lowest = next(iter(levels()), "generic")
    lowest = PROCESSORS.get(lowest, lowest)
    settings |= {"NUMBA_CPU_NAME": lowest, "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tools.wheel", "write-code", str(folder), *options]
    subprocess.run(command, check=True, env=settings)


def processors() -> dict[str, Processor]:
    """The processors that code is shipped for, by their levels; those of one machine together."""
    from solver.machine.cache import LEVELS
    from solver.machine.compiler import Processor

    return {
        level: Processor(PROCESSORS.get(level, level), "", TRIPLE.format(machine=machine))
        for machine, levels in LEVELS.items()
        for level in levels
    }


def write_code(folder: Path, of_tests: str | None) -> None:
    """Compile kernels for each level in this process: those that commands need, as one library.

    Or for one machine those that tests need too, each by itself as far as it can be shipped.
    """
    from solver.machine import cache
    from solver.machine.compiler import numba_processor
    from strategy.toolbox import machine_code
    from tools.list_kernels import needed_by_tests, still_there

    known = processors()
    if numba_processor()[:2] not in {it[:2] for it in known.values()}:
        raise NoCodeError(f"numba writes for {numba_processor()}, which is no level's processor")
    places = {
        level: folder / PLATFORM.format(machine=machine) / level
        for machine, levels in cache.LEVELS.items()
        for level in (levels if of_tests in (None, machine) else ())
    }
    for place in places.values():
        place.mkdir(parents=True)
    wanted = machine_code.kernels_of(machine_code.commands_with_kernels())
    if of_tests is None:
        _write_library(places, known, wanted)
        return
    for it in [*wanted, *still_there(needed_by_tests())]:
        with contextlib.suppress(NoCodeError):
            _write_library(places, known, [it])


def _write_library(
    places: dict[str, Path],
    known: dict[str, Processor],
    kernels: Sequence[tuple[KernelLike, ArgTypes]],
) -> None:
    """Compile kernels together: for each level one library, and a file for each that names it."""
    from solver.machine import cache
    from solver.machine.compiler import compiled_for
    from solver.machine.linker import UnknownObjectError, linked

    returned, codes = compiled_for(kernels, [known[level] for level in places])
    for (level, folder), code in zip(places.items(), codes, strict=True):
        try:
            name, content = cache.packed_library(tuple(linked(code)))
        except UnknownObjectError as error:
            raise NoCodeError(f"no code for {level} can be shipped: {error}") from None
        (folder / name).write_bytes(content)
        for number, (kernel, form) in enumerate(kernels):
            place = cache.place_of(kernel, form, level)
            if place is None:
                raise NoCodeError(f"{kernel} cannot be shipped: its sources are not known")
            (folder / place[0]).write_bytes(cache.packed(returned[number], name, place[1], number))


# ---- both packages: complete, and the same bytes from other folders


def check_packages() -> int:
    """Build both packages twice and print one line, or every fault; the exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = built(ROOT, folder / "first")
        faults = faults_of({*contents(first["sdist"]), *contents(first["wheel"])})
        elsewhere = folder / "else where"
        elsewhere.mkdir()
        subprocess.run(["tar", "-xzf", str(first["sdist"]), "-C", str(elsewhere)], check=True)
        (copy,) = elsewhere.iterdir()
        for path in copy.rglob("*"):
            os.utime(path, (1e9, 1e9))
        before = os.umask(0o077)
        second = built(copy, folder / "second")
        os.umask(before)
        for kind, path in first.items():
            if path.name != second[kind].name or path.read_bytes() != second[kind].read_bytes():
                faults.append(f"the {kind} has other bytes when it is built from its own sources")
    for fault in faults:
        print(f"tools.wheel: {fault}", file=sys.stderr)
    if not faults:
        names = ", ".join(path.name for path in first.values())
        print(f"tools.wheel: {names}: complete, and the same bytes twice")
    return 1 if faults else 0


def built(sources: Path, folder: Path) -> dict[str, Path]:
    """Build both; kind → file."""
    for kind in ("sdist", "wheel"):
        command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
        subprocess.run(command, cwd=sources, check=True, stdout=subprocess.DEVNULL)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return {"sdist": sdist, "wheel": wheel}


def contents(path: Path) -> dict[str, bytes]:
    """What an archive holds, by names without the folder that has the version in its name."""
    if path.suffix == ".whl":
        stem = "-".join(path.name.split("-")[:2])
        with zipfile.ZipFile(path) as wheel:
            return {f"wheel: {it.removeprefix(stem)}": wheel.read(it) for it in wheel.namelist()}
    with tarfile.open(path) as sdist:
        files = {it.name: sdist.extractfile(it) for it in sdist.getmembers() if it.isfile()}
        return {f"sdist: {name.partition('/')[2]}": it.read() for name, it in files.items() if it}


def faults_of(names: set[str]) -> list[str]:
    """What is missing in the packages, and what the wheel holds besides the packages."""
    wanted = [f"sdist: {name}" for name in IN_SOURCES] + [f"wheel: {name}" for name in IN_WHEEL]
    for path in sorted((ROOT / "data" / "words").rglob("*")):
        if path.is_file():
            name = path.relative_to(ROOT / "data" / "words").as_posix()
            wanted += [f"sdist: data/words/{name}", f"wheel: solver/_data/words/{name}"]
    packages = ("knuthle", "solver", "strategy")
    sources = [path for package in packages for path in (ROOT / package).rglob("*")]
    for path in sorted(sources):
        name = path.relative_to(ROOT).as_posix()
        if path.suffix == ".py" or (path.is_file() and PAGES.search(name)):
            wanted += [f"sdist: {name}", f"wheel: {name}"]
    extra = [it for it in sorted(names) if re.match(r"wheel: (tests|tools|data)/", it)]
    faults = [f"{name} is missing" for name in wanted if name not in names]
    return faults + [f"{name} should not be there" for name in extra]


# ---- first runs


def check_first_runs(rounds: int) -> None:
    """Print how long first and later runs take; end with a fault if anything differs."""
    from solver.machine.cache import level, levels

    here, known = level(), list(levels())
    if here is None:
        sys.exit("first-run: this processor has none of the levels that code is shipped for")
    tried = known[: known.index(here) + 1]
    knuthle = str(Path(sys.executable).with_name("knuthle"))
    with tempfile.TemporaryDirectory() as work:
        folder, home, nowhere = (Path(work) / it for it in ("folder", "home", "file/home"))
        folder.mkdir()
        home.mkdir()
        nowhere.parent.touch()
        for command in FIRST_COMMANDS:
            words = command.split()
            first, warm = [], []
            for _ in range(rounds):
                first.append(timed_run([knuthle, *words], folder, nowhere))
                warm.append(timed_run([knuthle, *words], folder, home))
            at_levels = [
                timed_run([sys.executable, "-P", "-c", AT_A_LEVEL, it, *words], folder, nowhere)
                for it in tried
            ]
            if len({digest for _, digest in first + warm + at_levels}) > 1:
                sys.exit(f"first-run: {command}: the bytes of its file are not always the same")
            one, other = median(it for it, _ in first), median(it for it, _ in warm)
            print(
                f"{command:34} without a cache {one:.2f} s, otherwise {other:.2f} s "
                f"({one / other:.2f}); same bytes: {' '.join(tried)}"
            )
        if any(home.iterdir()):
            sys.exit("first-run: a kernel was compiled and stored")


def timed_run(command: list[str], folder: Path, home: Path) -> tuple[float, str]:
    """Run a command in an empty folder: its seconds, and a digest of the file it writes."""
    settings = {
        it: text for it, text in os.environ.items() if not it.startswith(("NUMBA_", "XDG_"))
    }
    begin = time.perf_counter()
    settings["HOME"] = str(home)
    subprocess.run(command, cwd=folder, env=settings, check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - begin
    (file,) = folder.iterdir()
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    file.unlink()
    return seconds, digest


if __name__ == "__main__":
    sys.exit(main())
