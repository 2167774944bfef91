"""What suggest says first, common words before others, and what players stumbled over."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest

from solver.advice.suggest import answers_of_lists, common_words, least_seen
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.machine.clock import compile_time, working_cpu
from solver.words.lists import NAMED_LISTS, did_you_mean, named_list
from strategy import cheat_sheet, review, suggest
from strategy.play.helper import FIRST_WORDS, Helper
from strategy.toolbox.guesses import HowToFind
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.terminal import seen_on

#: Five clues: 104 words fit the first, 88 the second, of which the best two differ by 0.
CRANE = ("suggest", "crane", "bybbb", "--top", 3)
COMMON = frozenset[str]().union(*(named_list(name, "answers").words for name in NAMED_LISTS))


@pytest.mark.parametrize("columns, whole", [(200, True), (100, True), (80, False), (40, False)])
def test_a_wide_terminal_shows_all_columns(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, columns: int, whole: bool
) -> None:
    seen_on(monkeypatch, columns)
    lines = knuthle(*CRANE).out.splitlines()
    assert any(line.startswith("rank") for line in lines) is whole
    assert max(map(len, lines)) <= columns


@pytest.mark.parametrize("more", [("--all",), (), ("--by", "expected-size"), ("--common",)])
def test_forty_columns_are_enough(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    seen_on(monkeypatch, 40)
    for clues in (("crane", "bbbbb", "silty", "bybbb"), ("crane", "bybbb"), ()):
        said = knuthle("suggest", *clues, *more).out
        assert said and max(map(len, said.splitlines())) <= 40


@pytest.mark.parametrize("board, clues", [
    ("4x6", "1122 1,0"), ("4x6", ""), ("6x6", "112233 2,1"), ("4x10:distinct", ""),
])  # fmt: skip
@pytest.mark.parametrize("more", [(), ("--all",), ("--by", "parts")])
def test_codes_fit_into_forty_columns(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, board: str, clues: str, more: tuple[str, ...]
) -> None:
    seen_on(monkeypatch, 40)
    lines = knuthle("suggest", "--game", f"mastermind:{board}", *clues.split(), *more).out
    seen = re.sub("\x1b\\[[0-9;]*m", "", lines).splitlines()
    assert any(" like it" in line for line in seen) and max(map(len, seen)) <= 40


# --- common words


def test_common_words_are_answers_of_the_shipped_lists() -> None:
    for game in (load_game("nyt-2026"), load_game("nyt-2022", "allowed")):
        assert {game.guesses[at] for at in common_words(game)} == COMMON & {*game.guesses}
    for game in (load_game(["crane", "stare", "zzzzz"]), load_game(spec="mastermind:2x4")):
        assert len(answers_of_lists(game)) == 0
    few = load_game(["crane", "stare", "zzzzz"], secrets=["zzzzz"])
    assert [few.guesses[at] for at in common_words(few)] == ["zzzzz"]


def test_of_equal_words_the_common_ones_come_first(tmp_path: Path) -> None:
    """A list under another name, whose words may all be hidden: ABDOM comes before BADGE there."""
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(named_list("nyt-2026", "allowed").words))
    found = suggest(load_game(path), "crane bbbbb moldy bbbbb fight bgbbb", top=None)
    places = [(row.mean or 99, not row.candidate, row.word not in COMMON) for row in found.words]
    looked_at = [place for place in places if place[0] < 99]
    assert looked_at == sorted(looked_at) and len({place[2] for place in looked_at}) == 2


def test_a_card_has_a_common_word_where_one_is_as_good() -> None:
    """Alphabetically GLUTS, DRIPT, BIGOS, ADVTS and ABIUS come before these, and are as good."""
    sheet = cheat_sheet(load_game("nyt-2026"), "crane", rule="minimax")
    words = {row.key[0]: row.word for row in sheet.rows}
    expected = {"bbbgb": "gusto", "bgbbg": "pivot", "bgbgb": "bigot", "bggbg": "badge"}
    assert {key: words[key] for key in expected} == expected
    assert words["ybbbg"] == "adios"
    tied = [row for row in sheet.rows if row.tied > 40 and row.answers > 2]
    assert tied and all(row.word in COMMON for row in tied)


def test_the_helper_prefers_common_words_whatever_may_be_hidden() -> None:
    """Of 86 words that tell six apart ADOZE, AFION and AZIDO would stand before these."""
    few = "humid idiom opium ovoid whiff whizz cynic".split()
    game = load_game("nyt-2026", secrets=few)
    for boards, told in (
        (1, "crane.bbbbb.silty.bybbb"),
        (2, "crane.bbbbb.bbbbb.silty.bybbb.bybbb"),
    ):
        helper = Helper(game, HowToFind(), boards=boards)
        helper.tell_state(told)
        assert all(word.word in COMMON for word in helper.proposals(12).words)


def test_on_several_boards_equal_words_stand_as_on_one() -> None:
    """By entropy GADSO is first, and BIDED is as good by guesses; so with AVOID and DHOLL."""
    helper = Helper(load_game("nyt-2026"), HowToFind(), boards=2)
    helper.tell_state("tares.bbbgb.ybbby.colin.bbbyb.bbbbb.bumpy.gbbbb.bgbbg")
    assert helper.proposals(10).words[0].word == helper.proposal().word == "bided"
    helper.undo(3)
    helper.tell_state("tares.bbbbb.bybyb.colin.bgybb.bbyyb.bumpy.bbbbg.bbbbb")
    words = [word.word for word in helper.proposals(25).words]
    assert words[4:8] == ["avoid", "awoke", "dholl", "klong"]


def test_optimal_shows_common_words_first_of_a_tie(knuthle: Knuthle) -> None:
    Path("few.txt").write_text("humid\nidiom\nopium\novoid\nwhiff\nwhizz\n")
    asked = ("--list", "nyt-2026", "--secrets", "few.txt", "--state", "crane.bbbbb", "--top", 1)
    lines = knuthle("optimal", *asked).out.splitlines()
    assert [line.split()[0] for line in lines[8:12]] == ["afoul", "defog", "doozy", "dozed"]


def test_a_review_names_common_words_first() -> None:
    found = review(load_game("nyt-2026", "allowed"), "tares colin bumpy jiggy", secret="jiggy")
    words = [better.word for better in found.guesses[3].better]
    assert words.index("wedge") < words.index("gawds")


def test_common_prefers_a_common_word() -> None:
    """In ``suggest`` and in ``play``."""
    game, state = load_game("nyt-2026"), "crane bbbbg"
    plain, common = suggest(game, state), suggest(game, state, common=True)
    best, preferred = plain.words[0], common.words[0]
    assert best.word not in COMMON and preferred.word in COMMON
    assert best.mean is not None and preferred.mean is not None
    assert 0 < preferred.mean - best.mean <= 0.02 and preferred.rank > 1
    helper = Helper(game, HowToFind(within=6, common=True))
    helper.tell_state(state)
    found = helper.proposals(10)
    assert [(row.word, row.rank, row.mean) for row in found.words] == [
        (row.word, row.rank, row.mean) for row in common.words
    ]
    assert least_seen(found.exact) == best.mean


@pytest.mark.parametrize("boards, told", [
    (2, "tares.bbbgb.bbbgb.colin.bbbyb.bbbyb.bumph.bbbbb.bbybb"),
    (2, "crane.bbbbb.bbbbb.silty.bybbb.bybbb.humid.bbbyb.ybbyb"),
])  # fmt: skip
def test_on_several_boards_a_common_word_may_cost_a_little(boards: int, told: str) -> None:
    game = load_game("nyt-2026")
    plain, common = (
        Helper(game, HowToFind(common=common), boards=boards) for common in (False, True)
    )
    for helper in (plain, common):
        helper.tell_state(told)
    rows, found = plain.proposals(None).words, common.proposals(1)
    means = {row.word: row.mean for row in rows if row.mean is not None}
    near = {word for word, mean in means.items() if mean <= min(means.values()) + 0.02}
    best = found.words[0]
    assert best.mean is not None and best.rank == 1 + sum(x < best.mean for x in means.values())
    assert best.word in near and (best.word in COMMON or not near & COMMON)


# --- patterns


@pytest.mark.parametrize(("word", "likely", "meant"), [
    ("crxne", ["crane", "crone"], "crane or crone or crine"),
    ("crxne", ["cryne"], "cryne or crane or crine"),
    ("crsne", ["crane", "crone"], "crane or crone or crine"),  # A lies beside S
    ("sltae", ["slate"], "slate"), ("slat", [], "slate"),
])  # fmt: skip
def test_the_word_that_was_meant(word: str, likely: list[str], meant: str) -> None:
    known = sorted(["crane", "crone", "crine", "cryne", "slate"])
    assert did_you_mean(word, known, likely=likely) == f"; did you mean {meant}?"


@pytest.mark.slow
@pytest.mark.parametrize(("options", "best"), [((), "tarse"), (("--used",), "sater")])
def test_first_words_cost_little(knuthle: Knuthle, options: tuple[str, ...], best: str) -> None:
    """Each mean is found anew, and is at most 0.02 guesses a game above the best one known."""
    word, mean = list(FIRST_WORDS.values())[bool(options)]
    command = "optimal", "--list", "nyt-2026", *options, "--json", "-", "--start"
    found, least = (json.loads(knuthle(*command, it).out)["mean"] for it in (word, best))
    assert found == pytest.approx(mean) and least <= mean <= least + 0.02
    assert f"try {word.upper()}  {mean:.4f}" in knuthle("play", *options, typed="").out


def test_clues_as_texts_in_python() -> None:
    game = load_game("nyt-2026")
    assert suggest(game, ["crane", "bybbb"], top=1) == suggest(game, "crane bybbb", top=1)
    mixed: Any = [("crane", "bybbb"), "sloth"]
    refused(WrongInputError, "'sloth' stands between pairs", suggest, game, mixed)


def test_compiling_is_no_processor_time_of_a_sweep() -> None:
    before = working_cpu()
    with compile_time.counted():
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
    assert working_cpu() - before < 0.1
