"""The pages of the site that say what each command and each option is for."""

import re
from pathlib import Path

from strategy.cli.commands import EXIT_CODES, GROUPS

from .manual import Manual, manuals


def write_command_pages(folder: Path) -> None:
    """A page for each command, and one that lists them."""
    folder.mkdir(parents=True, exist_ok=True)
    found = manuals()
    for manual in found:
        (folder / f"{manual.command}.md").write_text(_page(manual), encoding="utf-8")
    (folder / "index.md").write_text(_index(found), encoding="utf-8")


def _index(found: list[Manual]) -> str:
    by_name = {manual.command: manual for manual in found}
    lines = [
        "# Commands",
        "",
        "All of them are `knuthle COMMAND`; `solve-all` can be called by that name alone. "
        "`knuthle COMMAND --help` prints what its page here says, and so does `man "
        "knuthle-COMMAND` where the package was installed. What `--json` and `--csv` hold is in "
        "[](../../json.md).",
        "",
    ]
    for purpose, commands in GROUPS.items():
        lines += [f"## {_title(purpose)}", "", "| command | what it does |", "|---|---|"]
        rows = [by_name[name] for name in commands]
        lines += [f"| [`{m.command}`]({m.command}.md) | {_inline(m.summary)} |" for m in rows]
        lines.append("")
    lines += [EXIT_CODES, "", "```{toctree}", ":hidden:", ""]
    return "\n".join([*lines, *by_name, "```", ""])


def _page(manual: Manual) -> str:
    out = [f"# `{manual.command}`", "", _inline(_title(manual.summary) + "."), ""]
    out += _body(manual, "##")
    for action in manual.actions:
        out += [f"## `{action.command}`", "", _inline(_title(action.summary) + "."), ""]
        out += _body(action, "###")
    return "\n".join([*out, EXIT_CODES, ""])


def _body(manual: Manual, level: str) -> list[str]:
    out = ["```text", manual.usage, "```", ""]
    for block in (*manual.blocks, *manual.epilog):
        out += [_block(block), ""]
    for group in manual.groups:
        out += [f"{level} {_title(group.title)}", ""]
        for option in group.options:
            says = _inline(option.about) or "see the text above"
            out += [f"`{option.written}`", f": {says}", ""]
    return out


def _title(text: str) -> str:
    return text[:1].upper() + text[1:]


def _block(block: str) -> str:
    if not block.startswith("    "):
        return _inline(block)
    lines = [line[4:] for line in block.splitlines()]
    return "\n".join(["```text", *lines, "```"])


def _inline(text: str) -> str:
    """Text in which no character means markup, but for code; options stand as code."""
    parts = re.split(r"``([^`]+)``|(?<![\w-])(--[a-z][\w-]*)", text)
    plain = [re.sub(r"([\\`*_\[\]<>$~{}|])", r"\\\1", part) for part in parts[::3]]
    codes = [f"`{code or option}`" for code, option in zip(parts[1::3], parts[2::3], strict=True)]
    return "".join(a + b for a, b in zip(plain, [*codes, ""], strict=True))
