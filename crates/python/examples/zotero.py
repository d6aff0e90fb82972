"""A Zotero library in, the citations that a manuscript lacks out.

In Zotero: File > Export Library > BibTeX (or CSL JSON). Then:

    python zotero.py library.bib paper.pdf

Nothing leaves the machine.
"""

from __future__ import annotations

import sys

import precedent


def main(library: str, paper: str) -> None:
    report = precedent.assess(paper, corpora=library, formats=["json"])
    for missing in report.missing_citations:
        print(f"{missing['title']} ({missing['year'] or 'no year'})")
        print(f"    {missing['reason']}")
    print(f"{len(report.missing_citations)} papers of the library are close to the paper and not in its reference list")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(sys.argv[1], sys.argv[2])
    except precedent.PrecedentError as error:
        sys.exit(str(error))
