"""The records of docs/records.md: every file is checked again, and says what the page says."""

import re

import pytest

from strategy import Strategy, verify
from tests.support import ROOT

PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
FOLDER = ROOT / "data" / "records"
#: The question, the total, the file.
ROWS = re.findall(
    r"^\| (from .+?) \| [^|]+ \| ([\d,]+) \| [^|]+ \| `(.+?)` \|$", PAGE, re.MULTILINE
)


def test_every_file_has_a_row_and_a_command() -> None:
    named = sorted(path.name for path in FOLDER.iterdir())
    assert named == sorted(name for _, _, name in ROWS)
    assert named == sorted(re.findall(r"^\| `(.+?)` \| `optimal ", PAGE, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.parametrize(("question", "total", "name"), ROWS)
def test_a_record_holds(question: str, total: str, name: str) -> None:
    limit = 6 if "within six" in question else None
    verdict = verify(FOLDER / name, within=limit)
    assert verdict.lists == "list original as shipped"
    assert len(verdict.taken) == 12_972 and verdict.total == int(total.replace(",", ""))
    assert Strategy.load(FOLDER / name).origin.start == (
        re.findall(r"[A-Z]{5}", question)[0].lower(),
    )
