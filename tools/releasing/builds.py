"""All files of a release, built in a clone of its own; how two such builds differ."""

import gzip
import hashlib
import io
import os
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

from packaging.tags import sys_tags
from packaging.utils import parse_wheel_filename

from tools import wheel as wheels
from tools.releasing.running import ReleaseError, Steps, run, settings
from tools.releasing.versions import CHANGELOG, section_of

SUMS = "SHA256SUMS"
#: The time of files in the second clone.
_LONG_AGO = 1e9


@dataclass(frozen=True)
class Kind:
    """How a clone is made: two kinds have nothing alike that could get into the files."""

    name: str
    folder: str
    umask: int
    has_old_files: bool
    settings: dict[str, str]


KINDS = (
    Kind("first build", "one", 0o022, False, {"TZ": "UTC"}),
    Kind("second build", "two, some where else", 0o077, True, {"TZ": "Asia/Tokyo", "LC_ALL": "C"}),
)


@dataclass(frozen=True)
class Source:
    """The commit that is released: where it is, and when it was made, in seconds."""

    repository: Path
    commit: str
    time: int
    version: str


@dataclass(frozen=True)
class Build:
    """The clone and the folder with its files."""

    clone: Path
    files: Path


def built(source: Source, kind: Kind, work: Path, say: Steps) -> Build:
    """Clone the commit and build every file of the release; return where they are."""
    clone, files = work / kind.folder / "clone", work / kind.folder / "files"
    files.mkdir(parents=True)
    around = settings(**kind.settings)

    def do(*command: object, folder: Path = clone, **named: str) -> None:
        run(command, folder, around | named, kind.umask)

    plain = ("-c", "core.autocrlf=false", "-c", "core.hooksPath=/dev/null")
    do("git", *plain, "clone", "--quiet", source.repository, clone, folder=work)
    do("git", *plain, "checkout", "--quiet", "--detach", source.commit)
    if kind.has_old_files:
        for path in clone.rglob("*"):
            if ".git" not in path.parts:
                os.utime(path, (_LONG_AGO, _LONG_AGO))
    do("bash", "-c", ". tools/setup.sh && ensure docs")
    say(f"{kind.name}: a clone, and its environment")
    python = clone / ".venv" / "bin" / "python"
    do(python, "-P", "-m", "hatchling", "build", "-t", "sdist", "-d", files)
    do("tools/docs", SOURCE_DATE_EPOCH=str(source.time))
    stem = f"knuthle-{source.version}"
    pack(clone / "build" / "docs" / "site", files / f"{stem}-docs.tar.gz", source.time)
    say(f"{kind.name}: the source distribution, the pages")
    page = work / kind.folder / "web"
    do("tools/build_web", page)
    pack(page, files / f"{stem}-web.tar.gz", source.time)
    do("tools/build_web", "--package", files, SOURCE_DATE_EPOCH=str(source.time))
    write_notes(clone, files, source.version)
    do("tools/build_wheel", files)
    say(f"{kind.name}: the wheels")
    return Build(clone, files)


def notes_name(version: str) -> str:
    """The file with the text for the release's page."""
    return f"knuthle-{version}-notes.md"


#: What the release's page begins with: what most people want.
INSTALLED = """\
Compiled already, so that every command starts at once:

    pip install knuthle-{version}-py3-none-manylinux_2_17_x86_64.whl      # Linux, x86-64
    pip install knuthle-{version}-py3-none-manylinux_2_17_aarch64.whl     # Linux, 64-bit ARM

Anywhere else, where each command compiles what it needs when it is first used:

    pip install knuthle-{version}-py3-none-any.whl

"""


def write_notes(clone: Path, files: Path, version: str) -> None:
    """Write how a version is installed, and what the changelog says of it, into a file."""
    section = section_of((clone / CHANGELOG).read_text(encoding="utf-8"), version)
    text = INSTALLED.format(version=version) + section[1] + "\n" if section else ""
    (files / notes_name(version)).write_text(text, encoding="utf-8", newline="\n")


def pack(folder: Path, made: Path, seconds: int, top: str = "") -> None:
    """Pack a folder so that equal files give equal bytes, whoever packs them, when and where."""
    top = top or made.name.removesuffix(".tar.gz")
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                entry = tarfile.TarInfo(f"{top}/{path.relative_to(folder).as_posix()}")
                content = path.read_bytes()
                entry.size, entry.mtime, entry.mode = len(content), seconds, 0o644
                archive.addfile(entry, io.BytesIO(content))
    made.write_bytes(gzip.compress(whole.getvalue(), 9, mtime=0))


def write_sums(files: Path) -> None:
    """Write the digests of all files of a folder, as ``sha256sum --check`` reads them."""
    sums = {it.name: hashlib.sha256(it.read_bytes()).hexdigest() for it in sorted(files.iterdir())}
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (files / SUMS).write_text(text, encoding="utf-8", newline="\n")


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
    return sorted([*installs, *(name for name in wheels_of if fits_here(name))])


def platforms() -> tuple[str, ...]:
    """The platforms that ``tools.wheel`` makes machine code for."""
    from solver.machine.cache import LEVELS

    return tuple(sorted({wheels.PLATFORM.format(machine=machine) for machine in LEVELS}))


def fits_here(wheel: str) -> bool:
    """Whether this machine can install a wheel of this name."""
    return not parse_wheel_filename(wheel)[3].isdisjoint(sys_tags())


# ---- two builds


def differences(first: Path, second: Path) -> Iterator[str]:
    """How the files of two folders differ, one line each."""
    names = [{it.name for it in folder.iterdir()} for folder in (first, second)]
    for name in sorted(names[0] | names[1]):
        if name not in names[0] & names[1]:
            yield f"{name} is there in one build only"
        else:
            one, two = (folder / name for folder in (first, second))
            if one.read_bytes() != two.read_bytes():
                parts = ", ".join(_unequal_parts(one, two)[:5]) or "how it is packed"
                yield f"{name} has other bytes in the second build: {parts}"


def _unequal_parts(one: Path, two: Path) -> list[str]:
    """The names in two archives that have other contents, or stand in one only."""
    try:
        parts = [wheels.contents(it) if it.suffix in (".whl", ".gz") else {} for it in (one, two)]
    except (OSError, tarfile.TarError, BadZipFile):
        return []
    unequal = {name for name, _ in parts[0].items() ^ parts[1].items()}
    return sorted(name.partition(": ")[2] for name in unequal)
