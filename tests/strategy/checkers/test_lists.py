"""The trusted checker compares and reads lists of words: quick enough for mutants."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.words.lists import NAMED_LISTS, kept_folder, named_list
from strategy.checkers import lists as word_lists
from strategy.checkers import referee
from strategy.errors import BadFileError, WrongStrategyError
from strategy.files import strategy_file
from strategy.files.draft import Draft, Spelling
from strategy.tree import Strategy
from tests.support import refused
from tests.support.proof_worlds import strategy_of
from tests.support.worlds import game_of

pytestmark = pytest.mark.plain

WORDS = ["aab", "abb", "abc", "acb", "bab", "bca", "cab", "cba", "ccb", "bbc"]
GAME = game_of(WORDS, WORDS[:7])
GUESSES, SECRETS = list(GAME.guesses), list(GAME.secrets)


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of kept lists, with those of the game."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    folder = tmp_path / "knuthle" / "lists"
    folder.mkdir(parents=True)
    for name, words in (("mine-allowed", GUESSES), ("mine-answers", SECRETS)):
        (folder / f"{name}.txt").write_text("\n".join(words) + "\n")
    (folder / "alone-allowed.txt").write_text("ab\ncd")
    return folder


def headed(**changes: Any) -> Strategy:
    """A strategy of the game with another head."""
    strategy = strategy_of(GAME)
    return replace(strategy, origin=replace(strategy.origin, **changes))


def drafted(words: Sequence[str], game: str = "wordle") -> Draft:
    """The same as a file of somebody else, which solves these words."""
    draft = Draft("games", Spelling("f", game))
    draft.spelling.length = len(words[0])
    for at, word in enumerate(words):
        draft.end(draft.add(0 if at else -1, at, word, 1), 1)
    return draft


def test_lists_are_compared() -> None:
    strategy = strategy_of(GAME)
    guesses, secrets = GAME.guesses, GAME.secrets
    assert referee.verify(strategy).lists == "list not verified"
    assert referee.verify(strategy, guesses).lists == "list not verified"
    assert referee.verify(strategy, None, secrets).lists == "list not verified"
    assert referee.verify(strategy, guesses[::-1], secrets[::-1]).lists == "lists as given"
    for wrong in (
        (guesses[1:], secrets), (guesses, secrets[1:]), ((*guesses, "zzz"), secrets),
        (("zzz", *guesses[1:]), secrets), (None, ("zzz", *secrets[1:])), (guesses, guesses),
    ):  # fmt: skip
        refused(WrongStrategyError, "another list", referee.verify, strategy, *wrong)
    refused(WrongStrategyError, "digest names", referee.verify, strategy, digest="0" * 64)
    everything = game_of(WORDS)
    named = replace(everything, secrets_name="allowed")
    assert referee.verify(strategy_of(named), guesses).lists == "lists as given"
    with pytest.raises(WrongStrategyError, match="another list: 10 secrets"):
        referee.verify(strategy_of(named), guesses, guesses[1:])
    for count in (9, 11):
        wrong = headed(guesses=count), guesses, secrets
        refused(WrongStrategyError, "another list", referee.verify, *wrong)
    lying = headed(secrets_digest="0" * 64)
    refused(WrongStrategyError, "not the list that its head names", referee.verify, lying)
    other = strategy_of(GAME, start="bbc")
    digest = word_lists.words_digest(secrets)
    foreign = replace(other.origin, guesses_digest=digest, guesses=len(secrets))
    with pytest.raises(WrongStrategyError, match="is no guess of the list"):
        referee.verify(replace(other, origin=foreign), secrets, secrets)


def test_a_named_list_is_compared_with_what_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ({"list_name": "original"}, {"list_name": "nyt-2022", "secrets_name": "answers"}):
        refused(WrongStrategyError, "another list: 10 guesses", referee.verify, headed(**wrong))
    lists = {("mine", "allowed"): GAME.guesses, ("mine", "answers"): GAME.secrets}
    monkeypatch.setattr(word_lists, "shipped", lambda *name: lists.get(name))
    whole, part = headed(list_name="mine", secrets_name="answers"), headed(list_name="mine")
    assert referee.verify(whole).lists == "list mine as shipped"
    both = referee.verify(whole, GAME.guesses, GAME.secrets)
    assert both.lists == "list mine as shipped, lists as given"
    assert referee.verify(part).lists == "list not verified"
    for name, words in lists.items():
        other = lists | {name: (*words[1:], "zzz")}
        monkeypatch.setattr(word_lists, "shipped", lambda *name, other=other: other.get(name))
        refused(WrongStrategyError, "another list", referee.verify, whole)


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
    draft = drafted(codes, "mastermind")
    assert word_lists.of_draft(draft).game == game
    draft.says_all_ends = False
    refused(BadFileError, "say --game", word_lists.of_draft, draft)
    draft.says_all_ends = True
    draft.named.remove(codes[0])
    refused(BadFileError, "say --game", word_lists.of_draft, draft)
    assert word_lists.of_draft(draft, None, "allowed", game).secrets == codes


def test_boards_that_can_be_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    draft = drafted(["1"], "mastermind")
    for asked in ((["1"],), (None, "answers")):
        refused(BadFileError, "all its codes", word_lists.of_draft, draft, *asked, "mastermind:1x2")
    monkeypatch.setattr(word_lists, "MOST_WORDS", 36)
    for board, count in (("1x36", 36), ("3x1", 1)):
        found = word_lists.of_draft(draft, game=f"mastermind:{board}")
        assert len(found.secrets) == count
    for board in ("1x37", "6x2", "3x2:distinct"):
        refused(BadFileError, "1 to 36", word_lists.of_draft, draft, game=f"mastermind:{board}")
    monkeypatch.setattr(word_lists, "MOST_WORDS", 37)
    refused(BadFileError, "1 to 37", word_lists.of_draft, draft, game="mastermind:1x37")
    refused(BadFileError, "is no peg", word_lists.of_draft, drafted(["1", "\u00e4"], "mastermind"))


def test_solved_counts_are_those_of_the_head() -> None:
    strategy = strategy_of(GAME)
    for step in (-1, 1):
        body = strategy_file.to_body(strategy.contents)
        body["origin"] = body["origin"] | {"secrets": len(GAME.secrets) + step}
        with pytest.raises(BadFileError, match="it solves 7 secrets; its head says"):
            strategy_file.from_body(body, "a file")


# --- kept lists, given ones, named ones --------------------------------------------------------
@pytest.mark.parametrize(("name", "part", "content", "digest"), [
    ("mine", "other", b"ab", ""), ("a\u200bb", "allowed", b"ab", ""),
    ("mine", "allowed", b"ab", "0" * 64), ("mine", "allowed", b"", ""),
    ("mine", "allowed", b"a-b", ""), ("mine", "allowed", b"ab\xff", ""),
])  # fmt: skip
def test_what_is_no_kept_list(
    kept: Path, name: str, part: str, content: bytes, digest: str
) -> None:
    (kept / f"{name}-{part}.txt").write_bytes(content)
    assert word_lists.kept_list(name, part, digest) is None


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
    whole = headed(list_name="mine", secrets_name="answers")
    assert referee.verify(whole).lists == "list mine as kept here"
    assert referee.verify(headed(list_name="none")).lists == "list not verified"
    lying = headed(list_name="mine", secrets_name="allowed")
    refused(WrongStrategyError, "another list: 7 secrets", referee.verify, lying)


def test_lists_that_are_given(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("cd\nab\n")
    for asked, found in (
        ((None, None), (None, None)),
        ((None, "answers"), (None, word_lists.shipped("original", "answers"))),
        ((["BA ", "ab", "ba"], None), (["ab", "ba"], None)),
        ((None, "allowed", "mine"), (None, GUESSES)), ((None, "answers", "mine"), (None, SECRETS)),
        ((None, "answers", "alone"), (None, ["ab", "cd"])),
        (("mine", "allowed"), (GUESSES, GUESSES)), (("mine", "answers"), (GUESSES, SECRETS)),
        ((WORDS, "answers"), (GUESSES, GUESSES)), ((WORDS, ["abc"]), (GUESSES, ["abc"])),
        ((tmp_path / "list", str(tmp_path / "list")), (["ab", "cd"], ["ab", "cd"])),
    ):  # fmt: skip
        assert word_lists.given_lists(*asked) == found


def test_what_a_strategy_is_checked_by(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part, other = GUESSES[:9], [word.upper() for word in SECRETS]
    mine = {"list_name": "mine", "secrets_name": "answers"}
    lists = {("mine", "allowed"): part, ("mine", "answers"): other}
    for names, asked, found in (
        (mine, (None, None), (GUESSES, SECRETS)), (mine, (part, None), (part, SECRETS)),
        (mine, (part, other), (part, other)), (mine, ([], []), (None, SECRETS)),
        (mine, (["ab"], ["ab"]), (None, SECRETS)),
        (mine | {"secrets_name": "allowed"}, (part, None), (part, part)),
        (mine | {"secrets_name": "allowed"}, (part, other), (part, other)),
        (mine | {"guesses_digest": "0" * 64}, (None, None), (None, SECRETS)),
        ({"list_name": "original", "secrets_name": "answers"}, (None, None), (None, SECRETS)),
    ):  # fmt: skip
        by = word_lists.of_strategy(headed(**names), *asked)
        assert (by.guesses, list(by.secrets)) == found
    monkeypatch.setattr(word_lists, "shipped", lambda *name: lists.get(name))
    by = word_lists.of_strategy(headed(**mine), None, None)
    assert (by.guesses, by.secrets) == (part, other)
    refused(AttributeError, "", setattr, by, "name", "other")


def test_what_a_file_of_others_is_checked_by(kept: Path) -> None:
    (kept / "mine.2-allowed.txt").write_text("\n".join(GUESSES))
    draft = drafted(SECRETS)
    for asked, names in (
        (["mine"], ("mine", "answers")), (["mine.2"], ("mine.2", "allowed")),
        (["mine", "allowed"], ("mine", "allowed")), ([WORDS, SECRETS], ("words", "words")),
        ([kept / "mine-allowed.txt", SECRETS], ("mine-allowed", "words")),
    ):  # fmt: skip
        found = word_lists.of_draft(draft, *asked)
        assert (found.name, found.part, found.guesses) == (*names, GUESSES)
    long = "a" * 12
    refused(BadFileError, "is no word of wordle", word_lists.of_draft, drafted([long]), [long])
    (kept / "a\u200bb").write_text("abc")
    refused(BadFileError, "cannot be the name", word_lists.of_draft, draft, kept / "a\u200bb")


def test_a_file_of_others_names_a_list_or_resembles_one(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = {
        ("original", "allowed"): GUESSES, ("original", "answers"): SECRETS,
        ("mine", "allowed"): GUESSES, ("mine", "answers"): SECRETS[:2],
        ("half", "answers"): SECRETS, ("short", "allowed"): ["ab"], ("short", "answers"): ["ab"],
    }  # fmt: skip
    monkeypatch.setattr(word_lists, "shipped", lambda *name: lists.get(name))
    usual, own = ("original", "answers"), ("words", "words")
    for words, solved, named, names in (
        (SECRETS, SECRETS, ("mine", "answers"), ("mine", "answers")),
        (SECRETS, SECRETS, ("mine", "other"), usual),
        (SECRETS, SECRETS, ("half", "answers"), usual),
        (SECRETS, SECRETS, ("short", "answers"), usual),
        (GUESSES, GUESSES, own, ("original", "allowed")),
        (["xxx", "yyy", "zzz"], SECRETS, own, usual), (SECRETS, ["xxx", "yyy", "zzz"], own, own),
        (SECRETS, [*SECRETS[:3], "xxx", "yyy"], own, usual),
        (SECRETS, [*SECRETS[:3], "xxx", "yyy", "zzz"], own, own),
    ):  # fmt: skip
        draft = drafted(words)
        draft.named, (draft.list_name, draft.secrets_name) = set(solved), named
        found = word_lists.of_draft(draft)
        assert (found.name, found.part) == names


# --- words -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("words", "game", "fits"), [
    (["ab", "cd"], "wordle", True), (["a" * 11], "wordle", True), (["az" * 5], "wordle", True),
    (["a" * 12], "wordle", False), (["a"], "wordle", False), (["a1"], "wordle", True),
    (["\u00e41", "\u05d01"], "wordle", True), (["\u00c41"], "wordle", False),
    (["a\u0308"], "wordle", False), (["\u03b1\u03c2"], "wordle", False),
    (["a\u00bd"], "wordle", False),
    ([chr(0x4E00 + at) * 2 for at in range(64)], "wordle", True),
    ([chr(0x4E00 + at) * 2 for at in range(65)], "wordle", False),
    (["ab", "abc"], "wordle", False), (["abc", "ab"], "wordle", False), (["ab\n"], "wordle", False),
    (["1"], "mastermind:1x4", True), (["0z9a"], "mastermind:4x36", True),
    (["1" * 16], "mastermind:16x2", True), (["1" * 17], "mastermind:17x2", False),
    (["A1"], "mastermind:2x2", False), ([""], "mastermind:2x2", False), ([], "wordle", True),
])  # fmt: skip
def test_words_of_a_game(words: list[str], game: str, fits: bool) -> None:
    if fits:
        word_lists.check_words(words, game)
    else:
        refused(BadFileError, "", word_lists.check_words, words, game)


def test_the_first_word_is_the_measure() -> None:
    refused(BadFileError, "'abc' is not .* before it: 2", word_lists.check_words, ["ab", "abc"])


@pytest.mark.parametrize("where", ["words", "guesses", "secrets"])
def test_the_words_of_a_strategy_are_looked_at(where: str) -> None:
    strategy = strategy_of(GAME)
    wrong = ("a-b", *GAME.guesses)
    with pytest.raises(BadFileError, match="'a-b' is no word of wordle"):
        if where == "words":
            referee.verify(replace(strategy, words=wrong))
        else:
            referee.verify(strategy, **{where: wrong})


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


def test_only_shipped_lists_have_their_names() -> None:
    assert len(word_lists.shipped("original", "answers") or ()) == 2315
    for name, part in (
        ("original", "other"), ("../words/original", "answers"), ("nyt", "2022-answers"),
        ("none", "allowed"),
    ):  # fmt: skip
        assert word_lists.shipped(name, part) is None


@pytest.mark.parametrize("change", [(-1, ""), (1, ""), (0, "0")])
def test_a_shipped_list_is_the_one_that_was_shipped(
    monkeypatch: pytest.MonkeyPatch, change: tuple[int, str]
) -> None:
    count, digest = word_lists.SHIPPED["original", "answers"]
    meant = {("original", "answers"): (count + change[0], digest + change[1])}
    monkeypatch.setattr(word_lists, "SHIPPED", meant)
    with pytest.raises(BadFileError, match="not the list that was shipped"):
        word_lists.shipped("original", "answers")


def test_the_checkers_and_the_games_have_the_same_shipped_lists() -> None:
    for (name, part), (count, digest) in word_lists.SHIPPED.items():
        found = named_list(name, part)
        assert (len(found.words), found.digest) == (count, digest)
    assert {name for name, _ in word_lists.SHIPPED} == set(NAMED_LISTS) == set(word_lists.NAMED)


@given(st.text(alphabet="aB1 #\n\r\ufeff\u00e4", max_size=24))
def test_a_plain_list_is_read_as_any_other(text: str) -> None:
    content = text.encode()
    words = word_lists._plain_words(content)
    assert not words or words == word_lists._read_lines(content, "list")
