# Made from docs/schema/manifest-1.json by make_types.sh.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

RunId: TypeAlias = str


Doi: TypeAlias = str


ArxivId: TypeAlias = str


OpenReviewId: TypeAlias = str


AclId: TypeAlias = str


PmcId: TypeAlias = str


PartialDate: TypeAlias = str


Depth: TypeAlias = Literal['passages', 'full']


Policy: TypeAlias = Literal['open', 'reviewer']


class IdeaRequest(TypedDict):
    """
    Options of an idea run, in addition to those of every run.
    """

    text: NotRequired[str | None]
    batch: NotRequired[bool]
    examples: NotRequired[str | None]
    seeds: NotRequired[list[str]]
    whole_to: NotRequired[list[str]]
    own: NotRequired[str | None]
    samples: int
    full: NotRequired[bool]
    workers: NotRequired[int]
    embedder: NotRequired[str | None]


class EncoderRequest(TypedDict):
    """
    Embedding and reranking models. Contains no API keys.
    """

    embedder: NotRequired[str | None]
    embedder_url: NotRequired[str | None]
    reranker: NotRequired[str | None]
    reranker_url: NotRequired[str | None]


class ReviewRequest(TypedDict):
    """
    Options of an idea review, in addition to those of every run.
    """

    text: NotRequired[str | None]
    dimensions: NotRequired[str | None]
    personas: NotRequired[str | None]
    board: int
    rounds: int
    keep: int
    oversample: int
    alpha_percent: int
    embedder: NotRequired[str | None]


class RankRequest(TypedDict):
    """
    Options of a ranking, in addition to those of every run. The input is the first idea.
    """

    others: list[str]
    dimensions: NotRequired[str | None]
    draws: int


class AuditRequest(TypedDict):
    """
    Options of an audit, in addition to those of every run. The input is the report.
    """

    paper: NotRequired[str | None]


class RunStatusRunStatus(TypedDict):
    """
    Running. If the process is gone, [`RunFolder::standing`](super::RunFolder::standing) reports `Interrupted`.
    """

    state: Literal['running']


class RunStatusRunStatus1(TypedDict):
    """
    Finished.
    """

    state: Literal['complete']


class RunStatusRunStatus2(TypedDict):
    """
    Finished, but every search failed. The report covers the paper alone.
    """

    state: Literal['nothing_searched']


class RunStatusRunStatus3(TypedDict):
    """
    Finished, but model calls failed. Running the same command again retries them.
    """

    state: Literal['incomplete']


class RunStatusRunStatus4(TypedDict):
    """
    Stopped by the budget. The report is labelled as partial, and a larger budget continues the run.
    """

    state: Literal['over_budget']


class RunStatusRunStatus5(TypedDict):
    """
    Stopped by the user or killed; can be resumed.
    """

    state: Literal['interrupted']


class RunStatusRunStatus6(TypedDict):
    """
    Failed with an error.
    """

    state: Literal['failed']
    reason: str


RunStatus: TypeAlias = RunStatusRunStatus | RunStatusRunStatus1 | RunStatusRunStatus2 | RunStatusRunStatus3 | RunStatusRunStatus4 | RunStatusRunStatus5 | RunStatusRunStatus6


class RunFile(TypedDict):
    """
    A file of a run.
    """

    name: str
    sha256: str


class ModelUse(TypedDict):
    """
    Model requests with one prompt, and their results.
    """

    prompt: str
    model: str
    host: str
    items: int
    failed: NotRequired[dict[str, int]]
    retryable: NotRequired[int]
    repaired: int
    questions: int
    answers: int
    bytes: int
    input_tokens: int
    cached_tokens: int
    cache_written_tokens: NotRequired[int]
    output_tokens: int
    lost_tries: NotRequired[int]
    lost_input_tokens: NotRequired[int]
    lost_output_tokens: NotRequired[int]
    dollars: NotRequired[float | None]


class SentTotal(TypedDict):
    """
    What was sent to one host.
    """

    who: str
    host: str
    requests: int
    bytes_out: int
    bytes_in: int
    outcomes: dict[str, int]


class Identifiers(TypedDict):
    """
    The identifiers in a record of a work.
    """

    doi: NotRequired[Doi | None]
    arxiv: NotRequired[ArxivId | None]
    openreview: NotRequired[OpenReviewId | None]
    acl: NotRequired[AclId | None]
    pmc: NotRequired[PmcId | None]


class ModelRequest(TypedDict):
    """
    The model and its limits. Contains no API keys.
    """

    model: str
    url: NotRequired[str | None]
    stages: dict[str, str]
    depth: Depth
    policy: Policy
    at_once: int
    local_only: bool
    private_hosts: list[str]
    budget: NotRequired[float | None]
    budget_tokens: NotRequired[int | None]
    provider_batch: NotRequired[bool]
    settings: NotRequired[str | None]


class PointsRequest(TypedDict):
    """
    Options of a points run, in addition to those of every run.
    """

    capacity: int
    encoders: NotRequired[EncoderRequest | None]


class RunRequest(TypedDict):
    """
    The request of a run.
    """

    input: str
    named: NotRequired[Identifiers]
    corpora: list[str]
    sources: NotRequired[list[str]]
    settings: NotRequired[str | None]
    full_texts: NotRequired[int | None]
    as_of: NotRequired[PartialDate | None]
    formats: list[str]
    seed: int
    model: NotRequired[ModelRequest | None]
    idea: NotRequired[IdeaRequest | None]
    points: NotRequired[PointsRequest | None]
    review: NotRequired[ReviewRequest | None]
    rank: NotRequired[RankRequest | None]
    audit: NotRequired[AuditRequest | None]


class Manifest(TypedDict):
    """
    A run's request, its times and its result. Stays on the user's machine: unlike reports, it contains local paths and times.
    """

    manifest_version: int
    run: RunId
    program_version: str
    request: RunRequest
    input_sha256: NotRequired[str | None]
    title: NotRequired[str | None]
    started: int
    ended: NotRequired[int | None]
    status: RunStatus
    files: list[RunFile]
    models: NotRequired[list[ModelUse]]
    sent: NotRequired[list[SentTotal]]
