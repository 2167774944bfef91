"""Cuts small modules out of ``engine.wasm``: a few of its kernels, with all that these call.

What a page needs first is a fifth of the module. A question that needs a kernel which a part lacks
is asked again of the whole engine, so a list that is too short costs time and no answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .emit import RUNTIME_FUNCTIONS
from .link import CODE, EXPORT, FUNCTION, _Bytes, _leb, _row, _sized, exports, packed

_ADVICE = (
    "fill_log_weights", "exact_log2", "rank_rows", "bound_by_parts",
    "least_plain_total", "dense_codes", "renumber", "put_in_order", "cut",
    "describe_columns", "least_total", "find_totals",
)  # fmt: skip
#: Part → its kernels: proposals for words with openers and the adversary, proposals for codes.
PARTS = {
    "helper": (
        *_ADVICE, "fill_shares", "measure_by_rows", "score_words",
        "spell_columns", "reveal", "number_replies", "best_reply",
    ),
    "codes": (
        *_ADVICE, "find_alike", "list_representatives", "fill_places", "fill_tallies",
        "grade_codes", "measure_blocks",
    ),
}  # fmt: skip
_CALL = 0x10


class PartError(Exception):
    """A module has an instruction that kernels were not expected to have."""


def generated(module: bytes) -> dict[str, bytes]:
    """The parts, by their paths in the folder."""
    whole = _Module(module)
    return {f"{part}.wasm": whole.part(names) for part, names in PARTS.items()}


class _Module:
    """A module as ``link`` writes it, taken apart."""

    def __init__(self, content: bytes) -> None:
        read = _Bytes(content[8:])
        self._sections: dict[int, bytes] = {}
        while read:
            kind = read.byte()
            self._sections[kind] = read.part()
        inner = {kind: _Bytes(part) for kind, part in self._sections.items()}
        self._bodies = inner[CODE].many(inner[CODE].part)
        self._types = inner[FUNCTION].many(inner[FUNCTION].number)
        names = inner[EXPORT]
        rows = names.many(lambda: (names.text(), names.byte(), names.number()))
        self._places = {name: at for name, _, at in rows}
        self._calls = [list(_calls(body)) for body in self._bodies]

    def part(self, kernels: Sequence[str]) -> bytes:
        """The module of some kernels; constants stay where they are."""
        names = (*kernels, *RUNTIME_FUNCTIONS)
        waiting = [self._places[name] for name in names]
        reached = set(waiting)
        while waiting:
            called = {target for _, target, _ in self._calls[waiting.pop()]} - reached
            reached |= called
            waiting += called
        numbers = {old: new for new, old in enumerate(sorted(reached))}
        return packed({
            **self._sections,
            FUNCTION: _row([_leb(self._types[old]) for old in numbers]),
            EXPORT: exports({name: numbers[self._places[name]] for name in names}),
            CODE: _row([_sized(self._renumbered(old, numbers)) for old in numbers]),
        }.items())  # fmt: skip

    def _renumbered(self, function: int, numbers: dict[int, int]) -> bytes:
        """The body of a function with new numbers in its calls, each as long as it was."""
        body = bytearray(self._bodies[function])
        for begin, target, end in self._calls[function]:
            sevens = [numbers[target] >> 7 * k & 0x7F for k in range(end - begin)]
            body[begin:end] = [*(it | 0x80 for it in sevens[:-1]), sevens[-1]]
        return bytes(body)


def _calls(body: bytes) -> Iterator[tuple[int, int, int]]:
    """The calls in a function: where the number of what is called begins, the number, its end."""
    read = _Bytes(body)
    read.many(lambda: (read.number(), read.byte()))  # local variables
    while read:
        kind = read.byte()
        if kind == _CALL:
            begin = read.at
            yield begin, read.number(), read.at
        elif kind == 0x0E:  # br_table
            read.many(read.number)
            read.number()
        else:
            numbers, rest = _FOLLOWED[kind] if kind < 0xFC else _followed(kind, read.number())
            for _ in range(numbers):
                read.number()
            read.take(rest)


def _followed(prefix: int, kind: int) -> tuple[int, int]:
    """How many numbers and bytes follow an instruction of the memory, or of vectors."""
    if prefix == 0xFC and kind <= 11:
        return 0, {8: 2, 9: 1, 10: 2, 11: 1}.get(kind, 0)
    if prefix != 0xFD:
        raise PartError(f"a function has the instruction {prefix:#x} {kind}")
    if kind in (12, 13):  # constants, shuffles
        return 0, 16
    if 21 <= kind <= 34:  # one lane
        return 0, 1
    if 84 <= kind <= 91:  # one lane from or to memory
        return 2, 1
    return (2, 0) if kind <= 11 or kind in (92, 93) else (0, 0)


#: How many numbers and bytes follow each other instruction; indirect calls are not there.
_FOLLOWED = {
    **dict.fromkeys((0, 1, 5, 11, 15, 26, 27, *range(69, 197)), (0, 0)),
    **dict.fromkeys((2, 3, 4, 12, 13, *range(32, 37), 65, 66), (1, 0)),
    **dict.fromkeys(range(40, 63), (2, 0)),
    0x3F: (0, 1), 0x40: (0, 1), 0x43: (0, 4), 0x44: (0, 8),
}  # fmt: skip
