"""Compares the text of PDFs with that of two other readers: python agreed_runs.py PROGRAM FILE... (needs pdftotext, and pypdfium2 from PyPI)

Prints for each file and for all: of the runs of eight words on a page that `pdftotext` and pdfium both have, and of the sentences of 8 to 60 words that
both have, how many are in the output of `read`. With MISSED=1, it prints each missed sentence. Both readers may join text of two places, such as a
sentence and the footnote or heading below it, so not every missed one is an error. The runs are counted again without running heads, which `read`
leaves out on purpose: lines of four or more words that are on three or more pages.
"""

import collections
import os
import re
import subprocess
import sys
import unicodedata

import pypdfium2

RUN = 8


def words(text):
    text = unicodedata.normalize("NFKC", text)
    text = re.sub("[\u00ad\ufffe\x02]", "", text)
    # Words divided at the end of a line are joined, and hyphens do not count.
    text = re.sub(r"(\w)[-\u2010]\s*\n\s*(\w)", r"\1\2", text)
    return re.findall(r"\w+", re.sub("[-\u2010]", "", text).lower())


def without_heads(pages):
    def plain(line):
        return re.sub(r"\d+", "0", line.strip())

    seen = collections.Counter(line for page in pages for line in {plain(line) for line in page.split("\n")})
    heads = {line for line, count in seen.items() if count >= 3 and len(line.split()) >= 4}
    return ["\n".join(line for line in page.split("\n") if plain(line) not in heads) for page in pages]


def agreed_runs(one, other):
    of_pages = [set().union(*(runs(words(page)) for page in pages)) for pages in (one, other)]
    return of_pages[0] & of_pages[1]


def runs(found):
    return {tuple(found[at : at + RUN]) for at in range(len(found) - RUN + 1)}


def sentences(text):
    for sentence in re.split(r"(?<=[a-z)])[.!?]\s+(?=[A-Z])", text):
        if re.match(r"\s*[A-Z]", sentence) and RUN <= len(words(sentence)) <= 60:
            yield " ".join(words(sentence))


def main(program, files):
    total = [0] * 6
    for file in files:
        read = subprocess.run([program, "read", file], capture_output=True, text=True)
        if read.returncode != 0:
            print(f"{os.path.basename(file)}: {read.stderr.strip().splitlines()[0]}")
            continue
        ours = words(read.stdout)
        poppler = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, errors="replace", check=True).stdout
        pages = [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(file)]
        pages = [page.replace("\r\n", "\n") for page in pages]
        both = agreed_runs(poppler.split("\f"), pages)
        headless = agreed_runs(without_heads(poppler.split("\f")), without_heads(pages))
        other, whole = " ".join(words("\n".join(pages))), " ".join(ours)
        agreed = [sentence for sentence in sentences(poppler) if sentence in other]
        missed = [sentence for sentence in agreed if sentence not in whole]
        if os.environ.get("MISSED"):
            print(*missed, sep="\n")
        counts = [len(both & runs(ours)), len(both), len(headless & runs(ours)), len(headless)]
        counts += [len(agreed) - len(missed), len(agreed)]
        total = [sum(pair) for pair in zip(total, counts)]
        print(f"{os.path.basename(file)}: {line(counts)}")
    print(f"all: {line(total)}")


def line(counts):
    share = [100 * counts[at] / max(1, counts[at + 1]) for at in (0, 2, 4)]
    heads = f"without running heads {share[1]:.2f} % of {counts[3]}"
    return f"runs {share[0]:.2f} % of {counts[1]}, {heads}, sentences {share[2]:.2f} % of {counts[5]}"


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
