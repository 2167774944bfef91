"""Writes what is generated of the page without compiling: scripts, small modules, the list.

.venv/bin/python -m tools.web.pages    after a change of a file of the page
"""

from . import folder, parts

if __name__ == "__main__":
    folder.write(parts.generated((folder.SITE / "engine.wasm").read_bytes()))
