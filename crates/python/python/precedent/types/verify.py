# Made from docs/schema/verify-1.json by make_types.sh.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Id: TypeAlias = str | int


Outcome: TypeAlias = Literal['exact', 'close', 'altered', 'stitched', 'absent', 'too_short']


SpanSpanItem: TypeAlias = int


Span: TypeAlias = tuple[SpanSpanItem, SpanSpanItem]
"""
A half-open range of **bytes** into one text. Both ends are on character boundaries of that text.

Serialised as `[start, end]`.
"""


Border: TypeAlias = Literal['sentence', 'paragraph']


class Cut(TypedDict):
    """
    Words of the source that a quote omits at its start or end.
    """

    range: Span
    text: str
    word: str


class Rest(TypedDict):
    """
    A sentence, or part of one, that is not in the quote.
    """

    range: Span
    text: str


EditKind: TypeAlias = Literal['inserted', 'deleted', 'replaced']


EditNote: TypeAlias = Literal['citation_not_in_source', 'sign', 'layout', 'letter_case', 'punctuation', 'invisible_characters', 'parenthesis', 'word_form', 'function_word', 'number_form', 'look_alikes']


AlteredReason: TypeAlias = Literal['negation', 'number', 'comparison', 'name', 'quantifier', 'content_words', 'foreign_part', 'order', 'unmarked_gap', 'sign']


class LeftOut(TypedDict):
    """
    Text that a stitched quote omits between two pieces.
    """

    range: Span
    words: int
    text: str
    crosses: NotRequired[Border | None]
    limits: list[str]


class Edit(TypedDict):
    """
    One difference between a quote and its source.
    """

    kind: EditKind
    source: str
    quote: str
    note: NotRequired[EditNote | None]


class VerifyOutput(TypedDict):
    """
    Result for one quote: a line of `precedent verify --json`.
    """

    id: Id
    outcome: Outcome
    verified: bool
    score: float
    ranges: list[Span]
    text: NotRequired[str | None]
    left_out: list[LeftOut]
    cut_off_before: NotRequired[Cut | None]
    cut_off_after: NotRequired[Cut | None]
    sentence_before: NotRequired[Rest | None]
    sentence_after: NotRequired[Rest | None]
    lead_in: NotRequired[Rest | None]
    occurrences: int
    edits: list[Edit]
    reasons: list[AlteredReason]
    note: NotRequired[str | None]
    line: NotRequired[int | None]
    page: NotRequired[int | None]
    section: NotRequired[str | None]
