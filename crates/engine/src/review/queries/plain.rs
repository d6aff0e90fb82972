use std::collections::BTreeSet;

use precedent_domain::{EvidenceKind, KnowledgeQuery, title_key};
use precedent_language::wording::{content_stems, is_function_word, word_count};

/// Maximum queries of a kind in the first round, over all parts (InnoEval: 6 to 10 titles, 3 to 5 for the web, 8 to 12 for code).
const MOST: [(EvidenceKind, usize); 3] = [
    (EvidenceKind::Literature, 10),
    (EvidenceKind::Web, 5),
    (EvidenceKind::Code, 12),
];
/// Maximum queries for the web in a later round (InnoEval: 4 to 8).
const MOST_REFINED_WEB: usize = 8;
/// Maximum words of a query, by kind. Repository services require every word to match one line of a record.
const WORDS: [(EvidenceKind, usize); 3] = [
    (EvidenceKind::Literature, 12),
    (EvidenceKind::Web, 12),
    (EvidenceKind::Code, 5),
];

/// Maximum characters of a word, and how many are kept of a longer one.
const LONGEST_WORD: usize = 30;
const HEAD: usize = 12;

/// Maximum queries of a kind in a round, the first or a later one.
pub(super) fn most(kind: EvidenceKind, later: bool) -> usize {
    match (kind, later) {
        (EvidenceKind::Web, true) => MOST_REFINED_WEB,
        _ => MOST.iter().find(|(one, _)| *one == kind).map_or(0, |(_, most)| *most),
    }
}

/// Removes everything but words, so that a query contains no operator.
pub(super) fn plain(text: &str) -> String {
    let kept = text.chars().map(|c| {
        if c.is_alphanumeric() || matches!(c, '-' | '+' | '#' | '\'' | '’') {
            c
        } else {
            ' '
        }
    });
    let kept: String = kept.collect();
    let words = kept
        .split_whitespace()
        .map(|word| word.trim_start_matches(['-', '+', '\'', '’']));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Cuts a query to the words that its kind allows, without function words at the end; `None` if nothing meaningful is left.
pub(super) fn fitted(text: &str, kind: EvidenceKind) -> Option<String> {
    let most = WORDS.iter().find(|(one, _)| *one == kind).map_or(0, |(_, most)| *most);
    let text = plain(text);
    // In scripts without spaces a sentence is one word. Only its beginning is used: the whole of it would be the idea.
    let short = |word| match str::chars(word).count() {
        0..=LONGEST_WORD => word,
        _ => word
            .char_indices()
            .nth(HEAD)
            .map_or(word, |(end, _)| word.get(..end).unwrap_or(word)),
    };
    let words = text.split(' ').filter(|word| !word.is_empty()).map(short);
    let mut words: Vec<&str> = words.take(most).collect();
    while words.last().is_some_and(|last| is_function_word(&last.to_lowercase())) {
        words.pop();
    }
    let text = words.join(" ");
    let says = !content_stems(&text).is_empty() || title_key(&text).chars().any(char::is_alphanumeric);
    (says && word_count(&text) > 0 && text.chars().count() <= 160).then_some(text)
}

/// The queries to send: of the given kinds, in plain words, without repetitions, and limited per kind and round.
pub(crate) fn settled(
    queries: impl IntoIterator<Item = KnowledgeQuery>,
    kinds: &[EvidenceKind],
    asked: &[KnowledgeQuery],
) -> Vec<KnowledgeQuery> {
    let mut known: BTreeSet<(EvidenceKind, String)> =
        asked.iter().map(|one| (one.kind, title_key(&one.text))).collect();
    let mut kept: Vec<KnowledgeQuery> = Vec::new();
    for one in queries {
        let count = kept.iter().filter(|other| other.kind == one.kind).count();
        if !kinds.contains(&one.kind) || count >= most(one.kind, !asked.is_empty()) {
            continue;
        }
        if let Some(text) = fitted(&one.text, one.kind)
            && known.insert((one.kind, title_key(&text)))
        {
            kept.push(KnowledgeQuery { text, ..one });
        }
    }
    kept.sort_by_key(|one| one.kind);
    kept
}
