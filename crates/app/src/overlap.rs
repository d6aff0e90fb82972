//! Finds passages that texts share.

use precedent_engine::domain::Span;
use precedent_engine::text::{
    AlteredReason, Overlap, OverlapKind, OverlapMark, OverlapOptions, Source, overlap as shared_passages, paraphrases,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::{AppError, Input, Observer, OpenedText};

/// Smallest value of [`OverlapRequest::min_words`]. Shorter passages are shared by chance.
const LEAST_WORDS: usize = 5;

/// A text, and the texts to compare it with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverlapRequest {
    /// The text to check: a file in any supported format, or a text.
    pub target: Input,
    /// The texts to compare it with. In the answer, a file is named by its path as given, and a text by its position: `text 1` if it is the first.
    pub others: Vec<Input>,
    /// Minimum length of a passage, in words of the shorter side. Values below 5 count as 5.
    pub min_words: usize,
}

impl OverlapRequest {
    /// A request for passages of 30 words or more.
    #[must_use]
    pub fn new(target: Input, others: Vec<Input>) -> Self {
        Self {
            target,
            others,
            min_words: OverlapOptions::default().min_words,
        }
    }
}

/// Output of `precedent overlap --json`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Answer")]
pub struct OverlapAnswer {
    /// Passages that the target shares with the other texts, by file in the given order, then by position in the target.
    pub passages: Vec<Passage>,
    /// Passages that may be paraphrases. They need a human reader and are never counted as reuse. Their `edits` are empty.
    pub paraphrase_candidates: Vec<Passage>,
}

/// A passage that two texts share.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Passage {
    /// The file that contains `b`, as given.
    pub b_file: String,
    /// Byte range `[start, end]` of the passage in the target, excluding the end. It refers to the file if that is a text file (.txt, .md; UTF-8,
    /// UTF-16 or Windows-1252), otherwise to the text that `precedent read` prints.
    pub a: Span,
    /// Byte range in `b_file`, in the same form.
    pub b: Span,
    /// The page of the target where it starts, from 1; omitted if there are no pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub a_page: Option<u32>,
    /// The page of `b_file` where it starts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub b_page: Option<u32>,
    /// The line of the target where it starts, from 1: in the file if it is a text file, otherwise in the text that `precedent read` prints.
    pub a_line: usize,
    /// The line of `b_file` where it starts.
    pub b_line: usize,
    /// Number of words on the shorter side, at least `--min-words`. Signs do not count; `non-linear` counts as two.
    pub words: usize,
    /// Kind of overlap.
    pub kind: OverlapKind,
    /// Share of the words that agree, 0 to 1: twice the agreeing words divided by the words of both sides. For a paraphrase candidate, the weighted
    /// share of content words that both sides have.
    pub agreement: f64,
    /// Harmless explanations of the passage; empty if there are none.
    pub marks: Vec<OverlapMark>,
    /// Differences in meaning, in the order of the target. Citation marks, spelling and single minor words do not count.
    pub edits: Vec<Difference>,
    /// The target's text in `a`.
    pub a_text: String,
    /// The other file's text in `b`.
    pub b_text: String,
}

/// A difference in meaning between the two sides of a passage.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Difference {
    /// Byte range of the target's words, as in the passage's `a`. If the target lacks them, an empty range at their position.
    pub a: Span,
    /// Byte range of the other file's words, in the same form.
    pub b: Span,
    /// The target's words.
    pub a_text: String,
    /// The other file's words.
    pub b_text: String,
    /// Kind of difference.
    pub reason: AlteredReason,
}

/// Compares the texts of a request.
pub(crate) fn overlap(request: &OverlapRequest, observer: &dyn Observer) -> Result<OverlapAnswer, AppError> {
    let target = OpenedText::open(&request.target, observer)?;
    let open = |(number, input): (usize, &Input)| {
        let text = OpenedText::open(input, observer)?;
        Ok(match input {
            Input::Text(_) => text.named(format!("text {number}")),
            _ => text,
        })
    };
    let others: Vec<OpenedText> = (1..).zip(&request.others).map(open).collect::<Result<_, AppError>>()?;
    Ok(target.overlap(&others, request.min_words))
}

impl OpenedText {
    /// Finds the passages of at least `min_words` words that this text shares with others. Values below 5 count as 5.
    #[must_use]
    pub fn overlap(&self, others: &[OpenedText], min_words: usize) -> OverlapAnswer {
        let options = OverlapOptions {
            min_words: min_words.max(LEAST_WORDS),
        };
        let target = self.quotable.source();
        let sources: Vec<&Source> = others.iter().map(|other| other.quotable.source()).collect();
        let shared = shared_passages(target, &sources, &options);
        let candidates = paraphrases(target, &sources, &shared, &options);
        OverlapAnswer {
            passages: self.passages(others, shared),
            paraphrase_candidates: self.passages(others, candidates),
        }
    }

    /// Adds the texts and their positions in the files to the passages.
    fn passages(&self, others: &[OpenedText], found: Vec<Overlap>) -> Vec<Passage> {
        let mut passages = Vec::new();
        for one in found {
            let Some(other) = others.get(one.candidate) else {
                continue;
            };
            passages.extend(one.passages.into_iter().filter_map(|shared| {
                let edits = shared.edits.iter().filter_map(|edit| {
                    Some(Difference {
                        a: self.in_file(edit.a),
                        b: other.in_file(edit.b),
                        a_text: self.slice(edit.a)?.to_owned(),
                        b_text: other.slice(edit.b)?.to_owned(),
                        reason: edit.reason,
                    })
                });
                Some(Passage {
                    b_file: other.name.clone(),
                    a: self.in_file(shared.a),
                    b: other.in_file(shared.b),
                    a_page: self.document().place(shared.a).page,
                    b_page: other.document().place(shared.b).page,
                    a_line: self.line_of(shared.a),
                    b_line: other.line_of(shared.b),
                    words: shared.words,
                    kind: shared.kind,
                    agreement: shared.agreement,
                    edits: edits.collect(),
                    a_text: self.slice(shared.a)?.to_owned(),
                    b_text: other.slice(shared.b)?.to_owned(),
                    marks: shared.marks,
                })
            }));
        }
        passages
    }
}
