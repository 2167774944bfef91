"""Record what is public now, in ``docs/promised``; ``docs/stability.md`` says what that means.

    .venv/bin/python -m tools.promises              says what has changed, and records what is new
    .venv/bin/python -m tools.promises --breaking   records also what breaks the promise

The second is for a new major version, and for the time before the first release.
"""

import argparse
import sys

from . import LISTINGS, SIGNATURES, found_lines, recorded_lines, signatures
from .differences import changes


def main() -> int:
    """Say what has changed, and record it unless it breaks what is promised; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.promises", description=__doc__)
    parser.add_argument("--breaking", action="store_true", help="record what breaks the promise")
    given = parser.parse_args()
    code = 0
    for name, path in LISTINGS.items():
        found = found_lines(name)
        all_changes = changes(recorded_lines(name), found)
        for change in all_changes:
            print(f"{path.name}: {'BREAKS ' if change.breaks else ''}{change.what}")
        if path.exists() and any(change.breaks for change in all_changes) and not given.breaking:
            code = 1
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(found) + "\n", encoding="utf-8")
    SIGNATURES.write_text(signatures(), encoding="utf-8")
    if code:
        print("not recorded: docs/stability.md says what may break, and when (--breaking)")
    return code


if __name__ == "__main__":
    sys.exit(main())
