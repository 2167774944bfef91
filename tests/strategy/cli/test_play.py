"""The commands ``play`` and ``game``: on a terminal, through pipes, with wrong input."""

import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli.interrupts import interrupt_ending
from strategy.files.text import columns_of
from strategy.solving.by_rule import solve
from tests.support.commands import Knuthle, Outcome, report_of
from tests.support.terminal import Terminal

WORDS = "abide adieu arise crane crony north raise slate sloth stare".split()
Play = Callable[..., Outcome]


@pytest.fixture
def play(knuthle: Knuthle) -> Play:
    """Type lines into a command, in a folder with a small list."""
    Path("w.txt").write_text("\n".join(WORDS))
    return lambda *arguments, lines="", command="play", own=True: knuthle(
        command, *(("--list", "w.txt") if own else ()), *arguments, typed=lines
    )


def test_a_game_through_a_pipe(play: Play) -> None:
    outcome = play(lines="crane bbbbb\nsloth ggggg\n")
    assert outcome.code == 0 and outcome.err == ""
    lines = outcome.out.splitlines()
    assert lines[0].startswith("w. Type a guess and its colours")
    assert "1  CRANE bbbbb" in lines and "1 possible word: sloth" in lines
    assert "try SLOTH  certain" in lines and "2  SLOTH ggggg" in lines
    assert "solved in 2 of 6: SLOTH. Congratulations!" in lines and "🟩🟩🟩🟩🟩" in lines
    assert any(line.startswith("skill ") for line in lines) and lines[-1] == "Bye."
    assert "\x1b" not in outcome.out
    assert "> " not in outcome.out, "nobody is asked"
    assert all(len(line) <= 80 for line in lines[1:] if "skill" not in line)


def test_a_word_has_no_rank(play: Play) -> None:
    """Outside the pool it may begin, and has no figures; after the end nothing is rated."""
    lines = "north bbbbb\nwhy\nrate crane\nabide ggggg\nrate abide\n"
    outcome = play("--guess-from", "candidates", "--start", "north,crane", lines=lines)
    assert (outcome.code, outcome.err) == (0, "'crane' may not be guessed now\n")
    assert "CRANE: the guess that you begin with" in outcome.out
    assert "the game is over" in outcome.out.splitlines()


def test_play_judges_a_game_as_review_does(play: Play) -> None:
    """One judgement, whoever asks; weights count in both."""
    Path("weights").write_text("".join(f"{word} {9 if word == 'crony' else 1}\n" for word in WORDS))
    judged = set()
    for more in ((), ("--weights", "weights")):
        played = play(*more, lines="crane bbbbb\nsloth ggggg\n")
        [said] = [line for line in played.out.splitlines() if line.startswith("skill ")]
        reviewed = play("crane.bbbbb.sloth.ggggg", *more, command="review")
        assert said in reviewed.out.splitlines()
        judged.add(said)
    assert len(judged) == 2


def test_the_end_of_the_input_says_how_to_go_on(play: Play) -> None:
    first = play("--boards", 2, lines="crane bbbbb ggbgb\nsloth\nggggg")
    assert first.code == 0, "the end comes in the middle of a question"
    resume = first.out.splitlines()[-1]
    assert resume == "knuthle play --list w.txt --boards 2 --state crane.bbbbb.ggbgb"
    for words in (resume.split()[4:], ["--boards", "2", "crane", "bbbbb", "ggbgb"]):
        again = play(*words)
        assert "1  CRANE bbbbb ggbgb" in again.out and again.out.splitlines()[-1] == resume
    assert play("crane", "bbbbb", "--state", "crane.bbbbb").code == 2
    assert play(lines="").out.splitlines()[-1] == "Bye."
    options = (
        "--hard", "--by", "parts", "--within", "none", "--allow-unknown", "--guess-from", "secrets",
    )  # fmt: skip
    resume = play(*options, lines="crane bbbbb").out.splitlines()[-1]
    assert resume == (
        "knuthle play --list w.txt --by parts --guess-from secrets --within none --hard "
        "--allow-unknown --state crane.bbbbb"
    )


def test_files_that_steer_it(play: Play) -> None:
    Path("played").write_text("crane\nabide\n")
    assert "8 possible words" in play("--used", "exclude:played").out
    Path("weights").write_text(
        "".join(f"{word} {9 if word == 'stare' else 1}\n" for word in WORDS[1:])
    )
    outcome = play("--weights", "weights", lines="crane bybbb")
    assert "averages over 9 secrets by weight, 1 without weight left out" in outcome.out
    game = load_game("w.txt")
    solve(game).strategy.save("s.strategy")
    first = solve(game).strategy.next_guess()
    outcome = play("--strategy", "s.strategy", lines="why\nsloth bbbbb\nnew\nwhy")
    assert f"try {first.upper()}  by the strategy; it could be the answer" in outcome.out
    assert "the strategy has no guess here" in outcome.out
    solve(load_game(["zzzzz", "crane"])).strategy.save("o.strategy")
    outcome = play("--strategy", "o.strategy")
    assert outcome.code == 2
    assert (
        "not for wordle with w (10); choose the same by --list, --secrets and --game" in outcome.err
    )


def test_a_strategy_brings_its_game(play: Play) -> None:
    solve(load_game(spec="mastermind:2x3")).strategy.save("m.strategy")
    outcome = play("--strategy", "m.strategy", lines="1 0\n", own=False)
    assert outcome.out.startswith("mastermind:2x3. Type a guess and its pegs (11 0,0)")
    assert "by the strategy" in outcome.out
    assert outcome.out.splitlines()[-1].startswith("knuthle play --strategy m.strategy --state ")


def test_the_best_codes_fit_forty_columns(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda **_: os.terminal_size((40, 24)))
    options = ("--game", "mastermind:4x6", "--colours", "never", "--state", "1122.1,0")
    lines = play(*options, lines="top 3\n", own=False).out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("code "))
    assert lines[at].split() == ["code", "possible", "guesses"]
    assert lines[at + 1].startswith("1334 and 95 like it")
    assert lines[at + 4] == "(no room for: rank, entropy)"
    assert max(map(len, lines[at:-1])) <= 40, "the last line is to be copied whole"


def test_many_boards_fit_eighty_columns(play: Play) -> None:
    """Game and helper on 32 boards; what is hidden is found, and every line is short."""
    answers = load_game("nyt-2026").secrets[::90][:32]
    hidden = ",".join(answers)
    words = "\n".join(["crane", "sloth", *answers])
    played = play("--secret", hidden, command="game", lines=words, own=False)
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
    helped = play("--boards", 32, "--state", f"crane.{'.'.join(given)}", own=False)
    assert helped.code == 0 and "possible on board 1:" in helped.out and ", 32:" in helped.out
    assert play("--boards", 33).code == 2


def test_json_has_stdout_for_itself(play: Play) -> None:
    outcome = play("--json", "-", lines="crane bbbbb\n")
    value = json.loads(outcome.out)
    assert value["resume"] == "crane.bbbbb"
    assert value["boards"][0] == {
        "state": [["crane", 0]], "solved": False, "remaining": 1, "secrets": ["sloth"],
        "widened": False,
    }  # fmt: skip
    assert value["proposal"]["word"] == "sloth" and value["proposal"]["mean"] == 1.0
    assert "1 possible word: sloth" in outcome.err
    quiet = play("--json", "-", "--quiet", lines="crane bbbbb\nzzzzz\n")
    assert json.loads(quiet.out) == value
    assert quiet.err.splitlines()[0].startswith("'zzzzz'"), "errors are told"
    assert play("--quiet", lines="crane bbbbb\n").out == ""


#: A command, what is typed into it, and what is said: on stdout (``…``: its end), on stderr, on
#: neither.
TALKS: list[tuple[str, str, list[str], list[str], list[str]]] = [
    ("play --list w.txt",
     "?\nleft\ntop 3\nrate sloth\nwhy\nsave\n\ncrane bbbbb\nundo\nsave\nnew\nquit\nnorth bbbbb",
     ["undo [N]", "/undo", "10 possible words: abide", "rank  word", "ranked by exact expected",
      "-fold (", "SLOTH: rank", "proved", "no clues yet", "CRANE is taken back", "\nBye.\n…"],
     [], ["NORTH"]),
    ("play --list w.txt --boards 32", "why", ["bits, summed over all boards"], [], ["fold"]),
    ("play --list w.txt", "undo\nzzzzz bbbbb\ncrane bybb\ncrane bbbbb\nslate ggbbb\n\x1b[2Jevil",
     [" --state crane.bbbbb\n…"],
     ["nothing to undo: there is no guess yet\n'zzzzz' is not among the 10 guesses of w",
      "no secret of w (allowed) gives slate ggbbb", "type it again, or undo the last guess"],
     ["\x1b"]),
    ("play --game mastermind:4x6",
     "?\nleft\ntop 3\nwhy\nrate 1234\nrate\n4,1\n3,1\n1122 4,1\n1122\n9,9\n2,2\n?\nwhy",
     ["Type a guess and its pegs (1122 2,1), the pegs alone for the proposed code", "rate CODE",
      "the possible codes", "1,296 possible codes: 1111", "1  1234 and 359 like it",
      "359 codes like it", "it could be the hidden code", "4 possible codes: 1212"],
     ["rate needs a code, e.g. rate 1122", "the score '3,1' is impossible", "'9,9' has 18 pegs",
      *["the score '4,1' has 5 pegs; black and white together are at most 4"] * 2],
     ["crane", "letter", "colours", "word", "the answer"]),
    ("play --game mastermind:3x4", "?\nquit", ["Type a guess and its pegs (111 0,0)"], [],
     ["1122"]),
    ("game --list w.txt --secret sloth --within 2", "crane\nnorth\nsloth",
     ["not solved after 2 guesses; it was SLOTH", "knuthle w X/2"], [], []),
    *(("game --list w.txt --secret sloth", words, ["it was SLOTH"], [], ["SLOTH b"])
      for words in ("", "crane", "crane\nquit\nsloth", "/quit", "crane\n/QUIT")),
    ("game --list w.txt --secret sloth,crane", "crane\nnorth\nsloth",
     ["w: 2 boards, 10 answers, 7 guesses.", "1  CRANE bbbbb ggggg", "2  NORTH bybgg\n",
      "solved in 3 of 7", "⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩\n⬛🟨⬛🟩🟩\n"], [], []),
    ("game --list w.txt --secret slate --hard", "sloth\ncrane\nslate", ["knuthle w 2/6*"],
     ["hard mode forbids 'crane' after sloth"], []),
    ("game --game mastermind:3x4 --secret 123", "111\n9\n123",
     ["mastermind:3x4: 64 codes, no limit.", "1  111 1,0", "⚫\n⚫⚫⚫"], ["is not a code"], []),
    ("game --game mastermind:4x6 --secret 1234", "?\n1,1\n1122\nquit",
     ["1122  a guess; its reply is black,white", "mastermind:4x6: 1,296 codes, no limit"],
     ["a guess is a code; its pegs are what the game replies\n"],
     ["crane", "letter", "keys", "word", "secret"]),
]  # fmt: skip


@pytest.mark.parametrize(("line", "typed", "out", "err", "foreign"), TALKS)
def test_what_is_typed_and_what_is_said(
    knuthle: Knuthle, line: str, typed: str, out: list[str], err: list[str], foreign: list[str]
) -> None:
    """Where nothing is to be said on stderr, nothing is; the end of the input may be anywhere."""
    Path("w.txt").write_text("\n".join(WORDS))
    found = knuthle(*line.split(), typed=typed)
    rest = re.sub("(compiling|Other commands,) .*\n", "", found.err)
    assert found.code == 0 and (err or not rest)
    assert [part for part in out if part not in found.out + "…"] == []
    assert [part for part in err if found.err.count(part) < err.count(part)] == []
    said = found.out + found.err
    said = said.lower() if "mastermind" in line else said
    assert [part for part in foreign if part in said] == []


def test_a_line_without_an_end_is_no_guess(play: Play) -> None:
    outcome = play(lines="x" * 30_000 + "\ncrane bbbbb\n")
    assert "the line is too long for a guess: 9,000 characters" in outcome.err
    assert outcome.out.splitlines()[-1].endswith("--state crane.bbbbb")


def test_it_plays_for_a_referee(play: Play) -> None:
    asked = "hello 1 wordle 5\ngo\ngo crane bbbbb\ngo crane bbbbb sloth ybbbb\n"
    outcome = play("--protocol", lines=asked)
    assert outcome.code == 0
    ready, first, second, none = outcome.out.splitlines()
    assert ready.startswith("ready")
    assert first in WORDS
    assert (second, none) == ("sloth", "?")
    for more in (("--boards", 2), ("--state", "crane.bbbbb"), ("--json", "-")):
        assert "one board" in play("--protocol", *more, lines=asked).err


def test_stdin_may_be_missing_or_foreign(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("w.txt").write_text("\n".join(WORDS))
    monkeypatch.setattr("sys.stdin", None)
    assert knuthle("play", "--list", "w.txt").code == 0
    bytes_in = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\x00\ncrane bbbbb\n"), "utf-8")
    monkeypatch.setattr("sys.stdin", bytes_in)
    outcome = knuthle("play", "--list", "w.txt")
    assert outcome.code == 0 and "--state crane.bbbbb" in outcome.out


def test_an_interrupt_leaves_the_state(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(io.StringIO):
        def readline(self, size: int | None = -1) -> str:
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr("io.StringIO", Interrupting)
    outcome = play(lines="crane bbbbb\n")
    assert outcome.code == 130
    assert outcome.out.splitlines()[-1] == "knuthle play --list w.txt --state crane.bbbbb"
    assert "interrupted" in outcome.err
    assert interrupt_ending()[1] == 130


# --- processes


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    """A folder with the small list."""
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    return tmp_path


def talk(terminal: Terminal, *steps: tuple[str, ...]) -> None:
    """Type the first of each step, and wait for the others."""
    for typed, *shown in steps:
        terminal.type(typed)
        for text in shown:
            terminal.until(text)


def ends(terminal: Terminal, code: int) -> None:
    assert terminal.end() == code and "Traceback" not in terminal.text
    assert all(len(line) <= 80 for line in terminal.text.splitlines())


def test_on_a_terminal_with_colours_until_ctrl_c(listed: Path) -> None:
    """The keys of line editing work: the line before comes back, and is wiped."""
    terminal = Terminal("play", "--list", "w.txt", folder=listed)
    talk(
        terminal, ("", "1> "), ("undo\n", "nothing to undo", "1> "),
        ("norht\x7f\x7fth\n", "colours of NORTH> "), ("bybgg\n", "1 possible word: sloth", "2> "),
        ("crane ggggg\n", "north bybgg contradicts crane ggggg", "2> "),
        ("\x1b[A\x15left\n", "1 possible word: sloth", "2> "),
        ("\x03", "knuthle play --list w.txt --state north.bybgg"),
    )  # fmt: skip
    assert "\x1b[30;43m" in terminal.raw
    ends(terminal, 130)


def test_on_a_terminal_without_colours_until_ctrl_d(listed: Path) -> None:
    terminal = Terminal("play", "--list", "w.txt", "--boards", "2", folder=listed, NO_COLOR="1")
    talk(
        terminal, ("", "1> "), ("crane\n", "colours of CRANE on board 1> "),
        ("bbbbb\n", "colours of CRANE on board 2> "), ("\x04", "Bye."),
    )  # fmt: skip
    assert "\x1b[30" not in terminal.raw
    ends(terminal, 0)


@pytest.mark.parametrize(("boards", "command"), [("1", "play"), ("32", "play"), ("10", "game")])
def test_a_narrow_terminal_holds_every_line(listed: Path, boards: str, command: str) -> None:
    seed = ("--seed", "1") if command == "game" else ()
    typed = ("--list", "w.txt", "--boards", boards, *seed)
    terminal = Terminal(command, *typed, folder=listed, columns=40)
    terminal.until("1/15> " if command == "game" else "1> ")
    talk(terminal, ("?\n", "> "), ("why\n", "> "), ("crane\n", "> "), ("\x04",))
    assert terminal.end() == 0 and "Traceback" not in terminal.text
    shown = [line for line in terminal.text.splitlines() if not line.startswith("knuthle ")]
    assert max(map(columns_of, shown)) <= 40, shown


# --- a game against a host
@pytest.fixture
def guess(play: Play) -> Play:
    """Guess words in a game of the small list."""
    return lambda *arguments, words="": play(
        *arguments, command="game", lines=words.replace(" ", "\n")
    )


def test_a_game_that_is_won(guess: Play) -> None:
    outcome = guess("--secret", "sloth", words="crane keys zzzzz north sloth abide")
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert lines[0] == "w: 10 answers, 6 guesses. Type a guess; ? for help."
    assert "1  CRANE bbbbb" in lines
    assert any(line.split() == list("QWTYUIOP") for line in (x.replace("·", "") for x in lines))
    assert "solved in 3 of 6. Congratulations!" in lines and "knuthle w 3/6" in lines
    assert lines[-4:-1] == ["⬛⬛⬛⬛⬛", "⬛🟨⬛🟩🟩", "🟩🟩🟩🟩🟩"]
    assert lines[-1].startswith("skill ")
    assert outcome.err.startswith("'zzzzz' is not among the 10 guesses of w")
    assert all(len(line) <= 80 for line in lines[:-1])


def test_a_seed_hides_the_same(guess: Play) -> None:
    first = guess("--seed", 5, "--json", "a")
    second = guess("--seed", 5, "--json", "b")
    assert first.out == second.out and "(--seed 5 hides the same)" in first.out
    assert Path("a").read_bytes() == Path("b").read_bytes()
    drawn = guess("--json", "-")
    seed = json.loads(drawn.out)["seed"]
    assert report_of(guess, "--seed", seed) == json.loads(drawn.out)


def test_an_adversary_has_no_limit_and_commits_to_nothing(guess: Play) -> None:
    outcome = guess("--adversary", "--json", "-", words="north")
    value = json.loads(outcome.out)
    assert value["adversary"] is True and value["limit"] is None
    assert value["boards"][0]["remaining"] > 1
    assert "still any of" in outcome.err
    words = " ".join(WORDS)
    assert "Congratulations" in guess("--adversary", words=words).out


def test_on_a_terminal(listed: Path) -> None:
    terminal = Terminal("game", "--list", "w.txt", "--secret", "sloth", folder=listed)
    talk(terminal, ("", "1/6> "), ("north\n", "2/6> "))
    assert "\x1b[30;43m O \x1b[0m" in terminal.raw
    talk(terminal, ("\x03", "not solved after 1 guess; it was SLOTH"))
    ends(terminal, 130)
    assert "interrupted" in terminal.text
