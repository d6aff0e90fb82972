//! The queries of the first round.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{EvidenceKind, IdeaPart, KnowledgeQuery, Refinement};
use precedent_language::wording::{Word, is_evaluative, is_generic, key_phrases, stem, word_count, words};

use super::super::parts::Subject;
use crate::retrieve::passages::queries_of;

/// Allowed number of words in a title query.
const TITLE: std::ops::RangeInclusive<usize> = 3..=14;
/// Names of systems, data and baselines to search for in code.
const NAMES: usize = 5;
/// Statements of a part that are shortened to queries, and the maximum and minimum words of each.
const SHORT_QUERIES: usize = 2;
const SHORT_WORDS: usize = 7;
const FEWEST: usize = 3;
/// Names too general to search for.
const NO_NAMES: [&str; 12] = [
    "AI", "ML", "NLP", "CV", "2D", "3D", "USA", "UK", "EU", "GPU", "CPU", "API",
];

/// The parts that queries are made from, by kind, in order.
const PARTS: [(EvidenceKind, &[IdeaPart]); 3] = [
    (
        EvidenceKind::Literature,
        &[
            IdeaPart::BasicIdea,
            IdeaPart::Method,
            IdeaPart::ResearchQuestion,
            IdeaPart::Motivation,
            IdeaPart::ExperimentalSetting,
            IdeaPart::Unclassified,
        ],
    ),
    (
        EvidenceKind::Web,
        &[
            IdeaPart::BasicIdea,
            IdeaPart::Motivation,
            IdeaPart::ResearchQuestion,
            IdeaPart::Method,
        ],
    ),
    (
        EvidenceKind::Code,
        &[IdeaPart::Method, IdeaPart::BasicIdea, IdeaPart::ExperimentalSetting],
    ),
];

/// Queries in the idea's own words, most significant first, by kind.
pub(crate) fn first(subject: &Subject<'_>, kinds: &[EvidenceKind]) -> Vec<KnowledgeQuery> {
    let mut queries = Vec::new();
    for (kind, parts) in PARTS.iter().filter(|(kind, _)| kinds.contains(kind)) {
        let mut put = |part: Option<IdeaPart>, text: String| {
            queries.push(KnowledgeQuery {
                kind: *kind,
                part,
                text,
                refined: Refinement::First,
            });
        };
        if *kind != EvidenceKind::Code {
            // Only its significant words: the title itself is never sent.
            let title = in_short(&subject.idea.title, subject);
            if TITLE.contains(&word_count(&title)) {
                put(None, title);
            }
            let topics = subject
                .topics
                .iter()
                .take(if *kind == EvidenceKind::Web { 1 } else { 3 });
            topics.for_each(|topic| put(None, bare(topic, subject)));
        }
        // Take the parts in turn, so that no part uses up the limit.
        let terms: Vec<(IdeaPart, Vec<String>)> = parts
            .iter()
            .map(|part| (*part, of_part(*part, *kind, subject)))
            .collect();
        let longest = terms.iter().map(|(_, queries)| queries.len()).max().unwrap_or_default();
        if *kind == EvidenceKind::Code {
            for (part, name) in names(subject) {
                put(Some(part), name);
            }
        }
        for at in 0..longest {
            for (part, queries) in &terms {
                if let Some(text) = queries.get(at) {
                    put(Some(*part), text.clone());
                }
            }
        }
        // An idea of one or two words is used as it is.
        if longest == 0 {
            let short = in_short(&subject.summary, subject);
            put(
                None,
                if short.is_empty() {
                    subject.summary.clone()
                } else {
                    short
                },
            );
        }
    }
    queries
}

/// Phrases of a part. For papers and pages: shortened statements, then the longer phrases. For code: the short phrases first.
fn of_part(part: IdeaPart, kind: EvidenceKind, subject: &Subject<'_>) -> Vec<String> {
    let part_text = subject.text_of(part);
    if part_text.is_empty() {
        return Vec::new();
    }
    let texts = [
        (part_text.as_str(), 2.0),
        (subject.idea.title.as_str(), 0.5),
        (subject.summary.as_str(), 0.4),
    ];
    let found = queries_of(&texts, &subject.coined);
    let (short, long): (Vec<String>, Vec<String>) = found.into_iter().partition(|query| word_count(query) <= 3);
    if kind == EvidenceKind::Code {
        return short.into_iter().chain(long).collect();
    }
    let statements = subject.idea.statements.iter().filter(|one| one.part == part);
    let in_few_words = statements
        .take(SHORT_QUERIES)
        .map(|one| in_short(&one.statement, subject));
    let in_few_words = in_few_words.filter(|query| word_count(query) >= FEWEST);
    if part == IdeaPart::ExperimentalSetting {
        // Data and metrics are shared by many fields; the topic makes the query specific.
        let topic = topic(subject);
        return long
            .into_iter()
            .chain(short)
            .map(|phrase| format!("{topic} {phrase}"))
            .collect();
    }
    in_few_words.chain(long).chain(short).collect()
}

/// The significant words of a statement in their order, like a title.
fn in_short(statement: &str, subject: &Subject<'_>) -> String {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut kept: Vec<String> = Vec::new();
    for word in words(statement, 0) {
        let tells = word.is_content()
            && !is_generic(&word.lower)
            && !is_evaluative(&word.lower)
            && !word.lower.ends_with("ly")
            && !is_coined(&word.text, subject)
            && word.text.chars().any(char::is_alphabetic);
        if tells && kept.len() < SHORT_WORDS && seen.insert(stem(&word.lower)) {
            kept.push(word.text.trim_end_matches("'s").trim_end_matches("’s").to_owned());
        }
    }
    kept.join(" ")
}

/// Names of systems, data sets and baselines that the idea would use, each with the topic. A name alone would match repositories of every field.
fn names(subject: &Subject<'_>) -> Vec<(IdeaPart, String)> {
    let mut counts: BTreeMap<String, (usize, usize, IdeaPart)> = BTreeMap::new();
    let mut order = 0;
    for part in [IdeaPart::ExperimentalSetting, IdeaPart::Method] {
        for word in words(&subject.text_of(part), 0)
            .iter()
            .filter(|word| is_name(word, subject))
        {
            order += 1;
            let text = word.text.trim_end_matches("'s").trim_end_matches("’s").to_owned();
            counts.entry(text).or_insert((0, order, part)).0 += 1;
        }
    }
    let mut found: Vec<(String, (usize, usize, IdeaPart))> = counts.into_iter().collect();
    found.sort_by(|(_, (a, first, _)), (_, (b, second, _))| b.cmp(a).then(first.cmp(second)));
    let topic = topic(subject);
    let named = found.into_iter().take(NAMES).map(|(name, (_, _, part))| {
        let beside = match topic.to_lowercase().contains(&name.to_lowercase()) {
            true => topic.clone(),
            false => format!("{name} {topic}"),
        };
        (part, beside)
    });
    named.collect()
}

/// The most significant phrase of one or two words.
fn topic(subject: &Subject<'_>) -> String {
    let texts = [(subject.idea.title.as_str(), 2.0), (subject.summary.as_str(), 1.0)];
    let phrases = key_phrases(&texts, &|word| is_coined(word, subject));
    let topic = phrases.iter().find(|phrase| (1..=2).contains(&phrase.stems.len()));
    topic.map(|phrase| phrase.text.clone()).unwrap_or_default()
}

fn is_name(word: &Word, subject: &Subject<'_>) -> bool {
    let plain = word
        .text
        .chars()
        .all(|c| c.is_alphanumeric() || c == '-' || c == '+' || c == '#');
    plain
        && word.looks_like_name()
        && word.text.chars().next().is_some_and(char::is_alphabetic)
        && word.text.chars().count() > 2
        && !NO_NAMES.contains(&word.text.as_str())
        && !is_generic(&word.lower)
        && !is_evaluative(&word.lower)
        && !is_coined(&word.text, subject)
}

/// Whether a word is a name that the idea coined. No earlier work can contain it.
pub(super) fn is_coined(word: &str, subject: &Subject<'_>) -> bool {
    let lower = word.to_lowercase();
    let own = |part: &str| subject.coined.iter().any(|coined| coined == part);
    own(&lower) || lower.split('-').any(|part| part.len() > 2 && own(part))
}

/// The text without coined names.
fn bare(text: &str, subject: &Subject<'_>) -> String {
    let kept = text
        .split_whitespace()
        .filter(|word| !is_coined(word.trim_matches(|c: char| !c.is_alphanumeric()), subject));
    super::plain::plain(&kept.collect::<Vec<_>>().join(" "))
}
