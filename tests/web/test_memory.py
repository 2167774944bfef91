"""The memory of the engine, and calls of kernels in it."""

import subprocess
from pathlib import Path

from tests.support.node import SITE, require_node

SCRIPT = Path(__file__).with_name("memory.mjs")


def test_memory_is_reserved_released_and_never_overwritten() -> None:
    done = subprocess.run(
        [require_node(), str(SCRIPT), str(SITE)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
