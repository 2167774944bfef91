"""Man pages: ``man knuthle``, ``man knuthle-optimal`` …, from what ``--help`` says."""

from __future__ import annotations

import re

from strategy.cli.commands import EXIT_CODES

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
    about = "compute, prove and use whole strategies for Wordle and Mastermind"
    out = [
        *_head("knuthle", about, version),
        ".SH SYNOPSIS",
        ".B knuthle",
        "COMMAND [OPTIONS]",
        ".br",
        ".B knuthle",
        "COMMAND \\-\\-help",
        ".SH COMMANDS",
    ]
    for manual in found:
        out += [".TP", f".BR knuthle\\-{_text(manual.command)} (1)", _text(manual.summary)]
    out += [".SH EXIT STATUS", *_exit_codes()]
    return "\n".join([*out, ""])


def _page(manual: Manual, version: str) -> str:
    name = f"knuthle-{manual.command}"
    words = manual.usage.split()
    out = [
        *_head(name, manual.summary, version),
        ".SH SYNOPSIS",
        f".B {_text(' '.join(words[:2]))}",
        _text(" ".join(words[2:])),
        ".SH DESCRIPTION",
    ]
    for block in manual.blocks:
        out += _block(block)
    for group in manual.groups:
        out.append(f".SH {_text(group.title.upper())}")
        for option in group.options:
            out += [".TP", _written(option.names, option.value), _text(option.about)]
    for block in manual.epilog.split("\n\n"):
        if block != EXIT_CODES:
            out += [".PP", *_block(block)]
    out += [".SH EXIT STATUS", *_exit_codes(), ".SH SEE ALSO", ".BR knuthle (1)"]
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
    """Text in which no character is a request, and hyphens can be copied."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
