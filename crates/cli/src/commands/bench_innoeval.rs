//! Benchmark of a judge's ranking against the decisions of venues.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use precedent_app::models::{self, ModelAccess, OpenModels};
use precedent_app::runs::RunFolder;
use precedent_app::runtime::runtime;
use precedent_app::{AppError, ErrorKind};
use precedent_bench::{
    Clustered, OrderAgreement, RankingTask, ScoredAnswers, TaskOutcome, order_agreement, ranking_tasks,
};
use precedent_engine::board::dimensions;
use precedent_engine::domain::IdeaReview;
use precedent_engine::idea::Idea;
use precedent_engine::ledger::Ledger;
use precedent_engine::rank::{IdeaOfGroup, RankOptions, rank};
use precedent_engine::review::review_defaults;
use precedent_engine::sources::Source;
use precedent_engine::{Budget, EngineError, SilentProgress, SystemClock, World};
use precedent_report::InWords;
use serde::Serialize;

use super::bench_points;
use super::bench_reviews::Reviewing;
use super::rank::arguments::BenchInnoEvalArguments;
use crate::ExitCode;
use crate::printer::{Printer, counted, plain};
use crate::progress::Warnings;

/// Seed of the resampling.
pub(super) const SEED: u64 = 1;

#[derive(Debug, Serialize)]
struct BenchInnoevalOutput {
    set: String,
    analyst: String,
    /// Whether the budget ran out before the last task.
    over_budget: bool,
    /// Whether only the first answer to each task is scored.
    as_published: bool,
    /// Whether the judge saw a review of each paper beside its text.
    reviewed: bool,
    #[serde(flatten)]
    agreement: OrderAgreement,
}

/// Random orders per task, as the published benchmark has one prompt per task. Both directions are shown.
const BENCH_DRAWS: usize = 1;

/// Shared resources of the benchmark tasks.
pub(super) struct Bench {
    pub(super) ledger: Ledger,
    models: OpenModels,
    options: RankOptions,
    scored: ScoredAnswers,
    dollars: Option<f64>,
    seed: u64,
}

/// `precedent bench innoeval`.
pub(super) fn run(typed: &BenchInnoEvalArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let Some(request) = models::selected(&(&typed.model).into())? else {
        let message = "failed to rank papers: no model was chosen";
        return Err(AppError::with_message(ErrorKind::Model, message).hint("choose one with --model"));
    };
    let sets = sets(typed)?;
    let scratch = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    let folder = typed
        .out
        .as_deref()
        .map(RunFolder::create)
        .transpose()
        .map_err(AppError::from)?;
    let place = folder.as_ref().map_or(scratch.path(), RunFolder::dir);
    let options = RankOptions {
        dimensions: dimensions(typed.judging.dimensions.as_deref()).map_err(AppError::from)?,
        draws: Some(typed.judging.draws.map_or(BENCH_DRAWS, usize::from)),
    };
    let (points, answers) = runtime()?.block_on(async {
        let ledger = Ledger::open(&place.join("ledger.sqlite"))
            .await
            .map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let access = ModelAccess {
            request: &request,
            seed: typed.judging.seed,
            replay: false,
            budget_had_ended: false,
            impatient: false,
            queue: None,
            limit: None,
            budget: None,
            progress: Arc::new(Warnings(printer)),
        };
        let bench = Bench {
            models: models::open(&access, &ledger)?,
            ledger,
            options,
            scored: match typed.as_published {
                true => ScoredAnswers::First,
                false => ScoredAnswers::All,
            },
            dollars: request.budget,
            seed: typed.judging.seed,
        };
        let reviewing = Reviewing::open(typed, &bench, place, printer)?;
        check_reviewing(typed, reviewing.is_some())?;
        let points = bench_points::answers(typed, &request.model, &bench, reviewing.as_ref(), printer).await?;
        let judged_from = reviewing.filter(|_| !typed.reviewing.text_only);
        let mut answers = Vec::new();
        let ended = points.iter().any(bench_points::Answer::is_over_budget);
        for (set, tasks) in sets.into_iter().take_while(|_| !ended) {
            let (outcomes, over_budget) = bench.outcomes(&tasks, judged_from.as_ref()).await?;
            let done = tasks.get(..outcomes.len()).unwrap_or(&tasks);
            answers.push(BenchInnoevalOutput {
                set,
                analyst: request.model.clone(),
                over_budget,
                as_published: typed.as_published,
                reviewed: judged_from.is_some(),
                agreement: order_agreement(done, &outcomes, SEED),
            });
            if over_budget {
                break;
            }
        }
        bench.ledger.close().await;
        Ok::<_, AppError>((points, answers))
    })?;
    for answer in &points {
        match typed.json {
            true => printer.json(answer)?,
            false => printer.data(&answer.readable()),
        }
    }
    for answer in &answers {
        match typed.json {
            true => printer.json(answer)?,
            false => printer.data(&readable(answer)),
        }
    }
    let over_budget =
        points.iter().any(bench_points::Answer::is_over_budget) || answers.iter().any(|answer| answer.over_budget);
    Ok(match over_budget {
        true => ExitCode::Budget,
        false => ExitCode::Done,
    })
}

/// Refuses options of reviews if the papers are not reviewed.
fn check_reviewing(typed: &BenchInnoEvalArguments, is_reviewing: bool) -> Result<(), AppError> {
    let given = &typed.reviewing;
    let options = [
        ("--as-of", given.as_of.is_some()),
        ("--personas", given.personas.is_some()),
        ("--persona", !given.required_personas.is_empty()),
        ("--board", given.board != review_defaults::BOARD),
        ("--rounds", given.rounds != review_defaults::ROUNDS),
    ];
    let set = options.into_iter().find(|(_, is_set)| *is_set);
    let Some((option, _)) = set.filter(|_| !is_reviewing) else {
        return Ok(());
    };
    let message = format!("failed to rank papers: {option} is for reviews, and no paper is reviewed");
    Err(AppError::with_message(ErrorKind::Usage, message)
        .hint("choose a corpus with --corpus or services with --sources"))
}

/// The tasks of each file. Pairs with different difficulty labels form separate sets.
fn sets(typed: &BenchInnoEvalArguments) -> Result<Vec<(String, Vec<RankingTask>)>, AppError> {
    let mut sets: Vec<(String, Vec<RankingTask>)> = Vec::new();
    for path in typed.pairs.iter().chain(&typed.groups) {
        for task in tasks(path)? {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let set = match &task.difficulty {
                Some(difficulty) => format!("{file}, {difficulty}"),
                None => file.into_owned(),
            };
            match sets.iter_mut().find(|(known, _)| *known == set) {
                Some((_, tasks)) => tasks.push(task),
                None => sets.push((set, vec![task])),
            }
        }
    }
    if let Some(most) = typed.limit {
        sets.iter_mut().for_each(|(_, tasks)| tasks.truncate(most));
    }
    Ok(sets)
}

fn tasks(path: &Path) -> Result<Vec<RankingTask>, AppError> {
    let text = super::input::text(path)?;
    ranking_tasks(&shown(path), &text).map_err(AppError::from)
}

pub(super) fn shown(path: &Path) -> String {
    path.display().to_string()
}

impl Bench {
    /// Dependencies of one task, with its own analyst.
    pub(super) fn world(&self, sources: Vec<Arc<dyn Source>>) -> World {
        World {
            clock: Arc::new(SystemClock),
            ledger: self.ledger.clone(),
            sources,
            texts: None,
            model: Some(Arc::new(self.models.analyst())),
            progress: Arc::new(SilentProgress),
            budget: Budget { dollars: self.dollars },
            seed: self.seed,
        }
    }

    /// The outcome of each task until the budget runs out, reusing recorded responses.
    async fn outcomes(
        &self,
        tasks: &[RankingTask],
        reviewing: Option<&Reviewing>,
    ) -> Result<(Vec<TaskOutcome>, bool), AppError> {
        let mut outcomes = Vec::new();
        // A paper is in several tasks.
        let mut reviews: HashMap<&str, IdeaReview> = HashMap::new();
        for task in tasks {
            let mut ideas = Vec::new();
            for (at, (text, _)) in task.papers.iter().enumerate() {
                let idea = Idea::new(text);
                if let Some(reviewing) = reviewing
                    && !reviews.contains_key(text.as_str())
                {
                    match reviewing.review(idea.clone(), self).await {
                        Ok(mut found) => {
                            found.put_in_words();
                            reviews.insert(text, found);
                        }
                        Err(EngineError::OverBudget { .. }) => return Ok((outcomes, true)),
                        Err(error) => return Err(AppError::from(error)),
                    }
                }
                ideas.push(IdeaOfGroup {
                    name: at.to_string(),
                    idea,
                    review: reviews.get(text.as_str()).cloned().map(Box::new),
                });
            }
            let world = self.world(Vec::new());
            outcomes.push(match rank(&ideas, &self.options, &world).await {
                Ok(ranking) => TaskOutcome::of(task, &ranking, self.scored),
                Err(EngineError::NoRanking { first, .. }) => TaskOutcome::of_first(task, &first, self.scored),
                Err(EngineError::OverBudget { .. }) => return Ok((outcomes, true)),
                Err(error) => return Err(AppError::from(error)),
            });
        }
        Ok((outcomes, false))
    }
}

fn readable(answer: &BenchInnoevalOutput) -> String {
    let found = &answer.agreement;
    let row =
        |name: &str, one: &Clustered| format!("  {name:<18}  {:.3}  [{:.3}, {:.3}]", one.value, one.low, one.high);
    let mut lines = vec![
        format!(
            "{}: {} ranked by {}{}{}; {} without ties, {} that `precedent rank` would publish",
            plain(&answer.set),
            counted(found.tasks, "task"),
            plain(&answer.analyst),
            if answer.reviewed { ", from reviews" } else { ", texts alone" },
            if answer.as_published { ", first answer only" } else { "" },
            found.ordered,
            found.published
        ),
        row("best first", &found.best),
        row("longest run", &found.longest_run),
        row("exactly right", &found.exact),
        "  for pairs, the first and the last are the accuracy; tasks without a ranking count as wrong, and ties are broken at random; intervals: 95 %, over groups that share a paper".to_owned(),
    ];
    if answer.over_budget {
        lines.push("  stopped: budget exceeded; to continue, repeat the command with the same --out folder".to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}
