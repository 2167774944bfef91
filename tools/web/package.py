"""Makes the package of the engine for node and for bundlers: ``knuthle-engine-VERSION.tgz``.

    .venv/bin/python -m tools.web.package FOLDER    SOURCE_DATE_EPOCH says when its files were made

What the page asks is in it: the engine's modules, its kernels and word lists as they are committed,
with types, licences, and a page to read. The same sources give the same bytes.
"""

import json
import os
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from tools.releasing.builds import pack

ROOT = Path(__file__).parents[2]
SITE = ROOT / "strategy" / "web" / "site"
_BESIDE = Path(__file__).with_name("npm") / "engine"
#: Where npm wants everything to be.
_TOP = "package"
#: The time of files, unless one is given: that of the first day that zip files can tell.
_FIRST = 315_532_800


def described(project: dict[str, str]) -> dict[str, object]:
    """What npm reads of the package."""
    return {
        "name": "knuthle-engine",
        "version": project["version"],
        "description": project["description"],
        "license": project["license"],
        "type": "module",
        "exports": {".": {"types": "./engine.d.ts", "default": "./engine.js"}},
        "types": "./engine.d.ts",
        "engines": {"node": ">=20"},
        "keywords": ["wordle", "mastermind", "solver", "webassembly"],
    }


def lay(folder: Path) -> str:
    """Lay all files of the package into a folder; returns the version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for name in ("engine", "words"):
        shutil.copytree(SITE / name, folder / name)
    for path in (SITE / "engine.js", SITE / "engine.wasm", ROOT / "LICENSE", *_BESIDE.iterdir()):
        shutil.copy(path, folder)
    words = ROOT / "data" / "words"
    shutil.copytree(words / "licences", folder / "words" / "licences")
    shutil.copy(words / "SOURCE.md", folder / "words")
    content = json.dumps(described(project), indent=2) + "\n"
    (folder / "package.json").write_text(content, encoding="utf-8", newline="\n")
    return str(project["version"])


def write(to: Path) -> Path:
    """Make the package; where it is."""
    with tempfile.TemporaryDirectory() as work:
        made = to / f"knuthle-engine-{lay(Path(work))}.tgz"
        to.mkdir(parents=True, exist_ok=True)
        pack(Path(work), made, int(os.environ.get("SOURCE_DATE_EPOCH", _FIRST)), _TOP)
    return made


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
