"""Many machines, by Dask: a scheduler that is there already, or workers of our own on loopback."""

from __future__ import annotations

import contextlib
import logging
import re
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import CouldNotFinishError, WrongInputError

from ..errors import OutputError
from ..files.names import quoted
from .runners import ByExecutor

#: Seconds until a scheduler must have answered, and until it must have a worker.
_CONNECTING, _WAITING = 10, 60
#: How long a batch takes. To hand one over costs the scheduler some milliseconds: so that is a
#: fraction of a percent of a worker's time, and the scheduler of any number of workers keeps up.
_SECONDS, _PER_WORKER = 2.0, 0.01
_LOCAL = re.compile(r"local:(\d{1,4})")
_ADDRESS = re.compile(r"(?:tcp|tls)://[^\s/]+:(\d{1,5})")
_LAST_PORT = 65_535


@dataclass(frozen=True)
class DaskPlace:
    """Where the Dask scheduler is: ``tcp://HOST:8786``, ``tls://HOST:8786`` or ``local:2``.

    With TLS come the certificate of the authority, our own one, and its key.
    """

    address: str
    ca: str | None = None
    cert: str | None = None
    key: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant, before anything is loaded."""
        files = (self.ca, self.cert, self.key)
        local, there = _LOCAL.fullmatch(self.address), _ADDRESS.fullmatch(self.address)
        if not (local and int(local[1])) and not (there and 0 < int(there[1]) <= _LAST_PORT):
            raise WrongInputError(
                f"--dask {quoted(self.address)}: expected tcp://HOST:PORT, tls://HOST:PORT, "
                "or local:N for N workers on this machine"
            )
        if any(files) and not (all(files) and self.address.startswith("tls:")):
            raise WrongInputError(
                "TLS takes --dask tls://HOST:PORT with all of --dask-ca, --dask-cert, --dask-key"
            )
        if self.address.startswith("tls:") and not all(files):
            raise WrongInputError(
                f"--dask {self.address} takes --dask-ca, --dask-cert and --dask-key as well"
            )
        for file in files:
            if file is not None and not Path(file).is_file():
                raise WrongInputError(f"{file}: there is no such file")
        if self.ca and self.cert and self.key:
            _check_certificates(self.ca, self.cert, self.key)


def _check_certificates(ca: str, cert: str, key: str) -> None:
    """Refuse files that no connection can be made with; nobody is asked for a password."""
    import ssl

    context, names = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ca
    try:
        context.load_verify_locations(ca)
        names = f"{cert}, {key}"
        context.load_cert_chain(cert, key, password="")
    except (OSError, ValueError) as error:
        raise WrongInputError(f"{names}: not of use for TLS: {_first_line(error)}") from None


@contextlib.contextmanager
def by_dask(place: DaskPlace) -> Iterator[ByExecutor]:
    """A runner of a sweep whose batches go to Dask; a cluster of our own ends with it."""
    distributed = require_distributed()
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as after:
        where: Any = place.address
        if local := _LOCAL.fullmatch(place.address):
            with _deaf_to_ctrl_c():
                cluster = _local_cluster(distributed, int(local[1]))
            where = after.enter_context(cluster)
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
                where, timeout=_CONNECTING, security=security, set_as_default=False
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
        yield ByExecutor(client.get_executor(pure=False), workers, _SECONDS + workers * _PER_WORKER)


def require_distributed() -> Any:
    """For a sweep by a cluster: Dask's module, or an error that says how to get it."""
    try:
        import distributed
    except ImportError:
        raise OutputError(
            "--dask needs Dask, which is not installed: pip install 'knuthle[distributed]'"
        ) from None
    return distributed


def _local_cluster(distributed: Any, workers: int) -> Any:
    """Worker processes of this machine that listen on loopback alone, without a dashboard.

    Without an address Dask would serve one on its usual port, and warn where that is taken.
    """
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        scheduler_kwargs={"dashboard": False},
        memory_limit=0,
        silence_logs=logging.CRITICAL,
    )


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """What is started here does not hear Ctrl-C, which a terminal sends to all processes alike.

    It is for the run, which ends its workers itself; they would print where they were.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would hear it again where it is first started
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
