"""Answers that the newspaper has had, how likely they come again, and who looks at that."""

import math
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.words import lists
from strategy import cheat_sheet, openers, solve_word, suggest
from strategy.errors import BadFileError
from strategy.play.game import Hidden
from strategy.play.review import Reviewer
from strategy.play.weights import AGAIN, measured, past_answers, used_from
from tests.support import refused
from tests.support.commands import Knuthle, report_of


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Nobody has added days, and none are in the home folder of who runs the tests."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "knuthle").mkdir()
    return tmp_path / "knuthle"


def test_every_day_has_an_answer_of_the_list() -> None:
    days = past_answers()
    first, last = min(days), max(days)
    assert (first, last) == (date(2021, 6, 19), date(2026, 8, 21))
    assert len(days) == (last - first).days + 1
    assert {*days.values()} <= {*lists.named_list("nyt-2026", "answers").words}
    again = Counter(word for day, word in days.items() if day < AGAIN)
    assert set(again.values()) == {1}, "none came twice before"
    old = {*lists.named_list("nyt-2023", "answers").words}
    assert {*lists.named_list("nyt-2026", "answers").words} - old == {"loris", "kefir"}
    assert days[date(2025, 7, 18)] == "loris" and days[date(2025, 8, 13)] == "kefir"


def _likelihood(ratio: float) -> float:
    """Of what happened, day by day, in plain counts."""
    days, known = past_answers(), {*lists.named_list("nyt-2026", "answers").words}
    used, found = set[str](), 0.0
    for day, word in sorted(days.items()):
        if day >= date(2026, 2, 2):
            whole = sum(ratio if each in used else 1 for each in known)
            found += math.log((ratio if word in used else 1) / whole)
        used.add(word)
    return found


def test_how_likely_a_used_answer_is() -> None:
    found = measured()
    assert (found.n_days, found.n_again, found.weight) == (201, 22, 10)
    best = _likelihood(1 / found.times)
    for times in (found.times * 1.02, found.times / 1.02):
        assert _likelihood(1 / times) < best
    for end in (found.low, found.high):
        assert _likelihood(1 / end) == pytest.approx(best - 3.841459 / 2, abs=1e-4)
    assert 6.8 < found.low < 7 and 10.4 < found.times < 10.6 and 16.7 < found.high < 16.9


def test_a_newer_day_is_added_in_a_file(folder: Path) -> None:
    own = folder / "newspaper-answers.csv"
    own.write_text("date,word\n2026-08-22,crane\n2026-08-23,ABASH # new\n")
    assert measured().n_days == 203 and measured().n_again == 23
    past = used_from("weigh").past
    assert past.name == "to 2026-08-23" and "abash" in past.words
    for line in ("22 August,crane", "2026-02-30,crane", "2026-08-22,cran"):
        own.write_text(f"date,word\n{line}\n")
        refused(WrongInputError, "newspaper-answers.csv:2: must be as", past_answers)
    own.write_bytes(b"\xff")
    refused(BadFileError, "newspaper-answers.csv:1: not a text file", past_answers)


def test_used_is_read(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("past.txt").write_text("crane\nslate\n")
    weigh, exclude = used_from("past.txt"), used_from("exclude:past.txt")
    assert weigh.past == exclude.past and (weigh.exclude, exclude.exclude) == (False, True)
    assert used_from("exclude").past == used_from("weigh").past
    game = load_game(["abide", "crane", "raise", "slate", "stare"])
    assert weigh.weights(game).tolist() == [10, 1, 10, 1, 10] and weigh.count(game) == 2


WORDS = "abide adieu arise crane crony north raise slate sloth stare".split()
USED = ["crane", "abide", "sloth"]


@pytest.fixture
def used(knuthle: Knuthle) -> Knuthle:
    """Commands about ten words of which three were used."""
    Path("w.txt").write_text("\n".join(WORDS))
    Path("used.txt").write_text("\n".join([*USED, "# a comment"]))
    return lambda *arguments, how="used.txt", **typed: knuthle(
        *arguments, "--list", "w.txt", "--used", how, **typed
    )


def test_commands_weigh_used_answers_and_say_so(used: Knuthle, folder: Path) -> None:
    game = load_game(WORDS)
    weights = used_from("used.txt").weights(game)

    def asked(*arguments: str) -> dict[str, Any]:
        found = report_of(used, *arguments)
        assert found["used"]["count"] == 3 and found["used"]["weight"] == 10
        return found

    assert used("suggest").err == (
        "used answers used: 3 of 10 allowed, each 10 times less likely than a new one (measured to "
        "2026-08-21: 7 to 17)\n"
    )
    best = suggest(game, weights=weights).words[0]
    assert asked("suggest")["suggestions"][0]["mean"] == pytest.approx(best.mean)
    best_opener = openers(game, top=1, weights=weights)[0]
    assert asked("openers")["openers"][0]["entropy"] == pytest.approx(best_opener.entropy)
    sheet = [row.word for row in cheat_sheet(game, "slate", weights=weights).rows]
    assert [row["word"] for row in asked("cheatsheet", "slate")["rows"]] == sheet
    found = [row.word for row in solve_word(game, "sloth", weights=weights).guesses]
    assert [row["word"] for row in asked("solve", "sloth")["guesses"]] == found
    score = game.grade("crane", "north")
    reviewed = Reviewer(game, weights=weights).review((("crane", score),))
    said = asked("review", "crane", game.format_score(score))
    assert said["guesses"][0]["expected"] == pytest.approx(reviewed.guesses[0].expected)
    [split] = asked("buckets", "crane")["splits"]
    assert sum(len(row["secrets"]) for row in split["buckets"]) == 10


def test_a_sheet_by_weight_is_as_by_suggest() -> None:
    game = load_game("nyt-2026")
    weights = used_from("weigh").weights(game)
    rows = cheat_sheet(game, "crane", weights=weights).rows
    plain = {row.key: row.word for row in cheat_sheet(game, "crane").rows}
    assert any(plain[row.key] != row.word for row in rows)
    for row in rows[:12]:
        found = suggest(game, [("crane", row.key[0])], by="entropy", top=1, weights=weights)
        assert found.words[0].entropy == pytest.approx(row.joint_entropy)


def test_a_game_draws_as_the_newspaper_does() -> None:
    game = load_game(WORDS)
    weights = [1.0 if word in USED else 10.0 for word in WORDS]
    drawn = Counter[str]()
    for seed in range(2000):
        pair = [Hidden.drawn(game, 2, seed, weights).possible(at)[0] for at in (0, 1)]
        assert len({*pair}) == 2
        drawn[pair[0]] += 1
    n_used = sum(drawn[word] for word in USED)
    assert 40 < n_used < 130, "3 of 73 by weight: 82 of 2,000"
    assert Hidden.drawn(game, 1, 5).possible(0) == Hidden.drawn(game, 1, 5).possible(0)


def test_the_page_of_the_best_first_word(knuthle: Knuthle) -> None:
    """What its page says of SATER, of days and weights, as the shipped dates have it."""
    page = (Path(__file__).parents[3] / "docs" / "newspaper.md").read_text(encoding="utf-8")
    found = report_of(knuthle, "optimal", "--list", "nyt-2026", "--used", "--start", "sater")
    assert f"| SATER | {found['total']:,} | {found['mean']:.4f} |" in page
    assert f"{found['weights']['sum']:,} in all" in page and found["used"]["until"] == "2026-08-21"
    assert f"{found['used']['count']:,} of them were answers before" in page
    assert f"{found['used']['times']:.1f} times less likely than a new one" in page
    assert f"{found['used']['low']:.1f} to\n{found['used']['high']:.1f} times" in page


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
