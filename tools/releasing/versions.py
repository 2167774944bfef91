"""Where the version stands, and whether a release may be made: the same everywhere, and dated."""

import datetime
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools.releasing.running import ReleaseError, settings

PROJECT, CITATION, CHANGELOG = "pyproject.toml", "CITATION.cff", "CHANGELOG.md"
UNRELEASED = "## [Unreleased]"
_HEADING = re.compile(r"^## \[(?P<version>[^]\n]+)\](?P<rest>.*)$", re.MULTILINE)
_CITED = re.compile(r"^version: *(\S+)$", re.MULTILINE)
_CITED_DATE = re.compile(r"^date-released: *(\S+)$", re.MULTILINE)


def checked_version(text: str) -> str:
    """A version as an argument: three numbers, perhaps a, b or rc with another; as text."""
    number = "(0|[1-9][0-9]*)"
    if not re.fullmatch(rf"{number}[.]{number}[.]{number}((a|b|rc){number})?", text):
        raise ReleaseError(f"{text!r} is no version such as 1.0.0 or 1.0.0rc1", 2)
    return text


def tag_of(version: str) -> str:
    """The tag that the commit of a release bears."""
    return f"v{version}"


# ---- what stands in the files


def section_of(changelog: str, version: str) -> tuple[str, str] | None:
    """The date and the text of a version's section; the date is empty if there is none."""
    headings = list(_HEADING.finditer(changelog))
    for heading, following in zip(headings, [*headings[1:], None], strict=True):
        if heading["version"] == version:
            end = following.start() if following else len(changelog)
            date = heading["rest"].removeprefix(" - ").strip()
            return date, changelog[heading.end() : end].strip()
    return None


def released(changelog: str) -> list[str]:
    """The versions that a changelog has sections of, the newest first."""
    return [it["version"] for it in _HEADING.finditer(changelog) if it[0] != UNRELEASED]


def version_faults(root: Path, version: str) -> Iterator[str]:
    """What in the files of a tree speaks against a release of this version, one line each."""
    project = tomllib.loads(_text(root, PROJECT))["project"]["version"]
    if project != version:
        yield f"{PROJECT} has version {project}, not {version}"
    citation = _text(root, CITATION)
    cited = _only(_CITED, citation)
    if cited != version:
        yield f"{CITATION} has version {cited}, not {version}"
    changelog = _text(root, CHANGELOG)
    section = section_of(changelog, version)
    if section is None:
        yield f"{CHANGELOG} has no section '## [{version}] - DATE'"
        return
    date, text = section
    if not _is_date(date):
        yield f"{CHANGELOG}: the section of {version} has no date such as 2027-01-31 but {date!r}"
    elif _only(_CITED_DATE, citation) != date:
        stated = _only(_CITED_DATE, citation)
        yield f"{CITATION} has date-released {stated}, and {CHANGELOG} has {date}"
    if not text:
        yield f"{CHANGELOG}: the section of {version} is empty"
    newest = released(changelog)[0]
    if newest != version:
        yield f"{CHANGELOG}: the newest section is that of {newest}, not of {version}"


def _text(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def _only(pattern: re.Pattern[str], text: str) -> str:
    """What a line that stands once says; ``none`` if it is not there, all if it is there twice."""
    return " and ".join(it.strip("\"'") for it in pattern.findall(text)) or "none"


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


# ---- what git says


def git(root: Path, *words: str) -> str:
    """What a command of git prints about a tree."""
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(
        command, env=settings(), capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)}: {done.stderr.strip()}", 2)
    return done.stdout.strip("\n")


def tree_faults(root: Path, version: str) -> Iterator[str]:
    """What git says against a release from a tree, one line each."""
    changed = git(root, "status", "--porcelain", "--untracked-files=all").splitlines()
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        yield f"the tree is not clean: {changed[0].strip()}{more}; commit, or put it elsewhere"
    tag = tag_of(version)
    if git(root, "tag", "--list", tag):
        tagged = git(root, "rev-parse", f"refs/tags/{tag}^{{commit}}")
        if tagged != git(root, "rev-parse", "HEAD"):
            yield f"the tag {tag} is there already, for another commit: {tagged[:7]}"


# ---- to write the version


def set_version(root: Path, version: str, date: str) -> None:
    """Write the version everywhere, and make its section of what is not yet released.

    Raises:
        ReleaseError: Nothing in the changelog is unreleased.
    """
    changelog = _text(root, CHANGELOG)
    if section_of(changelog, version) is None:
        if not (section_of(changelog, "Unreleased") or ("", ""))[1]:
            raise ReleaseError(f"{CHANGELOG} has nothing under {UNRELEASED}", 2)
        heading = f"{UNRELEASED}\n\n## [{version}] - {date}"
        _write(root, CHANGELOG, changelog.replace(UNRELEASED, heading, 1))
    else:
        date = (section_of(changelog, version) or (date, ""))[0]
    project = re.sub(
        r'(?m)^version = ".*"$', f'version = "{version}"', _text(root, PROJECT), count=1
    )
    _write(root, PROJECT, project)
    citation = _CITED_DATE.sub("", _text(root, CITATION)).replace("\n\n", "\n")
    lines = f'version: {version}\ndate-released: "{date}"'
    _write(root, CITATION, _CITED.sub(lines, citation, count=1))


def _write(root: Path, name: str, text: str) -> None:
    (root / name).write_text(text, encoding="utf-8", newline="\n")
