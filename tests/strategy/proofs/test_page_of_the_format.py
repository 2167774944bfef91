"""What ``docs/proof-format.md`` says of numbers, names and exit codes, held against the checker."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from strategy.files import envelope
from strategy.proofs import proof_file
from tests.support.commands import Knuthle
from tests.support.proof_worlds import alike, proof_of

GAME = alike(0, 16, 9)
SECRETS = len(GAME.secrets)
Body = dict[str, Any]


@pytest.fixture(scope="module")
def body() -> Body:
    return proof_file.to_body(proof_of(GAME, "total", 6))


@pytest.fixture(scope="module")
def hard_body() -> Body:
    return proof_file.to_body(proof_of(GAME, "total", 6, hard=True))


def checked(knuthle: Knuthle, body: Body) -> tuple[int, str]:
    """The exit code of a proof's check, and what is said."""
    for name, words in (("words", GAME.guesses), ("secrets", GAME.secrets)):
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
def test_exit_codes_and_names_are_as_the_page_says(knuthle: Knuthle, body: Body, name: str) -> None:
    change, code, said = CHANGES[name]
    found = checked(knuthle, change(body))
    assert found[0] == code and said in found[1], found


def longer(number: bytes, count: int) -> bytes:
    """A packed number with more bytes than it need have."""
    return number[:-1] + bytes([number[-1] | 128]) + b"\x80" * (count - len(number) - 1) + b"\0"


@pytest.mark.parametrize(("count", "code"), [(2, 0), (9, 0), (10, 0), (11, 2)])
def test_a_number_has_up_to_ten_bytes(knuthle: Knuthle, body: Body, count: int, code: int) -> None:
    claims = body["claims"]
    assert claims[0] < 128  # the first number has one byte
    found = checked(knuthle, body | {"claims": longer(claims[:1], count) + claims[1:]})
    assert found[0] == code, found


def shown_as(change: Callable[[str], str]) -> Callable[[Body], Body]:
    """A proof in hard mode in which the last text of what was shown is written otherwise."""
    return lambda body: body | {"shown": [*body["shown"][:-1], change(body["shown"][-1])]}


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
def test_what_hard_mode_shows_is_written_so(knuthle: Knuthle, hard_body: Body, name: str) -> None:
    change, codes = SHOWN[name]
    code, said = checked(knuthle, shown_as(change)(hard_body))
    assert code in codes, said
    assert ("is not what hard mode shows" in said) == (codes == {1})


def test_texts_out_of_order_are_no_form(knuthle: Knuthle, hard_body: Body) -> None:
    shown = hard_body["shown"]
    assert len(shown) > 1
    assert checked(knuthle, hard_body | {"shown": shown[::-1]})[0] == 2
    assert checked(knuthle, hard_body | {"shown": [*shown, "~"]})[0] == 2


def test_totals_that_a_loss_exceeds() -> None:
    """Up to 92,681 candidates a least total is below the price of a loss, as docs/exact.md says."""
    at_most = [n * (n + 1) // 2 for n in (92_681, 92_682)]
    assert at_most[0] < 1 << 32 <= at_most[1]
