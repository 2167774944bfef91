"""The wheel with machine code: the pure one and more, the same bytes each time."""

import os
import sys
import zipfile
from pathlib import Path

import pytest

from solver.machine import cache
from solver.machine.cache import LEVELS
from tests.support import ROOT, needs_compiler
from tests.support.commands import ran
from tools.build_hook import CODE_FOLDER
from tools.wheel import PLATFORM, faults_of, processors


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
    assert cache.PLACE.as_posix().endswith(f"/{CODE_FOLDER}"), "the code is not looked for there"
