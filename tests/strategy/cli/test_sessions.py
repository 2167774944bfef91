"""Commands as people type them, and all that they answer: each file of ``sessions`` is one.

Lines at the margin are for readers. Of the others begins

* with ``$`` a command: ``knuthle …`` is called, anything else is run by bash, in the same folder.
  With ``| pick KEYS`` at its end only some values of the JSON that it prints are shown: ``a.0.b``
  is b of the first of a, ``a.b`` is b of each of them.
* with ``>`` a line that is typed into it,
* with nothing what it prints, with ``!`` what it says on stderr, and ``[1]`` is its exit code, if
  that is not 0. A ``⋯`` stands for any text, and alone in a line for any lines; ``␛`` is an escape.

With ``KNUTHLE_SESSIONS=write`` in the environment the answers are written anew, and not tested.

Wrong input is refused by name, and no file is lost by it; ``refusals.txt`` has the table.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from strategy.files import envelope
from strategy.solving.by_rule import Settings, solve
from tests.support.commands import Knuthle, Outcome, ran
from tests.support.worlds import game_of

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


#: A small list, and weights of four of its words; ``s.strategy`` beside them begins with SLATE.
WORDS = "crane slate abide adieu stare raise arise".split()
WEIGHTS = "crane 3\nslate 2.5\nraise .5\nstare 1\n"
#: The first line of recorded games; and what are none, in files by their numbers.
HEAD = (
    '{"format": "knuthle games", "version": 1, "player": "x", "game": "wordle", "seed": 0, '
    '"list": "original", "hard": false, "limit": 20, "sample": null}'
)
FORGED = [
    *(HEAD.replace(*it) for it in (("1", "2"), ("20", "0"), ("null", "-9"), ("false", "[]"))),
    *(HEAD.replace(f'"{name}": ', '"other": ') for name in ("player", "seed", "list", "sample")),
    *("", "7", "[[]]", "[" * 99_999, f"{HEAD}\n7", f"{HEAD}\n{{"),
]
#: What is no strategy, in files by these names, and what is said of it.
UNREAD = {
    "empty": (b"", "the file is empty"), "elf": (b"\x7fELF\0\0\1", "not a text file"),
    "deep": (b'{"guess":' * 100_000, "objects and lists too deep within each other"),
    "codes": (b"crane BBBBB1 \x1b[2J GGGGG2", "'\\x1b[2J' is no word"),
    "cut": (envelope.MAGIC + b"\1S", "truncated"),
    **{f"head{length}": (envelope.MAGIC[:length], "truncated within its first 14 bytes")
       for length in range(1, 9)},
}  # fmt: skip
#: A package that need not be there, and what takes it.
MISSING = {
    "distributed": ["sweep run --list w.txt --out u --dask tcp://h:1"],
    "matplotlib": ["export s.strategy -o a.svg", "openers --list w.txt --plot a.svg"],
    "mcp": ["mcp"],
}
INSTALLED = f"which is not installed: {shlex.quote(sys.executable)} -m pip install"

#: What a file of text cannot hold, or not briefly: a line, and what is said of it.
ODD = [
    *((f"referee --check {at}", f"{at}: no games of 'referee --record'")
      for at in range(len(FORGED))),
    *((f"{command} {name}", said) for name, (_, said) in UNREAD.items()
      for command in ("verify", "verify -o y", "compare s.strategy")),
    *((f"{command} {name}", UNREAD[name][1]) for name in UNREAD if name.startswith("head")
      for command in ("lookup", "export --to text", "check-proof")),
    *((f"settings {name}=\udcff\udcfe",
       f"{name} cannot be '\\udcff\\udcfe': settings are kept as UTF-8")
      for name in ("list", "opener", "strategy")),
    (f"settings strategy={'n' * 5_000}", "there is no file named 'nnn"),
    *((line, f"{INSTALLED} {name}") for name, lines in MISSING.items() for line in lines),
]  # fmt: skip


def table() -> Iterator[tuple[str, str]]:
    """The rows of the table: a line, and what is said of it."""
    begin = ""
    text = Path(__file__).with_name("refusals.txt").read_text(encoding="utf-8")
    for row in text.partition("\n\n")[2].splitlines():
        rest, is_row, reason = row.partition("→  ")
        if is_row:
            yield f"{begin} {rest}".replace("␛", "\x1b").strip(), reason
        else:
            assert not row or row[0] + row[-1] == "[]", f"{row}: neither a row nor a beginning"
            begin = row.strip("[]")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files beside which a line is refused."""
    path = tmp_path_factory.mktemp("world") / "s.strategy"
    solve(game_of(WORDS), Settings(("slate",))).strategy.save(path)
    texts = {"w.txt": "\n".join(WORDS), "weights.txt": WEIGHTS, "g.jsonl": HEAD}
    texts |= {str(at): text for at, text in enumerate(FORGED)} | {"used.txt": "crane"}
    texts |= {"original.txt": texts["w.txt"], "escape": "\x1b[31mcrane ggggg\n"}
    files = {name: text.encode() for name, text in texts.items()}
    files |= {name: content for name, (content, _) in UNREAD.items()}
    return files | {path.name: path.read_bytes()}


@pytest.mark.parametrize(("line", "reason"), [*table(), *ODD])
def test_wrong_input_is_one_plain_line(
    knuthle: Knuthle,
    world: dict[str, bytes],
    line: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Nothing is written: no file, nothing that is kept for the user, no setting."""
    monkeypatch.setenv("KNUTHLE_SETTINGS", "settings.toml")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    if reason.startswith(INSTALLED):
        monkeypatch.setitem(sys.modules, reason.rsplit(maxsplit=1)[-1], None)
    files = {name: content for name, content in world.items() if name in f"{line} w.txt"}
    for name, content in files.items():
        Path(name).write_bytes(content)
    outcome = knuthle(*shlex.split(line), typed="")
    assert (outcome.code, outcome.out) == (2, "") and reason in outcome.said
    assert len(outcome.said.splitlines()) <= 2 and outcome.said.replace("\n", "").isprintable()
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == files
    assert not (tmp_path / "data").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_is_named(knuthle: Knuthle, tiny: Path) -> None:
    Path().chmod(0o500)
    outcome = knuthle("solve-all", "--list", tiny)
    Path().chmod(0o700)
    assert outcome.code == 2 and "cannot be written" in outcome.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_named(knuthle: Knuthle, tiny: Path) -> None:
    outcome = knuthle("solve-all", "--list", tiny, "--out", "/dev/full")
    assert outcome.code == 3 and "No space left on device" in outcome.err


def test_links_are_followed(knuthle: Knuthle, tiny: Path) -> None:
    Path("link").symlink_to("real")
    assert knuthle("solve-all", "--list", tiny, "--out", "link").code == 0
    assert Path("link").is_symlink()
    assert Path("real").is_file()
