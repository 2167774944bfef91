"""Word lists: the shipped ones are the published ones; wrong files are refused by line."""

import hashlib
import tracemalloc
from pathlib import Path

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.words import lists
from tests.support import refused
from tests.support.published import LISTS

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("name", "part"), LISTS)
def test_shipped_lists_are_the_published_ones(name: str, part: str) -> None:
    found = lists.named_list(name, part)
    assert (len(found.words), found.digest) == LISTS[name, part]
    assert list(found.words) == sorted(set(found.words))


def test_shipped_lists_fit_each_other() -> None:
    answers, allowed = (
        {name: set(lists.named_list(name, part).words) for name in lists.NAMED_LISTS}
        for part in ("answers", "allowed")
    )
    assert all(answers[name] <= allowed[name] for name in lists.NAMED_LISTS)
    removed = set("agora fibre lynch pupal slave wench".split())
    assert answers["nyt-2022"] == answers["original"] - removed
    folder = lists.data_folder()
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_a_users_file_may_be_untidy(tmp_path: Path) -> None:
    path = tmp_path / "my words.txt"
    path.write_bytes("\ufeff# mine\r\nCRANE\r\n\r\n  slate # good\r\naBide".encode())
    assert lists.read_words(path) == lists.WordList("my words", ("abide", "crane", "slate"))


@pytest.mark.parametrize(("text", "reason"), [
    ("crane\nslat\n", r":2: 'slat' has 4 letters, 'crane' on line 1 has 5"),
    ("crane\nna\u00efve!\n", r":2: 'na\u00efve!' has '!', which is neither a letter nor a digit"),
    ("crane\nx\u0303abc\n", r":2: .* has U\+0303 COMBINING TILDE, which fits no letter"),
    ("crane\nit's\n", r":2: \"it's\" has \"'\""), ("", r": the file has no words"),
    ("# nothing\n\n", r": the file has no words"),
    ("a\n", r":1: 'a' has 1 letter; length must be 2–11"),
    ("abcdefghijkl\n", r":1: .* has 12 letters"), ("crane slate\n", r":1: more than one word"),
])  # fmt: skip
def test_a_wrong_file_is_refused_by_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    refused(WrongInputError, reason, lists.read_words, path)


def test_words_may_stand_in_a_list_more_than_once(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("crane\nslate\nCRANE # again\n\ncrane\nslate\n")
    said: list[str] = []
    assert lists.read_words(path, said.append).words == ("crane", "slate")
    twice = "'crane' (lines 1 and 3), 'slate' (lines 2 and 6)"
    assert said == [f"{path}: repeated words count once: {twice}"]
    assert lists.read_words(["ab", "ba", "ab"]).words == ("ab", "ba")
    many = [f"a{letter}" for letter in "bcdefgh"]
    lists.read_words([*many, *many], said.append)
    assert said[1].endswith("'af' (lines 5 and 12) and 2 more")
    lists.load_lists(path, path, said.append)
    assert len(said) == 3  # one file, though it is read twice


def test_unreadable_files_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "binary"
    refused(WrongInputError, "Is a directory", lists.read_words, tmp_path)
    for content, reason in (
        (b"crane\xff\n", r"binary:1: .*byte 5 is not UTF-8"),
        (b"crane\r\n\r\nKNUTHLE\n\xff\n", r"binary:4: .*byte 17 is not UTF-8"),
    ):
        path.write_bytes(content)
        refused(WrongInputError, reason, lists.read_words, path)
    path.write_text("crane\nslate\n")
    monkeypatch.setattr(lists, "MOST_WORDS", 2)
    assert len(lists.read_words(path).words) == 2
    monkeypatch.setattr(lists, "MOST_WORDS", 1)
    refused(WrongInputError, "binary:2: more than 1 words", lists.read_words, path)


def test_empty_lines_take_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 1 << 18
    monkeypatch.setattr(lists, "LARGEST_FILE", 2 * size)  # so much is asked for, if not used
    (tmp_path / "words").write_bytes(b"\n" * size + b"crane\n")
    tracemalloc.start()
    lists.read_words(tmp_path / "words")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5 * size


@pytest.mark.parametrize(("content", "reason"), [
    (b"aahed\nKNUTHLE\n\x01S\xff", r"original-answers.txt:3: not a text file"),
    (b"aahed\naali\n", r"original-answers.txt:2: 'aali' has 4 letters"),
    (b"aahed aalii\n", r"original-answers.txt:1: more than one word"),
    (b"aahed", r"original-answers.txt: the file has been changed"),
    (b"", r"original-answers.txt: the file has no words"),
])  # fmt: skip
def test_a_shipped_list_that_was_overwritten_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, reason: str
) -> None:
    monkeypatch.setattr(lists, "data_folder", lambda: tmp_path)
    (tmp_path / "original-answers.txt").write_bytes(content)
    refused(WrongInputError, reason, lists.named_list.__wrapped__, "original", "answers")


def test_names_that_are_not_known() -> None:
    refused(WrongInputError, "there is no list or file named", lists.load_lists, "x" * 5000)
    refused(WrongInputError, "did you mean original", lists.load_lists, "orignal")
    known = ["crane", "crone", "scrae", "zonal"]
    assert lists.did_you_mean("crnae", known).startswith("; did you mean crane or ")
    assert lists.did_you_mean("rcane", known, count=1) == "; did you mean crane?"
    assert lists.did_you_mean("", known) == lists.did_you_mean("qqq", known) == ""


def test_secrets_must_be_guesses(tmp_path: Path) -> None:
    guesses, secrets, allowed = (tmp_path / f"{name}.txt" for name in ("g", "s", "allowed"))
    guesses.write_text("crane\nslate\n")
    for path, text, reason in (
        (
            secrets,
            "crane\n# no guess:\nabide\n",
            r"s.txt:3: the secret 'abide' is not a guess of list g",
        ),
        (secrets, "cranes\n", "have 6 letters"),
        # The name stands in the strategy file, and there it means that every guess may be hidden.
        (allowed, "crane\n", "'allowed' is the name of another list"),
    ):
        path.write_text(text)
        refused(WrongInputError, reason, load_game, str(guesses), str(path))
    allowed.write_text("slate\ncrane\n")
    for name in (str(allowed), "answers"):
        assert load_game(str(guesses), name).secrets == ("crane", "slate")


@pytest.mark.parametrize("length", range(2, 12))
def test_every_length_from_two_to_eleven(tmp_path: Path, length: int) -> None:
    path = tmp_path / "g.txt"
    path.write_text("\n".join(["a" * length, "b" * length, ("ab" * length)[:length]]))
    game = load_game(str(path), "allowed")
    assert game.length == length
    scores, kind = game.score_rows(), "uint8" if length <= 5 else "uint16"
    assert scores.dtype == game.score_dtype == (kind if length <= 10 else "uint32")
    assert scores.diagonal().tolist() == [game.solved] * 3
