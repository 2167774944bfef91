"""Man pages: ``man knuthle``, ``man knuthle-optimal`` …, from what ``--help`` says."""

import re

from strategy.cli.commands import EXAMPLES, EXIT_CODES, GROUPS

from .manual import Manual, manuals

_SECTION = "1"


def man_pages(version: str) -> dict[str, str]:
    """File name → page, in the language of troff."""
    found = manuals()
    pages = {f"knuthle-{manual.command}.1": _page(manual, version) for manual in found}
    pages["knuthle.1"] = _overview(found, version)
    pages["solve-all.1"] = ".so man1/knuthle-solve-all.1\n"
    return pages


def _overview(found: list[Manual], version: str) -> str:
    by_name = {manual.command: manual for manual in found}
    about = "compute, prove and use whole strategies for Wordle and Mastermind"
    out = [
        *_head("knuthle", about, version),
        ".SH SYNOPSIS",
        ".B knuthle",
        "COMMAND [OPTIONS]",
        ".br",
        ".B knuthle",
        "COMMAND \\-\\-help",
    ]
    for purpose, commands in GROUPS.items():
        out.append(f".SH {_text(purpose.upper())}")
        for name in commands:
            page = f".BR knuthle\\-{_text(name)} ({_SECTION})"
            out += [".TP", page, _text(by_name[name].summary)]
    out.append(".SH EXAMPLES")
    for typed, asks in EXAMPLES.items():
        out += [".TP", f".B {_text(typed)}", _text(asks)]
    return "\n".join([*out, ".SH EXIT STATUS", *_exit_codes(), ""])


def _page(manual: Manual, version: str) -> str:
    out = _head(f"knuthle-{manual.command}", manual.summary, version)
    for whole in (manual, *manual.actions):
        words = whole.usage.split()
        n_names = len(whole.command.split()) + 1
        title = "SYNOPSIS" if whole is manual else whole.command.upper()
        out += [f".SH {_text(title)}", f".B {_text(' '.join(words[:n_names]))}"]
        out += [_text(" ".join(words[n_names:]))]
        if whole is manual:
            out.append(".SH DESCRIPTION")
        for block in (*whole.blocks, *whole.epilog):
            out += _block(block)
        for group in whole.groups:
            title = group.title.upper()
            out.append(f".SH {_text(title)}" if whole is manual else f".SS {_text(group.title)}")
            for option in group.options:
                out += [".TP", _written(option.names, option.value), _text(option.about)]
    out += [".SH EXIT STATUS", *_exit_codes(), ".SH SEE ALSO", f".BR knuthle ({_SECTION})"]
    return "\n".join([*out, ""])


def _head(name: str, about: str, version: str) -> list[str]:
    title = f'.TH "{_text(name.upper())}" {_SECTION} "" "knuthle {_text(version)}" "knuthle"'
    return [title, ".nh", ".ad l", ".SH NAME", f"{_text(name)} \\- {_text(about)}"]


def _written(names: tuple[str, ...], value: str) -> str:
    shown = ", ".join(f"\\fB{_text(name)}\\fR" for name in names)
    return " ".join(filter(None, [shown, f"\\fI{_text(value)}\\fR" if value else ""]))


def _block(block: str) -> list[str]:
    if block.startswith("    "):
        return [".PP", ".nf", *(_text(line) for line in block.splitlines()), ".fi"]
    return [".PP", _text(block)]


def _exit_codes() -> list[str]:
    """A line for each code that the help of every command ends with."""
    codes = re.findall(r"(\d+) ([^,.]+)", EXIT_CODES)
    return [line for code, says in codes for line in (".TP", f".B {code}", _text(says))]


def _text(text: str) -> str:
    """Text in which no character is a request, hyphens can be copied, and all is ASCII."""
    text = text.replace("``", "").replace("\\", "\\e").replace("-", "\\-")
    text = "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in text)
    return f"\\&{text}" if text.startswith((".", "'")) else text
