"""Measures what the queries of an assessment find: python sent_queries.py PROGRAM PAPERS CORPUS

PAPERS has one paper per line, as JSON: `id`, `title`, `authors`, `abstract`, `sections`, `references`, and `cited_in_corpus`, the ids of cited papers that
the corpus holds. CORPUS was made by `corpus add`.

Prints two measures. First, the queries that would be sent to OpenAlex are sent to the corpus instead, ranked by words alone: which cited papers are among
the first results. Nothing goes over the network. Second, the papers are assessed against the corpus: which cited papers are among the candidates.
"""

import collections
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RESULTS = 100
# Reciprocal rank fusion, with the usual constant.
RANK_OFFSET = 60


def markdown(paper):
    parts = [f"# {paper['title']}", ", ".join(paper["authors"]), "## Abstract", paper["abstract"]]
    for section in paper["sections"]:
        # A second title would be read as the end of the paper.
        heading = section["heading"] if section["heading"].strip() != paper["title"].strip() else "Overview"
        parts += [f"## {heading}", section["text"]]
    parts += ["## References"] + [reference["text"] for reference in paper["references"]]
    return "\n\n".join(parts) + "\n"


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
    return done.stdout


def sent(program, file):
    listed = run(program, "assess", file, "--sources", "openalex", "--show-egress")
    queries = [found.replace("+", " ") for found in re.findall(r"search=([^&\s]*)", listed)]
    # The form with OR is sent only if the other finds too little, and has the same words.
    return list(dict.fromkeys(query for query in queries if " OR " not in query))


def mean(shares):
    return f"{sum(shares) / len(shares):.3f}"


def main(program, papers, corpus):
    papers = [json.loads(line) for line in Path(papers).read_text().splitlines() if line.strip()]
    papers = [paper for paper in papers if paper["cited_in_corpus"]]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        queries, shares, candidates = [], [], 0
        for number, paper in enumerate(papers):
            file = folder / f"{number}.md"
            file.write_text(markdown(paper))
            queries += [{"id": f"{number}:{at}", "text": query} for at, query in enumerate(sent(program, file))]
            run(program, "assess", file, "--corpus", corpus, "--out", folder / f"run-{number}", "--formats", "json")
            report = json.loads((folder / f"run-{number}" / "report.json").read_text())
            found = {one["work"]["id"] for one in report["references"]["candidates"]} - {paper["id"]}
            truth = set(paper["cited_in_corpus"])
            shares.append(len(found & truth) / len(truth))
            candidates += len(found)
        (folder / "queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries))
        searched = run(
            program, "search", "--corpus", corpus, "--queries", folder / "queries.jsonl", "--ranking", "words", "--limit", str(RESULTS), "--json"
        )
    ranks = [collections.defaultdict(float) for _ in papers]
    for line in searched.splitlines():
        answer = json.loads(line)
        for rank, result in enumerate(answer["results"]):
            ranks[int(answer["id"].split(":")[0])][result["id"]] += 1 / (RANK_OFFSET + rank)
    print(f"{len(papers)} papers, {len(queries) / len(papers):.1f} queries each")
    for name, most in [("R@50, fused", 50), ("R@100, fused", 100), ("R@200, fused", 200), (f"among the first {RESULTS} of any query", None)]:
        found = []
        for paper, scores in zip(papers, ranks):
            best = sorted(set(scores) - {paper["id"]}, key=lambda one: (-scores[one], one))[:most]
            found.append(len(set(best) & set(paper["cited_in_corpus"])) / len(paper["cited_in_corpus"]))
        print(f"{name}: {mean(found)}")
    print(f"candidates of an assessment: {mean(shares)}, with {candidates / len(papers):.0f} candidates each")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
