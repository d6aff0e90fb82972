//! Readable output of `verify`.

use precedent_app::verify::{LeftOut, Outcome, QuotePiece, Rest};
use precedent_app::{OpenedText, VerifyAnswer};
use precedent_engine::domain::{Place, Span};
use precedent_engine::text::{Edit, EditKind};
use precedent_report::altered_reason;

use super::aligned::aligned;
use super::shown::{Run, beginning, units, wrapped};
use crate::printer::{Printer, Style, plain, word};

/// Maximum number of words shown of omitted text.
const LEFT_OUT: usize = 40;
/// Maximum number of words shown of one side of a difference.
const EDIT: usize = 12;

/// Headline of an outcome.
fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Exact => "exact: the source contains it word for word",
        Outcome::Close => "close: the source contains it with small edits",
        Outcome::Altered => "altered, NOT verified: the source says it differently",
        Outcome::Stitched => "stitched: the source contains its pieces separately",
        Outcome::Absent => "absent, NOT verified: the source does not contain it",
        Outcome::TooShort => "too short, NOT verified: not checked",
    }
}

pub(super) fn readable(
    answer: &VerifyAnswer,
    quote: &str,
    single: bool,
    source: &OpenedText,
    printer: Printer,
) -> String {
    let mut head = verdict(answer.outcome).to_owned();
    if !single {
        head = format!("{}  {head}", plain(&answer.id.to_string()));
    }
    if answer.sentence_before.is_some() || answer.sentence_after.is_some() {
        head.push_str(", part of a longer sentence");
    }
    let mut lines = vec![printer.strong(&head)];
    let line = |name: &str, runs: &[Run]| wrapped(&format!("  {name:<9}"), runs, printer);
    match answer.outcome {
        Outcome::Stitched => lines.extend(pieces(answer, quote, source, &line)),
        Outcome::Exact => {
            lines.extend(
                place(&answer.place, answer.line, answer.ranges.first())
                    .map(|place| line("where", &[Run::plain(&place)])),
            );
            let text = answer.text.as_ref();
            lines.extend(text.map(|text| line("source", &in_sentence(answer, vec![Run::plain(text)]))));
        }
        _ => {
            lines.extend(
                place(&answer.place, answer.line, answer.ranges.first())
                    .map(|place| line("where", &[Run::plain(&place)])),
            );
            match &answer.text {
                Some(text) => {
                    let sides = aligned(text, quote, false);
                    lines.push(line("source", &in_sentence(answer, sides.a)));
                    lines.push(line("quote", &sides.b));
                }
                None => lines.push(line("quote", &[Run::plain(quote)])),
            }
        }
    }
    if answer.outcome == Outcome::Stitched {
        let rests = [
            (&answer.sentence_before, "before the first"),
            (&answer.sentence_after, "after the last"),
        ];
        for (rest, side) in rests {
            let text = rest.as_ref().map(|rest| {
                let shown = beginning(&rest.text, LEFT_OUT);
                format!("{side} piece, its sentence says “{shown}”")
            });
            lines.extend(text.map(|text| line("sentence", &[Run::plain(&text)])));
        }
    }
    lines.extend(answer.lead_in.as_ref().map(|lead| {
        let shown = beginning(&lead.text, LEFT_OUT);
        line("lead-in", &[Run::plain(&format!("introduced by “{shown}”"))])
    }));
    let cuts = [(&answer.cut_off_before, "before"), (&answer.cut_off_after, "after")];
    for (cut, side) in cuts {
        let text = cut.as_ref().map(|cut| {
            let shown = beginning(&cut.text, EDIT);
            format!("just {side} it, the source says “{shown}”, which the quote omits")
        });
        lines.extend(text.map(|text| line("context", &[Run::plain(&text)])));
    }
    if answer.occurrences > 1 {
        let text = format!("its words occur in {} places; this is the first", answer.occurrences);
        lines.push(line("also", &[Run::plain(&text)]));
    }
    if !answer.reasons.is_empty() {
        let reasons: Vec<&str> = answer.reasons.iter().map(|one| altered_reason(*one)).collect();
        lines.push(line("because", &[Run::plain(&reasons.join("; "))]));
    }
    lines.extend(
        answer
            .edits
            .iter()
            .map(|edit| line("differs", &[Run::plain(&difference(edit))])),
    );
    lines.extend(answer.note.as_ref().map(|note| line("note", &[Run::plain(note)])));
    lines.join("\n")
}

/// The source's words with the rest of their sentence marked as omitted.
fn in_sentence(answer: &VerifyAnswer, runs: Vec<Run>) -> Vec<Run> {
    let left_out = |rest: &Option<Rest>| {
        rest.as_ref().map(|rest| Run {
            units: units(&rest.text),
            style: Style::Removed,
        })
    };
    let before = left_out(&answer.sentence_before);
    before
        .into_iter()
        .chain(runs)
        .chain(left_out(&answer.sentence_after))
        .collect()
}

/// The pieces of a stitched quote and the omitted text between them.
fn pieces(
    answer: &VerifyAnswer,
    quote: &str,
    source: &OpenedText,
    line: &dyn Fn(&str, &[Run]) -> String,
) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, piece) in source.pieces(quote).iter().enumerate() {
        let QuotePiece {
            place: at,
            line: start,
            text,
        } = piece;
        let text = format!(
            "{} “{text}”",
            place(at, Some(*start), answer.ranges.get(number)).unwrap_or_default()
        );
        lines.push(line(&format!("piece {}", number + 1), &[Run::plain(&text)]));
        if let Some(LeftOut {
            words,
            text,
            crosses,
            limits,
            ..
        }) = answer.left_out.get(number)
        {
            let words = count(*words, "word", "words");
            let over = crosses
                .as_ref()
                .map(|border| format!(", across the end of a {}", word(border)));
            let held = match limits.as_slice() {
                [] => String::new(),
                some => format!(", including “{}”", plain(&some.join("”, “"))),
            };
            let shown = beginning(text, LEFT_OUT);
            let shown = format!("{words}{}{held}: “{shown}”", over.unwrap_or_default());
            lines.push(line("left out", &[Run::plain(&shown)]));
        }
    }
    lines.push(line("quote", &[Run::plain(quote)]));
    lines
}

/// Number of quotes per outcome.
pub(super) fn summary(outcomes: &[Outcome], source: &str) -> String {
    let all = [
        (Outcome::Exact, "exact"),
        (Outcome::Close, "close"),
        (Outcome::Stitched, "stitched (only the pieces match)"),
        (Outcome::Altered, "altered"),
        (Outcome::Absent, "absent"),
        (Outcome::TooShort, "too short"),
    ];
    let text: Vec<String> = all
        .iter()
        .filter_map(|(outcome, name)| {
            let number = outcomes.iter().filter(|one| *one == outcome).count();
            (number > 0).then(|| format!("{number} {name}"))
        })
        .collect();
    format!(
        "{} checked against {source}: {}",
        count(outcomes.len(), "quote", "quotes"),
        text.join(", ")
    )
}

/// Page, section and line, if known, then the byte range.
fn place(place: &Place, line: Option<usize>, range: Option<&Span>) -> Option<String> {
    let range = range?;
    let page = place.page.map(|page| format!("page {page}"));
    let section = place
        .section
        .as_deref()
        .filter(|section| !section.trim().is_empty())
        .map(plain);
    let line = line.filter(|_| place.page.is_none()).map(|line| format!("line {line}"));
    let parts = page.into_iter().chain(section).chain(line);
    let known = parts.collect::<Vec<_>>().join(", ");
    Some(format!("{known} (bytes {}..{})", range.start, range.end))
}

pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn difference(edit: &Edit) -> String {
    let (source, quote) = (beginning(&edit.source, EDIT), beginning(&edit.quote, EDIT));
    let note = edit
        .note
        .as_ref()
        .map(|note| format!(" ({})", word(note)))
        .unwrap_or_default();
    match edit.kind {
        EditKind::Inserted => format!("the quote adds “{quote}”{note}"),
        EditKind::Deleted => format!("the quote omits “{source}”{note}"),
        EditKind::Replaced => format!("the quote says “{quote}” where the source says “{source}”{note}"),
    }
}
