"""Strategies that other programs have written: which form a file has, and the states in it.

Nested JSON has a module of its own (``json_form``). The others are lines of text:

* an indented tree;
* a table of states, one a line;
* a game a line, its guesses, the secret last, with or without the scores between them:
  ``crane,moist,puppy`` or ``crane,BBBBB,moist,BBBBB,puppy,GGGGG``; between the cells may be commas,
  semicolons, tabs or spaces. Where there are no scores they are those of the last word.
"""

from __future__ import annotations

import csv
import io
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from ..checkers.verify import LARGEST
from ..errors import BadFileError
from .draft import Draft, Grader, Spelling
from .json_form import read_json
from .strategy_file import MOST_NODES
from .text import decoded, quoted, read_at_most

#: Characters of a line in a file of lines: a thousand guesses with their scores.
LONGEST_LINE = 1 << 15
#: Lines of a file, blank ones too.
MOST_LINES = 2 * MOST_NODES


def read_any_form(
    content: bytes, name: str, graders: Mapping[bool, Grader], game: str = ""
) -> Draft:
    """The states of a foreign strategy file, in whichever of the forms it is.

    ``graders`` has the rule of Wordle (False) and of pegs (True), for games without scores.
    """
    text = text_of(content, name)
    spelling = Spelling(name, game)
    if text[:4096].lstrip()[:1] in ("{", "["):
        return read_json(text, spelling)
    lines = lines_of(text, name)
    first = next(lines, None)
    if first is None:
        raise BadFileError("empty", f"{name}: nothing but blank lines")
    if first[1].lstrip().startswith(("digraph", "graph ", "strict ")):
        raise BadFileError("foreign", f"{name}: a Graphviz graph, which is for looking at only")
    whole = chain([first], lines)
    if is_tree(first[1]):
        return _TreeReader(spelling).read(whole)
    if is_table(first[1]):
        return read_table(whole, spelling)
    return read_games(lambda: lines_of(text, name), spelling, graders)


def bytes_of(path: str | Path) -> bytes:
    """The content of a file of a strategy or a proof, in whatever form; it may not be too long."""
    content = read_at_most(path, LARGEST, "large", " is no strategy")
    if not content:
        raise BadFileError("empty", f"{path}: the file is empty")
    return content


def text_of(content: bytes, name: str) -> str:
    """The text of a foreign file, without the mark that some editors put before it."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise BadFileError("foreign", f"{name}: text in UTF-16; save it as UTF-8")
    if (zero := content.find(0)) >= 0:
        raise BadFileError("foreign", f"{name}: not a text file (byte {zero} is zero)")
    return decoded(content, name, "foreign")


def lines_of(text: str, name: str) -> Iterator[tuple[int, str]]:
    """Lines of a foreign strategy with their numbers; no comments, blank lines, trailing spaces."""
    for number, whole in enumerate(io.StringIO(text, newline=None), 1):
        if number > MOST_LINES:
            raise BadFileError("large", f"{name}: more than {MOST_LINES:,} lines is no strategy")
        if len(whole) > LONGEST_LINE:
            reason = f"{name}:{number}: more than {LONGEST_LINE:,} characters in a line"
            raise BadFileError("format", reason)
        line = whole.rstrip()
        if line and not line.lstrip().startswith("#"):
            yield number, line


# --- an indented tree ---------------------------------------------------------------------

TREE_FORM = "tree"
_SCORE = re.compile(r"([BYGbyg]{2,11})(\d{1,4})|(\d{1,2},\d{1,2}):(\d{1,4})", re.ASCII)
_TOKEN = re.compile(r"\S+")


def is_tree(line: str) -> bool:
    """Whether a foreign line is the first of a strategy written as an indented tree."""
    tokens = line.split(None, 2)
    return len(tokens) > 1 and _SCORE.fullmatch(tokens[1]) is not None


class _TreeReader:
    """Reads an indented tree line by line; of the one above it keeps what the next may share."""

    def __init__(self, spelling: Spelling) -> None:
        self._draft = Draft(TREE_FORM, spelling)
        self._spelling = spelling
        #: Where each token of the line above begins, from left to right, words and scores in turn.
        self._starts: list[int] = []
        self._words: list[str] = []
        self._scores: list[int] = []
        self._indent = -1

    def read(self, lines: Iterable[tuple[int, str]]) -> Draft:
        for number, line in lines:
            self._share(line, number)
            self._take(line, number)
            self._draft.add_game(self._words, self._scores, number)
        return self._draft

    def _share(self, line: str, number: int) -> None:
        """Keep of the line above what the spaces of this one stand for."""
        blank = len(line) - len(line.lstrip(" "))
        if line[blank].isspace():
            raise self._spelling.bad(number, "a tab or the like where only spaces mean something")
        if self._indent < 0:
            self._indent = blank
        if not self._starts:
            return
        starts = self._starts
        kept = bisect_left(starts, blank)
        if kept == len(starts) or starts[kept] != blank:
            raise self._spelling.bad(
                number, f"its {blank} spaces do not end where a word or score above begins"
            )
        del starts[kept:]
        del self._words[(kept + 1) // 2 :], self._scores[kept // 2 :]

    def _take(self, line: str, number: int) -> None:
        """Read the tokens of a line, after what it shares."""
        spelling = self._spelling
        blank = len(line) - len(line.lstrip(" "))
        for token in _TOKEN.finditer(line, blank):
            if len(self._starts) % 2 == 0:
                self._words.append(spelling.word(token[0], number))
            else:
                self._scores.append(self._score(token[0], number))
            self._starts.append(token.start())
        if len(self._starts) % 2:
            raise spelling.bad(number, f"{self._words[-1]!r} ends the line, without its score")

    def _score(self, text: str, number: int) -> int:
        """A score with the number of its guess behind it."""
        found = _SCORE.fullmatch(text)
        turn = len(self._scores) + 1
        if found is None:
            raise self._spelling.bad(number, f"{quoted(text)} is no score with its guess's number")
        if int(found[2] or found[4]) != turn:
            raise self._spelling.bad(
                number, f"{quoted(text)} says guess {found[2] or found[4]}; it is guess {turn}"
            )
        return self._spelling.score(found[1] or found[3], number)


# --- a table of states --------------------------------------------------------------------

TABLE_FORM = "table of states"
COLUMNS = ("node", "parent", "score", "text", "depth", "guess", "candidate")
_WHETHER = {"1": True, "0": False, "true": True, "false": False}


def is_table(line: str) -> bool:
    """Whether a foreign line is the heading of a table of states: its columns, in any order."""
    names = [name.strip().lower() for name in line.split(",")]
    return {"node", "parent", "guess", "candidate"} <= set(names)


def read_table(lines: Iterable[tuple[int, str]], spelling: Spelling) -> Draft:
    """The states of a foreign strategy in a table: a row a state, in order, parents first."""
    rows = iter(lines)
    number, heading = next(rows)
    columns = [name.strip().lower() for name in heading.split(",")]
    if not {"text", "score"} & set(columns) or len(set(columns)) < len(columns):
        raise spelling.bad(number, f"expected the columns {', '.join(COLUMNS)}, each once")
    draft = Draft(TABLE_FORM, spelling)
    for number, line in rows:
        cells = _csv_cells(line, number, spelling)
        if len(cells) != len(columns):
            raise spelling.bad(number, f"{len(cells)} cells; there are {len(columns)} columns")
        _take(draft, dict(zip(columns, cells, strict=True)), number)
    if not draft.guess:
        raise spelling.bad(1, "no states in it")
    return draft


def _take(draft: Draft, row: dict[str, str], number: int) -> None:
    spelling = draft.spelling
    here = len(draft.guess)
    if _whole(row["node"]) != here:
        raise spelling.bad(number, f"state {quoted(row['node'])} where state {here} is to come")
    parent = _whole(row["parent"]) if here else -1
    if here and not 0 <= parent < here:
        raise spelling.bad(number, f"its parent {quoted(row['parent'])} does not come before it")
    word = spelling.word(row["guess"], number)
    score = spelling.score(row.get("text") or row.get("score", ""), number) if here else 0
    node = draft.enter(parent, score, word, number)
    if node != here:
        raise spelling.bad(number, f"the same score twice below state {parent}")
    candidate = _WHETHER.get(row["candidate"].strip().lower())
    if candidate is None:
        raise spelling.bad(number, f"{quoted(row['candidate'])} is neither yes nor no (1 or 0)")
    if candidate:
        draft.end(node, number)


def _whole(text: str) -> int:
    """A number of a row, or -1."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else -1


def _csv_cells(line: str, number: int, spelling: Spelling, **dialect: Any) -> list[str]:
    try:
        (cells,) = csv.reader([line], strict=True, **dialect)
    except (csv.Error, ValueError) as error:
        raise spelling.bad(number, f"not a line of CSV: {error}") from None
    return cells


# --- a game a line ------------------------------------------------------------------------

GAMES_FORM, GAMES_WITHOUT_SCORES = "games", "games without scores"
#: A line above the games that says what the columns are.
_HEADING = re.compile(
    r"(?:guess|word|score|turn|round|step|try|first|second|third|fourth|fifth|sixth|answer|secret|"
    r"solution|opener|reply|result|colou?rs|pattern)s?[ _#.-]*(?:[0-9]*|guess|word|score)",
    re.IGNORECASE,
)
_PEGS = re.compile("[0-9]+,[0-9]+")

#: The lines of a file, each time from the first one.
Lines = Callable[[], Iterable[tuple[int, str]]]


def read_games(lines: Lines, spelling: Spelling, graders: Mapping[bool, Grader]) -> Draft:
    """The states of a foreign strategy written as a game a line, with or without scores.

    ``graders`` (of Wordle, of pegs) answer where it has no scores. The lines are gone through
    twice, and none is kept: first for whether all of them have scores.
    """
    scored = _have_scores(_games(lines(), spelling), spelling)
    grade = graders[spelling.is_pegs]
    draft = Draft(GAMES_FORM if scored else GAMES_WITHOUT_SCORES, spelling)
    for number, cells in _games(lines(), spelling):
        words = [spelling.word(cell, number) for cell in (cells[::2] if scored else cells)]
        if scored:
            scores = [spelling.score(cell, number) for cell in cells[1::2]]
        else:
            scores = [grade(word, words[-1]) for word in words]
        draft.add_game(words, scores, number)
    return draft


def _have_scores(games: Iterator[tuple[int, list[str]]], spelling: Spelling) -> bool:
    """Whether every second cell of all lines that have several is a score."""
    count, longer = 0, False
    for number, cells in games:
        if not count:
            spelling.word(cells[0], number)
        count += 1
        if len(cells) > 1:
            longer = True
            if any(spelling.score_or_none(cell) is None for cell in cells[1::2]):
                return False
    if not count:
        raise spelling.bad(1, "no games in it")
    if count > 1 and not longer:
        reason = f"{spelling.name}: one word a line is a list of words, not a strategy"
        raise BadFileError("foreign", reason)
    return longer


def _games(lines: Iterable[tuple[int, str]], spelling: Spelling) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line, but for a first one that names the columns."""
    first = True
    for number, line in lines:
        cells = _cells(line, number, spelling)
        if cells and not (first and _is_heading(cells)):
            yield number, cells
        first = False


def _cells(line: str, number: int, spelling: Spelling) -> list[str]:
    """The cells of a line, without the empty ones at its end."""
    tokens = line.split()
    separator = next((mark for mark in ",;\t" if mark in line), None)
    if separator is None or (len(tokens) > 1 and _PEGS.fullmatch(tokens[1])):
        return tokens
    found = _csv_cells(line, number, spelling, delimiter=separator, skipinitialspace=True)
    cells = [cell.strip() for cell in found]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _is_heading(cells: Sequence[str]) -> bool:
    """Whether cells name columns; what might as well be a game is none."""
    if len({len(cell) for cell in cells}) == 1 and all(cell.isalpha() for cell in cells):
        return False
    return all(_HEADING.fullmatch(cell) for cell in cells)
