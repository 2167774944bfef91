"""Makes three scripts of modules: of the page, of its worker, of the whole engine.

esbuild does it, a package of npm for node: pinned by ``package-lock.json`` with those that check
the sources (``typed.py``), unpacked below ``build``, and in nothing that is shipped. What it makes
is committed: a checkout needs Python alone.

.venv/bin/python -m tools.web.bundle    after a change of a module of the page or the engine
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
SITE = ROOT / "strategy" / "web" / "site"
MADE = "made"
NPM = Path(__file__).with_name("npm")
#: Where packages of npm are unpacked.
PLACE = ROOT / "build" / "npm"
_PINNED = ("package.json", "package-lock.json")
_PROGRAM = PLACE / "node_modules" / "esbuild-wasm" / "bin" / "esbuild"
#: What npm writes last.
_UNPACKED = PLACE / "node_modules" / ".package-lock.json"
#: Script → the module that it begins with.
_SCRIPTS = {"page": "page/main.js", "worker": "page/worker.js", "engine": "engine.js"}
_HOW = (
    "--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8",
    "--log-level=warning", "--external:../made/engine.js", "--external:node:*",
)  # fmt: skip


def is_here() -> bool:
    """Whether the packages are unpacked, in the versions that are pinned."""
    pairs = [(PLACE / name, NPM / name) for name in _PINNED]
    same = (it.exists() and it.read_bytes() == pinned.read_bytes() for it, pinned in pairs)
    return _UNPACKED.exists() and all(same)


def fetch() -> None:
    """Have npm unpack the packages, unless they are there."""
    if is_here():
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    for name in _PINNED:
        shutil.copy(NPM / name, PLACE / name)
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--silent")
    subprocess.run(["npm", "ci", *quiet], cwd=PLACE, check=True, timeout=300)


def write(folder: Path = SITE) -> None:
    """Make the scripts of the modules in a folder, and put them into it."""
    fetch()
    command = ["node", str(_PROGRAM), *_HOW, f"--outdir={MADE}"]
    entries = [f"{name}={path}" for name, path in _SCRIPTS.items()]
    subprocess.run([*command, *entries], cwd=folder, check=True)


if __name__ == "__main__":
    write()
