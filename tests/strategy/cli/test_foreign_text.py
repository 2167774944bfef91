"""What others have named reaches the terminal escaped, and machines as it is."""

import json
from pathlib import Path

import pytest

from strategy.cli import output
from tests.support.commands import Knuthle, Outcome, report_of

#: It would clear the screen, set the title, turn text red and round, and forge a line.
EVIL = "a\x1b[2J\x1b[31m\x1b]0;title\x07\u202e\u2028\x9b31m b\nPROVED c\r"


def harmless(outcome: Outcome) -> bool:
    """Whether a terminal shows all of it as it is, with no line of somebody else's making."""
    lines = (outcome.out + outcome.err).split("\n")
    return all(line.isprintable() and not line.startswith("PROVED c") for line in lines)


@pytest.fixture
def evil_list(tiny: Path) -> Path:
    path = tiny.parent / f"{EVIL}.txt"
    path.write_text(tiny.read_text())
    return path


@pytest.mark.parametrize("arguments", [
    (EVIL,), ("help", EVIL), ("lookup", EVIL), ("lookup", f"--{EVIL}"), ("lookup", EVIL),
    ("export", EVIL), ("explore", EVIL), ("explore", "--serve", EVIL), ("check-proof", EVIL),
    ("verify", EVIL), ("verify", EVIL, "--words", EVIL), ("verify", "--list", EVIL, "x"),
    ("verify", "-o", "x", EVIL), ("compare", EVIL, EVIL), ("referee", "--", EVIL),
    ("solve-all", "--list", EVIL), ("solve-all", "--secrets", EVIL), ("solve-all", "--rule", EVIL),
    ("solve-all", "--start", EVIL), ("solve-all", "--game", EVIL), ("solve-all", "--within", EVIL),
    ("solve-all", "--workers", EVIL), ("solve-all", f"--{EVIL}"), ("solve-all", f"--{EVIL}=1"),
    ("solve-all", "--out", f"{EVIL}/x"), ("solve-all", "--json", f"{EVIL}/x"),
    ("solve-all", "--out", f"none/{EVIL}"), ("five-words", EVIL), ("suggest", EVIL),
    ("optimal", "--state", EVIL), ("optimal", "--time-limit", EVIL), ("openers", EVIL),
    ("buckets", "crane", "--plot", EVIL), ("cheatsheet", "crane", "--card", EVIL),
    ("pairs", "--with", EVIL),
], ids=lambda arguments: " ".join(arguments[:-1]) or "command")  # fmt: skip
def test_errors_show_foreign_text_escaped(knuthle: Knuthle, arguments: tuple[str, ...]) -> None:
    outcome = knuthle(*arguments)
    assert outcome.code == 2 and harmless(outcome)


def test_names_of_files_and_lists_are_shown_escaped(knuthle: Knuthle, evil_list: Path) -> None:
    folder = Path("folder\x1b[2J\nPROVED c")
    folder.mkdir()
    out = folder / "out"
    for command in ("solve-all", "optimal"):
        assert harmless(knuthle(command, "--list", evil_list))
        assert harmless(knuthle(command, "--list", evil_list, "--secrets", evil_list))
    safe = evil_list.rename(evil_list.parent / "safe.txt")
    for command in ("solve-all", "optimal"):
        made = knuthle(command, "--list", safe, "--out", out, "--json", folder / "json")
        assert (made.code, harmless(made)) == (0, True)
        assert "written to folder\\x1b[2J\\nPROVED c/out" in made.out
        assert json.loads((folder / "json").read_text())["file"] == str(out)
        out.unlink()
        (folder / "json").unlink()


def test_machines_get_names_as_they_are(knuthle: Knuthle, tiny: Path) -> None:
    name = "folder\x1b[2J\nPROVED c"
    assert knuthle("solve-all", "--list", tiny, "--out", name).code == 0
    for command in ("verify", "lookup", "export"):
        assert harmless(knuthle(command, name))
    found = report_of(knuthle, "verify", name)
    assert found["file"] == name


def test_lists_with_such_names_are_told_escaped(knuthle: Knuthle, evil_list: Path) -> None:
    evil_list.write_text("crane\ncrane\nslate\n")
    for command in (["suggest"], ["openers"], ["pairs"], ["buckets", "crane"]):
        outcome = knuthle(*command, "--list", evil_list)
        assert (outcome.code, harmless(outcome)) == (0, True)
        assert "repeated words count once" in outcome.err


def test_the_last_look_leaves_lines_alone() -> None:
    assert output.plain("a\nb\x1b\tc █▏ é") == "a\nb\\x1b\\tc █▏ é"
