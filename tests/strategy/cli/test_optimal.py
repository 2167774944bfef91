"""The command ``optimal`` and its second objective: what it prints, writes, refuses."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.exact.second_objective import BestSecond
from solver.machine.clock import OutOfTimeError
from strategy import load_game
from strategy.solving.optimal import optimal
from strategy.tree import Strategy
from tests.support import commands, naive, raising
from tests.support.commands import Knuthle
from tests.support.naive_exact import NOTHING_FOUND, Histograms, best_of, brute, values_of_guesses

KEYS_OF_SOLVE_ALL = set(
    "start list game n_guesses guesses_digest n_secrets secrets_name secrets_digest rule "
    "guess_from hard histogram worst total mean within n_beyond beyond n_nodes digest file "
    "seconds".split()
)
KEYS = KEYS_OF_SOLVE_ALL | {"objective", "proved", "lower_bound", "openers", "relying_on"}
#: Words that differ in one letter: hard to tell apart, so that two guesses are too few.
FAMILY = ["bight", "fight", "light", "might", "night", "right", "sight", "tight", "wight", "flown"]


@pytest.fixture
def family(tmp_path: Path) -> Path:
    path = tmp_path / "family.txt"
    path.write_text("\n".join(FAMILY))
    return path


def report_of(knuthle: Knuthle, *arguments: object, code: int = 0) -> dict[str, Any]:
    return commands.report_of(knuthle, "optimal", *arguments, code=code)


def least(words: list[str], limit: int, hard: bool = False) -> dict[str, tuple[int, int]]:
    """Brute force: (losses, total) of the first guesses that tell anything."""
    values = values_of_guesses(sorted(words), sorted(words), limit, hard)
    return {word: value for word, value in values.items() if value != NOTHING_FOUND}


@pytest.mark.parametrize("hard", [False, True])
def test_the_json_object(knuthle: Knuthle, family: Path, hard: bool) -> None:
    mode = ["--hard"] if hard else []
    report = report_of(knuthle, "--list", family, "--secrets", "allowed", "--within", 9, *mode)
    truth = least(FAMILY, 9, hard)
    best = min(truth.values())
    assert set(report) == KEYS
    assert (report["total"], report["lower_bound"], report["proved"]) == (best[1], best[1], True)
    assert report["within"] == {"limit": 9, "met": True, "method": "exact", "proved": True}
    assert (report["objective"], report["rule"], report["hard"]) == ("total", "optimal", hard)
    assert report["beyond"] == []
    for opener in report["openers"]:
        assert set(opener) == {"word", "total", "bound", "n_beyond", "proved"}
        assert opener["proved"] == (truth[opener["word"]] == best)
        assert (opener["total"] is None) == (not opener["proved"]) == (opener["bound"] is not None)
    strategy = Strategy.load(report["file"])
    assert (strategy.total, strategy.digest) == (report["total"], report["digest"])
    assert knuthle("verify", report["file"]).code == 0


def test_all_ties_are_reported_the_smaller_worst_case_taken(knuthle: Knuthle, tiny: Path) -> None:
    words = tiny.read_text().split()
    report = report_of(knuthle, "--list", tiny, "--secrets", "allowed", "--within", "none")
    truth = least(words, 99)
    best = min(truth.values())
    ties = {word for word, value in truth.items() if value == best}
    assert {opener["word"] for opener in report["openers"] if opener["proved"]} == ties
    within = [k for k in range(1, 9) if min(least(words, k).values()) == best]
    assert report["worst"] == within[0]


def test_top_makes_more_first_guesses_exact(knuthle: Knuthle, tiny: Path) -> None:
    report = report_of(knuthle, "--list", tiny, "--secrets", "allowed", "--top", 4)
    exact = [opener for opener in report["openers"] if opener["proved"]]
    truth = least(tiny.read_text().split(), 6)
    fourth = sorted(truth.values())[3]
    assert {o["word"]: (o["n_beyond"], o["total"]) for o in exact} == {
        word: value for word, value in truth.items() if value <= fourth
    }


@pytest.mark.parametrize("pool", ["secrets", "candidates"])
@pytest.mark.parametrize("objective", ["total", "worst"])
def test_proofs_name_guesses(knuthle: Knuthle, family: Path, pool: str, objective: str) -> None:
    words = ("--list", family, "--secrets", "allowed", "--within", 9)
    asked = ("--guess-from", pool, "--objective", objective, "--proof", "a.proof")
    assert knuthle("optimal", *words, *asked).code == 0
    check = ("check-proof", "a.proof", "--words", family)
    report = commands.report_of(knuthle, *check)
    assert (report["guess_from"], report["objective"]) == (pool, objective)
    said = knuthle(*check).out
    assert f"no strategy that guesses {pool} only" in said


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("objective", ["total", "losses", "worst"])
@pytest.mark.parametrize("pool", ["allowed", "secrets", "candidates"])
def test_every_search_by_brute_force(
    knuthle: Knuthle, family: Path, tmp_path: Path, pool: str, objective: str, hard: bool
) -> None:
    """Five of ten words are secrets; losses with a limit that not all keep to."""
    secrets = FAMILY[1::2]

    def best(limit: int) -> tuple[int, int]:
        return brute((*sorted(FAMILY),), (*sorted(secrets),), hard, pool).best(limit)

    (tmp_path / "some.txt").write_text("\n".join(secrets))
    mode = ["--hard"] if hard else []
    asked = ("--list", family, "--secrets", tmp_path / "some.txt", "--objective", objective,
             "--guess-from", pool, *mode, "--force", "--within")  # fmt: skip
    limit = 2 if objective == "losses" else 9
    report = report_of(knuthle, *asked, limit)
    if objective == "worst":
        limit = next(k for k in range(1, 10) if best(k)[0] == 0)
        assert report["worst"] == limit
        assert report_of(knuthle, *asked, limit - 1, code=1)["within"]["met"] is False
    lost, total = best(limit)
    assert set(report) == KEYS and report["proved"] and report["guess_from"] == pool
    assert (report["n_secrets"], report["n_guesses"]) == (5, 10)
    assert (len(report["beyond"]), report["total"]) == (lost, total)
    assert report["lower_bound"] == (limit if objective == "worst" else total)
    assert (report["within"]["limit"], report["within"]["met"]) == (limit, lost == 0)
    assert pool == "allowed" or {row["word"] for row in report["openers"]} <= {*secrets}
    said = knuthle("optimal", *asked, limit)
    proved = {"total": "", "losses": ": no fewer", "worst": ": fewer are impossible"}[objective]
    assert f"(proved{proved})" in said.out
    assert ("(only candidates guessed)" in said.out) == (pool == "candidates")
    strategy = Strategy.load(report["file"])
    assert strategy.origin.guess_from == pool and knuthle("verify", report["file"]).code == 0
    assert pool == "allowed" or {*strategy.words} == {*secrets}
    assert pool != "candidates" or all(strategy.hit)
    if (pool, objective) == ("allowed", "worst"):
        from_flown = knuthle("optimal", *asked, "none", "--start", "flown")
        assert "(least after FLOWN)" in from_flown.out


def test_next_candidates_of_a_state(knuthle: Knuthle, family: Path) -> None:
    bucket = max(naive.split("bight", FAMILY).values(), key=len)
    state = ("--state", f"bight.{naive.marks('bight', bucket[0])}", "--within", 3, "--top", 2)
    report = report_of(
        knuthle, "--list", family, "--secrets", "allowed", "--guess-from", "candidates", *state
    )
    values = brute((*bucket,), (*bucket,), False, "candidates").values(2)
    found = {row["word"]: (row["n_beyond"], row["total"]) for row in report["suggestions"]}
    assert found.items() <= values.items() and report["proved"]
    assert sorted(found.values()) == sorted(values.values())[: len(found)] and len(found) >= 2
    assert report["n_beyond_bound"] == min(values.values())[0]


def test_a_rule_of_candidates_only(knuthle: Knuthle, tiny: Path) -> None:
    """As ``solve-all --rule optimal`` builds it."""
    words = (*sorted(tiny.read_text().split()),)
    asked = ("solve-all", "--list", tiny, "--rule", "optimal", "--guess-from", "candidates")
    report = commands.report_of(knuthle, *asked, "--start", "auto")
    assert (0, report["total"]) == brute(words, words, False, "candidates").best(6)


@pytest.mark.parametrize("objective", ["total", "worst", "losses"])
def test_a_beam_is_a_bound(knuthle: Knuthle, family: Path, objective: str) -> None:
    words = ("--list", family, "--secrets", "allowed", "--within", 9, "--objective", objective)
    report = report_of(knuthle, *words, "--width", 2)
    assert report["proved"] is False and report["within"]["method"] == "beam"
    assert not any(opener["proved"] for opener in report["openers"])
    assert report["total"] >= min(least(FAMILY, 9).values())[1]
    assert "bound" in knuthle("optimal", *words, "--width", 2).out


def test_a_beam_is_widened_until_the_time_is_up(
    knuthle: Knuthle, family: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a strategy in hand that is the end, and no failure."""
    words = ("--list", family, "--secrets", "allowed", "--within", 9, "--width", "auto")
    report = report_of(knuthle, *words)
    assert (report["proved"], report["within"]["method"]) == (False, "beam")
    assert report["total"] == min(least(FAMILY, 9).values())[1], "every guess of so few was tried"
    for looks, code in ((0, 3), (1_000_000, 0)):
        look = raising(OutOfTimeError("undecided"), looks)
        monkeypatch.setattr("strategy.solving.optimal.limit_clock", lambda _, look=look: look)
        assert knuthle("optimal", *words, "--time-limit", 9, "--force").code == code


def test_solve_all_within_tells_how(knuthle: Knuthle, family: Path) -> None:
    """The same question to the other command: the rule, its repair, or the proof that none does."""
    least_limit = min(k for k in range(1, 10) if min(least(FAMILY, k).values())[0] == 0)
    asked = ("solve-all", "--list", family, "--rule", "parts", "--within")
    for limit in range(1, 10):
        report = commands.report_of(knuthle, *asked, limit, code=int(limit < least_limit))
        assert set(report) == KEYS_OF_SOLVE_ALL
        assert set(report["within"]) == {"limit", "met", "method", "proved"}
        assert (report["within"]["met"], report["within"]["proved"]) == (limit >= least_limit, True)
        assert (report["file"] is None) == (limit < least_limit)


def test_the_time_limit_holds_for_a_state(knuthle: Knuthle) -> None:
    outcome = knuthle("optimal", "--state", "salet.bbbbb", "--time-limit", "0.001")
    assert outcome.code == 3 and "the best next guesses found: a bound" in outcome.out
    assert "undecided after 0.001 s, the time limit; what is reported is a bound" in outcome.err


#: Many strategies of these have the least total, 31.
WORDS = "bcc beb bhd cbc cbg cfg dff ece ega egc egd ege fgg gab".split()
LATE = raising(OutOfTimeError("undecided after 1 s"))


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "w.txt"
    path.write_text("\n".join(WORDS))
    return path


def forced(knuthle: Knuthle, *arguments: object, code: int = 0) -> dict[str, Any]:
    return commands.report_of(knuthle, *arguments, "--force", code=code)


@pytest.mark.parametrize("objective", ["worst", "most-within:2", "fewest-of:3"])
def test_strategy_and_report(knuthle: Knuthle, words: Path, objective: str) -> None:
    """The value is that of the strategy in the file, which verify plays; both commands agree."""
    whole = Histograms(WORDS).whole(WORDS)
    _, total, cost = best_of(whole, objective, 6)
    value = len(WORDS) - cost if objective.startswith("most-within") else cost
    asked = ("--list", words, "--secrets", "allowed", "--then", objective, "--out", "s")
    for command in (("optimal",), ("solve-all", "--rule", "optimal", "--start", "auto")):
        report = forced(knuthle, *command, *asked)
        assert report["total"] == total
        assert report["then"] == {"objective": objective, "value": value, "proved": True}
        counts = report["histogram"]
        has = {"worst": len(counts), "most-within:2": sum(counts[:2]), "fewest-of:3": counts[2]}
        assert has[objective] == value
        assert knuthle("verify", "s", "--list", words).code == 0
        claim = commands.report_of(knuthle, "lookup", "s")["claim"]
        assert claim["then"] == report["then"]
        out = knuthle(*command, *asked, "--force").out
        assert f": {value} (proved)\n" in out and "among equal totals the " in out


def test_a_wrong_claim_is_found_out(knuthle: Knuthle, words: Path) -> None:
    """Playing shows what a strategy has; that nothing has more it does not show."""
    made = ("--list", words, "--secrets", "allowed", "--out", "s", "--then", "fewest-of:3")
    assert knuthle("optimal", *made).code == 0
    strategy = Strategy.load("s")
    right = strategy.origin.then["value"]
    for claimed in ({"value": right - 1}, {"value": None}, {"objective": "worst"},
                    {"objective": "most-within:2"}, {"objective": "fewest-of:99"}):  # fmt: skip
        claim = strategy.origin.claim | {"then": strategy.origin.then | claimed}
        replace(strategy, origin=replace(strategy.origin, claim=claim)).save("wrong", force=True)
        said = knuthle("verify", "wrong", "--list", words)
        assert said.code == 1 and "it claims" in said.out
    for other in ({"objective": "best", "value": 3}, {"objective": None}, {}, "worst", 4):
        claim = strategy.origin.claim | {"then": other}
        replace(strategy, origin=replace(strategy.origin, claim=claim)).save("new", force=True)
        assert knuthle("verify", "new", "--list", words).code == 1, "an objective nobody knows"


def test_out_of_time(knuthle: Knuthle, words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the first objective is proved, and after: the value is a bound, the exit code 3."""
    asked = ("optimal", "--list", words, "--secrets", "allowed", "--then", "fewest-of:3")
    best = forced(knuthle, *asked)["then"]["value"]
    early = forced(knuthle, *asked, "--time-limit", "1e-9", code=3)
    assert not early["proved"] and not early["then"]["proved"]
    assert early["then"]["value"] == early["histogram"][2]
    with monkeypatch.context() as patch:
        patch.setattr(BestSecond, "settle", LATE)
        said = knuthle(*asked, "--json", "j", "--force")
        late = json.loads(Path("j").read_text())
        state = forced(knuthle, "optimal", "--list", words, "--state", "bcc.bbb", "--then", "worst")
    assert said.code == 3 and "what is reported is a bound" in said.err
    assert late["proved"] and late["then"]["value"] >= best and not late["then"]["proved"]
    assert late["file"].endswith("-bound.strategy")
    assert f"that take 3: {late['then']['value']} (bound)" in said.out
    assert knuthle("verify", late["file"], "--list", words).code == 0
    assert state["then"]["proved"]


def test_a_state_out_of_time(
    knuthle: Knuthle, words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("optimal", "--list", words, "--secrets", "allowed", "--top", 5)
    monkeypatch.setattr("strategy.solving.optimal.with_second", LATE)
    late = forced(knuthle, *asked, "--state", "bcc.bbb", "--then", "worst", code=3)
    assert late["then"] == {"objective": "worst", "value": None, "proved": False}
    assert late["proved"] and late["suggestions"][0]["then"] is None


@pytest.mark.parametrize("pool", ["allowed", "candidates"])
def test_deep_states(knuthle: Knuthle, tmp_path: Path, pool: str) -> None:
    """Words of which every guess excludes one: many states, one in the other."""
    path = tmp_path / "rhymes.txt"
    path.write_text("\n".join(f"{chr(0x4E00 + at)}zz" for at in range(30)))
    asked = ("--list", path, "--secrets", "allowed", "--within", "none", "--guess-from", pool)
    report = forced(knuthle, "optimal", *asked, "--then", "most-within:25", "--out", "s")
    assert report["total"] == 30 * 31 // 2
    assert report["then"] == {"objective": "most-within:25", "value": 25, "proved": True}


def test_published_figure_of_mastermind() -> None:
    """4x6: nothing with a total of 5,625 does with five guesses."""
    found = optimal(load_game(spec="mastermind:4x6"), within=None, workers=1, then="worst")
    assert found.strategy is not None and found.then is not None and found.settled
    assert (found.strategy.total, found.then.value) == (5625, 6)
