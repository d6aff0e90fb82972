# Made from docs/schema by make_types.sh.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict


class Author(TypedDict):
    """
    A person as printed.
    """

    name: str


SpanItem: TypeAlias = int


Span: TypeAlias = tuple[SpanItem, SpanItem]
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


class DateOrigin1(TypedDict):
    """
    From a record of the named corpus or source.
    """

    record: str


DateOrigin: TypeAlias = Literal['given'] | Literal['arxiv_id'] | Literal['acl_id'] | Literal['doi'] | Literal['front_matter'] | Literal['first_page_by_model'] | Literal['file_metadata'] | DateOrigin1


Doi: TypeAlias = str


ArxivId: TypeAlias = str


OpenReviewId: TypeAlias = str


AclId: TypeAlias = str


PmcId: TypeAlias = str


PaperFormat: TypeAlias = Literal['pdf', 'latex', 'html', 'jats', 'tei', 'markdown', 'text', 'docx', 'odt', 'epub']


class ReadProblem1(TypedDict):
    """
    Only the first pages were read.
    """

    code: Literal['first_pages']
    read: int
    pages: int


class ReadProblem2(TypedDict):
    """
    Pages that could not be read.
    """

    code: Literal['pages_lost']
    pages: list[int]


class ReadProblem3(TypedDict):
    """
    Pages without text, perhaps scanned or blank.
    """

    code: Literal['blank_pages']
    pages: list[int]


class ReadProblem4(TypedDict):
    """
    Pages without text in the paper that was read.
    """

    code: Literal['pages_without_text']
    lost: int
    pages: int


class ReadProblem5(TypedDict):
    """
    A page exceeds the limits on drawing.
    """

    code: Literal['drawing_limit']


class ReadProblem6(TypedDict):
    """
    Characters that are drawn, but whose fonts do not say which characters they are.
    """

    code: Literal['unmapped_glyphs']
    unmapped: int
    drawn: int


class ReadProblem7(TypedDict):
    """
    Chapters that the file lists but does not contain.
    """

    code: Literal['chapters_lost']
    lost: int


class ReadProblem8(TypedDict):
    """
    Only the first chapters were read.
    """

    code: Literal['first_chapters']
    read: int
    chapters: int


class ReadProblem9(TypedDict):
    """
    Most of the LaTeX source depends on conditions that only TeX can decide; the longer text was read.
    """

    code: Literal['latex_conditions']


class ReadProblem10(TypedDict):
    """
    Macros discard most of the LaTeX source.
    """

    code: Literal['latex_macros']


class ReadProblem11(TypedDict):
    """
    The LaTeX source exceeded a limit on macro expansion, nesting or size.
    """

    code: Literal['latex_limit']


class ReadProblem12(TypedDict):
    """
    Only the beginning of the text was read.
    """

    code: Literal['first_megabytes']
    megabytes: int


class ReadProblem14(TypedDict):
    """
    The second PDF engine read the file better than the built-in one.
    """

    code: Literal['read_with_pdfium']


class ReadProblem15(TypedDict):
    """
    The text was recognized from images.
    """

    code: Literal['recognized_text']
    program: str


class ReadProblem16(TypedDict):
    """
    OCR read only the first pages.
    """

    code: Literal['first_pages_recognized']
    read: int
    pages: int


class ReadProblem19(TypedDict):
    """
    Other lines could be the title.
    """

    code: Literal['title_in_doubt']


class ReadProblem20(TypedDict):
    """
    No authors under the title.
    """

    code: Literal['no_authors']


class ReadProblem21(TypedDict):
    """
    Lines under the title that may be further authors.
    """

    code: Literal['authors_in_doubt']


class ReadProblem22(TypedDict):
    """
    Too few of the words are common words of any language.
    """

    code: Literal['few_common_words']
    common: int
    words: int


class ReadProblem23(TypedDict):
    """
    Too few of the words have only letters.
    """

    code: Literal['few_plain_words']
    plain: int
    words: int


class ReadProblem24(TypedDict):
    """
    Words with characters that could not be mapped.
    """

    code: Literal['unmapped_words']
    unmapped: int
    words: int


class ReadProblem25(TypedDict):
    """
    Words whose spaces were lost.
    """

    code: Literal['glued_words']
    glued: int
    words: int


class ReadProblem28(TypedDict):
    """
    Entries of the reference list that may contain more than one paper.
    """

    code: Literal['entries_not_split']
    entries: int
    references: int


class ReadProblem29(TypedDict):
    """
    References that are identified by journal, volume or identifier, because the list prints few titles.
    """

    code: Literal['few_titles_printed']
    placed: int
    references: int


class ReadProblem30(TypedDict):
    """
    Few references have a title and a year.
    """

    code: Literal['few_references_recognized']
    recognized: int
    references: int


class ReadProblem31(TypedDict):
    """
    Lines that look like source code.
    """

    code: Literal['lines_of_code']
    lines_of_code: int
    lines: int


class ReadProblem32(TypedDict):
    """
    Too few signs of a paper.
    """

    code: Literal['few_signs_of_a_paper']
    words: int
    references: int
    citations: int
    sections: int


class ReadProblem33(TypedDict):
    """
    Text that is not visible to readers was kept separate.
    """

    code: Literal['hidden_text']
    pieces: int
    instruction: bool
    page: NotRequired[int | None]
    beginning: str


ReadResource: TypeAlias = Literal['decoded_bytes', 'glyphs', 'glyph_text', 'runs', 'map_entries', 'map_text', 'objects', 'nodes', 'attributes', 'lines', 'line_bytes', 'text_bytes', 'blocks', 'references', 'citations', 'steps']


class OcrProblem1(TypedDict):
    """
    Its text is not better than the text in the file.
    """

    code: Literal['not_better']


class OcrProblem2(TypedDict):
    """
    No program is installed.
    """

    code: Literal['no_program']


class OcrProblem3(TypedDict):
    """
    The file is encrypted.
    """

    code: Literal['encrypted']


class OcrProblem4(TypedDict):
    """
    The program failed.
    """

    code: Literal['failed']
    program: str
    failure: str


class OcrProblem5(TypedDict):
    """
    The program's result cannot be read.
    """

    code: Literal['unusable']
    program: str
    failure: str


OcrProblem: TypeAlias = OcrProblem1 | OcrProblem2 | OcrProblem3 | OcrProblem4 | OcrProblem5


MissingPart: TypeAlias = Literal['title', 'abstract', 'reference_list', 'headings']


ReadWarningKind: TypeAlias = Literal['hidden_text', 'pages_lost', 'pages_without_text', 'truncated', 'part_missing', 'garbled', 'may_not_be_a_paper', 'other_engine']


HiddenReason: TypeAlias = Literal['white_on_white', 'tiny', 'off_page', 'invisible_mode', 'hidden_by_style', 'covered', 'invisible_characters', 'comment']


class Scope1(TypedDict):
    """
    The contribution of this number.
    """

    contribution: int


Scope: TypeAlias = Literal['core_task'] | Scope1


class TaxonomyPaper1(TypedDict):
    """
    The candidate of this number.
    """

    candidate: int


TaxonomyPaper: TypeAlias = Literal['target'] | TaxonomyPaper1


class TaxonomyFault1(TypedDict):
    """
    A paper is in no leaf.
    """

    missing: TaxonomyPaper


class TaxonomyFault2(TypedDict):
    """
    A paper is in more than one leaf.
    """

    repeated: TaxonomyPaper


class TaxonomyFault3(TypedDict):
    """
    A paper in the tree is not among the candidates.
    """

    unknown: TaxonomyPaper


class TaxonomyFault4(TypedDict):
    """
    An empty node.
    """

    empty: str


class TaxonomyFault5(TypedDict):
    """
    A node with both papers and subtopics.
    """

    mixed: str


class TaxonomyFault6(TypedDict):
    """
    A meaningless name: other, misc, general, …
    """

    vague_name: str


class TaxonomyFault7(TypedDict):
    """
    Two siblings with the same name.
    """

    same_name: str


TaxonomyFault: TypeAlias = TaxonomyFault1 | TaxonomyFault2 | TaxonomyFault3 | TaxonomyFault4 | TaxonomyFault5 | TaxonomyFault6 | TaxonomyFault7


CoverageLevel: TypeAlias = Literal['covered', 'thin', 'outside']


class SimilarWork(TypedDict):
    """
    A paper similar to the assessed paper as a whole.
    """

    candidate: int
    nearness: float


ContributionClass: TypeAlias = Literal['method', 'theory', 'resource', 'finding', 'survey', 'application', 'unclear']


class Note1(TypedDict):
    """
    A claim was dropped, because its words are not in the paper.
    """

    code: Literal['claim_not_in_paper']
    name: str


class Note5(TypedDict):
    """
    A sentence of the model's summary was removed.
    """

    code: Literal['summary_sentence_removed']
    why: NotRequired[str | None]


class Note6(TypedDict):
    """
    A point appears nearly word for word in an earlier paper.
    """

    code: Literal['point_known']
    point: int
    title: str


class Note7(TypedDict):
    """
    No score, because the points that the model called new appear nearly word for word in earlier papers.
    """

    code: Literal['not_scored']


class Note8(TypedDict):
    """
    No score, because checking the model's sentences against their sources left no similarity and no difference.
    """

    code: Literal['no_comparison_survived']


class Note12(TypedDict):
    """
    Statements of the idea beyond the limit of their part.
    """

    code: Literal['statements_left_out']
    statements: int


class Note13(TypedDict):
    """
    Quotes that the model gave as evidence and that are in no passage shown to it.
    """

    code: Literal['evidence_not_found']
    quotes: int


class Note14(TypedDict):
    """
    Pairs of a part and a document for which the model gave no usable answer.
    """

    code: Literal['evidence_by_rules']
    unanswered: int
    pairs: int


class Note15(TypedDict):
    """
    Analyses by the model that could not be printed.
    """

    code: Literal['analyses_left_out']
    analyses: int


class Note16(TypedDict):
    """
    Fields of reports on documents that were dropped, because no quote of theirs is in the document or their text cannot be printed.
    """

    code: Literal['report_fields_dropped']
    fields: int


class Note17(TypedDict):
    """
    Documents for which the model gave no usable report.
    """

    code: Literal['reports_missing']
    unanswered: int
    documents: int


class Note18(TypedDict):
    """
    Documents beyond the limit, on which the model made no report.
    """

    code: Literal['reports_beyond_limit']
    documents: int
    limit: int


class Note19(TypedDict):
    """
    Pairs of a part and a document beyond the limit.
    """

    code: Literal['pairs_beyond_limit']
    pairs: int
    limit: int


class Note24(TypedDict):
    """
    The working that the dimension asks for is missing or cannot be printed.
    """

    code: Literal['working_left_out']


class Note26(TypedDict):
    """
    No request to the board got a usable answer.
    """

    code: Literal['board_silent']
    requests: int


class Note27(TypedDict):
    """
    No reader gave a usable opinion.
    """

    code: Literal['no_opinion']


class Note28(TypedDict):
    """
    The chair gave no usable answer.
    """

    code: Literal['chair_failed']


class Note30(TypedDict):
    """
    The chair named a decision that does not exist.
    """

    code: Literal['decision_unknown']


class Note31(TypedDict):
    """
    Key evidence that cannot support a decision.
    """

    code: Literal['key_evidence_left_out']
    number: int


class Note32(TypedDict):
    """
    The chair wanted to change the average without evidence that can support a decision.
    """

    code: Literal['change_without_evidence']
    delta: float


class Note33(TypedDict):
    """
    The chair wanted to change the average by more than the limit.
    """

    code: Literal['change_limited']
    delta: float
    limit: float


class Note35(TypedDict):
    """
    The chair wanted to take more off a dimension than the limit.
    """

    code: Literal['lowering_limited']
    dimension: str
    by: float
    limit: float


class Note36(TypedDict):
    """
    Only the top later documents were used for suggestions.
    """

    code: Literal['suggestions_limited']
    used: int
    documents: int


class Note37(TypedDict):
    """
    No suggestions were requested, because the report prints no sentences by a model.
    """

    code: Literal['suggestions_not_requested']


class Note38(TypedDict):
    """
    The model gave no usable answer on later documents.
    """

    code: Literal['no_suggestions']


class Note40(TypedDict):
    """
    Suggestions that rest on other documents than the later ones, or that cannot be printed.
    """

    code: Literal['suggestions_unfounded']
    suggestions: int


ListedKind: TypeAlias = Literal['claims', 'points', 'statements']


EvidenceKind: TypeAlias = Literal['literature', 'web', 'code']


class SentenceFault1(TypedDict):
    """
    It is beyond the length of any answer.
    """

    code: Literal['beyond_any_limit']


class SentenceFault2(TypedDict):
    """
    It is a heading or a block quote.
    """

    code: Literal['no_sentence']


class SentenceFault3(TypedDict):
    """
    It is beyond the number of sentences requested.
    """

    code: Literal['beyond_limit']


class SentenceFault4(TypedDict):
    """
    It failed a check.
    """

    code: Literal['refused']
    why: str


SentenceFault: TypeAlias = SentenceFault1 | SentenceFault2 | SentenceFault3 | SentenceFault4


class OpinionFault1(TypedDict):
    """
    There was no usable answer.
    """

    code: Literal['no_answer']


class OpinionFault2(TypedDict):
    """
    Everything it cites has an uncertain date.
    """

    code: Literal['uncertain_dates']


class OpinionFault3(TypedDict):
    """
    Its score is not on the scale.
    """

    code: Literal['score_off_scale']


class OpinionFault4(TypedDict):
    """
    It cites a document that the reader was not shown.
    """

    code: Literal['cites_unshown']
    number: int


OpinionFault: TypeAlias = OpinionFault1 | OpinionFault2 | OpinionFault3 | OpinionFault4


ReviewDecision: TypeAlias = Literal['reject', 'poster', 'spotlight', 'oral']


LoweringFault: TypeAlias = Literal['unknown_dimension', 'unknown_reason', 'nothing_taken_off', 'quote_not_in_idea', 'nothing_looked_for', 'mentioned', 'repeated']


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


class Doubt1(TypedDict):
    """
    It was retracted. It still counts as published, and a report says that it was retracted.
    """

    kind: Literal['retracted']
    by: list[str]


class Doubt2(TypedDict):
    """
    Records with the same identifier disagree on what it names. Such a work does not count as prior art by itself.
    """

    kind: Literal['disputed']
    on: list[str]
    between: list[str]


class Doubt3(TypedDict):
    """
    Sources disagree on whether it appeared before the paper, and no two agree that it did. It does not count as earlier.
    """

    kind: Literal['date']
    earlier: list[str]
    later: list[str]


Doubt: TypeAlias = Doubt1 | Doubt2 | Doubt3


Relevance: TypeAlias = Literal['perfect', 'partial', 'no']


Timing: TypeAlias = Literal['earlier', 'concurrent', 'same_year', 'undated', 'later']


class CameBy1(TypedDict):
    """
    The paper's reference list contains it, and a service found its record.
    """

    kind: Literal['reference']
    number: int


class CameBy2(TypedDict):
    """
    Works cited by the paper cite it.
    """

    kind: Literal['cited_by_references']
    count: int


class CameBy3(TypedDict):
    """
    A service recommends it for the paper.
    """

    kind: Literal['recommended']


class CameBy4(TypedDict):
    """
    A service recommends it for the works that the paper cites.
    """

    kind: Literal['recommended_by_references']


class CameBy5(TypedDict):
    """
    It cites the paper, but is not certainly later.
    """

    kind: Literal['cites_paper']


CameBy: TypeAlias = CameBy1 | CameBy2 | CameBy3 | CameBy4 | CameBy5


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


IdeaPart: TypeAlias = Literal['basic_idea', 'motivation', 'research_question', 'method', 'experimental_setting', 'expected_results', 'unclassified']


class ListwiseRecord(TypedDict):
    """
    Statistics of ordering papers by a model, window by window.
    """

    windows: int
    unanswered: int
    doubled: int
    unknown: int
    missing: int


class SentRecord1(TypedDict):
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


class SentRecord2(TypedDict):
    """
    Names and titles of cited papers, to follow citations.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['cited_papers']


class SentRecord3(TypedDict):
    """
    Names of papers found, to fetch their texts.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['papers_found']


class SentRecord4(TypedDict):
    """
    The name of the paper, to download it.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['paper_name']


class SentRecord5(TypedDict):
    """
    Queries and passages of papers, to rank the passages.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['passages']


class SentRecord6(TypedDict):
    """
    Text of the idea, with titles and abstracts of what was found, to rank it.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]
    content: Literal['candidates']


class SentRecord7(TypedDict):
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


class SentRecord8(TypedDict):
    """
    What was sent to a host.
    """

    host: str
    what: str
    requests: int
    bytes: NotRequired[int]


SentRecord: TypeAlias = SentRecord1 | SentRecord2 | SentRecord3 | SentRecord4 | SentRecord5 | SentRecord6 | SentRecord7 | SentRecord8


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


SectionKind: TypeAlias = Literal['front_matter', 'abstract', 'introduction', 'related_work', 'method', 'experiments', 'discussion', 'conclusion', 'acknowledgements', 'references', 'appendix', 'other']


ParagraphKind: TypeAlias = Literal['front_matter', 'heading', 'body', 'list_item', 'block_quote', 'display_math', 'caption', 'table', 'code', 'footnote', 'reference']


class Page(TypedDict):
    """
    One page.
    """

    number: int
    span: Span


Facet: TypeAlias = Literal['purpose', 'mechanism', 'evaluation', 'application_domain']


FacetOrigin: TypeAlias = Literal['user', 'emphasis', 'model', 'rules']


NoveltyVerdict: TypeAlias = Literal['novel', 'not_novel', 'undecided']


class VerdictGrounds2(TypedDict):
    """
    No paper has the idea nearly word for word.
    """

    code: Literal['not_word_for_word']


class VerdictGrounds3(TypedDict):
    """
    No paper was found.
    """

    code: Literal['nothing_found']


class VerdictGrounds4(TypedDict):
    """
    Sources disagree about the matching paper.
    """

    code: Literal['paper_disputed']


class VerdictGrounds5(TypedDict):
    """
    According to the model, no paper shown contains the whole idea.
    """

    code: Literal['no_paper_has_it']
    papers: int


class VerdictGrounds6(TypedDict):
    """
    The model could not decide.
    """

    code: Literal['model_undecided']


class VerdictGrounds7(TypedDict):
    """
    The model gave no usable answer.
    """

    code: Literal['no_answer']


class VerdictGrounds8(TypedDict):
    """
    The model's answers disagree without a majority.
    """

    code: Literal['no_majority']


class VerdictGrounds9(TypedDict):
    """
    The model's answer contradicts itself, and so does its second one.
    """

    code: Literal['contradicted']
    what: str


class VerdictGrounds11(TypedDict):
    """
    The model says not novel, but the idea states no purpose or no mechanism.
    """

    code: Literal['facets_not_stated']
    facets: list[Facet]


class VerdictGrounds12(TypedDict):
    """
    The model says not novel, but the papers with both are not certainly earlier.
    """

    code: Literal['not_certainly_earlier']


class VerdictGrounds13(TypedDict):
    """
    The model says not novel, but no single paper has passages for both.
    """

    code: Literal['no_paper_has_both']


class VerdictGrounds14(TypedDict):
    """
    The model says not novel, but no paper has passages with enough of the words of both facets.
    """

    code: Literal['passages_too_different']
    least: float


class VerdictGrounds15(TypedDict):
    """
    The idea has too few words.
    """

    code: Literal['too_short']
    words: int
    least: int


class VerdictGrounds16(TypedDict):
    """
    The idea has too few words that papers of every field do not share.
    """

    code: Literal['too_general']
    words: int
    least: int


class VerdictGrounds18(TypedDict):
    """
    The model says novel, but the program could not compare the papers with the idea's purpose and mechanism.
    """

    code: Literal['facets_not_compared']
    facets: list[Facet]


class VerdictGrounds20(TypedDict):
    """
    The model says novel, but too few papers were compared.
    """

    code: Literal['few_papers']
    papers: int
    least: int


class NamedPaper(TypedDict):
    """
    A paper by its name and number in the report.
    """

    name: str
    number: int


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


FacetStatus: TypeAlias = Literal['shared', 'different', 'unclear']


LeanKind: TypeAlias = Literal['close_work_found', 'no_close_work_found', 'field_not_covered']


class NextSearch(TypedDict):
    """
    A search that was not made and may find more prior work.
    """

    query: str
    words_of: NotRequired[list[int]]


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


Id: TypeAlias = str | int


Outcome: TypeAlias = Literal['exact', 'close', 'altered', 'stitched', 'absent', 'too_short']


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


class Difference(TypedDict):
    """
    A difference in meaning between the two sides of a passage.
    """

    a: Span
    b: Span
    a_text: str
    b_text: str
    reason: AlteredReason


RunId: TypeAlias = str


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
    facets: NotRequired[dict[str, str]]
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
    local_only: NotRequired[bool]
    private_hosts: NotRequired[list[str]]


class ReviewRequest(TypedDict):
    """
    Options of an idea review, in addition to those of every run.
    """

    text: NotRequired[str | None]
    batch: NotRequired[bool]
    dimensions: NotRequired[str | None]
    personas: NotRequired[str | None]
    required_personas: NotRequired[list[str]]
    board: int
    rounds: int
    keep: int
    oversample: int
    alpha_percent: int
    as_published: NotRequired[bool]
    embedder: NotRequired[str | None]
    reranker: NotRequired[EncoderRequest | None]


class RankRequest(TypedDict):
    """
    Options of a ranking, in addition to those of every run. The input is the first idea.
    """

    others: list[str]
    dimensions: NotRequired[str | None]
    draws: NotRequired[int | None]


class AuditRequest(TypedDict):
    """
    Options of an audit, in addition to those of every run. The input is the report.
    """

    paper: NotRequired[str | None]


class RunStatus1(TypedDict):
    """
    Running. If the process is gone, [`RunFolder::current_manifest`](super::RunFolder::current_manifest) reports `Interrupted`.
    """

    state: Literal['running']


class RunStatus2(TypedDict):
    """
    Finished.
    """

    state: Literal['complete']


class RunStatus3(TypedDict):
    """
    Finished, but every search failed. The report covers the paper alone.
    """

    state: Literal['nothing_searched']


class RunStatus4(TypedDict):
    """
    Finished, but model calls failed. Running the same command again retries them.
    """

    state: Literal['incomplete']


class RunStatus5(TypedDict):
    """
    Stopped by the budget. The report is labelled as partial, and a larger budget continues the run.
    """

    state: Literal['over_budget']


class RunStatus6(TypedDict):
    """
    Stopped by the user or killed; can be resumed.
    """

    state: Literal['interrupted']


class RunStatus7(TypedDict):
    """
    Failed with an error.
    """

    state: Literal['failed']
    reason: str


RunStatus: TypeAlias = RunStatus1 | RunStatus2 | RunStatus3 | RunStatus4 | RunStatus5 | RunStatus6 | RunStatus7


class RunFile(TypedDict):
    """
    A file of a run.
    """

    name: str
    sha256: str


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


class ReadProblem13(TypedDict):
    """
    The file has more of a resource than is read.
    """

    code: Literal['over_limit']
    resource: ReadResource
    limit: int


class ReadProblem17(TypedDict):
    """
    OCR was tried and not used.
    """

    code: Literal['ocr_not_used']
    reason: OcrProblem


class ReadProblem18(TypedDict):
    """
    Parts that papers have were not found.
    """

    code: Literal['parts_not_found']
    parts: list[MissingPart]


class ReadWarning1(TypedDict):
    """
    Only the first pages were read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['first_pages']
    read: int
    pages: int


class ReadWarning2(TypedDict):
    """
    Pages that could not be read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['pages_lost']
    pages: list[int]


class ReadWarning3(TypedDict):
    """
    Pages without text, perhaps scanned or blank.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['blank_pages']
    pages: list[int]


class ReadWarning4(TypedDict):
    """
    Pages without text in the paper that was read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['pages_without_text']
    lost: int
    pages: int


class ReadWarning5(TypedDict):
    """
    A page exceeds the limits on drawing.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['drawing_limit']


class ReadWarning6(TypedDict):
    """
    Characters that are drawn, but whose fonts do not say which characters they are.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['unmapped_glyphs']
    unmapped: int
    drawn: int


class ReadWarning7(TypedDict):
    """
    Chapters that the file lists but does not contain.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['chapters_lost']
    lost: int


class ReadWarning8(TypedDict):
    """
    Only the first chapters were read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['first_chapters']
    read: int
    chapters: int


class ReadWarning9(TypedDict):
    """
    Most of the LaTeX source depends on conditions that only TeX can decide; the longer text was read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['latex_conditions']


class ReadWarning10(TypedDict):
    """
    Macros discard most of the LaTeX source.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['latex_macros']


class ReadWarning11(TypedDict):
    """
    The LaTeX source exceeded a limit on macro expansion, nesting or size.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['latex_limit']


class ReadWarning12(TypedDict):
    """
    Only the beginning of the text was read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['first_megabytes']
    megabytes: int


class ReadWarning13(TypedDict):
    """
    The file has more of a resource than is read.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['over_limit']
    resource: ReadResource
    limit: int


class ReadWarning14(TypedDict):
    """
    The second PDF engine read the file better than the built-in one.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['read_with_pdfium']


class ReadWarning15(TypedDict):
    """
    The text was recognized from images.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['recognized_text']
    program: str


class ReadWarning16(TypedDict):
    """
    OCR read only the first pages.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['first_pages_recognized']
    read: int
    pages: int


class ReadWarning17(TypedDict):
    """
    OCR was tried and not used.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['ocr_not_used']
    reason: OcrProblem


class ReadWarning18(TypedDict):
    """
    Parts that papers have were not found.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['parts_not_found']
    parts: list[MissingPart]


class ReadWarning19(TypedDict):
    """
    Other lines could be the title.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['title_in_doubt']


class ReadWarning20(TypedDict):
    """
    No authors under the title.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['no_authors']


class ReadWarning21(TypedDict):
    """
    Lines under the title that may be further authors.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['authors_in_doubt']


class ReadWarning22(TypedDict):
    """
    Too few of the words are common words of any language.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['few_common_words']
    common: int
    words: int


class ReadWarning23(TypedDict):
    """
    Too few of the words have only letters.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['few_plain_words']
    plain: int
    words: int


class ReadWarning24(TypedDict):
    """
    Words with characters that could not be mapped.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['unmapped_words']
    unmapped: int
    words: int


class ReadWarning25(TypedDict):
    """
    Words whose spaces were lost.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['glued_words']
    glued: int
    words: int


class ReadWarning28(TypedDict):
    """
    Entries of the reference list that may contain more than one paper.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['entries_not_split']
    entries: int
    references: int


class ReadWarning29(TypedDict):
    """
    References that are identified by journal, volume or identifier, because the list prints few titles.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['few_titles_printed']
    placed: int
    references: int


class ReadWarning30(TypedDict):
    """
    Few references have a title and a year.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['few_references_recognized']
    recognized: int
    references: int


class ReadWarning31(TypedDict):
    """
    Lines that look like source code.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['lines_of_code']
    lines_of_code: int
    lines: int


class ReadWarning32(TypedDict):
    """
    Too few signs of a paper.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['few_signs_of_a_paper']
    words: int
    references: int
    citations: int
    sections: int


class ReadWarning33(TypedDict):
    """
    Text that is not visible to readers was kept separate.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['hidden_text']
    pieces: int
    instruction: bool
    page: NotRequired[int | None]
    beginning: str


class ReadWarning34(TypedDict):
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


class Note2(TypedDict):
    """
    The model gave no usable list, so the built-in method's was used.
    """

    code: Literal['no_list']
    of: ListedKind


class Note3(TypedDict):
    """
    The model's list had no entry that is in the text, so the built-in method's was used.
    """

    code: Literal['nothing_listed_in_text']
    of: ListedKind


class Note4(TypedDict):
    """
    Entries of the model's list that were dropped.
    """

    code: Literal['listed_dropped']
    of: ListedKind
    dropped: int
    listed: int
    most_words: NotRequired[int | None]


class Note9(TypedDict):
    """
    The model listed more than the limit, and the first ones were kept.
    """

    code: Literal['listed_beyond_limit']
    of: ListedKind
    limit: int
    listed: int


class Note10(TypedDict):
    """
    Entries of the model's list that state the same as one before them.
    """

    code: Literal['listed_twice']
    of: ListedKind
    dropped: int


class Note11(TypedDict):
    """
    A document has nearly the text of the idea, or its title, so it was not compared with it.
    """

    code: Literal['nearly_the_idea']
    name: str
    number: int
    kind: EvidenceKind


class Note23(TypedDict):
    """
    Sentences of an answer that were left out.
    """

    code: Literal['sentences_left_out']
    sentences: int
    first: SentenceFault


class Note25(TypedDict):
    """
    An opinion is missing and not counted.
    """

    code: Literal['opinion_missing']
    why: OpinionFault


class Note29(TypedDict):
    """
    The chair named a decision that does not follow from the score.
    """

    code: Literal['decision_replaced']
    named: ReviewDecision
    score: float
    due: ReviewDecision


class Note34(TypedDict):
    """
    Lowerings by the chair that were dropped.
    """

    code: Literal['lowerings_dropped']
    why: LoweringFault
    dropped: int


class Note39(TypedDict):
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
    cited_by: NotRequired[int | None]
    stars: NotRequired[int | None]
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


class NotSearched1(TypedDict):
    """
    Nothing but the sources of the run was searched.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['other_sources']
    services: list[str]


class NotSearched2(TypedDict):
    """
    An idea was compared only with the papers given with it.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['given_papers_only']
    papers: int


class NotSearched3(TypedDict):
    """
    Kinds of documents for which no source was given.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['kinds_not_searched']
    kinds: list[EvidenceKind]


class NotSearched4(TypedDict):
    """
    A source failed a request.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['source_failed']
    source: str
    failure: str


class NotSearched5(TypedDict):
    """
    No source has the paper that an idea was made from.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['seed_not_found']
    names: list[str]


class NotSearched6(TypedDict):
    """
    No source has citation data.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_citation_data']


class NotSearched8(TypedDict):
    """
    References that matched no known paper, so what they cite was not followed.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['references_not_matched']
    references: int
    matched: int


class NotSearched9(TypedDict):
    """
    References of the paper that no source has.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['references_not_in_sources']
    missing: int
    references: int


class NotSearched10(TypedDict):
    """
    Papers cited by the paper's references were not included.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['second_order_not_included']


class NotSearched11(TypedDict):
    """
    Missing citations were not checked, because the paper has no readable reference list.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_reference_list']


class NotSearched12(TypedDict):
    """
    The sources hardly cover the field of the paper or idea.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['field_not_covered']
    coverage: FieldCoverage
    closest: int


class NotSearched13(TypedDict):
    """
    The closest papers are not similar to the idea.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['closest_not_similar']
    papers: int
    mean: float


class NotSearched14(TypedDict):
    """
    Papers without full text, compared by title and abstract only.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_full_text']
    missing: int
    papers: int


class NotSearched15(TypedDict):
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


class NotSearched16(TypedDict):
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


class NotSearched17(TypedDict):
    """
    Papers without a date.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_date']
    undated: int
    papers: int


class NotSearched18(TypedDict):
    """
    Papers that may not be earlier than the date given.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['may_not_be_earlier']
    open: int
    papers: int


class NotSearched19(TypedDict):
    """
    Documents that may not be earlier than the idea: shown, but no evidence for the score.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['documents_may_not_be_earlier']
    open: int


class NotSearched20(TypedDict):
    """
    The paper's date is unknown.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['paper_undated']
    newest_cited: int | None


class NotSearched21(TypedDict):
    """
    The paper's date comes from the metadata of the file, which may be a copy.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['date_of_file']
    date: PartialDate
    months: int


class NotSearched22(TypedDict):
    """
    Only the year of the paper's date is known.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['year_only']
    year: int


class NotSearched23(TypedDict):
    """
    The idea has no date.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['idea_undated']


class NotSearched24(TypedDict):
    """
    Without authors on the page, records were taken for the paper itself by title and abstract.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['taken_for_the_paper']
    titles: list[str]


class NotSearched25(TypedDict):
    """
    Relevant papers beyond the limit of the entry's scope.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['over_limit']
    cut: int
    limit: int


class NotSearched26(TypedDict):
    """
    Papers beyond the most similar ones.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['beyond_most_similar']
    cut: int
    limit: int


class NotSearched27(TypedDict):
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


class NotSearched28(TypedDict):
    """
    Papers without the text needed to compare them.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['without_text']
    papers: int


class NotSearched29(TypedDict):
    """
    Records without a title.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['without_title']
    records: int


class NotSearched30(TypedDict):
    """
    The literature base was full.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['base_full']
    left_out: int


class NotSearched31(TypedDict):
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


class NotSearched32(TypedDict):
    """
    Papers that were retracted.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['retracted']
    papers: list[DoubtfulPaper]


class NotSearched33(TypedDict):
    """
    Papers whose identifier names different papers in different sources.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['identifiers_disputed']
    papers: list[DoubtfulPaper]


class NotSearched34(TypedDict):
    """
    Papers that sources date before and after the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['dates_disputed']
    papers: list[DoubtfulPaper]


class NotSearched35(TypedDict):
    """
    No core task was found in the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_core_task']


class NotSearched36(TypedDict):
    """
    No contribution claim was found in the paper.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_claims']


class NotSearched37(TypedDict):
    """
    No statement of the idea could be read.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_statements']


class NotSearched38(TypedDict):
    """
    Parts that the idea does not have.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['parts_missing']
    parts: list[IdeaPart]


class NotSearched39(TypedDict):
    """
    Whether a paper says the same in other words needs a human reader.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['other_words']


class NotSearched40(TypedDict):
    """
    No model was used.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['no_model']


class NotSearched41(TypedDict):
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


class NotSearched42(TypedDict):
    """
    The budget ended before the run did.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['budget_ended']
    unasked: int
    items: int


class NotSearched43(TypedDict):
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


class NotSearched44(TypedDict):
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


class NotSearched45(TypedDict):
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


class NotSearched46(TypedDict):
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


class NotSearched47(TypedDict):
    """
    Items that the model left out of its answers, even when it was asked for them again.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['items_left_out']
    prompt: str
    left_out: int


class NotSearched48(TypedDict):
    """
    The model gave no usable core task.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['core_task_by_rules']


class NotSearched49(TypedDict):
    """
    Papers that were not sent to the model, because they share too little with the claims.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['papers_not_sent']
    unsent: int
    papers: int


class NotSearched50(TypedDict):
    """
    Papers too long to send whole.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['papers_sent_in_part']
    papers: int
    kilobytes: int


class NotSearched51(TypedDict):
    """
    The paper was too long to send whole.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['paper_sent_in_part']
    kilobytes: int


class NotSearched52(TypedDict):
    """
    Citations that were not judged against their source.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['citations_not_judged']
    unjudged: int
    citations: int


class NotSearched53(TypedDict):
    """
    The model's summary contradicted its own items and is not shown.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['summary_contradicts_items']


class NotSearched54(TypedDict):
    """
    Passages that the model quoted and that are not in the paper it names.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['passages_not_found']
    passages: int


class NotSearched55(TypedDict):
    """
    Windows of the ranking by a model without a usable answer, and faults of the other answers.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['ranking_incomplete']
    counts: ListwiseRecord


class NotSearched56(TypedDict):
    """
    Records without a relevance judgement.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['relevance_not_judged']
    records: int


class NotSearched57(TypedDict):
    """
    An embedding model or reranker failed, and the ranking without it was used.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['ranking_model_failed']
    model: str
    failure: str


class NotSearched58(TypedDict):
    """
    Something that was not searched, read or judged.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]


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


class VerdictGrounds1(TypedDict):
    """
    One paper has the idea nearly word for word.
    """

    code: Literal['word_for_word']
    paper: NamedPaper


class VerdictGrounds10(TypedDict):
    """
    The papers share purpose and mechanism of the idea.
    """

    code: Literal['shared']
    papers: list[NamedPaper]


class VerdictGrounds17(TypedDict):
    """
    The model says novel, but one paper has purpose and mechanism nearly word for word.
    """

    code: Literal['both_found']
    paper: NamedPaper


class VerdictGrounds19(TypedDict):
    """
    The model says novel, but one paper is close to both purpose and mechanism.
    """

    code: Literal['both_similar']
    paper: NamedPaper


class VerdictGrounds21(TypedDict):
    """
    The model says novel, but its reasoning passes over some of the closest papers.
    """

    code: Literal['closest_not_cited']
    papers: list[NamedPaper]


class VerdictGrounds22(TypedDict):
    """
    The sources hardly cover the idea's field.
    """

    code: Literal['field_not_covered']
    coverage: FieldCoverage


VerdictGrounds: TypeAlias = VerdictGrounds1 | VerdictGrounds2 | VerdictGrounds3 | VerdictGrounds4 | VerdictGrounds5 | VerdictGrounds6 | VerdictGrounds7 | VerdictGrounds8 | VerdictGrounds9 | VerdictGrounds10 | VerdictGrounds11 | VerdictGrounds12 | VerdictGrounds13 | VerdictGrounds14 | VerdictGrounds15 | VerdictGrounds16 | VerdictGrounds17 | VerdictGrounds18 | VerdictGrounds19 | VerdictGrounds20 | VerdictGrounds21 | VerdictGrounds22


class VerdictSample(TypedDict):
    """
    One of several answers to the same prompt.
    """

    number: int
    verdict: NoveltyVerdict
    undecided_because: NotRequired[str | None]
    coded_grounds: NotRequired[VerdictGrounds | None]


class IdeaLean(TypedDict):
    """
    What a comparison of words suggests about an idea. It is no verdict.
    """

    kind: LeanKind
    papers: NotRequired[list[NamedPaper]]
    facets_are_certain: bool


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


class LeftOut(TypedDict):
    """
    Text that a stitched quote omits between two pieces.
    """

    range: Span
    words: int
    text: str
    crosses: NotRequired[Border | None]
    limits: list[str]


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


class ModelRequest(TypedDict):
    """
    The model and its limits. Contains no API keys.
    """

    model: str
    url: NotRequired[str | None]
    stages: dict[str, str]
    depth: Depth
    policy: Policy
    at_once: NotRequired[int | None]
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


class Document(TypedDict):
    """
    A text with its structure. Every offset of a paper or a candidate refers to it.
    """

    text: str
    extent: Extent
    sections: list[Section]
    paragraphs: list[Paragraph]
    pages: list[Page]


class FacetStatement(TypedDict):
    """
    What an idea states on one facet.
    """

    facet: Facet
    quote: Quote
    origin: NotRequired[FacetOrigin | None]


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


class FacetComparison(TypedDict):
    """
    Comparison of an idea and a paper on one facet.
    """

    facet: Facet
    standing: FacetStatus
    similarity: float
    passage: NotRequired[Quote | None]
    by_model: bool


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


class CoreTaskSurvey(TypedDict):
    """
    The field of the paper.
    """

    core_task: CoreTask | None
    taxonomy: Taxonomy | None
    narrative: list[str] | None
    one_liners: list[OneLiner]
    coverage: NotRequired[FieldCoverage | None]
    near: NotRequired[list[SimilarWork]]


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


class IdeaText(TypedDict):
    """
    An idea as given.
    """

    id: NotRequired[str | None]
    document: Document
    facets: list[FacetStatement]


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
    passage: NotRequired[Quote | None]


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


class Formats(TypedDict):
    assessment: NotRequired[Assessment]
    idea: NotRequired[IdeaAssessment]
    verify: NotRequired[VerifyOutput]
    overlap: NotRequired[OverlapOutput]
    manifest: NotRequired[Manifest]


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


class ParseQuality(TypedDict):
    """
    How well a paper was parsed.
    """

    score: float
    reasons: list[str]
    problems: NotRequired[list[ReadProblem]]


class ReadProblem26(TypedDict):
    """
    The text of a PDF is gibberish, because its fonts have no usable mapping.
    """

    code: Literal['unreadable']
    cause: ReadProblem


class ReadProblem27(TypedDict):
    """
    The text looks damaged.
    """

    code: Literal['damaged']
    cause: ReadProblem


ReadProblem: TypeAlias = ReadProblem1 | ReadProblem2 | ReadProblem3 | ReadProblem4 | ReadProblem5 | ReadProblem6 | ReadProblem7 | ReadProblem8 | ReadProblem9 | ReadProblem10 | ReadProblem11 | ReadProblem12 | ReadProblem13 | ReadProblem14 | ReadProblem15 | ReadProblem16 | ReadProblem17 | ReadProblem18 | ReadProblem19 | ReadProblem20 | ReadProblem21 | ReadProblem22 | ReadProblem23 | ReadProblem24 | ReadProblem25 | ReadProblem26 | ReadProblem27 | ReadProblem28 | ReadProblem29 | ReadProblem30 | ReadProblem31 | ReadProblem32 | ReadProblem33


class ReadWarning26(TypedDict):
    """
    The text of a PDF is gibberish, because its fonts have no usable mapping.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['unreadable']
    cause: ReadProblem


class ReadWarning27(TypedDict):
    """
    The text looks damaged.
    """

    kind: ReadWarningKind
    message: str
    code: Literal['damaged']
    cause: ReadProblem


ReadWarning: TypeAlias = ReadWarning1 | ReadWarning2 | ReadWarning3 | ReadWarning4 | ReadWarning5 | ReadWarning6 | ReadWarning7 | ReadWarning8 | ReadWarning9 | ReadWarning10 | ReadWarning11 | ReadWarning12 | ReadWarning13 | ReadWarning14 | ReadWarning15 | ReadWarning16 | ReadWarning17 | ReadWarning18 | ReadWarning19 | ReadWarning20 | ReadWarning21 | ReadWarning22 | ReadWarning23 | ReadWarning24 | ReadWarning25 | ReadWarning26 | ReadWarning27 | ReadWarning28 | ReadWarning29 | ReadWarning30 | ReadWarning31 | ReadWarning32 | ReadWarning33 | ReadWarning34


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


class Note20(TypedDict):
    """
    A note on the opinion of one reader on one dimension.
    """

    code: Literal['of_opinion']
    reader: str
    dimension: str
    note: Note


class Note21(TypedDict):
    """
    A note on the chair's summary.
    """

    code: Literal['of_chair_summary']
    note: Note


class Note22(TypedDict):
    """
    A note on the chair's reason for a change.
    """

    code: Literal['of_chair_reason']
    note: Note


Note: TypeAlias = Note1 | Note2 | Note3 | Note4 | Note5 | Note6 | Note7 | Note8 | Note9 | Note10 | Note11 | Note12 | Note13 | Note14 | Note15 | Note16 | Note17 | Note18 | Note19 | Note20 | Note21 | Note22 | Note23 | Note24 | Note25 | Note26 | Note27 | Note28 | Note29 | Note30 | Note31 | Note32 | Note33 | Note34 | Note35 | Note36 | Note37 | Note38 | Note39 | Note40 | str


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


class NotSearched7(TypedDict):
    """
    A part of the paper was not read, or may be wrong.
    """

    kind: NotSearchedKind
    message: str
    scope: NotRequired[Scope | None]
    code: Literal['part_of_paper']
    problem: ReadProblem


NotSearched: TypeAlias = NotSearched1 | NotSearched2 | NotSearched3 | NotSearched4 | NotSearched5 | NotSearched6 | NotSearched7 | NotSearched8 | NotSearched9 | NotSearched10 | NotSearched11 | NotSearched12 | NotSearched13 | NotSearched14 | NotSearched15 | NotSearched16 | NotSearched17 | NotSearched18 | NotSearched19 | NotSearched20 | NotSearched21 | NotSearched22 | NotSearched23 | NotSearched24 | NotSearched25 | NotSearched26 | NotSearched27 | NotSearched28 | NotSearched29 | NotSearched30 | NotSearched31 | NotSearched32 | NotSearched33 | NotSearched34 | NotSearched35 | NotSearched36 | NotSearched37 | NotSearched38 | NotSearched39 | NotSearched40 | NotSearched41 | NotSearched42 | NotSearched43 | NotSearched44 | NotSearched45 | NotSearched46 | NotSearched47 | NotSearched48 | NotSearched49 | NotSearched50 | NotSearched51 | NotSearched52 | NotSearched53 | NotSearched54 | NotSearched55 | NotSearched56 | NotSearched57 | NotSearched58


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


class IdeaAssessment(TypedDict):
    """
    Everything a run found about one idea: the only input of its reports.
    """

    schema_version: str
    idea: IdeaText
    verdict: IdeaVerdict
    works: list[IdeaWork]
    lean: NotRequired[IdeaLean | None]
    next_searches: NotRequired[list[NextSearch]]
    ranking: IdeaRanking
    examples: ExamplesShown
    set_aside: list[SetAside]
    metadata: RunMetadata
