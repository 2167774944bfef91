"""The calls for exact search: typed answers, what is left when broken off, files to go on from."""

import doctest
import gc
import json
import random
import weakref
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import strategy
from solver.errors import WrongInputError
from solver.exact.best_strategy import best_strategy
from solver.exact.engine import Engine
from solver.exact.limit_search import LimitSearch
from solver.exact.problem import GuessBounds, Problem, SearchContext
from solver.exact.widening import BeamSearch, RankedBeam
from solver.machine.clock import Interrupted, OutOfTimeError
from strategy import Settings, check_proof, load_game, solve
from strategy.checkers.proof import WrongProofError
from strategy.errors import BadFileError, NoStrategyError, OutputError, UnfinishedError
from strategy.files import envelope, strategy_file
from strategy.solving import by_rule, optimal, search
from strategy.solving.checks import EXACT, REPAIR
from strategy.solving.optimal import next_words, strategy_of_answer
from strategy.solving.search import Checkpoint, read_checkpoint
from strategy.sweep import work
from tests.support import raising, refused
from tests.support.commands import Knuthle, report_of
from tests.support.naive_exact import values_of_guesses
from tests.support.sweeps import WORDS
from tests.support.trees import beamed
from tests.support.worlds import alike, game_of

RHYMES = game_of([f"{letter}ight" for letter in "bdefhlmnrstw"] + ["blend", "forms", "would"])


@pytest.mark.parametrize("module", [by_rule, optimal], ids=lambda m: m.__name__)
def test_the_examples_of_the_docstrings(module: object) -> None:
    found = doctest.testmod(module)
    assert (found.failed, found.attempted > 0) == (0, True)


@pytest.mark.parametrize("hard", [False, True])
def test_answers_are_typed_and_proved(hard: bool) -> None:
    truth = values_of_guesses(RHYMES.guesses, RHYMES.secrets, 6, hard)
    best = min(truth.values())
    found = optimal.optimal(RHYMES, objective="losses", hard=hard, workers=1)
    assert found.strategy is not None and found.verdict is not None
    lost = len(found.strategy.beyond(6))
    assert (found.proved, lost) == (True, best[0])
    assert (found.outcome.limit, found.outcome.method) == (6, EXACT)
    assert (found.outcome.met, found.outcome.proved) == (lost == 0, True)
    assert found.verdict.total == found.strategy.total
    assert {"compile", "search", "verify", "all"} == set(found.seconds)


def test_ctrl_c_hands_over_the_best_so_far() -> None:
    """Broken off at the first report, the search has a strategy within the limit already.

    A beam looks at the clock in each state.
    """
    looks: list[None] = []
    beamed(Problem(RHYMES), 3, ("eight",), check_time=lambda: looks.append(None))
    assert len(looks) > 3
    ctrl_c = raising(KeyboardInterrupt())
    with pytest.raises(Interrupted) as broken:
        optimal.optimal(RHYMES, within=None, workers=1, progress=ctrl_c)
    best = broken.value.best
    assert (best.proved, best.outcome.met) == (False, True)
    assert best.strategy.total >= best.lower_bound


@pytest.mark.parametrize("objective", ["total", "losses"])
@pytest.mark.parametrize("again", [False, True])
def test_ctrl_c_leaves_what_is_made_at_once_and_again_ends_that(
    objective: str, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted = raising(KeyboardInterrupt())
    monkeypatch.setattr("strategy.solving.search.LeastLosses", interrupted)
    monkeypatch.setattr("solver.exact.best_strategy.best_strategy", interrupted)
    if again:
        monkeypatch.setattr("solver.exact.best_strategy.quick_strategy", interrupted)
    with pytest.raises(KeyboardInterrupt) as broken:
        optimal.optimal(RHYMES, start=("eight",), objective=objective, workers=1)
    assert isinstance(broken.value, Interrupted) != again
    if not again:
        best = broken.value.best
        assert best.broken_off and sorted(best.strategy.secrets) == sorted(RHYMES.secrets)


def test_the_result_is_kept_whatever_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = raising(UnfinishedError("no room"))
    monkeypatch.setattr("strategy.proofs.proof_file.save", full)
    kept: list[object] = []
    game = game_of(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    with pytest.raises(UnfinishedError, match="no room") as broken:
        optimal.optimal(game, workers=1, proof=tmp_path / "a.proof", keep=kept.append)
    best = broken.value.best
    assert (best.proved, best.proof_written) == (True, False)
    assert [found.strategy for found in kept] == [best.strategy]


def test_a_time_limit_hands_over_the_best_so_far(tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    with pytest.raises(OutOfTimeError) as broken:
        optimal.optimal(RHYMES, within=None, workers=1, time_limit=1e-9, resume=aside)
    best = broken.value.best
    assert not best.proved and sorted(best.strategy.secrets) == sorted(RHYMES.secrets)
    whole = optimal.optimal(RHYMES, within=None, workers=1, resume=aside)
    assert whole.proved and whole.strategy is not None
    assert best.lower_bound <= whole.strategy.total <= best.strategy.total
    assert not aside.exists()
    history = RHYMES.parse_state("would.bbbbb")
    with pytest.raises(OutOfTimeError) as broken:
        optimal.next_words(RHYMES, history, top=2, time_limit=1e-9)
    late = broken.value.best
    exact = optimal.next_words(RHYMES, history, top=2)
    assert (late.proved, exact.proved) == (False, True)
    assert late.candidates == exact.candidates and exact.guesses_left == 5
    assert exact.words[0].total <= late.words[0].total or late.words[0].losses > 0


def test_the_rule_optimal_is_a_rule_like_any_other() -> None:
    best = solve(RHYMES, Settings(rule="optimal"), within=12)
    assert best.outcome.met and best.strategy.total == best.verdict.total
    rule = Settings(rule="optimal")
    refused(NoStrategyError, "no strategy keeps to 2 guesses", solve, RHYMES, rule, within=2)
    for wrong in ({"pure": True}, {"within": 4, "pure": True}, {"resume": "x"}):
        refused(WrongInputError, "", solve, RHYMES, Settings(rule="optimal"), **wrong)
    refused(WrongInputError, "", optimal.optimal, RHYMES, objective="most")


def test_a_repair_that_is_broken_off_hands_over_the_rules_strategy() -> None:
    others = "scram", "screw"
    secrets = (
        "berob carob lever qapik sarod scent scrag scran scrap scray scrim scrip scrob scrog scrum "
        "seron shrow shrub siroc sprod sprog strow zoons"
    ).split()
    game = game_of([*secrets, *others], secrets)
    settings = Settings(("berob",), "entropy")

    def ctrl_c(what: str, new: int, whole: int) -> None:
        if what == "repairing":
            raise KeyboardInterrupt

    plain = solve(game, settings)
    limit = plain.strategy.worst - 1
    assert solve(game, settings, within=limit).outcome.method == REPAIR
    with pytest.raises(Interrupted) as broken:
        solve(game, settings, within=limit, progress=ctrl_c)
    assert broken.value.best.strategy.digest == plain.strategy.digest


@pytest.mark.parametrize(("seed", "within"), [
    (1, None), (1, 5), pytest.param(0, None, marks=pytest.mark.slow),
    pytest.param(0, 4, marks=pytest.mark.slow),
])  # fmt: skip
def test_branches_settled_one_by_one_give_the_same(
    seed: int, within: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where many secrets are left a beam says first what the branches take."""
    game, dice = alike(seed, 100, 40), random.Random(seed)
    for start in [(dice.choice(game.guesses),), tuple(dice.sample(game.guesses, 2))]:
        plain = optimal.optimal(game, start=start, within=within)
        with monkeypatch.context() as patched:
            patched.setattr(search, "EXACT_TOTALS", 20)
            shared = optimal.optimal(game, start=start, within=within, workers=2)
            timed = optimal.optimal(game, start=start, within=within, time_limit=60, workers=1)
        for other in (shared, timed):
            assert (other.proved, other.outcome) == (True, plain.outcome)
            if plain.verdict is None:
                assert other.strategy is None
                continue
            assert other.verdict is not None and other.lower_bound == plain.lower_bound
            assert other.verdict.total == plain.verdict.total
            if len(start) == 1:
                assert other.verdict.worst == plain.verdict.worst


def test_branches_that_take_too_long_leave_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "EXACT_TOTALS", 50)
    monkeypatch.setattr(BeamSearch, "raise_bounds", raising(OutOfTimeError("out of time")))
    game = alike(1, 300, 120)
    with pytest.raises(OutOfTimeError) as broken:
        optimal.optimal(game, start=game.guesses[:1], within=None, time_limit=60)
    best = broken.value.best
    assert not best.proved and best.broken_off
    assert best.strategy.total >= best.lower_bound > 2 * 120


@pytest.mark.parametrize("objective", ["total", "worst", "losses"])
@pytest.mark.parametrize("hard", [False, True])
def test_whoever_guesses_secrets_only_may_begin_with_another_word(
    tmp_path: Path, objective: str, hard: bool
) -> None:
    """As where the list has the secrets and that word alone; its proof is derived again."""
    game = alike(3, 50, 30)
    secrets, first = list(game.secrets), min({*game.guesses} - {*game.secrets})
    small = game_of([*secrets, first], secrets)
    about: dict[str, Any] = {"start": (first,), "objective": objective, "hard": hard, "workers": 1}
    found = optimal.optimal(game, guess_from="secrets", proof=tmp_path / "p", **about)
    other = optimal.optimal(small, **about)
    assert found.strategy is not None and other.strategy is not None
    assert (found.proved, found.strategy.total) == (other.proved, other.strategy.total)
    assert found.strategy.words[found.strategy.guess[0]] == first
    for name, part in (("words", game.guesses), ("secrets", secrets)):
        (tmp_path / name).write_text("\n".join(part))
    assert check_proof(tmp_path / "p", tmp_path / "words", tmp_path / "secrets").statement


GAME = load_game(WORDS)

#: Asks a question; what it made that is left of it is handed over.
LeftBy = Callable[[Callable[[], object]], list[object]]


@pytest.fixture
def left_by(monkeypatch: pytest.MonkeyPatch) -> Iterator[LeftBy]:
    """What a question makes that holds tables, and is still there once it is answered.

    It is asked once before: to compile a kernel leaves errors behind, caught and done with, that
    hold all that was being done, until the collector comes by.
    """
    made: list[weakref.ref[object]] = []

    def noted(init: Callable[..., None]) -> Callable[..., None]:
        def noting(self: object, *args: Any, **named: Any) -> None:
            made.append(weakref.ref(self))
            init(self, *args, **named)

        return noting

    for kind in (SearchContext, Engine, LimitSearch, RankedBeam):
        monkeypatch.setattr(kind, "__init__", noted(kind.__init__))

    def left(ask: Callable[[], object]) -> list[object]:
        ask()
        made.clear()
        gc.disable()
        ask()
        assert made, "nothing was made"
        return [thing for ref in made if (thing := ref()) is not None]

    yield left
    gc.enable()


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("settings", [
    {"objective": "total", "within": 6}, {"objective": "worst", "within": 6},
    {"objective": "losses", "within": 2}, {"objective": "losses", "within": 2, "start": WORDS[:1]},
    {"objective": "total", "within": 6, "width": 4},
], ids=str)  # fmt: skip
def test_after_optimal(left_by: LeftBy, settings: dict[str, Any], hard: bool) -> None:
    assert not left_by(lambda: strategy.optimal(GAME, workers=1, hard=hard, **settings))


def test_after_next_words(left_by: LeftBy) -> None:
    for within in (3, 6):
        assert not left_by(lambda within=within: next_words(GAME, [], top=2, within=within))  # type: ignore[misc]


@pytest.mark.slow
def test_after_a_search_that_was_broken_off(left_by: LeftBy) -> None:
    game = load_game("original", "answers")

    def ask() -> None:
        with suppress(OutOfTimeError):
            strategy.optimal(game, time_limit=0.01, workers=1)

    assert not left_by(ask)


@pytest.mark.parametrize("objective", ["total", "worst", "possible"])
def test_after_a_sweep(left_by: LeftBy, tmp_path: Path, objective: str) -> None:
    names = (tmp_path / f"sweep {number}" for number in count())

    def ask() -> None:
        work.WORKERS.clear()  # that of a test before
        strategy.sweep_optimal(GAME, next(names), WORDS[:3], objective=objective, workers=1)
        work.WORKERS.clear()

    assert not left_by(ask)


SEVEN = game_of(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
PROBLEM = Problem(SEVEN, hard=False, within=6)
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
COUNT = len(SEVEN.guesses)


@pytest.mark.parametrize("body", [
    {}, {key: value for key, value in body_of(RIGHT).items() if key != "version"},
    *(body_of(RIGHT) | more for more in (
        {"version": 1}, {"version": 3}, {"more": 1}, {"count": 2}, {"count": -1},
        {"guess": [[1, 14, True]]}, {"total": [8, b"\xff" * 8]},
    )),
    *map(body_of, (
        (COUNT, 0, 14, 1), (1, 0, 14, 2), (1, 0, 0, 1), (1, (1 << 28), 1, 0),
        (1, 0, 2 * COUNT - 2, 0),  # seven secrets take thirteen guesses at least
        (1, (1 << 32) - 1, (1 << 32) - 1, 1), (1, 8, 0, 1),  # of seven secrets eight are lost
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
    {"candidates": (0, 1)}, {"history": ((0, 7),)}, {"game": game_of([*SEVEN.guesses, "trace"])},
    {"game": game_of(list(SEVEN.guesses), list(SEVEN.guesses[1:]))},
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
        strategy, _ = strategy_of_answer(search.Question(SEVEN, within=problem.within), answer)
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
    Path("seven.txt").write_text("\n".join(SEVEN.guesses))
    values = values_of_guesses(SEVEN.guesses, SEVEN.secrets, 6, False)
    return {
        SEVEN.guess_id(word): (total, True)
        for word, (losses, total) in values.items()
        if not losses
    }


def test_a_resumed_result_says_what_it_rests_on(knuthle: Knuthle, truth: Found) -> None:
    game = game_of(list(SEVEN.guesses))
    best = min(truth.values())[0]
    worse = {guess: value for guess, value in truth.items() if value[0] > best}
    for found, named in ((worse, {"file": "aside", "n_found": len(worse)}), ({}, None)):
        save(found)
        outcome = knuthle("optimal", *ASKED, "--resume", "aside", "--json", "-", "--force")
        report = json.loads(outcome.out)
        assert (report["proved"], report["relying_on"], report["total"]) == (True, named, best)
        assert not Path("aside").exists()
    save(worse)
    result = optimal.optimal(game, workers=1, resume="aside")
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
    truth_here = values_of_guesses(SEVEN.guesses, SEVEN.secrets, 2, False)
    losing = next(SEVEN.guess_id(w) for w, (losses, _) in truth_here.items() if losses)
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


UNLIMITED = Problem(SEVEN, within=None)


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
        problem = Problem(SEVEN, hard=hard, within=within)
        known = values_of_guesses(SEVEN.guesses, SEVEN.secrets, problem.left, hard).items()
        values = {SEVEN.guess_id(word): (sums[1], True) for word, sums in known if not sums[0]}
        save(values, path, problem)
        assert values and len(read(path, problem).found) == len(values)
