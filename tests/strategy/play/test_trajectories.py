"""Built-in players, their recorded games, and what a second look at these finds."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from solver.game.load import load_game
from strategy.play.arena import Terms, games_within
from strategy.play.regret import Judge
from strategy.play.trajectories import PLAYERS, built_in
from tests.support.commands import Knuthle

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


def test_where_only_bounds_are_known_the_best_known_guess_is_made() -> None:
    judge = Judge(load_game("nyt-2026"), time_limit=float("inf"))
    player = built_in("optimal", judge)
    assert not judge.regret("", "tarse").exact and player([]) == "tarse"
    assert judge.regret("tarse bbbbb", player([("tarse", "bbbbb")]) or "").regret == (0, 0)


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
