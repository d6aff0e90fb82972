"""Plays an agent that checks the background section of the sample paper, in the order of skills/novelty-check, and writes what it did as Markdown.

    python agent.py path/to/precedent            compares the transcript with docs/mcp-transcript.md
    python agent.py path/to/precedent --update   writes it

There is no model: rules choose the calls. Nothing is sent. Needs the packages of requirements.txt. `.ci/run` runs it.
"""

import argparse
import asyncio
import difflib
import json
import re
import sys
import tempfile
from pathlib import Path

from mcp import Client

from session import ROOT, call, ended, expect, over_pipes

TRANSCRIPT = ROOT.parent / "docs" / "mcp-transcript.md"
PAPER = "paper.pdf"
# Headings of sections that describe earlier papers.
SECTIONS = re.compile(r"background|related work|prior work", re.IGNORECASE)
# Shorter sentences say too little to be compared.
LEAST_WORDS = 8
INTRODUCTION = """# A session of an agent

A script in the place of an agent checks the section “{section}” of the sample paper with the tools of [`precedent mcp`](mcp.md), in the order of the
[skill](../skills/novelty-check/SKILL.md). `xtask/mcp/agent.py` writes this page, and CI compares it. Everything in the sample is invented.
"""


class Transcript:
    """The calls of a session, with what the agent takes from each answer."""

    def __init__(self, client):
        self.client = client
        self.lines = []

    def say(self, *lines):
        self.lines.extend(lines)

    async def call(self, tool, **arguments):
        typed = json.dumps(arguments, ensure_ascii=False)
        self.say("", f"`{tool}` `{typed if len(typed) < 160 else typed[:150] + '…'}`", "")
        return await call(self.client, tool, **arguments)


def one_line(text):
    return " ".join(text.split())


def quoted(text):
    return "> " + one_line(text)


async def section(transcript):
    """The heading and the sentences of the section on earlier papers."""
    paper = await transcript.call("read_paper", paper=PAPER)
    outline = paper["outline"]
    place = next((number for number, entry in enumerate(outline) if SECTIONS.search(entry["heading"])), None)
    expect(place is not None, "no section on earlier papers in", outline)
    start = outline[place]["start"]
    end = outline[place + 1]["start"] if place + 1 < len(outline) else paper["page"]["bytes"]
    transcript.say(f"“{paper['title']}”, {paper['date']}, {len(outline)} sections. The section “{outline[place]['heading']}” is bytes {start} to {end}.")
    text, cursor = "", None
    while start + len(text.encode()) < end:
        more = {"cursor": cursor} if cursor else {}
        page = await call(transcript.client, "read_paper", paper=PAPER, start=start, **more)
        text += page["page"]["text"]
        cursor = page.get("next_cursor")
        if not cursor:
            break
    text = text.encode()[: end - start].decode()
    body = one_line(text.removeprefix(outline[place]["heading"]))
    sentences = [one for one in re.split(r"(?<=[.!?])\s+(?=[A-Z])", body) if len(one.split()) >= LEAST_WORDS]
    return outline[place]["heading"], body, sentences


async def check_sentence(transcript, number, sentence):
    """A sentence that describes earlier papers: finds the passage and verifies it. Returns the paper's id, if one is close."""
    transcript.say("", f"### Sentence {number}", "", quoted(sentence))
    found = await transcript.call("match_claim", claim=sentence, sources=[], limit=3)
    expect(found["sent"] is None, "something was sent", found["sent"])
    best = next((one for one in found["results"] if one["level"] in ("anticipated", "similar")), None)
    if best is None:
        transcript.say(f"No match found in {len(found['results'])} papers compared.")
        return None
    passage = best["passage"]["text"]
    transcript.say(f"{best['level']}: {best['title']} ({best['year']}), {100 * best['probability']:.0f} %", "", quoted(passage))
    checked = await transcript.call("verify_quote", id=best["id"], quotes=[passage])
    outcome = checked["answers"][0]["outcome"]
    expect(outcome in ("exact", "close"), "a tool returned a passage that its source does not have", checked)
    transcript.say(f"The passage is in the paper: {outcome}.")
    return best["id"]


async def check_reuse(transcript, text, ids):
    """Text that the section shares with the papers that it describes."""
    transcript.say("", "## Reused text")
    shared = await transcript.call("overlap", target_text=text, other_ids=ids, min_words=10)
    count = len(shared["passages"])
    transcript.say(f"Shared passages of 10 words or more: {count}. Passages that may be paraphrases: {len(shared['paraphrase_candidates'])}.")
    for passage in shared["passages"] + shared["paraphrase_candidates"]:
        transcript.say("", f"{passage['kind']}, {passage['words']} words, in {passage['b_file']}:", "", quoted(passage["a_text"]), "", quoted(passage["b_text"]))


async def check_claims(transcript):
    """The claims of the paper, with the evidence of each that is not new."""
    transcript.say("", "## Claims of the paper")
    run = await ended(transcript.client, await transcript.call("assess", paper=PAPER, sources=[], use_model=False))
    coverage = run["assessment"].get("coverage", "not measured, because no paper was found")
    transcript.say(f"{len(run['assessment']['claims'])} claims, compared with {run['assessment']['papers']} papers. Coverage: {coverage}.")
    for claim in run["assessment"]["claims"]:
        transcript.say("", f"### Claim {claim['number']}: {claim['level']}", "", quoted(claim["text"]))
        if claim["level"] == "none":
            continue
        closest = claim["closest"][0]
        evidence = await transcript.call("get_evidence", run=run["run"], claim=claim["number"], paper=closest["number"])
        pair = evidence["claims"][0]["passages"][0]
        transcript.say(f"{closest['title']} ({closest['year']}):", "", quoted(pair["target"]["text"]), "", quoted(pair["candidate"]["text"]))
    transcript.say("", "## Not searched", "")
    transcript.say(*(f"- {one}" for one in run["not_searched"]))


async def session(program, runs):
    async with Client(over_pipes(program, "--root", str(ROOT), "--corpus", str(ROOT / "works"), "--runs", runs)) as client:
        transcript = Transcript(client)
        transcript.say("", "## Before the start")
        listed = await transcript.call("list_corpora")
        corpora = ", ".join(f"{one['name']} with {one['papers']} papers" for one in listed["corpora"])
        transcript.say(f"Corpora: {corpora}. Services: {len(listed['sources'])}. Model: {listed['model'] or 'none'}. Nothing can be sent, so no consent is needed.")
        heading, body, sentences = await section(transcript)
        expect(len(sentences) > 3, sentences)
        transcript.say("", "## Sentences on earlier papers")
        ids = [await check_sentence(transcript, number, sentence) for number, sentence in enumerate(sentences, 1)]
        ids = list(dict.fromkeys(id for id in ids if id))
        expect(ids, "no sentence matches a paper")
        await check_reuse(transcript, body, ids)
        await check_claims(transcript)
        return INTRODUCTION.format(section=heading) + "\n".join(transcript.lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program", nargs="?", default="target/debug/precedent", type=Path)
    parser.add_argument("--update", action="store_true", help=f"write {TRANSCRIPT.name} instead of comparing it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as runs:
        text = asyncio.run(session(arguments.program.resolve(), runs))
    if arguments.update:
        TRANSCRIPT.write_text(text, encoding="utf-8")
        return
    before = TRANSCRIPT.read_text(encoding="utf-8") if TRANSCRIPT.exists() else ""
    if before != text:
        sys.stdout.writelines(difflib.unified_diff(before.splitlines(True), text.splitlines(True), "docs/mcp-transcript.md", "this session"))
        sys.exit("the transcript has changed; write it with: python xtask/mcp/agent.py --update")
    print(f"the transcript of an agent: {text.count('`match_claim`')} claims matched, as in docs/mcp-transcript.md")


main()
