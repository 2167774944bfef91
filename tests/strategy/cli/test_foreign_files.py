"""verify, import, export, compare and check-proof as people run them, on any files."""

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
from tests.support.commands import Knuthle, Terminal, report_of


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


def test_what_is_said_on_a_terminal_fits_eighty_columns(knuthle: Knuthle, tiny: Path) -> None:
    for name, start in (("s", "crane"), ("t", "adieu")):
        knuthle("solve-all", "--list", tiny, "--start", start, "--out", name)
    knuthle("export", "s", "--to", "tree", "--out", "s.tree")
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
    assert "what the file claims" in knuthle("lookup", path).out
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
@pytest.mark.parametrize(("secrets", "limit", "start", "said"), [
    ("answers", 4, "", "no strategy solves all within 4 guesses"),
    ("allowed", 6, "lares", "no strategy from lares solves all within 6 guesses"),
])  # fmt: skip
def test_so_many_guesses_are_not_enough(
    knuthle: Knuthle, secrets: str, limit: int, start: str, said: str
) -> None:
    """The proof is checked before it is given, and once more as a file."""
    game = load_game(secrets=secrets)
    proof_file.save(prove_optimal(game, "total", limit, False, None, start), "a.proof")
    assert Path("a.proof").stat().st_size < 2_000_000 or not start
    checked = knuthle("check-proof", "a.proof", "--workers", 2)
    assert checked.code == 0 and said in checked.out


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
