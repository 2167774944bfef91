"""play, game, review, referee, mcp: on a terminal, through pipes, until Ctrl-C."""

import csv
import io
import json
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli.interrupts import interrupt_ending
from strategy.cli.referee import questions
from strategy.files.text import columns_of
from strategy.play.regret import Judge
from tests.strategy.conftest import Start
from tests.support import naive_review
from tests.support.commands import KNUTHLE, Knuthle, Terminal, report_of, seen_on, started

WORDS = "abide adieu arise crane crony north raise slate sloth stare".split()
OWN = ("--list", "w.txt")
#: A game of the list of tests.
GAME = "abide.ybbbg.slate.bbgbg.crane.ggggg"


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


def test_on_a_terminal() -> None:
    terminal = Terminal("game", "--list", "w.txt", "--secret", "sloth", folder=Path())
    talk(terminal, ("", "1/6> "), ("north\n", "2/6> "))
    assert "\x1b[30;43m O \x1b[0m" in terminal.raw
    talk(terminal, ("\x03", "not solved after 1 guess; it was SLOTH"))
    ends(terminal, 130)
    assert "interrupted" in terminal.text


# --- reviews


def test_reviews_in_json_and_csv_by_plain_python(knuthle: Knuthle, tiny: Path) -> None:
    options, words = ("review", GAME, "--list", tiny), sorted(tiny.read_text().split())
    result = report_of(knuthle, *options)
    played = [(word, score) for word, score in result["state"]]
    rows = naive_review.review(words, dict.fromkeys(words, 1.0), played)
    for said, row in zip(result["guesses"], rows, strict=True):
        assert said["best"] in row.pop("best") and said["exact"] is True
        for name, value in row.items():
            assert said[name] == (value if isinstance(value, str) else pytest.approx(value))
    assert result["skill"] == pytest.approx(sum(row["skill"] for row in rows) / 3)
    assert result["extra_bits"] == pytest.approx(sum(row["extra_bits"] for row in rows))
    table = list(csv.DictReader(io.StringIO(knuthle(*options, "--csv", "-").out)))
    assert [row["word"] for row in table] == ["abide", "slate", "crane"]
    assert table[0]["expected"] == str(result["guesses"][0]["expected"])


def test_games_through_a_pipe(tiny: Path) -> None:
    process = started([*KNUTHLE, "review", "--games", "-", "--list", tiny])
    out, err = process.communicate(f"{GAME}\ncrane ggggg\n")
    assert (process.returncode, err) == (0, "")
    assert out.splitlines()[-3].startswith("2 games, on average: skill ")


def test_what_is_piped_and_too_long_is_not_taken_for_less(knuthle: Knuthle, tiny: Path) -> None:
    for piped in ("crane bybbb " * 100_000, " " * 1_000_000 + "crane ggggg"):
        said = knuthle("review", "--list", tiny, typed=piped)
        assert said.code == 2
        assert said.err == "knuthle review: a game has at most 5,000 characters; here are more\n"


def test_a_line_that_is_no_game_is_named(knuthle: Knuthle, tiny: Path) -> None:
    long, asked = "crane.bybbb." * 100_000, ("review", "--games", "games.txt", "--list", tiny)
    for lines, options, code, reason in (
        (f"{GAME}\n{long}\n", [], 2,
         "games.txt:2: a game has at most 5,000 characters; here are more"),
        (f"# mine\n{GAME}\n{long}\nabode.ggbgg.abide.ggggg\n", ["--allow-unknown"], 2,
         "games.txt:3: a game has at most 5,000 characters"),
        (f"{GAME}\nab-de.ggbgg # strange\n", ["--allow-unknown"], 2, "games.txt:2: "),
        (f"{GAME}\nabode.ggbgg.abide.ggggg\n", ["--allow-unknown"], 0, "taken as allowed: abode"),
    ):  # fmt: skip
        Path("games.txt").write_text(lines)
        said = knuthle(*asked, *options)
        assert (said.code, said.err.count(reason)) == (code, 1) and len(said.err) < 500


# --- players before the referee, and models


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_ends_all_players(start: Start, tmp_path: Path, number: int, code: int) -> None:
    """Each writes its number once it is asked; whoever is told to go takes them with it."""
    player = (
        "import os, time\ninput(); print('ready', flush=True); input()\n"
        "open(f'pid-{os.getpid()}', 'w').close(); time.sleep(600)"
    )
    options = ["--workers", "2", "--timeout", "500", "--", sys.executable, "-c", player]
    running = start([*KNUTHLE, "referee", *options], tmp_path)
    while len(pids := list(tmp_path.glob("pid-*"))) < 2:
        assert running.poll() is None
        time.sleep(0.02)
    running.send_signal(number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    assert "Traceback" not in err
    for path in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(int(path.name.removeprefix("pid-")), 0)


@pytest.mark.skipif(os.name != "posix", reason="needs a terminal")
def test_a_referee_on_a_terminal(tmp_path: Path) -> None:
    player = "input(); print('ready in\\x1b[2J order'); print(input() and 'crane')"
    (tmp_path / "w.txt").write_text("crane\n")
    command = ("referee", "--list", "w.txt", "--", sys.executable, "-uc", player)
    seen = Terminal(*command, folder=tmp_path)
    assert seen.end() == 0 and "1 of 1 game won" in seen.text
    drawn = re.split("[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.raw))
    assert [line for line in drawn if len(line) > 80] == []
    assert "\x1b[2J" not in seen.raw


def test_a_model_hears_what_the_library_says() -> None:
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    grade, suggest, regret, review = questions(game, hard=True)
    assert grade("crane", "slate") == {"score": "bbgbg"}
    advice = suggest("abide ybbbg", top=1)
    assert advice["secrets"] == ("crane", "slate", "stare") and advice["guesses"][0]["total"] == 5
    assert regret("abide") == vars(Judge(game, hard=True).regret("", "abide"))
    assert not regret("abide", "slate bbgbg")["legal"]
    assert review("abide crane", "crane")["guesses"][0]["skill"] == 60
