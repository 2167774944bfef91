"""Writes what is generated of the page without compiling: scripts, small modules, the list.

.venv/bin/python -m tools.web.pages    after a change of a file of the page
"""

from __future__ import annotations

from . import bundle, parts
from .folder import FILES, SITE, list_of_files


def write() -> None:
    """Write these files into the committed folder."""
    for name, content in parts.generated((SITE / "engine.wasm").read_bytes()).items():
        (SITE / name).write_bytes(content)
    bundle.write()
    (SITE / FILES).write_bytes(list_of_files(SITE))


if __name__ == "__main__":
    write()
