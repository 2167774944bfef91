"""Help pages and completion: what options mean and take, and that an option is given once."""

import re
import shlex
from pathlib import Path

import pytest

from strategy import cli
from strategy.cli import parser_of
from strategy.cli.commands import COMMANDS, EXAMPLES, GROUPS, overview
from strategy.cli.option_table import OPTIONS
from tests.support.commands import Knuthle, ran
from tools.pages.share import shared_files


@pytest.mark.parametrize("command", ["suggest", "lookup", "optimal", "cheatsheet", "buckets"])
def test_who_takes_or_shows_colours_says_what_they_are(knuthle: Knuthle, command: str) -> None:
    text = " ".join(knuthle(command, "--help").out.split())
    assert "b grey" in text or "b is grey" in text
    assert "y yellow" in text and "g green" in text
    assert any(example in text for example in ("bybbg", "bbybb", "yygby"))


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


@pytest.mark.parametrize(("command", "terms"), [
    ("solve-all", ["buckets, one for each reply", "every secret must be found in K guesses"]),
    ("openers", ["the answers into groups", "parts: the number", "in bits, where one"]),
    ("pairs", ["the information of the replies to both words"]),
    ("cheatsheet", ["a bucket is what one reply leaves possible"]),
])  # fmt: skip
def test_terms_are_explained(knuthle: Knuthle, command: str, terms: list[str]) -> None:
    text = " ".join(knuthle(command, "--help").out.split())
    assert [term for term in terms if term not in text] == []


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


def test_a_flag_may_be_given_again(knuthle: Knuthle) -> None:
    assert knuthle("lists", "--quiet", "--quiet").code == 0


def test_a_list_that_repeats_a_word_is_told(knuthle: Knuthle, tiny: Path) -> None:
    tiny.write_text("crane\nslate\nCrane\nabide\n")
    outcome = knuthle("solve-all", "--list", tiny, "--out", "x")
    assert outcome.code == 0
    assert "repeated words count once: 'crane' (lines 1 and 3)" in outcome.err
    assert "count once" not in knuthle("solve-all", "--list", tiny, "--quiet").err
    assert knuthle("verify", "x", "--words", tiny).code == 0


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
