"""What Sphinx reads: the pages in docs/, those of the project, and those that are generated."""

import ast
import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: Pages that stand elsewhere in the project, and where they are on the site.
ELSEWHERE = {
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "data/words/SOURCE.md": "project/word-lists.md",
}
#: Where the first page lists what nothing else does.
_THE_REST = "(every page that no other list names)\n"
#: Where the site has the page for any browser; an anchor there is a position.
TRY = "made/try"
_LINK = re.compile(r"(?<!!)\[(?P<label>[^\]]*)\]\((?P<target>[^)#\s]*)(?P<anchor>#[^)\s]*)?\)")


def copy_sources(folder: Path) -> None:
    """Put all pages into a folder; what stood there before and is no page any more goes."""
    wanted: dict[str, bytes] = {}
    for path in sorted((ROOT / "docs").rglob("*")):
        name = path.relative_to(ROOT / "docs").as_posix()
        if path.is_file() and "__pycache__" not in name and name != "conf.py":
            is_page = path.suffix == ".md"
            wanted[name] = _page(f"docs/{name}", name) if is_page else path.read_bytes()
    for name, place in ELSEWHERE.items():
        wanted[place] = _page(name, place)
    wanted[ELSEWHERE["ARCHITECTURE.md"]] += _first_lines().encode()
    wanted["index.md"] = _with_the_rest(wanted)
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        name = path.relative_to(folder).as_posix()
        if name not in wanted and not name.startswith("made/"):
            path.unlink()
    for name, content in wanted.items():
        write_if_changed(folder / name, content)


def _first_lines() -> str:
    """All modules, folder by folder, with the first line of each."""
    folders: dict[str, list[str]] = {}
    for path in sorted([*ROOT.glob("solver/**/*.py"), *ROOT.glob("strategy/**/*.py")]):
        folder = f"{path.parent.relative_to(ROOT).as_posix()}/"
        about = _about(path.read_text("utf-8"))
        if path.name == "__init__.py":
            folders[folder] = [f"### {folder}\n\n{about}\n"]
        else:
            folders[folder].append(f"* `{path.stem}`: {about}")
    return "\n## All modules\n\n" + "\n\n".join(map("\n".join, folders.values())) + "\n"


def _about(text: str) -> str:
    """The first line of a module's docstring, of which no more is read than that text."""
    first, quotes, rest = text.partition('"""')
    head = "".join([first, quotes, *rest.partition(quotes)[:2]]) if quotes else text
    return (ast.get_docstring(ast.parse(head)) or "").partition("\n")[0]


def _with_the_rest(pages: dict[str, bytes]) -> bytes:
    """The first page, with all pages that stand in no table of contents where it says so."""
    texts = {name: page.decode() for name, page in pages.items() if name.endswith(".md")}
    named = set()
    for name, text in texts.items():
        for table in re.findall(r"^```\{toctree\}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            for line in table.splitlines():
                entry = line.rpartition("<")[2].rstrip(">")
                place = posixpath.join(posixpath.dirname(name), f"{entry}.md")
                named.add(posixpath.normpath(place))
    rest = sorted(name.removesuffix(".md") for name in texts.keys() - named - {"index.md"})
    first = texts["index.md"]
    assert _THE_REST in first
    return first.replace(_THE_REST, "".join(f"{name}\n" for name in rest)).encode()


def write_if_changed(path: Path, content: bytes) -> None:
    """Leave alone what is as it should be: Sphinx reads again only what is newer."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _page(name: str, place: str) -> bytes:
    """A page whose links lead where the site has what they lead to; others are but their text."""

    def moved(link: re.Match[str]) -> str:
        target = link["target"]
        if not target or "://" in target or target.startswith("mailto:"):
            return link[0]
        in_project = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
        if in_project in ELSEWHERE:
            found = ELSEWHERE[in_project]
        elif in_project.startswith("docs/"):
            found = in_project.removeprefix("docs/")
        else:
            return link["label"]
        there = posixpath.relpath(found, posixpath.dirname(place) or ".")
        if found.startswith(f"{TRY}/"):  # no page of Sphinx: the link is written as it will be
            return f'<a href="{there}{link["anchor"] or ""}">{link["label"]}</a>'
        return f"[{link['label']}]({there}{link['anchor'] or ''})"

    text = (ROOT / name).read_text(encoding="utf-8")
    text = re.sub(r"\n\n```$", "\n```", text, flags=re.MULTILINE)  # it ends an example for doctest
    parts = re.split(r"(^```.*?^```|`[^`\n]+`)", text, flags=re.MULTILINE | re.DOTALL)
    parts[::2] = [_LINK.sub(moved, part) for part in parts[::2]]
    return "".join(parts).encode()
