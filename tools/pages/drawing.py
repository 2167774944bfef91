"""The few shapes that the pictures of the site are made of: SVG in the colours of the page."""

from collections.abc import Sequence
from html import escape

#: Grey, yellow, green, as Wordle shows them.
COLOURS = ("#787c7e", "#b59f3b", "#538d4e")


class Drawing:
    """Shapes at their places, and what somebody hears who does not see them."""

    def __init__(self, width: int, height: int, says: str) -> None:
        self._out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(says)}" '
            'font-family="sans-serif" font-size="13">'
        ]

    def text(
        self, x: float, y: float, text: str, *, anchor: str = "start", style: str = ""
    ) -> None:
        """A line of text, in the colour of the page unless the style has another."""
        fill = "" if "fill:" in style else ' fill="currentColor"'
        style = f' style="{style}"' if style else ""
        self._out.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{fill}{style}>{escape(text)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, colour: str) -> None:
        """A filled rectangle."""
        self._out.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="2" '
            f'fill="{colour}"/>'
        )

    def tiles(self, x: float, y: float, word: str, colours: Sequence[int]) -> None:
        """A word on its tiles."""
        style = "fill:#fff;font-weight:bold;font-size:14.4px"
        for place, (letter, colour) in enumerate(zip(word, colours, strict=True)):
            left = x + place * 26
            self.box(left, y, 24, 24, COLOURS[colour])
            self.text(left + 12, y + 17.28, letter.upper(), anchor="middle", style=style)

    def svg(self) -> str:
        """The picture."""
        return "".join([*self._out, "</svg>"])


def figure(picture: str, caption: str) -> str:
    """A picture with a line beneath it."""
    return f'<figure class="picture">{picture}<figcaption>{escape(caption)}</figcaption></figure>\n'
