# Made from docs/schema/overlap-1.json by make_types.sh.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

SpanSpanItem: TypeAlias = int


Span: TypeAlias = tuple[SpanSpanItem, SpanSpanItem]
"""
A half-open range of **bytes** into one text. Both ends are on character boundaries of that text.

Serialised as `[start, end]`.
"""


OverlapKind: TypeAlias = Literal['direct', 'near_verbatim', 'paraphrase_candidate']


OverlapMark: TypeAlias = Literal['reference_list', 'quoted_with_citation', 'boilerplate']


AlteredReason: TypeAlias = Literal['negation', 'number', 'comparison', 'name', 'quantifier', 'content_words', 'foreign_part', 'order', 'unmarked_gap', 'sign']


class Difference(TypedDict):
    """
    A difference in meaning between the two sides of a passage.
    """

    a: Span
    b: Span
    a_text: str
    b_text: str
    reason: AlteredReason


class Passage(TypedDict):
    """
    A passage that two texts share.
    """

    b_file: str
    a: Span
    b: Span
    a_page: NotRequired[int | None]
    b_page: NotRequired[int | None]
    a_line: int
    b_line: int
    words: int
    kind: OverlapKind
    agreement: float
    marks: list[OverlapMark]
    edits: list[Difference]
    a_text: str
    b_text: str


class OverlapOutput(TypedDict):
    """
    Output of `precedent overlap --json`.
    """

    passages: list[Passage]
    paraphrase_candidates: list[Passage]
