"""Strategy files and their envelope: written whole, read with care, damage and bombs named."""

import random
import struct
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategy.checkers import verify
from strategy.errors import BadFileError, OutputError, StrategyError, UnknownStateError
from strategy.files import envelope, strategy_file
from strategy.solving.by_rule import Solved
from strategy.tree import Strategy, text_lines
from strategy.verification import verify as verify_file
from tests.support import naive, raising, refused, said_by, sealed
from tests.support.commands import Knuthle, ran

Body = dict[str, Any]

TREE = ("guess", "parent", "score", "hit")


# --- round trip ---------------------------------------------------------------------------
def test_reading_gives_back_what_was_written(lares: Solved, lares_file: Path) -> None:
    strategy = Strategy.load(lares_file)
    assert strategy.origin == lares.strategy.origin
    assert strategy.words == lares.strategy.words
    for name in TREE:
        assert list(getattr(strategy, name)) == list(getattr(lares.strategy, name))
    assert strategy_file.to_bytes(strategy) == lares_file.read_bytes()
    assert verify_file(lares_file).taken == lares.verdict.taken
    # It is small and says nothing of the machine.
    content = lares_file.read_bytes()
    assert len(content) <= 200_000 and str(lares_file.parent).encode() not in content


@pytest.mark.parametrize(("code", "heavy"), [
    ("from strategy.tree import Strategy;"
     "Strategy.load(sys.argv[1]).next_guess([('lares', 'bbybb')])", {"numpy", "numba"}),
    ("from strategy.cli import main; assert main(['verify', sys.argv[1]]) == 0",
     {"numpy", "numba", "solver"}),
    ("import strategy; dir(strategy); strategy.Strategy;"
     "assert strategy.verify(sys.argv[1]).worst == 7", {"numpy", "numba", "solver"}),
    ("import knuthle; knuthle.Strategy", {"numpy"}), ("import strategy.pictures.page", {"numpy"}),
    ("from strategy.cli import main; assert main(['lists']) == 0", {"strategy.cli.checkout"}),
])  # fmt: skip
def test_readers_and_checkers_load_little(lares_file: Path, code: str, heavy: set[str]) -> None:
    said_by(f"import sys; {code}; assert not {heavy} & set(sys.modules)", lares_file)


# --- look-up ------------------------------------------------------------------------------
def test_the_file_plays_as_the_text_says(lares: Solved) -> None:
    strategy = lares.strategy
    draw = random.Random(1)
    for line in draw.sample(list(text_lines(strategy)), 300):
        parts = line.split()
        steps = list(zip(parts[::2], parts[1::2], strict=True))
        assert steps[-1][1] == "ggggg"
        for number, (word, score) in enumerate(steps):
            assert strategy.next_guess(steps[:number]) == word
            assert naive.marks(word, steps[-1][0]) == score
        assert steps[-1][0] in strategy.remaining(steps[:-1])
    left = [w for w in strategy.secrets if naive.marks("lares", w) == "bbybb"]
    assert strategy.remaining([("lares", "bbybb")]) == left
    second = strategy.next_guess([("lares", "bbybb")])
    left = [w for w in left if naive.marks(second, w) == "bybbb"]
    assert strategy.remaining([("lares", "bbybb"), (second, "bybbb")]) == left


@pytest.mark.parametrize(("history", "step", "reason"), [
    ([("crane", "bbbbb")], 1, "guesses 'lares' there, not 'crane'"),
    ([("lares", "ggggy")], 1, "no possible secret gives 'ggggy' to 'lares'"),
    ([("lares", "bbybb"), ("xylyl", "bbbbb")], 2, "step 2: the strategy guesses"),
    ([("lares", "ggggg")], 1, "'lares' is the secret"),
])  # fmt: skip
def test_states_that_never_come_up(
    lares: Solved, history: list[tuple[str, str]], step: int, reason: str
) -> None:
    with pytest.raises(UnknownStateError, match=reason) as error:
        lares.strategy.next_guess(history)
    assert error.value.step == step
    assert lares.strategy.get(history) is None
    assert lares.strategy.get(history, "none") == "none"


# --- damage to the bytes -------------------------------------------------------------------
def test_a_flipped_byte_anywhere_is_caught(lares_file: Path) -> None:
    content = lares_file.read_bytes()
    draw = random.Random(2)
    for place in draw.sample(range(len(content)), 1000):
        damaged = bytearray(content)
        damaged[place] ^= draw.randrange(1, 256)
        refused(BadFileError, "", envelope.unpack, bytes(damaged), "damaged")


@pytest.mark.parametrize(("change", "kind"), [
    (lambda c: b"", "empty"), (lambda c: c[:5], "truncated"), (lambda c: c[:-1], "truncated"),
    (lambda c: c[: len(c) // 2], "truncated"), (lambda c: c + b"\n", "length"),
    (lambda c: b"PK\x03\x04" + c, "foreign"), (lambda c: c[:8] + b"\x09" + c[9:], "newer"),
    (lambda c: c[:-1] + bytes([c[-1] ^ 1]), "checksum"),
])  # fmt: skip
def test_damage_is_named(
    lares_file: Path, tmp_path: Path, change: Callable[[bytes], bytes], kind: str
) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(change(lares_file.read_bytes()))
    with pytest.raises(BadFileError) as error:
        strategy_file.load_tree(path)
    assert error.value.kind == kind and str(path) in str(error.value)


JSONLIKE = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**31), 2**31) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["origin", "words", "guess", "nodes", "hit"]), JSONLIKE))
def test_any_body_is_read_or_refused(body: Body) -> None:
    refused(BadFileError, "", strategy_file.from_body, body, "any")


@given(key=st.sampled_from(sorted(["origin", "length", "words", *TREE, "nodes", "histogram"])))
def test_a_missing_key_is_refused(lares: Solved, key: str) -> None:
    body = strategy_file.to_body(lares.strategy)
    del body[key]
    refused(BadFileError, "", strategy_file.from_body, body, "missing")
    refused(BadFileError, r"x: it has too .* keys: \['claim', 'game', ", strategy_file.from_body,
            strategy_file.to_body(lares.strategy) | {"origin": {}}, "x")  # fmt: skip


# --- writing ------------------------------------------------------------------------------
def test_a_failed_write(lares: Solved, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.strategy"
    path.write_bytes(b"KNUTHLE\n\x01S, old")
    monkeypatch.setattr("os.fsync", raising(OSError(28, "No space left on device")))
    with pytest.raises(StrategyError, match="No space left on device") as error:
        lares.strategy.save(path)
    assert error.value.exit_code == 3
    assert [p.name for p in tmp_path.iterdir()] == ["a.strategy"]
    assert path.read_bytes() == b"KNUTHLE\n\x01S, old"
    refused(OutputError, "is a directory", lares.strategy.save, tmp_path)
    nowhere = tmp_path / "none" / "a.strategy"
    refused(OutputError, "there is no directory", lares.strategy.save, nowhere)


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
        assert kind == envelope.STRATEGY and isinstance(body, dict)
    except BadFileError as error:
        assert str(error).startswith("some: ") and str(error).isprintable()


def packed_map(*pairs: tuple[Any, Any]) -> bytes:
    """A map with these keys, one of them twice if it is said twice."""
    return bytes([0x80 + len(pairs)]) + b"".join(msgpack.packb(x) for pair in pairs for x in pair)


def test_a_key_stands_once_and_is_a_text(tmp_path: Path, knuthle: Knuthle) -> None:
    for pairs in ((("a", 1), ("a", 1)), (("a", 1), ("b", 2), ("a", 3))):
        twice = packed_map(*pairs)
        for packed in (twice, b"\x81\xa1x" + twice, b"\x81\xa1x\x91" + twice):
            refused(BadFileError, "x: a key stands twice", envelope.unpack, sealed(packed), "x")
    for key in (1, None, True, 2.5):
        packed = packed_map((key, 1))
        refused(BadFileError, "x: no msgpack of ours", envelope.unpack, sealed(packed), "x")
    for kind in (b"S", b"P", b"R", b"F"):
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


def test_files_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = envelope.pack(envelope.STRATEGY, {"x": "abc"})
    (tmp_path / "file").write_bytes(content)
    monkeypatch.setattr(envelope, "LARGEST", len(content))
    assert envelope.read(tmp_path / "file")[1] == {"x": "abc"}
    refused(OutputError, "too large for a file", envelope.pack, envelope.STRATEGY, {"x": "abcd"})
    (tmp_path / "file").write_bytes(content + b"x")
    refused(BadFileError, "is no knuthle file", envelope.read, tmp_path / "file")
