"""Strategy files: written whole, read with care, damage named."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategy.errors import BadFileError, OutputError, StrategyError, UnknownStateError
from strategy.files import envelope, strategy_file
from strategy.solving.by_rule import Solved
from strategy.tree import Strategy, text_lines
from strategy.verification import verify
from tests.support import naive, raising, refused, said_by

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
    assert verify(lares_file).taken == lares.verdict.taken


def test_the_file_is_small_and_says_nothing_of_the_machine(lares_file: Path) -> None:
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
def test_to_read_and_to_check_loads_nothing_heavy(
    lares_file: Path, code: str, heavy: set[str]
) -> None:
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


def test_remaining_is_what_filtering_leaves(lares: Solved) -> None:
    strategy = lares.strategy
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


# --- writing ------------------------------------------------------------------------------
def test_an_old_file_survives_a_failed_write(
    lares: Solved, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.strategy"
    path.write_bytes(b"KNUTHLE\n\x01S, old")
    monkeypatch.setattr("os.fsync", raising(OSError(28, "No space left on device")))
    with pytest.raises(StrategyError, match="No space left on device") as error:
        lares.strategy.save(path)
    assert error.value.exit_code == 3
    assert [p.name for p in tmp_path.iterdir()] == ["a.strategy"]
    assert path.read_bytes() == b"KNUTHLE\n\x01S, old"


def test_places_that_cannot_be_written_are_refused(lares: Solved, tmp_path: Path) -> None:
    refused(OutputError, "is a directory", lares.strategy.save, tmp_path)
    with pytest.raises(OutputError, match="there is no directory"):
        lares.strategy.save(tmp_path / "none" / "a.strategy")


def test_an_empty_head_is_named(lares: Solved) -> None:
    body = strategy_file.to_body(lares.strategy) | {"origin": {}}
    with pytest.raises(BadFileError, match=r"x: it has too .* keys: \['claim', 'game', "):
        strategy_file.from_body(body, "x")
