"""Compiled kernels on disk: stored and loaded by a digest of all that they are made from.

What lies in the cache is run, so two things are made sure of first.

* *Nobody else put it there.* See ``safe_folder``. Where no folder is safe, not even a temporary
  one of this user, kernels are compiled at every start.
* *It is what was stored.* Each file begins with a SHA-256 over its key and its bytes. Cut, flipped
  or misplaced, it is compiled anew without a word.

One file is for one form of one kernel. Its key says all that the machine code rests on: the text
of the sources, the form of the arguments, the processor, Python, numpy and numba. It holds the code
itself, or names the *library* of kernels that were compiled together: a file under the SHA-256 of
what it holds. When the sources change, the two newest versions stay. What came with the package is
taken first.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import marshal
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from os.path import dirname, isfile, join  # every start asks for hundreds: text is quick
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

import numpy

from .forms import ArgTypes, KernelLike
from .object_code import Code
from .safe_folder import KernelFolder, homes, temporary_homes

#: What the name of a library begins with.
_LIBRARY = "library.kernels-"
#: Values in files are written once each: else the bytes would tell how they lay in memory.
_PLAINLY = 2
#: So many versions of one form of a kernel are kept.
_VERSIONS = 2
#: Names of files here, those that were written before and those half written too.
_OURS = re.compile(r"[\w<>]+\.[\w<>]+-[0-9a-f-]{32,}(\.[0-9a-f]{32})?$")


@cache
def kernel_folder() -> KernelFolder | None:
    """The first folder for kernels that is safe and can be written; None: nothing is kept."""
    return next((found for _, found in _tried() if isinstance(found, KernelFolder)), None)


def _tried() -> Iterator[tuple[Path, KernelFolder | str]]:
    """Each place for kernels, best first, with its folder or why it is not used."""
    for home in homes():
        yield home, KernelFolder.tried(home)
    for home in temporary_homes():
        yield home, KernelFolder.tried(home, is_temporary=True)


def places_refused() -> list[str]:
    """The places for kernels that come before the one in use, each with why it is not used."""
    tried = itertools.takewhile(lambda it: isinstance(it[1], str), _tried())
    return [f"{place}: {reason}" for place, reason in tried]


def why_nothing_is_kept() -> str | None:
    """Why kernels are compiled again in every run, in words; None if they are stored."""
    return None if kernel_folder() is not None else "; ".join(places_refused())


class Stored(NamedTuple):
    """What is stored of a kernel: the form of what it returns, its code, its number in that."""

    returned: ArgTypes
    code: Code
    number: int = 0


def load(kernel: KernelLike, form: ArgTypes) -> Stored | None:
    """The stored machine code for a form of a kernel."""
    return load_shipped(kernel, form) or _read(_place(kernel, form))


def _read(place: tuple[KernelFolder, str, bytes] | None) -> Stored | None:
    """What a file holds that is whole; None if there is no such file."""
    if place is None:
        return None
    folder, name, key = place
    content = folder.read(name)
    stored = None if content is None else unsealed(key, content)
    if stored is None:
        return None
    returned, held, number = marshal.loads(stored)
    code = _library(folder, held) if isinstance(held, str) else Code(held)
    return None if code is None else Stored(returned, code, number)


@cache
def _library(folder: KernelFolder, name: str) -> Code | None:
    """A library of kernels; None if there is none, or a bit of it is another."""
    content = folder.read(name)
    whole = content is not None and name == _library_name(content)
    return Code(marshal.loads(content)) if content is not None and whole else None


def _library_name(content: bytes) -> str:
    return _LIBRARY + hashlib.sha256(content).hexdigest()


def is_missing(kernel: KernelLike, form: ArgTypes) -> bool:
    """Whether machine code for a form of a kernel could be stored, and is not there."""
    return load(kernel, form) is None and _place(kernel, form) is not None


def store(
    kernel: KernelLike, form: ArgTypes, returned: ArgTypes, code: Any, number: int = 0
) -> None:
    """Store the machine code for a form of a kernel, or the name of its library, if possible."""
    place = _place(kernel, form)
    if place is not None:
        folder, name, key = place
        folder.write(name, packed(returned, code, key, number))
        kind = name[:-DIGITS]
        for old in [it for it in folder.names() if it.startswith(kind)][:-_VERSIONS]:
            folder.remove(old)


def store_together(
    kernels: Sequence[tuple[KernelLike, ArgTypes]], returned: Sequence[ArgTypes], code: Any
) -> None:
    """Store a library of kernels, each with a form, if there is a place for it."""
    folder = kernel_folder()
    if folder is not None:
        name, content = packed_library(code)
        folder.write(name, content)
        _library.cache_clear()
        for number, (kernel, form) in enumerate(kernels):
            store(kernel, form, returned[number], name, number)


def remove_unused() -> None:
    """Remove libraries that no kernel is in any more."""
    folder = kernel_folder()
    if folder is not None:
        names = folder.names()
        held = b"".join(folder.read(it) or b"" for it in names if not it.startswith(_LIBRARY))
        for name in names:
            if name.startswith(_LIBRARY) and name.encode() not in held:
                folder.remove(name)


def clear() -> int:
    """Remove all kernels from the cache; how many there were."""
    folder = kernel_folder()
    found = [] if folder is None else [it for it in folder.names() if _OURS.match(it)]
    for name in found:
        folder.remove(name)  # type: ignore[union-attr]  # then there is nothing to be found
    _library.cache_clear()
    return sum(not name.startswith(_LIBRARY) for name in found)


def _place(kernel: KernelLike, form: ArgTypes) -> tuple[KernelFolder, str, bytes] | None:
    """The folder, the file, and the digest of all that its machine code rests on."""
    folder, sources = kernel_folder(), sources_of(kernel)
    if folder is None or sources is None:
        return None
    kind = (kernel.__module__, kernel.__qualname__, form, machine())
    key = key_of(kind, sources, kernel.py_func.__code__.co_code)
    of_a_kind = hashlib.sha256(repr(kind).encode()).hexdigest()[:16]
    return folder, named_by(kernel, key, of_a_kind), key


# ---- Machine code that came with the package: for the levels of each machine
#
# It is believed only where it fits, as what lies in the cache is: its key is made of the sources as
# they are here, the form of the arguments and the level of the processor. What does not fit is not
# found, and goes the ordinary way. The file must be as safe as the sources beside it, which are run
# as well, and it must be whole.
#
# The version of Python is no part of the key: a kernel means the same in every one, and what the
# code asks of Python are functions that all of them have. Nor are numba's and LLVM's: it is made.

#: In a wheel for one platform it stands here, a folder for each level.
PLACE = Path(__file__).parents[1] / "_data" / "machine_code"
#: Settings of numba's that change no code.
_HARMLESS = {"NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS"}


def load_shipped(kernel: KernelLike, form: ArgTypes) -> Stored | None:
    """The shipped machine code for a form of a kernel."""
    folder, now = _folder(), level()
    place = None if folder is None or now is None else place_of(kernel, form, now)
    return None if folder is None or place is None else _read((folder, *place))


def place_of(kernel: KernelLike, form: ArgTypes, for_level: str) -> tuple[str, bytes] | None:
    """The name of a shipped kernel's file, and the digest of all that its machine code rests on."""
    sources = sources_of(kernel)
    if sources is None or "<" in kernel.__qualname__:  # one of many that are made by a function
        return None
    python = sys.implementation.name
    key = key_of(kernel.__module__, kernel.__qualname__, form, sources, for_level, python)
    return named_by(kernel, key), key


def packed(returned: ArgTypes, code: Any, key: bytes, number: int = 0) -> bytes:
    """What the file of a kernel holds: its code, or the name of a library.

    The same bytes for the same code.
    """
    return sealed(key, marshal.dumps((returned, code, number), _PLAINLY))


def packed_library(code: Any) -> tuple[str, bytes]:
    """A library of kernels: its name, and what it holds."""
    content = marshal.dumps(code, _PLAINLY)
    return _library_name(content), content


@cache
def _folder() -> KernelFolder | None:
    """The folder for this processor, if any came with the package and its code can be run here."""
    now = level()
    fits = sys.platform == "linux" and now is not None and PLACE.is_dir()
    if not fits or any(it.startswith("NUMBA_") and it not in _HARMLESS for it in os.environ):
        return None
    return KernelFolder.open_shipped(PLACE / str(now))


# ---- Keys: all that the machine code of a kernel rests on

#: By this file and what it imports code is made, and would be another with other sources.
_MAKER = Path(__file__).parent / "compiler.py"
#: How much of a key a file's name ends with.
DIGITS = 32
_CHECKSUM = hashlib.sha256().digest_size


def sources_of(kernel: KernelLike) -> tuple[Any, ...] | None:
    """What a checksum in the cache is taken of: a kernel's sources, as plain values.

    None: they are not known.
    """
    code = kernel.py_func.__code__
    source, closure = Path(code.co_filename), _closure(kernel.py_func)
    if closure is None or not source.is_file():
        return None
    digests = (source_digest(_MAKER), source_digest(source))
    return digests, code.co_firstlineno, closure, sorted(kernel.options.items())


def _closure(func: Callable[..., Any]) -> str | None:
    """What a function has from those around it, as text; None if it is no plain value."""
    values = [cell.cell_contents for cell in func.__closure__ or ()]
    plain = all(isinstance(it, int | float | str | bytes | NoneType) for it in values)
    return repr(values) if plain else None


def key_of(*values: object) -> bytes:
    """The digest of plain values that a kernel's machine code rests on, to find it in the cache."""
    return hashlib.sha256(repr(values).encode()).digest()


def named_by(kernel: KernelLike, key: bytes, kind: str = "") -> str:
    """The name of a file for a kernel's machine code, which ends with part of its key."""
    stem = Path(kernel.py_func.__code__.co_filename).stem
    return "-".join([f"{stem}.{kernel.__name__}", *filter(None, [kind]), key.hex()[:DIGITS]])


def sealed(key: bytes, stored: bytes) -> bytes:
    """What is stored of machine code under a key, behind a checksum over both."""
    return hashlib.sha256(key + stored).digest() + stored


def unsealed(key: bytes, content: bytes) -> memoryview | None:
    """What was stored of machine code under a key; None if a bit of it, or the key, is another."""
    stored = memoryview(content)[_CHECKSUM:]
    digest = hashlib.sha256(key)
    digest.update(stored)
    return stored if digest.digest() == content[:_CHECKSUM] else None


@cache
def machine() -> str:
    """What compiled code rests on, sources and arguments aside."""
    settings = sorted(
        item for item in os.environ.items()
        if item[0].startswith("NUMBA_") and item[0] != "NUMBA_CACHE_DIR"
    )  # fmt: skip
    made_by = [numpy.__version__, *map(_version_of, ("numba", "llvmlite"))]
    return repr((sys.version, sys.platform, made_by, settings, processor()))


def _version_of(package: str) -> str:
    """The version of a package, without loading it: that would take longer than a command."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return "none"
    source = Path(spec.origin).with_name("_version.py")
    if source.is_file():
        return source.read_text(encoding="utf-8")
    from importlib.metadata import version

    return version(package)


# ---- The processor, and what it can do

_CORES = Path("/proc/cpuinfo")
#: The lines by which Linux describes a processor, whichever kind it is.
_DESCRIBING = re.compile(
    r"vendor_id|cpu family|model|stepping|flags|Features|CPU (implementer|architecture|variant|part"
    r"|revision)"
)
#: The levels that code is shipped for, by what Linux calls the machine: each with what it has
#: beyond the one before, in the words of Linux (pni is SSE3, abm has lzcnt). With NEON, which is
#: all that code for AArch64 asks for, every such processor comes.
LEVELS = {
    "x86_64": {
        "x86-64-v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
        "x86-64-v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
        "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
    },
    "aarch64": {"aarch64": ""},
}


@cache
def processor() -> str:
    """The processor and what it can do."""
    description = _description()
    if any(line.startswith(("flags", "Features")) for line in description):
        return "\n".join(description)
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


@cache
def level() -> str | None:
    """The highest level of this machine that its processor has, of those that are known."""
    flags = next((line for line in _description() if line.startswith("flags :")), "")
    can, highest = set(flags.split()), None
    for name, needed in levels().items():
        if not can.issuperset(needed.split()):
            break
        highest = name
    return highest


def levels() -> dict[str, str]:
    """The levels of this machine, the lowest first; none if no code is shipped for it."""
    return LEVELS.get(os.uname().machine, {}) if hasattr(os, "uname") else {}


def _description() -> list[str]:
    """What Linux says of the first core."""
    with contextlib.suppress(OSError), _CORES.open(encoding="utf-8") as file:
        lines = list(itertools.takewhile(str.strip, file))
        return [" ".join(line.split()) for line in lines if _DESCRIBING.match(line)]
    return []


# ---- Source files, with those that they import
#
# A kernel becomes part of every kernel that calls it, so compiled code is filed under the text of
# its own file *and* of the files which that imports, and so on. Imports are read from the text by
# a pattern, without running anything: those that begin a line. What a function imports for itself,
# or a type checker alone reads, is no part of compiled code.

_PROJECT = ("solver", "strategy")

_IMPORT = re.compile(
    r"from[ \t]+(\.*)([\w.]*)(?:[ \t]|\\\n)+import[ \t]*(\([^)]*\)|(?:\\\n|[^\n])*)"
    r"|import[ \t]+([^\n]*)"
)


def sources_below(source: str) -> set[str]:
    """A source file and everything it imports from the project, transitively."""
    found: set[str] = set()
    todo = {source}
    while todo:
        path = todo.pop()
        found.add(path)
        todo |= imported_files(path) - found
    return found


@cache
def source_digest(source: str | Path) -> str:
    """Digest of a source file and of everything it imports from the project, transitively."""
    found = sources_below(str(source))
    root = _root(dirname(str(source)))
    digest = hashlib.sha256()
    for name, path in sorted((_name(path, root), path) for path in found):
        digest.update(name.encode() + b"\0" + _file_digest(path))
    return digest.hexdigest()


@cache
def imported_files(source: str) -> frozenset[str]:
    """The project files that a file imports at the beginning of a line."""
    folder = dirname(source)
    root = _root(folder)
    ours = {*_PROJECT, _name(source, root).split("/")[0]}
    files: set[str] = set()
    for dots, module, names, plain in _statements(_text(source).decode()):
        if plain:
            for name in re.findall(r"[\w.]+", plain):
                if name.split(".")[0] in ours:
                    files.update(_files_of(join(root, *name.split(".")), []))
        elif dots or module.split(".")[0] in ours:
            base = root if not dots else folder
            for _ in dots[1:]:
                base = dirname(base)
            files.update(_files_of(join(base, *module.split(".")), re.findall(r"\w+", names)))
    return frozenset(files - {source})


def _statements(text: str) -> Iterator[tuple[str, ...]]:
    """Dots, module and names of what a text imports from somewhere; or plainly imported modules."""
    text = f"\n{text}"
    for begin in ("\nfrom", "\nimport"):  # a search for fixed text is far quicker than a pattern
        at = text.find(begin)
        while at >= 0:
            found = _IMPORT.match(text, at + 1)
            if found:
                yield found.groups(default="")
            at = text.find(begin, at + 1)


def _files_of(base: str, names: list[str]) -> Iterator[str]:
    """The file of a module; or of a package, and those of its modules that are named."""
    base = base.rstrip("/\\")
    if isfile(f"{base}.py"):
        yield f"{base}.py"
        return
    for stem in ("__init__", *names):
        for path in (join(base, f"{stem}.py"), join(base, stem, "__init__.py")):
            if isfile(path):
                yield path


@cache
def _root(folder: str) -> str:
    """The folder that holds the outermost package around a folder."""
    return _root(dirname(folder)) if isfile(join(folder, "__init__.py")) else folder


def _name(path: str, root: str) -> str:
    """A path below a folder, written the same on every system."""
    return path[len(root) :].replace("\\", "/").lstrip("/")


@cache
def _text(path: str) -> bytes:
    return Path(path).read_bytes()


@cache
def _file_digest(path: str) -> bytes:
    return hashlib.sha256(_text(path)).digest()
