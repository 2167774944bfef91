"""Which kernels are in the page's module, and in which forms: one table.

A kernel that JavaScript is to call needs one word beside its module: the name that it is called by
there, and its name in Python after ``=`` if that is another. Its form is the narrowest in which
commands or tests call it, as their lists of kernels say (``tools.list_kernels``). Where that is not
the one, ``_WRITTEN`` has what it is: arrays, numbers, and tuples by their classes, again in the
narrowest form that the lists have. All arrays may be written: JavaScript has no others.

Functions that lay memory out are no kernels in Python; they are compiled for the page alone, which
so has the same layout.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any, NamedTuple

from solver.machine import forms, jit
from strategy.toolbox.machine_code import read_list

ROOT = Path(__file__).parents[2]
_LISTS = (ROOT / "strategy" / "toolbox" / "kernels.json", ROOT / "tests" / "kernels.json")
#: By the ending of a name the arrays that have larger items there: scores of long words take four
#: bytes, and of so many columns of a letter one is not enough; the numbers of wide tables take two.
_LARGER = {
    "": {},
    "_long": {
        **dict.fromkeys("columns grades rows scores shares start_rows".split(), "uint32"),
        "held": "uint16",
    },
    "_wide": dict.fromkeys(
        "ceiling ceilings dense found labels lanes parts rows scores tables".split(), "uint16"
    ),
}
#: Modules below ``solver`` with their kernels, in the order of the page's module. Those of a block
#: with an ending are there once more, behind all of it, with larger items.
_TABLE = (
    ("", "game.score_matrix place_sets find_terms=_find_terms"),
    ("_long", "game.score_matrix fill_columns=_fill_columns"),
    ("_long", "game.score_matrix add_columns=_add_columns"),
    ("_long", "rules.word_choice best_word"),
    ("", "rules.word_choice best_word_sums=best_word"),
    ("_long", "rules.grow_many grow_many"),
    ("_long", "rules.grow_tree grow_words=grow_states"),
    ("", "rules.grow_tree grow_words_sums=grow_states"),
    ("_long", "rules.grow_tree grow_rows=grow_states"),
    ("", "rules.code_choice best_code"),
    ("", "rules.grow_tree grow_codes=grow_states"),
    ("_long", "rules.grow_tree best_column"),
    ("_long", "rules.grow_tree cheapest"),
    ("_long", "rules.letter_bits word_scratch"),
    ("", """
        splits.measures exact_log2 fill_log_weights
        splits.rank_rows rank_rows
        splits.measures measure_blocks
        game.codes fill_places fill_tallies grade_codes find_alike list_representatives
    """),
    ("_long", """
        game.score_matrix fill_shares score_words
        splits.word_measures measure_by_rows
        splits.measures measure_by_chances
        splits.fitting count_words count_fitting
        advice.joint_worlds sort_guesses
    """),
    ("", """
        game.reply_order number_replies best_reply
        exact.kernels.score_table dense_codes renumber
        exact.kernels.table_columns spell_columns
        exact.kernels.totals bound_by_parts least_plain_total
        splits.measures bits_beyond fill_chances mean_by_chances share_out bits_of_split
        splits.measures fill_own_bits
        splits.rank_rows rank_weighted fill_classes
    """),
    ("_wide", """
        exact.kernels.guess_race new_guess_task
        exact.kernels.state_search new_state_task new_plan
        exact.kernels.weighted_states new_weighing
        exact.kernels.score_table number_widely put_in_order cut
        exact.kernels.table_columns describe_columns
        exact.kernels.score_table reveal
        exact.kernels.totals least_total find_totals settle_totals
        exact.kernels.beam beam_totals beam_lengths
        exact.kernels.totals enter_weighted settle_weighted
    """),
    ("", """
        advice.joint_worlds list_worlds joint_memory
        advice.joint_search least_joint mean_joint
        advice.joint_ranking add_measured rank_joint rank_means
    """),
    ("_wide", """
        exact.kernels.guess_values screen
        exact.kernels.guess_race limit_of_race begin_guess next_bucket answer_bucket
        exact.kernels.guess_race list_first_guesses
        exact.kernels.table_columns label_columns=_labelled column_effects=_effects
        exact.kernels.table_columns distinct_columns=_distinct describe_narrowed=_describe_narrowed
        exact.kernels.state_search begin_state search_state answer_task begin_plan plan_state
        exact.kernels.weighted_states quick_weighted
        exact.kernels.search screen_weighted weighted_search=search
    """),
    ("", """
        exact.kernels.guess_race next_task answer_bounding note_guesses
    """),
    ("_long", "exact.kernels.ceilings number_marks"),
    ("", """
        exact.kernels.ceilings count_both
        exact.kernels.guess_race new_race new_screening
        exact.kernels.state_search next_too_deep
        exact.kernels.set_frames ideal_totals
        exact.kernels.code_search search_codes new_code_stack
    """),
)  # fmt: skip
#: How the arguments of ``grow_states`` end, with first guesses or without.
_GROWN = "int, int32 1 C, int32 2 C, {}, uint8 2 C, int32 2 C"
#: The forms of kernels that no list has, or not as the narrowest one.
_WRITTEN = {
    "find_terms": "uint8 2 C, int32 2 C, int32 2 C",
    "fill_columns": "uint8 2 A, int32 1 C, int32 1 C, int32 2 C, uint8 2 C",
    "add_columns": "uint8 2 A, int32 2 C, uint8 2 A, int",
    "best_word": "WordSearch, none, int32 1 C",
    "grow_words": f"none, WordSearch, none, none, {_GROWN.format('none')}",
    "grow_words_sums": f"none, WordSearch, int, none, {_GROWN.format('int32 1 C')}",
    "grow_rows": f"MatrixSearch, none, int, none, {_GROWN.format('int32 1 C')}",
    "grow_codes": f"none, none, none, CodeSearch, {_GROWN.format('int32 1 C')}",
    "measure_blocks": "uint8 2 C, uint32 1 C, uint32 1 C, int, int64 1 C, uint32 1 C, Measures",
    "sort_guesses": "uint8 2 A, int, int, JointBoards, GuessKinds",
    "number_widely": "uint32 2 A, int, uint8 2 C",
    "weighted_search": "Workspace, Weighing, int64 1 C, int, int, int, int",
    "word_scratch": "LetterBits, int, Criterion, int64 1 C, KnownSets",
    "new_guess_task": "ScoreTable",
    "new_state_task": "ScoreTable, int",
    "new_plan": "ScoreTable, int",
    "new_weighing": "ScoreTable, int64 1 C",
    "joint_memory": "int, int, int, int",
    "new_race": "int32 1 C, int32 1 C, int, int, int",
    "new_screening": "int, int",
    "new_code_stack": "CodeTable, int",
}


class Exported(NamedTuple):
    """A kernel with the form of its arguments, under the name that JavaScript calls it by."""

    name: str
    kernel: forms.KernelLike
    form: forms.ArgTypes


def exported() -> list[Exported]:
    """The kernels of the table, with the forms of their arguments."""
    return [
        it._replace(name=it.name + end, form=_with_larger(it.form, _LARGER[end], _fields_of(it)))
        for ending, lines in _TABLE
        for end in dict.fromkeys(("", ending))
        for it in _kernels(lines)
    ]


def _kernels(lines: str) -> Iterator[Exported]:
    """The kernels of some lines, in their narrowest forms."""
    for line in lines.strip().splitlines():
        module, *words = line.split()
        for word in words:
            name, _, own = word.partition("=")
            place = f"solver.{module}:{own or name}"
            form = _written(_WRITTEN[name]) if name in _WRITTEN else _narrowest()[place]
            found: Any = forms.named(place)
            kernel: Any = jit.kernel(found) if isfunction(found) else found
            yield Exported(name, kernel, form)


def _written(text: str) -> forms.ArgTypes:
    parts = (
        it if it in ("int", "none") else f"{it} w" if " " in it else _narrowest()[it]
        for it in text.split(", ")
    )
    return "builtins:tuple", (), tuple(parts)


@cache
def _narrowest() -> dict[str, forms.ArgTypes]:
    """The narrowest forms of the lists: of kernels by their names, of tuples by their classes."""
    found: dict[str, set[forms.ArgTypes]] = {}

    def note(form: forms.ArgTypes) -> None:
        if not isinstance(form, str):
            found.setdefault(form[0].partition(":")[2], set()).add(form)
            for part in form[2]:
                note(part)

    for path in _LISTS:
        for name, listed in read_list(path)["kernels"]:
            form = _writable(listed)
            found.setdefault(name, set()).add(form)
            note(form)
    return {name: min(some, key=_width) for name, some in found.items()}


def _width(form: forms.ArgTypes) -> tuple[int, str]:
    """How many bits the items of all arrays have; those of one width have an order, too."""
    return sum(map(int, re.findall(r"int(\d+)", repr(form)))), repr(form)


def _writable(form: forms.ArgTypes) -> forms.ArgTypes:
    if isinstance(form, str):
        return f"{form[:-1]}w" if form.endswith(" r") else form
    return form[0], form[1], tuple(map(_writable, form[2]))


def _fields_of(it: Exported) -> tuple[str, ...]:
    return tuple(inspect.signature(it.kernel.py_func).parameters)


def _with_larger(
    form: forms.ArgTypes, larger: Mapping[str, str], fields: tuple[str, ...]
) -> forms.ArgTypes:
    """A form in which arrays of bytes that have these names, as fields of any depth, are larger."""
    parts = (
        part.replace("uint8", larger.get(field, "uint8"))
        if isinstance(part, str)
        else _with_larger(part, larger, part[1])
        for field, part in zip(fields, form[2], strict=True)
    )
    return form[0], form[1], tuple(parts)
