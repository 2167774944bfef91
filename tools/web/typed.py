"""Checks types, style and layout of the page and its engine, by TypeScript and ESLint.

.venv/bin/python -m tools.web.typed [--fix]    after a change of a module
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from .bundle import NPM, PLACE, ROOT, SITE, fetch

_MODULES = PLACE / "node_modules"
_STYLE = "eslint.config.mjs"


def faults(*how: str) -> str:
    """What both find wrong, nothing if all is well; with ``--fix`` the layout is put right."""
    shutil.copy(NPM / _STYLE, PLACE)  # it is to find what it imports
    types = _said("typescript/bin/tsc", "-p", NPM, "--typeRoots", _MODULES / "@types")
    modules = (SITE / "engine", SITE / "engine.js", SITE / "page")
    return types + _said("eslint/bin/eslint.js", "--config", PLACE / _STYLE, *how, *modules)


def _said(program: str, *given: str | Path) -> str:
    command = ["node", _MODULES / program, *given]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    said = ended.stdout + ended.stderr
    return said or (f"{program} ended with {ended.returncode}" if ended.returncode else "")


if __name__ == "__main__":
    fetch()
    sys.exit(faults(*sys.argv[1:]) or None)
