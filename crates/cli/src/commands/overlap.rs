use std::path::PathBuf;

use precedent_engine::domain::{Document, QuotableDocument, Span};
use precedent_engine::text::{
    Overlap, OverlapKind, OverlapMark, OverlapOptions, SharedPassage, Source, overlap, paraphrases,
};
use serde::Serialize;

use super::{aligned::aligned, input};
use crate::ExitCode;
use crate::args::OverlapArguments;
use crate::exit::Failure;
use crate::printer::{Printer, plain};

#[derive(Debug, Serialize)]
struct Answer<'a> {
    passages: Vec<Passage<'a>>,
    /// Passages that may say the same in other words: for reading, never reuse.
    paraphrase_candidates: Vec<Passage<'a>>,
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
    let shared = overlap(target.source(), &sources, &options);
    let retold = paraphrases(target.source(), &sources, &shared, &options);
    let texts = Texts {
        target: &target,
        others: &others,
        paths: &typed.others,
    };
    let (passages, candidates) = (texts.passages(shared), texts.passages(retold));
    if typed.json {
        let bare = |passages: Vec<(&Document, _)>| passages.into_iter().map(|(_, passage)| passage).collect();
        printer.json(&Answer {
            passages: bare(passages),
            paraphrase_candidates: bare(candidates),
        })?;
        return Ok(ExitCode::Done);
    }
    for (other, passage) in passages.iter().chain(&candidates) {
        printer.line(&readable(passage, target.document(), other, printer));
    }
    let plural = |count: usize, one: &str| format!("{count} {one}{}", if count == 1 { "" } else { "s" });
    let explained = passages
        .iter()
        .filter(|(_, passage)| !passage.shared.marks.is_empty())
        .count();
    let mut note = plural(passages.len(), "shared passage");
    note.push_str(&format!(" of {} words or more", typed.min_words));
    if explained > 0 {
        note.push_str(&format!(", {explained} of them explained"));
    }
    if !candidates.is_empty() {
        note.push_str(&format!(
            "; {} for paraphrase, to be read",
            plural(candidates.len(), "candidate")
        ));
    }
    printer.note(&note);
    Ok(ExitCode::Done)
}

/// What was compared.
struct Texts<'a> {
    target: &'a QuotableDocument,
    others: &'a [QuotableDocument],
    paths: &'a [PathBuf],
}

impl<'a> Texts<'a> {
    /// The passages with the characters that stand there, each beside the text that `b` is in.
    fn passages(&self, found: Vec<Overlap>) -> Vec<(&'a Document, Passage<'a>)> {
        let mut passages = Vec::new();
        for Overlap {
            candidate,
            passages: shared,
        } in found
        {
            let (Some(other), Some(path)) = (self.others.get(candidate), self.paths.get(candidate)) else {
                continue;
            };
            passages.extend(shared.into_iter().filter_map(|shared| {
                let passage = Passage {
                    b_file: path.display().to_string(),
                    a_text: shared.a.slice(self.target.source().text())?,
                    b_text: shared.b.slice(other.source().text())?,
                    shared,
                };
                Some((other.document(), passage))
            }));
        }
        passages
    }
}

fn readable(passage: &Passage<'_>, a: &Document, b: &Document, printer: Printer) -> String {
    let shared = &passage.shared;
    let agree = shared.agreement * 100.0;
    let mut head = match shared.kind {
        OverlapKind::Direct => format!("{} words, word for word, {agree:.0} % agree", shared.words),
        OverlapKind::ParaphraseCandidate => format!(
            "perhaps a paraphrase (a candidate, not a finding): {} rarer words in common, {agree:.0} % of their weight",
            shared.words
        ),
        _ => format!("{} words, nearly word for word, {agree:.0} % agree", shared.words),
    };
    for mark in &shared.marks {
        head.push_str(&format!("; {}", explanation(*mark)));
    }
    // Of other words no two are aligned.
    let (left, right) = if shared.kind == OverlapKind::ParaphraseCandidate {
        (plain(passage.a_text), plain(passage.b_text))
    } else {
        aligned(passage.a_text, passage.b_text, printer)
    };
    format!(
        "{}\n  a {}  {left}\n  b {} {}  {right}\n",
        printer.strong(&head),
        place(a, passage.shared.a),
        plain(&passage.b_file),
        place(b, passage.shared.b),
    )
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

fn place(document: &Document, span: Span) -> String {
    let place = document.place(span);
    let page = place.page.map(|page| format!("page {page}, ")).unwrap_or_default();
    format!("({page}bytes {}..{})", span.start, span.end)
}
