"""Strategies that were tampered with, re-sealed with right checksums and digests, so that what
catches them is the structure or the play, never the seal alone."""

import contextlib
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from solver.game.game import Game
from solver.rules.searcher import Searcher
from strategy.checkers import lists, verify
from strategy.errors import BadFileError, StrategyError, UnknownStateError, WrongStrategyError
from strategy.files import envelope, strategy_file
from strategy.files.strategy_file import Origin
from strategy.tree import Strategy
from tests.support import refused
from tests.support.worlds import small_game

pytestmark = pytest.mark.plain

Body = dict[str, Any]

GAME = small_game(1, 300, 300)
TREE = ("guess", "parent", "score", "hit")


def played(game: Game) -> Strategy:
    origin = Origin.of(game, "minimax", (game.guesses[0],))
    return Strategy.of_tree(game, origin, Searcher(game).grow(None, (0,)))


#: A strategy that is right, as the body of its file.
RIGHT = strategy_file.to_body(played(GAME))
NODES = RIGHT["nodes"]


def body_of(path: Path) -> Body:
    return envelope.read(path)[1]


def columns(body: Body) -> dict[str, list[int]]:
    return {name: list(verify.read_column(body[name], body["nodes"])) for name in TREE}


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
    tree = {name: verify.read_column(body[name], body["nodes"]) for name in TREE}
    text, length = body["words"], body["length"]
    words = tuple(text[at : at + length] for at in range(0, len(text), length))
    return Strategy(Origin.of_head(body["origin"]), words, **tree)


def judge(path: Path, given: Sequence[Sequence[str] | None] = (GAME.guesses, GAME.secrets)) -> None:
    kind, body = verify.unseal(path.read_bytes())
    assert kind == envelope.STRATEGY
    verify.verify(verify.read_tree(body), given)


def test_what_was_not_tampered_with_passes(tmp_path: Path) -> None:
    judge(resealed(RIGHT, tmp_path / "right"))


def leaf(tree: dict[str, list[int]]) -> int:
    """A node with nothing below it, not too near the root."""
    parents = set(tree["parent"])
    return next(n for n in range(NODES) if tree["parent"][n] > 0 and n not in parents)


def swap_a_guess(tree: dict[str, list[int]]) -> None:
    node = next(n for n in range(1, NODES) if not tree["hit"][n])
    tree["guess"][node] = (tree["guess"][node] + 1) % len(GAME.guesses)


def drop_a_branch(tree: dict[str, list[int]]) -> None:
    node = leaf(tree)
    for column in tree.values():
        del column[node]
    tree["parent"][:] = [p - (p > node) for p in tree["parent"]]


def drop_a_secret(tree: dict[str, list[int]]) -> None:
    tree["hit"][leaf(tree)] = 0


def make_a_cycle(tree: dict[str, list[int]]) -> None:
    tree["parent"][10], tree["parent"][11] = 11, 10


def point_at_itself(tree: dict[str, list[int]]) -> None:
    tree["parent"][10] = 10


def guess_out_of_range(tree: dict[str, list[int]]) -> None:
    tree["guess"][10] = 60_000


def hang_below_nothing(tree: dict[str, list[int]]) -> None:
    tree["parent"][10] = 50_000


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


@pytest.mark.parametrize(("tamper", "error", "reason"), [
    (swap_a_guess, WrongStrategyError, "is never reached|is solved where"),
    (drop_a_branch, WrongStrategyError, "secrets are not those of its head"),
    (drop_a_secret, WrongStrategyError, "secrets are not those of its head"),
    (make_a_cycle, BadFileError, "node 10 does not stand in preorder"),
    (point_at_itself, BadFileError, "node 10 does not stand in preorder"),
    (guess_out_of_range, BadFileError, "a guess is no word"),
    (hang_below_nothing, BadFileError, "node 10 does not stand in preorder"),
    (answer_twice, BadFileError, "does not stand in preorder"),
    (add_an_unreachable_node, WrongStrategyError, "no secret ever comes to"),
    (change_the_opener, StrategyError, "never reached|is solved|not always"),
    (change_a_score, StrategyError, "never reached|in preorder|ever comes to"),
])  # fmt: skip
def test_resealed_tampering_is_caught(
    tmp_path: Path,
    tamper: Callable[[dict[str, list[int]]], None],
    error: type[StrategyError],
    reason: str,
) -> None:
    tree = columns(RIGHT)
    tamper(tree)
    refused(error, reason, judge, resealed(RIGHT, tmp_path / "tampered", **tree))


@pytest.mark.parametrize("drop", [drop_a_branch, drop_a_secret])
def test_a_dropped_secret_is_caught_with_every_digest_mended(
    tmp_path: Path, drop: Callable[[dict[str, list[int]]], None]
) -> None:
    tree = columns(RIGHT)
    drop(tree)
    body = body_of(resealed(RIGHT, tmp_path / "dropped", **tree))
    strategy = unchecked(body)
    digest = lists.words_digest(strategy.secrets)
    unused = {*strategy.words} - {strategy.words[guess] for guess in strategy.guess}
    body["origin"] = body["origin"] | {"secrets_digest": digest}
    path = resealed(body, tmp_path / "dropped")
    for given in ((GAME.guesses, GAME.secrets), (None, GAME.secrets)):
        reason = "never guesses" if unused else "secrets are not those of lists as given"
        refused(WrongStrategyError, reason, judge, path, given)
    body["origin"] = body["origin"] | {"secrets_name": "allowed"}
    resealed(body, path)
    refused(WrongStrategyError, "not all of its guesses are secrets", judge, path, (None, None))


@pytest.mark.parametrize(("lie", "error", "reason"), [
    ({"hard": True}, WrongStrategyError, "hard mode"),
    ({"list_name": "nyt-2022"}, WrongStrategyError, "for another list"),
    ({"guess_from": "candidates"}, WrongStrategyError, "not from candidates"),
    ({"list_name": "original", "secrets_name": "answers"}, WrongStrategyError, "another list"),
    ({"guess_from": "anywhere"}, BadFileError, "none of allowed"),
    ({"start": []}, BadFileError, "start"),
    ({"start": ["crane"]}, WrongStrategyError, "guess 1 is not always 'crane'"),
    ({"game": "wordle:x"}, BadFileError, "game 'wordle:x'"),
    ({"game": "mastermind:4x6"}, WrongStrategyError, "does not have"),
    ({"guesses_digest": "junk"}, BadFileError, "no sha256"),
    ({"list_name": "a\nb"}, BadFileError, "no name"),
    ({"list_name": "x" * 5000}, BadFileError, "no name"),
    ({"claim": {"x": b"y"}}, BadFileError, "plain values"),
    ({"claim": {"x": float("nan")}}, BadFileError, "plain values"),
    ({"claim": {"x": [[[[[[[[[[]]]]]]]]]]}}, BadFileError, "plain values"),
    ({"more": 1}, BadFileError, "keys: .'more'"), ({b"more": 1}, BadFileError, "keys: .*more"),
])  # fmt: skip
def test_lies_in_the_head_are_caught(
    tmp_path: Path, lie: Body, error: type[StrategyError], reason: str
) -> None:
    path = tmp_path / "lie"
    body = RIGHT | {"origin": RIGHT["origin"] | lie}
    path.write_bytes(envelope.pack(envelope.STRATEGY, body))
    refused(error, reason, judge, path)


@pytest.mark.parametrize(("change", "reason"), [
    ({"more": 1}, "too many or too few keys"), ({"guess": [[2], b""]}, "does not hold"),
    ({"hit": [1, bytes(NODES)]}, "hits are not 0 and 1"), ({"length": 100_000}, "too long"),
    ({"score": [4, bytes(4 * NODES)]}, "wider than"),
    ({"histogram": [*RIGHT["histogram"], 0]}, "counts"),
    ({"histogram": [True, *RIGHT["histogram"][1:]]}, "counts"),
])  # fmt: skip
def test_other_spellings_are_refused(tmp_path: Path, change: Body, reason: str) -> None:
    path = tmp_path / "other"
    path.write_bytes(envelope.pack(envelope.STRATEGY, RIGHT | change))
    refused(BadFileError, reason, judge, path)


def test_unused_words_are_caught(tmp_path: Path) -> None:
    path = resealed(RIGHT | {"words": RIGHT["words"] + "zzzzz"}, tmp_path / "unused")
    for given in ((GAME.guesses, GAME.secrets), (None, None)):
        refused(WrongStrategyError, "never guesses", judge, path, given)


def test_errors_can_be_sent_between_processes() -> None:
    for error in (BadFileError("kind", "reason"), UnknownStateError(2, "step 2: reason")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_renamed_word_is_caught(tmp_path: Path) -> None:
    word = GAME.guesses[-1]
    path = resealed(RIGHT | {"words": RIGHT["words"].replace(word, "zzzzz")}, tmp_path / "renamed")
    refused(WrongStrategyError, "secrets are not those of its head", judge, path)
    body = body_of(path)
    digest = lists.words_digest(unchecked(body).secrets)
    body["origin"] = body["origin"] | {"secrets_digest": digest}
    resealed(body, path)
    refused(WrongStrategyError, "secrets are not those of lists as given", judge, path)
    refused(WrongStrategyError, "a guess is none of", judge, path, (GAME.guesses, None))


def test_a_wrong_digest_is_caught(tmp_path: Path) -> None:
    path = tmp_path / "digest"
    path.write_bytes(envelope.pack(envelope.STRATEGY, RIGHT | {"digest": "0" * 64}))
    refused(WrongStrategyError, "its digest names", judge, path)
