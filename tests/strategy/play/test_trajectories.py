"""Built-in players, their recorded games, and what a second look at these finds."""

import json
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.play.arena import Terms, contest_within
from strategy.play.trajectories import PLAYERS, built_in, patient_judge
from tests.support import refused
from tests.support.commands import Knuthle

WORDS = ["abide", "crane", "raise", "slate", "stare", "trace", "grace", "shale", "shape"]
GAME = load_game(WORDS)
REFEREE = ("referee", "--list", "w.txt")
Line = dict[str, Any]
#: A program that guesses all words in their order.
IN_ORDER = """import sys
for line in sys.stdin:
    words = open("w.txt").read().split()
    print("ready" if line[0] == "h" else words[len(line.split()) // 2], flush=True)"""


@pytest.fixture(autouse=True)
def _here(knuthle: Knuthle) -> None:
    """Everything is written where the command runs."""
    Path("w.txt").write_text("\n".join(WORDS))


def games_of(name: str, hard: bool = False, seed: int = 0) -> list[list[str]]:
    terms = Terms(GAME.spec, frozenset(WORDS), GAME.secrets, hard)
    found = contest_within(built_in(name, patient_judge(GAME, hard), seed), name, terms)
    assert not found.faults and [it.guesses[-1] for it in found.games] == list(GAME.secrets)
    return [played.guesses for played in found.games]


@pytest.mark.parametrize("hard", [False, True])
def test_players_play_to_the_end(hard: bool) -> None:
    judge, played = patient_judge(GAME, hard), {name: games_of(name, hard) for name in PLAYERS}
    assert played.keys() >= {"random", "consistent", "optimal", "entropy", "minimax"}
    for row in played["consistent"]:
        steps = [(word, GAME.grade(word, row[-1])) for word in row]
        found = judge.regrets([steps[:at] for at in range(len(steps))], row)
        assert all(each.consistent and each.legal for each in found)
    assert sum(map(len, played["optimal"])) == round(judge.best("")[0].low * len(WORDS))
    for name in ("random", "consistent"):
        assert games_of(name, hard) == played[name] != games_of(name, hard, seed=1)
    refused(WrongInputError, "no player 'greedy'; players: random", built_in, "greedy", judge)


def test_where_only_bounds_are_known_the_best_known_guess_is_made() -> None:
    judge = patient_judge(load_game("nyt-2026"), hard=False)
    player = built_in("optimal", judge)
    assert not judge.regret("", "tarse").exact and player([]) == "tarse"
    assert judge.regret("tarse bbbbb", player([("tarse", "bbbbb")]) or "").regret == (0, 0)


def test_the_table_of_players(knuthle: Knuthle) -> None:
    options = ("--player", "consistent,optimal", "--json", "j", "--plot", "p.svg")
    done = knuthle(*REFEREE, *options)
    assert done.code == 0 and "regret a game" in done.out
    one, best = json.loads(Path("j").read_text())["players"]
    assert one["regret_low"] == one["regret_high"] > best["regret_high"] == 0
    assert best["by_guess"] == [0.0] * best["worst"] and one["n_solved"] == len(WORDS)
    assert one["mean"] >= best["mean"] and Path("p.svg").read_text().startswith("<svg")
    assert one["mean"] * len(WORDS) == sum(map(len, games_of("consistent")))


@pytest.fixture
def lines(knuthle: Knuthle) -> list[Line]:
    asked = (*REFEREE, "--player", "random", "--sample", 4, "--seed", 3, "--hard", "--record")
    assert knuthle(*asked, "g.jsonl").code == knuthle(*asked, "again.jsonl").code == 0
    assert Path("g.jsonl").read_bytes() == Path("again.jsonl").read_bytes()
    return [json.loads(line) for line in Path("g.jsonl").read_text().splitlines()]


def test_recorded_games_hold(knuthle: Knuthle, lines: list[Line]) -> None:
    head, *rows = lines
    assert head.items() >= {"format": "knuthle games", "sample": 4, "seed": 3, "hard": True}.items()
    assert head["secrets_digest"] == GAME.secrets_digest and len(rows) == head["n_games"] == 4
    judge = patient_judge(GAME, hard=True)
    for row in rows:
        assert row["scores"] == [
            GAME.format_score(GAME.grade(word, row["secret"])) for word in row["guesses"]
        ]
        steps = list(zip(row["guesses"], row["scores"], strict=True))
        found = judge.regrets([steps[:at] for at in range(len(steps))], row["guesses"])
        assert [it.regret for it in found] == [
            *zip(row["regret_low"], row["regret_high"], strict=True)
        ]
        assert [it.best[0] for it in found] == row["best"] and row["solved"]
    program = (sys.executable, "-c", IN_ORDER)
    assert knuthle(*REFEREE, "--record", "p.jsonl", "--", *program).code == 0
    for name, said in (("g.jsonl", "4 games: all of it holds"), ("p.jsonl", "9 games: all")):
        done = knuthle(*REFEREE, "--check", name)
        assert done.code == 0 and said in done.out


def test_what_was_changed_is_found(knuthle: Knuthle, lines: list[Line]) -> None:
    guesses = lines[1]["guesses"]
    changes: list[tuple[int, Line, str]] = [
        (1, {"secret": lines[2]["secret"]}, "g.jsonl:2: secret is"),
        (0, {"seed": 4}, "g.jsonl:2: secret is"),
        (0, {"n_games": 5}, "g.jsonl:1: n_games is 5, and should be 4"),
        (0, {"limit": 1}, 'should be "too many guesses"'),
        (1, {"scores": ["ggggg", *lines[1]["scores"][1:]]}, "g.jsonl:2: scores is"),
        (1, {"regret_low": [9.0, *lines[1]["regret_low"][1:]]}, "g.jsonl:2: regret_low is"),
        (1, {"best": []}, "g.jsonl:2: best is"),
        (1, {"solved": False}, "g.jsonl:2: solved is false"),
        (1, {"fault": "crash"}, 'g.jsonl:2: fault is "crash", and should be null'),
        (1, {"fault": "luck"}, 'fault is "luck"'),
        (1, {"guesses": guesses[:-1]}, "solved is true, and should be false"),
        (1, {"guesses": [*guesses, "abide"]}, "g.jsonl:2: guesses is"),
        (1, {"guesses": ["zebra", *guesses]}, 'should be "unknown word"'),
        (1, {"guesses": 7}, "g.jsonl:2: guesses is 7"),
    ]
    changed = [(deepcopy(lines), said) for *_, said in changes]
    for (number, change, _), (some, _) in zip(changes, changed, strict=True):
        some[number].update(change)
    games = "g.jsonl:1: there are {} games, not one for each"
    changed += [(lines[:-1], games.format(3)), ([*lines, lines[1]], games.format(5))]
    for some, said in changed:
        Path("g.jsonl").write_text("".join(json.dumps(line) + "\n" for line in some))
        done = knuthle(*REFEREE, "--check", "g.jsonl", "--json", "j")
        assert done.code == 1 and said in done.out, said
        assert json.loads(Path("j").read_text())["faults"]


def test_what_is_no_record_is_refused(knuthle: Knuthle, lines: list[Line]) -> None:
    foreign = knuthle("referee", "--list", "original", "--check", "g.jsonl")
    assert foreign.code == 2 and "name them by --list and --secrets" in foreign.err
    other = json.dumps(lines[0] | {"version": 2})
    begun = '{"format": "knuthle games", "version": 1}'
    for text in ("", "7", "[]", f"{json.dumps(lines[0])}\n{{", other, begun):
        Path("g.jsonl").write_text(f"{text}\n")
        done = knuthle(*REFEREE, "--check", "g.jsonl")
        assert done.code == 2 and "g.jsonl: no games of 'referee --record'" in done.err
