"""A real scheduler of Dask with two workers on loopback, each a process that can be killed."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tests.support import ROOT


class Cluster:
    def __init__(self, folder: Path, *tls: str) -> None:
        self._file = folder / "scheduler.json"
        common = ["--scheduler-file", str(self._file), *tls]
        if tls:
            common += ["--protocol", "tls"]
        self._started: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *common)
        while not self._file.exists() or not self._file.read_text().endswith("}"):
            assert self._started[0].poll() is None
            time.sleep(0.05)
        self.workers = [
            self._start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *common)
            for _ in range(2)
        ]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._started.append(process)
        return process

    @property
    def address(self) -> str:
        found: str = json.loads(self._file.read_text())["address"]
        return found

    def close(self) -> None:
        for process in self._started:
            process.kill()
        for process in self._started:
            process.wait()
