"""Writes crates/read/src/hyphen_words.txt from titles and abstracts, one JSON object a line, or measures it on others.

    python3 xtask/hyphen_words.py make ARXIV... > crates/read/src/hyphen_words.txt
    python3 xtask/hyphen_words.py measure OTHER...

Files can be compressed with zstd. `measure` needs `pip install pyphen`: it divides words where TeX would, and compounds at their hyphens, and
counts how many of them the rule of crates/read/src/hyphens.rs puts together as they were, in a document that shows neither form.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

LIST = pathlib.Path(__file__).parent.parent / "crates/read/src/hyphen_words.txt"
# Words are kept from this frequency on, compounds from the second. `measure` on other abstracts, and 2,274 line ends of 22 PDFs whose right
# form is known from their frequency in all abstracts, are best or nearly so with these.
WORD, COMPOUND = 50, 30


def count(paths):
    counts = collections.Counter()
    for path in paths:
        command = ["zstd", "-dc", path] if path.endswith(".zst") else ["cat", path]
        for line in subprocess.Popen(command, stdout=subprocess.PIPE, text=True).stdout:
            record = json.loads(line)
            text = f"{record.get('title') or ''} . {record.get('abstract') or ''}"
            counts.update(word.lower() for word in re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*", text))
    return counts


def make(paths):
    counts = count(paths)
    divided = collections.Counter()
    for word, times in counts.items():
        if "-" in word:
            divided[word.replace("-", "")] += times
    words = []
    for word, times in sorted(counts.items()):
        joined = word.replace("-", "")
        other = counts[joined] if "-" in word else divided[word]
        if len(joined) > 1 and times > other and times >= (COMPOUND if "-" in word else WORD):
            words.append(word)
    parts = parts_of(words)
    for word in words:
        print(word if "-" in word else f"{word} {weight(parts, word + '-', word + '*')} {weight(parts, '-' + word, '*' + word)}")


def parts_of(words):
    """How many compounds begin and end with a part, and how many words with some letters."""
    parts = collections.Counter()
    for word in words:
        if "-" in word:
            parts[word.split("-", 1)[0] + "-"] += 1
            parts["-" + word.rsplit("-", 1)[1]] += 1
        else:
            parts.update(word[:end] + "*" for end in range(1, len(word)))
            parts.update("*" + word[start:] for start in range(1, len(word)))
    return parts


def weight(parts, compounds, words):
    """Above zero for a word that is more often part of a compound than of a longer word. Measured as the frequencies above."""
    return 10 * parts[compounds] - 3 * parts[words]


def is_one_word(first, second, words):
    tail, head = first.rsplit("-", 1)[-1], second.split("-", 1)[0]
    joined = first + second
    if len(tail) == 1 or f"{first}-{second}" in words or f"{tail}-{head}" in words and joined not in words:
        return False
    if joined in words or tail + second in words or first + head in words or tail + head in words:
        return True
    whole = tail in words and head in words
    if tail != first and tail in words or head != second and whole:
        return False
    return not (whole and words[tail][0] + words[head][1] + 10 > 0)


def measure(paths):
    import pyphen

    words = {line.split()[0]: [int(weight) for weight in line.split()[1:]] for line in LIST.read_text().splitlines()}
    counts, dictionary = count(paths), pyphen.Pyphen(lang="en_US")
    joined = all_words = kept = all_compounds = 0
    for word, times in counts.items():
        if times < 3:
            continue
        if "-" in word:
            first, second = word.rsplit("-", 1)
            if times > 3 * counts[first + second]:
                all_compounds += times
                kept += times * (not is_one_word(first, second, words))
            continue
        places = [place for place in dictionary.positions(word) if place >= 2 and len(word) - place >= 3]
        for place in places:
            all_words += times / len(places)
            joined += times / len(places) * is_one_word(word[:place], word[place:], words)
    print(f"words put together {joined / all_words:.4f}, compounds that keep their hyphen {kept / all_compounds:.4f}")


if len(sys.argv) < 3 or sys.argv[1] not in ("make", "measure"):
    sys.exit(__doc__)
{"make": make, "measure": measure}[sys.argv[1]](sys.argv[2:])
