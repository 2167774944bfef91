"""Kernels in WebAssembly: vector steps bit by bit, and the memory of the engine."""

import json
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.exact.kernels import table_vectors
from solver.machine import vectors
from tests.support import needs_compiler
from tests.support.asked import MOST_BYTES, Question
from tests.support.commands import ran
from tests.support.node import SITE, Engine, require_node

SCRIPT = Path(__file__).with_name("steps.mjs")
COLUMNS = table_vectors.BLOCK_COLUMNS


def _written(value: Any) -> Any:
    if isinstance(value, int):
        return value
    data = [str(item) for item in value.reshape(-1).tolist()]
    return {"type": str(value.dtype), "shape": list(value.shape), "data": data}


def _least_of(dice: np.random.Generator) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    width, needs = 5 * COLUMNS, np.array([5, 12, 9], dtype=np.int64)
    row, *tables = dice.integers(0, 20, (4, width), dtype=np.uint8)
    many, places = np.array(tables), dice.integers(-1, 3, (3, 2)).astype(np.int32)
    lanes, found = np.zeros(COLUMNS, dtype=np.uint8), np.zeros((3, width), dtype=np.uint8)
    given = (row, many, places, needs, lanes, found)
    right = found.copy()
    for at, need in enumerate(needs.tolist()):
        for column in range(0, width, COLUMNS):
            here = np.zeros(COLUMNS, dtype=np.uint8)
            table_vectors.plain_least_of(row, column, many, places[at], need, here)
            right[at, column : column + COLUMNS] = np.where(here >= need, here, 0)
    return given, (row, many, places, needs, here, right)


def _alike(dice: np.random.Generator) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    rows = dice.integers(8, 11, (4, 2, COLUMNS), dtype=np.uint8)
    found = np.zeros((2, 4), dtype=np.uint64)
    for block in range(4):
        found[0, block] = table_vectors.plain_alike(rows, block, 0, 1)
        found[1, block] = table_vectors.plain_at_least(rows[block, 0], 0, 9)
    return (rows, np.zeros_like(found)), (rows, found)


def _counted(dice: np.random.Generator) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    masks = dice.integers(0, 16, 4 * vectors.MASKS, dtype=np.uint64)
    counts = dice.integers(600, 800, 4 * COLUMNS, dtype=np.uint16)
    found = np.zeros((2, 4), dtype=np.uint64)
    for at in range(4):
        found[0, at] = vectors.disjoint_plain(masks, at * vectors.MASKS, np.uint64(5))
        found[1, at] = table_vectors.plain_at_least(counts, at * COLUMNS, 700)
    return (masks, counts, np.zeros_like(found)), (masks, counts, found)


@needs_compiler
@pytest.mark.slow
def test_steps_are_those_of_their_plain_twins(tmp_path: Path) -> None:
    module, question = tmp_path / "steps.wasm", tmp_path / "question.json"
    made = ran([sys.executable, "-m", "tests.support.web_steps", module])
    assert made.returncode == 0, made.stderr
    dice, calls, expected = np.random.default_rng(1), [], []
    for _ in range(30):
        for name, case in (("least_of", _least_of), ("alike", _alike), ("counted", _counted)):
            given, right = case(dice)
            calls.append([name, [_written(value) for value in given]])
            expected.append([it if isinstance(it, int) else _written(it)["data"] for it in right])
    question.write_text(json.dumps({"forms": json.loads(made.stdout), "calls": calls}))
    done = ran([require_node(), SCRIPT, module, SITE, question])
    for call, found, right in zip(calls, json.loads(done.stdout), expected, strict=True):
        assert found == right, call[0]


MEMORY = Path(__file__).with_name("memory.mjs")
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
    done = ran([require_node(), MEMORY, SITE])
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
