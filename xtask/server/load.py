"""Measures the pages of `precedent serve` under load, and its memory over many short runs.

    python load.py path/to/precedent [RUNS] [SECONDS]

Load: 200 clients that follow runs, 20 uploads at once, and two runs at the same time. Then RUNS short runs (1,000 unless given), each prepared, started,
followed to its end and deleted. Fails if the memory of the server grows with their number. Needs Linux, for /proc.
"""

import json
import multiprocessing
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from serving import PATIENCE, ROOT, Server, expect, note

FOLLOWERS = 200
UPLOADS = 20
# Size of each upload: a paper with some figures.
UPLOAD = 4_000_000
# Waiting runs, so that there is always one to follow.
WAITING = 40
# Memory that the server may gain between a third of the short runs and their end, in bytes. Chosen by hand: what the allocator may keep once, and less
# than the record of one run has, for each.
GROWTH_ONCE, GROWTH_PER_RUN = 1_000_000, 500
TINY = [
    {"id": f"rope:{number}", "title": f"Ropes of Kind {number}", "date": "2020-06-02", "abstract": f"A rope of kind {number} carries symbols in swell."}
    for number in range(3)
]


def memory(server):
    """Resident memory of the server without its children, in bytes."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) * 1024


def mb(size):
    return f"{size / 1e6:.1f} MB"


class Load:
    """Clients that keep a server busy until they are stopped, in a process of their own, which does not slow the measurement down."""

    def __init__(self, server):
        self.server, self.faults = server, []
        context = multiprocessing.get_context("fork")
        self.stopped, self.events, self.uploads, self.most = context.Event(), context.Value("q"), context.Value("q"), context.Value("q")
        self.ended = context.Queue()
        self.process = context.Process(target=self.all)
        self.process.start()

    def all(self):
        tasks = [self.follow] * FOLLOWERS + [self.upload] * UPLOADS + [self.watch]
        threads = [threading.Thread(target=self.guarded, args=[task, number]) for number, task in enumerate(tasks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.ended.put(self.faults)

    def guarded(self, task, number):
        try:
            while not self.stopped.is_set():
                task(number)
        except BaseException as error:
            self.faults.append(f"{task.__name__}: {error!r}")

    def follow(self, number):
        lists = [self.server.get(f"/api/v1/runs?limit=1000&status={state}").json()["runs"] for state in ("running", "queued")]
        active = [run["id"] for runs in lists for run in runs]
        if not active:
            return time.sleep(0.1)
        answer = self.server.get(f"/api/v1/runs/{active[number % len(active)]}/events")
        expect(answer.status == 200 and b"event: end" in answer.body, answer.status, answer.body[-200:])
        with self.events.get_lock():
            self.events.value += answer.body.count(b"\n\n")

    def upload(self, number):
        answer = self.server.upload(f"paper-{number}.pdf", os.urandom(UPLOAD))
        expect(answer.status == 201, answer.status, answer.body)
        expect(self.server.send("DELETE", f"/api/v1/inputs/{answer.json()['sha256']}").status == 204, "an upload is not deleted")
        with self.uploads.get_lock():
            self.uploads.value += 1

    def watch(self, _):
        self.most.value = max(self.most.value, memory(self.server))
        time.sleep(0.1)

    def stop(self):
        self.stopped.set()

    def join(self):
        """What went wrong."""
        faults = self.ended.get(timeout=PATIENCE)
        self.process.join()
        return faults


def times(server, pages, seconds):
    """Seconds that each page took, one after the other."""
    taken = {page: [] for page in pages}
    end = time.monotonic() + seconds
    # A median needs two values.
    while time.monotonic() < end or len(taken[pages[0]]) < 2:
        for page in pages:
            since = time.monotonic()
            answer = server.get(page)
            taken[page].append(time.monotonic() - since)
            expect(answer.status == 200, page, answer.status)
    return taken


def report(title, taken):
    print(f"{title} | p50, ms | p99, ms | requests")
    every = [one for of_page in taken.values() for one in of_page]
    for page, ones in [*taken.items(), ("all pages", every)]:
        cuts = statistics.quantiles(ones, n=100)
        print(f"{page} | {cuts[49] * 1e3:.1f} | {cuts[98] * 1e3:.1f} | {len(ones)}")


def under_load(program, folder, seconds):
    server = Server(program, folder, "--local-only", "--jobs", "2")
    paper = (ROOT / "examples/paper.pdf").read_bytes()
    sha256 = server.uploaded("paper.pdf", paper)
    request = {"job": "assess", "input": sha256, "corpora": ["works"]}
    run = server.post("/api/v1/runs", request).json()["id"]
    server.wait(run, "finished")
    pages = ["/", "/runs", f"/runs/{run}", f"/runs/{run}/requests", "/batches", "/watches", "/assets/app.js", "/api/v1/runs", f"/api/v1/runs/{run}/files/report.html"]
    before = memory(server)
    report("without load", times(server, pages, min(5, seconds)))
    waiting = [server.post("/api/v1/runs", {**request, "seed": seed + 1}).json()["id"] for seed in range(WAITING)]
    load = Load(server)
    # All of them have begun.
    since = time.monotonic()
    while load.uploads.value < UPLOADS and load.process.is_alive():
        expect(time.monotonic() - since < PATIENCE, "no uploads")
        time.sleep(0.1)
    report("under load", times(server, pages, seconds))
    # Between two runs there may be one for a moment.
    since = time.monotonic()
    while (running := server.get("/api/v1/health").json())["running"] != 2 and time.monotonic() - since < PATIENCE:
        time.sleep(0.05)
    load.stop()
    for id in waiting:
        server.send("POST", f"/api/v1/runs/{id}/stop")
    faults = load.join()
    expect(not faults, faults[:3])
    expect(running["running"] == 2, "not two runs at the same time", running)
    time.sleep(2)
    print(f"{load.uploads.value} uploads of {mb(UPLOAD)}, {load.events.value} events to {FOLLOWERS} clients; memory before {mb(before)}, at most {mb(load.most.value)}, after {mb(memory(server))}")
    server.end()


def short_runs(program, folder, count):
    corpus = Path(folder, "tiny.jsonl")
    corpus.write_text("".join(json.dumps(record) + "\n" for record in TINY))
    server = Server(program, Path(folder, "data"), "--local-only", "--jobs", "2", "--corpus", corpus)
    lock, numbers, sizes = threading.Lock(), iter(range(count)), []

    def work():
        for number in iter(lambda: next_of(numbers, lock), None):
            text = f"A rope of kind {number} carries symbols in swell, and both ends predict when it is taut."
            run = server.post("/api/v1/runs", {"job": "idea", "text": text, "corpora": ["tiny.jsonl"]}).json()["id"]
            # Ends with the run.
            server.get(f"/api/v1/runs/{run}/events")
            server.wait(run, "finished")
            expect(server.get(f"/runs/{run}").status == 200, run)
            expect(server.send("DELETE", f"/api/v1/runs/{run}").status == 204, run)
            with lock:
                sizes.append(memory(server))
                if len(sizes) % max(1, count // 10) == 0:
                    print(f"{len(sizes)} runs: {mb(sizes[-1])}", flush=True)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(len(sizes) == count, "only", len(sizes), "runs")
    left = list(Path(folder, "data/runs").iterdir())
    expect(not left, "folders are left", left[:3])
    server.end()
    third = count // 3
    early, late = statistics.median(sizes[third:third + third // 4 + 1]), statistics.median(sizes[-(third // 4) - 1:])
    print(f"{count} short runs: memory {mb(early)} after a third, {mb(late)} at the end")
    expect(late - early <= GROWTH_ONCE + GROWTH_PER_RUN * count, "the memory of the server grows with the number of runs")


def next_of(numbers, lock):
    with lock:
        return next(numbers, None)


def main():
    if sys.platform != "linux":
        return print("skipped: memory is read from /proc")
    program, *rest = sys.argv[1:]
    program, count, seconds = os.path.realpath(program), int(rest[0]) if rest else 1000, float(rest[1]) if len(rest) > 1 else 30
    with tempfile.TemporaryDirectory(prefix="precedent-load-") as folder:
        under_load(program, f"{folder}/load", seconds)
        short_runs(program, folder, count)


if __name__ == "__main__":
    main()
