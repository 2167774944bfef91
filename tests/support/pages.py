"""A page as others read it: the parts of its markup, and its strategy unpacked in plain Python."""

import json
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

from strategy import Strategy, page_of

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: Five signs each, with whatever means something to HTML, JSON, scripts or addresses.
HOSTILE_WORDS = ("</scr", "<b>hi", "<img ", "\"'>&;", "😀<a\\n", "a.b,c", "#%2e/", "{{x}}", "ﷺאבגד")
HOSTILE_NAME = "<script>alert(1)<img src=x onerror=alert(2)>\"'&amp;😀{{script}}"
#: A state of LARES by minimax over all words in which one secret is left.
HAZED = "#lares.bgbgb.nymph.bbbby.adzed.ybggg"


class Page(HTMLParser):
    """What an HTML parser makes of a page: its tags, and the text within those that hold one."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open = tag

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts.append((self._open, data))

    def all_of(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each of these tags."""
        return [attributes for name, attributes in self.tags if name == tag]

    def text_of(self, tag: str) -> list[str]:
        return [text for name, text in self.texts if name == tag]

    @property
    def policy(self) -> str:
        """Its content security policy."""
        (content,) = (meta["content"] for meta in self.all_of("meta") if "http-equiv" in meta)
        assert content is not None
        return content

    @property
    def payload(self) -> dict[str, Any]:
        """The strategy, still packed."""
        data, _ = self.text_of("script")
        value = json.loads(data)
        assert isinstance(value, dict)
        return value


class Unpacked(NamedTuple):
    """The columns of the tree, as docs/explore.md says how to read them."""

    word: list[str]
    depth: list[int]
    parent: list[int]
    score: list[int]
    hit: list[int]


def unpacked(payload: Mapping[str, Any]) -> Unpacked:
    """Read the packed strategy of a page."""
    length, nodes = payload["length"], payload["nodes"]
    step, score = numbers(payload["step"]), numbers(payload["score"])
    assert len(payload["words"]) == nodes * length and len(step) == len(score) == nodes
    words = [payload["words"][at : at + length] for at in range(0, nodes * length, length)]
    depth: list[int] = []
    parent: list[int] = []
    way: list[int] = []
    for node in range(nodes):
        way = way[: len(way) - (step[node] >> 1)]
        parent.append(way[-1] if way else 0)
        way.append(node)
        depth.append(len(way))
    return Unpacked(words, depth, parent, score, [number & 1 for number in step])


def written(strategy: Strategy, folder: Path) -> Path:
    page = folder / "page.html"
    page.write_text(page_of(strategy), encoding="utf-8")
    return page


def numbers(column: tuple[int, str]) -> list[int]:
    """Of so many digits each, the highest first."""
    width, text = column
    digits = [DIGITS.index(digit) * 64 ** (width - 1 - at % width) for at, digit in enumerate(text)]
    return [sum(digits[at : at + width]) for at in range(0, len(text), width)]


def hostile(strategy: Strategy) -> Strategy:
    """The same tree over words and names that no file of words would hold."""
    assert len(strategy.words) <= len(HOSTILE_WORDS)
    words = tuple(sorted(HOSTILE_WORDS[: len(strategy.words)]))
    origin = replace(strategy.origin, list_name=HOSTILE_NAME, secrets_name=HOSTILE_NAME)
    return replace(strategy, words=words, origin=replace(origin, rule=HOSTILE_NAME))
