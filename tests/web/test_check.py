"""The checkers in JavaScript say of any file what ``verify`` and ``check-proof`` say of it."""

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest

from strategy import Settings, check_proof, load_game, optimal, solve
from strategy.checkers import verify
from strategy.checkers.lists import board_codes, words_digest
from strategy.cli import main
from strategy.cli.verify import _examined_facts
from strategy.errors import StrategyError
from strategy.files import envelope, strategy_file
from strategy.files.strategy_file import pack_column
from strategy.proofs import proof_file
from strategy.tree import Strategy
from strategy.verification import examine
from tests import support
from tests.support import forged_proofs
from tests.support.asked import made_words
from tests.support.forged_proofs import Step, forged, put, sealed, sealed_bytes, steps, unsealed
from tests.support.node import Engine, JavaScriptError
from tests.support.worlds import words_in
from tools.records import small_boards

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
    for body in forged_bodies(strategy, 12):
        check_like_verify(engine, envelope.pack(b"S", body), tmp_path / "a")


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
        yield forged_proofs.changed(body, dice, [forged_proofs.forge_strategy])["strategy"]


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
    head = body["origin"] | dict.fromkeys(
        ("guesses_digest", "secrets_digest"), words_digest(longer)
    )
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
    forms += [support.sealed(b"\x80", bytes([kind]))[:-32] + bytes(32) for kind in b"PRFX"]
    forms += [envelope.pack(kind, {}) for kind in (b"P", b"F", b"S")]
    forms += [support.sealed(packed) for packed in BAD_BODIES]
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


RECORDS = support.ROOT / "data" / "records"
#: The options of a search; ``spec`` is a board.
MODES: dict[str, dict[str, Any]] = {
    "normal": {}, "no limit": {"within": None}, "hard": {"hard": True},
    "losses": {"objective": "losses", "within": 3}, "worst": {"objective": "worst", "within": None},
    "hard losses": {"objective": "losses", "within": 3, "hard": True},
    "secrets": {"guess_from": "secrets"}, "candidates": {"guess_from": "candidates"},
    "hard secrets": {"guess_from": "secrets", "hard": True},
    "4x4": {"spec": "mastermind:4x4", "within": None},
    "3x6:distinct": {"spec": "mastermind:3x6:distinct", "guess_from": "candidates", "within": None},
}  # fmt: skip


def families(seed: int, length: int = 4) -> tuple[list[str], list[str]]:
    """Words, and those of them that may be hidden: these are many alike, so that limits hurt."""
    dice = random.Random(seed)
    ends = ["".join(dice.choices("abcde", k=length - 1)) for _ in range(7)]
    hidden = {first + end for end in ends for first in "fghijkl" if dice.random() < 0.7}
    others = {"".join(dice.choices("abcdefghijklm", k=length)) for _ in range(25)}
    return sorted(hidden | others), sorted(hidden)


@dataclass
class Written:
    """A proof, and the lists that it needs."""

    path: Path
    words: list[str] | None
    secrets: list[str] | None

    @property
    def content(self) -> bytes:
        return self.path.read_bytes()

    @property
    def lists(self) -> dict[str, list[str]]:
        given = {"words": self.words, "secrets": self.secrets}
        return {name: words for name, words in given.items() if words is not None}


def written(folder: Path, mode: str, seed: int, *, over_all: bool = False) -> Written:
    """A proof of a small world, of a drawn opener or over all of them."""
    options = dict(MODES[mode])
    path = folder / f"{mode}-{seed}-{over_all}.proof".replace(":", "-")
    spec = options.pop("spec", None)
    words, secrets = families(seed, 3 if "losses" in mode or mode == "worst" else 4)
    game = load_game(words, secrets) if spec is None else load_game(spec=spec)
    pool = game.secrets if options.get("guess_from") == "secrets" else game.guesses
    start = () if over_all else (random.Random(seed).choice(pool),)
    with suppress(StrategyError):  # where none keeps to the limit, that is what it proves
        optimal(game, start=start, proof=path, workers=1, **options)
    assert path.exists()
    return Written(path, None if spec else words, None if spec else secrets)


def by_command(path: Path, proof: Written) -> tuple[int, str]:
    """The exit code of the command, and what it says."""
    try:
        check_proof(path, proof.words, proof.secrets, workers=1)
    except StrategyError as error:
        return error.exit_code, str(error)
    return 0, ""


def by_page(engine: Engine, content: bytes, options: dict[str, Any]) -> tuple[int, Any]:
    """The same of the engine, and what it answers or says."""
    try:
        found = engine.ask("check", content, options)
    except JavaScriptError as error:
        assert error.code == 2, error
        return 2, str(error)
    return int(not found["ok"]), found


def agree(engine: Engine, proof: Written, content: bytes, path: Path) -> int:
    """Both say the same of a file: which exit code that is."""
    path.write_bytes(content)
    code, said = by_command(path, proof)
    found, answer = by_page(engine, content, proof.lists)
    assert found == code, f"{path}: {said!r} by the command, {answer!r} by the page"
    return code


def agree_on_forged(engine: Engine, proof: Written, count: int, folder: Path) -> Counter[int]:
    """Both say the same of a proof and of so many forged ones: how often which exit code."""
    name = proof.path.stem
    assert agree(engine, proof, proof.content, folder / name) == 0
    return Counter(
        agree(engine, proof, content, folder / f"{name}-{number}")
        for number, content in enumerate(forged(proof.content, count, name))
    )


@pytest.fixture(scope="module")
def losses(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("proofs"), "losses", 1, over_all=True)


@pytest.fixture(scope="module")
def codes(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("proofs"), "4x4", 1, over_all=True)


def test_forged_proofs(engine: Engine, losses: Written, codes: Written, tmp_path: Path) -> None:
    for proof in (losses, codes):
        assert steps(unsealed(proof.content), "claims")
        found = agree_on_forged(engine, proof, 30, tmp_path)
        assert set(found) == {0, 1, 2}


def test_what_is_shown_has_letters_of_guesses(engine: Engine, tmp_path: Path) -> None:
    proof = written(tmp_path, "hard secrets", 1)
    strange = max({*"".join(proof.words or ())} - {*"".join(proof.secrets or ())})
    body = unsealed(proof.content) | {"shown": [f"....|{strange}"]}
    put(body, "claims", [Step([0, 0, 0, 1], [0])])
    (tmp_path / "a").write_bytes(sealed(body))
    code, said = by_command(tmp_path / "a", proof)
    found, answer = by_page(engine, sealed(body), proof.lists)
    assert code == found == 1 and "hard mode" in said and "hard mode" in answer["reason"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("seeds", "count"), [
    pytest.param((11, 12), 25, marks=pytest.mark.slow(5)),
    pytest.param((21, 22, 23, 24), 250, marks=pytest.mark.long),
])  # fmt: skip
def test_proofs_of_drawn_openers(
    engine: Engine, mode: str, seeds: tuple[int, ...], count: int, tmp_path: Path
) -> None:
    """Two of each mode, and 25 forged ones of each: 500 in all; or many, over all openers, too."""
    found: Counter[int] = Counter()
    for seed in seeds:
        proof = written(tmp_path, mode, seed, over_all=seed in (22, 24))
        found += agree_on_forged(engine, proof, count, tmp_path)
    assert len(found) == 3


# ---- What the answer says
def test_the_answer_is_that_of_the_command(
    engine: Engine, losses: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words, secrets = tmp_path / "words.txt", tmp_path / "secrets.txt"
    words.write_text("\n".join(losses.words or []))
    secrets.write_text("\n".join(losses.secrets or []))
    lists = ["--words", str(words), "--secrets", str(secrets)]
    body = unsealed(losses.content)
    wrong = tmp_path / "wrong.proof"
    made = steps(body, "claims")
    made[0].numbers[3] += 1
    put(body, "claims", made)
    wrong.write_bytes(sealed(body))
    for path in (losses.path, wrong):
        code = main(["check-proof", str(path), *lists, "--workers", "1", "--json", "-", "--quiet"])
        wanted = json.loads(capsys.readouterr().out)
        found = engine.ask("check", path.read_bytes(), losses.lists | {"name": str(path)})
        assert found["ok"] == (code == 0)
        assert found | {"reason": ""} == wanted | {"reason": ""}
        assert list(found) == list(wanted)
    assert found["reason"].startswith("claim 1 does not follow: ")


def test_a_sample_proves_nothing(engine: Engine, losses: Written) -> None:
    for share, seed in ((0.5, 1), (0.5, 2), (1, 1)):
        options = losses.lists | {"sample": {"share": share, "seed": seed}}
        found = engine.ask("check", losses.content, options)
        assert found["ok"] is False and found["reason"].startswith("a sample, which proves nothing")
        assert found["sample"]["flaw"] is False
        assert found["sample"]["n_looked_at"] <= found["sample"]["n_steps"]
    body = unsealed(losses.content)
    body["statement"]["total"] += 1
    found = engine.ask("check", sealed(body), options)
    assert found["ok"] is False and found["sample"]["flaw"] is True
    for wrong in (0, 2, -1, "x"):
        with pytest.raises(JavaScriptError, match="a sample is a share above 0"):
            engine.ask("check", losses.content, {"sample": {"share": wrong}})


def test_what_is_no_question(engine: Engine, losses: Written, lares_file: Path) -> None:
    """Lists are missing or others; options are for strategies; a strategy is no proof."""
    assert by_page(engine, losses.content, {})[0] == 2
    assert by_page(engine, losses.content, {"words": losses.words})[0] == 2
    for words in (["abc", "abcd"], "", "ab c"):
        assert by_page(engine, losses.content, losses.lists | {"words": words})[0] == 2
    others = losses.lists | {"words": [*(losses.words or []), "zzz"]}
    assert by_page(engine, losses.content, others)[0] == 1
    for option, value in (("within", 3), ("hard", True), ("workers", 2), ("fast", 1)):
        with pytest.raises(JavaScriptError):
            engine.ask("check", losses.content, losses.lists | {option: value})
    content = bytearray(lares_file.read_bytes()[:-32])
    content[9:10] = b"R"
    code, said = by_page(engine, sealed_bytes(bytes(content[14:])), {})
    assert code == 2 and "statement" in said


def test_lists_of_codes(engine: Engine, losses: Written, tmp_path: Path) -> None:
    """Codes of one peg may be given, too; what is none is no list.

    It is looked at whether they are words, then what is stated, then how many scores they have.
    """
    body = about_board("1x4", 4) | {"refutation_count": 1, "refutations": bytes([2, 1, 1, 1, 0])}
    codes = ["4", "3", "2", "1"]
    for words, secrets, code in (
        (None, None, 0), (codes, None, 0), (codes, codes, 0), (codes, codes[1:], 1),
        ([*codes, "é"], codes, 2), (codes, ["12"], 1), (["11", "2"], codes, 2),
        (["5", "3", "2", "1"], None, 1), (codes, ["5", "3", "2", "1"], 1),
    ):  # fmt: skip
        given = Written(tmp_path / "given", words, secrets)
        assert agree(engine, given, sealed(body), tmp_path / "a") == code
    for strange in (["a" * 12], ["ab c"], ["abc", "ab"]):
        given = replace(losses, words=[*(losses.words or []), "zzz"], secrets=strange)
        assert agree(engine, given, losses.content, tmp_path / "a") == 2
    for board, count, name, code in (
        ("8x4", 4**8, "mine", 2), ("8x4", 4**8, "original", 1),  # 2^32 scores; another list
        ("20x1", 1, "x", 2), ("20x1", 2, "x", 1), ("1x40", 40, "x", 1),
    ):  # fmt: skip
        content = sealed(about_board(board, count, list_name=name))
        given = Written(tmp_path / "given", None, None)
        assert agree(engine, given, content, tmp_path / "a") == code


def about_board(board: str, count: int, **head: Any) -> dict[str, Any]:
    """A body that says of a board that one guess is not enough, and nothing else."""
    game = f"mastermind:{board}"
    try:
        digest = words_digest(board_codes(game, count))
    except StrategyError:
        digest = "0" * 64
    statement = {
        "game": game, "list_name": "x", "guesses": count, "guesses_digest": digest,
        "secrets_name": "allowed", "secrets": count, "secrets_digest": digest, "hard": False,
        "start": "", "objective": "worst", "limit": 1, "losses": 1, "total": 0,
    }  # fmt: skip
    return {
        "statement": statement | head, "strategy": None, "shown": [], "symmetries": [],
        "count": 0, "claims": b"", "refutation_count": 0, "refutations": b"",
    }  # fmt: skip


def test_bodies_that_are_otherwise(engine: Engine, losses: Written, tmp_path: Path) -> None:
    """Words of no game can be read; so many values, and no more; whole numbers have no point."""

    def code_of(**changes: Any) -> int:
        return agree(engine, losses, sealed(unsealed(losses.content) | changes), tmp_path / "a")

    body, count = unsealed(losses.content), 200_000
    strategy, stated = body["strategy"], body["statement"]
    nodes = len(strategy["words"]) // strategy["length"]
    for length in (1, 2, 11, 12, 16):
        words = "".join(chr(0x4E00 + at) * length for at in range(nodes))
        assert code_of(strategy=strategy | {"length": length, "words": words}) == 1
    # Yes and no are expected; there are more others than a call has arguments.
    numbers, zeros = [4, np.arange(count, dtype="<u4").tobytes()], [1, bytes(count)]
    columns = {"guess": zeros, "parent": zeros, "score": numbers, "hit": numbers}
    assert code_of(strategy=strategy | columns | {"nodes": count}) == 2
    for many in ((1 << 17) + 1, 1 << 17):
        assert code_of(shown=[""] * many) == 2
    assert code_of(statement=stated | {"total": float(stated["total"])}) == 2
    assert code_of(shown=[*body["shown"], "a"]) == 2  # no claim uses it
    # Many claims about one set take time as they are many, and no more: once it was minutes.
    put(body, "claims", [Step([0, 0, 0, 1], [0])] * 30_000 + steps(body, "claims"))
    assert code_of(**body) == 0


@pytest.mark.slow(5)
def test_many_citations(engine: Engine, tmp_path: Path) -> None:
    """Each refutation cites all before it: more than can be looked at, in a file of 5 MB."""
    proof = written(tmp_path, "worst", 1, over_all=True)
    body = unsealed(proof.content)
    last = steps(body, "refutations")[-1]
    count = int((2 * 2**26 / len(last.members)) ** 0.5) + 2
    put(body, "refutations", [Step([1], last.members, [[*range(at)]]) for at in range(count)])
    assert agree(engine, proof, sealed(body), tmp_path / "a") == 1
    assert "cite over 67,108,864 candidates" in by_command(tmp_path / "a", proof)[1]


def test_a_key_that_stands_twice(engine: Engine, losses: Written, tmp_path: Path) -> None:
    """Also in the strategy, and in the statement; both checkers refuse the file."""
    body = unsealed(losses.content)
    for inner, key in ((body, "count"), (body["statement"], "total"), (body["strategy"], "nodes")):
        pair = msgpack.packb(key) + msgpack.packb(inner[key])
        packed = msgpack.packb(body)
        whole = msgpack.packb(inner)
        twice = _header(len(inner) + 1) + whole[len(_header(len(inner))) :] + pair
        content = sealed_bytes(packed.replace(whole, twice))
        assert agree(engine, losses, content, tmp_path / key) == 2


def _header(count: int) -> bytes:
    """How a map of so many pairs begins."""
    return bytes([0x80 | count]) if count < 16 else bytes([0xDE, 0, count])


def test_a_strategy_with_words_of_no_game(engine: Engine, codes: Written, tmp_path: Path) -> None:
    """It can be read, so the proof is one that proves nothing."""
    body = unsealed(codes.content)
    strategy = body["strategy"]
    columns = (verify.read_column(strategy[key], strategy["nodes"]) for key in ("guess", "hit"))
    guess, hit = map(list, columns)
    guess[hit.index(0)] = len(strategy["words"]) // 4
    strategy |= {"words": strategy["words"] + "éééé", "guess": pack_column(guess)}
    assert agree(engine, codes, sealed(body), tmp_path / "a") == 1
    assert "is no word of mastermind" in by_command(tmp_path / "a", codes)[1]


# ---- Proofs that are committed

#: Seconds of each that is checked whole; of others only so large a part, the rest in ``--nightly``.
WHOLE = {
    "allowed-within-6-anura": 6, "allowed-within-6-cadee": 6, "allowed-within-6-calid": 5,
    "allowed-within-6-derry": 6, "allowed-within-6-malmy": 5,
    "allowed-within-6-masse": 8, "allowed-within-6-rudis": 20, "allowed-within-6-ulnas": 5,
    "mastermind-4x5-within-3": 1, "mastermind-4x6-within-4": 2,
}  # fmt: skip
SAMPLES = {
    "four-guesses": 0.0003, "bulls-and-cows": 0.01, "mastermind-4x8": 0.01, "mastermind-6x4": 0.01,
    "bulls-and-cows-within-6": 0.003, "all-first-guesses": 0.001, "hard-mode": 0.001,
    "hard-mode-within-6": 0.001, "nyt-2026": 0.0003, "allowed-within-6-cuffo": 0.1,
}  # fmt: skip
#: Of what takes a quarter of an hour and more ``--nightly`` looks at a part, too.
LARGER = {
    "four-guesses": 0.01, "bulls-and-cows-within-6": 0.05, "all-first-guesses": 0.1,
    "hard-mode": 0.05, "hard-mode-within-6": 0.05, "nyt-2026": 0.01,
}  # fmt: skip


def committed() -> dict[str, Path]:
    whole = {path.stem: path for path in sorted(RECORDS.rglob("*.proof"))}
    return {name: path for name, path in whole.items() if path.parent != small_boards.FOLDER}


def test_every_committed_proof_is_looked_at() -> None:
    assert set(committed()) == {*WHOLE, *SAMPLES}


@pytest.mark.parametrize("name", [
    *(pytest.param(it, marks=pytest.mark.slow(count)) for it, count in WHOLE.items()),
    *(pytest.param(it, marks=pytest.mark.nightly(200)) for it in SAMPLES if it not in LARGER),
])  # fmt: skip
def test_committed_proofs(engine: Engine, name: str) -> None:
    found = engine.ask("check", committed()[name].read_bytes())
    assert found["ok"], found["reason"]


@pytest.mark.slow(20)
def test_proofs_of_small_boards(engine: Engine) -> None:
    for places, colours in small_boards.boards(3_100):
        words = {"words": list(small_boards.game_of(places, colours).guesses)}
        for objective in ("worst", "total"):
            path = small_boards.FOLDER / f"{places}x{colours}-{objective}.proof"
            found = engine.ask("check", path.read_bytes(), words)
            assert found["ok"], (path.name, found["reason"])


@pytest.mark.parametrize(("name", "share"), [
    *(pytest.param(*it, marks=pytest.mark.slow(5)) for it in SAMPLES.items()),
    *(pytest.param(*it, marks=pytest.mark.nightly(200)) for it in LARGER.items()),
])  # fmt: skip
def test_samples_of_large_proofs(engine: Engine, name: str, share: float) -> None:
    options = {"sample": {"share": share, "seed": 1}}
    found = engine.ask("check", committed()[name].read_bytes(), options)
    assert not found["sample"]["flaw"], found["reason"]
    assert not found["ok"] and found["sample"]["n_looked_at"] > 0


@pytest.mark.slow(6)
def test_one_step_bounds_tell_candidates_from_other_guesses(engine: Engine, tmp_path: Path) -> None:
    """A candidate with as many parts costs more, where scores are few (Lemma 1a)."""
    whole = proof_file.load(committed()["bulls-and-cows-within-6"])
    true, wrong = whole.claims[:128], whole.claims[127]._replace(value=10_000)
    proof_file.save(replace(whole, claims=(*true, wrong)), tmp_path / "a.proof")
    found = engine.ask("check", (tmp_path / "a.proof").read_bytes())
    assert found["reason"].startswith("claim 129 does not follow")
