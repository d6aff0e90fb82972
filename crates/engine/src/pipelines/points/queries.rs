//! Queries for passages: six per point (NoveltyAgent, A.1).

use precedent_domain::Quote;

use super::material::PointDraft;
use crate::wording::{content_stems, key_phrases, keywords, word_count};

/// Queries per point. The first ones consist of key words, the others are phrases.
const QUERIES: usize = 6;
const OF_KEYWORDS: usize = 4;
/// Minimum and maximum words of a key-word query, and of a phrase.
const KEYWORDS: (usize, usize) = (2, 4);
const PHRASE: (usize, usize) = (4, 6);

/// Rule-based queries: phrases of the point as printed in the paper, with short ones joined. Fewer than six only if the point has hardly any content
/// words.
pub(crate) fn own_queries(point: &PointDraft, coined: &[String]) -> Vec<String> {
    let said: Vec<&str> = point.said_of_it.iter().map(Quote::text).collect();
    let said = said.join(" ");
    let texts = [
        (point.claim.text(), 2.0),
        (point.name.as_str(), 1.0),
        (said.as_str(), 0.7),
    ];
    queries_of(&texts, coined)
}

/// Six queries from these weighted texts: four of key words, two phrases. Texts with more weight come first.
pub(crate) fn queries_of(texts: &[(&str, f64)], coined: &[String]) -> Vec<String> {
    let is_coined = |word: &str| coined.iter().any(|own| own.eq_ignore_ascii_case(word));
    let mut found: Vec<String> = key_phrases(texts, &is_coined)
        .into_iter()
        .map(|phrase| plain(&phrase.text))
        .filter(|phrase| !phrase.is_empty())
        .collect();
    found.extend(keywords(texts, 2 * QUERIES, &is_coined));
    let mut queries = joined(&found, KEYWORDS, OF_KEYWORDS, &[]);
    let phrases = joined(&found, PHRASE, QUERIES - OF_KEYWORDS, &queries);
    queries.extend(phrases);
    queries
}

/// Trims queries written by a model to their limits, and fills up missing or repeated ones with the point's own.
pub(crate) fn filled_up(said: &[String], own: &[String]) -> Vec<String> {
    let fits = |query: &String, (least, most): (usize, usize)| (least..=most).contains(&word_count(query));
    let of = |limits: (usize, usize), most: usize| {
        let mut taken: Vec<String> = Vec::new();
        for query in said.iter().map(|query| plain(query)).chain(own.iter().cloned()) {
            if taken.len() < most && fits(&query, limits) {
                push_new(&mut taken, query);
            }
        }
        taken
    };
    let mut queries = of(KEYWORDS, OF_KEYWORDS);
    for phrase in of(PHRASE, QUERIES) {
        if queries.len() < QUERIES && !queries.contains(&phrase) {
            queries.push(phrase);
        }
    }
    queries
}

/// Phrases within the word limits. A short one is joined with the next that says something different.
fn joined(found: &[String], (least, most): (usize, usize), wanted: usize, known: &[String]) -> Vec<String> {
    let mut made: Vec<String> = Vec::new();
    for (at, first) in found.iter().enumerate() {
        if made.len() == wanted {
            break;
        }
        let mut phrase: String = first.split_whitespace().take(most).collect::<Vec<_>>().join(" ");
        for next in found.iter().skip(at + 1) {
            if word_count(&phrase) >= least {
                break;
            }
            let own = content_stems(&phrase);
            let fresh = content_stems(next).iter().all(|stem| !own.contains(stem));
            if fresh && word_count(&phrase) + word_count(next) <= most {
                phrase = format!("{phrase} {next}");
            }
        }
        if word_count(&phrase) >= least && !known.contains(&phrase) {
            push_new(&mut made, phrase);
        }
    }
    made
}

fn push_new(made: &mut Vec<String>, phrase: String) {
    let stems = content_stems(&phrase);
    if !stems.is_empty() && made.iter().all(|other| content_stems(other) != stems) {
        made.push(phrase);
    }
}

/// Words only, without query operators.
fn plain(text: &str) -> String {
    let kept = text.chars().map(|c| {
        if c.is_alphanumeric() || matches!(c, '-' | '+' | '#' | '\'' | '’') {
            c
        } else {
            ' '
        }
    });
    let kept: String = kept.collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use precedent_domain::{Document, PointClass, Span};

    use super::*;

    fn point(words: &str) -> PointDraft {
        let document = Document::from_abstract(words, None);
        PointDraft {
            name: "a line code for slack ropes".into(),
            class: PointClass::Methodological,
            class_rule: None,
            claim: Quote::at(&document, Span::new(0, words.len())).unwrap(),
            also_stated: vec![],
            said_of_it: vec![],
            how: String::new(),
            evidence: String::new(),
            queries: vec![],
        }
    }

    #[test]
    fn a_point_has_four_key_word_queries_and_two_phrases() {
        let point = point(
            "We propose slack-aware coding, a line code that places every symbol into a taut interval that both ends predict from the recent swell without exchanging a clock.",
        );
        let queries = own_queries(&point, &[]);
        assert_eq!(queries.len(), QUERIES, "{queries:?}");
        for (at, query) in queries.iter().enumerate() {
            let (least, most) = if at < OF_KEYWORDS { KEYWORDS } else { PHRASE };
            assert!((least..=most).contains(&word_count(query)), "{query}");
        }
        let told = filled_up(
            &["rope telemetry code".into(), "\"slack\" OR (rope)".into(), "one".into()],
            &queries,
        );
        assert_eq!(told.len(), QUERIES, "{told:?}");
        assert_eq!(told[0], "rope telemetry code");
        assert_eq!(told[1], "slack OR rope");
    }
}
