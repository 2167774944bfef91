"""The commands ``play`` and ``game``: on a terminal, through pipes, with wrong input."""

import io
import json
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli.interrupts import interrupt_ending
from strategy.files.text import columns_of
from tests.support.commands import Knuthle
from tests.support.terminal import Terminal, seen_on

WORDS = "abide adieu arise crane crony north raise slate sloth stare".split()
OWN = ("--list", "w.txt")


@pytest.fixture(autouse=True)
def _listed(knuthle: Knuthle) -> None:
    """A small list in the folder of the command."""
    Path("w.txt").write_text("\n".join(WORDS))


def test_play_judges_a_game_as_review_does(knuthle: Knuthle) -> None:
    """One judgement, whoever asks; weights count in both."""
    Path("weights").write_text("".join(f"{word} {9 if word == 'crony' else 1}\n" for word in WORDS))
    judged = set()
    for more in ((), ("--weights", "weights")):
        played = knuthle("play", *OWN, *more, typed="crane bbbbb\nsloth ggggg\n")
        [said] = [line for line in played.out.splitlines() if line.startswith("skill ")]
        reviewed = knuthle("review", "crane.bbbbb.sloth.ggggg", *OWN, *more)
        assert said in reviewed.out.splitlines()
        judged.add(said)
    assert len(judged) == 2


def test_whatever_is_drawn_has_a_seed(knuthle: Knuthle) -> None:
    drawn = json.loads(knuthle("game", *OWN, "--json", "-", typed="").out)
    again = knuthle("game", *OWN, "--json", "-", "--seed", drawn["seed"], typed="")
    assert json.loads(again.out) == drawn


def test_the_best_codes_fit_forty_columns(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen_on(monkeypatch, 40)
    options = ("--game", "mastermind:4x6", "--colours", "never", "--state", "1122.1,0")
    lines = knuthle("play", *options, typed="top 3\n").out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("code "))
    assert lines[at].split() == ["code", "possible", "guesses"]
    assert lines[at + 1].startswith("1334 and 95 like it")
    assert lines[at + 4] == "(no room for: rank, entropy)"
    assert max(map(len, lines[at:-1])) <= 40, "the last line is to be copied whole"


def test_many_boards_fit_eighty_columns(knuthle: Knuthle) -> None:
    """Game and helper on 32 boards; what is hidden is found, and every line is short."""
    answers = load_game("nyt-2026").secrets[::90][:32]
    hidden = ",".join(answers)
    words = "\n".join(["crane", "sloth", *answers])
    played = knuthle("game", "--secret", hidden, typed=words)
    assert played.code == 0 and "32 boards" in played.out and "37 guesses" in played.out
    assert "solved in 34 of 37" in played.out
    lines = played.out.splitlines()
    assert all(columns_of(line) <= 80 for line in lines)
    first = lines.index("1  CRANE")
    rows = [line.split() for line in lines[first + 1 : first + 5]]
    assert [row[0] for row in rows] == ["1", "11", "21", "31"]
    game = load_game("nyt-2026")
    given = [game.format_score(game.grade("crane", answer)) for answer in answers]
    assert [mark for row in rows for mark in row[1:]] == given
    helped = knuthle("play", "--boards", 32, "--state", f"crane.{'.'.join(given)}", typed="")
    assert helped.code == 0 and "possible on board 1:" in helped.out and ", 32:" in helped.out


def test_a_line_without_an_end_is_no_guess(knuthle: Knuthle) -> None:
    outcome = knuthle("play", *OWN, typed="x" * 30_000 + "\ncrane bbbbb\n")
    assert "the line is too long for a guess: 9,000 characters" in outcome.err
    assert outcome.out.splitlines()[-1].endswith("--state crane.bbbbb")


def test_stdin_may_be_missing_or_foreign(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert knuthle("play", *OWN).code == 0
    bytes_in = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00\ncrane bbbbb\n"), "utf-8")
    monkeypatch.setattr("sys.stdin", bytes_in)
    outcome = knuthle("play", *OWN)
    assert outcome.code == 0 and "--state crane.bbbbb" in outcome.out


def test_an_interrupt_leaves_the_state(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr("io.StringIO", Interrupting)
    outcome = knuthle("play", *OWN, typed="crane bbbbb\n")
    assert outcome.code == 130
    assert outcome.out.splitlines()[-1] == "knuthle play --list w.txt --state crane.bbbbb"
    assert "interrupted" in outcome.err
    assert interrupt_ending()[1] == 130


def talk(terminal: Terminal, *steps: tuple[str, ...]) -> None:
    """Type the first of each step, and wait for the others."""
    for typed, *shown in steps:
        terminal.type(typed)
        for text in shown:
            terminal.until(text)


def ends(terminal: Terminal, code: int) -> None:
    assert terminal.end() == code and "Traceback" not in terminal.text
    assert all(len(line) <= 80 for line in terminal.text.splitlines())


def test_on_a_terminal_with_colours_until_ctrl_c() -> None:
    """The keys of line editing work: the line before comes back, and is wiped."""
    terminal = Terminal("play", "--list", "w.txt", folder=Path())
    talk(
        terminal, ("", "1> "), ("undo\n", "nothing to undo", "1> "),
        ("norht\x7f\x7fth\n", "colours of NORTH> "), ("bybgg\n", "1 possible word: sloth", "2> "),
        ("crane ggggg\n", "north bybgg contradicts crane ggggg", "2> "),
        ("\x1b[A\x15left\n", "1 possible word: sloth", "2> "),
        ("\x03", "knuthle play --list w.txt --state north.bybgg"),
    )  # fmt: skip
    assert "\x1b[30;43m" in terminal.raw
    ends(terminal, 130)


def test_on_a_terminal_without_colours_until_ctrl_d() -> None:
    terminal = Terminal("play", "--list", "w.txt", "--boards", "2", folder=Path(), NO_COLOR="1")
    talk(
        terminal, ("", "1> "), ("crane\n", "colours of CRANE on board 1> "),
        ("bbbbb\n", "colours of CRANE on board 2> "), ("\x04", "Bye."),
    )  # fmt: skip
    assert "\x1b[30" not in terminal.raw
    ends(terminal, 0)


@pytest.mark.parametrize(("boards", "command"), [("1", "play"), ("32", "play"), ("10", "game")])
def test_a_narrow_terminal_holds_every_line(boards: str, command: str) -> None:
    seed = ("--seed", "1") if command == "game" else ()
    typed = ("--list", "w.txt", "--boards", boards, *seed)
    terminal = Terminal(command, *typed, folder=Path(), columns=40)
    terminal.until("1/15> " if command == "game" else "1> ")
    talk(terminal, ("?\n", "> "), ("why\n", "> "), ("crane\n", "> "), ("\x04",))
    assert terminal.end() == 0 and "Traceback" not in terminal.text
    shown = [line for line in terminal.text.splitlines() if not line.startswith("knuthle ")]
    assert max(map(columns_of, shown)) <= 40, shown


# --- a game against a host


def test_on_a_terminal() -> None:
    terminal = Terminal("game", "--list", "w.txt", "--secret", "sloth", folder=Path())
    talk(terminal, ("", "1/6> "), ("north\n", "2/6> "))
    assert "\x1b[30;43m O \x1b[0m" in terminal.raw
    talk(terminal, ("\x03", "not solved after 1 guess; it was SLOTH"))
    ends(terminal, 130)
    assert "interrupted" in terminal.text
