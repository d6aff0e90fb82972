"""Drives `precedent mcp` with the official Python client: `python check.py path/to/precedent [--wait SECONDS]`.

It calls every tool on the sample in examples/, over stdin and stdout and over HTTP, with the newest protocol and with the handshake of older ones.
The client validates every structured answer against the schema that the server lists. A run that takes half as long again as a call waits for it
returns its id, and is collected later; `--wait 45` does that with the default of the program, which takes more than a minute. It exits with 1 at the first answer that is not as expected.
Needs the packages of requirements.txt. `.ci/run` installs them.
"""

import argparse
import asyncio
import json
import re
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from mcp import Client

from session import ENVIRONMENT, ROOT, call, ended, expect, over_pipes

parser = argparse.ArgumentParser()
parser.add_argument("program", nargs="?", default="target/debug/precedent", type=Path)
parser.add_argument("--wait", type=int, default=2, help="seconds that a call waits for a run")
ARGUMENTS = parser.parse_args()
PROGRAM = ARGUMENTS.program.resolve()
CLAIM = "Pilot tugs tell our receiver how stiff the rope has become."
QUOTE = "A frame starts with four pilot tugs of known height."
OSEI = "works/full-texts/osei-2021-creep-compensated-decoding.md"

async def failure(client, tool, **arguments):
    """Calls a tool that must fail, and returns the failure."""
    result = await client.call_tool(tool, arguments)
    expect(result.is_error, tool, arguments, "did not fail")
    return json.loads(result.content[0].text)


async def pages(client, tool, **arguments):
    """All pages of an answer."""
    found = []
    cursor = None
    while True:
        page = await call(client, tool, **arguments, **({"cursor": cursor} if cursor else {}))
        found.append(page)
        cursor = page.get("next_cursor")
        if not cursor:
            return found


async def every_tool(client):
    """Calls each tool, as an agent would."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    used = set()

    async def use(tool, **arguments):
        used.add(tool)
        return await call(client, tool, **arguments)

    listed = await use("list_corpora")
    expect(listed["corpora"][0]["papers"] > 5, listed)
    found = await use("match_claim", claim=CLAIM, limit=3)
    expect(found["results"][0]["level"] == "similar", found)
    found = await use("search_prior_work", query="ropes that creep")
    expect(len(found["results"]) > 3, found)
    checked = await use("verify_quote", source=OSEI, quotes=[QUOTE, "Photosynthesis of tomatoes increases under violet greenhouse lamps."])
    expect([one["outcome"] for one in checked["answers"]] == ["exact", "absent"], checked)
    shared = await use("overlap", target="paper.pdf", others=[OSEI], min_words=8)
    expect("passages" in shared, shared)
    paper = await use("read_paper", paper="paper.pdf")
    expect(paper["title"] and paper["outline"], paper["title"])
    estimate = await use("estimate", paper="paper.pdf")
    expect(estimate["estimate"]["asks"] == 0, estimate)

    notes = []

    async def hear(progress, total, message):
        notes.append((progress, message))

    result = await client.call_tool("assess", {"paper": "paper.pdf"}, progress_callback=hear)
    used.add("assess")
    run = await ended(client, result.structured_content)
    expect(run["run"] == estimate["run"], run["run"], estimate["run"])
    expect(len(notes) > 3 and notes == sorted(notes, key=lambda note: note[0]), notes)
    claims = run["assessment"]["claims"]
    expect(claims and all(claim["level"] for claim in claims), claims)
    evidence = await use("get_evidence", run=run["run"], claim=claims[0]["number"], paper=claims[0]["closest"][0]["number"])
    expect(evidence["claims"][0]["passages"], evidence)
    report = await pages(client, "get_run", run=run["run"], report=True)
    used.add("get_run")
    text = "".join(page["report"]["text"] for page in report)
    resource = await client.read_resource(f"precedent://runs/{run['run']}/report.md")
    expect(resource.contents[0].text == text, "the resource is not the report")
    resources = (await client.list_resources()).resources
    expect(any(run["run"] in str(one.uri) for one in resources), resources)
    idea = await ended(client, await use("check_idea", idea="Two buoys share a rope and send symbols by tugging it when the swell keeps it taut."))
    expect(idea["idea"]["verdict"] in ("undecided", "not_novel"), idea)
    stopped = await use("cancel_run", run=idea["run"])
    expect(stopped["status"] == "complete", stopped)
    prompt = await client.get_prompt("novelty_check", {"paper": "paper.pdf"})
    named = set(re.findall(r"\b[a-z]+_[a-z_]+\b", prompt.messages[0].content.text)) - {"not_searched", "use_model"}
    expect(named <= tools, named - tools)
    expect(used == tools, "not called:", tools - used)


async def failures(client):
    """What an agent may do wrong."""
    for tool, arguments, kind in [
        ("match_claim", {}, "usage"),
        ("match_claim", {"claim": "x", "other": 1}, "usage"),
        ("read_paper", {"paper": "/etc/passwd"}, "usage"),
        ("read_paper", {"paper": "../README.md"}, "usage"),
        ("read_paper", {"paper": "none.pdf"}, "input"),
        ("get_run", {"run": "none"}, "input"),
        ("match_claim", {"claim": CLAIM, "sources": ["openalex"]}, "usage"),
    ]:
        found = await failure(client, tool, **arguments)
        expect(found["kind"] == kind and found["message"] and found["hint"], tool, arguments, found)


async def related_work(client):
    """Checks the sentences of a related-work section, as the skill says: quotes are verified, claims are matched, and one wrong quote is found."""
    section = [
        (OSEI, QUOTE, "exact"),
        (OSEI, QUOTE.replace("four", "seven"), "altered"),
    ]
    for source, quote, outcome in section:
        answer = (await call(client, "verify_quote", source=source, quotes=[quote]))["answers"][0]
        expect(answer["outcome"] == outcome, quote, answer)
        if outcome == "altered":
            expect(answer["edits"], "the difference is not shown", answer)
    found = await call(client, "match_claim", claim="The stiffness of the rope is estimated again from pilot tugs.")
    best = found["results"][0]
    expect(best["passage"]["text"] and best["level"] in ("similar", "anticipated"), best)


async def long_texts(client, folder):
    """A text of 200,000 characters."""
    text = "# A log\n\n" + "".join(f"On day {day} the \"swell\" was high, é.\n\n" for day in range(6_000))
    expect(len(text) > 200_000, len(text))
    (folder / "long.md").write_text(text, encoding="utf-8")
    read = await pages(client, "read_paper", paper="long.md")
    whole = "".join(page["page"]["text"] for page in read)
    expect(len(whole) > 190_000 and len(read) > 9, len(whole), len(read))


class SlowService(BaseHTTPRequestHandler):
    """Plays OpenAlex without any paper. It answers one request after the other, and the first ones slowly."""

    delays = []
    turn = threading.Lock()

    def do_GET(self):
        with self.turn:
            time.sleep(self.delays.pop() if self.delays else 0)
        body = b'{"meta": {"count": 0}, "results": []}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


async def a_run_that_outlasts_its_call(folder, wait):
    """A call returns the id of a run that takes longer than clients wait, and another call gets its result. Returns the seconds of both."""
    # The run sends more requests than these, and each gets its answer before the program gives up on it.
    SlowService.delays = [wait / 10] * 15
    service = ThreadingHTTPServer(("127.0.0.1", 0), SlowService)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    settings = folder / "settings.toml"
    address = f"http://127.0.0.1:{service.server_port}"
    settings.write_text(f'[sources.openalex]\nurl = "{address}"\nseconds = {10 * wait}\nbetween_ms = 0\n', encoding="utf-8")
    options = ["--root", str(ROOT), "--corpus", str(ROOT / "works"), "--sources", "openalex", "--runs", str(folder / "runs-slow")]
    began = time.monotonic()
    try:
        async with Client(over_pipes(PROGRAM, *options, "--wait", str(wait), "--settings", str(settings))) as client:
            first = await call(client, "assess", paper="paper.pdf")
            returned = time.monotonic() - began
            expect(first["status"] == "running" and first["run"], first)
            # Starting the program takes some of it.
            expect(wait <= returned < wait + 12, "the call took", returned, "s")
            run = await ended(client, first)
            expect(run["assessment"]["claims"] and run["sent"], "no claims, or nothing was searched")
            expect(not any("openalex failed" in one for one in run["not_searched"]), run["not_searched"])
            total = time.monotonic() - began
            expect(total > 1.5 * wait, "the run took only", total, "s")
    finally:
        service.shutdown()
    return returned, total


async def main():
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        common = ["--root", str(ROOT), "--corpus", str(ROOT / "works")]

        for mode in ("auto", "legacy"):
            runs = ["--runs", str(scratch / f"runs-{mode}")]
            async with Client(over_pipes(PROGRAM, *common, *runs), mode=mode) as client:
                await every_tool(client)
                await failures(client)
                await related_work(client)
            print(f"stdin and stdout, {mode}: all tools")
        async with Client(over_pipes(PROGRAM, "--root", str(scratch))) as client:
            await long_texts(client, scratch)
        print("200,000 characters: in pages")
        returned, total = await a_run_that_outlasts_its_call(scratch, ARGUMENTS.wait)
        print(f"slow service: the call returned after {returned:.0f} s, the run ended after {total:.0f} s")

        command = [str(PROGRAM), "mcp", "--http", "127.0.0.1:0", *common, "--runs", str(scratch / "runs-http")]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        try:
            address = re.search(r"http://\S+/mcp", server.stderr.readline()).group(0)
            async with Client(address) as one, Client(address, mode="legacy") as two:
                await asyncio.gather(every_tool(one), every_tool(two), related_work(one))
                await failures(two)
        finally:
            server.terminate()
            server.wait()
        print("HTTP: two clients at once")
    print(f"{time.monotonic() - began:.0f} s")


asyncio.run(main())
