"""``--weights`` in openers, buckets and suggest."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import naive_weights
from tests.support.commands import Knuthle
from tests.support.naive_review import Ahead

WEIGHTS = {"crane": 3.0, "slate": 2.5, "raise": 0.5, "stare": 1.0}


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "weights.txt"
    path.write_text("".join(f"{word} {weight}\n" for word, weight in WEIGHTS.items()))
    return path


def test_each_says_so_and_counts_by_them(knuthle: Knuthle, tiny: Path, weights: Path) -> None:
    for line, key in (("openers", "openers"), ("buckets crane", "splits"), ("suggest", None)):
        options = (*line.split(), "--list", tiny, "--weights", weights)
        said = knuthle(*options)
        about = "averages over 4 secrets by weight, 3 without weight left out"
        assert said.code == 0 and said.out.splitlines()[key == "openers"] == about
        result: dict[str, Any] = json.loads(knuthle(*options, "--json", "-").out)
        assert result["weights"] == {"count": 4, "n_left_out": 3, "n_no_secrets": 0}
        rows = result[key or "suggestions"]
        assert rows
        for row in rows:
            expected = naive_weights.measures(row["word"], WEIGHTS)
            for name in expected.keys() & row.keys():
                assert row[name] == pytest.approx(float(expected[name]), abs=1e-8)


def test_expected_guesses_by_plain_python(knuthle: Knuthle, tiny: Path, weights: Path) -> None:
    options = ("suggest", "--list", tiny, "--weights", weights)
    result = json.loads(knuthle(*options, "--json", "-").out)
    words = tuple(tiny.read_text().split())
    ahead, left = Ahead(words, WEIGHTS), frozenset(WEIGHTS)
    best = ahead.best(left, words)
    assert set(result["exact"]["guesses"]) == set(best)
    assert result["exact"]["mean"] == pytest.approx(float(min(best.values())))
    assert (result["exact"]["total"], result["exact"]["limit"]) == (None, None)
    for row in result["suggestions"]:
        assert row["mean"] == pytest.approx(float(ahead.expected(row["word"], left, words)))
        assert row["total"] is None
    means = [row["mean"] for row in result["suggestions"]]
    assert means == pytest.approx(sorted(means))
    said = knuthle(*options, "--all").out
    assert "exact, over the 4 remaining secrets by weight, without a limit" in said
    assert json.loads(knuthle(*options, "--hard", "--json", "-").out)["exact"] is None


def test_chances_of_buckets(knuthle: Knuthle, tiny: Path, weights: Path) -> None:
    said = knuthle("buckets", "crane", "--list", tiny, "--weights", weights, "--csv", "-")
    header, *rows = said.out.splitlines()
    assert header.endswith(",chance")
    assert sum(float(row.rpartition(",")[2]) for row in rows) == pytest.approx(1)
    both = knuthle("buckets", "crane", "stare", "--list", tiny, "--weights", weights).out
    assert both.count("expected size") == 2


@pytest.mark.parametrize(("line", "reason"), [
    ("openers --by letters", "--by letters counts letters of guesses"),
    ("suggest slate bbbbb", "no secret of tiny list (allowed with a weight) gives slate bbbbb"),
    ("buckets crane --json weights.txt", "weights.txt"),
])  # fmt: skip
def test_refused(knuthle: Knuthle, tiny: Path, weights: Path, line: str, reason: str) -> None:
    before = weights.read_text()
    line = line.replace("weights.txt", str(weights))
    said = knuthle(*line.split(), "--list", tiny, "--weights", weights)
    assert said.code == 2 and reason in said.err
    assert weights.read_text() == before
