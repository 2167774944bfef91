"""The wheel with machine code: the pure one and more, the same bytes each time."""

import base64
import csv
import hashlib
import itertools
import os
import zipfile
from pathlib import Path

import pytest

from solver.machine import cache
from solver.machine.cache import LEVELS
from tests.support import needs_compiler
from tools.wheel import CODE_FOLDER, faults_of, processors, with_code

ABOUT = "knuthle-1.2.dist-info"
WHEEL = "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def pure(tmp_path: Path) -> Path:
    """A pure wheel with one module."""
    path = tmp_path / "knuthle-1.2-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as whole:
        whole.writestr("solver/__init__.py", "one = 1\n")
        whole.writestr(f"{ABOUT}/WHEEL", WHEEL)
        whole.writestr(f"{ABOUT}/RECORD", "solver/__init__.py,,\n")
    return path


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Code for every level of every machine."""
    folder = tmp_path / "code"
    for level in itertools.chain(*LEVELS.values()):
        (folder / level).mkdir(parents=True)
        (folder / level / "b.kernel-1").write_bytes(level.encode() * 99)
        (folder / level / "a.kernel-0").write_bytes(b"\0" * 4096)
    return folder


@pytest.mark.parametrize(("machine", "platform", "levels"), [
    ("x86_64", "manylinux_2_17_x86_64", ["x86-64-v2", "x86-64-v3", "x86-64-v4"]),
    ("aarch64", "manylinux_2_17_aarch64", ["aarch64"]),
])  # fmt: skip
def test_it_holds_the_pure_one_and_the_code_for_its_machine(
    pure: Path, code: Path, tmp_path: Path, machine: str, platform: str, levels: list[str]
) -> None:
    made = with_code(pure, code, tmp_path, machine)
    assert made.name == f"knuthle-1.2-py3-none-{platform}.whl"
    with zipfile.ZipFile(made) as whole:
        assert whole.testzip() is None
        held = {name: whole.read(name) for name in whole.namelist()}
        assert {it.external_attr >> 16 for it in whole.infolist()} == {0o100644}
        assert {it.compress_type for it in whole.infolist()} == {zipfile.ZIP_DEFLATED}
    assert list(held)[-1] == f"{ABOUT}/RECORD" and held["solver/__init__.py"] == b"one = 1\n"
    about = held[f"{ABOUT}/WHEEL"].decode().splitlines()
    assert about[2:] == ["Root-Is-Purelib: false", f"Tag: py3-none-{platform}"]
    assert {it.split("/")[-2] for it in held if it.startswith(CODE_FOLDER)} == set(levels)
    for level in levels:
        assert held[f"{CODE_FOLDER}/{level}/b.kernel-1"] == level.encode() * 99
    rows = list(csv.reader(held.pop(f"{ABOUT}/RECORD").decode().splitlines()))
    assert rows.pop() == [f"{ABOUT}/RECORD", "", ""]
    for name, digest, size in rows:
        content = held.pop(name)
        known = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        assert (digest, size) == (f"sha256={known}", str(len(content)))
    assert not held


def test_the_same_files_give_the_same_bytes(pure: Path, code: Path, tmp_path: Path) -> None:
    first = with_code(pure, code, tmp_path, "aarch64").read_bytes()
    for path in code.rglob("*"):
        os.utime(path, (1e9, 1e9))
        path.chmod(0o700)
    assert with_code(pure, code, tmp_path, "aarch64").read_bytes() == first


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


def test_the_code_lies_where_it_is_looked_for() -> None:
    assert cache.PLACE.as_posix().endswith(f"/{CODE_FOLDER}")


def test_what_is_missing_and_what_should_not_be_there_is_named() -> None:
    faults = faults_of({"wheel: tests/conftest.py", "sdist: tests/conftest.py"})
    assert "wheel: solver/py.typed is missing" in faults
    assert "sdist: tests/conftest.py is missing" not in faults
    assert faults[-1] == "wheel: tests/conftest.py should not be there"
