# Made from docs/schema/idea-1.json by make_types.sh.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

Extent: TypeAlias = Literal['title_only', 'abstract', 'full_text']


SectionKind: TypeAlias = Literal['front_matter', 'abstract', 'introduction', 'related_work', 'method', 'experiments', 'discussion', 'conclusion', 'acknowledgements', 'references', 'appendix', 'other']


SpanSpanItem: TypeAlias = int


Span: TypeAlias = tuple[SpanSpanItem, SpanSpanItem]
"""
A half-open range of **bytes** into one text. Both ends are on character boundaries of that text.

Serialised as `[start, end]`.
"""


ParagraphKind: TypeAlias = Literal['front_matter', 'heading', 'body', 'list_item', 'block_quote', 'display_math', 'caption', 'table', 'code', 'footnote', 'reference']


class Page(TypedDict):
    """
    One page.
    """

    number: int
    span: Span


Facet: TypeAlias = Literal['purpose', 'mechanism', 'evaluation', 'application_domain']


class Place(TypedDict):
    """
    The location of a span, for readers.
    """

    page: NotRequired[int | None]
    section: NotRequired[str | None]


EditKind: TypeAlias = Literal['inserted', 'deleted', 'replaced']


EditNote: TypeAlias = Literal['citation_not_in_source', 'sign', 'layout', 'letter_case', 'punctuation', 'invisible_characters', 'parenthesis', 'word_form', 'function_word', 'number_form', 'look_alikes']


NoveltyVerdict: TypeAlias = Literal['novel', 'not_novel', 'undecided']


class VerdictGroundsVerdictGrounds1(TypedDict):
    """
    No paper has the idea nearly word for word.
    """

    code: Literal['not_word_for_word']


class VerdictGroundsVerdictGrounds2(TypedDict):
    """
    No paper was found.
    """

    code: Literal['nothing_found']


class VerdictGroundsVerdictGrounds3(TypedDict):
    """
    Sources disagree about the matching paper.
    """

    code: Literal['paper_disputed']


class VerdictGroundsVerdictGrounds4(TypedDict):
    """
    According to the model, no paper shown contains the whole idea.
    """

    code: Literal['no_paper_has_it']
    papers: int


class VerdictGroundsVerdictGrounds5(TypedDict):
    """
    The model could not decide.
    """

    code: Literal['model_undecided']


class VerdictGroundsVerdictGrounds6(TypedDict):
    """
    The model gave no usable answer.
    """

    code: Literal['no_answer']


class VerdictGroundsVerdictGrounds7(TypedDict):
    """
    The model's answers disagree without a majority.
    """

    code: Literal['no_majority']


class VerdictGroundsVerdictGrounds8(TypedDict):
    """
    The model's answer contradicts itself, and so does its second one.
    """

    code: Literal['contradicted']
    what: str


class VerdictGroundsVerdictGrounds10(TypedDict):
    """
    The model says not novel, but the idea states no purpose or no mechanism.
    """

    code: Literal['facets_not_stated']
    facets: list[Facet]


class VerdictGroundsVerdictGrounds11(TypedDict):
    """
    The model says not novel, but the papers with both are not certainly earlier.
    """

    code: Literal['not_certainly_earlier']


class VerdictGroundsVerdictGrounds12(TypedDict):
    """
    The model says not novel, but no single paper has passages for both.
    """

    code: Literal['no_paper_has_both']


class VerdictGroundsVerdictGrounds13(TypedDict):
    """
    The model says not novel, but no paper has passages with enough of the words of both facets.
    """

    code: Literal['passages_too_different']
    least: float


class VerdictGroundsVerdictGrounds14(TypedDict):
    """
    The idea has too few words.
    """

    code: Literal['too_short']
    words: int
    least: int


class VerdictGroundsVerdictGrounds15(TypedDict):
    """
    The idea has too few words that papers of every field do not share.
    """

    code: Literal['too_general']
    words: int
    least: int


class NamedPaper(TypedDict):
    """
    A paper by its name and number in the report.
    """

    name: str
    number: int


CoverageLevel: TypeAlias = Literal['covered', 'thin', 'outside']


class Counterpart(TypedDict):
    """
    A paper that shares facets with an idea.
    """

    work: int
    facets: list[Facet]


class SecondLook(TypedDict):
    """
    Result of prompting again after the reasoning and the verdict of an answer disagreed.
    """

    because: str
    first: NoveltyVerdict
    settled: NoveltyVerdict


WorkId: TypeAlias = str


class Author(TypedDict):
    """
    A person as printed.
    """

    name: str


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


Timing: TypeAlias = Literal['earlier', 'concurrent', 'same_year', 'undated', 'later']


FacetStanding: TypeAlias = Literal['shared', 'different', 'unclear']


class ListwiseRecord(TypedDict):
    """
    Statistics of ordering papers by a model, window by window.
    """

    windows: int
    unanswered: int
    doubled: int
    unknown: int
    missing: int


class RankedWork(TypedDict):
    """
    A paper that was ranked and not compared.
    """

    rank: int
    id: WorkId
    title: str
    year: NotRequired[int | None]
    also: NotRequired[list[WorkId]]


class ExamplesShown(TypedDict):
    """
    The labelled examples shown to the model.
    """

    name: str
    shown: int
    novel: int


SetAsideReason: TypeAlias = Literal['same_work', 'later', 'duplicate']


class ScopeScope(TypedDict):
    """
    The contribution of this number.
    """

    contribution: int


Scope: TypeAlias = Literal['core_task'] | ScopeScope


class AsOf(TypedDict):
    """
    The cutoff date of the assessment.
    """

    date: PartialDate
    origin: DateOrigin


class Query(TypedDict):
    """
    A query to the sources.
    """

    text: str
    scope: Scope
    variant: int


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


EvidenceKind: TypeAlias = Literal['literature', 'web', 'code']


TextUnit: TypeAlias = Literal['paragraph', 'sentence']


class DoubtfulPaper(TypedDict):
    """
    A paper whose record is in doubt.
    """

    name: str
    doubt: Doubt


IdeaPart: TypeAlias = Literal['basic_idea', 'motivation', 'research_question', 'method', 'experimental_setting', 'expected_results']


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


class Section(TypedDict):
    """
    A section of a document.
    """

    heading: str
    number: NotRequired[str | None]
    level: int
    kind: SectionKind
    span: Span


class Paragraph(TypedDict):
    """
    A run of text that belongs together.
    """

    span: Span
    kind: ParagraphKind


class Edit(TypedDict):
    """
    One difference between a quote and its source.
    """

    kind: EditKind
    source: str
    quote: str
    note: NotRequired[EditNote | None]


class VerdictGroundsVerdictGrounds(TypedDict):
    """
    One paper has the idea nearly word for word.
    """

    code: Literal['word_for_word']
    paper: NamedPaper


class VerdictGroundsVerdictGrounds9(TypedDict):
    """
    The papers share purpose and mechanism of the idea.
    """

    code: Literal['shared']
    papers: list[NamedPaper]


class VerdictGroundsVerdictGrounds16(TypedDict):
    """
    The model says novel, but one paper has purpose and mechanism nearly word for word.
    """

    code: Literal['both_found']
    paper: NamedPaper


class FieldCoverage(TypedDict):
    """
    Similarity of the works found to the paper as a whole: whether the sources searched cover its field at all. A rule, not a judgement.
    """

    level: CoverageLevel
    nearest: float
    usual: float
    near: int
    works: int


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


class IdeaRanking(TypedDict):
    """
    How the papers compared with an idea were chosen.
    """

    results: int
    works: int
    without_text: int
    set_aside: int
    ranked: int
    nearness_by: str
    ordered_by: str
    listwise: NotRequired[ListwiseRecord | None]
    further: list[RankedWork]


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


class Document(TypedDict):
    """
    A text with its structure. Every offset of a paper or a candidate refers to it.
    """

    text: str
    extent: Extent
    sections: list[Section]
    paragraphs: list[Paragraph]
    pages: list[Page]


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


class VerdictGroundsVerdictGrounds17(TypedDict):
    """
    The sources hardly cover the idea's field.
    """

    code: Literal['field_not_covered']
    coverage: FieldCoverage


VerdictGrounds: TypeAlias = VerdictGroundsVerdictGrounds | VerdictGroundsVerdictGrounds1 | VerdictGroundsVerdictGrounds2 | VerdictGroundsVerdictGrounds3 | VerdictGroundsVerdictGrounds4 | VerdictGroundsVerdictGrounds5 | VerdictGroundsVerdictGrounds6 | VerdictGroundsVerdictGrounds7 | VerdictGroundsVerdictGrounds8 | VerdictGroundsVerdictGrounds9 | VerdictGroundsVerdictGrounds10 | VerdictGroundsVerdictGrounds11 | VerdictGroundsVerdictGrounds12 | VerdictGroundsVerdictGrounds13 | VerdictGroundsVerdictGrounds14 | VerdictGroundsVerdictGrounds15 | VerdictGroundsVerdictGrounds16 | VerdictGroundsVerdictGrounds17


class VerdictSample(TypedDict):
    """
    One of several answers to the same prompt.
    """

    number: int
    verdict: NoveltyVerdict
    undecided_because: NotRequired[str | None]
    coded_grounds: NotRequired[VerdictGrounds | None]


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


class FacetComparison(TypedDict):
    """
    Comparison of an idea and a paper on one facet.
    """

    facet: Facet
    standing: FacetStanding
    similarity: float
    passage: NotRequired[Quote | None]
    by_model: bool


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


class FacetStatement(TypedDict):
    """
    What an idea states on one facet.
    """

    facet: Facet
    quote: Quote


class IdeaVerdict(TypedDict):
    """
    The verdict on an idea, with everything it is based on.
    """

    verdict: NoveltyVerdict
    grounds: str
    coded_grounds: NotRequired[VerdictGrounds | None]
    reasoning: str | None
    cited: list[int]
    against: list[Counterpart]
    samples: NotRequired[list[VerdictSample]]
    agreement: NotRequired[float | None]
    second_look: NotRequired[SecondLook | None]


class IdeaWork(TypedDict):
    """
    A paper compared with the idea.
    """

    number: int
    alias: str
    work: Work
    timing: Timing
    found_by: list[str]
    nearness_rank: int
    nearness: float
    facets: list[FacetComparison]


class IdeaText(TypedDict):
    """
    An idea as given.
    """

    id: NotRequired[str | None]
    document: Document
    facets: list[FacetStatement]


class IdeaAssessment(TypedDict):
    """
    Everything a run found about one idea: the only input of its reports.
    """

    schema_version: str
    idea: IdeaText
    verdict: IdeaVerdict
    works: list[IdeaWork]
    ranking: IdeaRanking
    examples: ExamplesShown
    set_aside: list[SetAside]
    metadata: RunMetadata
