"""What is promised from 1.0 on, as listings: names, options, keys; and what has changed in them."""

from .names import ROOT, public_names, signatures
from .outputs import public_outputs

__all__ = ["LISTINGS", "SIGNATURES", "found_lines", "recorded_lines", "signatures"]

#: The page of signatures; and listing → its file. ``python -m tools.promises`` writes them.
SIGNATURES = ROOT / "docs" / "api" / "signatures.md"
LISTINGS = {
    "names": ROOT / "docs" / "promised" / "names.txt",
    "output": ROOT / "docs" / "promised" / "output.txt",
}


def found_lines(listing: str) -> list[str]:
    """What is public now, a name on each line."""
    return public_names() if listing == "names" else public_outputs()


def recorded_lines(listing: str) -> list[str]:
    """What has been recorded as public; nothing before there is a record."""
    path = LISTINGS[listing]
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
