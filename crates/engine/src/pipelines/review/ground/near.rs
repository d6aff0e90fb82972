//! The sentences of a piece that come nearest to what a part says.

use precedent_domain::{Quote, SectionKind, Span};

use crate::stages::{PriorReading, Sentence, Sought, Word};

/// Terms of substance that a sentence must share with a statement, and the share of its words by weight.
const TERMS: usize = 2;
const LEAST: f64 = 0.18;
/// Of a piece that hardly speaks of the idea's topic, by [`PriorReading::kinship`], it must have far more: words are shared across fields.
const FAR: f64 = 0.2;
const LEAST_FAR: f64 = 0.4;
/// What a second sentence must add, and the most words of a quote.
const SECOND: f64 = 0.08;
const QUOTE_WORDS: usize = 90;
/// Fewest words of a sentence that says anything.
const SENTENCE_WORDS: usize = 5;

/// The sentence, or two side by side, that have most of what is sought, and what share of it; `None` where none comes near.
pub(super) fn nearest(prior: &PriorReading<'_>, sought: &Sought) -> Option<(f64, Span)> {
    let reading = &prior.reading;
    let sentences = reading.sentences();
    // The title stands above the piece anyway.
    let is_title = |one: &Sentence| one.section == SectionKind::FrontMatter;
    let words = |span: Span| {
        let text = reading.document().slice(span);
        text.map_or(0, |text| text.split_whitespace().count())
    };
    let mut best: Option<(f64, f64, Span)> = None;
    for (at, sentence) in sentences.iter().enumerate().filter(|(_, one)| !is_title(one)) {
        let mut consider = |order: f64, share: f64, substance: usize, span: Span| {
            if substance >= TERMS && best.is_none_or(|(most, ..)| order > most) && words(span) <= QUOTE_WORDS {
                best = Some((order, share, span));
            }
        };
        let (share, substance) = sought.found(reading.words(sentence.words.clone()));
        if words(sentence.span) >= SENTENCE_WORDS {
            consider(share, share, substance, sentence.span);
        }
        let next = sentences
            .get(at + 1)
            .filter(|next| next.paragraph == sentence.paragraph && !is_title(next));
        if let Some(next) = next.filter(|_| share > 0.0) {
            let span = Span::new(sentence.span.start, next.span.end);
            let (share, substance) = sought.found(reading.words(sentence.words.start..next.words.end));
            consider(share - SECOND, share, substance, span);
        }
    }
    let least = if prior.kinship < FAR { LEAST_FAR } else { LEAST };
    best.filter(|(_, share, _)| *share >= least)
        .map(|(_, share, span)| (share, span))
}

/// Share of what is sought that stands in these quotes together.
pub(super) fn shared<'q>(prior: &PriorReading<'_>, sought: &Sought, quotes: impl Iterator<Item = &'q Quote>) -> f64 {
    let reading = &prior.reading;
    let mut words: Vec<&Word> = Vec::new();
    for quote in quotes {
        let span = quote.span();
        let inside = |word: &&Word| word.span.start >= span.start && word.span.end <= span.end;
        words.extend(reading.all_words().iter().filter(inside));
    }
    (sought.found(words).0 * 1_000.0).round() / 1_000.0
}
