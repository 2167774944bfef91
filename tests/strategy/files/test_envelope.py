"""The envelope: a small file that would be large in memory is refused before it is built."""

import struct
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategy.checkers import verify
from strategy.errors import BadFileError, OutputError
from strategy.files import envelope
from tests.support import refused, sealed
from tests.support.commands import Knuthle, ran

MEGA = 1 << 20


BOMBS = {
    "empty maps": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA) + b"\x80" * MEGA,
    "empty lists": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA) + b"\x90" * MEGA,
    "a map of maps": b"\xdf" + struct.pack(">I", MEGA // 6) + b"\xa4abcd\x80" * (MEGA // 6),
    "nested lists": b"\x81\xa1x" + b"\x91" * MEGA + b"\xc0",
    "nested maps": b"\x81\xa1x" * (MEGA // 3) + b"\xc0",
    "nested headers": b"\x81\xa1x" + b"\xdd\xff\xff\xff\xff" * (MEGA // 5),
    "one long header": b"\xdf\xff\xff\xff\xff",
    "numbers": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA // 3) + b"\xcd\xff\xff" * (MEGA // 3),
    "texts": b"\x81\xa1x\xdd" + struct.pack(">I", MEGA // 2) + b"\xa1\x01" * (MEGA // 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_are_built(name: str) -> None:
    content = sealed(BOMBS[name])
    tracemalloc.start()
    refused(BadFileError, "exceeds max|StackError", envelope.unpack, content, name)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 2 * MEGA  # a copy of the file; what is built would take many


def test_a_command_stays_small(tmp_path: Path) -> None:
    """Measured from outside, with a bomb of eight megabytes."""
    path = tmp_path / "bomb"
    path.write_bytes(sealed(b"\x81\xa1x\xdd" + struct.pack(">I", 8 * MEGA) + b"\x80" * (8 * MEGA)))
    code = (
        "import resource, sys; from strategy.cli import main\n"
        "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "main(['lookup', 'nothing']); before = most(); code = main(['lookup', sys.argv[1]])\n"
        "print(code, most() - before)"
    )
    code, grown = map(int, ran([sys.executable, "-c", code, path]).stdout.split())
    assert code == 2 and grown < 64 << (20 if sys.platform == "darwin" else 10)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text(max_size=40)
    | st.binary(max_size=300),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(), inner, max_size=20),
    max_leaves=30,
)


@given(VALUES)
def test_whatever_is_written_is_read_again(value: Any) -> None:
    content = envelope.pack(envelope.FINDINGS, {"x": value})
    assert envelope.unpack(content, "some") == (envelope.FINDINGS, {"x": value})
    packed = msgpack.packb({"x": value})
    for wrong in (packed + b"\0", packed[:-1], packed[1:]):
        refused(BadFileError, "some: (no msgpack|its body)", envelope.unpack, sealed(wrong), "some")


@given(st.binary(max_size=60))
def test_any_bytes_are_a_map_or_refused(packed: bytes) -> None:
    try:
        kind, body = envelope.unpack(sealed(packed), "some")
    except BadFileError as error:
        assert str(error).startswith("some: ") and str(error).isprintable()
    else:
        assert kind == envelope.STRATEGY and isinstance(body, dict)


def packed_map(*pairs: tuple[Any, Any]) -> bytes:
    """A map with these keys, one of them twice if it is said twice."""
    return bytes([0x80 + len(pairs)]) + b"".join(msgpack.packb(x) for pair in pairs for x in pair)


def test_a_key_stands_once_and_is_a_text() -> None:
    for pairs in ((("a", 1), ("a", 1)), (("a", 1), ("b", 2), ("a", 3))):
        twice = packed_map(*pairs)
        for packed in (twice, b"\x81\xa1x" + twice, b"\x81\xa1x\x91" + twice):
            refused(BadFileError, "x: a key stands twice", envelope.unpack, sealed(packed), "x")
    for key in (1, None, True, 2.5):
        packed = packed_map((key, 1))
        refused(BadFileError, "x: no msgpack of ours", envelope.unpack, sealed(packed), "x")


@pytest.mark.parametrize("kind", [b"S", b"P", b"R", b"F"])
def test_bytes_are_no_key_of_any_file(tmp_path: Path, knuthle: Knuthle, kind: bytes) -> None:
    (tmp_path / "file").write_bytes(sealed(packed_map((b"origin", {})), kind))
    said = knuthle("lookup", tmp_path / "file")
    assert said.code == 2 and "file" in said.err


def test_the_limits_are_just_where_they_are_stated() -> None:
    many = [None] * (verify.MOST_VALUES - 2)
    pairs = dict.fromkeys(map(str, range(verify.MOST_VALUES // 2 - 1)))
    lists = [[[None] * 99] * 99] * (verify.MOST_VALUES // 9999)
    for value in (many, pairs, lists[:-1]):
        content = envelope.pack(envelope.STRATEGY, {"x": value})
        assert envelope.unpack(content, "large") == (envelope.STRATEGY, {"x": value})
    for body in ({"x": [*many, None]}, {"x": pairs, "y": None}, {"x": [*lists, *lists]}):
        with pytest.raises(OutputError, match="too large for a file: more than 131,072 values"):
            envelope.pack(envelope.STRATEGY, body)
        content = sealed(msgpack.packb(body))
        refused(BadFileError, "larger: more than", envelope.unpack, content, "larger")


def test_large_files_are_not_written_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = envelope.pack(envelope.STRATEGY, {"x": "abc"})
    (tmp_path / "file").write_bytes(content)
    monkeypatch.setattr(envelope, "LARGEST", len(content))
    assert envelope.read(tmp_path / "file")[1] == {"x": "abc"}
    refused(OutputError, "too large for a file", envelope.pack, envelope.STRATEGY, {"x": "abcd"})
    (tmp_path / "file").write_bytes(content + b"x")
    refused(BadFileError, "is no knuthle file", envelope.read, tmp_path / "file")
