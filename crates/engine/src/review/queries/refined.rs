//! Derives queries from earlier ones: reworded, broader or narrower (InnoEval, 3.1).

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{EvidenceKind, KnowledgeQuery, Refinement};
use precedent_language::wording::{
    content_stems, is_evaluative, is_function_word, is_generic, key_phrases, stem, words,
};

use super::super::parts::Subject;
use super::super::questions::ClosestRecord;
use super::first::is_coined;

/// Minimum similar papers that must share a term for it to be one of the field's.
const LEAST_WORKS: usize = 2;
/// Minimum words of a query that can be broadened, and minimum significant words that must remain.
const FEWEST: usize = 3;
const LEAST_STEMS: usize = 2;

/// What the records found so far say about the field's vocabulary.
#[derive(Debug, Clone, Default)]
pub(crate) struct Field {
    /// Number of records with each stem in title or summary.
    pub(crate) frequency: BTreeMap<String, usize>,
    /// The best records so far, by kind, best first.
    pub(crate) nearest: BTreeMap<EvidenceKind, Vec<ClosestRecord>>,
}

/// The queries of a later round. The ways to refine take turns over the queries of the round before. If one way fails, the others are tried.
pub(crate) fn refined(
    subject: &Subject<'_>,
    before: &[KnowledgeQuery],
    asked: &[KnowledgeQuery],
    field: &Field,
    round: usize,
) -> Vec<KnowledgeQuery> {
    const WAYS: [Refinement; 3] = [Refinement::Rewritten, Refinement::Concretised, Refinement::Generalised];
    let mut made: Vec<KnowledgeQuery> = Vec::new();
    let mut terms: BTreeMap<EvidenceKind, Vec<String>> = BTreeMap::new();
    for (kind, closest) in &field.nearest {
        terms.insert(*kind, field_terms(closest, subject));
    }
    let key = |text: &str| content_stems(text);
    let mut known: BTreeSet<(EvidenceKind, BTreeSet<String>)> =
        asked.iter().map(|one| (one.kind, key(&one.text))).collect();
    for (at, query) in before.iter().enumerate() {
        let of_kind = terms.get(&query.kind).map(Vec::as_slice).unwrap_or_default();
        let turn = |way: Refinement| match way {
            Refinement::Rewritten => rewritten(&query.text, subject, of_kind, field),
            Refinement::Generalised => generalised(&query.text, field),
            _ => concretised(query, subject, of_kind),
        };
        let ways = (0..WAYS.len()).filter_map(|step| WAYS.get((at + round + step) % WAYS.len()));
        for way in ways {
            let Some(text) = turn(*way) else { continue };
            if known.insert((query.kind, key(&text))) {
                made.push(KnowledgeQuery {
                    text,
                    refined: *way,
                    ..query.clone()
                });
                break;
            }
        }
    }
    made
}

/// Expands or abbreviates a term, else replaces the rarest term with one of the field's own.
fn rewritten(text: &str, subject: &Subject<'_>, field_terms: &[String], field: &Field) -> Option<String> {
    for (short, long) in &subject.abbreviations {
        if is_coined(short, subject) {
            continue;
        }
        let has = |word: &str| text.split_whitespace().any(|one| one.eq_ignore_ascii_case(word));
        if has(short) {
            let out = text
                .split_whitespace()
                .map(|word| match word.eq_ignore_ascii_case(short) {
                    true => long.to_lowercase(),
                    false => word.to_owned(),
                });
            return Some(out.collect::<Vec<_>>().join(" "));
        }
        let (lower, long) = (text.to_lowercase(), long.to_lowercase());
        if let Some(at) = lower.find(&long)
            && lower.len() == text.len()
        {
            let (head, tail) = (text.get(..at)?, text.get(at + long.len()..)?);
            return Some(format!("{head}{short}{tail}"));
        }
    }
    // In a phrase with function words, no single word can be replaced.
    if text
        .split_whitespace()
        .any(|word| is_function_word(&word.to_lowercase()))
    {
        return None;
    }
    let rarest = rarest(text, field)?;
    let own = content_stems(text);
    let fresh = field_terms.iter().find(|term| content_stems(term).is_disjoint(&own))?;
    let words = text.split_whitespace().map(|word| match word == rarest {
        true => fresh.clone(),
        false => word.to_owned(),
    });
    Some(words.collect::<Vec<_>>().join(" "))
}

/// Drops the rarest term.
fn generalised(text: &str, field: &Field) -> Option<String> {
    let all: Vec<&str> = text.split_whitespace().collect();
    if all.len() < FEWEST {
        return None;
    }
    let rarest = rarest(text, field)?;
    let kept: Vec<&str> = all.into_iter().filter(|word| *word != rarest).collect();
    let text = kept.join(" ");
    (content_stems(&text).len() >= LEAST_STEMS).then_some(text)
}

/// Adds the next term of its part that it lacks, or one of the field's.
fn concretised(query: &KnowledgeQuery, subject: &Subject<'_>, field_terms: &[String]) -> Option<String> {
    let part_text = match query.part {
        Some(part) => subject.text_of(part),
        None => subject.summary.clone(),
    };
    let own = content_stems(&query.text);
    let phrases = key_phrases(&[(&part_text, 1.0)], &|word| is_coined(word, subject));
    let fresh = phrases
        .iter()
        .filter(|phrase| (1..=3).contains(&phrase.stems.len()))
        .map(|phrase| &phrase.text)
        .chain(field_terms)
        .find(|text| content_stems(text).is_disjoint(&own))?;
    let room = if query.kind == EvidenceKind::Code { 4 } else { 6 };
    let head: Vec<&str> = query.text.split_whitespace().take(room).collect();
    Some(format!("{} {fresh}", head.join(" ")))
}

/// The word of a query that the fewest records contain; the last one on a tie.
fn rarest<'t>(text: &'t str, field: &Field) -> Option<&'t str> {
    let worth = |word: &&str| {
        let lower = word.to_lowercase();
        let bare = words(&lower, 0);
        bare.first().is_some_and(|one| one.is_content())
    };
    let count = |word: &&str| {
        let stems = precedent_corpus::terms(word);
        let counts = stems
            .iter()
            .map(|stem| field.frequency.get(stem).copied().unwrap_or_default());
        counts.min().unwrap_or_default()
    };
    text.split_whitespace().filter(worth).rev().min_by_key(count)
}

/// Terms that similar titles share and the idea does not use, most frequent first: the field's own vocabulary.
fn field_terms(closest: &[ClosestRecord], subject: &Subject<'_>) -> Vec<String> {
    let known = content_stems(&subject.summary);
    let mut counts: BTreeMap<String, (usize, usize, String)> = BTreeMap::new();
    for (rank, record) in closest.iter().enumerate() {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for word in words(&record.title, 0) {
            let plain = word.is_content()
                && word.text.chars().count() > 2
                && !word.text.contains(|c: char| c.is_ascii_digit())
                && !is_generic(&word.lower)
                && !is_evaluative(&word.lower)
                && !is_coined(&word.text, subject);
            let key = stem(&word.lower);
            if plain && !known.contains(&key) && seen.insert(key.clone()) {
                counts.entry(key).or_insert((0, rank, word.lower.clone())).0 += 1;
            }
        }
    }
    let mut ranked: Vec<(usize, usize, String)> = counts
        .into_values()
        .filter(|(count, ..)| *count >= LEAST_WORKS)
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    ranked.into_iter().map(|(.., term)| term).collect()
}
