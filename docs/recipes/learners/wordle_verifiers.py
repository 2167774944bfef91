"""An environment for verifiers: a model plays, rewarded for the word and for exact play."""

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from strategy import load_game
from strategy.play.arena import sampled
from strategy.play.environment import Environment

__all__ = ["WordleEnv", "WordleTaskset"]
GAME, OPTIONS = load_game(), {"reward": "regret", "illegal": "count"}
RULES = (
    "Guess a word of five letters in six guesses. I answer each guess with all guesses so far and "
    "their scores: b grey, y yellow, g green. End each reply with your guess, in lower case."
)


class WordleConfig(vf.TasksetConfig):  # type: ignore[misc]
    """How many games, with words drawn by which seed."""

    games: int = 100
    seed: int = 0


class WordleData(vf.TaskData):  # type: ignore[misc]
    """The hidden word, which no message has."""

    secret: str


class WordleTask(vf.Task[WordleData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A game."""


class WordleTaskset(vf.Taskset[WordleTask, WordleConfig]):  # type: ignore[misc]
    """Games by their seed."""

    def load(self) -> Iterator[WordleTask]:
        """Hide a word in each game."""
        for secret in sampled(GAME.secrets, self.config.games, self.config.seed):
            yield WordleTask(WordleData(prompt=RULES, secret=secret), self.config.task)


class WordleEnvConfig(vf.EnvConfig):  # type: ignore[misc]
    """Who plays."""

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime=vf.SubprocessConfig())


class WordleEnv(vf.Env[WordleEnvConfig]):  # type: ignore[misc]
    """The game as the user of the conversation."""

    async def run(self, task: WordleTask, agents: Any) -> None:
        """Play a game; what is no word uses up a guess, and costs one."""
        env, regret, solved, done = Environment(GAME, **OPTIONS), 0.0, False, False
        env.reset(options={"secret": task.data.secret})
        async with agents.player.interaction(task) as talk:
            segment = await talk.turn()
            while not (segment.terminated or done):
                words = segment.last_reply.lower().split()
                _, reward, *over, info = env.step(words[-1] if words else "")
                regret += 1.0 if info["illegal"] else -reward
                solved, done = info["solved"], any(over)
                if not done:
                    unknown = " (that was no word of the list)" * info["illegal"]
                    segment = await talk.turn(f"{info['text']}{unknown}")
        talk.trace.record_reward("solved", float(solved))
        talk.trace.record_reward("exact_play", -regret, 0.5)
