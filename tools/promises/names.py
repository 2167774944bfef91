"""The public names of the library, each with its signature on one line.

Public is what the pages of ``docs/api`` name, except the page about ``solver``. Annotations are
printed as they stand in the source, and values by rules of this module: so every version of Python
prints the same.
"""

import dataclasses
import enum
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, ForwardRef

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "api"
_DIRECTIVE = re.compile(r"^\.\. auto(?:function|class|exception):: ([\w.]+)\n((?: +:.*\n)*)", re.M)
#: Classes that programs make themselves; of others only what they hold is promised.
MADE = ("Settings",)
#: Besides errors and what ``strategy`` offers, what is imported from where it stands.
IMPORTED = ("solver.game.game.Game",)
_STARS: dict[Any, str] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
_PACKAGES = ("strategy", "solver")
_SIGNATURES = """# Signatures

Each name of the library with its parameters and a sentence, made by `python -m tools.promises`
from the code. The other pages of this folder become whole when `./tools/docs` builds the site:
there they have parameters, results, errors and examples.
"""


def public_names() -> list[str]:
    """A line for each public name, in alphabetical order of the names."""
    lines: list[str] = []
    for page in sorted(PAGES.glob("*.md")):
        if page.name != "solver.md":
            for path, options in _DIRECTIVE.findall(page.read_text(encoding="utf-8")):
                found = found_at(path)
                lines += lines_of(_shown_path(path, found), found, _shown_members(found, options))
    return sorted(lines, key=_name_in)


def signatures() -> str:
    """The page that has each name with its signature and a sentence, to be read in the sources."""
    text = _SIGNATURES
    for page in sorted(PAGES.glob("*.md")):
        content = page.read_text(encoding="utf-8")
        if found := _DIRECTIVE.findall(content):
            text += f"\n## {content.splitlines()[0].lstrip('# ')}\n\n[The page]({page.name})\n\n"
            text += "".join(_line_of(path) for path, _ in found)
    return text


def _line_of(path: str) -> str:
    found = found_at(path)
    head = next(lines_of(_shown_path(path, found), found, set())).partition(" ")[2]
    about = (inspect.getdoc(found) or "").split("\n\n")[0].replace("\n", " ").replace("``", "`")
    return f"* `{head}`\n  {about}\n"


def _name_in(line: str) -> str:
    return re.sub(r"[(:].*", "", line.partition(" ")[2])


def _shown_path(path: str, found: Any) -> str:
    """A name as programs import it; a class that they only get from functions has its own alone."""
    imported = path.startswith("strategy.") and path.count(".") == 1
    imported = imported or (inspect.isclass(found) and issubclass(found, Exception))
    return path if imported or path in IMPORTED else path.rpartition(".")[2]


def found_at(path: str) -> Any:
    """The object of a dotted path."""
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module(module), name)


def _shown_members(found: Any, options: str) -> set[str]:
    """The members of a class that its page shows."""
    if not inspect.isclass(found):
        return set()
    named = re.search(r":members:(.*)", options)
    left_out = re.search(r":exclude-members:(.*)", options)
    members = set(re.findall(r"\w+", named[1])) if named else set()
    if (named and not members) or issubclass(found, Exception):
        members = {name for name, _ in _members_of(found)}
    return members - set(re.findall(r"\w+", left_out[1]) if left_out else ())


def lines_of(path: str, found: Any, shown: set[str]) -> Iterator[str]:
    """A line for a name, and one for each public member of a class."""
    if not inspect.isclass(found):
        yield f"def {path}{_signature(found)}"
        return
    if issubclass(found, Exception):
        bases = ", ".join(base.__name__ for base in found.__bases__)
        yield f"error {path}: {bases}, exit code {getattr(found, 'exit_code', None)}"
    else:
        yield f"class {path}{_parameters(found) if found.__name__ in MADE else ''}"
    members = dict(_members_of(found))
    for name in sorted(members):
        if name in shown and not name.startswith("_") and name != "exit_code":
            kind, rest = members[name]
            yield f"{kind} {path}.{name}{rest}"


def _members_of(cls: type) -> Iterator[tuple[str, tuple[str, str]]]:
    """The fields, properties and methods of a class, as our own classes define them."""
    for each in reversed(cls.__mro__):
        if each.__module__.partition(".")[0] not in _PACKAGES:
            continue
        annotations = inspect.get_annotations(each)
        for name, kind in annotations.items():
            yield name, ("field", f": {_annotation(kind)}")
        if issubclass(each, Exception) and "__init__" in vars(each):
            yield from _fields_of_error(each)
        for name, value in vars(each).items():
            if name.startswith("_"):
                continue
            if isinstance(value, property | cached_property):
                function = value.fget if isinstance(value, property) else value.func
                returned = inspect.signature(function).return_annotation  # type: ignore[arg-type]
                yield name, ("property", f": {_annotation(returned)}")
            elif isinstance(value, classmethod | staticmethod):
                kind = type(value).__name__
                yield name, (kind, _signature(value.__func__, bound=kind == "classmethod"))
            elif inspect.isfunction(value):
                yield name, ("method", _signature(value, bound=True))


def _fields_of_error(cls: type) -> Iterator[tuple[str, tuple[str, str]]]:
    """What the constructor of an error keeps."""
    constructor = vars(cls)["__init__"]
    parameters = inspect.signature(constructor).parameters
    for name in re.findall(r"\bself\.(\w+) = ", inspect.getsource(constructor)):
        if name in parameters:
            yield name, ("field", f": {_annotation(parameters[name].annotation)}")


def _signature(function: Any, bound: bool = False) -> str:
    """The parameters of a function and what it returns; ``bound`` leaves out the first."""
    returned = inspect.signature(function).return_annotation
    return f"{_parameters(function, bound)} -> {_annotation(returned)}"


def _parameters(function: Any, bound: bool = False) -> str:
    parts: list[str] = []
    for each in list(inspect.signature(function).parameters.values())[bound:]:
        if each.kind is each.KEYWORD_ONLY and not any(part[0] == "*" for part in parts):
            parts.append("*")
        stars = _STARS.get(each.kind, "")
        default = "" if each.default is each.empty else f" = {value_text(each.default)}"
        parts.append(f"{stars}{each.name}: {_annotation(each.annotation)}{default}")
    return f"({', '.join(parts)})"


def _annotation(found: Any) -> str:
    """An annotation as it stands in the source; modules have ``from __future__`` for that."""
    if isinstance(found, ForwardRef):
        found = found.__forward_arg__
    if not isinstance(found, str):
        raise TypeError(f"{found!r} is no text: 'from __future__ import annotations' is missing")
    return found


def value_text(value: Any) -> str:
    """A default as text that is the same in every version of Python, and is an expression."""
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if isinstance(value, tuple):
        inner = ", ".join(map(value_text, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if value is None or isinstance(value, bool | int | float | str):
        return repr(value)
    kind: Any = type(value)
    if dataclasses.is_dataclass(value):
        return f"{kind.__name__}()" if value == kind() else "..."
    return "..."
