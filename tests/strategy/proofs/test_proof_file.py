"""The file of a proof: reading it takes a small multiple of its size."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest

from strategy.errors import BadFileError
from strategy.files import strategy_file
from strategy.proofs.checker import proof_file
from tests.support.proof_worlds import alike, proof_of

WORLD = alike(0, 16, 9)
#: Secrets that are claimed for the sake of large sets.
MANY = 20_000


def grown(change: dict[str, Any]) -> tuple[int, bool]:
    """Bytes in memory at most while a changed body is read, and whether it is taken."""
    body = proof_file.to_body(proof_of(WORLD, "total", 6))
    body["statement"] = body["statement"] | {"secrets": MANY}
    body["shown"] = [""]
    body |= change
    tracemalloc.start()
    taken = True
    try:
        proof_file.from_body(body, "a proof")
    except BadFileError:
        taken = False
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, taken


def number(value: int) -> bytes:
    return bytes([value & 127 | 128, value >> 7 & 127 | 128, value >> 14])


@pytest.mark.parametrize("sets", [10, 40])
def test_large_sets_take_eight_bytes_a_member(sets: int) -> None:
    claim = number(MANY) + b"\x03\x00\x00\x04" + b"\x01" * MANY
    most, taken = grown({"count": sets, "claims": claim * sets})
    assert taken
    assert most < 12 * sets * MANY + 300 * MANY  # each number once, and while a tuple is made


def test_many_small_claims_take_little() -> None:
    count = 20_000
    most, taken = grown({"count": count, "claims": b"\x01\x03\x00\x00\x04\x01" * count})
    assert taken
    assert most < 60 * 6 * count


def test_no_more_is_listed_than_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_file, "MOST_LISTED", 2)
    for count in (2, 3):
        assert grown({"count": count, "claims": b"\x01\x03\x00\x00\x04\x01" * count})[1] == (
            count == 2
        )
        listed = b"\x01\x03\x01\x00" * count
        change = {"refutation_count": count, "refutations": listed, "claims": b"", "count": 0}
        assert grown(change | {"shown": []})[1] == (count == 2)


@pytest.mark.parametrize("key", ["count", "refutation_count"])
def test_a_count_that_lies_costs_nothing(key: str) -> None:
    most, taken = grown({key: 1 << 60})
    assert not taken
    assert most < 1 << 20


def test_words_and_nodes_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = proof_of(WORLD, "total", 6).strategy
    assert strategy is not None
    body = strategy_file.to_body(strategy.contents)
    words, nodes = len(strategy.words), strategy.nodes
    monkeypatch.setattr(strategy_file, "MOST_WORDS", words)
    monkeypatch.setattr(strategy_file, "MOST_NODES", nodes)
    assert strategy_file.from_body(body, "a").words == strategy.words
    monkeypatch.setattr(strategy_file, "MOST_NODES", nodes - 1)
    with pytest.raises(BadFileError, match="nodes"):
        strategy_file.from_body(body, "a")
    monkeypatch.setattr(strategy_file, "MOST_WORDS", words - 1)
    with pytest.raises(BadFileError, match="words"):
        strategy_file.from_body(body, "a")
