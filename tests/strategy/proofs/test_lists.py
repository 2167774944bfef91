"""The lists that a proof is about: compiled code sees words, and a name is its owner's."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from solver.words.lists import named_list
from strategy.checkers import lists as word_lists
from strategy.checkers import proof as core
from strategy.checkers.proof import Proof, Statement, WrongProofError, check, words_of
from strategy.errors import BadFileError, StrategyError
from strategy.proofs import proof_file
from strategy.proofs.proof_file import summary
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.proof_worlds import alike, plan_of, proof_of, stated

WORLD = alike(0, 16, 9)
LISTS = WORLD.guesses, WORLD.secrets

NO_WORDS = [
    "ab{d", "ab\u00bdd", "it's", "ABCD", "na\u0308v", "\u6f22\u5b57 \u6f22", "ab d", "abcde",
    "a\ncd", "",
]  # fmt: skip


@pytest.fixture(scope="module")
def proof() -> Proof:
    return proof_of(WORLD, "total", 6)


def about(guesses: Any, secrets: Any, **changes: Any) -> Statement:
    """A statement about lists, whatever they hold."""
    words = [sorted({*map(str, some)}) for some in (guesses, secrets)]
    digests = [sha256("\n".join(some).encode()).hexdigest() for some in words]
    statement = Statement("wordle", "x", len(words[0]), digests[0], "y", len(words[1]), digests[1],
                          False, "", "total", 0, 0, 9)  # fmt: skip
    return replace(statement, **changes)


@pytest.mark.parametrize("word", [*NO_WORDS, 7, None, b"abcd"])
def test_compiled_code_sees_only_words(word: Any) -> None:
    for lists in ((("abcd", word), ("abcd",)), (("abcd",), (word, "abcd"))):
        refused(BadFileError, "", words_of, about(*lists), lists)


@pytest.mark.parametrize(("guesses", "secrets"), [
    ((), ()), (("ab",), ()), (("a",), ("a",)), (("a" * 12,), ("a" * 12,)),
    (("ab", "cd"), ("ef",)), (("ab", "cd"), ("abc",)),
])  # fmt: skip
def test_lists_that_are_none(guesses: tuple[str, ...], secrets: tuple[str, ...]) -> None:
    refused(StrategyError, "", words_of, about(guesses, secrets), (guesses, secrets))


def test_lists_are_taken_in_order_and_each_word_once() -> None:
    words = ["cd", "ab", "ab"], ["cd"]
    assert words_of(about(*words), words) == (("ab", "cd"), ("cd",))


def test_lists_whose_table_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core, "MOST_SCORES", 3)
    for guesses, secrets in ((("ab", "cd", "ef"), ("ab",)), (("ab", "cd"), ("ab", "cd"))):
        statement, lists = about(guesses, secrets), (guesses, secrets)
        if len(secrets) == 1:
            assert words_of(statement, lists) == lists
        else:
            refused(BadFileError, "more than 3 scores", words_of, statement, lists)


def test_faults_of_a_list_have_lines(knuthle: Knuthle, proof: Proof, tmp_path: Path) -> None:
    proof_file.save(proof, tmp_path / "a.proof")
    plan_of(proof).save(tmp_path / "a.strategy")
    words = tmp_path / "words"
    words.write_text("\nabcd\nab{d\n")
    for command, file in (("check-proof", "a.proof"), ("verify", "a.strategy")):
        outcome = knuthle(command, tmp_path / file, "--words", words, "--secrets", words)
        assert (outcome.code, outcome.out) == (2, "") and "words:3: " in outcome.err


def test_lists_as_files(tmp_path: Path) -> None:
    (tmp_path / "many").write_bytes(b"\n" * ((1 << 26) + 1))
    refused(BadFileError, "no word list", word_lists.read_list, str(tmp_path / "many"))
    (tmp_path / "words").write_bytes("\ufeff# mine\r\nSLATE\r\n\r\nslate\n crane # good".encode())
    assert word_lists.read_list(str(tmp_path / "words")) == ["crane", "slate"]


# --- names -----------------------------------------------------------------------------------
@pytest.mark.parametrize("names", [
    ("original", "answers"), ("original", "mine"), ("nyt-2022", "allowed"), ("mine", "allowed"),
])  # fmt: skip
def test_a_name_with_a_meaning_is_for_what_is_meant(proof: Proof, names: tuple[str, str]) -> None:
    lying = stated(proof, list_name=names[0], secrets_name=names[1])
    refused(WrongProofError, "means|it says|about other lists", check, lying, LISTS)


def test_names_of_lists(proof: Proof) -> None:
    """Both of them, unless all guesses are secrets."""
    statement = proof.statement
    assert words_of(statement, LISTS) == LISTS
    for given in ((None, None), (LISTS[0], None), (None, LISTS[1])):
        refused(BadFileError, "its lists are not shipped", words_of, statement, given)
    for strange in ((LISTS[0], ["it's"]), ([7], LISTS[1])):
        refused(BadFileError, "is no word", words_of, statement, strange)
    allowed = about(LISTS[0], LISTS[0], secrets_name="allowed")
    for given in ((LISTS[0], None), (LISTS[0], LISTS[0])):
        assert words_of(allowed, given) == (LISTS[0], LISTS[0])
    said = summary(stated(proof, list_name="original answers, 2,315", secrets_name="x"))
    assert said.startswith("'original answers, 2,315' 'x', 9 secrets: ")


def test_names_of_shipped_lists(proof: Proof) -> None:
    shipped = named_list("original", "allowed").words, named_list("original", "answers").words
    meant = about(*shipped, list_name="original", secrets_name="answers")
    assert words_of(meant, (None, None)) == words_of(meant, shipped) == shipped
    assert summary(replace(proof, statement=meant)).startswith("original answers, 2,315 secrets: ")
    for given in ((shipped[0][1:], None), (None, shipped[1][1:]), LISTS):
        refused(WrongProofError, "about other lists", words_of, meant, given)
    mine = replace(meant, secrets_name="mine")
    assert words_of(mine, (None, shipped[1])) == shipped
    assert summary(replace(proof, statement=mine)).startswith("original 'mine', 2,315")
    fewer = about(shipped[0], shipped[1][1:], list_name="original", secrets_name="answers")
    refused(WrongProofError, "", words_of, fewer, (None, shipped[1][1:]))
    both = about(shipped[0], shipped[0], list_name="original", secrets_name="allowed")
    assert words_of(both, (None, None)) == (shipped[0], shipped[0])


@pytest.mark.parametrize("change", [
    {"list_name": "a\nPROVED  b"}, {"list_name": "a\x1b[2J"}, {"list_name": ""},
    {"list_name": "a\\b"}, {"secrets_name": "../answers"}, {"secrets_name": "x" * 201},
    {"secrets_name": "\u202eabc"}, {"guesses_digest": "\x1b[31m" + "0" * 59},
    {"secrets_digest": "0" * 63}, {"start": "a\nb"}, {"secrets": 1 << 40},
])  # fmt: skip
def test_malformed_statements(proof: Proof, change: dict[str, Any]) -> None:
    content = proof_file.to_bytes(stated(proof, **change))
    with pytest.raises(BadFileError) as error:
        proof_file.from_bytes(content, "a")
    assert str(error.value).isprintable()
