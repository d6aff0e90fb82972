//! Batches of reviews: one idea per line, one after the other. Finished work is reused when the same batch runs again.

use std::collections::BTreeMap;
use std::sync::Arc;

use precedent_engine::domain::{ConfidenceLevel, IdeaReview, ModelCoverage, ModelUse, ReviewDecision};
use precedent_engine::idea::Idea;
use precedent_engine::review::{ReviewInput, ReviewOptions, review};
use precedent_engine::runs::{RunFile, RunFolder, RunStatus};
use precedent_engine::{EngineError, World};
use precedent_report::{ClosestDocument, InWords, ReviewFound, ReviewLine, review_table_csv, review_table_html};
use serde::Serialize;
use serde_json::Value;

use super::batch_line::{LineError, LineToReview, NOTHING_SEARCHED, numbered, parse};
use super::{review_files, review_input};
use crate::input::text_of;
use crate::observer::Messages;
use crate::run::{Run, is_over_budget, status_of_search};
use crate::text::counted;
use crate::{AppError, ErrorKind, Observer, RunEvent};

/// An output line.
#[derive(Debug, Serialize)]
struct OutputLine {
    /// Line number in the input, from 1.
    line: usize,
    id: Value,
    /// The status in the table.
    status: &'static str,
    #[serde(flatten)]
    outcome: Outcome,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Outcome {
    Reviewed(Box<Reviewed>),
    Failed { error: LineError },
}

#[derive(Debug, Serialize)]
struct Reviewed {
    decision: Option<ReviewDecision>,
    score: Option<f64>,
    confidence: Option<ConfidenceLevel>,
    /// Mean score by dimension.
    dimensions: BTreeMap<String, f64>,
    closest: Option<ClosestDocument>,
    not_searched: Vec<String>,
    /// The files of the review in the run's folder.
    files: Vec<String>,
}

/// Counts of a batch of reviews.
#[derive(Debug, Default)]
pub struct ReviewsSummary {
    /// Ideas.
    pub lines: usize,
    /// Ideas without a review.
    pub failed: usize,
    /// Ideas for which nothing could be searched.
    unsearched: usize,
    over_budget: bool,
    /// How many of the model's items are usable.
    pub coverage: ModelCoverage,
}

impl ReviewsSummary {
    /// Status of the batch. If no idea could be searched, the whole run counts as not searched.
    pub(super) fn status(&self) -> RunStatus {
        if self.over_budget {
            RunStatus::OverBudget
        } else if self.lines > 0 && self.unsearched == self.lines {
            RunStatus::NothingSearched
        } else if self.coverage.is_incomplete() {
            RunStatus::Incomplete
        } else {
            RunStatus::Complete
        }
    }
}

/// What the batch has so far.
#[derive(Default)]
struct Batch {
    summary: ReviewsSummary,
    table: Vec<ReviewLine>,
    answers: Vec<u8>,
    files: Vec<RunFile>,
    models: Vec<ModelUse>,
}

/// Reviews every idea of the batch, and writes each review and a table of all.
pub(super) fn work(run: &mut Run) -> Result<ReviewsSummary, AppError> {
    let request = run.manifest.request.clone();
    let asked = request.review.clone().unwrap_or_default();
    let text = match asked.text {
        Some(text) => text,
        None => text_of(&request.input)?,
    };
    let options = review_input::options(&request, &run.folder.index_path(), true)?;
    let lines = numbered(&text);
    run.note_input(&Idea::new(&text).sha256(), Some(&counted(lines.len(), "idea")), "input")?;
    let formats = review_files::formats(&request.formats);
    let (events, folder) = (Arc::clone(&run.events), run.folder.clone());
    let mut batch = Batch::default();
    let mut unwritten = None;
    run.in_worlds(async |new| {
        for (at, (number, line)) in lines.iter().enumerate() {
            events.note(&format!("reviewing idea {} of {}", at + 1, lines.len()));
            let answer = match parse::<LineToReview>(*number, line) {
                Err(error) => Err((Value::Null, error)),
                Ok(asked) if batch.summary.over_budget => Err(budget_ended(asked.id)),
                Ok(asked) => one(asked, &options, &new()).await?,
            };
            if let Err(error) = batch.add(*number, answer, &formats, &folder, &*events) {
                unwritten = Some(error);
                break;
            }
        }
        Ok(())
    })?;
    if let Some(error) = unwritten {
        return Err(error);
    }
    let page = review_table_html(&batch.table, formats.contains(&"html"));
    let page = page.map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    run.manifest.files = vec![
        run.write("index.html", &page)?,
        run.write("reviews.csv", review_table_csv(&batch.table).as_bytes())?,
        run.write("reviews.jsonl", &batch.answers)?,
    ];
    run.manifest.files.append(&mut batch.files);
    run.manifest.models = ModelUse::together(batch.models);
    Ok(batch.summary)
}

/// A review of a line with its id, or why there is none.
type Answer = Result<(Value, Box<IdeaReview>), (Value, LineError)>;

fn budget_ended(id: Value) -> (Value, LineError) {
    let message = "failed to review the idea: the budget has ended".to_owned();
    (
        id,
        LineError {
            kind: "budget",
            message,
        },
    )
}

/// Reviews the idea of one line. An error that would affect all other lines too ends the batch.
async fn one(asked: LineToReview, options: &ReviewOptions, world: &World) -> Result<Answer, EngineError> {
    let id = asked.id;
    let failed = |kind: &'static str, error: EngineError| {
        let message = format!("failed to {error}");
        Ok(Err((id.clone(), LineError { kind, message })))
    };
    match review(&ReviewInput::Idea(Idea::new(&asked.idea)), options, world).await {
        Ok(found) if is_over_budget(&found.metadata.not_searched) => Ok(Err(budget_ended(id))),
        Ok(mut found) => {
            found.put_in_words();
            Ok(Ok((id, Box::new(found))))
        }
        Err(error @ EngineError::EmptyIdea) => failed("empty_idea", error),
        Err(error @ EngineError::NothingSearched { .. }) => failed(NOTHING_SEARCHED, error),
        Err(error) => Err(error),
    }
}

impl Batch {
    /// Counts an answer, writes its review and passes on its line.
    fn add(
        &mut self,
        number: usize,
        answer: Answer,
        formats: &[&str],
        folder: &RunFolder,
        events: &dyn Observer,
    ) -> Result<(), AppError> {
        self.summary.lines += 1;
        let (id, mut outcome, row) = match answer {
            Ok((id, review)) => {
                self.summary.coverage = self.summary.coverage.and(ModelCoverage::of(&review.metadata.models));
                self.summary.unsearched +=
                    usize::from(status_of_search(&review.metadata) == RunStatus::NothingSearched);
                let files = review_files::write(&review, number, formats, |name, bytes| {
                    let written = folder.write(name, bytes);
                    written.map_err(|error| AppError::new(ErrorKind::Input, error))
                })?;
                let found = ReviewFound::of(&review);
                let reviewed = Reviewed {
                    decision: found.decision,
                    score: found.score,
                    confidence: found.confidence,
                    dimensions: found.dimensions.iter().map(|one| (one.id.clone(), one.mean)).collect(),
                    closest: found.closest.clone(),
                    not_searched: review
                        .metadata
                        .not_searched
                        .iter()
                        .map(|one| one.message.clone())
                        .collect(),
                    files: files.iter().map(|file| file.name.clone()).collect(),
                };
                self.files.extend(files);
                self.models.extend(review.metadata.models);
                (id, Outcome::Reviewed(Box::new(reviewed)), Ok(found))
            }
            Err((id, error)) => {
                self.summary.failed += 1;
                self.summary.unsearched += usize::from(error.kind == NOTHING_SEARCHED);
                self.summary.over_budget |= error.kind == "budget";
                let why = error.message.clone();
                (id, Outcome::Failed { error }, Err(why))
            }
        };
        let text = match &id {
            Value::Null => String::new(),
            Value::String(id) => id.clone(),
            other => other.to_string(),
        };
        let row = ReviewLine::new(number, text, row);
        if let (Outcome::Failed { error }, Err(why)) = (&mut outcome, &row.outcome) {
            error.message.clone_from(why);
        }
        let line = OutputLine {
            line: number,
            id,
            status: row.status(),
            outcome,
        };
        self.table.push(row);
        let line = serde_json::to_value(&line).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        self.answers.extend(line.to_string().bytes().chain([b'\n']));
        events.event(&RunEvent::Answer { line });
        Ok(())
    }
}
