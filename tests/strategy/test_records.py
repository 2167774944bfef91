"""The records of docs/records.md: every file is checked again, and says what the page says."""

import csv
import lzma
import random
import re

import pytest

from strategy import Strategy, load_game, optimal, verify
from tests.support import ROOT

PAGE = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
FOLDER = ROOT / "data" / "records"
#: The question, the total, the file.
ROWS = re.findall(
    r"^\| (from .+?) \| [^|]+ \| ([\d,]+) \| [^|]+ \| `(.+?)` \|$", PAGE, re.MULTILINE
)


def test_every_file_has_a_row_and_a_command() -> None:
    named = sorted(path.name for path in FOLDER.glob("*.strategy"))
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


def rows_of_openers() -> list[dict[str, str]]:
    with lzma.open(FOLDER / "openers-answers.csv.xz", "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_opener_has_a_row() -> None:
    rows = rows_of_openers()
    assert sorted(row["opener"] for row in rows) == sorted(load_game("original").guesses)
    exact = {row["opener"]: int(row["value"]) for row in rows if row["state"] == "exact"}
    [told] = re.findall(r"([\d,]+) of them are exact so far", PAGE)
    assert len(exact) == int(told.replace(",", ""))
    assert min(exact.values()) >= 7920
    [worst, value] = re.findall(r"the worst so far is ([A-Z]{5}), ([\d,]+)", PAGE)[0]
    assert exact[worst.lower()] == int(value.replace(",", "")) == max(exact.values())


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_a_row_of_an_opener_is_found_again(number: int) -> None:
    exact = [row for row in rows_of_openers() if row["state"] == "exact"]
    row = random.Random(number).choice(exact)
    found = optimal(load_game("original"), start=[row["opener"]], within=None, workers=1)
    assert found.proved and found.strategy is not None
    assert found.strategy.total == int(row["value"])
