//! What became of a quote, for reading.

use precedent_engine::domain::{Place, Span};
use precedent_engine::text::{AlteredReason, Edit, EditKind};

use super::aligned::aligned;
use super::shown::{Run, beginning, units, wrapped};
use super::verify::{Answer, LeftOut, Outcome, Prepared, Rest};
use crate::printer::{Printer, Style, plain, word};

/// Words of what was left out that are shown.
const LEFT_OUT: usize = 40;
/// Words of one side of a difference that are shown.
const EDIT: usize = 12;

/// The verdict on an outcome.
fn verdict(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Exact => "exact: stands in the source word for word",
        Outcome::Close => "close: stands in the source but for small edits",
        Outcome::Altered => "altered, NOT verified: it stands there otherwise",
        Outcome::Stitched => "stitched: its pieces stand in the source, each by itself",
        Outcome::Absent => "absent, NOT verified: it does not stand in the source",
        Outcome::TooShort => "too short, NOT verified: it was not looked for",
    }
}

pub(super) fn readable(answer: &Answer, quote: &str, single: bool, source: &Prepared, printer: Printer) -> String {
    let mut head = verdict(answer.outcome).to_owned();
    if !single {
        head = format!("{}  {head}", plain(&answer.id.to_string()));
    }
    if answer.sentence_before.is_some() || answer.sentence_after.is_some() {
        head.push_str(", cut out of a longer sentence");
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
            let told = rest.as_ref().map(|rest| {
                let shown = beginning(&rest.text, LEFT_OUT);
                format!("{side} piece its sentence says “{shown}”")
            });
            lines.extend(told.map(|told| line("sentence", &[Run::plain(&told)])));
        }
    }
    lines.extend(answer.lead_in.as_ref().map(|lead| {
        let shown = beginning(&lead.text, LEFT_OUT);
        line("lead-in", &[Run::plain(&format!("it stands under “{shown}”"))])
    }));
    let cuts = [(&answer.cut_off_before, "before"), (&answer.cut_off_after, "after")];
    for (cut, side) in cuts {
        let told = cut.as_ref().map(|cut| {
            let shown = beginning(&cut.text, EDIT);
            format!("just {side} it the source says “{shown}”, which the quote leaves out")
        });
        lines.extend(told.map(|told| line("context", &[Run::plain(&told)])));
    }
    if answer.occurrences > 1 {
        let told = format!("its words stand in {} places; this is the first", answer.occurrences);
        lines.push(line("also", &[Run::plain(&told)]));
    }
    if !answer.reasons.is_empty() {
        let reasons: Vec<String> = answer.reasons.iter().map(reason).collect();
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

/// The source's words with the rest of their sentence, marked as left out.
fn in_sentence(answer: &Answer, said: Vec<Run>) -> Vec<Run> {
    let left_out = |rest: &Option<Rest>| {
        rest.as_ref().map(|rest| Run {
            units: units(&rest.text),
            style: Style::Removed,
        })
    };
    let before = left_out(&answer.sentence_before);
    before
        .into_iter()
        .chain(said)
        .chain(left_out(&answer.sentence_after))
        .collect()
}

/// The pieces of a stitched quote, with what it leaves out between them.
fn pieces(answer: &Answer, quote: &str, source: &Prepared, line: &dyn Fn(&str, &[Run]) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, (at, number_of_line, text)) in source.pieces(quote).iter().enumerate() {
        let text = format!(
            "{} “{text}”",
            place(at, Some(*number_of_line), answer.ranges.get(number)).unwrap_or_default()
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
                .map(|border| format!(", over the end of a {}", word(border)));
            let held = match limits.as_slice() {
                [] => String::new(),
                some => format!(", among them “{}”", plain(&some.join("”, “"))),
            };
            let shown = beginning(text, LEFT_OUT);
            let shown = format!("{words}{}{held}: “{shown}”", over.unwrap_or_default());
            lines.push(line("left out", &[Run::plain(&shown)]));
        }
    }
    lines.push(line("quote", &[Run::plain(quote)]));
    lines
}

/// How many quotes came out how.
pub(super) fn summary(outcomes: &[Outcome], source: &str) -> String {
    let all = [
        (Outcome::Exact, "exact"),
        (Outcome::Close, "close"),
        (Outcome::Stitched, "stitched (only its pieces stand there)"),
        (Outcome::Altered, "altered"),
        (Outcome::Absent, "absent"),
        (Outcome::TooShort, "too short"),
    ];
    let told: Vec<String> = all
        .iter()
        .filter_map(|(outcome, name)| {
            let number = outcomes.iter().filter(|one| *one == outcome).count();
            (number > 0).then(|| format!("{number} {name}"))
        })
        .collect();
    format!(
        "{} looked for in {source}: {}",
        count(outcomes.len(), "quote", "quotes"),
        told.join(", ")
    )
}

/// Page, section and line, as far as they are known, and the bytes last.
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

/// Why a difference counts, in words.
pub(super) fn reason(reason: &AlteredReason) -> String {
    match reason {
        AlteredReason::Negation => "a denial came or went",
        AlteredReason::Number => "a number or unit differs",
        AlteredReason::Comparison => "a comparison or direction is turned",
        AlteredReason::Name => "a name differs",
        AlteredReason::Quantifier => "how much, how often or how surely differs",
        AlteredReason::ContentWords => "other words stand there",
        AlteredReason::ForeignPart => "a part stands elsewhere or nowhere",
        AlteredReason::Order => "the same words in another order",
        AlteredReason::UnmarkedGap => "words are left out and nothing says so",
        AlteredReason::Sign => "a sign or a letter of a formula differs",
        other => return word(other),
    }
    .to_owned()
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
        EditKind::Deleted => format!("the quote leaves out “{source}”{note}"),
        EditKind::Replaced => format!("the quote says “{quote}” where the source says “{source}”{note}"),
    }
}
