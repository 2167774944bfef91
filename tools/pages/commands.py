"""The pages of the site that say what each command and each option is for."""

from __future__ import annotations

import re
from pathlib import Path

from strategy.cli.commands import EXIT_CODES

from .manual import Manual, manuals


def write_command_pages(folder: Path) -> None:
    """A page for each command, and one that lists them."""
    folder.mkdir(parents=True, exist_ok=True)
    found = manuals()
    for manual in found:
        (folder / f"{manual.command}.md").write_text(_page(manual), encoding="utf-8")
    (folder / "index.md").write_text(_index(found), encoding="utf-8")


def _index(found: list[Manual]) -> str:
    lines = [
        "# Commands",
        "",
        "All of them are `knuthle COMMAND`; `solve-all` can be called by that name alone. "
        "`knuthle COMMAND --help` prints what its page here says, and so does `man "
        "knuthle-COMMAND` where the package was installed. What `--json` and `--csv` hold is in "
        "[](../../json.md).",
        "",
        "| command | what it does |",
        "|---|---|",
        *(f"| [`{m.command}`]({m.command}.md) | {_inline(m.summary)} |" for m in found),
        "",
        EXIT_CODES,
        "",
        "```{toctree}",
        ":hidden:",
        "",
        *(m.command for m in found),
        "```",
        "",
    ]
    return "\n".join(lines)


def _page(manual: Manual) -> str:
    out = [f"# `{manual.command}`", "", "```text", manual.usage, "```", ""]
    for block in manual.blocks:
        out += [_block(block), ""]
    for group in manual.groups:
        out += [f"## {group.title[:1].upper()}{group.title[1:]}", ""]
        for option in group.options:
            out += [f"`{option.written}`", f": {_inline(option.about) or '(no more to say)'}", ""]
    out += [_block(block) + "\n" for block in manual.epilog.split("\n\n")]
    return "\n".join(out)


def _block(block: str) -> str:
    if not block.startswith("    "):
        return _inline(block)
    lines = [line[4:] for line in block.splitlines()]
    return "\n".join(["```text", *lines, "```"])


def _inline(text: str) -> str:
    """Text in which no character means markup; options stand as code."""
    escaped = re.sub(r"([\\`*_\[\]<>$~{}|])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--[a-z][\w-]*)", r"`\1`", escaped)
