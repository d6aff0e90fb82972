# Made from docs/schema/assessment-1.json by make_types.sh.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Author(TypedDict):
    """
    A person as printed.
    """

    name: str


SpanSpanItem: TypeAlias = int


Span: TypeAlias = tuple[SpanSpanItem, SpanSpanItem]
"""
A half-open range of **bytes** into one text. Both ends are on character boundaries of that text.

Serialised as `[start, end]`.
"""


class Place(TypedDict):
    """
    The location of a span, for readers.
    """

    page: NotRequired[int | None]
    section: NotRequired[str | None]


EditKind: TypeAlias = Literal['inserted', 'deleted', 'replaced']


EditNote: TypeAlias = Literal['citation_not_in_source', 'sign', 'layout', 'letter_case', 'punctuation', 'invisible_characters', 'parenthesis', 'word_form', 'function_word', 'number_form', 'look_alikes']


PartialDate: TypeAlias = str


class DateOriginDateOrigin(TypedDict):
    """
    From a record of the named corpus or source.
    """

    record: str


DateOrigin: TypeAlias = Literal['given'] | Literal['arxiv_id'] | Literal['acl_id'] | Literal['doi'] | Literal['front_matter'] | Literal['file_metadata'] | DateOriginDateOrigin


Doi: TypeAlias = str


ArxivId: TypeAlias = str


OpenReviewId: TypeAlias = str


AclId: TypeAlias = str


PmcId: TypeAlias = str


PaperFormat: TypeAlias = Literal['pdf', 'latex', 'html', 'jats', 'tei', 'markdown', 'text']


class ParseQuality(TypedDict):
    """
    How well a paper was parsed.
    """

    score: float
    reasons: list[str]


ReadWarningKind: TypeAlias = Literal['hidden_text', 'pages_lost', 'pages_without_text', 'truncated', 'part_missing', 'garbled', 'may_not_be_a_paper', 'other_engine']


HiddenReason: TypeAlias = Literal['white_on_white', 'tiny', 'off_page', 'invisible_mode', 'hidden_by_style', 'covered', 'invisible_characters', 'comment']


class ScopeScope(TypedDict):
    """
    The contribution of this number.
    """

    contribution: int


Scope: TypeAlias = Literal['core_task'] | ScopeScope


class TaxonomyPaperTaxonomyPaper(TypedDict):
    """
    The candidate of this number.
    """

    candidate: int


TaxonomyPaper: TypeAlias = Literal['target'] | TaxonomyPaperTaxonomyPaper


class TaxonomyFaultTaxonomyFault(TypedDict):
    """
    A paper is in no leaf.
    """

    missing: TaxonomyPaper


class TaxonomyFaultTaxonomyFault1(TypedDict):
    """
    A paper is in more than one leaf.
    """

    repeated: TaxonomyPaper


class TaxonomyFaultTaxonomyFault2(TypedDict):
    """
    A paper in the tree is not among the candidates.
    """

    unknown: TaxonomyPaper


class TaxonomyFaultTaxonomyFault3(TypedDict):
    """
    An empty node.
    """

    empty: str


class TaxonomyFaultTaxonomyFault4(TypedDict):
    """
    A node with both papers and subtopics.
    """

    mixed: str


class TaxonomyFaultTaxonomyFault5(TypedDict):
    """
    A meaningless name: other, misc, general, …
    """

    vague_name: str


class TaxonomyFaultTaxonomyFault6(TypedDict):
    """
    Two siblings with the same name.
    """

    same_name: str


TaxonomyFault: TypeAlias = TaxonomyFaultTaxonomyFault | TaxonomyFaultTaxonomyFault1 | TaxonomyFaultTaxonomyFault2 | TaxonomyFaultTaxonomyFault3 | TaxonomyFaultTaxonomyFault4 | TaxonomyFaultTaxonomyFault5 | TaxonomyFaultTaxonomyFault6


CoverageLevel: TypeAlias = Literal['covered', 'thin', 'outside']


class NearWork(TypedDict):
    """
    A paper similar to the assessed paper as a whole.
    """

    candidate: int
    nearness: float


ContributionClass: TypeAlias = Literal['method', 'theory', 'resource', 'finding', 'survey', 'application', 'unclear']


class NoteNote(TypedDict):
    """
    A claim was dropped, because its words are not in the paper.
    """

    code: Literal['claim_not_in_paper']
    name: str


class NoteNote4(TypedDict):
    """
    A sentence of the model's summary was removed.
    """

    code: Literal['summary_sentence_removed']
    why: NotRequired[str | None]


class NoteNote5(TypedDict):
    """
    A point appears nearly word for word in an earlier paper.
    """

    code: Literal['point_known']
    point: int
    title: str


class NoteNote6(TypedDict):
    """
    No score, because the points that the model called new appear nearly word for word in earlier papers.
    """

    code: Literal['not_scored']


class NoteNote8(TypedDict):
    """
    Statements of the idea beyond the limit of their part.
    """

    code: Literal['statements_left_out']
    statements: int


class NoteNote9(TypedDict):
    """
    Quotes that the model gave as evidence and that are in no passage shown to it.
    """

    code: Literal['evidence_not_found']
    quotes: int


class NoteNote10(TypedDict):
    """
    Pairs of a part and a document for which the model gave no usable answer.
    """

    code: Literal['evidence_by_rules']
    unanswered: int
    pairs: int


class NoteNote11(TypedDict):
    """
    Analyses by the model that could not be printed.
    """

    code: Literal['analyses_left_out']
    analyses: int


class NoteNote12(TypedDict):
    """
    Pairs of a part and a document beyond the limit.
    """

    code: Literal['pairs_beyond_limit']
    pairs: int
    limit: int


class NoteNote17(TypedDict):
    """
    The working that the dimension asks for is missing or cannot be printed.
    """

    code: Literal['working_left_out']


class NoteNote19(TypedDict):
    """
    No request to the board got a usable answer.
    """

    code: Literal['board_silent']
    requests: int


class NoteNote20(TypedDict):
    """
    No reader gave a usable opinion.
    """

    code: Literal['no_opinion']


class NoteNote21(TypedDict):
    """
    The chair gave no usable answer.
    """

    code: Literal['chair_failed']


class NoteNote23(TypedDict):
    """
    The chair named a decision that does not exist.
    """

    code: Literal['decision_unknown']


class NoteNote24(TypedDict):
    """
    Key evidence that cannot support a decision.
    """

    code: Literal['key_evidence_left_out']
    number: int


class NoteNote25(TypedDict):
    """
    The chair wanted to change the average without evidence that can support a decision.
    """

    code: Literal['change_without_evidence']
    delta: float


class NoteNote26(TypedDict):
    """
    The chair wanted to change the average by more than the limit.
    """

    code: Literal['change_limited']
    delta: float
    limit: float


class NoteNote27(TypedDict):
    """
    Only the top later documents were used for suggestions.
    """

    code: Literal['suggestions_limited']
    used: int
    documents: int


class NoteNote28(TypedDict):
    """
    No suggestions were requested, because the report prints no sentences by a model.
    """

    code: Literal['suggestions_not_requested']


class NoteNote29(TypedDict):
    """
    The model gave no usable answer on later documents.
    """

    code: Literal['no_suggestions']


class NoteNote31(TypedDict):
    """
    Suggestions that rest on other documents than the later ones, or that cannot be printed.
    """

    code: Literal['suggestions_unfounded']
    suggestions: int


ListedKind: TypeAlias = Literal['claims', 'points', 'statements']


EvidenceKind: TypeAlias = Literal['literature', 'web', 'code']


class SentenceFaultSentenceFault(TypedDict):
    """
    It is beyond the length of any answer.
    """

    code: Literal['beyond_any_limit']


class SentenceFaultSentenceFault1(TypedDict):
    """
    It is a heading or a block quote.
    """

    code: Literal['no_sentence']


class SentenceFaultSentenceFault2(TypedDict):
    """
    It is beyond the number of sentences requested.
    """

    code: Literal['beyond_limit']


class SentenceFaultSentenceFault3(TypedDict):
    """
    It failed a check.
    """

    code: Literal['refused']
    why: str


SentenceFault: TypeAlias = SentenceFaultSentenceFault | SentenceFaultSentenceFault1 | SentenceFaultSentenceFault2 | SentenceFaultSentenceFault3


class OpinionFaultOpinionFault(TypedDict):
    """
    There was no usable answer.
    """

    code: Literal['no_answer']


class OpinionFaultOpinionFault1(TypedDict):
    """
    Everything it cites has an uncertain date.
    """

    code: Literal['uncertain_dates']


class OpinionFaultOpinionFault2(TypedDict):
    """
    Its score is not on the scale.
    """

    code: Literal['score_off_scale']


class OpinionFaultOpinionFault3(TypedDict):
    """
    It cites a document that the reader was not shown.
    """

    code: Literal['cites_unshown']
    number: int


OpinionFault: TypeAlias = OpinionFaultOpinionFault | OpinionFaultOpinionFault1 | OpinionFaultOpinionFault2 | OpinionFaultOpinionFault3


ReviewDecision: TypeAlias = Literal['reject', 'poster', 'spotlight', 'oral']


SuggestionGroup: TypeAlias = Literal['method', 'experiments', 'data', 'risks', 'next_steps']


SuggestionFault: TypeAlias = Literal['not_on_later_documents', 'repeated', 'group_full']


Status: TypeAlias = Literal['can_refute', 'cannot_refute', 'unclear']


Extent: TypeAlias = Literal['title_only', 'abstract', 'full_text']


JudgedBy: TypeAlias = Literal['model_passages', 'model_whole_text', 'program']


class ComparisonStatistics(TypedDict):
    """
    Counts over the comparisons, always computed from them.
    """

    compared: int
    can_refute: int
    cannot_refute: int
    unclear: int
    downgraded: int
    abstract_only: int


class MissingCitation(TypedDict):
    """
    A similar work missing from the reference list. A missing citation is not prior art against a claim.
    """

    candidate: int
    reason: str


PositionKind: TypeAlias = Literal['has_siblings', 'has_neighbours', 'isolated']


PlaceDoubt: TypeAlias = Literal['no_shared_phrase', 'most_similar_elsewhere', 'papers_share_no_phrase']


class SubtopicComparison(TypedDict):
    """
    Comparison of the paper's leaf with its neighbouring subtopics.
    """

    overall: str
    similarities: list[str]
    differences: list[str]
    suggested_directions: NotRequired[list[str]]
    papers: list[TaxonomyPaper]


OverlapKind: TypeAlias = Literal['direct', 'near_verbatim', 'paraphrase_candidate']


OverlapMark: TypeAlias = Literal['reference_list', 'quoted_with_citation', 'boilerplate']


AlteredReason: TypeAlias = Literal['negation', 'number', 'comparison', 'name', 'quantifier', 'content_words', 'foreign_part', 'order', 'unmarked_gap', 'sign']


WorkId: TypeAlias = str


class DoubtDoubt(TypedDict):
    """
    It was retracted. It still counts as published, and a report says that it was retracted.
    """

    kind: Literal['retracted']
    by: list[str]


class DoubtDoubt1(TypedDict):
    """
    Records with the same identifier disagree on what it names. Such a work does not count as prior art by itself.
    """

    kind: Literal['disputed']
    on: list[str]
    between: list[str]


class DoubtDoubt2(TypedDict):
    """
    Sources disagree on whether it appeared before the paper, and no two agree that it did. It does not count as earlier.
    """

    kind: Literal['date']
    earlier: list[str]
    later: list[str]


Doubt: TypeAlias = DoubtDoubt | DoubtDoubt1 | DoubtDoubt2


Relevance: TypeAlias = Literal['perfect', 'partial', 'no']


Timing: TypeAlias = Literal['earlier', 'concurrent', 'same_year', 'undated', 'later']


class CameByCameBy(TypedDict):
    """
    The paper's reference list contains it, and a service found its record.
    """

    kind: Literal['reference']
    number: int


class CameByCameBy1(TypedDict):
    """
    Works cited by the paper cite it.
    """

    kind: Literal['cited_by_references']
    count: int


class CameByCameBy2(TypedDict):
    """
    A service recommends it for the paper.
    """

    kind: Literal['recommended']


class CameByCameBy3(TypedDict):
    """
    A service recommends it for the works that the paper cites.
    """

    kind: Literal['recommended_by_references']


class CameByCameBy4(TypedDict):
    """
    It cites the paper, but is not certainly later.
    """

    kind: Literal['cites_paper']


CameBy: TypeAlias = CameByCameBy | CameByCameBy1 | CameByCameBy2 | CameByCameBy3 | CameByCameBy4


SetAsideReason: TypeAlias = Literal['same_work', 'later', 'duplicate']


class AsOf(TypedDict):
    """
    The cutoff date of the assessment.
    """

    date: PartialDate
    origin: DateOrigin


class FunnelScope(TypedDict):
    """
    Number of works after each step in one scope (OpenNovelty, 2.2).

    `raw` and `after_flag` count results, so a record found by two queries counts twice. `distinct` counts records, and later fields count works. So
    `distinct - after_dedup` duplicates were excluded here, `after_dedup - after_self` versions of the paper, and `after_self - after_date` later
    works.
    """

    scope: Scope
    raw: int
    after_flag: int
    distinct: int
    after_dedup: int
    after_self: int
    after_date: int
    after_top: int


class SourceReport(TypedDict):
    """
    How a source took part.
    """

    name: str
    works: int | None
    full_texts: int | None
    answered: int
    partial: NotRequired[int]
    unanswered: NotRequired[int]
    failures: list[str]
    own_text: NotRequired[bool]


NotSearchedKind: TypeAlias = Literal['source_not_asked', 'source_failed', 'source_part', 'references_not_followed', 'abstract_only', 'cut_off', 'undated', 'target_undated', 'paper_part', 'not_judged', 'budget', 'model_incomplete', 'field_not_covered']


TextUnit: TypeAlias = Literal['paragraph', 'sentence']


class DoubtfulPaper(TypedDict):
    """
    A paper whose record is in doubt.
    """

    name: str
    doubt: Doubt


IdeaPart: TypeAlias = Literal['basic_idea', 'motivation', 'research_question', 'method', 'experimental_setting', 'expected_results']


class ListwiseRecord(TypedDict):
    """
    Statistics of ordering papers by a model, window by window.
    """

    windows: int
    unanswered: int
    doubled: int
    unknown: int
    missing: int


class SentRecordSentRecord(TypedDict):
    """
    Queries to a literature service.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['queries']
    service: str
    kinds: dict[str, int]
    answered: bool
    cached: NotRequired[int]


class SentRecordSentRecord1(TypedDict):
    """
    Names and titles of cited papers, to follow citations.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['cited_papers']


class SentRecordSentRecord2(TypedDict):
    """
    Names of papers found, to fetch their texts.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['papers_found']


class SentRecordSentRecord3(TypedDict):
    """
    The name of the paper, to download it.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['paper_name']


class SentRecordSentRecord4(TypedDict):
    """
    Queries and passages of papers, to rank the passages.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['passages']


class SentRecordSentRecord5(TypedDict):
    """
    Texts, to a model.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['texts']
    model: str
    answered: bool
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    lost_attempts: int
    dollars: float | None


class SentRecordSentRecord6(TypedDict):
    """
    What was sent to a host.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]


SentRecord: TypeAlias = SentRecordSentRecord | SentRecordSentRecord1 | SentRecordSentRecord2 | SentRecordSentRecord3 | SentRecordSentRecord4 | SentRecordSentRecord5 | SentRecordSentRecord6


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


class Edit(TypedDict):
    """
    One difference between a quote and its source.
    """

    kind: EditKind
    source: str
    quote: str
    note: NotRequired[EditNote | None]


class PublicationDate(TypedDict):
    """
    A publication date and its origin.
    """

    date: PartialDate
    origin: DateOrigin


class Identifiers(TypedDict):
    """
    The identifiers in a record of a work.
    """

    doi: NotRequired[Doi | None]
    arxiv: NotRequired[ArxivId | None]
    openreview: NotRequired[OpenReviewId | None]
    acl: NotRequired[AclId | None]
    pmc: NotRequired[PmcId | None]


class PaperOrigin(TypedDict):
    """
    The file a paper came from. It has no path, because it is printed in public reports.
    """

    file_name: str
    format: PaperFormat
    sha256: str
    bytes: int


class ReadWarning(TypedDict):
    """
    What a reader of a report should know about the parsing.
    """

    kind: ReadWarningKind
    message: str


class HiddenText(TypedDict):
    """
    Text in the file that is not visible to readers.
    """

    page: NotRequired[int | None]
    reason: HiddenReason
    text: str


class Query(TypedDict):
    """
    A query to the sources.
    """

    text: str
    scope: Scope
    variant: int


class TaxonomyNode(TypedDict):
    """
    A node: either `subtopics` or `papers` is filled, never both.
    """

    name: str
    scope_note: str
    exclude_note: str
    subtopics: NotRequired[list[TaxonomyNode]]
    papers: NotRequired[list[TaxonomyPaper]]


class FieldCoverage(TypedDict):
    """
    Similarity of the works found to the paper as a whole: whether the sources searched cover its field at all. A rule, not a judgement.
    """

    level: CoverageLevel
    nearest: float
    usual: float
    near: int
    works: int


class NoteNote1(TypedDict):
    """
    The model gave no usable list, so the built-in method's was used.
    """

    code: Literal['no_list']
    of: ListedKind


class NoteNote2(TypedDict):
    """
    The model's list had no entry that is in the text, so the built-in method's was used.
    """

    code: Literal['nothing_listed_in_text']
    of: ListedKind


class NoteNote3(TypedDict):
    """
    Entries of the model's list that were dropped.
    """

    code: Literal['listed_dropped']
    of: ListedKind
    dropped: int
    listed: int
    most_words: NotRequired[int | None]


class NoteNote7(TypedDict):
    """
    A document has nearly the text of the idea, or its title, so it was not compared with it.
    """

    code: Literal['nearly_the_idea']
    name: str
    number: int
    kind: EvidenceKind


class NoteNote16(TypedDict):
    """
    Sentences of an answer that were left out.
    """

    code: Literal['sentences_left_out']
    sentences: int
    first: SentenceFault


class NoteNote18(TypedDict):
    """
    An opinion is missing and not counted.
    """

    code: Literal['opinion_missing']
    why: OpinionFault


class NoteNote22(TypedDict):
    """
    The chair named a decision that does not follow from the score.
    """

    code: Literal['decision_replaced']
    named: ReviewDecision
    score: float
    due: ReviewDecision


class NoteNote30(TypedDict):
    """
    A suggestion was left out.
    """

    code: Literal['suggestion_left_out']
    group: SuggestionGroup
    why: SuggestionFault


NoClearPlace: TypeAlias = PlaceDoubt | str


class PassageEdit(TypedDict):
    """
    A position inside a shared passage where the two texts differ in meaning.
    """

    a: Span
    b: Span
    reason: AlteredReason


class Work(TypedDict):
    """
    A piece of prior work as its records describe it. Several records of the same work are merged into one.
    """

    id: WorkId
    title: str
    abstract: NotRequired[str | None]
    authors: list[Author]
    venue: NotRequired[str | None]
    dates: list[PublicationDate]
    identifiers: Identifiers
    url: NotRequired[str | None]
    extent: Extent
    also: NotRequired[list[WorkId]]
    doubts: NotRequired[list[Doubt]]


class ScopeRank(TypedDict):
    """
    Rank and relevance of a candidate in one scope.
    """

    scope: Scope
    rank: int
    relevance: Relevance
    filled_up: bool


class SetAside(TypedDict):
    """
    A work that was found and excluded, with the reason.
    """

    id: WorkId
    title: str
    date: NotRequired[PublicationDate | None]
    reason: SetAsideReason
    url: NotRequired[str | None]
    scopes: NotRequired[list[Scope]]
    duplicate_of: NotRequired[WorkId | None]


class Funnel(TypedDict):
    """
    The whole funnel.
    """

    scopes: list[FunnelScope]
    merged: int
    shared_text: int


class NotSearchedNotSearched(TypedDict):
    """
    Nothing but the sources of the run was searched.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['other_sources']
    services: list[str]


class NotSearchedNotSearched1(TypedDict):
    """
    An idea was compared only with the papers given with it.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['given_papers_only']
    papers: int


class NotSearchedNotSearched2(TypedDict):
    """
    Kinds of documents for which no source was given.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['kinds_not_searched']
    kinds: list[EvidenceKind]


class NotSearchedNotSearched3(TypedDict):
    """
    A source failed a request.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['source_failed']
    source: str
    failure: str


class NotSearchedNotSearched4(TypedDict):
    """
    No source has the paper that an idea was made from.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['seed_not_found']
    names: list[str]


class NotSearchedNotSearched5(TypedDict):
    """
    No source has citation data.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_citation_data']


class NotSearchedNotSearched6(TypedDict):
    """
    References that matched no known paper, so what they cite was not followed.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['references_not_matched']
    references: int
    matched: int


class NotSearchedNotSearched7(TypedDict):
    """
    References of the paper that no source has.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['references_not_in_sources']
    missing: int
    references: int


class NotSearchedNotSearched8(TypedDict):
    """
    Papers cited by the paper's references were not included.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['second_order_not_included']


class NotSearchedNotSearched9(TypedDict):
    """
    Missing citations were not checked, because the paper has no readable reference list.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_reference_list']


class NotSearchedNotSearched10(TypedDict):
    """
    The sources hardly cover the field of the paper or idea.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['field_not_covered']
    coverage: FieldCoverage
    closest: int


class NotSearchedNotSearched11(TypedDict):
    """
    The closest papers are not similar to the idea.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['closest_not_similar']
    papers: int
    mean: float


class NotSearchedNotSearched12(TypedDict):
    """
    Papers without full text, compared by title and abstract only.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_full_text']
    missing: int
    papers: int


class NotSearchedNotSearched13(TypedDict):
    """
    Documents of a kind that are known only in part.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['known_in_part']
    evidence: EvidenceKind
    missing: int
    documents: int


class NotSearchedNotSearched14(TypedDict):
    """
    Full texts that could not be fetched.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['texts_not_fetched']
    fetched: int
    requested: int
    reasons: dict[str, int]
    left: int


class NotSearchedNotSearched15(TypedDict):
    """
    Papers without a date.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_date']
    undated: int
    papers: int


class NotSearchedNotSearched16(TypedDict):
    """
    Papers that may not be earlier than the date given.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['may_not_be_earlier']
    open: int
    papers: int


class NotSearchedNotSearched17(TypedDict):
    """
    Documents that may not be earlier than the idea: shown, but no evidence for the score.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['documents_may_not_be_earlier']
    open: int


class NotSearchedNotSearched18(TypedDict):
    """
    The paper's date is unknown.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['paper_undated']
    newest_cited: int | None


class NotSearchedNotSearched19(TypedDict):
    """
    The paper's date comes from the metadata of the file, which may be a copy.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['date_of_file']
    date: PartialDate
    months: int


class NotSearchedNotSearched20(TypedDict):
    """
    Only the year of the paper's date is known.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['year_only']
    year: int


class NotSearchedNotSearched21(TypedDict):
    """
    The idea has no date.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['idea_undated']


class NotSearchedNotSearched22(TypedDict):
    """
    Without authors on the page, records were taken for the paper itself by title and abstract.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['taken_for_the_paper']
    titles: list[str]


class NotSearchedNotSearched23(TypedDict):
    """
    Relevant papers beyond the limit of the entry's scope.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['over_limit']
    cut: int
    limit: int


class NotSearchedNotSearched24(TypedDict):
    """
    Papers beyond the most similar ones.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['beyond_most_similar']
    cut: int
    limit: int


class NotSearchedNotSearched25(TypedDict):
    """
    Records of a kind beyond the limits.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['beyond_most_relevant']
    cut: int
    limit: int
    compared: int


class NotSearchedNotSearched26(TypedDict):
    """
    Papers without the text needed to compare them.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['without_text']
    papers: int


class NotSearchedNotSearched27(TypedDict):
    """
    Records without a title.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['without_title']
    records: int


class NotSearchedNotSearched28(TypedDict):
    """
    The literature base was full.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['base_full']
    left_out: int


class NotSearchedNotSearched29(TypedDict):
    """
    The search for shared text used only the first part of the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['shared_text_part']
    unit: TextUnit
    searched: int
    there: int


class NotSearchedNotSearched30(TypedDict):
    """
    Papers that were retracted.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['retracted']
    papers: list[DoubtfulPaper]


class NotSearchedNotSearched31(TypedDict):
    """
    Papers whose identifier names different papers in different sources.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['identifiers_disputed']
    papers: list[DoubtfulPaper]


class NotSearchedNotSearched32(TypedDict):
    """
    Papers that sources date before and after the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['dates_disputed']
    papers: list[DoubtfulPaper]


class NotSearchedNotSearched33(TypedDict):
    """
    No core task was found in the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_core_task']


class NotSearchedNotSearched34(TypedDict):
    """
    No contribution claim was found in the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_claims']


class NotSearchedNotSearched35(TypedDict):
    """
    No statement of the idea could be read.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_statements']


class NotSearchedNotSearched36(TypedDict):
    """
    Parts that the idea does not have.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['parts_missing']
    parts: list[IdeaPart]


class NotSearchedNotSearched37(TypedDict):
    """
    Whether a paper says the same in other words needs a human reader.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['other_words']


class NotSearchedNotSearched38(TypedDict):
    """
    No model was used.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_model']


class NotSearchedNotSearched39(TypedDict):
    """
    The model's part is incomplete.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['model_incomplete']
    failed: int
    items: int
    retryable: bool


class NotSearchedNotSearched40(TypedDict):
    """
    The budget ended before the run did.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['budget_ended']
    unasked: int
    items: int


class NotSearchedNotSearched41(TypedDict):
    """
    A model was used, and what it missed is not known.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['model_used']
    host: str
    model: str
    requests: int
    bytes: int
    answered: bool


class NotSearchedNotSearched42(TypedDict):
    """
    Items of a prompt without a usable answer.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['answers_failed']
    prompt: str
    failures: dict[str, int]
    items: int
    replaced: bool


class NotSearchedNotSearched43(TypedDict):
    """
    Items that were longer than the model's limit.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['texts_shortened']
    prompt: str
    shortened: int
    items: int


class NotSearchedNotSearched44(TypedDict):
    """
    Answers cut off at the output limit.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['answers_cut_off']
    prompt: str
    cut_off: int
    items: int


class NotSearchedNotSearched45(TypedDict):
    """
    The model gave no usable core task.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['core_task_by_rules']


class NotSearchedNotSearched46(TypedDict):
    """
    Papers that were not sent to the model, because they share too little with the claims.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['papers_not_sent']
    unsent: int
    papers: int


class NotSearchedNotSearched47(TypedDict):
    """
    Papers too long to send whole.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['papers_sent_in_part']
    papers: int
    kilobytes: int


class NotSearchedNotSearched48(TypedDict):
    """
    The paper was too long to send whole.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['paper_sent_in_part']
    kilobytes: int


class NotSearchedNotSearched49(TypedDict):
    """
    Citations that were not judged against their source.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['citations_not_judged']
    unjudged: int
    citations: int


class NotSearchedNotSearched50(TypedDict):
    """
    The model's summary contradicted its own items and is not shown.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['summary_contradicts_items']


class NotSearchedNotSearched51(TypedDict):
    """
    Passages that the model quoted and that are not in the paper it names.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['passages_not_found']
    passages: int


class NotSearchedNotSearched52(TypedDict):
    """
    Windows of the ranking by a model without a usable answer, and faults of the other answers.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['ranking_incomplete']
    counts: ListwiseRecord


class NotSearchedNotSearched53(TypedDict):
    """
    Records without a relevance judgement.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['relevance_not_judged']
    records: int


class NotSearchedNotSearched54(TypedDict):
    """
    An embedding model or reranker failed, and the built-in method was used.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['ranking_model_failed']
    model: str
    failure: str


class NotSearchedNotSearched55(TypedDict):
    """
    Something that was not searched, read or judged.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]


NotSearched: TypeAlias = NotSearchedNotSearched | NotSearchedNotSearched1 | NotSearchedNotSearched2 | NotSearchedNotSearched3 | NotSearchedNotSearched4 | NotSearchedNotSearched5 | NotSearchedNotSearched6 | NotSearchedNotSearched7 | NotSearchedNotSearched8 | NotSearchedNotSearched9 | NotSearchedNotSearched10 | NotSearchedNotSearched11 | NotSearchedNotSearched12 | NotSearchedNotSearched13 | NotSearchedNotSearched14 | NotSearchedNotSearched15 | NotSearchedNotSearched16 | NotSearchedNotSearched17 | NotSearchedNotSearched18 | NotSearchedNotSearched19 | NotSearchedNotSearched20 | NotSearchedNotSearched21 | NotSearchedNotSearched22 | NotSearchedNotSearched23 | NotSearchedNotSearched24 | NotSearchedNotSearched25 | NotSearchedNotSearched26 | NotSearchedNotSearched27 | NotSearchedNotSearched28 | NotSearchedNotSearched29 | NotSearchedNotSearched30 | NotSearchedNotSearched31 | NotSearchedNotSearched32 | NotSearchedNotSearched33 | NotSearchedNotSearched34 | NotSearchedNotSearched35 | NotSearchedNotSearched36 | NotSearchedNotSearched37 | NotSearchedNotSearched38 | NotSearchedNotSearched39 | NotSearchedNotSearched40 | NotSearchedNotSearched41 | NotSearchedNotSearched42 | NotSearchedNotSearched43 | NotSearchedNotSearched44 | NotSearchedNotSearched45 | NotSearchedNotSearched46 | NotSearchedNotSearched47 | NotSearchedNotSearched48 | NotSearchedNotSearched49 | NotSearchedNotSearched50 | NotSearchedNotSearched51 | NotSearchedNotSearched52 | NotSearchedNotSearched53 | NotSearchedNotSearched54 | NotSearchedNotSearched55


class Quote(TypedDict):
    """
    Words of a source, cut from it. The only constructor is [`Quote::cut`], which takes a span of a document. Words from anywhere else must first be
    located, and the printed text is still the source's own.
    """

    text: str
    span: Span
    place: Place
    score: float
    edits: NotRequired[list[Edit]]


class CoreTask(TypedDict):
    """
    The topic of the paper, as one phrase.
    """

    phrase: str
    evidence: Quote | None
    queries: list[Query]


class Taxonomy(TypedDict):
    """
    The field of the paper as a tree (OpenNovelty, C.5): every paper is in exactly one leaf.
    """

    root: TaxonomyNode
    needs_review: NotRequired[list[TaxonomyFault]]


class OneLiner(TypedDict):
    """
    One line on a candidate; offline, one of its own sentences.
    """

    candidate: int
    text: str | None
    quote: Quote | None


Contribution = TypedDict(
    'Contribution',
    {
        'number': int,
        'name': str,
        'claim': Quote,
        'also_stated': NotRequired[list[Quote]],
        'description': str,
        'description_quotes': NotRequired[list[Quote]],
        'class': ContributionClass,
        'queries': list[Query],
    },
)


class EvidencePair(TypedDict):
    """
    Two passages side by side, each cut from its own source.
    """

    target: Quote
    candidate: Quote
    target_context: NotRequired[Quote | None]
    candidate_context: NotRequired[Quote | None]
    similarity: float
    rationale: str


class SiblingComparison(TypedDict):
    """
    Comparison of the paper with one work in its leaf.
    """

    candidate: int
    compared: Extent
    is_duplicate_variant: bool
    distinction: str
    shared_terms: list[str]
    target_only_terms: list[str]
    candidate_only_terms: list[str]
    candidate_quote: NotRequired[Quote | None]


class OverlapPassage(TypedDict):
    """
    One shared passage with both sides.
    """

    a: Span
    b: Span
    words: int
    kind: OverlapKind
    agreement: float
    marks: list[OverlapMark]
    edits: NotRequired[list[PassageEdit]]
    target: Quote
    candidate: Quote


class Candidate(TypedDict):
    """
    A work compared with the paper.
    """

    number: int
    alias: str
    work: Work
    scopes: list[ScopeRank]
    timing: Timing
    cited_as: NotRequired[int | None]
    found_by: list[str]
    came_by: NotRequired[list[CameBy]]
    shared_authors: NotRequired[list[Author]]


class RunMetadata(TypedDict):
    """
    What was done and what was not.
    """

    program_version: str
    analyst: str
    as_of: AsOf | None
    seed: int
    queries: list[Query]
    funnel: Funnel
    sources: list[SourceReport]
    not_searched: list[NotSearched]
    sent: list[SentRecord]
    models: NotRequired[list[ModelUse]]
    disclaimer: str


class OriginalPaper(TypedDict):
    """
    The paper as shown in the report.
    """

    title: str
    title_found: bool
    authors: list[Author]
    abstract: Quote | None
    dates: list[PublicationDate]
    identifiers: Identifiers
    origin: PaperOrigin
    words: int
    pages: int | None
    reference_count: int
    quality: ParseQuality
    warnings: list[ReadWarning]
    hidden: NotRequired[list[HiddenText]]


class CoreTaskSurvey(TypedDict):
    """
    The field of the paper.
    """

    core_task: CoreTask | None
    taxonomy: Taxonomy | None
    narrative: list[str] | None
    one_liners: list[OneLiner]
    coverage: NotRequired[FieldCoverage | None]
    near: NotRequired[list[NearWork]]


class ContributionComparison(TypedDict):
    """
    Comparison of one claim of the paper with one candidate.
    """

    contribution: int
    candidate: int
    status: Status
    compared: Extent
    evidence: list[EvidencePair]
    note: str
    closeness: float
    probability: NotRequired[float | None]
    shared_terms: list[str]
    missing_terms: list[str]
    near: bool
    too_little: NotRequired[bool]
    downgraded: NotRequired[str | None]
    judged_by: NotRequired[JudgedBy | None]


class Position(TypedDict):
    """
    Comparison of the paper with a work in its leaf, or with neighbouring subtopics.
    """

    path: list[str]
    kind: PositionKind
    no_clear_place: NotRequired[NoClearPlace | None]
    siblings: NotRequired[list[SiblingComparison]]
    neighbours: NotRequired[SubtopicComparison | None]


class TextualOverlap(TypedDict):
    """
    Text that the paper shares with one candidate, shown without judgement.
    """

    candidate: int
    passages: list[OverlapPassage]
    found: int


class ReferenceIndex(TypedDict):
    """
    Every work in the report.
    """

    candidates: list[Candidate]
    set_aside: list[SetAside]


class CoreTaskComparisons(TypedDict):
    """
    The position of the paper among the most similar papers.
    """

    position: Position | None


class TextualSimilarity(TypedDict):
    """
    Text shared with other papers.
    """

    searched: bool
    full_texts_compared: int
    min_words: int
    overlaps: list[TextualOverlap]


class Assessment(TypedDict):
    """
    Everything a run found about one paper: the only input of every renderer (OpenNovelty, C.8, Table 24).
    """

    schema_version: str
    original_paper: OriginalPaper
    core_task_survey: CoreTaskSurvey
    contribution_analysis: ContributionAnalysis
    core_task_comparisons: CoreTaskComparisons
    textual_similarity: TextualSimilarity
    references: ReferenceIndex
    metadata: RunMetadata


class ContributionAnalysis(TypedDict):
    """
    The paper's claims compared with prior work.
    """

    contributions: list[Contribution]
    extraction_notes: NotRequired[list[str]]
    coded_notes: NotRequired[list[Note]]
    comparisons: list[ContributionComparison]
    statistics: ComparisonStatistics
    overall_assessment: list[str] | None
    missing_citations: list[MissingCitation]
    reported_result: NotRequired[Quote | None]


class NoteNote13(TypedDict):
    """
    A note on the opinion of one reader on one dimension.
    """

    code: Literal['of_opinion']
    reader: str
    dimension: str
    note: Note


class NoteNote14(TypedDict):
    """
    A note on the chair's summary.
    """

    code: Literal['of_chair_summary']
    note: Note


class NoteNote15(TypedDict):
    """
    A note on the chair's reason for a change.
    """

    code: Literal['of_chair_reason']
    note: Note


Note: TypeAlias = NoteNote | NoteNote1 | NoteNote2 | NoteNote3 | NoteNote4 | NoteNote5 | NoteNote6 | NoteNote7 | NoteNote8 | NoteNote9 | NoteNote10 | NoteNote11 | NoteNote12 | NoteNote13 | NoteNote14 | NoteNote15 | NoteNote16 | NoteNote17 | NoteNote18 | NoteNote19 | NoteNote20 | NoteNote21 | NoteNote22 | NoteNote23 | NoteNote24 | NoteNote25 | NoteNote26 | NoteNote27 | NoteNote28 | NoteNote29 | NoteNote30 | NoteNote31 | str
