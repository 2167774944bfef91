"""What is pinned, what wheels hold, what workflows call: each by its hashes, files or programs."""

import os
import re
import sys
import tomllib
import zipfile
from functools import cache
from importlib.metadata import requires, version
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from solver.machine.cache import LEVELS, PLACE
from tests.support import ROOT, needs_compiler
from tests.support.commands import ran
from tools.build_hook import CODE_FOLDER
from tools.wheel import PLATFORM, faults_of, processors

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


FOLDER = ROOT / ".github"
WORKFLOWS = sorted((FOLDER / "workflows").glob("*.yml"))


def test_nothing_is_found_in_the_workflows() -> None:
    program = Path(sys.executable).with_name("zizmor")
    if not program.exists():
        pytest.skip("zizmor is not installed")
    done = ran([program, "--offline", "--no-progress", FOLDER])
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_calls_is_there(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    programs = re.findall(r"(?:run: |\[|, )((?:\./tools|\.ci)/\w+)", text)
    assert programs or "tools" not in text
    named = programs + re.findall(r"\btests/[\w/.]+", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
    used = re.findall(r"uses: (\S+)", text)
    assert all(re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", name) for name in used)


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """What stands for the code of two levels."""
    folder = tmp_path / PLATFORM.format(machine="x86_64")
    for level in ("one", "two"):
        (folder / level).mkdir(parents=True)
        (folder / level / "b.kernel-1").write_bytes(level.encode() * 99)
        (folder / level / "a.kernel-0").write_bytes(b"\0" * 4096)
    return folder


def built(code: Path, folder: Path) -> Path:
    command = [sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    done = ran(command, ROOT, KNUTHLE_MACHINE_CODE=str(code))
    assert done.returncode == 0, done.stderr
    [made] = folder.iterdir()
    return made


def test_a_wheel_of_a_platform_has_its_code(code: Path, tmp_path: Path) -> None:
    made = built(code, tmp_path / "first")
    platform = "manylinux_2_17_x86_64"
    assert made.name.endswith(f"-py3-none-{platform}.whl")
    with zipfile.ZipFile(made) as whole:
        held = {name: whole.read(name) for name in whole.namelist()}
    [about] = [text.decode() for name, text in held.items() if name.endswith(".dist-info/WHEEL")]
    assert f"Root-Is-Purelib: false\nTag: py3-none-{platform}\n" in about
    assert {it.split("/")[-2] for it in held if it.startswith(CODE_FOLDER)} == {"one", "two"}
    assert held[f"{CODE_FOLDER}/two/b.kernel-1"] == b"two" * 99 and "solver/__init__.py" in held
    for path in code.rglob("*"):
        os.utime(path, (1e9, 1e9))
        path.chmod(0o600)
    assert built(code, tmp_path / "second").read_bytes() == made.read_bytes()


@needs_compiler
def test_every_level_is_a_processor_that_llvm_knows(capfd: pytest.CaptureFixture[str]) -> None:
    """Of another it would only say that it makes code for any."""
    from solver.machine.compiler import Processor, _target_machine

    assert list(processors()) == [*LEVELS["x86_64"], *LEVELS["aarch64"]]
    for level, processor in processors().items():
        assert processor.triple.removesuffix("-unknown-linux-gnu") in LEVELS
        _target_machine(processor)
        assert capfd.readouterr().err == "", level
    _target_machine(Processor("x86-64-v9", "", "x86_64-unknown-linux-gnu"))
    assert "not a recognized processor" in capfd.readouterr().err


def test_what_is_missing_and_what_should_not_be_there_is_named() -> None:
    faults = faults_of({"wheel: tests/conftest.py", "sdist: tests/conftest.py"})
    assert "wheel: solver/py.typed is missing" in faults
    assert "sdist: tests/conftest.py is missing" not in faults
    assert faults[-1] == "wheel: tests/conftest.py should not be there"
    assert PLACE.as_posix().endswith(f"/{CODE_FOLDER}"), "the code is not looked for there"
