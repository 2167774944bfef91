"""A game a line: its guesses, the secret last, with or without the scores between them.

``crane,moist,puppy`` or ``crane,BBBBB,moist,BBBBB,puppy,GGGGG``; between the cells may be commas,
semicolons, tabs or spaces. Where there are no scores they are what the last word answers.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from ...errors import BadFileError
from .draft import Draft
from .spelling import Grader, Spelling

FORM, PLAIN_FORM = "games", "games without scores"
#: A line above the games that says what the columns are.
_HEADING = re.compile(
    r"(?:guess|word|score|turn|round|step|try|first|second|third|fourth|fifth|sixth|answer|secret|"
    r"solution|opener|reply|result|colou?rs|pattern)s?[ _#.-]*(?:[0-9]*|guess|word|score)",
    re.IGNORECASE,
)
_PEGS = re.compile("[0-9]+,[0-9]+")


#: The lines of a file, from the first one whenever they are asked for.
Lines = Callable[[], Iterable[tuple[int, str]]]


def read(lines: Lines, spelling: Spelling, graders: Mapping[bool, Grader]) -> Draft:
    """The states of a foreign strategy written as a game a line, with or without scores.

    ``graders`` (of Wordle, of pegs) answer where it has no scores. The lines are gone through
    twice, and none is kept: first for whether all of them have scores.
    """
    scored = _have_scores(_games(lines(), spelling), spelling)
    grade = graders[spelling.is_pegs]
    draft = Draft(FORM if scored else PLAIN_FORM, spelling)
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
            if not _is_scored(cells, spelling):
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
    try:
        (cells,) = csv.reader([line], delimiter=separator, strict=True, skipinitialspace=True)
    except (csv.Error, ValueError) as error:
        raise spelling.bad(number, f"not a line of CSV: {error}") from None
    cells = [cell.strip() for cell in cells]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _is_heading(cells: Sequence[str]) -> bool:
    """Whether cells name columns; what might as well be a game is none."""
    if len({len(cell) for cell in cells}) == 1 and all(cell.isalpha() for cell in cells):
        return False
    return all(_HEADING.fullmatch(cell) for cell in cells)


def _is_scored(cells: Sequence[str], spelling: Spelling) -> bool:
    """Whether every second cell may be a score."""
    return all(spelling.score_or_none(cell) is not None for cell in cells[1::2])
