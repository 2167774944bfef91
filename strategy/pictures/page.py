"""A strategy as a web page to explore: one HTML file, written or served to this machine.

The page's own parts (markup, style, script) lie beside this module in ``page/``, and
``docs/explore.md`` says how the strategy is written into it. A content security policy allows that
one style and that one script, by their digests, and nothing else; whatever a file brings in, words
and names, stands in a block of JSON, and the script shows it as text. All of it is ASCII, so that
no way to a file or through a pipe can change it.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING

from ..exports import summary
from ..files.text import capitals, require_known
from ..web.server import File, LocalServer

if TYPE_CHECKING:
    from ..tree import Strategy

#: The digits of the numbers in a page, as base64url has them.
DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
#: The version of what a page says of its strategy.
FORMAT = 1
#: The parts of the script, in the order in which they need each other.
_SCRIPTS = ("tree", "address", "show", "board", "lists", "icicle", "search", "main")
_FOLDER = files(__package__).joinpath("page")


def page_of(strategy: Strategy) -> str:
    """The page to explore a strategy, whole; equal strategies give equal pages.

    Args:
        strategy: Whatever the game, but one that files can hold.

    Returns:
        HTML with everything in it: it loads nothing and needs no network.

    >>> from strategy import load_game, page_of, solve
    >>> strategy = solve(load_game(["abide", "crane", "raise", "slate", "stare"])).strategy
    >>> page_of(strategy).partition("\\n")[0]
    '<!doctype html>'
    """
    style, script = _part("page.css"), _script()
    title = f"{capitals(strategy.words[strategy.guess[0]])} by {strategy.origin.rule}"
    parts = {
        "policy": html.escape(policy(style, script)),
        "title": html.escape(title).encode("ascii", "xmlcharrefreplace").decode(),
        "style": style,
        "script": script,
        "strategy": payload(strategy),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _part("page.html"))


def page_parts() -> dict[str, str]:
    """The markup with its gaps, the style and the script of every page."""
    return {"page": _part("page.html"), "style": _part("page.css"), "script": _script()}


def policy(style: str, script: str) -> str:
    """The content security policy of a page: what it may load and run, which is itself."""
    directives = (
        "default-src 'none'",
        f"script-src {_source(script)}",
        f"style-src {_source(style)}",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
    return "; ".join(directives)


def payload(strategy: Strategy) -> str:
    """The strategy as JSON that may stand in a page: no sign in it means anything to HTML."""
    require_known(strategy.origin.game)
    depth = [0, *strategy.depth]
    ups = [before + 1 - here for before, here in pairwise(depth)]
    content = {
        "format": FORMAT,
        "game": strategy.origin.game,
        "length": len(strategy.words[0]),
        "nodes": strategy.nodes,
        "words": "".join(strategy.words[word] for word in strategy.guess),
        "step": _column(2 * up + hit for up, hit in zip(ups, strategy.hit, strict=True)),
        "score": _column(strategy.score),
        "about": summary(strategy),
    }
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _column(numbers: Iterable[int]) -> tuple[int, str]:
    """Numbers in base 64, each with as many digits as the largest needs, the highest first."""
    column = list(numbers)
    width = max(1, -(-max(column).bit_length() // 6))
    shifts = range(6 * (width - 1), -1, -6)
    return width, "".join(DIGITS[number >> shift & 63] for number in column for shift in shifts)


@cache
def _part(name: str) -> str:
    return _FOLDER.joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    parts = "\n".join(_part(f"{name}.js") for name in _SCRIPTS)
    whole = f'"use strict";\n(() => {{\n{parts}}})();\n'
    return re.sub(r"[^\x00-\x7f]", lambda sign: json.dumps(sign[0])[1:-1], whole)


def _source(text: str) -> str:
    """How a policy names a text that stands in the page."""
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"


# ---- The page, shown to the browsers of this machine


class PageServer(LocalServer):
    """A server of one page (``serve_forever``) for browsers here; ``port`` 0: any that is free."""

    def __init__(
        self, page: str, port: int = 0, check: Callable[[], object] = lambda: None
    ) -> None:
        shown = {"/": File("text/html; charset=utf-8", page.encode())}
        rules = f"{policy(_part('page.css'), _script())}; frame-ancestors 'none'"
        super().__init__(shown.get, rules, port, check)
