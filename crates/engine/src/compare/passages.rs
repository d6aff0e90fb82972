use precedent_domain::{SectionKind, Span};

use super::claim::{ClaimTerms, TermBits};
use crate::compare::{Reading, Sentence};

/// Maximum length of a quote, in words (OpenNovelty, C.9).
pub(super) const QUOTE_WORDS: usize = 90;

/// One or two sentences of a document that are similar to a passage of the paper.
#[derive(Debug, Clone)]
pub(super) struct Passage {
    /// Index of its first sentence in the reading.
    pub(super) first: usize,
    /// Number of sentences, 1 or 2.
    pub(super) sentences: usize,
    /// Its bytes, limited to [`QUOTE_WORDS`] words.
    pub(super) span: Span,
    /// The terms and pairs it shares with the passage of the paper.
    pub(super) marks: TermBits,
    /// Similarity to the passage of the paper.
    pub(super) similarity: f64,
}

impl Passage {
    fn touches(&self, other: &Self) -> bool {
        self.first < other.first + other.sentences && other.first < self.first + self.sentences
    }
}

/// The passages of `reading` most similar to `substance`, best first, at most `limit`, without overlap.
pub(super) fn nearest_passages(reading: &Reading<'_>, substance: &ClaimTerms, limit: usize) -> Vec<Passage> {
    let sentences = reading.sentences();
    let marks: Vec<TermBits> = sentences
        .iter()
        .map(|sentence| substance.marks(reading.words(sentence.words.clone())))
        .collect();
    let mut windows: Vec<(f64, usize, usize, TermBits)> = Vec::new();
    for (first, (sentence, &own)) in sentences.iter().zip(&marks).enumerate() {
        if own.terms == 0 {
            continue;
        }
        let alone = worth_showing(substance, own) * section_weight(sentence.section);
        windows.push((alone, first, 1, own));
        if let (Some(next), Some(&more)) = (sentences.get(first + 1), marks.get(first + 1))
            && next.paragraph == sentence.paragraph
            && more.terms & !own.terms != 0
        {
            let both = own.with(more);
            let together = worth_showing(substance, both) * section_weight(sentence.section) - SECOND_SENTENCE;
            windows.push((together, first, 2, both));
        }
    }
    windows.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    let mut chosen: Vec<Passage> = Vec::new();
    for (_, first, count, marks) in windows {
        if chosen.len() == limit {
            break;
        }
        let Some(passage) = passage(reading, substance, first, count, marks) else {
            continue;
        };
        if chosen.iter().all(|other| !other.touches(&passage)) {
            chosen.push(passage);
        }
    }
    chosen
}

/// How well a passage fits the claim: half by shared words weighted within the set, half by rarity among all searched papers.
/// Without the second half, words that the whole set shares (`statistical machine translation`) would decide.
fn worth_showing(substance: &ClaimTerms, marks: TermBits) -> f64 {
    f64::midpoint(substance.similarity(marks), substance.match_share(marks))
}

/// Minimum gain for adding a second sentence.
const SECOND_SENTENCE: f64 = 0.12;

/// Captions and appendices are read, but passages of the main text are preferred.
fn section_weight(kind: SectionKind) -> f64 {
    match kind {
        SectionKind::Appendix => 0.95,
        _ => 1.0,
    }
}

fn passage(
    reading: &Reading<'_>,
    substance: &ClaimTerms,
    first: usize,
    count: usize,
    marks: TermBits,
) -> Option<Passage> {
    let sentences = reading.sentences().get(first..first + count)?;
    let words: usize = sentences
        .iter()
        .map(|sentence| printed_words(reading, sentence.span))
        .sum();
    let (head, tail) = (sentences.first()?, sentences.last()?);
    if words > QUOTE_WORDS && count == 2 {
        let own = substance.marks(reading.words(head.words.clone()));
        return passage(reading, substance, first, 1, own);
    }
    let (span, marks) = if words > QUOTE_WORDS {
        densest_part(reading, substance, head)?
    } else {
        (Span::new(head.span.start, tail.span.end), marks)
    };
    Some(Passage {
        first,
        sentences: count,
        span,
        marks,
        similarity: substance.similarity(marks),
    })
}

/// Number of words, separated by white space as a reader counts them.
fn printed_words(reading: &Reading<'_>, span: Span) -> usize {
    reading
        .document()
        .slice(span)
        .map_or(0, |text| text.split_whitespace().count())
}

/// The window of at most [`QUOTE_WORDS`] words of a longer sentence with the most term weight.
fn densest_part(reading: &Reading<'_>, substance: &ClaimTerms, sentence: &Sentence) -> Option<(Span, TermBits)> {
    const STEP: usize = 10;
    let words = reading.words(sentence.words.clone());
    let mut best: Option<(f64, Span, TermBits)> = None;
    for start in (0..words.len()).step_by(STEP) {
        let mut run = words.get(start..words.len().min(start + QUOTE_WORDS))?;
        let mut span = Span::new(run.first()?.span.start, run.last()?.span.end);
        while printed_words(reading, span) > QUOTE_WORDS && run.len() > 1 {
            run = run.get(..run.len() - 1)?;
            span = Span::new(run.first()?.span.start, run.last()?.span.end);
        }
        let marks = substance.marks(run);
        let similarity = worth_showing(substance, marks);
        if best.as_ref().is_none_or(|(most, _, _)| similarity > *most) {
            best = Some((similarity, span, marks));
        }
    }
    best.map(|(_, span, marks)| (span, marks))
}
