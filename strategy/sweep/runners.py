"""Who does the work of a sweep: this process, processes of this machine, any executor, or Dask.

The work is a function that can be imported by its name, a question, and batches: the function
answers one batch after the other, each time with the same question. Dask's scheduler is one that
runs already.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from solver.errors import CouldNotFinishError, WrongInputError, imported
from solver.machine.pool import Pool, available_cores

from ..errors import OutputError
from ..files.text import quoted

Q = TypeVar("Q")
B = TypeVar("B")
R = TypeVar("R")

#: An executor holds at least so many batches: workers that join later find something to do.
_AHEAD = 32


class SweepRunner(Protocol):
    """What answers the batches of a sweep, in the order in which they are finished."""

    @property
    def workers(self) -> int:
        """How many batches are being answered at a time."""

    @property
    def seconds(self) -> float:
        """How long a batch should take, so that handing it over costs nothing beside it."""

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches; a batch is fetched when it is handed out."""


@dataclass(frozen=True)
class InThisProcess:
    """A runner of a sweep that answers one batch after the other, in this process."""

    workers: int = 1
    seconds: float = 0.25

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches, one after the other."""
        for batch in batches:
            yield answer(question, batch)


@dataclass(frozen=True)
class ByProcesses:
    """A runner of a sweep with processes of this machine; forked ones find what this one made."""

    workers: int
    seconds: float = 1.0

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches, by processes of this machine, as they are finished."""
        with Pool(partial, (answer, question), min(self.workers, len(batches))) as pool:
            for _, found in pool.run(batches):
                yield found


def runner_of(workers: int | None) -> SweepRunner:
    """A runner of a sweep with so many processes; ``None`` are as many as there are cores."""
    count = workers or available_cores()
    return InThisProcess() if count == 1 else ByProcesses(count)


@dataclass(frozen=True)
class ByExecutor:
    """A runner of a sweep with any executor whose workers can import this program."""

    executor: concurrent.futures.Executor
    workers: int
    seconds: float = 2.0

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches, by the workers of the executor."""
        waiting = iter(batches)
        ahead = max(_AHEAD, 2 * self.workers)
        busy: set[Any] = set()
        try:
            while True:
                for batch in islice(waiting, ahead - len(busy)):
                    busy.add(self.executor.submit(answer, question, batch))
                if not busy:
                    return
                first = concurrent.futures.FIRST_COMPLETED
                for future in concurrent.futures.wait(busy, return_when=first).done:
                    busy.discard(future)
                    yield future.result()
        except Exception as error:
            if hasattr(error, "exit_code"):
                raise  # one of our errors: it says what is wrong
            raise CouldNotFinishError(
                f"the workers have given up ({type(error).__name__}): {_first_line(error)}"
            ) from None
        finally:
            for future in busy:
                future.cancel()


# --- Dask ---------------------------------------------------------------------------------

#: Seconds until a scheduler must have answered, and until it must have a worker.
_CONNECTING, _WAITING = 10.0, 60.0
#: How long a batch takes, in seconds, and how much longer for each worker. To hand one over costs
#: the scheduler some milliseconds: a fraction of a percent of a worker's time, and the scheduler
#: keeps up with any number of workers.
_BATCH_SECONDS, _PER_WORKER = 2.0, 0.01
_ADDRESS = re.compile(r"(?:tcp|tls)://[^\s/]+:([0-9]{1,5})")
_LAST_PORT = 65_535


@dataclass(frozen=True)
class DaskPlace:
    """Where the Dask scheduler is: ``tcp://HOST:8786`` or ``tls://HOST:8786``.

    With TLS come the certificate of the authority, our own one, and its key.
    """

    address: str
    ca: str | None = None
    cert: str | None = None
    key: str | None = None

    def __post_init__(self) -> None:
        """Refuse an address or files that cannot be right, before anything is loaded."""
        files = (self.ca, self.cert, self.key)
        there = _ADDRESS.fullmatch(self.address)
        if not (there and 0 < int(there[1]) <= _LAST_PORT):
            raise WrongInputError(
                f"--dask {quoted(self.address)}: expected tcp://HOST:PORT or tls://HOST:PORT"
            )
        by_tls = self.address.startswith("tls:")
        if (by_tls or any(files)) and not (by_tls and all(files)):
            raise WrongInputError(
                "TLS takes --dask tls://HOST:PORT with all of --dask-ca, --dask-cert, --dask-key"
            )
        for file in files:
            if file is not None and not Path(file).is_file():
                raise WrongInputError(f"{file}: there is no such file")
        if self.ca and self.cert and self.key:
            _check_certificates(self.ca, self.cert, self.key)


def _check_certificates(ca: str, cert: str, key: str) -> None:
    """Refuse files that no connection can be made with; no password is read from a terminal."""
    import ssl

    context, names = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ca
    try:
        context.load_verify_locations(ca)
        names = f"{cert}, {key}"
        context.load_cert_chain(cert, key, password="")
    except (OSError, ValueError) as error:
        raise WrongInputError(f"{names}: not of use for TLS: {_first_line(error)}") from None


@contextlib.contextmanager
def by_dask(place: DaskPlace, connecting: float = _CONNECTING) -> Iterator[ByExecutor]:
    """A runner of a sweep whose batches go to Dask."""
    distributed = require_distributed()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as after:
        security = None
        if place.ca:
            security = distributed.Security(
                tls_ca_file=place.ca,
                tls_client_cert=place.cert,
                tls_client_key=place.key,
                require_encryption=True,
            )
        try:
            client = distributed.Client(
                place.address, timeout=connecting, security=security, set_as_default=False
            )
        except (OSError, TimeoutError) as error:
            raise CouldNotFinishError(
                f"no Dask scheduler answers at {place.address}: {_first_line(error)}"
            ) from None
        after.enter_context(client)
        try:
            client.wait_for_workers(1, timeout=_WAITING)
        except TimeoutError:
            raise CouldNotFinishError(
                f"the Dask scheduler at {place.address} has no workers"
            ) from None
        workers = len(client.nthreads())
        seconds = _BATCH_SECONDS + workers * _PER_WORKER
        yield ByExecutor(client.get_executor(pure=False), workers, seconds)


def require_distributed() -> Any:
    """Dask's module, or an error that says how to get it."""
    return imported("distributed", "--dask needs Dask", OutputError)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
