"""Tables that are committed: CSV, compressed by xz, the same bytes for the same rows."""

import csv
import io
import lzma
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "data" / "records"
#: The least total of every opener over the answers, without a limit; in hard mode, too; and which
#: openers can find all 12,972 words within six guesses. All rows of them are settled. The last has
#: bounds of the least total without a limit, any of the 12,972 words hidden.
TABLE = RECORDS / "openers-answers.csv.xz"
HARD_TABLE = RECORDS / "openers-answers-hard.csv.xz"
WITHIN_TABLE = RECORDS / "openers-allowed-within-6.csv.xz"
ALLOWED_TABLE = RECORDS / "openers-allowed.csv.xz"


def compressed(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table with its heads."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return lzma.compress(out.getvalue().encode(), preset=9 | lzma.PRESET_EXTREME)


def rows_of(content: bytes) -> list[dict[str, str]]:
    """The rows of such a table, each with its fields by their names."""
    return list(csv.DictReader(io.StringIO(lzma.decompress(content).decode())))
