//! Innocent explanations for a shared passage.

use crate::citation::is_citation;
use crate::{OverlapMark, SharedPassage, Span};

/// The marks of a passage, from its context in both texts.
pub(crate) fn marks(a: &str, b: &str, passage: &SharedPassage) -> Vec<OverlapMark> {
    let either = |test: fn(&str, Span) -> bool| test(a, passage.a) || test(b, passage.b);
    let mut found = Vec::new();
    if either(in_reference_list) {
        found.push(OverlapMark::ReferenceList);
    }
    if either(quoted_with_citation) {
        found.push(OverlapMark::QuotedWithCitation);
    }
    if either(formula) {
        found.push(OverlapMark::Boilerplate);
    }
    found
}

/// Whether a passage reads like reference list entries: years, initials, names and venues close together.
fn in_reference_list(text: &str, span: Span) -> bool {
    let slice = span.slice(text).unwrap_or_default();
    let words: Vec<&str> = slice
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let total = words.len();
    let years = words
        .iter()
        .filter(|word| {
            word.len() == 4 && matches!(word.get(..2), Some("19" | "20")) && word.bytes().all(|b| b.is_ascii_digit())
        })
        .count();
    let initials = words
        .iter()
        .filter(|word| word.chars().count() == 1 && word.chars().all(char::is_uppercase))
        .count();
    let printed = [
        "proc",
        "proceedings",
        "conference",
        "journal",
        "trans",
        "transactions",
        "arxiv",
        "pp",
        "pages",
        "vol",
        "doi",
        "press",
        "preprint",
        "acl",
        "ieee",
        "acm",
    ];
    let published = words
        .iter()
        .filter(|word| printed.contains(&word.to_lowercase().as_str()))
        .count();
    let capitals = words.iter().filter(|word| word.starts_with(char::is_uppercase)).count();
    years >= 2 && years * 45 >= total && (initials + published) * 20 >= total && capitals * 3 >= total
}

/// Maximum distance from a passage to its quotation marks and its citation, in bytes.
const QUOTE_REACH: usize = 16;
const CITATION_REACH: usize = 100;

/// Whether a passage is in quotation marks and next to a citation.
fn quoted_with_citation(text: &str, span: Span) -> bool {
    let head = text.floor_char_boundary(span.start.saturating_sub(QUOTE_REACH));
    let inner = text.floor_char_boundary((span.start + QUOTE_REACH).min(span.end));
    let opens = text.get(head..inner).is_some_and(|around| {
        around.contains(['“', '"', '«', '„', '「']) || around.contains("``") || around.contains("\n> ")
    });
    let tail = text.ceil_char_boundary(span.end.saturating_sub(QUOTE_REACH).max(span.start));
    let outer = text.ceil_char_boundary(span.end.saturating_add(QUOTE_REACH).min(text.len()));
    let closes = text
        .get(tail..outer)
        .is_some_and(|around| around.contains(['”', '"', '»', '“', '」']) || around.contains("''"));
    let block = text.get(head..span.start).is_some_and(|before| before.ends_with("> "));
    (opens && closes || block) && cited(text, span)
}

fn cited(text: &str, span: Span) -> bool {
    let from = text.floor_char_boundary(span.start.saturating_sub(CITATION_REACH));
    let to = text.ceil_char_boundary(span.end.saturating_add(CITATION_REACH).min(text.len()));
    let around = [text.get(from..span.start), text.get(span.end..to)];
    around.into_iter().flatten().any(|stretch| {
        let starts = stretch.char_indices().filter(|(_, c)| matches!(c, '(' | '['));
        starts.into_iter().any(|(start, open)| {
            let close = if open == '(' { ')' } else { ']' };
            let rest = stretch.get(start..).unwrap_or_default();
            rest.find(close)
                .and_then(|end| rest.get(..=end))
                .is_some_and(is_citation)
        })
    })
}

/// Set phrases of publishers, licences and forms, in lower case: fixed legal and editorial wording, not topics.
const FORMULAS: &[&str] = &[
    "permission to make digital or hard copies",
    "creative commons",
    "all rights reserved",
    "permits unrestricted use",
    "competing interests",
    "conflict of interest",
    "had no role in study design",
    "the answer na means",
    "neurips code of ethics",
    "neurips code and data submission",
    "paper checklist",
    "informed consent",
    "institutional review board",
    "copyright",
    "for more details guidelines",
    "authors are encouraged to create",
];

/// Maximum words of a passage that one set phrase explains.
const WORDS_A_FORMULA: usize = 90;

/// Whether a passage consists of set phrases of publishers, licences or checklists.
fn formula(text: &str, span: Span) -> bool {
    let slice = span.slice(text).unwrap_or_default().to_lowercase();
    let plain = crate::one_line(&slice);
    let weight_of = |phrases: &[&str]| {
        phrases
            .iter()
            .map(|phrase| plain.matches(phrase).count())
            .sum::<usize>()
    };
    // A completed form: its questions are the same in every paper.
    let fields = weight_of(&["question:", "answer:", "justification:", "guidelines:"]);
    let formulas = weight_of(FORMULAS) + if fields >= 2 { fields } else { 0 };
    // One set phrase does not explain a page.
    plain.split(' ').count() <= WORDS_A_FORMULA * formulas
}
