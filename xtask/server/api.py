"""Sends generated requests to every operation of the OpenAPI document and checks the answers: statuses, types, schemas, and that wrong data is refused.

    python api.py path/to/precedent [SEED]

Nothing is sent to other machines: the server offers no services, no model and no download. Needs the packages of requirements.txt. `.ci/run` runs it.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from serving import ROOT, Server, note

# Each operation gets this many random requests, besides those at the borders of its schema. Chosen for the time: all checks take under 3 minutes.
EXAMPLES = 40
# A request that matches its schema is still refused if it names a corpus that the server does not offer, for example. Its status is checked, but not that
# it is accepted.
EXCLUDED_CHECKS = "positive_data_acceptance"
# Share of parameters that get a known name instead of a random one.
SHARE = 0.5


def dictionaries(server):
    """Names that exist, so that requests reach more than the answer 404."""
    paper = server.uploaded("paper.pdf", (ROOT / "examples/paper.pdf").read_bytes())
    run = server.post("/api/v1/runs", {"job": "assess", "input": paper, "corpora": ["works"]}).json()["id"]
    server.wait(run, "finished")
    batch = {"inputs": [server.uploaded("note.md", note(1))], "request": {"job": "assess", "corpora": ["works"]}}
    batch = server.post("/api/v1/batches", batch).json()
    server.wait(batch["papers"][0]["run"], "finished")
    watch = server.post("/api/v1/watches", {"run": run, "every": "month"}).json()["id"]
    known = {
        "runs": [run, batch["papers"][0]["run"]],
        "batches": [batch["id"]],
        "watches": [watch],
        "inputs": [paper],
        "files": ["report.json", "report.md", "report.html"],
        "corpora": ["works"],
    }
    known["words"] = [*known["corpora"], *known["inputs"], run, "2020-01-31", "offline", "json", "Ropes that do not creep carry tension symbols in swell."]
    return known


def configuration(known):
    """In the language of schemathesis.toml."""
    lines = [f"[dictionaries.{name}]\nvalues = {json.dumps(values)}" for name, values in known.items()]
    lines.append(f'[generation.dictionaries]\nstring = {{ dictionary = "words", probability = {SHARE} }}')
    # What is deleted is only what other requests made.
    for kind, name in [("runs", "id"), ("batches", "id"), ("watches", "id"), ("inputs", "sha256"), ("corpora", "name")]:
        lines.append(
            f'[[operations]]\ninclude-path-regex = "^/api/v1/{kind}/[{{]"\nexclude-method = "DELETE"\n'
            f'parameters = {{ "path.{name}" = {{ dictionary = "{kind}", probability = {SHARE} }}'
            + (f', "path.name" = {{ dictionary = "files", probability = {SHARE} }}' if kind == "runs" else "")
            + " }"
        )
    return "\n".join(lines) + "\n"


def main():
    program, *rest = sys.argv[1:]
    seed = rest[0] if rest else "1"
    with tempfile.TemporaryDirectory(prefix="precedent-api-") as folder:
        server = Server(os.path.realpath(program), f"{folder}/data", "--local-only")
        try:
            config = Path(folder, "schemathesis.toml")
            config.write_text(configuration(dictionaries(server)))
            since = time.monotonic()
            command = [
                sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "--config-file", config, "run", f"http://{server.address}/api/v1/openapi.json",
                "--seed", seed, "--max-examples", str(EXAMPLES), "--generation-database", "none",
                "--checks", "all", "--exclude-checks", EXCLUDED_CHECKS, "--continue-on-failure", "--request-timeout", "60",
                *rest[1:],
            ]
            ended = subprocess.run(command, cwd=folder).returncode
            print(f"{time.monotonic() - since:.0f} s")
            health = server.get("/api/v1/health")
            return ended or (health.status != 200)
        finally:
            server.end()


if __name__ == "__main__":
    sys.exit(main())
