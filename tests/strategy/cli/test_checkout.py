"""The commit that ``--version`` names: read from files of git, of our own repository only."""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from strategy.cli import checkout, options
from strategy.cli.checkout import commit_of, described
from tests.support.commands import Knuthle, ran

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
DIGEST, OTHER = "6deef76" + "0" * 33, "abcdef0" + "1" * 33


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout on a branch, as far as the files say which commit it is; no git looks at it."""
    root = tmp_path / "check out"
    (root / ".git" / "refs" / "heads").mkdir(parents=True)
    (root / "pyproject.toml").touch()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "refs" / "heads" / "main").write_text(f"{DIGEST}\n")
    monkeypatch.setattr(checkout, "has_changes", lambda root: False)
    return root


def test_a_branch(root: Path) -> None:
    assert described(root) == "commit 6deef76"
    (root / ".git" / "refs" / "heads" / "main").write_text(f"{OTHER}\n")
    assert described(root) == "commit abcdef0"


def test_a_branch_in_the_list_of_names(root: Path) -> None:
    (root / ".git" / "refs" / "heads" / "main").unlink()
    packed = (
        f"# pack-refs with: peeled\n{OTHER} refs/heads/main2\n{DIGEST} refs/heads/main\n^{OTHER}\n"
    )
    (root / ".git" / "packed-refs").write_text(packed)
    assert described(root) == "commit 6deef76"


def test_a_file_is_newer_than_the_list_of_names(root: Path) -> None:
    (root / ".git" / "packed-refs").write_text(f"{OTHER} refs/heads/main\n")
    assert described(root) == "commit 6deef76"


def test_a_detached_head(root: Path) -> None:
    (root / ".git" / "HEAD").write_text(f"{OTHER}\n")
    assert described(root) == "commit abcdef0"


def test_a_worktree_has_its_own_head_and_shares_the_names(root: Path, tmp_path: Path) -> None:
    own = root / ".git" / "worktrees" / "second"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (own / "HEAD").write_text("ref: refs/heads/second\n")
    (root / ".git" / "refs" / "heads" / "second").write_text(f"{OTHER}\n")
    second = tmp_path / "second"
    second.mkdir()
    (second / "pyproject.toml").touch()
    for place in (own, "../check out/.git/worktrees/second"):
        (second / ".git").write_text(f"gitdir: {place}\n")
        assert described(second) == "commit abcdef0"


@pytest.mark.parametrize(
    "head",
    [
        "",
        "ref: refs/heads/none",
        "ref: refs/../../secret",
        "ref: refs/heads/main2",
        "6deef76",
        "z" * 40,
    ],
)
def test_what_cannot_be_read_is_not_told(root: Path, head: str) -> None:
    (root / ".git" / "refs" / "heads" / "main2").write_text("ref: refs/heads/main2\n")  # a circle
    (root / "secret").write_text(OTHER)
    (root / ".git" / "HEAD").write_text(head)
    assert described(root) == ""


def test_a_damaged_repository_is_no_error(root: Path) -> None:
    (root / ".git" / "HEAD").write_bytes(b"\xff\xfe")
    assert described(root) == ""
    shutil.rmtree(root / ".git")
    (root / ".git").write_text("gitdir: nowhere\n")
    assert described(root) == ""


def test_a_repository_around_an_unpacked_source_distribution_is_somebody_elses(root: Path) -> None:
    """Be it above the folder of the distribution, or in that folder."""
    inner = root / "knuthle-1.0.0"
    inner.mkdir()
    (inner / "pyproject.toml").touch()
    assert described(inner) == ""
    (root / "PKG-INFO").touch()
    assert described(root) == ""


def test_a_repository_of_an_installation_is_somebody_elses(root: Path) -> None:
    (root / "pyproject.toml").unlink()
    assert described(root) == ""


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@needs_git
def test_git_says_the_same_and_knows_of_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "pyproject.toml"
    git(tmp_path, "init", "--quiet")
    assert described(tmp_path) == ""  # nothing is committed
    project.write_text("one")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--no-gpg-sign", "-m", "one")
    commit = git(tmp_path, "rev-parse", "HEAD")
    assert commit_of(tmp_path) == commit
    (tmp_path / "untracked").touch()
    assert described(tmp_path) == f"commit {commit[:7]}"
    project.write_text("two")
    assert described(tmp_path) == f"commit {commit[:7]} with changes"
    git(tmp_path, "add", "pyproject.toml")
    assert described(tmp_path) == f"commit {commit[:7]} with changes"
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another"))  # as within a hook
    assert described(tmp_path) == f"commit {commit[:7]} with changes"
    monkeypatch.setenv("PATH", str(tmp_path / "no git here"))
    assert described(tmp_path) == f"commit {commit[:7]}"
    monkeypatch.undo()
    git(tmp_path, "pack-refs", "--all")
    assert commit_of(tmp_path) == commit
    git(tmp_path, "worktree", "add", "--quiet", "further")
    assert commit_of(tmp_path / "further") == commit


def test_the_version_is_that_of_the_package_and_one_line(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    for note, shown in (("", ""), ("commit 6deef76", " (commit 6deef76)")):
        monkeypatch.setattr(checkout, "described", lambda note=note: note)
        assert options.version() == f"knuthle {version('knuthle')}{shown}"
        for command in (["--version"], ["solve-all", "--version"]):
            assert knuthle(*command).out == f"{options.version()}\n"


def test_no_other_command_asks_for_the_commit(tmp_path: Path) -> None:
    code = (
        "import sys; from strategy import cli; assert cli.main(['lists']) == 0;"
        " sys.exit('strategy.cli.checkout' in sys.modules)"
    )
    assert ran([sys.executable, "-c", code], tmp_path).returncode == 0
