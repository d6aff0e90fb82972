//! What became of a quote, for reading.

use precedent_engine::domain::{Place, Span};
use precedent_engine::text::{AlteredReason, Edit, EditKind};

use super::aligned::aligned;
use super::shown::{Run, beginning, wrapped};
use super::verify::{Answer, LeftOut, Outcome, Prepared};
use crate::printer::{Printer, plain, word};

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
    let score = match answer.outcome {
        Outcome::TooShort => String::new(),
        _ => format!("  (score {})", decimals(answer.score)),
    };
    let mut lines = vec![format!("{}{score}", printer.strong(&head))];
    let line = |name: &str, runs: &[Run]| wrapped(&format!("  {name:<9}"), runs, printer);
    match answer.outcome {
        Outcome::Stitched => lines.extend(pieces(answer, quote, source, &line)),
        Outcome::Exact => {
            lines.extend(place(&answer.place, answer.ranges.first()).map(|place| line("where", &[Run::plain(&place)])));
            lines.extend(answer.text.as_ref().map(|text| line("source", &[Run::plain(text)])));
        }
        _ => {
            lines.extend(place(&answer.place, answer.ranges.first()).map(|place| line("where", &[Run::plain(&place)])));
            match &answer.text {
                Some(text) => {
                    let sides = aligned(text, quote, false);
                    lines.push(line("source", &sides.a));
                    lines.push(line("quote", &sides.b));
                }
                None => lines.push(line("quote", &[Run::plain(quote)])),
            }
        }
    }
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

/// The pieces of a stitched quote, with what it leaves out between them.
fn pieces(answer: &Answer, quote: &str, source: &Prepared, line: &dyn Fn(&str, &[Run]) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, (at, text)) in source.pieces(quote).iter().enumerate() {
        let text = format!("{} “{text}”", place(at, answer.ranges.get(number)).unwrap_or_default());
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

fn place(place: &Place, range: Option<&Span>) -> Option<String> {
    let range = range?;
    let page = place.page.map(|page| format!("page {page}"));
    let section = place
        .section
        .as_deref()
        .filter(|section| !section.trim().is_empty())
        .map(plain);
    let parts = page
        .into_iter()
        .chain(section)
        .chain([format!("bytes {}..{}", range.start, range.end)]);
    Some(parts.collect::<Vec<_>>().join(", "))
}

/// Three decimals, cut off: what is not whole never looks whole.
pub(super) fn decimals(score: f64) -> String {
    format!("{:.3}", (score * 1000.0 + 1e-9).floor() / 1000.0)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_whole_never_looks_whole() {
        assert_eq!(decimals(1.0), "1.000");
        assert_eq!(decimals(0.999_96), "0.999");
        assert_eq!(decimals(0.7), "0.700");
        assert_eq!(decimals(0.0), "0.000");
    }
}
