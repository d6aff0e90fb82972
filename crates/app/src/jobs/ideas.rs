//! Batches of ideas: one output line per input line, in order. Finished work is reused when the same batch runs again.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::runs::RunStatus;
use precedent_engine::EngineError;
use precedent_engine::domain::{Counterpart, FacetStatus, IdeaAssessment, ModelCoverage, NoveltyVerdict};
use precedent_engine::idea::{Idea, IdeaOptions, LabelledWork};
use serde::Serialize;
use serde_json::Value;
use tokio::sync::Semaphore;

use super::batch_line::{BAD_LINE, InputLine, LineError, NOTHING_SEARCHED, hidden_in_lines, numbered, parse};
use super::idea_input::options;
use super::session::IdeaSession;
use crate::input::text_of;
use crate::observer::Messages;
use crate::run::{Run, is_over_budget};
use crate::text::counted;
use crate::{AppError, ErrorKind, Observer, RunEvent};

/// An output line.
#[derive(Debug, Serialize)]
struct IdeaLine {
    /// Line number in the input, from 1.
    line: usize,
    id: Value,
    #[serde(flatten)]
    outcome: IdeaOutcome,
}

#[derive(Debug, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum IdeaOutcome {
    Done(Box<AnsweredIdea>),
    /// Answered, but calls of the model failed.
    Incomplete(Box<AnsweredIdea>),
    Failed {
        error: LineError,
    },
}

#[derive(Debug, Serialize)]
struct AnsweredIdea {
    verdict: NoveltyVerdict,
    grounds: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<f64>,
    against: Vec<Counterpart>,
    works: Vec<FoundPaper>,
    not_searched: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    report: Option<Box<IdeaAssessment>>,
    #[serde(skip)]
    over_budget: bool,
    #[serde(skip)]
    coverage: ModelCoverage,
}

#[derive(Debug, Serialize)]
struct FoundPaper {
    number: u32,
    id: String,
    title: String,
    #[serde(rename = "nearness")]
    similarity: f64,
    facets: BTreeMap<&'static str, FacetStatus>,
}

/// Counts of a batch of ideas.
#[derive(Debug, Default)]
pub struct IdeasSummary {
    /// Ideas.
    pub lines: usize,
    /// Ideas without an answer.
    pub failed: usize,
    /// Answered ideas for which calls of the model failed.
    pub incomplete: usize,
    /// Failed ideas for which every source failed.
    unsearched: usize,
    over_budget: usize,
    /// How many of the model's items are usable.
    pub coverage: ModelCoverage,
}

impl IdeasSummary {
    /// Status of the batch. If no idea could be searched, the whole run counts as not searched.
    pub(super) fn status(&self) -> RunStatus {
        if self.over_budget > 0 {
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

/// Checks every idea of the batch.
pub(super) fn work(run: &mut Run) -> Result<IdeasSummary, AppError> {
    let request = run.manifest.request.clone();
    let asked = request.idea.clone().unwrap_or_default();
    let text = match &asked.text {
        Some(text) => text.clone(),
        None => text_of(&request.input)?,
    };
    let options = options(&request, None, &run.folder.index_path())?;
    let lines = numbered(&text);
    run.note_input(&Idea::new(&text).sha256(), Some(&counted(lines.len(), "idea")), "input")?;
    run.pass_on(&hidden_in_lines(&lines));
    let progress = run.progress(true);
    let (found, answers) = run.with_ledger(async |run, ledger| {
        let session = Arc::new(IdeaSession::open(run, progress, ledger)?);
        let workers = asked.workers.max(1);
        answered(&*run.events, &session, options, lines, (workers, asked.full)).await
    })?;
    run.manifest.files = vec![run.write("ideas.jsonl", &answers)?];
    Ok(found)
}

async fn answered(
    observer: &dyn Observer,
    session: &Arc<IdeaSession>,
    options: IdeaOptions,
    lines: Vec<(usize, String)>,
    (workers, full): (usize, bool),
) -> Result<(IdeasSummary, Vec<u8>), AppError> {
    let turns = Arc::new(Semaphore::new(workers));
    let total = lines.len();
    let mut tasks = Vec::with_capacity(total);
    for (number, line) in lines {
        let (session, options, turns) = (Arc::clone(session), options.clone(), Arc::clone(&turns));
        tasks.push(tokio::spawn(async move {
            // The semaphore is never closed, so this cannot fail.
            let _turn = turns.acquire_owned().await.ok();
            one(&session, options, number, &line, full).await
        }));
    }
    let mut counts = IdeasSummary::default();
    let mut kept = Vec::new();
    let mut ended: Option<AppError> = None;
    for task in tasks {
        if ended.is_some() {
            task.abort();
            continue;
        }
        let line = match task.await {
            Ok(Ok(line)) => line,
            Ok(Err(error)) => {
                ended = Some(error.into());
                continue;
            }
            Err(error) => {
                ended = Some(AppError::with_message(
                    ErrorKind::Bug,
                    format!("failed to check an idea: {error}"),
                ));
                continue;
            }
        };
        counts.lines += 1;
        match &line.outcome {
            IdeaOutcome::Done(answer) | IdeaOutcome::Incomplete(answer) => {
                counts.incomplete += usize::from(answer.coverage.is_incomplete());
                counts.over_budget += usize::from(answer.over_budget);
                counts.coverage = counts.coverage.and(answer.coverage);
            }
            IdeaOutcome::Failed { error } => {
                counts.failed += 1;
                counts.unsearched += usize::from(error.kind == NOTHING_SEARCHED);
            }
        }
        let line = serde_json::to_value(&line).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        kept.extend(line.to_string().bytes().chain([b'\n']));
        observer.event(&RunEvent::Answer { line });
        if counts.lines.is_multiple_of(100) {
            observer.note(&format!("{} of {total} ideas", counts.lines));
        }
    }
    if let Some(failure) = ended {
        return Err(failure);
    }
    Ok((counts, kept))
}

/// Processes one line. An error that would affect all other lines too ends the batch.
async fn one(
    session: &IdeaSession,
    options: IdeaOptions,
    number: usize,
    line: &str,
    full: bool,
) -> Result<IdeaLine, EngineError> {
    let failed = |id: Value, kind: &'static str, message: String| {
        Ok(IdeaLine {
            line: number,
            id,
            outcome: IdeaOutcome::Failed {
                error: LineError { kind, message },
            },
        })
    };
    let asked = match parse::<InputLine>(number, line) {
        Ok(asked) => asked,
        Err(LineError { kind, message }) => return failed(Value::Null, kind, message),
    };
    let id = asked.id.unwrap_or(Value::Null);
    let idea = Idea {
        id: match &id {
            Value::Null => None,
            Value::String(id) => Some(id.clone()),
            other => Some(other.to_string()),
        },
        text: asked.idea,
        stated: asked.facets,
        rendered: false,
    };
    let given = asked
        .papers
        .map(|papers| papers.iter().filter_map(LabelledWork::as_work).collect());
    let options = IdeaOptions { given, ..options };
    match session.check(&idea, &options).await {
        Ok(found) => {
            let answer = Box::new(answer(found, full));
            let outcome = match answer.coverage.is_incomplete() {
                true => IdeaOutcome::Incomplete(answer),
                false => IdeaOutcome::Done(answer),
            };
            Ok(IdeaLine {
                line: number,
                id,
                outcome,
            })
        }
        Err(error @ EngineError::EmptyIdea) => failed(id, "empty_idea", format!("failed to {error}")),
        Err(error @ EngineError::FacetTooLong { .. }) => {
            failed(id, BAD_LINE, format!("failed to read line {number}: {error}"))
        }
        Err(error @ EngineError::NothingSearched { .. }) => failed(id, NOTHING_SEARCHED, format!("failed to {error}")),
        Err(error) => Err(error),
    }
}

fn answer(found: IdeaAssessment, full: bool) -> AnsweredIdea {
    let named = found.works.iter().map(|one| FoundPaper {
        number: one.number,
        id: one.work.id.to_string(),
        title: one.work.title.clone(),
        similarity: one.similarity,
        facets: one
            .facets
            .iter()
            .map(|facet| (facet.facet.name(), facet.status))
            .collect(),
    });
    AnsweredIdea {
        works: named.collect(),
        verdict: found.verdict.verdict,
        grounds: found.verdict.grounds.clone(),
        reasoning: found.verdict.reasoning.clone(),
        agreement: found.verdict.agreement,
        against: found.verdict.against.clone(),
        not_searched: found
            .metadata
            .not_searched
            .iter()
            .map(|one| one.message.clone())
            .collect(),
        over_budget: is_over_budget(&found.metadata.not_searched),
        coverage: ModelCoverage::of(&found.metadata.models),
        report: full.then(|| Box::new(found)),
    }
}
