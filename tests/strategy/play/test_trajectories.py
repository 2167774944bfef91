"""Built-in players, their recorded games, and what a second look at these finds."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from strategy.play import trajectories
from strategy.play.arena import Terms, contest_within
from strategy.play.regret import Judge
from tests.support import refused
from tests.support.commands import Knuthle

WORDS = ["abide", "crane", "raise", "slate", "stare", "trace", "grace", "shale", "shape"]
LISTED = ("--list", "w.txt")


@pytest.fixture(autouse=True)
def _here(knuthle: Knuthle) -> None:
    """Everything is written where the command runs."""
    Path("w.txt").write_text("\n".join(WORDS))


def games_of(name: str, hard: bool = False, seed: int = 0) -> list[list[str]]:
    game = load_game(WORDS)
    terms = Terms(game.spec, frozenset(game.guesses), game.secrets, hard)
    judge = trajectories.patient_judge(game, hard)
    found = contest_within(trajectories.built_in(name, judge, seed), name, terms)
    assert not found.faults
    return [played.guesses for played in found.games]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("name", trajectories.PLAYERS)
def test_players_play_to_the_end(name: str, hard: bool) -> None:
    game, judge = load_game(WORDS), Judge(load_game(WORDS), hard=hard)
    played = games_of(name, hard)
    assert [row[-1] for row in played] == list(game.secrets)
    if name == "consistent":
        for row in played:
            history = [(word, game.grade(word, row[-1])) for word in row]
            for at, word in enumerate(row):
                left = judge.candidates(history[:at])
                assert word in [game.secrets[it] for it in left]
    if name == "optimal":
        least, _ = judge.best("")
        assert sum(map(len, played)) == pytest.approx(least.low * len(WORDS))
    if name in ("random", "consistent"):
        assert games_of(name, hard) == played != games_of(name, hard, seed=1)


def test_what_players_refuse() -> None:
    judge, said = Judge(load_game(WORDS)), "no player 'greedy'; players: random"
    refused(WrongInputError, said, trajectories.built_in, "greedy", judge)


def test_where_only_bounds_are_known_the_best_known_guess_is_made() -> None:
    judge = trajectories.patient_judge(load_game("nyt-2026"), hard=False)
    player = trajectories.built_in("optimal", judge)
    assert not judge.regret("", "tarse").exact and player([]) == "tarse"
    assert judge.regret("tarse bbbbb", player([("tarse", "bbbbb")]) or "").regret == (0, 0)


def test_the_table_of_players(knuthle: Knuthle) -> None:
    asked = ("referee", *LISTED, "--player", "consistent,optimal", "--json", "j", "--plot", "p.svg")
    done = knuthle(*asked)
    assert done.code == 0 and "regret a game" in done.out
    one, best = json.loads(Path("j").read_text())["players"]
    assert one["regret_low"] == one["regret_high"] > best["regret_high"] == 0
    assert best["by_guess"] == [0.0] * best["worst"] and one["n_solved"] == len(WORDS)
    assert one["mean"] >= best["mean"] and Path("p.svg").read_text().startswith("<svg")
    # what a guess costs is lost on average: in nine games each secret comes once
    steps = games_of("consistent")
    assert one["mean"] * len(WORDS) == sum(map(len, steps))


@pytest.fixture
def lines(knuthle: Knuthle) -> list[dict[str, Any]]:
    asked = ("referee", *LISTED, "--player", "random", "--sample", 4, "--seed", 3, "--hard")
    assert knuthle(*asked, "--record", "g.jsonl").code == 0
    assert knuthle(*asked, "--record", "again.jsonl").code == 0
    assert Path("g.jsonl").read_bytes() == Path("again.jsonl").read_bytes()
    return [json.loads(line) for line in Path("g.jsonl").read_text().splitlines()]


def written(lines: list[dict[str, Any]]) -> None:
    Path("g.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_recorded_games_hold(knuthle: Knuthle, lines: list[dict[str, Any]]) -> None:
    game, (head, *rows) = load_game(WORDS), lines
    assert head.items() >= {"format": "knuthle games", "sample": 4, "seed": 3, "hard": True}.items()
    assert head["secrets_digest"] == game.secrets_digest and len(rows) == head["n_games"] == 4
    judge = Judge(game, hard=True)
    for row in rows:
        history = list(zip(row["guesses"], row["scores"], strict=True))
        for at, (word, score) in enumerate(history):
            assert score == game.format_score(game.grade(word, row["secret"]))
            found = judge.regret(history[:at], word)
            assert found.regret is not None and found.best[0] == row["best"][at]
            assert row["regret_low"][at] == pytest.approx(found.regret.low, abs=1e-8)
    done = knuthle("referee", *LISTED, "--check", "g.jsonl")
    assert done.code == 0 and "4 games: all of it holds" in done.out


#: What is changed in the lines → what is said.
CHANGES: list[tuple[Callable[[list[dict[str, Any]]], object], str]] = [
    (lambda it: it[1].update(secret=it[2]["secret"]), "g.jsonl:2: secret is"),
    (lambda it: it.pop(), "g.jsonl:1: there are 3 games, not one for each"),
    (lambda it: it.append(it[1]), "g.jsonl:1: there are 5 games, not one for each"),
    (lambda it: it[0].update(seed=4), "g.jsonl:2: secret is"),
    (lambda it: it[1]["scores"].__setitem__(0, "ggggg"), "g.jsonl:2: scores is"),
    (lambda it: it[1]["regret_low"].__setitem__(0, 9.0), "g.jsonl:2: regret_low is"),
    (lambda it: it[1].update(best=[]), "g.jsonl:2: best is"),
    (lambda it: it[1].update(solved=False), "g.jsonl:2: solved is false"),
    (lambda it: it[1].update(fault="crash"), 'g.jsonl:2: fault is "crash", and should be null'),
    (lambda it: it[1].update(guesses=it[1]["guesses"][:-1]), "solved is true, and should be false"),
    (lambda it: it[1]["guesses"].append("abide"), "g.jsonl:2: guesses is"),
    (lambda it: it[1]["guesses"].insert(0, "zebra"), 'should be "unknown word"'),
    (lambda it: it[1].update(guesses=7), "g.jsonl:2: guesses is 7"),
    (lambda it: it[1].update(fault="luck"), 'fault is "luck"'),
    (lambda it: it[0].update(limit=1), 'should be "too many guesses"'),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_what_was_changed_is_found(
    knuthle: Knuthle, lines: list[dict[str, Any]], number: int
) -> None:
    change, said = CHANGES[number]
    change(lines)
    written(lines)
    done = knuthle("referee", *LISTED, "--check", "g.jsonl", "--json", "j")
    assert done.code == 1 and said in done.out
    assert json.loads(Path("j").read_text())["faults"]


def test_what_is_no_record_is_refused(knuthle: Knuthle, lines: list[dict[str, Any]]) -> None:
    check = ("referee", *LISTED, "--check", "g.jsonl")
    foreign = knuthle("referee", "--list", "original", "--check", "g.jsonl")
    assert foreign.code == 2 and "name them by --list and --secrets" in foreign.err
    for text, said in (
        ("", "g.jsonl:1: not an object"),
        ("7\n", "g.jsonl:1: not an object"),
        ('{"format": "x"}\n', "no games of 'referee --record'"),
        ('{"format": "knuthle games", "version": 1}\n', "no games of 'referee --record'"),
    ):
        Path("g.jsonl").write_text(text)
        done = knuthle(*check)
        assert done.code == 2 and said in done.err
