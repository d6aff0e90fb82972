use std::path::{Path, PathBuf};

use precedent_engine::domain::{Document, QuotableDocument, Span};
use precedent_engine::text::{
    AlteredReason, Overlap, OverlapKind, OverlapMark, OverlapOptions, Source, overlap, paraphrases,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::decoded::Places;
use super::input;
use super::overlap_shown::{readable, summary};
use super::verify::line_of;
use crate::ExitCode;
use crate::args::OverlapArguments;
use crate::exit::Failure;
use crate::printer::Printer;

/// What `precedent overlap --json` prints.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Answer<'a> {
    /// Passages that the target shares with the others: by file in the order they were named, then by place in the target.
    passages: Vec<Passage<'a>>,
    /// Passages that may say the same in other words: for reading, never reuse. Their `edits` are empty.
    paraphrase_candidates: Vec<Passage<'a>>,
}

/// A passage that two texts share.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Passage<'a> {
    /// The file that `b` is in, as it was named.
    pub(super) b_file: String,
    /// Where the passage stands in the target: `[start, end]` in bytes, the end not included. Bytes of the file where it is a text file (.txt, .md;
    /// UTF-8, UTF-16 or Windows-1252), else of the text that `precedent read` prints.
    pub(super) a: Span,
    /// Where it stands in `b_file`, counted in the same way.
    pub(super) b: Span,
    /// The page of the target it starts on, counting from 1; left out where there are no pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) a_page: Option<u32>,
    /// The page of `b_file` it starts on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) b_page: Option<u32>,
    /// The line of the target it starts on, counting from 1: of the file where it is a text file, else of the text that `precedent read` prints.
    pub(super) a_line: usize,
    /// The line of `b_file` it starts on.
    pub(super) b_line: usize,
    /// Words of the passage, on the side that has fewer: never below `--min-words`. Signs are no words; `non-linear` is two.
    pub(super) words: usize,
    /// How alike the two sides are.
    pub(super) kind: OverlapKind,
    /// Share of the words that agree, 0 to 1: twice the agreeing words over the words of both sides. Of a candidate for paraphrase, the share of the
    /// weight of the content words that both sides have.
    pub(super) agreement: f64,
    /// What explains the passage away; empty if nothing does.
    pub(super) marks: Vec<OverlapMark>,
    /// Where the two sides do not say the same, in the order of the target. Citation marks, spelling and single plain words more or less are no edits.
    pub(super) edits: Vec<Difference<'a>>,
    /// The target's own characters at `a`.
    pub(super) a_text: &'a str,
    /// The other file's own characters at `b`.
    pub(super) b_text: &'a str,
}

/// A place inside a passage where the two sides do not say the same.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Difference<'a> {
    /// Where the target's words stand, counted as in the passage's `a`; empty, at the place where they would stand, if it lacks them.
    pub(super) a: Span,
    /// Where the other file's words stand, in the same way.
    pub(super) b: Span,
    /// The target's words.
    pub(super) a_text: &'a str,
    /// The other file's words.
    pub(super) b_text: &'a str,
    /// What the difference touches.
    pub(super) reason: AlteredReason,
}

/// `precedent overlap`.
pub(super) fn run(typed: &OverlapArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let target = Text::read(&typed.target, printer)?;
    let (mut others, mut unread) = (Vec::new(), None);
    for path in &typed.others {
        match Text::read(path, printer) {
            Ok(text) => others.push(text),
            Err(failure) if typed.others.len() == 1 => return Err(failure),
            // One of many that cannot be read takes nothing from the rest: it is told, and so does the exit code.
            Err(failure) => {
                printer.failure(&failure);
                unread = Some(failure.code);
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
    // What nothing explains comes first.
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

/// One of the texts that are compared.
struct Text {
    name: PathBuf,
    quotable: QuotableDocument,
    places: Places,
}

impl Text {
    fn read(path: &Path, printer: Printer) -> Result<Self, Failure> {
        let source = input::source_text(path, printer)?;
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

/// What was compared.
struct Texts {
    target: Text,
    others: Vec<Text>,
}

impl Texts {
    /// The passages with the characters that stand there and their places in the files.
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
