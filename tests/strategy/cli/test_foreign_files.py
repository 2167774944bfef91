"""verify, import, export, compare and check-proof as people run them, on any files."""

import json
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from solver.words.lists import named_list
from strategy import check_proof
from strategy.files import envelope
from strategy.proofs import proof_file
from strategy.proofs.writer import prove_optimal
from tests.support import raising
from tests.support.commands import Knuthle, report_of
from tests.support.proof_worlds import made_up, proof_of
from tests.support.terminal import Terminal


@pytest.fixture
def made(knuthle: Knuthle, tiny: Path) -> Path:
    assert knuthle("solve-all", "--list", tiny, "--start", "crane", "--out", "s").code == 0
    for form in ("text", "tree", "json", "csv", "dot"):
        assert knuthle("export", "s", "--to", form, "--out", f"s.{form}").code == 0
    return tiny


@pytest.mark.parametrize("form", ["text", "tree", "json", "csv"])
def test_there_and_back(knuthle: Knuthle, made: Path, form: str) -> None:
    right = knuthle("verify", f"s.{form}", "--list", made)
    assert (right.code, right.err) == (0, "") and right.out.startswith(f"OK  s.{form}: ")
    assert "7 secrets played, worst 2, total 13, mean 1.8571, lists as given" in right.out
    imported = knuthle("verify", f"s.{form}", "--list", made, "-o", "back", "--json", "j")
    assert imported.code == 0 and imported.out.endswith("written to back\n")
    facts = json.loads(Path("j").read_text())
    assert (facts["ok"], facts["out"], facts["n_faults"]) == (True, "back", 0)
    digest = report_of(knuthle, "verify", "s")["digest"]
    assert facts["digest"] == digest
    assert report_of(knuthle, "lookup", "back")["rule"] == "imported"
    assert knuthle("export", "back").out == Path("s.text").read_text()
    same = knuthle("compare", "s", f"s.{form}", "--list", made)
    assert same.out == f"A s\nB s.{form}\nthe same guesses in every state: total 13\n"


def test_every_fault_has_a_line_and_a_code(knuthle: Knuthle, made: Path) -> None:
    lines = Path("s.text").read_text().splitlines()
    Path("bad").write_text("\n".join([*lines[1:], lines[3]]))
    wrong = knuthle("verify", "bad", "--list", made)
    twice, missing = "the game of 'crane' stands in line 3 already", "no game comes to 'abide'"
    assert wrong.code == 1
    assert wrong.out.splitlines() == [
        "WRONG  bad: 2 faults",
        "       games, 6 of 7 secrets solved, worst 2, total 11, mean 1.8333, lists as given",
        f"  secret twice: line 7: {twice}", f"  secret missing: {missing}",
    ]  # fmt: skip
    facts = report_of(knuthle, "verify", "bad", "--list", made, code=1)
    assert facts["faults"] == [
        {"fault": "secret twice", "word": "crane", "line": 7, "reason": twice},
        {"fault": "secret missing", "word": "abide", "line": None, "reason": missing},
    ]
    assert (facts["n_secrets"], facts["n_solved"], facts["n_faults"]) == (7, 6, 2)
    refused = knuthle("verify", "bad", "--list", made, "-o", "out")
    assert refused.code == 1 and "nothing is written" in refused.out
    assert not Path("out").exists()
    one = knuthle("compare", "s", "bad", "--list", made)
    assert (one.code, one.out) == (1, "")
    assert "2 faults; 'knuthle verify' lists every fault" in one.err


def test_many_faults_are_counted(knuthle: Knuthle, made: Path) -> None:
    shown = knuthle("verify", "s.text", "--list", "original", "--secrets", "answers")
    assert shown.code == 1 and len(shown.out.splitlines()) == 23
    assert "more (--json has them all)" in shown.out.splitlines()[-1]
    assert knuthle("verify", "s.text", "--list", made, "--within", 1).code == 1
    assert knuthle("verify", "s.text", "--list", made, "--within", 2).code == 0
    assert knuthle("verify", "s.text", "--list", made, "--hard", "--quiet").code == 0


@pytest.mark.parametrize(("content", "reason"), [
    (b"", "the file is empty"), (b"\x7fELF\0\0\1", "not a text file"),
    (b'{"guess":' * 100_000, "objects and lists too deep within each other"),
    (b"crane BBBBB1 \x1b[2J GGGGG2", "'\\x1b[2J' is no word"),
    (envelope.MAGIC + b"\1S", "truncated"),
])  # fmt: skip
def test_what_cannot_be_read_exits_2(knuthle: Knuthle, content: bytes, reason: str) -> None:
    Path("x").write_bytes(content)
    for command in (["verify", "x"], ["verify", "x", "-o", "y"], ["compare", "x", "x"]):
        outcome = knuthle(*command)
        assert (outcome.code, outcome.out) == (2, "") and reason in outcome.err
        assert outcome.err.replace("\n", "").isprintable()
    assert not Path("y").exists()


@pytest.mark.long
def test_much_rubbish_is_refused(knuthle: Knuthle) -> None:
    """64 MB of whatever; memory and time stay within reason."""
    size = (1 << 26) + 1
    for piece in (b"x", b"[", b"{", b'{"a":1,', b"\n", b"salet BBBBB1\n", b"salet,courd\n", b'"'):
        for length in (size, size - 1 - (1 << 20)):
            Path("x").write_bytes((piece * (length // len(piece) + 1))[:length])
            assert knuthle("verify", "x").code in (1, 2)
    Path("x").write_bytes(random.Random(1).randbytes(1 << 26))
    assert knuthle("verify", "x").code == 2


def test_import_keeps_what_is_there(knuthle: Knuthle, made: Path) -> None:
    Path("words").write_text("crane\n")
    kept = knuthle("verify", "s.tree", "--list", made, "-o", "words")
    assert (kept.code, Path("words").read_text()) == (2, "crane\n") and "--force" in kept.err
    assert knuthle("verify", "s.tree", "--list", made, "-o", "words", "--force").code == 0
    assert knuthle("verify", "s.tree", "--list", made, "-o", "none/x").code == 2
    assert knuthle("verify", "s.tree", "--list", made, "-o", "s.tree").code == 2
    again = knuthle("verify", "s", "--list", made, "-o", "copy")
    assert again.code == 0
    assert Path("copy").read_bytes() == Path("s").read_bytes()


def test_compare_tells_where_and_what(knuthle: Knuthle, made: Path) -> None:
    knuthle("solve-all", "--list", made, "--start", "adieu", "--out", "t")
    outcome = knuthle("compare", "s", "t", "--list", made)
    both = "7 secrets of both: total 13 and 15 (+2), worst 2 and 3, mean 1.8571 and 2.1429"
    assert outcome.code == 0 and outcome.out.startswith(f"A s\nB t\n{both}\n")
    assert "\nthe beginning  crane  adieu" in outcome.out
    facts = report_of(knuthle, "compare", "s", "t", "--list", made)
    assert facts["totals"] == [13, 15] and facts["partings"][0]["state"] == []
    assert sum(row["count"] for row in facts["differences"]) == 7
    assert knuthle("compare", "s", "t", "--top", 0).code == 0
    Path("codes").write_text("1122 4,0\n")
    assert knuthle("compare", "s", "codes").code == 2
    # what is said on a terminal fits eighty columns
    seen = Terminal("compare", "s", "t", folder=Path())
    assert seen.end() == 0 and all(len(line) <= 80 for line in seen.text.splitlines())
    assert "they part in 1 state, first in:" in seen.text
    wrong = Terminal("verify", "s.tree", "--secrets", "answers", folder=Path())
    assert wrong.end() == 1 and wrong.text.startswith("WRONG  s.tree: ")


@pytest.mark.parametrize("game", ["mastermind:1\u0660x2", "mastermind:1x\uff12", "mastermind:01x2"])
def test_a_game_is_written_in_plain_digits(knuthle: Knuthle, game: str) -> None:
    """An Arabic zero, a wide two, a zero before a number: no command knows such a game."""
    assert knuthle("solve-all", "--game", "mastermind:1x2", "--out", "right").code == 0
    _, body = envelope.read("right")
    body["origin"]["game"] = game
    Path("wrong").write_bytes(envelope.pack(envelope.STRATEGY, body))
    assert knuthle("export", "right", "--out", "text").code == 0
    for command in (
        ("verify", "wrong"), ("lookup", "wrong"), ("export", "wrong", "--out", "x"),
        ("verify", "wrong", "-o", "x"), ("lookup", "wrong"), ("compare", "right", "wrong"),
        ("verify", "text", "--game", game, "-o", "x"), ("verify", "text", "--game", game),
        ("verify", "right", "--game", game),
    ):  # fmt: skip
        said = knuthle(*command)
        assert said.code == 2 and "mastermind" in said.err, command
        assert not Path("x").exists()


@pytest.fixture
def lists(tmp_path: Path) -> tuple[str, str]:
    """Files of fifty words, some twenty of them secrets; too many of these are much alike."""
    draw = random.Random(5)
    family = ["bound", "hound", "mound", "round", "sound", "wound"]
    words = sorted({*draw.sample(named_list("original", "allowed").words, 44), *family})
    secrets = sorted({*family, *draw.sample(words, 14)})
    for name, listed in (("words.txt", words), ("secrets.txt", secrets)):
        (tmp_path / name).write_text("\n".join(listed))
    return str(tmp_path / "words.txt"), str(tmp_path / "secrets.txt")


@pytest.mark.parametrize(("objective", "within", "hard"), [
    *product(("total", "worst", "losses"), ("none", "6", "3", "2"), (False, True)),
])  # fmt: skip
def test_whatever_is_proved_is_checked(
    knuthle: Knuthle, lists: tuple[str, str], objective: str, within: str, hard: bool
) -> None:
    words, secrets = lists
    for start in ("auto", Path(words).read_text(encoding="ascii")[:5]):
        search = ["--objective", objective, "--within", within, "--start", start]
        search += ["--hard", "--quiet"] if hard else ["--quiet"]
        files = ["--proof", "a.proof", "--out", "a.strategy", "--list", words, "--workers", 1]
        made = knuthle("optimal", *search, *files, "--secrets", secrets)
        check = ("check-proof", "a.proof", "--words", words, "--secrets", secrets)
        stated = report_of(knuthle, *check)
        assert stated["hard"] == hard
        assert stated["start"] == ([] if start == "auto" else [start])
        if made.code == 1:  # no strategy keeps to the limit
            assert (stated["objective"], stated["limit"]) == ("worst", int(within))
        else:
            assert stated["objective"] == objective
        Path("a.proof").unlink()


def test_the_command(knuthle: Knuthle, tmp_path: Path) -> None:
    game = made_up(3, 30, 20)
    proof = proof_of(game)
    path = tmp_path / "small.proof"
    proof_file.save(proof, path)
    (tmp_path / "words").write_text("\n".join(game.guesses))
    (tmp_path / "secrets").write_text("\n".join(game.secrets))
    lists = ["--words", tmp_path / "words", "--secrets", tmp_path / "secrets"]
    found = knuthle("check-proof", path, *lists)
    assert found.code == 0 and found.out.startswith("PROVED")
    assert f"takes fewer than {proof.statement.total} guesses" in found.out
    assert proof.statement.guesses_digest[:16] in found.out
    assert knuthle("check-proof", path, *lists, "--quiet").code == 0
    missing = knuthle("check-proof", path)
    assert (missing.code, missing.out) == (2, "") and "--words" in missing.err
    # What a forged one says of itself is a claim, and no result.
    forged = replace(proof.statement, total=proof.statement.total - 5)
    for one in (proof, replace(proof, statement=forged, claims=())):
        proof_file.save(one, path)
        found = knuthle("lookup", path)
        assert found.code == 0 and "proved" not in found.out.lower()
        said = [line for line in found.out.splitlines() if str(one.statement.total) in line]
        assert said and "what the file claims" in found.out
        assert "claims" in found.out and "refutations" in found.out


def test_a_proof_that_proves_something_else(knuthle: Knuthle, tmp_path: Path) -> None:
    proof = prove_optimal(load_game(), "worst", 4, False, None, "salet")
    path = tmp_path / "salet.proof"
    proof_file.save(proof, path)
    for asked, code in (("", 0), ("--list original --secrets answers", 0), ("--list nyt-2026", 1),
                        ("--list /dev/null", 2)):  # fmt: skip
        assert knuthle("check-proof", path, *asked.split()).code == code
    odd = tmp_path / "a\tb"  # what a name says is asked only where it must say something
    odd.write_text("\n".join(load_game().guesses))
    check_proof(path, str(odd))
    check_proof(path, "original", "answers")
    proof_file.save(replace(proof, statement=replace(proof.statement, limit=5)), path)
    said = report_of(knuthle, "check-proof", path, code=1)
    assert (said["ok"], said["limit"]) == (False, 5) and "salet" in said["reason"]


# --- proofs of published results --------------------------------------------------------------


@pytest.mark.long
def test_salet_in_hard_mode(knuthle: Knuthle) -> None:
    """A published figure; that without hard mode stands in the README, whose commands are run."""
    files = ["--proof", "salet.proof", "--out", "salet.strategy"]
    assert knuthle("optimal", "--start", "salet", "--hard", *files, "--quiet").code == 0
    stated = report_of(knuthle, "check-proof", "salet.proof", "--workers", 2)
    assert (stated["total"], stated["start"]) == (8122, ["salet"])


@pytest.mark.slow
def test_three_guesses_are_not_enough(knuthle: Knuthle) -> None:
    """From any of 12,972 first guesses; and by the same proof not in hard mode."""
    made = knuthle("optimal", "--within", 3, "--proof", "three.proof")
    assert made.code == 1 and "proved: within 3 is impossible from any first guess" in made.out
    checked = knuthle("check-proof", "three.proof", "--workers", 2)
    assert checked.code == 0 and "no strategy solves all within 3 guesses" in checked.out
    found = proof_file.load("three.proof")
    proof_file.save(replace(found, statement=replace(found.statement, hard=True)), "hard.proof")
    assert knuthle("check-proof", "hard.proof", "--workers", 2).code == 0


@pytest.mark.long
def test_four_guesses_are_not_enough(knuthle: Knuthle) -> None:
    """The proof is checked before it is given, and once more as a file."""
    proof_file.save(prove_optimal(load_game(), "total", 4, False, None), "four.proof")
    checked = knuthle("check-proof", "four.proof", "--workers", 2)
    assert checked.code == 0 and "no strategy solves all within 4 guesses" in checked.out


@pytest.mark.long
def test_lares_cannot_do_all_in_six(knuthle: Knuthle) -> None:
    """12,972 secrets; from the refutations of the search to the verdict of the checker."""
    proof = prove_optimal(load_game(secrets="allowed"), "total", 6, False, None, "lares")
    proof_file.save(proof, "lares.proof")
    assert Path("lares.proof").stat().st_size < 2_000_000
    checked = knuthle("check-proof", "lares.proof", "--workers", 2)
    assert checked.code == 0
    assert "no strategy from lares solves all within 6 guesses" in checked.out


def test_time_is_up_while_the_proof_is_written(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result stands and is told; there is no proof, and not half of one."""
    late = raising(OutOfTimeError("undecided after 1 s, the time limit"))
    monkeypatch.setattr("strategy.proofs.writer.prove_optimal", late)
    words = ("--list", tiny, "--secrets", "allowed")
    outcome = knuthle("optimal", *words, "--proof", "a.proof", "--time-limit", "1", "--out", "a")
    assert outcome.code == 3 and "(proved)" in outcome.out
    assert "the result stands, its proof is not written" in outcome.err
    assert [path.name for path in Path().iterdir()] == ["a"]


def test_verify_takes_proofs_and_names_what_is_not_theirs(knuthle: Knuthle, tmp_path: Path) -> None:
    path, tiny = tmp_path / "a.proof", tmp_path / "tiny.txt"
    tiny.write_text("\n".join(("abide", "crane", "raise", "slate", "stare")))
    lists = ("--list", tiny)
    assert knuthle("optimal", *lists, "--out", tmp_path / "s", "--proof", path).code == 0
    said = [knuthle(name, path, *lists) for name in ("verify", "check-proof")]
    assert said[0].out == said[1].out and said[0].out.startswith("PROVED  ")
    for option in (("--within", 3), ("--hard",), ("--game", "wordle"), ("-o", tmp_path / "x")):
        refused = knuthle("verify", path, *lists, *option)
        assert refused.code == 2 and "only lists can be given" in refused.err
