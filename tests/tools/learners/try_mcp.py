"""The server asked by the SDK's own client, as programs with a model do."""

import asyncio
import os
import sys

from mcp import Client, StdioServerParameters, stdio_client

ASKED = {
    "grade": {"guess": "crane", "secret": "ruddy"},
    "suggest": {"history": "crane bybbb", "top": 2},
    "regret": {"guess": "sloth", "history": "crane bybbb"},
    "review": {"played": "crane sloth ruddy", "secret": "ruddy"},
}


async def main() -> None:
    args = ["-m", "strategy", "mcp"]
    server = StdioServerParameters(command=sys.executable, args=args, env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        tools = {tool.name: tool.description for tool in (await client.list_tools()).tools}
        assert tools.keys() == ASKED.keys() and all(tools.values())
        answers = {name: await client.call_tool(name, given) for name, given in ASKED.items()}
        found = {name: answer.structured_content for name, answer in answers.items()}
        assert found["grade"] == {"score": "bybbb"}
        assert found["suggest"]["remaining"] == 90
        assert [row["word"] for row in found["suggest"]["guesses"]] == ["shout", "south"]
        assert found["regret"]["regret"] == [14 / 90] * 2 and found["regret"]["best"] == ["shout"]
        assert found["review"]["solved"] and len(found["review"]["guesses"]) == 3
        wrong = await client.call_tool("regret", {"guess": "slath"})
        assert wrong.is_error and "'slath' is not among the 12,972" in wrong.content[0].text


asyncio.run(main())
