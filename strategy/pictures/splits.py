"""Splits as pictures: a bar a score, the tiles beneath it; one word, or two beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape

from solver.game.game import Game
from solver.game.grading import colours_of
from solver.splits.split_of_word import Bucket, Split

from ..files.letters import capitals, is_right_to_left
from ..files.notation import counted
from .raster import GLYPH_HEIGHT, GLYPH_WIDTH, Colour, Raster, can_write

#: Grey, yellow, green, as Wordle shows them.
TILES: tuple[Colour, Colour, Colour] = ((120, 124, 126), (201, 180, 88), (106, 170, 100))
_BAR: Colour = (60, 90, 150)
_INK: Colour = (30, 30, 30)
#: Scores shown for a word; the title says so.
SHOWN = 40

_ROW, _TILE, _TOP, _GAP, _LONGEST = 18, 14, 40, 24, 320


def splits_in_form(name: str, game: Game, splits: Sequence[Split]) -> bytes:
    """A picture of splits, in the form that the end of the file's name asks for."""
    if name.lower().endswith(".png"):
        return as_png(game, splits)
    return as_svg(game, splits).encode()


def as_svg(game: Game, splits: Sequence[Split]) -> str:
    """A picture of splits as SVG: a bar a score, the tiles beneath it."""
    panel, width, height, unit = _layout(game, splits)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for place, split in enumerate(splits):
        left = _GAP + place * panel
        out.append(f'<text x="{left}" y="24" font-weight="bold">{escape(_title(split))}</text>')
        for at, bucket in enumerate(split.buckets[:SHOWN]):
            top = _TOP + at * _ROW
            out += _svg_label(game, bucket, left, top)
            start = left + _label_width(game)
            bar = max(1, round(bucket.size * unit))
            out.append(
                f'<rect x="{start}" y="{top}" width="{bar}" height="{_TILE}" fill="{_hex(_BAR)}"/>'
            )
            out.append(f'<text x="{start + bar + 5}" y="{top + 11}">{bucket.size:,}</text>')
    return "\n".join([*out, "</svg>", ""])


def as_png(game: Game, splits: Sequence[Split]) -> bytes:
    """A picture of splits as PNG: bars, tiles and counts as in the SVG."""
    panel, width, height, unit = _layout(game, splits)
    picture = Raster(width, height)
    for place, split in enumerate(splits):
        left = _GAP + place * panel
        _write_title(picture, left, _title(split))
        for at, bucket in enumerate(split.buckets[:SHOWN]):
            top = _TOP + at * _ROW
            if game.letters is not None:
                for tile, colour in enumerate(_colours(game, bucket)):
                    picture.rectangle(left + tile * (_TILE + 1), top, _TILE, _TILE, TILES[colour])
            else:
                picture.text(left, top + 2, bucket.text, _INK)
            start = left + _label_width(game)
            bar = max(1, round(bucket.size * unit))
            picture.rectangle(start, top, bar, _TILE, _BAR)
            picture.text(start + bar + 5, top + 2, f"{bucket.size:,}", _INK)
    return picture.png()


def _write_title(picture: Raster, left: int, title: str) -> None:
    if can_write(title):
        picture.text(left, 14, title, _INK)
        return
    from .fonts import pixels_of

    picture.stamp(left, 14, pixels_of(title, GLYPH_HEIGHT * 2), _INK)


def _title(split: Split) -> str:
    more = f", {SHOWN} shown" if len(split.buckets) > SHOWN else ""
    secrets, buckets = counted(split.secrets, "secret"), counted(len(split.buckets), "bucket")
    return f"{capitals(split.word)}: {secrets}, {buckets}{more}"


def _layout(game: Game, splits: Sequence[Split]) -> tuple[int, int, int, float]:
    """Width of a word's panel, width and height of all, pixels a secret."""
    largest = max(split.buckets[0].size for split in splits)
    figures = (len(f"{largest:,}") + 1) * (GLYPH_WIDTH + 1) * 2 + 30
    panel = max(_label_width(game) + _LONGEST + figures, 460)
    rows = max(min(len(split.buckets), SHOWN) for split in splits)
    return panel, 2 * _GAP + panel * len(splits), _TOP + rows * _ROW + _GAP, _LONGEST / largest


def _label_width(game: Game) -> int:
    return max(game.length * (_TILE + 1), 45) + 10


def _colours(game: Game, bucket: Bucket) -> list[int]:
    """The tiles of a score from left to right, as the letters of the words stand."""
    colours = colours_of(bucket.score, game.length)
    return colours[::-1] if is_right_to_left(game.guesses[0]) else colours


def _svg_label(game: Game, bucket: Bucket, left: int, top: int) -> list[str]:
    if game.letters is None:
        return [f'<text x="{left}" y="{top + 11}">{escape(bucket.text)}</text>']
    return [
        f'<rect x="{left + tile * (_TILE + 1)}" y="{top}" width="{_TILE}" height="{_TILE}" '
        f'fill="{_hex(TILES[colour])}"/>'
        for tile, colour in enumerate(_colours(game, bucket))
    ]


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
