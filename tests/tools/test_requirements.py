"""What pip installs is pinned: each version by the hashes of its wheels, and all that it needs."""

import re
import tomllib
from functools import cache
from importlib.metadata import requires, version
from importlib.util import find_spec

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.support import ROOT

NAMES = ("requirements", "requirements-test", "requirements-docs")
OLDEST = "requirements-oldest"
FILES = {name: ROOT / "tools" / f"{name}.txt" for name in (*NAMES, OLDEST)}
ENTRY = re.compile(
    r"(?P<name>[\w.-]+)==(?P<version>[\w.]+)(?P<marker> ; [^\\\n]+?)?"
    r"(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n"
)
SYSTEMS = [("linux", "Linux"), ("darwin", "Darwin"), ("win32", "Windows")]
PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]


@cache
def pins() -> list[Requirement]:
    """The pins of every file that this environment is made of, with the places they are for."""
    here = NAMES if find_spec("sphinx") else NAMES[:-1]
    entries = [entry for name in here for entry in ENTRY.finditer(FILES[name].read_text())]
    return [Requirement(f"{e['name']}=={e['version']}{e['marker'] or ''}") for e in entries]


@cache
def needs(name: str) -> list[Requirement]:
    """What a project that is installed here says it needs, wherever that may be."""
    return [Requirement(text) for text in requires(name) or []]


@pytest.mark.parametrize("name", FILES)
def test_files_hold_pins_with_hashes_and_nothing_else(name: str) -> None:
    comment, _, rest = FILES[name].read_text().partition("\n")
    assert comment.startswith("# ")
    assert ENTRY.sub("", rest) == "" and "://" not in rest


def test_the_oldest_versions_are_those_that_are_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = {e["name"]: e["version"] for e in ENTRY.finditer(FILES[OLDEST].read_text())}
    for text in project["dependencies"]:
        need = Requirement(text)
        (floor,) = need.specifier
        assert floor.operator == ">="
        assert Version(floor.version) == Version(oldest[need.name]), text
    assert project["requires-python"] == ">=3.11"  # tools/ends names it too


@pytest.mark.parametrize("python", PYTHONS)
@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system[1])
def test_whatever_a_pinned_project_needs_is_pinned(system: tuple[str, str], python: str) -> None:
    there = {
        "sys_platform": system[0], "platform_system": system[1], "python_version": python,
        "python_full_version": f"{python}.0", "platform_python_implementation": "CPython",
        "extra": "",
    }  # fmt: skip
    pinned: dict[str, Requirement] = {}
    for pin in pins():
        if pin.marker is None or pin.marker.evaluate(there):
            assert pinned.setdefault(canonicalize_name(pin.name), pin) == pin, pin.name
    for pin in pins():
        if pin.marker and not (pin.marker.evaluate() and pin.marker.evaluate(there)):
            continue  # not installed here, or not there
        assert version(pin.name) in pin.specifier
        for need in needs(pin.name):
            if need.marker is None or need.marker.evaluate(there):
                (exact,) = pinned[canonicalize_name(need.name)].specifier
                assert exact.version in need.specifier, (pin.name, str(need))
