"""Whether the files of a release work: what this machine can install does the main job."""

import hashlib
import json
from pathlib import Path

from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

from tools import wheel as wheels
from tools.releasing.builds import SUMS, notes_name
from tools.releasing.running import ReleaseError, run, settings

#: The main job, and what must come out: states, and secrets by the guesses that they take.
MAIN_JOB = ("--start", "lares", "--json", "report.json")
HISTOGRAM, N_NODES, TOTAL = [1, 67, 1884, 6625, 3908, 452, 35], 14517, "total 54,784"
#: What an installation has besides the packages.
SHARED = ("man/man1/knuthle.1", "man/man1/solve-all.1", "bash-completion/completions/knuthle")

#: Makes an environment with the pinned versions, and puts one file into it without asking anybody.
_INSTALL = """
. "$1/tools/setup.sh"
python="$2/bin/python"
"$(find_python)" -m venv "$2"
"$python" -m pip install "${quietly[@]}" "${pinned[@]}" -r "$root/tools/requirements.txt"
"$python" -m pip install "${quietly[@]}" "${as_it_is[@]}" "$3"
"""


def files_of(folder: Path, version: str) -> list[str]:
    """The files of a folder that this machine can install.

    Raises:
        ReleaseError: A file is missing, or one is there of which nothing is known.
    """
    stem = f"knuthle-{version}"
    installs = [f"{stem}.tar.gz", f"{stem}-py3-none-any.whl"]
    wanted = {f"{stem}-py3-none-{it}.whl" for it in platforms()}
    wanted |= {*installs, f"{stem}-docs.tar.gz", f"{stem}-web.tar.gz", notes_name(version), SUMS}
    wanted.add(f"knuthle-engine-{version}.tgz")
    wheels_of = {path.name: path for path in folder.glob(f"{stem}-*-manylinux*.whl")}
    there = {it.name for it in folder.iterdir()}
    faults = [f"{name} is missing" for name in sorted(wanted - there)]
    faults += [f"{name} belongs to no release" for name in sorted(there - wanted - {*wheels_of})]
    if faults:
        raise ReleaseError("; ".join(faults))
    return sorted([*installs, *(name for name, path in wheels_of.items() if fits_here(path))])


def platforms() -> tuple[str, ...]:
    """The platforms that ``tools.wheel`` makes machine code for."""
    from solver.machine.cache import LEVELS

    return tuple(sorted({wheels.PLATFORM.format(machine=machine) for machine in LEVELS}))


def fits_here(wheel: Path) -> bool:
    """Whether this machine can install a wheel."""
    return not parse_wheel_filename(wheel.name)[3].isdisjoint(sys_tags())


# ---- installed


def installed(file: Path, clone: Path, work: Path, version: str) -> str:
    """Install a file into an empty environment and do the main job elsewhere; the file's digest.

    Raises:
        ReleaseError: Something fails, or is not as it must be.
    """
    environment, home, elsewhere = (work / it for it in ("environment", "home", "else where"))
    for folder in (home, elsewhere):
        folder.mkdir(parents=True)
    run(["bash", "-euc", _INSTALL, "install", clone, environment, file], work)
    around = settings(HOME=str(home), XDG_CACHE_HOME=str(home / ".cache"))

    def said_by(name: str, *words: object) -> str:
        return run([environment / "bin" / name, *words], elsewhere, around)

    said = said_by("knuthle", "--version")
    _demand(said == f"knuthle {version}\n", f"knuthle --version prints {said!r}")
    said_by("solve-all", *MAIN_JOB)
    report = json.loads((elsewhere / "report.json").read_text(encoding="utf-8"))
    found = (report["histogram"], report["n_nodes"])
    _demand(found == (HISTOGRAM, N_NODES), f"the main job has another result: {found}")
    said = said_by("knuthle", "verify", report["file"])
    for words in (TOTAL, "list original as shipped"):
        _demand(words in said, f"knuthle verify does not say {words!r} but {said!r}")
    place = said_by("python", "-P", "-c", "import solver; print(solver.__file__)")
    _demand(Path(place).is_relative_to(environment), f"the packages are those in {place}")
    for name in SHARED:
        _demand((environment / "share" / name).is_file(), f"share/{name} is not installed")
    if "manylinux" in file.name:
        compiled = [it for it in home.rglob("*") if it.is_file()]
        _demand(not compiled, f"something was compiled in spite of the machine code: {compiled}")
    return hashlib.sha256((elsewhere / report["file"]).read_bytes()).hexdigest()


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ReleaseError(otherwise)
