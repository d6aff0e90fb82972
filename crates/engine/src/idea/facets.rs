//! Finds what an idea says on each facet by typical words: a whole sentence or the clause after the cue, always in the idea's own words.

use precedent_domain::{Document, Facet, FacetStatement, Quote, Span};
use precedent_language::wording::{Tag, Tagged, first_words, key_phrases, tagged, word_count};
use precedent_text::{pattern, sentences};

/// Maximum words of a statement.
const LONGEST: usize = 60;

/// Cues of sentences on evaluation.
const EVALUATION: &[&str] = &[
    "evaluat",
    "benchmark",
    "experiment",
    "user study",
    "lab study",
    "field study",
    "field deployment",
    "case study",
    "validat",
    "compared to",
    "compared against",
    "compared with",
    "baseline",
    "metric",
    "measured by",
    "measuring",
    "tested on",
    "test on",
    "assessed",
    "assessment of",
    "human judg",
    "expert review",
    "ablation",
    "qualitative study",
    "quantitative",
    "accuracy",
    "effectiveness",
    "performance",
];
/// Cues of sentences on the mechanism.
const MECHANISM: &[&str] = &[
    "using",
    "leverag",
    "integrat",
    "utiliz",
    "utilis",
    "employ",
    "combin",
    "by means",
    "trained",
    "train ",
    "algorithm",
    "model",
    "framework",
    "technique",
    "approach",
    "method",
    "network",
    "pipeline",
    "system would",
    "system will",
    "incorporat",
    "based on",
    "analyz",
    "analys",
    "generat",
    "extract",
    "mechanism",
    "architecture",
    "we propose",
    "we present",
    "we introduce",
    "through",
];

/// At most one statement per facet, in the order of [`Facet::ALL`].
pub(super) fn facets(document: &Document) -> Vec<FacetStatement> {
    let all: Vec<Span> = sentences(&document.text)
        .into_iter()
        .filter(|span| span.slice(&document.text).is_some_and(|text| word_count(text) >= 3))
        .collect();
    let evaluation = best(document, &all, EVALUATION, &[]);
    let purpose = purpose(document, &all, evaluation);
    let held: Vec<Span> = evaluation.into_iter().collect();
    let mechanism = mechanism(document, &all, &held, purpose);
    let domain = purpose.or(mechanism).and_then(|span| domain(document, span));
    let parts = [
        (Facet::Purpose, purpose),
        (Facet::Mechanism, mechanism),
        (Facet::Evaluation, evaluation),
        (Facet::ApplicationDomain, domain),
    ];
    parts
        .into_iter()
        .filter_map(|(facet, span)| {
            let quote = Quote::at(document, cut(document, span?))?;
            Some(FacetStatement { facet, quote })
        })
        .collect()
}

/// The sentence with the most cues; the last one on a tie, because ideas end with their evaluation.
fn best(document: &Document, all: &[Span], cues: &[&str], not: &[Span]) -> Option<Span> {
    let count = |span: &Span| {
        let text = span.slice(&document.text).unwrap_or_default().to_lowercase();
        cues.iter().filter(|cue| text.contains(**cue)).count()
    };
    let open = all.iter().filter(|span| !not.contains(span));
    let best = open.max_by_key(|span| count(span))?;
    (count(best) > 0).then_some(*best)
}

/// The clause after `designed to`, `aims to`, `in order to`, or the first `to` before a verb, up to the description of the means; else the first
/// sentence.
fn purpose(document: &Document, all: &[Span], evaluation: Option<Span>) -> Option<Span> {
    let after_cue = pattern!(
        r"(?i)\b(?:designed|aim|aims|aimed|aiming|order|intended|seek|seeks|goal is|objective is|purpose is|tailored|developed|built)\W+to\W+(\p{L})"
    );
    let plain = pattern!(r"(?i)\p{L}\W+to\W+(\p{L})");
    let end = pattern!(r"(?i)[,;:.]|\W(?:by|using|through|via|thereby|ensuring|leveraging|with the help)\W");
    let open = || all.iter().filter(|span| Some(**span) != evaluation);
    for (pattern, cued) in [(after_cue, true), (plain, false)] {
        for span in open() {
            let text = span.slice(&document.text).unwrap_or_default();
            // A sentence can have thousands of cues, so it is tagged once.
            let tags = if cued { Vec::new() } else { tagged(text) };
            let mut behind = pattern.captures_iter(text).filter_map(|found| found.get(1));
            let Some(verb) = behind.find(|word| cued || is_verb(&tags, word.start())) else {
                continue;
            };
            let rest = text.get(verb.start()..).unwrap_or_default();
            let length = end.find(rest).map_or(rest.len(), |found| found.start());
            let clause = rest.get(..length).unwrap_or_default();
            let clause = clause.trim_end_matches(|c: char| !c.is_alphanumeric());
            if word_count(clause) >= 3 {
                let start = span.start + verb.start();
                return Some(Span::new(start, start + clause.len()));
            }
        }
    }
    open().next().copied().or_else(|| all.first().copied())
}

/// Whether a verb starts at this byte, after any adverbs: `to swell` but not `up to three metres`.
fn is_verb(tags: &[Tagged], at: usize) -> bool {
    let behind = tags.partition_point(|token| token.range.start < at);
    tags.iter()
        .skip(behind)
        .find(|token| !matches!(token.tag, Tag::Adverb | Tag::Mark))
        .is_some_and(|token| token.tag == Tag::Base)
}

/// The sentence with the most cues on means, except the one on evaluation. If only the purpose's sentence is left, the part of it beside the purpose.
fn mechanism(document: &Document, all: &[Span], not: &[Span], purpose: Option<Span>) -> Option<Span> {
    let purpose_sentence = purpose.and_then(|purpose| all.iter().find(|span| span.overlaps(purpose)).copied());
    let mut aside = not.to_vec();
    aside.extend(purpose_sentence);
    if let Some(other) = best(document, all, MECHANISM, &aside) {
        return Some(other);
    }
    let (whole, purpose) = (purpose_sentence?, purpose?);
    let parts = [Span::new(purpose.end, whole.end), Span::new(whole.start, purpose.start)];
    parts
        .into_iter()
        .filter_map(|part| trimmed(document, part))
        .find(|part| part.slice(&document.text).is_some_and(|text| word_count(text) >= 4))
}

/// The most significant phrase of the purpose.
fn domain(document: &Document, purpose: Span) -> Option<Span> {
    let text = purpose.slice(&document.text)?;
    let phrases = key_phrases(&[(text, 1.0)], &|_| false);
    let phrase = phrases
        .iter()
        .find(|phrase| phrase.stems.len() >= 2)
        .or(phrases.first())?;
    let at = text.find(phrase.text.as_str())?;
    Some(Span::new(purpose.start + at, purpose.start + at + phrase.text.len()))
}

/// Trims everything but letters and digits at both ends.
fn trimmed(document: &Document, span: Span) -> Option<Span> {
    let text = span.slice(&document.text)?;
    let head = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let whole = head.trim_end_matches(|c: char| !c.is_alphanumeric());
    let start = span.start + text.len() - head.len();
    (!whole.is_empty()).then(|| Span::new(start, start + whole.len()))
}

/// Cuts the span to [`LONGEST`] words.
fn cut(document: &Document, span: Span) -> Span {
    let text = span.slice(&document.text).unwrap_or_default();
    Span::new(span.start, span.start + first_words(text, LONGEST).len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::Idea;

    fn told(text: &str) -> Vec<(Facet, String)> {
        let document = Idea::new(text).document();
        let found = facets(&document);
        found
            .into_iter()
            .map(|one| (one.facet, one.quote.text().to_owned()))
            .collect()
    }

    #[test]
    fn facets_are_the_ideas_own_words() {
        let told = told(
            "Build a **tide-aware planner** designed to shorten the waiting of ferries in narrow fjords by shifting departures. \
             The planner would combine a harmonic tide model with a queueing network of the piers. \
             It would be evaluated in a field deployment on two ferry lines, measuring waiting and fuel.",
        );
        let of = |facet| {
            told.iter()
                .find(|(one, _)| *one == facet)
                .map(|(_, text)| text.as_str())
        };
        assert_eq!(
            of(Facet::Purpose),
            Some("shorten the waiting of ferries in narrow fjords")
        );
        assert!(
            of(Facet::Mechanism)
                .unwrap()
                .starts_with("The planner would combine a harmonic")
        );
        assert!(of(Facet::Evaluation).unwrap().starts_with("It would be evaluated"));
        assert!(
            of(Facet::ApplicationDomain).is_some_and(|domain| domain.contains("fjords") || domain.contains("ferries"))
        );
    }

    #[test]
    fn an_amount_is_not_a_purpose() {
        let told = told(
            "Slack-aware coding for tension channels.\n\nOn nine buoys over one winter the code delivered messages in swell of up to three and a half metres. \
             According to all models it should not.",
        );
        let purpose = told.iter().find(|(one, _)| *one == Facet::Purpose).unwrap();
        assert_eq!(purpose.1, "Slack-aware coding for tension channels.");
        let mechanism = told.iter().find(|(one, _)| *one == Facet::Mechanism).unwrap();
        assert!(mechanism.1.ends_with("should not."), "{mechanism:?}");
    }

    #[test]
    fn short_and_hostile_texts_do_not_break_the_reader() {
        assert_eq!(told(""), []);
        assert_eq!(told("x"), []);
        assert_eq!(
            told("Ferries that wait for tides.").first().map(|one| one.0),
            Some(Facet::Purpose)
        );
        told("论文的想法是用潮汐模型缩短渡轮的等待时间。");
        told(&"to ".repeat(4_000));
    }

    proptest::proptest! {
        #[test]
        fn every_statement_is_quoted_from_the_idea(text in "(designed to |to |using |evaluate |\\PC|[a-z]{1,8} |\\. ){0,80}") {
            let document = Idea::new(&text).document();
            for one in facets(&document) {
                proptest::prop_assert!(one.quote.stands_in(&document));
                proptest::prop_assert!(one.quote.text().split_whitespace().count() <= LONGEST);
            }
        }
    }
}
