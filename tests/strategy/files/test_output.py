"""Writing files: nothing that is there already is lost, nothing is left half-written."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from solver.words import lists
from strategy.errors import OutputError, StrategyError
from strategy.exports import EXPORTS
from strategy.files import envelope, output
from strategy.files.output import Kind, check_apart, check_target, write_whole
from tests.support import refused
from tests.support.commands import Knuthle
from tests.support.proof_worlds import alike, strategy_of

STRATEGY = b"KNUTHLE\n\x01S rest"
LIKE = {
    Kind.STRATEGY: STRATEGY, Kind.PARTIAL: b"KNUTHLE\n\x01P rest",
    Kind.PROOF: b"KNUTHLE\n\x01R rest", Kind.FINDINGS: b"KNUTHLE\n\x02F rest",
    Kind.JSON: b'{"word": 1}\n', Kind.CSV: b"rank,word,expected size\n1,a,2\n",
    Kind.TEXT: b"lares bgbgb nymph ggggg\n", Kind.TREE: b"crane BBBBG1 slate GGGGG2\n",
    Kind.DOT: b"digraph strategy {\n",
    Kind.SVG: b'<svg xmlns="http://www.w3.org/2000/svg">',
    Kind.PAGE: b'<!doctype html>\n<html lang="en" data-of="knuthle">\n<head>',
    Kind.HTML: b"<!DOCTYPE html>\n<html>", Kind.PDF: b"%PDF-1.4\n", Kind.PNG: b"\x89PNG\r\n",
    Kind.PARQUET: b"PAR1\x15\x04",
}  # fmt: skip
FOREIGN = [
    b"crane\nslate\n", b"crane\n", b"KNUTHLE\n", b"KNUTHLE\n\x01X rest", b"[1, 2]", b"{\n  1",
    b"# mine, all mine\ncrane\n", b"\x00\x01", b"import os\n",
]  # fmt: skip


def test_every_kind_is_told_from_every_other() -> None:
    assert set(LIKE) == set(Kind)
    for kind, content in LIKE.items():
        assert Kind.of(content) == kind
    for content in (*FOREIGN, b""):
        assert Kind.of(content) is None


@pytest.mark.parametrize("form", EXPORTS)
def test_whatever_is_exported_is_known_again(form: str) -> None:
    strategy = strategy_of(alike(0, 12, 7))
    assert Kind.of(EXPORTS[form](strategy).encode()) == Kind[form.upper()]


@pytest.mark.parametrize("kind", Kind)
def test_only_the_like_is_replaced(kind: Kind, tmp_path: Path) -> None:
    place = tmp_path / "place"
    for content in (*FOREIGN, *LIKE.values()):
        place.write_bytes(content)
        if Kind.of(content) == kind:
            check_target(place, kind)
            write_whole(place, LIKE[kind])
            assert place.read_bytes() == LIKE[kind]
            continue
        refused(OutputError, "--force", check_target, place, kind)
        refused(OutputError, "--force", write_whole, place, LIKE[kind])
        assert place.read_bytes() == content
        check_target(place, kind, force=True)
        write_whole(place, LIKE[kind], force=True)
        assert place.read_bytes() == LIKE[kind]


def test_a_shipped_list_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name, by a link, by another name of the same file; with --force too."""
    path = lists.data_folder() / "original-answers.txt"
    before = path.read_bytes()
    (tmp_path / "link").symlink_to(path)
    places = [path, tmp_path / "link", path.parent / "new.txt"]
    copy = tmp_path / "shipped"
    copy.mkdir()
    (copy / "list.txt").write_text("crane\n")
    (tmp_path / "twin").hardlink_to(copy / "list.txt")
    monkeypatch.setattr(output, "_SHIPPED", (*output._SHIPPED, copy))
    for place in (*places, copy / "list.txt", tmp_path / "twin"):
        refused(OutputError, "is shipped", check_target, place, Kind.STRATEGY, force=True)
        refused(OutputError, "is shipped", write_whole, place, STRATEGY, force=True)
    assert path.read_bytes() == before and not (path.parent / "new.txt").exists()


def test_commands_ask_before_they_work(knuthle: Knuthle, tiny: Path) -> None:
    mine = Path("mine.txt")
    mine.write_text("crane\nslate\n")
    shipped = lists.data_folder() / "original-answers.txt"
    work = ("solve-all", "--list", tiny)
    assert knuthle(*work, "--out", "a.strategy").code == 0
    for command in (
        (*work, "--out"), (*work, "--out", "b.strategy", "--json"),
        (*work, "--out", "b.strategy", "--csv"), ("export", "a.strategy", "--out"),
        ("lookup", "a.strategy", "--json"),
        ("optimal", "--list", tiny, "--out", "b.strategy", "--proof"),
    ):  # fmt: skip
        for place in (mine, shipped):
            outcome = knuthle(*command, place)
            assert (outcome.code, outcome.out) == (2, ""), command
            assert ("--force" if place == mine else "is shipped") in outcome.err
        assert knuthle(*command, shipped, "--force").code == 2
    for command in (("buckets", "crane", "--plot"), ("cheatsheet", "crane", "--card")):
        picture = mine.rename("mine.svg")
        outcome = knuthle(*command, picture, "--list", tiny)
        assert (outcome.code, "--force" in outcome.err) == (2, True)
        mine = picture.rename("mine.txt")
    assert mine.read_text() == "crane\nslate\n"
    assert not Path("b.strategy").exists()
    assert knuthle(*work, "--out", mine, "--force").code == 0
    assert knuthle("verify", mine).code == 0 and knuthle(*work, "--out", mine).code == 0


# --- permissions -----------------------------------------------------------------------------
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o640, 0o666])
def test_a_replaced_file_keeps_its_permissions(mode: int, tmp_path: Path) -> None:
    place = tmp_path / "a.strategy"
    place.write_bytes(STRATEGY)
    place.chmod(mode)
    write_whole(place, STRATEGY + b"more")
    assert stat.S_IMODE(place.stat().st_mode) == mode


def test_a_new_file_has_the_usual_ones(tmp_path: Path) -> None:
    """And one that is empty is anybody's."""
    new, empty = tmp_path / "new", tmp_path / "empty"
    before = os.umask(0o027)
    write_whole(new, STRATEGY)
    os.umask(before)
    assert stat.S_IMODE(new.stat().st_mode) == 0o640
    empty.touch()
    check_target(empty, Kind.PROOF)
    write_whole(empty, STRATEGY)
    assert empty.read_bytes() == STRATEGY


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "a.strategy"
    place.write_bytes(STRATEGY)
    place.chmod(0o444)
    for force in (False, True):
        for ask, what in ((check_target, Kind.STRATEGY), (write_whole, STRATEGY + b"more")):
            refused(OutputError, "cannot be written", ask, place, what, force=force)
    assert place.read_bytes() == STRATEGY


# --- devices and streams ---------------------------------------------------------------------
@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs /dev/shm")
def test_files_in_memory_are_files() -> None:
    place = Path("/dev/shm") / f"knuthle-test-{os.getpid()}"
    try:
        write_whole(place, STRATEGY)
        first = place.stat().st_ino
        write_whole(place, STRATEGY)
        assert place.stat().st_ino != first  # renamed, not overwritten
        refused(OutputError, "two things", check_apart, [place], [place])
    finally:
        place.unlink(missing_ok=True)


LIMITED = """
import resource, sys
from strategy.files.output import write_whole
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    write_whole(sys.argv[1], b"KNUTHLE\\n\\x01S" + bytes(20000))
except Exception as error:
    sys.exit(getattr(error, "exit_code", 9))
"""


@pytest.mark.parametrize("folder", ["", "/dev/shm"])
def test_nothing_is_cut_to_pieces(folder: str, tmp_path: Path) -> None:
    if folder and not os.access(folder, os.W_OK):
        pytest.skip("needs /dev/shm")
    place = Path(folder or tmp_path) / f"knuthle-cut-{os.getpid()}"
    place.write_bytes(STRATEGY)
    try:
        run = subprocess.run([sys.executable, "-c", LIMITED, place], check=False)
        assert run.returncode == 3
        assert place.read_bytes() == STRATEGY
    finally:
        place.unlink()
    assert not list(place.parent.glob(".knuthle-*"))


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
@pytest.mark.parametrize(
    "name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link", "/dev/null"]
)
def test_streams_and_devices_are_written_to(name: str, tmp_path: Path) -> None:
    if name.startswith("/proc") and not Path(name).exists():
        pytest.skip("needs /proc")
    (tmp_path / "link").symlink_to("/dev/stdout")
    code = "import sys; from strategy.files.output import *\ncheck_target(sys.argv[1], Kind.JSON)\n"
    code += "write_whole(sys.argv[1], b'{\"a\": 1}')"
    target = tmp_path / "target"
    target.write_text("something else, longer than that")
    with target.open("w") as out:
        place = tmp_path / name if name == "link" else name
        subprocess.run([sys.executable, "-c", code, place], check=True, stdout=out)
    assert target.read_bytes() == (b"" if name == "/dev/null" else b'{"a": 1}')
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "target"]


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, STRATEGY)
    assert os.read(reader, 100) == STRATEGY
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# --- names -----------------------------------------------------------------------------------
def test_names_too_long_are_wrong_input(knuthle: Knuthle, tiny: Path, tmp_path: Path) -> None:
    long, path = "x" * 300, "/".join(["y" * 200] * 30)
    (tmp_path / "a.strategy").write_bytes(envelope.pack(envelope.STRATEGY, {}))
    for name in (long, f"{long}/a", path, f"{tmp_path}/{path}"):
        refused(OutputError, "", check_target, name, Kind.STRATEGY)
        for command in (
            ("solve-all", "--list", tiny, "--out", name),
            ("solve-all", "--list", tiny, "--json", name),
            ("solve-all", "--list", tiny, "--resume", name), ("solve-all", "--list", name),
            ("solve-all", "--list", tiny, "--secrets", name), ("verify", name),
            ("verify", tmp_path / "a.strategy", "--words", name),
            ("check-proof", name), ("export", name),
            ("export", tmp_path / "a.strategy", "--out", name),
            ("lookup", name),
        ):  # fmt: skip
            outcome = knuthle(*command)
            assert (outcome.code, outcome.out) == (2, ""), command


def test_links_that_lead_nowhere_are_wrong_input(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for place in (tmp_path / "loop" / "a", tmp_path / "loop"):
        refused(StrategyError, "", write_whole, place, STRATEGY)


@pytest.mark.parametrize(("stem", "fits"), [
    ("my words, 2nd", True), ("\u00e4\u00f6\u00fc \u6f22\u5b57 \U0001f7e9", True),
    ("x" * 200, True), ("x" * 201, False), ("back\\slash", False), ("new\nline", False),
    ("esc\x1b[31m", False), ("turned\u202eround", False), ("hidden\u200bspace", False),
])  # fmt: skip
def test_what_is_written_is_readable(
    knuthle: Knuthle, tmp_path: Path, stem: str, fits: bool
) -> None:
    """One rule for names, where files are written; told before the work."""
    mine = tmp_path / f"{stem}.txt"
    mine.write_text("crane\nslate\nabide\n")
    for options in (("--list", mine), ("--list", mine, "--secrets", mine)):
        outcome = knuthle("solve-all", *options, "--out", "a.strategy", "--json", "-")
        assert outcome.code == (0 if fits else 2)
        if fits:
            assert json.loads(outcome.out)["list"] == stem
            assert knuthle("verify", "a.strategy").code == 0
            assert knuthle("lookup", "a.strategy").code == 0
            proved = knuthle("optimal", *options, "--out", "a.strategy", "--proof", "a.proof")
            assert proved.code == 0
            checked = knuthle("check-proof", "a.proof", "--words", mine, "--secrets", mine)
            assert (checked.code, f"PROVED  '{stem}' " in checked.out) == (0, True)
        else:
            assert "rename the list" in outcome.err and outcome.err.count("\n") == 1
            assert not Path("a.strategy").exists()
