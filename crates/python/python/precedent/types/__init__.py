"""Types of the results. Those of the reports, of `verify` and of `overlap` are made from the JSON schemas."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from .formats import Assessment, IdeaAssessment, Manifest, OverlapOutput, VerifyOutput

__all__ = [
    "Assessment",
    "ClaimMatch",
    "Event",
    "IdeaAssessment",
    "Manifest",
    "MatchedPassage",
    "OverlapOutput",
    "SearchResult",
    "VerifyOutput",
]


class MatchedPassage(TypedDict):
    """A passage, cut from a paper's text."""

    text: str
    #: its bytes in the paper's text
    range: list[int]
    section: NotRequired[str]
    page: NotRequired[int]


class ClaimMatch(TypedDict):
    """A paper that may state a claim."""

    id: str
    title: str
    year: int | None
    level: Literal["anticipated", "similar", "none", "not_assessable"]
    #: estimated probability that the compared text states the claim, 0 to 1
    probability: float
    compared: Literal["full_text", "abstract", "title_only"]
    passage: MatchedPassage | None
    shared: list[str]
    missing: list[str]


class SearchResult(TypedDict):
    """A paper found by a search."""

    id: str
    title: str
    year: int | None
    #: comparable within one query only
    score: float
    #: bytes of the best passage in the full text
    passage: NotRequired[list[int]]


class Event(TypedDict, total=False):
    """What happens during a job. `event` says which of the other fields are there."""

    event: Literal[
        "started",
        "stage",
        "progress",
        "source",
        "model",
        "waiting",
        "note",
        "warning",
        "answer",
        "file_written",
        "finished",
    ]
    run: str
    name: str
    state: str
    message: str
    found: int
    failed: int
    what: str
    done: int
    of: int
    calls: int
    tokens: int
    dollars: float | None
    #: how the run ended: `{"state": "complete"}`
    status: dict[str, Any]
    line: Any
