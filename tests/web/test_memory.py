"""The memory of the engine, and calls of kernels in it."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.asked import MOST_BYTES, Question
from tests.support.commands import ran
from tests.support.node import SITE, Engine, require_node

SCRIPT = Path(__file__).with_name("memory.mjs")
ALL = {"list": "original", "secrets": "allowed"}
FEW = {"list": "original", "secrets": "answers"}
TODAY = {"list": "nyt-2023", "secrets": "allowed"}
CODES = {"kind": "mastermind", "holes": 5, "colours": 8}
#: The question that takes most.
LARGEST: Question = (TODAY, "suggest", ["crane bybbb slate bbbbb"])
#: Questions as a page asks them, one after the other.
QUESTIONS: list[Question] = [
    (ALL, "solve", [{"start": "lares"}]),
    (TODAY, "suggest", [""]),
    LARGEST,
    (FEW, "solve", [{"start": "lares", "rule": "entropy"}]),
    (TODAY, "openers", [{"top": 5}]),
    (TODAY, "suggest", [["crane bybbb moist bbbbb", "crane bybbb moist bbbbb"]]),
    (TODAY, "buckets", ["crane"]),
    (CODES, "suggest", ["11223 1,1"]),
    (FEW, "solve", [{"start": "lares", "hard": True}]),
    (TODAY, "suggest", ["crane bybbb ruddy gybbb", {"hard": True}]),
]


def test_memory_is_reserved_released_and_never_overwritten() -> None:
    done = ran([require_node(), SCRIPT, SITE])
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.slow
def test_one_question_after_the_other_takes_no_more_than_the_largest() -> None:
    def taken(questions: list[Question]) -> Any:
        with closing(Engine()) as engine:
            for game, method, args in questions:
                engine.ask(method, *args, game=game)
            return engine.ask("memory")

    together = taken(QUESTIONS * 2)
    assert together <= taken([LARGEST]) + 4_000_000
    assert together <= MOST_BYTES
