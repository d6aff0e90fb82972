//! What two texts share, for reading.

use precedent_engine::domain::Span;
use precedent_engine::text::{AlteredReason, OverlapKind, OverlapMark};

use super::aligned::aligned;
use super::overlap::{Difference, Passage};
use super::shown::{Run, beginning, wrapped};
use super::verify_shown::count;
use crate::printer::{Printer, plain};

/// Most differences of one passage that are told one by one.
const MOST_EDITS: usize = 8;
/// Words of one side of a difference that are shown.
const EDIT: usize = 12;
/// Words of a passage that something explains that are shown.
const EXPLAINED: usize = 24;
/// From this share on, a passage is nearly the same.
const NEARLY: f64 = 0.75;

/// One passage: how alike, where, both texts with what differs marked, what differs in words.
pub(super) fn readable(number: usize, passage: &Passage<'_>, target: &str, printer: Printer) -> String {
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
        // What is explained away needs nobody's time.
        lines.extend([a, b, text(&[Run::plain(&beginning(passage.a_text, EXPLAINED))])]);
        return ended(&lines);
    }
    if passage.kind == OverlapKind::ParaphraseCandidate {
        // Of other words no two are aligned.
        let (left, right) = (text(&[Run::plain(passage.a_text)]), text(&[Run::plain(passage.b_text)]));
        lines.extend([a, left, b, right]);
        return ended(&lines);
    }
    let sides = aligned(passage.a_text, passage.b_text, true);
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

/// How alike two passages are, in words that promise nothing more.
fn likeness(passage: &Passage<'_>) -> String {
    let words = count(passage.words, "word", "words");
    let agree = match passage.agreement {
        whole if whole >= 1.0 => "all words agree".to_owned(),
        share => format!("{:.0} % of the words agree", (share * 100.0).floor()),
    };
    match passage.kind {
        OverlapKind::Direct if passage.agreement >= 1.0 => format!("{words}, word for word"),
        OverlapKind::Direct => format!("{words}, nearly word for word ({agree}); single plain words differ"),
        OverlapKind::ParaphraseCandidate => {
            format!("perhaps a paraphrase: {words}. A candidate for reading, not a finding")
        }
        _ if passage.agreement < NEARLY => format!("{words}, in part the same ({agree})"),
        _ => {
            let turned = passage.edits.iter().any(|edit| turns(edit.reason));
            let but = if turned {
                "; what differs may change what is said"
            } else {
                ""
            };
            let order = if passage.edits.is_empty() && passage.agreement >= 0.9 {
                ", in another order"
            } else {
                ""
            };
            format!("{words}, nearly word for word{order} ({agree}){but}")
        }
    }
}

/// Whether a difference of this kind can turn what is said by a word.
fn turns(reason: AlteredReason) -> bool {
    !matches!(
        reason,
        AlteredReason::ContentWords | AlteredReason::ForeignPart | AlteredReason::UnmarkedGap | AlteredReason::Order
    )
}

/// What differs, one by one; what can turn the passage first. Of texts that are alike only in part nothing need be told.
fn edits(passage: &Passage<'_>) -> Vec<String> {
    if passage.agreement < NEARLY {
        return Vec::new();
    }
    let (turning, other): (Vec<_>, Vec<_>) = passage.edits.iter().partition(|edit| turns(edit.reason));
    let mut told: Vec<String> = turning
        .iter()
        .chain(&other)
        .take(MOST_EDITS)
        .map(|edit| difference(edit))
        .collect();
    if let Some(more @ 1..) = passage.edits.len().checked_sub(MOST_EDITS) {
        told.push(format!("and {more} more, all of them in --json"));
    }
    told
}

fn difference(edit: &Difference<'_>) -> String {
    let (a, b) = (beginning(edit.a_text, EDIT), beginning(edit.b_text, EDIT));
    let what = touches(edit.reason);
    match (a.is_empty(), b.is_empty()) {
        (_, true) => format!("b leaves out “{a}”{what}"),
        (true, _) => format!("a leaves out “{b}”{what}"),
        _ => format!("a says “{a}” where b says “{b}”{what}"),
    }
}

/// What a difference touches, in brackets; nothing where the words say it.
fn touches(reason: AlteredReason) -> &'static str {
    match reason {
        AlteredReason::Negation => " (denial)",
        AlteredReason::Number => " (number or unit)",
        AlteredReason::Comparison => " (comparison or direction)",
        AlteredReason::Name => " (name)",
        AlteredReason::Quantifier => " (how much or how surely)",
        AlteredReason::Sign => " (sign)",
        _ => "",
    }
}

/// What a mark says of a passage.
fn explanation(mark: OverlapMark) -> &'static str {
    match mark {
        OverlapMark::ReferenceList => "explained: entries of a reference list",
        OverlapMark::QuotedWithCitation => "explained: in quotation marks, with a citation beside it",
        OverlapMark::Boilerplate => {
            "explained: boilerplate (a formula of publishers or forms, or common to several of these texts)"
        }
        _ => "explained",
    }
}

/// How much was found: passages that nothing explains, explained ones, candidates for paraphrase.
pub(super) fn summary((open, explained, candidates): (usize, usize, usize), min_words: u16) -> String {
    let mut note = count(open + explained, "shared passage", "shared passages");
    note.push_str(&format!(" of {min_words} words or more"));
    if explained > 0 {
        note.push_str(&format!(", {explained} of them explained"));
    }
    if candidates > 0 {
        let candidates = count(candidates, "candidate", "candidates");
        note.push_str(&format!("; {candidates} for paraphrase, to be read"));
    }
    note
}
