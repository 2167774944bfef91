"""Which list a command takes where none is named, and that every answer names its list."""

import re
import shlex
import sys
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli import parser_of
from strategy.toolbox.guesses import suggest
from tests.support.commands import Knuthle, report_of

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
