"""Files that are pipes: they are read like others."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.commands import Knuthle


@contextmanager
def piped(content: bytes, name: str = "pipe") -> Iterator[str]:
    """A named pipe into which a program writes once; whoever opens it again finds it empty."""
    os.mkfifo(name)
    code = (
        "import sys\nopen(sys.argv[1], 'wb').write(sys.stdin.buffer.read())\n"
        "while True: open(sys.argv[1], 'wb').close()"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, name], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(content)
    writer.stdin.close()
    try:
        yield name
    finally:
        writer.kill()
        writer.wait()
        Path(name).unlink()


@pytest.fixture
def made(knuthle: Knuthle, tiny: Path) -> Path:
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle("optimal", *words, "--out", "s", "--proof", "a.proof").code == 0
    Path("s.txt").write_text(knuthle("export", "s").out)
    Path("weights").write_text("".join(f"{word} 1\n" for word in tiny.read_text().split()))
    return tiny


@pytest.mark.parametrize(("file", "line"), [
    ("s", "verify {pipe}"), ("s", "verify {pipe} --words {tiny}"), ("s", "lookup {pipe}"),
    ("a.proof", "verify {pipe} --words {tiny}"), ("s", "export {pipe}"), ("s", "compare {pipe} s"),
    ("s", "explore {pipe} -o page.html"), ("s.txt", "verify {pipe} --list {tiny}"),
    ("s.txt", "verify {pipe} --list {tiny} -o t"), ("a.proof", "check-proof {pipe} --words {tiny}"),
    ("tiny", "solve-all --list {pipe}"), ("weights", "suggest --list {tiny} --weights {pipe}"),
    ("tiny", "five-words {pipe}"), ("tiny", "lists add {pipe} --name piped"),
    ("tiny", "sweep run --list {tiny} --openers {pipe} --out t"),
])  # fmt: skip
def test_a_pipe_is_read_like_a_file(
    knuthle: Knuthle, made: Path, monkeypatch: pytest.MonkeyPatch, file: str, line: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(Path("data").absolute()))
    content = (made if file == "tiny" else Path(file)).read_bytes()
    with piped(content) as name:
        outcome = knuthle(*(part.format(pipe=name, tiny=made) for part in line.split()))
    assert outcome.code == 0, outcome.err


@pytest.mark.parametrize("length", range(1, 9))
def test_the_beginning_of_a_file_of_ours_is_damaged(knuthle: Knuthle, length: int) -> None:
    Path("t.strategy").write_bytes(b"KNUTHLE\n"[:length])
    for command in ("verify", "lookup", "export", "check-proof"):
        outcome = knuthle(command, "t.strategy")
        assert (outcome.code, outcome.out) == (2, "")
        assert "t.strategy: truncated within its first 14 bytes" in outcome.err
