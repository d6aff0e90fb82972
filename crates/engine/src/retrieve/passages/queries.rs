//! Queries for passages: six per point (NoveltyAgent, A.1).

use precedent_language::wording::{content_stems, key_phrases, keywords, word_count};

/// Queries per point. The first ones consist of key words, the others are phrases.
const QUERIES: usize = 6;
const OF_KEYWORDS: usize = 4;
/// Minimum and maximum words of a key-word query, and of a phrase.
const KEYWORDS: (usize, usize) = (2, 4);
const PHRASE: (usize, usize) = (4, 6);

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
pub(crate) fn filled_up(proposed: &[String], own: &[String]) -> Vec<String> {
    let fits = |query: &String, (least, most): (usize, usize)| (least..=most).contains(&word_count(query));
    let of = |limits: (usize, usize), most: usize| {
        let mut taken: Vec<String> = Vec::new();
        for query in proposed.iter().map(|query| plain(query)).chain(own.iter().cloned()) {
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
    precedent_text::one_line(&kept)
}
