"""States: histories as people write them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game import wordle
from solver.game.load import load_game
from tests.support import refused

pytestmark = pytest.mark.plain

GAME = load_game()
STEPS = st.lists(st.tuples(st.sampled_from(GAME.secrets), st.integers(0, 242)), max_size=6)


@pytest.mark.parametrize(("text", "history"), [
    ("", ()), ("lares.......", (("lares", 0),)), ("lares.....", (("lares", 0),)),
    ("LARES ⬛⬛⬛⬛⬛", (("lares", 0),)), ("lares.y....", (("lares", 1),)),
    ("lares...y..", (("lares", 9),)), ("lares   y....", (("lares", 1),)),
    ("parse.BYBBB.clint.bbyyb", (("parse", 3), ("clint", 36))),
    ("sigma xxxxx tenor xpppx", (("sigma", 0), ("tenor", 39))),
    ("sigma:00000, tenor:01110", (("sigma", 0), ("tenor", 39))),
    ("lares.......cling.bybbb", (("lares", 0), ("cling", 3))),
    ("laresbbbbbclingbybbb", (("lares", 0), ("cling", 3))),
])  # fmt: skip
def test_states_are_read(text: str, history: tuple[tuple[str, int], ...]) -> None:
    assert GAME.parse_state(text) == history


@pytest.mark.parametrize(("text", "reason"), [
    ("lares", "'lares': add its colours, e.g. lares bybbb"), ("lares.byb", "has 3 marks"),
    ("lares.bypbb", "mixes notations"),
    ("larez.bbbbb", "'larez' is not among the 12,972 guesses of original; did you mean"),
    ("lares.bbbbb.cl", "'cl' has 2 letters; need 5"), ("bbbbb", "add its colours"),
])  # fmt: skip
def test_wrong_states_are_refused(text: str, reason: str) -> None:
    refused(WrongInputError, reason, GAME.parse_state, text)


def test_long_states() -> None:
    assert len(GAME.parse_state("lares.bbbbb." * 3000)) == 3000
    assert len(GAME.parse_state("lares...y..." * 200)) == 200


#: Notations of scores, each with the separators that may stand beside it.
NOTATIONS = [*wordle.NOTATIONS.values(), ".yg", "-yg", "_yg", ".12", "-po"]
SEPARATED = st.tuples(st.sampled_from(NOTATIONS), st.sampled_from([".", " ", ", ", ": ", "/"]))
JOINED = st.tuples(st.sampled_from(list(wordle.NOTATIONS.values())), st.just(""))


def written(steps: list[tuple[str, int]], notation: str) -> list[str]:
    return [it for word, score in steps for it in (word, wordle.format_score(score, 5, notation))]


@given(STEPS, SEPARATED | JOINED)
def test_every_notation_is_read_back(steps: list[tuple[str, int]], how: tuple[str, str]) -> None:
    notation, between = how
    assert GAME.parse_state(between.join(written(steps, notation))) == tuple(steps)
    text = GAME.format_state(steps)
    assert GAME.parse_state(text) == GAME.parse_state(text.replace(".", " ")) == tuple(steps)


@given(STEPS, SEPARATED | JOINED, st.data())
def test_mark_lost(steps: list[tuple[str, int]], how: tuple[str, str], data: st.DataObject) -> None:
    """Without one of its marks a score must not borrow a separator; dots alone are grey anyway."""
    notation, between = how
    tokens = written(steps or [("crane", 21)], notation)
    short = 2 * data.draw(st.integers(0, len(tokens) // 2 - 1)) + 1
    gone = data.draw(st.integers(0, 4))
    tokens[short] = tokens[short][:gone] + tokens[short][gone + 1 :]
    if set(tokens[short]) == {"."} and between == ".":
        return
    for end in ("", between):
        if between == "." and (tokens[short + 1 :] or end) and notation[0] not in tokens[short]:
            continue  # a dot after four marks without a grey one is the fifth: it is read so
        refused(WrongInputError, "", GAME.read_state, between.join(tokens) + end)


@pytest.mark.parametrize(("text", "marks", "meant"), [
    ("lares.gbbb", ".gbbb", "lares.bgbbb"), ("crane bbbbb slate.bybb", ".bybb", "slate.bbybb"),
    ("lares.....cling.ybbb", ".ybbb", "cling.bybbb"),
    ("crane.gbbb.slate.bbbbb", "gbbb.", "crane.gbbbb"), ("crane.gbbb.", "gbbb.", "crane.gbbbb"),
    ("crane-gbbb", "-gbbb", "crane.bgbbb"), ("lares...gbbb", ".gbbb", "lares.bgbbb"),
    ("logos.1....pyral.22..", ".1...", "logos.bybbb"),
])  # fmt: skip
def test_both_readings_of_a_doubtful_score_are_told(text: str, marks: str, meant: str) -> None:
    with pytest.raises(WrongInputError) as refusal:
        GAME.read_state(text)
    said = str(refusal.value)
    assert f"{marks!r} after {meant[:5]!r} has two meanings: " in said
    assert f"or {'-' if '-' in marks else '.'!r} is a grey letter; write all 5 marks" in said
    assert f"or {meant} if" in said and GAME.read_state(meant)


@pytest.mark.parametrize(("text", "scores"), [
    ("lares..gbbb", [6]), ("lares .gbbb", [6]), ("tares b.y..", [9]), ("lares.gyyg.", [68]),
    ("crane-yg--", [21]), ("lares _y___ crane -yg--", [3, 21]), ("laresy....clingbybbb", [1, 3]),
    ("lares.....cling.bybbb", [0, 3]),
])  # fmt: skip
def test_grey_marks_that_also_separate(text: str, scores: list[int]) -> None:
    assert [score for _, score in GAME.read_state(text)] == scores


class Counted(str):
    """A text that counts the characters that are taken out of it."""

    taken = 0

    def __getitem__(self, key: Any) -> str:
        found = super().__getitem__(key)
        Counted.taken += len(found)
        return found


@pytest.mark.parametrize("step", ["lares.bybbb.", "lares" + 6 * " " + "bybbb", "lares.....y."])
def test_the_work_for_a_state_grows_with_its_length(step: str) -> None:
    """Twice the text is twice the work, be it words and scores or one long gap."""
    taken = []
    for count in (200, 400):
        text = Counted(step * count + " " * (5 * count) + "lares bbbbb")
        Counted.taken = 0
        for separators in ("one", "none", "any"):
            GAME._read_steps(text, separators, [])
        taken.append(Counted.taken)
    assert taken[1] < 2.5 * taken[0]
