"""The lists that a proof is about: compiled code sees words, and a name is its owner's."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.words.lists import named_list
from strategy.checkers import lists as word_lists
from strategy.errors import BadFileError, StrategyError
from strategy.files import envelope
from strategy.proofs.checker import board as boards
from strategy.proofs.checker import check, proof_file
from strategy.proofs.checker.check import CheckedWords, WrongProofError
from strategy.proofs.checker.proof_file import Claim, Proof, Refutation
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.proof_worlds import alike, proof_of

WORLD = alike(0, 16, 9)

NO_WORDS = [
    "ab{d", "ab\u00bdd", "it's", "ABCD", "na\u0308v", "\u6f22\u5b57 \u6f22", "ab d", "abcde",
    "a\ncd", "",
]  # fmt: skip


@pytest.fixture(scope="module")
def proof() -> Proof:
    return proof_of(WORLD, "total", 6)


@pytest.mark.parametrize("word", [*NO_WORDS, 7, None, b"abcd"])
def test_compiled_code_sees_only_words(word: Any) -> None:
    refused(BadFileError, "", CheckedWords, ("abcd", word), ("abcd",))
    refused(BadFileError, "", CheckedWords, ("abcd",), (word, "abcd"))


@pytest.mark.parametrize(("guesses", "secrets"), [
    ((), ()), (("ab",), ()), (("a",), ("a",)), (("a" * 12,), ("a" * 12,)), (("cd", "ab"), ("ab",)),
    (("ab", "ab"), ("ab",)), (("ab", "cd"), ("cd", "ab")), (("ab", "cd"), ("ef",)),
])  # fmt: skip
def test_lists_that_are_none(guesses: tuple[str, ...], secrets: tuple[str, ...]) -> None:
    refused(StrategyError, "", CheckedWords, guesses, secrets)


@pytest.mark.parametrize("field", ["guesses", "secrets"])
def test_lists_that_were_looked_at_stay_as_they_are(field: str) -> None:
    refused(AttributeError, "", setattr, CheckedWords(("ab", "cd"), ("ab",)), field, ("{{",))


def test_lists_whose_table_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "MOST_SCORES", 3)
    assert CheckedWords(("ab", "cd", "ef"), ("ab",))
    refused(BadFileError, "more than 3 scores", CheckedWords, ("ab", "cd"), ("ab", "cd"))


def test_words_of_eleven_letters_have_codes_of_their_own() -> None:
    """There are 177,147 scores, more than two bytes tell apart."""
    assert boards.code_type(3**11, 70_000) is np.uint32
    assert boards.code_type(3**11, 1 << 16) is np.uint16
    assert boards.code_type(3**10, 70_000) is np.uint16 and boards.code_type(3**6, 300) is np.uint16
    assert boards.code_type(3**5, 70_000) is np.uint8 and np.iinfo(np.uint8).max >= 3**5 - 1
    words = ("abcdefghijk", "bacdefghijk", "kabcdefghij", "lmnopqrstuv")
    board = boards.new_board(words, words, 1, False)
    assert sorted(board.parts[:4]) == [2, 4, 4, 4]


def test_faults_of_a_list_have_lines(knuthle: Knuthle, proof: Proof, tmp_path: Path) -> None:
    proof_file.save(proof, tmp_path / "a.proof")
    assert proof.strategy is not None
    proof.strategy.save(tmp_path / "a.strategy")
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
def stated(proof: Proof, **changes: Any) -> Proof:
    return replace(proof, statement=replace(proof.statement, **changes))


@pytest.mark.parametrize("names", [
    ("original", "answers"), ("original", "mine"), ("nyt-2022", "allowed"), ("mine", "allowed"),
])  # fmt: skip
def test_a_name_with_a_meaning_is_for_what_is_meant(proof: Proof, names: tuple[str, str]) -> None:
    lying = stated(proof, list_name=names[0], secrets_name=names[1])
    refused(WrongProofError, "it says", check.check, lying, WORLD.guesses, WORLD.secrets)


def test_names_of_lists(proof: Proof) -> None:
    """Both of them, unless all guesses are secrets."""
    lists = WORLD.guesses, WORLD.secrets
    assert check.words_of_proof(proof.statement, *lists) == CheckedWords(*lists)
    for guesses, secrets in ((None, None), (lists[0], None), (None, lists[1])):
        with pytest.raises(BadFileError, match="the lists 'test', 'test' are not shipped"):
            check.words_of_proof(proof.statement, guesses, secrets)
    for strange in ((lists[0], ["it's"]), ([7], lists[1])):
        refused(BadFileError, "is no word", check.words_of_proof, proof.statement, *strange)
    all_secrets = {"secrets_name": "allowed", "secrets_digest": proof.statement.guesses_digest}
    allowed = stated(proof, **all_secrets, secrets=len(WORLD.guesses)).statement
    same = CheckedWords(WORLD.guesses, WORLD.guesses)
    assert check.words_of_proof(allowed, WORLD.guesses) == same
    check._check_names(stated(proof, **all_secrets).statement)
    said = check.summary(stated(proof, list_name="original answers, 2,315", secrets_name="x"))
    assert said.startswith("'original answers, 2,315' 'x', 9 secrets: ")
    allowed, answers = (named_list("original", part) for part in ("allowed", "answers"))
    names = {"list_name": "original", "secrets_name": "answers"}
    counts = {"guesses": len(allowed.words), "secrets": len(answers.words)}
    digests = {"guesses_digest": allowed.digest, "secrets_digest": answers.digest}
    meant = stated(proof, **names, **counts, **digests)
    assert check.words_of_proof(meant.statement).secrets == answers.words
    assert check.summary(meant).startswith("original answers, 2,315 secrets: ")
    mine = replace(meant.statement, secrets_name="mine")
    assert check.summary(replace(meant, statement=mine)).startswith("original 'mine', 2,315")


@pytest.mark.parametrize("change", [
    {"list_name": "a\nPROVED  b"}, {"list_name": "a\x1b[2J"}, {"list_name": ""},
    {"list_name": "a\\b"}, {"secrets_name": "../answers"}, {"secrets_name": "x" * 201},
    {"secrets_name": "\u202eabc"}, {"guesses_digest": "\x1b[31m" + "0" * 59},
    {"secrets_digest": "0" * 63}, {"start": "a\nb"}, {"secrets": 1 << 40},
])  # fmt: skip
def test_malformed_statements(proof: Proof, change: dict[str, Any]) -> None:
    body = proof_file.to_body(proof)
    body["statement"] = body["statement"] | change
    content = envelope.pack(envelope.PROOF, body)
    with pytest.raises(BadFileError) as error:
        proof_file.from_body(envelope.unpack(content, "a")[1], "a")
    assert str(error.value).isprintable()


@pytest.mark.parametrize("change", [
    {"claims": (Claim((0, 9), 3, "", 4),)}, {"claims": (Claim((-1, 2), 3, "", 4),)},
    {"claims": (Claim((2, 1), 3, "", 4),)}, {"claims": (Claim((1, 1), 3, "", 4),)},
    {"claims": (Claim((), 3, "", 4),)}, {"claims": (Claim((0, 1), 0, "", 4),)},
    {"claims": (Claim((0, 1), 1 << 21, "", 4),)}, {"claims": (Claim((0, 1), 3, "", -1),)},
    {"claims": (Claim((0, 1), 3, "", 10 << 32),)}, {"refutations": (Refutation((0, 9), 1, ()),)},
    {"refutations": (Refutation((0, 1), 0, ()),)},
    {"refutations": (Refutation((0, 1), 1 << 20, ()),)},
    {"refutations": (Refutation((0, 1), 2, (0,)),)},
    {"refutations": (Refutation((0, 1), 1, ()), Refutation((0, 1), 2, (-1,)))},
    {"statement": {"limit": -1}}, {"statement": {"limit": 1 << 20}}, {"statement": {"losses": 10}},
    {"statement": {"total": -1}}, {"statement": {"total": 1 << 32}},
    {"claims": (Claim((0, 0.5), 3, "", 4),)}, {"claims": (Claim((0, 1), 3, "", 4.5),)},
    {"claims": (Claim((0, 1), 2.5, "", 4),)}, {"refutations": (Refutation((0, 0.5), 9, ()),)},
    {"statement": {"limit": 5.5}}, {"statement": {"total": 8.0}},
], ids=str)  # fmt: skip
def test_numbers_that_no_file_has_are_refused(proof: Proof, change: dict[str, Any]) -> None:
    """A proof that a program made up goes past the reader of files."""
    made_up = stated(proof, **change.pop("statement", {}))
    refused(WrongProofError, "out of range", check.check_numbers, replace(made_up, **change))


def test_numbers_in_range(proof: Proof) -> None:
    claim = Claim((0, 8), 1 << 20, "", (10 << 32) - 1)
    refutations = (Refutation((0, 8), 1, ()), Refutation((0,), (1 << 20) - 1, (0,)))
    most = {"limit": (1 << 20) - 1, "losses": 9, "total": (1 << 32) - 1}
    check.check_numbers(replace(stated(proof, **most), claims=(claim,), refutations=refutations))
    claims = (Claim((0, 1), 1, "", 0), Claim((0, 1), 1 << 20, "", 0))
    least = stated(proof, limit=0, losses=0, total=0)
    check.check_numbers(replace(least, claims=claims))
