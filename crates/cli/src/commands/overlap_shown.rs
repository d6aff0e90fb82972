//! Readable output of `overlap`.

use precedent_app::overlap::{Difference, Passage};
use precedent_engine::domain::Span;
use precedent_engine::text::{AlteredReason, OverlapKind, OverlapMark};

use super::aligned::aligned;
use super::shown::{Run, beginning, wrapped};
use super::verify_shown::count;
use crate::printer::{Printer, plain};

/// Maximum number of differences listed per passage.
const MOST_EDITS: usize = 8;
/// Maximum number of words shown of one side of a difference.
const EDIT: usize = 12;
/// Maximum number of words shown of an explained passage.
const EXPLAINED: usize = 24;
/// Minimum agreement of a nearly identical passage.
const NEARLY: f64 = 0.75;
/// Minimum agreement of a passage without differences in its words, so that only their order differs.
const REORDERED: f64 = 0.9;

/// One passage: similarity, location, both texts with marked differences, and a list of the differences.
pub(super) fn readable(number: usize, passage: &Passage, target: &str, printer: Printer) -> String {
    let head = wrapped(&format!("{number}. "), &[Run::plain(&likeness(passage))], printer);
    let mut lines = vec![printer.strong(&head)];
    for mark in &passage.marks {
        lines.push(wrapped("   ", &[Run::plain(explanation(*mark))], printer));
    }
    let place = |side: &str, file: &str, (page, line): (Option<u32>, usize), span: Span| {
        let at = page.map_or_else(|| format!("line {line}"), |page| format!("page {page}"));
        let place = format!("{}, {at} (bytes {}..{})", plain(file), span.start, span.end);
        wrapped(&format!("   {side}  "), &[Run::plain(&place)], printer)
    };
    let (a, b) = (
        place("a", target, (passage.a_page, passage.a_line), passage.a),
        place("b", &passage.b_file, (passage.b_page, passage.b_line), passage.b),
    );
    let text = |runs: &[Run]| wrapped("      ", runs, printer);
    if !passage.marks.is_empty() {
        // Explained passages are shown briefly, because they need no review.
        lines.extend([a, b, text(&[Run::plain(&beginning(&passage.a_text, EXPLAINED))])]);
        return ended(&lines);
    }
    if passage.kind == OverlapKind::ParaphraseCandidate {
        // Paraphrases share too few words to be aligned.
        let (left, right) = (
            text(&[Run::plain(&passage.a_text)]),
            text(&[Run::plain(&passage.b_text)]),
        );
        lines.extend([a, left, b, right]);
        return ended(&lines);
    }
    let sides = aligned(&passage.a_text, &passage.b_text, true);
    if sides.alike {
        lines.extend([a, b, text(&sides.a)]);
    } else {
        lines.extend([a, text(&sides.a), b, text(&sides.b)]);
    }
    lines.extend(
        edits(passage)
            .iter()
            .map(|edit| wrapped("   -  ", &[Run::plain(edit)], printer)),
    );
    ended(&lines)
}

fn ended(lines: &[String]) -> String {
    format!("{}\n", lines.join("\n"))
}

/// Describes the similarity of two passages, without further judgement.
fn likeness(passage: &Passage) -> String {
    let words = count(passage.words, "word", "words");
    let agree = match passage.agreement {
        whole if whole >= 1.0 => "all words agree".to_owned(),
        share => format!("{:.0} % of the words agree", (share * 100.0).floor()),
    };
    match passage.kind {
        OverlapKind::Direct if passage.agreement >= 1.0 => format!("{words}, word for word"),
        OverlapKind::Direct => format!("{words}, nearly word for word ({agree}); only single minor words differ"),
        OverlapKind::ParaphraseCandidate => {
            format!("possible paraphrase: {words}; needs a human reader")
        }
        _ if passage.agreement < NEARLY => format!("{words}, partly the same ({agree})"),
        _ => {
            let turned = passage.edits.iter().any(|edit| turns(edit.reason));
            let but = if turned {
                "; the differences may change the meaning"
            } else {
                ""
            };
            let order = if passage.edits.is_empty() && passage.agreement >= REORDERED {
                ", in another order"
            } else {
                ""
            };
            format!("{words}, nearly word for word{order} ({agree}){but}")
        }
    }
}

/// Whether a difference of this kind can change the meaning with a single word.
fn turns(reason: AlteredReason) -> bool {
    !matches!(
        reason,
        AlteredReason::ContentWords | AlteredReason::ForeignPart | AlteredReason::UnmarkedGap | AlteredReason::Order
    )
}

/// The differences, starting with those that can change the meaning. Empty for passages that are only partly the same.
fn edits(passage: &Passage) -> Vec<String> {
    if passage.agreement < NEARLY {
        return Vec::new();
    }
    let (turning, other): (Vec<_>, Vec<_>) = passage.edits.iter().partition(|edit| turns(edit.reason));
    let mut parts: Vec<String> = turning
        .iter()
        .chain(&other)
        .take(MOST_EDITS)
        .map(|edit| difference(edit))
        .collect();
    if let Some(more @ 1..) = passage.edits.len().checked_sub(MOST_EDITS) {
        parts.push(format!("and {more} more, see --json"));
    }
    parts
}

fn difference(edit: &Difference) -> String {
    let (a, b) = (beginning(&edit.a_text, EDIT), beginning(&edit.b_text, EDIT));
    let what = touches(edit.reason);
    match (a.is_empty(), b.is_empty()) {
        (_, true) => format!("b omits “{a}”{what}"),
        (true, _) => format!("a omits “{b}”{what}"),
        _ => format!("a says “{a}” where b says “{b}”{what}"),
    }
}

/// The kind of a difference in parentheses, or nothing if the words show it.
fn touches(reason: AlteredReason) -> &'static str {
    match reason {
        AlteredReason::Negation => " (negation)",
        AlteredReason::Number => " (number or unit)",
        AlteredReason::Comparison => " (comparison or direction)",
        AlteredReason::Name => " (name)",
        AlteredReason::Quantifier => " (amount or certainty)",
        AlteredReason::Sign => " (sign)",
        _ => "",
    }
}

/// Explanation of a mark.
fn explanation(mark: OverlapMark) -> &'static str {
    match mark {
        OverlapMark::ReferenceList => "explained: entries of a reference list",
        OverlapMark::QuotedWithCitation => "explained: in quotation marks with a citation",
        OverlapMark::Boilerplate => {
            "explained: boilerplate (a standard phrase of publishers or forms, or common to several of these texts)"
        }
        _ => "explained",
    }
}

/// Summary of the numbers of unexplained passages, explained passages and paraphrase candidates.
pub(super) fn summary((open, explained, candidates): (usize, usize, usize), min_words: u16) -> String {
    let mut note = count(open + explained, "shared passage", "shared passages");
    note.push_str(&format!(" of {min_words} words or more"));
    if explained > 0 {
        note.push_str(&format!(", {explained} of them explained"));
    }
    if candidates > 0 {
        let candidates = count(candidates, "candidate", "candidates");
        note.push_str(&format!("; {candidates} for paraphrase that need a human reader"));
    }
    note
}
