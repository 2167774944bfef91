"""Commands as people type them, and all that they answer: each file of ``sessions`` is one.

Lines at the margin are for readers. Of the others begins

* with ``$`` a command: ``knuthle …`` is called, anything else is run by bash, in the same folder.
  With ``| pick KEYS`` at its end only some values of the JSON that it prints are shown: ``a.0.b``
  is b of the first of a, ``a.b`` is b of each of them.
* with ``>`` a line that is typed into it,
* with nothing what it prints, with ``!`` what it says on stderr, and ``[1]`` is its exit code, if
  that is not 0. A ``⋯`` stands for any text, and alone in a line for any lines; ``␛`` is an escape.

With ``KNUTHLE_SESSIONS=write`` in the environment the answers are written anew, and not tested.
"""

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import Knuthle, Outcome, ran

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))
#: A command, with the lines that are typed into it; and what follows of its answer.
COMMAND = re.compile(r"^(  \$ .*\n(?:  > ?.*\n)*)", re.MULTILINE)
ANSWER = re.compile(r"(?:\n*  .*\n)*")


def picked(found: Any, keys: list[str]) -> Any:
    """What stands below some keys."""
    for at, key in enumerate(keys):
        if isinstance(found, list) and not key.isdigit():
            return [picked(each, keys[at:]) for each in found]
        found = found[int(key) if isinstance(found, list) else key]
    return found


def outcome_of(knuthle: Knuthle, command: str, typed: str) -> Outcome:
    """What comes of a command."""
    if not command.startswith("knuthle "):
        lines = f" <<'.'\n{typed}.\n" if typed else ""
        done = ran(["bash", "-c", command + lines], Path(), LC_ALL="C")
        return Outcome(done.returncode, done.stdout, done.stderr)
    line, _, keys = command.partition(" | pick ")
    found = knuthle(*shlex.split(line)[1:], typed=typed.replace("␛", "\x1b"))
    if keys:
        report = json.loads(found.out)
        values = {name: picked(report, name.split(".")) for name in keys.split()}
        found.out = "\n".join(f"{name}: {json.dumps(it)}" for name, it in values.items())
    return found


def answer_of(found: Outcome) -> str:
    """An outcome as it stands in a session."""
    said = [f"! {line}" for line in found.said.splitlines()]
    lines = [*found.out.rstrip("\n").splitlines(), *said]
    if found.code:
        lines.append(f"[{found.code}]")
    return "".join(f"  {line}".rstrip() + "\n" for line in lines).replace("\x1b", "␛")


def is_shown(pattern: str, answer: str) -> bool:
    """Whether an answer is what a session shows, which may leave some of it out."""
    exact = re.escape(pattern).replace(re.escape("  ⋯\n"), "(?:.*\n)*?").replace("⋯", ".*")
    return re.fullmatch(exact, answer) is not None


@pytest.mark.parametrize("session", SESSIONS, ids=lambda it: it.stem)
def test_a_session_goes_as_it_is_shown(
    knuthle: Knuthle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, session: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("KNUTHLE_SETTINGS", "settings.toml")
    begin, *steps = COMMAND.split(session.read_text(encoding="utf-8"))
    assert steps, "no command"
    written = begin
    for step, after in zip(steps[::2], steps[1::2], strict=True):
        command, *typed = (line[4:] for line in step.splitlines())
        shown = ANSWER.match(after)[0]
        assert "\n  " not in after[len(shown) :], "what is no answer begins at the margin"
        answer = answer_of(outcome_of(knuthle, command, "".join(f"{it}\n" for it in typed)))
        if os.environ.get("KNUTHLE_SESSIONS") != "write":
            assert is_shown(shown, answer), f"{step}answers otherwise:\n{answer}"
        written += step + (shown if is_shown(shown, answer) else answer) + after[len(shown) :]
    if os.environ.get("KNUTHLE_SESSIONS") == "write":
        session.write_text(written, encoding="utf-8")
