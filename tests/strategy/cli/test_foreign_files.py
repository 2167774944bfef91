"""verify, import, export and compare from the command line, with files of other programs."""

import json
import random
from pathlib import Path

import pytest

from strategy.files import envelope
from tests.support.commands import Knuthle, report_of
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
