"""``--weights`` in openers, buckets, suggest and whole strategies."""

import hashlib
import json
import random
from dataclasses import replace
from operator import mul
from pathlib import Path

import numpy as np
import pytest

from solver.errors import WrongInputError
from solver.exact.problem import whole_weights
from strategy import Settings, Strategy, load_game, optimal, solve, verify
from strategy.checkers import verify as core
from strategy.files.strategy_file import tree_of
from strategy.play.weights import weighted_game
from strategy.solving.optimal import _asked_for
from strategy.verification import weights_of
from tests.support import naive, naive_review, refused
from tests.support.commands import Knuthle, report_of
from tests.support.naive_exact import weighted_values

WEIGHTS = {"crane": 3.0, "slate": 2.5, "raise": 0.5, "stare": 1.0}


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "weights.txt"
    path.write_text("".join(f"{word} {weight}\n" for word, weight in WEIGHTS.items()))
    return path


def test_each_counts_by_them(knuthle: Knuthle, tiny: Path, weights: Path) -> None:
    for line, key in (("openers", "openers"), ("buckets crane", "splits"), ("suggest", None)):
        options = (*line.split(), "--list", tiny, "--weights", weights)
        result = report_of(knuthle, *options)
        assert result["weights"] == {"count": 4, "n_left_out": 3, "n_no_secrets": 0}
        rows = result[key or "suggestions"]
        assert rows
        for row in rows:
            expected = naive_review.measures(row["word"], WEIGHTS)
            for name in expected.keys() & row.keys():
                assert row[name] == pytest.approx(float(expected[name]), abs=1e-8)


@pytest.mark.parametrize("hard", [False, True])
def test_expected_guesses_by_plain_python(
    knuthle: Knuthle, tiny: Path, weights: Path, hard: bool
) -> None:
    """At the beginning, and in hard mode after a guess."""
    played = [("abide", naive.grade("abide", "crane"))] if hard else []
    state = [f"abide.{naive.marks('abide', 'crane')}", "--hard"] if hard else []
    options = ("suggest", *state, "--list", tiny, "--weights", weights)
    result = report_of(knuthle, *options)
    ahead = naive_review.Ahead(tuple(tiny.read_text().split()), WEIGHTS, hard)
    left, words = ahead.after(played)
    best = ahead.best(left, words)
    assert set(result["exact"]["guesses"]) == set(best)
    assert result["exact"]["mean"] == pytest.approx(float(min(best.values())))
    assert (result["exact"]["total"], result["exact"]["limit"]) == (None, None)
    for row in result["suggestions"]:
        assert row["mean"] == pytest.approx(float(ahead.expected(row["word"], left, words)))
        assert row["total"] is None
    means = [row["mean"] for row in result["suggestions"]]
    assert means == pytest.approx(sorted(means))


# ---- Whole strategies


#: In halves: the weights of these tests as whole numbers.
WHOLE = {word: int(2 * weight) for word, weight in WEIGHTS.items()}


def least_totals(tiny: Path, within: int = 6, hard: bool = False) -> dict[str, int]:
    """By brute force."""
    return weighted_values(tiny.read_text().split(), WHOLE, within, hard)


@pytest.mark.parametrize("options", ["", "--hard", "--start slate", "--within none", "--top 3"])
def test_optimal(knuthle: Knuthle, tiny: Path, weights: Path, options: str) -> None:
    truth = least_totals(tiny, hard="--hard" in options)
    least = truth["slate"] if "slate" in options else min(truth.values())
    line = (*options.split(), "--list", tiny, "--weights", weights, "--workers", 1)
    result = report_of(knuthle, "optimal", *line)
    assert (result["total"], result["mean"], result["proved"]) == (least, least / 14, True)
    assert result["lower_bound"] == result["openers"][0]["total"] == least
    assert result["weights"]["sum"] == 14 and result["weights"]["n_left_out"] == 3
    for opener in result["openers"]:
        if opener["proved"]:
            assert opener["total"] == truth[opener["word"]]
    [file] = Path().glob("*.strategy")
    assert file.name == result["file"] and "-weighted" in file.name
    strategy = Strategy.load(file)
    taken = verify(strategy, tiny).taken
    assert sum(number * taken[word] for word, number in WHOLE.items()) == least
    claimed = strategy.origin.weights
    assert (claimed["sum"], claimed["total"]) == (14, least)
    lines = "\n".join(f"{word} {WHOLE[word]}" for word in sorted(WHOLE))
    assert claimed["digest"] == hashlib.sha256(lines.encode()).hexdigest()
    assert result["weights"]["digest"] == claimed["digest"]
    assert knuthle("verify", file, "--list", tiny).code == 0


def test_the_better_bound_is_by_weight(tiny: Path) -> None:
    """A file of another question, or of other weights, does not keep a bound from its place."""
    game = load_game(str(tiny))
    plain = optimal(game, workers=1)
    found = optimal(game, weights=np.arange(1.0, len(game.secrets) + 1), workers=1)
    other = optimal(game, weights=np.ones(len(game.secrets)), workers=1)
    assert other.lower_bound == plain.lower_bound
    strategies = [it.strategy for it in (plain, found, other) if it.strategy is not None]
    asked = {json.dumps(_asked_for(one, True), sort_keys=True) for one in strategies}
    assert len(asked) == 3
    for wrong in (np.ones(2), np.zeros(len(game.secrets)), np.full(len(game.secrets), np.inf)):
        refused(WrongInputError, "positive numbers", optimal, game, weights=wrong)


# ---- Claims by weight, checked
def test_another_total_is_named(knuthle: Knuthle, tiny: Path, weights: Path) -> None:
    made = ("--list", tiny, "--weights", weights, "--out", "s", "--workers", 1)
    assert knuthle("optimal", *made).code == 0
    least = min(least_totals(tiny).values())
    line = ("--list", tiny, "--weights", weights)
    strategy = Strategy.load("s")
    claimed = strategy.origin.weights
    assert report_of(knuthle, "verify", "s", *line)["weights"] == claimed | {"mean": least / 14}
    claim = strategy.origin.claim | {"weights": claimed | {"total": least - 1}}
    replace(strategy, origin=replace(strategy.origin, claim=claim)).save("wrong")
    said = knuthle("verify", "wrong", *line)
    assert said.code == 1 and f"or wrong: it takes {least}" in said.out


#: Files of weights: those of `agent` and `crane` as whole numbers, or the line that is refused.
FILES = {
    "agent 1\ncrane 2": (1, 2), "AGENT,1\n\n  crane ,\t2 # rare\n# no more\n": (1, 2),
    "\ufeffagent +3\r\ncrane .5\r\n": (6, 1), "agent 1e-3\ncrane 1E+2": (1, 100_000),
    "agent 2.\ncrane 007.50": (4, 15), "crane 3\nagent 3": (1, 1),
    "agent 1e-300\ncrane 3e-300": (1, 3), "agent 1\u00a02": 1, "agent\u00a01\ncrane\u30002": (1, 2),
    "agent 1\ncrane 2\nagent 1": 3, "agent 1\ncrane 2\nAGENT 4": 3, "agent 1\nagent 0": 2,
    "crane 2\nagent 1_000": 2, "agent \u0661\u0662": 1, "agent \uff11": 1, "agent nan": 1,
    "agent -1": 1, "agent - 1": 1, "crane 2\nagent 1e400": 2, "agent inf": 1, "agent 0x1": 1,
    "agent 1 2": 1, "agent,1,2": 1, "agent 1,": 1, "agent,,1": 1, ",1": 1, ", agent 1": 1, "1": 1,
    "agent": 1, "agent # 1": 1, "agent x": 1, "agent 1.2.3": 1, "agent .": 1, "agent e5": 1,
    "agent 1e": 1, "agent 1e5.5": 1, "agent;1": 1, "agent 1/2": 1,
}  # fmt: skip


@pytest.mark.parametrize("text", FILES)
def test_both_readers_of_weights_say_the_same(knuthle: Knuthle, tmp_path: Path, text: str) -> None:
    path, words, expected = tmp_path / "weights", tmp_path / "words", FILES[text]
    path.write_text(text, encoding="utf-8", newline="")
    words.write_text("agent\ncrane\n")
    solve(load_game(words), Settings(("agent",))).strategy.save(tmp_path / "s")
    said = knuthle("verify", tmp_path / "s", "--list", words, "--weights", path, "--json", "-")
    if isinstance(expected, int):
        refused(WrongInputError, f"weights:{expected}: ", weighted_game, load_game(words), path)
        assert said.code == 2 and f"weights:{expected}: " in said.err
        return
    assert whole_weights(weighted_game(load_game(words), path).weights.tolist()) == expected
    found = json.loads(said.out)["weights"]
    assert (found["sum"], found["total"]) == (sum(expected), expected[0] + 2 * expected[1])


def test_the_checker_weighs_as_the_search_does(tmp_path: Path) -> None:
    words = sorted(WEIGHTS)
    tree, dice = tree_of(solve(load_game(words)).strategy), random.Random(3)
    for _ in range(30):
        texts = [dice.choice(["3", "0.1", "2.50", "1e-3", ".5", "7.125", "1E2"]) for _ in words]
        path = tmp_path / "weights"
        path.write_text("\n".join(map(" ".join, zip(words, texts, strict=True))))
        taken = {word: number for number, word in enumerate(words, 1)}
        found = core.weigh(tree, weights_of(path), taken)
        whole = whole_weights(map(float, texts))
        assert found["sum"] == sum(whole)
        assert found["total"] == sum(map(mul, whole, taken.values()))
