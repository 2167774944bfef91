"""Word lists: the shipped ones are the published ones; wrong files are refused by line."""

from __future__ import annotations

import hashlib
import tracemalloc
from pathlib import Path

import pytest

from solver.errors import WrongInputError
from solver.game import words
from solver.game.load import load_game
from tests.support.published import LISTS

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(("name", "part"), LISTS)
def test_shipped_lists_are_the_published_ones(name: str, part: str) -> None:
    found = words.named_list(name, part)
    assert (len(found.words), found.digest) == LISTS[name, part]
    assert list(found.words) == sorted(set(found.words))


@pytest.mark.parametrize("name", words.NAMED_LISTS)
def test_answers_may_be_guessed(name: str) -> None:
    assert set(words.named_list(name, "answers").words) <= set(
        words.named_list(name, "allowed").words
    )


def test_the_2022_list_is_the_original_without_removals() -> None:
    removed = set("agora fibre lynch pupal slave wench".split())
    original = words.named_list("original", "answers").words
    assert set(words.named_list("nyt-2022", "answers").words) == set(original) - removed


def test_files_match_their_sums() -> None:
    folder = words.data_folder()
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


def test_a_users_file_may_be_untidy(tmp_path: Path) -> None:
    path = tmp_path / "my words.txt"
    path.write_bytes("\ufeff# mine\r\nCRANE\r\n\r\n  slate # good\r\naBide".encode())
    assert words.read_words(path) == words.WordList("my words", ("abide", "crane", "slate"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("crane\nslat\n", r":2: 'slat' has 4 letters, 'crane' on line 1 has 5"),
        ("crane\nna\u00efve!\n", r":2: 'na\u00efve!' has '!', which is no letter and no digit"),
        ("crane\nx\u0303abc\n", r":2: .* has U\+0303 COMBINING TILDE, which joins no letter"),
        ("crane\nit's\n", r":2: \"it's\" has \"'\""),
        ("", r": no words in it"),
        ("# nothing\n\n", r": no words in it"),
        ("a\n", r":1: 'a' has 1 letter; words of 2 to 11 will do"),
        ("abcdefghijkl\n", r":1: .* has 12 letters"),
        ("crane slate\n", r":1: more than one word"),
    ],
)
def test_a_wrong_file_is_refused_by_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WrongInputError, match=reason):
        words.read_words(path)


def test_words_may_stand_in_a_list_more_than_once(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("crane\nslate\nCRANE # again\n\ncrane\nslate\n")
    told: list[str] = []
    assert words.read_words(path, told.append).words == ("crane", "slate")
    assert told == [
        f"{path}: in it more than once, taken once: "
        "'crane' (lines 1 and 3), 'slate' (lines 2 and 6)"
    ]
    assert words.read_words(["ab", "ba", "ab"]).words == ("ab", "ba")
    many = [f"a{letter}" for letter in "bcdefgh"]
    words.read_words([*many, *many], told.append)
    assert told[1].endswith("'af' (lines 5 and 12) and 2 more")
    words.load_lists(path, path, told.append)
    assert len(told) == 3  # one file, though it is read twice


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(WrongInputError, match="Is a directory"):
        words.read_words(tmp_path)
    (tmp_path / "binary").write_bytes(b"crane\xff\n")
    with pytest.raises(WrongInputError, match=r"binary:1: .*byte 5 is not UTF-8"):
        words.read_words(tmp_path / "binary")
    (tmp_path / "binary").write_bytes(b"crane\r\n\r\nKNUTHLE\n\xff\n")
    with pytest.raises(WrongInputError, match=r"binary:4: .*byte 17 is not UTF-8"):
        words.read_words(tmp_path / "binary")


def test_a_list_may_be_large_and_not_larger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "words").write_text("crane\nslate\n")
    monkeypatch.setattr(words, "MOST_WORDS", 2)
    assert len(words.read_words(tmp_path / "words").words) == 2
    monkeypatch.setattr(words, "MOST_WORDS", 1)
    with pytest.raises(WrongInputError, match="words:2: more than 1 words"):
        words.read_words(tmp_path / "words")


def test_empty_lines_take_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = 1 << 20
    monkeypatch.setattr(words, "LARGEST_FILE", 2 * size)  # so much is asked for, if not used
    (tmp_path / "words").write_bytes(b"\n" * size + b"crane\n")
    tracemalloc.start()
    words.read_words(tmp_path / "words")
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 5 * size


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"aahed\nKNUTHLE\n\x01S\xff", r"original-answers.txt:3: not a text file"),
        (b"aahed\naali\n", r"original-answers.txt:2: 'aali' has 4 letters"),
        (b"aahed aalii\n", r"original-answers.txt:1: more than one word"),
        (b"aahed", r"original-answers.txt: not the list that was shipped"),
        (b"", r"original-answers.txt: no words in it"),
    ],
)
def test_a_shipped_list_that_was_overwritten_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, reason: str
) -> None:
    monkeypatch.setattr(words, "data_folder", lambda: tmp_path)
    (tmp_path / "original-answers.txt").write_bytes(content)
    with pytest.raises(WrongInputError, match=reason):
        words.named_list.__wrapped__("original", "answers")


def test_a_name_that_is_too_long_is_no_list() -> None:
    with pytest.raises(WrongInputError, match="no list and no file"):
        words.load_lists("x" * 5000)


def test_a_misspelt_list_is_suggested() -> None:
    with pytest.raises(WrongInputError, match="did you mean original"):
        words.load_lists("orignal")


def test_two_letters_in_the_wrong_order_come_first() -> None:
    known = ["crane", "crone", "scrae", "zonal"]
    assert words.did_you_mean("crnae", known).startswith("; did you mean crane or ")
    assert words.did_you_mean("rcane", known, count=1) == "; did you mean crane?"
    assert words.did_you_mean("", known) == words.did_you_mean("qqq", known) == ""


def test_secrets_must_be_guesses(tmp_path: Path) -> None:
    guesses, secrets = tmp_path / "g.txt", tmp_path / "s.txt"
    guesses.write_text("crane\nslate\n")
    secrets.write_text("crane\n# no guess:\nabide\n")
    with pytest.raises(WrongInputError, match=r"s.txt:3: the secret 'abide' is no guess of list g"):
        load_game(str(guesses), str(secrets))
    secrets.write_text("cranes\n")
    with pytest.raises(WrongInputError, match="have 6 letters"):
        load_game(str(guesses), str(secrets))


def test_a_users_list_is_its_own_answers(tmp_path: Path) -> None:
    path = tmp_path / "g.txt"
    path.write_text("crane\nslate\n")
    assert load_game(str(path), "answers").secrets == ("crane", "slate")


@pytest.mark.parametrize("length", range(2, 12))
def test_every_length_from_two_to_eleven(tmp_path: Path, length: int) -> None:
    path = tmp_path / "g.txt"
    path.write_text("\n".join(letter * length for letter in "abc"))
    game = load_game(str(path), "allowed")
    assert game.length == length
    assert game.score_dtype.itemsize == (1 if length <= 5 else 2 if length <= 10 else 4)


def test_a_secrets_file_is_not_called_allowed_unless_it_is(tmp_path: Path) -> None:
    """The name stands in the strategy file, and there it means that every guess may be hidden."""
    guesses, secrets = tmp_path / "g.txt", tmp_path / "allowed.txt"
    guesses.write_text("crane\nslate\n")
    secrets.write_text("crane\n")
    with pytest.raises(WrongInputError, match="'allowed' is the name of another list"):
        load_game(str(guesses), str(secrets))
    secrets.write_text("slate\ncrane\n")
    assert load_game(str(guesses), str(secrets)).secrets == ("crane", "slate")
