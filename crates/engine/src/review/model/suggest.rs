use precedent_domain::{Note, QuotableDocument, Suggestion, SuggestionGroup};
use precedent_llm::{Check, Checks, Fence, Violation};
use precedent_text::one_line;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sentences::{Citable, Ground, normal};
use super::shown;
use crate::Result;
use crate::model::checks::Checked;
use crate::model::texts::{SUMMARY, cut, running_text};
use crate::model::{ModelAnalyst, checks};
use crate::review::{CheckedAnswer, LaterPiece, SuggestQuestion};

/// Longest suggestion, in words and sentences.
const WORDS: usize = 90;
const SENTENCES: usize = 3;

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct SuggestionsReply {
    /// Up to three a group.
    suggestions: Vec<SuggestionReply>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct SuggestionReply {
    /// method, experiments, data, risks or next_steps.
    group: String,
    /// One or two sentences.
    text: String,
    /// The numbers of the documents that it comes from.
    documents: Vec<u32>,
}

#[derive(Serialize)]
struct SuggestInputs {
    mark: String,
    idea: String,
    documents: String,
}

/// Suggests improvements based on later documents.
pub(crate) async fn suggest(
    model: &ModelAnalyst,
    question: SuggestQuestion<'_>,
) -> Result<CheckedAnswer<Vec<Suggestion>>> {
    if !model.prints_sentences() {
        return Ok(CheckedAnswer {
            reply: Some(Vec::new()),
            notes: vec![Note::SuggestionsNotRequested],
        });
    }
    ask_suggestions(model, question).await
}

/// Suggestions based on later documents; none if no answer is readable.
async fn ask_suggestions(
    model: &ModelAnalyst,
    question: SuggestQuestion<'_>,
) -> Result<CheckedAnswer<Vec<Suggestion>>> {
    let shown_documents: Vec<String> = question.pieces.iter().map(piece).collect();
    let fence = model.fence();
    let numbered = question.pieces.iter().zip(&shown_documents);
    let pieces: Vec<String> = numbered
        .map(|(one, shown_documents)| fence.wrap(&format!("document {}", one.piece.number), shown_documents))
        .collect();
    let inputs = SuggestInputs {
        mark: fence.mark().to_owned(),
        idea: shown::idea(&fence, question.idea),
        documents: pieces.join("\n"),
    };
    let idea = QuotableDocument::new(question.idea.document.clone());
    let ground = ground(&question, &idea, &fence);
    let something = |reply: &SuggestionsReply| match reply.suggestions.iter().any(|one| fits(one, &ground).is_ok()) {
        true => Ok(()),
        false => reply.suggestions.first().map_or_else(
            || Err(Violation("there is no suggestion".to_owned())),
            |first| fits(first, &ground).map(|_| ()),
        ),
    };
    let all = |reply: &SuggestionsReply| {
        reply
            .suggestions
            .iter()
            .try_for_each(|one| fits(one, &ground).map(|_| ()))
    };
    let must: [Check<'_, SuggestionsReply>; 1] = [&something];
    let should: [Check<'_, SuggestionsReply>; 1] = [&all];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model.ask("review.suggest", &inputs, checks).await?;
    Ok(reply.map_or_else(CheckedAnswer::default, |reply| settled(&reply.value, &ground)))
}

/// A later document: its heading, and the beginning of its text.
fn piece(one: &LaterPiece<'_>) -> String {
    let summary = one.piece.work.summary.as_deref().unwrap_or_default();
    let text = match summary.trim().is_empty() {
        false => one_line(summary),
        true => one_line(&running_text(one.text.document())),
    };
    format!("{}\n{}", shown::headed(one.piece), cut(&text, SUMMARY))
}

fn ground<'a>(question: &SuggestQuestion<'a>, idea: &'a QuotableDocument, fence: &'a Fence) -> Ground<'a> {
    let citable = |one: &LaterPiece<'a>| Citable {
        number: one.piece.number,
        text: one.text,
        year: one.piece.work.year(),
    };
    Ground {
        pieces: question.pieces.iter().map(citable).collect(),
        idea,
        throughout: Vec::new(),
        mark: fence.mark(),
        scores: Vec::new(),
        decision: None,
    }
}

fn group(name: &str) -> Option<SuggestionGroup> {
    match name.trim() {
        "method" => Some(SuggestionGroup::Method),
        "experiments" => Some(SuggestionGroup::Experiments),
        "data" => Some(SuggestionGroup::Data),
        "risks" => Some(SuggestionGroup::Risks),
        "next_steps" => Some(SuggestionGroup::NextSteps),
        _ => None,
    }
}

/// The suggestion of an item, if it is valid.
fn fits(one: &SuggestionReply, ground: &Ground<'_>) -> std::result::Result<Suggestion, Violation> {
    let group = group(&one.group).ok_or_else(|| {
        Violation(format!(
            "the group must be method, experiments, data, risks or next_steps, and is: {}",
            checks::head(&one.group)
        ))
    })?;
    pieces(one, ground)?;
    checks::words_between("a suggestion", &one.text, 5, WORDS)?;
    let mut pieces = one.documents.clone();
    pieces.extend(ground.cited("a suggestion", &one.text)?);
    pieces.sort_unstable();
    pieces.dedup();
    let of_these = Ground {
        throughout: pieces.clone(),
        ..ground.again()
    };
    of_these.holds("a suggestion", &one.text, SENTENCES)?;
    Ok(Suggestion {
        group,
        text: normal(&one.text),
        pieces,
    })
}

fn pieces(one: &SuggestionReply, ground: &Ground<'_>) -> Checked {
    let known: Vec<u32> = ground.pieces.iter().map(|one| one.number).collect();
    if one.documents.is_empty() {
        return Err(Violation(
            "a suggestion names no document that it comes from".to_owned(),
        ));
    }
    match one.documents.iter().find(|number| !known.contains(number)) {
        Some(unknown) => Err(Violation(format!(
            "a suggestion names document {unknown}, which was not shown"
        ))),
        None => Ok(()),
    }
}

fn settled(reply: &SuggestionsReply, ground: &Ground<'_>) -> CheckedAnswer<Vec<Suggestion>> {
    let mut kept = Vec::new();
    let mut left_out = 0_usize;
    for one in &reply.suggestions {
        match fits(one, ground) {
            Ok(one) => kept.push(one),
            Err(_) => left_out += 1,
        }
    }
    let notes = match left_out {
        0 => Vec::new(),
        suggestions => vec![Note::SuggestionsUnfounded { suggestions }],
    };
    CheckedAnswer {
        reply: Some(kept),
        notes,
    }
}
