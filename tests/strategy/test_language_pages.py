"""The pages of Italian and Spanish: what they say is found again where their dictionaries are."""

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from solver.game.game import Game
from strategy import Settings, load_game, openers, optimal, solve
from tests.support import ROOT
from tests.support.commands import Knuthle

LANGUAGES = ["italian", "spanish"]


def page_of(language: str) -> str:
    return (ROOT / "docs" / f"{language}.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=LANGUAGES)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The list, made as its page says."""
    language = request.param
    if not Path(f"/usr/share/dict/{language}").exists():
        pytest.skip(f"no dictionary: apt-get install w{language}")
    page, path = page_of(language), tmp_path_factory.mktemp("lists") / f"{language}.txt"
    [command] = re.findall(r"\$ knuthle (lists make .*) -o \w+\.txt$", page, re.MULTILINE)
    words = [sys.executable, "-m", "strategy", *command.split(), "-o", str(path)]
    subprocess.run(words, check=True, capture_output=True)
    [digest] = re.findall(r"SHA-256 is `(\w{64})`", page)
    if hashlib.sha256(path.read_bytes()).hexdigest() != digest:
        pytest.skip("the dictionary is of another version")
    return path


def figure(text: str) -> int:
    """A number as a page writes it."""
    return int(text.replace(",", ""))


def rows_of(page: str) -> list[tuple[str, int, str, int]]:
    """First word, total, mean, rank by entropy."""
    rows = re.findall(r"^\| ([A-Z]{5}) \| ([\d,]+) \| ([\d.]+) \| (\d+) \|$", page, re.MULTILINE)
    return [(word, figure(total), mean, int(rank)) for word, total, mean, rank in rows]


@pytest.mark.parametrize("language", LANGUAGES)
def test_means_are_those_of_the_totals(language: str) -> None:
    page = page_of(language)
    [count] = re.findall(r"([\d,]+) words of five letters", page)
    rows = rows_of(page)
    assert len(rows) > 10 and [row[1] for row in rows] == sorted(row[1] for row in rows)
    rules = re.findall(r" \| ([\d,]+) \| ([\d.]+)(?= \|)", page)
    for total, mean in [(str(row[1]), row[2]) for row in rows] + rules:
        assert f"{figure(total) / figure(count):.4f}" == mean


@pytest.mark.slow
def test_first_words_are_as_good_as_the_page_says(made: Path) -> None:
    page = page_of(made.stem)
    game, rows = load_game(made), rows_of(page)
    ranks = {row.word: rank for rank, row in enumerate(openers(game), 1)}
    assert [ranks[word.lower()] for word, *_ in rows] == [rank for *_, rank in rows]
    word, total, *_ = rows[0]
    found = optimal(game, start=[word.lower()], within=None, workers=1)
    assert found.proved and found.strategy is not None
    assert found.strategy.total == total
    taken = ", ".join(f"{count:,}" for count in found.strategy.histogram[1:4])
    said = r"solves ([\d,]+) words in two guesses, ([\d,]+) in three, ([\d,]+) in"
    [counts] = re.findall(said, page.replace("\n", " "))
    assert taken == ", ".join(counts)
    then = found.strategy.state(f"{word}.bbbbb").guess
    assert f"are grey, guess {then.upper()}:" in page


def _totals_by_rule(game: Game, word: str) -> dict[str, int]:
    rules = ("parts", "entropy", "expected-size", "proportion", "minimax")
    solved = {rule: solve(game, Settings(start=(word,), rule=rule)) for rule in rules}
    return {rule: found.strategy.total for rule, found in solved.items()}


@pytest.mark.slow
def test_rules_take_what_the_page_says(made: Path) -> None:
    page, game = page_of(made.stem), load_game(made)
    header = r"^\| rule \| after (\w+) \| mean \| after (\w+) \| mean \|$"
    [words] = re.findall(header, page, re.MULTILINE)
    [first, second] = (_totals_by_rule(game, word.lower()) for word in words)
    rows = re.findall(r"^\| `(\S+)` \| ([\d,]+) \| [\d.]+ \| ([\d,]+) \|", page, re.MULTILINE)
    assert {rule: figure(one) for rule, one, _ in rows} == first
    assert {rule: figure(two) for rule, _, two in rows} == second


@pytest.mark.slow
def test_the_least_worst_case_is_what_the_page_says(made: Path, knuthle: Knuthle) -> None:
    outcome = knuthle("optimal", "--list", made, "--objective", "worst", "--workers", 1)
    [said] = re.findall(r"\| the least worst case \| (\w+) guesses \|", page_of(made.stem))
    assert outcome.code == 0
    assert f"worst {['five', 'six'].index(said) + 5} (proved" in outcome.out
