"""The linker, for machines that this one need not be: what it writes is read again instruction by
instruction."""

import re
import struct
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from solver.exact.kernels.table_vectors import BLOCK_COLUMNS, at_least
from solver.machine import linker
from solver.machine.forms import arg_types_of
from solver.machine.jit import kernel
from solver.machine.linker import Image
from tests.support import needs_compiler, refused

pytestmark = needs_compiler

PAGE, LARGEST_PAGE = 4096, 1 << 16
ARM, X86 = "aarch64-unknown-linux-gnu", "x86_64-unknown-linux-gnu"


class Seen(NamedTuple):
    """What code for AArch64 does: addresses it makes, what it loads from where, where it goes."""

    made: list[int]
    loaded: list[tuple[int, int]]
    called: list[int]
    jumped: list[int]


def read_code(memory: bytes, begin: int, end: int) -> Seen:
    """Follow the instructions from one to the next: what makes addresses, loads and branches."""
    seen, pages = Seen([], [], [], []), {}
    for place in range(begin, end, 4):
        (word,) = struct.unpack_from("<I", memory, place)
        register, base, immediate = word & 31, word >> 5 & 31, word >> 10 & 0xFFF
        if word >> 24 & 0x9F == 0x90:  # adrp
            high = (word >> 5 & 0x7FFFF) << 2 | word >> 29 & 3
            pages[register] = (place // PAGE + high - (high >> 20 << 21)) * PAGE
        elif word >> 22 == 0b1001000100 and base in pages:  # add x, x, #
            seen.made.append(pages[base] + immediate)
        elif word >> 27 & 7 == 0b111 and word >> 24 & 3 == 1 and base in pages:  # ldr, unsigned
            wide = word >> 26 & 1 and word >> 23 & 1
            size = 4 if wide else word >> 30
            seen.loaded.append((pages[base] + (immediate << size), 1 << size))
        elif word >> 26 in (0b100101, 0b000101):  # bl, b
            distance = word & 0x3FFFFFF
            target = place + 4 * (distance - (distance >> 25 << 26))
            (seen.called if word >> 31 else seen.jumped).append(target)
    return seen


#: Every kind of relocation that is known, for LLVM writes each of them for some of this.
EVERY_KIND = """
@before = private constant [5001 x i8] zeroinitializer
@byte = private constant i8 17
@pair = private constant i16 8721
@four = private constant i32 875770417
@eight = internal global i64 4050765991979987505
@sixteen = private constant [16 x i8] c"0123456789abcdef", align 16
@text = private constant [7 x i8] c"pointed"
@pointer = internal constant ptr getelementptr (i8, ptr @text, i64 2)
@distance = private constant i32 trunc (i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @text,
  i64 3) to i64), i64 ptrtoint (ptr @distance to i64)) to i32)

declare void @see(i8, i16, i32, i64, <16 x i8>)
declare void @look(ptr, i32)
declare void @last(ptr)

define internal void @within() noinline {
  call void @look(ptr @text, i32 1)
  %d = load volatile i32, ptr @distance
  call void @look(ptr @text, i32 %d)
  ret void
}

define void @knuthle_entry_0() {
  %a = load volatile i8, ptr @byte
  %b = load volatile i16, ptr @pair
  %c = load volatile i32, ptr @four
  %d = load volatile i64, ptr @eight
  %e = load volatile <16 x i8>, ptr @sixteen
  call void @see(i8 %a, i16 %b, i32 %c, i64 %d, <16 x i8> %e)
  call void @within()
  %p = load volatile ptr, ptr @pointer
  tail call void @last(ptr %p)
  ret void
}
"""


def adds_products(word: int) -> bool:
    """Whether an instruction adds a product that was not rounded: ``fmadd`` and its like, on one
    number or on several."""
    several, one_of_several = word & 0xBF20FC00 == 0x0E20CC00, word & 0xBF80B400 == 0x0F801000
    return word >> 24 == 0x1F or several or one_of_several


def _object(text: str, triple: str) -> bytes:
    from llvmlite import binding

    from solver.machine.compiler import Processor, _target_machine

    machine = _target_machine(Processor("generic", "", triple))
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = triple, str(machine.target_data)
    return bytes(machine.emit_object(module))


def _memory(image: Image) -> bytes:
    room = bytes(image.writable - image.fixed)
    return image.content[: image.fixed] + room + image.content[image.fixed :]


def _name_behind(image: Image, jump: int) -> str:
    """The name of the function that a jump ends in."""
    memory = _memory(image)
    ((slot, size),) = read_code(memory, jump, jump + 12).loaded
    load, branch = struct.unpack_from("<II", memory, jump + 4)
    assert size == 8 and branch == 0xD61F0000 | (load & 31) << 5, "it goes where it has loaded from"
    return dict(image.outside)[slot]


@pytest.fixture(scope="module")
def code() -> bytes:
    return _object(EVERY_KIND, ARM)


@pytest.fixture(scope="module")
def image(code: bytes) -> Image:
    return linker.linked(code)


def test_every_kind_of_relocation_that_is_known_occurs(code: bytes) -> None:
    laid = linker._LinkerArm(code)
    kinds = {it.kind for it in laid._relocations() if it.section in laid._kept}
    known = {*linker._IN_PAGE, linker._PAGE, linker._PREL32}
    assert kinds == {linker._LinkerArm.absolute, *linker._LinkerArm.calls, *known}


def test_what_is_loaded_and_pointed_at_is_what_is_meant(image: Image) -> None:
    memory = _memory(image)
    seen = read_code(memory, image.entries[0], image.fixed)
    inside, outside = dict(image.inside), dict(image.outside)
    loaded = [memory[at : at + size] for at, size in seen.loaded if at not in inside | outside]
    assert {b"\x11", b"\x11\x22", b"1234", b"12345678", b"0123456789abcdef"} <= set(loaded)
    (pointer,) = [at for at, _ in seen.loaded if at in inside]
    assert memory[inside[pointer] :].startswith(b"inted")


def test_what_is_reached_inside_and_by_distance(image: Image) -> None:
    memory = _memory(image)
    (entry,) = image.entries
    (within,) = [at for at in read_code(memory, entry, image.fixed).called if at < entry]
    seen = read_code(memory, within, entry)
    assert seen.made and all(memory[at:].startswith(b"pointed") for at in seen.made)
    distances = [(at, memory[at : at + size]) for at, size in seen.loaded if size == 4]
    assert distances
    for at, held in distances:
        assert memory[at + int.from_bytes(held, "little", signed=True) :].startswith(b"nted")


def test_functions_elsewhere_are_called_by_jumps(image: Image) -> None:
    memory = _memory(image)
    (entry,) = image.entries
    seen = read_code(memory, entry, image.fixed)
    called = {_name_behind(image, at) for at in seen.called if at > entry}
    jumped = {_name_behind(image, at) for at in seen.jumped if at > entry}
    assert (called, jumped) == ({"see"}, {"last"})
    within = read_code(memory, min(at for at in seen.called), entry)
    assert {_name_behind(image, at) for at in within.called + within.jumped} == {"look"}


@pytest.mark.parametrize(("triple", "page"), [(ARM, LARGEST_PAGE), (X86, PAGE)])
def test_what_is_written_lies_on_pages_of_its_own(triple: str, page: int) -> None:
    """However large they are on a machine; none of the room between is stored."""
    image = linker.linked(_object(EVERY_KIND, triple))
    assert image.fixed <= image.writable and image.writable % page == 0
    written = [place for place, _ in image.inside + image.outside]
    assert written and all(image.writable <= place for place in written)
    end = image.writable + len(image.content) - image.fixed
    assert max(written) + 8 <= end and image.entries[0] < image.fixed
    data = image.content[image.fixed :]
    assert b"12345678" in data and b"pointed" in image.content[: image.fixed]


def test_what_cannot_be_linked_is_refused(code: bytes) -> None:
    for other in (b"", b"MZ", code[:18] + struct.pack("<H", 243) + code[20:]):
        refused(linker.UnknownObjectError, "", linker.linked, other)
    absolute = "@elsewhere = external global i64\n@p = internal global ptr @elsewhere\n"
    for triple, name in product((ARM, X86), ("p", "elsewhere")):
        entry = f"define ptr @knuthle_entry_0() {{\n %v = load ptr, ptr @{name}\n ret ptr %v\n}}\n"
        refused(linker.UnknownObjectError, "", linker.linked, _object(absolute + entry, triple))


def test_numbers_that_do_not_fit_are_refused() -> None:
    assert linker._signed(-4, 3) == -4 and linker._without(12, 2) == 3
    for call in (lambda: linker._signed(4, 3), lambda: linker._without(6, 2)):
        refused(linker.UnknownObjectError, "", call)


# ---- Kernels, compiled for a machine that this one need not be
def _weighed(values: Any, factor: float) -> Any:
    """Products that are added to something, and an array that is made."""
    sums = np.zeros(len(values))
    for k in range(len(values)):
        sums[k] = values[k] * factor - 1.0
    return sums


ARGUMENTS = (np.full(9, 0.1), 10.0)


def _at_least(counts: Any, need: int) -> Any:
    return at_least(counts, 0, need)


def _one() -> int:
    return 1


def _for_arm(function: Any, *args: Any, **options: Any) -> Image:
    from solver.machine.compiler import Processor, compiled_for

    door: Any = kernel(**options)(function)
    wanted = [(door, arg_types_of(args))]
    _, (code,) = compiled_for(wanted, [Processor("generic", "", ARM)])
    return linker.linked(code)


def _words(image: Image) -> Iterator[int]:
    return (word for (word,) in struct.iter_unpack("<I", image.content[: image.fixed & ~3]))


def test_products_are_rounded_before_they_are_added_on_arm_too() -> None:
    """As everywhere; a kernel that asks for it shows that such instructions would be seen."""
    assert not any(map(adds_products, _words(_for_arm(_weighed, *ARGUMENTS))))
    assert any(map(adds_products, _words(_for_arm(_weighed, *ARGUMENTS, fastmath=True))))


def test_nothing_of_this_machine_is_in_what_counts_references() -> None:
    from solver.machine.numba_code import _references

    assert not re.search(r"llvm\.(x86|aarch64)|target-(cpu|features)", str(_references()))


def test_all_is_optimised_for_the_machine_that_it_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its data layout, its registers and its costs."""
    from numba.core.codegen import CPUCodeLibrary

    seen, optimised = [], CPUCodeLibrary._optimize_final_module

    def optimise(library: Any) -> None:
        machine, module = library._codegen._tm, library._final_module
        seen.append((machine.triple, module.triple, module.data_layout == str(machine.target_data)))
        optimised(library)

    _for_arm(_weighed, *ARGUMENTS)  # what it needs of numba is made
    monkeypatch.setattr(CPUCodeLibrary, "_optimize_final_module", optimise)
    _for_arm(_weighed, *ARGUMENTS)
    assert seen == [(ARM, ARM, True)]


def test_code_for_arm_is_the_same_bytes_each_time_and_calls_nothing_else() -> None:
    image = _for_arm(_weighed, *ARGUMENTS)
    assert image == _for_arm(_weighed, *ARGUMENTS) and image.writable % LARGEST_PAGE == 0
    names, by_any = ({name for _, name in it.outside} for it in (image, _for_arm(_one)))
    assert names - by_any <= {"PyMem_RawMalloc", "PyMem_RawFree", "memset"}
    assert "PyObject_GetBuffer" in by_any


def test_vector_steps_become_instructions_of_neon() -> None:
    """``cmhs`` compares eight counts."""
    words = _words(_for_arm(_at_least, np.zeros(99, np.uint16), 7))
    assert sum(it & 0xFFE0FC00 == 0x6E603C00 for it in words) == BLOCK_COLUMNS // 8
