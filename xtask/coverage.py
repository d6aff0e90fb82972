"""Prints how well the sources cover the papers of a batch: python coverage.py FOLDER

FOLDER was written by `batch`. For each report: the level, the mean similarity of the closest papers, how many of the paper's references the sources hold
and of how many, and the title. Least similar first.
"""

import json
import sys
from pathlib import Path


def held(report, references):
    for gap in report["metadata"]["not_searched"]:
        if gap.get("code") == "references_not_in_sources":
            return references - gap["missing"]
        if gap.get("code") == "references_not_matched":
            return gap["matched"]
    return references


def main(folder):
    rows = []
    for path in sorted(Path(folder).glob("*/report.json")):
        report = json.loads(path.read_text(encoding="utf-8"))
        coverage = report["core_task_survey"].get("coverage")
        if coverage is None:
            continue
        gaps = (gap.get("references") for gap in report["metadata"]["not_searched"])
        references = next((number for number in gaps if number), 0)
        row = (coverage["nearest"], coverage["level"], held(report, references), references)
        rows.append((*row, report["original_paper"].get("title") or path.parent.name))
    for nearest, level, known, references, title in sorted(rows):
        print(f"{level:8} {nearest:.3f} {known:4}/{references:<4} {title}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
