"""Games for programs that learn: as plain Python plays them, side by side and one by one."""

import math
import os
import random
import warnings
from typing import Any

import numpy as np
import pytest

from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from strategy.play.environment import NONE, Environment, Games, gymnasium_env
from strategy.play.regret import Judge
from tests.support import naive, refused
from tests.support.worlds import some_world

WORDS = ["abide", "crane", "raise", "slate", "stare"]


class PlainGame:
    """One game of words by plain Python, with the rewards by their names."""

    def __init__(self, game: Game, secret: str, hard: bool, limit: int, illegal: str) -> None:
        self.game, self.secret, self.hard, self.limit = game, secret, hard, limit
        self.illegal, self.legal, self.left = illegal, set(game.guesses), list(game.secrets)
        self.history: list[tuple[str, int]] = []
        self.made, self.over = 0, False

    def step(self, guess: int, reward: str) -> float:
        if self.over:
            return 0.0
        word = self.game.guesses[guess] if 0 <= guess < len(self.game.guesses) else None
        fault = word not in self.legal
        got, solved = 0.0, False
        if not fault:
            assert word is not None
            score = naive.grade(word, self.secret)
            solved = word == self.secret
            if reward == "solved":
                got = float(solved)
            elif reward == "information":
                after = [it for it in self.left if naive.grade(word, it) == score]
                got, self.left = math.log2(len(self.left) / len(after)), after
            elif reward == "regret":
                found = Judge(self.game, hard=self.hard).regret(tuple(self.history), word).regret
                assert found is not None
                got = -found.low
            self.history.append((word, score))
            if self.hard:
                self.legal = {it for it in self.legal if naive.may_follow(it, word, self.secret)}
        used = not fault or self.illegal != "refuse"
        self.made += not fault or self.illegal == "count"
        lost = (fault and self.illegal == "lose") or (not solved and self.made >= self.limit)
        if reward == "guesses":
            got = -float(used) - float(lost)
        self.over = solved or lost
        return got


@pytest.mark.parametrize("reward", ["solved", "guesses", "information", "regret"])
@pytest.mark.parametrize("illegal", ["refuse", "count", "lose"])
@pytest.mark.parametrize("hard", [False, True])
def test_games_side_by_side_are_as_plain_python_plays_them(
    reward: str, illegal: str, hard: bool
) -> None:
    dice = random.Random(f"{reward} {illegal} {hard}")
    game = some_world(dice, 6, 14)
    games = Games(game, 20, hard=hard, limit=4, reward=reward, illegal=illegal)
    games.reset(seed=7)
    secrets = [game.secrets[at] for at in games.secrets]
    twins = [PlainGame(game, secret, hard, 4, illegal) for secret in secrets]
    for _ in range(8):
        wanted = [dice.randrange(-1, len(game.guesses) + 1) for _ in twins]
        done = games.step(wanted)
        before = [twin.over for twin in twins]
        rewards = [twin.step(guess, reward) for twin, guess in zip(twins, wanted, strict=True)]
        assert done.reward.tolist() == pytest.approx(rewards, abs=1e-9)
        over = [twin.over for twin in twins]
        assert games.over.tolist() == over
        ended = [now and not then for now, then in zip(over, before, strict=True)]
        assert (done.terminated | done.truncated).tolist() == ended
        assert not (done.terminated & done.truncated).any()
        for at, twin in enumerate(twins):
            assert games.history(at) == tuple(twin.history)
            allowed = {game.guesses[it] for it in np.flatnonzero(games.mask(at))}
            assert allowed == twin.legal
    again = games.reset(seed=7)
    assert [game.secrets[at] for at in games.secrets] == secrets
    assert (again["guesses"] == NONE).all() and not games.over.any()


def test_some_games_begin_anew_while_others_go_on() -> None:
    game = load_game(WORDS)
    games = Games(game, 3)
    games.step([0, 1, 2])
    games.reset(which=np.array([True, False, True]))
    assert [len(games.history(at)) for at in range(3)] == [0, 1, 0]


def test_one_game_in_texts() -> None:
    env = Environment(load_game(WORDS), reward="regret", limit=2)
    observation, info = env.reset(options={"secret": "stare"})
    assert observation["guesses"].tolist() == [NONE, NONE] and info["text"] == ""
    assert info["mask"].all() and "secret" not in info
    _, reward, terminated, truncated, info = env.step("nonsense")
    assert (reward, terminated, truncated, info["illegal"]) == (0.0, False, False, True)
    observation, reward, terminated, truncated, info = env.step("abide")
    assert reward == pytest.approx(-0.4) and not terminated and not truncated
    assert info["text"] == "abide ybbbg" and observation["guesses"].tolist() == [0, NONE]
    _, reward, terminated, truncated, info = env.step(4)
    assert terminated and not truncated and info["solved"] and info["secret"] == "stare"
    assert reward == 0.0
    env.reset(options={"secret": "stare"})
    env.step("abide")
    assert env.step("abide")[2:4] == (False, True)


def test_a_seed_draws_the_same_secrets() -> None:
    env = Environment(load_game())

    def drawn(seed: int | None) -> int:
        env.reset(seed=seed)
        return int(env.games.secrets[0])

    first = [drawn(3), drawn(None), drawn(None)]
    assert first == [drawn(3), drawn(None), drawn(None)] and len({*first, drawn(4)}) > 2


def test_mastermind_too() -> None:
    env = Environment(load_game(spec="mastermind:2x3"), reward="information")
    env.reset(options={"secret": "12"})
    _, reward, *_, info = env.step("21")
    assert info["text"] == "21 0,2" and reward == pytest.approx(math.log2(9))


def test_what_is_refused() -> None:
    game = load_game(WORDS)
    refused(WrongInputError, "reward is one of solved, guesses", Games, game, 1, reward="gold")
    refused(WrongInputError, "illegal is one of refuse, count", Games, game, 1, illegal="shrug")
    refused(WrongInputError, "at least one game", Games, game, 0)
    refused(WrongInputError, "2 games need as many guesses", Games(game, 2).step, [1])
    few = load_game(WORDS, secrets=["crane"])
    begin = Environment(few).reset
    refused(WrongInputError, "'abide' is not among the secrets", begin, options={"secret": "abide"})
    board = load_game(spec="mastermind:2x3")
    refused(WrongInputError, "hard mode is a rule of Wordle", Games, board, 1, hard=True)


def test_gymnasium_accepts_it() -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    for options in ({}, {"hard": True, "reward": "regret", "illegal": "lose"}):
        env: Any = gymnasium_env(load_game(WORDS), **options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it has advice about names and ranges of spaces
            check_env(env, skip_render_check=True)
        observation, _ = env.reset(seed=1)
        assert env.observation_space.contains(observation)
        assert env.observation_space.contains(env.step(1)[0])


def test_without_gymnasium_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gymnasium", None)
    refused(WrongInputError, "pip install gymnasium", gymnasium_env, load_game(WORDS))
