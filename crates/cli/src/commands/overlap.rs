use std::path::{Path, PathBuf};

use precedent_app::AppError;
use precedent_app::decoded::Places;
use precedent_engine::domain::{Document, QuotableDocument, Span};
use precedent_engine::text::{
    AlteredReason, Overlap, OverlapKind, OverlapMark, OverlapOptions, Source, overlap, paraphrases,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::input;
use super::overlap_shown::{readable, summary};
use super::verify::line_of;
use crate::ExitCode;
use crate::args::OverlapArguments;
use crate::console::Console;
use crate::printer::Printer;

/// Output of `precedent overlap --json`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer<'a> {
    /// Passages that the target shares with the other texts, by file in the given order, then by position in the target.
    passages: Vec<Passage<'a>>,
    /// Passages that may be paraphrases. They need a human reader and are never counted as reuse. Their `edits` are empty.
    paraphrase_candidates: Vec<Passage<'a>>,
}

/// A passage that two texts share.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Passage<'a> {
    /// The file that contains `b`, as given.
    pub(super) b_file: String,
    /// Byte range `[start, end]` of the passage in the target, excluding the end. It refers to the file if that is a text file (.txt, .md; UTF-8,
    /// UTF-16 or Windows-1252), otherwise to the text that `precedent read` prints.
    pub(super) a: Span,
    /// Byte range in `b_file`, in the same form.
    pub(super) b: Span,
    /// The page of the target where it starts, from 1; omitted if there are no pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) a_page: Option<u32>,
    /// The page of `b_file` where it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) b_page: Option<u32>,
    /// The line of the target where it starts, from 1: in the file if it is a text file, otherwise in the text that `precedent read` prints.
    pub(super) a_line: usize,
    /// The line of `b_file` where it starts.
    pub(super) b_line: usize,
    /// Number of words on the shorter side, at least `--min-words`. Signs do not count; `non-linear` counts as two.
    pub(super) words: usize,
    /// Kind of overlap.
    pub(super) kind: OverlapKind,
    /// Share of the words that agree, 0 to 1: twice the agreeing words divided by the words of both sides. For a paraphrase candidate, the weighted
    /// share of content words that both sides have.
    pub(super) agreement: f64,
    /// Harmless explanations of the passage; empty if there are none.
    pub(super) marks: Vec<OverlapMark>,
    /// Differences in meaning, in the order of the target. Citation marks, spelling and single minor words do not count.
    pub(super) edits: Vec<Difference<'a>>,
    /// The target's text in `a`.
    pub(super) a_text: &'a str,
    /// The other file's text in `b`.
    pub(super) b_text: &'a str,
}

/// A difference in meaning between the two sides of a passage.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Difference<'a> {
    /// Byte range of the target's words, as in the passage's `a`. If the target lacks them, an empty range at their position.
    pub(super) a: Span,
    /// Byte range of the other file's words, in the same form.
    pub(super) b: Span,
    /// The target's words.
    pub(super) a_text: &'a str,
    /// The other file's words.
    pub(super) b_text: &'a str,
    /// Kind of difference.
    pub(super) reason: AlteredReason,
}

/// `precedent overlap`.
pub(super) fn run(typed: &OverlapArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let target = Text::read(&typed.target, printer)?;
    let (mut others, mut unread) = (Vec::new(), None);
    for path in &typed.others {
        match Text::read(path, printer) {
            Ok(text) => others.push(text),
            Err(failure) if typed.others.len() == 1 => return Err(failure),
            // If one of several texts cannot be read, the others are still compared. The exit code shows the failure.
            Err(failure) => {
                printer.failure(&failure);
                unread = Some(ExitCode::from(failure.kind));
            }
        }
    }
    let code = unread.unwrap_or(ExitCode::Done);
    let texts = Texts { target, others };
    let target = texts.target.quotable.source();
    let sources: Vec<&Source> = texts.others.iter().map(|other| other.quotable.source()).collect();
    let options = OverlapOptions {
        min_words: usize::from(typed.min_words),
    };
    let shared = overlap(target, &sources, &options);
    let retold = paraphrases(target, &sources, &shared, &options);
    let answer = Answer {
        passages: texts.passages(shared),
        paraphrase_candidates: texts.passages(retold),
    };
    if typed.json {
        printer.json(&answer)?;
        return Ok(code);
    }
    let target = typed.target.display().to_string();
    // Unexplained passages come first.
    let (open, explained): (Vec<&Passage<'_>>, Vec<_>) =
        answer.passages.iter().partition(|passage| passage.marks.is_empty());
    let all = open
        .iter()
        .chain(&explained)
        .copied()
        .chain(&answer.paraphrase_candidates);
    for (number, passage) in (1..).zip(all) {
        printer.line(&readable(number, passage, &target, printer));
    }
    printer.note(&summary(
        (open.len(), explained.len(), answer.paraphrase_candidates.len()),
        typed.min_words,
    ));
    Ok(code)
}

/// One of the compared texts.
struct Text {
    name: PathBuf,
    quotable: QuotableDocument,
    places: Places,
}

impl Text {
    fn read(path: &Path, printer: Printer) -> Result<Self, AppError> {
        let source = input::source_text(path, &Console::new(printer))?;
        Ok(Self {
            name: path.to_owned(),
            quotable: QuotableDocument::new(source.document),
            places: source.places,
        })
    }

    fn slice(&self, span: Span) -> Option<&str> {
        span.slice(self.quotable.source().text())
    }

    fn document(&self) -> &Document {
        self.quotable.document()
    }
}

/// The compared texts.
struct Texts {
    target: Text,
    others: Vec<Text>,
}

impl Texts {
    /// Adds the texts and their positions in the files to the passages.
    fn passages(&self, found: Vec<Overlap>) -> Vec<Passage<'_>> {
        let target = &self.target;
        let mut passages = Vec::new();
        for one in found {
            let Some(other) = self.others.get(one.candidate) else {
                continue;
            };
            passages.extend(one.passages.into_iter().filter_map(|shared| {
                let edits = shared.edits.iter().filter_map(|edit| {
                    Some(Difference {
                        a: target.places.in_file(edit.a),
                        b: other.places.in_file(edit.b),
                        a_text: target.slice(edit.a)?,
                        b_text: other.slice(edit.b)?,
                        reason: edit.reason,
                    })
                });
                Some(Passage {
                    b_file: other.name.display().to_string(),
                    a: target.places.in_file(shared.a),
                    b: other.places.in_file(shared.b),
                    a_page: target.document().place(shared.a).page,
                    b_page: other.document().place(shared.b).page,
                    a_line: line_of(target.quotable.source().text(), shared.a),
                    b_line: line_of(other.quotable.source().text(), shared.b),
                    words: shared.words,
                    kind: shared.kind,
                    agreement: shared.agreement,
                    edits: edits.collect(),
                    a_text: target.slice(shared.a)?,
                    b_text: other.slice(shared.b)?,
                    marks: shared.marks,
                })
            }));
        }
        passages
    }
}
