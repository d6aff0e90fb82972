"""Prints how well a local corpus covers the papers of a batch: python coverage.py FOLDER

FOLDER was written by `batch`. For each report, least similar first: the level, the mean similarity of the closest papers, how many references of the
paper the corpus lacks ("-" if it lacks none or they were not looked up) and of how many, and the title. The last lines count the levels.
"""

import collections
import json
import sys
from pathlib import Path


def main(folder):
    rows, levels = [], collections.Counter()
    for path in sorted(Path(folder).glob("*/report.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        coverage = report["core_task_survey"].get("coverage")
        if coverage is None:
            continue
        gaps = [gap for gap in report["metadata"]["not_searched"] if gap.get("code") == "references_not_in_sources"]
        lacks = f"{gaps[0]['missing']}/{gaps[0]['references']}" if gaps else "-"
        rows.append((coverage["nearest"], coverage["level"], lacks, report["original_paper"].get("title") or path.parent.name))
        levels[coverage["level"]] += 1
    for nearest, level, lacks, title in sorted(rows):
        print(f"{level:8} {nearest:.3f} {lacks:>9} {title}")
    for level, count in levels.items():
        print(f"{count} {level}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
