"""What others have named reaches the terminal escaped, and machines as it is."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strategy.cli import output
from strategy.files import envelope, strategy_file
from strategy.files.text import is_name, printable, quoted
from strategy.proofs import proof_file
from tests.support.commands import Knuthle, Outcome, report_of
from tests.support.proof_worlds import alike, proof_of, strategy_of

#: It would clear the screen, set the title, turn text red and round, and forge a line.
EVIL = "a\x1b[2J\x1b[31m\x1b]0;title\x07\u202e\u2028\x9b31m b\nPROVED c\r"


@given(st.text())
def test_whatever_is_shown_is_plainly_visible(text: str) -> None:
    assert printable(text).isprintable() and quoted(text).isprintable()
    assert len(printable(text, 5)) <= 5 * 10
    if text.isprintable():
        assert printable(text) == text


def test_what_is_shown_can_be_told_apart() -> None:
    assert printable("a\x1b[31m\u202e\udc80") == r"a\x1b[31m\u202e\udc80"
    assert printable("\u00e9t\u00e9 \U0001f7e9") == "\u00e9t\u00e9 \U0001f7e9"
    assert printable("abcdef", 4) == "abc\u2026" and printable("abcd", 4) == "abcd"
    assert quoted("x" * 1000) == f"'{'x' * 199}\u2026'"


@given(st.text(min_size=1))
def test_names_are_one_line(text: str) -> None:
    if is_name(text):
        assert len(text.splitlines()) == 1
        assert not set(text) & set("/\\\x1b\x9b\u202e\u200b")


def test_nothing_in_a_file_reaches_the_terminal_raw(knuthle: Knuthle, tmp_path: Path) -> None:
    game = alike(0, 12, 7)
    proof = proof_of(game)
    body = strategy_file.to_body(strategy_of(game))
    stated = proof_file.to_body(proof)
    heads = [
        {key: EVIL}
        for key in ("list_name", "secrets_name", "guesses_digest", "game", "rule", "guess_from")
    ] + [{EVIL: 1}, {"claim": {EVIL: EVIL, "objective": [EVIL, {EVIL: 1}]}}, {"start": [EVIL]}]
    bodies = [(envelope.STRATEGY, body | {EVIL: 1}), (envelope.STRATEGY, body | {"digest": EVIL})]
    bodies += [(envelope.STRATEGY, body | {"origin": body["origin"] | head}) for head in heads]
    for key in stated["statement"]:
        changed = stated["statement"] | {key: EVIL}
        bodies.append((envelope.PROOF, stated | {"statement": changed}))
    bodies += [(envelope.PROOF, stated | {"shown": [EVIL]}), (envelope.FINDINGS, {EVIL: EVIL})]
    bodies += [(envelope.FINDINGS, {"found": [], EVIL: EVIL, "game": EVIL})]
    (tmp_path / "words").write_text("\n".join(game.guesses))
    for number, (kind, changed) in enumerate(bodies):
        path = tmp_path / f"{number}{EVIL}"
        path.write_bytes(envelope.pack(kind, changed))
        for command in (
            ("verify", path), ("check-proof", path, "--words", tmp_path / "words"),
            ("export", path, "--out", "x"), ("lookup", path),
        ):  # fmt: skip
            outcome = knuthle(*command)
            assert (outcome.out + outcome.err).replace("\n", "").isprintable(), (command, changed)
        path.unlink()
        Path("x").unlink(missing_ok=True)


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
    (EVIL,), ("help", EVIL), ("lookup", EVIL), ("lookup", f"--{EVIL}"),
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
