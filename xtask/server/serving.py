"""What the scripts of this folder share: a server on a data folder of its own, and requests to it. They need only Python."""

import atexit
import http.client
import http.server
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A run of the sample takes a few seconds in a debug build; a loaded machine is ten times slower.
PATIENCE = 300


def expect(is_so, *what):
    if not is_so:
        sys.exit("not as expected: " + " ".join(str(one) for one in what))


class Listener(http.server.ThreadingHTTPServer):
    """Listens for clients that may be killed."""

    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, *_):
        pass


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


class Server:
    """`precedent serve` on a port that the system chooses, without settings, keys or caches of the user."""

    def __init__(self, program, data, *options):
        self.program, self.data, self.options = program, data, options
        self.start()
        # Also if the script fails.
        atexit.register(self.kill)

    def start(self):
        command = [self.program, "serve", "--bind", "127.0.0.1:0", "--corpus", "examples/works", "--data", self.data, *self.options]
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "XDG_CONFIG_HOME": "/nonexistent",
            "PRECEDENT_CACHE": "off",
            "PRECEDENT_MODELS": "/nonexistent",
            "PRECEDENT_BROWSER": "/nonexistent/browser",
        }
        self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = self.process.stdout.readline().decode().strip()
        expect(line.startswith("http://"), "the server printed", repr(line))
        self.address = line.removeprefix("http://")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def send(self, method, path, body=None, headers=None):
        host, port = self.address.rsplit(":", 1)
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, path):
        return self.send("GET", path)

    def post(self, path, value):
        return self.send("POST", path, json.dumps(value), {"Content-Type": "application/json"})

    def upload(self, name, content):
        return self.send("POST", f"/api/v1/inputs?name={name}", content)

    def uploaded(self, name, content):
        answer = self.upload(name, content)
        expect(answer.status == 201, name, answer.status, answer.body)
        return answer.json()["sha256"]

    def run(self, run):
        return self.get(f"/api/v1/runs/{run}").json()

    def wait(self, run, *states):
        """The run once it is in one of these states."""
        since = time.monotonic()
        while True:
            record = self.run(run)
            if record["state"] in states:
                return record
            expect(time.monotonic() - since < PATIENCE, "not", states, record)
            time.sleep(0.02)


class Corpus:
    """A corpus of the server's user that grows by files of records."""

    def __init__(self, server, name):
        self.server, self.address, self.name, self.files = server, f"/api/v1/corpora/{name}", name, 0
        answer = server.post("/api/v1/corpora", {"name": name})
        expect(answer.status == 201, answer.status, answer.body)

    def own(self):
        return self.server.get(self.address).json()["own"]

    def upload(self, records):
        """Adds a file with this many records that no other file has."""
        self.files += 1
        lines = [
            {"id": f"rope:{self.files}-{number}", "title": f"Ropes as telegraphs {self.files}, {number}", "abstract": "We send pulses over mooring ropes.", "year": 2019}
            for number in range(records)
        ]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        return self.server.send("POST", f"{self.address}/files?name={self.files}.jsonl", content)

    def ready(self):
        """The corpus once no file waits or is being imported."""
        since = time.monotonic()
        while (own := self.own())["state"] != "ready":
            expect(time.monotonic() - since < PATIENCE, "not ready:", own)
            time.sleep(0.02)
        return own

    def check(self, *papers):
        """It has one of these numbers of papers, and they are found."""
        answer = self.server.get(self.address)
        expect(answer.status == 200 and answer.json()["works"] in papers, "other papers than", papers, answer.body)
        found = self.server.post("/api/v1/search", {"query": "pulses over mooring ropes", "corpora": [self.name]})
        expect(found.status == 200 and len(found.json()["results"]) == min(10, answer.json()["works"]), found.status, found.body)

    def no_leftovers(self):
        """Neither a file that was imported nor a state that was replaced or interrupted is left."""
        folder = Path(self.server.data, "corpora")
        left = [sorted(path.name for path in folder.joinpath(*part).iterdir()) for part in [(), (self.name, "waiting"), (self.name, "states")]]
        expect(left[0] == [self.name] and left[1] == [] and len(left[2]) == 1, "left behind:", left)


def note(number):
    """A paper with claims that differs from every other number's."""
    claim = "a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame"
    return (
        f"# Ropes That Do Not Creep, Part {number}\n\nAbstract\n\nWe propose {claim}.\n\n# 1 Introduction\n\nOur contributions are as follows. "
        f"We introduce {claim}. We release a data set of tension recordings from {number} moored buoys.\n"
    ).encode()
