"""Which form a file has, found out by looking, and its states."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from ...errors import BadFileError
from . import game_lines, nested_json, state_table, tree_text
from .content import lines_of, text_of
from .draft import Draft
from .spelling import Grader, Spelling


def read(content: bytes, name: str, graders: Mapping[bool, Grader], game: str = "") -> Draft:
    """The states of a foreign strategy file, in whichever of the forms it is.

    ``graders`` has the rule of Wordle (False) and of pegs (True), for games without scores.
    """
    text = text_of(content, name)
    spelling = Spelling(name, game)
    if text[:4096].lstrip()[:1] in ("{", "["):
        return nested_json.read(text, spelling)
    lines = lines_of(text, name)
    first = next(lines, None)
    if first is None:
        raise BadFileError("empty", f"{name}: nothing but blank lines")
    if first[1].lstrip().startswith(("digraph", "graph ", "strict ")):
        raise BadFileError("foreign", f"{name}: a Graphviz graph, which is for looking at only")
    whole = chain([first], lines)
    if tree_text.is_tree(first[1]):
        return tree_text.read(whole, spelling)
    if state_table.is_table(first[1]):
        return state_table.read(whole, spelling)
    return game_lines.read(lambda: lines_of(text, name), spelling, graders)
