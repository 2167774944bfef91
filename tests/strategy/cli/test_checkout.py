"""The commit that ``--version`` names: what git says of our own repository, and of no other."""

import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from strategy.cli import checkout, options
from strategy.cli.checkout import described
from tests.support.commands import Knuthle

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@needs_git
def test_the_commit_is_what_git_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "pyproject.toml"
    git(tmp_path, "init", "--quiet")
    project.write_text("one")
    assert described(tmp_path) == ""  # nothing is committed
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--no-gpg-sign", "-m", "one")
    git(tmp_path, "tag", "1.0.0")
    commit = git(tmp_path, "rev-parse", "--short=7", "HEAD")
    (tmp_path / "untracked").touch()
    assert described(tmp_path) == f"commit {commit}"
    git(tmp_path, "worktree", "add", "--quiet", "further")
    assert described(tmp_path / "further") == f"commit {commit}"
    project.write_text("two")
    assert described(tmp_path) == f"commit {commit} with changes"
    git(tmp_path, "add", "pyproject.toml")
    assert described(tmp_path) == f"commit {commit} with changes"
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "another"))  # as within a hook
    assert described(tmp_path) == f"commit {commit} with changes"
    monkeypatch.setenv("PATH", str(tmp_path / "no git here"))
    assert described(tmp_path) == ""


@needs_git
def test_a_repository_around_a_source_distribution_is_somebody_elses(tmp_path: Path) -> None:
    """Be it above the folder of the distribution or of an installation, or in that folder."""
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--no-gpg-sign", "--allow-empty", "-m", "one")
    assert described(tmp_path) == ""
    inner = tmp_path / "knuthle-1.0.0"
    inner.mkdir()
    for folder in (tmp_path, inner):
        (folder / "pyproject.toml").touch()
    assert described(inner) == "" != described(tmp_path)
    (inner / ".git").write_text("gitdir: nowhere\n")
    assert described(inner) == "", "what is damaged is no error"
    (tmp_path / "PKG-INFO").touch()
    assert described(tmp_path) == ""


def test_the_version_is_that_of_the_package_and_one_line(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    for note, shown in (("", ""), ("commit 6deef76", " (commit 6deef76)")):
        monkeypatch.setattr(checkout, "described", lambda note=note: note)
        assert options.version() == f"knuthle {version('knuthle')}{shown}"
        for command in (["--version"], ["solve-all", "--version"]):
            assert knuthle(*command).out == f"{options.version()}\n"
