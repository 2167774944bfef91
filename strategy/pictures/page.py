"""A strategy as a web page to explore: one HTML file, written or served to this machine.

It is the page of ``web/site`` on which its strategies are explored (``explore.html``), with style,
scripts and icon in it; ``docs/explore.md`` says how the strategy is written into it. A content
security policy allows that one style and that one script, by their digests, and nothing else;
whatever a file brings in, words and names, stands in a block of JSON, and the script shows it as
text. All of it is ASCII, so that no way to a file or through a pipe can change it.
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
_SITE = files("strategy.web").joinpath("site")
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Cpath fill='%236e7378' d='M0 0h7v7H0z'/%3E%3Cpath fill='%23a88a1f' d='M9 0h7v7H9z'/%3E"
    "%3Cpath fill='%234c8a52' d='M0 9h16v7H0z'/%3E%3C/svg%3E"
)
#: What stands in the page of the site → what stands instead in a page that is one file.
_PLACES = re.compile(
    r"""(?P<policy>(?<=Policy" content=")[^"]*)|(?P<title>(?<=<title>)[^<]*)"""
    r"""|(?P<icon>(?<=<link rel="icon" href=")[^"]*)|(?P<style><link rel="stylesheet"[^>]*>)"""
    r"""|(?P<nothing> *<a class="back".*\n)|(?P<strategy><div id="strategy" hidden></div>)"""
    r"""|(?P<script>(?:<script src="[^"]*"></script>\n)+)"""
)


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
    style, script = _style(), _script()
    title = f"{capitals(strategy.words[strategy.guess[0]])} by {strategy.origin.rule}"
    parts = {
        "policy": html.escape(policy(style, script)),
        "title": html.escape(title).encode("ascii", "xmlcharrefreplace").decode(),
        "icon": _ICON,
        "style": f"<style>{style}</style>",
        "nothing": "",
        "strategy": f'<script id="strategy" type="application/json">{payload(strategy)}</script>',
        "script": f"<script>{script}</script>\n",
    }
    return _PLACES.sub(lambda found: parts[str(found.lastgroup)], _part("explore.html"))


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
    return _SITE.joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    return _part("explore/page.css")


@cache
def _script() -> str:
    """The scripts of the page in their order, but for the one that fetches a strategy."""
    names = re.findall(r'<script src="(explore/[^"]*)"', _part("explore.html"))
    parts = "\n".join(map(_part, names[1:]))
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
        rules = f"{policy(_style(), _script())}; frame-ancestors 'none'"
        super().__init__(shown.get, rules, port, check)
