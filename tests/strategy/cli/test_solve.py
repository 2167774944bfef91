"""The command solve as people run it."""

from pathlib import Path

import pytest

from strategy.cli.screen import Tiles
from tests.support.commands import Knuthle, report_of


def test_a_game_is_shown_guess_by_guess(knuthle: Knuthle, tiny: Path) -> None:
    said = knuthle("solve", "stare", "--list", tiny, "--start", "abide")
    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "1  ABIDE ybbbg  3 left"
    assert lines[-3:] == [
        f"{len(lines) - 2}  STARE ggggg",
        f"found in {len(lines) - 2} guesses, by the proposals of suggest",
        "list tiny list (allowed)",
    ]


def test_json_has_what_is_shown(knuthle: Knuthle, tiny: Path) -> None:
    result = report_of(knuthle, "solve", "STARE", "--list", tiny)
    assert (result["secret"], result["list"], result["widened"]) == ("stare", "tiny list", False)
    assert [row["word"] for row in result["guesses"]] == [word for word, _ in result["state"]]
    assert result["guesses"][-1]["text"] == "ggggg" and result["count"] == len(result["state"])


def test_the_list_of_today_is_asked_without_a_name(knuthle: Knuthle) -> None:
    said = knuthle("solve", "balsa", "--rule", "minimax", "--start", "crane")
    assert said.out.splitlines()[-2:] == [
        said.out.splitlines()[-2], "list nyt-2026 (answers)",
    ]  # fmt: skip
    assert "by the rule minimax" in said.out and "counted as possible" not in said.out
    old = knuthle("solve", "balsa", "--rule", "minimax", "--start", "crane", "--list", "original")
    assert "BALSA is none of the answers of original: all 12,972 allowed words" in old.out


def test_a_strategy_plays_with_its_own_words(knuthle: Knuthle, tiny: Path) -> None:
    knuthle("solve-all", "--list", tiny, "--start", "slate", "--out", "s.strategy")
    said = knuthle("solve", "crane", "--strategy", "s.strategy")
    assert said.out.startswith("1  SLATE bbgbg  1 left\n2  CRANE ggggg\n")
    assert said.out.endswith("found in 2 guesses, by the strategy\nlist tiny list (allowed)\n")
    assert knuthle("solve", "crane", "--strategy", "s.strategy", "--list", tiny).out == said.out


def test_on_a_terminal_the_colours_are_tiles(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tiles, "of", classmethod(lambda cls, stream, wanted: cls(True, True)))
    said = knuthle("solve", "crane", "--list", tiny, "--start", "slate")
    assert "\x1b[97;100m S \x1b[0m" in said.out and "\x1b[30;42m A \x1b[0m" in said.out


def test_mastermind(knuthle: Knuthle) -> None:
    said = knuthle("solve", "1122", "--game", "mastermind:4x6", "--rule", "minimax")
    assert said.code == 0 and said.out.endswith("by the rule minimax\ngame mastermind:4x6\n")
