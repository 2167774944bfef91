"""Digests are compared as a whole: one that differs in a single sign, wherever, is another."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from solver.errors import WrongInputError
from strategy.checkers import lists as word_lists
from strategy.checkers import verify as core
from strategy.checkers.proof import WrongProofError, words_of
from strategy.errors import BadFileError, WrongStrategyError
from strategy.files.strategy_file import tree_of
from strategy.proofs.writer import statement_of
from strategy.sweep.question import SweepQuestion
from strategy.sweep.rows import OpenerRow
from strategy.verification import verify
from tests.support import refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of

WORDS = ["aab", "abb", "abc", "acb", "bab", "bca", "cab", "cba", "ccb", "bbc"]
GAME = game_of(WORDS, WORDS[:7])
LISTS = list(GAME.guesses), list(GAME.secrets)
STRATEGY = strategy_of(GAME)
STATED = statement_of(GAME, "total", 6, STRATEGY.total)
SWEPT = SweepQuestion.of(GAME, "minimax", "allowed", hard=False)
KINDS = ("guesses_digest", "secrets_digest")


def nearly(digest: str) -> Iterator[str]:
    """Digests of which one sign is another: at both ends, and on both sides of the middle."""
    for at in (0, 15, 16, 31, 32, 63):
        yield digest[:at] + ("0" if digest[at] != "0" else "1") + digest[at + 1 :]


def check_proof(kind: str, digest: str) -> None:
    words_of(replace(STATED, **{kind: digest}), LISTS)


def check_strategy(kind: str, digest: str) -> None:
    origin = replace(STRATEGY.origin, **{kind: digest})
    verify(replace(STRATEGY, origin=origin), *LISTS)


def check_sweep(kind: str, digest: str) -> None:
    replace(SWEPT, **{kind: digest}).same_game()


def check_text(kind: str, digest: str) -> None:
    SweepQuestion.of_text(replace(SWEPT, **{kind: digest}).to_text(), "x")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ask", "error"), [
    (check_proof, WrongProofError), (check_strategy, WrongStrategyError),
    (check_sweep, WrongInputError), (check_text, BadFileError),
])  # fmt: skip
def test_lists_have_another_digest_if_one_sign_differs(
    ask: Callable[[str, str], None], error: type[Exception], kind: str
) -> None:
    right = str(getattr(GAME, kind))
    ask(kind, right)
    for digest in nearly(right):
        refused(error, "", ask, kind, digest)


def test_a_strategy_has_another_digest_if_one_sign_differs() -> None:
    row = OpenerRow("aab", (1,), 1, STRATEGY.digest)
    for digest in nearly(STRATEGY.digest):
        lying = tree_of(STRATEGY)._replace(digest=digest)
        refused(WrongStrategyError, "its digest names", core.verify, lying, LISTS)
        refused(WrongStrategyError, "digest", row.joined, replace(row, digest=digest))


def test_the_secrets_of_a_strategy_have_another_digest_where_no_list_is_at_hand() -> None:
    assert verify(STRATEGY).lists == "list not verified"
    for digest in nearly(GAME.secrets_digest):
        origin = replace(STRATEGY.origin, secrets_digest=digest)
        refused(WrongStrategyError, "its secrets", verify, replace(STRATEGY, origin=origin))


def test_a_kept_list_is_known_by_its_whole_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "knuthle" / "lists"
    folder.mkdir(parents=True)
    (folder / "mine-allowed.txt").write_text("\n".join(GAME.guesses) + "\n")
    assert word_lists.kept_list("mine", "allowed", GAME.guesses_digest) == list(GAME.guesses)
    for digest in nearly(GAME.guesses_digest):
        assert word_lists.kept_list("mine", "allowed", digest) is None


def test_a_shipped_list_is_known_by_its_whole_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    count, right = word_lists.SHIPPED["original", "answers"]
    for digest in nearly(right):
        shipped = {("original", "answers"): (count, digest)}
        monkeypatch.setattr(word_lists, "SHIPPED", shipped)
        refused(BadFileError, "not the list that was", word_lists.shipped, "original", "answers")
