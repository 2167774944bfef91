"""The file of an interrupted exact search: only a whole one of the same question is resumed."""

import json
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.exact.best_strategy import best_strategy
from solver.exact.problem import GuessBounds, Problem
from strategy.checkers.proof import WrongProofError
from strategy.errors import BadFileError, OutputError
from strategy.files import envelope, strategy_file
from strategy.solving import search
from strategy.solving.optimal import optimal, strategy_of_answer
from strategy.solving.search import Checkpoint, read_checkpoint
from tests.support import raising, refused
from tests.support.commands import Knuthle, report_of
from tests.support.naive_exact import values_of_guesses
from tests.support.worlds import game_of

GAME = game_of(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
PROBLEM = Problem(GAME, hard=False, within=6)
FOUND = {1: (14, True), 3: (15, False)}
Found = dict[int, tuple[int, bool]]


def save(found: Found, path: str | Path = "aside", problem: Problem = PROBLEM) -> None:
    search.save_checkpoint(path, problem, GuessBounds(found=dict(found)))


def read(path: Path, problem: Problem = PROBLEM) -> Checkpoint:
    findings = read_checkpoint(path, problem)
    assert findings is not None
    return findings


def resumed(path: Path) -> Found:
    state = GuessBounds()
    state.add_all(read(path).found)
    return state.found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "aside"


def body_of(*rows: tuple[int, int, int, int]) -> dict[str, Any]:
    """The body of a file with these rows: guess, lost, total, exact."""
    columns = zip(*rows, strict=True)
    packed = map(strategy_file.pack_column, columns)
    head = search.problem_facts(PROBLEM) | {"version": 2, "count": len(rows)}
    return head | dict(zip(("guess", "lost", "total", "exact"), packed, strict=True))


RIGHT = (1, 0, 14, 1)
COUNT = len(GAME.guesses)


@pytest.mark.parametrize("body", [
    {}, {key: value for key, value in body_of(RIGHT).items() if key != "version"},
    *(body_of(RIGHT) | more for more in (
        {"version": 1}, {"version": 3}, {"more": 1}, {"count": 2}, {"count": -1},
        {"guess": [[1, 14, True]]}, {"total": [8, b"\xff" * 8]},
    )),
    *map(body_of, (
        (COUNT, 0, 14, 1), (1, 0, 14, 2), (1, 0, 0, 1), (1, (1 << 28), 1, 0),
        (1, 0, 2 * COUNT - 2, 0),  # seven secrets take thirteen guesses at least
        (1, (1 << 32) - 1, (1 << 32) - 1, 1),
    )),
    body_of(RIGHT, RIGHT), body_of((2, 0, 14, 1), RIGHT),
])  # fmt: skip
def test_findings_that_cannot_be(path: Path, body: dict[str, Any]) -> None:
    path.write_bytes(envelope.pack(envelope.FINDINGS, body))
    refused(BadFileError, "aside", read_checkpoint, path, PROBLEM)


@pytest.mark.parametrize("row", [RIGHT, (0, 0, 2 * COUNT - 1, 0), (COUNT - 1, 1 << 28, 0, 0)])
def test_findings_at_the_edge(path: Path, row: tuple[int, int, int, int]) -> None:
    path.write_bytes(envelope.pack(envelope.FINDINGS, body_of(row)))
    assert resumed(path) == {row[0]: (row[1] << 32 | row[2], bool(row[3]))}


@pytest.mark.parametrize("other", [
    {"hard": True}, {"within": 5}, {"within": None}, {"losses": True}, {"price": 0},
    {"candidates": (0, 1)}, {"history": ((0, 7),)}, {"game": game_of([*GAME.guesses, "trace"])},
    {"game": game_of(list(GAME.guesses), list(GAME.guesses[1:]))},
], ids=str)  # fmt: skip
def test_findings_are_about_one_question(path: Path, other: dict[str, Any]) -> None:
    save(FOUND, path)
    assert read(path)
    refused(OutputError, "other words or options", read_checkpoint, path, replace(PROBLEM, **other))


def test_a_result_says_what_it_rests_on(tmp_path: Path) -> None:
    path = tmp_path / "aside\x1b[2J"
    assert read_checkpoint(path, PROBLEM) is None
    save({}, path)
    assert read(path).found == ()
    save(FOUND, path)
    findings = read(path)
    assert findings.reliance == f"relying on 2 findings of {tmp_path}/aside\\x1b[2J"
    assert findings.facts() == {"file": str(path), "n_found": 2}


def test_a_value_that_its_strategy_does_not_attain_is_refused() -> None:
    for problem in (
        PROBLEM, replace(PROBLEM, within=1, losses=True), replace(PROBLEM, within=None),
    ):  # fmt: skip
        answer = best_strategy(problem)
        strategy, _ = strategy_of_answer(search.Question(GAME, within=problem.within), answer)
        lost = 0 if problem.within is None else len(strategy.beyond(problem.within))
        value = strategy.total + (lost << 32)
        search.check_attained("aside", problem, value, strategy)
        for other in (value - 1, value + 1, value + (1 << 32), 0):
            with pytest.raises(BadFileError, match="aside: some finding is wrong"):
                search.check_attained("aside", problem, other, strategy)


@pytest.mark.parametrize(("found", "wrong"), [
    ({1: (14, True), 3: (17, True), 4: (99, False)}, False),
    ({1: (13, False), 3: (16, False)}, False), ({1: (13, True)}, True), ({1: (15, True)}, True),
    ({2: (17, False)}, True), ({3: (14, True)}, True),
])  # fmt: skip
def test_findings_that_were_searched_again(path: Path, found: Found, wrong: bool) -> None:
    state = GuessBounds(found={1: (14, True), 2: (16, True), 3: (15, False)})
    save(found, path)
    refused = pytest.raises(BadFileError, match="is wrong: searched again, it costs")
    with refused if wrong else nullcontext():
        read(path).check_not_contradicted(state)


def test_what_is_not_findings_is_refused_by_name(knuthle: Knuthle, tiny: Path) -> None:
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle("optimal", *words, "--out", "best.strategy").code == 0
    before = Path("best.strategy").read_bytes()
    outcome = knuthle("optimal", *words, "--resume", "best.strategy", "--out", "other.strategy")
    assert (outcome.code, outcome.out) == (2, "")
    assert "best.strategy: a strategy, not findings of an unfinished exact search" in outcome.err
    assert Path("best.strategy").read_bytes() == before
    # Nor are findings with other words or options.
    save(FOUND)
    assert "found           2\n" in knuthle("lookup", "aside").out
    resumed = (*words, "--resume", "aside")
    outcome = knuthle("optimal", *resumed, "--within", "5")
    assert (outcome.code, outcome.out) == (2, "")
    assert "aside: laid aside by a search with other words or options" in outcome.err
    outcome = knuthle("optimal", *resumed)
    assert outcome.code == 0 and "(proved, relying on 2 findings of aside)" in outcome.out
    assert not Path("aside").exists()


ASKED = ("--list", "seven.txt", "--secrets", "allowed", "--out", "best.strategy")


@pytest.fixture
def truth(knuthle: Knuthle) -> Found:
    """What is true of every first guess of the seven words."""
    Path("seven.txt").write_text("\n".join(GAME.guesses))
    values = values_of_guesses(GAME.guesses, GAME.secrets, 6, False)
    return {
        GAME.guess_id(word): (total, True) for word, (losses, total) in values.items() if not losses
    }


def test_a_resumed_result_says_what_it_rests_on(knuthle: Knuthle, truth: Found) -> None:
    game = game_of(list(GAME.guesses))
    best = min(truth.values())[0]
    worse = {guess: value for guess, value in truth.items() if value[0] > best}
    for found, named in ((worse, {"file": "aside", "n_found": len(worse)}), ({}, None)):
        save(found)
        outcome = knuthle("optimal", *ASKED, "--resume", "aside", "--json", "-", "--force")
        report = json.loads(outcome.out)
        assert (report["proved"], report["relying_on"], report["total"]) == (True, named, best)
        assert not Path("aside").exists()
    save(worse)
    result = optimal(game, workers=1, resume="aside")
    assert result.findings is not None
    assert result.findings.found == tuple((guess, *value) for guess, value in worse.items())


@pytest.mark.parametrize("options", [[], ["--recheck"]])
@pytest.mark.parametrize("low", [True, False])
def test_wrong_findings(knuthle: Knuthle, truth: Found, options: list[str], low: bool) -> None:
    """Too low, the strategy does not attain it; too high, only who searches again can know."""
    (best, _), (worst, _) = min(truth.values()), max(truth.values())
    true, said = (worst, best) if low else (best, worst)
    guess = next(guess for guess, (value, _) in truth.items() if value == true)
    save({guess: (said, True)})
    outcome = knuthle("optimal", *ASKED, "--resume", "aside", *options)
    if not low and not options:
        assert outcome.code == 0 and "relying on 1 finding of aside" in outcome.out
        return
    assert (outcome.code, outcome.out) == (2, "") and "aside: " in outcome.err
    assert "is wrong: " in outcome.err
    assert Path("aside").exists() and Path("best.strategy").exists() == bool(options)


@pytest.mark.usefixtures("truth")
def test_findings_that_say_too_little_beyond_the_limit(knuthle: Knuthle) -> None:
    """A guess that cannot keep to the limit is said to be the best."""
    truth_here = values_of_guesses(GAME.guesses, GAME.secrets, 2, False)
    losing = next(GAME.guess_id(w) for w, (losses, _) in truth_here.items() if losses)
    save({losing: (13, True)}, problem=replace(PROBLEM, within=2))
    outcome = knuthle("optimal", *ASKED, "--within", "2", "--resume", "aside")
    assert (outcome.code, outcome.out) == (2, "")
    assert "aside: some finding is wrong: the best strategy that begins with" in outcome.err


def test_findings_that_are_searched_again(knuthle: Knuthle, truth: Found) -> None:
    save(truth)
    outcome = knuthle("optimal", *ASKED, "--resume", "aside", "--recheck")
    assert outcome.code == 0 and "(proved)" in outcome.out
    assert "relying" not in outcome.out
    assert not Path("aside").exists()
    for options in (("--recheck",), ("--resume", "aside", "--recheck")):
        outcome = knuthle("optimal", *ASKED, *options)
        assert (outcome.code, outcome.out) == (2, "") and "--recheck" in outcome.err


@pytest.mark.usefixtures("truth")
def test_the_strategy_is_written_after_the_proof_holds(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        there_is_none = raising(WrongProofError("made up"))
        patched.setattr("strategy.proofs.writer.prove_optimal", there_is_none)
        outcome = knuthle("optimal", *ASKED, "--proof", "a.proof")
    assert outcome.code != 0
    assert not Path("best.strategy").exists()
    assert knuthle("optimal", *ASKED, "--proof", "a.proof").code == 0
    assert Path("a.proof").exists()


@pytest.mark.parametrize("wrong", [
    {"game": float("nan")}, {"game": b"wordle"}, {"game": "chess"}, {"guesses_digest": b"\xff"},
    {"secrets_digest": float("nan")}, {"candidates_digest": "x"}, {"hard": 0}, {"hard": b"\1"},
    {"within": float("nan")}, {"within": b"6"}, {"within": -1}, {"losses": 0}, {"price": 2},
    {"price": True}, {"history": [[0, float("nan")]]}, {"history": [b"ab"]}, {"count": 1.0},
    {"version": 2.0}, {"version": True}, {"guess": [1, b"\1\1"]}, {"more": 1},
], ids=str)  # fmt: skip
def test_findings_of_wrong_types(knuthle: Knuthle, wrong: dict[str, Any]) -> None:
    Path("aside").write_bytes(envelope.pack(envelope.FINDINGS, body_of(RIGHT) | wrong))
    for more in ((), ("--json", "-")):
        outcome = knuthle("lookup", "aside", *more)
        assert (outcome.code, outcome.out) == (2, "") and "aside: " in outcome.err
    Path("aside").write_bytes(envelope.pack(envelope.FINDINGS, body_of(RIGHT)))
    facts = report_of(knuthle, "lookup", "aside")
    assert (facts["version"], facts["limit"], facts["n_found"]) == (2, 6, 1)


UNLIMITED = Problem(GAME, within=None)


@pytest.mark.parametrize(("found", "right"), [
    ({1: (14, True), 3: (14 + COUNT, False), 4: (14 + COUNT, True)}, True),
    ({1: (14, True), 3: (15 + COUNT, False)}, False),
    ({1: (14, True), 3: (15 + COUNT, True)}, False),
    ({1: (14, False), 3: (15 + COUNT, False)}, True),
])  # fmt: skip
def test_findings_that_cannot_be_together(path: Path, found: Found, right: bool) -> None:
    save(found, path, UNLIMITED)
    if right:
        assert len(read(path, UNLIMITED).found) == len(found)
    else:
        refused(BadFileError, "cannot be together: if guess 1", read_checkpoint, path, UNLIMITED)
    for other in (PROBLEM, replace(UNLIMITED, hard=True)):  # there a guess may cost more
        save(found, path, other)
        assert len(read(path, other).found) == len(found)


@pytest.mark.parametrize("hard", [False, True])
def test_findings_of_real_searches_can_be_together(path: Path, hard: bool) -> None:
    for within in (None, 3, 6):
        problem = Problem(GAME, hard=hard, within=within)
        known = values_of_guesses(GAME.guesses, GAME.secrets, problem.left, hard).items()
        values = {GAME.guess_id(word): (sums[1], True) for word, sums in known if not sums[0]}
        save(values, path, problem)
        assert values and len(read(path, problem).found) == len(values)
