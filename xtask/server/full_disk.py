"""Fills the disk of `precedent serve` before, during and after requests, and checks that it says so, damages nothing and continues when there is space.

    python full_disk.py path/to/precedent path/to/precedent-scripted

The data folder is on a small file system in memory, which needs root and Linux; without them the script says so and ends. `.ci/run` runs it.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from disk import Disk
from kills import Model, files, start
from serving import PATIENCE, ROOT, Corpus, Server, expect, note

# Enough for some runs of the sample.
SIZE = 48 << 20
# The folders of a data folder.
KINDS = ["inputs", "runs", "batches", "watches", "tmp"]


def refused(what, answer):
    """The disk is full, and the answer says so."""
    expect(answer.status == 507, what, answer.status, answer.body)
    problem = answer.json() if answer.headers["content-type"] == "application/problem+json" else {"detail": answer.body.decode()}
    expect("disk is full" in problem["detail"], what, problem)


def form(server, path, fields):
    parts = [f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields]
    body = ("".join(parts) + "--b--\r\n").encode()
    return server.send("POST", path, body, {"Content-Type": "multipart/form-data; boundary=b"})


def no_leftovers(data, known):
    """Nothing half-written is left: no upload, no run and no batch that the server does not know."""
    names = {kind: sorted(path.name for path in (data / kind).iterdir()) for kind in KINDS}
    expect(names == known, "left behind:", names, "instead of", known)


def everything(server):
    """What the server says of its runs and batches."""
    return server.get("/api/v1/runs?limit=1000").json(), server.get("/api/v1/runs?status=draft").json(), server.get("/api/v1/batches").json()


def main():
    program, scripted = (os.path.realpath(path) for path in sys.argv[1:])
    if sys.platform != "linux" or os.geteuid() != 0:
        return print("skipped: a file system in memory needs Linux and root")
    model = Model(scripted)
    with tempfile.TemporaryDirectory(prefix="precedent-disk-") as folder:
        disk = Disk(Path(folder, "disk"), SIZE)
        if disk.problem:
            return print("skipped: mount is not permitted:", disk.problem)
        try:
            check(program, model, Path(folder), disk)
        finally:
            disk.end()


def imports(server, disk):
    """A disk that is full before or during an import: the corpus stays as it was and is searched, and grows when there is space."""
    corpus = Corpus(server, "ropes")
    expect(corpus.upload(100).status == 202, "not uploaded")
    papers, failed = corpus.ready()["papers"], 0
    disk.fill()
    refused("corpus", server.post("/api/v1/corpora", {"name": "more-ropes"}))
    refused("file of a corpus", corpus.upload(1000))
    corpus.check(papers)
    for left in [256 << 10, 320 << 10, 384 << 10, 512 << 10, 768 << 10, 1 << 20]:
        disk.fill(left)
        answer = corpus.upload(1000)
        if answer.status != 202:
            refused(f"file with {left} bytes", answer)
            continue
        own = corpus.ready()
        if problem := own["imports"][0].get("problem"):
            failed += 1
            expect(problem["status"] == 507, left, problem)
            corpus.check(papers)
        papers = own["papers"]
    expect(failed, "no import was started on a disk that became full")
    disk.free()
    expect(corpus.upload(1000).status == 202, "not uploaded")
    own = corpus.ready()
    expect("problem" not in own["imports"][0] and own["papers"] == papers + 1000, own)
    corpus.check(papers + 1000)
    corpus.no_leftovers()
    expect(server.send("DELETE", corpus.address).status == 204, "not deleted")
    print(f"a full disk ended {failed} imports; the corpus was searched meanwhile and grew afterwards")


def check(program, model, folder, disk):
    settings = folder / "settings.toml"
    price = '[[prices.price]]\nmodel = "compatible:scripted"\ninput = 1.0\noutput = 1.0\n'
    settings.write_text(f'model_url = "{model.base}"\n{price}')
    options = ["--settings", settings, "--model", "compatible:scripted", "--local-only", "--jobs", "1"]
    whole = Server(program, folder / "whole", *options)
    data = disk.folder / "data"
    server = Server(program, data, *options)
    paper = (ROOT / "examples/paper.pdf").read_bytes()
    request = {"job": "assess", "input": server.uploaded("paper.pdf", paper), "corpora": ["works"], "model": "compatible:scripted"}
    other = server.uploaded("note.md", note(1))
    expect(whole.uploaded("paper.pdf", paper) == request["input"], "another hash")
    expected = start(whole, request)
    expect(whole.wait(expected, "finished")["status"] == "complete", "the run is not complete")
    known = {kind: sorted(path.name for path in (data / kind).iterdir()) for kind in KINDS}

    # While nothing can be written.
    disk.fill()
    before = everything(server)
    refused("upload", server.upload("other.pdf", b"%PDF-1.7\n" + b"x" * 200_000))
    refused("small upload", server.upload("other.txt", b"x"))
    refused("run", server.post("/api/v1/runs", request))
    refused("batch", server.post("/api/v1/batches", {"inputs": [request["input"], other], "request": {"job": "assess", "corpora": ["works"]}}))
    refused("draft", form(server, "/new", [("job", "idea"), ("text", "Ropes that do not creep at all."), ("corpus", "works")]))
    refused("watch", server.post("/api/v1/watches", {"request": {"job": "idea", "text": "Ropes that do not creep.", "corpora": ["works"]}}))
    for page in ["/", "/runs", "/batches", "/watches", "/api/v1/health"]:
        expect(server.get(page).status == 200, page)
    expect(everything(server) == before, "the lists changed")
    no_leftovers(data, known)

    # Space for the record of a run and not for its results: it ends with its reason, and again so when it is resumed.
    reasons = set()
    for left in [16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10]:
        disk.fill(left)
        answer = server.post("/api/v1/runs", request)
        if answer.status != 202:
            refused(f"run with {left} bytes", answer)
            continue
        record = server.wait(answer.json()["id"], "failed", "stopped", "finished")
        if record["state"] == "finished":
            break
        expect(record["problem"], "no reason", record)
        reasons.add(record["problem"]["detail"])
        expect(record["problem"]["status"] == 507, left, record["problem"])
    print("\n".join(sorted(reasons)))
    expect(reasons, "no run was started on a disk that became full")

    # A server that is killed on a full disk starts again and knows everything.
    disk.fill()
    listed = everything(server)
    server.kill()
    server.start()
    expect([run["id"] for run in everything(server)[0]["runs"]] == [run["id"] for run in listed[0]["runs"]], "a run is lost", listed)

    # With space, the same run continues, and its report has the bytes of a run that never met a full disk.
    disk.free()
    run = server.post("/api/v1/runs", request).json()["id"]
    expect(run == expected, "another run")
    record = server.wait(run, "finished")
    expect(record["status"] == "complete", record)
    expect(files(server, run) == files(whole, run), "the report has other bytes")

    imports(server, disk)

    # A run is stopped on a full disk too.
    stopped = start(server, {**request, "seed": 100})
    server.wait(stopped, "running", "finished")
    disk.fill()
    answer = server.send("POST", f"/api/v1/runs/{stopped}/stop")
    record = server.wait(stopped, "failed", "stopped", "finished")
    # A run that has just ended cannot be stopped.
    expect(answer.status == 202 or (answer.status == 409 and record["state"] != "stopped"), answer.status, answer.body, record)
    disk.free()

    # Full in the middle of runs: at several moments of the next ones.
    met, spent = 0, 0
    for number in range(6):
        seeded = {**request, "seed": number + 1}
        disk.free()
        id = start(server, seeded)
        since = time.monotonic()
        while server.run(id)["state"] == "queued":
            expect(time.monotonic() - since < PATIENCE, "not started")
        time.sleep(0.3 * number)
        disk.fill()
        record = server.wait(id, "failed", "stopped", "finished")
        if record["state"] != "finished":
            met += 1
            expect(record["problem"]["status"] == 507, record)
        disk.free()
        if record["state"] != "finished":
            expect(server.send("POST", f"/api/v1/runs/{id}/resume").status == 202, "not resumed")
        expect(server.wait(id, "finished")["status"] == "complete", id)
        expect(start(whole, seeded) == id, "another run")
        whole.wait(id, "finished")
        expect(files(server, id) == files(whole, id), id, "has other bytes")
        # Also while the disk is full, although the server records what the run spent.
        disk.fill()
        answer = server.send("DELETE", f"/api/v1/runs/{id}")
        expect(answer.status == 204, answer.status, answer.body)
        disk.free()
        before, spent = spent, json.loads((data / "spent.json").read_text())["deleted_runs_dollars"]
        expect(spent > before, "what the run spent is not recorded", spent)
        request_again = server.uploaded("paper.pdf", paper)
        expect(request_again == request["input"], "another hash")
    expect(met, "no run met a full disk")
    batch = {"inputs": [request["input"], other], "request": {"job": "assess", "corpora": ["works"]}}
    expect(server.post("/api/v1/batches", batch).status == 202, "a batch is refused on a disk with space")
    server.end()
    whole.end()
    print(f"a full disk ended {met} of 6 runs in the middle; each continued and has the bytes of an undisturbed run")


if __name__ == "__main__":
    main()
