"""What commands say of themselves: help, version, options and their bounds, completion."""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from solver import choices
from solver.errors import WrongInputError
from solver.exact.problem import Problem
from solver.rules import searcher
from solver.word_sets.disjoint_words import find_sets
from strategy import cli, suggest
from strategy.checkers import verify
from strategy.cli import checkout, parser_of
from strategy.cli.checkout import described
from strategy.cli.commands import COMMANDS, EXAMPLES, GROUPS, overview
from strategy.cli.option_table import OPTIONS
from strategy.solving.optimal import optimal
from tests.support import raising, refused
from tests.support.commands import Knuthle, ran
from tests.support.worlds import game_of
from tools.pages.share import shared_files


def test_help_needs_nothing_heavy() -> None:
    code = (
        "import sys; from strategy.cli import main; main(['--help']);"
        "assert not {'numpy', 'numba'} & set(sys.modules), 'heavy'\n"
        "for command in __import__('strategy.cli.commands').cli.commands.COMMANDS.values():"
        " assert f'strategy.cli.{command.module}' not in sys.modules, command"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_rules_and_pools_are_those_of_the_solver() -> None:
    assert tuple(searcher.RULES) == choices.RULES
    assert choices.GUESS_POOLS == verify.GUESS_POOLS


needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@needs_git
def test_the_commit_is_what_git_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "pyproject.toml"
    git(tmp_path, "init", "--quiet")
    project.write_text("one")
    assert described(tmp_path) == ""  # nothing is committed
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--no-gpg-sign", "-m", "one")
    git(tmp_path, "tag", "1.0.0")
    commit = git(tmp_path, "rev-parse", "--short=7", "HEAD")
    (tmp_path / "untracked").touch()
    assert described(tmp_path) == f"commit {commit}"
    git(tmp_path, "worktree", "add", "--quiet", "further")
    assert described(tmp_path / "further") == f"commit {commit}"
    project.write_text("two")
    assert described(tmp_path) == f"commit {commit} with changes"
    git(tmp_path, "add", "pyproject.toml")
    assert described(tmp_path) == f"commit {commit} with changes"
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another"))  # as within a hook
    assert described(tmp_path) == f"commit {commit} with changes"
    monkeypatch.setenv("PATH", str(tmp_path / "no git here"))
    assert described(tmp_path) == ""


@needs_git
def test_a_repository_around_a_source_distribution_is_somebody_elses(tmp_path: Path) -> None:
    """Be it above the folder of the distribution or of an installation, or in that folder."""
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--no-gpg-sign", "--allow-empty", "-m", "one")
    assert described(tmp_path) == ""
    inner = tmp_path / "knuthle-1.0.0"
    inner.mkdir()
    for folder in (tmp_path, inner):
        (folder / "pyproject.toml").touch()
    assert described(inner) == "" != described(tmp_path)
    (inner / ".git").write_text("gitdir: nowhere\n")
    assert described(inner) == "", "what is damaged is no error"
    (tmp_path / "PKG-INFO").touch()
    assert described(tmp_path) == ""


def test_the_version_is_that_of_the_package_and_one_line(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    for note, shown in (("", ""), ("commit 6deef76", " (commit 6deef76)")):
        monkeypatch.setattr(checkout, "described", lambda note=note: note)
        monkeypatch.setattr(metadata, "version", {"knuthle": "7.8.9"}.__getitem__)
        assert checkout.version() == f"knuthle 7.8.9{shown}"
        for command in (["--version"], ["solve-all", "--version"]):
            assert knuthle(*command).out == f"{checkout.version()}\n"
    monkeypatch.setattr(metadata, "version", raising(metadata.PackageNotFoundError()))
    assert checkout.version() == "knuthle (not installed, commit 6deef76)"


def test_commands_stand_in_groups_each_once() -> None:
    rows = re.findall(r"^  ([\w-]+) {2,}\S", overview(), re.M)
    assert rows == list(COMMANDS) == [name for group in GROUPS.values() for name in group]
    assert max(map(len, overview().splitlines())) <= 100


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_first_examples_are_right(example: str) -> None:
    _, command, *arguments = shlex.split(example)
    assert parser_of(command).parse_args(arguments)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_begins_with_examples(knuthle: Knuthle, command: str) -> None:
    outcome = knuthle(command, "--help")
    usage, _, rest = outcome.out.partition("\n\nExamples: ")
    examples, _, about = rest.partition("\n\n")
    assert outcome.code == 0 and len(usage.splitlines()) <= 3
    assert max(map(len, outcome.out.splitlines())) <= 80
    assert "Exit codes: " in about and "xample" not in about
    lines = examples.splitlines()
    assert len(lines) >= 2
    for line in lines:
        typed = re.search(rf"knuthle {command}(?: [^|)]*)?", line)
        assert typed, line
        words = shlex.split(typed[0].partition(" -- ")[0])
        if " -- " not in line:
            assert parser_of(command).parse_args(words[2:])


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_help(command: str) -> None:
    actions = parser_of(command)._actions
    assert not [a.option_strings for a in actions if a.option_strings and len(a.help or "") < 10]


def test_the_table_has_no_option_that_no_command_takes() -> None:
    files = (path for path in Path(cli.__file__).parent.glob("*.py") if path.stem != "option_table")
    source = "".join(path.read_text(encoding="utf-8") for path in files)
    assert [name for name in OPTIONS if f'"{name}"' not in source] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_never_broken_within_a_word(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    words = set(knuthle(command, "--help").out.split())
    monkeypatch.setenv("COLUMNS", "46")
    assert set(knuthle(command, "--help").out.split()) <= words | {"[STATE", "...]", "..."}


@pytest.mark.parametrize(("typed", "offered"), [
    ("knuthle suggest --list n", {"nyt-2022", "nyt-2023", "nyt-2026", "notes"}),
    ("knuthle suggest --list=orig", {"original"}),
    ("solve-all --rule e", {"entropy", "expected-size"}),
    ("knuthle cheatsheet soare --group ", {"score", "hits", "colours"}),
    ("knuthle verify --secrets a", {"allowed", "answers"}), ("knuthle export --t", {"--to"}),
    ("knuthle sweep ", {"run", "status", "report", "merge"}),
    ("knuthle sweep report --sort ", {"worst", "beyond", "mean", "value"}),
    ("knuthle sweep run --openers a", {"all", "answers"}),
    ("knuthle sweep status --q", {"--quiet"}),
])  # fmt: skip
def test_bash_offers_values(tmp_path: Path, typed: str, offered: set[str]) -> None:
    script = shared_files("1")["bash-completion/completions/knuthle"]
    (tmp_path / "notes").touch()
    words = " ".join(f"'{word}'" for word in typed.replace("=", " = ").split(" "))
    asked = f"{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
    outcome = ran(["bash", "-c", f'{asked}_knuthle; printf "%s\n" "${{COMPREPLY[@]}}"'], tmp_path)
    assert set(outcome.stdout.split()) == offered


def test_fish_is_told_of_values() -> None:
    lines = shared_files("1")["fish/vendor_completions.d/knuthle.fish"].splitlines()
    seen = "complete -c knuthle -n '__fish_seen_subcommand_from {}' {}"
    assert seen.format("cheatsheet", "-l group -x -a 'score hits colours'") in lines
    assert seen.format("suggest", "-l list -r -a 'original nyt-2022 nyt-2023 nyt-2026'") in lines
    assert seen.format("suggest", "-l hard") in lines
    merging = "sweep; and __fish_seen_subcommand_from merge"
    assert seen.format(merging, "-l out -r") in lines


#: What no number may be, in words and beyond every bound.
TOO_FAR = (str(2**63), str(2**64), "9" * 30, "9" * 5000, "1e300", "1e5000", "inf", "nan")
NO_NUMBERS = ("", "0x10", "1_000", "one", "-1", "-" + "9" * 5000, " 5 ", "+3", "5\n", "١٢", "１/２")


def parsers_of(command: str) -> list[argparse.ArgumentParser]:
    parsers = [parser_of(command)]
    for action in parsers[0]._actions:
        if isinstance(action, argparse._SubParsersAction):
            parsers += action.choices.values()
    return parsers


def number_options() -> Iterator[tuple[str, argparse.Action]]:
    """All options of all commands that read their value by a function of ours."""
    for command in COMMANDS:
        for parser in parsers_of(command):
            for action in parser._actions:
                if action.type is not None:
                    yield f"{parser.prog} {'/'.join(action.option_strings)}", action


NUMBERS = dict(number_options())


def test_the_number_options_are_found() -> None:
    names = {action.option_strings[0] for action in NUMBERS.values()}
    assert names >= {
        "--within", "--top", "--bottom", "--time-limit", "--workers", "--width", "--boards",
        "--sample", "--seed", "--timeout", "--stop-after", "--serve", "--depth", "--count",
        "--letters", "--length", "--shard",
    }  # fmt: skip


@pytest.mark.parametrize("option", NUMBERS)
def test_no_option_takes_a_number_beyond_its_bounds(option: str) -> None:
    action = NUMBERS[option]
    assert callable(action.type)
    for text in (*TOO_FAR, *NO_NUMBERS):
        try:
            value = action.type(text)
        except (argparse.ArgumentTypeError, ValueError) as error:
            assert len(str(error)) < 200 and "\n" not in str(error)
        else:  # an option that takes one of a few numbers
            assert action.choices is not None and value not in action.choices


def test_the_largest_number_of_an_option_is_taken(knuthle: Knuthle, tiny: Path) -> None:
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle("suggest", *words, "--within", 1_000_000, "--top", 1_000_000_000).code == 0
    assert knuthle("optimal", *words, "--within", 1_000_000, "--width", 1_000_000_000).code == 0


def test_calls_of_the_library_have_the_same_bounds() -> None:
    game = game_of(["crane", "slate", "stare", "raise"])
    for within in (2**63, 2**64, 1_000_001, -1):
        refused(WrongInputError, "a limit is a number of guesses", Problem, game, within=within)
        refused(WrongInputError, "a limit is a number", optimal, game, within=within, workers=1)
        if within > 0:
            refused(WrongInputError, "a limit is a number", suggest, game, within=within)
    for count in (0, 65, 2**64):
        refused(WrongInputError, "1–64 words", find_sets, ["crane"], count)
