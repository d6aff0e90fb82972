"""What the scripts of this folder share: the program, its environment, and calls whose answers are checked."""

import json
import os
import sys
from pathlib import Path

from mcp import StdioServerParameters

ROOT = Path(__file__).resolve().parents[2] / "examples"
LIMIT = 20_000
# No settings, keys or caches of the user.
ENVIRONMENT = {
    "PATH": os.environ.get("PATH", ""),
    "XDG_CONFIG_HOME": "/nonexistent",
    "PRECEDENT_CACHE": "off",
    "PRECEDENT_MODELS": "/nonexistent",
}



def over_pipes(path, *options):
    return StdioServerParameters(command=str(path), args=["mcp", *options], env=ENVIRONMENT)


def expect(is_so, *what):
    if not is_so:
        sys.exit("not as expected: " + " ".join(str(one) for one in what))


async def call(client, tool, **arguments):
    """Calls a tool and returns its structured answer."""
    result = await client.call_tool(tool, arguments)
    text = result.content[0].text
    expect(not result.is_error, tool, arguments, text)
    expect(len(text) <= LIMIT, tool, "has", len(text), "characters")
    expect(json.loads(text) == result.structured_content, tool, "text and structure differ")
    return result.structured_content


async def ended(client, answer):
    """The run of an answer once it has ended."""
    while answer["status"] in ("queued", "running"):
        answer = await call(client, "get_run", run=answer["run"], wait_seconds=10)
    expect(answer["status"] == "complete", answer)
    return answer
