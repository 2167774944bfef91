"""Make a release: ``tools/release VERSION`` calls this."""

import argparse
import datetime
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from tools import wheel as wheels
from tools.releasing.builds import (
    KINDS,
    SUMS,
    Build,
    Source,
    built,
    differences,
    files_of,
    write_sums,
)
from tools.releasing.running import ReleaseError, Steps, run, side_by_side
from tools.releasing.versions import (
    CHANGELOG,
    CITATION,
    PROJECT,
    checked_version,
    git,
    set_version,
    tag_of,
    tree_faults,
    version_faults,
)

ROOT = Path(__file__).resolve().parents[2]

ABOUT = """
Make a release. All its files are built twice, in two clones of the commit that have other
folders, times, umasks and languages: the source distribution, the wheels, the pages of the
documentation. The bytes must be the same. Then packages are installed into an empty environment
and do the main job there, as far as they are for this machine. At the end stands what is to be
uploaded where; nothing is uploaded.
"""
MORE = """
Refused are: a tree with changes or files that git does not know; a version that is not the same in
pyproject.toml, CITATION.cff and the changelog; a changelog without a dated section of it; a tag
that another commit has. It takes some ten minutes on two cores. Exit code: 0 done, 1 a check
failed, 2 refused, 3 something could not be built, 130 interrupted.

Examples: tools/release 1.0.0 --prepare; tools/release 1.0.0; tools/release 1.0.0rc1 --dry-run
"""


def main(argv: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Make a release of a tree, or say in one line each what speaks against it; the exit code."""
    args = _parser().parse_args(argv)
    try:
        version = checked_version(args.version)
        if args.prepare:
            return prepare(root, version)
        out = args.out or root / "build" / f"release-{version}"
        release(root, version, out.absolute(), dry_run=args.dry_run)
    except ReleaseError as error:
        for line in str(error).splitlines():
            print(f"release: {line}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:  # the terminal has told all programs too
        print("\nrelease: interrupted; nothing is left behind", file=sys.stderr)
        return 130
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tools/release", description=ABOUT, epilog=MORE, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("version", metavar="VERSION", help="such as 1.0.0 or 1.0.0rc1")
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--dry-run", action="store_true",
        help="the same in a clone, where the version is set and what is unreleased is its section",
    )  # fmt: skip
    way.add_argument(
        "--prepare", action="store_true",
        help="only write the version and today's date into the three files, to be committed",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="where the files go (build/release-VERSION)"
    )
    return parser


def _refuse(faults: Iterator[str]) -> None:
    lines = list(faults)
    if lines:
        raise ReleaseError("\n".join(lines), 2)


def _today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def prepare(root: Path, version: str) -> int:
    """Write a version into a tree; what is there after that is to be looked at and committed."""
    _refuse(tree_faults(root, version))
    set_version(root, version, _today())
    _refuse(version_faults(root, version))
    print(
        f"{version} is written into {PROJECT}, {CITATION} and {CHANGELOG}: look at it, commit it,"
    )
    print(f"then run tools/release {version}")
    return 0


def release(root: Path, version: str, out: Path, *, dry_run: bool) -> None:
    """Build, compare and try all files of a release, and leave them in a folder.

    Raises:
        ReleaseError: The tree cannot be released as it is, or something failed.
    """
    _refuse(tree_faults(root, version))
    if not dry_run:
        _refuse(version_faults(root, version))
    replaceable = out.is_dir() and ((out / SUMS).exists() or not any(out.iterdir()))
    if out.exists() and not replaceable:
        raise ReleaseError(f"{out} is there, and holds no release that could be replaced", 2)
    say = Steps()
    with tempfile.TemporaryDirectory(prefix="knuthle-release-") as name:
        work = Path(name).resolve()
        source = _source(root, version, work / "prepared", dry_run)
        say(f"{version} from commit {git(root, 'rev-parse', '--short', 'HEAD')}: not refused")
        build = _built_twice(source, work, say)
        _tried(build, version, say)
        if out.exists():
            shutil.rmtree(out)
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(build.files, out)
        say("the files are in their place; what was needed on the way is removed")
    say("done")
    print(what_goes_where(out, source.commit, version, dry_run=dry_run))


def _source(root: Path, version: str, prepared: Path, dry_run: bool) -> Source:
    """What is cloned: the tree, or for a dry run a clone with the version set and committed."""
    repository = root
    if dry_run:
        git(root, "-c", "core.autocrlf=false", "clone", "--quiet", ".", str(prepared))
        git(prepared, "checkout", "--quiet", "--detach", git(root, "rev-parse", "HEAD"))
        set_version(prepared, version, _today())
        _refuse(version_faults(prepared, version))
        who = "-c user.name=release -c user.email=release -c core.hooksPath=/dev/null".split()
        git(prepared, *who, "commit", "--all", "--quiet", "--no-gpg-sign", "--allow-empty",
            "--message", f"Version {version}")  # fmt: skip
        repository = prepared
    seconds = int(git(repository, "log", "-1", "--format=%ct"))
    return Source(repository, git(repository, "rev-parse", "HEAD"), seconds, version)


def _built_twice(source: Source, work: Path, say: Steps) -> Build:
    """Build everything twice, side by side, and compare."""
    first, second = side_by_side([partial(built, source, kind, work, say) for kind in KINDS])
    faults = list(differences(first.files, second.files))
    if faults:
        raise ReleaseError("\n".join(faults))
    say(f"the bytes of {len(list(first.files.iterdir()))} files are the same in both builds")
    write_sums(first.files)
    return first


def _tried(build: Build, version: str, say: Steps) -> None:
    """See that nothing is missing, and install what this machine can."""
    installs, stem = files_of(build.files, version), f"knuthle-{version}"
    packages = (f"{stem}.tar.gz", f"{stem}-py3-none-any.whl")
    faults = wheels.faults_of(
        {it for name in packages for it in wheels.contents(build.files / name)}
    )
    if faults:
        raise ReleaseError("\n".join(faults))

    def install(name: str) -> str:
        said = run([build.clone / "tools" / "check_wheel", build.files / name], build.clone)
        say(f"installed, and does the main job: {name}")
        return said.partition("outside the checkout: ")[2].split()[0]

    digests = side_by_side([partial(install, name) for name in installs])
    if len(set(digests)) > 1:
        raise ReleaseError(
            f"the main job writes other bytes: {dict(zip(installs, digests, strict=True))}"
        )


def what_goes_where(out: Path, commit: str, version: str, *, dry_run: bool) -> str:
    """What a maintainer does next with the files of a release."""
    names, tag = sorted(it.name for it in out.iterdir()), tag_of(version)
    packages = [it for it in names if it.endswith(".whl") or it == f"knuthle-{version}.tar.gz"]
    rest = "".join(f"       {it}\n" for it in names if it not in packages)
    first = "A dry run: nothing of this is to be uploaded. A release would be:\n" if dry_run else ""
    return (
        f"{first}In {out}, and nothing of it is uploaded. Now, in this order:\n"
        f"  1. the tag: git tag --annotate {tag} -m 'knuthle {version}' {commit[:12]}\n"
        f"     and git push origin {tag}, by which the workflow 'release' uploads all packages;\n"
        f"     without it: cd {out} && twine upload {' '.join(packages)}\n"
        f"  2. the release page of the repository: the text of the notes, all packages, and\n{rest}"
        "  3. where the site is: what is packed in -docs.tar.gz and -web.tar.gz"
    )


if __name__ == "__main__":
    sys.exit(main())
