"""A whole episode: the environment, the package's own chat loop, and a model that answers lines."""

import asyncio
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import verifiers.v1 as vf
from wordle_verifiers import WordleConfig, WordleEnvConfig

from tests.support.commands import serving

os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # uv
config = WordleEnvConfig(taskset=WordleConfig(id="wordle_verifiers", games=3, seed=1))
env = vf.load_environment(config)
task, *others = env.taskset
answers = iter(["I begin with CRANE", "", "xxxxx", f"It is {task.data.secret}"])
heard = []


class Model(BaseHTTPRequestHandler):
    """Answers as a server of language models does, in a stream."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        heard.append(asked["messages"][-1]["content"])
        choice = {"index": 0, "delta": {"content": next(answers)}, "finish_reason": "stop"}
        answer = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "lines"}
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        answer = json.dumps(answer | {"choices": [choice]})
        self.wfile.write(f"data: {answer}\n\ndata: [DONE]\n\n".encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


async def play(place: str) -> None:
    model = vf.ModelContext("lines", vf.EvalClientConfig(base_url=place, api_key_var="HOME"))
    async with env.serving():
        episode = await env.run_episode(task, model)
    [trace] = episode.traces
    assert episode.ok and not trace.errors, (episode.errors, trace.errors)
    assert [it.split()[0] for it in heard] == ["Guess", "crane", "crane", "crane"], heard
    assert trace.rewards["solved"].score == 1
    assert -2.5 < trace.rewards["exact_play"].score < -2  # two that are no words, and the others


assert len({it.data.secret for it in (task, *others)}) == 3
with serving(ThreadingHTTPServer(("127.0.0.1", 0), Model)) as server:
    asyncio.run(play(f"http://127.0.0.1:{server.server_port}/v1"))
