"""Checks the novelty of a research paper against prior work. Every finding links to a verbatim quote.

Nothing leaves the machine unless you name a model or a source. Results are dictionaries with the fields of the JSON formats
(`precedent.types` has their types). Errors are `PrecedentError`. Work runs without Python's lock, and Ctrl-C cancels it.
"""

from __future__ import annotations

import html
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._errors import PrecedentError
from ._native import __version__

if TYPE_CHECKING:
    from .types import Assessment, ClaimMatch, Event, IdeaAssessment, Manifest, OverlapOutput, SearchResult, VerifyOutput

__all__ = [
    "Corpus",
    "PrecedentError",
    "Report",
    "__version__",
    "assess",
    "check_idea",
    "match",
    "overlap",
    "read",
    "verify",
]

PathLike = str | os.PathLike[str]


# A str is also an iterable of str; the first signature that fits counts.
@overload
def verify(source: PathLike, quotes: str) -> VerifyOutput: ...  # type: ignore[overload-overlap]
@overload
def verify(*, text: str, quotes: str) -> VerifyOutput: ...  # type: ignore[overload-overlap]
@overload
def verify(source: PathLike, quotes: Iterable[str]) -> list[VerifyOutput]: ...
@overload
def verify(*, text: str, quotes: Iterable[str]) -> list[VerifyOutput]: ...
def verify(
    source: PathLike | None = None, quotes: str | Iterable[str] = (), *, text: str | None = None
) -> VerifyOutput | list[VerifyOutput]:
    """Checks whether a file (or `text`) contains quotes.

    One quote gives one answer, several give a list in the same order. `outcome` is exact, close, altered, stitched, absent or too_short.
    """
    asked = [quotes] if isinstance(quotes, str) else list(quotes)
    answers: list[VerifyOutput] = json.loads(_native.verify(source, text, asked))
    return answers[0] if isinstance(quotes, str) else answers


def overlap(
    target: PathLike | None = None,
    others: PathLike | Iterable[PathLike] = (),
    *,
    text: str | None = None,
    min_words: int | None = None,
) -> OverlapOutput:
    """Finds the passages that a file (or `text`) shares with other files."""
    found: OverlapOutput = json.loads(_native.overlap(target, text, _paths(others), min_words))
    return found


def read(source: PathLike | None = None, *, text: str | None = None) -> dict[str, Any]:
    """Reads a paper: title, authors, date, abstract, sections, references, and the text that all byte ranges refer to."""
    paper: dict[str, Any] = json.loads(_native.read(source, text))
    return paper


class Corpus:
    """Local corpora, files of records or folders of papers, opened once for many calls. Can be used from several threads."""

    def __init__(self, *paths: PathLike) -> None:
        if not paths:
            raise PrecedentError("no corpus is given", "usage", "name a corpus, a file of records or a folder of papers")
        self._native = _native.Corpora(list(paths))

    def search(
        self, query: str, *, limit: int | None = None, as_of: str | None = None, exclude: Iterable[str] = ()
    ) -> list[SearchResult]:
        """The papers for a query, best first. `as_of` is a date: later papers are left out."""
        found: list[SearchResult] = json.loads(self._native.search(query, limit, as_of, list(exclude)))
        return found

    # A str is also a sequence of str; the first signature that fits counts.
    @overload
    def match(  # type: ignore[overload-overlap]
        self, claim: str, *, limit: int = 5, as_of: str | None = None, exclude: Iterable[str] = ()
    ) -> list[ClaimMatch]: ...
    @overload
    def match(
        self, claim: Sequence[str], *, limit: int = 5, as_of: str | None = None, exclude: Iterable[str] = ()
    ) -> list[list[ClaimMatch]]: ...
    def match(
        self, claim: str | Sequence[str], *, limit: int = 5, as_of: str | None = None, exclude: Iterable[str] = ()
    ) -> list[ClaimMatch] | list[list[ClaimMatch]]:
        """The papers that most probably state a claim, best first, each with its best passage. For several claims, a list for each."""
        claims = [claim] if isinstance(claim, str) else list(claim)
        answers = json.loads(self._native.match(claims, limit, as_of, list(exclude)))
        results: list[list[ClaimMatch]] = [answer["results"] for answer in answers]
        return results[0] if isinstance(claim, str) else results


def match(
    claim: str,
    corpora: PathLike | Iterable[PathLike],
    *,
    limit: int = 5,
    as_of: str | None = None,
    exclude: Iterable[str] = (),
) -> list[ClaimMatch]:
    """The papers that most probably state a claim. `Corpus` is faster for several claims."""
    return Corpus(*_paths(corpora)).match(claim, limit=limit, as_of=as_of, exclude=exclude)


class Report:
    """A finished run: `data` is the report, `manifest` says what was asked for and what was sent."""

    def __init__(self, folder: Path, manifest: Manifest, temporary: bool) -> None:
        #: The run's folder. Without `out` it is temporary and is deleted with this object.
        self.folder = folder
        self.manifest = manifest
        if temporary:
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def file(self, name: str) -> bytes:
        """The bytes of one of the run's files, such as `report.html`."""
        names = [entry["name"] for entry in self.manifest["files"]]
        if name not in names:
            raise PrecedentError(f"the run has no file {name}", "usage", f"it has {', '.join(names)}")
        return (self.folder / name).read_bytes()

    def _of_kind(self, ending: str) -> str:
        for entry in self.manifest["files"]:
            if entry["name"].endswith(ending):
                return self.file(entry["name"]).decode()
        raise PrecedentError(f"no file {ending} was written", "usage", f"add {ending[1:]} to formats")

    @property
    def status(self) -> str:
        """How the run ended, such as `complete`."""
        return self.manifest["status"]["state"]

    @property
    def sent(self) -> list[Any]:
        """What was sent to each host. Empty if nothing left the machine."""
        return list(self.manifest.get("sent", []))

    @property
    def json(self) -> str:
        return self._of_kind(".json")

    @property
    def html(self) -> str:
        return self._of_kind(".html")

    @property
    def markdown(self) -> str:
        return self._of_kind(".md")

    @property
    def data(self) -> Any:
        """The report: an `Assessment` or an `IdeaAssessment`."""
        return json.loads(self.json)

    @property
    def claims(self) -> list[Any]:
        """The claims of the paper. `data` has their comparisons with earlier papers."""
        return list(self.data["contribution_analysis"]["contributions"])

    @property
    def missing_citations(self) -> list[dict[str, Any]]:
        """Papers that the paper probably should cite, with `id`, `title`, `year` and `reason`."""
        data = self.data
        found = []
        for missing in data["contribution_analysis"]["missing_citations"]:
            candidates = data["references"]["candidates"]
            work = next(one["work"] for one in candidates if one["number"] == missing["candidate"])
            years = [int(one["date"][:4]) for one in work["dates"]]
            year = min(years, default=None)
            found.append({"id": work["id"], "title": work["title"], "year": year, "reason": missing["reason"]})
        return found

    def _repr_html_(self) -> str:
        page = html.escape(self.html, quote=True)
        style = "width:100%;height:48rem;border:1px solid #ccc"
        return f'<iframe title="Report" sandbox="allow-scripts" style="{style}" srcdoc="{page}"></iframe>'

    def __reduce__(self) -> tuple[Any, ...]:
        # The folder of a temporary run goes with this object, so a copy in another process would lose it.
        raise TypeError("a Report cannot be pickled; pass its data, or its folder if out was given")

    def __repr__(self) -> str:
        return f"<precedent.Report {self.status} {self.folder}>"


def assess(
    paper: PathLike,
    *,
    corpora: PathLike | Iterable[PathLike] = (),
    sources: Iterable[str] = (),
    model: str | None = None,
    budget: float | None = None,
    as_of: str | None = None,
    formats: Iterable[str] = ("json", "md", "html"),
    seed: int = 0,
    out: PathLike | None = None,
    settings: PathLike | None = None,
    replay: bool = False,
    on_event: Callable[[Event], object] | None = None,
) -> Report:
    """Checks the claims of a paper against prior work.

    Without `model` and `sources` nothing leaves the machine. `budget` is in US dollars. `out` keeps the run: the same call continues it
    after Ctrl-C, and `replay` uses only its recorded answers. `on_event` receives each event; an exception in it cancels the run.
    """
    options = _options(corpora, sources, model, budget, as_of, formats, seed, settings, replay)
    return _run(lambda given: _native.assess(paper, given, on_event), options, out)


def check_idea(
    idea: str,
    *,
    purpose: str | None = None,
    mechanism: str | None = None,
    evaluation: str | None = None,
    application_domain: str | None = None,
    corpora: PathLike | Iterable[PathLike] = (),
    sources: Iterable[str] = (),
    model: str | None = None,
    budget: float | None = None,
    as_of: str | None = None,
    formats: Iterable[str] = ("json", "md", "html"),
    seed: int = 0,
    out: PathLike | None = None,
    settings: PathLike | None = None,
    replay: bool = False,
    on_event: Callable[[Event], object] | None = None,
) -> Report:
    """Checks an idea, given as text, against prior work.

    `purpose`, `mechanism`, `evaluation` and `application_domain` state what the idea says on each, instead of what would be found in its
    text. The other options are those of `assess`.
    """
    options = _options(corpora, sources, model, budget, as_of, formats, seed, settings, replay)
    stated = {
        "purpose": purpose,
        "mechanism": mechanism,
        "evaluation": evaluation,
        "application_domain": application_domain,
    }
    facets = {facet: words for facet, words in stated.items() if words is not None}
    return _run(lambda given: _native.check_idea(idea, facets, given, on_event), options, out)


def _paths(given: PathLike | Iterable[PathLike]) -> list[PathLike]:
    return [given] if isinstance(given, (str, os.PathLike)) else list(given)


def _options(
    corpora: PathLike | Iterable[PathLike],
    sources: Iterable[str],
    model: str | None,
    budget: float | None,
    as_of: str | None,
    formats: Iterable[str],
    seed: int,
    settings: PathLike | None,
    replay: bool,
) -> dict[str, Any]:
    if isinstance(sources, str) or isinstance(formats, str):
        raise TypeError("sources and formats are lists of names")
    return {
        "corpora": _paths(corpora),
        "sources": list(sources),
        "model": model,
        "budget": budget,
        "as_of": as_of,
        "formats": list(formats),
        "seed": seed,
        "settings": settings,
        "replay": replay,
    }


def _run(call: Callable[[dict[str, Any]], str], options: dict[str, Any], out: PathLike | None) -> Report:
    folder = Path(tempfile.mkdtemp(prefix="precedent-")) if out is None else Path(out)
    try:
        manifest: Manifest = json.loads(call({**options, "out": folder}))
    except BaseException as error:
        if out is None and (options["model"] or options["sources"]):
            # It has answers that cost time or money.
            error.add_note(f"What was answered so far is kept in {folder}; the same call with out={str(folder)!r} continues.")
        elif out is None:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return Report(folder, manifest, temporary=out is None)
