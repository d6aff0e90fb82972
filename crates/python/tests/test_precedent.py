"""The package on the bundled sample. Run with pytest after `maturin develop`, or with the wheel installed."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import precedent
import pytest

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PAPER = EXAMPLES / "paper.pdf"
WORKS = EXAMPLES / "works"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    return precedent.assess(PAPER, corpora=WORKS, out=tmp_path_factory.mktemp("runs") / "run")


def test_a_quote_of_the_paper_is_exact_and_an_invented_one_is_not():
    text = precedent.read(PAPER)["document"]["text"]
    sentence = next(part for part in text.split(". ") if 60 < len(part) < 160 and "\n" not in part)
    assert precedent.verify(PAPER, sentence)["outcome"] == "exact"
    answers = precedent.verify(text=text, quotes=[sentence, "A gardener counted seven blue lanterns on the roof"])
    assert [answer["outcome"] for answer in answers] == ["exact", "absent"]


def test_overlap_of_a_text_with_a_file_that_contains_it(tmp_path):
    text = precedent.read(PAPER)["document"]["text"]
    copy = tmp_path / "copy.txt"
    copy.write_text(text[2000:4000])
    passages = precedent.overlap(PAPER, copy)["passages"]
    assert passages and max(passage["words"] for passage in passages) > 50


def test_a_claim_is_matched_and_excluded_papers_are_not_listed(report):
    claims = [claim["description"] for claim in report.claims]
    with_all = precedent.Corpus(WORKS).match(claims, limit=3)
    assert [len(results) for results in with_all] == [3] * len(claims)
    best = with_all[0][0]
    assert 0 <= best["probability"] <= 1 and best["passage"]["text"]
    without = precedent.match(claims[0], WORKS, limit=3, exclude=[best["id"]])
    assert best["id"] not in [result["id"] for result in without]


def test_search_finds_a_paper_by_its_title():
    corpus = precedent.Corpus(WORKS)
    title = corpus.search("wave energy", limit=1)[0]["title"]
    assert corpus.search(title, limit=1)[0]["title"] == title
    assert all(found["year"] is None for found in corpus.search(title, limit=5, as_of="1900"))


def test_a_corpus_serves_several_threads():
    corpus, found = precedent.Corpus(WORKS), []
    threads = [threading.Thread(target=lambda: found.append(corpus.search("mooring", limit=2))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(one == found[0] for one in found)


def test_events_arrive_in_order_and_the_report_is_html_in_a_notebook(tmp_path):
    events = []
    report = precedent.assess(PAPER, corpora=[WORKS], out=tmp_path / "run", on_event=events.append)
    assert events[0]["event"] == "started" and events[-1] == {"event": "finished", "status": report.manifest["status"]}
    assert {"stage", "file_written"} <= {event["event"] for event in events}
    assert report._repr_html_().startswith("<iframe") and "&lt;html" in report._repr_html_()
    assert report.markdown.startswith("#") and json.loads(report.json) == report.data


def test_the_files_are_those_of_the_command(report, tmp_path):
    command = [sys.executable, "-m", "precedent", "assess", str(PAPER), "--corpus", str(WORKS), "--out", str(tmp_path / "c")]
    subprocess.run(command, check=True, capture_output=True)
    for name in ["report.json", "report.md", "report.html"]:
        assert (tmp_path / "c" / name).read_bytes() == report.file(name)


def test_a_temporary_run_goes_with_its_report():
    report = precedent.check_idea("Measure the creep of synthetic mooring ropes with cheap sensors.", corpora=WORKS, formats=["json"])
    folder = report.folder
    assert folder.is_dir() and report.data["verdict"]
    del report
    assert not folder.exists()


def test_an_idea_may_state_its_facets():
    idea = "Measure the creep of synthetic mooring ropes with cheap sensors on the quay."
    report = precedent.check_idea(idea, purpose="the creep of mooring ropes", application_domain="harbours", corpora=WORKS, formats=["json"])
    facets = {one["facet"]: one["quote"]["text"] for one in report.data["idea"]["facets"]}
    assert facets["purpose"] == "the creep of mooring ropes"
    assert facets["application_domain"] == "harbours"


def test_errors_have_a_kind_and_a_hint(tmp_path):
    with pytest.raises(precedent.PrecedentError) as caught:
        precedent.assess(tmp_path / "missing.pdf", corpora=WORKS)
    assert caught.value.kind == "input"
    with pytest.raises(precedent.PrecedentError, match="no corpus") as caught:
        precedent.Corpus(tmp_path / "missing")
    assert caught.value.hint
    assert pickle.loads(pickle.dumps(caught.value)).kind == "input"
    with pytest.raises(precedent.PrecedentError) as caught:
        precedent.assess(PAPER, corpora=WORKS, as_of="yesterday")
    assert caught.value.kind == "usage"


def test_an_exception_of_the_observer_cancels_the_run_and_the_same_call_continues_it(tmp_path):
    def stop(event):
        if event["event"] == "stage":
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        precedent.assess(PAPER, corpora=WORKS, out=tmp_path / "run", on_event=stop)
    assert precedent.assess(PAPER, corpora=WORKS, out=tmp_path / "run").status == "complete"


def test_ctrl_c_ends_a_call_at_once():
    code = f"""
import precedent, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
precedent.assess({str(PAPER)!r}, corpora={str(WORKS)!r}, on_event=lambda event: print(event["event"], flush=True))
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline()
    os.kill(child.pid, signal.SIGINT)
    started = time.monotonic()
    _, errors = child.communicate(timeout=20)
    assert child.returncode != 0 and "KeyboardInterrupt" in errors
    assert time.monotonic() - started < 15


def test_other_threads_go_on_during_a_call():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.005)

    thread = threading.Thread(target=count)
    thread.start()
    precedent.assess(PAPER, corpora=WORKS)
    done.set()
    thread.join()
    assert counted > 10


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the system cannot fork")
@pytest.mark.parametrize(("method", "before", "outcome"), [("fork", True, "usage"), ("fork", False, "exact"), ("spawn", True, "exact")])
def test_a_process_that_was_forked_after_a_call_gets_an_error_instead_of_waiting(tmp_path, method, before, outcome):
    # In a program of its own: this process has used the package.
    script = tmp_path / "script.py"
    script.write_text(f"""
import multiprocessing
import precedent

QUOTE = "Its stiffness drifts slowly over the winter"

def check(text):
    try:
        precedent.match(QUOTE, {str(WORKS)!r})
        return precedent.verify(text=text, quotes=QUOTE)["outcome"]
    except precedent.PrecedentError as error:
        assert "spawn" in error.hint
        return error.kind

if __name__ == "__main__":
    text = "We treat the rope as a spring. " + QUOTE + "."
    if {before}:
        check(text)
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        print(sorted(set(pool.map(check, [text] * 4))))
""")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == f"['{outcome}']", done.stdout + done.stderr


def test_the_command_has_the_exit_codes_of_the_program():
    run = [sys.executable, "-m", "precedent"]
    assert subprocess.run([*run, "--version"], capture_output=True, text=True).stdout.strip().endswith(precedent.__version__)
    assert subprocess.run([*run, "assess"], capture_output=True).returncode == 2
    assert subprocess.run([*run, "read", "missing.pdf"], capture_output=True).returncode == 3


def test_an_exported_library_gives_the_citations_that_the_paper_lacks(tmp_path):
    library = tmp_path / "library.bib"
    entry = "@article{{{key}, title = {{{title}}}, author = {{Doe, Ann}}, year = {{{year}}}, abstract = {{{abstract}}}}}\n"
    with library.open("w") as out:
        for number, line in enumerate((WORKS / "abstracts.jsonl").read_text().splitlines()):
            work = json.loads(line)
            year = str(work.get("date") or work.get("year") or "")[:4]
            if year and work.get("abstract"):
                out.write(entry.format(key=f"w{number}", title=work["title"], year=year, abstract=work["abstract"]))
    script = Path(__file__).parents[1] / "examples" / "zotero.py"
    done = subprocess.run([sys.executable, script, library, PAPER], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "not in its reference list" in done.stdout and "(2020)" in done.stdout
