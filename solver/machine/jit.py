"""The one door to numba: ``@kernel`` compiles a function and caches it safely on disk.

Numba's own cache notices an edit of the file that a function is in, but not of the files whose
kernels it calls: it then serves a stale result. Here every module gets a cache directory named by
a digest of its source *and of all project sources it imports*, so kernels may call each other
across files. The directory lies in the user's cache, which makes read-only installs work too.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast, overload

import numba
from numba.core import config as _numba_config
from numba.core import event as _numba_event
from numba.core import types as _numba_types
from numba.core.caching import FunctionCache as _FunctionCache

config: Any = _numba_config
event: Any = _numba_event
types: Any = _numba_types

P = ParamSpec("P")
R = TypeVar("R")

_RELATIVE_IMPORT = re.compile(r"^from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def _imported_files(source: Path) -> set[Path]:
    """The project files that ``source`` imports relatively, read from its text."""
    files = set()
    for dots, module, names in _RELATIVE_IMPORT.findall(source.read_text(encoding="utf-8")):
        folder = source.parent
        for _ in dots[1:]:
            folder = folder.parent
        if module:
            stems = [module.replace(".", "/")]
            stems += [f"{stems[0]}/{name}" for name in re.findall(r"\w+", names)]
        else:
            stems = re.findall(r"\w+", names)
        files |= {path for stem in stems if (path := folder / f"{stem}.py").is_file()}
    return files


@cache
def source_digest(source: Path) -> str:
    """Digest of a source file and of everything it imports from the project, transitively."""
    found: set[Path] = set()
    todo = {source}
    while todo:
        path = todo.pop()
        found.add(path)
        todo |= _imported_files(path) - found
    digest = hashlib.sha256()
    for path in sorted(found):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _cache_homes() -> Iterator[Path]:
    """Where compiled kernels may be kept, best place first."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / "knuthle"
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path("~").expanduser() / ".cache" / "knuthle"
    user = str(os.getuid()) if hasattr(os, "getuid") else "user"
    yield Path(tempfile.gettempdir()) / f"knuthle-{user}"


@cache
def cache_home() -> Path | None:
    """The first cache folder that can be written, or None (then nothing is kept)."""
    for home in _cache_homes():
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours_alone(home):
                continue  # never run machine code that somebody else could have put there
            with tempfile.TemporaryFile(dir=home):
                return home
        except OSError:
            continue
    return None


def _is_ours_alone(folder: Path) -> bool:
    """Whether nobody but this user (and root) can write into a folder."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.stat()
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & 0o022


class _FirstCompilation(_numba_event.Listener):
    """Calls back once, when numba first has to compile instead of loading from disk."""

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell: Callable[[], None] | None = tell

    def on_start(self, _: Any) -> None:
        """Tell, once."""
        if self._tell is not None:
            tell, self._tell = self._tell, None
            tell()

    def on_end(self, _: Any) -> None:
        """Nothing to say."""


def tell_when_compiling(tell: Callable[[], None]) -> None:
    """Have ``tell`` called before the first kernel of this process is really compiled."""
    event.register("numba:compile", _FirstCompilation(tell))


def _one_form_for_constants(compiled: Any) -> None:
    """Compile no form of its own for a call with 0 where the argument is an integer like others.

    numba gives every constant argument a type of its own, and each kernel below one more form: a
    third of the time that the first run of ``optimal`` compiles, for nothing that runs faster.
    """
    answer = compiled.get_call_template

    def plain(args: Any, kws: Any) -> Any:
        return answer(
            tuple(types.unliteral(arg) for arg in args),
            {name: types.unliteral(arg) for name, arg in kws.items()},
        )

    compiled.get_call_template = plain


def _refuse_python(compiled: Any) -> None:
    """Turn calls from Python away: there is no code that would take their arguments apart."""

    def keep(result: Any) -> None:
        compiled.overloads[tuple(result.signature.args)] = result  # and none to call

    def refuse(*_: Any, **__: Any) -> None:
        raise TypeError(f"{compiled.__name__} is an inner kernel: only kernels call it")

    compiled.add_overload = keep
    compiled._compile_for_args = refuse


def _compile(func: Callable[P, R], options: dict[str, Any], inner: bool) -> Callable[P, R]:
    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner, **options}
    compiled: Any = numba.njit(**options)(func)
    if not hasattr(compiled, "py_func"):  # NUMBA_DISABLE_JIT
        return cast("Callable[P, R]", compiled)
    _one_form_for_constants(compiled)
    if inner:
        _refuse_python(compiled)
    home = cache_home()
    source = Path(func.__code__.co_filename)
    if home is not None and source.is_file():
        before = config.CACHE_DIR
        config.CACHE_DIR = str(home / f"{source.stem}-{source_digest(source)}")
        try:
            compiled._cache = cast("Any", _ForgivingCache)(func)
        finally:
            config.CACHE_DIR = before
    return cast("Callable[P, R]", compiled)


class _ForgivingCache(_FunctionCache):
    """A cache that is only ever a help: damaged, it is begun anew; full, it is done without."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature, or None."""
        try:
            return cast("Any", super()).load_overload(sig, target_context)
        except Exception:  # whatever unpickling a damaged file may raise
            with contextlib.suppress(OSError):
                cast("Any", self).flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code if there is room."""
        with contextlib.suppress(OSError):
            cast("Any", super()).save_overload(sig, data)


@overload
def kernel(func: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def kernel(
    *, inner: bool = False, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(
    func: Callable[..., Any] | None = None, /, *, inner: bool = False, **options: Any
) -> Any:
    """Compile with numba and keep the machine code; typed as the plain function it wraps.

    An ``inner`` kernel is called by other kernels alone. The code that takes the arguments of a
    call from Python apart is left out, which takes longer to compile than many a kernel.
    """
    if func is None:
        return lambda it: _compile(it, options, inner)
    return _compile(func, options, inner)


@overload
def lean(func: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def lean(
    *, inner: bool = False, inline: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def lean(
    func: Callable[..., Any] | None = None, /, *, inner: bool = False, inline: bool = False
) -> Any:
    """A kernel that makes no array, nor calls one that does: compiled without reference counts.

    Kernels that are handed many arrays and are called millions of times spend a quarter of their
    time on counting references, with atomic instructions, to arrays that outlive them anyway.
    What is left of a call is to hand them on, dozens of values in memory; an ``inline`` kernel
    becomes part of those that call it.
    """
    options: dict[str, Any] = {"_nrt": False, "forceinline": inline}
    if func is None:
        return lambda it: _compile(it, options, inner)
    return _compile(func, options, inner)
