"""Games for programs that learn: as plain Python plays them, side by side and one by one."""

import math
import os
import random
import sys
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from solver import memory_limits
from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.load import load_game
from strategy.play.environment import NONE, Environment, Games, gymnasium_env
from strategy.play.regret import Judge
from tests.support import naive, refused
from tests.support.worlds import some_world

WORDS = ["abide", "crane", "raise", "slate", "stare"]


def plainly(
    games: Games, secret: str, reward: str, illegal: str
) -> Generator[tuple[float, bool, bool, Any, set[str]], int, None]:
    """A game in plain Python: reward, whether it ends now or is over, history, what is legal."""
    game, legal, left = games.game, set(games.game.guesses), list(games.game.secrets)
    history, made, over, ended, got = list[tuple[str, int]](), 0, False, False, 0.0
    while True:
        guess = yield got, ended, over, tuple(history), legal
        word, got, ended = [*game.guesses, ""][guess], 0.0, False
        if over:
            continue
        fault, solved = word not in legal, word == secret
        if not fault:
            buckets, score = naive.split(word, left), naive.grade(word, secret)
            bits = math.log2(len(left) / len(buckets[score]))
            got = {"solved": float(solved), "information": bits}.get(reward, 0.0)
            if reward == "regret":
                found = Judge(game, hard=games.hard).regret(tuple(history), word).regret
                got = -found.low if found else math.nan
            left, history = buckets[score], [*history, (word, score)]
            if games.hard:
                legal = {it for it in legal if naive.may_follow(it, word, secret)}
        made += not fault or illegal == "count"
        lost = (fault and illegal == "lose") or (not solved and made >= games.limit)
        if reward == "guesses":
            got = -float(not fault or illegal != "refuse") - float(lost)
        over = ended = solved or lost


@pytest.mark.parametrize("reward", ["solved", "guesses", "information", "regret"])
@pytest.mark.parametrize("illegal", ["refuse", "count", "lose"])
@pytest.mark.parametrize("hard", [False, True])
def test_games_side_by_side_are_as_plain_python_plays_them(
    reward: str, illegal: str, hard: bool
) -> None:
    dice = random.Random(f"{reward} {illegal} {hard}")
    game = some_world(dice, 6, 14)
    games = Games(game, 20, hard=hard, limit=4, reward=reward, illegal=illegal)

    def begun(at: int) -> Any:
        twin = plainly(games, game.secrets[games.secrets[at]], reward, illegal)
        next(twin)
        return twin

    games.reset(seed=7)
    secrets, twins = games.secrets.tolist(), [*map(begun, range(20))]
    for number in range(8):
        if number == 4:  # every other game begins anew
            games.reset(which=np.arange(20) % 2 == 0)
            twins[::2] = map(begun, range(0, 20, 2))
        wanted = [dice.randrange(-1, len(game.guesses) + 1) for _ in twins]
        done = games.step(wanted)
        states = [twin.send(guess) for twin, guess in zip(twins, wanted, strict=True)]
        rewards, ended, over, histories, legal = zip(*states, strict=True)
        assert done.reward.tolist() == pytest.approx(rewards, abs=1e-9)
        assert (done.terminated ^ done.truncated).tolist() == [*ended]
        assert games.over.tolist() == [*over]
        for at, words in enumerate(legal):
            assert games.history(at) == histories[at]
            assert {game.guesses[it] for it in np.flatnonzero(games.mask(at))} == words

    def drawn(seed: int | None) -> Any:
        assert (games.reset(seed)["guesses"] == NONE).all() and not games.over.any()
        return games.secrets.tolist()

    assert drawn(7) == secrets != drawn(None) != drawn(7) != drawn(8)


def test_one_game_in_texts() -> None:
    env = Environment(load_game(WORDS), reward="regret", limit=2)
    observation, info = env.reset(options={"secret": "stare"})
    assert observation["guesses"].tolist() == [NONE, NONE] and info["text"] == ""
    for guess, reward, over, text, more in (
        ("nonsense", 0.0, [False, False], "", {"illegal": True}),
        ("abide", -0.4, [False, False], "abide ybbbg", {"illegal": False, "solved": False}),
        (4, 0.0, [True, False], "abide ybbbg stare ggggg", {"solved": True, "secret": "stare"}),
    ):
        observation, got, *ended, info = env.step(guess)
        assert got == pytest.approx(reward) and ended == over and info["mask"].all()
        assert info["text"] == text and info.items() >= more.items()
        assert ("secret" in info) == any(over)
    assert observation["guesses"].tolist() == [0, 4]
    board = Environment(load_game(spec="mastermind:2x3"), reward="information", limit=1)
    board.reset(options={"secret": "12"})
    _, reward, *ended, info = board.step("21")
    assert (info["text"], info["secret"], ended) == ("21 0,2", "12", [False, True])
    assert reward == pytest.approx(math.log2(9))


def test_what_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game, board = load_game(WORDS), load_game(spec="mastermind:2x3")
    refused(WrongInputError, "reward is one of solved, guesses", Games, game, 1, reward="gold")
    refused(WrongInputError, "illegal is one of refuse, count", Games, game, 1, illegal="shrug")
    refused(WrongInputError, "at least one game", Games, game, 1, limit=0)
    refused(WrongInputError, "hard mode is a rule of Wordle", Games, board, 1, hard=True)
    refused(WrongInputError, "2 games need as many guesses", Games(game, 2).step, [1])
    begin = Environment(load_game(WORDS, secrets=["crane"])).reset
    refused(WrongInputError, "'abide' is not among the secrets", begin, options={"secret": "abide"})
    monkeypatch.setattr(memory_limits, "available", lambda: 24)
    refused(CouldNotFinishError, "to grade games side by side needs", Games, game, 1)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    refused(WrongInputError, "pip install gymnasium", gymnasium_env, game)


@pytest.mark.filterwarnings("ignore")  # it has advice about names and ranges of spaces
@pytest.mark.parametrize("options", [{}, {"hard": True, "reward": "regret", "illegal": "lose"}])
def test_gymnasium_accepts_it(options: dict[str, Any]) -> None:
    if os.environ.get("CI") != "true":
        pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    env = gymnasium_env(load_game(WORDS), **options)
    check_env(env, skip_render_check=True)
    assert env.observation_space.contains(env.reset(seed=1)[0])
    assert env.observation_space.contains(env.step(1)[0])
