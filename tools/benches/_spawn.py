"""Run a command and write what it took to a file: ``_spawn.py FILE COMMAND …``.

A process of its own, since the system reports as a child's peak memory at least the size that its
parent had when it was started, and the benchmark itself is large.
"""

import json
import os
import sys
import time

target, *command = sys.argv[1:]
start = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawnp(command[0], command, os.environ), 0)
wall = time.perf_counter() - start
unit = 1 if sys.platform == "darwin" else 1024
with open(target, "w", encoding="utf-8") as out:  # noqa: PTH123 (pathlib would make it larger)
    cpu = usage.ru_utime + usage.ru_stime
    json.dump({"cpu": cpu, "wall": wall, "peak": usage.ru_maxrss * unit}, out)
sys.exit(os.waitstatus_to_exitcode(status))
