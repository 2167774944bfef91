"""``--used``: past answers, less likely or left out, for every command that advises."""

import json
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from tests.support import refused
from tests.support.commands import Knuthle

WORDS = "abide adieu arise crane crony north raise slate sloth stare".split()
USED = ["crane", "abide", "sloth"]
LEFT = sorted({*WORDS} - {*USED})


@pytest.fixture
def used(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Knuthle:
    """Commands in a folder with a list and a file of used words, and no kept lists."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Path("w.txt").write_text("\n".join(WORDS))
    Path("used.txt").write_text("\n".join([*USED, "# a comment"]))
    options = "--list", "w.txt", "--used", "exclude:used.txt"
    return lambda *arguments, **typed: knuthle(*arguments, *options, **typed)


def test_used_answers_are_guesses_and_no_secrets(used: Knuthle) -> None:
    def asked(*arguments: str) -> dict[str, object]:
        return json.loads(used(*arguments, "--json", "-").out)

    assert asked("suggest")["secrets"] == LEFT
    assert asked("openers")["n_secrets"] == len(LEFT) and asked("openers")["n_guesses"] == 10
    rows = asked("cheatsheet", "crane")["rows"]
    assert sum(row["remaining"] for row in rows) == len(LEFT)
    [split] = asked("buckets", "crane")["splits"]
    assert sorted(word for row in split["buckets"] for word in row["secrets"]) == LEFT
    reviewed = asked("review", "arise.ggggg")
    assert reviewed["guesses"][0]["before"] == len(LEFT)
    said = used("suggest")
    assert said.err == "used answers used: 3 of 10 allowed are left out\n"
    assert used("suggest", "--quiet").err == ""


def test_play_and_game_know_them(used: Knuthle) -> None:
    helped = used("play", typed="crane bbbbb\n")
    assert "7 possible words: adieu arise" in helped.out
    assert "none of the unused allowed of w fits these clues" in helped.out, "SLOTH alone fits"
    assert helped.out.splitlines()[-1].startswith(
        "knuthle play --list w.txt --used exclude:used.txt "
    )
    Path("used.txt").write_text("\n".join(word for word in WORDS if word != "north"))
    for seed in range(5):
        assert "solved in 1" in used("game", "--seed", seed, typed="north\n").out


def test_clues_that_only_a_used_answer_fits(used: Knuthle) -> None:
    said = used("suggest", "crane", "bbbbb")
    assert said.code == 0
    assert "None of the unused allowed of w fits these clues" in said.out
    assert "Possible: sloth" in said.out


def test_they_are_kept_under_a_name(used: Knuthle, knuthle: Knuthle) -> None:
    assert knuthle("lists", "add", "used.txt", "--name", "past").code == 0
    said = knuthle("suggest", "--list", "w.txt", "--used", "exclude:past", "--json", "-")
    assert json.loads(said.out)["secrets"] == LEFT
    wrong = knuthle("suggest", "--list", "w.txt", "--used", "pst")
    assert wrong.code == 2 and "no list or file named 'pst'; did you mean past" in wrong.err


def test_what_is_wrong_with_used_words() -> None:
    said: list[str] = []
    game = load_game(WORDS, remark=said.append, used=["crane", "crame"])
    assert game.secrets_name == "unused allowed" and len(game.secrets) == 9
    assert said == [
        "used answers words: not on list words: crame; did you mean crane or raise?",
        "used answers words: 1 of 10 allowed are left out",
    ]
    refused(WrongInputError, "all are used", load_game, WORDS, used=WORDS)
    refused(WrongInputError, "4 letters, those of list words 5", load_game, WORDS, used=["word"])
    refused(WrongInputError, "has none", load_game, spec="mastermind:2x3", used=["word"])


def test_solve_knows_them(used: Knuthle) -> None:
    """A used word is neither counted nor proposed; it is found once no other one fits."""

    def solved(*arguments: str) -> dict[str, Any]:
        return dict(json.loads(used("solve", *arguments, "--json", "-").out))

    for way in ((), ("--rule", "minimax")):
        found = solved("stare", *way)
        assert found["guesses"][0]["before"] == len(LEFT) and not found["widened"]
        assert solved("sloth", *way)["widened"]
    said = used("solve", "sloth").out
    assert "SLOTH is none of the unused allowed of w: all 10 allowed words counted" in said
