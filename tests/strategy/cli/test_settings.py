"""Settings, and which list a command takes where none is named: every answer names its list."""

import os
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli import parser_of
from strategy.cli.commands import COMMANDS, READING_SETTINGS
from strategy.toolbox import user_settings
from strategy.toolbox.guesses import suggest
from strategy.toolbox.user_settings import UserSettings, changed_settings, read_settings
from tests.support.commands import KNUTHLE, Knuthle, ran, report_of


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file of settings that is not there yet."""
    path = tmp_path / "home of settings" / "settings.toml"
    monkeypatch.setenv("KNUTHLE_SETTINGS", str(path))
    return path


def test_tests_run_without_settings(knuthle: Knuthle) -> None:
    assert os.environ["KNUTHLE_SETTINGS"] == ""
    said = knuthle("settings")
    assert said.code == 0 and said.out.endswith("file none: KNUTHLE_SETTINGS is empty\n")
    refused = knuthle("settings", "hard=yes")
    assert refused.code == 2 and "there are no settings" in refused.err


def test_they_are_set_shown_and_taken_away(knuthle: Knuthle, settings: Path) -> None:
    assert f"file {settings}" in knuthle("settings").out and not settings.exists()
    said = knuthle("settings", "list=nyt-2022", "hard=yes", "opener=crane", "colours=never")
    assert said.code == 0 and "opener    crane" in said.out
    assert tomllib.loads(settings.read_text()) == {
        "list": "nyt-2022", "hard": True, "opener": "crane", "colours": "never",
    }  # fmt: skip
    knuthle("settings", "hard=", "list=original")
    result = report_of(knuthle, "settings")
    assert result["file"] == str(settings)
    assert result["settings"] == {
        "list": "original", "hard": None, "opener": "crane", "colours": "never", "strategy": None,
    }  # fmt: skip


@pytest.mark.parametrize("name", ['a "b" \\ c\n\x1b[31m\u2028é.txt', "plain.txt"])
def test_any_file_name_is_read_as_written(knuthle: Knuthle, settings: Path, name: str) -> None:
    Path(name).write_text("crane\nslate\n")
    assert knuthle("settings", f"list={name}").code == 0
    assert read_settings().list == str(Path(name).absolute())


def test_where_the_file_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("KNUTHLE_SETTINGS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert user_settings.settings_path() == tmp_path / "knuthle" / "settings.toml"
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert user_settings.settings_path() == tmp_path / ".config" / "knuthle" / "settings.toml"


def test_an_empty_home_is_not_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    import pwd

    monkeypatch.delenv("KNUTHLE_SETTINGS")
    said = ran([*KNUTHLE, "settings"], HOME="", XDG_CONFIG_HOME="").stdout
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    assert said.splitlines()[-1] == f"file {home / '.config' / 'knuthle' / 'settings.toml'}"


def test_settings_are_no_pipe_and_no_folder(knuthle: Knuthle, settings: Path) -> None:
    settings.mkdir(parents=True)
    said = knuthle("suggest", "crane.bbbbb")
    assert said.code == 2 and said.err.count("\n") == 1 and str(settings) in said.err
    settings.rmdir()
    os.mkfifo(settings)
    done = ran([*KNUTHLE, "settings"])
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{settings}: a pipe" in done.stderr and done.stderr.count("\n") == 1


def test_a_user_without_a_home_plays_and_keeps_nothing(
    knuthle: Knuthle, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a container that runs as a number which no account has."""

    def no_account(number: int) -> None:
        raise KeyError(number)

    for name in ("KNUTHLE_SETTINGS", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", no_account)
    for command in (["settings"], ["lists"]):
        assert knuthle(*command).code == 0, command
    assert "no list or file named 'zzz'" in knuthle("buckets", "crane", "--list", "zzz").err
    for command in (["settings", "hard=yes"], ["lists", "add", tiny, "--name", "mine"]):
        said = knuthle(*command)
        assert said.code in (2, 3) and said.err.count("\n") == 1
        assert "no home folder" in said.err and not list(Path().iterdir())


@pytest.mark.parametrize("content, message", [
    (b"list = ", "no TOML"), (b"list = 3", "list is a text, not '3'"),
    (b"hard = \"yes\"", "hard is true or false, not 'yes'"),
    (b"colour = \"never\"", "no setting 'colour'; did you mean colours?"),
    (b"colours = \"red\"", "colours is one of auto, always, never, colourblind, not 'red'"),
    (b"opener = \"\xff\x00\"", "not a text file (byte 10 is not UTF-8)"),
    (b"[list]\na = 1", "list is a text"), (b"a = " + b"[" * 9_999, "no TOML"),
    (b"#" * 70_000, "too large"), (b"list = \"\"", "list is a text"),
])  # fmt: skip
def test_a_damaged_file_is_one_line_and_exit_2(
    knuthle: Knuthle, settings: Path, content: bytes, message: str
) -> None:
    settings.parent.mkdir()
    settings.write_bytes(content)
    for command in ("settings", "settings hard=yes", "suggest crane.bbbbb", "play", "game",
                    "solve crane", "review crane.ggggg"):  # fmt: skip
        said = knuthle(*shlex.split(command))
        assert (said.code, said.out) == (2, "") and message in said.err
        assert said.err.count("\n") == 1 and str(settings) in said.err
    assert settings.read_bytes() == content


@pytest.mark.parametrize("change, message", [
    ("hard=maybe", "hard is yes or no, not 'maybe'"), ("hard", "write NAME=VALUE"),
    ("lists=original", "no setting 'lists'; did you mean list?"),
    ("list=nowhere.txt", "there is no list or file named 'nowhere.txt'"),
    ("strategy=nowhere", "there is no file named 'nowhere'"), ("colours=red", "colours is one of"),
    ("strategy=" + "n" * 5_000, "there is no file named 'nnn"),
    ("opener=crxne", "did you mean crane or crone or crine?"),
    *[(f"{name}=\udcff\udcfe", f"{name} cannot be '\\udcff\\udcfe': settings are kept as UTF-8")
      for name in ("list", "opener", "strategy")],
])  # fmt: skip
def test_what_cannot_be_set(knuthle: Knuthle, settings: Path, change: str, message: str) -> None:
    said = knuthle("settings", change)
    assert said.code == 2 and message in said.err and not settings.exists()


def test_five_commands_read_them_and_no_other(knuthle: Knuthle, settings: Path) -> None:
    Path("mine.txt").write_text("crane\nslate\nbuddy\nmuggy\n")
    assert set(READING_SETTINGS) == {"play", "game", "suggest", "solve", "review"} < set(COMMANDS)
    knuthle("settings", "list=mine.txt")
    for command in ("suggest crane.bbbbb", "solve crane", "review crane.ggggg", "game --seed 1",
                    "play --state crane.bbbbb"):  # fmt: skip
        result = report_of(knuthle, *shlex.split(command))
        assert result["list"] == "mine", command
    settings.write_text("damaged")
    for command in ("buckets crane", "openers --top 1", "lists", "cheatsheet salet"):
        assert knuthle(*shlex.split(command)).code == 0, command
    assert report_of(knuthle, "buckets", "crane")["list"] == "nyt-2026"
    assert str(settings) not in knuthle("play", "--protocol", typed="hello\n").err
    assert str(settings) in knuthle("play").err


def test_an_option_always_wins(knuthle: Knuthle, settings: Path, tiny: Path) -> None:
    knuthle("settings", "list=original", "hard=yes", "opener=slate", "colours=always")
    by_settings = report_of(knuthle, "solve", "stare")
    assert (by_settings["list"], by_settings["hard"]) == ("original", True)
    assert by_settings["guesses"][0]["word"] == "slate"
    given = report_of(knuthle, "solve", "stare", "--list", tiny, "--no-hard", "--start", "abide")
    assert (given["list"], given["hard"]) == ("tiny list", False)
    assert given["guesses"][0]["word"] == "abide"
    assert "\x1b[" in knuthle("solve", "stare").out
    assert "\x1b[" not in knuthle("solve", "stare", "--colours", "never").out
    both = knuthle("solve", "stare", "--hard", "--no-hard")
    assert both.code == 2 and "only one of them" in both.err


def test_the_opener_is_proposed_if_listed(knuthle: Knuthle, settings: Path, tiny: Path) -> None:
    assert knuthle("settings", "opener=crane,moist").code == 0
    said = report_of(knuthle, "play")
    assert (said["proposal"]["word"], said["proposal"]["by"]) == ("crane", "start")
    second = report_of(knuthle, "play", "--state", "crane.bbbbb")
    assert second["proposal"]["word"] == "moist"
    third = report_of(knuthle, "play", "--state", "crane.bbbbb.moist.bbbbb")
    assert third["proposal"]["by"] != "start"
    certain = report_of(knuthle, "play", "--state", "crane.bybgg")
    assert certain["boards"][0]["secrets"] == ["borne"]  # CRANE tells all that MOIST could
    assert certain["proposal"]["word"] == "borne"
    other = report_of(knuthle, "play", "--list", tiny)
    assert other["proposal"]["by"] != "start"
    assert knuthle("play", "--list", tiny, "--start", "moist").code == 2
    assert "try CRANE  your guess 1" in knuthle("play").out


def test_an_opener_not_on_the_list_is_named(knuthle: Knuthle, settings: Path, tiny: Path) -> None:
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('opener = "crane,zzzzz"\n')  # set when another list was
    said = knuthle("solve", "stare", "--list", tiny)
    assert said.code == 0 and said.err.splitlines()[0] == (  # then it may say that it compiles
        "the opener of the settings is not used: 'zzzzz' is no word of tiny list "
        "('knuthle settings' shows the file)"
    )
    assert "'zzzzz' is no word" in knuthle("play", "--list", tiny, "--json", "-").err
    assert knuthle("solve", "stare", "--list", tiny, "--quiet").err == ""
    assert knuthle("solve", "stare", "--list", tiny, "--start", "abide").code == 0
    assert "opener" not in knuthle("solve", "stare", "--list", tiny, "--start", "abide").err


def test_a_file_that_has_gone_is_named(knuthle: Knuthle, settings: Path, tiny: Path) -> None:
    settings.parent.mkdir()
    for name, what in (("list", "list or file"), ("strategy", "file")):
        settings.write_text(f'{name} = "gone.txt"')
        said = knuthle("solve", "crane")
        assert (said.code, said.out) == (2, "")
        gone = f"{settings}: {name}: there is no {what} named 'gone.txt'"
        assert said.err == f"knuthle solve: {gone}\n"
        assert knuthle("solve", "crane", "--list", tiny).code == 0
        assert knuthle("settings", f"{name}=").code == 0


@pytest.mark.usefixtures("settings")
def test_a_strategy_plays_unless_an_option_says_what_plays(knuthle: Knuthle, tiny: Path) -> None:
    knuthle("solve-all", "--list", tiny, "--start", "slate", "--out", "s.strategy")
    assert knuthle("settings", "strategy=s.strategy", "opener=abide", "hard=yes").code == 0
    assert read_settings().strategy == str(Path("s.strategy").absolute())
    assert "by the strategy" in knuthle("solve", "crane").out
    free = knuthle("solve", "crane", "--list", tiny).out
    assert "by the proposals" in free and free.startswith("1  ABIDE")
    assert "by the rule minimax" in knuthle("solve", "crane", "--rule", "minimax").out


@pytest.mark.usefixtures("settings")
def test_what_has_no_hard_mode_is_played_without(knuthle: Knuthle) -> None:
    """And the line that resumes a game says what was against the settings."""
    knuthle("settings", "hard=yes", "opener=crane")
    resumed = "knuthle play --start crane --no-hard --state crane.bybbb"
    assert resumed in knuthle("play", "--no-hard", "--state", "crane.bybbb").out
    knuthle("settings", "list=nyt-2022")
    code = knuthle("suggest", "--game", "mastermind:2x3", "12", "1,0")
    assert code.code == 0 and code.out.endswith("game mastermind:2x3\n")
    assert knuthle("play", "--boards", 2, "--quiet").code == 0
    asked = ("review", "⬛⬛⬛⬛⬛ 🟩🟩🟩🟩🟩")
    assert (knuthle(*asked).code, knuthle(*asked, "--hard").code) == (0, 2)


def test_the_function_changes_nothing_else() -> None:
    before = UserSettings(list="original", hard=True)
    after = changed_settings(before, {"hard": "off", "colours": "auto"})
    assert after == UserSettings(list="original", hard=False, colours="auto")
    assert changed_settings(after, {"hard": ""}).hard is None


ADVISING = ("suggest", "game", "review", "openers", "pairs", "buckets", "cheatsheet")
ON_WHOLE_GAMES = ("solve-all", "optimal", "referee", "regret")
WORDS = {name: ["crane"] for name in ("buckets", "cheatsheet", "regret")}
WORDS["referee"] = ["--", "player"]


@pytest.mark.parametrize("command", ADVISING)
def test_what_advises_a_player_takes_the_list_of_today(command: str) -> None:
    args = parser_of(command).parse_args(WORDS.get(command, []))
    assert (args.list_name, args.secrets) == ("nyt-2026", "answers")
    assert "(default: nyt-2026)" in " ".join(parser_of(command).format_help().split())


@pytest.mark.parametrize("command", ON_WHOLE_GAMES)
def test_what_works_on_the_whole_game_takes_the_first_list(command: str) -> None:
    assert parser_of(command).parse_args(WORDS.get(command, [])).list_name == "original"
    assert load_game().list_name == "original"


#: Ways to ask about a list of one's own: commands whose answers must name it.
ASKED = (
    "suggest crane.bbbbb", "suggest crane.ggggg", "openers", "openers --by letters", "pairs",
    "pairs --third", "buckets crane", "buckets crane slate", "cheatsheet crane",
    "review crane.ggggg", "regret slate crane.bbbbb",
    "review 🟩🟩🟩🟩🟩", "optimal", "optimal --within 1", "optimal --state crane.bbbbb",
    "solve-all", "solve-all --within 1", "game --seed 1", "play", "solve crane",
)  # fmt: skip


@pytest.mark.parametrize("question", ASKED)
def test_every_answer_names_its_list(knuthle: Knuthle, tiny: Path, question: str) -> None:
    few = tiny.with_name("mine.txt")
    few.write_text("crane\nslate\nbuddy\nmuggy\n")
    asked = [*shlex.split(question), "--list", few]
    if question.startswith(("solve-all", "optimal")):
        asked += ["--force"] if "--state" not in question else []
    assert re.search(r"\bmine\b", knuthle(*asked).out)
    assert report_of(knuthle, *asked, code=int("--within 1" in question))["list"] == "mine"


def test_five_words_and_the_referee_name_their_list(knuthle: Knuthle) -> None:
    Path("mine.txt").write_text("abc\ndef\n")
    Path("more.txt").write_text("ghi\n")
    asked = ("five-words", "mine.txt", "more.txt", "--letters", 3, "--count", 2, "--quiet")
    assert report_of(knuthle, *asked)["list"] == "mine+more"
    assert knuthle(*asked[:-1]).out.endswith("\nlist mine+more\n")
    player = "import sys; [print('ready' if l[0] == 'h' else 'abc', flush=True) for l in sys.stdin]"
    said = knuthle("referee", "--list", "mine.txt", "--stop-after", 1, "--", sys.executable, "-c",
                   player)  # fmt: skip
    assert "list mine (allowed)" in said.out


def test_an_answer_of_today_is_among_the_possible_ones(knuthle: Knuthle) -> None:
    """BALSA has been an answer, and is none of the first list."""
    clues = "slate yyybb crony bbbbb unfix bbbbb".split()
    today = knuthle("suggest", *clues)
    assert "balsa basal" in today.out and today.out.endswith("list nyt-2026 (answers)\n")
    first = knuthle("suggest", *clues, "--list", "original")
    assert "balsa" not in first.out and first.out.endswith("list original (answers)\n")


def test_suggest_widens_to_allowed_words_and_says_so(knuthle: Knuthle, tiny: Path) -> None:
    answers = tiny.with_name("answers.txt")
    answers.write_text("slate\nstare\n")
    asked = ("suggest", "slate.bbgbg", "--list", tiny, "--secrets", answers)
    said = knuthle(*asked)
    assert said.code == 0
    assert "None of the answers of tiny list fits these clues" in said.out
    assert "all 7 allowed words count as possible" in said.out
    found = report_of(knuthle, *asked)
    assert (found["widened"], found["secrets"]) == (True, ["crane"])
    narrow = report_of(knuthle, "suggest", *asked[2:])
    assert (narrow["widened"], narrow["secrets"]) == (False, ["slate", "stare"])

    answers.write_text("slate\n")
    said = knuthle("suggest", "crane.bbbbb", "--list", tiny, "--secrets", answers)
    assert said.code == 2 and "no secret of tiny list (allowed) gives crane bbbbb" in said.err
    game = load_game(["crane", "slate", "stare"], secrets=["slate", "stare"])
    for state, widened, secret in (("slate bbgbg", True, "crane"), ("slate ggggg", False, "slate")):
        by_call = suggest(game, state)
        assert (by_call.widened, by_call.secrets) == (widened, (secret,))
