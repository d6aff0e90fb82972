use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::board::dimensions;
use precedent_engine::domain::{GroupRanking, ModelCoverage, RankingOutcome};
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::{Idea, IdeaOfGroup, RankOptions};
use precedent_engine::runs::RunStatus;
use precedent_engine::{Budget, SystemClock, World, pipelines};
use precedent_report::{ranking_file_name, render_ranking};

use super::arguments::{CompareArguments, RankArguments, RankingArguments};
use crate::ExitCode;
use crate::commands::{input, job};
use crate::printer::{Printer, plain};
use crate::progress::StageLines;
use precedent_app::models::{self, Asking};
use precedent_app::runtime::runtime;
use precedent_app::{AppError, ErrorKind};

/// `precedent rank`.
pub(in crate::commands) fn rank(typed: &RankArguments, printer: Printer) -> Result<ExitCode, AppError> {
    run(&typed.ideas, &typed.how, printer)
}

/// `precedent compare`.
pub(in crate::commands) fn compare(typed: &CompareArguments, printer: Printer) -> Result<ExitCode, AppError> {
    run(&[typed.one.clone(), typed.other.clone()], &typed.how, printer)
}

fn run(paths: &[PathBuf], typed: &RankingArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let Some(request) = models::selected(&(&typed.model).into())? else {
        let message = "failed to rank the ideas: no model was chosen";
        return Err(AppError::said(ErrorKind::Model, message)
            .hint("choose one with --model, such as ollama:qwen3:8b; `precedent idea` compares an idea with prior work without a model"));
    };
    let name = |format: &String| ranking_file_name(format).map_err(|error| AppError::new(ErrorKind::Usage, error));
    let names: Vec<&str> = typed.formats.iter().map(name).collect::<Result<_, _>>()?;
    let options = RankOptions {
        dimensions: dimensions(typed.judging.dimensions.as_deref()).map_err(AppError::from)?,
        draws: usize::from(typed.judging.draws),
    };
    let ideas = ideas(paths, printer)?;
    if let Some(dir) = &typed.out {
        fs::create_dir_all(dir).map_err(|error| cannot_write(dir, &error))?;
    }
    let progress = Arc::new(StageLines::new(printer));
    let heard = Arc::clone(&progress);
    let found = runtime()?.block_on(async {
        let ledger = match &typed.out {
            Some(dir) => Ledger::open(&dir.join("ledger.sqlite")).await,
            None => Ledger::in_memory().await,
        };
        let ledger = ledger.map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let asking = Asking {
            request: &request,
            seed: typed.judging.seed,
            replay: typed.replay,
            budget_had_ended: false,
            progress: heard.clone(),
        };
        let world = World {
            clock: Arc::new(SystemClock),
            ledger: ledger.clone(),
            sources: Vec::new(),
            texts: None,
            analyst: Arc::new(models::analyst(&asking, &ledger)?),
            progress: heard,
            budget: Budget {
                dollars: request.budget,
            },
            seed: typed.judging.seed,
        };
        let found = pipelines::rank(&ideas, &options, &world).await.map_err(AppError::from);
        drop(world);
        ledger.close().await;
        found
    });
    progress.end();
    let found = found?;
    if let Some(dir) = &typed.out {
        for (format, name) in typed.formats.iter().zip(&names) {
            let bytes = render_ranking(&found, format).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
            let path = dir.join(name);
            fs::write(&path, bytes).map_err(|error| cannot_write(&path, &error))?;
        }
    }
    let coverage = ModelCoverage::of(&found.models);
    job::warn_if_incomplete(coverage, typed.model.allow_fallback, printer);
    if typed.json {
        printer.json(&found)?;
    } else {
        if let Some(caveat) = coverage.caveat() {
            printer.line(&caveat);
        }
        printer.data(&summary(&found));
        if let Some(dir) = &typed.out {
            for name in names {
                printer.line(&dir.join(name).display().to_string());
            }
        }
    }
    let status = RunStatus::Complete;
    Ok(job::exit_code(&status, coverage, typed.model.allow_fallback))
}

/// The ideas, named by file name, or by full path if two files have the same name.
fn ideas(paths: &[PathBuf], printer: Printer) -> Result<Vec<IdeaOfGroup>, AppError> {
    let name = |path: &Path| match path.file_name() {
        Some(name) => name.to_string_lossy().into_owned(),
        None => path.display().to_string(),
    };
    let names: Vec<String> = paths.iter().map(|path| name(path)).collect();
    paths
        .iter()
        .zip(&names)
        .map(|(path, name)| {
            let is_alone = names.iter().filter(|other| *other == name).count() == 1;
            let text = input::source_text(path, printer)?.document.text;
            Ok(IdeaOfGroup {
                name: if is_alone {
                    name.clone()
                } else {
                    path.display().to_string()
                },
                idea: Idea::new(&text),
            })
        })
        .collect()
}

fn cannot_write(path: &Path, error: &std::io::Error) -> AppError {
    let message = format!("failed to write {}: {error}", path.display());
    AppError::said(ErrorKind::Input, message)
}

/// The ranking in a few lines.
fn summary(found: &GroupRanking) -> String {
    let name = |number: &u32| {
        let idea = found.ideas.iter().find(|one| one.number == *number);
        plain(idea.map_or("", |one| one.name.as_str()))
    };
    let mut lines = Vec::new();
    match &found.overall.outcome {
        RankingOutcome::Ranked { places } => {
            let mut next = 1;
            for place in places {
                let names: Vec<String> = place.iter().map(name).collect();
                lines.push(format!("{next:>3}  {}", names.join(" and ")));
                next += place.len();
            }
        }
        _ => lines.push("no ranking: the answers follow the order of presentation".to_owned()),
    }
    for one in &found.dimensions {
        let order = match &one.standing.outcome {
            RankingOutcome::Ranked { places } => {
                let place = |numbers: &Vec<u32>| numbers.iter().map(name).collect::<Vec<_>>().join(" = ");
                places.iter().map(place).collect::<Vec<_>>().join(" > ")
            }
            _ => "no ranking: the answers follow the order of presentation".to_owned(),
        };
        lines.push(format!("  {:<14} {order}", plain(&one.name)));
    }
    let usable = found.orders.iter().filter(|one| one.answer.is_some()).count();
    lines.push(format!(
        "  {usable} of {} orders answered; answers agree on {:.0} % of the pairs, {:.0} % follow the order of presentation (chance: 50 %)",
        found.orders.len(),
        found.overall.agreement * 100.0,
        found.overall.follows_position * 100.0
    ));
    lines.push(String::new());
    lines.join("\n")
}
