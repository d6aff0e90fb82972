"""Measures how much of an abstract shows that a paper is relevant: python abstract_lengths.py PROGRAM SET CORPUS RECORDS MODEL TOKENIZER

SET is a folder in BEIR form whose queries are papers and whose judgements are their citations. CORPUS was made by `corpus add` from RECORDS, a JSONL file.
MODEL is a BERT encoder in ONNX form, TOKENIZER its tokenizer.json. Needs numpy, onnxruntime and tokenizers. Nothing goes over the network.

The first 60 results for each paper are compared with its title by the encoder, each result by its title and the first characters of its abstract. Prints for
each length how often a cited result is closer than another (area under the curve), and the share of cited papers among the ten closest, of ten or of all.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import onnxruntime
import tokenizers

PAPERS, RESULTS, LEAST_CITED = 60, 60, 8
LENGTHS = [0, 200, 400, 600, 800, 2000]


class Encoder:
    def __init__(self, model, tokenizer):
        self.session = onnxruntime.InferenceSession(model)
        self.inputs = {one.name for one in self.session.get_inputs()}
        self.tokenizer = tokenizers.Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(512)

    def __call__(self, texts):
        vectors = [None] * len(texts)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        for start in range(0, len(order), 32):
            batch = order[start : start + 32]
            encoded = [one.ids for one in self.tokenizer.encode_batch([texts[at] for at in batch])]
            ids = numpy.zeros((len(batch), max(map(len, encoded))), numpy.int64)
            mask = numpy.zeros_like(ids)
            for row, tokens in enumerate(encoded):
                ids[row, : len(tokens)], mask[row, : len(tokens)] = tokens, 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": numpy.zeros_like(ids)}
            states = self.session.run(None, {name: feed[name] for name in self.inputs})[0]
            mean = (states * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            for at, vector in zip(batch, mean):
                vectors[at] = vector / numpy.linalg.norm(vector)
        return numpy.array(vectors)


def beginning(record, length):
    summary = record.get("abstract") or ""
    if len(summary) > length:
        summary = summary[:length].rsplit(" ", 1)[0]
    return f"{record['title']}\n{summary}" if length else record["title"]


def main(program, judged, corpus, records, model, tokenizer):
    queries = [json.loads(line) for line in Path(judged, "queries.jsonl").read_text().splitlines()]
    cited = {}
    for line in Path(judged, "qrels.tsv").read_text().splitlines()[1:]:
        paper, record, *_ = line.split("\t")
        cited.setdefault(paper, set()).add(record)
    queries = [query for query in queries if len(cited.get(query["_id"], ())) >= LEAST_CITED][:PAPERS]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for query in queries:
            print(json.dumps({"id": query["_id"], "text": f"{query['title']} {query['text']}"}), file=file, flush=True)
        command = [program, "corpus", "search", corpus, "--queries", file.name, "--limit", str(RESULTS), "--json"]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [json.loads(line) for line in found]
    needed = {result["id"] for one in found for result in one["results"]}
    with open(records) as lines:
        known = {record["id"]: record for record in map(json.loads, lines) if record["id"] in needed}
    encode = Encoder(model, tokenizer)
    titles = encode([query["title"] for query in queries])
    place = {query["_id"]: at for at, query in enumerate(queries)}
    print("characters | papers | area under the curve | cited among the ten closest")
    for length in LENGTHS:
        areas, shares = [], []
        for one in found:
            results = [result["id"] for result in one["results"] if result["id"] in known and result["id"] != one["id"]]
            is_cited = numpy.array([result in cited[one["id"]] for result in results])
            if is_cited.all() or not is_cited.any():
                continue
            closeness = encode([beginning(known[result], length) for result in results]) @ titles[place[one["id"]]]
            ours, others = closeness[is_cited][:, None], closeness[~is_cited][None]
            areas.append(((ours > others) + 0.5 * (ours == others)).mean())
            closest = numpy.argsort(-closeness)[:10]
            shares.append(is_cited[closest].sum() / min(10, is_cited.sum()))
        print(f"{length} | {len(areas)} | {numpy.mean(areas):.3f} | {numpy.mean(shares):.3f}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 7:
        sys.exit(__doc__)
    main(*sys.argv[1:])
