"""Which kernels are in the page's module, and in which forms: one table.

A kernel that JavaScript is to call needs one line in ``table``: the name it is called by there, the
kernel, and a function that makes arguments as Python would call it with. Only their types matter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from solver.game import score_matrix
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine import forms
from solver.rules import code_choice, grow_many, grow_tree, word_choice
from solver.rules.letter_bits import WordSearch, letter_bits, word_scratch
from solver.rules.searcher import RULES
from solver.splits.measures import Criterion

from . import advice, optimal

ROOT = Path(__file__).parents[2]
#: A few words, short and long: their scores have one byte and four.
_SHORT = ["abide", "crane", "raise", "slate", "stare"]
_LONG = ["abdominally", "abstraction", "combination"]


class Exported(NamedTuple):
    """A kernel with the form of its arguments, under the name that JavaScript calls it by."""

    name: str
    kernel: forms.KernelLike
    form: forms.ArgTypes


class _Line(NamedTuple):
    """A line of the table."""

    name: str
    kernel: Any
    arguments: Callable[[], tuple[Any, ...]]


# ---- What arguments are made of


@cache
def _game(words: tuple[str, ...]) -> WordleGame:
    game = load_game(words)
    assert isinstance(game, WordleGame)
    return game


def _criterion(rule: str = "minimax") -> Criterion:
    return RULES[rule].criterion(5, True)


def _word_search(words: list[str]) -> WordSearch:
    game = _game(tuple(words))
    tables = letter_bits(game.letters, game.secret_ids, game.score_dtype)
    if game.length > 5:  # of so many columns of a letter a byte is not enough
        tables = tables._replace(held=tables.held.astype(np.uint16))
    criterion = _criterion()
    scratch = word_scratch(tables, len(game.secrets), game.n_scores, criterion)
    return WordSearch(_ids(), game.secret_ids, criterion, tables, scratch)


def _matrix_search(words: list[str]) -> grow_tree.MatrixSearch:
    return grow_tree.MatrixSearch(_padded(words), _ids(), _ids(), _criterion(), 1, _ids())


def _ids(*shape: int) -> Any:
    return np.zeros(shape or (1,), dtype=np.int32)


def _scores(words: list[str], *shape: int) -> Any:
    return np.zeros(shape, dtype=_game(tuple(words)).score_dtype)


def _padded(words: list[str]) -> Any:
    return score_matrix.aligned_rows(2, 2, _game(tuple(words)).score_dtype)


def _letters() -> Any:
    return np.zeros((2, 5), dtype=np.uint8)


# ---- The table


def _grow_many(words: list[str]) -> tuple[Any, ...]:
    return _word_search(words), 242, _ids(), _ids(), _scores(words, 1, 1), _ids(1, 5)


def _grow_words(words: list[str], sums: int | None) -> tuple[Any, ...]:
    starts = None if sums is None else _ids()
    search = _word_search(words)
    return (
        None, search, sums, None, 242, _ids(), _ids(1, 5), starts, _scores(words, 1, 1), _ids(3, 9),
    )  # fmt: skip


def _grow_rows(words: list[str]) -> tuple[Any, ...]:
    search = _matrix_search(words)
    return (
        search, None, 1, None, 242, _ids(), _ids(1, 5), _ids(), _scores(words, 1, 1), _ids(3, 9),
    )  # fmt: skip


def _code_search() -> code_choice.CodeSearch:
    space = load_game(spec="mastermind:2x2").code_space
    assert space is not None
    return code_choice.CodeSearch(space, _criterion(), code_choice.peg_scratch(space))


def _grow_codes() -> tuple[Any, ...]:
    rows = np.zeros((1, 1), dtype=np.uint8)
    return None, None, None, _code_search(), 20, _ids(), _ids(1, 5), _ids(), rows, _ids(3, 9)


def _cheapest(words: list[str]) -> tuple[Any, ...]:
    return _padded(words), _ids(), _ids(), _criterion().steps, True, 0, _ids(), 0


def _fill_columns(words: list[str]) -> tuple[Any, ...]:
    return _padded(words), _ids(), _ids(), _ids(2, 2), _scores(words, 2, 2)


def _add_columns(words: list[str]) -> tuple[Any, ...]:
    return _padded(words), _ids(2, 5), _padded(words), 0


def _both(name: str, kernel: Any, arguments: Callable[[list[str]], tuple[Any, ...]]) -> list[_Line]:
    """A kernel for words of up to five letters, and under another name for longer ones."""
    return [
        _Line(name, kernel, lambda: arguments(_SHORT)),
        _Line(f"{name}_long", kernel, lambda: arguments(_LONG)),
    ]


def table() -> list[_Line]:
    """The table."""
    return [
        _Line("place_sets", score_matrix.place_sets, lambda: (_letters(), 26)),
        _Line("find_terms", score_matrix._find_terms, lambda: (_letters(), _ids(2, 2), _ids(2, 5))),
        *_both("fill_columns", score_matrix._fill_columns, _fill_columns),
        *_both("add_columns", score_matrix._add_columns, _add_columns),
        *_both("best_word", word_choice.best_word, lambda it: (_word_search(it), None, _ids())),
        _Line("best_word_sums", word_choice.best_word, lambda: (_word_search(_SHORT), 1, _ids())),
        *_both("grow_many", grow_many.grow_many, _grow_many),
        *_both("grow_words", grow_tree.grow_states, lambda it: _grow_words(it, None)),
        _Line("grow_words_sums", grow_tree.grow_states, lambda: _grow_words(_SHORT, 1)),
        *_both("grow_rows", grow_tree.grow_states, _grow_rows),
        _Line("best_code", code_choice.best_code, lambda: (_code_search(), _ids())),
        _Line("grow_codes", grow_tree.grow_states, _grow_codes),
        *_both("best_column", grow_tree.best_column, lambda it: (_matrix_search(it), _ids())),
        *_both("cheapest", grow_tree.cheapest, _cheapest),
        *(_Line(*line) for line in advice.lines()),
        *(_Line(*line) for line in optimal.lines()),
    ]


def exported() -> list[Exported]:
    """The kernels of the table, with the forms of their arguments.

    The arguments are made by another process, in which nothing is compiled: whoever compiles
    kernels for WebAssembly must not have compiled any before.
    """
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tools.web.kernels"]
    found = subprocess.run(command, cwd=ROOT, env=plain, check=True, capture_output=True)
    lines = table()
    written = json.loads(found.stdout)
    if len({line.name for line in lines}) < len(lines):
        raise ValueError("two kernels of the table have one name")
    return [
        Exported(line.name, line.kernel, _read(form))
        for line, form in zip(lines, written, strict=True)
    ]


def _writable(form: forms.ArgTypes) -> forms.ArgTypes:
    """A form with arrays that may be written: JavaScript has no others."""
    if isinstance(form, str):
        return f"{form[:-1]}w" if form.endswith(" r") else form
    return form[0], form[1], tuple(map(_writable, form[2]))


def _read(form: Any) -> forms.ArgTypes:
    """A form that was written as JSON."""
    if isinstance(form, str):
        return form
    return form[0], tuple(form[1]), tuple(map(_read, form[2]))


if __name__ == "__main__":
    print(json.dumps([_writable(forms.arg_types_of(line.arguments())) for line in table()]))
