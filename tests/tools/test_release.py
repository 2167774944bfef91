"""Scripts that set up and release: what is refused, how builds are compared, what waits or ends."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import tomllib
from functools import partial
from pathlib import Path

import pytest

from tests.support import ROOT, refused
from tests.support.commands import lives, ran, started
from tools.releasing import builds as made
from tools.releasing import versions
from tools.releasing.__main__ import main, what_goes_where
from tools.releasing.builds import KINDS, SUMS, differences, pack, platforms
from tools.releasing.running import ReleaseError, run, settings, side_by_side
from tools.releasing.versions import CHANGELOG, CITATION, PROJECT, section_of, version_faults

DATE = "2026-12-24"
PLATFORM = platforms()[-1]


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=settings())
    return done.stdout.strip()


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--no-gpg-sign", "--allow-empty", "--message", "a")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with the files that have the version, as they are for the release of 1.2.3."""
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    tree = tmp_path / "a tree"
    tree.mkdir()
    for name in (PROJECT, CITATION, CHANGELOG):
        shutil.copyfile(ROOT / name, tree / name)
    versions.set_version(tree, "1.2.3", DATE)
    git(tree, "init", "--quiet")
    commit(tree)
    return tree


def refusal(tree: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The lines of a release that is refused."""
    assert main(list(words or ["1.2.3"]), tree) == 2
    out, err = capsys.readouterr()
    assert out == "" and not (tree / "build").exists()
    lines = err.splitlines()
    assert all(line.startswith("release: ") for line in lines)
    return [line.removeprefix("release: ") for line in lines]


# ---- the version
def test_the_version_is_everywhere_the_same() -> None:
    """Without a release, its section has no date, and nothing is cited that is not there."""
    version = tomllib.loads((ROOT / PROJECT).read_text(encoding="utf-8"))["project"]["version"]
    changelog = (ROOT / CHANGELOG).read_text(encoding="utf-8")
    citation = (ROOT / CITATION).read_text(encoding="utf-8")
    faults = list(version_faults(ROOT, version))
    if section_of(changelog, version) is None:
        assert faults == [f"{CHANGELOG} has no section '## [{version}] - DATE'"]
        assert "date-released" not in citation
    else:
        assert not faults
    assert (section_of(changelog, "Unreleased") or ("no",))[0] == ""


def test_what_is_written_is_the_same_everywhere(tree: Path) -> None:
    assert not list(version_faults(tree, "1.2.3"))
    changelog = (tree / CHANGELOG).read_text(encoding="utf-8")
    before = section_of((ROOT / CHANGELOG).read_text(encoding="utf-8"), "Unreleased")
    assert before and section_of(changelog, "1.2.3") == (DATE, before[1])
    assert section_of(changelog, "Unreleased") == ("", "")
    assert f'version: 1.2.3\ndate-released: "{DATE}"\n' in (tree / CITATION).read_text()
    unchanged = [(tree / name).read_bytes() for name in (PROJECT, CITATION, CHANGELOG)]
    versions.set_version(tree, "1.2.3", "2027-01-01")  # it is there already, with its date
    assert [(tree / name).read_bytes() for name in (PROJECT, CITATION, CHANGELOG)] == unchanged
    refused(ReleaseError, "nothing under", versions.set_version, tree, "1.2.4", DATE)


@pytest.mark.parametrize(
    "text", ["", "1", "1.0", "v1.0.0", "1.0.0-rc1", "01.0.0", "1.0.0+x", "1!1.0.0", "1.0.0.dev1"]
)
def test_what_is_no_version(tree: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert refusal(tree, capsys, text) == [f"{text!r} is no version such as 1.0.0 or 1.0.0rc1"]


# ---- refusals
@pytest.mark.parametrize("way", [[], ["--dry-run"], ["--prepare"]])
def test_changed_trees(tree: Path, capsys: pytest.CaptureFixture[str], way: list[str]) -> None:
    (tree / "new").touch()
    says = "the tree is not clean: {}; commit, or put it elsewhere"
    git(tree, "config", "status.showUntrackedFiles", "no")
    assert refusal(tree, capsys, "1.2.3", *way) == [says.format("?? new")]
    (tree / "new").unlink()
    edit(tree / PROJECT, "knuthle", "another")
    assert refusal(tree, capsys, "1.2.3", *way) == [says.format(f"M {PROJECT}")]
    git(tree, "add", "--all")
    assert refusal(tree, capsys, "1.2.3", *way) == [says.format(f"M  {PROJECT}")]


@pytest.mark.parametrize(("name", "old", "new", "says"), [
    (PROJECT, '"1.2.3"', '"1.2.4"', "pyproject.toml has version 1.2.4, not 1.2.3"),
    (CITATION, ": 1.2.3", ": 1.2.4", "CITATION.cff has version 1.2.4, not 1.2.3"),
    (CITATION, "version: 1.2.3\n", "", "CITATION.cff has version none, not 1.2.3"),
    (CITATION, DATE, "2026-12-25",
     f"CITATION.cff has date-released 2026-12-25, and CHANGELOG.md has {DATE}"),
    (CHANGELOG, "[1.2.3]", "[1.2.2]", "CHANGELOG.md has no section '## [1.2.3] - DATE'"),
    (CHANGELOG, f"[1.2.3] - {DATE}", "[1.2.3]",
     "CHANGELOG.md: the section of 1.2.3 has no date such as 2027-01-31 but ''"),
    (CHANGELOG, DATE, "2026-13-01",
     "CHANGELOG.md: the section of 1.2.3 has no date such as 2027-01-31 but '2026-13-01'"),
    (CHANGELOG, f"[1.2.3] - {DATE}", f"[1.2.3] - {DATE}\n\n## [1.2.2] - 2026-01-01",
     "CHANGELOG.md: the section of 1.2.3 is empty"),
    (CHANGELOG, "## [Unreleased]", "## [1.3.0] - 2026-01-01",
     "CHANGELOG.md: the newest section is that of 1.3.0, not of 1.2.3"),
])  # fmt: skip
def test_versions_that_differ_are_refused(
    tree: Path, capsys: pytest.CaptureFixture[str], name: str, old: str, new: str, says: str
) -> None:
    edit(tree / name, old, new)
    commit(tree)
    assert refusal(tree, capsys) == [says]


def test_every_reason_has_its_line(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("1.0.0", "0.1.0", "10.20.30", "1.0.0rc1", "1.0.0b2"):
        assert versions.checked_version(text) == text
    assert len(refusal(tree, capsys, "3.2.1")) == 3


@pytest.mark.parametrize("annotated", [False, True])
def test_a_tag_elsewhere(tree: Path, capsys: pytest.CaptureFixture[str], annotated: bool) -> None:
    git(tree, "tag", *(["--annotate", "--message", "a"] if annotated else []), "v1.2.3")
    tagged = git(tree, "rev-parse", "HEAD")
    (tree / "build").touch()  # so that a release goes no further than what may be refused
    (tree / ".git" / "info" / "exclude").write_text("build\n")
    out = ["--out", str(tree / "build")]
    assert main(["1.2.3", *out], tree) == 2
    assert "holds no release that could be replaced" in capsys.readouterr().err
    (tree / "build").unlink()
    commit(tree)
    says = [f"the tag v1.2.3 is there already, for another commit: {tagged[:7]}"]
    assert refusal(tree, capsys) == says
    assert refusal(tree, capsys, "1.2.3", "--dry-run") == says


def test_what_is_prepared_can_be_released(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(tree / CHANGELOG, "## [Unreleased]", "## [Unreleased]\n\n* More.")
    commit(tree)
    assert main(["1.3.0", "--prepare"], tree) == 0
    assert "1.3.0 is written into" in capsys.readouterr().out
    assert not list(version_faults(tree, "1.3.0"))
    assert git(tree, "status", "--porcelain").count("M ") == 3


# ---- two builds
@pytest.fixture
def builds(tmp_path: Path) -> list[Path]:
    """Two folders with equal files."""
    for name in ("one", "two"):
        (tmp_path / name / "site").mkdir(parents=True)
        (tmp_path / name / "site" / "index.html").write_text("<a href='#a' id='a'>a</a>")
        (tmp_path / name / "site" / "more.html").write_text("<a href='index.html#a'>a</a>")
        (tmp_path / name / "files").mkdir()
        (tmp_path / name / "files" / "notes.md").write_text("what is new")
        pack(tmp_path / name / "site", tmp_path / name / "files" / "a-docs.tar.gz", 10**9)
    return [tmp_path / name / "files" for name in ("one", "two")]


@pytest.mark.parametrize("name", ["notes.md", "a-docs.tar.gz"])
def test_what_differs_is_named(builds: list[Path], name: str) -> None:
    """One changed byte; a file within an archive; a file of one build only."""
    content = bytearray((builds[1] / name).read_bytes())
    content[len(content) // 2] ^= 1
    (builds[1] / name).write_bytes(content)
    (found,) = differences(*builds)
    assert found.startswith(f"{name} has other bytes in the second build")
    site = builds[1].parent / "site"
    (site / "more.html").write_text("made on a Monday")
    pack(site, builds[1] / "a-docs.tar.gz", 10**9)
    (builds[1] / "notes.md").unlink()
    one, other = sorted(differences(*builds))
    assert one.rpartition(": ")[2] == "more.html"
    assert other == "notes.md is there in one build only"


def test_packed_files_say_nothing_of_the_machine(builds: list[Path]) -> None:
    site = builds[1].parent / "site"
    for path in site.iterdir():
        os.utime(path, (1e9 / 2, 1e9 / 2))
        path.chmod(0o700)
    pack(site, builds[1] / "a-docs.tar.gz", 10**9)
    assert not list(differences(*builds))
    with tarfile.open(builds[1] / "a-docs.tar.gz") as archive:
        about = {(it.uid, it.gid, it.uname, it.mode, it.mtime) for it in archive.getmembers()}
    assert about == {(0, 0, "", 0o644, 10**9)}
    assert (builds[1] / "a-docs.tar.gz").read_bytes()[3:8] == bytes(5)  # no name, no time


def test_two_builds_have_nothing_alike() -> None:
    first, second = KINDS
    assert first.folder != second.folder and first.umask != second.umask
    assert first.has_old_files != second.has_old_files
    assert first.settings["TZ"] != second.settings["TZ"]


# ---- the files
def test_digests_are_listed(builds: list[Path]) -> None:
    made.write_sums(builds[0])
    for line in (builds[0] / SUMS).read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((builds[0] / name).read_bytes()).hexdigest() == digest
    assert line.endswith("notes.md")


def test_notes_begin_with_the_wheels_that_are_compiled(tmp_path: Path) -> None:
    (tmp_path / CHANGELOG).write_text("## [1.2.3] - 2026-12-24\n\nWhat is new.\n")
    made.write_notes(tmp_path, tmp_path, "1.2.3")
    text = (tmp_path / made.notes_name("1.2.3")).read_text()
    places = [text.find(f"pip install knuthle-1.2.3-py3-none-{it}.whl") for it in
              (*platforms(), "any")] + [text.find("What is new.")]  # fmt: skip
    assert 0 < max(places[:-2]) < places[-2] < places[-1] and min(places) > 0


def test_every_file_is_known_and_what_fits_here_is_installed(tmp_path: Path) -> None:
    stem = "knuthle-1.2.3"
    pure, own = f"{stem}-py3-none-any.whl", f"{stem}-py3-none-{PLATFORM}.whl"
    wheels = [pure, *(f"{stem}-py3-none-{it}.whl" for it in platforms())]
    packed = [f"{stem}{it}.tar.gz" for it in ("", "-docs", "-web")]
    elsewhere = f"{stem}-py3-none-manylinux_2_17_s390x.whl"
    more = ["knuthle-engine-1.2.3.tgz", made.notes_name("1.2.3"), SUMS, elsewhere]
    known = [*wheels, *packed, *more]
    for name in known:
        (tmp_path / name).touch()
    fitting = [it for it in wheels if it != pure and made.fits_here(it)]
    assert made.files_of(tmp_path, "1.2.3") == sorted([packed[0], pure, *fitting])
    told = what_goes_where(tmp_path, "a" * 40, "1.2.3", dry_run=False)
    assert all(name in told for name in known) and "v1.2.3" in told and "twine upload" in told
    (tmp_path / "more").touch()
    (tmp_path / own).unlink()
    reason = f"{own} is missing; more belongs to no release"
    refused(ReleaseError, reason, made.files_of, tmp_path, "1.2.3")


# ---- programs
def test_a_program_that_fails_shows_its_end(tmp_path: Path) -> None:
    codes = "print(1)", "import sys; sys.exit('no good')"
    commands = [[sys.executable, "-c", it] for it in codes]
    assert side_by_side([partial(run, commands[0], tmp_path)]) == ["1\n"]
    with pytest.raises(ReleaseError, match="exit code 1\nno good"):
        side_by_side([partial(run, it, tmp_path) for it in commands])


#: A tree whose set-up takes for ever.
WAITING_SETUP = "ensure() { echo $$ >>../pids; sleep 600; }\n"


def test_an_interrupt_leaves_nothing_behind(tree: Path, tmp_path: Path) -> None:
    (tree / "tools").mkdir()
    (tree / "tools" / "setup.sh").write_text(WAITING_SETUP)
    commit(tree)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = (
        "import sys; from pathlib import Path; from tools.releasing import __main__ as it\n"
        "sys.exit(it.main(['1.2.3'], Path(sys.argv[1])))"
    )
    running = started([sys.executable, "-c", code, tree], ROOT, TMPDIR=str(temporary))
    pids: list[str] = []
    while len(pids) < len(KINDS):
        assert running.poll() is None
        pids = [it for at in temporary.rglob("pids") for it in re.findall(r"\d+\n", at.read_text())]
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    assert err.endswith("\nrelease: interrupted; nothing is left behind\n")
    assert not list(temporary.iterdir()) and not (tree / "build").exists()
    assert not any(lives(it.strip()) for it in pids)


SETUP = ROOT / "tools" / "setup.sh"
#: The script, which looks for the lock more often than it does otherwise.
EAGER = '. "$0"; sleep() { command sleep 0.02; }'


def lock(folder: Path, after: str = "echo locked") -> subprocess.CompletedProcess[str]:
    """Take the lock of a checkout in ``folder``."""
    script = f"{EAGER}; root=$1; lock && {{ {after}; }}"
    return ran(["bash", "-c", script, SETUP, folder])


def test_the_lock_is_signed_and_given_back(tmp_path: Path) -> None:
    taken = lock(tmp_path, 'cat "$root/.venv.lock/pid"; echo $$')
    first, second = taken.stdout.split()
    assert first == second
    assert not list(tmp_path.iterdir())
    # Where nothing can be written the reason is told.
    (tmp_path / ".venv.lock").write_text("a file, so that root cannot make the directory either")
    untaken = lock(tmp_path)
    assert untaken.returncode == 3 and "no .venv can be made there (mkdir: " in untaken.stderr


@pytest.mark.parametrize("holder", [None, "", "999999999"])
def test_a_lock_that_was_left_behind_is_taken_over(tmp_path: Path, holder: str | None) -> None:
    place = tmp_path / ".venv.lock"
    place.mkdir()
    if holder is not None:
        (place / "pid").write_text(holder)
    assert lock(tmp_path).stdout == "locked\n"


def test_a_lock_in_use_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / ".venv.lock"
    place.mkdir()
    (place / "pid").write_text(str(os.getpid()))
    waiting = started(["bash", "-c", f"{EAGER}; root=$1; lock && echo locked", SETUP, tmp_path])
    assert waiting.stderr
    said = waiting.stderr.readline()
    assert said == f"knuthle: waiting for the set-up by process {os.getpid()} …\n"
    (place / "pid").unlink()
    place.rmdir()
    assert waiting.communicate()[0] == "locked\n"


#: A stand-in for Python whose ``pip`` takes for ever and would say so if it were interrupted.
SLOW_PYTHON = """#!/usr/bin/env bash
case "$*" in
    *"-m venv"*) mkdir -p "$root/.venv/bin"; cp "$0" "$root/.venv/bin/python" ;;
    *"-m pip"*)
        trap 'echo Traceback >&2; exit 1' INT
        echo $$ >"$root/pip.pid"
        while :; do sleep 0.05; done ;;
esac
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_setup_ends_all(tmp_path: Path, number: signal.Signals, code: int) -> None:
    python = tmp_path / "python3"
    python.write_text(SLOW_PYTHON)
    python.chmod(0o755)
    begin = 'set -euo pipefail; . "$0"; root=$1; export root; venv=$root/.venv; lock; '
    script = begin + 'install run "$1/python3"'
    running = started(["bash", "-c", script, SETUP, tmp_path])
    pid = tmp_path / "pip.pid"
    while not (pid.exists() and pid.read_text().endswith("\n")):
        time.sleep(0.02)
    os.killpg(running.pid, number)  # as a terminal does
    said = running.communicate(timeout=60)[1]
    assert (running.returncode, said) == (code, "knuthle: the set-up was interrupted.\n")
    refused(ProcessLookupError, "", os.kill, int(pid.read_text()), 0)
    assert not (tmp_path / ".venv.lock").exists()
    assert (tmp_path / ".venv" / "stamp-unfinished").exists()  # so it is made anew


def test_the_newest_python_is_one_that_works(tmp_path: Path) -> None:
    """A command may be there and fail; then the folder of that version is looked for."""
    commands, versions = tmp_path / "commands", tmp_path / "pyenv root" / "versions"
    for path, script in (
        (commands / "python3.18", "exit 127"),
        (commands / "python3.17", 'case "$*" in *"(3, 17)"*) exit 0 ;; esac; exit 1'),
        (versions / "3.18.1" / "bin" / "python3.18", "exit 127"),
        (versions / "3.16.2" / "bin" / "python3.16", "exit 0"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    path = f"{commands}:{os.environ['PATH']}"
    settings = {"PATH": path, "PYENV_ROOT": str(versions.parent), "PYTHON": sys.executable}
    said = ran(["bash", ROOT / "tools" / "ends", "list"], tmp_path, **settings)
    assert said.returncode == 0, said.stderr
    newest = said.stdout.splitlines()[1]
    first, second = commands / "python3.17", versions / "3.16.2" / "bin" / "python3.16"
    assert newest.startswith(f"newest: {first} {second}")


#: Becomes another command, with an interrupt that has come and waits.
INTERRUPTED = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
os.kill(os.getpid(), signal.SIGINT)
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_an_interrupt_before_python_begins_is_not_lost() -> None:
    """Python itself would answer with a traceback, so it waits until it can end the process."""
    done = ran([sys.executable, "-c", INTERRUPTED, ROOT / "tools" / "run", "lists"])
    assert (done.stdout, done.stderr) == ("", "")
    assert done.returncode in (-signal.SIGINT, 130)
