"""Games for programs that learn: as plain Python plays them, side by side and one by one."""

import math
import random
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from solver import memory_limits
from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.load import load_game
from strategy.play.environment import NONE, Environment, Games, gymnasium_env
from strategy.play.regret import Judge
from tests.support import naive, refused
from tests.support.worlds import some_world

WORDS = ["abide", "crane", "raise", "slate", "stare"]
GAME, BOARD = load_game(WORDS), load_game(spec="mastermind:2x3")


def plainly(
    games: Games, judge: Judge, secret: str, guesses: Sequence[int], reward: str, illegal: str
) -> tuple[dict[str, float], tuple[tuple[str, int], ...], set[str]]:
    """A game in plain Python: what its last guess does, the history, and what is legal."""
    game, legal, left = games.game, set(games.game.guesses), list(games.game.secrets)
    grader = naive.pegs if game is BOARD else naive.grade
    history, made, over, done = list[tuple[str, int]](), 0, False, dict[str, float]()
    for guess in guesses:
        word, got = [*game.guesses, ""][guess], 0.0
        fault, solved = not over and word not in legal, not over and word == secret
        if not (over or fault):
            buckets, score = naive.split(word, left, grader), grader(word, secret)
            bits = math.log2(len(left) / len(buckets[score]))
            got = {"solved": float(solved), "information": bits}.get(reward, 0.0)
            if reward == "regret":
                found = judge.regret(tuple(history), word).regret
                got = -found.low if found else math.nan
            left, history = buckets[score], [*history, (word, score)]
            if games.hard:
                legal = {it for it in legal if naive.may_follow(it, word, secret)}
        made += not (over or fault) or (fault and illegal == "count")
        forfeit = fault and illegal == "lose"
        out = not (over or solved or forfeit) and made >= games.limit
        if reward == "guesses" and not over:
            got = -float(not fault or illegal != "refuse") - float(out or forfeit)
        over = over or solved or forfeit or out
        done = {"reward": got, "illegal": fault, "solved": solved, "over": over}
        done |= {"terminated": solved or forfeit, "truncated": out}
    return done, tuple(history), legal


@pytest.mark.parametrize("reward", ["solved", "guesses", "information", "regret"])
@pytest.mark.parametrize("illegal", ["refuse", "count", "lose"])
@pytest.mark.parametrize("rules", ["plain", "hard", "pegs"])
def test_games_are_as_plain_python_plays_them(reward: str, illegal: str, rules: str) -> None:
    """Twenty side by side; and the second of them in texts, by words or their numbers."""
    dice, hard = random.Random(f"{reward} {illegal} {rules}"), rules == "hard"
    game = BOARD if rules == "pegs" else some_world(dice, 6, 14)
    options: dict[str, Any] = {"hard": hard, "limit": 4, "reward": reward, "illegal": illegal}
    games, env = Games(game, 20, **options), Environment(game, **options)
    judge = Judge(game, hard=hard)

    def drawn(seed: int | None) -> Any:
        assert (games.reset(seed)["guesses"] == NONE).all() and not games.over.any()
        return games.secrets.tolist()

    secrets, made = drawn(7), [list[int]() for _ in range(20)]
    observation, info = env.reset(options={"secret": game.secrets[secrets[1]]})
    assert (observation["guesses"] == NONE).all() and info["text"] == ""
    for number in range(8):
        if number == 4:  # every other game begins anew
            games.reset(which=np.arange(20) % 2 == 0)
            made[::2] = [[] for _ in range(10)]
        for row in made:
            row.append(dice.randrange(-1, len(game.guesses) + 1))
        stepped = games.step([row[-1] for row in made])
        found = {**stepped._asdict(), **stepped.info, "over": games.over}
        for at, row in enumerate(made):
            secret = game.secrets[games.secrets[at]]
            wanted, history, legal = plainly(games, judge, secret, row, reward, illegal)
            assert {it: found[it][at] for it in wanted} == pytest.approx(wanted, abs=1e-9)
            assert games.history(at) == history
            assert {game.guesses[it] for it in np.flatnonzero(games.mask(at))} == legal
            if at == 1:
                named = dice.choice([row[-1], [*game.guesses, "nonsense"][row[-1]]])
                observation, *done, info = env.step(named)
                said = dict(zip(("reward", "terminated", "truncated"), done, strict=True)) | info
                assert all(said[it] == found[it][at] for it in wanted.keys() - {"over"})
                assert said["text"] == game.format_state(history).replace(".", " ")
                assert said.get("secret") == (secret if any(done[1:]) else None)
                assert (said["mask"] == games.mask(at)).all()
                seen = zip(*(observation[it].tolist() for it in ("guesses", "scores")), strict=True)
                ids = [(game.guess_id(word), score) for word, score in history]
                assert [it for it in seen if it != (NONE, NONE)] == ids
    assert drawn(7) == secrets != drawn(None) != drawn(7) != drawn(8)


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refused(WrongInputError, "reward is one of solved, guesses", Games, GAME, 1, reward="gold")
    refused(WrongInputError, "illegal is one of refuse, count", Games, GAME, 1, illegal="shrug")
    refused(WrongInputError, "at least one game", Games, GAME, 1, limit=0)
    refused(WrongInputError, "hard mode is a rule of Wordle", Games, BOARD, 1, hard=True)
    refused(WrongInputError, "2 games need as many guesses", Games(GAME, 2).step, [1])
    begin = Environment(load_game(WORDS, secrets=["crane"])).reset
    refused(WrongInputError, "'abide' is not among the secrets", begin, options={"secret": "abide"})
    monkeypatch.setattr(memory_limits, "available", lambda: 24)
    refused(CouldNotFinishError, "to grade games side by side needs", Games, GAME, 1)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    refused(WrongInputError, "pip install gymnasium", gymnasium_env, GAME)


@pytest.mark.filterwarnings("ignore")  # it has advice about names and ranges of spaces
@pytest.mark.parametrize("options", [{}, {"hard": True, "reward": "regret", "illegal": "lose"}])
def test_gymnasium_accepts_it(options: dict[str, Any]) -> None:
    env = gymnasium_env(GAME, **options)
    check_env(env, skip_render_check=True)
    env.reset(seed=1)
    assert env.observation_space.contains(env.step(1)[0])
