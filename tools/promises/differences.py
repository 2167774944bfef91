"""What has changed between two listings, in plain words, and whether the promise allows it."""

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

_KINDS = {"def": "function", "columns": "table of CSV", "key": "key of JSON"}


class Change(NamedTuple):
    """A change of one line: what it is, and whether it breaks what is promised."""

    what: str
    breaks: bool


class _Parameter(NamedTuple):
    name: str
    #: ``by place``, ``by name`` or ``any number``.
    given: str
    annotation: str
    #: As text; None: it must be given.
    default: str | None


def changes(recorded: list[str], found: list[str]) -> list[Change]:
    """All changes from the recorded lines to those that are found now."""
    before, after = (dict(map(_entry, lines)) for lines in (recorded, found))
    result = []
    for name in sorted({*before, *after}):
        if name not in after:
            result.append(Change(f"{_title(before[name], name)} is gone", True))
        elif name not in before:
            kind, rest = after[name]
            required = kind in ("option", "argument") and "required" in _words(rest)
            required |= kind == "argument" and _words(rest)[-1] in ("one", "one or more")
            result.append(Change(f"{_title(after[name], name)} is new", required))
        elif before[name] != after[name]:
            title = _title(before[name], name)
            for what, breaks in _changed(before[name], after[name]):
                result.append(Change(f"{title}: {what}", breaks))
    return result


def _entry(line: str) -> tuple[str, tuple[str, str]]:
    """The name on a line, its kind, and the rest: a signature, a type, columns."""
    kind, _, text = line.partition(" ")
    if kind in ("key", "columns", "option", "argument", "command"):
        name, _, rest = text.rpartition(": ")
    else:
        match = re.match(r"([\w.]+)(?:: )?(.*)", text)
        assert match, line
        name, rest = match[1], match[2]
    return f"{name}{_SUFFIX.get(kind, '')}", (kind, rest)


#: A table and a command of one name are two things.
_SUFFIX = {"columns": " (CSV)", "command": " (command)"}


def _title(entry: tuple[str, str], name: str) -> str:
    kind = _KINDS.get(entry[0], entry[0])
    return f"{kind} {re.sub(r' [(](CSV|command)[)]$', '', name)}"


def _words(rest: str) -> list[str]:
    return rest.split(", ")


def _changed(before: tuple[str, str], after: tuple[str, str]) -> Iterator[Change]:
    """How one line has changed."""
    (kind, old), (new_kind, new) = before, after
    fields = {"field", "property"}
    if kind != new_kind and not {kind, new_kind} <= fields:
        yield Change(f"was a {kind}, is a {new_kind}", True)
    elif kind == "columns":
        yield from _changed_columns(old.split(), new.split())
    elif kind in ("option", "argument"):
        yield from _changed_option(_words(old), _words(new))
    elif old.startswith("(") and new.startswith("("):
        yield from _changed_signature(old, new)
    elif kind == "key":
        wider = set(old.split(" or ")) < set(new.split(" or "))
        more = " (readers may not expect the new one)" if wider else ""
        yield Change(f"its type was {old}, is {new}{more}", True)
    elif old != new:
        yield Change(f"was {old!r}, is {new!r}", kind == "error" or not new)


def _changed_columns(old: list[str], new: list[str]) -> Iterator[Change]:
    yield from _gone_and_new("column", old, new)
    kept = [name for name in new if name in old]
    if kept != [name for name in old if name in new]:
        yield Change("the columns stand in another order", True)
    elif new[: len(kept)] != kept:
        yield Change("a new column stands before old ones: it belongs at the end", True)


def _gone_and_new(what: str, old: list[str], new: list[str]) -> Iterator[Change]:
    for gone in [it for it in old if it not in new]:
        yield Change(f"the {what} {gone} is gone", True)
    for name in [it for it in new if it not in old]:
        yield Change(f"the {what} {name} is new", False)


def _changed_option(old: list[str], new: list[str]) -> Iterator[Change]:
    yield from _gone_and_new("value", old[0].split("|"), new[0].split("|"))
    for gone in [text for text in old[1:] if text not in new[1:]]:
        yield Change(f"no longer: {gone}", gone != "required")
    for text in [text for text in new[1:] if text not in old[1:]]:
        yield Change(f"now: {text}", True)


def _changed_signature(old: str, new: str) -> Iterator[Change]:
    before, returned = _read(old)
    after, returns = _read(new)
    for name, was in before.items():
        now = after.get(name)
        if now is None:
            yield Change(f"the parameter {name} is gone", True)
            continue
        if was.given == "by place" and now.given != was.given:
            yield Change(f"the parameter {name} could be given by place, now {now.given}", True)
        if was.default is not None and now.default is None:
            yield Change(f"the parameter {name} could be left out, now it must be given", True)
        elif was.default is None and now.default is not None:
            yield Change(f"the parameter {name} can be left out now", False)
        elif was.default != now.default:
            yield Change(f"the default of {name} was {was.default}, is {now.default}", True)
        if was.annotation != now.annotation:
            what = f"the type of {name} was {was.annotation!r}, is {now.annotation!r}"
            yield Change(f"{what} (right if it takes all that it took)", False)
    for name, now in after.items():
        if name not in before:
            breaks = now.default is None and now.given != "any number"
            must = ", and must be given" if breaks else ""
            yield Change(f"the parameter {name} is new{must}", breaks)
    places, now_places = (
        [each.name for each in some.values() if each.given == "by place"]
        for some in (before, after)
    )
    if set(places) <= set(now_places) and now_places[: len(places)] != places:
        yield Change("what is given by place stands in another order", True)
    if returned != returns:
        what = f"it returned {returned!r}, returns {returns!r}"
        yield Change(f"{what} (right if that has all that the old one had)", False)


def _read(signature: str) -> tuple[dict[str, _Parameter], str]:
    """The parameters of a signature by their names, and what it returns."""
    function = ast.parse(f"def _{signature}: pass").body[0]
    assert isinstance(function, ast.FunctionDef)
    args = function.args
    found = []
    defaults = [None] * (len(args.args) - len(args.defaults)) + [*args.defaults]
    groups = [(args.args, defaults, "by place"), (args.kwonlyargs, args.kw_defaults, "by name")]
    for group, values, given in groups:
        for arg, value in zip(group, values, strict=True):
            default = None if value is None else ast.unparse(value)
            found.append(_Parameter(arg.arg, given, _text(arg.annotation), default))
    for star in filter(None, (args.vararg, args.kwarg)):
        found.append(_Parameter(star.arg, "any number", _text(star.annotation), None))
    return {each.name: each for each in found}, _text(function.returns)


def _text(node: ast.expr | None) -> str:
    return "" if node is None else ast.unparse(node)
