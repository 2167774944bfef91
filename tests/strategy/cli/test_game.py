"""``knuthle game`` as people run it: on a terminal, through pipes, with wrong input."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Knuthle, Outcome, report_of
from tests.support.terminal import Terminal

WORDS = "abide adieu arise crane crony north raise slate sloth stare".split()
Guess = Callable[..., Outcome]


@pytest.fixture
def guess(knuthle: Knuthle) -> Guess:
    """Guess words in a game, in a folder with a small list."""
    Path("w.txt").write_text("\n".join(WORDS))
    return lambda *arguments, words="", own=True: knuthle(
        "game", *(("--list", "w.txt") if own else ()), *arguments, typed=words.replace(" ", "\n")
    )


def test_a_game_that_is_won(guess: Guess) -> None:
    outcome = guess("--secret", "sloth", words="crane keys zzzzz north sloth abide")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "w: 10 answers, 6 guesses. Type a guess; ? for help."
    assert "1  CRANE bbbbb" in lines
    assert any(line.split() == list("QWTYUIOP") for line in (x.replace("·", "") for x in lines))
    assert "solved in 3 of 6. Congratulations!" in lines and "knuthle w 3/6" in lines
    assert lines[-4:-1] == ["⬛⬛⬛⬛⬛", "⬛🟨⬛🟩🟩", "🟩🟩🟩🟩🟩"] and lines[-1].startswith(
        "skill "
    )
    assert outcome.err.startswith("'zzzzz' is not among the 10 guesses of w")
    assert all(len(line) <= 80 for line in lines[:-1])


def test_a_game_that_is_lost_tells_the_word(guess: Guess) -> None:
    outcome = guess("--secret", "sloth", "--within", 2, words="crane north sloth")
    assert outcome.code == 0 and "not solved after 2 guesses; it was SLOTH" in outcome.out
    assert "knuthle w X/2" in outcome.out


def test_the_end_of_the_input_and_quit(guess: Guess) -> None:
    for words in ("", "crane", "crane quit sloth", "/quit", "crane /QUIT"):
        outcome = guess("--secret", "sloth", words=words)
        assert outcome.code == 0 and "it was SLOTH" in outcome.out
        assert "SLOTH b" not in outcome.out


def test_a_seed_hides_the_same(guess: Guess) -> None:
    first = guess("--seed", 5, "--json", "a")
    second = guess("--seed", 5, "--json", "b")
    assert first.out == second.out and "(--seed 5 hides the same)" in first.out
    assert Path("a").read_bytes() == Path("b").read_bytes()
    drawn = guess("--json", "-")
    seed = json.loads(drawn.out)["seed"]
    assert report_of(guess, "--seed", seed) == json.loads(drawn.out)


def test_boards(guess: Guess) -> None:
    outcome = guess("--secret", "sloth,crane", words="crane north sloth")
    assert "w: 2 boards, 10 answers, 7 guesses." in outcome.out
    assert "1  CRANE bbbbb ggggg" in outcome.out and "2  NORTH bybgg\n" in outcome.out
    assert (
        "solved in 3 of 7" in outcome.out and "⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\n⬛🟨⬛🟩🟩\n" in outcome.out
    )


def test_an_adversary_has_no_limit_and_commits_to_nothing(guess: Guess) -> None:
    outcome = guess("--adversary", "--json", "-", words="north")
    value = json.loads(outcome.out)
    assert value["adversary"] is True and value["limit"] is None
    assert value["boards"][0]["remaining"] > 1
    assert "still any of" in outcome.err
    words = " ".join(WORDS)
    assert "Congratulations" in guess("--adversary", words=words).out


def test_hard_mode_and_codes(guess: Guess) -> None:
    outcome = guess("--secret", "slate", "--hard", words="sloth crane slate")
    assert "hard mode forbids 'crane' after sloth" in outcome.err
    assert "knuthle w 2/6*" in outcome.out
    codes = guess("--game", "mastermind:3x4", "--secret", "123", words="111 9 123", own=False)
    assert "mastermind:3x4: 64 codes, no limit." in codes.out
    assert "1  111 1,0" in codes.out
    assert "⚫\n⚫⚫⚫" in codes.out
    assert "is not a code" in codes.err


def test_help_at_mastermind(guess: Guess) -> None:
    said = guess("--game", "mastermind:4x6", "--secret", "1234", words="? 1,1 1122 quit", own=False)
    assert "1122  a guess; its reply is black,white" in said.out
    assert "mastermind:4x6: 1,296 codes, no limit" in said.out
    assert said.err == "a guess is a code; its pegs are what the game replies\n"
    everything = (said.out + said.err).lower()
    assert not any(word in everything for word in ("crane", "letter", "keys", "word", "secret"))


def test_on_a_terminal(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    terminal = Terminal("game", "--list", "w.txt", "--secret", "sloth", folder=tmp_path)
    terminal.until("1/6> ")
    terminal.type("north\n")
    terminal.until("2/6> ")
    assert "\x1b[30;43m O \x1b[0m" in terminal.raw
    terminal.type("\x03")
    terminal.until("not solved after 1 guess; it was SLOTH")
    assert terminal.end() == 130 and "interrupted" in terminal.text
    assert all(len(line) <= 80 for line in terminal.text.splitlines())
