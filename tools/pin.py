"""Write the hashes of the pinned versions into ``tools/requirements*.txt``.

    .venv/bin/python tools/pin.py [FILE…]

A line there says ``name==version``, with a marker where only some platforms or some versions of
Python need it. pip says which wheel each Python on each platform would get; the hashes of all these
wheels follow the line. Nothing is downloaded but what pip must read to answer. To raise a version,
edit it and run this.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from packaging.markers import Marker
from packaging.utils import canonicalize_name, parse_wheel_filename

#: The promised platforms, each by all tags of the wheels that fit its oldest form.
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
#: The file with the oldest promised versions, which are tried with the oldest Python alone.
OLDEST = "requirements-oldest.txt"
PLATFORMS = {
    "Linux, x86-64": [f"manylinux_2_{minor}_x86_64" for minor in range(28, 16, -1)],
    "Linux, ARM": [f"manylinux_2_{minor}_aarch64" for minor in range(28, 16, -1)],
    "macOS 12, ARM": ["macosx_12_0_arm64"],
    "macOS 14, ARM": ["macosx_14_0_arm64"],
    "Windows, x86-64": ["win_amd64"],
}
HEAD = "# Made by tools/pin.py, which see. The hashes are those of wheels alone.\n"
PIN = re.compile(r"^([\w.-]+==[\w.]+)( ; [^\\\n]*[^\\\s])?", re.MULTILINE)


def wheels(pins: list[str], python: str, tags: list[str]) -> list[tuple[str, str]]:
    """(File name, hash) of each wheel that pip would take."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--dry-run"]
        command += ["--no-deps", "--ignore-installed", "--only-binary=:all:"]
        command += ["--ignore-requires-python"]  # of that which runs pip: the wheel's tag decides
        command += ["--report", str(report), "--target", folder]
        command += ["--python-version", python, *pins]
        command += [f"--platform={tag}" for tag in tags]
        subprocess.run(command, check=True)
        chosen = [item["download_info"] for item in json.loads(report.read_text())["install"]]
    return [(item["url"].rpartition("/")[2], item["archive_info"]["hash"]) for item in chosen]


def pinned(text: str, pythons: Sequence[str] = PYTHONS) -> str:
    """The same pins with the hashes of today."""
    pins = dict(PIN.findall(text))
    hashes: dict[str, dict[str, None]] = {pin: {} for pin in pins}
    for python, platform in product(pythons, PLATFORMS):
        print(f"Python {python} on {platform}", file=sys.stderr)
        wanted = [pin for pin, marker in pins.items() if _holds(marker, python, platform)]
        for name, digest in wheels(wanted, python, PLATFORMS[platform]):
            project = parse_wheel_filename(name)[0]
            pin = next(it for it in wanted if canonicalize_name(it.partition("==")[0]) == project)
            hashes[pin][digest.replace("=", ":")] = None
    lines = [HEAD]
    for pin, marker in sorted(pins.items(), key=lambda item: item[0].lower()):
        lines.append(" \\\n    --hash=".join([pin + marker, *sorted(hashes[pin])]) + "\n")
    return "".join(lines)


def _holds(marker: str, python: str, platform: str) -> bool:
    """Whether a pin is for a version of Python on a platform."""
    system = {"L": "linux", "m": "darwin", "W": "win32"}[platform[0]]
    known = {"python_version": python, "sys_platform": system}
    return not marker or Marker(marker.lstrip(" ;")).evaluate(known)


if __name__ == "__main__":
    for file in sys.argv[1:] or sorted(map(str, Path(__file__).parent.glob("requirements*.txt"))):
        place = Path(file)
        pythons = PYTHONS[:1] if place.name == OLDEST else PYTHONS
        place.write_text(pinned(place.read_text(), pythons))
