use precedent_engine::domain::{Document, Location, Place, QuotableDocument, Span};
use precedent_engine::text::{Edit, EditKind};
use serde::{Deserialize, Serialize};

use super::{aligned::aligned, input};
use crate::ExitCode;
use crate::args::VerifyArguments;
use crate::exit::Failure;
use crate::printer::{Printer, plain, word};

#[derive(Debug, Deserialize)]
struct Asked {
    id: serde_json::Value,
    quote: String,
}

/// One answer, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Answer {
    id: serde_json::Value,
    /// `exact`, `close`, `altered`, `stitched`, `absent`, `too_short`.
    outcome: String,
    verified: bool,
    score: f64,
    ranges: Vec<Span>,
    /// The source's own characters at the ranges.
    text: Option<String>,
    edits: Vec<Edit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reasons: Vec<String>,
    #[serde(flatten)]
    place: Place,
}

/// `precedent verify`.
pub(super) fn run(typed: &VerifyArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let asked = match (&typed.quote, &typed.quotes) {
        (Some(quote), _) => vec![Asked {
            id: serde_json::Value::from(1),
            quote: quote.clone(),
        }],
        (None, Some(path)) => input::json_lines(path, r#"{"id": …, "quote": "…"}"#)?,
        (None, None) => Vec::new(),
    };
    let document = QuotableDocument::new(input::source_document(&typed.source)?);
    let mut verified = 0;
    let count = asked.len();
    for Asked { id, quote } in asked {
        let answer = answer(id, &document, &quote);
        verified += usize::from(answer.verified);
        if typed.json {
            printer.json(&answer)?;
        } else {
            printer.line(&readable(&answer, &quote, printer));
        }
    }
    if count > 1 {
        printer.note(&format!(
            "{verified} of {count} quotes stand in {}",
            typed.source.display()
        ));
    }
    Ok(ExitCode::Done)
}

fn answer(id: serde_json::Value, document: &QuotableDocument, quote: &str) -> Answer {
    let location = document.locate(quote);
    let (ranges, score, edits, reasons) = match &location {
        Location::Exact { span, score } => (vec![*span], *score, vec![], vec![]),
        Location::Close { span, score, edits } => (vec![*span], *score, edits.clone(), vec![]),
        Location::Altered {
            span,
            score,
            edits,
            reasons,
        } => (vec![*span], *score, edits.clone(), reasons.iter().map(word).collect()),
        Location::Stitched { spans, score, .. } => (spans.clone(), *score, vec![], vec![]),
        Location::Absent { best_score } => (vec![], *best_score, vec![], vec![]),
        _ => (vec![], 0.0, vec![], vec![]),
    };
    let source = document.document();
    Answer {
        id,
        outcome: outcome(&location),
        verified: location.verified(),
        score,
        text: slices(source, &ranges),
        place: ranges.first().map(|span| source.place(*span)).unwrap_or_default(),
        ranges,
        edits,
        reasons,
    }
}

/// The outcome's name as serde writes it.
fn outcome(location: &Location) -> String {
    let value = serde_json::to_value(location).unwrap_or_default();
    value
        .get("outcome")
        .and_then(serde_json::Value::as_str)
        .unwrap_or("absent")
        .to_owned()
}

/// The source's characters at the ranges; parts that stand apart are joined by an ellipsis in brackets.
fn slices(document: &Document, ranges: &[Span]) -> Option<String> {
    let parts: Vec<&str> = ranges.iter().filter_map(|span| document.slice(*span)).collect();
    (!parts.is_empty()).then(|| parts.join(" […] "))
}

fn readable(answer: &Answer, quote: &str, printer: Printer) -> String {
    let verdict = if answer.verified {
        "stands in the source"
    } else {
        "NOT verified"
    };
    let mut lines = vec![format!(
        "{} {verdict}  (score {:.3})",
        printer.strong(&answer.outcome.replace('_', " ")),
        answer.score
    )];
    let mut place = Vec::new();
    if let Some(page) = answer.place.page {
        place.push(format!("page {page}"));
    }
    if let Some(section) = &answer.place.section {
        place.push(plain(section));
    }
    if let Some(span) = answer.ranges.first() {
        place.push(format!(
            "bytes {}..{}",
            span.start,
            answer.ranges.last().unwrap_or(span).end
        ));
    }
    if !place.is_empty() {
        lines.push(format!("  where   {}", place.join(", ")));
    }
    match &answer.text {
        // Parts that stand apart, and what says the same, need no marks.
        Some(text) if answer.ranges.len() == 1 && answer.outcome != "exact" => {
            let (source, quote) = aligned(text, quote, printer);
            lines.push(format!("  source  {source}"));
            lines.push(format!("  quote   {quote}"));
        }
        text => {
            lines.extend(text.as_ref().map(|text| format!("  source  {}", plain(text))));
            lines.push(format!("  quote   {}", plain(quote)));
        }
    }
    if !answer.reasons.is_empty() {
        lines.push(format!("  because {}", answer.reasons.join(", ")));
    }
    for edit in &answer.edits {
        let (source, quote) = (plain(&edit.source), plain(&edit.quote));
        lines.push(match edit.kind {
            EditKind::Inserted => format!("  differs {}", printer.added(&quote)),
            EditKind::Deleted => format!("  differs {}", printer.removed(&source)),
            EditKind::Replaced => format!("  differs {} {}", printer.removed(&source), printer.added(&quote)),
        });
    }
    lines.join("\n")
}
