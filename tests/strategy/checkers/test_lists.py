"""The trusted checker compares and reads lists of words, and digests as a whole."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.tree import Tree
from solver.words.lists import NAMED_LISTS, kept_folder, named_list
from strategy.checkers import lists as word_lists
from strategy.checkers import verify
from strategy.checkers.proof import WrongProofError, words_of
from strategy.errors import BadFileError, WrongStrategyError
from strategy.files import strategy_file
from strategy.files.strategy_file import Origin, tree_of
from strategy.foreign.reference_lists import NAMED
from strategy.proofs.writer import statement_of
from strategy.sweep.question import SweepQuestion
from strategy.sweep.rows import OpenerRow
from strategy.tree import Strategy
from strategy.verification import verify as verify_file
from tests.support import refused
from tests.support.alphabets import words_in
from tests.support.kept_lists import GAME, WORDS, kept
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of

__all__ = ["kept"]
pytestmark = pytest.mark.plain


def headed(**changes: Any) -> verify.Tree:
    """A strategy of the game with another head."""
    tree = tree_of(strategy_of(GAME))
    return tree._replace(head=tree.head | changes)


def compared(tree: verify.Tree, *given: Sequence[str] | None) -> str:
    """With which lists a strategy was compared."""
    return verify.verify(tree, given or (None, None))[1]


def test_lists_are_compared() -> None:
    tree, (guesses, secrets) = headed(), (GAME.guesses, GAME.secrets)
    for given in ((None, None), (guesses, None), (None, secrets)):
        assert compared(tree, *given) == "list not verified"
    assert compared(tree, guesses[::-1], secrets[::-1]) == "lists as given"
    for wrong in (
        (guesses[1:], secrets), (guesses, secrets[1:]), ((*guesses, "zzz"), secrets),
        (("zzz", *guesses[1:]), secrets), (None, ("zzz", *secrets[1:])), (guesses, guesses),
    ):  # fmt: skip
        refused(WrongStrategyError, "another list", compared, tree, *wrong)
    refused(WrongStrategyError, "digest names", compared, tree._replace(digest="0" * 64))
    named = tree_of(strategy_of(replace(game_of(WORDS), secrets_name="allowed")))
    assert compared(named, guesses, None) == "lists as given"
    said = "another list: its secrets are not those of lists as given"
    refused(WrongStrategyError, said, compared, named, guesses, guesses[1:])
    for count in (9, 11):
        refused(WrongStrategyError, "another list", compared, headed(guesses=count), guesses, None)
    lying = headed(secrets_digest="0" * 64)
    refused(WrongStrategyError, "secrets are not those of its head", compared, lying)
    other = tree_of(strategy_of(GAME, start="bbc"))
    digest = word_lists.words_digest(secrets)
    foreign = other._replace(head=other.head | {"guesses_digest": digest, "guesses": len(secrets)})
    refused(WrongStrategyError, "a guess is none of lists as", compared, foreign, secrets, secrets)
    body = strategy_file.to_body(strategy_of(GAME))
    for count in (len(secrets) - 1, len(secrets) + 1):
        miscounted = body | {"origin": body["origin"] | {"secrets": count}}
        refused(BadFileError, "another number of secrets", verify.read_tree, miscounted)


def test_a_named_list_is_compared_with_what_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"list_name": "original"}, {"list_name": "nyt-2022", "secrets_name": "answers"}):
        said = f"another list: its guesses are not those of list {wrong['list_name']} as shipped"
        refused(WrongStrategyError, said, compared, headed(**wrong))
    lists = {("mine", "allowed"): GAME.guesses, ("mine", "answers"): GAME.secrets}
    monkeypatch.setattr(word_lists, "shipped", lambda *name: lists.get(name))
    whole, part = headed(list_name="mine", secrets_name="answers"), headed(list_name="mine")
    assert compared(whole) == "list mine as shipped"
    assert compared(whole, GAME.guesses, GAME.secrets) == "list mine as shipped, lists as given"
    assert compared(part) == "list not verified"
    for name, words in lists.items():
        other = lists | {name: (*words[1:], "zzz")}
        monkeypatch.setattr(word_lists, "shipped", lambda *name, other=other: other.get(name))
        refused(WrongStrategyError, "another list", compared, whole)


@pytest.mark.parametrize(("game", "first", "last", "count"), [
    ("mastermind:2x3", "11", "33", 9), ("mastermind:2x3:distinct", "12", "32", 6),
    ("mastermind:1x9", "1", "9", 9), ("mastermind:1x10", "0", "9", 10),
    ("mastermind:2x12", "00", "bb", 144),
])  # fmt: skip
def test_codes_of_a_board(game: str, first: str, last: str, count: int) -> None:
    codes = word_lists.board_codes(game, count)
    assert (codes[0], codes[-1], len(codes)) == (first, last, count)
    assert codes == sorted(set(codes))
    for wrong in (count - 1, count + 1):
        refused(WrongStrategyError, "does not have", word_lists.board_codes, game, wrong)


# --- kept lists, given ones, named ones --------------------------------------------------------
@pytest.mark.parametrize(("name", "part", "content", "digest"), [
    ("mine", "other", b"ab", ""), ("a\u200bb", "allowed", b"ab", ""),
    ("mine", "allowed", b"ab", "0" * 64), ("mine", "allowed", b"", ""),
    ("mine", "allowed", b"a-b", ""), ("mine", "allowed", b"ab\xff", ""),
])  # fmt: skip
def test_no_kept_list(kept: Path, name: str, part: str, content: bytes, digest: str) -> None:
    (kept / f"{name}-{part}.txt").write_bytes(content)
    assert word_lists.kept_list(name, part, digest) is None


def test_what_a_name_says_of_lists_that_are_not_known(tmp_path: Path) -> None:
    """It is refused, and does not count as nothing asked."""
    strategy_of(GAME).save(tmp_path / "a")
    for part in ("answers", "allowed"):
        reason = "is no list that is known"
        refused(BadFileError, reason, verify_file, tmp_path / "a", secrets=part)


def test_where_lists_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, local = Path("~/.local/share").expanduser(), str(tmp_path / "local")
    for data, platform, windows, folder in (
        (str(tmp_path), "win32", local, tmp_path), ("near", "linux", local, home),
        ("", "win32", "", home), ("", "win32", local, Path(local)),
    ):  # fmt: skip
        monkeypatch.setenv("XDG_DATA_HOME", data)
        monkeypatch.setenv("LOCALAPPDATA", windows)
        monkeypatch.setattr(sys, "platform", platform)
        assert word_lists._kept_folder() == kept_folder() == folder / "knuthle" / "lists"


def test_a_strategy_is_compared_with_kept_lists(kept: Path) -> None:
    mine = {"list_name": "mine"}
    whole = headed(**mine, secrets_name="answers")
    assert compared(whole) == "list mine as kept here"
    assert compared(headed(list_name="none")) == "list not verified"
    lying = headed(**mine, secrets_name="allowed")
    refused(WrongStrategyError, "secrets", compared, lying)
    for part in ("answers", "allowed"):
        (kept / f"mine-{part}.txt").write_text("abc\nbca\n")
        assert compared(whole) == "list not verified", "another list under the same name"
    words = sorted(words_in("joining"))  # they make a letter where they meet
    (kept / "mine-allowed.txt").write_text("\n".join(words), encoding="utf-8")
    assert word_lists.kept_list("mine", "allowed") == words


# --- words -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("words", "game", "fits"), [
    (["ab", "cd"], "wordle", True), (["a" * 11], "wordle", True), (["az" * 5], "wordle", True),
    (["a" * 12], "wordle", False), (["a"], "wordle", False), (["a1"], "wordle", True),
    (["\u00e41", "\u05d01"], "wordle", True), (["\u00c41"], "wordle", False),
    (["a\u0308"], "wordle", False), (["\u03b1\u03c2"], "wordle", False),
    (["a\u00bd"], "wordle", False), ([chr(0x4E00 + at) * 2 for at in range(64)], "wordle", True),
    ([chr(0x4E00 + at) * 2 for at in range(65)], "wordle", False),
    (["ab", "abc"], "wordle", "'abc' is not .* before it: 2"),
    (["abc", "ab"], "wordle", False), (["ab\n"], "wordle", False), (["1"], "mastermind:1x4", True),
    (["0z9a"], "mastermind:4x36", True), (["1" * 16], "mastermind:16x2", True),
    (["1" * 17], "mastermind:17x2", False), (["A1"], "mastermind:2x2", False),
    ([""], "mastermind:2x2", False), ([], "wordle", True),
])  # fmt: skip
def test_words_of_a_game(words: list[str], game: str, fits: bool | str) -> None:
    """What does not fit is refused, and sometimes it matters with which words."""
    if fits is True:
        word_lists.check_words(words, game)
    else:
        refused(BadFileError, fits or "", word_lists.check_words, words, game)


def test_the_words_of_a_strategy_are_looked_at() -> None:
    codes = load_game(spec="mastermind:1x2")
    grown = Tree.of([0, 1], [-1, 0], [-1, 0])
    tree = tree_of(Strategy.of_tree(codes, Origin.of(codes, "x", ("1",)), grown))
    assert compared(tree) == "all codes of mastermind:1x2"
    wrong = tree._replace(words=("1", "\u00e4"))
    digest = word_lists.words_digest(wrong.words)
    wrong = wrong._replace(head=wrong.head | dict.fromkeys(verify.DIGESTS, digest))
    refused(BadFileError, "'\u00e4' is no word of mastermind", compared, wrong)


def test_a_list_is_read_to_its_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "list"
    monkeypatch.setattr(word_lists, "_LARGEST_LIST", 19)
    for content in (b"ab\ncd\nef\n", b"AB # x\n\ncd\nab\nAB\nef"):
        path.write_bytes(content)
        monkeypatch.setattr(word_lists, "MOST_WORDS", 3)
        assert word_lists.read_list(str(path)) == ["ab", "cd", "ef"]
        monkeypatch.setattr(word_lists, "MOST_WORDS", 2)
        refused(BadFileError, "more than 2 words", word_lists.read_list, str(path))
    monkeypatch.setattr(word_lists, "_LARGEST_LIST", 18)
    refused(BadFileError, "more than 18 bytes", word_lists.read_list, str(path))
    for content, reason in (
        (b"ab\nabc", ":2: 'abc' is not as long"), (b"a" * 18 + b"\xff", "more than"),
        (b"a\n\xff", r":2: not a text file \(byte 2 is not UTF-8\)"), (b"\n\xff", ":2: not a text"),
        (b"a b", ":1: 'a b' is no word"), ("q\u0308b".encode(), ":1: 'q.*b' is no word"),
        ("ka\n\u00bdz".encode(), ":2: '\u00bdz' is no word"),
    ):  # fmt: skip
        path.write_bytes(content)
        refused(BadFileError, reason, word_lists.read_list, str(path))
    monkeypatch.setattr(word_lists, "_LARGEST_LIST", 100)
    for sign in (b"a", b"A"):
        path.write_bytes(sign * 16)
        assert word_lists.read_list(str(path)) == ["a" * 16]
        path.write_bytes(sign * 17)
        refused(BadFileError, "is no word", word_lists.read_list, str(path))


def test_the_checkers_and_the_games_have_the_same_shipped_lists() -> None:
    """And no others have their names."""
    for (name, part), (count, digest) in word_lists.SHIPPED.items():
        found = named_list(name, part)
        assert (len(found.words), found.digest) == (count, digest)
    assert {name for name, _ in word_lists.SHIPPED} == set(NAMED_LISTS) == set(NAMED)
    assert len(word_lists.shipped("original", "answers") or ()) == 2315
    for name, part in (
        ("original", "other"), ("../words/original", "answers"), ("nyt", "2022-answers"),
        ("none", "allowed"),
    ):  # fmt: skip
        assert word_lists.shipped(name, part) is None


# --- digests, of which one sign is another ----------------------------------------------------
LISTS = list(GAME.guesses), list(GAME.secrets)
STRATEGY = strategy_of(GAME)
STATED = statement_of(GAME, "total", 6, STRATEGY.total)
SWEPT = SweepQuestion.of(GAME, "minimax", "allowed", hard=False)
KINDS = ("guesses_digest", "secrets_digest")


def nearly(digest: str) -> Iterator[str]:
    """Digests of which one sign is another: at both ends, and on both sides of the middle."""
    for at in (0, 15, 16, 31, 32, 63):
        yield digest[:at] + ("0" if digest[at] != "0" else "1") + digest[at + 1 :]


ASKED: list[tuple[Callable[[dict[str, Any]], object], type[Exception]]] = [
    (lambda it: words_of(replace(STATED, **it), LISTS), WrongProofError),
    (lambda it: verify_file(replace(STRATEGY, origin=replace(STRATEGY.origin, **it)), *LISTS),
     WrongStrategyError),
    (lambda it: replace(SWEPT, **it).same_game(), WrongInputError),
    (lambda it: SweepQuestion.of_text(replace(SWEPT, **it).to_text(), "x"), BadFileError),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("ask", "error"), ASKED)
def test_lists_have_another_digest_if_one_sign_differs(
    ask: Callable[[dict[str, Any]], object], error: type[Exception], kind: str
) -> None:
    right = str(getattr(GAME, kind))
    ask({kind: right})
    for digest in nearly(right):
        refused(error, "", ask, {kind: digest})


def test_a_strategy_has_another_digest_if_one_sign_differs() -> None:
    """So have its secrets where no list is at hand."""
    row = OpenerRow("aab", (1,), 1, STRATEGY.digest)
    for digest in nearly(STRATEGY.digest):
        lying = tree_of(STRATEGY)._replace(digest=digest)
        refused(WrongStrategyError, "its digest names", verify.verify, lying, LISTS)
        refused(WrongStrategyError, "digest", row.joined, replace(row, digest=digest))
    assert verify_file(STRATEGY).lists == "list not verified"
    for digest in nearly(GAME.secrets_digest):
        origin = replace(STRATEGY.origin, secrets_digest=digest)
        refused(WrongStrategyError, "its secrets", verify_file, replace(STRATEGY, origin=origin))


@pytest.mark.usefixtures("kept")
def test_lists_are_known_by_their_whole_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are kept, and those that are shipped; these by their number of words, too."""
    assert word_lists.kept_list("mine", "allowed", GAME.guesses_digest) == list(GAME.guesses)
    for digest in nearly(GAME.guesses_digest):
        assert word_lists.kept_list("mine", "allowed", digest) is None
    name = "original", "answers"
    count, right = word_lists.SHIPPED[name]
    others = [(count, digest) for digest in (*nearly(right), f"{right}0")]
    for meant in (*others, (count - 1, right), (count + 1, right)):
        monkeypatch.setattr(word_lists, "SHIPPED", {name: meant})
        refused(BadFileError, "not the list that was shipped", word_lists.shipped, *name)
