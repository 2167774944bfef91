"""The envelope: a small file that would be large in memory is refused before it is built."""

import hashlib
import struct
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategy.errors import BadFileError, OutputError
from strategy.files import envelope
from tests.support import refused
from tests.support.commands import ran

MEGA = 1 << 20


def sealed(packed: bytes, kind: bytes = envelope.STRATEGY) -> bytes:
    content = struct.pack("<8sBcI", b"KNUTHLE\n", 1, kind, len(packed)) + packed
    return content + hashlib.sha256(content).digest()


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
    refused(BadFileError, "more than|too early", envelope.unpack, content, name)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < MEGA  # what is built would take several; other threads take some


def test_a_command_stays_small(tmp_path: Path) -> None:
    """Measured from outside, with a bomb of eight megabytes."""
    path = tmp_path / "bomb"
    path.write_bytes(sealed(b"\x81\xa1x\xdd" + struct.pack(">I", 8 * MEGA) + b"\x80" * (8 * MEGA)))
    code = (
        "import resource, sys; from strategy.cli import main\n"
        "def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "main(['info', 'nothing']); before = most(); code = main(['info', sys.argv[1]])\n"
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
def test_whatever_msgpack_writes_is_measured_to_its_end(value: Any) -> None:
    packed = msgpack.packb(value, use_bin_type=True)
    flaw = envelope.msgpack_flaw(packed)
    assert not flaw or "within each other" in flaw
    if not flaw:
        assert "follows" in envelope.msgpack_flaw(packed + b"\0")
        assert envelope.msgpack_flaw(packed[:-1])


@pytest.mark.parametrize("length", [1, 31, 32, 255, 256, 65_535, 65_536])
def test_lengths_of_every_width(length: int) -> None:
    for value in (
        "a" * length, b"a" * length, [None] * length, dict.fromkeys(map(str, range(length))),
    ):  # fmt: skip
        packed = msgpack.packb(value, use_bin_type=True)
        most = length * (2 if isinstance(value, dict) else 1)
        flaw = envelope.msgpack_flaw(packed)
        assert flaw == ("" if most < envelope.MOST_VALUES else "more than 131,072 values")


@given(st.binary(max_size=60))
def test_any_bytes_are_measured(packed: bytes) -> None:
    """What is not refused, msgpack reads to its end."""
    if not envelope.msgpack_flaw(packed):
        msgpack.unpackb(packed, raw=True, strict_map_key=False, object_pairs_hook=list)


def test_the_limits_are_just_where_they_are_stated() -> None:
    values = [None] * (envelope.MOST_VALUES - 3)
    deep: Any = {}
    for _ in range(envelope.DEEPEST - 2):
        deep = {"x": deep}
    for body, more in (({"x": values}, {"x": [*values, None]}), (deep, {"x": deep})):
        content = envelope.pack(envelope.STRATEGY, body)
        assert envelope.unpack(content, "large") == (envelope.STRATEGY, body)
        with pytest.raises(OutputError, match="too large for a file: more than"):
            envelope.pack(envelope.STRATEGY, more)
        refused(BadFileError, "more than", envelope.unpack, sealed(msgpack.packb(more)), "larger")


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
