use precedent_domain::{Document, Extent, OneLiner, Quote, SectionKind, Span};
use precedent_language::terms::WordKind;
use precedent_language::wording::only_announces;

use super::{ComparisonSet, PriorReading, Reading};

/// Maximum length of a one-liner, in words.
const LONGEST: usize = 60;
/// Minimum length of a one-liner, in words.
const SHORTEST: usize = 6;
/// Malus for each sentence before this one: among equals the first is used. Chosen by hand; not measured by itself.
const LATER_SENTENCE: f64 = 0.02;
/// Minimum number of content words in a sentence that describes a paper.
const LEAST_SUBSTANCE: usize = 2;

/// One line per candidate, by number: its own sentence that best describes the paper, if there is one.
#[must_use]
pub fn one_liners(set: &ComparisonSet<'_>) -> Vec<OneLiner> {
    let mut lines: Vec<OneLiner> = set
        .priors()
        .iter()
        .map(|prior| OneLiner {
            candidate: prior.candidate.number,
            text: None,
            quote: describing_sentence(prior),
        })
        .collect();
    lines.sort_by_key(|line| line.candidate);
    lines
}

/// The sentence in which a candidate says what it does.
#[must_use]
pub fn describing_sentence(prior: &PriorReading<'_>) -> Option<Quote> {
    let reading = &prior.reading;
    let title = title_terms(prior);
    let mut best: Option<(f64, Span)> = None;
    for (index, sentence) in opening(reading).enumerate() {
        let words = reading.words(sentence.words.clone());
        if !(SHORTEST..=LONGEST).contains(&words.len()) {
            continue;
        }
        let Some(text) = reading.document().slice(sentence.span) else {
            continue;
        };
        let substance = words.iter().filter(|word| word.kind == WordKind::Substance).count();
        if only_announces(text) || substance < LEAST_SUBSTANCE {
            continue;
        }
        let mut named: Vec<_> = words
            .iter()
            .filter(|word| word.kind == WordKind::Substance && title.contains(&word.term))
            .map(|w| w.term)
            .collect();
        named.sort_unstable();
        named.dedup();
        let of_title = named.len() as f64 / title.len().max(1) as f64;
        let score = cue(text) + of_title - LATER_SENTENCE * index as f64 - if words.len() > 45 { 0.3 } else { 0.0 };
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, sentence.span));
        }
    }
    best.and_then(|(_, span)| Quote::at(reading.document(), span))
}

fn title_terms(prior: &PriorReading<'_>) -> Vec<precedent_language::terms::TermId> {
    let mut terms: Vec<_> = prior
        .title_words
        .iter()
        .filter(|word| word.kind == WordKind::Substance)
        .map(|word| word.term)
        .collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// The abstract's sentences, or the first sentences of a full text without an abstract.
fn opening<'a>(reading: &'a Reading<'_>) -> impl Iterator<Item = &'a super::Sentence> {
    const FIRST: usize = 30;
    let document: &Document = reading.document();
    let has_abstract = reading
        .sentences()
        .iter()
        .any(|sentence| sentence.section == SectionKind::Abstract);
    reading
        .sentences()
        .iter()
        .filter(move |sentence| match document.extent {
            Extent::FullText if !has_abstract => sentence.section != SectionKind::Appendix,
            _ => sentence.section == SectionKind::Abstract,
        })
        .take(FIRST)
}

/// How clearly a sentence announces what a paper does, 0 to 1.5.
fn cue(sentence: &str) -> f64 {
    let lower = sentence.to_lowercase();
    let says = |cues: &[&str]| cues.iter().any(|cue| lower.contains(cue));
    let mut score: f64 = 0.0;
    if says(&OWN_WORK) {
        score += 0.7;
    }
    if says(&ANNOUNCING) {
        score += 0.8;
    } else if says(&REPORTING) {
        score += 0.4;
    }
    if says(&OTHERS) {
        score -= 0.4;
    }
    score
}

const OWN_WORK: [&str; 10] = [
    "in this paper",
    "in this work",
    "this paper ",
    "this work ",
    "this article ",
    "in this article",
    "here, we",
    "here we",
    "in this study",
    "this study ",
];

const ANNOUNCING: [&str; 26] = [
    "we propose",
    "we introduce",
    "we present",
    "we develop",
    "we describe",
    "we design",
    "we investigate",
    "we study",
    "we address",
    "we examine",
    "we explore",
    "we consider",
    "we prove",
    "we give",
    "we construct",
    "we release",
    "we formulate",
    "paper proposes",
    "paper presents",
    "paper introduces",
    "paper describes",
    "paper investigates",
    "paper addresses",
    "is proposed",
    "is presented",
    "are proposed",
];

const REPORTING: [&str; 10] = [
    "we show",
    "we find",
    "we demonstrate",
    "we report",
    "we establish",
    "we provide",
    "we analyze",
    "we analyse",
    "we apply",
    "we use",
];

const OTHERS: [&str; 8] = [
    "however",
    "existing ",
    "previous ",
    "prior work",
    "recent work",
    "traditional ",
    "recently",
    "outperform",
];
