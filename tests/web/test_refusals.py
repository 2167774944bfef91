"""What the engine refuses, whatever it is asked: in one sentence, as wrong input."""

from typing import Any

import pytest

from tests.support.asked import answer
from tests.support.node import Engine

CODES = {"kind": "mastermind", "holes": 2, "colours": 3}
BOARD = {"kind": "mastermind", "holes": 4, "colours": 6}
LARGE = {"kind": "mastermind", "holes": 5, "colours": 8}
SMALL = {"guesses": ["abide", "crane", "raise", "slate", "stare"]}
LIST = {"list": "original"}
TODAY = {"list": "nyt-2023"}
#: A game, a question, its arguments, and what is said of it.
REFUSED: list[tuple[dict[str, Any], str, list[Any], str]] = [
    # options that a question does not have
    (SMALL, "suggest", ["", {"tpo": 3}], "suggest has no option 'tpo'; did you mean top?"),
    (SMALL, "suggest", ["", {"worlds": 9}], "the option worlds plays words out on several boards"),
    (SMALL, "suggest", [["", ""], {"worlds": 9}], "the command play has it"),
    (SMALL, "suggest", [["", ""], {"pattern": "a"}], "the option pattern is for one board"),
    (SMALL, "suggest", ["", 7], "the options of suggest are an object, not '7'"),
    (SMALL, "openers", [{"plot": "a.svg"}], "the option plot is about a picture"),
    (SMALL, "openers", [{"csv": "-"}], "the option csv is about what the command prints"),
    (SMALL, "buckets", ["crane", {"secrets": "all"}], "the option secrets belongs to engine.game"),
    (SMALL, "review", ["crane bybbb", None, {"games": "-"}], "the command review has it"),
    (SMALL, "solve", [{"then": "worst"}], "the option then is not for a page; the command"),
    (SMALL, "solve", [{"rule": "optimal", "objective": "losses"}], "the command optimal has it"),
    (SMALL, "solve", [{"workers": 2}], "the option workers is not for a page, which has"),
    (CODES, "solve", [{"objective": "losses"}], "the command optimal has it"),
    (SMALL, "solve", [{"pure": True}], "--pure says how to take --within K, which is missing"),
    (SMALL, "solve", [{"within": 0}], "a limit is a number of guesses from 1 to 1,000,000, not 0"),
    (SMALL, "solve", [{"rule": "optimal", "within": 3, "pure": True}], "--pure is for rules"),
    (SMALL, "solve", [{"rule": "optimal", "within": 13}], "within at most 12 guesses, not 13"),
    (CODES | {"list": "original"}, "suggest", [""], "the option list is for words; a game of"),
    ({"kind": "chess"}, "suggest", [""], "no kind of game is named 'chess'"),
    (LIST | {"hrad": True}, "suggest", [""], "game has no option 'hrad'; did you"),
    # games and lists
    ({"list": "orignal"}, "solve", [{}], "there is no list or file named 'orignal'"),
    ({"guesses": ["crane", "slat"]}, "solve", [{}], "words:2: 'slat' has 4 letters, 'crane'"),
    ({"guesses": []}, "solve", [{}], "words: the file has no words"),
    ({"guesses": []}, "suggest", [""], "words: the file has no words"),
    ({"guesses": ["<b>", "abc"]}, "suggest", [""], "words:1: '<b>' has '<', which is neither"),
    ({"guesses": "crane\nsl ate\n"}, "solve", [{}], "words:2: more than one word on the line"),
    ({"guesses": ["cr-ne"]}, "solve", [{}], "words:1: 'cr-ne' has '-', which is neither"),
    ({"guesses": ["crane"], "secrets": ["slate"]}, "solve", [{}], "secret 'slate' is not a guess"),
    (BOARD | {"holes": 9, "colours": 9}, "suggest", [""], "searches boards of up to 32,768 codes"),
    # clues, words and what they are asked by
    (TODAY, "suggest", ["crane ggggg slate"], "'slate': add its colours, e.g. slate bybbb"),
    (TODAY, "suggest", ["crane bybbz"], "the score 'bybbz' has 'z', which is not a colour"),
    (TODAY, "suggest", ["crane"], "'crane': add its colours, e.g. crane bybbb"),
    (TODAY, "suggest", [[["crane", 243]]], "243 is no score"),
    (TODAY, "suggest", [[["crane"]]], "each clue is a word and its score"),
    (TODAY, "suggest", [42], "clues are a text, or a list of words with scores"),
    (TODAY, "suggest", ["zzzzz bbbbb"], "'zzzzz' is not among the 14,855 guesses of nyt-2023"),
    (TODAY, "suggest", ["crane bybbb", {"by": "<b>luck</b>"}], "no measure named '<b>luck</b>'"),
    (TODAY, "suggest", ["", {"guessFrom": "hat"}], "is one of allowed, secrets, candidates"),
    (TODAY, "suggest", ["", {"within": 0}], "a limit is a number of guesses from 1 to 1,000,000"),
    (TODAY, "suggest", ["", {"top": -1}], "top is a number of words, not '-1'"),
    (TODAY, "buckets", ["\u202ecrane"], "\\u202ecrane' is not among the 14,855"),
    (BOARD, "suggest", ["1122 3,1"], "the last colour cannot be out of place"),
    (LIST, "adversary", [["crane", "xxxxx"]], "'xxxxx' is not among"),
    (LIST, "adversary", ["crane"], "are a list of words"),
    (BOARD, "adversary", [["1122"]], "plays Wordle, not"),
    (TODAY, "suggest", ["", {"by": "entropi"}], "named 'entropi'; did you mean entropy?"),
    ({"list": "nyt-203"}, "suggest", [""],
     "there is no list or file named 'nyt-203'; did you mean nyt-2023 or nyt-2026 or "),
    # several boards
    (TODAY, "suggest", [[""] * 33], "33 boards; the number must be 1–32"),
    (TODAY, "suggest", [["", ""], {"hard": True}], "hard mode is for one board only"),
    (TODAY, "suggest", [["crane bybbb", "slate bybbb"]],
     "board 2 has 'slate' as guess 1, board 1 has 'crane'"),
    (TODAY, "suggest", [["crane bybbb", ""]], "board 2 has no guess 1, board 1 has 'crane'"),
    (TODAY, "suggest", [["crane ggggg slate bbbbb", ""]], "a board is solved before 'slate'"),
    (TODAY, "suggest", [["crane bybbb", "crane gggyy"]],
     "board 2: no secret of nyt-2023 (allowed) gives"),
    # reviews
    (TODAY, "review", ["crane bybbb", None, {"exact": True}], "since it takes minutes"),
    (TODAY, "review", ["crane bybbb", None, {"timeLimit": 0}], "is a number of seconds above 0"),
    (TODAY, "review", [42], "a game is a text, or a list of words with scores"),
    (TODAY, "review", [[]], "no guess to review; write each guess with its colours"),
    (TODAY, "review", [""], "no guess to review; write each guess with its colours"),
    (TODAY, "review", ["crane bybbb", "zzzzz"], "'zzzzz' is not among the 14,855 guesses"),
    (LARGE, "review", ["11223 1,1"], "reviews games of up to 4,096 codes, not mastermind:5x8"),
    (BOARD, "review", ["🟩🟩⬛⬛"], "only Wordle has share grids, not mastermind:4x6"),
    (BOARD, "review", ["1122 1,1", None, {"hard": True}], "hard mode is a rule of Wordle"),
    # regrets
    (LIST, "regret", ["crane ggggg", "slate"], "the game is over"),
    (LIST, "regret", ["crane bybbb sloth bbbbb", "slate", {"hard": True}], "hard mode forbids"),
    (LIST, "regret", ["crane bybbb", "slate", {"timeLimit": 0}], "a number of seconds above 0"),
    (LIST, "regret", ["crane bybbb", "slate", {"top": 3}], "regret has no option 'top'"),
    (LIST, "regret", ["crane bybbb", "qqqqq"], "'qqqqq' is not among the 12,972 guesses"),
    # whole strategies
    (LIST, "solve", [{"start": "qqqqq"}], "'qqqqq' is not among the 12,972 guesses"),
    (LIST, "solve", [{"start": "crane,crane"}], "--start guesses 'crane' twice"),
    (LIST, "solve", [{"start": "crane", "rule": "best"}], "no rule named 'best'"),
    (TODAY, "solve", [{"rule": "minmax"}], "no rule named 'minmax'; did you mean minimax?"),
    (LIST, "solve", [{"start": "crane", "guessFrom": "all"}], "--guess-from is one of"),
    (LIST, "solve", [{"start": "crane,slate", "hard": True}], "hard mode forbids"),
    (BOARD, "solve", [{"hard": True}], "hard mode is a rule of Wordle; mastermind:4x6"),
    (BOARD, "solve", [{"rule": "optimal", "hard": True}], "hard mode is a rule of Wordle"),
    (LIST, "solve", [{"rule": "optimal", "start": "salet", "guessFrom": "candidates"}],
     "guesses from allowed or secrets"),
    (LIST, "solve", [{"rule": "optimal", "start": "aahed", "guessFrom": "secrets"}],
     "'aahed' is not among the 2,315"),
    (LARGE | {"colours": 5}, "solve", [{"rule": "optimal"}], "boards of up to 2000 codes"),
    # weights
    (TODAY, "solve", [{"start": "crane", "weights": {"crane": 1}}], "goes with --rule optimal"),
    (TODAY, "solve", [{"rule": "optimal", "weights": {"crane": 1}, "guessFrom": "candidates"}],
     "--guess-from candidates is for equally likely secrets, not for --weights"),
    (TODAY, "solve", [{"rule": "optimal", "weights": {"crane": 1, "slate": 1e30}}],
     "and 2,147,483,647 is the most: round the weights"),
    (BOARD, "solve", [{"rule": "optimal", "weights": {"1122": 1}}], "is for lists of words"),
    (TODAY, "suggest", [["", ""], {"weights": {"crane": -1}}], "a number of 0 or more, not -1.0"),
    (TODAY, "openers", [{"by": "letters", "weights": {"crane": 1}}], "which --weights does not do"),
    (TODAY, "openers", [{"weights": 3}], "weights are a text with a word and its weight"),
    (TODAY, "openers", [{"weights": {"crane": "1"}}], "must be a number of 0 or more, not '1'"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "call", "args", "message"), REFUSED)
def test_wrong_questions_are_refused(
    engine: Engine, game: dict[str, Any], call: str, args: list[Any], message: str
) -> None:
    found = answer(engine, (game, call, args))
    assert message in found["error"] and found["code"] == 2 and "\n" not in found["error"]
