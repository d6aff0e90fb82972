//! Finds the sentences of a piece that are most similar to a statement.

use precedent_corpus::TopicVector;
use precedent_domain::{Quote, SectionKind, Span};
use precedent_language::terms::Word;

use crate::compare::{PriorReading, Sentence, WeightedTerms};

/// Minimum significant terms that a sentence must share with a statement, and minimum weighted share of the statement's words.
const TERMS: usize = 2;
const LEAST: f64 = 0.12;
/// Minimum similarity of sentence and statement by [`TopicVector::topic_similarity`], which weights rare words. A higher minimum applies if [`PriorReading::topic_similarity`]
/// says that the piece hardly covers the idea's topic, because words are shared across fields.
const LEAST_SIMILAR: f64 = 0.28;
const FAR: f64 = 0.2;
const LEAST_SIMILAR_FAR: f64 = 0.4;
/// Places compared that way, those that share most words first.
const PLACES: usize = 8;
/// Minimum gain by a second sentence, and maximum words of a quote.
const SECOND: f64 = 0.08;
const QUOTE_WORDS: usize = 90;
/// Minimum words of a sentence.
const SENTENCE_WORDS: usize = 5;

/// The sentence, or two adjacent ones, most similar to a statement, with its score; `None` if none is similar enough.
pub(super) fn nearest(
    prior: &PriorReading<'_>,
    sought: &WeightedTerms,
    statement: &TopicVector,
) -> Option<(f64, Span)> {
    let document = prior.reading.document();
    let least = if prior.topic_similarity < FAR {
        LEAST_SIMILAR_FAR
    } else {
        LEAST_SIMILAR
    };
    let kin = places(prior, sought).into_iter().filter_map(|(share, span)| {
        let topic_similarity = statement.topic_similarity(&TopicVector::of("", document.slice(span)?));
        (topic_similarity >= least).then_some((f64::midpoint(share, topic_similarity), span))
    });
    kin.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// The places of a piece that share most words with the query, best first.
fn places(prior: &PriorReading<'_>, sought: &WeightedTerms) -> Vec<(f64, Span)> {
    let reading = &prior.reading;
    let sentences = reading.sentences();
    // The title is shown with the piece anyway.
    let is_title = |one: &Sentence| one.section == SectionKind::FrontMatter;
    let words = |span: Span| {
        let text = reading.document().slice(span);
        text.map_or(0, |text| text.split_whitespace().count())
    };
    let mut found: Vec<(f64, Span)> = Vec::new();
    for (at, sentence) in sentences.iter().enumerate().filter(|(_, one)| !is_title(one)) {
        let (share, substance) = sought.found(reading.words(sentence.words.clone()));
        let fits = |span: Span| (SENTENCE_WORDS..=QUOTE_WORDS).contains(&words(span));
        if share >= LEAST && substance >= TERMS && fits(sentence.span) {
            found.push((share, sentence.span));
        }
        let next = sentences
            .get(at + 1)
            .filter(|next| next.paragraph == sentence.paragraph && !is_title(next));
        if let Some(next) = next.filter(|_| share > 0.0) {
            let span = Span::new(sentence.span.start, next.span.end);
            let (both, substance) = sought.found(reading.words(sentence.words.start..next.words.end));
            if both - SECOND > share && both >= LEAST && substance >= TERMS && fits(span) {
                found.push((both - SECOND, span));
            }
        }
    }
    found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.start.cmp(&other.start)));
    found.truncate(PLACES);
    found
}

/// Share of the query that these quotes contain together.
pub(super) fn shared<'q>(
    prior: &PriorReading<'_>,
    sought: &WeightedTerms,
    quotes: impl Iterator<Item = &'q Quote>,
) -> f64 {
    let reading = &prior.reading;
    let mut words: Vec<&Word> = Vec::new();
    for quote in quotes {
        let span = quote.span();
        let inside = |word: &&Word| word.span.start >= span.start && word.span.end <= span.end;
        words.extend(reading.all_words().iter().filter(inside));
    }
    (sought.found(words).0 * 1_000.0).round() / 1_000.0
}
