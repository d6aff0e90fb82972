"""Runs a batch on 1, 2 and 4 workers within the quota of one provider, and compares the time with what the quota allows.

    python quota.py path/to/precedent path/to/precedent-scripted [PAPERS] [REQUESTS_PER_MINUTE] [WORKERS ...]

The model answers after a second. No minute may have more requests than the quota. The program needs the feature `postgres`. Needs Linux, Python 3.10 and
PostgreSQL.
"""

import bisect
import os
import sys
import tempfile
import time
from pathlib import Path

from chaos import Venue, expect, kills

kills.LATENCY = 1

# Papers at a time on all workers together. Each waits for one or a few calls most of the time.
AT_ONCE = 128
# Calls at a time on all workers together.
CALLS = 256
# With few papers, the first and the last ones, which do not fill the quota, would count for more.
PAPERS, QUOTA = 1000, 3000


def most_in(seconds, came):
    came = sorted(came)
    return max(bisect.bisect_left(came, start + seconds) - at for at, start in enumerate(came))


def memory(process):
    """The memory that a process uses and its processor time, in MB and seconds."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    used = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return used / 1024, (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(program, scripted, papers, quota, count):
    model = kills.Model(scripted)
    with tempfile.TemporaryDirectory(prefix="precedent-quota-") as folder:
        venue = Venue(program, model, folder, papers)
        settings = Path(folder, "settings.toml")
        settings.write_text(f"[providers.compatible]\nrequests_per_minute = {quota}\n")
        try:
            shared = ["--database", venue.database.url, "--store", venue.store]
            each = ["--jobs", str(AT_ONCE // count), "--model-url", model.base, "--settings", str(settings)]
            workers = [venue.start(f"worker-{at}", "worker", *shared, *each) for at in range(count)]
            batch = venue.batch("shared", "--jobs", "0", "--at-once", str(CALLS // count), *shared)
            samples = []
            while batch.poll() is None:
                time.sleep(0.5)
                if model.came:
                    samples.append((len(model.came), [memory(worker) for worker in workers]))
            venue.end(batch, "shared", 0)
            for worker in workers:
                worker.terminate()
            for worker in workers:
                expect(worker.wait() == 0, "a worker did not drain")
        finally:
            venue.database.crash()
        runs = len(venue.reports("shared"))
        expect(runs == papers, runs, "of", papers, "papers have a run")
    calls = len(model.came)
    seconds, allowed = max(model.came) - min(model.came) + 1, calls * 60 / quota
    most = most_in(60, model.came)
    used = [max(one[0] for one in workers) for _, workers in samples]
    quarters = [max(mb for (made, _), mb in zip(samples, used) if made <= calls * part / 4) for part in range(1, 5)]
    processor = sum(one[1] for one in samples[-1][1])
    print(
        f"{count} workers, {papers} papers, {calls} calls: {seconds:.0f} s, {seconds / allowed:.2f} of the {allowed:.0f} s that the quota allows; "
        f"at most {most} calls in 60 s; largest worker {' / '.join(f'{mb:.0f}' for mb in quarters)} MB until each quarter; {processor:.0f} s of processors",
        flush=True,
    )
    expect(most <= quota, most, "requests in a minute, and the quota is", quota)
    model.scripted.kill()


def main():
    if sys.platform != "linux":
        return print("skipped: needs Linux")
    program, scripted, *rest = sys.argv[1:]
    papers, quota, *counts = [int(one) for one in rest] + [PAPERS, QUOTA][len(rest) :]
    for count in counts or [1, 2, 4]:
        measure(os.path.realpath(program), os.path.realpath(scripted), papers, quota, count)


if __name__ == "__main__":
    main()
