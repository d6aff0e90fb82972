"""Runs a batch on several workers while processes are killed and stopped, disks are full, and clocks differ. Checks what comes out.

    python chaos.py path/to/precedent path/to/precedent-scripted [PAPERS] [SEED] [--provider-batch] [--s3 path/to/moto_server]

No paper may be lost, every report must have the bytes of a batch on one machine, and no call whose answer was recorded may be made again. Calls that were
in flight are made again, and are counted. The program needs the feature `postgres`. Needs Linux, Python 3.10 and PostgreSQL. Only root can make the small
disks; without them, no disk is full. Clocks differ if libfaketime is installed. With --provider-batch, calls go to the batch endpoint of a provider, and
none may be submitted twice. With --s3, the store is the S3 server of moto behind a proxy that fails, loses answers and writes slowly.
"""

import argparse
import atexit
import collections
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "server"))
import kills
from disk import Disk
from kills import Model, repeated
from provider import Provider
from serving import ROOT, expect, note
from store import Store

WORKERS = 4
# Seconds without a sign of life after which a worker loses its papers. Short, so that most of the time is not spent waiting for it.
LEASE = 3
# Seconds of an answer: long enough that most moments have a call in flight.
kills.LATENCY = 0.1
# Seconds between two failures.
PAUSE = (0.5, 4)
# Seconds that a paper may take with all failures before the run counts as stuck; 300 papers took 4 seconds each.
LIMIT = 30
# How often each failure is chosen.
FAILURES = {"worker": 6, "stop": 2, "database": 1, "batch": 1, "full disk": 2}
# What has a disk of its own, and its megabytes.
DISKS = {"workers": 256, "store": 128, "database": 512}
# PostgreSQL writes up to a gigabyte before it reuses the files of its log. So that it fits on its disk:
LOG = "-c max_wal_size=64MB"
# What the clocks of the workers say, in turn.
CLOCKS = ["+0", "+70m", "-70m"]
FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)
REPORTS = ["report.json", "report.md", "report.html"]
# What a batch prints for a paper that ended three workers.
PARKED = ": failed: 3 workers ended while they ran it"
# The exit code of a program that cannot use its input, which includes a database that is away.
INPUT = 3


class Database:
    """A PostgreSQL server on a folder of its own."""

    def __init__(self, folder):
        self.folder = Path(folder, "database")
        self.folder.mkdir(exist_ok=True)
        versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
        self.programs = next((str(one) for one in versions), os.path.dirname(shutil.which("initdb") or ""))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.is_root = os.geteuid() == 0
        if self.is_root:
            # The server refuses to run as root, and its user must reach the folder.
            os.chmod(folder, 0o711)
            shutil.chown(self.folder, "postgres")
        self.url = f"postgres://organizer@127.0.0.1:{self.port}/postgres"
        self.call("initdb", "--pgdata", f"{self.folder}/data", "--username", "organizer", "--auth", "trust", "--encoding", "UTF8")
        self.start()

    def call(self, program, *arguments):
        become = ["runuser", "-u", "postgres", "--"] if self.is_root else []
        done = subprocess.run([*become, f"{self.programs}/{program}", *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        expect(done.returncode == 0, program, *arguments, "ended with", done.returncode)

    def start(self):
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 {LOG}"
        self.call("pg_ctl", "start", "--pgdata", f"{self.folder}/data", "--log", f"{self.folder}/log", "--wait", "--options", options)

    def recorded_answers(self):
        """The answers that workers recorded. A stage that a killed worker finished is used without its answers, so the ledgers of runs lack these."""
        query = "SELECT encode(body, 'hex') FROM precedent.answers WHERE settled"
        done = subprocess.run([f"{self.programs}/psql", "--no-align", "--tuples-only", "--command", query, self.url], stdout=subprocess.PIPE, check=True)
        return [bytes.fromhex(line) for line in done.stdout.decode().split()]

    def is_up(self):
        become = ["runuser", "-u", "postgres", "--"] if self.is_root else []
        ready = [*become, f"{self.programs}/pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready).returncode == 0

    def crash(self):
        self.call("pg_ctl", "stop", "--pgdata", f"{self.folder}/data", "--mode", "immediate", "--wait")


class Venue:
    """A folder with papers, a store, and processes that run them."""

    def __init__(self, program, model, folder, papers, store=None, environment=()):
        self.program, self.model, self.folder, self.papers = program, model, folder, papers
        self.store, self.environment = store or f"{folder}/store", dict(environment)
        self.database = Database(folder)
        self.counts, self.workers, self.started, self.disks = collections.Counter(), [], 0, []
        Path(folder, "papers").mkdir()
        for number in range(papers):
            Path(folder, "papers", f"{number}.md").write_bytes(note(number))

    def start(self, log, *arguments, clock=None):
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "XDG_CONFIG_HOME": "/nonexistent",
            "XDG_DATA_HOME": f"{self.folder}/workers/{log}.data",
            "PRECEDENT_CACHE": "off",
            "PRECEDENT_MODELS": "/nonexistent",
            "OPENAI_API_KEY": "test-key",
            **self.environment,
        }
        if clock and FAKETIME:
            environment |= {"LD_PRELOAD": str(FAKETIME), "FAKETIME": clock, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        with open(f"{self.folder}/{log}.log", "ab") as output:
            process = subprocess.Popen([self.program, *arguments], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        atexit.register(process.kill)
        return process

    def shared(self):
        return ["--database", self.database.url, "--store", self.store, "--lease", str(LEASE)]

    def batch(self, out, *more):
        model = ["--model", "compatible:scripted"]
        if self.in_batches():
            model = ["--model", "openai:scripted", "--provider-batch", *self.settings()]
        common = ["--corpus", "examples/works", *model, "--model-url", self.model.base]
        return self.start(out, "batch", f"{self.folder}/papers", "--out", f"{self.folder}/{out}", *common, *more)

    def in_batches(self):
        return isinstance(self.model, Provider)

    def settings(self):
        path = Path(self.folder, "settings.toml")
        path.write_text(self.model.settings)
        return ["--settings", str(path)]

    def worker(self):
        self.started += 1
        clock = CLOCKS[self.started % len(CLOCKS)]
        more = ["--jobs", "1", "--model-url", self.model.base]
        if self.in_batches():
            more = ["--jobs", "4", "--model-url", f"openai={self.model.base}", *self.settings()]
        return self.start(f"worker-{self.started}", "worker", *self.shared(), *more, clock=clock)

    def end(self, process, log, *codes):
        code = process.wait()
        expect(code in codes, log, "ended with", code, Path(self.folder, f"{log}.log").read_text()[-2000:])
        return code

    def reports(self, out):
        """The reports of each run, by the name of its folder."""
        runs = [path.parent for path in Path(self.folder, out).glob("*/manifest.json")]
        return {run.name: [(run / name).read_bytes() for name in REPORTS] for run in runs}


class Chaos:
    def __init__(self, venue, seed):
        self.venue, self.random = venue, random.Random(seed)
        self.batch, self.stopped, self.wakes = None, None, 0
        # Since when the database is away, and until when.
        self.back = None
        # The disk that is full, and until when.
        self.full, self.empties = None, 0

    def run(self):
        """Runs the batch to its end."""
        venue = self.venue
        self.batch = venue.batch("shared", "--jobs", "0", *venue.shared())
        venue.workers = [venue.worker() for _ in range(WORKERS)]
        next_failure = time.monotonic() + 2
        deadline = time.monotonic() + 60 + LIMIT * venue.papers
        while True:
            time.sleep(0.05)
            expect(time.monotonic() < deadline, "the batch is stuck", Path(venue.folder, "shared.log").read_text()[-2000:])
            self.heal()
            code = self.batch.poll()
            if code is not None and self.back is None and self.full is None:
                if code == 0:
                    break
                # Papers that were parked because three of their workers were killed are tried again, and a killed command is repeated.
                expect(code in (INPUT, -signal.SIGKILL), "the batch ended with", code, Path(venue.folder, "shared.log").read_text()[-2000:])
                venue.counts["batch repeated"] += 1
                self.batch = venue.batch("shared", "--jobs", "0", *venue.shared())
            elif time.monotonic() >= next_failure:
                self.fail(self.random.choices(list(FAILURES), list(FAILURES.values()))[0])
                next_failure = time.monotonic() + self.random.uniform(*PAUSE)
        if self.stopped:
            self.stopped.send_signal(signal.SIGCONT)
        for worker in venue.workers:
            worker.terminate()
        for worker in venue.workers:
            expect(worker.wait() == 0, "a worker did not drain")

    def heal(self):
        """Ends what is temporary, and replaces workers that ended."""
        now = time.monotonic()
        if self.back is not None and now >= self.back:
            self.venue.database.start()
            self.back = None
        if self.full and now >= self.empties:
            self.make_room()
        if self.stopped and now >= self.wakes:
            self.stopped.send_signal(signal.SIGCONT)
            self.stopped = None
        for at, worker in enumerate(self.venue.workers):
            code = worker.poll()
            if code is not None and self.back is None and self.full is None:
                # It cannot start without its database or with a full disk.
                expect(code in (-signal.SIGKILL, INPUT), "a worker ended with", code)
                self.venue.workers[at] = self.venue.worker()

    def make_room(self):
        """Empties the full disk, as an operator does. Workers whose disk was full take no papers until they are started again."""
        venue, disk, self.full = self.venue, self.full, None
        disk.free()
        if disk.folder.name == "workers":
            for worker in venue.workers:
                worker.kill()
        elif disk.folder.name == "database":
            patience = time.monotonic() + 5
            while not venue.database.is_up() and time.monotonic() < patience:
                time.sleep(0.2)
            if not venue.database.is_up():
                venue.counts["database ended"] += 1
                venue.database.start()

    def fail(self, kind):
        venue, now = self.venue, time.monotonic()
        running = [worker for worker in venue.workers if worker.poll() is None and worker is not self.stopped]
        match kind:
            case "worker" if running:
                self.random.choice(running).kill()
            case "stop" if running and not self.stopped:
                self.stopped, self.wakes = self.random.choice(running), now + LEASE + self.random.uniform(1, 4)
                self.stopped.send_signal(signal.SIGSTOP)
            case "full disk" if venue.disks and self.full is None and self.back is None:
                self.full, self.empties = self.random.choice(venue.disks), now + self.random.uniform(1, 3)
                self.full.fill()
                kind = f"full disk of the {self.full.folder.name}"
            case "database" if self.back is None and self.full is None:
                venue.database.crash()
                self.back = now + self.random.uniform(0, 3)
            case "batch" if self.batch.poll() is None:
                self.batch.kill()
            case _:
                return
        venue.counts[kind] += 1


def check(venue, papers, seed):
    """Runs the batch and compares it with one on one machine."""
    model, since = venue.model, time.monotonic()
    Chaos(venue, seed).run()
    seconds, made = time.monotonic() - since, len(model.calls)
    shared = venue.reports("shared")
    expect(len(shared) == papers, len(shared), "of", papers, "papers have a run")
    if venue.in_batches():
        needed, batches = len(set(model.calls)), len(model.submitted)
    else:
        again, lost, needed = repeated(list(enumerate(model.calls)), venue.database.recorded_answers())
    shown = venue.start("shown", "batches", "--json", "--database", venue.database.url)
    venue.end(shown, "shown", 0)
    states = json.loads(Path(venue.folder, "shown.log").read_text())
    expect(len(states) == 1 and states[0]["done"] == papers, "not all papers are done:", states)
    venue.end(venue.batch("single"), "single", 0)
    single = venue.reports("single")
    differ = [name for name in single if single[name] != shared.get(name)]
    expect(not differ, len(differ), "reports differ:", differ)
    expect(len(model.calls) - made == needed, "one machine made", len(model.calls) - made, "calls, not", needed)
    counts, parked = venue.counts, Path(venue.folder, "shared.log").read_text().count(PARKED)
    print(f"{papers} papers, {WORKERS} workers, {seconds:.0f} s, seed {seed}: 0 lost, every report as on one machine")
    print(
        f"workers killed {counts['worker']}, stopped past the lease {counts['stop']}; database killed {counts['database']} times; "
        f"batch killed {counts['batch']}, repeated {counts['batch repeated']}; papers parked and tried again {parked}"
    )
    print(f"clocks of workers: {', '.join(CLOCKS)}" if FAKETIME else "all clocks were the same: libfaketime is not installed")
    full = ", ".join(f"{name} {counts[f'full disk of the {name}']}" for name in [disk.folder.name for disk in venue.disks])
    print(f"full disks: {full}; database ended by that {counts['database ended']}" if venue.disks else "no disk was full: only root can make small disks")
    if venue.in_batches():
        print(f"{batches} batches; calls submitted / needed: {made} / {needed}")
        expect(made == needed, made - needed, "calls were submitted twice")
    else:
        print(f"calls made / needed: {made} / {needed}; {lost} were in flight, {again} had a recorded answer")
        expect(again == 0, again, "calls were made again although their answer was recorded")


def main():
    if sys.platform != "linux":
        return print("skipped: needs Linux")
    parser = argparse.ArgumentParser()
    parser.add_argument("program", type=os.path.realpath)
    parser.add_argument("scripted", type=os.path.realpath)
    parser.add_argument("papers", type=int, nargs="?", default=40)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--provider-batch", action="store_true")
    parser.add_argument("--s3", metavar="MOTO_SERVER")
    typed = parser.parse_args()
    papers, seed = typed.papers, typed.seed
    model = (Provider if typed.provider_batch else Model)(typed.scripted)
    bucket = Store(typed.s3, seed) if typed.s3 else None
    with tempfile.TemporaryDirectory(prefix="precedent-chaos-") as folder:
        # A bucket has no disk of ours.
        disks = [Disk(Path(folder, name), f"{megabytes}m") for name, megabytes in DISKS.items() if not (bucket and name == "store")]
        venue = Venue(typed.program, model, folder, papers, bucket and bucket.place, bucket.environment if bucket else ())
        venue.disks = [disk for disk in disks if disk.problem is None]
        try:
            check(venue, papers, seed)
            if bucket:
                print(bucket.said())
        finally:
            venue.database.crash()
            for disk in disks:
                disk.end()


if __name__ == "__main__":
    main()
