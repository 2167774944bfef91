"""Settings, and which list a command takes where none is named: every answer names its list."""

import os
import re
import shlex
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


def test_the_function_changes_nothing_else() -> None:
    before = UserSettings(list="original", hard=True)
    after = changed_settings(before, {"hard": "off", "colours": "auto"})
    assert after == UserSettings(list="original", hard=False, colours="auto")
    assert changed_settings(after, {"hard": ""}).hard is None


#: What advises a player takes the list of today; what works on whole games the first list.
TODAY = ("suggest", "game", "review", "openers", "pairs", "buckets", "cheatsheet")
FIRST = ("solve-all", "optimal", "referee", "regret")
WORDS = {name: ["crane"] for name in ("buckets", "cheatsheet", "regret")}
WORDS["referee"] = ["--", "player"]


@pytest.mark.parametrize("command", [*TODAY, *FIRST])
def test_which_list_is_taken_where_none_is_named(command: str) -> None:
    args = parser_of(command).parse_args(WORDS.get(command, []))
    assert args.list_name == ("nyt-2026" if command in TODAY else "original")
    if command in TODAY:
        assert args.secrets == "answers"
        assert "(default: nyt-2026)" in " ".join(parser_of(command).format_help().split())
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


def test_suggest_widens_to_allowed_words() -> None:
    game = load_game(["crane", "slate", "stare"], secrets=["slate", "stare"])
    for state, widened, secret in (("slate bbgbg", True, "crane"), ("slate ggggg", False, "slate")):
        by_call = suggest(game, state)
        assert (by_call.widened, by_call.secrets) == (widened, (secret,))
