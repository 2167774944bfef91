"""The server in a thread, asked by OpenEnv's client over the loopback."""

import threading
import time

import uvicorn
from openenv.core import GenericEnvClient
from wordle_openenv import app

server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
threading.Thread(target=server.run, daemon=True).start()
while not server.started:
    time.sleep(0.05)
port = server.servers[0].sockets[0].getsockname()[1]
with GenericEnvClient(base_url=f"http://127.0.0.1:{port}").sync() as env:
    assert env.reset(seed=1).observation["text"] == ""
    done = env.step({"word": "crane"})
    assert not done.done and -0.01 < done.reward < 0
    assert done.observation["text"] == "crane bbyyb" and done.observation["secret"] is None
    assert env.state()["step_count"] == 1
    lost = env.step({"word": "nonsense"})
    assert lost.done and lost.observation["illegal"] and lost.reward == -6
    secret = lost.observation["secret"]
    env.reset(seed=1)
    won = env.step({"word": secret})
    assert won.done and won.observation["text"] == f"{secret} ggggg" and -0.5 < won.reward < 0
server.should_exit = True
