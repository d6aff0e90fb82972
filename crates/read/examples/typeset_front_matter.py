"""Typesets records of papers in 15 layouts, as PDFs with their title, authors and abstract in JSON files beside them.

`cargo xtask bench read FOLDER` compares them with what the reader finds. Needs pdflatex, with the classes IEEEtran, llncs, elsarticle and revtex4-2,
and the Python package zstandard.

Usage: typeset_front_matter.py DATA FOLDER [PAPERS_PER_LAYOUT] [SEED]
"""

import io
import json
import random
import re
import subprocess
import sys
from pathlib import Path

import zstandard

INSTITUTIONS = [
    "Department of Computer Science, University of Springfield",
    "School of Informatics, Northern Institute of Technology",
    "Laboratory of Marine Biology, Coastal College",
    "Harbour Research, Port City",
]
CITIES = ["Springfield, Ohio, USA", "Edinburgh, United Kingdom", "Osaka, Japan", "Port City, Norway"]
# Names that readers lose: short, lower-case, with particles.
HARD_NAMES = [
    "Bo Li", "Yi Ma", "Ed Hu", "Wu Di", "Qi Qi", "zhuoyi lu", "Ludwig van der Berg", "Ana dos Santos", "S. Schulte im Walde", "Xu Yu",
]
UNSAFE = re.compile(r"[\\${}^_#&%~<>|]")


def records(path):
    with open(path, "rb") as file:
        yield from map(json.loads, io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(file), encoding="utf-8"))


def is_usable(record):
    names = record.get("authors") or []
    text = record["title"] + (record.get("abstract") or "") + "".join(names)
    return 1 <= len(names) <= 9 and len(record["abstract"] or "") > 300 and text.isascii() and not UNSAFE.search(text)


def marked(names, last=" and "):
    marks = [name + r"\textsuperscript{%d%s}" % (at % 3 + 1, ",*" if at == 0 else "") for at, name in enumerate(names)]
    return marks[0] if len(marks) == 1 else ", ".join(marks[:-1]) + last + marks[-1]


def plain(names):
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def addresses(count):
    lines = zip(range(1, min(3, count) + 1), INSTITUTIONS, CITIES)
    return "\n\n".join(r"{\small \textsuperscript{%d}%s, %s}" % line for line in lines)


def each(names, form, between):
    return between.join(
        form % {"name": name, "institution": INSTITUTIONS[at % 4], "city": CITIES[at % 4], "user": name.split()[-1].lower()}
        for at, name in enumerate(names)
    )


def article(options="", packages=""):
    return r"\documentclass[%s]{article}\usepackage{mathptmx}\usepackage{helvet}\usepackage[margin=2cm]{geometry}%s\begin{document}" % (options, packages)


def acl(title, names, summary):
    if len(names) <= 3:
        authors = each(names, r"\parbox{5cm}{\centering{\fontsize{12}{14}\selectfont\bfseries %(name)s}\\ %(institution)s\\ \texttt{%(user)s@uni.edu}}", r"\quad ")
    else:
        authors = r"{\large\bfseries %s}\\ %s" % (plain(names), INSTITUTIONS[0])
    head = r"\twocolumn[\begin{center}{\fontsize{14.3}{17}\selectfont\bfseries %s\par}\vskip 12pt %s\end{center}]" % (title, authors)
    return article("11pt,twocolumn") + head + r"\section*{Abstract}" + summary


def larger_authors(title, names, summary):
    head = r"\twocolumn[\begin{center}{\fontsize{13}{16}\selectfont\bfseries %s\par}\vskip 10pt{\fontsize{14}{17}\selectfont %s\par}\vskip 6pt{\normalsize %s, %s\par}\end{center}]"
    return article("11pt,twocolumn") + head % (title, plain(names), INSTITUTIONS[0], CITIES[0]) + r"\section*{Abstract}" + summary


def same_size(title, names, summary):
    head = r"\begin{center}{\large\bfseries %s\par}\vskip 8pt{\large\bfseries %s\par}\vskip 6pt %s\end{center}"
    return article("11pt") + head % (title, plain(names), INSTITUTIONS[1]) + r"\section*{Abstract}" + summary


def journal(title, names, summary):
    head = (
        r"\noindent{\small Published online 12 March 2015 \hfill Journal of Marine Ropes, 2015, Vol. 43, No. 7 3491--3508}\\{\small doi: 10.1093/jmr/gkv123}\vskip 14pt"
        r"\noindent{\LARGE\bfseries %s\par}\vskip 8pt\noindent{\large\bfseries %s\par}\vskip 4pt\noindent %s\par"
        r"\noindent{\footnotesize Received January 2, 2015; Revised February 20, 2015; Accepted March 1, 2015}\vskip 10pt\noindent{\bfseries ABSTRACT}\par\noindent "
    )
    return article() + head % (title, marked(names), addresses(len(names))) + summary


def masthead(title, names, summary):
    head = (
        r"\twocolumn[{\fontsize{28}{32}\selectfont\sffamily Marine Ropes Letters\par}\vskip 2pt{\sffamily www.marineropes.org\hfill OPEN ACCESS}\vskip 16pt{\sffamily Research Article\par}"
        r"\vskip 6pt{\fontsize{17}{20}\selectfont\bfseries %s\par}\vskip 8pt{\normalsize %s\par}\vskip 4pt{\footnotesize %s}\vskip 10pt]"
    )
    return article("twocolumn") + head % (title, marked(names), addresses(len(names))) + r"\noindent\textbf{Abstract: }" + summary


def title_page(title, names, summary):
    head = r"\noindent{\bfseries %s}\par\bigskip\noindent %s\par\bigskip\noindent %s\par\noindent *Corresponding author: a.lee@uni.edu\newpage\section*{Abstract}"
    return article("12pt", r"\linespread{1.6}") + head % (title, marked(names, ", "), addresses(len(names))) + summary


def plos(title, names, summary):
    head = (
        r"\noindent{\Huge\sffamily PLOS ROPES}\vskip 6pt\noindent{\sffamily RESEARCH ARTICLE}\vskip 8pt\noindent{\LARGE\sffamily\bfseries %s\par}\vskip 6pt\noindent{\sffamily\bfseries %s}\par"
        r"\noindent{\sffamily\small \textbf{1} %s, \textbf{2} %s}\par\vskip 10pt\noindent{\Large\sffamily\bfseries Abstract}\par\noindent "
    )
    return article() + head % (title, marked(names, ", "), INSTITUTIONS[0], INSTITUTIONS[1]) + summary


def capitals(title, names, summary):
    head = r"\begin{center}{\bfseries %s\par}\vskip 8pt{\scshape %s\par}\vskip 6pt{\itshape %s}\end{center}"
    return article("11pt") + head % (title.upper(), plain(names), INSTITUTIONS[2]) + r"\section*{Abstract}" + summary


def centred(title, names, summary):
    head = r"\begin{center}{\Large\bfseries %s\par}\vskip 8pt{\large %s\par}\vskip 6pt %s\end{center}"
    return article("11pt") + head % (title, plain(names), INSTITUTIONS[2]) + r"\section*{Abstract}" + summary


def summarized(start, title, authors, summary, order=r"\maketitle\begin{abstract}%s\end{abstract}"):
    return start + r"\title{%s}%s" % (title, authors) + order % summary


LAYOUTS = {
    "article": lambda t, n, s: summarized(article(), t, r"\author{%s}\date{}" % each(n, r"%(name)s\\%(institution)s", r" \and "), s),
    "acl": acl,
    "largerauthors": larger_authors,
    "samesize": same_size,
    "journal": journal,
    "masthead": masthead,
    "titlepage": title_page,
    "plos": plos,
    "capitals": capitals,
    "centred": centred,
    "ieee": lambda t, n, s: summarized(
        r"\documentclass[conference]{IEEEtran}\begin{document}", t,
        r"\author{%s}" % each(n, r"\IEEEauthorblockN{%(name)s}\IEEEauthorblockA{%(institution)s\\%(city)s\\ %(user)s@uni.edu}", r"\and "), s),
    "ieeejournal": lambda t, n, s: summarized(
        r"\documentclass[journal]{IEEEtran}\begin{document}\markboth{IEEE Transactions on Ropes, Vol. 14, No. 8, August 2015}{Shell}", t,
        r"\author{%s\thanks{The authors are with the %s.}}" % (", ".join(name + r",~\IEEEmembership{Member,~IEEE}" for name in n), INSTITUTIONS[0]), s),
    "llncs": lambda t, n, s: summarized(
        r"\documentclass{llncs}\begin{document}", t, r"\author{%s}\institute{%s\\ \email{a@uni.edu}}" % (r" \and ".join(name + r"\inst{1}" for name in n), INSTITUTIONS[0]), s),
    "elsevier": lambda t, n, s: summarized(
        r"\documentclass[preprint,12pt]{elsarticle}\begin{document}\begin{frontmatter}", t, "".join(r"\author[a]{%s}" % name for name in n) + r"\address[a]{%s}" % INSTITUTIONS[0], s,
        r"\begin{abstract}%s\end{abstract}\begin{keyword}ropes \sep kelp\end{keyword}\end{frontmatter}"),
    "revtex": lambda t, n, s: summarized(
        r"\documentclass[aps,prl,twocolumn]{revtex4-2}\begin{document}", t,
        "".join(r"\author{%s}" % name for name in n) + r"\affiliation{%s, %s}\date{\today}" % (INSTITUTIONS[0], CITIES[0]), s, r"\begin{abstract}%s\end{abstract}\maketitle "),
}


def main():
    data, folder = map(Path, sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 8
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 5)
    folder.mkdir(parents=True, exist_ok=True)
    usable = [record for record in records(data / "corpus/acl_abstracts.jsonl.zst") if is_usable(record)]
    chance.shuffle(usable)
    texts = [paragraph for record in records(data / "fulltext/plos_elife.jsonl.zst") for section in record["sections"] for paragraph in section["text"].split("\n")]
    texts = [text for text in texts if 400 < len(text) < 1500 and text.isascii() and not UNSAFE.search(text)]
    papers = iter(usable)
    for layout, typeset in LAYOUTS.items():
        for number in range(count):
            record = next(papers)
            names = list(record["authors"])
            if layout in ("centred", "samesize", "journal", "acl") and number % 2:
                names = names[:3] + chance.sample(HARD_NAMES, 2)
            source = typeset(record["title"], names, record["abstract"].replace("\n", " "))
            if number % 3 == 0:
                metadata = r"\pdfinfo{/Title (%s) /Author (%s)}" % (record["title"], ", ".join(names))
                source = source.replace(r"\begin{document}", metadata + r"\begin{document}", 1)
            body = chance.sample(texts, 8)
            source += r"\section{Introduction} As known \cite{k1,k2}, " + "\n\n".join(body[:4]) + r"\section{Methods}" + "\n\n".join(body[4:])
            source += r"\begin{thebibliography}{9}"
            for entry, cited in enumerate(chance.sample(usable[2000:], 9)):
                place = r"\emph{Proceedings of Ropes}, pages %d--%d, %d" % (entry + 1, entry + 9, 2001 + entry)
                source += r"\bibitem{k%d} %s. %s. In %s." % (entry, plain(cited["authors"]), cited["title"], place)
            source += r"\end{thebibliography}\end{document}"
            base = folder / f"{layout}_{number:02d}"
            base.with_suffix(".tex").write_text(source)
            truth = {"title": record["title"], "authors": names, "abstract": record["abstract"]}
            base.with_suffix(".json").write_text(json.dumps(truth))
            command = ["pdflatex", "-interaction=nonstopmode", base.name + ".tex"]
            subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=120, check=False)
            for extension in (".aux", ".log", ".out"):
                base.with_suffix(extension).unlink(missing_ok=True)


main()
