"""The file of a proof: what is read is what was written, and takes a small multiple of its size."""

import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from strategy.errors import BadFileError, OutputError
from strategy.files import strategy_file
from strategy.proofs.checker import proof_file
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from tests.support import refused
from tests.support.proof_worlds import alike, proof_of
from tests.support.refuted_world import LISTED, proof_with

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


@pytest.mark.slow
def test_large_sets_take_eight_bytes_a_member() -> None:
    sets = 25
    claim = number(MANY) + b"\x03\x00\x00\x04" + b"\x01" * MANY
    most, taken = grown({"count": sets, "claims": claim * sets})
    assert taken
    assert most < 12 * sets * MANY + 300 * MANY  # each number once, and while a tuple is made


def test_memory_of_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 20_000
    most, taken = grown({"count": count, "claims": b"\x01\x03\x00\x00\x04\x01" * count})
    assert taken and most < 60 * 6 * count
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
    assert not taken and most < 1 << 20


def test_words_and_nodes_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = proof_of(WORLD, "total", 6).strategy
    assert strategy is not None
    body = strategy_file.to_body(strategy.contents)
    words, nodes = len(strategy.words), strategy.nodes
    monkeypatch.setattr(strategy_file, "MOST_WORDS", words)
    monkeypatch.setattr(strategy_file, "MOST_NODES", nodes)
    assert strategy_file.from_body(body, "a").words == strategy.words
    monkeypatch.setattr(strategy_file, "MOST_NODES", nodes - 1)
    refused(BadFileError, "nodes", strategy_file.from_body, body, "a")
    monkeypatch.setattr(strategy_file, "MOST_WORDS", words - 1)
    refused(BadFileError, "words", strategy_file.from_body, body, "a")


# --- what is written is read, and nothing else -------------------------------------------------
def far(proof: Proof) -> Proof:
    """With the greatest numbers that a file holds, and the least."""
    most = Claim((0, 8), UNLIMITED, "b", 9 * LOSS + LOSS - 1)
    least = Claim((3,), UNLIMITED - 1, "", 0)
    between = tuple(Claim((1, 4, 7), 3, "a", value) for value in (127, 128, 16_383, 16_384))
    refutations = (Refutation((0,), 1, ()), Refutation((1, 8), UNLIMITED - 1, (0,)))
    most_words = {"guesses": strategy_file.MOST_WORDS, "secrets": strategy_file.MOST_WORDS}
    stated = replace(proof.statement, limit=UNLIMITED - 1, total=LOSS - 1, **most_words)
    statement = replace(stated, losses=strategy_file.MOST_WORDS)
    return replace(
        proof,
        statement=statement,
        claims=(most, *between, least),
        refutations=(*refutations, Refutation((2, 3), 5, (0, 1))),
    )


def test_what_is_written_is_read(tmp_path: Path) -> None:
    made = proof_of(WORLD, "total", 6)
    assert made.strategy is not None
    for proof in (made, far(made), replace(far(made), strategy=None), proof_with(LISTED)):
        body = proof_file.to_body(proof)
        read = proof_file.from_body(body, "a proof")
        assert (read.statement, read.claims, read.refutations) == (
            proof.statement, proof.claims, proof.refutations,
        )  # fmt: skip
        assert (read.strategy is None) == (proof.strategy is None)
        assert read.strategy is None or read.strategy.contents == made.strategy.contents
        proof_file.save(proof, tmp_path / "a.proof")
        assert proof_file.to_body(proof_file.load(tmp_path / "a.proof")) == body
    made.strategy.save(tmp_path / "a.strategy")
    for part in (made, made.statement, made.claims[0], LISTED[0]):
        with pytest.raises(AttributeError):
            setattr(part, next(iter(vars(type(part))["__annotations__"])), None)
    refused(BadFileError, "a strategy.*, not a proof", proof_file.load, tmp_path / "a.strategy")
    (tmp_path / "mine").write_text("of mine")
    refused(OutputError, "", proof_file.save, made, tmp_path / "mine")
    proof_file.save(made, tmp_path / "mine", force=True)
    assert proof_file.load(tmp_path / "mine").claims == made.claims


@pytest.mark.parametrize(("change", "reason"), [
    ({"more": 1}, "expected"), ({"statement": {"more": 1}}, "expected"),
    ({"statement": {"limit": -1}}, "'limit' is -1"),
    ({"statement": {"losses": -1}}, "'losses' is -1"),
    ({"statement": {"total": -1}}, "'total' is -1"),
    ({"statement": {"total": 1.5}}, "'total' is float"),
    ({"statement": {"guesses": 0}}, "'guesses' is 0"),
    ({"statement": {"secrets": 0}}, "'secrets' is 0"),
    ({"statement": {"guesses": (1 << 20) + 1}}, "more than the limit"),
    ({"statement": {"game": 5}}, "'game' is int"),
    ({"statement": {"objective": 5}}, "'objective' is int"),
    ({"statement": {"start": 5}}, "'start' is int"), ({"statement": {"hard": 1}}, "'hard' is int"),
    ({"statement": {"game": "chess"}}, "game or objective is not known"),
    ({"statement": {"objective": "best"}}, "game or objective is not known"),
    ({"statement": {"limit": UNLIMITED}}, "limit or losses are out of range"),
    ({"statement": {"losses": 10}}, "limit or losses are out of range"),
    ({"statement": {"total": LOSS}}, "total is out of range"),
    ({"strategy": 5}, "'strategy' is int"), ({"shown": 5}, "'shown' is int"),
    ({"shown": [5]}, "is not text"),
    ({"shown": ["", "a", "a"]}, "out of order, repeated, or used by no claim"),
    ({"shown": ["a", ""]}, "out of order, repeated, or used by no claim"),
    ({"shown": ["a", "a"]}, "out of order, repeated, or used by no claim"),
    ({"shown": ["", "a", "b"]}, "out of order, repeated, or used by no claim"),
    ({"count": -1}, "'count' is -1"),
    ({"refutation_count": -1}, "'refutation_count' is -1"),
    ({"count": 2}, "its claims have data after their end"),
    ({"count": 4}, "its claims end too early"),
    ({"refutation_count": 1}, "its refutations have data after their end"),
    ({"refutation_count": 3}, "its refutations end too early"), ({"claims": 5}, "'claims' is int"),
    ({"count": 1, "claims": b"\x00\x03\x00\x00\x04"}, "a claim has no candidates"),
    ({"count": 1, "claims": b"\x02\x03\x00\x00\x04\x01\x00"}, "comes twice in its claims"),
    ({"count": 1, "claims": b"\x0a\x03\x00\x00\x04" + b"\x01" * 10}, "claims is out of range"),
    ({"count": 1, "claims": b"\x01\x03\x00\x00\x04\x0a"}, "claims is out of range"),
    ({"count": 1, "claims": b"\x01\x03\x02\x00\x04\x01"}, "claims is out of range"),
    ({"count": 1, "claims": b"\x01\x03\x00\x0a\x04\x01"}, "claims is out of range"),
    ({"count": 1, "claims": b"\x01\x03\x00\x00\x80\x80\x80\x80\x10\x01"}, "out of range"),
    ({"count": 1, "claims": b"\x01\x80\x80\x40\x00\x00\x04\x01"}, "claims is out of range"),
    ({"count": 1, "claims": b"\xff" * 20}, "claims is out of range"),
    ({"refutation_count": 1, "refutations": b"\x00\x01\x00"}, "a refutation has no candidates"),
    ({"refutation_count": 1, "refutations": b"\x01\x00\x01\x00"}, "has no candidates"),
    ({"refutation_count": 1, "refutations": b"\x01\x01\x0a\x00"}, "refutations is out of range"),
    ({"refutation_count": 1, "refutations": b"\x01\x01\x01\x01\x01"}, "is out of range"),
])  # fmt: skip
def test_what_is_malformed_is_named(change: dict[str, Any], reason: str) -> None:
    """A file of two shown texts, three claims and two refutations about nine secrets."""
    body = proof_file.to_body(proof_of(WORLD, "total", 6)) | {
        "shown": ["", "a"], "count": 3,
        "claims": b"\x02\x03\x00\x00\x04\x01\x08" + b"\x01\x03\x01\x09\x04\x09" * 2,
        "refutation_count": 2, "refutations": b"\x02\x01\x01\x01\x00" + b"\x02\x02\x01\x08\x01\x01",
    }  # fmt: skip
    assert len(proof_file.from_body(body, "a proof").claims) == 3
    change = dict(change)
    statement = body["statement"] | change.pop("statement", {})
    with pytest.raises(BadFileError, match=f"a proof: .*{reason}"):
        proof_file.from_body(body | {"statement": statement} | change, "a proof")
