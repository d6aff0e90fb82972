"""Prints the model calls and tokens of the runs in the folder of a batch, for the table in `xtask/src/simulate.rs`.

    python measure.py FOLDER
"""

import collections
import json
import statistics
import sys
from pathlib import Path


def main():
    runs = [json.loads(path.read_text())["models"] for path in sorted(Path(sys.argv[1]).glob("*/manifest.json"))]
    by_prompt = collections.defaultdict(lambda: [[], 0, 0])
    for run in runs:
        for line in run:
            calls = by_prompt[line["prompt"]]
            calls[0].append(line["questions"])
            calls[1] += line["input_tokens"]
            calls[2] += line["output_tokens"]
    print(f"{len(runs)} papers; prompt: calls per paper (least, mean, most), tokens per call (in, out)")
    for prompt, (calls, read, written) in sorted(by_prompt.items()):
        calls += [0] * (len(runs) - len(calls))
        made = sum(calls) or 1
        print(f"{prompt}: {min(calls)} {statistics.mean(calls):.1f} {max(calls)}, {read / made:.0f} {written / made:.0f}")
    for name, field in [("calls", "questions"), ("tokens in", "input_tokens"), ("tokens out", "output_tokens")]:
        sums = sorted(sum(line[field] for line in run) for run in runs)
        print(f"{name} per paper: {sums[0]} to {sums[-1]}, median {statistics.median(sums):.0f}, mean {statistics.mean(sums):.0f}")


if __name__ == "__main__":
    main()
