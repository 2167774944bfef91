"""Strategies that were tampered with, re-sealed with right checksums and digests, so that what
catches them is the structure or the play, never the seal alone."""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from strategy import referee
from strategy.checkers import word_lists
from strategy.errors import BadFileError, StrategyError, UnknownStateError, WrongStrategyError
from strategy.files import envelope, strategy_file
from strategy.tree import Strategy

Body = dict[str, Any]


def body_of(path: Path) -> Body:
    return envelope.read(path)[1]


def columns(body: Body) -> dict[str, list[int]]:
    read = strategy_file.Reader(body, "test")
    return {name: list(read.column(name, body["nodes"])) for name in TREE}


TREE = ("guess", "parent", "score", "hit")


def resealed(body: Body, path: Path, **tree: list[int]) -> Path:
    """Write a body with new columns; counts, digest and checksum made to fit where they can."""
    body = dict(body)
    for name, column in tree.items():
        body[name] = strategy_file.pack_column(column)
    body["nodes"] = len(columns_length(body))
    # a cycle or a wrong index has no digest: there the reader must see it first
    with contextlib.suppress(IndexError, KeyError):
        strategy = unchecked(body)
        body["histogram"] = strategy.histogram
        body["origin"] = body["origin"] | {"secrets": len(strategy.secrets)}
        body["digest"] = strategy.digest
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    return path


def columns_length(body: Body) -> bytes:
    width, packed = body["guess"]
    return bytes(packed[::width])


def unchecked(body: Body) -> Strategy:
    read = strategy_file.Reader(body, "test")
    tree = {name: read.column(name, body["nodes"]) for name in TREE}
    return Strategy(strategy_file.read_origin(read), read.words("words", "length"), **tree)


def judge(path: Path) -> None:
    contents = strategy_file.load(path)
    strategy, digest = Strategy.of_file(contents), contents.digest
    referee.verify(strategy, digest=digest)


def leaf(tree: dict[str, list[int]], least_depth: int = 3) -> int:
    """A node with nothing below it, not too near the root."""
    parents = set(tree["parent"])
    for node in range(len(tree["guess"]) // 2, len(tree["guess"])):
        above, depth = node, 0
        while above:
            above, depth = tree["parent"][above], depth + 1
        if node not in parents and depth >= least_depth:
            return node
    raise AssertionError


def swap_a_guess(tree: dict[str, list[int]]) -> None:
    node = next(n for n in range(100, 10_000) if not tree["hit"][n])
    tree["guess"][node] = (tree["guess"][node] + 1) % 12_000


def drop_a_branch(tree: dict[str, list[int]]) -> None:
    node = leaf(tree)
    for column in tree.values():
        del column[node]
    tree["parent"][:] = [p - (p > node) for p in tree["parent"]]


def drop_a_secret(tree: dict[str, list[int]]) -> None:
    tree["hit"][leaf(tree)] = 0


def make_a_cycle(tree: dict[str, list[int]]) -> None:
    tree["parent"][100], tree["parent"][101] = 101, 100


def point_at_itself(tree: dict[str, list[int]]) -> None:
    tree["parent"][100] = 100


def guess_out_of_range(tree: dict[str, list[int]]) -> None:
    tree["guess"][100] = 60_000


def hang_below_nothing(tree: dict[str, list[int]]) -> None:
    tree["parent"][100] = 50_000


def answer_twice(tree: dict[str, list[int]]) -> None:
    second = tree["parent"].index(0, 2)
    tree["score"][second] = tree["score"][1]


def add_an_unreachable_node(tree: dict[str, list[int]]) -> None:
    tree["guess"].append(5)
    tree["parent"].append(0)
    tree["score"].append(241)
    tree["hit"].append(0)


def change_the_opener(tree: dict[str, list[int]]) -> None:
    tree["guess"][0] += 1


def change_a_score(tree: dict[str, list[int]]) -> None:
    last = len(tree["score"]) - 1
    tree["score"][last] = 241 if tree["score"][last] != 241 else 240


@pytest.mark.parametrize(
    ("tamper", "error", "reason"),
    [
        (swap_a_guess, WrongStrategyError, "is never reached|is solved where|took"),
        (drop_a_branch, WrongStrategyError, "not the list"),
        (drop_a_secret, WrongStrategyError, "not the list"),
        (make_a_cycle, BadFileError, "a cycle"),
        (point_at_itself, BadFileError, "a cycle"),
        (guess_out_of_range, BadFileError, "guesses word 60000 of"),
        (hang_below_nothing, BadFileError, "which does not exist"),
        (answer_twice, BadFileError, "comes twice|out of order"),
        (add_an_unreachable_node, WrongStrategyError, "unreachable"),
        (change_the_opener, StrategyError, "never reached|is solved|not always"),
        (change_a_score, StrategyError, "never reached|out of order|unreachable"),
    ],
)
def test_resealed_tampering_is_caught(
    lares_file: Path,
    tmp_path: Path,
    tamper: Callable[[dict[str, list[int]]], None],
    error: type[StrategyError],
    reason: str,
) -> None:
    body = body_of(lares_file)
    tree = columns(body)
    tamper(tree)
    path = resealed(body, tmp_path / "tampered", **tree)
    with pytest.raises(error, match=reason):
        judge(path)


@pytest.mark.parametrize("drop", [drop_a_branch, drop_a_secret])
def test_a_dropped_secret_is_caught_with_every_digest_mended(
    lares_file: Path, tmp_path: Path, drop: Callable[[dict[str, list[int]]], None]
) -> None:
    body = body_of(lares_file)
    tree = columns(body)
    drop(tree)
    path = resealed(body, tmp_path / "dropped", **tree)
    body = body_of(path)
    digest = word_lists.words_digest(unchecked(body).secrets)
    body["origin"] = body["origin"] | {"secrets_digest": digest}
    with pytest.raises(WrongStrategyError, match="for another list: 12,971 secrets"):
        judge(resealed(body, path))
    body["origin"] = body["origin"] | {"list_name": "mine", "secrets_name": "mine"}
    complete = envelope.read(lares_file)[1]
    secrets = unchecked(complete).secrets
    with pytest.raises(WrongStrategyError, match="for another list: 12,971 secrets"):
        referee.verify(unchecked(body), secrets=secrets)


def test_a_foreign_list_is_caught(lares_file: Path, tmp_path: Path) -> None:
    body = body_of(lares_file)
    body["origin"] = body["origin"] | {"list_name": "nyt-2022"}
    with pytest.raises(WrongStrategyError, match="for another list"):
        judge(resealed(body, tmp_path / "foreign"))


@pytest.mark.parametrize(
    ("lie", "error", "reason"),
    [
        ({"hard": True}, WrongStrategyError, "hard mode"),
        ({"guess_from": "candidates"}, WrongStrategyError, "not from candidates"),
        ({"guess_from": "secrets", "secrets_name": "answers"}, WrongStrategyError, "another list"),
        ({"guess_from": "anywhere"}, BadFileError, "none of allowed"),
        ({"start": []}, BadFileError, "start"),
        ({"start": ["crane"]}, WrongStrategyError, "not always 'crane'"),
        ({"game": "wordle:x"}, BadFileError, "game 'wordle:x'"),
        ({"game": "mastermind:4x6"}, WrongStrategyError, "does not have"),
        ({"guesses_digest": "junk"}, BadFileError, "no sha256"),
        ({"list_name": "a\nb"}, BadFileError, "no name"),
        ({"list_name": "x" * 5000}, BadFileError, "no name"),
        ({"claim": {"x": b"y"}}, BadFileError, "plain values"),
        ({"claim": {"x": float("nan")}}, BadFileError, "plain values"),
        ({"more": 1}, BadFileError, "expected"),
        ({b"more": 1}, BadFileError, "expected|msgpack"),
    ],
)
def test_lies_in_the_head_are_caught(
    lares_file: Path, tmp_path: Path, lie: Body, error: type[StrategyError], reason: str
) -> None:
    body = body_of(lares_file)
    body["origin"] = body["origin"] | lie
    path = tmp_path / "lie"
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    with pytest.raises(error, match=reason):
        judge(path)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"more": 1}, "expected"),
        ({"guess": [[2], b""]}, "does not hold"),
        ({"hit": [1, bytes(14517)]}, "yes and no|solves nothing|solves 0"),
        ({"score": [4, bytes(4 * 14517)]}, "wider than"),
        ({"length": 100_000}, "do not make words"),
        ({"histogram": [True, 67, 1884, 6625, 3908, 452, 35]}, "counts"),
    ],
)
def test_other_spellings_are_refused(
    lares_file: Path, tmp_path: Path, change: Body, reason: str
) -> None:
    path = tmp_path / "other"
    path.write_bytes(envelope.pack(envelope.STRATEGY, body_of(lares_file) | change))
    with pytest.raises(BadFileError, match=reason):
        judge(path)


def test_unused_words_are_caught(lares_file: Path, tmp_path: Path) -> None:
    body = body_of(lares_file)
    body["words"] += "zzzzz"
    with pytest.raises(WrongStrategyError, match="never guesses|is no guess"):
        judge(resealed(body, tmp_path / "unused"))


def test_a_dropped_secret_is_caught_against_the_words_alone(
    lares_file: Path, tmp_path: Path
) -> None:
    body = body_of(lares_file)
    tree = columns(body)
    drop_a_secret(tree)
    body = body_of(resealed(body, tmp_path / "dropped", **tree))
    digest = word_lists.words_digest(unchecked(body).secrets)
    body["origin"] = body["origin"] | {"secrets_digest": digest, "list_name": "mine"}
    complete = unchecked(body_of(lares_file)).words
    with pytest.raises(WrongStrategyError, match="for another list: 12,971 secrets"):
        referee.verify(unchecked(body), guesses=complete)


def test_errors_can_be_sent_between_processes() -> None:
    for error in (BadFileError("kind", "reason"), UnknownStateError(2, "step 2: reason")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_renamed_word_is_caught(lares_file: Path, tmp_path: Path) -> None:
    body = body_of(lares_file)
    body["words"] = body["words"].replace("aahed", "aahee")
    path = resealed(body, tmp_path / "renamed")
    with pytest.raises(WrongStrategyError, match="not the list"):
        judge(path)
    forged = unchecked(body_of(path))
    body["origin"] = body["origin"] | {"secrets_digest": word_lists.words_digest(forged.secrets)}
    with pytest.raises(WrongStrategyError, match="is no guess of the list|for another list"):
        judge(resealed(body, path))


def test_a_wrong_digest_is_caught(lares_file: Path, tmp_path: Path) -> None:
    body = body_of(lares_file) | {"digest": "0" * 64}
    path = tmp_path / "digest"
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    with pytest.raises(WrongStrategyError, match="its digest names"):
        judge(path)
