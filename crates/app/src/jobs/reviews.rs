//! Batches of reviews: one idea per line, several at the same time. Finished work is reused when the same batch runs again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::runs::{RunFile, RunFolder, RunStatus};
use precedent_engine::domain::{ConfidenceLevel, IdeaReview, ModelCoverage, ModelUse, ReviewDecision};
use precedent_engine::idea::Idea;
use precedent_engine::review::{ReviewInput, ReviewOptions, review};
use precedent_engine::{EngineError, World};
use precedent_report::{ClosestDocument, InWords, ReviewFound, ReviewLine, review_table_csv, review_table_html};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::task::JoinSet;

use super::batch_line::{LineError, LineToReview, NOTHING_SEARCHED, hidden_in_lines, numbered, parse};
use super::{review_files, review_input};
use crate::input::text_of;
use crate::observer::Messages;
use crate::run::{Run, is_over_budget, status_of_search};
use crate::text::{counted, plain};
use crate::{AppError, ErrorKind, Observer, RunEvent};

/// Ideas that are reviewed at the same time: as many as `precedent idea --batch` checks by default.
const AT_ONCE: usize = 4;
/// Error kind of an idea whose review the budget did not allow.
const BUDGET: &str = "budget";

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

/// Characters of an id in a message about progress.
const ID_LENGTH: usize = 60;

/// Counts of a batch of reviews.
#[derive(Debug, Default)]
pub struct ReviewsSummary {
    /// Ideas.
    pub lines: usize,
    /// Ideas without a review.
    pub failed: usize,
    /// Reviews for which calls of the model failed.
    pub incomplete: usize,
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
    /// The texts of the ideas whose calls are in `models`.
    paid: BTreeSet<String>,
}

/// Reviews every idea of the batch, and writes each review and a table of all.
pub(super) fn work(run: &mut Run) -> Result<ReviewsSummary, AppError> {
    let request = run.manifest.request.clone();
    let asked = request.review.clone().unwrap_or_default();
    let text = match asked.text {
        Some(text) => text,
        None => text_of(&request.input)?,
    };
    let options = Arc::new(review_input::options_of_run(run)?);
    let lines = numbered(&text);
    run.note_input(&Idea::new(&text).sha256(), Some(&counted(lines.len(), "idea")), "input")?;
    run.pass_on(&hidden_in_lines(&lines));
    let formats = review_files::formats(&request.formats);
    let (events, folder) = (Arc::clone(&run.events), run.folder.clone());
    let mut batch = Batch::default();
    let (mut unwritten, mut over_budget) = (None, false);
    // A report states what was sent for its idea, which services count for the run. So with services, ideas are reviewed one after the other.
    let at_once = if request.sources.is_empty() { AT_ONCE } else { 1 };
    run.in_worlds(async |new| {
        let mut open = OpenReviews::default();
        let mut left = lines.iter().enumerate();
        // Answers in the order of the lines, whichever idea is done first.
        let mut early: BTreeMap<usize, Answer> = BTreeMap::new();
        'lines: for (next, (number, _)) in lines.iter().enumerate() {
            let answer = loop {
                if let Some(answer) = early.remove(&next) {
                    break answer;
                }
                if open.tasks.len() < at_once
                    && let Some((at, (number, line))) = left.next()
                {
                    match parse::<LineToReview>(*number, line) {
                        Err(error) => _ = early.insert(at, Err((Value::Null, error))),
                        Ok(asked) if over_budget => _ = early.insert(at, Err(budget_ended(asked.id))),
                        Ok(asked) => {
                            let name = match id_text(&asked.id) {
                                id if id.is_empty() => String::new(),
                                id => format!(" ({})", plain(&id).chars().take(ID_LENGTH).collect::<String>()),
                            };
                            events.note(&format!("reviewing idea {} of {}{name}", at + 1, lines.len()));
                            open.begin(at, asked, Arc::clone(&options), new());
                        }
                    }
                    continue;
                }
                let (at, answer) = match open.next().await {
                    Ok((at, Ok(answer))) => (at, answer),
                    Ok((_, Err(error))) => {
                        // The calls in progress end before the calls of the run are counted.
                        open.tasks.shutdown().await;
                        return Err(error);
                    }
                    Err(error) => {
                        unwritten = Some(error);
                        break 'lines;
                    }
                };
                over_budget |= answer.as_ref().is_err_and(|(_, error)| error.kind == BUDGET);
                early.insert(at, answer);
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

/// Reviews in progress. Dropping it ends them; their answered calls are recorded.
#[derive(Default)]
struct OpenReviews {
    tasks: JoinSet<(usize, Result<Answer, EngineError>)>,
    /// One lock for each text, so that the same idea on two lines is paid for once.
    turns: BTreeMap<String, Arc<Mutex<()>>>,
}

impl OpenReviews {
    fn begin(&mut self, at: usize, asked: LineToReview, options: Arc<ReviewOptions>, world: World) {
        let turn = Arc::clone(self.turns.entry(asked.idea.clone()).or_default());
        self.tasks.spawn(async move {
            let _turn = turn.lock().await;
            (at, one(asked, &options, &world).await)
        });
    }

    /// The next answer, in the order in which reviews end.
    async fn next(&mut self) -> Result<(usize, Result<Answer, EngineError>), AppError> {
        match self.tasks.join_next().await {
            Some(Ok(ended)) => Ok(ended),
            Some(Err(error)) => Err(AppError::with_message(
                ErrorKind::Bug,
                format!("failed to review an idea: {error}"),
            )),
            None => Err(AppError::with_message(
                ErrorKind::Bug,
                "failed to review an idea: it was never begun",
            )),
        }
    }
}

/// The id of a line as text; empty if it has none.
fn id_text(id: &Value) -> String {
    match id {
        Value::Null => String::new(),
        Value::String(id) => id.clone(),
        other => other.to_string(),
    }
}

/// A review of a line with its id, or why there is none.
type Answer = Result<(Value, Box<IdeaReview>), (Value, LineError)>;

fn budget_ended(id: Value) -> (Value, LineError) {
    let message = "failed to review the idea: the budget has ended".to_owned();
    (id, LineError { kind: BUDGET, message })
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
                let coverage = ModelCoverage::of(&review.metadata.models);
                self.summary.incomplete += usize::from(coverage.is_incomplete());
                self.summary.coverage = self.summary.coverage.and(coverage);
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
                // The same idea on two lines is paid for once.
                if self.paid.insert(review.idea.document.text) {
                    self.models.extend(review.metadata.models);
                }
                (id, Outcome::Reviewed(Box::new(reviewed)), Ok(found))
            }
            Err((id, error)) => {
                self.summary.failed += 1;
                self.summary.unsearched += usize::from(error.kind == NOTHING_SEARCHED);
                self.summary.over_budget |= error.kind == BUDGET;
                let why = error.message.clone();
                (id, Outcome::Failed { error }, Err(why))
            }
        };
        let row = ReviewLine::new(number, id_text(&id), row);
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
