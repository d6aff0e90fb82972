use std::cmp::Ordering;
use std::ops::Range;

use precedent_corpus::TopicVector;
use precedent_domain::{
    Candidate, Document, Extent, Paper, ParagraphKind, QuotableDocument, Scope, SectionKind, Span, TaxonomyPaper,
};
use precedent_language::terms::{
    DocumentFrequencies, Phrase, PhraseTable, ShortText, TermId, TermVector, Vocabulary, Word,
};
use precedent_matcher::PreparedText;
use precedent_text::sentences;
use rustc_hash::FxHashMap;

/// A candidate and its text.
#[derive(Debug, Clone, Copy)]
pub struct Prior<'a> {
    /// The candidate.
    pub candidate: &'a Candidate,
    /// Its full text if available, else title and abstract.
    pub text: &'a QuotableDocument,
}

impl<'a> Prior<'a> {
    /// Each candidate with its text, which has the same place in `texts`.
    #[must_use]
    pub fn all(candidates: &'a [Candidate], texts: &'a [QuotableDocument]) -> Vec<Self> {
        let pairs = candidates.iter().zip(texts);
        pairs.map(|(candidate, text)| Self { candidate, text }).collect()
    }
}

/// A sentence of a document, without surrounding white space.
#[derive(Debug, Clone)]
pub struct Sentence {
    /// Its position.
    pub span: Span,
    /// Indices of its words in the reading.
    pub words: Range<usize>,
    /// Its paragraph.
    pub paragraph: Span,
    /// The kind of its section.
    pub section: SectionKind,
}

/// A document prepared for comparison: its sentences with their words. Excludes headings, tables, listings, display maths,
/// acknowledgements, the reference list and front matter. Front matter is kept if a record has nothing else.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    text: &'a QuotableDocument,
    words: Vec<Word>,
    sentences: Vec<Sentence>,
}

impl<'a> Reading<'a> {
    fn of(text: &'a QuotableDocument, vocabulary: &mut Vocabulary) -> Self {
        let document = text.document();
        let mut reading = Self {
            text,
            words: Vec::new(),
            sentences: Vec::new(),
        };
        for (paragraph, section) in document.compared_paragraphs() {
            let Some(slice) = document.slice(paragraph) else {
                continue;
            };
            for local in sentences(slice) {
                let span = Span::new(paragraph.start + local.start, paragraph.start + local.end);
                let first = reading.words.len();
                reading
                    .words
                    .extend(vocabulary.read(text.source(), text.source().tokens_within(span)));
                let words = first..reading.words.len();
                if !words.is_empty() {
                    reading.sentences.push(Sentence {
                        span,
                        words,
                        paragraph,
                        section,
                    });
                }
            }
        }
        reading
    }

    /// The document.
    #[must_use]
    pub fn document(&self) -> &'a Document {
        self.text.document()
    }

    /// The prepared text behind this reading.
    #[must_use]
    pub fn quotable(&self) -> &'a QuotableDocument {
        self.text
    }

    /// The sentences, in reading order.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// The words at these indices, as a [`Sentence`] names them.
    #[must_use]
    pub fn words(&self, range: Range<usize>) -> &[Word] {
        self.words.get(range).unwrap_or_default()
    }

    /// All words.
    #[must_use]
    pub fn all_words(&self) -> &[Word] {
        &self.words
    }
}

/// A candidate prepared for comparison.
#[derive(Debug, Clone)]
pub struct PriorReading<'a> {
    /// The candidate.
    pub candidate: &'a Candidate,
    /// The words of its title.
    pub title_words: Vec<Word>,
    /// Its text.
    pub reading: Reading<'a>,
    /// Summary vector of title and summary.
    pub topic_vector: TopicVector,
    /// Similarity to the paper as a whole, 0 to 1 ([`TopicVector::topic_similarity`]).
    pub topic_similarity: f64,
    /// The text prepared for the matcher.
    pub prepared: PreparedText,
}

impl PriorReading<'_> {
    /// How much of the paper's text is available.
    #[must_use]
    pub fn extent(&self) -> Extent {
        self.reading.document().extent
    }
}

/// The paper and its candidates, each read once for all comparison stages. The input order of candidates does not matter.
pub struct ComparisonSet<'a> {
    paper: &'a Paper,
    title: &'a str,
    target: Reading<'a>,
    priors: Vec<PriorReading<'a>>,
    vocabulary: Vocabulary,
    frequencies: DocumentFrequencies,
    vectors: Vec<TermVector>,
    phrases: PhraseTable,
    background: Background,
    /// Per stem: whether any candidate has it in title, abstract or text.
    known: Vec<bool>,
    /// How many of the paper's references the sources hold, if every one was looked up.
    references_held: Option<usize>,
}

/// Word frequencies among all searched papers, not only among the candidates.
#[derive(Debug, Clone, Default)]
pub struct Background {
    shares: FxHashMap<TermId, f64>,
}

impl Background {
    /// The share of all papers that contain the stem, 0 to 1; `None` if unknown.
    #[must_use]
    pub fn share(&self, term: TermId) -> Option<f64> {
        self.shares.get(&term).copied()
    }
}

/// Weight of a title word relative to an abstract word.
const TITLE_WEIGHT: f64 = 3.0;

impl<'a> ComparisonSet<'a> {
    /// Reads everything. `target` is the paper's prepared document. Linear in the length of all texts.
    #[must_use]
    pub fn new(paper: &'a Paper, target: &'a QuotableDocument, priors: &[Prior<'a>]) -> Self {
        let mut vocabulary = Vocabulary::new();
        let mut order: Vec<Prior<'a>> = priors.to_vec();
        order.sort_by(|a, b| canonical_order(a.candidate, b.candidate));
        let target = Reading::of(target, &mut vocabulary);
        let title = paper.title.as_deref().unwrap_or_default();
        let own = TopicVector::of(title, summary_of_target(paper));
        let priors: Vec<PriorReading<'a>> = order
            .iter()
            .map(|prior| {
                let work = &prior.candidate.work;
                let topic_vector = TopicVector::of(&work.title, work.summary.as_deref().unwrap_or_default());
                PriorReading {
                    candidate: prior.candidate,
                    title_words: vocabulary.read_text(&work.title),
                    reading: Reading::of(prior.text, &mut vocabulary),
                    topic_similarity: own.topic_similarity(&topic_vector),
                    prepared: PreparedText::with_topic(topic_vector.clone(), prior.text.document()),
                    topic_vector,
                }
            })
            .collect();
        let texts: Vec<(&str, &str)> = std::iter::once((title, summary_of_target(paper)))
            .chain(order.iter().map(|prior| {
                let work = &prior.candidate.work;
                (work.title.as_str(), work.summary.as_deref().unwrap_or_default())
            }))
            .collect();
        let words: Vec<(Vec<Word>, Vec<Word>)> = texts
            .iter()
            .map(|(title, summary)| (vocabulary.read_text(title), vocabulary.read_text(summary)))
            .collect();
        let parts: Vec<Vec<&[Word]>> = words
            .iter()
            .map(|(title, summary)| vec![title.as_slice(), summary.as_slice()])
            .collect();
        let frequencies = DocumentFrequencies::of(&parts);
        let vectors = words
            .iter()
            .map(|(title, summary)| TermVector::of(&[(title, TITLE_WEIGHT), (summary, 1.0)], &frequencies))
            .collect();
        let short_texts: Vec<ShortText<'_>> = texts
            .iter()
            .zip(&words)
            .enumerate()
            .flat_map(|(work, ((title, summary), (title_words, summary_words)))| {
                let part = |is_title, text, words| ShortText {
                    work,
                    is_title,
                    text,
                    words,
                };
                [
                    part(true, *title, title_words.as_slice()),
                    part(false, *summary, summary_words.as_slice()),
                ]
            })
            .collect();
        let phrases = PhraseTable::of(&short_texts);
        let known = known_stems(vocabulary.len(), &priors, &words);
        Self {
            paper,
            title,
            target,
            priors,
            vocabulary,
            frequencies,
            vectors,
            phrases,
            background: Background::default(),
            known,
            references_held: None,
        }
    }

    /// Adds word frequencies among all searched papers. `shares` maps words in lower case to shares, 0 to 1. The set alone decides for words
    /// without a share.
    #[must_use]
    pub fn with_background<'w>(mut self, shares: impl IntoIterator<Item = (&'w str, f64)>) -> Self {
        for (word, share) in shares {
            for known in self.vocabulary.recall(word) {
                if known.term != TermId::UNKNOWN {
                    let held = self.background.shares.entry(known.term).or_insert(share);
                    *held = held.max(share);
                }
            }
        }
        self
    }

    /// Adds how many of the paper's references the searched sources hold, if every one was looked up.
    #[must_use]
    pub fn with_references_held(mut self, held: Option<usize>) -> Self {
        self.references_held = held;
        self
    }

    /// How many of the paper's references the searched sources hold; `None` if not every one was looked up.
    #[must_use]
    pub fn references_held(&self) -> Option<usize> {
        self.references_held
    }

    /// Word frequencies among all searched papers.
    #[must_use]
    pub fn background(&self) -> &Background {
        &self.background
    }

    /// The paper.
    #[must_use]
    pub fn paper(&self) -> &'a Paper {
        self.paper
    }

    /// The paper's title; empty if none was found.
    #[must_use]
    pub fn title(&self) -> &'a str {
        self.title
    }

    /// The paper's text.
    #[must_use]
    pub fn target(&self) -> &Reading<'a> {
        &self.target
    }

    /// The candidates, most relevant first: by rank for the core task, then by best rank in any scope, then by id.
    #[must_use]
    pub fn priors(&self) -> &[PriorReading<'a>] {
        &self.priors
    }

    /// How distinctive each stem is among the titles and abstracts of the set.
    #[must_use]
    pub fn frequencies(&self) -> &DocumentFrequencies {
        &self.frequencies
    }

    /// Term vector of a paper: index 0 is the paper itself, `i + 1` the candidate at `priors()[i]`.
    #[must_use]
    pub fn vector(&self, index: usize) -> Option<&TermVector> {
        self.vectors.get(index)
    }

    /// Noun phrases of titles and abstracts; papers are indexed as for [`ComparisonSet::vector`].
    pub fn phrases(&self) -> impl Iterator<Item = &Phrase> {
        self.phrases.iter()
    }

    /// The words of a text outside the set. Stems unknown to the set match nothing.
    #[must_use]
    pub fn read(&self, text: &str) -> Vec<Word> {
        self.vocabulary.recall(text)
    }

    /// Whether any candidate has the stem anywhere in its available text.
    #[must_use]
    pub fn known_to_priors(&self, term: TermId) -> bool {
        usize::try_from(term.0)
            .ok()
            .and_then(|at| self.known.get(at))
            .copied()
            .unwrap_or(false)
    }

    /// Number of distinct stems.
    #[must_use]
    pub fn stem_count(&self) -> usize {
        self.vocabulary.len()
    }

    /// The paper or candidate at an index, as [`ComparisonSet::vector`] counts.
    #[must_use]
    pub fn paper_at(&self, index: usize) -> Option<TaxonomyPaper> {
        match index.checked_sub(1) {
            None => Some(TaxonomyPaper::Target),
            Some(prior) => self
                .priors
                .get(prior)
                .map(|prior| TaxonomyPaper::Candidate(prior.candidate.number)),
        }
    }
}

fn known_stems(stems: usize, priors: &[PriorReading<'_>], short_texts: &[(Vec<Word>, Vec<Word>)]) -> Vec<bool> {
    let mut known = vec![false; stems];
    let of_records = short_texts
        .iter()
        .skip(1)
        .flat_map(|(title, summary)| title.iter().chain(summary));
    let of_texts = priors.iter().flat_map(|prior| prior.reading.all_words());
    for word in of_records.chain(of_texts) {
        if let Some(known) = usize::try_from(word.term.0).ok().and_then(|at| known.get_mut(at)) {
            *known = true;
        }
    }
    known
}

/// The rank of a candidate in one scope.
#[must_use]
pub fn rank_in(candidate: &Candidate, scope: Scope) -> Option<u32> {
    candidate
        .scopes
        .iter()
        .filter(|one| one.scope == scope)
        .map(|one| one.rank)
        .min()
}

fn canonical_order(a: &Candidate, b: &Candidate) -> Ordering {
    let core = |candidate: &Candidate| rank_in(candidate, Scope::CoreTask).unwrap_or(u32::MAX);
    let best = |candidate: &Candidate| candidate.scopes.iter().map(|one| one.rank).min().unwrap_or(u32::MAX);
    core(a)
        .cmp(&core(b))
        .then_with(|| best(a).cmp(&best(b)))
        .then_with(|| a.work.id.to_string().cmp(&b.work.id.to_string()))
        .then_with(|| a.work.title.cmp(&b.work.title))
        .then_with(|| a.number.cmp(&b.number))
}

/// The paper's abstract; if none was found, the start of its main text.
pub(crate) fn summary_of_target(paper: &Paper) -> &str {
    const START: usize = 2_000;
    if let Some(summary) = paper.abstract_text() {
        return summary;
    }
    let document = &paper.document;
    let start = document
        .paragraphs
        .iter()
        .find(|paragraph| paragraph.kind == ParagraphKind::Body)
        .map_or(0, |paragraph| paragraph.span.start);
    let rest = document.text.get(start..).unwrap_or_default();
    let end = rest
        .char_indices()
        .map(|(at, _)| at)
        .find(|&at| at >= START)
        .unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}
