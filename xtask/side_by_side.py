#!/usr/bin/env python3
"""Compares the search of precedent with bm25s in one run: indexing time, memory and query time.

usage: side_by_side.py PROGRAM MEASURE SCRATCH SET_DIR CORPUS.jsonl.zst...
PROGRAM is the release build of precedent, MEASURE that of the example `measure` of the crate corpus. SET_DIR contains queries.jsonl.
Requirements: pip install bm25s PyStemmer zstandard
Each part runs alone in its own process. Index times include reading the files, as a user waits for both; for bm25s also without reading.
"""
import io, json, os, shutil, statistics, subprocess, sys, time

LIMIT = 100


def run(command):
    """Returns wall time in seconds, processor time in seconds, peak memory in MB, and stdout."""
    started = time.time()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    out = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {command}")
    return time.time() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.decode()


def records(path):
    import zstandard

    with open(path, "rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file) if path.endswith(".zst") else file
        for line in io.TextIOWrapper(stream, encoding="utf8"):
            yield json.loads(line)


def texts(path):
    for record in records(path):
        yield (record.get("title") or "") + " " + (record.get("text") or record.get("abstract") or "")


def bm25s_side(set_dir, corpus):
    """Runs bm25s in its own process: builds the index, then runs the queries one at a time and in one batch on both processors."""
    import bm25s, Stemmer

    stem = Stemmer.Stemmer("english")
    started = time.time()
    docs = [text for path in corpus for text in texts(path)]
    read = time.time() - started
    started = time.time()
    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index(bm25s.tokenize(docs, stopwords="en", stemmer=stem, show_progress=False), show_progress=False)
    built = time.time() - started
    queries = [json.loads(line) for line in open(f"{set_dir}/queries.jsonl")]
    queries = [(one.get("title", "") + " " + one["text"]).strip() for one in queries]

    def ask(some, threads):
        tokens = bm25s.tokenize(some, stopwords="en", stemmer=stem, show_progress=False)
        index.retrieve(tokens, k=LIMIT, show_progress=False, n_threads=threads)

    batches = []
    for _ in range(3):
        started = time.time()
        ask(queries, 2)
        batches.append(1000 * (time.time() - started) / len(queries))
    single = []
    for query in queries:
        started = time.time()
        ask([query], 0)
        single.append(1000 * (time.time() - started))
    print(json.dumps({"read": read, "built": built, "batch": min(batches), "single": single}))


def quantile(values, part):
    return sorted(values)[round((len(values) - 1) * part)]


def main():
    program, measure, scratch, set_dir, *corpus = sys.argv[1:]
    library = os.path.join(scratch, "side-by-side")
    shutil.rmtree(library, ignore_errors=True)
    wall, cpu, memory, _ = run([measure, "words", library, *corpus])
    print(f"precedent  word index        {wall:7.1f} s   processor {cpu:7.1f} s   {memory:6.0f} MB", flush=True)
    v_wall, v_cpu, v_memory, _ = run([program, "corpus", "vectors", library])
    print(f"precedent  vector index      {v_wall:7.1f} s   processor {v_cpu:7.1f} s   {v_memory:6.0f} MB", flush=True)
    b_wall, b_cpu, b_memory, out = run([sys.executable, __file__, "--bm25s", set_dir, *corpus])
    other = json.loads(out)
    total = other["read"] + other["built"]
    print(f"bm25s      read and build    {total:7.1f} s   build only {other['built']:5.1f} s   {b_memory:6.0f} MB", flush=True)
    print(f"build: {wall / other['built']:.2f} of bm25s's build only, {wall / total:.2f} of its read and build (target: 0.50; at most 1536 MB)")
    times = {}
    for ranking in ["words", "hybrid"]:
        _, _, memory, out = run([program, "bench", "retrieval", "--set", set_dir, "--corpus", library, "--ranking", ranking, "--json"])
        one = json.loads(out)
        _, _, _, out = run([measure, "batch", library, str(LIMIT), ranking, set_dir])
        times[ranking] = (one["median_ms"], one["p99_ms"], json.loads(out)["ms"])
        print(f"precedent  {ranking:<6} query  one at a time {one['median_ms']:5.1f} ms median, {one['p99_ms']:5.1f} ms p99; in a batch {times[ranking][2]:5.2f} ms; {memory:.0f} MB")
    single = other["single"]
    print(f"bm25s      query         one at a time {statistics.median(single):5.1f} ms median, {quantile(single, 0.99):5.1f} ms p99; in a batch {other['batch']:5.2f} ms")
    print(f"query by words: {times['words'][0] / statistics.median(single):.2f} of bm25s's one at a time, {times['words'][2] / other['batch']:.2f} in a batch (target: 0.30)")
    print(f"hybrid query: {times['hybrid'][0]:.1f} ms median, {times['hybrid'][1]:.1f} ms p99 (targets: 30 and 60)")
    query = "a survey of graph neural networks"
    starts = []
    for _ in range(11):
        started = time.time()
        subprocess.run([program, "search", query, "--corpus", library, "--json"], stdout=subprocess.DEVNULL, check=True)
        starts.append(1000 * (time.time() - started))
    print(f"process start with warm page cache: {statistics.median(starts[1:]):.0f} ms median, {max(starts[1:]):.0f} ms maximum (target: 150)")
    shutil.rmtree(library, ignore_errors=True)


if sys.argv[1:2] == ["--bm25s"]:
    bm25s_side(sys.argv[2], sys.argv[3:])
else:
    main()
