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
struct SuggestionsSaid {
    /// Up to three a group.
    suggestions: Vec<SuggestionSaid>,
}

#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
struct SuggestionSaid {
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
            said: Some(Vec::new()),
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
    let told: Vec<String> = question.pieces.iter().map(piece).collect();
    let fence = model.fence();
    let numbered = question.pieces.iter().zip(&told);
    let pieces: Vec<String> = numbered
        .map(|(one, told)| fence.wrap(&format!("document {}", one.piece.number), told))
        .collect();
    let inputs = SuggestInputs {
        mark: fence.mark().to_owned(),
        idea: shown::idea(&fence, question.idea),
        documents: pieces.join("\n"),
    };
    let idea = QuotableDocument::new(question.idea.document.clone());
    let ground = ground(&question, &idea, &fence);
    let something = |said: &SuggestionsSaid| match said.suggestions.iter().any(|one| fits(one, &ground).is_ok()) {
        true => Ok(()),
        false => said.suggestions.first().map_or_else(
            || Err(Violation("there is no suggestion".to_owned())),
            |first| fits(first, &ground).map(|_| ()),
        ),
    };
    let all = |said: &SuggestionsSaid| {
        said.suggestions
            .iter()
            .try_for_each(|one| fits(one, &ground).map(|_| ()))
    };
    let must: [Check<'_, SuggestionsSaid>; 1] = [&something];
    let should: [Check<'_, SuggestionsSaid>; 1] = [&all];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let said = model.ask("review.suggest", &inputs, checks).await?;
    Ok(said.map_or_else(CheckedAnswer::default, |said| settled(&said.value, &ground)))
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
fn fits(one: &SuggestionSaid, ground: &Ground<'_>) -> std::result::Result<Suggestion, Violation> {
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

fn pieces(one: &SuggestionSaid, ground: &Ground<'_>) -> Checked {
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

fn settled(said: &SuggestionsSaid, ground: &Ground<'_>) -> CheckedAnswer<Vec<Suggestion>> {
    let mut kept = Vec::new();
    let mut left_out = 0_usize;
    for one in &said.suggestions {
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
        said: Some(kept),
        notes,
    }
}
