"""Makes streams and signals safe, then runs a command; the console scripts call this.

A stream may be missing (``>&-``) or unable to say every letter; an interrupt may come while things
are still loading. None of that may end in a traceback. Nothing but ``sys`` is imported before
interrupts are looked after: until then Python would answer Ctrl-C with the place where it happened
to be.
"""

import sys

#: Bytes that numpy takes while it is loaded. Where they are not to be had, its libraries end the
#: process with words and an exit code of their own.
_NUMPY = 96 << 20
#: Objects that must pile up before garbage is looked for. To load compiled kernels makes hundreds
#: of thousands that stay, and to go through them again and again took a tenth of a short command.
_PILE = 500_000


def run_knuthle() -> int:
    """Behind the entry ``knuthle``: streams and signals, then a command; its exit code."""
    _prepare()
    from .cli import main

    return main(sys.argv[1:])


def run_solve_all() -> int:
    """Behind the entry ``solve-all``, which is ``knuthle solve-all``; returns the exit code."""
    _prepare()
    from .cli import run_command

    return run_command("solve-all", sys.argv[1:], "solve-all")


def _prepare() -> None:
    _handle_interrupts()
    import atexit
    import gc
    import os

    if not os.environ.get("HOME", "set"):
        del os.environ["HOME"]  # empty it would be the root of all folders; so the account says it
    if "numpy" not in sys.modules and _is_limited():
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # numpy's threads take room for nothing
        sys.meta_path.insert(0, _RoomForNumpy())
    gc.set_threshold(_PILE)
    atexit.register(gc.freeze)  # the system takes all back: Python would look for garbage first
    _mend_streams()
    try:
        import solver  # noqa: F401 - this Python may be refused
    except ImportError as error:
        sys.stderr.write(f"knuthle: {error}\n")
        sys.exit(3)


def _handle_interrupts() -> None:
    """Let Ctrl-C end the process with a word, and not with the place where it happened to be."""
    # built in and so without a stub; to load signal would take longer than all that came before
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) == _signal.SIG_IGN:
        return  # as in a script's background
    try:
        _signal.signal(_signal.SIGINT, _leave)
    except ValueError:  # not in the main thread
        return


def _leave(number: int, frame: object) -> None:
    """Nothing has begun yet: leave without a word about where the interpreter was."""
    import os

    try:
        os.write(2, b"\ninterrupted\n")
    finally:
        os._exit(130)


def _is_limited() -> bool:
    """Whether this process may take so much room and no more (``ulimit -v``)."""
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


class _RoomForNumpy:
    """Finds no module; but before numpy is looked for there must be room for it."""

    def find_spec(self, name: str, *_: object) -> None:
        """Raise MemoryError where numpy would not fit in what this process may still take."""
        if name == "numpy":
            import mmap

            sys.meta_path.remove(self)
            try:
                mmap.mmap(-1, _NUMPY).close()
            except OSError:
                raise MemoryError(f"numpy takes {_NUMPY >> 20} MB of address space") from None


def _mend_streams() -> None:
    import io
    import os

    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
