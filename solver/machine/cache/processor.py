"""Which processor this is, and what it can do."""

from __future__ import annotations

import contextlib
import itertools
import re
from functools import cache
from pathlib import Path

_CORES = Path("/proc/cpuinfo")
#: What tells one processor from another, in the words of Linux on one kind or another.
_TELLING = re.compile(
    r"vendor_id|cpu family|model|stepping|flags|Features|CPU (implementer|architecture|variant|part"
    r"|revision)"
)
#: The levels of x86-64 that code is shipped for, each with what it has beyond the one before, in
#: the words of Linux (pni is SSE3, abm has lzcnt).
LEVELS = {
    "x86-64-v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
    "x86-64-v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
    "x86-64-v4": "avx512f avx512bw avx512cd avx512dq avx512vl",
}


@cache
def processor() -> str:
    """The processor and what it can do."""
    telling = _telling()
    if any(line.startswith(("flags", "Features")) for line in telling):
        return "\n".join(telling)
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


@cache
def level() -> str | None:
    """The highest level of x86-64 that this processor has, of those that are known."""
    told = next((line for line in _telling() if line.startswith("flags :")), "")
    can, highest = set(told.split()), None
    for name, needed in LEVELS.items():
        if not can.issuperset(needed.split()):
            break
        highest = name
    return highest


def _telling() -> list[str]:
    """What Linux says of the first core."""
    with contextlib.suppress(OSError), _CORES.open(encoding="utf-8") as told:
        lines = list(itertools.takewhile(str.strip, told))
        return [" ".join(line.split()) for line in lines if _TELLING.match(line)]
    return []
