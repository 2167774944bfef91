"""The file of a proof: what is written is read, the page of the format, the lists of words."""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack
import pytest

from solver.words.lists import named_list
from strategy.checkers import lists as word_lists
from strategy.checkers import proof as core
from strategy.checkers import verify
from strategy.checkers.lemmas import LOSS, UNLIMITED
from strategy.checkers.proof import Claim, Proof, Refutation, Statement, WrongProofError, words_of
from strategy.errors import BadFileError, OutputError, StrategyError
from strategy.files import envelope
from strategy.proofs import proof_file
from strategy.proofs.proof_file import summary
from strategy.verification import check_proof
from tests.support import refused, sealed
from tests.support.checker_twins import LISTED, proof_with
from tests.support.commands import Knuthle
from tests.support.proof_worlds import alike, plan_of, proof_of, strategy_of, through_a_file
from tests.support.proof_worlds import stated as stated_otherwise

WORLD = alike(0, 16, 9)
LISTS = WORLD.guesses, WORLD.secrets
SECRETS = len(WORLD.secrets)
Body = dict[str, Any]
#: Secrets that are claimed for the sake of large sets.
MANY = 20_000


def read_proof(content: bytes) -> Proof:
    """By the core alone, without what names the faults of envelopes."""
    return core.read_body(verify.unseal(content)[1])


def read(body: Body) -> Proof:
    return read_proof(envelope.pack(envelope.PROOF, body))


@cache
def made(hard: bool = False) -> Proof:
    return proof_of(WORLD, "total", 6, hard)


def body_of(hard: bool = False, **changes: Any) -> Body:
    """The body of that proof, or another."""
    return proof_file.to_body(made(hard)) | changes


def grown(change: Body) -> tuple[int, bool]:
    """Bytes in memory at most while a changed body is read, and whether it is taken."""
    body = body_of(shown=[""])
    body["statement"] |= {"secrets": MANY}
    body |= change
    content = envelope.pack(envelope.PROOF, body)
    tracemalloc.start()
    taken = True
    try:
        read_proof(content)
    except BadFileError:
        taken = False
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most, taken


def number(value: int) -> bytes:
    return bytes([value & 127 | 128, value >> 7 & 127 | 128, value >> 14])


@pytest.mark.slow
def test_large_sets_take_eight_bytes_a_member() -> None:
    sets = 25
    claim = number(MANY) + b"\x03\x00\x00\x04" + b"\x01" * MANY
    most, taken = grown({"count": sets, "claims": claim * sets})
    assert taken
    assert most < 12 * sets * MANY + 300 * MANY  # each number once, and while a tuple is made


def test_memory_of_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 20_000
    most, taken = grown({"count": count, "claims": b"\x01\x03\x00\x00\x04\x01" * count})
    assert taken and most < 60 * 6 * count
    monkeypatch.setattr(core, "MOST_LISTED", 2)
    for count in (2, 3):
        claims = b"\x01\x03\x00\x00\x04\x01" * count
        assert grown({"count": count, "claims": claims})[1] == (count == 2)
        listed = b"\x01\x03\x01\x00" * count
        change = {"refutation_count": count, "refutations": listed, "claims": b"", "count": 0}
        assert grown(change | {"shown": []})[1] == (count == 2)


@pytest.mark.parametrize("key", ["count", "refutation_count"])
def test_a_count_that_lies_costs_nothing(key: str) -> None:
    most, taken = grown({key: 1 << 60})
    assert not taken and most < 1 << 20


# --- what is written is read, and nothing else -------------------------------------------------
def far(proof: Proof) -> Proof:
    """With the greatest numbers that a file holds, and the least."""
    most = Claim((0, 8), UNLIMITED, "b", 9 * LOSS + LOSS - 1)
    least = Claim((3,), UNLIMITED - 1, "", 0)
    between = tuple(Claim((1, 4, 7), 3, "a", value) for value in (127, 128, 16_383, 16_384))
    refutations: Any = (Refutation((0,), 1, ()), Refutation((1, 8), UNLIMITED - 1, (0,)))
    most_words = {"guesses": verify.MOST, "secrets": verify.MOST}
    stated = replace(proof.statement, limit=UNLIMITED - 1, total=LOSS - 1, **most_words)
    statement, claims = replace(stated, losses=verify.MOST), (most, *between, least)
    refutations = (*refutations, Refutation((2, 3), 5, (0, 1)))
    return replace(proof, statement=statement, claims=claims, refutations=refutations)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    mine, most = made(), far(made())
    for proof in (mine, most, replace(most, strategy=None), proof_with(LISTED)):
        assert through_a_file(proof) == proof
        proof_file.save(proof, tmp_path / "a.proof")
        assert (tmp_path / "a.proof").read_bytes() == proof_file.to_bytes(proof)
        assert proof_file.load(tmp_path / "a.proof") == proof
    for part, name in ((mine, "claims"), (mine.statement, "total"), (mine.claims[0], "value")):
        refused(AttributeError, "", setattr, part, name, None)
    strategy_of(WORLD).save(tmp_path / "a.strategy")
    refused(BadFileError, "a strategy.*, not a proof", proof_file.load, tmp_path / "a.strategy")
    (tmp_path / "mine").write_text("of mine")
    refused(OutputError, "", proof_file.save, mine, tmp_path / "mine")
    proof_file.save(mine, tmp_path / "mine", force=True)
    assert proof_file.load(tmp_path / "mine").claims == mine.claims


@pytest.mark.parametrize(("claim", "refutation"), [
    (Claim((-1, 2), 3, "", 4), None), (Claim((2, 1), 3, "", 4), None),
    (Claim((1, 1), 3, "", 4), None), (Claim((), 3, "", 4), None), (Claim((0, 9), 3, "", 4), None),
    (Claim((0, 1), 1 << 21, "", 4), None), (Claim((0, 1), 3, "", -1), None),
    (Claim((0, 1), 3, "", 10 << 32), None), (Claim((0, 0.5), 3, "", 4), None),
    (Claim((0, 1), 2.5, "", 4), None), (Claim((0, 1), 3, "", 4.5), None),
    (None, Refutation((0, 9), 1, ())), (None, Refutation((0, 1), 0, ())),
    (None, Refutation((0, 1), 1 << 20, ())), (None, Refutation((0, 1), 2, (0,))),
    (None, Refutation((0, 1), 2, (-1,))), (None, Refutation((0, 0.5), 9, ())),
], ids=str)  # fmt: skip
def test_numbers_that_no_file_has_are_refused(claim: Claim, refutation: Refutation) -> None:
    """A proof that a program made up is read as one from a file."""
    listed = (() if claim is None else (claim,), () if refutation is None else (refutation,))
    proof = replace(made(), claims=listed[0], refutations=listed[1])
    refused(StrategyError, "", check_proof, proof, WORLD.guesses, WORLD.secrets)


#: A file of two shown texts, three claims and two refutations about nine secrets.
LISTED_HERE: Body = {
    "shown": ["", "a"], "count": 3,
    "claims": b"\x02\x03\x00\x00\x04\x01\x08" + b"\x01\x03\x01\x09\x04\x09" * 2,
    "refutation_count": 2, "refutations": b"\x02\x01\x01\x01\x00" + b"\x02\x02\x01\x08\x01\x01",
}  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), [
    ({"more": 1}, "keys"), ({"statement": {"more": 1}}, "keys"), ({"statement": 5}, ""),
    *(({"statement": {key: -1}}, "out of range") for key in ("limit", "losses", "total")),
    *(({"statement": {key: 0}}, "no words, or too many") for key in ("guesses", "secrets")),
    *(({"statement": {key: (1 << 20) + 1}}, "too many") for key in ("guesses", "secrets")),
    *(({"statement": {key: 5}}, f"'{key}' is int") for key in ("game", "objective", "start")),
    ({"statement": {"hard": 1}}, "'hard' is int"), ({"statement": {"total": 1.5}}, "is float"),
    ({"statement": {"limit": True}}, "'limit' is bool"),
    ({"statement": {"game": "chess"}}, "not known"),
    ({"statement": {"objective": "best"}}, "objective is not known"),
    ({"statement": {"limit": UNLIMITED}}, "out of range"),
    ({"statement": {"losses": 10}}, "out of range"), ({"statement": {"total": LOSS}}, "out of r"),
    *(({"statement": {"guess_from": to}}, "guess_from") for to in ("allowed", "none", "", 3, None)),
    ({"strategy": 5}, ""), ({"strategy": {}}, "keys"), ({"shown": 5}, "'shown' is int"),
    ({"symmetries": []}, "keys"), ({"shown": [5]}, "no text"), ({"shown": []}, "out of range"),
    *(({"shown": shown}, "not in order, or used by no claim")
      for shown in (["", "a", "a"], ["a", ""], ["a", "a"], ["", "a", "b"])),
    *(({"count": count}, "lists too much") for count in (-1, (1 << 20) + 1, 1 << 60)),
    *(({"refutation_count": count}, "lists too much") for count in (-1, (1 << 20) + 1)),
    ({"count": 2}, "something follows"), ({"count": 4}, "ends too early"),
    ({"refutation_count": 1}, "something follows"), ({"refutation_count": 3}, "ends too early"),
    ({"claims": 5}, "'claims' is int"), ({"claims": ""}, "'claims' is str"),
    ({"count": 1, "claims": b"\x00\x03\x00\x00\x04"}, "a claim has no candidates"),
    ({"count": 1, "claims": b"\x02\x03\x00\x00\x04\x01\x00"}, "do not ascend"),
    *(({"count": 1, "claims": claims}, "out of range") for claims in (
        b"\x0a\x03\x00\x00\x04" + b"\x01" * 10, b"\x01\x03\x00\x00\x04\x0a",
        b"\x02\x03\x00\x00\x04\x08\x02", b"\x01\x03\x02\x00\x04\x01",
        b"\x01\x03\x00\x0a\x04\x01", b"\x01\x03\x00\x00\x80\x80\x80\x80\x10\x01",
        b"\x01\x80\x80\x40\x00\x00\x04\x01",
    )),
    ({"count": 1, "claims": b"\xff" * 20}, "too long"),
    ({"count": 1, "claims": b"\xff"}, "ends too early"),
    *(({"refutation_count": 1, "refutations": refutations}, reason) for refutations, reason in (
        (b"\x00\x01\x00", "no candidates"), (b"\x01\x00\x01\x00", "no candidates"),
        (b"\x01\x01\x0a\x00", "out of range"), (b"\x01\x01\x01\x01\x01", "out of range"),
        (b"\x01\x80\x80\x40\x01\x00", "out of range"),
        (b"\x02\x01\x01\x00\x00", "do not ascend"),
    )),
])  # fmt: skip
def test_what_is_malformed_is_named(change: dict[str, Any], reason: str) -> None:
    body = body_of(**LISTED_HERE)
    assert len(read(body).claims) == 3
    change = dict(change)
    stated = change.pop("statement", {})
    body["statement"] = body["statement"] | stated if isinstance(stated, dict) else stated
    content = envelope.pack(envelope.PROOF, body | change)
    with pytest.raises(BadFileError, match=f"a proof: .*{reason}") as error:
        proof_file.from_bytes(content, "a proof")
    assert str(error.value).isprintable() and error.value.exit_code == 2


@pytest.mark.parametrize("key", [*proof_file.to_body(proof_with(LISTED)), "limit", "origin"])
def test_a_key_that_is_missing_or_twice_is_refused(key: str) -> None:
    """In the body, in the statement and in the strategy."""
    body = body_of()
    place: Body = {"limit": body["statement"], "origin": body["strategy"]}.get(key, body)
    packed = msgpack.packb(body)
    pair = msgpack.packb(key) + msgpack.packb(place[key])
    whole = msgpack.packb(place)
    twice = bytes([whole[0] + 1]) + whole[1:] + pair
    assert whole[0] & 0xF0 == 0x80 and packed.count(whole) == 1
    double = sealed(packed.replace(whole, twice), b"R")
    refused(BadFileError, "a key stands twice in a map", read_proof, double)
    refused(BadFileError, "", proof_file.from_bytes, double, "a proof")
    assert read_proof(sealed(packed, b"R")) == made()
    del place[key]
    refused(BadFileError, "", read, body)


def checked(knuthle: Knuthle, body: Body) -> tuple[int, str]:
    """The exit code of a proof's check, and what is said."""
    for name, words in (("words", WORLD.guesses), ("secrets", WORLD.secrets)):
        Path(name).write_text("\n".join(words))
    Path("a.proof").write_bytes(envelope.pack(envelope.PROOF, body))
    outcome = knuthle("check-proof", "a.proof", "--words", "words", "--secrets", "secrets")
    return outcome.code, outcome.out + outcome.err


def stated(**changes: Any) -> Callable[[Body], Body]:
    return lambda body: body | {"statement": body["statement"] | changes}


def planned(**changes: Any) -> Callable[[Body], Body]:
    return lambda body: body | {"strategy": body["strategy"] | changes}


def chosen(**changes: Any) -> Callable[[Body], Body]:
    return lambda body: planned(origin=body["strategy"]["origin"] | changes)(body)


#: What is changed, the exit code that the page promises, and what the checker says; more of what
#: is malformed stands in ``test_proof_file``.
CHANGES: dict[str, tuple[Callable[[Body], Body], int, str]] = {
    "nothing": (dict, 0, "PROVED"),
    "other digests": (stated(guesses_digest="0" * 64), 1, "about other lists"),
    "other numbers of words": (stated(secrets=SECRETS + 1), 1, "about other lists"),
    "names of its own": (stated(list_name="any list", secrets_name="any part"), 0, "'any list'"),
    "the name of a shipped list": (stated(list_name="original"), 1, "about other lists"),
    "answers of no shipped list": (stated(secrets_name="answers"), 0, "PROVED"),
    "allowed, with fewer secrets": (stated(secrets_name="allowed"), 1, "they are not"),
    "only secrets": (stated(guess_from="secrets"), 1, "its strategy guesses from"),
    "an empty name": (stated(list_name=""), 2, "name"),
    "a name with a slash": (stated(secrets_name="a/b"), 2, "name"),
    "a start with a slash": (stated(start="a/b"), 2, "name"),
    "another game": (stated(game="mastermind:4x6"), 2, "keys"),
    "another key of the strategy": (planned(more=1), 2, "keys"),
    "other names of the strategy": (
        chosen(list_name="mine", secrets_name="some", rule="mine too"), 0, "PROVED",
    ),
    "another digest of the strategy": (planned(digest="not compared"), 0, "PROVED"),
    "a digest that is no text": (planned(digest=1), 2, "'digest' is int"),
    "guesses that its strategy may not make": (chosen(guess_from="candidates"), 1, "not from"),
    "a start that its strategy does not have": (chosen(start=["zzzzz"]), 1, "strategy"),
    "a strategy for other lists": (chosen(guesses_digest="0" * 64), 1, "for another list"),
    "no strategy": (lambda body: body | {"strategy": None}, 1, "no strategy that attains"),
    "a higher total": (lambda body: stated(total=body["statement"]["total"] + 1)(body), 1, "takes"),
    "no claims": (lambda body: body | {"claims": b"", "count": 0, "shown": []}, 1, "not follow"),
    "no lists of words": (stated(guesses_digest="0" * 63), 2, "digest"),
    "other lists, and a statement that cannot be meant": (
        stated(guesses_digest="0" * 64, objective="worst", limit=0), 1, "about other lists",
    ),
    "a strategy whose counts differ": (planned(histogram=[SECRETS]), 2, "counts"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_exit_codes_and_names_are_as_the_page_says(knuthle: Knuthle, name: str) -> None:
    change, code, said = CHANGES[name]
    found = checked(knuthle, change(body_of()))
    assert found[0] == code and said in found[1], found


@pytest.mark.parametrize(("count", "code"), [(2, 0), (9, 0), (10, 0), (11, 2)])
def test_a_number_has_up_to_ten_bytes(knuthle: Knuthle, count: int, code: int) -> None:
    claims = body_of()["claims"]
    assert claims[0] < 128  # the first number has one byte; it may be written with more
    longer = bytes([claims[0] | 128]) + b"\x80" * (count - 2) + b"\0"
    found = checked(knuthle, body_of(claims=longer + claims[1:]))
    assert found[0] == code, found


#: How the last text of what was shown is written otherwise.
SHOWN: dict[str, tuple[Callable[[str], str], set[int]]] = {
    "as it is": (str, {0}),
    "greens that are not repeated": (lambda text: text.partition("|")[0] + "|", {0, 1, 2}),
    "letters out of order": (lambda text: f"{text[:6]}zzyx", {1}),
    "no letter of the lists": (lambda text: f"{text}~", {1}),
    "more letters than a word has": (lambda text: f"{text[:6]}zzzzzzz", {1}),
    "no bar": (lambda text: text.replace("|", "~"), {1}),
    "too short": (lambda text: f"~{text}", {1}),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_hard_mode_shows_is_written_so(knuthle: Knuthle, name: str) -> None:
    """In order, and each text is used."""
    change, codes = SHOWN[name]
    *others, last = body_of(hard=True)["shown"]
    code, said = checked(knuthle, body_of(hard=True, shown=[*others, change(last)]))
    assert code in codes and others, said
    assert ("is not what hard mode shows" in said) == (codes == {1})
    for shown in ([last, *others[::-1]], [*others, last, "~"]):
        assert checked(knuthle, body_of(hard=True, shown=shown))[0] == 2


def test_totals_that_a_loss_exceeds() -> None:
    """Up to 92,681 candidates a least total is below the price of a loss, as docs/exact.md says."""
    at_most = [n * (n + 1) // 2 for n in (92_681, 92_682)]
    assert at_most[0] < 1 << 32 <= at_most[1]


NO_WORDS = [
    "ab{d", "ab\u00bdd", "it's", "ABCD", "na\u0308v", "\u6f22\u5b57 \u6f22", "ab d", "abcde",
    "a\ncd", "",
]  # fmt: skip


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


def test_lists_whose_table_would_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are taken in order, and each word once."""
    words = ["cd", "ab", "ab"], ["cd"]
    assert words_of(about(*words), words) == (("ab", "cd"), ("cd",))
    monkeypatch.setattr(core, "MOST_SCORES", 3)
    for guesses, secrets in ((("ab", "cd", "ef"), ("ab",)), (("ab", "cd"), ("ab", "cd"))):
        statement, lists = about(guesses, secrets), (guesses, secrets)
        if len(secrets) == 1:
            assert words_of(statement, lists) == lists
        else:
            refused(BadFileError, "more than 3 scores", words_of, statement, lists)


def test_faults_of_a_list_have_lines(knuthle: Knuthle, tmp_path: Path) -> None:
    proof_file.save(made(), tmp_path / "a.proof")
    plan_of(made()).save(tmp_path / "a.strategy")
    words = tmp_path / "words"
    words.write_text("\nabcd\nab{d\n")
    for command, file in (("check-proof", "a.proof"), ("verify", "a.strategy")):
        outcome = knuthle(command, tmp_path / file, "--words", words, "--secrets", words)
        assert (outcome.code, outcome.out) == (2, "") and "words:3: " in outcome.err
    (tmp_path / "many").write_bytes(b"\n" * ((1 << 26) + 1))
    refused(BadFileError, "no word list", word_lists.read_list, str(tmp_path / "many"))
    (tmp_path / "words").write_bytes("\ufeff# mine\r\nSLATE\r\n\r\nslate\n crane # good".encode())
    assert word_lists.read_list(str(tmp_path / "words")) == ["crane", "slate"]


# --- names -----------------------------------------------------------------------------------
@pytest.mark.parametrize("names", [
    ("original", "answers"), ("original", "mine"), ("nyt-2022", "allowed"), ("mine", "allowed"),
])  # fmt: skip
def test_a_name_with_a_meaning_is_for_what_is_meant(names: tuple[str, str]) -> None:
    lying = stated_otherwise(made(), list_name=names[0], secrets_name=names[1])
    refused(WrongProofError, "means|it says|about other lists", core.check, lying, LISTS)


def test_names_of_lists() -> None:
    """Both of them, unless all guesses are secrets."""
    statement = made().statement
    assert words_of(statement, LISTS) == LISTS
    for given in ((None, None), (LISTS[0], None), (None, LISTS[1])):
        refused(BadFileError, "its lists are not shipped", words_of, statement, given)
    for strange in ((LISTS[0], ["it's"]), ([7], LISTS[1])):
        refused(BadFileError, "is no word", words_of, statement, strange)
    allowed = about(LISTS[0], LISTS[0], secrets_name="allowed")
    for given in ((LISTS[0], None), (LISTS[0], LISTS[0])):
        assert words_of(allowed, given) == (LISTS[0], LISTS[0])
    said = summary(stated_otherwise(made(), list_name="original answers, 2,315", secrets_name="x"))
    assert said.startswith("'original answers, 2,315' 'x', 9 secrets: ")


def test_names_of_shipped_lists() -> None:
    shipped = named_list("original", "allowed").words, named_list("original", "answers").words
    meant = about(*shipped, list_name="original", secrets_name="answers")
    assert words_of(meant, (None, None)) == words_of(meant, shipped) == shipped
    assert summary(replace(made(), statement=meant)).startswith("original answers, 2,315 secrets: ")
    for given in ((shipped[0][1:], None), (None, shipped[1][1:]), LISTS):
        refused(WrongProofError, "about other lists", words_of, meant, given)
    mine = replace(meant, secrets_name="mine")
    assert words_of(mine, (None, shipped[1])) == shipped
    assert summary(replace(made(), statement=mine)).startswith("original 'mine', 2,315")
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
def test_malformed_statements(change: dict[str, Any]) -> None:
    content = proof_file.to_bytes(stated_otherwise(made(), **change))
    with pytest.raises(BadFileError) as error:
        proof_file.from_bytes(content, "a")
    assert str(error.value).isprintable()
