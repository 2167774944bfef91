"""Build the site: ``./tools/docs`` calls this."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

from strategy.web import folder

from .commands import write_command_pages
from .links import wrong_links
from .openers import write_opener_table
from .pictures import write_pictures
from .sources import ROOT, TRY, copy_sources

BUILD = ROOT / "build" / "docs"


def main() -> int:
    """Generate, build, check; the exit code."""
    began = time.perf_counter()
    sources, site = BUILD / "sources", BUILD / "site"
    copy_sources(sources)
    write_command_pages(sources / "made" / "commands")
    write_pictures(sources / "made" / "pictures")
    write_opener_table(sources / "made")
    shutil.rmtree(site, ignore_errors=True)
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += ["-c", str(ROOT / "docs"), "-d", str(BUILD / "doctrees"), str(sources), str(site)]
    built = subprocess.run(command, check=False, cwd=ROOT)
    if built.returncode:
        print("docs: not built; see above", file=sys.stderr)
        return 1
    folder.write(site / TRY)
    faults = wrong_links(site.resolve())
    for fault in faults:
        print(f"docs: {fault}", file=sys.stderr)
    if faults:
        return 1
    n_pages = sum(1 for _ in Path(site).rglob("*.html"))
    took = time.perf_counter() - began
    print(f"docs: {n_pages} pages in {took:.0f} s, every link checked: {site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
