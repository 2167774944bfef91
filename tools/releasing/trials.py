"""Whether the files of a release work: each is installed and does the main job, or is opened."""

import hashlib
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

from tools import wheel as wheels
from tools.pages.links import wrong_links
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


def files_of(folder: Path, version: str) -> dict[str, str]:
    """What is to be done with each file of a folder: ``install``, or how it is opened.

    Raises:
        ReleaseError: A file is missing, or one is there of which nothing is known.
    """
    stem = f"knuthle-{version}"
    todo = {
        f"{stem}.tar.gz": "install", f"{stem}-py3-none-any.whl": "install",
        f"{stem}-docs.tar.gz": "site", f"{stem}-web.tar.gz": "site",
        notes_name(version): "notes", SUMS: "sums", f"knuthle-engine-{version}.tgz": "package",
    }  # fmt: skip
    for path in folder.glob(f"{stem}-*-manylinux*.whl"):
        todo[path.name] = "install" if fits_here(path) else "wheel"
    there = {it.name for it in folder.iterdir()}
    wanted = {*todo, *(f"{stem}-py3-none-{it}.whl" for it in platforms())}
    faults = [f"{name} is missing" for name in sorted(wanted - there)]
    faults += [f"{name} belongs to no release" for name in sorted(there - todo.keys())]
    if faults:
        raise ReleaseError("; ".join(faults))
    return {name: todo[name] for name in sorted(there)}


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


# ---- opened


def wheel_faults(wheel: Path, pure: Path) -> Iterator[str]:
    """What is wrong within a wheel for one platform: what the pure one has not, but machine code.

    What is told of the files themselves is another in each.
    """
    held, wanted = wheels.contents(wheel), wheels.contents(pure)
    code = {it for it in held if it.startswith(f"wheel: {wheels.CODE_FOLDER}/")}
    if not code:
        yield "it has no machine code"
    own = {f"wheel: .dist-info/{name}" for name in ("WHEEL", "RECORD")}
    for name in sorted((held.keys() | wanted.keys()) - code - own):
        if held.get(name) != wanted.get(name):
            yield f"{name} is another than in the pure wheel"


def site_faults(packed: Path, work: Path) -> Iterator[str]:
    """What is wrong with a packed site: no first page, or links that lead nowhere."""
    with tarfile.open(packed) as archive:
        archive.extractall(work, filter="data")
    site = work / packed.name.removesuffix(".tar.gz")
    if not (site / "index.html").is_file():
        yield "it has no index.html"
        return
    yield from wrong_links(site.resolve())
