"""Which guess next? Pure computation on guess-and-score games: arrays in, numbers out.

Importing this package loads nothing heavy; numpy and numba come with the modules that need them.
"""

import sys

if not getattr(sys, "_is_gil_enabled", lambda: True)():
    raise ImportError(
        "a free-threaded build of Python, whose threads run without the global lock, has not been "
        "tried: set PYTHON_GIL=1, or take an ordinary build"
    )
