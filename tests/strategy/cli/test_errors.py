"""Wrong input is refused in one plain line, by name, with nothing left behind."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.commands import Knuthle


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["solve-all", "--start", "larez"], "did you mean"),
        (["solve-all", "--start", "lares,"], "'' is not among the 12,972 guesses"),
        (["solve-all", "--strat", "lares"], "did you mean --start?"),
        (["solve-al"], "did you mean solve-all?"),
        (["solve-all", "--workers", "0"], "0 is too small: at least 1"),
        (["solve-all", "--workers", "many"], "'many' is not a whole number"),
        (["solve-all", "--within", "0"], "too small"),
        (["solve-all", "--rule", "entropie"], "did you mean entropy?"),
        (["solve-all", "--list", "orignal"], "did you mean original"),
        (["solve-all", "--secrets", "nowhere.txt"], "nowhere.txt: No such file"),
        (["solve-all", "--list", "."], "Is a directory"),
        (["solve-all", "--out", "."], "is a directory, not a file"),
        (["solve-all", "--out", "none/a"], "there is no directory none"),
        (["solve-all", "--json", "none/a"], "there is no directory none"),
        (["solve-all", "--json"], "expected one argument"),
        (["solve-all", "--game", "chess"], "unknown game 'chess'"),
        (["verify"], "required"),
        (["verify", "nowhere"], "nowhere: No such file"),
        (["verify", "."], "Is a directory"),
        (["lookup", "nowhere"], "nowhere: No such file"),
        (["export", "nowhere"], "nowhere: No such file"),
        (["info", "nowhere"], "nowhere: No such file"),
    ],
)
def test_wrong_input_is_one_plain_line(knuthle: Knuthle, arguments: list[str], reason: str) -> None:
    outcome = knuthle(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert reason in outcome.err
    assert len(outcome.err.splitlines()) <= 2
    assert not list(Path().iterdir())


def test_a_foreign_file_is_named(knuthle: Knuthle, tiny: Path) -> None:
    outcome = knuthle("verify", tiny)
    assert outcome.code == 2
    assert "one word a line is a list of words, not a strategy" in outcome.err


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_named(knuthle: Knuthle, tiny: Path) -> None:
    Path().chmod(0o500)
    outcome = knuthle("solve-all", "--list", tiny)
    Path().chmod(0o700)
    assert outcome.code == 2
    assert "cannot be written" in outcome.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(knuthle: Knuthle, tiny: Path) -> None:
    outcome = knuthle("solve-all", "--list", tiny, "--out", "/dev/full")
    assert outcome.code == 3
    assert "No space left on device" in outcome.err


def test_outputs_are_kept_apart(knuthle: Knuthle, tiny: Path) -> None:
    assert knuthle("solve-all", "--list", tiny, "--out", "x", "--json", "./x").code == 2
    assert knuthle("solve-all", "--list", tiny, "--out", "x", "--resume", "x").code == 2
    assert knuthle("solve-all", "--list", tiny, "--out", "-").code == 2
    assert knuthle("solve-all", "--list", tiny, "--json", "-", "--csv", "-").code == 2
    assert knuthle("solve-all", "--list", tiny, "--out", "x").code == 0
    before = Path("x").read_bytes()
    assert knuthle("verify", "x", "--json", "x").code == 2
    assert knuthle("info", "x", "--json", "x").code == 2
    assert knuthle("export", "x", "--out", "x").code == 2
    assert Path("x").read_bytes() == before


def test_word_lists_are_not_overwritten(knuthle: Knuthle, tiny: Path) -> None:
    before = tiny.read_bytes()
    for option in ("--out", "--json", "--csv", "--resume"):
        outcome = knuthle("solve-all", "--list", tiny, option, tiny)
        assert (outcome.code, "named for two things" in outcome.err) == (2, True)
    assert knuthle("solve-all", "--list", tiny, "--secrets", tiny, "--json", tiny).code == 2
    assert knuthle("five-words", tiny, "--json", tiny).code == 2
    assert tiny.read_bytes() == before


def test_one_list_may_be_both_the_words_and_the_secrets(knuthle: Knuthle, tiny: Path) -> None:
    assert knuthle("solve-all", "--list", tiny, "--secrets", tiny, "--out", "s").code == 0
    outcome = knuthle("verify", "s", "--words", tiny, "--secrets", tiny)
    assert (outcome.code, "lists as given" in outcome.out) == (0, True)


def test_links_are_followed(knuthle: Knuthle, tiny: Path) -> None:
    Path("link").symlink_to("real")
    assert knuthle("solve-all", "--list", tiny, "--out", "link").code == 0
    assert Path("link").is_symlink()
    assert Path("real").is_file()


def test_a_list_must_not_pretend_to_be_a_shipped_one(knuthle: Knuthle, tiny: Path) -> None:
    Path("original.txt").write_text(tiny.read_text())
    outcome = knuthle("solve-all", "--list", "original.txt")
    assert outcome.code == 2
    assert "rename the file" in outcome.err
