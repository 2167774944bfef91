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


if __name__ == "__main__":  # a game of a stand-in for a model: a server that has four answers
    import asyncio
    import json
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
    from threading import Thread

    import wordle_verifiers as found  # by its name, as verifiers finds it

    taskset = found.WordleConfig(id="wordle_verifiers", games=3, seed=1)
    env = vf.load_environment(found.WordleEnvConfig(taskset=taskset))
    tasks = list(env.taskset)
    answers = iter(["I begin with CRANE", "", "xxxxx", f"It is {tasks[0].data.secret}"])

    class Model(BaseHTTPRequestHandler):
        """Answers as a server of language models does, in a stream of one piece."""

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = next(answers)
            choice = {"index": 0, "delta": {"content": said}, "finish_reason": "stop"}
            print(f"{asked['messages'][-1]['content']}\n> {said}")
            piece = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "lines"}
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            piece["choices"] = [choice]
            self.wfile.write(f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n".encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    async def play(place: str) -> None:
        """Play the first game, and print what it is worth."""
        model = vf.ModelContext("lines", vf.EvalClientConfig(base_url=place, api_key_var="HOME"))
        async with env.serving():
            episode = await env.run_episode(tasks[0], model)
        for name, reward in episode.traces[0].rewards.items():
            print(f"{name} {reward.score:.4f}")
        print("words", *(task.data.secret for task in tasks), "errors", episode.traces[0].errors)

    with ThreadingHTTPServer(("127.0.0.1", 0), Model) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        asyncio.run(play(f"http://127.0.0.1:{server.server_port}/v1"))
        server.shutdown()
