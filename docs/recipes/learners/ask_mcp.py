"""The MCP server as a program with a model uses it: what it can do, and what it answers."""

import asyncio
import json
import os
import sys
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

SERVER = StdioServerParameters(
    command=sys.executable, args=["-m", "knuthle", "mcp"], env=dict(os.environ)
)
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("grade", {"guess": "crane", "secret": "ruddy"}),
    ("suggest", {"history": "crane bybbb sloth bbbbb", "top": 2}),
    ("regret", {"guess": "sloth", "history": "crane bybbb"}),
    ("review", {"played": "crane sloth ruddy", "secret": "ruddy"}),
    ("regret", {"guess": "slath"}),
]


def brief(value: Any) -> str:
    """A value as JSON; of guesses with all their figures the words alone."""
    if isinstance(value, list):
        value = [it["word"] if isinstance(it, dict) else it for it in value]
    return json.dumps(round(value, 3) if isinstance(value, float) else value)


async def main() -> None:
    """Start the server, and print its tools and its answers."""
    async with Client(stdio_client(SERVER)) as client:
        for tool in (await client.list_tools()).tools:
            print(f"{tool.name}: {tool.description.splitlines()[0]}")
        for name, given in ASKED:
            answer = await client.call_tool(name, given)
            if answer.is_error:
                print(f"{name} refuses: {answer.content[0].text}")
            for key, value in (answer.structured_content or {}).items():
                print(f"{name}: {key} {brief(value)}")


if __name__ == "__main__":
    asyncio.run(main())
