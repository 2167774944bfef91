"""Whether every link of a built site leads somewhere, and nothing is fetched from elsewhere.

Links within the site must name a file that is there and, after the #, an id that is in it. Of an
address elsewhere only the form is looked at: this asks nobody.
"""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: What a browser fetches by itself when it shows a page.
_FETCHED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
#: Stands beside the page for any browser.
_ENGINE = "engine.js"
#: An address of that page: a tab, a position, options.
_POSITION = re.compile(
    r"((helper|game|review|strategies|openers|mastermind)(/[\w.,]*)?(\?[\w.=&-]+)?)?", re.ASCII
)
_ELSEWHERE_IN_STYLE = re.compile(r"(?:url\(|@import)\s*['\"]?(?:https?:)?//")


class _Page(HTMLParser):
    """The ids of a page, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[str, bool]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an id, a link, or something that is fetched."""
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif value and (name == _FETCHED.get(tag) or (tag == "a" and name == "href")):
                self.links.append((value, tag != "a"))


def wrong_links(site: Path) -> list[str]:
    """Every fault of a site, one a line."""
    pages = {path: _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        for link, fetched in page.links:
            fault = _fault(site, path, link, fetched, pages)
            if fault:
                faults.append(f"{path.relative_to(site)}: {link}: {fault}")
    for path in sorted(site.rglob("*.css")):
        if _ELSEWHERE_IN_STYLE.search(path.read_text(encoding="utf-8")):
            faults.append(f"{path.relative_to(site)}: fetches something from elsewhere")
    return faults


def _fault(site: Path, page: Path, link: str, fetched: bool, pages: dict[Path, _Page]) -> str:
    """What is wrong with a link; empty if nothing is."""
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        is_address = parts.scheme == "https" and "." in parts.netloc and " " not in link
        return "is fetched from elsewhere" if fetched else "" if is_address else "is no address"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if target.is_dir():
        target = target / "index.html"
    if not (target.is_relative_to(site.resolve()) and target.is_file()):
        return "there is no such file in the site"
    anchor = unquote(parts.fragment)
    if (target.parent / _ENGINE).is_file():
        return "" if _POSITION.fullmatch(anchor) else "is no position of the page"
    missing = anchor and target in pages and anchor not in pages[target].ids
    return "there is no such place in it" if missing else ""
