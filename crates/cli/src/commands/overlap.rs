use precedent_engine::domain::{Document, QuotableDocument, Span};
use precedent_engine::text::{OverlapOptions, SharedPassage, Source, overlap};
use serde::Serialize;

use super::input;
use crate::ExitCode;
use crate::args::OverlapArguments;
use crate::exit::Failure;
use crate::printer::{Printer, plain, word};

#[derive(Debug, Serialize)]
struct Answer<'a> {
    passages: Vec<Passage<'a>>,
}

#[derive(Debug, Serialize)]
struct Passage<'a> {
    /// The file that `b` is in.
    b_file: String,
    #[serde(flatten)]
    shared: SharedPassage,
    a_text: &'a str,
    b_text: &'a str,
}

/// `precedent overlap`.
pub(super) fn run(typed: &OverlapArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let target = QuotableDocument::new(input::source_document(&typed.target)?);
    let others = typed
        .others
        .iter()
        .map(|path| input::source_document(path).map(QuotableDocument::new))
        .collect::<Result<Vec<_>, _>>()?;
    let sources: Vec<&Source> = others.iter().map(QuotableDocument::source).collect();
    let options = OverlapOptions {
        min_words: usize::from(typed.min_words),
    };
    let mut passages = Vec::new();
    for found in overlap(target.source(), &sources, &options) {
        let (Some(other), Some(path)) = (others.get(found.candidate), typed.others.get(found.candidate)) else {
            continue;
        };
        for shared in found.passages {
            let (Some(a_text), Some(b_text)) = (
                shared.a.slice(target.source().text()),
                shared.b.slice(other.source().text()),
            ) else {
                continue;
            };
            passages.push((
                other,
                Passage {
                    b_file: path.display().to_string(),
                    shared,
                    a_text,
                    b_text,
                },
            ));
        }
    }
    if typed.json {
        printer.json(&Answer {
            passages: passages.into_iter().map(|(_, passage)| passage).collect(),
        })?;
        return Ok(ExitCode::Done);
    }
    for (other, passage) in &passages {
        printer.line(&readable(passage, target.document(), other.document(), printer));
    }
    let count = passages.len();
    let plural = if count == 1 { "passage" } else { "passages" };
    printer.note(&format!("{count} shared {plural} of {} words or more", typed.min_words));
    Ok(ExitCode::Done)
}

fn readable(passage: &Passage<'_>, a: &Document, b: &Document, printer: Printer) -> String {
    let mut head = format!(
        "{} words, {}, {:.0} % agree",
        passage.shared.words,
        word(&passage.shared.kind),
        passage.shared.agreement * 100.0
    );
    for mark in &passage.shared.marks {
        head.push_str(&format!(", {}", word(mark)));
    }
    let (left, right) = marked(passage.a_text, passage.b_text, printer);
    format!(
        "{}\n  a {}  {left}\n  b {} {}  {right}\n",
        printer.strong(&head),
        place(a, passage.shared.a),
        plain(&passage.b_file),
        place(b, passage.shared.b),
    )
}

fn place(document: &Document, span: Span) -> String {
    let place = document.place(span);
    let page = place.page.map(|page| format!("page {page}, ")).unwrap_or_default();
    format!("({page}bytes {}..{})", span.start, span.end)
}

/// Both texts with the words that differ marked, aligned word by word.
fn marked(a: &str, b: &str, printer: Printer) -> (String, String) {
    let (left, right): (Vec<&str>, Vec<&str>) = (a.split_whitespace().collect(), b.split_whitespace().collect());
    let diff = similar::TextDiff::from_slices(&left, &right);
    let (mut shown_a, mut shown_b) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
        let word = plain(change.value());
        match change.tag() {
            similar::ChangeTag::Equal => {
                shown_a.push(word.clone());
                shown_b.push(word);
            }
            similar::ChangeTag::Delete => shown_a.push(printer.removed(&word)),
            similar::ChangeTag::Insert => shown_b.push(printer.added(&word)),
        }
    }
    (shown_a.join(" "), shown_b.join(" "))
}
