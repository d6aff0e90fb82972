//! Benchmark of verdicts on ideas against labels, and of the recall of the labelled papers.

use std::path::Path;
use std::sync::Arc;

use precedent_app::corpora::sources_of;
use precedent_app::idea_input::{embedder, examples};
use precedent_app::input::absolute;
use precedent_app::models::{self, ModelAccess};
use precedent_app::runtime::runtime;
use precedent_app::{AppError, ErrorKind, IdeaSession};
use precedent_engine::SilentProgress;
use precedent_engine::domain::NoveltyVerdict;
use precedent_engine::idea::{
    Agreement, Decision, Idea, IdeaOptions, LabelledIdea, LabelledWork, agreement, clusters, found, labelled_ideas,
};
use precedent_engine::ledger::Ledger;
use precedent_engine::runs::RunFolder;
use precedent_engine::statistics::{Clustered, recall_at};
use serde::Serialize;
use serde_json::json;

use super::idea::arguments::{BenchIdeaArguments, BenchSetting};
use crate::ExitCode;
use crate::console::Console;
use crate::printer::{Printer, counted, plain};
use crate::progress::Warnings;

/// Seed of the resampling.
const SEED: u64 = 1;
/// Cutoff ranks for recall.
const DEPTHS: [usize; 4] = [10, 20, 50, 100];

#[derive(Debug, Serialize)]
struct BenchIdeaOutput {
    set: String,
    analyst: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Agreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retrieval: Option<Retrieval>,
}

#[derive(Debug, Serialize)]
struct Retrieval {
    nearness_by: String,
    ideas: usize,
    groups: usize,
    works: usize,
    recall: Vec<RecallAt>,
}

#[derive(Debug, Serialize)]
struct RecallAt {
    depth: usize,
    #[serde(flatten)]
    recall: Clustered,
}

/// `precedent bench idea`.
pub(super) fn run(typed: &BenchIdeaArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let text = super::input::text(&typed.file)?;
    let ideas = labelled_ideas(&text).map_err(|error| AppError::new(ErrorKind::Input, error))?;
    let request = models::selected(&(&typed.model).into())?;
    let scratch = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    let folder = typed
        .out
        .as_deref()
        .map(RunFolder::create)
        .transpose()
        .map_err(AppError::from)?;
    let place = folder.as_ref().map_or(scratch.path(), RunFolder::dir);
    let options = IdeaOptions {
        examples: examples(typed.examples.as_deref())?,
        samples: usize::from(typed.samples),
        embedder: embedder(typed.embedder.as_deref(), &place.join("index"))?,
        ..IdeaOptions::default()
    };
    let runtime = runtime()?;
    let answer = runtime.block_on(async {
        let ledger = Ledger::open(&place.join("ledger.sqlite"))
            .await
            .map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let models = match &request {
            Some(request) => {
                let access = ModelAccess {
                    request,
                    seed: 0,
                    replay: false,
                    budget_had_ended: false,
                    impatient: false,
                    queue: None,
                    progress: Arc::new(Warnings(printer)),
                };
                Some(models::open(&access, &ledger)?)
            }
            None => None,
        };
        let mut session = IdeaSession {
            ledger,
            sources: Vec::new(),
            models,
            progress: Arc::new(SilentProgress),
            dollars: request.as_ref().and_then(|request| request.budget),
            seed: 0,
        };
        let fixed = match typed.setting {
            BenchSetting::Retrieval => None,
            _ => Some(fixed(&ideas, &session, &options, typed.json, printer).await?),
        };
        let retrieval = match typed.setting {
            BenchSetting::Fixed => None,
            _ => {
                let works = everything(&ideas, place)?;
                let mut corpora = vec![works];
                for path in &typed.corpus.corpora {
                    corpora.push(absolute(path)?);
                }
                session.sources = sources_of(&corpora, &place.join("index"), &Console::new(printer))?;
                // Without a model, this measures the ranking of the offline analysis.
                Some(retrieval(&ideas, &session, &options).await?)
            }
        };
        session.ledger.close().await;
        Ok::<_, AppError>(BenchIdeaOutput {
            set: typed
                .file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            analyst: request
                .as_ref()
                .map_or("offline".to_owned(), |request| request.model.clone()),
            fixed,
            retrieval,
        })
    })?;
    match typed.json {
        true => printer.json(&answer)?,
        false => printer.data(&readable(&answer)),
    }
    Ok(ExitCode::Done)
}

/// Checks each idea against its own papers.
async fn fixed(
    ideas: &[LabelledIdea],
    session: &IdeaSession,
    options: &IdeaOptions,
    json: bool,
    printer: Printer,
) -> Result<Agreement, AppError> {
    let mut decisions = Vec::new();
    for one in ideas {
        let options = IdeaOptions {
            given: Some(one.works.iter().filter_map(LabelledWork::as_work).collect()),
            ..options.clone()
        };
        let idea = Idea {
            id: Some(one.id.clone()),
            text: one.idea.clone(),
        };
        let found = session.check(&idea, &options).await.map_err(AppError::from)?;
        let verdict = found.verdict.verdict;
        if json {
            printer.json(&json!({"id": one.id, "label": one.label, "verdict": verdict, "grounds": found.verdict.grounds, "agreement": found.verdict.agreement}))?;
        }
        decisions.push(Decision {
            label: one.label,
            verdict,
        });
    }
    Ok(agreement(&decisions, &clusters(ideas), SEED))
}

/// Searches for each idea's papers among all papers.
async fn retrieval(
    ideas: &[LabelledIdea],
    session: &IdeaSession,
    options: &IdeaOptions,
) -> Result<Retrieval, AppError> {
    let mut places = Vec::new();
    let mut by = String::new();
    for one in ideas {
        let assessment = session
            .check(&Idea::new(&one.idea), options)
            .await
            .map_err(AppError::from)?;
        places.push(found(one, &assessment));
        by = assessment.ranking.nearness_by;
    }
    let groups = clusters(ideas);
    let recall = DEPTHS.map(|depth| {
        let values: Vec<f64> = places.iter().map(|place| place.recall(depth)).collect();
        RecallAt {
            depth,
            recall: recall_at(&values, &groups, SEED),
        }
    });
    let holdings = session
        .sources
        .iter()
        .filter_map(|source| source.holdings().works)
        .sum::<u64>();
    Ok(Retrieval {
        nearness_by: by,
        ideas: ideas.len(),
        groups: groups.iter().collect::<std::collections::BTreeSet<_>>().len(),
        works: usize::try_from(holdings).unwrap_or(usize::MAX),
        recall: recall.into(),
    })
}

/// Writes a file with the papers of all ideas, without duplicates.
fn everything(ideas: &[LabelledIdea], place: &Path) -> Result<std::path::PathBuf, AppError> {
    let mut lines: Vec<String> = ideas
        .iter()
        .flat_map(|one| &one.works)
        .filter_map(|work| {
            let record = work.as_work()?;
            Some(json!({"id": record.id, "title": record.title, "abstract": record.summary}).to_string())
        })
        .collect();
    lines.sort();
    lines.dedup();
    let path = place.join("papers.jsonl");
    std::fs::write(&path, lines.join("\n")).map_err(|error| precedent_app::cannot_write(&path, &error))?;
    Ok(path)
}

fn readable(answer: &BenchIdeaOutput) -> String {
    let mut lines = Vec::new();
    let row =
        |name: &str, one: &Clustered| format!("  {name:<18}  {:.3}  [{:.3}, {:.3}]", one.value, one.low, one.high);
    if let Some(fixed) = &answer.fixed {
        lines.push(format!(
            "{}: {} in {} with shared papers, each compared with its own papers by {}; {} decided",
            plain(&answer.set),
            counted(fixed.ideas, "idea"),
            counted(fixed.groups, "group"),
            plain(&answer.analyst),
            fixed.decided
        ));
        lines.push(row("accuracy", &fixed.accuracy));
        lines.push(row("majority baseline", &fixed.majority));
        lines.push(row(
            &format!("precision, {}", NoveltyVerdict::Novel.name()),
            &fixed.precision,
        ));
        lines.push(row("recall, novel", &fixed.recall));
        lines.push(row("F1, novel", &fixed.f1));
        lines.push(row("recall, not novel", &fixed.recall_not_novel));
        lines.push(row("F1, mean of both", &fixed.macro_f1));
        lines.push(row("kappa", &fixed.kappa));
        if fixed.decided < fixed.ideas {
            lines.push("  undecided ideas count as wrong in accuracy and recall".to_owned());
        }
    }
    if let Some(found) = &answer.retrieval {
        lines.push(format!(
            "{}: {} in {}, their papers searched for among {}; similarity: {}",
            plain(&answer.set),
            counted(found.ideas, "idea"),
            counted(found.groups, "group"),
            counted(found.works, "paper"),
            plain(&found.nearness_by)
        ));
        lines.extend(
            found
                .recall
                .iter()
                .map(|one| row(&format!("R@{}", one.depth), &one.recall)),
        );
    }
    lines.push("  intervals: 95 %, resampled by groups of ideas that share papers".to_owned());
    lines.push(String::new());
    lines.join("\n")
}
