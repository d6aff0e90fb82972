"""Kills `precedent serve` or one of its processes at random moments while runs call a model, and checks what is left.

    python kills.py path/to/precedent path/to/precedent-scripted [ROUNDS] [SEED]

No run may be lost, every report must have the bytes of an undisturbed run, and no call whose answer was recorded may be made again. Calls that were in
flight at a kill are made again, and are counted. A corpus is as before or as after an import. No process may outlive the server. `.ci/run` runs it. Needs Linux, for /proc.
"""

import atexit
import collections
import http.client
import http.server
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from serving import PATIENCE, ROOT, Corpus, Listener, Server, expect, note

# Time of an answer, in seconds: short, so that most moments of a run are not spent waiting for the model.
LATENCY = 0.015
# Records of an imported file: about a second in a debug build.
RECORDS = 1000


class Model:
    """Passes calls on to the scripted model. Each answer gets a number, by which it is found in the record of its run."""

    def __init__(self, program):
        self.scripted = subprocess.Popen([program, "--latency-ms", str(int(LATENCY * 1000))], stdout=subprocess.PIPE)
        atexit.register(self.scripted.kill)
        target = self.scripted.stdout.readline().decode().strip().removeprefix("http://")
        # The body of each call, and when it came.
        self.calls, self.came, lock = [], [], threading.Lock()

        def numbered(body):
            with lock:
                self.calls.append(body)
                self.came.append(time.monotonic())
                return len(self.calls) - 1

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                number = numbered(body)
                connection = http.client.HTTPConnection(target, timeout=PATIENCE)
                connection.request("POST", self.path, body, {"content-type": "application/json"})
                response = connection.getresponse()
                answer = json.loads(response.read())
                connection.close()
                answer["id"] = f"call-{number}-"
                # Which calls share a prefix depends on their order, and so would the report.
                answer["usage"]["prompt_tokens_details"] = {"cached_tokens": 0}
                answer = json.dumps(answer).encode()
                self.send_response(response.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        listener = Listener(("127.0.0.1", 0), Handler)
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{listener.server_address[1]}/v1"


def requests(server, count):
    """Bodies of runs that differ, so that no two make the same call."""
    sample = server.uploaded("paper.pdf", (ROOT / "examples/paper.pdf").read_bytes())
    common = {"corpora": ["works"], "model": "compatible:scripted"}
    for number in range(count):
        match number % 4:
            case 0:
                yield {**common, "job": ["assess", "points", "review"][number // 4 % 3], "input": sample, "seed": number}
            case 1 | 3:
                yield {**common, "job": "assess", "input": server.uploaded(f"note-{number}.md", note(number))}
            case 2:
                text = f"Place every symbol of telemetry number {number} into a taut interval of the rope that both buoys predict from the swell."
                yield {**common, "job": "idea", "text": text}


def start(server, body):
    answer = server.post("/api/v1/runs", body)
    expect(answer.status == 202, body, answer.status, answer.body)
    return answer.json()["id"]


def files(server, run):
    names = server.run(run)["files"]
    return {name: server.get(f"/api/v1/runs/{run}/files/{name}").body for name in names}


def processes():
    """Every process: its parent and its arguments."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                found[int(folder.name)] = (parent, (folder / "cmdline").read_bytes().decode(errors="replace").split("\0"))
            except (OSError, IndexError):
                pass
    return found


def below(pid):
    """The processes that this one has started, and theirs, by kind."""
    every, found, parents = processes(), {}, [pid]
    while parents:
        parent = parents.pop()
        for child, (of, arguments) in every.items():
            if of == parent and "work" in arguments:
                kinds = [kind for kind in ("read", "call", "import") if f"--{kind}" in arguments]
                kind = {"read": "reader"}.get(kinds[0], kinds[0]) if kinds else "run"
                found[child] = kind
                parents.append(child)
    return found


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


class Kills:
    def __init__(self, server, model, rounds, seed, moments):
        self.server, self.model, self.rounds, self.random, self.moments = server, model, rounds, random.Random(seed), moments
        self.kinds, self.started, self.restarts = collections.Counter(), [], 0

    def top_up(self, bodies):
        """Resumes what a kill has failed, and keeps two runs active."""
        active = 0
        for run in self.listed():
            if run["state"] in ("failed", "stopped"):
                expect(run["problem"], "no reason", run)
                answer = self.server.send("POST", f"/api/v1/runs/{run['id']}/resume")
                expect(answer.status == 202, answer.status, answer.body)
            active += run["state"] != "finished"
        while active < 2:
            self.started.append(start(self.server, next(bodies)))
            active += 1

    def listed(self):
        runs = self.server.get("/api/v1/runs?limit=1000").json()["runs"]
        expect(sorted(run["id"] for run in runs) == sorted(self.started), "a run is lost:", self.started, runs)
        return runs

    def all(self, bodies, quote):
        while sum(self.kinds.values()) < self.rounds:
            self.top_up(bodies)
            # A call, whose process may be the one that is killed.
            threading.Thread(target=self.call, args=[quote], daemon=True).start()
            time.sleep(self.random.uniform(0, self.moments))
            self.one()

    def call(self, quote):
        try:
            answer = self.server.post("/api/v1/verify", quote)
            expect(answer.status in (200, 422), answer.status, answer.body)
        except (OSError, http.client.HTTPException):
            # The server was killed.
            pass

    def one(self):
        children = below(self.server.process.pid)
        kinds = sorted({"server", "everything", *children.values()})
        kind = self.random.choice(kinds)
        if kind in ("server", "everything"):
            self.server.kill()
            if kind == "everything":
                for child in children:
                    kill(child)
            self.kinds[kind] += 1
            self.server.start()
            self.restarts += 1
        else:
            victims = [child for child, of in children.items() if of == kind]
            self.kinds[kind] += kill(self.random.choice(victims))

    def settle(self):
        """Resumes runs until all have finished."""
        since = time.monotonic()
        while True:
            runs = self.listed()
            if all(run["state"] == "finished" for run in runs):
                return
            for run in runs:
                if run["state"] in ("failed", "stopped"):
                    self.server.send("POST", f"/api/v1/runs/{run['id']}/resume")
            expect(time.monotonic() - since < PATIENCE, "not finished:", runs)
            time.sleep(0.1)


def kill_imports(server, rounds, seed):
    """Kills the server or the process of an import at random moments of imports. The corpus is as before or as after, and each file is imported once."""
    chosen, corpus, papers, duration = random.Random(seed), Corpus(server, "ropes"), 0, 0
    for number in range(-1, rounds):
        # The first import is not disturbed.
        kind = None if number < 0 else ["import", "server"][number % 2]
        expect(corpus.upload(RECORDS).status == 202, "not uploaded")
        since = time.monotonic()
        while kind and not (imports := [child for child, of in below(server.process.pid).items() if of == "import"]):
            expect(time.monotonic() - since < PATIENCE, "no import")
        time.sleep(chosen.uniform(0, duration))
        if kind == "import":
            kill(imports[0])
        elif kind == "server":
            server.kill()
            server.start()
        if kind and papers:
            corpus.check(papers, papers + RECORDS)
        own = corpus.ready()
        duration = duration or time.monotonic() - since
        of_file = [one for one in own["imports"] if one["files"] == [f"{corpus.files}.jsonl"]]
        failed = [one for one in of_file if "problem" in one]
        # Only the import whose own process was killed has failed. One that had ended before is not repeated, or finds its papers.
        expect(not failed or kind == "import", failed)
        added = 0 if failed else RECORDS
        expect(sum(one["added"] for one in of_file) == added and 1 <= len(of_file) <= 2, of_file)
        papers += added
        corpus.check(papers)
    server.kill()
    server.start()
    corpus.no_leftovers()
    corpus.check(papers)
    print(f"{rounds} kills during imports, {papers} papers of {corpus.files} files, nothing left behind")


def recorded_answers(ledgers):
    """The answers in the ledgers of runs."""
    for ledger in ledgers:
        with sqlite3.connect(f"file:{ledger}?mode=ro", uri=True) as opened:
            for (body,) in opened.execute("SELECT body FROM answers"):
                yield body


def repeated(calls, answers):
    """Calls that were made again although their answer was recorded, and those whose answer was not."""
    recorded = {int(json.loads(answer)["id"].split("-")[1]) for answer in answers}
    by_body = collections.defaultdict(list)
    for number, body in calls:
        by_body[body].append(number)
    again, lost = 0, 0
    for numbers in by_body.values():
        kept = [number for number in numbers if number in recorded]
        expect(len(kept) == 1, "a call without one recorded answer:", numbers, kept)
        again += sum(number > kept[0] for number in numbers)
        lost += sum(number < kept[0] for number in numbers)
    return again, lost, len(by_body)


def main():
    if sys.platform != "linux":
        return print("skipped: processes are found in /proc")
    program, scripted, *rest = sys.argv[1:]
    rounds, seed = int(rest[0]) if rest else 50, int(rest[1]) if len(rest) > 1 else 1
    program = os.path.realpath(program)
    model = Model(os.path.realpath(scripted))
    with tempfile.TemporaryDirectory(prefix="precedent-kills-") as folder:
        settings = Path(folder, "settings.toml")
        settings.write_text(f'model_url = "{model.base}"\n')
        options = ["--settings", settings, "--model", "compatible:scripted", "--local-only", "--jobs", "2"]
        server = Server(program, f"{folder}/killed", *options)
        quote = {"source": {"input": server.uploaded("paper.pdf", (ROOT / "examples/paper.pdf").read_bytes())}, "quotes": ["A slack rope carries nothing at all"]}
        kill_imports(server, rounds // 2, seed)
        # The time of one run.
        since = time.monotonic()
        bodies = requests(server, 1000)
        first = start(server, next(bodies))
        server.wait(first, "finished")
        moments = time.monotonic() - since
        kills = Kills(server, model, rounds, seed, moments)
        kills.started.append(first)
        kills.all(bodies, quote)
        kills.settle()
        again, lost, needed = repeated(list(enumerate(model.calls)), recorded_answers(Path(folder, "killed").glob("runs/*/ledger.sqlite")))
        made = len(model.calls)
        expect(again == 0, again, "calls were made again although their answer was recorded")
        server.end()
        left = [arguments for _, arguments in processes().values() if "work" in arguments and os.path.realpath(arguments[0]) == os.path.realpath(program)]
        expect(not left, "processes outlive the server:", left)

        server.start()
        whole = Server(program, f"{folder}/whole", *options)
        for body, run in zip(requests(whole, len(kills.started)), kills.started, strict=True):
            expect(start(whole, body) == run, body, run)
            whole.wait(run, "finished")
            expect(files(whole, run) == files(server, run), run, "has other bytes than an undisturbed run")
        undisturbed = len(model.calls) - made
        expect(undisturbed == needed, undisturbed, needed)
        whole.end()
        server.end()
        by_kind = ", ".join(f"{kind} {count}" for kind, count in sorted(kills.kinds.items()))
        print(f"{sum(kills.kinds.values())} kills ({by_kind}), {len(kills.started)} runs, every report as undisturbed")
        print(f"calls made / needed: {made} / {needed}; {lost} were in flight at a kill, {again} had a recorded answer")


if __name__ == "__main__":
    main()
