"""A player's settings: a small TOML file with the list, hard mode, the opener, colours, a strategy.

It is read by the standard library's reader; each of its five keys is a text, or true and false.
Whatever else stands in it is refused in one line that names the file, so that a slip of the pen is
no setting that silently does not hold.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.errors import WrongInputError
from solver.words.lists import ADVICE_LIST, did_you_mean, is_named, load_lists, user_folder
from solver.words.text import plain

from ..files.output import faults_named, is_file, write_whole
from ..files.text import COLOURS, quoted, read_at_most

#: The variable of the environment that names the file; empty: there are no settings.
VARIABLE = "KNUTHLE_SETTINGS"
_LARGEST_FILE = 1 << 16
#: What stands for true and false where settings are given as text.
_TRUTHS = dict.fromkeys(("yes", "true", "on"), True) | dict.fromkeys(("no", "false", "off"), False)


@dataclass(frozen=True)
class UserSettings:
    """What holds where no option says otherwise; None: nothing was set."""

    #: A list by its name, or its file.
    list: str | None = None
    hard: bool | None = None
    #: The first guess, or several with commas between them.
    opener: str | None = None
    colours: str | None = None
    #: The file of a strategy.
    strategy: str | None = None

    def given(self) -> dict[str, Any]:
        """The settings that are set, by their names."""
        return {name: value for name, value in vars(self).items() if value is not None}


KEYS = tuple(field.name for field in dataclasses.fields(UserSettings))


def settings_path() -> Path | None:
    """The file of the settings, there or not; None: the environment says that there are none."""
    named = os.environ.get(VARIABLE)
    if named is not None:
        return Path(named) if named else None
    return user_folder("XDG_CONFIG_HOME", "APPDATA", "~/.config") / "settings.toml"


def read_settings() -> UserSettings:
    """The settings as their file has them; a file that is not in order is refused."""
    path = settings_path()
    if path is None or not os.path.lexists(path):
        return UserSettings()
    if path.is_fifo():
        raise WrongInputError(f"{path}: a pipe, which nobody may write into; name a file")
    content = read_at_most(path, _LARGEST_FILE, "too large", ", too large for settings")
    import tomllib

    try:
        return _checked(tomllib.loads(content.decode()))
    except WrongInputError as error:
        reason = str(error)
    except UnicodeDecodeError as error:
        reason = f"not a text file (byte {error.start} is not UTF-8); mend or remove the file"
    except (ValueError, RecursionError) as error:
        said = str(error).splitlines()[0] if str(error) else "nested too deeply"
        reason = f"no TOML: {said}; mend or remove the file"
    raise WrongInputError(f"{path}: {reason}")


def changed_settings(settings: UserSettings, changes: Mapping[str, str]) -> UserSettings:
    """Settings with some changed, as text; an empty text takes one away.

    Files are named by their whole path from then on: the settings hold in every folder.
    """
    values = settings.given()
    for name, text in changes.items():
        _check_key(name)
        values.pop(name, None)
        if text:
            values[name] = _value_of(name, text)
    settings = _checked(values)
    if changes.get("opener"):
        list_name, words, answers = load_lists(settings.list or ADVICE_LIST)
        for word in str(settings.opener).split(","):
            if plain(word.strip()) not in words.words:
                hint = did_you_mean(plain(word.strip()), words.words, likely=answers.words)
                reason = f"{quoted(word)} is no word of the list {list_name}{hint}"
                raise WrongInputError(f"opener: {reason}")
    return settings


def write_settings(settings: UserSettings) -> Path:
    """Write the settings to their file, whole or not at all, and say where that is."""
    path = settings_path()
    if path is None:
        raise WrongInputError(f"{VARIABLE} is empty in the environment: there are no settings")
    # texts, true and false are in TOML as in JSON, but for one sign
    values = {name: json.dumps(it, ensure_ascii=False) for name, it in settings.given().items()}
    lines = [f"{name} = {text}\n".replace("\x7f", "\\u007f") for name, text in values.items()]
    with faults_named(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "".join(lines).encode(), force=True)
    return path


def _check_key(name: str) -> None:
    if name not in KEYS:
        hint = did_you_mean(name, KEYS, 1)
        raise WrongInputError(f"no setting {quoted(name)}{hint} (settings: {', '.join(KEYS)})")


def _value_of(name: str, text: str) -> str | bool:
    if name == "hard":
        if text.lower() not in _TRUTHS:
            raise WrongInputError(f"hard is yes or no, not {quoted(text)}")
        return _TRUTHS[text.lower()]
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise WrongInputError(f"{name} cannot be {quoted(text)}: settings are kept as UTF-8")
    if name in ("list", "strategy"):
        check_there(name, text)
    is_file = name == "strategy" or (name == "list" and not is_named(text))
    return str(Path(text).absolute()) if is_file else text


def check_there(name: str, text: str, where: str = "") -> None:
    """Refuse a list or a strategy that is not there; ``where`` says who names it."""
    if name == "list" and is_named(text):
        return
    if not is_file(text):
        what = "list or file" if name == "list" else "file"
        raise WrongInputError(f"{where}there is no {what} named {quoted(text)}")


def _checked(values: Mapping[str, Any]) -> UserSettings:
    """The settings of a table, each of the right kind."""
    for name, value in values.items():
        _check_key(name)
        kind, said = (bool, "true or false") if name == "hard" else (str, "a text")
        if type(value) is not kind or value == "":
            raise WrongInputError(f"{name} is {said}, not {quoted(str(value))}")
    colours = values.get("colours")
    if colours is not None and colours not in COLOURS:
        raise WrongInputError(f"colours is one of {', '.join(COLOURS)}, not {quoted(colours)}")
    return UserSettings(**values)
