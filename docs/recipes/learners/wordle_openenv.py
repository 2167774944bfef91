"""A server for OpenEnv: a game a session, rewarded by minus the regret of each guess."""

from typing import Any

from openenv.core.env_server import Action, Environment, Observation, State, create_app

from strategy import load_game
from strategy.play.environment import Environment as Wordle

GAME = load_game()


class Guess(Action):  # type: ignore[misc]
    """What a player does."""

    word: str


class Seen(Observation):  # type: ignore[misc]
    """What it sees: the game so far, and at the end the word."""

    text: str
    illegal: bool = False
    secret: str | None = None


class WordleServer(Environment):  # type: ignore[misc]
    """One game of Wordle."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self.env = Wordle(GAME, reward="regret", illegal="lose")

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Seen:
        """Hide a word, by the seed if there is one."""
        self.episode_id = episode_id
        self.env.reset(seed=seed)
        return Seen(text="")

    def step(self, action: Guess, timeout_s: float | None = None, **_: Any) -> Seen:
        """Make a guess. One that is no word loses the game, which costs as much as six guesses."""
        _, reward, terminated, truncated, info = self.env.step(action.word)
        done = terminated or truncated
        if done and not info["solved"]:
            reward -= self.env.games.limit
        shown = {name: info.get(name) for name in ("text", "illegal", "secret")}
        return Seen(done=done, reward=reward, **shown)

    @property
    def state(self) -> State:
        """The number of guesses made."""
        return State(episode_id=self.episode_id, step_count=int(self.env.games.made[0]))


app = create_app(WordleServer, Guess, Seen, env_name="wordle", max_concurrent_envs=64)
