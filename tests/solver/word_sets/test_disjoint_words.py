"""Sets of words with no letter twice: against a plain-Python search, and the known counts."""

import io
import json
import os
import random
import re
import string
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine import vectors
from solver.machine.jit import kernel
from solver.word_sets import disjoint_search, disjoint_words
from solver.word_sets.disjoint_words import WordSets, find_sets, read_dictionaries
from solver.words.lists import named_list
from tests.support import refused
from tests.support.commands import Knuthle, report_of
from tests.support.naive import Sets, exact_cover, without_anagrams

INSANE = Path("/usr/share/dict/american-english-insane")
ORIGINAL = named_list("original", "allowed").words


def as_sets(found: WordSets) -> Sets:
    sets = {frozenset(words) for words in found.sets}
    assert len(sets) == len(found.sets), "a set is there twice"
    return sets


def check_sets(words: Sequence[str], count: int) -> None:
    """What is found, with anagrams and without, is what the slow search finds."""
    slow = exact_cover(words, count)
    assert as_sets(find_sets(words, count, anagrams=True)) == slow
    assert as_sets(find_sets(words, count)) == without_anagrams(slow, words)


def large_list() -> tuple[str, ...]:
    """The lower-case words of the largest list that a Linux distribution carries."""
    if not INSANE.exists():
        reason = f"{INSANE} is not there (Debian package wamerican-insane)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return tuple(re.findall(r"^[a-z]{5}$", INSANE.read_text(), re.MULTILINE))


@pytest.mark.parametrize("name", ["original", "nyt-2022"])
def test_published_counts(name: str) -> None:
    words = named_list(name, "allowed").words
    assert len(find_sets(words).sets) == 10 and len(find_sets(words, anagrams=True).sets) == 11


@pytest.mark.slow
def test_the_whole_list_against_exact_cover() -> None:
    assert find_sets(named_list("original", "answers").words).sets == ()
    check_sets(ORIGINAL, 5)


def test_large_list_counts() -> None:
    words = large_list()
    found = find_sets(words, anagrams=True)
    assert (len(words), len(find_sets(words).sets), len(found.sets)) == (17_458, 493, 682)
    assert all(len(set("".join(chosen))) == 25 for chosen in found.sets)


@pytest.mark.long
def test_large_list_against_exact_cover() -> None:
    check_sets(large_list(), 5)


def test_the_hitting_set_is_found_not_given() -> None:
    """English words are hit by the vowels; with the letters renamed it is what they became."""
    assert set(find_sets(ORIGINAL).hitting_set) == set("aeiou")
    letters = list(string.ascii_lowercase)
    random.Random(5).shuffle(letters)
    rename = str.maketrans(string.ascii_lowercase, "".join(letters))
    renamed = find_sets([word.translate(rename) for word in ORIGINAL])
    assert set(renamed.hitting_set) == set("aeiou".translate(rename)) and len(renamed.sets) == 10


@st.composite
def lists_of_words(draw: st.DrawFn) -> list[str]:
    """Words of one length over a small alphabet: many sets, repeats, anagrams, repeated letters."""
    alphabet = draw(st.sampled_from(["abcdef", "abcdefgh", "etaoinshrd", "aàbßcдe日fغ", "ABcd"]))
    length = draw(st.integers(1, 4))
    word = st.text(alphabet, min_size=length, max_size=length)
    return draw(st.lists(word, min_size=1, max_size=30))


@pytest.mark.plain
@given(lists_of_words(), st.integers(1, 5))
def test_random_lists(words: list[str], count: int) -> None:
    check_sets(words, count)


@given(st.integers(0, 2**32), st.integers(100, 3000))
def test_random_parts_of_the_list(seed: int, size: int) -> None:
    """Sub-lists in random order, with a few sets planted so that there is something to find."""
    draw = random.Random(seed)
    words = draw.sample(ORIGINAL, size)
    for chosen in draw.sample(find_sets(ORIGINAL).sets, 2):
        words += [word for word in chosen if word not in words]
    draw.shuffle(words)
    check_sets(words, 5)


@pytest.mark.parametrize(("count", "length", "stems"), [(4, 6, 3000), (3, 8, 6000), (6, 4, 250)])
def test_other_shapes(count: int, length: int, stems: int) -> None:
    """Made-up words: pieces of the real ones, joined and cut to length."""
    draw = random.Random(count)
    words = {(draw.choice(ORIGINAL) + draw.choice(ORIGINAL))[:length] for _ in range(stems)}
    check_sets(sorted(words), count)


@pytest.mark.plain
@given(lists_of_words(), st.integers(1, 4), st.integers(0, 8), st.randoms())
def test_any_plan(words: list[str], count: int, n_hitting: int, draw: random.Random) -> None:
    """Order of letters and hitting set only steer: with random ones the result is the same."""
    text = disjoint_words._encode(words)
    places = list(range(len(text.letters)))
    draw.shuffle(places)
    bits = np.zeros(64, dtype=np.uint64)
    for code, place in zip(text.letters, places, strict=True):
        bits[code] = 1 << place
    n_hitting = min(n_hitting, len(places))
    masks, firsts = disjoint_search.collect_masks(*text[:3], bits)
    shelved = disjoint_search.shelve_masks(masks, firsts, len(places), n_hitting)
    shelves = disjoint_search.Shelves(*shelved)
    spare = len(places) - count * text.length
    found, _ = disjoint_words._find_all(shelves, len(places), n_hitting, count, spare)
    sets = {frozenset(words[at] for at in row) for row in found.tolist()}
    assert len(sets) == len(found) and sets == without_anagrams(exact_cover(words, count), words)


@pytest.mark.plain
def test_word_lengths_and_letters() -> None:
    """One bit a letter, to the last bit."""
    letters = [chr(0x4E00 + place) for place in range(64)]
    assert find_sets(letters, 64).sets == (tuple(letters),)
    halves = ["".join(letters[:32]), "".join(letters[32:]), letters[63] * 32]
    assert find_sets(halves, 2).sets == (tuple(halves[:2]),)
    refused(WrongInputError, "65 different letters", find_sets, [*letters, "a"], 2)
    for words in (["abc", "abcd"], ["ab", "c", "def"], [""], ["é", ""]):
        refused(WrongInputError, "the same length", find_sets, words)
    assert find_sets([]).sets == ()


def test_portions_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that stops after every set and goes on finds the same."""
    whole = find_sets(ORIGINAL)
    monkeypatch.setattr(disjoint_words, "_BATCH", 1)
    assert find_sets(ORIGINAL) == whole
    monkeypatch.undo()
    monkeypatch.setattr(disjoint_words, "MOST_SETS", 9)
    refused(CouldNotFinishError, "more than 9 sets", find_sets, ORIGINAL)


@kernel
def _vector_steps(masks: np.ndarray, start: int, taken: np.uint64) -> tuple[int, int, int]:  # type: ignore[type-arg]
    found = vectors.disjoint(masks, start, taken)
    return found, vectors.first_bit(taken), vectors.bit_count(taken)


NUMBERS = st.integers(0, 2**64 - 1)


@given(st.lists(NUMBERS, min_size=20, max_size=20), st.integers(0, 4), st.integers(0, 63), NUMBERS)
def test_vector_steps(values: list[int], start: int, place: int, others: int) -> None:
    masks = np.array(values, dtype=np.uint64)
    for taken in (np.uint64(1 << place), np.uint64(others | 1 << place)):
        plain = vectors.disjoint_plain(masks, start, taken)
        counted = vectors.first_bit_plain(taken), vectors.bit_count_plain(taken)
        assert _vector_steps(masks, start, taken) == (plain, *counted)


def test_reader(tmp_path: Path) -> None:
    one = tmp_path / "one.txt"
    one.write_bytes("\ufeffCrane\r\n\r\n  slate \r\ncafés\r\ncafe\u0301s\r\nit's!\r\n".encode())
    two = tmp_path / "two words.txt"
    two.write_bytes("CRANE\nfour\nnaïve\nab1de\n".encode() + b"caf\xe9s\nKnuth")
    read = read_dictionaries([one, two], 5)
    assert read.words == ("cafés", "crane", "knuth", "naïve", "slate")
    assert read.skipped == 4  # it's!  four  ab1de  and the line that is not UTF-8
    refused(WrongInputError, r"did you mean original\?", read_dictionaries, ["orignal"], 5)
    refused(WrongInputError, re.escape(str(tmp_path)), read_dictionaries, [tmp_path], 5)


def test_command_on_its_lists(knuthle: Knuthle) -> None:
    """Every printed line is checked by plain Python."""
    *lines, count, about, _, named = knuthle("five-words", "--anagrams").out.splitlines()
    assert named == "list original"
    assert len(lines) == 11 and lines == sorted(lines)
    for line in lines:
        words = line.split()
        assert len(words) == 5 and words == sorted(words) and len(set("".join(words))) == 25
        assert set(words) <= set(ORIGINAL)
    assert count == "11 sets of 5 words with 25 different letters"
    assert about.startswith("12,972 words of 5 letters, 0 lines skipped, 5,182 different sets")
    report = report_of(knuthle, "five-words", "--list", "nyt-2022")
    assert (report["count"], report["n_words"], report["n_letter_sets"]) == (10, 12947, 5176)
    assert len(report["sets"]) == 10 and all(value >= 0 for value in report["seconds"].values())


def test_command_on_files(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file has a set of its own; together they have one."""
    Path("a b.txt").write_text("Fjord\ngucks\n")
    Path("c.txt").write_text("NYMPH\nvibex\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"waltz\ntoo long\n")))
    outcome = knuthle("five-words", "a b.txt", "c.txt", "-", "--quiet", "--json", "-")
    report = json.loads(outcome.out)
    assert report["sets"] == [["fjord", "gucks", "nymph", "vibex", "waltz"]]
    assert report["n_skipped"] == 1 and (outcome.code, outcome.err) == (0, "")
    none = knuthle("five-words", "--list", "a b.txt")
    assert none.code == 0 and none.out.startswith("no 5 words with 25 different letters\n")
    six = knuthle("five-words", "--letters", "6")
    assert six.code == 0 and "0 words of 6 letters, 12,972 lines skipped" in six.out
    Path("words.txt").write_text("abc\ncba\ndef\nfgh\nghi\n")
    three = knuthle("five-words", "words.txt", "--count", "3", "--letters", "3")
    assert three.out.startswith("abc def ghi\n1 set of 3 words with 9 different letters\n")
