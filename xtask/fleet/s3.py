"""Runs a shared batch through the S3 server of moto, behind a proxy that fails, loses answers and writes slowly. Checks what comes out.

    python s3.py path/to/precedent path/to/precedent-scripted path/to/moto_server [PAPERS] [SEED]

Every report must have the bytes of a batch on one machine. `.ci/run` runs it. The program needs the feature `postgres`. Needs Linux, Python 3.10 and PostgreSQL.
"""

import os
import sys
import tempfile
import time

from chaos import Venue, expect, kills
from store import Store

WORKERS = 2
kills.LATENCY = 0.01

def check(venue, store, papers, seed):
    since = time.monotonic()
    workers = [venue.worker() for _ in range(WORKERS)]
    venue.end(venue.batch("shared", "--jobs", "0", *venue.shared()), "shared", 0)
    seconds = time.monotonic() - since
    for at, worker in enumerate(workers):
        worker.terminate()
        venue.end(worker, f"worker-{at + 1}", 0)
    # Elsewhere, from what is in the store.
    venue.end(venue.batch("again", "--jobs", "0", *venue.shared()), "again", 0)
    venue.end(venue.batch("single"), "single", 0)
    single, counts = venue.reports("single"), store.counts
    expect(len(single) == papers, len(single), "of", papers, "papers have a run")
    for out in ["shared", "again"]:
        expect(venue.reports(out) == single, "the reports of", out, "differ from those of one machine")
    for kind in ["refused", "lost", "slow"]:
        expect(counts[kind] > 0, "no request was", kind)
    print(
        f"{papers} papers, {WORKERS} workers, {seconds:.0f} s, seed {seed}: every report as on one machine; {store.said()}"
    )


def main():
    if sys.platform != "linux":
        return print("skipped: needs Linux")
    program, scripted, moto, *rest = sys.argv[1:]
    papers, seed = int(rest[0]) if rest else 6, int(rest[1]) if len(rest) > 1 else 1
    model, store = kills.Model(os.path.realpath(scripted)), Store(moto, seed)
    with tempfile.TemporaryDirectory(prefix="precedent-s3-") as folder:
        venue = Venue(os.path.realpath(program), model, folder, papers, store.place, store.environment)
        try:
            check(venue, store, papers, seed)
        finally:
            venue.database.crash()


if __name__ == "__main__":
    main()
