"""What is typed at the table, understood."""

from __future__ import annotations

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.play.helper import Helper
from strategy.play.typed_input import Talk

WORDS = "abide adieu arise clues crane crony north raise slate sloth stare words gypsy".split()
GAME = load_game(WORDS)
CODES = load_game(spec="mastermind:3x4")


@pytest.mark.parametrize(
    "line",
    [
        "crane bybbb", "CRANE BYBBB", "  crane   bybbb ", "crane: bybbb", "crane,bybbb",
        "crane.bybbb", "cranebybbb", "crane b y b b b", "crane 01000", "crane xyxxx", "crane xpxxx",
        "crane _?___", "crane .y...", "Crane ⬛🟨⬛⬛⬛", "crane ⬜🟨⬜⬜⬜", "crane ⬛🟦⬛⬛⬛",
        "crane ⬛\ufe0f🟨⬛\ufe0f⬛\ufe0f⬛\ufe0f",
    ],
)  # fmt: skip
def test_a_guess_with_its_colours(line: str) -> None:
    talk = Talk(Helper(GAME))
    assert talk.hear(line).kind == "told"
    assert talk.helper.state == "crane.bybbb"


@pytest.mark.parametrize("line", ["bybbb", "⬛🟨⬛⬛⬛", "b y b b b", "01000"])
def test_colours_alone_are_those_of_the_word_asked_about_or_proposed(line: str) -> None:
    talk = Talk(Helper(GAME))
    proposed = talk.helper.proposal().word
    score = GAME.format_score(GAME.grade(proposed, "sloth"))
    talk.hear(score)
    assert talk.helper.state == f"{proposed}.{score}"
    talk = Talk(Helper(GAME))
    assert talk.hear("crony").kind == "asking"
    assert talk.asked is not None
    assert talk.asked.word == "crony"
    assert talk.hear(line).kind == "told"
    assert talk.helper.state == "crony.bybbb"
    assert talk.asked is None


def test_whole_states_are_told_at_once_or_not_at_all() -> None:
    talk = Talk(Helper(GAME))
    heard = talk.hear("crane bybbb clues bbbbg")
    assert (heard.kind, heard.number) == ("told", 2)
    talk.hear("undo 2")
    with pytest.raises(WrongInputError):
        talk.hear("crane.bybbb.zzzzz.bbbbb")
    assert talk.helper.turns == ()


def test_commands_and_words_of_their_spelling() -> None:
    talk = Talk(Helper(GAME))
    for line, kind in [
        ("?", "help"), ("HELP", "help"), ("left", "left"), ("list", "left"), ("top", "top"),
        ("why", "why"), ("save", "save"), ("quit", "quit"), ("q", "quit"), ("", "nothing"),
        ("/words", "left"), ("/state", "save"), ("new", "new"), ("rate sloth", "rate"),
    ]:  # fmt: skip
        assert talk.hear(line).kind == kind
    assert talk.hear("words").kind == "asking", "a word of the list is a guess"
    assert talk.hear("undo").taken == (), "it takes back the question first"
    assert talk.asked is None
    assert talk.hear("top 25").number == 25
    assert talk.hear("rate CRANE").word == "crane"


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("undo", "nothing to undo"),
        ("undo x", "a number is meant"),
        ("undo 0", "a number is meant"),
        ("undo -1", "a number is meant"),
        ("top 99999999", "a number is meant"),
        ("rate", "which word"),
        ("rate zzzzz", "not among"),
        ("why not", "stands alone"),
        ("/nonsense", "no command"),
        ("zzzzz", "'zzzzz' is not among the 13 guesses"),
        ("crone bbbbb", "did you mean crony or crane"),
        ("cran bybb", "expected a word of 5"),
        ("crane bybb", "4 marks"),
        ("crane bybbq", "'q'"),
        ("crane bybbb sloth", "no score"),
        ("bybb", "expected a word of 5"),
        ("x" * 5000, "5,000 characters"),
        ("\x1b[2J", "state"),
        ("🎉", "state"),
        ("crane\x00bybbb", "state"),
    ],
)
def test_wrong_lines_change_nothing(line: str, fault: str) -> None:
    talk = Talk(Helper(GAME))
    with pytest.raises(WrongInputError, match=fault):
        talk.hear(line)
    assert talk.helper.turns == ()
    assert talk.asked is None


def test_a_contradiction_leaves_the_question_open() -> None:
    talk = Talk(Helper(GAME))
    talk.hear("crane bbbbb")
    talk.hear("raise")
    with pytest.raises(WrongInputError, match="contradicts"):
        talk.hear("ggggg")
    assert talk.asked is not None
    assert talk.asked.word == "raise"


def test_several_boards_are_told_at_once_or_one_by_one() -> None:
    talk = Talk(Helper(GAME, boards=3))
    scores = [GAME.format_score(GAME.grade("crane", word)) for word in ("sloth", "crane", "words")]
    assert talk.hear(f"crane {scores[0]}").kind == "asking"
    assert talk.hear(scores[1]).kind == "asking"
    with pytest.raises(WrongInputError, match="4 scores for CRANE, but 3 boards are open"):
        talk.hear("bbbbb bbbbb")
    assert talk.hear(scores[2]).kind == "told"
    assert talk.helper.position.open == (0, 2)
    told = talk.helper.state
    assert told == ".".join(["crane", *scores])
    more = [GAME.format_score(GAME.grade("north", word)) for word in ("sloth", "words")]
    assert talk.hear(f"north {more[0]} {more[1]}").kind == "told"
    again = Talk(Helper(GAME, boards=3))
    assert again.hear(talk.helper.state).number == 2
    assert again.helper.turns == talk.helper.turns
    talk.hear("undo")
    proposed = talk.helper.proposal().word
    scores = [GAME.format_score(GAME.grade(proposed, word)) for word in ("sloth", "words")]
    assert talk.hear(" ".join(scores)).kind == "told", "scores alone, for the word proposed"


def test_pegs() -> None:
    for line in ("112 1,1", "112 1 1", "112.1,1", "112: 1, 1"):
        talk = Talk(Helper(CODES))
        assert talk.hear(line).kind == "told"
        assert talk.helper.state == "112.1,1"
    talk = Talk(Helper(CODES))
    proposed = talk.helper.proposal().word
    talk.hear("0 1")
    assert talk.helper.state == f"{proposed}.0,1"
    with pytest.raises(WrongInputError, match="impossible"):
        talk.hear("123 2,1")
    with pytest.raises(WrongInputError, match="no colour '9'"):
        talk.hear("129")


def test_what_is_said_of_strange_words_and_of_wider_lists() -> None:
    game = load_game(WORDS, ["crane", "sloth"])
    talk = Talk(Helper(game, allow_unknown=True))
    [note] = talk.hear("crany").notes
    assert note == "CRANY is not on the list words; did you mean crony or crane?"
    assert talk.hear("undo").taken == ()
    assert talk.hear("zzzzz bbbbb").notes == ("ZZZZZ is not on the list words",)
    [wide] = talk.hear(f"words {game.format_score(game.grade('words', 'arise'))}").notes
    assert wide.startswith("no secret of words")
    assert "all 13 allowed words" in wide


def test_a_game_that_is_over() -> None:
    talk = Talk(Helper(GAME))
    talk.hear("crane ggggg")
    for line in ("sloth bbbbb", "bbbbb", "sloth"):
        with pytest.raises(WrongInputError, match="new begins another"):
            talk.hear(line)
    assert talk.hear("new").taken[0].word == "crane"
    assert not talk.helper.position.solved
