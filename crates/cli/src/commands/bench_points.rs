//! Benchmark of review scores against the decisions of venues on single papers.

use std::collections::BTreeMap;
use std::path::Path;

use precedent_app::{AppError, ErrorKind};
use precedent_bench::{
    ClassAgreement, Clustered, PointAgreement, PointOutcome, PointTask, check_record, point_agreement, point_tasks,
    venue_record,
};
use precedent_engine::EngineError;
use precedent_engine::domain::ReviewDecision;
use precedent_engine::idea::Idea;
use serde::Serialize;

use super::bench_innoeval::{Bench, SEED, shown};
use super::bench_reviews::Reviewing;
use super::input;
use super::rank::arguments::BenchInnoEvalArguments;
use crate::printer::{Printer, counted, plain};

/// Result for one file of papers.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    set: String,
    analyst: String,
    /// Whether the budget ran out before the last paper.
    over_budget: bool,
    /// Papers excluded because the venue's record contradicts their label. `None` without a record.
    contradicted: Option<usize>,
    /// Papers excluded because they are not in the record.
    not_on_record: Option<usize>,
    /// Papers whose review has no score, with the reason.
    unscored: Vec<Unscored>,
    #[serde(flatten)]
    agreement: PointAgreement,
}

#[derive(Debug, Serialize)]
struct Unscored {
    paper: String,
    why: String,
}

/// A line of JSON for each finished paper.
#[derive(Debug, Serialize)]
struct PaperLine<'a> {
    paper: &'a str,
    label: ReviewDecision,
    #[serde(flatten)]
    outcome: &'a PointOutcome,
}

/// Papers of one file, and how many the record excluded.
struct Set {
    name: String,
    tasks: Vec<PointTask>,
    contradicted: Option<usize>,
    not_on_record: Option<usize>,
}

/// Reviews the papers of each file, reusing recorded responses.
pub(super) async fn answers(
    typed: &BenchInnoEvalArguments,
    analyst: &str,
    bench: &Bench,
    reviewing: Option<&Reviewing>,
    printer: Printer,
) -> Result<Vec<Answer>, AppError> {
    if typed.points.is_empty() {
        return Ok(Vec::new());
    }
    let sets = sets(typed)?;
    let Some(reviewing) = reviewing else {
        let message = "failed to review papers: nothing to search";
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("choose a corpus with --corpus or services with --sources"));
    };
    let mut answers = Vec::new();
    for set in sets {
        let (outcomes, over_budget) = outcomes(&set, reviewing, bench, typed.json, printer).await?;
        let done = set.tasks.get(..outcomes.len()).unwrap_or(&set.tasks);
        answers.push(Answer {
            set: set.name,
            analyst: analyst.to_owned(),
            over_budget,
            contradicted: set.contradicted,
            not_on_record: set.not_on_record,
            unscored: unscored(done, &outcomes),
            agreement: point_agreement(done, &outcomes, SEED),
        });
        if over_budget {
            break;
        }
    }
    Ok(answers)
}

fn sets(typed: &BenchInnoEvalArguments) -> Result<Vec<Set>, AppError> {
    let read = |path: &Path| input::text(path);
    let record = match &typed.reviewing.record {
        Some(path) => Some(venue_record(&shown(path), &read(path)?).map_err(AppError::from)?),
        None => None,
    };
    let mut sets = Vec::new();
    for path in &typed.points {
        let mut tasks = point_tasks(&shown(path), &read(path)?).map_err(AppError::from)?;
        let (mut contradicted, mut not_on_record) = (None, None);
        if let Some(record) = &record {
            let check = check_record(tasks, record);
            (contradicted, not_on_record) = (Some(check.contradicted), Some(check.unknown));
            tasks = check.agreed;
        }
        tasks.truncate(typed.limit.unwrap_or(usize::MAX));
        sets.push(Set {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            tasks,
            contradicted,
            not_on_record,
        });
    }
    Ok(sets)
}

/// The outcome of each paper until the budget runs out.
async fn outcomes(
    set: &Set,
    reviewing: &Reviewing,
    bench: &Bench,
    json: bool,
    printer: Printer,
) -> Result<(Vec<PointOutcome>, bool), AppError> {
    let mut outcomes = Vec::new();
    for task in &set.tasks {
        let idea = Idea {
            rendered: false,
            id: Some(task.id.clone()),
            text: task.text.clone(),
            stated: BTreeMap::new(),
        };
        let outcome = match reviewing.review(idea, bench).await {
            Ok(found) => PointOutcome::of(&found),
            Err(EngineError::OverBudget { .. }) => return Ok((outcomes, true)),
            Err(error @ (EngineError::EmptyIdea | EngineError::EmptyPaper | EngineError::NothingSearched { .. })) => {
                PointOutcome::Unscored { why: error.to_string() }
            }
            Err(error) => return Err(AppError::from(error)),
        };
        if json {
            printer.json(&PaperLine {
                paper: &task.id,
                label: task.label,
                outcome: &outcome,
            })?;
        }
        outcomes.push(outcome);
    }
    Ok((outcomes, false))
}

fn unscored(tasks: &[PointTask], outcomes: &[PointOutcome]) -> Vec<Unscored> {
    let pairs = tasks.iter().zip(outcomes);
    let lost = pairs.filter_map(|(task, outcome)| match outcome {
        PointOutcome::Scored { .. } => None,
        PointOutcome::Unscored { why } => Some(Unscored {
            paper: task.id.clone(),
            why: why.clone(),
        }),
    });
    lost.collect()
}

impl Answer {
    pub(super) fn is_over_budget(&self) -> bool {
        self.over_budget
    }

    pub(super) fn readable(&self) -> String {
        let found = &self.agreement;
        let row =
            |name: &str, one: &Clustered| format!("  {name:<22}  {:.3}  [{:.3}, {:.3}]", one.value, one.low, one.high);
        let classes = |name: &str, one: &ClassAgreement| {
            [
                row(&format!("{name} accuracy"), &one.accuracy),
                row(&format!("{name} macro F1"), &one.macro_f1),
                row(&format!("{name} majority"), &one.majority),
            ]
        };
        let mut lines = vec![format!(
            "{}: {} reviewed with {}, {} scored",
            plain(&self.set),
            counted(found.papers, "paper"),
            plain(&self.analyst),
            found.scored
        )];
        lines.extend(classes("binary", &found.binary));
        lines.extend(classes("ternary", &found.ternary));
        lines.push(row("Spearman", &found.spearman));
        lines.extend(
            found
                .scores
                .iter()
                .map(|one| row(&format!("mean score, {}", one.label.name()), &one.mean)),
        );
        lines.push("  decided      reject  poster  spotlight  oral         no score".to_owned());
        lines.extend(found.confusion.iter().map(|one| {
            format!(
                "  {:<10}  {:>7}  {:>6}  {:>9}  {:>4}  {:>15}",
                one.label.name(),
                one.reject,
                one.poster,
                one.spotlight,
                one.oral,
                one.unscored
            )
        }));
        lines.push("  papers without a score count as wrong; intervals: 95 %, over papers".to_owned());
        lines.push(match (self.contradicted, self.not_on_record) {
            (Some(contradicted), Some(unknown)) => format!(
                "  excluded: {} whose label contradicts the venue's record, {unknown} not in the record",
                counted(contradicted, "paper")
            ),
            _ => "  labels were not checked; more than a third of the published labels that can be checked contradict the venue: give its record with --record".to_owned(),
        });
        if self.over_budget {
            lines.push(
                "  stopped: budget exceeded; to continue, repeat the command with the same --out folder".to_owned(),
            );
        }
        lines.push(String::new());
        lines.join("\n")
    }
}
