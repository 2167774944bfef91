"""Make of a pure wheel one for Linux on x86-64, which carries machine code.

    .venv/bin/python -m tools.machine_wheel PURE.whl FOLDER

Every listed kernel is compiled for every level, for processors that are named and not looked at, in
one process and one order: so the same sources give the same bytes.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from solver.machine.cache import shipped_code
from solver.machine.cache.processor import LEVELS
from solver.machine.object_code import callable_form
from strategy.toolbox import machine_code

#: The code asks of the C library memcpy, memset and memmove, of Python what every version has; to
#: run at all it needs numpy and numba, whose oldest wheels for these versions of Python say so.
PLATFORM = "manylinux_2_17_x86_64"
#: In the wheel: where ``shipped_code`` looks.
PLACE = "solver/_data/machine_code"
#: What numba writes is for all levels; each is optimised for itself.
LEAST = next(iter(LEVELS))
#: What is compressed has a date.
DATE = (2020, 2, 2, 0, 0, 0)


class NoCodeError(Exception):
    """A kernel cannot be shipped."""


# ---- machine code


def compile_all(folder: Path) -> None:
    """Compile all listed kernels for each level, in a process that looks at no processor."""
    settings = {name: told for name, told in os.environ.items() if not name.startswith("NUMBA_")}
    settings |= {"NUMBA_CPU_NAME": LEAST, "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tools.machine_wheel", "--code", str(folder)]
    subprocess.run(command, check=True, env=settings)


def write_code(folder: Path) -> None:
    """Compile all listed kernels for each level, here: one after the other, in their order."""
    from solver.machine.compiler.make import Processor, compiled_for, numba_processor

    if numba_processor() != Processor(LEAST, ""):
        raise NoCodeError(f"numba writes for {numba_processor()}, not for {LEAST}")
    processors = [Processor(level, "") for level in LEVELS]
    for level in LEVELS:
        (folder / level).mkdir()
    for door, form in machine_code.kernels_of(machine_code.commands_with_kernels()):
        returned, codes = compiled_for(door, form, processors)
        for level, code in zip(LEVELS, codes, strict=True):
            place, image = shipped_code.place_of(door, form, level), callable_form(code)
            if place is None or not isinstance(image, tuple):
                raise NoCodeError(f"{door} has no code that could be shipped")
            name, key = place
            (folder / level / name).write_bytes(shipped_code.packed((returned, image), key))


# ---- the wheel


def with_code(pure: Path, code: Path, folder: Path) -> Path:
    """A wheel for one platform: what is in the pure one, and the code."""
    name, version, *_ = pure.name.split("-")
    made = folder / f"{name}-{version}-py3-none-{PLATFORM}.whl"
    about = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(pure) as whole:
        content = {it: whole.read(it) for it in whole.namelist() if it != f"{about}/RECORD"}
    for file in sorted(code.rglob("*")):
        if file.is_file():
            content[f"{PLACE}/{file.relative_to(code).as_posix()}"] = file.read_bytes()
    told = content[f"{about}/WHEEL"].decode()
    told = told.replace("Root-Is-Purelib: true", "Root-Is-Purelib: false")
    content[f"{about}/WHEEL"] = told.replace(
        "Tag: py3-none-any", f"Tag: py3-none-{PLATFORM}"
    ).encode()
    record = "".join(f"{it},{_digest(held)},{len(held)}\n" for it, held in content.items())
    content[f"{about}/RECORD"] = f"{record}{about}/RECORD,,\n".encode()
    with zipfile.ZipFile(made, "w") as whole:
        for it, held in content.items():
            entry = zipfile.ZipInfo(it, DATE)
            entry.external_attr, entry.compress_type = 0o100644 << 16, zipfile.ZIP_DEFLATED
            entry.create_system = 3  # a mode as above is one of Unix
            whole.writestr(entry, held, compresslevel=9)
    return made


def _digest(content: bytes) -> str:
    told = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode()
    return f"sha256={told.rstrip('=')}"


def main() -> None:
    """Compile for all levels and write the wheel; or compile alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--code", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("places", nargs="+", type=Path)
    args = parser.parse_args()
    if args.code:
        write_code(*args.places)
        return
    pure, folder = args.places
    with tempfile.TemporaryDirectory() as code:
        compile_all(Path(code))
        print(with_code(pure, Path(code), folder))


if __name__ == "__main__":
    main()
