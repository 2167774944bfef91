"""Build the source distribution and the wheel, and see that they are whole and reproducible.

    .venv/bin/python -m tools.check_packages

Both are built here, and again from the unpacked source distribution, in another folder, by a
careless user (other times of files, another umask): the bytes must be the same. So the source
distribution has all that the wheel needs, and nothing of the machine gets into either.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: What must be in the source distribution, besides all that is in the folders of the wheel.
IN_SOURCES = """
    LICENSE README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md SECURITY.md CITATION.cff
    pyproject.toml tools/build_hook.py tools/docs tools/setup.sh tools/requirements-docs.txt
    docs/index.md docs/conf.py docs/recipes/bot.py docs/recipes/lookup.mjs docs/static/pages.css
    tests/conftest.py data/words/SOURCE.md .ci/run .github/ISSUE_TEMPLATE/wrong-result.md
""".split()
#: And in the wheel, beside the packages and their data.
IN_WHEEL = """
    solver/py.typed strategy/py.typed solver/_data/words/SOURCE.md solver/_data/words/SHA256SUMS
    .data/data/share/man/man1/knuthle.1 .data/data/share/man/man1/knuthle-optimal.1
    .data/data/share/man/man1/solve-all.1
    .data/data/share/bash-completion/completions/knuthle
    .data/data/share/zsh/site-functions/_knuthle
    .data/data/share/fish/vendor_completions.d/knuthle.fish
    .dist-info/licenses/LICENSE
""".split()


def main() -> int:
    """Say in one line that all is well, or what is not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = built(ROOT, folder / "first")
        names = contents(first["sdist"]) | contents(first["wheel"])
        faults = [f"{file} is missing" for file in missing(names)]
        with tarfile.open(first["sdist"]) as archive:
            archive.extractall(folder / "else where", filter="data")
        (copy,) = (folder / "else where").iterdir()
        for path in copy.rglob("*"):
            os.utime(path, (1e9, 1e9))
        before = os.umask(0o077)
        second = built(copy, folder / "second")
        os.umask(before)
        for kind, path in first.items():
            if path.name != second[kind].name or path.read_bytes() != second[kind].read_bytes():
                faults.append(f"the {kind} has other bytes when it is built from its own sources")
    for fault in faults:
        print(f"check_packages: {fault}", file=sys.stderr)
    if not faults:
        print(
            f"check_packages: {', '.join(path.name for path in first.values())}: whole, same bytes"
        )
    return 1 if faults else 0


def built(sources: Path, folder: Path) -> dict[str, Path]:
    """Build both; kind → file."""
    for kind in ("sdist", "wheel"):
        command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
        subprocess.run(command, cwd=sources, check=True, stdout=subprocess.DEVNULL)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return {"sdist": sdist, "wheel": wheel}


def contents(path: Path) -> set[str]:
    """The names in an archive, without the folder that has the version in its name."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as wheel:
            names = wheel.namelist()
        stem = "-".join(path.name.split("-")[:2])
        return {f"wheel: {name.removeprefix(stem)}" for name in names}
    with tarfile.open(path) as sdist:
        return {f"sdist: {name.partition('/')[2]}" for name in sdist.getnames()}


def missing(names: set[str]) -> list[str]:
    """What should be there and is not."""
    wanted = [f"sdist: {name}" for name in IN_SOURCES] + [f"wheel: {name}" for name in IN_WHEEL]
    for path in sorted((ROOT / "data" / "words").rglob("*")):
        if path.is_file():
            name = path.relative_to(ROOT / "data" / "words").as_posix()
            wanted += [f"sdist: data/words/{name}", f"wheel: solver/_data/words/{name}"]
    for package in ("solver", "strategy"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            wanted.append(f"sdist: {name}")
            if not name.startswith("strategy/console/"):  # it stands beside the packages there
                wanted.append(f"wheel: {name}")
    return [name for name in wanted if name not in names]


if __name__ == "__main__":
    sys.exit(main())
