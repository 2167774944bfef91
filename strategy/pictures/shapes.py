"""What a sheet of paper is drawn of: text and rectangles, in millimetres from its upper left."""

from __future__ import annotations

from dataclasses import dataclass

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True)
class Text:
    """Text on a sheet: its baseline's left end, in millimetres, and its size."""

    x: float
    y: float
    size: float
    text: str
    bold: bool = False
    mono: bool = False
    colour: Colour = BLACK


@dataclass(frozen=True)
class Box:
    """A filled rectangle on a sheet, or its dashed outline."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    filled: bool = True


@dataclass(frozen=True)
class Page:
    """Everything drawn on a sheet of paper, from its upper left corner."""

    width: float
    height: float
    shapes: list[Text | Box]
