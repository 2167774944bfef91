"""The checker in JavaScript says what ``verify --json`` says of right and forged files."""

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from strategy import Settings, load_game, solve
from strategy.checkers.lists import words_digest as digest_of
from strategy.cli.verify import _examined_facts
from strategy.errors import StrategyError
from strategy.files import envelope, strategy_file
from strategy.tree import Strategy
from strategy.verification import examine
from tests.support import sealed
from tests.support.alphabets import words_in
from tests.support.asked import made_words
from tests.support.forged_proofs import changed, forge_strategy
from tests.support.node import Engine, JavaScriptError

Body = dict[str, Any]
#: What is no body: more than a value, less, no map, keys and texts that are none.
BAD_BODIES = [
    b"\x80\x80", b"\xc1", b"\x91", b"\x90", b"\xdf\xff\xff\xff\xff", b"\x81\x01\x02",
    b"\x91" * 20 + b"\x90", b"\xa3\xff\xfe\xfd", b"\x81\xa1\xff\x01", b"\xc7\x00\x00",
]  # fmt: skip


def check_like_verify(engine: Engine, content: bytes, path: Path) -> Any:
    """Both checkers say the same of a file; what they say."""
    path.write_bytes(content)
    try:
        wanted = _examined_facts("strategy", examine(path))
    except StrategyError as error:
        with pytest.raises(JavaScriptError) as refused:
            engine.ask("check", content)
        assert refused.value.code == error.exit_code == 2
        return str(error).removeprefix(f"{path}: ")  # in the words of another reader
    found = engine.ask("check", content)
    assert list(found) == list(wanted)
    assert told(found) == told(wanted)
    return found


def told(verdict: Body) -> Body:
    """All of a verdict but its sentences, which each checker has of its own."""
    faults = [(str(fault["fault"]), fault["word"]) for fault in verdict["faults"]]
    return verdict | {"reason": bool(verdict["reason"]), "faults": faults}


def test_right_files(engine: Engine, lares_file: Path, tmp_path: Path) -> None:
    found = check_like_verify(engine, lares_file.read_bytes(), tmp_path / "a")
    assert found["ok"] and found["compared"] == "list original as shipped"
    joining = solve(load_game(words_in("joining"))).strategy  # as they meet they make letters
    joining.save(tmp_path / "joining")
    assert check_like_verify(engine, (tmp_path / "joining").read_bytes(), tmp_path / "b")["ok"]


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:3x5:distinct", "mastermind:2x10"])
def test_files_of_mastermind(engine: Engine, tmp_path: Path, spec: str) -> None:
    strategy = solve(load_game(spec=spec)).strategy
    content = strategy_file.to_bytes(strategy)
    found = check_like_verify(engine, content, tmp_path / "a")
    assert found["ok"] and found["compared"] == f"all codes of {spec}"
    for forged in forged_bodies(strategy, 12):
        check_like_verify(engine, envelope.pack(b"S", forged), tmp_path / "a")


SMALL = (Settings(), Settings(hard=True), Settings(rule="parts", guess_from="candidates"))


@pytest.fixture(scope="module", params=[*SMALL, Settings("crane")], ids=range(4))
def small(request: pytest.FixtureRequest) -> Strategy:
    """Three of few words, and one of the classic list."""
    words = made_words(5, 120)
    game = load_game(words, words[::2]) if request.param in SMALL else load_game("original")
    return solve(game, request.param).strategy


def forged_bodies(strategy: Strategy, count: int) -> Iterator[Body]:
    """Bodies of files that say something else in one place, or in two."""
    dice = random.Random(count)
    for _ in range(count):
        body = {"strategy": copy.deepcopy(strategy_file.to_body(strategy))}
        yield changed(body, dice, [forge_strategy])["strategy"]


def test_forged_files(engine: Engine, small: Strategy, tmp_path: Path) -> None:
    said = set()
    count = 120 if len(small.words) < 1000 else 40
    for body in forged_bodies(small, count):
        content = envelope.pack(envelope.STRATEGY, body)
        found = check_like_verify(engine, content, tmp_path / "a")
        said.add(found if isinstance(found, str) else found["reason"])
    assert len(said) > count / 4


def test_heads_that_say_what_is_not(engine: Engine, tmp_path: Path) -> None:
    """Secrets called allowed, hard mode with pegs, a second objective in a list."""
    words = made_words(5, 60)
    strategy = solve(load_game(words, words[::2])).strategy
    claim = {"then": {"objective": ["worst"], "value": strategy.worst}}
    for which, head, code in (
        (strategy, {"secrets_name": "allowed"}, 1), (strategy, {"claim": claim}, 1),
        (strategy, {"secrets": len(words[::2]) + 1}, 2), (strategy, {"start": []}, 2),
        (solve(load_game(spec="mastermind:1x3")).strategy, {"hard": True}, 2),
    ):  # fmt: skip
        body = strategy_file.to_body(which)
        body["origin"] = body["origin"] | head
        found = check_like_verify(engine, envelope.pack(b"S", body), tmp_path / "a")
        assert isinstance(found, str) if code == 2 else not found["ok"]
    body = strategy_file.to_body(strategy)
    body["histogram"] = [*body["histogram"], 0]
    assert isinstance(check_like_verify(engine, envelope.pack(b"S", body), tmp_path / "a"), str)


def test_words_of_no_game(engine: Engine, tmp_path: Path) -> None:
    """That they are other words than the head says is seen before: the first fault decides."""
    words = made_words(5, 12)
    body = strategy_file.to_body(solve(load_game(words)).strategy)
    longer = [word + "a" * 7 for word in words]
    head = body["origin"] | dict.fromkeys(("guesses_digest", "secrets_digest"), digest_of(longer))
    body |= {"words": "".join(longer), "length": 12}
    said = check_like_verify(engine, envelope.pack(b"S", body | {"origin": head}), tmp_path / "a")
    assert "is no word of wordle" in said
    assert not check_like_verify(engine, envelope.pack(b"S", body), tmp_path / "a")["ok"]
    for spec, length, head in (
        ("", 12, "wordle"), ("", 1, "wordle"),
        ("mastermind:1x3", 16, "mastermind:20x1"), ("mastermind:1x3", 1, "mastermind:1x4"),
    ):  # fmt: skip
        game = load_game(spec=spec) if spec else load_game(made_words(5, 60))
        body = strategy_file.to_body(solve(game).strategy)
        count = len(body["words"]) // body["length"]
        signs = [f"{at + 1}" if spec else chr(0x4E00 + at) for at in range(count)]
        words = [sign * length for sign in signs]
        body |= {"length": length, "words": "".join(words)}
        body["origin"] = body["origin"] | {"game": head}
        assert not check_like_verify(engine, envelope.pack(b"S", body), tmp_path / "a")["ok"]


def test_damaged_files(engine: Engine, tmp_path: Path) -> None:
    strategy = solve(load_game(made_words(5, 60))).strategy
    content = strategy_file.to_bytes(strategy)
    chance = random.Random(5)
    forms = [b"", b"KNU", b"KNUTHLE\n", content[:-1], content + b"x", b"PK" + content, content[:13]]
    forms += [sealed(b"\x80", bytes([kind]))[:-32] + bytes(32) for kind in b"PRFX"]
    forms += [envelope.pack(kind, {}) for kind in (b"P", b"F", b"S")]
    forms += [sealed(packed) for packed in BAD_BODIES]
    for _ in range(60):
        at = chance.randrange(len(content))
        flipped = bytes([content[at] ^ (1 << chance.randrange(8))])
        forms.append(content[:at] + flipped + content[at + 1 :])
    for form in forms:
        if form[:7] == b"KNUTHLE"[: len(form)] and form:
            check_like_verify(engine, form, tmp_path / "a")
        else:
            with pytest.raises(JavaScriptError) as refused:
                engine.ask("check", form)
            assert refused.value.code == 2
