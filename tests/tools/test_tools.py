"""The scripts that set everything up: one set-up at a time, and none that waits for ever."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support import ROOT

SETUP = ROOT / "tools" / "setup.sh"


def lock(folder: Path, after: str = "echo locked") -> subprocess.CompletedProcess[str]:
    """Take the lock of a checkout in ``folder``."""
    script = f'. "$0"; root=$1; lock && {{ {after}; }}'
    command = ["bash", "-c", script, str(SETUP), str(folder)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_lock_is_signed_and_given_back(tmp_path: Path) -> None:
    taken = lock(tmp_path, 'cat "$root/.venv.lock/pid"; echo $$')
    first, second = taken.stdout.split()
    assert first == second
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("holder", [None, "", "999999999"])
def test_a_lock_that_was_left_behind_is_taken_over(tmp_path: Path, holder: str | None) -> None:
    place = tmp_path / ".venv.lock"
    place.mkdir()
    if holder is not None:
        (place / "pid").write_text(holder)
    assert lock(tmp_path).stdout == "locked\n"


def test_where_nothing_can_be_written_the_reason_is_told(tmp_path: Path) -> None:
    (tmp_path / ".venv.lock").write_text("a file, so that root cannot make the directory either")
    refused = lock(tmp_path)
    assert refused.returncode == 3
    assert "no .venv can be made there (mkdir: " in refused.stderr


def test_a_lock_in_use_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / ".venv.lock"
    place.mkdir()
    (place / "pid").write_text(str(os.getpid()))
    waiting = subprocess.Popen(
        ["bash", "-c", '. "$0"; root=$1; lock && echo locked', str(SETUP), str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert waiting.stderr
    assert (
        waiting.stderr.readline() == f"knuthle: waiting for the set-up by process {os.getpid()} …\n"
    )
    (place / "pid").unlink()
    place.rmdir()
    assert waiting.communicate()[0] == "locked\n"
