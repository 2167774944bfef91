"""Regrets against a plain-Python twin and the exact search; players, and their recorded games."""

import json
import random
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.advice import by_buckets
from solver.game.game import Game, History
from solver.game.load import load_game
from strategy.play.arena import Terms, games_within
from strategy.play.regret import Judge, recorded_totals
from strategy.play.trajectories import PLAYERS, built_in
from strategy.play.weights import weighted_game
from strategy.toolbox.guesses import suggest
from tests.strategy.play.test_review import played_game
from tests.support import naive, naive_review
from tests.support.commands import Knuthle, report_of
from tests.support.worlds import some_world
from tools.records.exact_openers import read_table

WORDS = ["abide", "crane", "raise", "slate", "stare", "trace", "grace", "shale", "shape"]
GAME = load_game(WORDS)
REFEREE = ("referee", "--list", "w.txt")
#: A game of the player ``random`` in hard mode.
DRAWN = {
    "secret": "trace", "guesses": ["abide", "grace", "grace", "trace"],
    "scores": ["ybbbg", "bgggg", "bgggg", "ggggg"], "solved": True, "fault": None,
    "regret_low": [2 / 3, 1 / 7, 1, 0], "regret_high": [2 / 3, 1 / 7, 1, 0],
    "best": ["slate", "slate", "trace", "trace"],
}  # fmt: skip
#: A line of the recorded games, what is changed in it, and what the check says.
CHANGES: list[tuple[int, dict[str, Any], str]] = [
    (1, {"secret": "trace"}, "g.jsonl:2: secret is"),
    (0, {"seed": 4}, "g.jsonl:2: secret is"),
    (0, {"n_secrets": 5}, "g.jsonl:1: n_secrets is 5, and should be 4"),
    (0, {"limit": 1}, 'should be "too many guesses"'),
    (1, {"scores": ["ggggg", "ggggg"]}, "g.jsonl:2: scores is"),
    (1, {"regret_low": [9.0, 0.0]}, "g.jsonl:2: regret_low is"),
    (1, {"best": []}, "g.jsonl:2: best is"),
    (1, {"solved": False}, "g.jsonl:2: solved is false"),
    (1, {"fault": "crash"}, 'g.jsonl:2: fault is "crash", and should be null'),
    (1, {"fault": "luck", "guesses": []}, 'fault is "luck", and should be "gives up"'),
    (1, {"guesses": ["raise"]}, "solved is true, and should be false"),
    (1, {"guesses": ["raise", "grace", "abide"]}, "g.jsonl:2: guesses is"),
    (1, {"guesses": ["zebra", "grace"]}, 'should be "unknown word"'),
    (1, {"guesses": 7}, "g.jsonl:2: guesses is 7"),
]


@pytest.mark.parametrize("counted", [128, 0])
def test_every_figure_by_plain_python(counted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both modes, over weights, and in Mastermind; whether buckets are counted or not."""
    monkeypatch.setattr(by_buckets, "MOST_COUNTED", counted)
    dice, cases = random.Random(5), list[tuple[Judge, History, Mapping[str, float] | None]]()
    for hard in (False, True) * 10:
        world = some_world(dice, 6, 20)
        cases.append((Judge(world, hard=hard), played_game(world, dice, hard, is_open=True), None))
        if not hard and counted:
            weights = {name: dice.choice([0.5, 1.0, 3.0]) for name in world.secrets[:9]}
            game, by_secret, *_ = weighted_game(world, weights)
            cases.append((Judge(game, weights=by_secret), (), weights))
    cases.append((Judge(load_game(spec="mastermind:2x4")), (), None))
    alike = load_game(["fight", "light", "might", "molar", "night", "right"])
    for hard, named in ((True, ("light", "might", "night", "right")), (False, ("molar",))):
        cases.append((Judge(alike, hard=hard), alike.parse_state("fight bgggg"), None))
        assert cases[-1][0].best("fight bgggg")[1] == named
    for judge, state, likely in cases:
        grader = naive.grade if judge.game.spec == "wordle" else naive.pegs
        by_word = likely or dict.fromkeys(judge.game.secrets, 1.0)
        twin = naive_review.Ahead(judge.game.guesses, by_word, judge.hard, grader)
        left, legal = twin.after(state)
        best = twin.best(left, legal)
        least = float(next(iter(best.values())))
        for found in judge.regrets([state] * len(judge.game.guesses), judge.game.guesses):
            assert (found.least, found.best) == judge.best(state)
            assert found.least == pytest.approx((least, least), abs=1e-9)
            assert set(found.best) <= set(best) and found.remaining == len(left)
            assert found.legal == (found.word in legal) == found.exact == (found.regret is not None)
            assert repr(found).endswith(f": {found.regret or 'hard mode forbids it'}>")
            assert found.consistent == all(grader(it, found.word) == score for it, score in state)
            if found.regret is not None:
                expected = float(twin.expected(found.word, left, legal))
                assert found.expected == pytest.approx((expected, expected), abs=1e-9)
                assert found.regret.low == pytest.approx(expected - least, abs=1e-9)
                assert (found.regret.low < 1e-9) == (found.word in best)


def states_of(
    game: Game, number: int, dice: random.Random, most: int, hard: bool = False
) -> list[tuple[History, str]]:
    """Positions of games at random with a guess in each, which may be the secret or not."""
    judge, found = Judge(game), list[tuple[History, str]]()
    while len(found) < number:
        history = played_game(game, dice, hard, is_open=True)
        left = [game.secrets[at] for at in judge.candidates(history)]
        if 3 <= len(left) <= most:
            found.append((history, dice.choice([dice.choice(left), dice.choice(game.guesses)])))
    return found


@pytest.mark.parametrize(
    ("number", "most"), [(8, 20), pytest.param(200, 100, marks=pytest.mark.slow(30))]
)
def test_regrets_are_as_optimal_says(knuthle: Knuthle, number: int, most: int) -> None:
    """``optimal --state`` has the best word's total, and those of the states after a guess.

    Threads may ask a judge, which remembers few states.
    """
    game = load_game()
    judge = Judge(game, time_limit=None, remembered=3)

    @cache
    def least(state: str) -> int:
        if (left := len(judge.candidates(state))) < 3:
            return 2 * left - 1
        said = report_of(knuthle, "optimal", "--state", state, "--within", "none")
        return int(said["suggestions"][0]["total"])

    asked = states_of(game, number, random.Random(number), most)
    with ThreadPoolExecutor(4) as pool:
        answers = [*pool.map(judge.regret, *zip(*asked, strict=True))]
    assert judge._worth.cache_info().currsize <= 3
    assert answers == Judge(game, time_limit=None).regrets(*zip(*asked, strict=True))
    for (history, guess), found in zip(asked, answers, strict=True):
        scores = {game.grade(guess, game.secrets[at]) for at in judge.candidates(history)}
        after = [game.format_state([*history, (guess, it)]) for it in scores - {game.solved}]
        assert found.exact and found.expected is not None
        assert round(found.least.low * found.remaining) == least(game.format_state(history))
        total = round(found.expected.low * found.remaining)
        assert total == found.remaining + sum(map(least, after))


@pytest.mark.parametrize("hard", [False, True])
def test_first_guesses_are_those_of_the_records(hard: bool) -> None:
    game = load_game()
    totals = recorded_totals(game, hard)
    assert totals is not None and len(totals) == 12972
    assert hard or totals.tolist() == [row.total for row in read_table()]
    found = Judge(game, hard=hard).regret("", "crane")
    assert found.recorded and found.exact and found.best == ("salet",)
    assert found.least.low == totals.min() / 2315
    assert recorded_totals(load_game(["abide", "crane"]), hard) is None


def test_what_takes_too_long_is_between_bounds() -> None:
    game, state = load_game(), "crane.bbbbb"
    patient, hasty = (Judge(game, time_limit=limit) for limit in (None, 1e-9))
    for word in ("sloth", *patient.best(state)[1]):
        exact, found = patient.regret(state, word), hasty.regret(state, word)
        assert exact.exact and not found.exact
        for name in ("regret", "expected", "least"):
            (truth, _), (low, high) = getattr(exact, name), getattr(found, name)
            assert low <= truth <= high and low < high
    weighted = Judge(game, weights=np.ones(len(game.secrets)), time_limit=1e-9)
    low, high = weighted.regret("", "crane").least
    assert 1 < low < high
    judge = Judge(load_game("nyt-2026"), time_limit=float("inf"))
    player = built_in("optimal", judge)
    assert not judge.regret("", "tarse").exact and player([]) == "tarse"
    assert judge.regret("tarse bbbbb", player([("tarse", "bbbbb")]) or "").regret == (0, 0)


def test_the_command_says_what_the_judge_and_suggest_do(knuthle: Knuthle) -> None:
    game = load_game()
    for state, words, said, *options in (
        ("crane bybbb", "sloth,SHOUT", "sloth  0.1556    2.6333"),
        ("crane bybbb", "fuzzy", "fuzzy  not allowed  not allowed", "--hard"),
        ("crane bbbbb", "sloth", "– between bounds", "--time-limit", "1e-9"),
        ("", "salet", "by the table of records"),
        ("crane bybbb sloth bbbbb", "mummy", "mummy  0.3333    2.3333"),
    ):
        assert said in knuthle("regret", words, *state.split(), *options).out
        facts = report_of(knuthle, "regret", words, state, *options)
        judge = Judge(game, hard="--hard" in options, time_limit=1e-9 if options[1:] else 2.0)
        for row in facts["guesses"]:
            found = judge.regret(state, row["word"])
            assert facts["best"] == [*found.best] and facts["least_low"] == found.least.low
            assert (row["regret_low"], row["regret_high"]) == (found.regret or (None, None))
            assert row["legal"] == found.legal
    exact = suggest(game, state, within=None).exact
    assert exact and exact.least == found.least.low * found.remaining
    assert set(found.best) <= set(exact.best) and found.regret and found.regret.low > 0


def games_of(name: str, judge: Judge, seed: int = 0) -> list[list[str]]:
    terms = Terms(GAME.spec, frozenset(WORDS), GAME.secrets, judge.hard)
    found = list(games_within(built_in(name, judge, seed), terms))
    assert all(it.solved and it.guesses[-1] == it.secret for it in found)
    return [played.guesses for played in found]


@pytest.mark.parametrize("hard", [False, True])
def test_players_play_to_the_end(hard: bool) -> None:
    judge = Judge(GAME, hard=hard)
    played = {name: games_of(name, judge) for name in PLAYERS}
    for row in played["consistent"]:
        steps = [(word, GAME.grade(word, row[-1])) for word in row]
        found = judge.regrets([steps[:at] for at in range(len(steps))], row)
        assert all(each.consistent and each.legal for each in found)
    assert sum(map(len, played["optimal"])) == round(judge.best("")[0].low * len(WORDS))
    for name in ("random", "consistent"):
        assert games_of(name, judge) == played[name] != games_of(name, judge, seed=1)


def test_players_are_compared_their_games_recorded_and_checked(knuthle: Knuthle) -> None:
    Path("w.txt").write_text("\n".join(WORDS))
    done = knuthle(*REFEREE, "--player", "consistent,optimal", "--json", "j", "--plot", "p.svg")
    assert done.code == 0 and "regret a game" in done.out
    one, best = json.loads(Path("j").read_text())["players"]
    assert one["by_guess"] == [one["regret_low"], 0, 0] and one["regret_high"] == 1 / 9
    assert best["by_guess"] == [0.0] * best["worst"] and one["n_solved"] == len(WORDS)
    assert one["mean"] * len(WORDS) == sum(map(len, games_of("consistent", Judge(GAME))))
    assert Path("p.svg").read_text().startswith("<svg")
    asked = (*REFEREE, "--player", "random", "--sample", 4, "--seed", 3, "--hard", "--record")
    assert knuthle(*asked, "g.jsonl").code == knuthle(*asked, "again.jsonl").code == 0
    assert Path("g.jsonl").read_bytes() == Path("again.jsonl").read_bytes()
    lines = [json.loads(line) for line in Path("g.jsonl").read_text().splitlines()]
    head = {"format": "knuthle games", "player": "random", "hard": True, "limit": 20, "seed": 3}
    assert lines[0].items() >= head.items() and lines[4] == DRAWN
    crashes = (sys.executable, "-uc", "input(); print('ready'); input(); print('abide'); input()")
    done = knuthle(*REFEREE, "--sample", 1, "--record", "p.jsonl", "--", *crashes)
    assert done.code == 1 and "crash: " in done.out and "regret a game" in done.out
    assert json.loads(Path("p.jsonl").read_text().splitlines()[1])["fault"] == "crash"
    for name, said in (("g.jsonl", "4 games: all of it holds"), ("p.jsonl", "1 game: all")):
        done = knuthle(*REFEREE, "--check", name)
        assert done.code == 0 and said in done.out
    games = "g.jsonl:1: there are {} games, not one for each"
    cases = [(lines[:-1], games.format(3)), ([*lines, lines[1]], games.format(5))]
    for at, change, said in CHANGES:
        cases.append(([*lines[:at], lines[at] | change, *lines[at + 1 :]], said))
    for some, said in cases:
        Path("g.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in some))
        done = knuthle(*REFEREE, "--check", "g.jsonl", "--json", "j")
        assert done.code == 1 and said in done.out, said
        assert json.loads(Path("j").read_text())["faults"]
